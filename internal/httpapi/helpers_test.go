package httpapi

import (
	"context"
	"crypto/sha256"
	"database/sql"
	"encoding/hex"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/internal/web/paper"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// servedShop is the whole service on a database of its own, as clients see it.
type servedShop struct {
	*httptest.Server
	face     *Server
	store    sqlstore.Store
	database enginetest.Database
	halt     func() // stops the sealing of a shop with a ledger
}

// openStore opens a new database that is closed with the test.
func openStore(t *testing.T) (sqlstore.Store, enginetest.Database) {
	t.Helper()
	database := enginetest.New(t)
	return database.Open(t), database
}

// clockwork returns a clock that advances one second with every reading, so that times in responses differ.
func clockwork() ident.Clock {
	var asked atomic.Int64
	start := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	return func() time.Time { return start.Add(time.Duration(asked.Add(1)) * time.Second) }
}

const testMaxBody = 1 << 20

// newFace makes the handler under test on a store.
func newFace(store sqlstore.Store, change func(*Config)) *Server {
	clock := clockwork()
	var config Config
	papers := shop.WithPapers(paper.New(time.UTC, func() *files.Keeper { return config.Files }))
	config = Config{
		Service: shop.New(store, clock, ident.NewIdentifiers(clock), papers), Ready: store.Ready,
		Logger: slog.New(slog.DiscardHandler), Metrics: NewMetrics(), MaxBody: testMaxBody,
	}
	config.Service.KeepBytesWith(keepNowhere(config.Service))
	if change != nil {
		change(&config)
	}
	config.Views = views.New(store, config.Service)
	return New(config)
}

// keepNowhere records files that operations create, and drops their bytes.
func keepNowhere(service *shop.Service) func(ctx context.Context, bytes io.Reader) (shop.File, error) {
	return func(ctx context.Context, bytes io.Reader) (shop.File, error) {
		digest := sha256.New()
		size, err := io.Copy(digest, bytes)
		if err != nil {
			return shop.File{}, err
		}
		file := shop.File{SHA256: hex.EncodeToString(digest.Sum(nil)), Size: size, Type: "application/json"}
		if err := service.ExpectFile(ctx, file); err != nil {
			return file, err
		}
		return service.KeepFile(ctx, file.SHA256)
	}
}

// openShop starts the service.
func openShop(t *testing.T, change func(*Config)) *servedShop {
	t.Helper()
	store, database := openStore(t)
	return serve(t, newFace(store, change), store, database)
}

// serve starts a server with the handler.
func serve(t *testing.T, face *Server, store sqlstore.Store, database enginetest.Database) *servedShop {
	t.Helper()
	server := httptest.NewServer(face)
	t.Cleanup(server.Close)
	return &servedShop{Server: server, face: face, store: store, database: database}
}

// answered is the response to a request.
type answered struct {
	status int
	header http.Header
	body   string
}

// send sends one request and reads the whole response.
func (s *servedShop) send(ctx context.Context, method, target, body string, header ...[2]string) (answered, error) {
	var content io.Reader
	if body != "" {
		content = strings.NewReader(body)
	}
	request, err := http.NewRequestWithContext(ctx, method, s.URL+target, content)
	if err != nil {
		return answered{}, err
	}
	if body != "" {
		request.Header.Set("Content-Type", "application/json")
	}
	for _, field := range header {
		request.Header.Set(field[0], field[1])
	}
	response, err := s.Client().Do(request)
	if err != nil {
		return answered{}, err
	}
	defer response.Body.Close()
	text, err := io.ReadAll(response.Body)
	if err == nil && response.StatusCode >= http.StatusBadRequest && len(text) > 0 && response.Header.Get("Content-Type") == jsonType {
		_, err = checkError(response.StatusCode, string(text))
	}
	return answered{response.StatusCode, response.Header, string(text)}, err
}

// must sends a request that must get this status.
func (s *servedShop) must(t *testing.T, status int, method, target, body string, header ...[2]string) answered {
	t.Helper()
	got, err := s.send(t.Context(), method, target, body, header...)
	if err != nil {
		t.Fatalf("%s %s: %v", method, target, err)
	}
	if got.status != status {
		t.Fatalf("%s %s: status %d, want %d: %s", method, target, got.status, status, got.body)
	}
	return got
}

// backDoor opens the database without the service, and without foreign keys.
func (s *servedShop) backDoor(t *testing.T) *sql.DB {
	t.Helper()
	return s.database.BackDoor(t)
}

// contents returns every row of every table except the counters, which may change at any time.
func contents(t *testing.T, db *sql.DB) string {
	t.Helper()
	return enginetest.Contents(t, db, "counter")
}

func column(t *testing.T, db *sql.DB, query string) []string {
	t.Helper()
	rows, err := db.QueryContext(t.Context(), query)
	if err != nil {
		t.Fatal(err)
	}
	defer rows.Close()
	var values []string
	for rows.Next() {
		var value string
		if err := rows.Scan(&value); err != nil {
			t.Fatal(err)
		}
		values = append(values, value)
	}
	if err := rows.Err(); err != nil {
		t.Fatal(err)
	}
	return values
}

func count(t *testing.T, db *sql.DB, query string, args ...any) (n int) {
	t.Helper()
	if err := db.QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
		t.Fatal(err)
	}
	return n
}

func TestOnPostgres(t *testing.T) {
	t.Parallel()
	enginetest.OnPostgres(t)
}
