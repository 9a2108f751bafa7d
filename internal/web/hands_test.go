package web_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// The shop's hands: gloves, two people at one unit, a line that drops.

// twice clicks on something twice, as fast as a hand does: the browser counts the second click.
func (b *browser) twice(selector string) {
	b.t.Helper()
	b.there(selector)
	var at struct{ X, Y float64 }
	b.do("find "+selector, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{document.querySelector(%q).scrollIntoView({block: "center"}); undefined}`, selector)))
	found, err := chromedp.Run(b.ctx, chromedp.Evaluate[struct{ X, Y float64 }](fmt.Sprintf(
		`(({x, y, width, height}) => ({X: x + width / 2, Y: y + height / 2}))(document.querySelector(%q).getBoundingClientRect())`, selector)))
	if err != nil {
		b.t.Fatal(err)
	}
	at = found
	b.do("click twice on "+selector, chromedp.MouseClickXY(at.X, at.Y), chromedp.MouseClickXY(at.X, at.Y, chromedp.ClickCount(2)))
}

// A double click moves a unit one step, and creates units once.
func TestDoubleClick(t *testing.T) {
	t.Parallel()
	s := serve(t)
	jobID, _, serials := s.job("Shaft", "strict", 2, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Wash"}, fields{"name": "Pack"})
	b := s.open()
	b.visit("/serials/" + serials[0])
	b.work("Dana")
	b.twice(`#now button[value=advance]`)
	b.says("Done, on to Wash")
	s.at(serials[0], 1)
	// The second click may also hit the page that the first one led to.
	b.do("click a second time", chromedp.Evaluate[chromedp.Void](
		`{document.querySelector("#now button[value=advance]").dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, detail: 2})); undefined}`))
	b.visit("/scan?unit=" + serials[1])
	b.twice(`.huge`)
	b.says("moved to the next step")
	s.at(serials[0], 1)
	s.at(serials[1], 1)
	b.visit("/jobs/" + jobID)
	b.fill(`[name=quantity]`, "2")
	b.click(`button[value=create-serials]`)
	b.says("Create 2 units?")
	b.twice(`button[name=sure]`)
	b.says("Created 2 units: SN-00003 to SN-00004.")
	b.visit("/serials/SN-00005")
	b.says("There is no unit SN-00005.")
}

// A page ignores a press on what came under the pointer a moment before: the page that the press before it led to, and a step to which
// somebody else moved the unit.
func TestPressUnderTheHand(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 1, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Wash"}, fields{"name": "Pack"})
	b := s.open()
	b.visit("/serials/" + serials[0])
	b.work("Dana")
	// pressAs presses the button as soon as an event or a change of the page says that it came.
	const pressAs = `window.pressAt = (x, y) => document.querySelector("#now button[value=advance]").dispatchEvent(
		new MouseEvent("click", {bubbles: true, cancelable: true, detail: 1, clientX: x, clientY: y}));`
	b.do("press again when the next page comes", chromedp.Evaluate[chromedp.Void](`{`+pressAs+`
		document.addEventListener("click", ({clientX, clientY}) => document.addEventListener("htmx:after:swap",
			() => { window.second = pressAt(clientX, clientY) }, {once: true}), {capture: true, once: true});
		undefined}`))
	b.click(`#now button[value=advance]`)
	b.wait("the second press is none", `window.second === false`)
	b.says("Done, on to Wash")
	s.at(serials[0], 1)

	b.do("press when the step is another one", chromedp.Evaluate[chromedp.Void](`{
		new MutationObserver((_, observer) => {
			if (!document.querySelector("#now button[value=advance]")?.innerText.includes("Pack")) return;
			observer.disconnect();
			window.third = pressAt(-1000, -1000);
		}).observe(document.querySelector("main"), {subtree: true, childList: true});
		undefined}`))
	s.post("/api/serials/"+serials[0]+"/advance", fields{"userId": "somebody"}, nil)
	b.wait("that press is none", `window.third === false`)
	s.at(serials[0], 2)
	b.click(`#now button[value=advance]`)
	b.says("Done, finish the unit")
	s.at(serials[0], 3)
}

// A page that did not hear of a change signs nothing off.
func TestStaleTab(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 1, fields{"name": "Saw"}, fields{"name": "Turn OP10"}, fields{"name": "Grind"})
	b := s.open()
	b.visit("/serials/" + serials[0])
	b.work("Dana")
	b.do("hear nothing", chromedp.Evaluate[chromedp.Void](`{disconnect(); connect = () => {}; undefined}`))
	s.post("/api/serials/"+serials[0]+"/advance", fields{"userId": "somebody"}, nil)
	b.wait("the page is stale", `document.querySelector("#now button[value=advance]").innerText === "Done, on to Turn OP10"`)
	b.click(`#now button[value=advance]`)
	b.says(serials[0] + " is at Turn OP10 by now. Nothing was done.")
	b.says("Done, on to Grind")
	s.at(serials[0], 1)
}

