package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/cdp"
	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/page"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// widths are a phone, a tablet and a screen.
var widths = []int64{390, 768, 1280}

// pagePath is one page to look at, and how its picture is called.
type pagePath struct{ name, path string }

// everyPage lists every page, with things that the site has.
func everyPage(t *testing.T, s *site) []pagePath {
	t.Helper()
	id := func(path string) string {
		var list []struct{ ID string }
		s.get(path, &list)
		if len(list) == 0 {
			t.Fatalf("%s lists nothing", path)
		}
		return list[0].ID
	}
	var found struct {
		Items []struct{ ID, JobID, PathID string }
	}
	s.get("/api/serials/search?status=in_progress&limit=40", &found)
	if len(found.Items) == 0 {
		t.Fatal("no unit is in progress")
	}
	unit := found.Items[len(found.Items)/2]
	var templates []struct{ ID string }
	if s.get("/api/templates", &templates); len(templates) == 0 {
		s.post("/api/templates", fields{"name": "Turned part", "steps": []fields{{"name": "Saw", "location": "Bay 1"},
			{"name": "Turn"}, {"name": "Deburr", "optional": true}, {"name": "Inspect", "dependencyType": "completion_gate"}}}, nil)
		s.post("/api/users", fields{"name": "Dana Whitfield", "department": "Turning"}, nil)
	}
	pages := []pagePath{
		{"floor", "/"}, {"jobs", "/jobs"}, {"job", "/jobs/" + unit.JobID},
		{"route-new", "/jobs/" + unit.JobID + "/route"}, {"route", "/jobs/" + unit.JobID + "/paths/" + unit.PathID},
		{"serials", "/serials"}, {"search", "/search?q=1"}, {"card", "/serials/" + unit.ID}, {"print", "/serials/" + unit.ID + "/print"},
		{"scan", "/scan?unit=" + unit.ID}, {"codes", "/scan/codes"}, {"queue", "/queue"},
		{"certs", "/certs"}, {"cert", "/certs/" + id("/api/certs")}, {"bom", "/bom"}, {"library", "/library"},
		{"templates", "/templates"}, {"users", "/users"}, {"import", "/import"}, {"audit", "/audit"}, {"ledger", "/audit/ledger"},
		{"labels", "/labels?first=" + unit.ID + "&last=" + found.Items[0].ID}, {"nowhere", "/nowhere"},
	}
	pages = append(pages, quality(s, unit.PathID, found.Items[0].ID)...)
	pages = append(pages, pagePath{"bom-one", "/bom/" + id("/api/bom")}, pagePath{"template", "/templates/" + id("/api/templates")})
	return pages
}

// quality makes a report with decisions, and a unit with a history of mistakes, and lists the pages that show them.
func quality(s *site, pathID, other string) []pagePath {
	var held struct {
		Items []struct{ ID string }
	}
	s.get("/api/serials/search?status=in_progress&limit=6&pathId="+pathID, &held)
	var ids []string
	for _, unit := range held.Items {
		ids = append(ids, unit.ID)
	}
	var report struct{ ID string }
	s.post("/api/nonconformances", fields{
		"title": "Bearing seat too small", "description": "Found with the plug gauge after turning. Tool 14 was worn.",
		"severity": "major", "serialIds": ids, "hold": true, "userId": "Dana Whitfield",
	}, &report)
	sheet := "/nonconformances/" + report.ID
	decide := fields{
		"serialIds": ids[:1], "disposition": "use_as_is", "reason": "Within the limit of drawing C",
		"concession": "Customer, 3 March", "userId": "Dana Whitfield",
	}
	s.post("/api"+sheet+"/dispositions", decide, nil)
	if len(ids) > 1 {
		s.post("/api"+sheet+"/dispositions", fields{
			"serialIds": ids[1:2], "disposition": "rework", "reason": "Turn again", "targetStepIndex": 0, "userId": "Dana Whitfield",
		}, nil)
	}
	var entries []struct{ ID string }
	s.post("/api/serials/"+ids[0]+"/scrap", fields{"reason": "damaged", "userId": "Dana Whitfield"}, nil)
	s.get("/api/audit/serial/"+ids[0], &entries)
	s.post("/api/serials/"+ids[0]+"/undo", fields{
		"entryId": entries[len(entries)-1].ID, "reason": "It was the unit beside it", "userId": "Dana Whitfield",
	}, nil)
	return []pagePath{
		{"nonconformances", "/nonconformances"}, {"nonconformance", sheet}, {"nonconformance-print", sheet + "/print"},
		{"nonconformance-new", "/nonconformances/new?units=" + other + "&path=" + pathID}, {"holds", "/holds"},
		{"card-held", "/serials/" + ids[len(ids)-1]}, {"card-story", "/serials/" + ids[0]}, {"scan-held", "/scan?unit=" + ids[len(ids)-1]},
	}
}

