package main

import (
	"bytes"
	"database/sql"
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/httpapi"
	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// A row that cannot be read is a finding, and hides no other finding. In the interface, only the record of that row is missing.
func TestRowsThatCannotBeRead(t *testing.T) {
	t.Parallel()
	s := newSealedShop(t)
	text := func(query string) (text string) {
		t.Helper()
		db, err := sql.Open("sqlite", s.file)
		s.must(err)
		s.must(db.QueryRowContext(t.Context(), query).Scan(&text))
		s.must(db.Close())
		return text
	}
	spoiled := map[string]struct{ id, column, list string }{
		"job":         {text("SELECT MAX(id) FROM job"), "labels", "/api/jobs"},
		"note":        {text("SELECT MAX(id) FROM note WHERE step_id <> ''"), "serial_ids", ""},
		"bom":         {text("SELECT MAX(id) FROM bom"), "entries", "/api/bom"},
		"template":    {text("SELECT MAX(id) FROM template"), "steps", "/api/templates"},
		"certificate": {text("SELECT MAX(id) FROM certificate"), "metadata", "/api/certs"},
	}
	var statements []string
	for table, row := range spoiled {
		statements = append(statements, fmt.Sprintf("UPDATE %s SET %s = '{broken' WHERE id = '%s'", table, row.column, row.id))
	}
	statements = append(statements, "UPDATE audit SET metadata = '{broken' WHERE sequence = 44", "UPDATE nonconformance SET title = 'nothing' WHERE number = 1")
	noteStep := text("SELECT step_id FROM note WHERE id = '" + spoiled["note"].id + "'")
	s.tamper(statements...)

	status, output := s.verify("--database", s.file)
	for table, row := range spoiled {
		if want := fmt.Sprintf("- %s %s cannot be read: ", table, row.id); !strings.Contains(output, want) {
			t.Errorf("without %q", want)
		}
	}
	if status != 1 || !strings.Contains(output, "the report NCR-00001 does not follow from its entries: title") ||
		!strings.Contains(output, "aud_0000000000000044 was changed: its metadata is no JSON") {
		t.Errorf("%d\n%s", status, output)
	}

	var logged bytes.Buffer
	logger := slog.New(slog.NewTextHandler(&logged, nil))
	store, err := sqlstore.OpenSQLite(t.Context(), s.file, sqlstore.Options{Logger: logger})
	s.must(err)
	defer store.Close()
	service := shop.New(store, time.Now, ident.NewIdentifiers(time.Now))
	server := httptest.NewServer(httpapi.New(httpapi.Config{
		Service: service, Views: views.New(store, service), Ready: store.Ready, Logger: logger, Metrics: httpapi.NewMetrics(), MaxBody: 1 << 20,
	}))
	defer server.Close()
	ask := func(path string) (found []struct{ ID string }) {
		t.Helper()
		response, err := server.Client().Get(server.URL + path)
		s.must(err)
		defer response.Body.Close()
		if err := json.NewDecoder(response.Body).Decode(&found); err != nil || response.StatusCode != http.StatusOK {
			t.Errorf("%s: %s, %v", path, response.Status, err)
		}
		return found
	}
	lists := map[string]int64{"/api/audit?limit=100000": s.number("SELECT COUNT(*) FROM audit")}
	for table, row := range spoiled {
		if row.list != "" {
			lists[row.list] = s.number("SELECT COUNT(*) FROM " + table)
		}
	}
	lists["/api/notes/step/"+noteStep] = s.number("SELECT COUNT(*) FROM note WHERE step_id = '" + noteStep + "'")
	for path, rows := range lists {
		if got := ask(path); int64(len(got)) != rows-1 {
			t.Errorf("%s has %d of %d records, of which one cannot be read", path, len(got), rows)
		}
	}
	for table, row := range spoiled {
		if want := "table=" + table + " id=" + row.id; !strings.Contains(logged.String(), want) {
			t.Errorf("the log does not have %q", want)
		}
	}
	if !strings.Contains(logged.String(), "level=ERROR") || !strings.Contains(logged.String(), "table=audit id=aud_0000000000000044") {
		t.Errorf("the log has\n%s", logged.String())
	}
	response, err := server.Client().Get(server.URL + "/api/jobs/" + spoiled["job"].id)
	s.must(err)
	if response.Body.Close(); response.StatusCode != http.StatusInternalServerError {
		t.Errorf("the job itself: %s", response.Status)
	}
}
