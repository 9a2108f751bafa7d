package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
)

// TestRepeatingDocument runs the session that docs/repeating.md shows.
func TestRepeatingDocument(t *testing.T) {
	t.Parallel()
	process.Find(t, "curl", "curl")
	process.Find(t, "jq", "jq")
	p := process.Serve(t, "--database", t.TempDir()+"/routecard.db", "--log-level", "warn")
	workshop := newCrashShop(t, p.URL)
	var job, path struct{ ID string }
	workshop.must(http.MethodPost, "/api/jobs", `{"name":"Valve body","goalQuantity":2}`, &job)
	workshop.must(http.MethodPost, "/api/paths", `{"jobId":"`+job.ID+`","name":"Machining","goalQuantity":2,
		"steps":[{"name":"Turn"},{"name":"Hone"},{"name":"Pack"}]}`, &path)
	workshop.must(http.MethodPost, "/api/serials", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"quantity":1}`, job.ID, path.ID), nil)
	runDocument(t, "../../docs/repeating.md", p.URL, "job="+job.ID)
}

// TestFirstSessionDocument runs the session that docs/first-session.md shows.
func TestFirstSessionDocument(t *testing.T) {
	t.Parallel()
	process.Find(t, "curl", "curl")
	process.Find(t, "jq", "jq")
	p := process.Serve(t, "--database", t.TempDir()+"/routecard.db", "--log-level", "warn")
	runDocument(t, "../../docs/first-session.md", p.URL, `
		curl() { # a stream has no end: the first line of it is enough
			case "$*" in *events*) head -n 1 < <(command curl "$@" 2>/dev/null) | grep -q retry ;; *) command curl "$@" ;; esac
		}`)
}

// TestMeasuringDocument imports the report of a measuring machine that docs/measuring.md shows, with the mapping and the command that
// it shows.
func TestMeasuringDocument(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	p := process.Serve(t, "--database", folder+"/routecard.db", "--log-level", "warn")
	workshop := newCrashShop(t, p.URL)
	var job struct{ ID string }
	var path struct {
		ID    string
		Steps []struct{ ID string }
	}
	workshop.must(http.MethodPost, "/api/jobs", `{"name":"Housing","goalQuantity":41}`, &job)
	workshop.must(http.MethodPost, "/api/paths", `{"jobId":"`+job.ID+`","name":"Milling","goalQuantity":41,
		"steps":[{"name":"Mill"},{"name":"Pack"}]}`, &path)
	workshop.must(http.MethodPost, "/api/serials", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"quantity":41}`, job.ID, path.ID), nil)
	workshop.must(http.MethodPut, "/api/steps/"+path.Steps[0].ID+"/characteristics", `{"userId":"ada","characteristics":[
		{"number":"7","name":"Bore","type":"number","unit":"mm","nominal":"12.5","lower":"12.49","upper":"12.51"}]}`, nil)
	workshop.must(http.MethodPost, "/api/instruments", `{"number":"CMM-1","name":"Measuring machine","externalId":"CMM-1"}`, nil)
	files := map[string]string{"PART NAME": "housing.txt", `{"columns"`: "housing.json"}
	for _, block := range blocks(t, "../../docs/measuring.md") {
		for begins, name := range files {
			if strings.HasPrefix(block.text, begins) {
				if err := os.WriteFile(folder+"/"+name, []byte(block.text), 0o600); err != nil {
					t.Fatal(err)
				}
			}
		}
		if !strings.HasPrefix(block.text, "routecard import measurements") {
			continue
		}
		command := exec.CommandContext(t.Context(), process.Routecard(t), strings.Fields(block.text)[1:]...) //nolint:gosec // our own document
		command.Dir, command.Env = folder, append(os.Environ(), "ROUTECARD_URL="+p.URL)
		printed, err := command.CombinedOutput()
		if want := "would be 1 created, 0 updated, 0 unchanged, 0 refused"; err != nil || !strings.Contains(string(printed), want) {
			t.Errorf("docs/measuring.md:%d: %v\n%s", block.line, err, printed)
		}
		delete(files, "PART NAME")
	}
	if len(files) != 1 {
		t.Error("docs/measuring.md has no command that imports a report")
	}
}

// shown is a block of a document that is shown as code: commands, or what they print.
type shown struct {
	line   int
	text   string
	output bool
}

// blocks are the indented blocks of a document. Those that begin with JSON or a number are what the commands before them
// print.
func blocks(t *testing.T, file string) (found []shown) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	prints := regexp.MustCompile(`^[{\[0-9]`)
	lines := strings.Split(string(text), "\n")
	for i := 0; i < len(lines); i++ {
		if !strings.HasPrefix(lines[i], "    ") || i > 0 && lines[i-1] != "" {
			continue
		}
		block := shown{line: i + 1}
		for ; i < len(lines) && strings.HasPrefix(lines[i], "    "); i++ {
			block.text += strings.TrimLeft(lines[i], " ") + "\n"
		}
		block.output = prints.MatchString(block.text)
		found = append(found, block)
	}
	return found
}

var (
	anyID   = regexp.MustCompile(`\b([a-z]+)_[0-9A-Z]{26}\b`)
	anyTime = regexp.MustCompile(`\b20\d\d-\d\d-\d\dT[\d:.]+Z`)
)

// withoutIDs replaces identifiers and times, which differ from run to run.
func withoutIDs(text string) string {
	return strings.TrimSpace(anyTime.ReplaceAllString(anyID.ReplaceAllString(text, "$1"), "time"))
}

// runDocument runs the commands of a document in one shell, against a service at another address than the document
// names, and compares what they print with what the document shows. There "..." stands for anything.
func runDocument(t *testing.T, file, url, before string) {
	t.Helper()
	const mark = "---- what the next one prints"
	var script strings.Builder
	fmt.Fprintf(&script, "set -eu\n%s\n", before)
	all := blocks(t, file)
	for _, block := range all {
		if !block.output {
			fmt.Fprintf(&script, "echo '%s'\n%s", mark, strings.ReplaceAll(block.text, "http://127.0.0.1:8080", url))
		}
	}
	shell := exec.CommandContext(t.Context(), "bash", "-c", script.String()) //nolint:gosec // our own document
	var stderr bytes.Buffer
	shell.Stderr = &stderr
	printed, err := shell.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, printed, stderr.String())
	}
	outputs := strings.Split(string(printed), mark+"\n")[1:]
	for i, block := range all {
		if block.output {
			continue
		}
		got, want := outputs[0], ""
		if outputs = outputs[1:]; i+1 < len(all) && all[i+1].output {
			want = all[i+1].text
		}
		got, want = withoutIDs(got), withoutIDs(want)
		pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(want), `\.\.\.`, `.*`) + "$"
		if !regexp.MustCompile(pattern).MatchString(got) {
			t.Errorf("%s:%d: it prints\n%s\nand the document shows\n%s", file, block.line, got, want)
		}
	}
}
