package httpapi

import (
	"encoding/json"
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/api"
)

// TestSearchIndex checks that a search finds each operation by words that users remember, and does not find other operations.
func TestSearchIndex(t *testing.T) {
	t.Parallel()
	workshop := openShop(t, nil)
	answer := workshop.must(t, http.StatusOK, http.MethodGet, "/docs/search.json", "")
	if kind := answer.header.Get("Content-Type"); kind != jsonType || answer.header.Get("ETag") == "" {
		t.Errorf("got %v", answer.header)
	}
	var texts map[string]string
	if err := json.Unmarshal([]byte(answer.body), &texts); err != nil {
		t.Fatal(err)
	}
	if want := strings.Count(string(api.YAML), "\n      operationId: "); len(texts) != want {
		t.Errorf("%d operations can be found, the document has %d", len(texts), want)
	}
	if len(answer.body) > 1<<20 {
		t.Errorf("the index has %d bytes", len(answer.body))
	}
	for id, words := range map[string][]string{
		"advanceSerial":  {"post", "/api/serials/{id}/advance", "serials", "work", "expectedstepindex", "stands_elsewhere", "already", "idempotency-key"},
		"createJob":      {"goalquantity", "trackerlabels", "production", "must_be_above_zero"},
		"scrapSerial":    {"out_of_tolerance", "explanation"},
		"searchSerials":  {"before", "limit"},
		"getLedgerProof": {"tlog-proof"},
	} {
		for _, word := range words {
			if !strings.Contains(texts[id], word) {
				t.Errorf("%s is not found by %s: %s", id, word, texts[id])
			}
		}
	}
	for _, word := range []string{"trackerlabels", "gearbox"} {
		if strings.Contains(texts["getHealth"], word) {
			t.Errorf("getHealth is found by %s", word)
		}
	}
}

// TestDocsWithoutScripts checks that the page explains itself without scripts, and has no search field that would not work.
func TestDocsWithoutScripts(t *testing.T) {
	t.Parallel()
	page := openShop(t, nil).must(t, http.StatusOK, http.MethodGet, "/docs", "").body
	for _, want := range []string{
		`<form id="search" role="search" hidden>`, `<label for="words">`, `<input id="words" type="search"`, `<output id="found" for="words">`,
		`<noscript>`,
	} {
		if strings.Count(page, want) != 1 {
			t.Errorf("the page has %d of %s", strings.Count(page, want), want)
		}
	}
}
