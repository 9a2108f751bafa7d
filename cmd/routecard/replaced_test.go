package main

import (
	"bytes"
	"context"
	"errors"
	"fmt"
	"io"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"runtime"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/internal/sqlstore"
)

// served is a service that a test started on a file of its own.
type served struct {
	*process.Server
	file string
}

func serveFile(t *testing.T, flags ...string) served {
	t.Helper()
	file := filepath.Join(t.TempDir(), "shop.db")
	return served{process.Serve(t, append([]string{"--database", file}, flags...)...), file}
}

// ask sends one request and returns the status and the body.
func (s served) ask(t *testing.T, method, path, body string) string {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), method, s.URL+path, strings.NewReader(body))
	if err != nil {
		t.Fatal(err)
	}
	response, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err != nil {
		t.Fatal(err)
	}
	return fmt.Sprintf("%d %s", response.StatusCode, text)
}

const (
	replaced = `503 {"statusCode":503,"message":"The database file was replaced","code":"database_replaced"}`
	newJob   = `{"name":"Bracket","goalQuantity":7}`
)

// TestReplacedDatabase removes or replaces the file while the service runs, in every way that a user might do by accident.
func TestReplacedDatabase(t *testing.T) {
	t.Parallel()
	for name, attack := range map[string]func(file string) error{
		"removed": os.Remove,
		"moved":   func(file string) error { return os.Rename(file, file+".old") },
		"replaced by another": func(file string) error {
			text, err := os.ReadFile(file)
			if err == nil {
				err = os.WriteFile(file+".new", text, 0o600)
			}
			if err == nil {
				err = os.Rename(file+".new", file)
			}
			return err
		},
		"without its log": func(file string) error { return os.Remove(file + "-wal") },
		"with another log": func(file string) error {
			if err := os.Remove(file + "-wal"); err != nil {
				return err
			}
			return os.WriteFile(file+"-wal", nil, 0o600)
		},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serveFile(t)
			if got := s.ask(t, http.MethodPost, "/api/jobs", newJob); !strings.HasPrefix(got, "201 ") {
				t.Fatal(got)
			}
			if err := attack(s.file); err != nil {
				t.Fatal(err)
			}
			for range 3 {
				if got := s.ask(t, http.MethodPost, "/api/jobs", newJob); got != replaced {
					t.Errorf("a write answers %s", got)
				}
			}
			if got := s.ask(t, http.MethodGet, "/readyz", ""); got != replaced {
				t.Errorf("readyz answers %s", got)
			}
			if !s.Stderr.Await("The database file was replaced", s.Ended()) {
				t.Error("the log does not say so")
			}
			there, before := filesIn(t, filepath.Dir(s.file))
			readers, ended := context.WithCancel(t.Context())
			for range 8 { // new readers do not open the other file
				_ = getJSON(readers, http.DefaultClient, s.URL+"/api/jobs", &[]struct{}{})
			}
			ended()
			_ = s.Stop()
			if after, _ := filesIn(t, filepath.Dir(s.file)); after != there && !strings.HasPrefix(name, "removed") {
				t.Logf("the folder had %s, and has %s", there, after)
			}
			if info, err := os.Stat(s.file); err == nil && info.Size() == 0 && before == 0 {
				t.Error("there is an empty database now")
			}
		})
	}
}

// filesIn returns the names of the files in a folder, and the size of the database.
func filesIn(t *testing.T, folder string) (names string, size int64) {
	t.Helper()
	entries, err := os.ReadDir(folder)
	if err != nil {
		t.Fatal(err)
	}
	for _, entry := range entries {
		names += entry.Name() + " "
		if info, err := entry.Info(); err == nil && entry.Name() == "shop.db" {
			size = info.Size()
		}
	}
	return names, size
}

