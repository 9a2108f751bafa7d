package web_test

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/page"

	"github.com/routecard/routecard/internal/process"
)

// Every code on the printed sheet can be read, by printers of both usual resolutions.
func TestBrowserPrintsCodesThatCanBeRead(t *testing.T) {
	t.Parallel()
	chromium(t)
	s := serve(t)
	b := s.open()
	b.visit("/scan/codes")
	wanted := regexp.MustCompile(`RC-[A-Z-]+`).FindAllString(b.text(), -1)
	if len(wanted) < 10 {
		t.Fatalf("the sheet has only %v", wanted)
	}
	b.prints(wanted...)
}

// prints prints the page, and fails unless these codes can be read on the paper.
func (b *browser) prints(wanted ...string) {
	b.t.Helper()
	t := b.t
	raster, read := process.Find(t, "poppler-utils", "pdftoppm"), process.Find(t, "zbar-tools", "zbarimg")
	folder := t.TempDir()
	sheet := filepath.Join(folder, "codes.pdf")
	printed := call(b, "print", page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69}).Data
	if err := os.WriteFile(sheet, printed, 0o600); err != nil {
		t.Fatal(err)
	}
	for _, resolution := range []int{203, 300} {
		to := filepath.Join(folder, fmt.Sprint("dots", resolution))
		if output, err := exec.Command(raster, "-r", fmt.Sprint(resolution), "-gray", sheet, to).CombinedOutput(); err != nil {
			t.Fatalf("%v\n%s", err, output)
		}
		sheets, err := filepath.Glob(to + "*")
		if err != nil || len(sheets) == 0 {
			t.Fatalf("no sheets: %v", err)
		}
		var found []string
		for _, sheet := range sheets {
			output, _ := exec.Command(read, "-q", "--raw", sheet).Output() // it fails for a sheet without a code
			found = append(found, strings.Fields(string(output))...)
		}
		for _, code := range wanted {
			if !slices.Contains(found, code) {
				t.Errorf("%s cannot be read at %d dots an inch; what can: %v", code, resolution, found)
			}
		}
	}
}

// A printed card of several pages keeps its columns on paper, and names the unit on every page.
func TestBrowserPrintsALongCard(t *testing.T) {
	t.Parallel()
	chromium(t)
	read := process.Find(t, "poppler-utils", "pdftotext")
	s := serve(t)
	steps := make([]fields, 60)
	for i := range steps {
		steps[i] = fields{"name": fmt.Sprintf("Operation %02d", i), "location": "Cell 7"}
	}
	_, _, serials := s.job("Shaft", "strict", 1, steps...)
	b := s.open()
	b.visit("/serials/" + serials[0] + "/print")
	sheet := filepath.Join(t.TempDir(), "card.pdf")
	printed := call(b, "print", page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69}).Data
	if err := os.WriteFile(sheet, printed, 0o600); err != nil {
		t.Fatal(err)
	}
	text, err := exec.Command(read, "-layout", sheet, "-").Output()
	if err != nil {
		t.Fatal(err)
	}
	pages := strings.Split(strings.TrimSuffix(string(text), "\f"), "\f")
	if len(pages) < 2 {
		t.Fatalf("%d pages:\n%s", len(pages), text)
	}
	row := regexp.MustCompile(`(?m)^ *\d+ +Operation \d\d +Cell 7 +(Pending|In progress)`)
	for i, page := range pages {
		if !strings.Contains(page, serials[0]) || !strings.Contains(page, fmt.Sprintf("Page %d of %d", i+1, len(pages))) ||
			!regexp.MustCompile(`No\. +Step +Location +Status`).MatchString(page) || len(row.FindAllString(page, -1)) < 5 {
			t.Errorf("page %d:\n%s", i+1, page)
		}
	}
}
