package httpapi

import (
	"encoding/json"
	"fmt"
	"log/slog"
	"net/http"
	"net/url"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// TestWholeListsByPage reads lists that are not paged in the database by pages of every size in each order. The rows are those of the whole
// list.
func TestWholeListsByPage(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	for range 2 {
		workshop.must(t, http.StatusOK, http.MethodPost, names.Replace("/api/serials/$serial/advance"), `{"userId": "ann"}`)
	}
	var path struct{ Steps []struct{ ID string } }
	_ = json.Unmarshal([]byte(workshop.must(t, http.StatusOK, http.MethodGet, names.Replace("/api/paths/$path"), "").body), &path)
	workshop.must(t, http.StatusOK, http.MethodPut, "/api/steps/"+path.Steps[2].ID+"/characteristics",
		`{"characteristics": [{"number": "1", "name": "<Bore> & face", "type": "text"}], "userId": "ann"}`)
	for i := range 3 {
		workshop.must(t, http.StatusCreated, http.MethodPost, names.Replace("/api/serials/$serial/measurements"),
			fmt.Sprintf(`{"values": [{"characteristic": "1", "value": "<%d>"}], "userId": "ann"}`, i))
	}
	document := loadDocument(t)
	for target, sorts := range map[string]string{
		"/api/serials/$serial/steps":        "createdAt -createdAt",
		"/api/serials/$serial/measurements": "createdAt -createdAt updatedAt -updatedAt",
	} {
		target := names.Replace(target)
		var whole []json.RawMessage
		if err := json.Unmarshal([]byte(workshop.must(t, http.StatusOK, http.MethodGet, target, "").body), &whole); err != nil {
			t.Fatal(err)
		}
		for _, sort := range strings.Fields(sorts) {
			for limit := 1; limit <= 4; limit++ {
				rows, pages := workshop.follow(t, fmt.Sprintf("%s?limit=%d&sort=%s", target, limit, sort))
				for i, row := range rows {
					rows[i] = json.RawMessage(undated(string(row)))
				}
				if pages != (len(whole)+limit-1)/limit || len(whole) != 3 {
					t.Errorf("%s has %d pages of %d rows", target, pages, limit)
				}
				if texts(rows) != texts(whole) || strings.HasPrefix(sort, "-") == (string(rows[0]) == string(whole[0])) {
					t.Errorf("%s by %s:\n%s\nwant those of\n%s", target, sort, rows, whole)
				}
			}
		}
		got := workshop.must(t, http.StatusOK, http.MethodGet, target+"?limit=2", "")
		header := [2]string{"If-None-Match", got.header.Get("ETag")}
		same := workshop.must(t, http.StatusNotModified, http.MethodGet, target+"?limit=2", "", header)
		for _, answer := range []answered{got, same} {
			if err := document.check(t.Context(), &exchange{
				method: http.MethodGet, target: target + "?limit=2", header: [][2]string{header}, answer: answer, valid: true,
			}); err != nil {
				t.Error(err)
			}
		}
		workshop.must(t, http.StatusBadRequest, http.MethodGet, target+"?limit=1&offset=1", "")
		_, query, _ := strings.Cut(nextOf(t, got.header.Get("Link")), "?")
		other := strings.Replace(target, "SN-00001", "SN-00002", 1)
		if got := workshop.must(t, http.StatusBadRequest, http.MethodGet, other+"?"+query, ""); !strings.Contains(got.body, "must_be_cursor") {
			t.Errorf("a position in the list of another unit: %s", got.body)
		}
	}
}

// TestTokensByPage reads the tokens of an account by pages, and those used or revoked since a time.
func TestTokensByPage(t *testing.T) {
	t.Parallel()
	g := openGuarded(t, access.All)
	g.person("anna", "operator")
	path, session := "/api/users/"+g.users["anna"]+"/tokens", g.signIn("anna", goodPassword)
	for range 3 {
		g.token("anna", session, `["read"]`)
	}
	var whole, page []struct{ ID, UpdatedAt string }
	g.reads(g.ask(200, "GET", path, "", session), &whole)
	for next, i := path+"?limit=1", 0; next != ""; i++ {
		got := g.ask(200, "GET", next, "", session)
		g.reads(got, &page)
		if len(page) != 1 || page[0].ID != whole[i].ID || page[0].UpdatedAt == "" || whole[i].UpdatedAt != "" {
			t.Fatalf("page %d is %s of %+v", i, got.body, whole)
		}
		if next = nextOf(t, got.header.Get("Link")); (next == "") != (i == 2) {
			t.Errorf("page %d leads to %q", i, next)
		}
	}
	since := path + "?updatedSince=" + url.QueryEscape(page[0].UpdatedAt)
	g.later(2 * 5 * time.Minute)
	g.ask(200, "DELETE", path+"/"+whole[1].ID, "", g.signIn("anna", goodPassword))
	g.later(time.Minute)
	var revoked []struct{ ID, UpdatedAt string }
	g.reads(g.ask(200, "GET", path+"?limit=1&sort=-updatedAt", "", session), &revoked)
	if len(revoked) != 1 || revoked[0].ID != whole[1].ID {
		t.Errorf("changed last is %+v", revoked)
	}
	g.reads(g.ask(200, "GET", since, "", session), &page)
	if len(page) != 3 || page[2].ID != whole[1].ID { // within the lookback
		t.Errorf("changed since are %+v", page)
	}
	g.refused(400, "updatedSince must be a time (ISO 8601)", "GET", path+"?updatedSince=now", "", session)
}

// TestAuditByPage reads the whole trail by pages, while others write. The contract's own limit and offset work as before.
func TestAuditByPage(t *testing.T) {
	t.Parallel()
	workshop, _ := taggedShop(t)
	document := loadDocument(t)
	get := func(target string) (rows []struct{ ID, Timestamp string }, body, next string) {
		t.Helper()
		got := workshop.must(t, http.StatusOK, http.MethodGet, target, "")
		if err := json.Unmarshal([]byte(got.body), &rows); err != nil {
			t.Fatal(err)
		}
		valid := !strings.Contains(target, "=x") && !strings.Contains(target, "=-1") // the document requires numbers
		if err := document.check(t.Context(), &exchange{method: http.MethodGet, target: target, answer: got, valid: valid}); err != nil {
			t.Error(err)
		}
		return rows, got.body, nextOf(t, got.header.Get("Link"))
	}
	whole, text, next := get("/api/audit")
	if len(whole) < 5 || next != "" {
		t.Fatalf("%d entries, and behind them %q", len(whole), next)
	}
	for target, want := range map[string]int{"/api/audit?limit=2": 0, "/api/audit?limit=2&offset=1": 1, "/api/audit?limit=2&offset=99": 99} {
		rows, body, _ := get(target)
		if len(rows) > 0 && (rows[0].ID != whole[want].ID || !strings.Contains(text, strings.Trim(body, "[]"))) || (want == 99) != (len(rows) == 0) {
			t.Errorf("%s: %s", target, body)
		}
	}
	seen := []string{}
	for next = "/api/audit?limit=2"; next != ""; {
		var rows []struct{ ID, Timestamp string }
		rows, _, next = get(next)
		for _, row := range rows {
			seen = append(seen, row.ID)
		}
		workshop.must(t, http.StatusCreated, http.MethodPost, "/api/jobs", `{"name": "Between pages", "goalQuantity": 1}`)
	}
	for i, row := range whole {
		if len(seen) != len(whole) || seen[i] != row.ID {
			t.Fatalf("by pages %q, at once %+v", seen, whole)
		}
	}
	for _, disregarded := range []string{"limit=x", "limit=-1", "offset=x", "page=1", "after=", "limit=100000"} {
		if _, _, next := get("/api/audit?" + disregarded); next != "" {
			t.Errorf("%s leads to %s", disregarded, next)
		}
	}
	if rows, body, next := get("/api/audit?limit=0"); len(rows) != 0 || body != "[]" || next != "" {
		t.Errorf("limit=0: %s, %q", body, next)
	}
	oldest, _, _ := get("/api/audit?sort=createdAt&limit=1")
	if len(oldest) != 1 || oldest[0].ID != whole[len(whole)-1].ID {
		t.Errorf("the oldest is %+v", oldest)
	}
	for bad, want := range map[string]string{
		"after=x": "after must be what a page of this list led to", "sort=name": "sort must be one of: -createdAt, createdAt",
		"updatedSince=now": "updatedSince must be a time (ISO 8601)", "after=x&limit=1001": "limit must be at most 1000",
		"updatedSince=2026-01-31T09:30:00Z&sort=-createdAt": "sort must be one of: createdAt",
	} {
		if got := workshop.must(t, http.StatusBadRequest, http.MethodGet, "/api/audit?"+bad, ""); !strings.Contains(got.body, want) {
			t.Errorf("%s: %s", bad, got.body)
		}
	}
}

// TestEntriesSince reads the entries since a time, and those of the lookback before it, in the order of the trail.
func TestEntriesSince(t *testing.T) {
	t.Parallel()
	now := time.Date(2026, 1, 31, 9, 30, 0, 0, time.UTC)
	store, database := openStore(t)
	workshop := serve(t, newFace(store, func(c *Config) {
		clock := func() time.Time { return now }
		c.Service = shop.New(store, clock, ident.NewIdentifiers(clock))
	}), store, database)
	var job struct{ ID string }
	_ = json.Unmarshal([]byte(workshop.must(t, 201, "POST", "/api/jobs", `{"name": "J", "goalQuantity": 1}`).body), &job)
	var path struct{ ID string }
	_ = json.Unmarshal([]byte(workshop.must(t, 201, "POST", "/api/paths",
		`{"jobId": "`+job.ID+`", "name": "p", "goalQuantity": 1, "steps": [{"name": "A"}, {"name": "B"}]}`).body), &path)
	workshop.must(t, 201, "POST", "/api/serials", `{"jobId": "`+job.ID+`", "pathId": "`+path.ID+`", "quantity": 1, "userId": "ann"}`)
	lookback := time.Duration(views.Lookback) * time.Millisecond
	now = now.Add(time.Hour)
	workshop.must(t, 200, "POST", "/api/serials/SN-00001/hold", `{"reason": "r", "userId": "ann"}`)
	now = now.Add(lookback)
	workshop.must(t, 200, "POST", "/api/serials/SN-00001/scrap", `{"reason": "damaged", "userId": "ann"}`)
	since := now.UTC().Format(time.RFC3339)
	for _, list := range []string{"/api/audit", "/api/audit/serial/SN-00001", "/api/audit/job/" + job.ID} {
		rows, pages := workshop.follow(t, list+"?limit=1&updatedSince="+since)
		if pages != 2 || !strings.Contains(string(rows[0]), `"serial_held"`) || !strings.Contains(string(rows[1]), `"serial_scrapped"`) {
			t.Errorf("%s: %s", list, rows)
		}
		now = now.Add(time.Minute)
		rows, _ = workshop.follow(t, list+"?updatedSince="+now.UTC().Format(time.RFC3339))
		if now = now.Add(-time.Minute); len(rows) != 1 {
			t.Errorf("%s a minute later: %s", list, rows)
		}
	}
}

// TestChangesOfOperators checks that a list of changes includes operators who became inactive.
func TestChangesOfOperators(t *testing.T) {
	t.Parallel()
	workshop, names := taggedShop(t)
	workshop.must(t, http.StatusCreated, http.MethodPost, "/api/users", `{"name": "Ben"}`)
	workshop.must(t, http.StatusOK, http.MethodPut, names.Replace("/api/users/$user"), `{"active": false}`)
	rows, _ := workshop.follow(t, "/api/users?limit=1")
	if len(rows) != 1 || !strings.Contains(string(rows[0]), `"Ben"`) {
		t.Errorf("active are %s", rows)
	}
	rows, _ = workshop.follow(t, "/api/users?limit=1&updatedSince=2026-01-31T09:30:00Z")
	if len(rows) != 2 || !strings.Contains(string(rows[1]), `"name":"Ann","active":false`) {
		t.Errorf("changed are %s", rows)
	}
}

// TestBackupsByPage reads the backups by pages, newest first, while the oldest is removed.
func TestBackupsByPage(t *testing.T) {
	t.Parallel()
	folder := t.TempDir()
	file := func(day int) string { return fmt.Sprintf("routecard-202601%02dT020000000Z", day) }
	for day := 1; day <= 4; day++ {
		manifest, err := json.Marshal(backup.Manifest{
			File: file(day) + ".db", TakenAt: fmt.Sprintf("2026-01-%02dT02:00:00Z", day), Version: "v1", Bytes: 1, SHA256: "x", Rows: map[string]int64{},
		})
		if err != nil {
			t.Fatal(err)
		}
		for name, text := range map[string][]byte{file(day) + ".db": {'x'}, file(day) + ".json": manifest} {
			if err := os.WriteFile(filepath.Join(folder, name), text, 0o600); err != nil {
				t.Fatal(err)
			}
		}
	}
	keeper := backup.NewKeeper(backup.Options{Folder: folder}, time.Hour, time.Now, slog.New(slog.DiscardHandler))
	workshop := openShop(t, func(c *Config) { c.Backups = keeper })
	seen := []string{}
	for next := "/api/backups?limit=1"; next != ""; {
		got := workshop.must(t, http.StatusOK, http.MethodGet, next, "")
		var page struct {
			Running bool
			Backups []struct{ File, UpdatedAt string }
		}
		if err := json.Unmarshal([]byte(got.body), &page); err != nil || len(page.Backups) != 1 || page.Backups[0].UpdatedAt != "" {
			t.Fatalf("%v: %s", err, got.body)
		}
		seen = append(seen, strings.TrimSuffix(page.Backups[0].File, ".db"))
		if len(seen) == 2 {
			if err := os.Remove(filepath.Join(folder, file(1)+".db")); err != nil {
				t.Fatal(err)
			}
		}
		next = nextOf(t, got.header.Get("Link"))
	}
	if want := []string{file(4), file(3), file(2)}; strings.Join(seen, " ") != strings.Join(want, " ") {
		t.Errorf("read %s, want %s", seen, want)
	}
	workshop.must(t, http.StatusBadRequest, http.MethodGet, "/api/backups?updatedSince=2026-01-31T09:30:00Z", "")
	workshop.must(t, http.StatusBadRequest, http.MethodGet, "/api/backups?page=1", "")
}
