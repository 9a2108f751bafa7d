package web_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// job makes a job with one route through the interface and returns their identifiers.
func (s *site) job(name, mode string, quantity int, steps ...fields) (jobID, pathID string, serials []string) {
	s.t.Helper()
	var made struct{ ID string }
	s.post("/api/jobs", fields{"name": name, "goalQuantity": quantity}, &made)
	jobID = made.ID
	s.post("/api/paths", fields{"jobId": jobID, "name": "Main route", "goalQuantity": quantity, "advancementMode": mode, "steps": steps}, &made)
	pathID = made.ID
	var units []struct{ ID string }
	s.post("/api/serials", fields{"jobId": jobID, "pathId": pathID, "quantity": quantity, "userId": "setup"}, &units)
	for _, unit := range units {
		serials = append(serials, unit.ID)
	}
	return jobID, pathID, serials
}

// status is a serial as the interface has it.
func (s *site) status(serial string) string {
	s.t.Helper()
	var unit struct{ Status string }
	s.get("/api/serials/"+serial, &unit)
	return unit.Status
}

// From an empty database to units that stand at their first step, by the pages alone.
func TestJobRouteAndUnits(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := s.open()
	b.visit("/")
	b.says("Nothing is in work")
	b.work("Dana")
	b.visit("/jobs")
	b.says("There are no jobs yet")
	b.fill(`form[action="/jobs"] [name=name]`, "Bracket B-7")
	b.fill(`form[action="/jobs"] [name=goalQuantity]`, "-3")
	b.click(`form[action="/jobs"] button.primary`)
	b.says("Goal quantity must be more than 0.")
	b.wait("what was typed is kept", `document.querySelector('form[action="/jobs"] [name=name]').value === "Bracket B-7"`)
	b.fill(`form[action="/jobs"] [name=goalQuantity]`, "20")
	b.click(`form[action="/jobs"] button.primary`)
	b.says("Job created")
	b.click(`main a.primary`)
	b.says("New route")
	b.fill(`.panel .grid [name=name]`, "Milling")
	steps := []string{"Saw", "Mill", "Deburr", "Inspect"}
	for i, step := range steps {
		if i == 3 {
			b.click(`button[value=add]`)
			b.there(`.row:nth-of-type(4)`)
		}
		b.fill(fmt.Sprintf(`.row:nth-of-type(%d) [name=step]`, i+1), step)
	}
	b.click(`.row:nth-of-type(4) button[value="up:3"]`) // Inspect before Deburr, and back
	b.wait("the row moved", `document.querySelector(".row:nth-of-type(3) [name=step]").value === "Inspect"`)
	b.click(`.row:nth-of-type(3) button[value="down:2"]`)
	b.wait("the row moved back", `document.querySelector(".row:nth-of-type(4) [name=step]").value === "Inspect"`)
	b.click(`.buttons button[value=save]`)
	b.says("Route saved with 4 steps")
	b.says("No units yet")
	b.fill(`[name=quantity]`, "20")
	b.click(`button[value=create-serials]`)
	b.says("Created 20 units: SN-00001 to SN-00020")
	b.wait("the board shows them", `document.querySelectorAll(".column:first-child [name=serial]").length === 20`)
}

