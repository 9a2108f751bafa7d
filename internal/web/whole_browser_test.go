package web_test

import (
	"bytes"
	"encoding/json"
	"net/http"
	"testing"

	"github.com/chromedp/chromedp"
)

// No table cuts a word of the demonstration in two at the width of a tablet, and the digest of a file does not widen a phone.
func TestWordsStayWhole(t *testing.T) {
	t.Parallel()
	chromium(t)
	s := serve(t, "--demo")
	b := s.open()
	b.visit("/")
	b.work("Dana Whitfield")
	var reports, units struct {
		Items []struct{ ID, SerialID string }
	}
	var bills []struct{ ID, Name string }
	s.get("/api/nonconformances", &reports)
	s.get("/api/measurements?limit=1", &units)
	s.get("/api/bom", &bills)
	if len(reports.Items) == 0 || len(units.Items) == 0 || len(bills) == 0 {
		t.Fatal("the demonstration has no report, no reading or no bill of material")
	}
	b.look("light", 1024)
	for _, path := range []string{
		"/holds", "/serials?status=in_progress", "/users", "/nonconformances/" + reports.Items[0].ID, "/serials/" + units.Items[0].SerialID, "/instruments",
	} {
		b.visit(path)
		b.fits(path, 1024)
		b.whole(path)
	}
	b.look("light", 390)
	for _, bill := range bills {
		b.visit("/bom/" + bill.ID)
		b.whole("/bom/" + bill.ID)
	}
	b.visit(s.fileOn("/api/serials/" + units.Items[0].SerialID))
	b.fits("a file", 390)
}

// whole fails when a word in a table is cut in two.
func (b *browser) whole(path string) {
	b.t.Helper()
	cut, err := chromedp.Run(b.ctx, chromedp.Evaluate[string](`{
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
		b.t.Errorf("%s cuts in two: %s %v", path, cut, err)
	}
}

// fileOn attaches a file to a record, and returns its page.
func (s *site) fileOn(record string) string {
	s.t.Helper()
	answer, err := http.Post(s.url+"/api/files", "application/octet-stream", bytes.NewReader([]byte("a drawing")))
	if err != nil {
		s.t.Fatal(err)
	}
	var file, link struct{ ID, SHA256 string }
	if err := json.Unmarshal([]byte(readAll(s.t, answer)), &file); err != nil {
		s.t.Fatal(err)
	}
	s.post(record+"/files", fields{"sha256": file.SHA256, "name": "drawing.txt", "kind": "other", "userId": s.operator("Dana Whitfield")}, &link)
	return "/files/" + link.ID
}
