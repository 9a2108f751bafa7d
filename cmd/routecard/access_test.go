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

// indentedBlocks returns the indented blocks of a document.
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

// sessions runs the terminal sessions in a part of a document, in their order and in a folder, and compares the output with the document.
// The commands use the given address, and the given code for the first sign-in.
func sessions(t *testing.T, part, folder, address, code string) {
	t.Helper()
	bash := process.Find(t, "bash", "bash")
	process.Find(t, "curl", "curl")
	process.Find(t, "jq", "jq")
	const mark = "-- what the block before printed ends here\n"
	script, wanted, ran := "set -euo pipefail\nshop="+address+"/api\ncode="+code+"\n", []string{}, false
	for _, block := range indentedBlocks(part) {
		switch {
		case strings.Contains(block, "$shop"):
			script += strings.ReplaceAll(block, "http://127.0.0.1:8080", address) + "printf '%s' '" + mark + "'\n"
			wanted = append(wanted, "")
			ran = true
		case ran && strings.HasPrefix(block, "{"), ran && strings.HasPrefix(block, "["):
			wanted[len(wanted)-1] = block
			ran = false
		default:
			ran = false
		}
	}
	if len(wanted) == 0 {
		t.Fatalf("there is no session in\n%s", part)
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

// TestAccessDocument runs the commands of docs/access.md: from an open service to one with sign-in, and the recovery if all users are
// locked out.
func TestAccessDocument(t *testing.T) {
	t.Parallel()
	text, err := os.ReadFile("../../docs/access.md")
	if err != nil {
		t.Fatal(err)
	}
	opened, locked, found := strings.Cut(string(text), "## When everybody is locked out")
	unlocked, again, alone := strings.Cut(locked, "Start it as before")
	if !found || !alone {
		t.Fatal("the document does not say what to do when everybody is locked out")
	}
	folder := t.TempDir()
	database := filepath.Join(folder, "shop.db")
	start := func(flags ...string) *process.Server {
		server := process.Serve(t, append([]string{"--database", database}, flags...)...)
		if !server.Stdout.Await("API reference:", server.Ended()) {
			t.Fatal("the program ended")
		}
		return server
	}
	stop := func(server *process.Server) {
		if err := server.Stop(); err != nil {
			t.Fatal(err)
		}
	}
	invitation := func(server *process.Server) string {
		file := filepath.Join(folder, "shop.first-sign-in")
		told := strings.Contains(server.Stdout.String(), "First sign-in: see "+file+"\n")
		line, err := os.ReadFile(file)
		if told != (err == nil) || strings.Contains(server.Stdout.String(), "code=") {
			t.Errorf("standard output has %s, and the file %v", &server.Stdout, err)
		}
		if err != nil {
			return ""
		}
		if about, err := os.Stat(file); err != nil || about.Mode() != 0o600 {
			t.Errorf("the file has the mode %v, %v", about.Mode(), err)
		}
		found := regexp.MustCompile(`^First sign-in: ` + regexp.QuoteMeta(server.URL) + `/setup\?code=(\w+)\n$`).FindSubmatch(line)
		if found == nil {
			t.Fatalf("the file has %s", line)
		}
		return string(found[1])
	}
	server := start("--auth", "writes")
	sessions(t, opened, folder, server.URL, invitation(server))
	stop(server)
	if server = start("--auth", "writes"); invitation(server) != "" {
		t.Error("somebody is invited while there is an administrator")
	}
	stop(server)
	server = start()
	sessions(t, unlocked, folder, server.URL, "none")
	stop(server)
	server = start("--auth", "writes")
	sessions(t, again, folder, server.URL, invitation(server))
}

// The service accepts the settings that docs/access.md has for each of the two providers.
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
		folder := t.TempDir()
		server := process.Serve(t, append([]string{"--database", filepath.Join(folder, "shop.db"), "--auth", "all",
			"--public-url", "https://routecard.example.com"}, strings.Fields(flags)...)...)
		if !server.Stdout.Await("First sign-in: see ", server.Ended()) {
			t.Errorf("with %s:\n%s", flags, &server.Stderr)
		}
		line, err := os.ReadFile(filepath.Join(folder, "shop.first-sign-in"))
		if !strings.HasPrefix(string(line), "First sign-in: https://routecard.example.com/setup?code=") {
			t.Errorf("the file has %s, %v", line, err)
		}
	}
	if tried < 3 {
		t.Errorf("the document has settings for %d providers", tried)
	}
}
