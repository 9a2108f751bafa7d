package station_test

import (
	"bytes"
	"fmt"
	"image"
	"image/color"
	"io"
	"net/http"
	"os"
	"path/filepath"
	"regexp"
	"strconv"
	"strings"
	"testing"

	"github.com/boombuler/barcode/datamatrix"
	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/internal/browsertest"
)

const (
	filmWidth  = 640
	filmHeight = 480
	filmRate   = 5 // pictures per second
)

// module is a dark rectangle in a printed code.
type module struct{ x, y, width, height int }

// printedAt returns the modules of the code on a unit's label: those of its QR code (class qr) or of its bar code.
func printedAt(s *browsertest.Site, unit, class string) []module {
	s.T.Helper()
	response, err := http.Get(s.URL + "/labels?size=single&first=" + unit)
	if err != nil {
		s.T.Fatal(err)
	}
	defer response.Body.Close()
	label, err := io.ReadAll(response.Body)
	if err != nil {
		s.T.Fatal(err)
	}
	_, drawing, found := strings.Cut(string(label), `<svg class="`+class+`"`)
	drawing, _, _ = strings.Cut(drawing, "</svg>")
	_, thick, _ := strings.Cut(drawing, `stroke-width="`)
	thick, _, _ = strings.Cut(thick, `"`)
	height, _ := strconv.Atoi(thick)
	var dark []module
	x, y := 0, 0 // the current position: M begins a row, and m leaves a gap
	for _, at := range regexp.MustCompile(`([Mm])(\d+) ([\d.]+)h(\d+)`).FindAllStringSubmatch(drawing, -1) {
		from, _ := strconv.Atoi(at[2])
		length, _ := strconv.Atoi(at[4])
		if at[1] == "M" {
			middle, _ := strconv.ParseFloat(at[3], 64)
			x, y = 0, int(middle-float64(height)/2)
		}
		x += from
		dark = append(dark, module{x, y, length, height})
		x += length
	}
	if !found || len(dark) < 10 {
		s.T.Fatalf("the label of %s has no %s:\n%s", unit, class, label)
	}
	return dark
}

// matrix encodes a text as a Data Matrix code. Other systems read that code.
func matrix(t *testing.T, text string) (dark []module) {
	t.Helper()
	code, err := datamatrix.Encode(text)
	if err != nil {
		t.Fatal(err)
	}
	for y := range code.Bounds().Dy() {
		for x := range code.Bounds().Dx() {
			if color.GrayModel.Convert(code.At(x, y)) == (color.Gray{}) {
				dark = append(dark, module{x, y, 1, 1})
			}
		}
	}
	return dark
}

// picture draws codes next to each other as a camera sees them. Without codes it draws an empty bench.
func picture(codes ...[]module) *image.Gray {
	seen := image.NewGray(image.Rect(0, 0, filmWidth, filmHeight))
	for i := range seen.Pix {
		seen.Pix[i] = 200
	}
	for i, dark := range codes {
		width, height := 0, 0
		for _, m := range dark {
			width, height = max(width, m.x+m.width), max(height, m.y+m.height)
		}
		room := (filmHeight - 80) / len(codes) // in the square in the middle, which the page shows
		scale := min(room/width, room/height)
		left := (filmWidth-filmHeight)/2 + 40 + i*room + (room-width*scale)/2
		top := (filmHeight - height*scale) / 2
		for _, m := range dark {
			for y := m.y * scale; y < (m.y+m.height)*scale; y++ {
				for x := m.x * scale; x < (m.x+m.width)*scale; x++ {
					seen.Pix[(top+y)*seen.Stride+left+x] = 30
				}
			}
		}
	}
	return seen
}

// film creates a file from which the browser's fake camera shows each picture for two seconds, in an endless loop.
func film(t *testing.T, pictures ...*image.Gray) string {
	t.Helper()
	var video bytes.Buffer
	fmt.Fprintf(&video, "YUV4MPEG2 W%d H%d F%d:1 Ip A1:1 C420jpeg\n", filmWidth, filmHeight, filmRate)
	colourless := bytes.Repeat([]byte{128}, filmWidth*filmHeight/2)
	for _, seen := range pictures {
		for range 2 * filmRate {
			video.WriteString("FRAME\n")
			video.Write(seen.Pix)
			video.Write(colourless)
		}
	}
	file := filepath.Join(t.TempDir(), "camera.y4m")
	if err := os.WriteFile(file, video.Bytes(), 0o600); err != nil {
		t.Fatal(err)
	}
	return file
}

// withCameraAt starts a browser whose camera shows a film and whose user has allowed the camera.
func withCameraAt(s *browsertest.Site, film string) *browsertest.Browser {
	s.T.Helper()
	b := s.Open(chromedp.Flag("use-fake-device-for-media-stream", true), chromedp.Flag("use-fake-ui-for-media-stream", true),
		chromedp.Flag("use-file-for-fake-video-capture", film))
	b.First(`{
		const ask = navigator.mediaDevices?.getUserMedia?.bind(navigator.mediaDevices);
		window.tracks = [];
		if (ask) navigator.mediaDevices.getUserMedia = async (...what) => {
			const stream = await ask(...what);
			tracks.push(...stream.getTracks());
			return stream;
		};
		window.shaken = 0;
		navigator.vibrate = () => { shaken++; return true; };
	}`)
	return b
}

