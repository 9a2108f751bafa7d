package web_test

import (
	"compress/gzip"
	"io"
	"net/http"
	"net/http/httptest"
	"regexp"
	"strings"
	"testing"
)

// loadedByPages finds the addresses that a page loads.
var loadedByPages = regexp.MustCompile(`(?:href|src)="(/assets/[^"]+)"`)

// Pages and the files that they load are small. Scripts and style sheets are compressed for browsers that accept it.
func TestWhatPagesLoadIsSmall(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn")
	v := s.works("Dana")
	const most = 99_300      // bytes loaded, with the typeface of 46 KB and the guard of 5 KB; three times as much without compression
	pages := map[string]int{ // bytes of each page itself, rounded up
		"/": 16_400, "/jobs": 10_700, "/serials": 8_300, "/serials/" + unit: 15_400, "/scan?unit=" + unit: 9_900, "/audit": 13_500,
		"/search?q=SN": 7_100,
	}
	for at, page := range pages {
		v.visit(at)
		if size := len(v.page.html); size > page {
			t.Errorf("%s has %d bytes, want at most %d", at, size, page)
		}
		total := 0
		for _, match := range loadedByPages.FindAllStringSubmatch(v.page.html, -1) {
			request := httptest.NewRequest(http.MethodGet, match[1], http.NoBody)
			plain := v.ask(request.Clone(t.Context()))
			request.Header.Set("Accept-Encoding", "gzip")
			packed := v.ask(request)
			total += packed.Body.Len()
			if plain.Header().Get("Content-Encoding") != "" || !strings.Contains(packed.Header().Get("Vary"), "Accept-Encoding") {
				t.Errorf("%s: %v without gzip, %v with it", match[1], plain.Header(), packed.Header())
			}
			if packed.Header().Get("Content-Encoding") == "" {
				continue
			}
			reader, err := gzip.NewReader(packed.Body)
			if err != nil {
				t.Fatal(err)
			}
			if text, err := io.ReadAll(reader); err != nil || string(text) != plain.Body.String() {
				t.Errorf("%s differs when it is compressed (%v)", match[1], err)
			}
		}
		if total == 0 || total > most {
			t.Errorf("%s loads %d bytes, want at most %d", at, total, most)
		}
	}
	if answer := v.answer("/audit"); answer.Header().Get("Content-Encoding") != "" {
		t.Error("a page is compressed: its length could tell what is secret in it beside what others wrote")
	}
}
