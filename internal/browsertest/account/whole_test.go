package account_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/internal/browsertest"
)

// At the width of a tablet no table in the demonstration breaks a word. The digest of a file does not widen the page on a phone.
func TestWordsStayWhole(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	s := browsertest.Serve(t, "--demo")
	b := s.Open()
	b.Visit("/")
	b.Work("Dana Whitfield")
	var reports, units struct {
		Items []struct{ ID, SerialID string }
	}
	var bills []struct{ ID, Name string }
	s.Get("/api/nonconformances", &reports)
	s.Get("/api/measurements?limit=1", &units)
	s.Get("/api/bom", &bills)
	if len(reports.Items) == 0 || len(units.Items) == 0 || len(bills) == 0 {
		t.Fatal("the demonstration has no report, no reading or no bill of material")
	}
	b.Look("light", 1024)
	for _, path := range []string{
		"/holds", "/serials?status=in_progress", "/users", "/nonconformances/" + reports.Items[0].ID, "/serials/" + units.Items[0].SerialID, "/instruments",
	} {
		b.Visit(path)
		b.Fits(path, 1024)
		wholeIn(b, path)
	}
	b.Look("light", 390)
	for _, bill := range bills {
		b.Visit("/bom/" + bill.ID)
		wholeIn(b, "/bom/"+bill.ID)
	}
	b.Visit(fileOnAt(s, "/api/serials/"+units.Items[0].SerialID))
	b.Fits("a file", 390)
}

// wholeIn fails if a word in a table is broken.
func wholeIn(b *browsertest.Browser, path string) {
	b.T.Helper()
	cut, err := chromedp.Run(b.Context, chromedp.Evaluate[string](`{
		const cut = new Set(), texts = document.createTreeWalker(document.querySelector("main"), NodeFilter.SHOW_TEXT);
		while (texts.nextNode()) {
			const text = texts.currentNode;
			if (!text.parentElement.closest("td, tbody th") || !text.parentElement.checkVisibility()) continue;
			for (const word of text.data.matchAll(/[\p{L}\p{N}.,]+/gu)) {
				const range = document.createRange();
				range.setStart(text, word.index);
				range.setEnd(text, word.index + word[0].length);
				if (new Set([...range.getClientRects()].map((line) => Math.round(line.top))).size > 1) cut.add(word[0]);
			}
		}
		[...cut].join(", ")
	}`))
	if err != nil || cut != "" {
		b.T.Errorf("%s cuts in two: %s %v", path, cut, err)
	}
}

// fileOnAt attaches a file to a record, and returns the path of the file's page.
func fileOnAt(s *browsertest.Site, record string) string {
	s.T.Helper()
	answer, err := http.Post(s.URL+"/api/files", "application/octet-stream", bytes.NewReader([]byte("a drawing"))) //nolint:bodyclose // ReadAll closes it
	if err != nil {
		s.T.Fatal(err)
	}
	var file, link struct{ ID, SHA256 string }
	if err := json.Unmarshal([]byte(browsertest.ReadAll(s.T, answer)), &file); err != nil {
		s.T.Fatal(err)
	}
	s.Post(record+"/files", browsertest.Fields{"sha256": file.SHA256, "name": "drawing.txt", "kind": "other", "userId": s.Operator("Dana Whitfield")}, &link)
	return "/files/" + link.ID
}