const live = `tracks.some((track) => track.readyState === "live")`

// On a phone without a built-in reader, the page reads the codes of Routecard and Data Matrix codes. It shows a code that it has read and
// never executes it.
func TestCameraReadsLabels(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 3, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"})
	b := withCameraAt(s, film(t, picture(printedAt(s, serials[0], "qr")), picture(),
		picture(printedAt(s, serials[1], "bars")), picture(), picture(matrix(t, serials[2])), picture()))
	b.First(`{delete window.BarcodeDetector}`)
	b.Visit("/")
	b.Work("Dana")
	b.Click(`nav a[href="/scan"]`) // the page was reached by a link, so its document may not open the camera yet
	b.Click(`[data-camera=open]`)
	b.Says("Close the camera")
	for _, serial := range serials {
		b.Wait(serial+" is read", fmt.Sprintf(`[...document.querySelectorAll("#last li.show .id")].some((e) => e.textContent === %q)`, serial))
	}
	b.Wait("a read is felt", `shaken >= 3`)
	b.Wait("the policy of the page allows no WebAssembly", `(() => {
		try { new WebAssembly.Module(new Uint8Array([0, 97, 115, 109, 1, 0, 0, 0])); return false; } catch { return true; }
	})()`)
	b.Wait("the camera is on", live)
	b.Click(`[data-camera=close]`)
	b.Wait("the camera is off", "!("+live+")")
	b.Wait("and cannot be seen", `document.querySelector("[data-camera=screen]").hidden`)
	for _, serial := range serials {
		s.At(serial, 0)
	}

	// The camera also stops when the user leaves or hides the page.
	for what, leave := range map[string]string{
		"another page": `document.querySelector('nav a[href="/jobs"]').click()`,
		"Escape":       `document.dispatchEvent(new KeyboardEvent("keydown", {key: "Escape", bubbles: true}))`,
		"a pocket": `Object.defineProperty(document, "hidden", {get: () => true, configurable: true});
			document.dispatchEvent(new Event("visibilitychange")); delete document.hidden`,
	} {
		b.Visit("/scan")
		b.Click(`[data-camera=open]`)
		b.Wait("the camera is on", live)
		b.Wait("it looks", `Number(document.querySelector("#camera").dataset.looks) > 0`)
		b.Run(what, leave)
		b.Wait("the camera is off after "+what, "!("+live+")")
	}
}

// If the browser has a reader, the page uses it. The test holds codes in front of the camera: too long, too many at once, and with a
// repeated press, as tired people do.
func TestCameraInTiredHands(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 3, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Wash"})
	b := withCameraAt(s, film(t, picture()))
	b.Listens()
	b.First(`{
		window.held = [];
		window.now = 1; // milliseconds that passed, for what counts by time
		performance.now = () => now;
		window.BarcodeDetector = class {
			static async getSupportedFormats() { return ["code_128", "data_matrix", "ean_13", "qr_code"]; }
			async detect() {
				if (window.broken) throw new Error("Barcode detection service unavailable.");
				return held.map((rawValue) => ({ rawValue, format: "qr_code" }));
			}
		};
		window.tracks = [];
	}`)
	b.Visit("/scan")
	b.Work("Dana")
	b.Click(`[data-camera=open]`)
	b.Says("Hold one code in front of the camera.")
	b.Wait("the program's own reader is not loaded", `!performance.getEntriesByType("resource").some((e) => e.name.includes("zxing"))`)
	hold := func(codes ...string) {
		t.Helper()
		b.Run("hold "+strings.Join(codes, " and "), fmt.Sprintf(`held = %q.split(" ").filter(Boolean); window.seen = Number(document.querySelector("#camera").dataset.looks) + 3`,
			strings.Join(codes, " ")))
		b.Wait("it was seen three times", `Number(document.querySelector("#camera").dataset.looks) >= seen`)
	}
	pass := func(milliseconds int) {
		t.Helper()
		b.Run("let time pass", fmt.Sprintf(`now += %d`, milliseconds))
	}
	count := func(what string, many int) {
		t.Helper()
		b.Wait(fmt.Sprintf("%d of %s", many, what), fmt.Sprintf(`document.querySelector("#waiting").hidden &&
			[...document.querySelectorAll("#last li .id")].filter((e) => e.textContent === %q).length === %d`, what, many))
	}

	// A code that stays in front of the camera is read once, however long it stays. After a short absence it still counts as the same code.
	b.Run("listen", `tones.length = 0`)
	hold(serials[0])
	b.Says("Done, on to Grind")
	b.Wait("the read is heard before the answer", `tones.join() === "1320 sine,660 sine"`)
	pass(60_000)
	hold(serials[0])
	pass(1_000)
	hold()
	pass(1_000)
	hold(serials[0])
	count(serials[0], 1)
	s.At(serials[0], 0)

	// When two codes are in sight, it is unknown which one is meant.
	hold(serials[0], "RC-DONE", "RC-SCRAP-DAMAGED")
	b.Says("Several codes are visible.")
	count("RC-DONE", 0)

	// The command is executed once, even if its code stays in sight or is shown again.
	hold("RC-DONE")
	b.Says("SN-00001 moved to the next step.")
	pass(60_000)
	hold("RC-DONE")
	hold()
	pass(2_000)
	hold("RC-DONE")

	// As with a scanner, a code that is appended to an unfinished text has no effect.
	hold()
	hold(serials[1])
	b.Says("Done, on to Grind")
	s.At(serials[0], 1)
	hold("RC-NOTE")
	b.Says("Note on " + serials[1])
	b.Run("type half a note", `document.querySelector("#code").value = "crack at"`)
	hold(serials[2])
	b.Says("No note was written")
	s.At(serials[1], 0)

	// If the browser's reader stops working, the program's own reader replaces it.
	hold()
	b.Run("break it", `window.broken = true`)
	b.Wait("the program's own reader is loaded", `performance.getEntriesByType("resource").some((e) => e.name.includes("camerareader"))`)
	b.Says("Hold one code in front of the camera.")
}

