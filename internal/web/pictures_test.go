package web_test

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
)

// pictures are the pictures in the documents, each with what makes it, on a demonstration of which Marta is the lead and
// Deepak is quality. Without accounts whoever works is chosen from a list, as out of the box.
var pictures = map[string]func(b *browser){
	"floor": func(b *browser) { b.visit("/") },
	"scan": func(b *browser) {
		b.visit("/scan")
		for _, code := range []string{"SN-00001", b.site.serial("status=in_progress&q=manifold"), "RC-DONE"} {
			b.wait("the field has the focus", `document.activeElement.id === "code" && document.activeElement.value === ""`)
			b.do("scan "+code, chromedp.KeyEvent(code+kb.Enter))
			b.wait("it is noted", fmt.Sprintf(`document.querySelector(".last li .id")?.textContent === %q`, code))
		}
	},
	"board":   func(b *browser) { b.visit("/jobs/" + b.site.jobOf("status=in_progress&q=flange")) },
	"card":    func(b *browser) { b.visit("/serials/" + b.site.serial("status=in_progress&q=gearbox")) },
	"report":  func(b *browser) { b.visit("/nonconformances/NCR-00002") },
	"history": func(b *browser) { b.visit("/serials/" + b.site.reworked()) },
	"sign": func(b *browser) {
		b.visit("/settings/signatures")
		b.choose("select[name=scrap]", "second")
		b.press("Save", "Saved.")
		b.press("Sign out", "Signed out.")
		b.fill("input[name=login]", "marta")
		b.fill("input[name=password]", goodPassword)
		b.press("Sign in", "Marta Lindqvist")
		unit := "SN-00600"
		b.visit("/serials/" + unit)
		b.click("details[data-key=scrap] summary")
		b.choose("details[data-key=scrap] select[name=reason]", "damaged")
		b.press("Scrap "+unit+"…", "Signature of a second person")
		b.fill("input[name=cosign-login]", "deepak")
	},
}

// TestPictures takes the pictures of the documents anew, into the folder that ROUTECARD_PICTURES names (make pictures).
// Without it, only that the documents show these and no others is seen.
func TestPictures(t *testing.T) {
	t.Parallel()
	var shown []string
	documents, err := filepath.Glob("../../docs/*.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, document := range append(documents, "../../README.md") {
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
	open := serve(t, "--demo").open()
	open.visit("/")
	open.work("Tom Fischer")
	guarded := serve(t, "--demo", "--auth", "all")
	closed := guarded.open()
	closed.visit(guarded.invitation())
	closed.tabTo("input[name=name]")
	closed.keys("Ada Byron\tada\t" + goodPassword + kb.Enter)
	closed.says("Welcome.")
	guarded.signIn("ada", goodPassword).staff("Marta Lindqvist", "marta", "lead")
	guarded.signIn("ada", goodPassword).staff("Deepak Rao", "deepak", "quality")
	for _, name := range made {
		b := open
		if name == "sign" {
			b = closed
		}
		b.look("light", 1280)
		pictures[name](b)
		part := "body"
		if name == "history" {
			part = "section:has(#trail)"
		}
		b.keep(filepath.Join(folder, name+".png"), part)
	}
}

// keep writes a picture of a part of the page with few colours: no more of it than the window has, unless it begins below.
func (b *browser) keep(name, part string) {
	b.t.Helper()
	place, err := chromedp.Run(b.ctx, chromedp.Evaluate[page.Viewport](fmt.Sprintf(
		`(() => { const at = document.querySelector(%q).getBoundingClientRect();
			return {x: at.x + scrollX, y: at.y + scrollY, width: at.width, height: at.y > 0 ? at.height : innerHeight, scale: 1}; })()`, part)))
	if err != nil {
		b.t.Fatal(err)
	}
	beyond := true
	taken, err := png.Decode(bytes.NewReader(call(b, "take a picture", page.CaptureScreenshot, page.CaptureScreenshotParams{
		Clip: &place, CaptureBeyondViewport: &beyond,
	}).Data))
	if err != nil {
		b.t.Fatal(err)
	}
	var to bytes.Buffer
	if err := (&png.Encoder{CompressionLevel: png.BestCompression}).Encode(&to, fewColours(taken)); err != nil {
		b.t.Fatal(err)
	}
	if err := os.WriteFile(name, to.Bytes(), 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// fewColours draws a picture with the 256 colours that it has most of.
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
				nearest[one] = uint8(palette.Index(one)) //nolint:gosec // it has 256 colours at most
			}
			to.SetColorIndex(x, y, nearest[one])
		}
	}
	return to
}

// staff gives somebody who works there an account.
func (m *member) staff(name, login string, roles ...string) {
	m.t.Helper()
	var users []struct{ ID, Name string }
	m.ask("GET", "/api/users", nil, &users)
	for _, user := range users {
		if user.Name != name {
			continue
		}
		path := "/api/users/" + user.ID
		m.ask("PUT", path+"/account", fields{"login": login, "roles": roles}, nil)
		m.ask("PUT", path+"/password", fields{"password": "given by the boss"}, nil)
		m.site.signIn(login, "given by the boss").
			ask("PUT", path+"/password", fields{"password": goodPassword, "oldPassword": "given by the boss"}, nil)
		return
	}
	m.t.Fatalf("nobody is called %s", name)
}

type foundSerial struct{ ID, JobID string }

// find is a unit that a search finds, from the middle of what it finds.
func (s *site) find(query string) foundSerial {
	s.t.Helper()
	var found struct{ Items []foundSerial }
	if s.get("/api/serials/search?limit=40&"+query, &found); len(found.Items) == 0 {
		s.t.Fatalf("no unit is found by %s", query)
	}
	return found.Items[len(found.Items)/2]
}

func (s *site) serial(query string) string { return s.find(query).ID }

func (s *site) jobOf(query string) string { return s.find(query).JobID }

// reworked is a unit that was sent back by the first report.
func (s *site) reworked() string {
	s.t.Helper()
	var report struct {
		Units []struct{ SerialID, Disposition string }
	}
	s.get("/api/nonconformances/NCR-00001", &report)
	for _, unit := range report.Units {
		if unit.Disposition == "rework" {
			return unit.SerialID
		}
	}
	s.t.Fatal("no unit was sent back")
	return ""
}
