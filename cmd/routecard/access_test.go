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

// indentedBlocks are the indented blocks of a document.
func indentedBlocks(text string) (found []string) {
	inside := false
	for line := range strings.Lines(text) {
		content, indented := strings.CutPrefix(line, "    ")
		if indented && !inside {
			found = append(found, "")
		}
		if inside = indented; indented {
			found[len(found)-1] += content
		}
	}
	return found
}

// TestAccessDocument runs what docs/access.md shows at a terminal, in its order, and compares what it says it prints.
func TestAccessDocument(t *testing.T) {
	t.Parallel()
	bash := process.Find(t, "bash", "bash")
	process.Find(t, "curl", "curl")
	process.Find(t, "jq", "jq")
	text, err := os.ReadFile("../../docs/access.md")
	if err != nil {
		t.Fatal(err)
	}
	folder := t.TempDir()
	server := process.Serve(t, "--database", filepath.Join(folder, "shop.db"), "--auth", "writes")
	if !server.Stdout.Await("API reference:", server.Ended()) {
		t.Fatal("the program ended")
	}
	code := regexp.MustCompile(`First sign-in: ` + regexp.QuoteMeta(server.URL) + `/setup\?code=(\w+)`).FindStringSubmatch(server.Stdout.String())
	if code == nil {
		t.Fatalf("nobody is invited: %s", &server.Stdout)
	}
	script, wanted := "set -euo pipefail\ncode="+code[1]+"\n", []string{}
	const mark = "-- what the block before printed ends here\n"
	ran := false
	for _, block := range indentedBlocks(string(text)) {
		switch {
		case strings.Contains(block, "$shop"):
			script += strings.ReplaceAll(block, "http://127.0.0.1:8080", server.URL) + "printf '%s' '" + mark + "'\n"
			wanted = append(wanted, "")
			ran = true
		case ran && strings.HasPrefix(block, "{"), ran && strings.HasPrefix(block, "["):
			wanted[len(wanted)-1] = block
			ran = false
		default:
			ran = false
		}
	}
	if len(wanted) < 3 {
		t.Fatalf("the document has only %d sessions", len(wanted))
	}
	command := exec.CommandContext(t.Context(), bash, "-c", script)
	command.Dir = folder
	output, err := command.Output()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	printed := strings.SplitAfter(string(output), mark)
	for i, want := range wanted {
		if got := strings.TrimSuffix(printed[i], mark); got != want {
			t.Errorf("session %d prints\n%sand the document says\n%s", i+1, got, want)
		}
	}
}

// Each of the two providers that docs/access.md has settings for is one that a start takes.
func TestAccessDocumentSettings(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/access.md")
	if err != nil {
		t.Fatal(err)
	}
	secret := filepath.Join(t.TempDir(), "oidc-secret")
	if err := os.WriteFile(secret, []byte("a-secret"), 0o600); err != nil {
		t.Fatal(err)
	}
	tried := 0
	for _, block := range indentedBlocks(string(text)) {
		at := strings.Index(block, "--oidc-issuer")
		if at < 0 {
			continue
		}
		tried++
		flags := strings.NewReplacer("\\\n", " ", "'the company account'", "company", "/etc/routecard/oidc-secret", secret).Replace(block[at:])
		server := process.Serve(t, append([]string{"--database", filepath.Join(t.TempDir(), "shop.db"), "--auth", "all",
			"--public-url", "https://routecard.example.com"}, strings.Fields(flags)...)...)
		if !server.Stdout.Await("First sign-in: https://routecard.example.com/setup?code=", server.Ended()) {
			t.Errorf("with %s:\n%s", flags, &server.Stderr)
		}
	}
	if tried < 3 {
		t.Errorf("the document has settings for %d providers", tried)
	}
}
