package office_test

import (
	"fmt"
	"os"
	"strconv"
	"strings"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
)

// TestScreenshots writes a screenshot of every page to the folder in ROUTECARD_SCREENSHOTS (make screenshots). If the variable is not set,
// the test only checks that the pages open.
func TestScreenshots(t *testing.T) {
	browsertest.Chromium(t)
	folder := os.Getenv("ROUTECARD_SCREENSHOTS")
	s := browsertest.Serve(t, "--demo")
	b := s.Open()
	b.Visit("/")
	b.Work("Dana Whitfield")
	pages := append(browsertest.EveryPage(t, s), browsertest.DemoPages(t, s)...)
	schemes := []string{"light", "dark"}
	if folder == "" {
		schemes, pages = schemes[:1], pages[:1]
	} else if err := os.MkdirAll(folder, 0o755); err != nil {
		t.Fatal(err)
	}
	// This is the station in the middle of work.
	b.Look("light", 1440)
	b.Visit("/scan")
	serial := strings.TrimPrefix(pages[min(6, len(pages)-1)].Path, "/serials/")
	for _, code := range []string{"SN-00001", serial, "RC-ADVANCE"} {
		if folder == "" {
			break
		}
		b.Wait("the field has the focus", `document.activeElement.id === "code" && document.activeElement.value === ""`)
		b.Do("scan "+code, chromedp.KeyEvent(code+kb.Enter))
		b.Wait("it is noted", fmt.Sprintf(`document.querySelector(".last li .id")?.textContent === %q`, code))
	}
	b.Picture("scan-work-1440-light", 1440)
	for _, scheme := range schemes {
		for _, width := range browsertest.Widths {
			for _, p := range pages {
				b.Look(scheme, width)
				b.Visit(p.Path)
				b.Picture(strings.Join([]string{p.Name, strconv.FormatInt(width, 10), scheme}, "-"), width)
			}
		}
	}
}