// get reads an answer of the interface.
func (s *site) get(path string, into any) {
	s.t.Helper()
	response, err := http.Get(s.url + path)
	if err != nil {
		s.t.Fatal(err)
	}
	defer response.Body.Close()
	if response.StatusCode != http.StatusOK {
		s.t.Fatalf("GET %s: %s", path, response.Status)
	}
	if err := json.NewDecoder(response.Body).Decode(into); err != nil {
		s.t.Fatal(err)
	}
}

// TestScreenshots writes pictures of every page into the folder that ROUTECARD_SCREENSHOTS names (make screenshots).
// Without it there is nothing to write, and only that the pages open is seen.
func TestScreenshots(t *testing.T) {
	chromium(t)
	folder := os.Getenv("ROUTECARD_SCREENSHOTS")
	s := serve(t, "--demo")
	b := s.open()
	b.visit("/")
	b.work("Dana Whitfield")
	pages := everyPage(t, s)
	schemes := []string{"light", "dark"}
	if folder == "" {
		schemes, pages = schemes[:1], pages[:1]
	} else if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	// The station in the middle of work.
	b.look("light", 1440)
	b.visit("/scan")
	serial := strings.TrimPrefix(pages[min(6, len(pages)-1)].path, "/serials/")
	for _, code := range []string{"SN-00001", serial, "RC-ADVANCE"} {
		if folder == "" {
			break
		}
		b.wait("the field has the focus", `document.activeElement.id === "code" && document.activeElement.value === ""`)
		b.do("scan "+code, chromedp.KeyEvent(code+kb.Enter))
		b.wait("it is noted", fmt.Sprintf(`document.querySelector(".last li .id")?.textContent === %q`, code))
	}
	b.picture("scan-work-1440-light", 1440)
	for _, scheme := range schemes {
		for _, width := range widths {
			if scheme == "dark" && width == widths[1] {
				continue
			}
			for _, p := range pages {
				b.look(scheme, width)
				b.visit(p.path)
				b.picture(strings.Join([]string{p.name, strconv.FormatInt(width, 10), scheme}, "-"), width)
			}
		}
	}
}

// picture writes a picture of the page into the folder that ROUTECARD_SCREENSHOTS names, if it names one.
func (b *browser) picture(name string, width int64) {
	b.t.Helper()
	folder := os.Getenv("ROUTECARD_SCREENSHOTS")
	if folder == "" {
		return
	}
	size := call(b, "measure", page.GetLayoutMetrics, cdp.Empty{}).CSSContentSize
	beyond := true
	taken := call(b, "take a picture", page.CaptureScreenshot, page.CaptureScreenshotParams{
		CaptureBeyondViewport: &beyond,
		Clip:                  &page.Viewport{Width: float64(width), Height: min(size.Height, 2400), Scale: 1},
	}).Data
	if err := os.WriteFile(filepath.Join(folder, name+".png"), taken, 0o644); err != nil {
		b.t.Fatal(err)
	}
}

// look sets the colour scheme and the width of the browser.
func (b *browser) look(scheme string, width int64) {
	b.t.Helper()
	call(b, "set the scheme", emulation.SetEmulatedMedia, emulation.SetEmulatedMediaParams{
		Features: []*emulation.MediaFeature{{Name: "prefers-color-scheme", Value: scheme}},
	})
	call(b, "set the width", emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: width, Height: 900, DeviceScaleFactor: 1, Mobile: width < 500,
	})
}
