// Command compare compares two services that speak the same interface with each other, case by case:
//
//	go run ./bench/compare http://127.0.0.1:8080 http://127.0.0.1:8081
//
// It creates jobs, paths and serials through each service and leaves them there, so use databases that you can throw away. Each case runs
// on both services, one after the other, so that other load on the machine affects both equally. For a service with authentication, add a
// token to the URL, as in http://rcd_...@127.0.0.1:8080.
package main

import (
	"encoding/json"
	"errors"
	"flag"
	"fmt"
	"io"
	"net/http"
	"os"
	"regexp"
	"time"

	"github.com/routecard/routecard/bench/internal/load"
	"github.com/routecard/routecard/bench/internal/shop"
	"github.com/routecard/routecard/bench/internal/table"
)

func main() {
	if err := compare(os.Args[1:], os.Stdout, os.Stderr); err != nil && !errors.Is(err, flag.ErrHelp) {
		fmt.Fprintln(os.Stderr, "compare:", err)
		os.Exit(1)
	}
}

// side is one of the two services.
type side struct {
	base   string
	layout *shop.Layout
	stock  *shop.Stock
}

// outcome is the result of a case on one side.
type outcome struct {
	PerSecond float64       `json:"perSecond"`
	P50       time.Duration `json:"p50"` // nanoseconds
	P99       time.Duration `json:"p99"`
	Failure   string        `json:"failure,omitempty"`
}

// row is one case on both sides. Ratio is the rate of the second side divided by the rate of the first.
type row struct {
	Case   string  `json:"case"`
	First  outcome `json:"first"`
	Second outcome `json:"second"`
	Ratio  float64 `json:"ratio,omitempty"`
}

type compareCase struct {
	name    string
	callers int
	wanted  int
	next    func(s *side, callers int) shop.Next
}

func compareCases() []compareCase {
	ask := func(path string) func(*side, int) shop.Next {
		return func(*side, int) shop.Next { return shop.Get(path) }
	}
	advance := func(s *side, callers int) shop.Next {
		s.stock.Share(callers, 0, nil)
		return s.stock.Advance()
	}
	return []compareCase{
		{"get serial, 64 callers", 64, http.StatusOK, func(s *side, callers int) shop.Next {
			s.stock.Share(callers, 0, nil)
			return s.stock.GetSerial()
		}},
		{"list jobs", 8, http.StatusOK, ask("/api/jobs")},
		{"list all serials", 1, http.StatusOK, ask("/api/serials")},
		{"audit, first page", 8, http.StatusOK, ask("/api/audit?limit=50")},
		{"work queue", 1, http.StatusOK, ask("/api/operator/work-queue")},
		{"advance, 1 caller", 1, http.StatusOK, advance},
		{"advance, 8 callers", 8, http.StatusOK, advance},
		{"advance, 64 callers", 64, http.StatusOK, advance},
		{"advance, 256 callers", 256, http.StatusOK, advance},
		{"advance-to, 3 bypassed, 64 callers", 64, http.StatusOK, func(s *side, callers int) shop.Next {
			s.stock.Share(callers, 0, shop.OnFlexiblePath)
			return s.stock.AdvanceTo()
		}},
		{"mixed shift, 64 callers", 64, http.StatusOK, func(s *side, callers int) shop.Next {
			s.stock.Share(callers, 0, nil)
			return s.stock.MixedShift(callers, s.layout.CertificateID)
		}},
		{"create job, 64 callers", 64, http.StatusCreated, func(*side, int) shop.Next { return shop.CreateJob() }},
		{"create 1,000 serials", 1, http.StatusCreated, func(s *side, _ int) shop.Next {
			return func(int) (load.Request, bool) { return shop.CreateSerials(&s.layout.Paths[0], 1000), true }
		}},
	}
}

