package station_test

import (
	"encoding/json"
	"fmt"
	"net/http"
	"testing"
	"time"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
)

// holdAnswersIn delays all responses until freeAnswers is called, however long the typing takes.
func holdAnswersIn(b *browsertest.Browser) {
	b.T.Helper()
	b.Do("answer nothing for now", chromedp.Evaluate[chromedp.Void](`{
		const real = fetch, held = new Promise((free) => { window.free = free; });
		window.fetch = async (...request) => { await held; return real(...request); };
		undefined}`))
}

func freeAnswersIn(b *browsertest.Browser) {
	b.T.Helper()
	b.Do("answer", chromedp.Evaluate[chromedp.Void](`{free(); undefined}`))
}

// On a slow connection scans are processed one by one, in order. No scan is appended to another.
func TestStationOnASlowLine(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 4, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Inspect"})
	b := s.Open()
	b.Visit("/scan")
	b.Work("Dana")
	b.Slow(400)
	// If a command is scanned before its unit is on the screen, the page asks a question. Scanning the next unit discards the command.
	holdAnswersIn(b)
	b.Typed(serials[0], "RC-DONE", serials[1], "RC-DONE", serials[2], "not a code", "RC-DONE", serials[3])
	freeAnswersIn(b)
	b.Wait("the last one is shown", fmt.Sprintf(`document.querySelector(".unit-id")?.innerText.includes(%q)`, serials[3]))
	b.Wait("each was answered by itself, in order", fmt.Sprintf(
		`[...document.querySelectorAll("#last li .id")].map(e => e.textContent).reverse().join() === %q`,
		serials[0]+",RC-DONE,"+serials[1]+",RC-DONE,"+serials[2]+",not a code,RC-DONE,"+serials[3]))
	b.Wait("and told", `[...document.querySelectorAll("#last li")].map(e => e.className).reverse().join() === "show,ask,show,ask,show,bad,bad,show"`)
	b.Says(serials[0] + " was not moved.")
	for _, serial := range serials {
		s.At(serial, 0)
	}
	b.Typed("RC-DONE", "RC-DONE") // the scanner sends the second one
	b.Wait("it is done once", `document.querySelector(".result.good") || document.querySelector("#last li:nth-child(2).good")`)
	s.At(serials[3], 1)

	// If a button is pressed again before the response, this counts as one press: no other band replaces the green one.
	b.Slow(0)
	b.Typed(serials[3])
	b.Wait("its button is there", `document.querySelector("#at-hand button[value=RC-DONE]")`)
	browsertest.Call(b, "take a small phone", emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: 390, Height: 664, DeviceScaleFactor: 1, Mobile: true})
	b.Wait("its button is in sight", `document.querySelector("#at-hand button[value=RC-DONE]").getBoundingClientRect().bottom <= innerHeight`)
	browsertest.Call(b, "take a large screen", emulation.SetDeviceMetricsOverride, emulation.SetDeviceMetricsOverrideParams{
		Width: 1440, Height: 900, DeviceScaleFactor: 1})
	b.Do("press it twice before it is answered", chromedp.Evaluate[chromedp.Void](`{
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
	b.Typed("RC-NO")
	b.Wait("the scan behind it is answered", `document.querySelector("#last li .id").textContent === "RC-NO"`)
	b.Wait("the button was sent once", `window.posts === 2 && document.querySelector("#last li:nth-child(2)").className === "good"`)
	s.At(serials[3], 2)

	// Waiting scans are listed as soon as they are scanned, not when their turn comes.
	b.Slow(0)
	holdAnswersIn(b)
	b.Typed(serials[0], serials[1], "RC-NO")
	b.Wait("those that wait are listed", fmt.Sprintf(
		`(({hidden, textContent}) => !hidden && textContent === %q)(document.querySelector("#waiting"))`, "Waiting: "+serials[1]+", RC-NO"))
	b.Wait("what is sent and has no answer for long is told", fmt.Sprintf(
		`(({hidden, textContent}) => !hidden && textContent.startsWith(%q))(document.querySelector("#late"))`, serials[0]+" is sent, and the server has not answered yet."))
	freeAnswersIn(b)
	b.Wait("none waits", `document.querySelector("#waiting").hidden && document.querySelector("#late").hidden`)
}

// When the server is down a red band replaces the green one, and the page reports the outcome of each scan. Enter repeats no scan.
func TestStationWithoutAServer(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 2, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Inspect"})
	b := s.Open()
	b.Visit("/scan")
	b.Work("Dana")
	b.Typed(serials[0])
	b.Says("Done, on to Grind")
	s.Stop()
	b.Typed("RC-DONE")
	b.Wait("a red band", `document.querySelector(".result.bad") && !document.querySelector(".result.good")`)
	b.Says("The server does not answer.")
	b.Says(serials[0] + ", RC-DONE: sent at ")
	b.Wait("nothing that Enter could repeat stays in the field", `document.querySelector("#code").value === ""`)
	b.Wait("nothing is in hand", `!document.querySelector(".unit-id") && !document.querySelector("#in-hand [name=unit]")?.value && !location.search`)
	b.Typed(serials[1])
	b.Says(serials[1] + " The server does not answer. Not sent.")
	s.Start()
	b.Says(serials[0] + ", RC-DONE: not done.")
	b.Wait("the red band is gone", `!document.querySelector(".result.bad")`)
	b.Typed("", "RC-DONE")
	b.Says("Scan a unit first.")
	s.At(serials[0], 0)

	// After a button without a response no unit is in hand either. The act's own button sends it again, once.
	b.Click(`[data-act=end]`)
	b.Typed(serials[1])
	b.Says("Done, on to Grind")
	s.Stop()
	b.Click(`.huge`)
	b.Says(serials[1] + ", RC-DONE: sent at ")
	s.Start()
	b.Says(serials[1] + ", RC-DONE: not done.")
	b.Typed("")
	b.Twice(`[data-act=again]`)
	b.Says(serials[1] + " moved to the next step.")
	b.Wait("nothing more is told of it", `!document.querySelector("#acts .act")`)
	s.At(serials[1], 1)
	s.At(serials[0], 0)
}

// A second Enter does not repeat an Enter without a response: the page shows that no unit is in hand.
func TestStationEnterAfterALostEnter(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 2, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Inspect"})
	b := s.Open()
	b.Visit("/scan")
	b.Work("Dana")
	b.Typed(serials[0])
	b.Says("Done, on to Grind")
	b.Wait("the scan is long enough ago for Enter to count", `Date.now() - Number(document.getElementById("station").dataset.at) > 1100`)
	s.Stop()
	b.Typed("")
	b.Says("No unit is in hand now.")
	s.Start()
	b.Says(serials[0] + ", RC-DONE: not done.")
	b.Typed("", serials[1])
	b.Wait("the next unit is shown", fmt.Sprintf(`document.querySelector(".unit-id")?.innerText.includes(%q)`, serials[1]))
	s.At(serials[0], 0)
	s.At(serials[1], 0)
}

// Keys that are typed anywhere on the page go to the field, even if a button or the list of people has the focus. When another person
// changes the unit, typed text stays and is selected.
func TestStationTakesKeysFromAnywhere(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 2, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"})
	s.Operator("Quinn")
	b := s.Open()
	b.Visit("/scan")
	b.Work("Dana")
	for _, selector := range []string{".who-else summary", ".last .button", "button[type=submit]"} {
		b.Do("focus "+selector, chromedp.Focus(chromedp.CSS(selector)), chromedp.KeyEvent(serials[0]+kb.Enter))
		b.Wait("it is shown", `document.querySelector(".unit-id")`)
		b.Typed("not a code")
		b.Wait("it is put away", `!document.querySelector(".unit-id")`)
	}
	b.Typed(serials[0])
	b.Says("Done, on to Grind")
	b.Typed("RC-NOTE")
	b.Says("Type the note")
	b.Do("begin a note", chromedp.KeyEvent("chatter"))
	s.Post("/api/serials/"+serials[0]+"/advance", browsertest.Fields{"userId": s.Operator("Quinn")}, nil)
	b.Wait("an amber band", `document.querySelector(".result.warn")?.innerText.includes("No note was written on")`)
	b.Wait("what was typed is marked", `getSelection().toString() === "chatter"`)
	b.Typed(serials[1])
	b.Says("Done, on to Grind")
	s.At(serials[0], 1)
	s.At(serials[1], 0)
}

// A person may leave the station before a response arrives. The act is done, and the station takes the next scan when the person returns.
func TestStationLeftBeforeAResponse(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 3, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"})
	b := s.Open()
	b.Visit("/scan")
	b.Work("Dana")
	b.Visit("/scan?unit=" + serials[0])
	b.Do("hold the responses to scans", chromedp.Evaluate[chromedp.Void](`{
		const real = fetch;
		window.hold = () => { window.sent = false; window.held = new Promise((free, lose) => { window.free = free; window.lose = lose; }); };
		hold();
		window.fetch = async (...request) => {
			const response = await real(...request);
			if (request[0] === "/scan" && request[1]?.method === "POST") {
				window.sent = true;
				await held;
			}
			return response;
		};
		undefined}`))
	for i, arrives := range []string{"free()", "lose()"} {
		b.Typed("RC-DONE")
		b.Wait("it is sent", `window.sent`)
		b.Click(`#at-hand .more a`)
		b.Wait("the card is there", fmt.Sprintf(`location.pathname === "/serials/%s" && !document.getElementById("station")`, serials[i]))
		b.Do("respond", chromedp.Evaluate[chromedp.Void](`{`+arrives+`; held = null; undefined}`))
		b.Wait("the person learns what a lost response was about", fmt.Sprintf(`Boolean(document.querySelector("#acts")) === %t`, i == 1))
		b.Click(`nav a[href="/scan"]`)
		b.Typed(serials[i+1])
		b.Wait("the next unit is on the screen", fmt.Sprintf(`document.querySelector("#in-hand [name=unit]")?.value === %q`, serials[i+1]))
		s.At(serials[i], 1)
		b.Do("hold the next ones", chromedp.Evaluate[chromedp.Void](`{hold(); undefined}`))
	}
}