// When the server is down nothing pretends, and what was filled in is kept and can be sent again.
func TestStoppedServer(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 1, fields{"name": "Saw"}, fields{"name": "Turn"}, fields{"name": "Grind"})
	b := s.open()
	b.visit("/serials/" + serials[0])
	b.work("Dana")
	b.click(`#now button[value=advance]`)
	b.says("moved on.")
	s.stop()
	b.fill(`.actions [name=text]`, "chatter")
	b.click(`.actions button[value=note]`)
	b.says("The server does not answer.")
	b.wait("nothing green remains", `!document.querySelector(".done") && document.querySelector(".problem")`)
	b.wait("what was typed is kept", `document.querySelector(".actions [name=text]").value === "chatter"`)
	s.start()
	b.click(`.actions button[value=note]`)
	b.says("Note written.")

	// At the station the band of a scan that had no answer goes when the server answers again, also to an Enter that asks for nothing.
	b.visit("/scan")
	s.stop()
	b.typed("1")
	b.says("The server does not answer.")
	s.start()
	b.do("empty the field", chromedp.Evaluate[chromedp.Void](`{document.getElementById("code").value = ""; undefined}`))
	b.typed("")
	b.wait("the red band is gone", `!document.querySelector(".result.bad") && !document.getElementById("station").dataset.result`)
}

// keepAnswers keeps what the server answers to forms from the page, in the order of the answers, until the test calls kept[i].
func (b *browser) keepAnswers() {
	b.t.Helper()
	b.do("keep the answers to forms", chromedp.Evaluate[chromedp.Void](`{
		const asked = window.fetch;
		window.kept = [];
		window.fetch = async (...call) => {
			const answer = await asked(...call);
			if (call[1]?.method === "POST") await new Promise((on) => { kept.push(on); });
			return answer;
		};
		undefined
	}`))
}

// A button of a card that is pressed again before its answer is there is pressed once, and who went to another page meanwhile stays there.
func TestPressedAgainBeforeItsAnswer(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 1, fields{"name": "Saw"}, fields{"name": "Turn"}, fields{"name": "Grind"})
	b := s.open()
	b.visit("/serials/" + serials[0])
	b.work("Dana")
	b.do("press it twice", chromedp.Evaluate[chromedp.Void](`{
		const press = document.querySelector("#now button[value=advance]");
		for (let i = 0; i < 2; i++) press.form.requestSubmit(press);
		undefined
	}`))
	b.says("moved on.")
	b.there("#now")
	if b.is(`document.querySelector(".done.before")`) {
		t.Error("the second press took the place of the first")
	}
	s.at(serials[0], 1)

	b.keepAnswers()
	b.do("press it, and be answered when the next page is there", chromedp.Evaluate[chromedp.Void](`{
		const press = document.querySelector("#now button[value=advance]");
		press.form.requestSubmit(press);
		undefined
	}`))
	b.wait("it is answered", `kept.length === 1`)
	b.do("go to the jobs", chromedp.Evaluate[chromedp.Void](`{document.querySelector("nav a[href='/jobs']").click(); undefined}`))
	b.wait("the jobs are shown", `location.pathname === "/jobs" && document.querySelector("h1").innerText === "Jobs"`)
	b.do("let the answer go", chromedp.Evaluate[chromedp.Void](`{
		document.addEventListener("htmx:finally:request", () => { window.ended = true });
		kept[0]();
		undefined
	}`))
	b.wait("the answer was taken", `window.ended`)
	if !b.is(`location.pathname === "/jobs" && document.querySelector("h1").innerText === "Jobs"`) {
		t.Error("the answer led back from the page that was gone to")
	}
	s.at(serials[0], 2)
}