func compare(args []string, stdout, stderr io.Writer) error {
	flags := flag.NewFlagSet("compare", flag.ContinueOnError)
	flags.SetOutput(stderr)
	flags.Usage = func() {
		fmt.Fprintln(stderr, "usage: compare [flags] http://first http://second")
		flags.PrintDefaults()
	}
	names := flags.String("case", "", "run only cases whose name this regular expression matches")
	seconds := flags.Float64("seconds", 3, "how long a case is measured on each side")
	serials := flags.Int("serials", 10_000, "how many serials to make on each side")
	jobs := flags.Int("jobs", 100, "how many jobs to make on each side")
	asJSON := flags.Bool("json", false, "print JSON instead of a table")
	if err := flags.Parse(args); err != nil {
		return err
	}
	matching, err := regexp.Compile(*names)
	if err != nil {
		return fmt.Errorf("-case: %w", err)
	}
	if flags.NArg() != 2 || *seconds <= 0 || *serials < 1000 || *jobs < 1 {
		flags.Usage()
		return errors.New("two base URLs are needed, more than 0 seconds, at least 1000 serials and a job")
	}
	plan := shop.PlanFor(*serials)
	plan.Jobs, plan.Operators = *jobs, 0
	sides := [2]*side{}
	for i := range sides {
		base := flags.Arg(i)
		fmt.Fprintf(stderr, "making %d serials on %s\n", *serials, base)
		layout, err := shop.Make(base, plan)
		if err != nil {
			return fmt.Errorf("%s: %w", base, err)
		}
		sides[i] = &side{base: base, layout: layout, stock: shop.NewStock(layout)}
	}
	var rows []row
	during := time.Duration(*seconds * float64(time.Second))
	for _, c := range compareCases() {
		if !matching.MatchString(c.name) {
			continue
		}
		fmt.Fprintln(stderr, c.name)
		r := row{Case: c.name, First: c.on(sides[0], during), Second: c.on(sides[1], during)}
		if r.First.PerSecond > 0 {
			r.Ratio = r.Second.PerSecond / r.First.PerSecond
		}
		rows = append(rows, r)
	}
	if *asJSON {
		encoder := json.NewEncoder(stdout)
		encoder.SetIndent("", "  ")
		return encoder.Encode(rows)
	}
	return write(stdout, rows)
}

// warmUp is the share of a case's time that is not measured.
const warmUp = 8

// on runs a case on one side. A failed case has an outcome too, so that the outcome of the other side is still shown.
func (c *compareCase) on(s *side, during time.Duration) outcome {
	plan := load.Plan{Base: s.base, Callers: c.callers, During: during / warmUp, Wanted: c.wanted, Next: c.next(s, c.callers)}
	if _, err := load.Drive(plan); err != nil {
		return outcome{Failure: firstLine(err)}
	}
	plan.During = during
	result, err := load.Drive(plan)
	if err != nil {
		return outcome{Failure: firstLine(err)}
	}
	return outcome{PerSecond: result.PerSecond(), P50: result.Quantile(0.5), P99: result.Quantile(0.99)}
}

// firstLine returns the first line of an error, because all callers fail with the same error.
func firstLine(err error) string {
	text := err.Error()
	for i, r := range text {
		if r == '\n' {
			return text[:i]
		}
	}
	return text
}

func write(w io.Writer, rows []row) error {
	lines := make([][]string, len(rows))
	for i, r := range rows {
		lines[i] = append([]string{r.Case}, append(r.First.cells(), r.Second.cells()...)...)
		lines[i] = append(lines[i], table.Ratio(r.Ratio))
	}
	header := []string{"case", "first, per second", "p50", "p99", "second, per second", "p50", "p99", "ratio"}
	if err := table.Write(w, header, lines); err != nil {
		return err
	}
	for _, r := range rows {
		for name, failure := range map[string]string{"first": r.First.Failure, "second": r.Second.Failure} {
			if failure != "" {
				fmt.Fprintf(w, "\n%s failed on the %s: %s\n", r.Case, name, failure)
			}
		}
	}
	return nil
}

func (o *outcome) cells() []string {
	if o.Failure != "" {
		return []string{"failed", "", ""}
	}
	return []string{table.Rate(o.PerSecond), table.Duration(o.P50), table.Duration(o.P99)}
}