// A scanner may end each code with Tab, type Enter before each code, or end no code. No button and no Enter acts on the unit on the screen
// while another unit may be in the hand.
func TestStationWithOtherScanners(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 2, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"})
	b := s.Open()
	b.Visit("/scan")
	b.Work("Dana")
	shows := func(serial string) {
		t.Helper()
		b.Wait(serial+" is on the screen", fmt.Sprintf(`document.querySelector("#in-hand [name=unit]")?.value === %q && document.activeElement.id === "code"`, serial))
	}
	scans := func(keys string) {
		t.Helper()
		b.AtPace(keys, func() time.Duration { return 4 * time.Millisecond })
	}
	for _, end := range []string{kb.Tab, kb.Tab + kb.Enter, kb.Enter + kb.Tab} {
		scans(serials[0] + end)
		shows(serials[0])
		scans(serials[1] + end)
		shows(serials[1])
	}
	b.Wait("Enter would count", `Date.now() - Number(document.getElementById("station").dataset.at) > 1100`)
	b.Do("hold the Enter", chromedp.Evaluate[chromedp.Void](`{const real = setTimeout;
		window.setTimeout = (what, after, ...rest) => after === 60 ? (window.due = what, 0) : real(what, after, ...rest); undefined}`))
	scans(kb.Enter + serials[0] + kb.Enter)
	shows(serials[0])
	b.Do("let it go", chromedp.Evaluate[chromedp.Void](`{due(); undefined}`))

	// The first keys of a code may arrive before the page of the station does.
	b.Do("lose six keys", chromedp.Evaluate[chromedp.Void](`{const field = document.getElementById("code");
		let keys = 0;
		field.addEventListener("input", () => { if (++keys === 6) field.value = ""; });
		undefined}`))
	scans(serials[1] + kb.Enter)
	b.Wait("the whole code was sent", fmt.Sprintf(`document.querySelector(".last li .id").textContent === %q`, serials[1]))
	scans(serials[0] + kb.Enter)
	shows(serials[0])

	scans(serials[1])
	b.Wait("the code is in the field", fmt.Sprintf(`document.getElementById("code").value === %q`, serials[1]))
	b.Click(`.huge`)
	b.Says("The field has a code or a text that was not sent.")
	shows(serials[0])
	scans(kb.Enter)
	shows(serials[1])
	b.Click(`.huge`)
	b.Says(serials[1] + " moved to the next step.")
	s.At(serials[0], 0)
	s.At(serials[1], 1)

	// A person's Tab leaves the field, and Enter confirms a step.
	b.Reload()
	b.Keys("crack")
	b.Keys(kb.Tab)
	b.Wait("the field is left", `document.activeElement.matches("[data-station] button") && document.getElementById("code").value === "crack"`)
	b.Do("empty the field", chromedp.Evaluate[chromedp.Void](`{document.getElementById("code").value = ""; document.getElementById("code").focus(); undefined}`))
	b.Typed(serials[0])
	shows(serials[0])
	b.Wait("Enter counts", `Date.now() - Number(document.getElementById("station").dataset.at) > 1100`)
	b.Typed("")
	b.Says(serials[0] + " moved to the next step.")
}

