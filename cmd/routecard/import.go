package main

import (
	"bytes"
	"fmt"
	"io"
	"os"
	"strings"

	"github.com/routecard/routecard/client"
)

type importCommand struct {
	Kind        string `arg:"" help:"What the rows of the file are: ${enum}." enum:"jobs,serials,users,certs"`
	File        string `arg:"" help:"File of comma-separated values, or of lines of JSON if its name ends in .ndjson; - for the standard input."`
	DryRun      bool   `help:"Judge the rows and write nothing." env:"-"`
	OnRefusal   string `help:"What is done when rows are refused: ${enum} of the rows, or those that are not refused." enum:"none,each" default:"none" env:"-"`
	Windows1252 bool   `name:"windows-1252" help:"The file is in Windows-1252, as older programs save it, and not in UTF-8." env:"-"`
	ChangedBy   string `help:"Who acts, where nobody has to prove who they are." env:"-" placeholder:"NAME"`
	remoteSettings
}

// Run sends the file. The exit status is 0 when every row was taken, 1 when the file or a row was refused, 2 when the service could not
// be asked.
func (c *importCommand) Run(w *world) error {
	content, done, err := c.open()
	if err != nil {
		return wrongSettings(err)
	}
	defer done()
	service, err := c.connect()
	if err != nil {
		return wrongSettings(err)
	}
	form := client.CSV
	switch {
	case strings.HasSuffix(c.File, ".ndjson"):
		form = client.Lines
	case c.Windows1252:
		form = client.Windows1252
	}
	if onTerminal(w.stderr) {
		shown := &progress{from: content, to: w.stderr}
		defer shown.clear()
		content = &shownFile{content, shown}
	}
	result, err := service.Import(w.ctx, c.Kind, form, content,
		client.ImportJobsParams{DryRun: c.DryRun, OnRefusal: c.OnRefusal, ChangedBy: c.ChangedBy})
	if err != nil {
		return asked(w.ctx, err)
	}
	for _, row := range result.Refused {
		place := fmt.Sprintf("row %d", row.Row)
		if row.Column != "" {
			place += ", " + row.Column
		}
		fmt.Fprintf(w.stderr, "%s: %s\n", place, row.Message)
	}
	would := ""
	if c.DryRun {
		would = "would be "
	}
	fmt.Fprintf(w.stdout, "%d rows: %s%d created, %d updated, %d unchanged, %d refused\n",
		result.Rows, would, result.Created, result.Updated, result.Unchanged, len(result.Refused))
	if len(result.Refused) > 0 {
		return &exitError{fmt.Errorf("%d of %d rows were refused", len(result.Refused), result.Rows), 1}
	}
	return nil
}

// open opens the file. One that comes from the standard input is kept in memory: it may have to be sent again.
func (c *importCommand) open() (content io.ReadSeeker, done func(), err error) {
	if c.File == "-" {
		text, err := io.ReadAll(os.Stdin)
		return bytes.NewReader(text), func() {}, err
	}
	file, err := os.Open(c.File)
	return file, func() { _ = file.Close() }, err
}

// shownFile is a file of which is shown how much was sent.
type shownFile struct {
	io.Seeker

	shown *progress
}

func (f *shownFile) Read(piece []byte) (int, error) { return f.shown.Read(piece) }

// Seek begins anew.
func (f *shownFile) Seek(offset int64, whence int) (int64, error) {
	f.shown.bytes = 0
	return f.Seeker.Seek(offset, whence)
}
