package station_test

import (
	"fmt"
	"image/color"
	"image/png"
	"net/url"
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

// Every code on the printed sheet is readable at the resolutions of both usual kinds of printers.
func TestBrowserPrintsCodesThatCanBeRead(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	s := browsertest.Serve(t)
	b := s.Open()
	b.Visit("/scan/codes")
	wanted := regexp.MustCompile(`RC-[A-Z-]+`).FindAllString(b.Text(), -1)
	if len(wanted) < 10 {
		t.Fatalf("the sheet has only %v", wanted)
	}
	b.Prints(wanted...)
}

// The sheet of command codes fills its pages: on both usual paper sizes the last page has at least half as many codes as the first.
func TestBrowserPrintsCodesOnFullPages(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	read := process.Find(t, "poppler-utils", "pdftotext")
	s := browsertest.Serve(t)
	b := s.Open()
	b.Visit("/scan/codes")
	for paper, size := range map[string]page.PrintToPDFParams{
		"A4": {PaperWidth: 8.27, PaperHeight: 11.69}, "Letter": {PaperWidth: 8.5, PaperHeight: 11},
	} {
		var counts []int
		for _, text := range printedIn(b, read, size) {
			counts = append(counts, len(regexp.MustCompile(`RC-[A-Z-]+`).FindAllString(text, -1)))
		}
		if first, last := counts[0], counts[len(counts)-1]; len(counts) > 2 || 2*last < first {
			t.Errorf("%s: the pages have %v codes", paper, counts)
		}
	}
}

// printedIn returns the text of each page that the browser prints.
func printedIn(b *browsertest.Browser, read string, size page.PrintToPDFParams) []string {
	b.T.Helper()
	sheet := filepath.Join(b.T.TempDir(), "printed.pdf")
	if err := os.WriteFile(sheet, browsertest.Call(b, "print", page.PrintToPDF, size).Data, 0o600); err != nil {
		b.T.Fatal(err)
	}
	text, err := exec.Command(read, "-layout", sheet, "-").Output()
	if err != nil {
		b.T.Fatal(err)
	}
	return strings.Split(strings.TrimSuffix(string(text), "\f"), "\f")
}

// Every label of a sheet is printed with its border, including the labels in the third column.
func TestBrowserPrintsBordersOfLabels(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	raster := process.Find(t, "poppler-utils", "pdftoppm")
	s := browsertest.Serve(t)
	_, _, serials := s.Job("A job with a name that is too long for a label", "strict", 4, browsertest.Fields{"name": "Turn"})
	b := s.Open()
	b.Visit("/labels?first=" + serials[0] + "&last=" + serials[3])
	folder := t.TempDir()
	sheet := filepath.Join(folder, "labels")
	printed := browsertest.Call(b, "print", page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69}).Data
	if err := os.WriteFile(sheet+".pdf", printed, 0o600); err != nil {
		t.Fatal(err)
	}
	if output, err := exec.Command(raster, "-r", "203", "-gray", "-png", "-singlefile", sheet+".pdf", sheet).CombinedOutput(); err != nil {
		t.Fatalf("%v\n%s", err, output)
	}
	file, err := os.Open(sheet + ".png")
	if err != nil {
		t.Fatal(err)
	}
	defer file.Close()
	paper, err := png.Decode(file)
	if err != nil {
		t.Fatal(err)
	}
	ink := func(x, y int) bool { return color.GrayModel.Convert(paper.At(x, y)).(color.Gray).Y < 240 }
	wide, high := paper.Bounds().Dx(), paper.Bounds().Dy()
	runs := func(length int, full func(i int) bool) (begin []int) {
		for i := range length {
			if full(i) && (i == 0 || !full(i-1)) {
				begin = append(begin, i)
			}
		}
		return begin
	}
	// The labels of the first row have a line above and a line below them, across most of the paper.
	across := runs(high, func(y int) bool {
		inked := 0
		for x := range wide {
			if ink(x, y) {
				inked++
			}
		}
		return inked > wide*8/10
	})
	if len(across) < 2 {
		t.Fatalf("lines across the paper: %v", across)
	}
	down := runs(wide, func(x int) bool {
		for y := across[0]; y < across[1]; y++ {
			if !ink(x, y) {
				return false
			}
		}
		return true
	})
	if len(down) != 6 {
		t.Errorf("the three labels of the first row have lines down at %v, want six", down)
	}
}

