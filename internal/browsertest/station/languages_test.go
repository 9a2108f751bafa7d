package station_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/chromedp/cdproto/emulation"

	"github.com/routecard/routecard/internal/browsertest"
)

// A user chooses the language at the station and types a reading as it is written in that language. If a character could be a thousands
// separator, the station shows two buttons to choose from.
func TestReadingInGerman(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, path, serials := s.Job("Shaft", "strict", 1, browsertest.Fields{"name": "Hone"}, browsertest.Fields{"name": "Pack"})
	s.Demand(path, 0, browsertest.Fields{"number": "7", "name": "Bore", "type": "number", "unit": "mm"},
		browsertest.Fields{"number": "8", "name": "Length", "type": "number", "unit": "mm"})
	b := s.Open()
	b.Visit("/scan")
	b.Work("Dana")
	b.Click(`nav [popovertarget=languages]`)
	b.Click(`#languages [value=de]`)
	b.Wait("the page is German", `document.documentElement.lang === "de"`)
	second := 0
	read := func(value string) {
		t.Helper()
		second++
		b.Wait("a second", fmt.Sprintf(`performance.now() - (window.second%d ??= performance.now()) > 1100`, second))
		b.Typed(value)
	}
	b.Typed(serials[0])
	b.Says("7 Bore")
	read("12,50")
	b.Says("8 Length")
	read("1.234")
	b.Wait("two numbers to choose from", `[...document.querySelectorAll("#answer .ask button.primary")].map(e => e.textContent).join() === "1,234,1234"`)
	if got := s.Values(serials[0]); got != "7 12.50" {
		t.Fatalf("recorded: %s", got)
	}
	b.Look("light", 390)
	b.Fits("a number to choose", 390)
	b.Picture("measure-which-number-390", 390)
	b.Click(`#answer [value="1234"]`)
	b.Wait("it is recorded", `!document.querySelector("#answer [value='1234']")`)
	if got := s.Values(serials[0]); got != "7 12.50, 8 1234" {
		t.Errorf("recorded: %s", got)
	}
}

var germanTime = regexp.MustCompile(`\b[0-9]{1,2}\. [A-Z][a-zä]{2} [0-9]{2}:[0-9]{2}`)

// On a phone the menu has the choice of language. On the first page that a browser loads, before the server knows its time zone, months are
// written in the language of the page.
func TestLanguageOnAPhone(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 1, browsertest.Fields{"name": "Hone"})
	s.Post("/api/serials/"+serials[0]+"/advance", browsertest.Fields{"userId": "dana"}, nil)
	b := s.Open()
	b.Visit("/scan")
	browsertest.Call(b, "take a small phone", emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: 390, Height: 664, DeviceScaleFactor: 1, Mobile: true})
	b.Click(`.menu`)
	b.Click(`nav [popovertarget=languages]`)
	b.Click(`#languages [value=de]`)
	b.Wait("the page is German", `document.documentElement.lang === "de"`)
	b.Fits("the station in German", 390)
	b.Run("forget the zone", `document.cookie = "zone=; path=/; max-age=0"`)
	b.Visit("/serials/" + serials[0])
	first := b.Text()
	b.Visit("/serials/" + serials[0]) // written by the server, which now knows the time zone
	if now := b.Text(); first != now || !germanTime.MatchString(now) {
		t.Errorf("the first page:\n%s\nthe second page:\n%s", first, now)
	}
}
