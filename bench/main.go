// Command bench compares Routecard with the limits of the machine: go run ./bench
//
// It builds and starts the service on a throw-away database, drives it over loopback with a light client, and prints for each case its
// speed, its resource usage, and its ratio to a floor that was measured in the same run. Reads are compared with a bare net/http handler
// that writes the same bytes; changes with a bare loop that makes the same changes of rows with the same commits and without HTTP.
// docs/performance.md explains the figures.
package main

import (
	"context"
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"os"
	"os/signal"
	"path/filepath"
	"regexp"
	"runtime"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/routecard/routecard/bench/internal/table"
	"github.com/routecard/routecard/internal/process"
)

func main() {
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	run := benchmark
	if os.Getenv(floorVariable) != "" {
		run = func(ctx context.Context, _ []string, stdout, _ io.Writer) error { return runFloor(ctx, stdout) }
	}
	if err := run(ctx, os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "bench:", err)
		os.Exit(1) //nolint:gocritic // the process ends here, so the signal handler need not be stopped
	}
}

// settings are the command line.
type settings struct {
	sizes  []int
	cases  *regexp.Regexp
	during time.Duration
	json   bool
	cache  string
	folder string // the folder for the files of a run
	binary string
	before string
}

func parse(args []string, stderr io.Writer) (settings, error) {
	var s settings
	flags := flag.NewFlagSet("bench", flag.ContinueOnError)
	flags.SetOutput(stderr)
	sizes := flags.String("size", "1000,100000", "numbers of serials in the database; 1000000 takes a while to make, once")
	names := flags.String("case", "", "run only cases whose name this regular expression matches")
	seconds := flags.Float64("seconds", 3, "how long a case is measured, and its floor again")
	flags.BoolVar(&s.json, "json", false, "print JSON instead of tables")
	flags.StringVar(&s.binary, "binary", "", "service to measure, instead of building this one")
	flags.StringVar(&s.before, "before", "",
		"service of an earlier version, whose advances, reads and sign-ins are measured in turn with these")
	if err := flags.Parse(args); err != nil {
		return s, err
	}
	if flags.NArg() > 0 {
		return s, fmt.Errorf("%q is no flag; see -help", flags.Arg(0))
	}
	for text := range strings.SplitSeq(*sizes, ",") {
		size, err := strconv.Atoi(strings.TrimSpace(text))
		if err != nil || size < 1000 || size > 10*million {
			return s, fmt.Errorf("-size %s: sizes are numbers from 1000 to %d, with commas between", *sizes, 10*million)
		}
		s.sizes = append(s.sizes, size)
	}
	// The largest size is also compared with this one.
	if slices.Contains(s.sizes, million) && !slices.Contains(s.sizes, smallSize) {
		s.sizes = append(s.sizes, smallSize)
	}
	slices.Sort(s.sizes)
	s.sizes = slices.Compact(s.sizes)
	var err error
	if s.cases, err = regexp.Compile(*names); err != nil {
		return s, fmt.Errorf("-case: %w", err)
	}
	if *seconds <= 0 {
		return s, errors.New("-seconds must be greater than 0")
	}
	s.during = time.Duration(*seconds * float64(time.Second))
	cache, err := os.UserCacheDir()
	if err != nil {
		return s, err
	}
	s.cache = filepath.Join(cache, "routecard-bench")
	return s, os.MkdirAll(s.cache, 0o700)
}

func benchmark(ctx context.Context, args []string, stdout, stderr io.Writer) (err error) {
	s, err := parse(args, stderr)
	if err != nil {
		return err
	}
	folder, err := os.MkdirTemp("", "routecard-bench")
	if err != nil {
		return err
	}
	s.folder = folder
	defer func() { err = errors.Join(err, os.RemoveAll(folder)) }()
	if s.binary == "" {
		if s.binary, err = process.Build(ctx, folder); err != nil {
			return err
		}
	}
	schema, err := schemaOf(ctx, s.binary, folder)
	if err != nil {
		return err
	}
	floor, err := startFloor(ctx)
	if err != nil {
		return err
	}
	defer func() { err = errors.Join(err, floor.stop()) }()
	var rows outcome
	for _, size := range s.sizes {
		data, err := openDataset(ctx, s.binary, s.cache, schema, size, stderr)
		if err != nil {
			return err
		}
		r := &rig{
			ctx: ctx, binary: s.binary, folder: folder, data: data, during: s.during, http: floor, progress: stderr,
		}
		if r.before, err = s.earlier(ctx, size, stderr); err != nil {
			return err
		}
		measured, err := r.runCases(s.cases, slices.Contains(s.sizes, million) && size == smallSize)
		rows = append(rows, measured...)
		if err != nil {
			return err
		}
	}
	if len(rows) == 0 {
		return errNothingRan
	}
	return report(stdout, rows, s)
}