// A printed card of several pages keeps its columns, and shows the unit on every page.
func TestBrowserPrintsALongCard(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	read := process.Find(t, "poppler-utils", "pdftotext")
	s := browsertest.Serve(t)
	steps := make([]browsertest.Fields, 60)
	for i := range steps {
		steps[i] = browsertest.Fields{"name": fmt.Sprintf("Operation %02d", i), "location": "Cell 7"}
	}
	_, _, serials := s.Job("Shaft", "strict", 1, steps...)
	b := s.Open()
	b.Visit("/serials/" + serials[0] + "/print")
	sheet := filepath.Join(t.TempDir(), "card.pdf")
	printed := browsertest.Call(b, "print", page.PrintToPDF, page.PrintToPDFParams{PaperWidth: 8.27, PaperHeight: 11.69}).Data
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
		if !strings.Contains(page, serials[0]) || !regexp.MustCompile(fmt.Sprintf(`\b%d ?/ ?%d\b`, i+1, len(pages))).MatchString(page) ||
			!regexp.MustCompile(`No\. +Step +Location +Status`).MatchString(page) || len(row.FindAllString(page, -1)) < 5 {
			t.Errorf("page %d:\n%s", i+1, page)
		}
	}
}

// docs/api/identifiers.md, "Codes on labels": The Data Matrix of printed labels is readable, and its content identifies the unit.
func TestBrowserPrintsLabelsThatOtherSystemsRead(t *testing.T) {
	t.Parallel()
	browsertest.Chromium(t)
	raster, read := process.Find(t, "poppler-utils", "pdftoppm"), process.Find(t, "dmtx-utils", "dmtxread")
	s := browsertest.Serve(t)
	const gs, rs, eot = "\x1d", "\x1e", "\x04"
	units := []struct{ part, own, want string }{
		{"9506000134352", "17", "010950600013435221" + "17"},
		{"VB-210", "VB-210-0001", "[)>" + rs + "06" + gs + "1PVB-210" + gs + "SVB-210-0001" + rs + eot},
		{"", "", ""},
	}
	b := s.Open()
	for _, unit := range units {
		order := browsertest.Fields{"name": "Valve body", "goalQuantity": 1}
		made := browsertest.Fields{"quantity": 1, "userId": "setup"}
		if unit.part != "" {
			order["partNumber"], order["partRevision"], made["serialNumbers"] = unit.part, "C", []string{unit.own}
		}
		var job, path struct{ ID string }
		var serials []struct{ ID string }
		s.Post("/api/jobs", order, &job)
		s.Post("/api/paths", browsertest.Fields{
			"jobId": job.ID, "name": "Main", "goalQuantity": 1, "advancementMode": "flexible", "steps": []browsertest.Fields{{"name": "Turn"}},
		}, &path)
		made["jobId"], made["pathId"] = job.ID, path.ID
		s.Post("/api/serials", made, &serials)
		id := serials[0].ID
		if unit.own == "" {
			unit.want = "[)>" + rs + "06" + gs + "S" + id + rs + eot
		}
		b.Visit("/labels?size=single&matrix=yes&first=" + id)
		if unit.own != "" && !strings.Contains(b.Text(), unit.own) || unit.part != "" && !strings.Contains(b.Text(), unit.part+" rev. C") {
			t.Errorf("the label says %q", b.Text())
		}
		folder := t.TempDir()
		label := filepath.Join(folder, "label")
		printed := browsertest.Call(b, "print", page.PrintToPDF, page.PrintToPDFParams{PreferCSSPageSize: new(true)}).Data
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
		s.Get("/api/resolve?code="+url.QueryEscape(unit.want), &named)
		if len(named.Found) != 1 || named.Found[0].ID != id {
			t.Errorf("%q names %v, want %s", unit.want, named.Found, id)
		}
	}
}
