package web_test

import (
	"fmt"
	"os"
	"path/filepath"
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
	b.says("goalQuantity must be a number")
	b.fits("/import", 390)
	drop("Teil;Menge;Auftrag\nBolzen;7;00419\n")
	b.says("1 row: 1 created, 0 changed, 0 as they were.")
	b.twice(`[data-import] [value=import]`)
	b.wait("it was brought in", `document.body.innerText.includes("1 created") && !document.querySelector("[data-result]")`)
	s.get("/api/jobs", &jobs)
	if len(jobs) != 3 {
		t.Errorf("there are %+v", jobs)
	}
}
