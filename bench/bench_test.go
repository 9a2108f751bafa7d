package main

import (
	"bytes"
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/bench/internal/load"
)

func TestSizeInStatus(t *testing.T) {
	t.Parallel()
	status := []byte("Name:\troutecard\nVmHWM:\t   20480 kB\nVmRSS:\t   10240 kB\nThreads:\t8\n")
	for name, want := range map[string]int64{"VmHWM": 20 << 20, "VmRSS": 10 << 20, "VmSwap": 0, "Threads": 0} {
		if got := sizeInStatus(status, name); got != want {
			t.Errorf("%s: %d, want %d", name, got, want)
		}
	}
}

// TestFloorHandler: the floor returns the bytes that it was given. Short responses have their length; for long responses the bytes are
// repeated.
func TestFloorHandler(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(floorHandler())
	defer server.Close()
	floor := &measured{base: server.URL}
	long := bytes.Repeat([]byte("0123456789"), 10_000)
	for _, test := range []struct {
		name   string
		sample []byte
		length int
	}{
		{"Get serial, 64 callers", []byte(`{"id":"SN-00001"}`), 17},
		{"list", long, 100_000},
		{"longer list", long, 250_007},
	} {
		path, err := learn(floor, test.name, test.sample, int64(test.length))
		if err != nil {
			t.Fatal(err)
		}
		client, err := load.Dial(server.URL)
		if err != nil {
			t.Fatal(err)
		}
		var answered bytes.Buffer
		_, err = client.Do(load.Request{Method: http.MethodGet, Path: path}, &answered)
		client.Close()
		body := answered.Bytes()
		want := bytes.Repeat(test.sample, test.length/len(test.sample)+1)[:test.length]
		if err != nil || !bytes.Equal(body, want) {
			t.Errorf("%s: %d bytes (%v), want %d", test.name, len(body), err, test.length)
		}
	}
}

// One turn with much other load does not distort the comparison of two rows, nor does load that affects both of a turn.
func TestRatiosOfTurns(t *testing.T) {
	t.Parallel()
	var one, other row
	for _, load := range []float64{1, 1, 8, 1, 3} {
		one.join(&row{Requests: 10, PerSecond: 900 / load, CPU: time.Duration(220 * load)})
		other.join(&row{Requests: 10, PerSecond: 1000 / load, CPU: time.Duration(200 * load)})
	}
	if _, processor := one.ratios(&other); processor < 1.09 || processor > 1.11 {
		t.Errorf("%v times the processor time, want 1.1", processor)
	}
	one.join(&row{Requests: 10, PerSecond: 90, CPU: 900})
	other.join(&row{Requests: 10, PerSecond: 1000, CPU: 200})
	if rate, _ := one.ratios(&other); rate < 0.899 || rate > 0.901 {
		t.Errorf("%v of the rate, want 0.9", rate)
	}
	if rate, _ := (&row{PerSecond: 3}).ratios(&row{PerSecond: 4}); rate != 0.75 {
		t.Errorf("%v of the rate without turns, want 0.75", rate)
	}
}