// A unit goes to its end by nothing but codes and Enter.
func TestScanToTheEnd(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 3, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Inspect"})
	b := s.open()
	b.visit("/scan")
	b.fill(`.who-works [name=name]`, "Dana"+kb.Enter) // the first operator of an empty shop
	b.wait("the operator is kept", `document.querySelector(".who b")?.textContent === "Dana"`)
	enter := func(code, shows string) {
		t.Helper()
		b.wait("the field has the focus", `document.activeElement.id === "code" && document.activeElement.value === "" && !document.querySelector(".htmx-request")`)
		b.do("scan "+code, chromedp.KeyEvent(code+kb.Enter))
		b.says(shows)
	}
	enter(serials[0], "Done, on to Grind")
	b.says("Now Turn")
	enter("RC-NO", "Nothing was asked, and nothing was changed")
	enter("RC-DONE", "SN-00001 moved to the next step. It goes to Grind.")
	b.wait("nothing is in hand", `!document.querySelector(".unit-id")`)
	// What somebody else does to the unit on the screen puts it away, and the page says who did what.
	enter(serials[0], "Done, on to Inspect")
	s.post("/api/serials/"+serials[0]+"/advance", fields{"userId": s.operator("Quinn")}, nil)
	b.says("unit moved on from Grind to Inspect")
	b.wait("in amber, and nothing is in hand", `document.querySelector(".result.warn")?.innerText.includes("Quinn") && !document.querySelector(".unit-id")`)
	enter("RC-DONE", "Scan a unit first")
	enter(serials[0], "Done, finish the unit")
	enter("RC-NOTE", "Type the note for SN-00001")
	enter("Chatter marks, polished", "Note written on SN-00001")
	enter("SN-99999", "There is no unit SN-99999")
	enter("RC-ADVANCE", "Scan a unit first")
	enter(serials[0], "Done, finish the unit")
	enter("RC-DEFERRED", "SN-00001 has no deferred step open")
	enter("RC-DONE", "SN-00001 is finished")
	if got := s.status(serials[0]); got != "completed" {
		t.Fatalf("the unit is %s", got)
	}
	// Another one is scrapped: the page asks, and a reason of one's own has to be told.
	enter("2", "Done, on to Grind")
	enter("RC-SCRAP-DAMAGED", "Scrap SN-00002: Damaged?")
	if s.status(serials[1]) != "in_progress" {
		t.Fatal("the unit was scrapped without a yes")
	}
	enter("RC-YES", "SN-00002 is scrapped: Damaged")
	enter("3", "Done, on to Grind")
	enter("RC-SCRAP-OTHER", "Why is SN-00003 scrapped?")
	enter("Fell off the bench", "Scrap SN-00003: Other, “Fell off the bench”?")
	enter("RC-YES", "SN-00003 is scrapped: Other")
	if s.status(serials[1]) != "scrapped" || s.status(serials[2]) != "scrapped" {
		t.Fatal("the units are not scrapped")
	}
	enter(serials[2], "Scrapped: Other.")
	b.wait("the last scans are kept", `document.querySelectorAll(".last li").length > 10 && document.querySelectorAll(".last li").length <= 20`)
	b.visit("/scan")
	b.wait("and on this device", `document.querySelectorAll(".last li").length > 10`)
	small := `[...document.querySelectorAll("main button, main .button, main input:not([type=hidden])")].filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 48).length`
	b.wait("everything is big enough to touch", small+" === 0")
}

// Bypassing, deferring, waiving, overriding, scrapping: what is refused says why.
func TestDeferAndWaive(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Valve", "flexible", 2, fields{"name": "Turn"}, fields{"name": "Wash"}, fields{"name": "Mark"},
		fields{"name": "Leak test", "dependencyType": "physical"}, fields{"name": "Pack"})
	b := s.open()
	b.visit("/serials/" + serials[0])
	b.work("Dana")
	b.click(`[aria-labelledby=h-do] details summary`)
	b.says("A step on the way cannot be passed")
	b.wait("what is refused cannot be chosen", `document.querySelectorAll("[name=target]:disabled").length === 2`)
	b.click(`[name=target][value="3"]`)
	b.click(`button[value=advance-to]`)
	b.says("moved on, past 2 steps")
	b.says("Deferred and still open: Wash")
	b.click(`.steps-card li:nth-child(2) button[value=complete-deferred]`)
	b.says("Deferred step completed")
	b.fill(`.steps-card li:nth-child(3) details:has([value=waive]) [name=reason]`, "Customer agreed")
	b.choose(`.steps-card li:nth-child(3) [name=approverId]`, s.operator("Dana"))
	b.click(`.steps-card li:nth-child(3) button[value=waive]`)
	b.says("Step waived")
	b.wait("the statuses", `[...document.querySelectorAll(".steps-card .state .tag")].map(e => e.textContent).join() === "Completed,Completed,Waived,In progress,Pending"`)
	b.click(`#now button[value=advance]`)
	b.says("Done, finish the unit")
	b.click(`#now button[value=advance]`)
	b.says("Finished")
	b.says("The unit is finished")

	b.visit("/serials/" + serials[1])
	b.choose(`details[data-key=scrap] [name=reason]`, "other")
	b.click(`[aria-labelledby=h-do] button[value=scrap]`)
	b.says("Explain it: the reason alone does not say what happened.")
	b.wait("the field has the focus, and the words stand beside it", `document.activeElement.name === "explanation" &&
		document.activeElement.getAttribute("aria-describedby") === "problem" && document.activeElement.closest(".field").querySelector("#problem")`)
	b.fill(`[aria-labelledby=h-do] [name=explanation]`, "Porous casting")
	b.click(`[aria-labelledby=h-do] button[value=scrap]`)
	b.says("Scrap " + serials[1] + "?")
	b.click(`[name=sure]`)
	b.says("Scrapped at Turn: Other")
	if got := s.status(serials[1]); got != "scrapped" {
		t.Fatalf("the unit is %s", got)
	}
}

