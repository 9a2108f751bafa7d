package web_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/cdproto/network"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// slow puts this many milliseconds between every request of the browser and its answer.
func (b *browser) slow(milliseconds float64) {
	b.t.Helper()
	call(b, "slow the line down", network.EmulateNetworkConditionsByRule, network.EmulateNetworkConditionsByRuleParams{
		MatchedNetworkConditions: []*network.Conditions{
			{Latency: milliseconds, DownloadThroughput: -1, UploadThroughput: -1},
		},
	})
}

// holdAnswers lets nothing be answered before freeAnswers, however long it takes to type.
func (b *browser) holdAnswers() {
	b.t.Helper()
	b.do("answer nothing for now", chromedp.Evaluate[chromedp.Void](`{
		const real = fetch, held = new Promise((free) => { window.free = free; });
		window.fetch = async (...request) => { await held; return real(...request); };
		undefined}`))
}

func (b *browser) freeAnswers() {
	b.t.Helper()
	b.do("answer", chromedp.Evaluate[chromedp.Void](`{free(); undefined}`))
}

// typed types codes one after the other without waiting for an answer, as a scanner does.
func (b *browser) typed(codes ...string) {
	b.t.Helper()
	b.wait("the field has the focus", `document.activeElement.id === "code"`)
	for _, code := range codes {
		b.do("scan "+code, chromedp.KeyEvent(code+kb.Enter))
	}
}

