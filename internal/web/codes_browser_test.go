package web_test

import (
	"fmt"
	"net/url"
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

// C3: The Data Matrix of printed labels can be read, and what it says names the unit.
func TestBrowserPrintsLabelsThatOtherSystemsRead(t *testing.T) {
	t.Parallel()
	chromium(t)
	raster, read := process.Find(t, "poppler-utils", "pdftoppm"), process.Find(t, "dmtx-utils", "dmtxread")
	s := serve(t)
	const gs, rs, eot = "\x1d", "\x1e", "\x04"
	units := []struct{ part, own, want string }{
		{"9506000134352", "17", "010950600013435221" + "17"},
		{"VB-210", "VB-210-0001", "[)>" + rs + "06" + gs + "1PVB-210" + gs + "SVB-210-0001" + rs + eot},
		{"", "", ""},
	}
	b := s.open()
	for _, unit := range units {
		order := fields{"name": "Valve body", "goalQuantity": 1}
		made := fields{"quantity": 1, "userId": "setup"}
		if unit.part != "" {
			order["partNumber"], order["partRevision"], made["serialNumbers"] = unit.part, "C", []string{unit.own}
		}
		var job, path struct{ ID string }
		var serials []struct{ ID string }
		s.post("/api/jobs", order, &job)
		s.post("/api/paths", fields{
			"jobId": job.ID, "name": "Main", "goalQuantity": 1, "advancementMode": "flexible", "steps": []fields{{"name": "Turn"}},
		}, &path)
		made["jobId"], made["pathId"] = job.ID, path.ID
		s.post("/api/serials", made, &serials)
		id := serials[0].ID
		if unit.own == "" {
			unit.want = "[)>" + rs + "06" + gs + "S" + id + rs + eot
		}
		b.visit("/labels?size=single&matrix=yes&first=" + id)
		if unit.own != "" && !strings.Contains(b.text(), unit.own) || unit.part != "" && !strings.Contains(b.text(), unit.part+" rev. C") {
			t.Errorf("the label says %q", b.text())
		}
		folder := t.TempDir()
		label := filepath.Join(folder, "label")
		printed := call(b, "print", page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: new(true)}).Data
		if err := os.WriteFile(label+".pdf", printed, 0o600); err != nil {
			t.Fatal(err)
		}
		for _, resolution := range []string{"203", "300"} {
			if output, err := exec.Command(raster, "-r", resolution, "-gray", "-singlefile", label+".pdf", label).CombinedOutput(); err != nil {
				t.Fatalf("%v\n%s", err, output)
			}
			found, err := exec.Command(read, "--stop-after=1", "--gs1=29", label+".pgm").Output()
			if code := strings.TrimPrefix(string(found), gs); code != unit.want {
				t.Errorf("at %s dots an inch %q is read (%v), want %q", resolution, code, err, unit.want)
			}
		}
		var named struct {
			Found []struct{ ID string }
		}
		s.get("/api/resolve?code="+url.QueryEscape(unit.want), &named)
		if len(named.Found) != 1 || named.Found[0].ID != id {
			t.Errorf("%q names %v, want %s", unit.want, named.Found, id)
		}
	}
}
