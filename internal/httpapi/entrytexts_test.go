package httpapi

import (
	"encoding/json"
	"fmt"
	"math/rand/v2"
	"net/http"
	"net/http/httptest"
	"slices"
	"strings"
	"testing"
)

// A page of the trail is a part of the whole trail, and a unit's history has the same entries as the trail, regardless of earlier reads and
// of writes in between.
func TestPagesAreTheTrail(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	job := textOf(workshop.must(t, http.StatusCreated, http.MethodPost, "/api/jobs", `{"name": "Brackets", "goalQuantity": 5}`).body, "id")
	made := workshop.must(t, http.StatusCreated, http.MethodPost, "/api/paths", `{"jobId": "`+job+`", "name": "Main", "goalQuantity": 5,
		"steps": [{"name": "Saw"}, {"name": "Turn"}, {"name": "Inspect"}]}`)
	path := textOf(made.body, "id")
	list := func(target string) (entries []json.RawMessage) {
		t.Helper()
		if err := json.Unmarshal([]byte(workshop.must(t, http.StatusOK, http.MethodGet, target, "").body), &entries); err != nil {
			t.Fatal(err)
		}
		return entries
	}
	unit := textOf(workshop.must(t, http.StatusCreated, http.MethodPost, "/api/serials", fmt.Sprintf(`{"jobId": %q, "pathId": %q, "quantity": 1}`, job, path)).body, "id")
	draw := rand.New(rand.NewPCG(1, 2))
	for round := range 40 {
		body := fmt.Sprintf(`{"jobId": %q, "pathId": %q, "quantity": 1}`, job, path)
		for range draw.IntN(3) {
			workshop.must(t, http.StatusCreated, http.MethodPost, "/api/serials", body)
		}
		if round > 0 && round < 4 { // in the other rounds its history comes from the cache
			workshop.must(t, http.StatusOK, http.MethodPost, "/api/serials/"+unit+"/advance", `{}`)
		}
		whole := list("/api/audit")
		var history []json.RawMessage
		for _, entry := range slices.Backward(whole) {
			if textOf(string(entry), "serialId") == unit {
				history = append(history, entry)
			}
		}
		if got := list("/api/audit/serial/" + unit); fmt.Sprintf("%s", got) != fmt.Sprintf("%s", history) {
			t.Fatalf("the history of %s is %s, want %s", unit, got, history)
		}
		for range 4 {
			offset, limit := draw.IntN(len(whole)+2), draw.IntN(entryTextsPage+2)
			from := min(offset, len(whole))
			want := whole[from:min(from+limit, len(whole))]
			got := list(fmt.Sprintf("/api/audit?offset=%d&limit=%d", offset, limit))
			if fmt.Sprintf("%s", got) != fmt.Sprintf("%s", want) {
				t.Fatalf("offset %d, limit %d of %d entries: %s, want %s", offset, limit, len(whole), got, want)
			}
		}
	}
}

// A page whose entries were read before needs no second read.
func TestEntriesAreReadOnce(t *testing.T) {
	t.Parallel()
	face := hotShop(t, 100, nil)
	read := func() string {
		recorder := httptest.NewRecorder()
		face.ServeHTTP(recorder, httptest.NewRequestWithContext(t.Context(), http.MethodGet, "/api/audit?limit=20", nil))
		return recorder.Body.String()
	}
	first := read()
	for i := range face.entries.young {
		face.entries.young[i] = []byte(`"kept"`)
	}
	if got := read(); !strings.Contains(first, `"cert_attached"`) || got != "["+strings.Repeat(`"kept",`, 19)+`"kept"]` {
		t.Errorf("%s, and then %s", first, got)
	}
}

// Entries that are requested again stay in the cache, and the others are dropped when it is full.
func TestEntryTexts(t *testing.T) {
	t.Parallel()
	kept, long := &entryTexts{}, make([]byte, entryTextsLimit/4)
	for sequence := range int64(100) {
		kept.keep([]int64{sequence}, [][]byte{long})
		if sequence%3 == 0 { // the first is requested again and again
			kept.find([]int64{0}, make([][]byte, 1))
		}
	}
	if count := len(kept.young) + len(kept.old); count > 2*5 {
		t.Errorf("%d long texts are kept", count)
	}
	texts := make([][]byte, 3)
	if missing := kept.find([]int64{100, 99, 98}, texts); missing != 1 || texts[0] != nil || texts[1] == nil || texts[2] == nil {
		t.Errorf("%d of the newest are missing, and %d, %d and %d bytes are there", missing, len(texts[0]), len(texts[1]), len(texts[2]))
	}
	if missing := kept.find([]int64{0}, texts[:1]); missing != 0 {
		t.Error("what was asked for all the time is gone")
	}
	if missing := kept.find([]int64{50}, texts[:1]); missing != 1 {
		t.Error("what nobody asked for is still there")
	}
}
