package main

import (
	"bytes"
	"context"
	"database/sql"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/process"
	"github.com/routecard/routecard/internal/sqlstore"
)

// docs/api/clients.md, "Imports": TestCrashInAnImport kills the program in the middle of a file of thousands of orders. Afterwards all
// orders or none exist if the request asked for that, and otherwise whole thousands. Then the file is sent again, with its key or without
// one: every order exists once, with its path and its units, and each of them has its entries once. The trail of a database file passes
// verification.
func TestCrashInAnImport(t *testing.T) {
	t.Parallel()
	crashOnEngines(t, crashInImports)
}

func crashInImports(t *testing.T, database string, door *sql.DB) {
	t.Helper()
	const rows, unitsOfEach = 1500, 2
	p := process.Serve(t, "--database", database, "--log-level", "warn")
	workshop := newCrashShop(t, p.URL)
	var template struct{ ID string }
	workshop.must(http.MethodPost, "/api/templates", `{"name":"Turned","steps":[{"name":"Saw"},{"name":"Turn"}]}`, &template)
	count := func(query string, args ...any) (n int) {
		t.Helper()
		if err := door.QueryRowContext(t.Context(), query, args...).Scan(&n); err != nil {
			t.Fatal(err)
		}
		return n
	}
	for _, c := range []struct {
		policy string
		key    bool
	}{{"none", true}, {"none", false}, {"each", true}, {"each", false}} {
		name := fmt.Sprintf("%s-%t", c.policy, c.key)
		key := ""
		if c.key {
			key = name
		}
		file := new(strings.Builder)
		file.WriteString("externalId,name,goalQuantity,template,units\n")
		for i := range rows {
			fmt.Fprintf(file, "%s-%05d,%s,2,Turned,%d\n", name, i, name, unitsOfEach)
		}
		target := "/api/import/jobs?onRefusal=" + c.policy + "&changedBy=" + name
		made := func() int { return count(`SELECT COUNT(*) FROM job WHERE name = $1`, name) }
		ended := make(chan string, 1)
		go func() { ended <- sendFile(workshop.client, p.URL+target, key, file.String()) }()
		if c.policy == "each" {
			for made() < 1000 && len(ended) == 0 {
			}
		} else {
			for range 5 { // counted in records and not in time, so that slow machines are in the middle of the work too
				workshop.must(http.MethodGet, "/api/templates/"+template.ID, "", nil)
			}
		}
		p.Kill()
		heard := <-ended
		left := made()
		t.Logf("%s: %d of %d orders were there when it was killed; heard %q", name, left, rows, heard)
		if c.policy == "none" && left != 0 && left != rows || left%1000 != 0 && left != rows || heard != "" && left != rows {
			t.Errorf("%s: %d of %d orders were there; heard %q", name, left, rows, heard)
		}
		p = process.Serve(t, "--database", database, "--log-level", "warn")
		workshop.url = p.URL
		for range 2 {
			var got struct {
				Rows, Created, Updated, Unchanged int

				Refused []any
			}
			answer := sendFile(workshop.client, p.URL+target, key, file.String())
			if err := json.Unmarshal([]byte(answer), &got); err != nil || got.Rows != rows || len(got.Refused) > 0 || got.Updated > 0 {
				t.Fatalf("%s: the file again answers %s", name, answer)
			}
			if created := map[bool]int{true: rows, false: rows - left}[c.key]; got.Created != created || got.Unchanged != rows-created {
				t.Errorf("%s: the file again answers %s, and %d orders were there", name, answer, left)
			}
			left = rows
		}
		for what, query := range map[string]string{
			"orders":  `SELECT COUNT(*) FROM job WHERE name = $1`,
			"entries": `SELECT COUNT(*) FROM audit WHERE action = 'job_created' AND user_id = $1`,
			"names":   `SELECT COUNT(DISTINCT x.external_id) FROM external_id x JOIN job j ON j.id = x.record_id WHERE x.kind = 'job' AND j.name = $1`,
			"paths":   `SELECT COUNT(*) FROM path p JOIN job j ON j.id = p.job_id WHERE j.name = $1`,
		} {
			if n := count(query, name); n != rows {
				t.Errorf("%s: %d %s of %d orders", name, n, what, rows)
			}
		}
		if n := count(`SELECT COUNT(*) FROM serial s JOIN path p ON p.id = s.path_id JOIN job j ON j.id = p.job_id WHERE j.name = $1`, name); n != rows*unitsOfEach {
			t.Errorf("%s: %d units of %d orders", name, n, rows)
		}
	}
	if err := p.Stop(); err != nil {
		t.Error(err)
	}
	if sqlstore.IsPostgres(database) {
		return // without a key file there is no ledger to verify
	}
	var out bytes.Buffer
	if status := run(context.Background(), []string{"verify", "--database", database}, &out, &out); status != 0 {
		t.Errorf("verification ends with %d: %s", status, &out)
	}
}

// sendFile sends a CSV file, under a key unless key is "". It returns the body of the response, "" for none.
func sendFile(client *http.Client, url, key, file string) string {
	request, err := http.NewRequestWithContext(context.Background(), http.MethodPost, url, strings.NewReader(file))
	if err != nil {
		return err.Error()
	}
	request.Header.Set("Content-Type", "text/csv")
	if key != "" {
		request.Header.Set("Idempotency-Key", key)
	}
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
