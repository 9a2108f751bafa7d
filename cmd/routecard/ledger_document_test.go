package main

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
)

// TestLedgerDocument runs the commands for an auditor in docs/ledger.md against a running service, and compares their output with the
// document. Numbers and the log's name may differ; "..." stands for any text.
func TestLedgerDocument(t *testing.T) {
	t.Parallel()
	process.Find(t, "curl", "curl")
	text, err := os.ReadFile("../../docs/ledger.md")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	workshop := process.Serve(t, "--demo", "--database", filepath.Join(folder, "shop.db"), "--log-level", "warn")
	said := regexp.MustCompile(`Verifier key: +(\S+)`)
	if !workshop.Stdout.Await("Verifier key", workshop.Ended()) || !workshop.Stdout.Await("API reference", workshop.Ended()) {
		t.Fatal("the service did not print its verifier key")
	}
	key := said.FindStringSubmatch(workshop.Stdout.String())
	environment := append(os.Environ(), "KEY="+key[1], "PATH="+filepath.Dir(process.Routecard(t))+":"+os.Getenv("PATH"))
	address := strings.NewReplacer("http://127.0.0.1:8080", workshop.URL, "http://shop.example:8080", workshop.URL, "curl -s ", "curl -sf --retry 9 ")
	sh := func(command string) string {
		t.Helper()
		shell := exec.CommandContext(t.Context(), "bash", "-euc", address.Replace(command)) //nolint:gosec // our own document
		shell.Dir, shell.Env = folder, environment
		output, err := shell.CombinedOutput()
		if err != nil {
			t.Fatalf("%s: %v\n%s", command, err, output)
		}
		return strings.TrimSpace(string(output))
	}
	pattern := func(shown string) *regexp.Regexp {
		shown = regexp.QuoteMeta(strings.TrimSpace(shown))
		shown = regexp.MustCompile(`routecard/[0-9a-f]{8}`).ReplaceAllString(shown, `routecard/[0-9a-f]{8}`)
		shown = regexp.MustCompile(`\b[0-9]+ (entries|serials|reports|checkpoints)`).ReplaceAllString(shown, `[0-9]+ $1`)
		return regexp.MustCompile("^" + strings.ReplaceAll(shown, `\.\.\.`, `.*`) + "$")
	}
	section, _, _ := strings.Cut(string(text), "\nThe exit status is 0")
	commands, command, shown := 0, "", ""
	run := func() {
		t.Helper()
		if command == "" {
			return
		}
		if got := sh(command); shown != "" && !pattern(shown).MatchString(got) {
			t.Errorf("%s prints\n%s\nand the document shows\n%s", command, got, shown)
		}
		commands++
		command, shown = "", ""
	}
	for line := range strings.Lines(section) {
		line, indented := strings.TrimSpace(line), strings.HasPrefix(line, "    ")
		next, prompted := strings.CutPrefix(line, "$ ")
		switch {
		case !indented:
			run()
		case prompted:
			run()
			command = next
		case command == "":
			command = line // shown without a prompt
		default:
			shown += line + "\n"
		}
	}
	run()
	if commands != 5 {
		t.Errorf("%d commands were run", commands)
	}
}
