package main

import (
	"context"
	"database/sql"
	"fmt"
	"io"
	"net/http"
	"path/filepath"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/internal/process"
)

// TestCrashInABatch kills the program in the middle of operations on thousands of units. Afterwards all units or none are changed if the
// request asked for that, and otherwise whole thousands. Then the request is repeated under its key: each unit was moved once.
func TestCrashInABatch(t *testing.T) {
	t.Parallel()
	crashOnEngines(t, crashInBatches)
}

// crashOnEngines runs a test on an empty database of each engine. door is a connection for reading the database directly.
func crashOnEngines(t *testing.T, test func(t *testing.T, database string, door *sql.DB)) {
	t.Helper()
	for engine, open := range map[string]func(t *testing.T) (address string, door *sql.DB){
		"SQLite": func(t *testing.T) (string, *sql.DB) {
			file := filepath.Join(t.TempDir(), "routecard.db")
			return file, openDoor(t, "sqlite", file+"?_pragma=busy_timeout(10000)")
		},
		"PostgreSQL": func(t *testing.T) (string, *sql.DB) {
			address := pgtest.Database(t)
			return address, openDoor(t, "pgx", address)
		},
	} {
		t.Run(engine, func(t *testing.T) {
			t.Parallel()
			address, door := open(t)
			test(t, address, door)
		})
	}
}

func openDoor(t *testing.T, driver, address string) *sql.DB {
	t.Helper()
	db, err := sql.Open(driver, address)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = db.Close() })
	return db
}

func crashInBatches(t *testing.T, database string, door *sql.DB) {
	t.Helper()
	const units, rounds = 4000, 2
	p := process.Serve(t, "--database", database, "--log-level", "warn")
	workshop := newCrashShop(t, p.URL)
	var job, path struct{ ID string }
	workshop.must(http.MethodPost, "/api/jobs", `{"name":"Crash","goalQuantity":1000}`, &job)
	steps := strings.Repeat(`{"name":"s"},`, 20) + `{"name":"s"}`
	workshop.must(http.MethodPost, "/api/paths", `{"jobId":"`+job.ID+`","name":"Path","goalQuantity":9,"steps":[`+steps+`]}`, &path)
	workshop.must(http.MethodPost, "/api/serials", fmt.Sprintf(`{"jobId":%q,"pathId":%q,"quantity":%d}`, job.ID, path.ID, units), nil)
	count := func(query string, args ...any) (n int) {
		t.Helper()
		if err := door.QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	step := 0
	for _, policy := range []string{"none", "each"} {
		for round := range rounds {
			step++
			key := fmt.Sprintf("%s-%d", policy, round)
			body := fmt.Sprintf(`{"where":{"jobId":%q},"expectedCount":%d,"onRefusal":%q,"userId":%q}`, job.ID, units, policy, key)
			moved := func() int { return count(`SELECT COUNT(*) FROM serial WHERE position = $1`, step) }
			ended := make(chan string, 1)
			go func() { ended <- sendUnder(workshop.client, p.URL+"/api/serials/batch-advance", key, body) }()
			if policy == "each" {
				for moved() < 1000*(round+1) && len(ended) == 0 {
				}
			} else {
				for range 5 * (round + 1) { // counted in changes and not in time, so that slow machines are in the middle of the work too
					workshop.must(http.MethodGet, "/api/jobs/"+job.ID, "", nil)
				}
			}
			p.Kill()
			heard := <-ended
			left := moved()
			t.Logf("%s: %d of %d units were moved when it was killed; heard %q", key, left, units, heard)
			if policy == "none" && left != 0 && left != units || left%1000 != 0 || heard != "" && left != units {
				t.Errorf("%s: %d of %d units were moved; heard %q", key, left, units, heard)
			}
			p = process.Serve(t, "--database", database, "--log-level", "warn")
			workshop.url = p.URL
			want := fmt.Sprintf(`{"selected":%d,"changed":%d,"refused":[]}`, units, units)
			for range 2 {
				if got := strings.TrimSpace(sendUnder(workshop.client, p.URL+"/api/serials/batch-advance", key, body)); got != want {
					t.Errorf("%s: repeated, it answers %s, want %s", key, got, want)
				}
			}
			if n := moved(); n != units {
				t.Errorf("%s: %d of %d units were moved in the end", key, n, units)
			}
			if n := count(`SELECT COUNT(*) FROM audit WHERE user_id = $1`, key); n != units {
				t.Errorf("%s: %d entries for %d units", key, n, units)
			}
		}
	}
}

// sendUnder sends a request under a key and returns the body of the response, "" for none.
func sendUnder(client *http.Client, url, key, body string) string {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(body))
	if err != nil {
		return err.Error()
	}
	request.Header.Set("Idempotency-Key", key)
	answer, err := client.Do(request)
	if err != nil {
		return ""
	}
	defer answer.Body.Close()
	text, err := io.ReadAll(answer.Body)
	if err != nil {
		return ""
	}
	return string(text)
}