// TestDatabaseWrittenOver copies other contents over the file, which stays the same file. The service stops writing, even if the old
// contents are restored, and a new start reads exactly the copied contents.
func TestDatabaseWrittenOver(t *testing.T) {
	t.Parallel()
	for name, other := range map[string]func(t *testing.T, s served) []byte{
		"by another database": func(t *testing.T, _ served) []byte {
			t.Helper()
			file := filepath.Join(t.TempDir(), "other.db")
			store, err := sqlstore.OpenSQLite(t.Context(), file, sqlstore.Options{})
			if err == nil {
				err = store.Close()
			}
			if err != nil {
				t.Fatal(err)
			}
			return content(t, file)
		},
		"by an earlier copy": func(t *testing.T, s served) []byte {
			t.Helper()
			before := content(t, s.file)
			// One write to recognize the contents as earlier ones, and one to see that the service has recognized it. The service notices a
			// checkpoint of the log only if no write runs at that moment, so there are more attempts.
			for range 4 {
				s.folded(t)
			}
			return before
		},
		"by nothing": func(*testing.T, served) []byte { return nil },
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := serveFile(t, "--ledger", "off") // a ledger would write without requests
			s.folded(t)
			contents := other(t, s)
			was := content(t, s.file)
			if err := os.WriteFile(s.file, contents, 0o600); err != nil {
				t.Fatal(err)
			}
			for range 2 {
				if got := s.ask(t, http.MethodPost, "/api/jobs", newJob); got != replaced {
					t.Errorf("a write answers %s", got)
				}
				if got := s.ask(t, http.MethodGet, "/readyz", ""); got != replaced {
					t.Errorf("readyz answers %s", got)
				}
				if err := os.WriteFile(s.file, was, 0o600); err != nil { // meanwhile the service may have read the other contents
					t.Fatal(err)
				}
			}
			if !s.Stderr.Await("another program has written into it: The database file was replaced", s.Ended()) {
				t.Error("the log does not say so")
			}
			if err := os.WriteFile(s.file, contents, 0o600); err != nil {
				t.Fatal(err)
			}
			_ = s.Stop()
			if !bytes.Equal(content(t, s.file), contents) {
				t.Error("the service wrote into what was copied over its file")
			}
			if _, err := os.Stat(s.file + "-wal"); err == nil {
				t.Error("the log of what was there lies beside it")
			}
			if _, err := os.Stat(s.file + "-wal.of-the-replaced-file"); err != nil {
				t.Errorf("the log of what was there: %v", err)
			}
			again := process.Serve(t, "--database", s.file)
			if got := (served{again, s.file}).ask(t, http.MethodPost, "/api/jobs", newJob); !strings.HasPrefix(got, "201 ") {
				t.Errorf("after a new start a write answers %s", got)
			}
		})
	}
}

// TestDatabaseTouched changes the file's metadata but not its contents, between many checkpoints of the log.
func TestDatabaseTouched(t *testing.T) {
	t.Parallel()
	s := serveFile(t)
	for range 3 {
		s.folded(t)
		if err := errors.Join(os.Chtimes(s.file, time.Unix(1, 0), time.Unix(1, 0)), os.Chmod(s.file, 0o640)); err != nil {
			t.Fatal(err)
		}
		if err := sqlstore.CopyInto(t.Context(), s.file, filepath.Join(t.TempDir(), "copy.db")); err != nil {
			t.Fatal(err)
		}
		if got := s.ask(t, http.MethodGet, "/readyz", ""); !strings.HasPrefix(got, "200 ") {
			t.Fatalf("readyz answers %s", got)
		}
	}
}

func (s served) addJob(t *testing.T) {
	t.Helper()
	if got := s.ask(t, http.MethodPost, "/api/jobs", newJob); !strings.HasPrefix(got, "201 ") {
		t.Fatal(got)
	}
}

// folded adds a job and waits until the whole write-ahead log is in the database file and synced to disk. Before that, the service may
// accept an earlier mark in the file's header as its own, and a checkpoint may write a page after the attack on the file. SQLite's log
// index has the length of the log and the part of it that is in the file.
func (s served) folded(t *testing.T) {
	t.Helper()
	const logged, folded = 16, 96 // where https://sqlite.org/walformat.html has mxFrame and nBackfill
	before := content(t, s.file)
	s.addJob(t)
	for patience := time.Now().Add(time.Minute); time.Now().Before(patience); runtime.Gosched() {
		index := content(t, s.file+"-shm")
		if bytes.Equal(index[logged:][:4], index[folded:][:4]) && !bytes.Equal(content(t, s.file)[60:64], before[60:64]) {
			return
		}
	}
	t.Fatal("the log is not folded")
}

