package station_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"

	"github.com/routecard/routecard/internal/browsertest"
)

// For units that cannot be worked on, the station plays a low tone, which differs from the tones for other units, and shows only buttons
// that apply.
func TestStationSoundsLowForUnitsThatAreStopped(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 4, browsertest.Fields{"name": "Turn"})
	who := s.Operator("Dana")
	s.Post("/api/serials/"+serials[1]+"/hold", browsertest.Fields{"reason": "crack", "userId": who}, nil)
	s.Post("/api/serials/"+serials[2]+"/scrap", browsertest.Fields{"reason": "damaged", "userId": who}, nil)
	s.Post("/api/serials/"+serials[3]+"/advance", browsertest.Fields{"userId": who}, nil)
	b := s.Open()
	b.Listens()
	b.Visit("/scan")
	b.Work("Dana")
	for i, tones := range []string{"660 sine", "220 sawtooth,220 sawtooth", "220 sawtooth,165 sawtooth", "220 sawtooth,220 sawtooth"} {
		b.Run("listen", `tones.length = 0`)
		b.Typed(serials[i])
		b.Wait(serials[i]+" is shown", fmt.Sprintf(`document.querySelector(".unit-id")?.innerText.includes(%q)`, serials[i]))
		b.Wait("one hears "+tones, fmt.Sprintf(`tones.join() === %q`, tones))
		if shown := b.Is(`document.querySelector("#at-hand button[value=RC-DONE]")`); shown != (i == 0) {
			t.Errorf("%s has a button for done: %v", serials[i], shown)
		}
	}
	b.Typed(serials[0])
	b.Says("Done, complete the unit")
	b.Typed("RC-DONE")
	b.Wait("one hears that it was done", `tones.slice(-2).join() === "880 sine,1175 sine"`)
}

// On a phone and on a tablet, the actions for selected units and the first button of a card or of the station are always on the screen,
// however long the list is. They do not cover the selected units.
func TestActionsStayInSight(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	jobID, _, serials := s.Job("Shaft for the gearbox of the second line, with a name that takes several lines", "strict", 90,
		browsertest.Fields{"name": "Turn", "location": "Lathe"}, browsertest.Fields{"name": "Grind"})
	var names []string
	for i := range 40 { // many steps, to fill the queue
		names = append(names, fmt.Sprint("Job ", i))
		s.Job(names[i], "strict", 1, browsertest.Fields{"name": "Turn"})
	}
	s.Send("PUT", "/api/serials/"+serials[0]+"/serial-number",
		browsertest.Fields{"serialNumber": strings.Repeat("LONG-NUMBER-", 4), "userId": "setup"}, nil)
	b := s.Open()
	b.Visit("/")
	b.Work("Dana")
	for _, width := range []int64{390, 1024} {
		height := int64(664)
		browsertest.Call(b, "take a screen", emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 500})
		for _, on := range []struct{ page, tick, bar string }{
			{"/serials", `input[name=serial]`, ".selection"},
			{"/jobs/" + jobID, `input[name=serial]`, ".ticked"},
			{"/queue?operator=everybody", `input[name=stepId]`, ".many"},
		} {
			b.Visit(on.page)
			for _, further := range []int{0, 100} { // with the selected unit in the middle of the screen, and after scrolling further
				b.Do("tick the first one and scroll", chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
					`{const first = document.querySelector(%q); if (!first.checked) first.click();
					first.scrollIntoView({block: "center"}); scrollBy(0, %d); undefined}`, on.tick, further)))
				b.Wait(fmt.Sprintf("%s: %s is in sight at %d pixels", on.page, on.bar, width), fmt.Sprintf(`(() => {
					const bar = document.querySelector(%q).getBoundingClientRect(), first = document.querySelector(%q).getBoundingClientRect();
					return bar.height > 0 && bar.height < innerHeight * .4 && bar.top >= first.bottom &&
						bar.bottom <= innerHeight && bar.left >= 0 && bar.right <= innerWidth;
				})()`, on.bar, on.tick))
			}
		}
		b.Visit("/import")
		b.Wait("no word of a tab is broken", `[...document.querySelectorAll(".tabs .button")].every((tab) => {
			const range = document.createRange();
			range.selectNodeContents(tab);
			return range.getClientRects().length === 1;
		})`)
		b.Visit("/serials")
		b.Wait("what exports a list stands together", `(([one, other]) => {
			const left = one.getBoundingClientRect(), right = other.getBoundingClientRect();
			return left.top === right.top && right.left - left.right < 32;
		})(document.querySelectorAll(".list-bar .button"))`)
		for _, serial := range serials[:2] {
			b.Visit("/serials/" + serial)
			b.Wait(fmt.Sprintf("the first button of %s is in sight at %d pixels", serial, width),
				`document.querySelector("#now button[value=advance]").getBoundingClientRect().bottom <= innerHeight`)
		}
		b.Visit("/scan?unit=" + serials[1])
		b.Wait(fmt.Sprintf("the station's button is in sight at %d pixels", width),
			`(({top, bottom}) => top > 0 && bottom <= innerHeight)(document.querySelector(".huge").getBoundingClientRect())`)
	}
}

// A form for a decision shows exactly the fields that the decision needs.
func TestFieldsOnDemand(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 1, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"})
	var report struct{ ID string }
	s.Post("/api/nonconformances", browsertest.Fields{
		"title": "Too small", "severity": "major", "serialIds": serials, "userId": s.Operator("Dana"),
	}, &report)
	b := s.Open()
	b.Visit("/nonconformances/" + report.ID)
	b.Work("Dana")
	for disposition, shown := range map[string]string{
		"": "", "use_as_is": "concession", "repair": "concession,target", "rework": "target", "scrap": "scrapReason", "return_to_supplier": "",
	} {
		b.Choose("select[name=disposition]", disposition)
		b.Wait(fmt.Sprintf("%q has the fields %q", disposition, shown), fmt.Sprintf(
			`[...document.querySelectorAll("[name=concession], [name=target], [name=scrapReason]")]
			.filter((field) => field.checkVisibility()).map((field) => field.name).join() === %q`, shown))
	}
}
