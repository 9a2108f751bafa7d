//go:build litestream

package main

import (
	"bytes"
	"context"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/shop"
)

// litestreamLines returns the settings and the commands in docs/running.md for restoring any earlier moment of a database file.
func litestreamLines(t *testing.T) (settings, commands string) {
	t.Helper()
	text, err := os.ReadFile("../../docs/running.md")
	if err != nil {
		t.Fatal(err)
	}
	_, section, _ := strings.Cut(string(text), "\n## Any moment of a database file\n")
	section, _, _ = strings.Cut(section, "\n## ")
	blocks := indentedBlocks(section)
	if len(blocks) != 2 {
		t.Fatalf("the documentation has %d blocks", len(blocks))
	}
	return blocks[0], blocks[1]
}

// TestAnyMomentOfAFile restores a moment of a shop that was killed, with Litestream running alongside the service and with the lines of the
// documentation. ROUTECARD_LITESTREAM is the path of Litestream. `bash .ci/run litestream` builds it and runs this test.
func TestAnyMomentOfAFile(t *testing.T) {
	t.Parallel()
	settings, commands := litestreamLines(t)
	litestream := os.Getenv("ROUTECARD_LITESTREAM")
	if litestream == "" {
		t.Fatal("ROUTECARD_LITESTREAM names no program")
	}
	service := serveFile(t)
	folder := t.TempDir()
	config := filepath.Join(folder, "litestream.yml")
	named := strings.NewReplacer("/var/lib/routecard/routecard.db", service.file, "/backup/litestream", filepath.Join(folder, "stream"),
		"/etc/litestream.yml", config, "litestream restore", litestream+" restore")
	if err := os.WriteFile(config, []byte(named.Replace(settings)), 0o600); err != nil {
		t.Fatal(err)
	}
	ctx, kill := context.WithCancel(t.Context())
	defer kill()
	var said bytes.Buffer
	streaming := exec.CommandContext(ctx, litestream, "replicate", "-config", config) //nolint:gosec // the program under test
	streaming.Stdout, streaming.Stderr = &said, &said
	if err := streaming.Start(); err != nil {
		t.Fatal(err)
	}
	jobs := func(n int) {
		for range n {
			if answer := service.ask(t, "POST", "/api/jobs", `{"name": "Bracket", "goalQuantity": 7}`); !strings.HasPrefix(answer, "201") {
				t.Fatal(answer)
			}
		}
	}
	// entries counts the entries of the newest state that was copied.
	entries := func() (count string) {
		copied := filepath.Join(folder, "newest.db")
		for _, end := range []string{"", "-wal", "-shm"} {
			_ = os.Remove(copied + end)
		}
		restoring := exec.CommandContext(t.Context(), litestream, "restore", "-config", config, "-o", copied, service.file) //nolint:gosec // as above
		if err := restoring.Run(); err != nil {                                                                             // no copy yet
			return ""
		}
		var output strings.Builder
		run(t.Context(), []string{"verify", "--database", copied}, &output, &output)
		found := regexp.MustCompile(`the first (\d+) entries`).FindStringSubmatch(output.String())
		if found == nil {
			return ""
		}
		return found[1]
	}
	copied := func(want string) {
		for entries() != want {
			select {
			case <-t.Context().Done():
				t.Fatalf("%s entries were not copied\n%s", want, &said)
			case <-time.After(100 * time.Millisecond):
			}
		}
	}
	jobs(20)
	copied("20")
	moment := time.Now().UTC().Format("2006-01-02T15:04:05.000Z")
	jobs(20)
	copied("40")
	jobs(20)
	service.Kill()
	kill()
	_ = streaming.Wait() // it was killed
	for _, end := range []string{"", "-wal", "-shm"} {
		if err := os.Remove(service.file + end); err != nil {
			t.Fatal(err)
		}
	}

	lines := named.Replace(strings.Replace(commands, "2026-01-31T09:30:00Z", moment, 1))
	if !strings.Contains(lines, moment) {
		t.Fatal("the documentation names another moment")
	}
	shell := exec.CommandContext(t.Context(), "/bin/sh", "-exc", lines) //nolint:gosec // our documentation
	shell.Dir, shell.Env = folder, append(os.Environ(), "PATH="+filepath.Dir(process.Routecard(t))+":"+os.Getenv("PATH"))
	if output, err := shell.CombinedOutput(); err != nil || !strings.Contains(string(output), "Proved: ") {
		t.Fatalf("%v\n%s", err, output)
	}
	again := process.Serve(t, "--database", service.file)
	var found []shop.Job
	if err := getJSON(t.Context(), http.DefaultClient, again.URL+"/api/jobs", &found); err != nil || len(found) != 20 {
		t.Errorf("%d jobs are there, %v", len(found), err)
	}
}
