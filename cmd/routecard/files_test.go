package main

import (
	"bytes"
	"context"
	"errors"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// docs/files.md, "What it proves": verify and files check compare attached files with their digests, and only files without a record are
// pruned.
func TestFilesAreVerifiedCheckedAndPruned(t *testing.T) {
	t.Parallel()
	s := &sealedShop{T: t, file: filepath.Join(t.TempDir(), "shop.db")}
	place := files.NewFolder(files.Beside(s.file), false)
	keep := func(keeper *files.Keeper, text string) (shop.File, error) {
		return keeper.Upload(t.Context(), strings.NewReader(text))
	}
	var drawing shop.File
	s.work(func(store sqlstore.Store, _ *sealer.Sealer) error {
		service := shop.New(store, time.Now, ident.NewIdentifiers(time.Now))
		keeper := files.New(place, service, 1<<20, time.Now, slog.New(slog.DiscardHandler))
		job, err := service.CreateJob(t.Context(), shop.CreateJobInput{Name: input.Given("Valve"), GoalQuantity: input.Given(1.0)})
		if err != nil {
			return err
		}
		if drawing, err = keep(keeper, "drawing"); err != nil {
			return err
		}
		_, err = service.AttachFile(t.Context(), shop.FileSubject{Kind: shop.RecordJob, ID: job.ID}, shop.AttachFileInput{
			SHA256: input.Given(drawing.SHA256), Name: input.Given("a.txt"), Kind: input.Given("drawing"), UserID: input.Given("ann"),
		})
		return err
	})
	says := func(status int, text string, args ...string) {
		t.Helper()
		var out, problems bytes.Buffer
		got := run(context.Background(), append(args, "--database", s.file), &out, &problems)
		if told := out.String() + problems.String(); got != status || !strings.Contains(told, text) {
			t.Errorf("%s: status %d, want %d and %q:\n%s", args, got, status, text, told)
		}
	}
	says(0, "Proved", "verify")
	says(0, "1 files with 7 bytes were checked", "files", "check")

	unknown := strings.Repeat("0", 64)
	path, err := place.Path(unknown)
	s.must(err)
	s.must(errors.Join(os.MkdirAll(filepath.Dir(path), 0o700), os.WriteFile(path, []byte("?"), 0o600)))
	says(0, "1 files with 1 bytes were removed", "files", "prune")
	says(0, "0 files with 0 bytes were removed", "files", "prune")

	path, err = place.Path(drawing.SHA256)
	s.must(err)
	s.must(os.WriteFile(path, []byte("DRAWING"), 0o600))
	says(1, "the bytes of the file "+drawing.SHA256+" were altered", "verify")
	says(0, "Proved", "verify", "--no-files")
	says(1, ", files are missing or altered.", "verify")
	says(1, "were altered", "files", "check")
	s.must(os.Remove(path))
	says(1, "are missing", "verify")
	says(1, "are missing", "files", "check")

	// An altered link to a file is found even if the file itself is unaltered.
	s.must(os.WriteFile(path, []byte("drawing"), 0o600))
	s.tamper(`UPDATE file_link SET name = 'b.txt'`)
	says(1, ", records do not follow from the trail.", "verify")
	s.must(os.Remove(path))
	says(1, ", records do not follow from the trail, files are missing or altered.", "verify")
}

// TestBackupIsVerifiedWithItsFiles verifies a backup at another place than the shop, with the files of the backup's own folder.
func TestBackupIsVerifiedWithItsFiles(t *testing.T) {
	t.Parallel()
	f := newPathFixture(t)
	backups, err := filepath.Glob(filepath.Join(f.folder, "backups", "*.db"))
	if err != nil || len(backups) != 1 {
		t.Fatalf("backups %q: %v", backups, err)
	}
	w := <-f.workers(t)
	says := func(status int, text string, args ...string) {
		t.Helper()
		got := w.run(t, filepath.Dir(backups[0]), "", append(args, "--database", filepath.Base(backups[0])))
		if got.Status != status || !strings.Contains(got.Output, text) {
			t.Errorf("%q: status %d, want %d and %q:\n%s", args, got.Status, status, text, got.Output)
		}
	}
	says(0, "Proved", "verify")
	says(0, "1 files with 7 bytes were checked", "files", "check")
	if err := os.RemoveAll(strings.TrimSuffix(backups[0], ".db") + ".files"); err != nil {
		t.Fatal(err)
	}
	says(1, ", files are missing or altered.", "verify")
}

// TestVerifySaysThatFilesWereNotChecked verifies a PostgreSQL database with files, with and without the setting for the place of the files.
func TestVerifySaysThatFilesWereNotChecked(t *testing.T) {
	t.Parallel()
	database, folder := pgtest.Database(t), t.TempDir()
	service := process.Serve(t, "--database", database, "--files", folder, "--ledger-key-file", filepath.Join(t.TempDir(), "key"),
		"--ledger-interval", "10ms", "--log-level", "warn")
	f := &pathFixture{folder: t.TempDir()}
	f.fill(t, service.URL)
	if err := service.Stop(); err != nil {
		t.Fatal(err)
	}
	const notChecked = "Not checked: the bytes of files, as --files does not say where they are.\n"
	for _, one := range []struct {
		flags []string
		says  bool
	}{{nil, true}, {[]string{"--no-files"}, false}, {[]string{"--files", folder}, false}} {
		var output strings.Builder
		status := run(t.Context(), append([]string{"verify", "--database", database}, one.flags...), &output, &output)
		if says := strings.Contains(output.String(), notChecked); status != 0 || says != one.says {
			t.Errorf("%q: status %d\n%s", one.flags, status, output.String())
		}
	}
}

// TestNameWithoutPasskeys starts a service under a public name for which browsers accept no passkeys: the service warns of it.
func TestNameWithoutPasskeys(t *testing.T) {
	t.Parallel()
	flags := []string{"--database", filepath.Join(t.TempDir(), "shop.db"), "--public-url", "https://shop-server", "--auth", "all"}
	var out, problems bytes.Buffer
	if status := run(t.Context(), append([]string{"config", "check"}, flags...), &out, &problems); status != 0 ||
		!strings.Contains(problems.String(), "there are no passkeys at https://shop-server") {
		t.Errorf("config check: status %d, %s", status, problems.String())
	}
	s := process.Serve(t, flags...)
	if err := s.Stop(); err != nil || !strings.Contains(s.Stderr.String(), "there are no passkeys at https://shop-server") {
		t.Errorf("%v, %s", err, s.Stderr.String())
	}
}