func content(t *testing.T, file string) []byte {
	t.Helper()
	text, err := os.ReadFile(file)
	if err != nil {
		t.Fatal(err)
	}
	return text
}

// TestPutBackDatabase moves the file away and back: the service continues.
func TestPutBackDatabase(t *testing.T) {
	t.Parallel()
	s := serveFile(t)
	for _, move := range [][2]string{{s.file, s.file + ".old"}, {s.file + ".old", s.file}} {
		if err := os.Rename(move[0], move[1]); err != nil {
			t.Fatal(err)
		}
		want := replaced
		if move[1] == s.file {
			want = "201 "
		}
		if got := s.ask(t, http.MethodPost, "/api/jobs", newJob); !strings.HasPrefix(got, want) {
			t.Errorf("answered %s, want %s", got, want)
		}
	}
	var jobs []struct{}
	if err := getJSON(t.Context(), http.DefaultClient, s.URL+"/api/jobs", &jobs); err != nil || len(jobs) != 1 {
		t.Errorf("%d jobs are there (%v), one was answered", len(jobs), err)
	}
}

// TestSecondProcessUnderAnotherName opens the file of a running service by a hard link, and after its lock file is gone.
func TestSecondProcessUnderAnotherName(t *testing.T) {
	t.Parallel()
	s := serveFile(t)
	link := filepath.Join(t.TempDir(), "other.db")
	if err := os.Link(s.file, link); err != nil {
		t.Skip("no hard links here:", err)
	}
	for _, file := range []string{link, s.file} {
		_ = os.Remove(s.file + ".lock")
		s.keepsOut(t, file)
	}
}

// TestSecondProcessThroughAMount opens the file of a running service by a bind mount of the file itself.
func TestSecondProcessThroughAMount(t *testing.T) {
	t.Parallel()
	s := serveFile(t)
	mounted := filepath.Join(t.TempDir(), "mounted.db")
	if err := os.WriteFile(mounted, nil, 0o600); err != nil {
		t.Fatal(err)
	}
	mount := exec.CommandContext(t.Context(), "mount", "--bind", s.file, mounted) //nolint:gosec // of the test
	if out, err := mount.CombinedOutput(); err != nil {
		process.Missing(t, "mount", fmt.Sprintf("the right to mount a file: %v: %s", err, out))
	}
	t.Cleanup(func() {
		unmount := exec.CommandContext(context.Background(), "umount", mounted) //nolint:gosec // ours
		if out, err := unmount.CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
	s.keepsOut(t, mounted)
	if got := s.ask(t, http.MethodPost, "/api/jobs", newJob); !strings.HasPrefix(got, "201 ") {
		t.Errorf("the first one answers %s", got)
	}
	if got := s.ask(t, http.MethodGet, "/readyz", ""); !strings.HasPrefix(got, "200 ") {
		t.Errorf("readyz of the first one answers %s", got)
	}
}

// keepsOut requires that a second process cannot open the service's file under this name.
func (s served) keepsOut(t *testing.T, file string) {
	t.Helper()
	second, err := process.Start(process.Command(t.Context(), process.Routecard(t), "--database", file))
	if err == nil {
		second.Kill()
		t.Errorf("%s was opened by a second process", file)
	} else if !strings.Contains(err.Error(), "in use by another routecard") {
		t.Error(err)
	}
}

// TestDatabaseIsPrivate checks the permissions of the files that the service creates.
func TestDatabaseIsPrivate(t *testing.T) {
	t.Parallel()
	s := serveFile(t)
	if got := s.ask(t, http.MethodPost, "/api/jobs", newJob); !strings.HasPrefix(got, "201 ") {
		t.Fatal(got)
	}
	for _, name := range []string{s.file, s.file + "-wal", s.file + "-shm", s.file + ".lock"} {
		info, err := os.Stat(name)
		if err != nil {
			t.Fatal(err)
		}
		if info.Mode().Perm() != 0o600 {
			t.Errorf("%s has %v", filepath.Base(name), info.Mode().Perm())
		}
	}
}
