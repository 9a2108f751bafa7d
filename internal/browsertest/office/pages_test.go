package office_test

import (
	"fmt"
	"strings"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
)

// A user gets from an empty database to units at their first step using only the pages.
func TestJobRouteAndUnits(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	b := s.Open()
	b.Visit("/")
	b.Says("No units in progress")
	b.Work("Dana")
	b.Visit("/jobs")
	b.Says("There are no jobs yet")
	b.Fill(`form[action="/jobs"] [name=name]`, "Bracket B-7")
	b.Fill(`form[action="/jobs"] [name=goalQuantity]`, "-3")
	b.Click(`form[action="/jobs"] button.primary`)
	b.Says("Goal quantity must be more than 0.")
	b.Wait("what was typed is kept", `document.querySelector('form[action="/jobs"] [name=name]').value === "Bracket B-7"`)
	b.Fill(`form[action="/jobs"] [name=goalQuantity]`, "20")
	b.Click(`form[action="/jobs"] button.primary`)
	b.Says("Job created")
	b.Click(`main a.primary`)
	b.Says("New route")
	b.Fill(`.panel .grid [name=name]`, "Milling")
	steps := []string{"Saw", "Mill", "Deburr", "Inspect"}
	for i, step := range steps {
		if i == 3 {
			b.Click(`button[value=add]`)
			b.There(`.row:nth-of-type(4)`)
		}
		b.Fill(fmt.Sprintf(`.row:nth-of-type(%d) [name=step]`, i+1), step)
	}
	b.Click(`.row:nth-of-type(4) button[value="up:3"]`) // Inspect moves before Deburr, and back
	b.Wait("the row moved", `document.querySelector(".row:nth-of-type(3) [name=step]").value === "Inspect"`)
	b.Click(`.row:nth-of-type(3) button[value="down:2"]`)
	b.Wait("the row moved back", `document.querySelector(".row:nth-of-type(4) [name=step]").value === "Inspect"`)
	b.Click(`.buttons button[value=save]`)
	b.Says("Route saved with 4 steps")
	b.Says("No units yet")
	b.Fill(`[name=quantity]`, "20")
	b.Click(`button[value=create-serials]`)
	b.Says("Created 20 units: SN-00001 to SN-00020")
	b.Wait("the board shows them", `document.querySelectorAll(".column:first-child [name=serial]").length === 20`)
}

// A unit is completed using only scanned codes and Enter.
func TestScanToTheEnd(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 3, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Inspect"})
	b := s.Open()
	b.Visit("/scan")
	b.Fill(`.who-works [name=name]`, "Dana"+kb.Enter) // the first operator of an empty shop
	b.Wait("the operator is kept", `document.querySelector(".who b")?.textContent === "Dana"`)
	enter := func(code, shows string) {
		t.Helper()
		b.Wait("the field has the focus", `document.activeElement.id === "code" && document.activeElement.value === "" && !document.querySelector(".htmx-request")`)
		b.Do("scan "+code, chromedp.KeyEvent(code+kb.Enter))
		b.Says(shows)
	}
	enter(serials[0], "Done, on to Grind")
	b.Says("Now Turn")
	enter("RC-NO", "Nothing was asked, and nothing was changed")
	enter("RC-DONE", "SN-00001 moved to the next step. It goes to Grind.")
	b.Wait("nothing is in hand", `!document.querySelector(".unit-id")`)
	// If another person changes the unit on the screen, the page removes it and reports who did what.
	enter(serials[0], "Done, on to Inspect")
	s.Post("/api/serials/"+serials[0]+"/advance", browsertest.Fields{"userId": s.Operator("Quinn")}, nil)
	b.Says("Unit advanced from Grind to Inspect")
	b.Wait("in amber, and nothing is in hand", `document.querySelector(".result.warn")?.innerText.includes("Quinn") && !document.querySelector(".unit-id")`)
	enter("RC-DONE", "Scan a unit first")
	enter(serials[0], "Done, complete the unit")
	enter("RC-NOTE", "Type the note for SN-00001")
	enter("Chatter marks, polished", "Note written on SN-00001")
	enter("SN-99999", "There is no unit SN-99999")
	enter("RC-ADVANCE", "Scan a unit first")
	enter(serials[0], "Done, complete the unit")
	enter("RC-DEFERRED", "SN-00001 has no deferred step open")
	enter("RC-DONE", "SN-00001 is completed")
	if got := s.Status(serials[0]); got != "completed" {
		t.Fatalf("the unit is %s", got)
	}
	// Another unit is scrapped. The page asks for confirmation and requires a reason in words.
	enter("2", "Done, on to Grind")
	enter("RC-SCRAP-DAMAGED", "Scrap SN-00002: Damaged?")
	if s.Status(serials[1]) != "in_progress" {
		t.Fatal("the unit was scrapped without a yes")
	}
	enter("RC-YES", "SN-00002 is scrapped: Damaged")
	enter("3", "Done, on to Grind")
	enter("RC-SCRAP-OTHER", "Why is SN-00003 scrapped?")
	enter("Fell off the bench", "Scrap SN-00003: Other, “Fell off the bench”?")
	enter("RC-YES", "SN-00003 is scrapped: Other")
	if s.Status(serials[1]) != "scrapped" || s.Status(serials[2]) != "scrapped" {
		t.Fatal("the units are not scrapped")
	}
	enter(serials[2], "Scrapped: Other.")
	b.Wait("the last scans are kept", `document.querySelectorAll(".last li").length > 10 && document.querySelectorAll(".last li").length <= 20`)
	b.Visit("/scan")
	b.Wait("and on this device", `document.querySelectorAll(".last li").length > 10`)
	small := `[...document.querySelectorAll("main button, main .button, main input:not([type=hidden])")].filter(e => e.checkVisibility() && e.getBoundingClientRect().height < 48).length`
	b.Wait("everything is big enough to touch", small+" === 0")
}