// When a form of a page is sent, the page keeps what was typed into the other forms, with the step that was chosen there. It does not keep
// the text of the form that was sent, nor a reason for a change that is not the last one any more.
func TestTypedTextOutlivesAnotherForm(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, path, serials := s.job("Shaft", "strict", 1, fields{"name": "Saw"}, fields{"name": "Turn"}, fields{"name": "Grind"})
	b := s.open()
	b.visit("/serials/" + serials[0])
	b.work("Dana")
	b.click(`#now button[value=advance]`)
	b.says("Done, on to Grind")
	b.fill(`.actions [name=text]`, "chatter at the shoulder")
	b.fill(`.actions form:has(button[value=undo]) [name=reason]`, "the wrong unit") // of what was done last
	b.click(`#now button[value=advance]`)
	b.says("Done, finish the unit")
	b.wait("the note is there, open", `(() => {
		const note = document.querySelector(".actions [name=text]");
		return note.value === "chatter at the shoulder" && note.closest("details").open;
	})()`)
	b.wait("a reason is for the change it was typed for", `document.querySelector(".actions form:has(button[value=undo]) [name=reason]").value === ""`)
	b.click(`.actions button[value=note]`)
	b.says("Note written.")
	b.wait("the note was sent", `document.querySelector(".actions [name=text]").value === ""`)
	var notes []struct{ StepID, Text string }
	s.get("/api/notes/serial/"+serials[0], &notes)
	var route struct{ Steps []struct{ ID string } }
	s.get("/api/paths/"+path, &route)
	if len(notes) != 1 || notes[0].Text != "chatter at the shoulder" || notes[0].StepID != route.Steps[1].ID {
		t.Errorf("noted are %+v", notes)
	}
}

// What was typed comes back with all that was filled in beside it, into the form that it was typed in, and with what was read then.
func TestTypedTextStaysWithWhatItIsAbout(t *testing.T) {
	t.Parallel()
	s := serve(t)
	bert := s.operator("Bert")
	b := s.open()
	b.visit("/library")
	b.do("type a name into the second library and add one to the first", chromedp.Evaluate[chromedp.Void](`{
		const [first, second] = document.querySelectorAll("main form.grid");
		second.elements.name.value = "Alloy";
		first.elements.name.value = "Milling";
		first.requestSubmit();
		undefined
	}`))
	b.says("Remove")
	b.wait("the name is where it was typed", `[...document.querySelectorAll("main form.grid")].map((f) => f.elements.name.value).join() === ",Alloy"`)

	b.visit("/users")
	b.do("rename Bert, who is no longer active, and add Anna", chromedp.Evaluate[chromedp.Void](`{
		const row = document.querySelector("form:has([name=id][value=`+bert+`])");
		row.elements.name.value = "Bert Old";
		row.elements.active.checked = false;
		const add = document.querySelector("main form:not(:has([name=id]))");
		add.elements.name.value = "Anna";
		add.requestSubmit();
		undefined
	}`))
	b.says("Anna")
	b.wait("all of it is there", `(() => {
		const row = document.querySelector("form:has([name=id][value=`+bert+`])");
		return row?.elements.name.value === "Bert Old" && !row.elements.active.checked;
	})()`)

	var gauge struct{ ID, DueDate string }
	s.post("/api/instruments", fields{"number": "M-1", "name": "Gauge", "dueDate": "2030-01-01"}, &gauge)
	b.visit("/instruments?id=" + gauge.ID)
	b.work("Dana")
	b.wait("scripts have the forms", `document.querySelectorAll("main form[action^='/instruments/'][data-htmx-powered]").length === 2`)
	b.do("name it otherwise and record a calibration", chromedp.Evaluate[chromedp.Void](`{
		const [calibrate, edit] = document.querySelectorAll("main form[action^='/instruments/']");
		edit.elements.name.value = "Bore gauge";
		calibrate.elements.result.value = "pass";
		calibrate.elements.dueDate.value = "2031-01-01";
		calibrate.requestSubmit();
		undefined
	}`))
	b.says("Calibration recorded.")
	b.wait("the name is there", `document.querySelector("main form:has([name=read])")?.elements.name.value === "Bore gauge"`)
	b.do("save the name", chromedp.Evaluate[chromedp.Void](`document.querySelector("main form:has([name=read])").requestSubmit(); undefined`))
	b.says("changed")
	if s.get("/api/instruments/"+gauge.ID, &gauge); gauge.DueDate != "2031-01-01" {
		t.Errorf("the calibration was overwritten: due is %s", gauge.DueDate)
	}
}

