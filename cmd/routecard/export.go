package main

import (
	"errors"
	"fmt"
	"io"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"time"
)

type exportCommand struct {
	Kind   string   `arg:"" help:"What to export: ${enum}." enum:"jobs,serials,steps,audit,certs,users,measurements,lots,components,shipments"`
	Format string   `help:"File format: ${enum}. dfq (Q-DAS transfer format) is for the measurements of one job (-f jobId=...)." enum:"csv,ndjson,xlsx,dfq" default:"csv" env:"-"`
	Output string   `short:"o" help:"File to write, created when the export is complete. Default: standard output." env:"-" placeholder:"FILE"`
	Filter []string `short:"f" help:"Parameter of the export, such as status=late or bom=true. Repeat it for several parameters." env:"-" placeholder:"NAME=VALUE" sep:"none"`
	remoteSettings
}

// Run writes the file. The exit status is 0 if the file is complete, 1 if the service refused the request, and 2 if the file could not be
// fetched.
func (c *exportCommand) Run(w *world) error {
	filters := url.Values{}
	for _, filter := range c.Filter {
		name, value, ok := strings.Cut(filter, "=")
		if !ok || name == "" {
			return wrongSettings(fmt.Errorf("--filter %q is not of the form NAME=VALUE", filter))
		}
		filters.Add(name, value)
	}
	if c.Format == "dfq" && c.Kind != measuredKind {
		return wrongSettings(errors.New("the format dfq is for measurements"))
	}
	if c.Format == "xlsx" && c.Output == "" && onTerminal(w.stdout) {
		return wrongSettings(errors.New("a workbook is nothing for a terminal: name a file with --output"))
	}
	service, err := c.connect()
	if err != nil {
		return wrongSettings(err)
	}
	file, err := service.Export(w.ctx, c.Kind, c.Format, filters)
	if err != nil {
		return asked(w.ctx, err)
	}
	defer file.Close()
	from := io.Reader(file)
	if onTerminal(w.stderr) && (c.Output != "" || !onTerminal(w.stdout)) {
		shown := &progress{from: file, to: terminal(w.stderr)}
		defer shown.clear()
		from = shown
	}
	if c.Output == "" {
		_, err = io.Copy(w.raw, from)
	} else {
		err = writeWhole(c.Output, from)
	}
	if err != nil {
		return &exitError{fmt.Errorf("the file is not whole: %w", err), 2}
	}
	return nil
}

// writeWhole writes a file under a temporary name, and renames it when it is complete.
func writeWhole(name string, from io.Reader) (err error) {
	file, err := os.CreateTemp(filepath.Dir(name), filepath.Base(name)+".*")
	if err != nil {
		return err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, os.Remove(file.Name()))
		}
	}()
	_, err = io.Copy(file, from)
	err = errors.Join(err, file.Sync(), file.Close())
	if err != nil {
		return err
	}
	return os.Rename(file.Name(), name)
}

// progress prints how much was read.
type progress struct {
	from  io.Reader
	to    io.Writer
	bytes int64
	shown time.Time
}

// progressEvery is the interval at which progress is printed.
const progressEvery = 200 * time.Millisecond

func (p *progress) Read(piece []byte) (int, error) {
	n, err := p.from.Read(piece)
	p.bytes += int64(n)
	if now := time.Now(); now.Sub(p.shown) >= progressEvery {
		p.shown = now
		fmt.Fprintf(p.to, "\r\x1b[K%.1f MB", float64(p.bytes)/1e6)
	}
	return n, err
}

func (p *progress) clear() { fmt.Fprint(p.to, "\r\x1b[K") }
