package office_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/internal/browsertest"
)

// docs/api/clients.md, "Imports": The user chooses a file once, sees a preview, matches the columns by hand, and imports the file. For the
// next file with these columns, the columns are already matched. On a phone nothing is wider than the page.
func TestImportInTheBrowser(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	b := s.Open()
	b.Visit("/import?kind=jobs")
	b.Work("Dana")
	b.Look("light", 390)
	file := filepath.Join(t.TempDir(), "orders.csv")
	if err := os.WriteFile(file, []byte("Teil;Menge;Auftrag\nWelle;5;00417\nDeckel;3;00418\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.Do("choose the file", chromedp.SetUploadFiles(chromedp.CSS(`[data-import] [name=file]`), []string{file}))
	drop := func(text string) {
		t.Helper()
		b.Run("drop a file", fmt.Sprintf(`const files = new DataTransfer();
			files.items.add(new File([%q], "more.csv"));
			document.querySelector("[data-import]").dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}))`, text))
	}
	b.Says("Nobody knows the column Teil.")
	b.Choose(`[aria-label="Teil: imported as"]`, "name")
	b.Choose(`[aria-label="Menge: imported as"]`, "goalQuantity")
	b.Choose(`[aria-label="Auftrag: imported as"]`, "orderNumber")
	b.Click(`[data-import] [value=look]`)
	b.Says("2 rows: 2 created, 0 changed, 0 unchanged.")
	b.Fits("/import", 390)
	b.Click(`[data-import] [value=import]`)
	b.Wait("it was imported", `document.body.innerText.includes("2 created") && !document.querySelector("[data-result]")`)
	var jobs []struct{ Name, OrderNumber string }
	s.Get("/api/jobs", &jobs)
	if len(jobs) != 2 {
		t.Fatalf("there are %+v", jobs)
	}

	drop("Teil;Menge;Auftrag\nBolzen;viel;00419\n")
	b.Says("Goal quantity takes digits only, such as 1000.")
	b.Fits("/import", 390)
	drop("Teil;Menge;Auftrag\nBolzen;7;00419\n")
	b.Says("1 row: 1 created, 0 changed, 0 unchanged.")
	b.Wait("it is there for long enough to be read", `performance.now() - exchanged > unread`)
	// A lost response is a red band in sight, not a line below the form.
	s.Stop()
	b.Click(`[data-import] [value=import]`)
	b.Says("The connection was lost. What you filled in is kept. You can safely send it again: it is done only once.")
	b.Wait("the band is in sight", `(band => band.getBoundingClientRect().top >= 0 && band.getBoundingClientRect().bottom <= innerHeight &&
		document.activeElement === band)(document.querySelector("[data-import] .problem[role=alert]"))`)
	s.Start()
	b.Twice(`[data-import] [value=import]`)
	b.Wait("it was imported", `document.body.innerText.includes("1 created") && !document.querySelector("[data-result]")`)
	s.Get("/api/jobs", &jobs)
	if len(jobs) != 3 {
		t.Errorf("there are %+v", jobs)
	}
}

// The report of a measuring machine is imported. The user assigns numbers to its features once. The next file with the same features has
// these numbers.
func TestMachineInTheBrowser(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, path, units := s.Job("Valve body", "flexible", 2, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Pack"})
	s.Demand(path, 0, browsertest.Fields{"number": "7", "name": "Bore", "type": "number", "unit": "mm", "nominal": "12.5", "lower": "12.49", "upper": "12.51"})
	b := s.Open()
	b.Visit("/import?kind=measurements")
	b.Work("Dana")
	report := func(unit, value string) {
		t.Helper()
		b.Fill(`[data-import] [name=unit]`, unit)
		b.Run("drop a report", fmt.Sprintf(`const files = new DataTransfer();
			files.items.add(new File(["PART: BODY\nFEATURE  AX  NOMINAL  +TOL  -TOL  MEAS\nCIR1  X  0  1  1  0.1\nCIR1  D  12.5  0.01  0.01  %s\n"], "report.txt"));
			document.querySelector("[data-import]").dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}))`, value))
	}
	b.Click(`[name=machine]`)
	b.Fill(`[name=measuredIn]`, "mm")
	report(units[0], "12.503")
	b.Says("There is no characteristic CIR1 D.")
	b.Look("light", 390)
	b.Fits("/import", 390)
	b.Fill(`[aria-label="The number of CIR1 X on the drawing"]`, "")
	b.Fill(`[aria-label="The number of CIR1 D on the drawing"]`, "7")
	b.Click(`[data-import] [value=look]`)
	b.Says("1 row: 1 created, 0 changed, 0 unchanged.")
	b.Click(`[data-import] [value=import]`)
	b.Wait("it was imported", `document.body.innerText.includes("1 created") && !document.querySelector("[data-result]")`)

	b.Click(`[name=machine]`)
	b.Fill(`[name=measuredIn]`, "mm")
	report(units[1], "12.523")
	b.Says("1 new reading is out of limits.")
	b.Click(`[data-import] [value=import]`)
	b.Wait("it was imported", `document.body.innerText.includes("1 created (1 out of limits)") && !document.querySelector("[data-result]")`)
	if first, second := s.Values(units[0]), s.Values(units[1]); !strings.Contains(first, "12.503") || !strings.Contains(second, "12.523") {
		t.Errorf("recorded are %q and %q", first, second)
	}
}