// The page keeps what somebody types while another form waits for its answer. It does not fill in a form again that was sent meanwhile, nor
// the text of one person when another was chosen.
func TestTypedTextMeanwhile(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 1, fields{"name": "Saw"}, fields{"name": "Turn"}, fields{"name": "Grind"})
	erik := s.operator("Erik")
	b := s.open()
	b.visit("/serials/" + serials[0])
	b.work("Dana")
	b.keepAnswers()
	b.do("press a button", chromedp.Evaluate[chromedp.Void](`{
		const press = document.querySelector("#now button[value=advance]");
		press.form.requestSubmit(press);
		undefined
	}`))
	b.wait("it is answered", `kept.length === 1`)
	b.do("write a note, and begin to type why the unit is held", chromedp.Evaluate[chromedp.Void](`{
		const note = document.querySelector(".actions button[value=note]");
		note.form.elements.text.value = "chatter";
		note.form.requestSubmit(note);
		document.querySelector(".actions form:has(button[value=hold]) [name=reason]").value = "too hot";
		undefined
	}`))
	b.wait("that is answered too", `kept.length === 2`)
	b.do("let the first answer go", chromedp.Evaluate[chromedp.Void](`kept[0](); undefined`))
	b.says("Done, on to Grind")
	b.wait("what was not sent is kept", `document.querySelector(".actions form:has(button[value=hold]) [name=reason]").value === "too hot"`)
	if b.is(`document.querySelector(".actions [name=text]").value !== ""`) {
		t.Error("the note that was sent is typed again")
	}
	b.do("let the other go", chromedp.Evaluate[chromedp.Void](`kept[1](); undefined`))
	b.visit("/serials/" + serials[0])
	b.fill(`.actions [name=text]`, "mine")
	b.switchTo(erik)
	if b.is(`document.querySelector(".actions [name=text]").value !== ""`) {
		t.Error("the text of one person stands in the form of another")
	}
}

// When a session ends where reading needs one too, the page is left for the sign-in, unless somebody has typed something there.
func TestTypedTextOutlivesTheSession(t *testing.T) {
	t.Parallel()
	s := serve(t, "--auth", "all")
	b := s.open()
	b.visit(s.invitation())
	b.fill("input[name=name]", "The Boss")
	b.fill("input[name=login]", "boss")
	b.fill("input[name=password]", goodPassword)
	b.click("main button.primary")
	b.says("Welcome.")
	b.visit("/users")
	b.fill("main form[method=post] [name=name]", "Valve")
	b.do("sign out elsewhere", chromedp.Evaluate[chromedp.Void](`fetch("/sign-out", { method: "POST" }); undefined`))
	b.says("Nobody is signed in here any more. What you filled in is kept.")
	b.wait("it is", `document.querySelector("main form[method=post] [name=name]").value === "Valve"`)
	if b.is(`location.pathname !== "/users"`) {
		t.Error("the page was left")
	}
}

// Everything at the station and on the board can be done by keyboard.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	jobID, _, serials := s.job("Shaft", "strict", 3, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Wash"})
	b := s.open()
	b.visit("/scan")
	b.work("Dana")
	b.typed("1")
	b.says("Done, on to Grind")
	b.typed("RC-SCRAP-DAMAGED")
	b.says("Scrap " + serials[0] + ": Damaged?")
	b.do("to Yes and on to No by Tab, and press it", chromedp.KeyEvent(kb.Tab+kb.Tab+kb.Tab+kb.Enter))
	b.says("Nothing was changed.")
	s.at(serials[0], 0)
	b.visit("/jobs/" + jobID)
	b.do("go to a box", chromedp.Focus(chromedp.CSS(`[name=serial]`)))
	b.keys(" " + kb.Enter)
	b.says("Move 1 unit on one step")
	s.at(serials[0], 0)
	b.do("go to the button", chromedp.Focus(chromedp.CSS(`.many button`)))
	b.keys(kb.Enter)
	b.says("1 unit moved on.")
	s.at(serials[0], 1)
	b.do("go to another one", chromedp.Focus(chromedp.CSS(`[name=serial]`)))
	b.keys(" ")
	b.wait("it is ticked", `document.querySelector("[name=serial]").checked`)
	b.do("go to the button for a note", chromedp.Focus(chromedp.CSS(`[value=ask-note]`)))
	b.keys(kb.Enter)
	b.says("Write a note on 1 unit")
	b.wait("the note has the focus", `document.activeElement.name === "text"`)
}

