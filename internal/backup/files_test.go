package backup_test

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"
	"sync"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

func (s *sealedShop) place() *files.Folder { return files.NewFolder(files.Beside(s.file), false) }

// office returns the service on a store, with a keeper for files.
func (s *sealedShop) office(store sqlstore.Store) (*shop.Service, *files.Keeper) {
	service := shop.New(store, time.Now, ident.NewIdentifiers(time.Now))
	return service, files.New(s.place(), service, 1<<20, time.Now, slog.New(slog.DiscardHandler))
}

// attach uploads a text and attaches it to a job.
func attach(t *testing.T, service *shop.Service, keeper *files.Keeper, jobID, text string) error {
	file, err := keeper.Upload(t.Context(), strings.NewReader(text))
	if err != nil {
		return err
	}
	_, err = service.AttachFile(t.Context(), shop.FileSubject{Kind: shop.RecordJob, ID: jobID}, shop.AttachFileInput{
		SHA256: input.Given(file.SHA256), Name: input.Given("a.txt"), Kind: input.Given("other"), UserID: input.Given("ann"),
	})
	return err
}

func (s *sealedShop) job(service *shop.Service) string {
	s.Helper()
	job, err := service.CreateJob(s.Context(), shop.CreateJobInput{Name: input.Given("Valve"), GoalQuantity: input.Given(1.0)})
	s.must(err)
	return job.ID
}

func (s *sealedShop) takeWithFiles() (backup.Manifest, error) {
	s.clock = s.clock.Add(time.Minute)
	return backup.Take(s.Context(), backup.Options{
		Database: s.file, Files: s.place(), Folder: s.folder, Keep: backup.Keep{Count: 1}, Version: "test", Now: s.clock,
	})
}

// missing returns the number of files in a database whose bytes are missing or altered in a folder, and the number of all files.
func (s *sealedShop) missing(file string, place files.Place) (missing, named int64) {
	s.Helper()
	s.must(sqlstore.ReadOnly(s.Context(), file, func(tx shop.Reader) error {
		done, err := files.Check(s.Context(), place, tx.KeptFiles(), func(string, string) { missing++ })
		named = done.Files
		return err
	}))
	return missing, named
}

// docs/files.md, "What it proves": a backup that is made while others upload and attach files has every file that its database refers to,
// and is restored with them.
func TestBackupHasTheFilesThatItsDatabaseNames(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	var manifest backup.Manifest
	s.work(func(store sqlstore.Store) {
		service, keeper := s.office(store)
		job := s.job(service)
		s.must(attach(t, service, keeper, job, "first"))
		_, err := keeper.Upload(t.Context(), strings.NewReader("nobody attaches this"))
		s.must(err)
		var writers sync.WaitGroup
		stop, begun := make(chan struct{}), make(chan struct{}, 4)
		for writer := range 4 {
			writers.Go(func() {
				for n := 0; ; n++ {
					if err := attach(t, service, keeper, job, fmt.Sprintf("writer %d, file %d", writer, n)); err != nil {
						t.Error(err)
						begun <- struct{}{}
						return
					}
					if n == 2 {
						begun <- struct{}{}
					}
					select {
					case <-stop:
						return
					default:
					}
				}
			})
		}
		for range 4 {
			<-begun
		}
		for range 3 {
			manifest, err = s.takeWithFiles()
			if err != nil {
				t.Error(err)
			}
		}
		close(stop)
		writers.Wait()
	})
	if manifest.Files.Count < 13 {
		t.Fatalf("the backup has %d files", manifest.Files.Count)
	}
	if names := s.files(); len(names) != 3 {
		t.Errorf("in the folder are %s, and one backup is to stay", names)
	}
	restored := filepath.Join(t.TempDir(), "restored.db")
	done, err := s.restore(manifest, restored)
	s.must(err)
	missing, named := s.missing(restored, files.NewFolder(files.Beside(restored), false))
	if missing > 0 || named != manifest.Files.Count || done.Files != manifest.Files {
		t.Errorf("%d of %d files are missing or altered; %+v came back of %+v", missing, named, done.Files, manifest.Files)
	}
}

// If a file is altered or missing, the backup fails and leaves nothing.
func TestBackupOfAnAlteredFileFails(t *testing.T) {
	t.Parallel()
	for name, spoil := range map[string]func(path string) error{
		"altered": func(path string) error { return os.WriteFile(path, []byte("ALTERED"), 0o600) },
		"missing": os.Remove,
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			s := newShop(t)
			s.work(func(store sqlstore.Store) {
				service, keeper := s.office(store)
				s.must(attach(t, service, keeper, s.job(service), "drawing"))
				for stored, err := range s.place().All(t.Context()) {
					path, pathErr := s.place().Path(stored.Digest)
					s.must(errors.Join(err, pathErr, spoil(path)))
				}
			})
			if _, err := s.takeWithFiles(); err == nil {
				t.Error("the backup is said to be good")
			}
			if left := s.files(); len(left) > 0 {
				t.Errorf("left %s", left)
			}
		})
	}
}

func TestRestoreRefusesAlteredFiles(t *testing.T) {
	t.Parallel()
	s := newShop(t)
	s.work(func(store sqlstore.Store) {
		service, keeper := s.office(store)
		s.must(attach(t, service, keeper, s.job(service), "drawing"))
	})
	manifest, err := s.takeWithFiles()
	s.must(err)
	kept := files.NewFolder(filepath.Join(s.folder, strings.TrimSuffix(manifest.File, ".db")+".files"), true)
	for stored, err := range kept.All(t.Context()) {
		path, pathErr := kept.Path(stored.Digest)
		s.must(errors.Join(err, pathErr, os.Remove(path), os.WriteFile(path, []byte("ALTERED"), 0o600)))
	}
	to := filepath.Join(t.TempDir(), "restored.db")
	if _, err := s.restore(manifest, to); err == nil || !strings.Contains(err.Error(), "altered") {
		t.Errorf("restored, %v", err)
	}
	if _, err := os.Stat(to); err == nil {
		t.Error("there is a database now")
	}
}