// earlier returns the rig of the earlier program, on databases of its own; nil if no earlier program is to be measured.
func (s settings) earlier(ctx context.Context, size int, stderr io.Writer) (*rig, error) {
	if s.before == "" {
		return nil, nil //nolint:nilnil // no earlier program, which is not an error
	}
	folder, err := os.MkdirTemp(s.folder, "before")
	if err != nil {
		return nil, err
	}
	schema, err := schemaOf(ctx, s.before, folder)
	if err != nil {
		return nil, err
	}
	data, err := openDataset(ctx, s.before, s.cache, schema, size, stderr)
	return &rig{ctx: ctx, binary: s.before, folder: folder, data: data, during: s.during, progress: stderr}, err
}

// runCases runs the cases whose names match. If the size is only for a comparison, it runs only the compared case.
func (r *rig) runCases(names *regexp.Regexp, onlyCompared bool) (rows []row, err error) {
	defer func() { err = errors.Join(err, r.close()) }()
	if err := r.renew(); err != nil {
		return nil, err
	}
	for _, c := range cases() {
		if !names.MatchString(c.name) || onlyCompared && c.name != caseAdvance64 {
			continue
		}
		fmt.Fprintf(r.progress, "%s serials: %s\n", table.Thousands(int64(r.data.size)), c.name)
		measured, err := c.run(r, c.name)
		rows = append(rows, measured...)
		if err != nil {
			return rows, err
		}
	}
	return rows, nil
}

// report writes the results of a run.
func report(w io.Writer, rows outcome, s settings) error {
	targets := judge(rows)
	if s.json {
		encoder := json.NewEncoder(w)
		encoder.SetEscapeHTML(false)
		encoder.SetIndent("", "  ")
		return encoder.Encode(struct {
			Go       string   `json:"go"`
			Platform string   `json:"platform"`
			CPUs     int      `json:"cpus"`
			Rows     outcome  `json:"rows"`
			Targets  []target `json:"targets"`
		}{runtime.Version(), runtime.GOOS + "/" + runtime.GOARCH, runtime.NumCPU(), rows, targets})
	}
	fmt.Fprintf(w, "%s, %s/%s, %d CPUs; %v a case\n", runtime.Version(), runtime.GOOS, runtime.GOARCH, runtime.NumCPU(), s.during)
	for _, size := range s.sizes {
		var lines [][]string
		for i := range rows {
			if rows[i].Serials == size {
				lines = append(lines, rows[i].cells())
			}
		}
		if len(lines) == 0 {
			continue
		}
		fmt.Fprintf(w, "\n%s serials\n\n", table.Thousands(int64(size)))
		if err := table.Write(w, header, lines); err != nil {
			return err
		}
	}
	fmt.Fprint(w, "\nTargets\n\n")
	lines := make([][]string, len(targets))
	for i, t := range targets {
		lines[i] = []string{t.Name, t.Wanted, t.Measured, t.verdict()}
	}
	return table.Write(w, []string{"target", "wanted", "measured", ""}, lines)
}

var header = []string{"case", "per second", "p50", "p99", "p99.9", "CPU/request", "peak memory", "floor/second", "ratio", "floor", "note"}

func (r *row) cells() []string {
	unit := ""
	if r.Unit == "rows" {
		unit = " rows"
	}
	perSecond := ""
	if r.PerSecond > 0 {
		perSecond = table.Rate(r.PerSecond) + unit
	}
	return []string{
		r.Case, perSecond, table.Duration(r.P50), table.Duration(r.P99), table.Duration(r.P999),
		table.Duration(r.CPU), table.Memory(r.PeakMemory), table.Rate(r.FloorPerSecond), table.Ratio(r.Ratio), r.Floor, r.Note,
	}
}

func (t *target) verdict() string {
	switch {
	case t.Measured == "":
		return "not run"
	case t.Met:
		return "met"
	}
	return "missed"
}
