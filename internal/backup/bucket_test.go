package backup_test

import (
	"bytes"
	"context"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sqlstore"
)

// bucketServer is an S3 server from an external library, with faults that a test sets.
type bucketServer struct {
	*httptest.Server
	bucket *files.Bucket
	wrong  atomic.Pointer[func(next http.Handler, w http.ResponseWriter, r *http.Request)] // responds instead of the server; nil for no fault
}

func openBucketServer(t *testing.T) *bucketServer {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("shop"); err != nil {
		t.Fatal(err)
	}
	right, b := gofakes3.New(backend).Server(), &bucketServer{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wrong := b.wrong.Load(); wrong != nil {
			(*wrong)(right, w, r)
			return
		}
		right.ServeHTTP(w, r)
	}))
	t.Cleanup(b.Close)
	var err error
	b.bucket, err = files.NewBucket(files.S3Config{Address: "s3://shop/backups", Endpoint: b.URL, AccessKey: "a", SecretKey: "b"})
	if err != nil {
		t.Fatal(err)
	}
	return b
}

func (b *bucketServer) does(wrong func(next http.Handler, w http.ResponseWriter, r *http.Request)) {
	b.wrong.Store(&wrong)
}

// keys returns the keys of the objects in the bucket.
func (b *bucketServer) keys(t *testing.T) (keys []string) {
	t.Helper()
	for object, err := range b.bucket.All(t.Context(), "") {
		if err != nil {
			t.Fatal(err)
		}
		keys = append(keys, object.Key)
	}
	return keys
}

func (s *sealedShop) takeToBucket(ctx context.Context, b *bucketServer, keep int) (backup.Manifest, error) {
	s.clock = s.clock.Add(time.Minute)
	return backup.Take(ctx, backup.Options{
		Database: s.file, Files: s.place(), Bucket: b.bucket, Keep: backup.Keep{Count: keep}, Version: "test", Now: s.clock,
	})
}

// shopWithFiles returns a shop with this many attached files.
func shopWithFiles(t *testing.T, texts ...string) *sealedShop {
	t.Helper()
	s := newShop(t)
	s.work(func(store sqlstore.Store) {
		service, keeper := s.office(store)
		job := s.job(service)
		for _, text := range texts {
			s.must(attach(t, service, keeper, job, text))
		}
	})
	return s
}

// fetchAndRestore restores a backup of a bucket as the command does, and returns the new database.
func (s *sealedShop) fetchAndRestore(b *bucketServer, name string) (string, backup.Restored, error) {
	s.Helper()
	file, err := backup.Fetch(s.Context(), b.bucket, name, s.TempDir())
	if err != nil {
		return "", backup.Restored{}, err
	}
	to := filepath.Join(s.TempDir(), "restored.db")
	done, err := backup.Restore(s.Context(), backup.Restoration{
		From: file, Attached: backup.FilesIn(b.bucket), To: to, KeyFiles: []string{to + ".ledger-key"}, User: "ann",
		Clock: time.Now, Logger: slog.New(slog.DiscardHandler),
	})
	return to, done, err
}

// docs/running.md, "Backups in a bucket": each file is sent once for all backups, the newest backup stays, and a restore has all files.
func TestBackupToABucket(t *testing.T) {
	t.Parallel()
	s, b := shopWithFiles(t, "first", "second"), openBucketServer(t)
	one, err := s.takeToBucket(t.Context(), b, 2)
	s.must(err)
	s.work(func(store sqlstore.Store) {
		service, keeper := s.office(store)
		s.must(attach(t, service, keeper, s.job(service), "third"))
	})
	var sent atomic.Int64
	b.does(func(next http.Handler, w http.ResponseWriter, r *http.Request) {
		if r.Method == http.MethodPut {
			sent.Add(1)
		}
		next.ServeHTTP(w, r)
	})
	two, err := s.takeToBucket(t.Context(), b, 2)
	s.must(err)
	if sent.Load() != 3 { // the database, its manifest, and the file that was missing
		t.Errorf("%d objects were sent for the second backup", sent.Load())
	}
	three, err := s.takeToBucket(t.Context(), b, 2)
	s.must(err)
	listed, err := backup.ListBucket(t.Context(), b.bucket)
	s.must(err)
	if len(listed) != 2 || listed[0].File != three.File || listed[1].File != two.File || one.Files.Count != 2 || three.Files.Count != 3 {
		t.Errorf("backups are %+v", listed)
	}
	if keys := b.keys(t); len(keys) != 7 || slices.Contains(keys, one.File) {
		t.Errorf("in the bucket are %s", keys)
	}
	for _, name := range []string{"", two.File} {
		restored, done, err := s.fetchAndRestore(b, name)
		s.must(err)
		if missing, named := s.missing(restored, files.NewFolder(files.Beside(restored), false)); missing > 0 || named != 3 || done.Files.Count != 3 {
			t.Errorf("%d of %d files are missing; %+v", missing, named, done.Files)
		}
	}
	if left, err := os.ReadDir(s.file + ".sending/made"); err == nil {
		t.Errorf("beside the database are left %v", left)
	}
}

