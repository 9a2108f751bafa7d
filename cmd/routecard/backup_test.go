package main

import (
	"context"
	"encoding/json"
	"fmt"
	"net/http"
	"net/http/httptest"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/routecard/routecard/internal/process"
)

// ran runs the program to its end and returns its exit status and its output.
func ran(t *testing.T, args ...string) (status int, output string) {
	t.Helper()
	var text strings.Builder
	status = run(t.Context(), args, &text, &text)
	return status, text.String()
}

// backups returns the files in a folder whose names are those of backups, finished or not.
func backups(t *testing.T, folder, pattern string) []string {
	t.Helper()
	found, err := filepath.Glob(filepath.Join(folder, "routecard-*"+pattern))
	if err != nil {
		t.Fatal(err)
	}
	return found
}

// A backup that the service makes on request is listed, restored, verified, and served again.
func TestBackupThroughTheService(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	workshop := process.Serve(t, "--demo", "--database", filepath.Join(t.TempDir(), "shop.db"), "--backup-dir", folder)
	var standing struct {
		Running bool
		Problem string
		Backups []struct{ File, LastSerial, LastEntry, Checkpoint string }
	}
	ask := func(method, address string, status int, into any) {
		t.Helper()
		request, err := http.NewRequestWithContext(t.Context(), method, address, http.NoBody)
		if err != nil {
			t.Fatal(err)
		}
		answer, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		defer answer.Body.Close()
		if answer.StatusCode != status {
			t.Fatalf("%s %s answers %s", method, address, answer.Status)
		}
		if err := json.NewDecoder(answer.Body).Decode(into); err != nil {
			t.Fatal(err)
		}
	}
	var started any
	ask("POST", workshop.URL+"/api/backups", http.StatusAccepted, &started)
	for len(standing.Backups) == 0 && standing.Problem == "" {
		ask("GET", workshop.URL+"/api/backups", http.StatusOK, &standing)
	}
	if standing.Problem != "" {
		t.Fatal(standing.Problem)
	}
	made := standing.Backups[len(standing.Backups)-1]
	if err := workshop.Stop(); err != nil {
		t.Fatal(err)
	}
	restored := filepath.Join(t.TempDir(), "restored.db")
	if status, output := ran(t, "restore", "--from", filepath.Join(folder, made.File), "--to", restored); status != 0 ||
		!strings.Contains(output, made.LastEntry) || !strings.Contains(output, "begins anew") {
		t.Fatalf("restore: %d %s", status, output)
	}
	again := process.Serve(t, "--database", restored)
	var serial map[string]any
	ask("GET", again.URL+"/api/serials/"+made.LastSerial, http.StatusOK, &serial)
	var ledger struct{ Size int }
	for ledger.Size == 0 { // until the sealer has read the trail, nothing is sealed, not even at the end of the service
		ask("GET", again.URL+"/api/ledger", http.StatusOK, &ledger)
	}
	if err := again.Stop(); err != nil {
		t.Fatal(err)
	}
	if status, output := ran(t, "verify", "--database", restored); status != 0 {
		t.Errorf("verify: %d %s", status, output)
	}
}

// If the command is killed while it copies, it leaves no backup, and the next backup removes the remains.
func TestBackupIsKilled(t *testing.T) {
	t.Parallel()
	workshop, folder := newSealedShop(t), t.TempDir()
	backup := []string{"backup", "--database", workshop.file, "--to", folder, "--keep", "1"}
	if status, output := ran(t, backup...); status != 0 {
		t.Fatalf("%d %s", status, output)
	}
	good := backups(t, folder, "")
	var left []string
	for try, kills := 1, 0; kills < 3; try++ {
		if try > 30 {
			t.Fatalf("%d of %d were killed in the middle", kills, try-1)
		}
		killed := exec.CommandContext(context.Background(), process.Routecard(t), backup...) //nolint:gosec // ours
		if err := killed.Start(); err != nil {
			t.Fatal(err)
		}
		over := make(chan error, 1)
		go func() { over <- killed.Wait() }()
		begun := func() bool {
			return slices.ContainsFunc(backups(t, folder, ".partial*"), func(file string) bool { return !slices.Contains(left, file) })
		}
		for !begun() && len(over) == 0 {
			continue
		}
		_ = killed.Process.Kill() // the command may have ended already
		<-over
		inTheMiddle := begun()
		if left = backups(t, folder, ".partial*"); !inTheMiddle {
			good = slices.DeleteFunc(backups(t, folder, ""), func(file string) bool { return slices.Contains(left, file) })
			continue
		}
		kills++
		for _, file := range good {
			if _, err := os.Stat(file); err != nil {
				t.Errorf("the good one: %v", err)
			}
		}
		if now := len(backups(t, folder, "")) - len(left); now != len(good) {
			t.Errorf("%d files, before %d", now, len(good))
		}
	}
	if status, output := ran(t, backup...); status != 0 {
		t.Fatalf("after a kill: %d %s", status, output)
	}
	if left := backups(t, folder, ".partial*"); len(left) != 0 || len(backups(t, folder, "")) != len(good) {
		t.Errorf("%q is left", backups(t, folder, ""))
	}
}