// Steps are bypassed, deferred, waived and overridden, and a unit is scrapped. Each refusal states its reason.
func TestDeferAndWaive(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Valve", "flexible", 2, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Wash"}, browsertest.Fields{"name": "Mark"},
		browsertest.Fields{"name": "Leak test", "dependencyType": "physical"}, browsertest.Fields{"name": "Pack"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	b.Click(`details[data-key=more] > summary`)
	b.Click(`details[data-key=jump] summary`)
	b.Says("A step in between cannot be skipped")
	b.Wait("what is refused cannot be chosen", `document.querySelectorAll("[name=target]:disabled").length === 2`)
	b.Click(`[name=target][value="3"]`)
	b.Click(`button[value=advance-to]`)
	b.Says("advanced past 2 steps")
	b.Says("Deferred and still open: Wash")
	b.Click(`.steps-card li:nth-child(2) button[value=complete-deferred]`)
	b.Says("Deferred step completed")
	b.Fill(`.steps-card li:nth-child(3) details:has([value=waive]) [name=reason]`, "Customer agreed")
	b.Choose(`.steps-card li:nth-child(3) [name=approverId]`, s.Operator("Dana"))
	b.Click(`.steps-card li:nth-child(3) button[value=waive]`)
	b.Says("Step waived")
	b.Wait("the statuses", `[...document.querySelectorAll(".steps-card .state .tag")].map(e => e.textContent).join() === "Completed,Completed,Waived,In progress,Pending"`)
	b.Click(`#now button[value=advance]`)
	b.Says("Done, complete the unit")
	b.Click(`#now button[value=advance]`)
	b.Says("Completed")
	b.Click(`details[data-key=more] > summary`)
	b.Says("The unit is completed")

	b.Visit("/serials/" + serials[1])
	b.Choose(`details[data-key=scrap] [name=reason]`, "other")
	b.Click(`[aria-labelledby=h-do] button[value=scrap]`)
	b.Says("Explain it: the reason alone does not say what happened.")
	b.Wait("the field has the focus, and the words stand beside it", `document.activeElement.name === "explanation" &&
		document.activeElement.getAttribute("aria-describedby") === "problem" && document.activeElement.closest(".field").querySelector("#problem")`)
	b.Fill(`[aria-labelledby=h-do] [name=explanation]`, "Porous casting")
	b.Click(`[aria-labelledby=h-do] button[value=scrap]`)
	b.Says("Scrap " + serials[1] + "?")
	b.Click(`[name=sure]`)
	b.Says("Scrapped at Turn: Other")
	if got := s.Status(serials[1]); got != "scrapped" {
		t.Fatalf("the unit is %s", got)
	}
}