// If the server refuses, loses or changes an object, the backup fails, and earlier backups stay.
func TestBackupToAServerThatFails(t *testing.T) {
	t.Parallel()
	s, b := shopWithFiles(t, "first"), openBucketServer(t)
	before, err := s.takeToBucket(t.Context(), b, 1)
	s.must(err)
	refuse := func(status int) func(http.Handler, http.ResponseWriter, *http.Request) {
		return func(_ http.Handler, w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.WriteHeader(status)
		}
	}
	whenPut := func(end string, do func(http.Handler, http.ResponseWriter, *http.Request)) func(http.Handler, http.ResponseWriter, *http.Request) {
		return func(next http.Handler, w http.ResponseWriter, r *http.Request) {
			if r.Method == http.MethodPut && strings.HasSuffix(r.URL.Path, end) {
				do(next, w, r)
				return
			}
			next.ServeHTTP(w, r)
		}
	}
	lying := func(next http.Handler, w http.ResponseWriter, r *http.Request) { // the server's disk changes a byte
		if r.Method != http.MethodGet || !strings.HasSuffix(r.URL.Path, ".db") {
			next.ServeHTTP(w, r)
			return
		}
		recorded := httptest.NewRecorder()
		next.ServeHTTP(recorded, r)
		body := bytes.Clone(recorded.Body.Bytes())
		body[len(body)/2] ^= 1
		for name, values := range recorded.Header() {
			w.Header()[name] = values
		}
		w.WriteHeader(recorded.Code)
		_, _ = w.Write(body)
	}
	for name, wrong := range map[string]func(http.Handler, http.ResponseWriter, *http.Request){
		"it refuses everything":      refuse(http.StatusForbidden),
		"it is full at the database": whenPut(".db", refuse(http.StatusInsufficientStorage)),
		"it is full at the manifest": whenPut(".json", refuse(http.StatusInsufficientStorage)),
		"it forgets what it took": whenPut(".db", func(_ http.Handler, w http.ResponseWriter, r *http.Request) {
			_, _ = io.Copy(io.Discard, r.Body)
			w.Header().Set("ETag", `"d41d8cd98f00b204e9800998ecf8427e"`)
		}),
		"it changes what it took": lying,
	} {
		b.does(wrong)
		if _, err := s.takeToBucket(t.Context(), b, 1); err == nil {
			t.Errorf("%s, and the backup is made", name)
		}
		b.wrong.Store(nil)
		listed, err := backup.ListBucket(t.Context(), b.bucket)
		s.must(err)
		if len(listed) != 1 || listed[0].File != before.File {
			t.Errorf("%s, and afterwards the backups are %+v", name, listed)
		}
	}
	b.does(lying)
	if _, _, err := s.fetchAndRestore(b, before.File); err == nil || !strings.Contains(err.Error(), "not what its manifest says") {
		t.Errorf("restoring what a server changed: %v", err)
	}
	b.wrong.Store(nil)
	restored, _, err := s.fetchAndRestore(b, "")
	s.must(err)
	if _, err := os.Stat(restored); err != nil {
		t.Error(err)
	}
	b.Close()
	if _, err := s.takeToBucket(t.Context(), b, 1); err == nil {
		t.Error("the server is away, and the backup is made")
	}
}

// A cancelled backup does not wait for a slow server.
func TestBackupToASlowServerStops(t *testing.T) {
	t.Parallel()
	s, b := shopWithFiles(t, "first"), openBucketServer(t)
	ctx, stop := context.WithCancel(t.Context())
	b.does(func(_ http.Handler, _ http.ResponseWriter, r *http.Request) {
		stop()
		<-r.Context().Done()
	})
	if _, err := s.takeToBucket(ctx, b, 1); err == nil || ctx.Err() == nil {
		t.Errorf("error is %v", err)
	}
}
