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
	read := process.Find(t, "poppler-utils", "pdftotext")
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

	sheet := filepath.Join(t.TempDir(), "recall.pdf")
	printed := browsertest.Call(b, "print", page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69}).Data
	if err := os.WriteFile(sheet, printed, 0o600); err != nil {
		t.Fatal(err)
	}
	output, err := exec.Command(read, "-layout", sheet, "-").CombinedOutput()
	if err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	text := string(output)
	for _, want := range []string{"Recall of heat " + heat, "LOT-", "On hold", "Printed ", "from Routecard"} {
		if !strings.Contains(text, want) {
			t.Errorf("the paper lacks %q:\n%s", want, text)
		}
	}
	if !regexp.MustCompile(`SN-\d+ .*On hold`).MatchString(text) {
		t.Errorf("the paper lists no unit on hold:\n%s", text)
	}
	if strings.Contains(text, "What counts") || strings.Contains(text, "Reason") {
		t.Errorf("the paper has the forms:\n%s", text)
	}
}
