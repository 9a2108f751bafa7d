package station_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
)

// These tests simulate the conditions in a shop: gloves, two people at one unit, a connection that drops.

// A double click moves a unit only one step, and creates units only once.
func TestDoubleClick(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	jobID, _, serials := s.Job("Shaft", "strict", 2, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Wash"}, browsertest.Fields{"name": "Pack"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	b.Twice(`#now button[value=advance]`)
	b.Says("Done, on to Wash")
	s.At(serials[0], 1)
	// The second click may also hit the page that the first click opened.
	b.Do("click a second time", chromedp.Evaluate[chromedp.Void](
		`{document.querySelector("#now button[value=advance]").dispatchEvent(new MouseEvent("click", {bubbles: true, cancelable: true, detail: 2})); undefined}`))
	b.Visit("/scan?unit=" + serials[1])
	b.Twice(`.huge`)
	b.Says("moved to the next step")
	s.At(serials[0], 1)
	s.At(serials[1], 1)
	b.Visit("/jobs/" + jobID)
	b.Fill(`[name=quantity]`, "2")
	b.Click(`button[value=create-serials]`)
	b.Says("Create 2 units?")
	b.Twice(`button[name=sure]`)
	b.Says("Created 2 units: SN-00003 to SN-00004.")
	b.Visit("/serials/SN-00005")
	b.Says("There is no unit SN-00005.")
}

// A page ignores a press on a control that appeared under the pointer a moment before: on the page that the previous press opened, or for a
// step to which another person moved the unit.
func TestPressUnderTheHand(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 1, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Wash"}, browsertest.Fields{"name": "Pack"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	// pressAs presses the button immediately after an event, or a change of the page, shows that the button has appeared.
	const pressAs = `window.pressAt = (x, y) => document.querySelector("#now button[value=advance]").dispatchEvent(
		new MouseEvent("click", {bubbles: true, cancelable: true, detail: 1, clientX: x, clientY: y}));`
	b.Do("press again when the next page comes", chromedp.Evaluate[chromedp.Void](`{`+pressAs+`
		document.addEventListener("click", ({clientX, clientY}) => document.addEventListener("htmx:after:swap",
			() => { window.second = pressAt(clientX, clientY) }, {once: true}), {capture: true, once: true});
		undefined}`))
	b.Click(`#now button[value=advance]`)
	b.Wait("the second press is none", `window.second === false`)
	b.Says("Done, on to Wash")
	s.At(serials[0], 1)

	b.Do("press when the step is another one", chromedp.Evaluate[chromedp.Void](`{
		new MutationObserver((_, observer) => {
			if (!document.querySelector("#now button[value=advance]")?.innerText.includes("Pack")) return;
			observer.disconnect();
			window.third = pressAt(-1000, -1000);
		}).observe(document.querySelector("main"), {subtree: true, childList: true});
		undefined}`))
	s.Post("/api/serials/"+serials[0]+"/advance", browsertest.Fields{"userId": "somebody"}, nil)
	b.Wait("that press is none", `window.third === false`)
	s.At(serials[0], 2)
	b.Click(`#now button[value=advance]`)
	b.Says("Done, complete the unit")
	s.At(serials[0], 3)
}

// A page that has missed a change does not sign anything off.
func TestStaleTab(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 1, browsertest.Fields{"name": "Saw"}, browsertest.Fields{"name": "Turn OP10"}, browsertest.Fields{"name": "Grind"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	b.Do("hear nothing", chromedp.Evaluate[chromedp.Void](`{disconnect(); connect = () => {}; undefined}`))
	s.Post("/api/serials/"+serials[0]+"/advance", browsertest.Fields{"userId": "somebody"}, nil)
	b.Wait("the page is stale", `document.querySelector("#now button[value=advance]").innerText === "Done, on to Turn OP10"`)
	b.Click(`#now button[value=advance]`)
	b.Says(serials[0] + " is at Turn OP10 by now. Nothing was done.")
	b.Says("Done, on to Grind")
	s.At(serials[0], 1)
}

// While the server is down no page shows success. Input in forms stays and can be sent again.
func TestStoppedServer(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 1, browsertest.Fields{"name": "Saw"}, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	b.Click(`#now button[value=advance]`)
	b.Says("advanced.")
	s.Stop()
	b.Fill(`.actions [name=text]`, "chatter")
	b.Click(`.actions button[value=note]`)
	b.Says("The server does not answer.")
	b.Wait("nothing green remains", `!document.querySelector(".done") && document.querySelector(".problem")`)
	b.Wait("what was typed is kept", `document.querySelector(".actions [name=text]").value === "chatter"`)
	s.Start()
	b.Click(`.actions button[value=note]`)
	b.Says("Note written.")

	// At the station the band for a scan without a response disappears when the server responds again, even if it responds to Enter in the
	// empty field.
	b.Visit("/scan")
	s.Stop()
	b.Typed("1")
	b.Says("The server does not answer.")
	s.Start()
	b.Do("empty the field", chromedp.Evaluate[chromedp.Void](`{document.getElementById("code").value = ""; undefined}`))
	b.Typed("")
	b.Wait("the red band is gone", `!document.querySelector(".result.bad") && !document.getElementById("station").dataset.result`)
}

// A form that is sent again while the page asks what became of it is carried out, under the key that the server names.
func TestPressedWhileThePageAsks(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 1, browsertest.Fields{"name": "Saw"}, browsertest.Fields{"name": "Turn"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	keepAnswersIn(b)
	s.Stop()
	b.Fill(`.actions [name=text]`, "chatter")
	b.Click(`.actions button[value=note]`)
	b.Says("The server does not answer.")
	s.Start()
	b.Wait("the page has asked", `kept.length === 1`)
	b.Click(`.actions button[value=note]`)
	b.Do("let the answer go", chromedp.Evaluate[chromedp.Void](`{kept[0](); undefined}`))
	b.Wait("the form was sent again", `kept.length === 2`)
	b.Do("let its answer go", chromedp.Evaluate[chromedp.Void](`{kept[1](); undefined}`))
	b.Says("Note written.")
	if b.Is(`document.querySelector("#acts .act")`) {
		t.Error("a message about the first press remains")
	}
}

// The message of a refused form stays, with what was typed, when the page hears of a change.
func TestRefusalOutlivesAChange(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 1, browsertest.Fields{"name": "Saw"}, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	b.Do("type too much", chromedp.Evaluate[chromedp.Void](`{
		const text = document.querySelector(".actions [name=text]");
		text.removeAttribute("maxlength");
		text.value = "chatter ".repeat(2000);
		text.form.noValidate = true;
		text.form.requestSubmit(text.form.querySelector("button[value=note]"));
		undefined
	}`))
	b.There(".actions form .problem")
	b.Do("leave the field", chromedp.Evaluate[chromedp.Void](`{document.activeElement.blur(); undefined}`))
	s.Post("/api/serials/"+serials[0]+"/advance", browsertest.Fields{"userId": "somebody"}, nil)
	b.Wait("the page has heard of it", `document.querySelector("#state .now").innerText === "Turn"`)
	if !b.Is(`document.querySelector(".actions form .problem") && document.querySelector(".actions [name=text]").value.startsWith("chatter")`) {
		t.Error("the message or the text is gone")
	}
}

// keepAnswersIn delays the server's responses to forms, in their order. Calling kept[i] delivers one.
func keepAnswersIn(b *browsertest.Browser) {
	b.T.Helper()
	b.Do("keep the answers to forms", chromedp.Evaluate[chromedp.Void](`{
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

// If a button of a card is pressed again before the response, this counts as one press. A user who has opened another page meanwhile stays
// there.
func TestPressedAgainBeforeItsAnswer(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 1, browsertest.Fields{"name": "Saw"}, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	b.Do("press it twice", chromedp.Evaluate[chromedp.Void](`{
		const press = document.querySelector("#now button[value=advance]");
		for (let i = 0; i < 2; i++) press.form.requestSubmit(press);
		undefined
	}`))
	b.Says("advanced.")
	b.There("#now")
	if b.Is(`document.querySelector(".done.before")`) {
		t.Error("the second press took the place of the first")
	}
	s.At(serials[0], 1)

	keepAnswersIn(b)
	b.Do("press it, and be answered when the next page is there", chromedp.Evaluate[chromedp.Void](`{
		const press = document.querySelector("#now button[value=advance]");
		press.form.requestSubmit(press);
		undefined
	}`))
	b.Wait("it is answered", `kept.length === 1`)
	b.Do("go to the jobs", chromedp.Evaluate[chromedp.Void](`{document.querySelector("nav a[href='/jobs']").click(); undefined}`))
	b.Wait("the jobs are shown", `location.pathname === "/jobs" && document.querySelector("h1").innerText === "Jobs"`)
	b.Do("let the answer go", chromedp.Evaluate[chromedp.Void](`{
		document.addEventListener("htmx:finally:request", () => { window.ended = true });
		kept[0]();
		undefined
	}`))
	b.Wait("the answer was taken", `window.ended`)
	if !b.Is(`location.pathname === "/jobs" && document.querySelector("h1").innerText === "Jobs"`) {
		t.Error("the answer led back from the page that was gone to")
	}
	s.At(serials[0], 2)
}

// When a form of a page is sent, the page keeps the text typed into the other forms, and the step that was selected there. It does not keep
// the text of the form that was sent, nor the reason for undoing a change that is no longer the last one.
func TestTypedTextOutlivesAnotherForm(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, path, serials := s.Job("Shaft", "strict", 1, browsertest.Fields{"name": "Saw"}, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	b.Click(`#now button[value=advance]`)
	b.Says("Done, on to Grind")
	b.Fill(`.actions [name=text]`, "chatter at the shoulder")
	b.Fill(`.actions form:has(button[value=undo]) [name=reason]`, "the wrong unit") // for undoing the last change
	b.Click(`#now button[value=advance]`)
	b.Says("Done, complete the unit")
	b.Wait("the note is there, open", `(() => {
		const note = document.querySelector(".actions [name=text]");
		return note.value === "chatter at the shoulder" && note.closest("details").open;
	})()`)
	b.Wait("a reason is for the change it was typed for", `document.querySelector(".actions form:has(button[value=undo]) [name=reason]").value === ""`)
	b.Click(`.actions button[value=note]`)
	b.Says("Note written.")
	b.Wait("the note was sent", `document.querySelector(".actions [name=text]").value === ""`)
	var notes []struct{ StepID, Text string }
	s.Get("/api/notes/serial/"+serials[0], &notes)
	var route struct{ Steps []struct{ ID string } }
	s.Get("/api/paths/"+path, &route)
	if len(notes) != 1 || notes[0].Text != "chatter at the shoulder" || notes[0].StepID != route.Steps[1].ID {
		t.Errorf("noted are %+v", notes)
	}
}

// Typed text is restored to the same form together with the other values of that form and with the state that the form was read with.
func TestTypedTextStaysWithWhatItIsAbout(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	bert := s.Operator("Bert")
	b := s.Open()
	b.Visit("/library")
	b.Do("type a name into the second library and add one to the first", chromedp.Evaluate[chromedp.Void](`{
		const [first, second] = document.querySelectorAll("main form.grid");
		second.elements.name.value = "Alloy";
		first.elements.name.value = "Milling";
		first.requestSubmit();
		undefined
	}`))
	b.Says("Remove")
	b.Wait("the name is where it was typed", `[...document.querySelectorAll("main form.grid")].map((f) => f.elements.name.value).join() === ",Alloy"`)

	b.Visit("/users")
	b.Do("rename Bert, who is no longer active, and add Anna", chromedp.Evaluate[chromedp.Void](`{
		const row = document.querySelector("form:has([name=id][value=`+bert+`])");
		row.elements.name.value = "Bert Old";
		row.elements.active.checked = false;
		const add = document.querySelector("main form:not(:has([name=id]))");
		add.elements.name.value = "Anna";
		add.requestSubmit();
		undefined
	}`))
	b.Says("Anna")
	b.Wait("all of it is there", `(() => {
		const row = document.querySelector("form:has([name=id][value=`+bert+`])");
		return row?.elements.name.value === "Bert Old" && !row.elements.active.checked;
	})()`)

	var gauge struct{ ID, DueDate string }
	s.Post("/api/instruments", browsertest.Fields{"number": "M-1", "name": "Gauge", "dueDate": "2030-01-01"}, &gauge)
	b.Visit("/instruments?id=" + gauge.ID)
	b.Work("Dana")
	b.Wait("scripts have the forms", `document.querySelectorAll("main form[action^='/instruments/'][data-htmx-powered]").length === 2`)
	b.Do("name it otherwise and record a calibration", chromedp.Evaluate[chromedp.Void](`{
		const [calibrate, edit] = document.querySelectorAll("main form[action^='/instruments/']");
		edit.elements.name.value = "Bore gauge";
		calibrate.elements.result.value = "pass";
		calibrate.elements.dueDate.value = "2031-01-01";
		calibrate.requestSubmit();
		undefined
	}`))
	b.Says("Calibration recorded.")
	b.Wait("the name is there", `document.querySelector("main form:has([name=read])")?.elements.name.value === "Bore gauge"`)
	b.Do("save the name", chromedp.Evaluate[chromedp.Void](`document.querySelector("main form:has([name=read])").requestSubmit(); undefined`))
	b.Says("changed")
	if s.Get("/api/instruments/"+gauge.ID, &gauge); gauge.DueDate != "2031-01-01" {
		t.Errorf("the calibration was overwritten: due is %s", gauge.DueDate)
	}
}

// The page keeps text that is typed while another form waits for its response. It does not restore a form that was sent in the meantime. It
// does not restore the text of one person after another person was selected.
func TestTypedTextMeanwhile(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 1, browsertest.Fields{"name": "Saw"}, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"})
	erik := s.Operator("Erik")
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	keepAnswersIn(b)
	b.Do("press a button", chromedp.Evaluate[chromedp.Void](`{
		const press = document.querySelector("#now button[value=advance]");
		press.form.requestSubmit(press);
		undefined
	}`))
	b.Wait("it is answered", `kept.length === 1`)
	b.Do("write a note, and begin to type why the unit is held", chromedp.Evaluate[chromedp.Void](`{
		const note = document.querySelector(".actions button[value=note]");
		note.form.elements.text.value = "chatter";
		note.form.requestSubmit(note);
		document.querySelector(".actions form:has(button[value=hold]) [name=reason]").value = "too hot";
		undefined
	}`))
	b.Wait("that is answered too", `kept.length === 2`)
	b.Do("let the first answer go", chromedp.Evaluate[chromedp.Void](`kept[0](); undefined`))
	b.Says("Done, on to Grind")
	b.Wait("what was not sent is kept", `document.querySelector(".actions form:has(button[value=hold]) [name=reason]").value === "too hot"`)
	if b.Is(`document.querySelector(".actions [name=text]").value !== ""`) {
		t.Error("the note that was sent is typed again")
	}
	b.Do("let the other go", chromedp.Evaluate[chromedp.Void](`kept[1](); undefined`))
	b.Visit("/serials/" + serials[0])
	b.Fill(`.actions [name=text]`, "mine")
	b.SwitchTo(erik)
	if b.Is(`document.querySelector(".actions [name=text]").value !== ""`) {
		t.Error("the text of one person stands in the form of another")
	}
}

// In a shop where even reading needs a sign-in, the page redirects to the sign-in page when a session expires, unless it has unsent text.
func TestTypedTextOutlivesTheSession(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t, "--auth", "all")
	b := s.Open()
	b.Visit(s.Invitation())
	b.Fill("input[name=name]", "The Boss")
	b.Fill("input[name=login]", "boss")
	b.Fill("input[name=password]", browsertest.GoodPassword)
	b.Click("main button.primary")
	b.Says("Welcome.")
	b.Visit("/users")
	b.Fill("main form[method=post] [name=name]", "Valve")
	b.Do("sign out elsewhere", chromedp.Evaluate[chromedp.Void](`fetch("/sign-out", { method: "POST" }); undefined`))
	b.Says("You are signed out. What you filled in is kept.")
	b.Wait("it is", `document.querySelector("main form[method=post] [name=name]").value === "Valve"`)
	if b.Is(`location.pathname !== "/users"`) {
		t.Error("the page was left")
	}
}

// The keyboard alone gives access to all functions of the station and the board.
func TestKeyboardAlone(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	jobID, _, serials := s.Job("Shaft", "strict", 3, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Wash"})
	b := s.Open()
	b.Visit("/scan")
	b.Work("Dana")
	b.Typed("1")
	b.Says("Done, on to Grind")
	b.Typed("RC-SCRAP-DAMAGED")
	b.Says("Scrap " + serials[0] + ": Damaged?")
	b.Keys(kb.Tab + kb.Tab + kb.Tab + kb.Enter) // to Yes and on to No, no sooner after the Enter of a scan than hands can
	b.Says("Nothing was changed.")
	s.At(serials[0], 0)
	b.Visit("/jobs/" + jobID)
	b.Do("go to a box", chromedp.Focus(chromedp.CSS(`[name=serial]`)))
	b.Keys(" " + kb.Enter)
	b.Says("Advance 1 unit by one step")
	s.At(serials[0], 0)
	b.Do("go to the button", chromedp.Focus(chromedp.CSS(`.many button`)))
	b.Keys(kb.Enter)
	b.Says("1 unit advanced.")
	s.At(serials[0], 1)
	b.Do("go to another one", chromedp.Focus(chromedp.CSS(`[name=serial]`)))
	b.Keys(" ")
	b.Wait("it is ticked", `document.querySelector("[name=serial]").checked`)
	b.Do("go to the button for a note", chromedp.Focus(chromedp.CSS(`[value=ask-note]`)))
	b.Keys(kb.Enter)
	b.Says("Write a note on 1 unit")
	b.Wait("the note has the focus", `document.activeElement.name === "text"`)
}

// If another person moves a selected unit, the unit is deselected, because the selection was meant for its former step.
func TestTickedUnitThatMoves(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	jobID, _, serials := s.Job("Shaft", "strict", 2, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Wash"})
	b := s.Open()
	b.Visit("/jobs/" + jobID)
	b.Work("Dana")
	for _, serial := range serials {
		b.Click(fmt.Sprintf(`[name=serial][value=%q]`, serial))
	}
	s.Post("/api/serials/"+serials[0]+"/advance", browsertest.Fields{"userId": "somebody"}, nil)
	b.There(fmt.Sprintf(`.column:nth-child(2) [name=serial][value=%q]`, serials[0]))
	b.Says("With the ticked units (1)")
	b.Click(`button[value=advance]`)
	b.Says("1 unit advanced.")
	s.At(serials[0], 1)
	s.At(serials[1], 1)
}

// A slow connection, a second click, a missed change, a stopped server and work with the keyboard alone have the same effects on the board,
// the card and the station.
func TestHandsOnEveryPage(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	jobID, _, serials := s.Job("Shaft", "strict", 6, browsertest.Fields{"name": "Saw"}, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Wash"})
	b := s.Open()
	board, tick := "/jobs/"+jobID, `[name=serial][value=%q]`
	move := `.ticked button[value=advance]`
	b.Visit(board)
	b.Work("Dana")
	deaf := func() {
		b.Do("hear nothing", chromedp.Evaluate[chromedp.Void](`{disconnect(); connect = () => {}; undefined}`))
	}
	moved := func(serial string) {
		s.Post("/api/serials/"+serial+"/advance", browsertest.Fields{"userId": "somebody"}, nil)
	}

	// The form is sent twice on a slow connection.
	b.Slow(400)
	b.Click(fmt.Sprintf(tick, serials[0]))
	b.Twice(move)
	b.Says("1 unit advanced.")
	s.At(serials[0], 1)
	b.Visit("/serials/" + serials[0])
	b.Twice(`#now button[value=advance]`)
	b.Says("advanced.")
	s.At(serials[0], 2)
	b.Visit("/scan?unit=" + serials[0])
	b.Twice(`.huge`)
	b.Says(serials[0] + " moved to the next step")
	s.At(serials[0], 3)
	b.Slow(0)

	// The board and the station have missed a change by another person.
	b.Visit(board)
	deaf()
	moved(serials[1])
	b.Click(fmt.Sprintf(tick, serials[1]))
	b.Click(move)
	b.Says(serials[1] + ": is at Turn by now.")
	b.Visit("/scan")
	b.Typed(serials[2])
	b.Says("Done, on to Turn")
	deaf()
	moved(serials[2])
	b.Click(`.huge`)
	b.Says("It is at Turn now. Nothing was done here.")
	s.At(serials[1], 1)
	s.At(serials[2], 1)

	// If the server is down, the board keeps its selection.
	b.Visit(board)
	b.Click(fmt.Sprintf(tick, serials[3]))
	s.Stop()
	b.Click(move)
	b.Says("The server does not answer.")
	b.Wait("the unit is still ticked", fmt.Sprintf(`document.querySelector('[name=serial][value="%s"]').checked`, serials[3]))
	s.Start()
	b.Click(move)
	b.Says("1 unit advanced.")
	s.At(serials[3], 1)

	// On a card, a step and a form that has to be opened first can be used without a mouse.
	b.Visit("/serials/" + serials[4])
	b.TabTo(`#now button[value=advance]`)
	b.Keys(kb.Enter)
	b.Says("advanced.")
	b.TabTo(`details[data-key=hold] summary`)
	b.Keys(kb.Enter + kb.Tab + "a crack" + kb.Enter)
	b.Says("On hold: a crack")
	s.At(serials[4], 1)

	// Neither of them needs scripts.
	browsertest.Call(b, "switch scripts off", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.Visit("/serials/" + serials[5])
	b.Click(`#now button[value=advance]`)
	b.Says("advanced.")
	b.Visit("/scan")
	b.Typed(serials[5])
	b.Click(`.huge`)
	b.Says(serials[5] + " moved to the next step")
	b.Visit(board)
	b.Click(fmt.Sprintf(tick, serials[5]))
	b.Click(move)
	b.Says("1 unit advanced.")
	s.At(serials[5], 3)
}
