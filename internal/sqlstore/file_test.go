package sqlstore

import (
	"bufio"
	"context"
	"errors"
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"syscall"
	"testing"

	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// openedFile is an environment variable with the name of a database. If it is set, this program opens the database, prints that it did, and
// waits to be killed.
const openedFile = "ROUTECARD_TEST_OPEN"

func TestMain(m *testing.M) {
	file := os.Getenv(openedFile)
	if file == "" {
		os.Exit(m.Run())
	}
	store, err := OpenSQLite(context.Background(), file, Options{})
	if err == nil {
		err = insertJob(store, "job_1")
	}
	fmt.Println("opened", err)
	select {}
}

// A program that is started while the store is being closed inherits the open file until it begins to run. It does not keep the lock.
func TestClosedFileIsUnlocked(t *testing.T) {
	t.Parallel()
	file := shopFile(t)
	store := openSQLite(t, file, Options{})
	still, err := syscall.Dup(int(store.lock.file.Fd()))
	must(t, err)
	defer syscall.Close(still)
	must(t, store.Close())
	openSQLite(t, file, Options{})
}

func TestSecondOpenIsRefused(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := filepath.Join(folder, "shop.db")
	refused := func(file string, pid int) {
		t.Helper()
		store, err := OpenSQLite(t.Context(), file, Options{})
		if err == nil {
			_ = store.Close()
		}
		if !errors.Is(err, ErrInUse) || !strings.Contains(err.Error(), fmt.Sprintf("(process %d)", pid)) {
			t.Errorf("error is %v, want one that names process %d", err, pid)
		}
	}
	here := openSQLite(t, file, Options{})
	refused(file, os.Getpid())
	link := filepath.Join(folder, "link.db")
	must(t, os.Symlink(file, link))
	refused(link, os.Getpid())
	must(t, here.Close())

	fresh := filepath.Join(folder, "fresh.db")
	early := filepath.Join(folder, "early.db")
	must(t, os.Symlink("fresh.db", early)) // the file does not exist yet
	here = openSQLite(t, early, Options{})
	refused(fresh, os.Getpid())
	refused(early, os.Getpid())
	must(t, here.Close())

	other := exec.CommandContext(t.Context(), os.Args[0])
	other.Env = append(os.Environ(), openedFile+"="+file)
	out, err := other.StdoutPipe()
	must(t, err)
	must(t, other.Start())
	if line, err := bufio.NewReader(out).ReadString('\n'); err != nil || line != "opened <nil>\n" {
		t.Fatalf("the other process said %q, %v", line, err)
	}
	refused(file, other.Process.Pid)
	must(t, other.Process.Kill())
	_ = other.Wait()
	if got := jobIDs(t, openSQLite(t, file, Options{})); len(got) != 1 {
		t.Errorf("after kill -9 the jobs are %s", got)
	}
}

func TestFilesThatCannotBeOpened(t *testing.T) {
	t.Parallel()
	for _, test := range []struct {
		name string
		make func(t *testing.T, file string) string
		want string
	}{
		{"not a database", func(t *testing.T, file string) string {
			must(t, os.WriteFile(file, []byte(strings.Repeat("not a database at all. ", 500)), 0o600))
			return file
		}, "is not a database"},
		{"another program's database", func(t *testing.T, file string) string {
			must(t, execSQL(t, file, `CREATE TABLE recipes (name TEXT)`))
			return file
		}, "is a database of another program, not of Routecard"},
		{"a newer version", func(t *testing.T, file string) string {
			must(t, openSQLite(t, file, Options{}).Close())
			must(t, execSQL(t, file, `INSERT INTO goose_db_version (version_id, is_applied) VALUES (99999, 1)`))
			return file
		}, "is from a newer version of Routecard (its tables have version 99999,"},
		{"missing folder", func(t *testing.T, file string) string {
			return filepath.Join(file, "missing", "shop.db")
		}, "no such file or directory"},
		{"a folder", func(t *testing.T, file string) string {
			must(t, os.Mkdir(file, 0o700))
			return file
		}, "is a folder, not a database file"},
		{"unwritable folder", func(t *testing.T, file string) string {
			return filepath.Join(readOnly(t, func(string) {}), "shop.db")
		}, "open "},
		{"unwritable database", func(t *testing.T, file string) string {
			return filepath.Join(readOnly(t, func(folder string) {
				must(t, openSQLite(t, filepath.Join(folder, "shop.db"), Options{}).Close())
			}), "shop.db")
		}, "open "},
	} {
		t.Run(test.name, func(t *testing.T) {
			t.Parallel()
			file := test.make(t, filepath.Join(t.TempDir(), "shop.db"))
			before, _ := os.ReadFile(file)
			store, err := OpenSQLite(t.Context(), file, Options{})
			if err == nil {
				_ = store.Close()
				t.Fatal("no error")
			}
			if !strings.Contains(err.Error(), test.want) || !strings.Contains(err.Error(), file) || strings.Contains(err.Error(), "\n") {
				t.Errorf("error is %q, want one about %s with %q", err, file, test.want)
			}
			if after, _ := os.ReadFile(file); !slices.Equal(before, after) {
				t.Error("the file was changed")
			}
		})
	}
}

// readOnly creates a folder without write access, with the files that fill creates. The folder is on a file system that is mounted
// read-only, because root can write to any other folder.
func readOnly(t *testing.T, fill func(folder string)) string {
	t.Helper()
	if os.Geteuid() != 0 {
		folder := t.TempDir()
		fill(folder)
		entries, err := os.ReadDir(folder)
		must(t, err)
		for _, entry := range entries {
			must(t, os.Chmod(filepath.Join(folder, entry.Name()), 0o400))
		}
		must(t, os.Chmod(folder, 0o500))
		t.Cleanup(func() { must(t, os.Chmod(folder, 0o700)) })
		return folder
	}
	folder := process.SmallDisk(t, "6m")
	fill(folder)
	if out, err := exec.CommandContext(t.Context(), "mount", "-o", "remount,ro", folder).CombinedOutput(); err != nil {
		t.Fatalf("mount: %v: %s", err, out)
	}
	return folder
}

// refuseWriting makes a file read-only: by its mode, or for root, which ignores modes, by a mount.
func refuseWriting(t *testing.T, file string) {
	t.Helper()
	if os.Geteuid() != 0 {
		must(t, os.Chmod(file, 0o400))
		return
	}
	for _, flags := range [][]string{{"--bind", file, file}, {"-o", "remount,bind,ro", file}} {
		if out, err := exec.CommandContext(t.Context(), "mount", flags...).CombinedOutput(); err != nil {
			t.Fatalf("mount: %v: %s", err, out)
		}
	}
	t.Cleanup(func() {
		if out, err := exec.CommandContext(context.WithoutCancel(t.Context()), "umount", file).CombinedOutput(); err != nil {
			t.Errorf("umount: %v: %s", err, out)
		}
	})
}

// TestOpenUnwritable opens a database of which one file cannot be written. If the start succeeded, every change would fail later.
func TestOpenUnwritable(t *testing.T) {
	t.Parallel()
	for _, ending := range []string{"", "-wal", "-shm"} {
		t.Run("database"+ending, func(t *testing.T) {
			t.Parallel()
			file := filepath.Join(process.SmallDisk(t, "8m"), "shop.db")
			store, err := OpenSQLite(t.Context(), file, Options{})
			must(t, err)
			must(t, store.Close())
			if ending != "" { // left by a service that was killed
				must(t, os.WriteFile(file+ending, nil, 0o600))
			}
			if err := Writable(file); err != nil {
				t.Error(err)
			}
			refuseWriting(t, file+ending)
			store, err = OpenSQLite(t.Context(), file, Options{})
			if err == nil {
				_ = store.Close()
			}
			for _, err := range []error{err, Writable(file)} {
				if err == nil || !strings.HasPrefix(err.Error(), file+ending+" cannot be written: ") {
					t.Errorf("error is %v, want one that names %s", err, file+ending)
				}
			}
		})
	}
}

// TestOpenOnFullDisk creates databases on disks that fill up at the first page and during the migrations.
func TestOpenOnFullDisk(t *testing.T) {
	t.Parallel()
	for _, size := range []string{"8k", "64k", "300k"} {
		file := filepath.Join(process.SmallDisk(t, size), "shop.db")
		store, err := OpenSQLite(t.Context(), file, Options{})
		if err == nil {
			_ = store.Close()
		}
		if want := "open " + file + ": there is no space left on its disk: free some, then start again"; err == nil || err.Error() != want {
			t.Errorf("with %s the error is %v, want %s", size, err, want)
		}
	}
}

func TestFullDisk(t *testing.T) {
	t.Parallel()
	folder := process.SmallDisk(t, "6m")
	ballast := filepath.Join(folder, "ballast")
	must(t, os.WriteFile(ballast, make([]byte, 2<<20), 0o600))
	store := openSQLite(t, filepath.Join(folder, "shop.db"), Options{})
	name := strings.Repeat("x", 10_000)
	written, n := []string{}, 0
	insert := func() error {
		n++
		id := fmt.Sprintf("job_%05d", n)
		err := store.Update(t.Context(), func(tx shop.Tx) error {
			return errors.Join(tx.InsertJob(shop.Job{ID: id, Name: name}), tx.AppendAudit(trail.Entry{Action: "x", JobID: id}))
		})
		if err == nil {
			written = append(written, id)
		}
		return err
	}
	agree := func() {
		t.Helper()
		if got := jobIDs(t, store); !slices.Equal(got, written) {
			t.Fatalf("%d jobs are there, %d were written", len(got), len(written))
		}
		for _, id := range written {
			must(t, store.View(t.Context(), func(tx shop.Reader) error {
				entries := 0
				for _, err := range tx.AuditOfJob(id) {
					if err != nil {
						return err
					}
					entries++
				}
				if entries != 1 {
					return fmt.Errorf("%s has %d audit entries", id, entries)
				}
				return nil
			}))
		}
	}
	full := func() bool { // the checkpointer may free space a few times
		failed := 0
		for ; failed < 20 && n < 5_000; failed++ {
			if insert() == nil {
				return false
			}
		}
		return failed == 20
	}
	eventually(t, "the disk is full", full)
	agree()
	eventually(t, "Ready reports the full disk", func() bool {
		_ = insert()
		return store.Ready(t.Context()) != nil
	})
	must(t, os.Remove(ballast))
	eventually(t, "Ready is nil again", func() bool { return store.Ready(t.Context()) == nil })
	must(t, insert())
	agree()
	must(t, store.Close())
	store = openSQLite(t, filepath.Join(folder, "shop.db"), Options{})
	agree()
}

func TestLogIsFoldedBack(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "shop.db")
	store := openSQLite(t, file, Options{})
	stock(t, store, 1)
	name := strings.Repeat("x", 20_000) // five pages
	stop, stopped := make(chan struct{}), make(chan error, 1)
	go func() { // some View is always open: each ends after the next has begun
		var wg sync.WaitGroup
		var failed error
		release := make(chan struct{})
		for running := true; running && failed == nil; {
			opened, next := make(chan error, 1), make(chan struct{})
			wg.Go(func() {
				_ = store.View(context.Background(), func(tx shop.Reader) error {
					_, err := tx.Job("job_1")
					opened <- err
					<-next
					return nil
				})
			})
			failed = <-opened
			close(release)
			release = next
			select {
			case <-stop:
				running = false
			default:
			}
		}
		close(release)
		wg.Wait()
		stopped <- failed
	}()
	// The log is folded back when its next write starts from the beginning, so the part of it that is in use becomes shorter.
	conn := connection(t, store)
	last, falls, n := int64(0), 0, 0
	eventually(t, "the log began again three times under writes", func() bool {
		must(t, store.Update(t.Context(), func(tx shop.Tx) error {
			for range 100 {
				n++
				if err := tx.InsertJob(shop.Job{ID: fmt.Sprintf("job_%07d", n), Name: name}); err != nil {
					return err
				}
			}
			return nil
		}))
		frames := logLength(t, conn)
		if frames < last {
			falls++
		}
		last = frames
		return falls >= 3
	})
	close(stop)
	must(t, <-stopped)
	must(t, conn.close())
	must(t, store.Close())
	if info, err := os.Stat(file + "-wal"); err == nil && info.Size() > 0 {
		t.Errorf("after Close the log still has %d bytes", info.Size())
	}
	if got := jobIDs(t, openSQLite(t, file, Options{})); len(got) != n+1 {
		t.Errorf("%d jobs, want %d", len(got), n+1)
	}
}