// typedAtOnce types codes with no time between them, however slow the machine is.
func (b *browser) typedAtOnce(codes ...string) {
	b.t.Helper()
	b.wait("the field has the focus", `document.activeElement.id === "code"`)
	typed, err := json.Marshal(codes)
	if err != nil {
		b.t.Fatal(err)
	}
	b.do("scan "+string(typed), chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{const field = document.getElementById("code");
		for (const code of %s) {
			field.value = code;
			field.form.requestSubmit();
		}
		undefined}`, typed)))
}

// On a slow line scans are answered one by one, in order, and none runs into the next.
func TestStationOnASlowLine(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 4, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Inspect"})
	b := s.open()
	b.visit("/scan")
	b.work("Dana")
	b.slow(400)
	// What was scanned before its unit was on the screen asks, and the next unit leaves that question.
	b.holdAnswers()
	b.typed(serials[0], "RC-DONE", serials[1], "RC-DONE", serials[2], "not a code", "RC-DONE", serials[3])
	b.freeAnswers()
	b.wait("the last one is shown", fmt.Sprintf(`document.querySelector(".unit-id")?.innerText.includes(%q)`, serials[3]))
	b.wait("each was answered by itself, in order", fmt.Sprintf(
		`[...document.querySelectorAll("#last li .id")].map(e => e.textContent).reverse().join() === %q`,
		serials[0]+",RC-DONE,"+serials[1]+",RC-DONE,"+serials[2]+",not a code,RC-DONE,"+serials[3]))
	b.wait("and told", `[...document.querySelectorAll("#last li")].map(e => e.className).reverse().join() === "show,ask,show,ask,show,bad,bad,show"`)
	b.says(serials[0] + " was not moved.")
	for _, serial := range serials {
		s.at(serial, 0)
	}
	b.typed("RC-DONE", "RC-DONE") // the second one is the scanner's
	b.wait("it is done once", `document.querySelector(".result.good") || document.querySelector("#last li:nth-child(2).good")`)
	s.at(serials[3], 1)

	// A button that is pressed again before its answer is there is pressed once: no other band takes the place of the green one.
	b.slow(0)
	b.typed(serials[3])
	b.wait("its button is there", `document.querySelector("#at-hand button[value=RC-DONE]")`)
	call(b, "take a small phone", emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: 390, Height: 664, DeviceScaleFactor: 1, Mobile: true})
	b.wait("its button is in sight", `document.querySelector("#at-hand button[value=RC-DONE]").getBoundingClientRect().bottom <= innerHeight`)
	call(b, "take a large screen", emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: 1440, Height: 900, DeviceScaleFactor: 1})
	b.do("press it twice before it is answered", chromedp.Evaluate[chromedp.Void](`{
		const real = fetch, held = new Promise((free) => { window.free = free; });
		window.posts = 0;
		window.fetch = async (...request) => {
			if (request[1]?.method === "POST") window.posts++;
			await held;
			return real(...request);
		};
		const button = document.querySelector("#at-hand button[value=RC-DONE]");
		button.click();
		button.click();
		free();
		undefined}`))
	b.typed("RC-NO")
	b.wait("the scan behind it is answered", `document.querySelector("#last li .id").textContent === "RC-NO"`)
	b.wait("the button was sent once", `window.posts === 2 && document.querySelector("#last li:nth-child(2)").className === "good"`)
	s.at(serials[3], 2)

	// What waits is listed as soon as it is scanned, not when its turn comes.
	b.slow(0)
	b.holdAnswers()
	b.typed(serials[0], serials[1], "RC-NO")
	b.wait("those that wait are listed", fmt.Sprintf(
		`(({hidden, textContent}) => !hidden && textContent === %q)(document.querySelector("#waiting"))`, "Waiting: "+serials[1]+", RC-NO"))
	b.wait("what is sent and has no answer for long is told", fmt.Sprintf(
		`(({hidden, textContent}) => !hidden && textContent.startsWith(%q))(document.querySelector("#late"))`, serials[0]+" is sent, and the server has not answered yet."))
	b.freeAnswers()
	b.wait("none waits", `document.querySelector("#waiting").hidden && document.querySelector("#late").hidden`)
}

// at fails when a unit does not stand at a step, counted from 0.
func (s *site) at(serial string, step int) {
	s.t.Helper()
	var unit struct{ CurrentStepIndex int }
	if s.get("/api/serials/"+serial, &unit); unit.CurrentStepIndex != step {
		s.t.Errorf("%s stands at step %d, want %d", serial, unit.CurrentStepIndex, step)
	}
}

// When the server is down a red band takes the place of the green one, and the page says of each scan what became of it. Enter repeats none.
func TestStationWithoutAServer(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 2, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Inspect"})
	b := s.open()
	b.visit("/scan")
	b.work("Dana")
	b.typed(serials[0])
	b.says("Done, on to Grind")
	s.stop()
	b.typed("RC-DONE")
	b.wait("a red band", `document.querySelector(".result.bad") && !document.querySelector(".result.good")`)
	b.says("The server does not answer.")
	b.says(serials[0] + ", RC-DONE: sent at ")
	b.wait("nothing that Enter could repeat stays in the field", `document.querySelector("#code").value === ""`)
	b.wait("nothing is in hand", `!document.querySelector(".unit-id") && !document.querySelector("#in-hand [name=unit]")?.value && !location.search`)
	b.typed(serials[1])
	b.says(serials[1] + " The server does not answer. Not sent.")
	s.start()
	b.says(serials[0] + ", RC-DONE: not done.")
	b.wait("the red band is gone", `!document.querySelector(".result.bad")`)
	b.typed("", "RC-DONE")
	b.says("Scan a unit first.")
	s.at(serials[0], 0)

	// Nor is one in hand after a button without an answer. Its button sends it again, once.
	b.click(`[data-act=end]`)
	b.typed(serials[1])
	b.says("Done, on to Grind")
	s.stop()
	b.click(`.huge`)
	b.says(serials[1] + ", RC-DONE: sent at ")
	s.start()
	b.says(serials[1] + ", RC-DONE: not done.")
	b.typed("")
	b.twice(`[data-act=again]`)
	b.says(serials[1] + " moved to the next step.")
	b.wait("nothing more is told of it", `!document.querySelector("#acts .act")`)
	s.at(serials[1], 1)
	s.at(serials[0], 0)
}

// Enter that got no answer is not repeated by a second Enter: the page said that no unit is in hand.
func TestStationEnterAfterALostEnter(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 2, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Inspect"})
	b := s.open()
	b.visit("/scan")
	b.work("Dana")
	b.typed(serials[0])
	b.says("Done, on to Grind")
	b.wait("the scan is long enough ago for Enter to count", `Date.now() - Number(document.getElementById("station").dataset.at) > 1100`)
	s.stop()
	b.typed("")
	b.says("No unit is in hand now.")
	s.start()
	b.says(serials[0] + ", RC-DONE: not done.")
	b.typed("", serials[1])
	b.wait("the next unit is shown", fmt.Sprintf(`document.querySelector(".unit-id")?.innerText.includes(%q)`, serials[1]))
	s.at(serials[0], 0)
	s.at(serials[1], 0)
}

// Keys that are typed anywhere on the page go to the field, also when a button or the list of people has the focus, and what is typed
// when somebody else changes the unit stays, marked.
func TestStationTakesKeysFromAnywhere(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 2, fields{"name": "Turn"}, fields{"name": "Grind"})
	s.operator("Quinn")
	b := s.open()
	b.visit("/scan")
	b.work("Dana")
	for _, selector := range []string{".who-else summary", ".last .button", "button[type=submit]"} {
		b.do("focus "+selector, chromedp.Focus(chromedp.CSS(selector)), chromedp.KeyEvent(serials[0]+kb.Enter))
		b.wait("it is shown", `document.querySelector(".unit-id")`)
		b.typed("not a code")
		b.wait("it is put away", `!document.querySelector(".unit-id")`)
	}
	b.typed(serials[0])
	b.says("Done, on to Grind")
	b.typed("RC-NOTE")
	b.says("Type the note")
	b.do("begin a note", chromedp.KeyEvent("chatter"))
	s.post("/api/serials/"+serials[0]+"/advance", fields{"userId": s.operator("Quinn")}, nil)
	b.wait("an amber band", `document.querySelector(".result.warn")?.innerText.includes("No note was written on")`)
	b.wait("what was typed is marked", `getSelection().toString() === "chatter"`)
	b.typed(serials[1])
	b.says("Done, on to Grind")
	s.at(serials[0], 1)
	s.at(serials[1], 0)
}

// A name that is written from right to left stands by itself: what stands behind it, such as a number or another name, is not shown in
// front of it. And the buttons of units keep what they say inside, on a phone too.
func TestNamesFromRightToLeftStayApart(t *testing.T) {
	t.Parallel()
	s := serve(t)
	jobID, _, serials := s.job("צירים", "strict", 3, fields{"name": "خراطة", "location": "מחרטה"}, fields{"name": "Grind"})
	who := s.operator("يوسف")
	s.send(http.MethodPut, "/api/serials/"+serials[0]+"/serial-number", fields{"serialNumber": "3", "userId": who}, nil)
	s.post("/api/serials/"+serials[2]+"/hold", fields{"reason": "crack", "userId": who}, nil)
	b := s.open()
	b.look("light", 390)
	// ordered finds texts of an element in the order in which they are drawn in one line.
	ordered := func(selector string, texts ...string) {
		b.t.Helper()
		list, err := json.Marshal(texts)
		if err != nil {
			b.t.Fatal(err)
		}
		b.wait(fmt.Sprint(texts, " stand in this order in ", selector), fmt.Sprintf(`(() => {
			const at = (text) => {
				const walker = document.createTreeWalker(document.querySelector(%q), NodeFilter.SHOW_TEXT);
				while (walker.nextNode()) {
					const begin = walker.currentNode.data.indexOf(text);
					if (begin < 0) continue;
					const range = document.createRange();
					range.setStart(walker.currentNode, begin);
					range.setEnd(walker.currentNode, begin + text.length);
					return range.getBoundingClientRect();
				}
			};
			const places = %s.map(at);
			return places.every((place, i) => place && (!i || place.top >= places[i-1].bottom || place.left >= places[i-1].right - 1));
		})()`, selector, list))
	}
	b.visit("/scan?unit=" + serials[2])
	b.work("يوسف")
	ordered("#unit .unit-step", "خراطة", "מחרטה")
	ordered("#unit .last-change", "خراطة", "يوسف", ":")
	b.visit("/jobs/" + jobID)
	ordered(".board .column .sub", "מחרטה", "3 units")
	b.visit("/audit")
	ordered(".entry .what", "خراطة", "צירים")
	b.visit("/scan?unit=" + serials[1])
	b.typed("3") // the own number of one unit and the number of another
	b.says("Which one is in your hand?")
	b.wait("the buttons hold what they say", `[...document.querySelectorAll(".which button")].every((button) => {
		const outer = button.getBoundingClientRect(), range = document.createRange();
		range.selectNodeContents(button);
		return [...range.getClientRects()].every((inner) =>
			inner.top >= outer.top && inner.bottom <= outer.bottom && inner.left >= outer.left && inner.right <= outer.right);
	})`)
	b.wait("a number is not broken", `document.querySelector(".which .own").getClientRects().length === 1`)
}
