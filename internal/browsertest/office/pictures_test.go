package office_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"image/png"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"testing"

	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
)

// pictures are the pictures in the documents, each with the steps that lead to it. They are taken from a demonstration in which Marta is
// the lead and Deepak is in quality. Without accounts, as by default, the operator is selected from a list.
var pictures = map[string]func(b *browsertest.Browser){
	"floor": func(b *browsertest.Browser) { b.Visit("/") },
	"scan": func(b *browsertest.Browser) {
		b.Visit("/scan")
		for _, code := range []string{"SN-00001", serialAt(b.Site, "status=in_progress&q=manifold"), "RC-DONE"} {
			b.Wait("the field has the focus", `document.activeElement.id === "code" && document.activeElement.value === ""`)
			b.Do("scan "+code, chromedp.KeyEvent(code+kb.Enter))
			b.Wait("it is noted", fmt.Sprintf(`document.querySelector(".last li .id")?.textContent === %q`, code))
		}
	},
	"board":   func(b *browsertest.Browser) { b.Visit("/jobs/" + jobOfAt(b.Site, "status=in_progress&q=flange")) },
	"card":    func(b *browsertest.Browser) { b.Visit("/serials/" + serialAt(b.Site, "status=in_progress&q=gearbox")) },
	"report":  func(b *browsertest.Browser) { b.Visit("/nonconformances/NCR-00002") },
	"history": func(b *browsertest.Browser) { b.Visit("/serials/" + reworkedAt(b.Site)) },
	"sign": func(b *browsertest.Browser) {
		b.Visit("/settings/signatures")
		b.Choose("select[name=scrap]", "second")
		b.Press("Save", "Saved.")
		b.Press("Sign out", "Signed out.")
		b.Fill("input[name=login]", "marta")
		b.Fill("input[name=password]", browsertest.GoodPassword)
		b.Press("Sign in", "Marta Lindqvist")
		unit := "SN-00600"
		b.Visit("/serials/" + unit)
		b.Click("details[data-key=more] > summary")
		b.Click("details[data-key=scrap] summary")
		b.Choose("details[data-key=scrap] select[name=reason]", "damaged")
		b.Press("Scrap "+unit+"…", "Signature of a second person")
		b.Fill("input[name=cosign-login]", "deepak")
	},
}

// TestPictures takes the pictures of the documents again and writes them to the folder in ROUTECARD_PICTURES (make pictures). If the
// variable is not set, the test only checks that the documents show exactly these pictures.
func TestPictures(t *testing.T) {
	t.Parallel()
	var shown []string
	documents, err := filepath.Glob("../../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range append(documents, "../../../README.md") {
		text, err := os.ReadFile(document)
		if err != nil {
			t.Fatal(err)
		}
		for _, found := range regexp.MustCompile(`images/(\w+)\.png`).FindAllSubmatch(text, -1) {
			shown = append(shown, string(found[1]))
		}
	}
	slices.Sort(shown)
	var made []string
	for name := range pictures {
		made = append(made, name)
	}
	slices.Sort(made)
	if shown = slices.Compact(shown); !slices.Equal(shown, made) {
		t.Errorf("the documents show %v, and there are %v", shown, made)
	}
	folder := os.Getenv("ROUTECARD_PICTURES")
	if folder == "" {
		return
	}
	open := browsertest.Serve(t, "--demo").Open()
	open.Visit("/")
	open.Work("Tom Fischer")
	guarded := browsertest.Serve(t, "--demo", "--auth", "all")
	closed := guarded.Open()
	closed.Visit(guarded.Invitation())
	closed.TabTo("input[name=name]")
	closed.Keys("Ada Byron\tada\t" + browsertest.GoodPassword + kb.Enter)
	closed.Says("Welcome.")
	staffOf(guarded.SignIn("ada", browsertest.GoodPassword), "Marta Lindqvist", "marta", "lead")
	staffOf(guarded.SignIn("ada", browsertest.GoodPassword), "Deepak Rao", "deepak", "quality")
	for _, name := range made {
		b := open
		if name == "sign" {
			b = closed
		}
		b.Look("light", 1280)
		pictures[name](b)
		part := "body"
		if name == "history" {
			part = "section:has(#trail)"
		}
		keepIn(b, filepath.Join(folder, name+".png"), part)
	}
}

