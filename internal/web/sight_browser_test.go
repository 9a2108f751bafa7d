package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
)

// listens lets the pages of the browser play what they play into window.tones, as the pitch and the kind of each tone.
func (b *browser) listens() {
	b.t.Helper()
	b.first(`{
		window.tones = [];
		const volume = { setValueAtTime() {}, exponentialRampToValueAtTime() {} };
		window.AudioContext = class {
			state = "running";
			currentTime = 0;
			createGain() { return { gain: volume, connect: (to) => to }; }
			createOscillator() {
				return { frequency: {}, connect: (to) => to, start() { tones.push(this.frequency.value + " " + this.type); }, stop() {} };
			}
		};
	}`)
}

// Units that cannot be worked on are heard as such: a low tone, which is none of those for units that can, and no button that does
// not exist.
func TestStationSoundsLowForUnitsThatAreStopped(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 4, fields{"name": "Turn"})
	who := s.operator("Dana")
	s.post("/api/serials/"+serials[1]+"/hold", fields{"reason": "crack", "userId": who}, nil)
	s.post("/api/serials/"+serials[2]+"/scrap", fields{"reason": "damaged", "userId": who}, nil)
	s.post("/api/serials/"+serials[3]+"/advance", fields{"userId": who}, nil)
	b := s.open()
	b.listens()
	b.visit("/scan")
	b.work("Dana")
	for i, tones := range []string{"660 sine", "220 sawtooth,220 sawtooth", "220 sawtooth,165 sawtooth", "220 sawtooth,220 sawtooth"} {
		b.run("listen", `tones.length = 0`)
		b.typed(serials[i])
		b.wait(serials[i]+" is shown", fmt.Sprintf(`document.querySelector(".unit-id")?.innerText.includes(%q)`, serials[i]))
		b.wait("one hears "+tones, fmt.Sprintf(`tones.join() === %q`, tones))
		if shown := b.is(`document.querySelector("#at-hand button[value=RC-DONE]")`); shown != (i == 0) {
			t.Errorf("%s has a button for done: %v", serials[i], shown)
		}
	}
	b.typed(serials[0])
	b.says("Done, finish the unit")
	b.typed("RC-DONE")
	b.wait("one hears that it was done", `tones.slice(-2).join() === "880 sine,1175 sine"`)
}

// What can be done with what is ticked, and the first button of a card, are never below the end of the screen: on a phone and on a
// tablet, however long the list is. Nor do they stand over what was ticked.
func TestActionsStayInSight(t *testing.T) {
	t.Parallel()
	s := serve(t)
	jobID, _, serials := s.job("Shaft for the gearbox of the second line, with a name that takes several lines", "strict", 90,
		fields{"name": "Turn", "location": "Lathe"}, fields{"name": "Grind"})
	var names []string
	for i := range 40 { // steps for the queue
		names = append(names, fmt.Sprint("Job ", i))
		s.job(names[i], "strict", 1, fields{"name": "Turn"})
	}
	s.send("PUT", "/api/serials/"+serials[0]+"/serial-number",
		fields{"serialNumber": strings.Repeat("LONG-NUMBER-", 4), "userId": "setup"}, nil)
	b := s.open()
	b.visit("/")
	b.work("Dana")
	for _, width := range []int64{390, 1024} {
		height := int64(664)
		call(b, "take a screen", emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
			Width: width, Height: height, DeviceScaleFactor: 1, Mobile: width < 500})
		for _, on := range []struct{ page, tick, bar string }{
			{"/serials", `input[name=serial]`, ".selection"},
			{"/jobs/" + jobID, `input[name=serial]`, ".ticked"},
			{"/queue?operator=everybody", `input[name=stepId]`, ".many"},
		} {
			b.visit(on.page)
			for _, further := range []int{0, 100} { // the ticked one in the middle of the screen, and the list scrolled on
				b.do("tick the first one and scroll", chromedp.Evaluate[chromedp.Void](fmt.Sprintf(
					`{const first = document.querySelector(%q); if (!first.checked) first.click();
					first.scrollIntoView({block: "center"}); scrollBy(0, %d); undefined}`, on.tick, further)))
				b.wait(fmt.Sprintf("%s: %s is in sight at %d pixels", on.page, on.bar, width), fmt.Sprintf(`(() => {
					const bar = document.querySelector(%q).getBoundingClientRect(), first = document.querySelector(%q).getBoundingClientRect();
					return bar.height > 0 && bar.height < innerHeight * .4 && bar.top >= first.bottom &&
						bar.bottom <= innerHeight && bar.left >= 0 && bar.right <= innerWidth;
				})()`, on.bar, on.tick))
			}
		}
		b.visit("/import")
		b.wait("no word of a tab is broken", `[...document.querySelectorAll(".tabs .button")].every((tab) => {
			const range = document.createRange();
			range.selectNodeContents(tab);
			return range.getClientRects().length === 1;
		})`)
		b.visit("/serials")
		b.wait("what exports a list stands together", `(([one, other]) => {
			const left = one.getBoundingClientRect(), right = other.getBoundingClientRect();
			return left.top === right.top && right.left - left.right < 32;
		})(document.querySelectorAll(".list-bar .button"))`)
		for _, serial := range serials[:2] {
			b.visit("/serials/" + serial)
			b.wait(fmt.Sprintf("the first button of %s is in sight at %d pixels", serial, width),
				`document.querySelector("#now button[value=advance]").getBoundingClientRect().bottom <= innerHeight`)
		}
	}
}

// A form for a decision has the fields that the decision needs, and no others.
func TestFieldsOnDemand(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 1, fields{"name": "Turn"}, fields{"name": "Grind"})
	var report struct{ ID string }
	s.post("/api/nonconformances", fields{
		"title": "Too small", "severity": "major", "serialIds": serials, "userId": s.operator("Dana"),
	}, &report)
	b := s.open()
	b.visit("/nonconformances/" + report.ID)
	b.work("Dana")
	for disposition, shown := range map[string]string{
		"": "", "use_as_is": "concession", "repair": "concession,target", "rework": "target", "scrap": "scrapReason", "return_to_supplier": "",
	} {
		b.choose("select[name=disposition]", disposition)
		b.wait(fmt.Sprintf("%q has the fields %q", disposition, shown), fmt.Sprintf(
			`[...document.querySelectorAll("[name=concession], [name=target], [name=scrapReason]")]
			.filter((field) => field.checkVisibility()).map((field) => field.name).join() === %q`, shown))
	}
}