// On a full disk, the command reports that it cannot make a backup, and the existing backup stays. Once there is space again, it makes one.
func TestBackupOnAFullDisk(t *testing.T) {
	t.Parallel()
	workshop := newSealedShop(t)
	info, err := os.Stat(workshop.file)
	if err != nil {
		t.Fatal(err)
	}
	folder := process.SmallDisk(t, fmt.Sprint(info.Size()*5/2))
	backup := []string{"backup", "--database", workshop.file, "--to", folder, "--keep", "1"}
	if status, output := ran(t, backup...); status != 0 {
		t.Fatalf("%d %s", status, output)
	}
	good := backups(t, folder, "")
	ballast := filepath.Join(folder, "ballast")
	if err := os.WriteFile(ballast, make([]byte, info.Size()), 0o600); err != nil {
		t.Fatal(err)
	}
	status, output := ran(t, backup...)
	if status != 1 || !strings.Contains(output, "full") && !strings.Contains(output, "no space") {
		t.Errorf("%d %s", status, output)
	}
	if now := backups(t, folder, ""); len(now) != len(good) || len(backups(t, folder, ".partial*")) != 0 {
		t.Errorf("the folder has %q, before %q", now, good)
	}
	if err := os.Remove(ballast); err != nil {
		t.Fatal(err)
	}
	if status, output := ran(t, backup...); status != 0 {
		t.Errorf("with room again: %d %s", status, output)
	}
	if now := backups(t, folder, ".db"); len(now) != 1 || now[0] == good[0] {
		t.Errorf("%q is kept", now)
	}
}

// A backup that is made with the lines of docs/running.md is restored by the command. Without a name, the command restores the newest
// backup.
func TestBackupInABucket(t *testing.T) {
	t.Parallel()
	backend := s3mem.New()
	if err := backend.CreateBucket("shop"); err != nil {
		t.Fatal(err)
	}
	server := httptest.NewServer(gofakes3.New(backend).Server())
	t.Cleanup(server.Close)
	folder := t.TempDir()
	key := filepath.Join(folder, "key")
	if err := os.WriteFile(key, []byte("secret\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	database := filepath.Join(folder, "shop.db")
	if err := process.Serve(t, "--demo", "--database", database).Stop(); err != nil {
		t.Fatal(err)
	}
	bucket := []string{"--backup-endpoint", server.URL, "--backup-access-key-file", key, "--backup-secret-key-file", key}
	shown := under(t, blocks(t, repository+"docs/running.md"), "Backups in a bucket")[0].text
	output := runShell(t, folder, strings.NewReplacer("https://s3.example.com", server.URL, "/etc/routecard/access", key,
		"/etc/routecard/secret", key).Replace(shown))
	address, _, _ := strings.Cut(output, "\n")
	if !strings.HasPrefix(address, "s3://shop/backups/routecard-") {
		t.Fatalf("backup: %s", output)
	}
	for i, from := range []string{address, "s3://shop/backups"} {
		restored := filepath.Join(folder, fmt.Sprintf("restored%d.db", i))
		if status, output := ran(t, append([]string{"restore", "--from", from, "--to", restored}, bucket...)...); status != 0 {
			t.Fatalf("restore from %s: %d %s", from, status, output)
		}
		if status, output := ran(t, "files", "check", "--database", restored); status != 0 {
			t.Errorf("files check: %d %s", status, output)
		}
	}
	if left, err := filepath.Glob(filepath.Join(folder, ".routecard-restore-*")); err != nil || len(left) > 0 {
		t.Errorf("left are %s, %v", left, err)
	}
	status, output := ran(t, append([]string{"restore", "--from", "s3://shop/elsewhere", "--to", filepath.Join(folder, "none.db")}, bucket...)...)
	if status != 1 || !strings.Contains(output, "s3://shop/elsewhere has no backup") {
		t.Errorf("restore from nowhere: %d %s", status, output)
	}
	status, output = ran(t, "restore", "--from", "s3://shop/backups", "--to", filepath.Join(folder, "none.db"))
	if status == 0 || !strings.Contains(output, "--from s3://shop/backups needs --backup-endpoint, --backup-access-key-file, --backup-secret-key-file too") {
		t.Errorf("restore without keys: %d %s", status, output)
	}
}
