package main

import (
	"bytes"
	"fmt"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
)

// TestRepeatingDocument runs the session that docs/repeating.md shows.
func TestRepeatingDocument(t *testing.T) {
	t.Parallel()
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
	p := process.Serve(t, "--database", t.TempDir()+"/routecard.db", "--log-level", "warn")
	runDocument(t, "../../docs/first-session.md", p.URL, `
		curl() { # a stream has no end: the first line of it is enough
			case "$*" in *events*) head -n 1 < <(command curl "$@" 2>/dev/null) | grep -q retry ;; *) command curl "$@" ;; esac
		}`)
}

// TestMeasuringDocument imports the report of a measuring machine in docs/measuring.md, with the mapping and the command in that document.
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

// shown is a code block of a document: commands, or their output.
type shown struct {
	heading string // the heading above it
	line    int
	text    string
	output  bool
	prompts bool // whether commands begin with "$ " and their output follows
}

// prints matches the output of commands: JSON, a number, or the status of a unit.
var prints = regexp.MustCompile(`^([{\[0-9]|scrapped\n)`)

// blocks returns the code blocks of a document, both indented and fenced ones.
func blocks(t *testing.T, file string) (found []shown) {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	lines, heading := strings.Split(string(text), "\n"), ""
	for i := 0; i < len(lines); i++ {
		block := shown{heading: heading, line: i + 1}
		switch fence, fenced := strings.CutPrefix(lines[i], "```"); {
		case fenced:
			block.prompts = fence == "console"
			for i++; lines[i] != "```"; i++ {
				block.text += lines[i] + "\n"
			}
		case strings.HasPrefix(lines[i], "#"):
			heading = strings.TrimLeft(lines[i], "# ")
			continue
		case strings.HasPrefix(lines[i], "    ") && (i == 0 || lines[i-1] == ""):
			indent := lines[i][:len(lines[i])-len(strings.TrimLeft(lines[i], " "))]
			for ; i < len(lines) && strings.HasPrefix(lines[i], "    "); i++ {
				block.text += strings.TrimPrefix(lines[i], indent) + "\n"
			}
			block.output = prints.MatchString(block.text)
		default:
			continue
		}
		found = append(found, block)
	}
	return found
}

// under returns the blocks under a heading.
func under(t *testing.T, all []shown, heading string) (found []shown) {
	t.Helper()
	for _, block := range all {
		if block.heading == heading {
			found = append(found, block)
		}
	}
	if len(found) == 0 {
		t.Fatalf("there is no block under %q", heading)
	}
	return found
}

// withoutPrompts splits a block with prompts into blocks of commands and blocks of output.
func withoutPrompts(block shown) (pieces []shown) {
	for i, line := range strings.Split(strings.TrimSuffix(block.text, "\n"), "\n") {
		command, prompt := strings.CutPrefix(line, "$ ")
		if output := !prompt; len(pieces) == 0 || prompt || pieces[len(pieces)-1].output != output {
			pieces = append(pieces, shown{line: block.line + 1 + i, output: output})
		}
		pieces[len(pieces)-1].text += command + "\n"
	}
	return pieces
}

var (
	anyID   = regexp.MustCompile(`\b([a-z]+)_(?:[0-9A-Z]{26}|[0-9]{16})\b`)
	anyTime = regexp.MustCompile(`\b20\d\d-\d\d-\d\dT[\d:.]+Z`)
)

// withoutIDs replaces identifiers and times, which differ from run to run.
func withoutIDs(text string) string {
	return strings.TrimSpace(anyTime.ReplaceAllString(anyID.ReplaceAllString(text, "$1"), "time"))
}

// runDocument runs the commands of a document in one shell, and compares their output with the document's. It replaces the address in the
// document by url. In the document, "..." stands for any text.
func runDocument(t *testing.T, file, url, before string) {
	t.Helper()
	runBlocks(t, file, blocks(t, file), t.TempDir(), strings.NewReplacer("http://127.0.0.1:8080", url), before)
}

// runBlocks runs the commands of blocks in one shell in a folder, and compares their output with the output in the blocks. The replacer
// names replaces words in commands and output.
func runBlocks(t *testing.T, file string, all []shown, folder string, names *strings.Replacer, before string) {
	t.Helper()
	const mark = "---- what the next one prints"
	var script strings.Builder
	fmt.Fprintf(&script, "set -eu\n%s\n", before)
	for _, block := range all {
		if !block.output {
			fmt.Fprintf(&script, "echo '%s'\n%s", mark, names.Replace(block.text))
		}
	}
	printed := runShell(t, folder, script.String())
	outputs := strings.Split(printed, mark+"\n")[1:]
	for i, block := range all {
		if block.output {
			continue
		}
		got, want := outputs[0], ""
		if outputs = outputs[1:]; i+1 < len(all) && all[i+1].output {
			want = names.Replace(all[i+1].text)
		}
		got, want = withoutIDs(got), withoutIDs(want)
		pattern := "^" + strings.ReplaceAll(regexp.QuoteMeta(want), `\.\.\.`, `.*`) + "$"
		if !regexp.MustCompile(pattern).MatchString(got) {
			t.Errorf("%s:%d: it prints\n%s\nand the document shows\n%s", file, block.line, got, want)
		}
	}
}

// runShell runs a script in a folder, with this program on the path, and returns its output.
func runShell(t *testing.T, folder, script string) string {
	t.Helper()
	for _, program := range []string{"curl", "jq"} {
		process.Find(t, program, program)
	}
	shell := exec.CommandContext(t.Context(), "bash", "-c", script) //nolint:gosec // our own documents
	shell.Dir = folder
	shell.Env = append(os.Environ(), "PATH="+filepath.Dir(process.Routecard(t))+":"+os.Getenv("PATH"))
	var stderr bytes.Buffer
	shell.Stderr = &stderr
	printed, err := shell.Output()
	if err != nil {
		t.Fatalf("%v\n%s%s", err, printed, stderr.String())
	}
	return string(printed)
}