func TestJudge(t *testing.T) {
	t.Parallel()
	rows := outcome{
		{Case: caseAdvance1, Serials: 100_000, P50: 300, FloorP50: 200, FloorPerSecond: 1000},
		{Case: caseAdvance64, Serials: 1000, PerSecond: 9999, Ratio: 0.9},
		{Case: caseAdvance64, Serials: 100_000, PerSecond: 3900, Ratio: 0.4},
		{Case: caseListSerials, Serials: 100_000, PerSecond: 400_000, FirstByte: time.Second, PeakMemory: 80 << 20, IdleMemory: 50 << 20},
		{Case: caseExportCSV, Serials: 100_000, P50: 3 * time.Second},
		{Case: caseExportXLSX, Serials: 100_000, P50: 3 * time.Second},
		{Case: caseImport, Serials: 100_000, P50: 21 * time.Second},
		{Case: caseCreate, Serials: 100_000, P50: 200 * time.Millisecond},
		{Case: caseWorkQueue, Serials: 100_000, P50: 61 * time.Millisecond},
		{Case: caseListJobs, Serials: 100_000, Ratio: 0.3},
		{Case: caseAuditFirst, Serials: 100_000, Ratio: 0.29},
		{Case: caseOpenAdvance, Serials: 1000, PerSecond: 1000},
		{Case: caseKnownAdvance, Serials: 1000, PerSecond: 900},
		{Case: caseOpenGet, Serials: 1000, PerSecond: 1000},
		{Case: caseKnownGet, Serials: 1000, PerSecond: 810},
		{Case: caseUnmeasured, Serials: 1000, PerSecond: 900}, {Case: caseMeasure, Serials: 1000, PerSecond: 290},
		{Case: caseBesideMeasured, Serials: 1000, PerSecond: 891}, {Case: caseChart, Serials: 1000, P50: 49 * time.Millisecond},
		{Case: caseRecallAlone, Serials: 1000, P50: 5 * time.Millisecond}, {Case: caseRecallSmall, Serials: 1000, P50: 7 * time.Millisecond},
		{Case: caseRecallLarge, Serials: 1000, P50: 201 * time.Millisecond},
		{Case: caseUnrequired, Serials: 1000, PerSecond: 900, CPU: 100}, {Case: caseBesideRequired, Serials: 1000, PerSecond: 855, CPU: 106},
		{Case: caseInstall, Serials: 1000, PerSecond: 300},
		{Case: casePages + ": floor", Serials: 20_000, P50: 299 * time.Millisecond}, {Case: casePages + ": board", Serials: 20_000, P50: 301 * time.Millisecond},
		{Case: caseDossier, Serials: 1000, FirstByte: 101 * time.Millisecond},
		{Case: caseUpload, Serials: 1000, Ratio: 0.89, PeakMemory: 100 << 20, IdleMemory: 36 << 20},
	}
	want := map[string]string{
		"advance, 64 callers, against the group-commit loop":                  "missed 0.40 at 100,000", // the largest size counts
		"advance, 64 callers, against one transaction per request":            "missed 3.9 times at 100,000",
		"advance, 1 caller, p50 against one transaction":                      "met 1.50 times at 100,000",
		"advance at 1,000,000 serials against 10,000":                         "not run ",
		"list all serials, rows a second at 100,000":                          "met 400,000",
		"list all serials, first byte at 100,000":                             "missed 1.00 s",
		"list all serials, peak memory above idle at 100,000":                 "met 30.0 MiB",
		"list all serials, peak memory above idle at 1,000,000":               "not run ",
		"export all serials as CSV, 100,000":                                  "missed 3.00 s",
		"export all serials as a workbook, 100,000":                           "met 3.00 s",
		"import 10,000 orders with a path and 10 units each":                  "missed 21.00 s at 100,000",
		"create 10,000 serials in one call":                                   "met 200 ms at 100,000",
		"work queue of 100,000 serials":                                       "missed 61 ms",
		"list of 1,000 jobs, against the bare handler":                        "met 0.30 at 100,000",
		"audit page of 50, against the bare handler":                          "missed 0.29 at 100,000",
		"get serial, 64 callers, against the bare handler":                    "not run ",
		"advance, 64 callers at 1,000 serials, against the group-commit loop": "met 0.90 at 1,000",
		"advance, 64 callers with tokens, against without":                    "missed 0.90 at 1,000",
		"get serial, 64 callers with tokens, against without":                 "met 0.81 at 1,000",
		"p99 of advances while a client reads the full list slowly":           "not run ",
		"ready with 1,000,000 serials":                                        "not run ",
		"20 readings in one call, against an advance":                         "missed 3.10 times at 1,000",
		"advance where nothing is measured, beside steps where something is":  "met 0.99 at 1,000",
		"a chart of 10,000 readings":                                          "met 49ms at 1,000",
		caseRecallSmall:                                                       "met 7ms at 1,000",
		caseRecallLarge:                                                       "missed 201ms at 1,000",
		"recall of a lot among others, against the only one":                  "met 1.40 times at 1,000",
		"installation from a lot, against an advance":                         "met 3.00 times at 1,000",
		"advance where nothing is required, beside a step with requirements":  "missed 1.06 times at 1,000",
		"every page in a browser, p50":                                        "missed board: 301 ms at 20,000",
		"beginning of the dossier of a unit with 200 entries":                 "missed 101 ms at 1,000",
		"upload files of 256 MiB, against writing them":                       "missed 0.89 at 1,000",
		"memory above idle while files of 256 MiB are uploaded":               "met 64.0 MiB at 1,000",
	}
	for _, target := range judge(rows) {
		if text, ok := want[target.Name]; ok {
			delete(want, target.Name)
			if got := target.verdict() + " " + target.Measured; got != text {
				t.Errorf("%s: %s, want %s", target.Name, got, text)
			}
		}
	}
	if len(want) > 0 {
		t.Errorf("not judged: %v", want)
	}
}

func TestJudgeMillion(t *testing.T) {
	t.Parallel()
	rows := outcome{
		{Case: caseAdvance64, Serials: smallSize, PerSecond: 1000},
		{Case: caseAdvance64, Serials: million, PerSecond: 849},
		{Case: caseAuditFirst, Serials: million, P50: 100},
		{Case: caseAuditDeep, Serials: million, P50: 200},
		{Case: caseStart, Serials: million, P50: 299 * time.Millisecond, IdleMemory: 65 << 20},
	}
	want := []string{"missed 0.85", "met 2.00 times", "met 299 ms", "missed 65.0 MiB"}
	var got []string
	for _, target := range judge(rows) {
		switch target.Name {
		case "advance at 1,000,000 serials against 10,000", "audit page at 90 % depth of 1,000,000 against the first",
			"ready with 1,000,000 serials", "memory when idle with 1,000,000 serials":
			got = append(got, target.verdict()+" "+target.Measured)
		}
	}
	if strings.Join(got, "; ") != strings.Join(want, "; ") {
		t.Errorf("%q, want %q", got, want)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, args := range [][]string{
		{"-size", "10"}, {"-size", "x"}, {"-seconds", "0"}, {"-case", "("}, {"extra"}, {"-unknown"},
	} {
		if _, err := parse(args, io.Discard); err == nil {
			t.Errorf("%v was taken", args)
		}
	}
	s, err := parse([]string{"-size", "1000000,1000"}, io.Discard)
	if err != nil || len(s.sizes) != 3 || s.sizes[1] != smallSize {
		t.Errorf("sizes %v (%v): a million is compared with ten thousand", s.sizes, err)
	}
}
