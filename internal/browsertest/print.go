package browsertest

import (
	"fmt"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"

	"github.com/chromedp/cdproto/page"
	"github.com/routecard/routecard/internal/process"
)

// Prints prints the page and fails unless the given codes can be read from the paper.
func (b *Browser) Prints(wanted ...string) {
	b.T.Helper()
	t := b.T
	raster, read := process.Find(t, "poppler-utils", "pdftoppm"), process.Find(t, "zbar-tools", "zbarimg")
	folder := t.TempDir()
	sheet := filepath.Join(folder, "codes.pdf")
	printed := Call(b, "print", page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69}).Data
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
			output, _ := exec.Command(read, "-q", "--raw", sheet).Output() // fails if a sheet has no code
			found = append(found, strings.Fields(string(output))...)
		}
		for _, code := range wanted {
			if !slices.Contains(found, code) {
				t.Errorf("%s cannot be read at %d dots an inch; what can: %v", code, resolution, found)
			}
		}
	}
}