// A certificate goes to twenty units at once, and they move on together.
func TestTwentyUnitsAtOnce(t *testing.T) {
	t.Parallel()
	s := serve(t)
	jobID, _, serials := s.job("Flange", "strict", 25, fields{"name": "Cut"}, fields{"name": "Turn"})
	var certificate struct{ ID string }
	s.post("/api/certs", fields{"type": "material", "name": "EN 10204 3.1 heat 4711"}, &certificate)
	b := s.open()
	b.visit("/jobs/" + jobID)
	b.work("Quinn")
	for _, serial := range serials[:20] {
		b.do("tick "+serial, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{document.querySelector('[name=serial][value="%s"]').click(); undefined}`, serial)))
	}
	b.says("With the ticked units (20)")
	b.click(`button[value=ask-attach]`)
	b.says("Attach a certificate to 20 units")
	b.choose(`.many [name=certId]`, certificate.ID)
	b.click(`button[value=attach]`)
	b.says("Certificate attached to 20 units")
	var attachments []struct{ SerialID, AttachedBy string }
	s.get("/api/certs/"+certificate.ID+"/attachments", &attachments)
	if len(attachments) != 20 || attachments[0].AttachedBy != s.operator("Quinn") {
		t.Fatalf("attached: %v", attachments)
	}
	b.click(`[data-all]`)
	b.says("With the ticked units (25)")
	b.click(`button[value=advance]`)
	b.says("25 units moved on")
	b.wait("they stand at the next step", `document.querySelectorAll(".column:nth-child(2) [name=serial]").length === 25`)
}

// What one person does appears on the other's page, also after the server was away.
func TestTwoBrowsersAndARestart(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Housing", "strict", 2, fields{"name": "Mill"}, fields{"name": "Drill"}, fields{"name": "Wash"})
	one, two := s.open(), s.open()
	one.visit("/serials/" + serials[0])
	two.visit("/serials/" + serials[0])
	one.work("Ann")
	two.wait("the stream is open", `document.querySelector("#live").hidden`)
	one.click(`#now button[value=advance]`)
	two.says("Done, on to Wash")
	two.wait("and in the history", `document.querySelector("#trail").innerText.includes("Ann")`)
	// Somebody is typing when news comes: the words stay.
	two.fill(`.actions [name=text]`, "half a sentence")

	s.stop()
	two.wait("the lost connection is marked", `!document.querySelector("#live").hidden`)
	s.start()
	s.post("/api/serials/"+serials[0]+"/advance", fields{"userId": "Bob"}, nil)
	one.says("Done, finish the unit")
	one.wait("the mark is gone", `document.querySelector("#live").hidden`)
	two.wait("what was missed is there", `document.querySelector("#trail").innerText.includes("Bob")`)
	two.wait("the words are there", `document.querySelector(".actions [name=text]").value === "half a sentence"`)

	three := s.open()
	three.visit("/audit")
	s.post("/api/serials/"+serials[1]+"/scrap", fields{"reason": "damaged", "userId": "Bob"}, nil)
	three.says("Unit scrapped " + serials[1])
	two.visit("/")
	two.says("1 scrapped")
	s.post("/api/serials/"+serials[0]+"/advance", fields{"userId": "Bob"}, nil)
	two.says("1 finished")
}

// Names that are markup, names of 500 characters and reasons of many more harm no page.
func TestNastyNames(t *testing.T) {
	t.Parallel()
	s := serve(t)
	const markup = `<script>alert(1)</script>`
	long := strings.Repeat("W", 500)
	var user struct{ ID string }
	s.post("/api/users", fields{"name": long, "department": markup}, &user)
	s.post("/api/library/processes", fields{"name": markup}, nil)
	s.post("/api/templates", fields{"name": long, "steps": []fields{{"name": markup}}}, nil)
	s.post("/api/certs", fields{"type": "process", "name": markup + long[:400], "metadata": fields{markup: markup}}, nil)
	markupJob, _, _ := s.job(markup, "flexible", 2, fields{"name": markup, "location": markup}, fields{"name": long})
	longJob, _, serials := s.job(long, "flexible", 2, fields{"name": long, "location": long}, fields{"name": markup})
	s.post("/api/bom", fields{"name": long, "entries": []fields{{"partType": markup, "requiredQuantityPerBuild": 1, "contributingJobIds": []string{longJob}}}}, nil)
	s.post("/api/notes", fields{"jobId": longJob, "pathId": "p", "stepId": "s", "serialIds": serials, "text": markup + long, "userId": markup}, nil)
	s.post("/api/serials/"+serials[0]+"/scrap", fields{"reason": "other", "explanation": markup + long, "userId": long}, nil)
	s.post("/api/serials/"+serials[1]+"/hold", fields{"reason": strings.Repeat("The bearing seat is too small. ", 290) + long, "userId": long}, nil)
	b := s.open()
	b.do("notice every alert", chromedp.Evaluate[chromedp.Void](`undefined`))
	b.visit("/")
	b.work(markup)
	pages := append(everyPage(t, s), pagePath{"markup", "/jobs/" + markupJob}, pagePath{"long", "/jobs/" + longJob}, pagePath{"scrapped", "/serials/" + serials[0]},
		pagePath{"held", "/serials/" + serials[1]}, pagePath{"scan-long", "/scan?unit=" + serials[1]})
	for _, p := range pages {
		b.visit(p.path)
		if b.is(`[...document.scripts].some(script => !script.src)`) {
			t.Errorf("%s has a script of its own", p.path)
		}
		for _, width := range widths {
			b.look("light", width)
			b.fits(p.path, width)
		}
	}
}

// fits fails when a page scrolls sideways.
func (b *browser) fits(path string, width int64) {
	b.t.Helper()
	if b.is(`document.documentElement.scrollWidth > document.documentElement.clientWidth`) {
		wide, _ := chromedp.Run(b.ctx, chromedp.Evaluate[string](`[...document.querySelectorAll("main *")].filter(e =>
			e.getBoundingClientRect().right > innerWidth + 1 && !e.closest("svg")).slice(0, 4).map(e => e.outerHTML.slice(0, 120)).join("\n")`))
		b.t.Errorf("%s scrolls sideways at %d pixels:\n%s", path, width, wide)
	}
}

// Everything is done by forms, with scripts switched off.
func TestWithoutJavaScript(t *testing.T) {
	t.Parallel()
	s := serve(t)
	b := s.open()
	call(b, "switch scripts off", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.visit("/jobs")
	b.work("Dana")
	b.fill(`form[action="/jobs"] [name=name]`, "Plate")
	b.fill(`form[action="/jobs"] [name=goalQuantity]`, "3")
	b.click(`form[action="/jobs"] button.primary`)
	b.says("Job created")
	b.click(`main a.primary`)
	b.says("New route")
	b.fill(`.panel .grid [name=name]`, "Laser")
	b.fill(`.row:nth-of-type(1) [name=step]`, "Cut")
	b.click(`button[value=add]`)
	b.there(`.row:nth-of-type(4)`)
	b.click(`button[value="remove:3"]`)
	b.wait("a row is gone", `!document.querySelector(".row:nth-of-type(4)")`)
	b.fill(`.row:nth-of-type(2) [name=step]`, "Bend")
	b.click(`.buttons button[value=save]`)
	b.says("Route saved with 2 steps")
	b.fill(`[name=quantity]`, "2")
	b.click(`button[value=create-serials]`)
	b.says("Created 2 units")
	b.fill(`[name=quantity]`, "1")
	b.click(`button[value=create-serials]`)
	b.says("Created 1 unit: SN-00003")
	b.click(`[name=serial][value="SN-00003"]`)
	b.click(`button[value=ask-note]`)
	b.says("Write a note on 1 unit")
	b.fill(`.many [name=text]`, "dull edge")
	b.click(`.many button[value=note]`)
	b.says("Note written on 1 unit.")
	b.click(`[name=serial][value="SN-00003"]`)
	b.click(`button[value=ask-scrap]`)
	b.says("Scrap 1 unit?")
	b.choose(`.many [name=reason]`, "damaged")
	b.click(`.many button[value=scrap]`)
	b.says("1 unit scrapped.")
	b.visit("/scan")
	b.fill(`#code`, "SN-00001"+kb.Enter)
	b.says("Done, on to Bend")
	b.click(`.huge`)
	b.says("SN-00001 moved to the next step")
	b.visit("/serials/SN-00001")
	b.click(`#now button[value=advance]`)
	b.says("Finished")
	if got := s.status("SN-00001"); got != "completed" {
		t.Fatalf("the unit is %s", got)
	}
}