// A name in a right-to-left script is isolated: a number or another name after it is not displayed before it. The texts of the buttons for
// units stay inside the buttons, even on a phone.
func TestNamesFromRightToLeftStayApart(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	jobID, _, serials := s.Job("צירים", "strict", 3, browsertest.Fields{"name": "خراطة", "location": "מחרטה"}, browsertest.Fields{"name": "Grind"})
	who := s.Operator("يوسف")
	s.Send(http.MethodPut, "/api/serials/"+serials[0]+"/serial-number", browsertest.Fields{"serialNumber": "3", "userId": who}, nil)
	s.Post("/api/serials/"+serials[2]+"/hold", browsertest.Fields{"reason": "crack", "userId": who}, nil)
	b := s.Open()
	b.Look("light", 390)
	// ordered fails unless an element displays texts in this order in one line.
	ordered := func(selector string, texts ...string) {
		b.T.Helper()
		list, err := json.Marshal(texts)
		if err != nil {
			b.T.Fatal(err)
		}
		b.Wait(fmt.Sprint(texts, " stand in this order in ", selector), fmt.Sprintf(`(() => {
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
	b.Visit("/scan?unit=" + serials[2])
	b.Work("يوسف")
	ordered("#unit .unit-step", "خراطة", "מחרטה")
	ordered("#unit .last-change", "خراطة", "يوسف", ":")
	b.Visit("/jobs/" + jobID)
	ordered(".board .column .sub", "מחרטה", "3 units")
	b.Visit("/audit")
	ordered(".entry .what", "خراطة", "צירים")
	b.Visit("/scan?unit=" + serials[1])
	b.Typed("3") // both the own number of one unit and the number of another
	b.Says("Which one is in your hand?")
	b.Wait("the buttons hold what they say", `[...document.querySelectorAll(".which button")].every((button) => {
		const outer = button.getBoundingClientRect(), range = document.createRange();
		range.selectNodeContents(button);
		return [...range.getClientRects()].every((inner) =>
			inner.top >= outer.top && inner.bottom <= outer.bottom && inner.left >= outer.left && inner.right <= outer.right);
	})`)
	b.Wait("a number is not broken", `document.querySelector(".which .own").getClientRects().length === 1`)
}