// A ticked unit that somebody else moves is not ticked any more: whoever ticked it meant it where it was.
func TestTickedUnitThatMoves(t *testing.T) {
	t.Parallel()
	s := serve(t)
	jobID, _, serials := s.job("Shaft", "strict", 2, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Wash"})
	b := s.open()
	b.visit("/jobs/" + jobID)
	b.work("Dana")
	for _, serial := range serials {
		b.click(fmt.Sprintf(`[name=serial][value=%q]`, serial))
	}
	s.post("/api/serials/"+serials[0]+"/advance", fields{"userId": "somebody"}, nil)
	b.there(fmt.Sprintf(`.column:nth-child(2) [name=serial][value=%q]`, serials[0]))
	b.says("With the ticked units (1)")
	b.click(`button[value=advance]`)
	b.says("1 unit moved on.")
	s.at(serials[0], 1)
	s.at(serials[1], 1)
}

// What a hand and a line can do to a page they do to the board, the card and the station alike: a slow line, a second
// click, a page that heard of nothing, a server that is away, nothing but a keyboard.
func TestHandsOnEveryPage(t *testing.T) {
	t.Parallel()
	s := serve(t)
	jobID, _, serials := s.job("Shaft", "strict", 6, fields{"name": "Saw"}, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Wash"})
	b := s.open()
	board, tick := "/jobs/"+jobID, `[name=serial][value=%q]`
	move := `.ticked button[value=advance]`
	b.visit(board)
	b.work("Dana")
	deaf := func() {
		b.do("hear nothing", chromedp.Evaluate[chromedp.Void](`{disconnect(); connect = () => {}; undefined}`))
	}
	moved := func(serial string) { s.post("/api/serials/"+serial+"/advance", fields{"userId": "somebody"}, nil) }

	// Twice on a slow line.
	b.slow(400)
	b.click(fmt.Sprintf(tick, serials[0]))
	b.twice(move)
	b.says("1 unit moved on.")
	s.at(serials[0], 1)
	b.visit("/serials/" + serials[0])
	b.twice(`#now button[value=advance]`)
	b.says("moved on.")
	s.at(serials[0], 2)
	b.visit("/scan?unit=" + serials[0])
	b.twice(`.huge`)
	b.says(serials[0] + " moved to the next step")
	s.at(serials[0], 3)
	b.slow(0)

	// A board and a station that did not hear what somebody else did.
	b.visit(board)
	deaf()
	moved(serials[1])
	b.click(fmt.Sprintf(tick, serials[1]))
	b.click(move)
	b.says(serials[1] + ": is at Turn by now.")
	b.visit("/scan")
	b.typed(serials[2])
	b.says("Done, on to Turn")
	deaf()
	moved(serials[2])
	b.click(`.huge`)
	b.says("It is at Turn now. Nothing was done here.")
	s.at(serials[1], 1)
	s.at(serials[2], 1)

	// A board without its server keeps what is ticked.
	b.visit(board)
	b.click(fmt.Sprintf(tick, serials[3]))
	s.stop()
	b.click(move)
	b.says("The server does not answer.")
	b.wait("the unit is still ticked", fmt.Sprintf(`document.querySelector('[name=serial][value="%s"]').checked`, serials[3]))
	s.start()
	b.click(move)
	b.says("1 unit moved on.")
	s.at(serials[3], 1)

	// A card needs no mouse, for a step and for a form that has to be opened first.
	b.visit("/serials/" + serials[4])
	b.tabTo(`#now button[value=advance]`)
	b.keys(kb.Enter)
	b.says("moved on.")
	b.tabTo(`details[data-key=hold] summary`)
	b.keys(kb.Enter + kb.Tab + "a crack" + kb.Enter)
	b.says("On hold: a crack")
	s.at(serials[4], 1)

	// Nor does any of them need scripts.
	call(b, "switch scripts off", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.visit("/serials/" + serials[5])
	b.click(`#now button[value=advance]`)
	b.says("moved on.")
	b.visit("/scan")
	b.typed(serials[5])
	b.click(`.huge`)
	b.says(serials[5] + " moved to the next step")
	b.visit(board)
	b.click(fmt.Sprintf(tick, serials[5]))
	b.click(move)
	b.says("1 unit moved on.")
	s.at(serials[5], 3)
}
