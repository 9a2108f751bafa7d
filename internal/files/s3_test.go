package files_test

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/johannesboyne/gofakes3"
	"github.com/johannesboyne/gofakes3/backend/s3mem"

	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/shoptest"
)

// bucket is an S3 server from an external library with one bucket, and with faults that a test sets.
type bucket struct {
	*httptest.Server
	place files.S3
	wrong atomic.Pointer[http.HandlerFunc] // responds instead of the server; nil for no fault
}

func openBucket(t *testing.T) *bucket {
	t.Helper()
	backend := s3mem.New()
	if err := backend.CreateBucket("shop"); err != nil {
		t.Fatal(err)
	}
	server := gofakes3.New(backend).Server()
	b := &bucket{}
	b.Server = httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if wrong := b.wrong.Load(); wrong != nil {
			(*wrong)(w, r)
			return
		}
		server.ServeHTTP(w, r)
	}))
	t.Cleanup(b.Close)
	b.place = files.S3{Bucket: shoptest.Must(files.NewBucket(files.S3Config{
		Address: "s3://shop/files/bodies", Endpoint: b.URL, AccessKey: "a", SecretKey: "b",
	}))}
	return b
}

func (b *bucket) does(wrong http.HandlerFunc) { b.wrong.Store(&wrong) }

func openOnS3(t *testing.T) (*kept, *bucket) {
	t.Helper()
	b := openBucket(t)
	s := &kept{Shop: shoptest.Open(t)}
	s.Keeper = files.New(b.place, s.Service, 1<<30, func() time.Time { return time.UnixMilli(s.Clock.Load()) }, slog.New(slog.DiscardHandler))
	return s, b
}

// docs/files.md, "Where they are kept": a bucket works like a folder.
func TestFilesInABucket(t *testing.T) {
	t.Parallel()
	s, b := openOnS3(t)
	ctx := t.Context()
	const text = "as drawn\n"
	file := shoptest.Must(s.Upload(ctx, strings.NewReader(text)))
	if again := shoptest.Must(s.Upload(ctx, strings.NewReader(text))); file.Existed || !again.Existed {
		t.Errorf("existed %t, then %t", file.Existed, again.Existed)
	}
	_, content, err := s.Keeper.Open(ctx, file.SHA256)
	if err != nil {
		t.Fatal(err)
	}
	defer content.Close()
	shoptest.Must(content.Seek(3, io.SeekStart))
	if got := string(shoptest.Must(io.ReadAll(content))); got != text[3:] {
		t.Errorf("handed out %q", got)
	}
	if _, err := b.place.Open(ctx, strings.Repeat("0", 64)); !errors.Is(err, files.ErrMissing) {
		t.Errorf("a file that there is not: %v", err)
	}
	if err := b.place.Probe(ctx); err != nil {
		t.Error(err)
	}
	var all []string
	for stored, err := range b.place.All(ctx) {
		if err != nil {
			t.Fatal(err)
		}
		all = append(all, stored.Digest)
	}
	if len(all) != 1 || all[0] != file.SHA256 {
		t.Errorf("in the bucket are %s", all)
	}
	shoptest.Must(0, b.place.Remove(ctx, file.SHA256))
	shoptest.Must(0, b.place.Remove(ctx, file.SHA256))
	if _, err := b.place.Open(ctx, file.SHA256); !errors.Is(err, files.ErrMissing) {
		t.Errorf("a file that was removed: %v", err)
	}
}

// If the server is unavailable or refuses, nothing is stored and the caller gets an error.
func TestABucketThatIsAway(t *testing.T) {
	t.Parallel()
	s, b := openOnS3(t)
	b.does(func(w http.ResponseWriter, _ *http.Request) { w.WriteHeader(http.StatusForbidden) })
	refused := func(what string) {
		t.Helper()
		_, err := s.Upload(t.Context(), strings.NewReader("text"))
		if err == nil || !strings.Contains(err.Error(), "Files cannot be kept just now") {
			t.Errorf("%s: %v", what, err)
		}
	}
	refused("forbidden")
	if s.Trouble() == "" {
		t.Error("the health does not tell")
	}
	b.Close()
	refused("away")
	if _, _, err := s.Keeper.Open(t.Context(), digestOf("text")); err == nil {
		t.Error("what was not kept is handed out")
	}
}

// A cancelled upload does not wait for a slow server.
func TestABucketThatIsSlow(t *testing.T) {
	t.Parallel()
	s, b := openOnS3(t)
	asked := make(chan struct{}, 100)
	b.does(func(_ http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		asked <- struct{}{}
		<-r.Context().Done()
	})
	ctx, give := context.WithCancel(t.Context())
	done := make(chan error, 1)
	go func() {
		_, err := s.Upload(ctx, strings.NewReader("text"))
		done <- err
	}()
	<-asked
	give()
	if err := <-done; err == nil {
		t.Error("it is said to be kept")
	}
}

// If the server reports another length than that of the uploaded or downloaded file, the operation fails.
func TestABucketThatLiesAboutLengths(t *testing.T) {
	t.Parallel()
	s, b := openOnS3(t)
	shoptest.Must(s.Upload(t.Context(), strings.NewReader("whole")))
	b.does(func(w http.ResponseWriter, r *http.Request) {
		_, _ = io.Copy(io.Discard, r.Body)
		w.Header().Set("ETag", `"0"`)
		w.Header().Set("Last-Modified", "Sat, 31 Jan 2026 09:30:00 GMT")
		w.Header().Set("Content-Length", "3")
		if r.Method == http.MethodGet {
			_, _ = io.WriteString(w, "who")
		}
	})
	if _, err := s.Upload(t.Context(), strings.NewReader("another")); err == nil {
		t.Error("a file that the server does not have whole is said to be kept")
	}
	if _, _, err := s.Keeper.Open(t.Context(), digestOf("whole")); err == nil {
		t.Error("a file that is too short is handed out")
	}
}
