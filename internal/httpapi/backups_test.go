package httpapi_test

import (
	"context"
	"fmt"
	"io"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"os"
	"path/filepath"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/httpapi"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// A failed backup, or a failed command after it, makes the service degraded until a backup succeeds. /metrics has the time of the last good
// backup and the number of failures.
func TestBackupsInHealthAndMetrics(t *testing.T) {
	t.Parallel()
	database := enginetest.New(t)
	if database.Postgres() {
		return // Postgres has backups of its own
	}
	store := database.Open(t)
	after := filepath.Join(t.TempDir(), "after")
	afterwards := func(does string) {
		t.Helper()
		if err := os.WriteFile(after, []byte("#!/bin/sh\n"+does+"\n"), 0o700); err != nil { //nolint:gosec // the service runs it
			t.Fatal(err)
		}
	}
	now := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	keeper := backup.NewKeeper(backup.Options{Database: database.Address(), Folder: t.TempDir(), Version: "v", After: after}, time.Hour,
		func() time.Time { return now }, slog.New(slog.DiscardHandler))
	metrics := httpapi.NewMetrics()
	metrics.WatchBackups(keeper)
	server := httptest.NewServer(httpapi.New(httpapi.Config{
		Service: shop.New(store, time.Now, ident.NewIdentifiers(time.Now)), Ready: func(context.Context) error { return nil },
		Degraded: keeper.Degraded, Logger: slog.New(slog.DiscardHandler), Metrics: metrics, Backups: keeper,
	}))
	defer server.Close()
	get := func(path string) string {
		t.Helper()
		status, body := fetch(t, server.URL+path)
		if status != http.StatusOK {
			t.Fatalf("GET %s: %d %s", path, status, body)
		}
		return body
	}
	expect := func(ready string, made time.Time, failures int) {
		t.Helper()
		if got := get("/readyz"); !regexp.MustCompile("^" + ready + "\n?$").MatchString(got) {
			t.Errorf("/readyz: %s, want %s", got, ready)
		}
		seconds := float64(0)
		if !made.IsZero() {
			seconds = float64(made.Unix())
		}
		text := get("/metrics")
		for _, line := range []string{
			fmt.Sprintf("routecard_backup_last_success_timestamp_seconds %v\n", seconds), fmt.Sprintf("routecard_backup_failures_total %d\n", failures),
		} {
			if !strings.Contains(text, "\n"+line) {
				t.Errorf("/metrics has no line %q; of backups:\n%s", line, strings.Join(regexp.MustCompile(`routecard_backup.*`).FindAllString(text, -1), "\n"))
			}
		}
	}
	run := func(backups int, fails bool) {
		t.Helper()
		ctx, stop := context.WithTimeout(t.Context(), time.Minute)
		stopped := make(chan struct{})
		go func() { keeper.Run(ctx); close(stopped) }()
		for ctx.Err() == nil {
			standing, err := keeper.Standing()
			if err != nil {
				t.Fatal(err)
			}
			if len(standing.Backups) == backups && !standing.Running && (standing.Problem != "") == fails {
				break
			}
			<-time.After(5 * time.Millisecond)
		}
		stop()
		<-stopped
	}
	expect(`\{"status":"ready"\}`, time.Time{}, 0)
	afterwards("echo no space; exit 3")
	run(1, true)
	made := now
	expect(`\{"status":"degraded","message":"backup: --after-backup .*: exit status 3: no space"\}`, made, 1)
	now = now.Add(2 * time.Hour)
	afterwards("exit 0")
	run(2, false)
	expect(`\{"status":"ready"\}`, now, 1)
	if body := get("/api/backups"); strings.Count(body, `"takenAt"`) != 2 {
		t.Errorf("the backups are %s", body)
	}
}

func fetch(t *testing.T, url string) (status int, body string) {
	t.Helper()
	request, err := http.NewRequestWithContext(t.Context(), http.MethodGet, url, http.NoBody)
	if err != nil {
		t.Fatal(err)
	}
	answer, err := http.DefaultClient.Do(request)
	if err != nil {
		t.Fatal(err)
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		t.Fatal(err)
	}
	return answer.StatusCode, string(text)
}
