package main

import (
	"bufio"
	"bytes"
	"context"
	"errors"
	"io"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
)

// TestWatchGoesOn kills the service during a watch, and starts it again.
func TestWatchGoesOn(t *testing.T) {
	t.Parallel()
	p := serveFile(t)
	p.ask(t, http.MethodPost, "/api/jobs", `{"name":"first","goalQuantity":1}`)
	ctx, stop := context.WithCancel(t.Context())
	defer stop()
	printed, out := io.Pipe()
	ended := make(chan error, 1)
	go func() {
		watch := watchCommand{After: "aud_0000000000000000", Types: "job_created", remoteSettings: remoteSettings{URL: p.URL}}
		ended <- watch.Run(&world{ctx: ctx, stdout: out})
		out.Close()
	}()
	lines := bufio.NewScanner(printed)
	next := func(name string) {
		t.Helper()
		if !lines.Scan() || !strings.Contains(lines.Text(), `"name":"`+name+`"`) {
			t.Fatalf("printed %s (%v), want %s", lines.Text(), lines.Err(), name)
		}
	}
	next("first")
	p.Kill()
	again := served{process.Serve(t, "--listen", strings.TrimPrefix(p.URL, "http://"), "--database", p.file), p.file}
	again.ask(t, http.MethodPost, "/api/jobs", `{"name":"second","goalQuantity":1}`)
	next("second")
	stop()
	if err := <-ended; err != nil {
		t.Errorf("stopped with %v", err)
	}
}

// TestExportCutOff: if the service cuts off its response, the command writes no file and exits with an error status.
func TestExportCutOff(t *testing.T) {
	t.Parallel()
	server := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) {
		_, _ = io.WriteString(w, "id,name\n")
		_ = http.NewResponseController(w).Flush()
		panic(http.ErrAbortHandler)
	}))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "jobs.csv")
	for _, output := range []string{"", file} {
		export := exportCommand{Kind: "jobs", Format: "csv", Output: output, remoteSettings: remoteSettings{URL: server.URL}}
		failed, ok := errors.AsType[*exitError](export.Run(&world{ctx: t.Context(), stdout: io.Discard, raw: io.Discard}))
		if !ok || failed.status != 2 || !strings.Contains(failed.Error(), "the file is not whole") {
			t.Errorf("%v", failed)
		}
	}
	if left, err := os.ReadDir(filepath.Dir(file)); err != nil || len(left) > 0 {
		t.Errorf("it left %v (%v)", left, err)
	}
}

// TestTokenIsSent reads the token without the line feed that editors append.
func TestTokenIsSent(t *testing.T) {
	t.Parallel()
	sent := make(chan string, 1)
	server := httptest.NewServer(http.HandlerFunc(func(_ http.ResponseWriter, r *http.Request) { sent <- r.Header.Get("Authorization") }))
	defer server.Close()
	file := filepath.Join(t.TempDir(), "token")
	if err := os.WriteFile(file, []byte("rct_abc\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	export := exportCommand{Kind: "jobs", Format: "csv", remoteSettings: remoteSettings{URL: server.URL, TokenFile: file}}
	if err := export.Run(&world{ctx: t.Context(), stdout: io.Discard, raw: io.Discard}); err != nil {
		t.Fatal(err)
	}
	if got := <-sent; got != "Bearer rct_abc" {
		t.Errorf("sent %q", got)
	}
}

// printedBy returns the output of the program.
func printedBy(t *testing.T, args ...string) string {
	t.Helper()
	var out, problems bytes.Buffer
	if status := run(t.Context(), args, &out, &problems); status != 0 {
		t.Fatalf("%v: exit status %d: %s", args, status, problems.String())
	}
	return out.String()
}

func TestCompletionInBash(t *testing.T) {
	t.Parallel()
	script := printedBy(t, "completion", "bash")
	for line, want := range map[string]string{
		"routecard exp":                        "export",
		"routecard export ":                    "jobs serials steps audit certs users measurements lots components shipments --",
		"routecard export se":                  "serials",
		"routecard export jobs --format ":      "csv ndjson xlsx",
		"routecard export jobs --format x":     "xlsx",
		"routecard export jobs --out":          "--output",
		"routecard export jobs --token-file a": "",
		"routecard config ":                    "check show",
		"routecard config check --log-level w": "warn",
		"routecard --log-level d":              "debug",
		"routecard completion f":               "fish",
		"routecard zzz":                        "",
	} {
		words := strings.Split(line, " ")
		var array []string
		for _, word := range words {
			array = append(array, quoted(word))
		}
		ask := script + "\nCOMP_WORDS=(" + strings.Join(array, " ") + ")\nCOMP_CWORD=$((${#COMP_WORDS[@]}-1))\n_routecard\necho \"${COMPREPLY[*]}\"\n"
		bash := exec.CommandContext(t.Context(), "bash", "-u", "-c", ask)
		got, err := bash.CombinedOutput()
		text := strings.TrimSuffix(string(got), "\n")
		if err != nil || !strings.HasPrefix(text, want) || want == "" && text != "" {
			t.Errorf("%q is completed with %q (%v), want %q", line, text, err, want)
		}
	}
}

// TestShellsReadCompletions loads the completion script in each installed shell, and checks the manual page with mandoc.
func TestShellsReadCompletions(t *testing.T) {
	t.Parallel()
	for _, reader := range [][]string{
		{"bash", "-n", "completion", "bash"}, {"zsh", "-n", "completion", "zsh"}, {"fish", "-n", "completion", "fish"},
		{"mandoc", "-Tlint -Wwarning", "man"},
	} {
		script := printedBy(t, reader[2:]...)
		program, err := exec.LookPath(reader[0])
		if err != nil {
			t.Logf("there is no %s here", reader[0])
			continue
		}
		file := filepath.Join(t.TempDir(), "script")
		if err := os.WriteFile(file, []byte(script), 0o600); err != nil {
			t.Fatal(err)
		}
		read := exec.CommandContext(t.Context(), program, append(strings.Fields(reader[1]), file)...)
		if said, err := read.CombinedOutput(); err != nil || len(said) > 0 {
			t.Errorf("%s: %v\n%s", reader[0], err, said)
		}
	}
}

// TestEveryCommandIsTold requires that the completions and the manual page have every command and flag of the help.
func TestEveryCommandIsTold(t *testing.T) {
	t.Parallel()
	parsed, _, err := parse([]string{"man"}, io.Discard, io.Discard)
	if err != nil {
		t.Fatal(err)
	}
	commands := describe(parsed.Model)
	if len(commands) < 15 {
		t.Fatalf("only %d commands", len(commands))
	}
	manual := printedBy(t, "man")
	for _, command := range commands[1:] {
		words := strings.Fields(command.path)
		name := words[len(words)-1]
		for _, shell := range []string{"bash", "zsh", "fish"} {
			script := printedBy(t, "completion", shell)
			if !strings.Contains(script, name) {
				t.Errorf("%s does not complete %s", shell, command.path)
			}
			for _, flag := range command.flags {
				if !strings.Contains(script, flag.Name) {
					t.Errorf("%s does not complete %s --%s", shell, command.path, flag.Name)
				}
			}
		}
		if !strings.Contains(manual, ".SS "+roff(command.path)) {
			t.Errorf("the manual page has no %s", command.path)
		}
	}
}
