package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"net/url"
	"os"
	"testing"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// found reads a search to its end, by the Link of each response, and calls between after each page.
func (b *busyShop) found(target string, between func()) (rows []json.RawMessage) {
	b.t.Helper()
	for next := target; next != ""; between() {
		got := b.must(b.t, http.StatusOK, http.MethodGet, next, "")
		var page struct{ Items []json.RawMessage }
		if err := json.Unmarshal([]byte(got.body), &page); err != nil {
			b.t.Fatal(err)
		}
		rows = append(rows, page.Items...)
		next = nextOf(b.t, got.header.Get("Link"))
	}
	return rows
}

// report opens, extends, decides or closes a report, or undoes a scrap.
func (b *busyShop) report(reports *[]string) {
	unit := func() string { return ident.DefaultPrefix.SerialID(1 + b.random.Int64N(int64(max(1, b.made)))) }
	report := ""
	if len(*reports) > 0 {
		report = "/api/nonconformances/" + (*reports)[b.random.IntN(len(*reports))]
	}
	switch what := b.random.IntN(6); {
	case what == 0 || report == "":
		if id := b.post("POST", "/api/nonconformances", fmt.Sprintf(`{"title": "t", "severity": "minor", "serialIds": [%q], "userId": "ann"}`, unit())); id != "" {
			*reports = append(*reports, id)
		}
	case what == 1:
		b.post("POST", report+"/serials", fmt.Sprintf(`{"serialIds": [%q], "userId": "ann"}`, unit()))
	case what == 2:
		b.post("POST", report+"/close", `{"summary": "s", "userId": "ann"}`)
	default:
		var is shop.Nonconformance
		if err := json.Unmarshal([]byte(b.must(b.t, http.StatusOK, http.MethodGet, report, "").body), &is); err != nil || len(is.Units) == 0 {
			return
		}
		serial := is.Units[b.random.IntN(len(is.Units))].SerialID
		if what < 5 {
			b.post("POST", report+"/dispositions", fmt.Sprintf(`{"serialIds": [%q], "disposition": "scrap", "reason": "r", "userId": "ann"}`, serial))
			return
		}
		var entries []struct{ ID string }
		if err := json.Unmarshal([]byte(b.must(b.t, http.StatusOK, http.MethodGet, "/api/audit/serial/"+serial, "").body), &entries); err != nil {
			b.t.Fatal(err)
		}
		if len(entries) > 0 {
			b.post("POST", "/api/serials/"+serial+"/undo", fmt.Sprintf(`{"entryId": %q, "reason": "r", "userId": "ann"}`, entries[len(entries)-1].ID))
		}
	}
}

// TestSearchesWhileOthersWrite reads searches in their orders while others write between the pages. A client that follows Link receives
// every record that existed at the beginning exactly once. A client that repeats updatedSince with the time at which its last reading began
// has the current version of every record.
func TestSearchesWhileOthersWrite(t *testing.T) {
	t.Parallel()
	shops := 4
	if os.Getenv("ROUTECARD_TORTURE") != "" {
		shops = 100
	}
	for seed := range shops {
		b := openBusy(t, uint64(seed)) //nolint:gosec // small
		var reports []string
		write := func(most int) {
			for range b.random.IntN(most + 1) {
				if b.random.IntN(3) == 0 && b.made > 0 {
					b.report(&reports)
				} else {
					b.change()
				}
			}
		}
		for b.made == 0 || len(reports) == 0 {
			write(20)
		}
		for target, order := range map[string]string{
			"/api/serials/search": "createdAt", "/api/holds": "createdAt", "/api/nonconformances": "createdAt", "/api/jobs/search": "created",
		} {
			writes := 6
			less := func() { write(writes); writes = max(0, writes-1) }
			began := b.began()
			var before []string
			for _, row := range b.found(target+"?limit=500", func() {}) {
				before = append(before, idOf(t, row))
			}
			kept, seen := map[string]string{}, map[string]int{}
			for _, row := range b.found(fmt.Sprintf("%s?limit=%d&sort=%s", target, 1+b.random.IntN(5), order), less) {
				kept[idOf(t, row)] = undated(string(row))
				seen[idOf(t, row)]++
			}
			for _, id := range before {
				if seen[id] != 1 {
					t.Fatalf("seed %d: %s: %s was seen %d times", seed, target, id, seen[id])
				}
			}
			for round := range 4 {
				since := began
				began, writes = b.began(), 3
				if round < 3 {
					write(8)
				} else {
					writes = 0
				}
				for _, row := range b.found(fmt.Sprintf("%s?limit=%d&updatedSince=%s", target, 1+b.random.IntN(5), url.QueryEscape(since)), less) {
					kept[idOf(t, row)] = undated(string(row))
				}
			}
			for _, row := range b.found(target+"?limit=500&sort="+order, func() {}) {
				if id := idOf(t, row); kept[id] != undated(string(row)) {
					t.Fatalf("seed %d: %s: %s is\n%s\nand was read as\n%s", seed, target, id, row, kept[id])
				}
			}
		}
	}
}

// began returns the time at which a reading that starts now begins.
func (b *busyShop) began() string {
	b.mu.Lock()
	defer b.mu.Unlock()
	return b.now.Format(time.RFC3339Nano)
}

func idOf(t *testing.T, row json.RawMessage) string {
	t.Helper()
	var has struct{ ID string }
	if err := json.Unmarshal(row, &has); err != nil || has.ID == "" {
		t.Fatalf("%v: %s", err, row)
	}
	return has.ID
}