// keepIn saves a picture of a part of the page with few colours. The picture ends at the lower edge of the window, unless the part begins
// below that edge.
func keepIn(b *browsertest.Browser, name, part string) {
	b.T.Helper()
	place, err := chromedp.Run(b.Context, chromedp.Evaluate[page.Viewport](fmt.Sprintf(
		`(() => { const at = document.querySelector(%q).getBoundingClientRect();
			return {x: at.x + scrollX, y: at.y + scrollY, width: at.width, height: at.y > 0 ? at.height : innerHeight, scale: 1}; })()`, part)))
	if err != nil {
		b.T.Fatal(err)
	}
	beyond := true
	taken, err := png.Decode(bytes.NewReader(browsertest.Call(b, "take a picture", page.CaptureScreenshot, page.CaptureScreenshotParams{
		Clip: &place, CaptureBeyondViewport: &beyond,
	}).Data))
	if err != nil {
		b.T.Fatal(err)
	}
	var to bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&to, fewColours(taken)); err != nil {
		b.T.Fatal(err)
	}
	if err := os.WriteFile(name, to.Bytes(), 0o644); err != nil {
		b.T.Fatal(err)
	}
}

// fewColours converts a picture to its 256 most frequent colours.
func fewColours(from image.Image) image.Image {
	count, bounds := map[color.RGBA]int{}, from.Bounds()
	at := func(x, y int) color.RGBA { return color.RGBAModel.Convert(from.At(x, y)).(color.RGBA) } //nolint:forcetypeassert // its model
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			count[at(x, y)]++
		}
	}
	var all []color.RGBA
	for one := range count {
		all = append(all, one)
	}
	slices.SortFunc(all, func(a, b color.RGBA) int { return count[b] - count[a] })
	var palette color.Palette
	for _, one := range all[:min(len(all), 256)] {
		palette = append(palette, one)
	}
	to, nearest := image.NewPaletted(bounds, palette), map[color.RGBA]uint8{}
	for y := bounds.Min.Y; y < bounds.Max.Y; y++ {
		for x := bounds.Min.X; x < bounds.Max.X; x++ {
			one := at(x, y)
			if _, known := nearest[one]; !known {
				nearest[one] = uint8(palette.Index(one)) //nolint:gosec // at most 256 colours
			}
			to.SetColorIndex(x, y, nearest[one])
		}
	}
	return to
}

// staffOf creates an account for an existing operator.
func staffOf(m *browsertest.Member, name, login string, roles ...string) {
	m.T.Helper()
	var users []struct{ ID, Name string }
	m.Ask("GET", "/api/users", nil, &users)
	for _, user := range users {
		if user.Name != name {
			continue
		}
		path := "/api/users/" + user.ID
		m.Ask("PUT", path+"/account", browsertest.Fields{"login": login, "roles": roles}, nil)
		m.Ask("PUT", path+"/password", browsertest.Fields{"password": "given by the boss"}, nil)
		m.Site.SignIn(login, "given by the boss").
			Ask("PUT", path+"/password", browsertest.Fields{"password": browsertest.GoodPassword, "oldPassword": "given by the boss"}, nil)
		return
	}
	m.T.Fatalf("nobody is called %s", name)
}

type foundSerial struct{ ID, JobID string }

// findAt returns a unit that a search finds, from the middle of the results.
func findAt(s *browsertest.Site, query string) foundSerial {
	s.T.Helper()
	var found struct{ Items []foundSerial }
	if s.Get("/api/serials/search?limit=40&"+query, &found); len(found.Items) == 0 {
		s.T.Fatalf("no unit is found by %s", query)
	}
	return found.Items[len(found.Items)/2]
}

func serialAt(s *browsertest.Site, query string) string { return findAt(s, query).ID }

func jobOfAt(s *browsertest.Site, query string) string { return findAt(s, query).JobID }

// reworkedAt returns a unit that was sent back by the first report.
func reworkedAt(s *browsertest.Site) string {
	s.T.Helper()
	var report struct {
		Units []struct{ SerialID, Disposition string }
	}
	s.Get("/api/nonconformances/NCR-00001", &report)
	for _, unit := range report.Units {
		if unit.Disposition == "rework" {
			return unit.SerialID
		}
	}
	s.T.Fatal("no unit was sent back")
	return ""
}