// One certificate is attached to twenty units at once, and they advance together.
func TestTwentyUnitsAtOnce(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	jobID, _, serials := s.Job("Flange", "strict", 25, browsertest.Fields{"name": "Cut"}, browsertest.Fields{"name": "Turn"})
	var certificate struct{ ID string }
	s.Post("/api/certs", browsertest.Fields{"type": "material", "name": "EN 10204 3.1 heat 4711"}, &certificate)
	b := s.Open()
	b.Visit("/jobs/" + jobID)
	b.Work("Quinn")
	for _, serial := range serials[:20] {
		b.Do("tick "+serial, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{document.querySelector('[name=serial][value="%s"]').click(); undefined}`, serial)))
	}
	b.Says("With the ticked units (20)")
	b.Click(`button[value=ask-attach]`)
	b.Says("Attach a certificate to 20 units")
	b.Choose(`.many [name=certId]`, certificate.ID)
	b.Click(`button[value=attach]`)
	b.Says("Certificate attached to 20 units")
	var attachments []struct{ SerialID, AttachedBy string }
	s.Get("/api/certs/"+certificate.ID+"/attachments", &attachments)
	if len(attachments) != 20 || attachments[0].AttachedBy != s.Operator("Quinn") {
		t.Fatalf("attached: %v", attachments)
	}
	b.Click(`[data-all]`)
	b.Says("With the ticked units (25)")
	b.Click(`button[value=advance]`)
	b.Says("25 units advanced")
	b.Wait("they stand at the next step", `document.querySelectorAll(".column:nth-child(2) [name=serial]").length === 25`)
}

// What one person does appears on the page of another person, even after a restart of the server.
func TestTwoBrowsersAndARestart(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Housing", "strict", 2, browsertest.Fields{"name": "Mill"}, browsertest.Fields{"name": "Drill"}, browsertest.Fields{"name": "Wash"})
	one, two := s.Open(), s.Open()
	one.Visit("/serials/" + serials[0])
	two.Visit("/serials/" + serials[0])
	one.Work("Ann")
	two.Wait("the stream is open", `document.querySelector("#live").hidden`)
	one.Click(`#now button[value=advance]`)
	two.Says("Done, on to Wash")
	two.Wait("and in the history", `document.querySelector("#trail").innerText.includes("Ann")`)
	// If an update arrives while a person types, the typed text stays.
	two.Fill(`.actions [name=text]`, "half a sentence")

	s.Stop()
	two.Wait("the lost connection is marked", `!document.querySelector("#live").hidden`)
	s.Start()
	s.Post("/api/serials/"+serials[0]+"/advance", browsertest.Fields{"userId": "Bob"}, nil)
	one.Says("Done, complete the unit")
	one.Wait("the mark is gone", `document.querySelector("#live").hidden`)
	two.Wait("what was missed is there", `document.querySelector("#trail").innerText.includes("Bob")`)
	two.Wait("the words are there", `document.querySelector(".actions [name=text]").value === "half a sentence"`)

	three := s.Open()
	three.Visit("/audit")
	s.Post("/api/serials/"+serials[1]+"/scrap", browsertest.Fields{"reason": "damaged", "userId": "Bob"}, nil)
	three.Says("Unit scrapped " + serials[1])
	two.Visit("/")
	two.Says("1 scrapped")
	s.Post("/api/serials/"+serials[0]+"/advance", browsertest.Fields{"userId": "Bob"}, nil)
	two.Says("1 completed")
}

// Neither names with markup, nor names of 500 characters, nor longer reasons break a page.
func TestNastyNames(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	const markup = `<script>alert(1)</script>`
	long := strings.Repeat("W", 500)
	var user struct{ ID string }
	s.Post("/api/users", browsertest.Fields{"name": long, "department": markup}, &user)
	s.Post("/api/library/processes", browsertest.Fields{"name": markup}, nil)
	s.Post("/api/templates", browsertest.Fields{"name": long, "steps": []browsertest.Fields{{"name": markup}}}, nil)
	s.Post("/api/certs", browsertest.Fields{"type": "process", "name": markup + long[:400], "metadata": browsertest.Fields{markup: markup}}, nil)
	markupJob, _, _ := s.Job(markup, "flexible", 2, browsertest.Fields{"name": markup, "location": markup}, browsertest.Fields{"name": long})
	longJob, _, serials := s.Job(long, "flexible", 2, browsertest.Fields{"name": long, "location": long}, browsertest.Fields{"name": markup})
	s.Post("/api/bom", browsertest.Fields{"name": long, "entries": []browsertest.Fields{{"partType": markup, "requiredQuantityPerBuild": 1, "contributingJobIds": []string{longJob}}}}, nil)
	s.Post("/api/notes", browsertest.Fields{"jobId": longJob, "pathId": "p", "stepId": "s", "serialIds": serials, "text": markup + long, "userId": markup}, nil)
	s.Post("/api/serials/"+serials[0]+"/scrap", browsertest.Fields{"reason": "other", "explanation": markup + long, "userId": long}, nil)
	s.Post("/api/serials/"+serials[1]+"/hold", browsertest.Fields{"reason": strings.Repeat("The bearing seat is too small. ", 290) + long, "userId": long}, nil)
	b := s.Open()
	b.Do("notice every alert", chromedp.Evaluate[chromedp.Void](`undefined`))
	b.Visit("/")
	b.Work(markup)
	pages := append(browsertest.EveryPage(t, s),
		browsertest.PagePath{Name: "markup", Path: "/jobs/" + markupJob}, browsertest.PagePath{Name: "long", Path: "/jobs/" + longJob},
		browsertest.PagePath{Name: "scrapped", Path: "/serials/" + serials[0]}, browsertest.PagePath{Name: "held", Path: "/serials/" + serials[1]},
		browsertest.PagePath{Name: "scan-long", Path: "/scan?unit=" + serials[1]})
	for _, p := range pages {
		b.Visit(p.Path)
		if b.Is(`[...document.scripts].some(script => !script.src)`) {
			t.Errorf("%s has a script of its own", p.Path)
		}
		for _, width := range browsertest.Widths {
			b.Look("light", width)
			b.Fits(p.Path, width)
		}
	}
}

// Without scripts, forms give access to all functions.
func TestWithoutJavaScript(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	b := s.Open()
	browsertest.Call(b, "switch scripts off", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.Visit("/jobs")
	b.Work("Dana")
	b.Fill(`form[action="/jobs"] [name=name]`, "Plate")
	b.Fill(`form[action="/jobs"] [name=goalQuantity]`, "3")
	b.Click(`form[action="/jobs"] button.primary`)
	b.Says("Job created")
	b.Click(`main a.primary`)
	b.Says("New route")
	b.Fill(`.panel .grid [name=name]`, "Laser")
	b.Fill(`.row:nth-of-type(1) [name=step]`, "Cut")
	b.Click(`button[value=add]`)
	b.There(`.row:nth-of-type(4)`)
	b.Click(`button[value="remove:3"]`)
	b.Wait("a row is gone", `!document.querySelector(".row:nth-of-type(4)")`)
	b.Fill(`.row:nth-of-type(2) [name=step]`, "Bend")
	b.Click(`.buttons button[value=save]`)
	b.Says("Route saved with 2 steps")
	b.Fill(`[name=quantity]`, "2")
	b.Click(`button[value=create-serials]`)
	b.Says("Created 2 units")
	b.Fill(`[name=quantity]`, "1")
	b.Click(`button[value=create-serials]`)
	b.Says("Created 1 unit: SN-00003")
	b.Click(`[name=serial][value="SN-00003"]`)
	b.Click(`button[value=ask-note]`)
	b.Says("Write a note on 1 unit")
	b.Fill(`.many [name=text]`, "dull edge")
	b.Click(`.many button[value=note]`)
	b.Says("Note written on 1 unit.")
	b.Click(`[name=serial][value="SN-00003"]`)
	b.Click(`button[value=ask-scrap]`)
	b.Says("Scrap 1 unit?")
	b.Choose(`.many [name=reason]`, "damaged")
	b.Click(`.many button[value=scrap]`)
	b.Says("1 unit scrapped.")
	b.Visit("/scan")
	b.Fill(`#code`, "SN-00001"+kb.Enter)
	b.Says("Done, on to Bend")
	b.Click(`.huge`)
	b.Says("SN-00001 moved to the next step")
	b.Visit("/serials/SN-00001")
	b.Click(`#now button[value=advance]`)
	b.Wait("it is completed", `document.querySelector("#state .now")?.textContent === "Completed"`)
	if got := s.Status("SN-00001"); got != "completed" {
		t.Fatalf("the unit is %s", got)
	}
}