// The decision whether a code counts as read needs no camera.
func TestCameraReadsBarsTwice(t *testing.T) {
	t.Parallel()
	b := browsertest.Serve(t).Open()
	b.Visit("/scan")
	b.Work("Dana")
	b.Run("load it", `window.told = ""; import(document.querySelector("#camera").dataset.script).then(({sight}) => {
		const judge = sight(), bars = (text) => ({text, bars: true}), qr = (text) => ({text, bars: false});
		window.told = [
			[[bars("A")], 0], [[bars("B")], 100], [[bars("B")], 200], // a misreading first
			[[bars("B")], 90000], [[], 90100], [[], 91600], [[bars("B")], 91600], [[bars("B")], 91700], // away for no longer than a moment
			[[], 91800], [[bars("B")], 93301], [[bars("B")], 93400],
			[[qr("C")], 93500], [[qr("C"), qr("D")], 93600], [[qr("D")], 93700], [[qr("C")], 93800],
			[[qr("E"), bars("E")], 93900], // a label has both
			[[qr("")], 94000],
		].map(([codes, now]) => { const {several, code} = judge(codes, now); return (several ? "several" : "") + (code || ""); }).join();
	})`)
	const want = ",,B,,,,,,,,B,C,several,D,,E,"
	b.Wait("it reads "+want, fmt.Sprintf(`told === %q`, want))
}

// The page reports why a camera does not open and what the user can do.
func TestCameraThatDoesNotOpen(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t, "--host", "shop.example")
	fake := chromedp.Flag("use-fake-device-for-media-stream", true)
	for _, c := range []struct {
		what    string
		options []chromedp.ExecAllocatorOption
		host    string
		says    string
	}{
		{"http", []chromedp.ExecAllocatorOption{fake, chromedp.Flag("use-fake-ui-for-media-stream", true)}, "shop.example",
			"Browsers allow the camera only on https pages"},
		{"refused", []chromedp.ExecAllocatorOption{fake, chromedp.Flag("use-fake-ui-for-media-stream", "deny")}, "",
			"This browser does not let the page use the camera."},
		{"missing", []chromedp.ExecAllocatorOption{chromedp.Flag("use-fake-ui-for-media-stream", true)}, "", "This device has no camera."},
	} {
		host, port, _ := strings.Cut(s.Address, ":")
		b := s.Open(append(c.options, chromedp.Flag("host-resolver-rules", "MAP shop.example "+host))...)
		if c.host != "" {
			b.URL = "http://" + c.host + ":" + port
		}
		b.Visit("/scan")
		b.Work("Dana")
		b.Click(`[data-camera=open]`)
		b.Says(c.says)
		b.Says("You can still type codes.")
		b.Wait(c.what+": it can be tried again", `document.querySelector("[data-camera=open]").checkVisibility() && !document.querySelector("[data-running]")`)
	}

	// The page offers the camera's light if there is one.
	b := withCameraAt(s, film(t, picture()))
	b.First(`{
		const of = MediaStreamTrack.prototype;
		of.getCapabilities = () => ({ torch: true });
		of.applyConstraints = async function ({ advanced: [{ torch }] }) { window.torch = torch; };
	}`)
	b.Visit("/scan")
	b.Work("Dana")
	b.Click(`[data-camera=open]`)
	b.Click(`[data-camera=light]`)
	b.Wait("the light is on", `torch === true && document.querySelector("[data-camera=light]").getAttribute("aria-pressed") === "true"`)
	b.Click(`[data-camera=light]`)
	b.Wait("the light is off", `torch === false`)
}
