package main

import (
	"strings"
	"testing"
)

func TestSummary(t *testing.T) {
	cases := map[string]struct {
		events string
		good   bool
		counts string
		says   []string // lines of the report, in this order
		not    string
	}{
		"a package that passes": {
			events: `
				{"Action":"start","Package":"p"}
				{"Action":"run","Package":"p","Test":"TestA"}
				{"Action":"run","Package":"p","Test":"TestA/sub"}
				{"Action":"output","Package":"p","Test":"TestA/sub","Output":"a remark\n"}
				{"Action":"pass","Package":"p","Test":"TestA/sub"}
				{"Action":"pass","Package":"p","Test":"TestA"}
				{"Action":"pass","Package":"p","Elapsed":1.25}`,
			good:   true,
			counts: "2 passed, 0 failed",
			says:   []string{"ok", "1.2s  p: 2 passed"},
			not:    "a remark",
		},
		"a test that fails, with what it said": {
			events: `
				{"Action":"run","Package":"p","Test":"TestA"}
				{"Action":"output","Package":"p","Test":"TestA","Output":"=== RUN   TestA\n"}
				{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:7: got 1, want 2\n"}
				{"Action":"output","Package":"p","Test":"TestA","Output":"--- FAIL: TestA (0.00s)\n"}
				{"Action":"fail","Package":"p","Test":"TestA"}
				{"Action":"run","Package":"p","Test":"TestB"}
				{"Action":"pass","Package":"p","Test":"TestB"}
				{"Action":"output","Package":"p","Output":"FAIL\tp\t0.1s\n"}
				{"Action":"fail","Package":"p"}`,
			counts: "1 passed, 1 failed",
			says:   []string{"p: 1 passed, 1 failed", "Failed: p TestA\n", "a_test.go:7: got 1, want 2"},
			not:    "---",
		},
		"a test that fails, and passes in what another one prints": {
			events: `
				{"Action":"run","Package":"p","Test":"TestA"}
				{"Action":"output","Package":"p","Test":"TestA","Output":"    a_test.go:7: got 1, want 2\n"}
				{"Action":"fail","Package":"p","Test":"TestA"}
				{"Action":"run","Package":"p","Test":"TestA"}
				{"Action":"pass","Package":"p","Test":"TestA"}
				{"Action":"fail","Package":"p"}`,
			counts: "0 passed, 1 failed",
			says:   []string{"Failed: p TestA\n", "a_test.go:7: got 1, want 2"},
			not:    "---",
		},
		"a package that ran twice and failed the first time": {
			events: `
				{"Action":"run","Package":"p","Test":"TestA"}
				{"Action":"pass","Package":"p","Test":"TestA"}
				{"Action":"output","Package":"p","Output":"panic: late\n"}
				{"Action":"fail","Package":"p","Elapsed":1}
				{"Action":"run","Package":"p","Test":"TestB"}
				{"Action":"pass","Package":"p","Test":"TestB"}
				{"Action":"pass","Package":"p","Elapsed":2}`,
			counts: "2 passed, 1 failed",
			says:   []string{"3.0s  p: 2 passed, 1 failed", "panic: late"},
		},
		"a skip is named and is not good": {
			events: `
				{"Action":"run","Package":"p","Test":"TestA"}
				{"Action":"pass","Package":"p","Test":"TestA"}
				{"Action":"run","Package":"p","Test":"TestB"}
				{"Action":"output","Package":"p","Test":"TestB","Output":"    b_test.go:3: no database here\n"}
				{"Action":"skip","Package":"p","Test":"TestB"}
				{"Action":"pass","Package":"p"}`,
			counts: "1 passed, 0 failed, 1 skipped",
			says:   []string{"SKIP", "p TestB", "no database here"},
		},
		"a package without tests is no skip, but nothing at all is not good": {
			events: `
				{"Action":"output","Package":"p","Output":"?   \tp\t[no test files]\n"}
				{"Action":"skip","Package":"p"}`,
			counts: "0 passed, 0 failed",
			says:   []string{"p: no tests", "No test ran."},
		},
		"a package that does not build is one failure": {
			events: `
				{"Action":"build-output","ImportPath":"p [p.test]","Output":"p/a.go:1:1: undefined: y\n"}
				{"Action":"build-fail","ImportPath":"p [p.test]"}
				{"Action":"output","Package":"p","Output":"FAIL\tp [build failed]\n"}
				{"Action":"fail","Package":"p","FailedBuild":"p [p.test]"}`,
			counts: "0 passed, 1 failed",
			says:   []string{"p: does not build", "Build of p [p.test]", "undefined: y"},
		},
		"a package that fails outside its tests is one failure": {
			events: `
				{"Action":"run","Package":"p","Test":"TestA"}
				{"Action":"pass","Package":"p","Test":"TestA"}
				{"Action":"output","Package":"p","Output":"TestMain: a server was left running\n"}
				{"Action":"fail","Package":"p"}`,
			counts: "1 passed, 1 failed",
			says:   []string{"p, beside its tests", "a server was left running"},
		},
		"a test that never ended has failed": {
			events: `
				{"Action":"run","Package":"p","Test":"TestA"}
				{"Action":"output","Package":"p","Test":"TestA","Output":"panic: test timed out after 1s\n"}
				{"Action":"fail","Package":"p"}`,
			counts: "0 passed, 1 failed",
			says:   []string{"Failed: p TestA (did not end)", "timed out"},
		},
		"a stream that breaks off has failed": {
			events: `
				{"Action":"run","Package":"p","Test":"TestA"}
				{"Action":"pass","Package":"p","Test":"TestA"}`,
			counts: "1 passed, 1 failed",
		},
		"lines that are no events are shown": {
			events: `
				{"Action":"run","Package":"p","Test":"TestA"}
				{"Action":"pass","Package":"p","Test":"TestA"}
				{"Action":"pass","Package":"p"}
				go: something is odd`,
			good:   true,
			counts: "1 passed, 0 failed",
			says:   []string{"Not from a test", "something is odd"},
		},
	}
	for name, c := range cases {
		t.Run(name, func(t *testing.T) {
			var out strings.Builder
			good, err := summarize(strings.NewReader(c.events), &out)
			if err != nil {
				t.Fatal(err)
			}
			if good != c.good {
				t.Errorf("good is %t, want %t", good, c.good)
			}
			report := out.String()
			if !strings.HasSuffix(report, "\n\n"+c.counts+"\n") {
				t.Errorf("the report does not end in %q:\n%s", c.counts, report)
			}
			rest := report
			for _, text := range c.says {
				_, after, found := strings.Cut(rest, text)
				if !found {
					t.Fatalf("the report does not say %q in its place:\n%s", text, report)
				}
				rest = after
			}
			if c.not != "" && strings.Contains(report, c.not) {
				t.Errorf("the report says %q:\n%s", c.not, report)
			}
		})
	}
}

func TestIndentKeepsBothEndsOfALongText(t *testing.T) {
	got := indent("first\n"+strings.Repeat("x\n", 2*longest)+"last\n", "> ")
	if lines := strings.Count(got, "\n"); lines != longest+1 {
		t.Errorf("%d lines, want %d", lines, longest+1)
	}
	if !strings.HasPrefix(got, "> first\n") || !strings.HasSuffix(got, "> last\n") || !strings.Contains(got, "402 lines left out") {
		t.Errorf("wrong ends:\n%s", got)
	}
}
