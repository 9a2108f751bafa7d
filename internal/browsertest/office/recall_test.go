package office_test

import (
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"

	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/internal/process"
)

// The drill of docs/traceability.md: from the heat number of a casting to a printed list of units on hold.
func TestRecallDrill(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	axe, err := os.ReadFile("../testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	const heat = "G7719"
	s := browsertest.Serve(t, "--demo")
	b := s.Open()
	b.Visit("/")
	b.Work("Dana Whitfield")
	b.Look("light", 390)
	b.Visit("/recall")
	b.Fits("/recall", 390)
	b.Accessible(string(axe), "a recall without a cause, 390 pixels")
	b.Fill("main [name=of]", heat)
	b.Click("main form.search button.primary")
	b.Says("Recall of heat " + heat)
	b.Fits("a recall", 390)
	b.Picture("recall-first-390", 390)
	b.Accessible(string(axe), "a recall, 390 pixels")
	b.Picture("recall-390", 390)
	b.Look("light", 1440)
	b.Picture("recall-1440", 1440)
	b.Click("main details[data-key=hold] > summary")
	b.Fill("main [name=reason]", "Heat "+heat+" is out of specification")
	b.Accessible(string(axe), "the hold of a recall")
	b.Click("main form[data-batch] button.big")
	b.Says("On hold: ")
	b.Wait("all is on hold", `document.querySelectorAll("main tbody tr").length > 1 &&
		document.querySelectorAll("main tbody .held-tag").length === document.querySelectorAll("main tbody tr").length`)

	b.First(countPresses)
	b.Reload()
	b.Click("main .doing [data-print]")
	b.Wait("the print dialog opens", `window.pressed === 1`)
	text := paper(b)
	for _, want := range []string{"Recall of heat " + heat, "LOT-", "On hold", "Printed ", "from Routecard"} {
		if !strings.Contains(text, want) {
			t.Errorf("the paper lacks %q:\n%s", want, text)
		}
	}
	if !regexp.MustCompile(`SN-\d+ .*On hold`).MatchString(text) {
		t.Errorf("the paper lists no unit on hold:\n%s", text)
	}
	if strings.Contains(text, "What counts") || strings.Contains(text, "Reason") || strings.Contains(text, "Export") {
		t.Errorf("the paper has the forms:\n%s", text)
	}
}

// countPresses replaces the print dialog, which a browser without a screen does not have.
const countPresses = `window.print = () => { window.pressed = (window.pressed ?? 0) + 1 }`

// paper prints the page and returns the text of all sheets.
func paper(b *browsertest.Browser) string {
	b.T.Helper()
	read := process.Find(b.T, "poppler-utils", "pdftotext")
	sheet := filepath.Join(b.T.TempDir(), "paper.pdf")
	printed := browsertest.Call(b, "print", page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69}).Data
	if err := os.WriteFile(sheet, printed, 0o600); err != nil {
		b.T.Fatal(err)
	}
	output, err := exec.CommandContext(b.T.Context(), read, "-layout", sheet, "-").CombinedOutput()
	if err != nil {
		b.T.Fatalf("%v\n%s", err, output)
	}
	if folder := os.Getenv("ROUTECARD_SCREENSHOTS"); folder != "" {
		if err := os.WriteFile(filepath.Join(folder, b.T.Name()+".pdf"), printed, 0o600); err != nil {
			b.T.Fatal(err)
		}
	}
	return string(output)
}

// A recall with more units than its page shows is printed whole. If the browser prints the page itself, the paper says what is missing.
func TestRecallPrintsEveryUnit(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	s := browsertest.Serve(t)
	const units = 1010
	jobID, pathID, _ := s.Job("Flange", "strict", 1, map[string]any{"name": "Turn"})
	var lot struct{ ID string }
	s.Post("/api/lots", map[string]any{"material": "bar", "heatNumber": "H1", "userId": "setup"}, &lot)
	s.Post("/api/serials", map[string]any{"jobId": jobID, "pathId": pathID, "quantity": units, "lotId": lot.ID, "userId": "setup"}, nil)
	s.Post("/api/serials/batch-hold", map[string]any{
		"recall": map[string]any{"lotId": lot.ID}, "expectedCount": units, "lots": true, "reason": "heat", "userId": "setup",
	}, nil)
	b := s.Open()
	b.First(countPresses)
	b.Look("light", 1440)
	b.Visit("/recall?cause=heat&of=H1")
	b.Says("Show 10 more units")
	listed := regexp.MustCompile(`(?m)^ *SN-\d+ .*On hold`)
	text := paper(b)
	if found := len(listed.FindAllString(text, -1)); found != 1000 || !strings.Contains(text, "10 more units are not on this paper.") {
		t.Errorf("the paper of the first page has %d units on hold, and does not say that it lacks 10", found)
	}
	b.Click("main .doing [data-print]")
	b.Wait("the print dialog opens", `window.pressed === 1`)
	text = paper(b)
	if found := len(listed.FindAllString(text, -1)); found != units {
		t.Errorf("the paper has %d units on hold, want %d", found, units)
	}
	for _, unwanted := range []string{"What counts", "Reason", "Export", "Find", "Show ", "not on this paper", "Cause"} {
		if strings.Contains(text, unwanted) {
			t.Errorf("the paper has %q:\n%s", unwanted, text[:2000])
		}
	}
	if headings := strings.Count(text, "Affected since"); headings < 20 {
		t.Errorf("the paper has the heading of its columns %d times, not on each sheet", headings)
	}
	b.Reload()
	if b.Is(`window.pressed`) {
		t.Error("the page is printed again when it is reloaded")
	}
}
