package web_test

import (
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
)

// E7: A file is chosen once: it is looked at, its columns are matched by hand, and it is brought in. The next file with these columns is
// matched already. On a phone nothing is wider than the page.
func TestImportInTheBrowser(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := s.open()
	b.visit("/import?kind=jobs")
	b.work("Dana")
	b.look("light", 390)
	file := filepath.Join(t.TempDir(), "orders.csv")
	if err := os.WriteFile(file, []byte("Teil;Menge;Auftrag\nWelle;5;00417\nDeckel;3;00418\n"), 0o600); err != nil {
		t.Fatal(err)
	}
	b.do("choose the file", chromedp.SetUploadFiles(chromedp.CSS(`[data-import] [name=file]`), []string{file}))
	drop := func(text string) {
		t.Helper()
		b.run("drop a file", fmt.Sprintf(`const files = new DataTransfer();
			files.items.add(new File([%q], "more.csv"));
			document.querySelector("[data-import]").dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}))`, text))
	}
	b.says("Nobody knows the column Teil.")
	b.choose(`[aria-label="What Teil is"]`, "name")
	b.choose(`[aria-label="What Menge is"]`, "goalQuantity")
	b.choose(`[aria-label="What Auftrag is"]`, "orderNumber")
	b.click(`[data-import] [value=look]`)
	b.says("2 rows: 2 created, 0 changed, 0 as they were.")
	b.fits("/import", 390)
	b.click(`[data-import] [value=import]`)
	b.wait("it was brought in", `document.body.innerText.includes("2 created") && !document.querySelector("[data-result]")`)
	var jobs []struct{ Name, OrderNumber string }
	s.get("/api/jobs", &jobs)
	if len(jobs) != 2 {
		t.Fatalf("there are %+v", jobs)
	}

	drop("Teil;Menge;Auftrag\nBolzen;viel;00419\n")
	b.says("Goal quantity takes digits only, such as 1000.")
	b.fits("/import", 390)
	drop("Teil;Menge;Auftrag\nBolzen;7;00419\n")
	b.says("1 row: 1 created, 0 changed, 0 as they were.")
	b.wait("it is there for long enough to be read", `performance.now() - exchanged > unread`)
	b.twice(`[data-import] [value=import]`)
	b.wait("it was brought in", `document.body.innerText.includes("1 created") && !document.querySelector("[data-result]")`)
	s.get("/api/jobs", &jobs)
	if len(jobs) != 3 {
		t.Errorf("there are %+v", jobs)
	}
}

// The text of a measuring machine is brought in: a person gives its features their numbers once, and the next file with the same features
// has them.
func TestMachineInTheBrowser(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, path, units := s.job("Valve body", "flexible", 2, fields{"name": "Turn"}, fields{"name": "Pack"})
	s.demand(path, 0, fields{"number": "7", "name": "Bore", "type": "number", "unit": "mm", "nominal": "12.5", "lower": "12.49", "upper": "12.51"})
	b := s.open()
	b.visit("/import?kind=measurements")
	b.work("Dana")
	report := func(unit, value string) {
		t.Helper()
		b.fill(`[data-import] [name=unit]`, unit)
		b.run("drop a report", fmt.Sprintf(`const files = new DataTransfer();
			files.items.add(new File(["PART: BODY\nFEATURE  AX  NOMINAL  +TOL  -TOL  MEAS\nCIR1  X  0  1  1  0.1\nCIR1  D  12.5  0.01  0.01  %s\n"], "report.txt"));
			document.querySelector("[data-import]").dispatchEvent(new DragEvent("drop", {dataTransfer: files, bubbles: true, cancelable: true}))`, value))
	}
	b.click(`[name=machine]`)
	b.fill(`[name=measuredIn]`, "mm")
	report(units[0], "12.503")
	b.says("There is no characteristic CIR1 D.")
	b.look("light", 390)
	b.fits("/import", 390)
	b.fill(`[aria-label="The number of CIR1 X on the drawing"]`, "")
	b.fill(`[aria-label="The number of CIR1 D on the drawing"]`, "7")
	b.click(`[data-import] [value=look]`)
	b.says("1 row: 1 created, 0 changed, 0 as they were.")
	b.click(`[data-import] [value=import]`)
	b.wait("it was brought in", `document.body.innerText.includes("1 created") && !document.querySelector("[data-result]")`)

	b.click(`[name=machine]`)
	b.fill(`[name=measuredIn]`, "mm")
	report(units[1], "12.523")
	b.says("1 new reading is out of limits.")
	b.click(`[data-import] [value=import]`)
	b.wait("it was brought in", `document.body.innerText.includes("1 created (1 out of limits)") && !document.querySelector("[data-result]")`)
	if first, second := s.values(units[0]), s.values(units[1]); !strings.Contains(first, "12.503") || !strings.Contains(second, "12.523") {
		t.Errorf("recorded are %q and %q", first, second)
	}
}
