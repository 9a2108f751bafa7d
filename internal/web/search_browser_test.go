package web_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// ctrl presses a key while Ctrl is held.
func (b *browser) ctrl(key string) {
	b.t.Helper()
	b.do("press Ctrl "+key, chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// The search is worked with the keyboard alone: Ctrl K, letters, arrows, Enter, Escape.
func TestSearchByKeyboard(t *testing.T) {
	t.Parallel()
	s := serve(t)
	jobID, _, serials := s.job("Valve body", "strict", 3, fields{"name": "Turn"}, fields{"name": "Grind"})
	s.post("/api/jobs", fields{"name": "Valve seat", "goalQuantity": 1}, nil)
	s.post("/api/templates", fields{"name": "Valve, complete", "steps": []fields{{"name": "Turn"}}}, nil)
	b := s.open()
	b.visit("/jobs")
	b.work("Dana")
	field := `document.activeElement.matches(".find input")`
	b.ctrl("k")
	b.wait("the field has the focus", field)
	b.do("type", chromedp.KeyEvent("valv"))
	b.wait("what is found is shown, kind by kind", `[...document.querySelectorAll("#find h2")].map((e) => e.textContent).join() === "Jobs,Templates"`)
	b.wait("the field keeps the focus", field)
	b.do("go down", chromedp.KeyEvent(kb.ArrowDown))
	b.wait("the first has the focus", `document.activeElement.innerText.startsWith("Valve body")`)
	b.do("go down", chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown))
	b.wait("the last has the focus", `document.activeElement.innerText.startsWith("Valve, complete")`)
	b.do("go up", chromedp.KeyEvent(kb.ArrowUp+kb.ArrowUp+kb.ArrowUp))
	b.wait("the field has the focus again", field)
	b.do("go down and type on", chromedp.KeyEvent(kb.ArrowDown+"e b"))
	b.wait("it goes on in the field", field+` && document.activeElement.value === "valve b"`)
	b.wait("less is found", `document.querySelectorAll("#find li a").length === 1`)
	b.do("go there", chromedp.KeyEvent(kb.ArrowDown+kb.Enter))
	b.wait("the job is shown", fmt.Sprintf(`location.pathname === %q && document.querySelector("h1").innerText.includes("Valve body")`, "/jobs/"+jobID))

	// A scanner types a unit and Enter: its card.
	b.ctrl("k")
	b.do("scan", chromedp.KeyEvent(serials[1]+kb.Enter))
	b.wait("the card is shown", fmt.Sprintf(`location.pathname === %q`, "/serials/"+serials[1]))

	// Escape leaves the results, and the page as it was.
	b.ctrl("k")
	b.do("type", chromedp.KeyEvent("valve"))
	b.wait("results are shown", `document.querySelectorAll("#find li a").length === 3`)
	b.do("escape", chromedp.KeyEvent(kb.Escape))
	b.wait("they are gone", `document.querySelector("#find [data-hits]").hidden && `+field)

	// At a station the search is a field of its own: what is typed there is no scan, also when the unit on the screen changes.
	b.visit("/scan?unit=" + serials[0])
	b.ctrl("k")
	b.do("type", chromedp.KeyEvent("RC-DO"))
	s.post("/api/serials/"+serials[0]+"/advance", fields{"userId": "somebody"}, nil)
	b.wait("the unit is put away", `document.querySelector(".result.warn")`)
	b.do("type on", chromedp.KeyEvent("NE"))
	b.wait("it is in the search", field+` && document.activeElement.value === "RC-DONE" && document.querySelector("#code").value === ""`)
	s.at(serials[0], 1)

	// On the narrow screen of a phone the search is a page of its own, with the camera.
	b.look("light", 390)
	b.visit("/")
	b.click(".find-page-link")
	b.wait("the field has the focus", `document.activeElement.id === "q"`)
	b.do("type", chromedp.KeyEvent("grind"))
	b.says("Nothing is called so.")
	b.fill("#q", "seat")
	b.wait("it is found below", `document.querySelector("main [data-hits] a")?.innerText.startsWith("Valve seat")`)
	b.wait("the camera is offered", `document.querySelector("[data-camera=open]").checkVisibility()`)
}

// Without scripts Enter leads to a page of what was found.
func TestSearchWithoutScripts(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Valve body", "strict", 2, fields{"name": "Turn"})
	s.post("/api/templates", fields{"name": "Valve, complete", "steps": []fields{{"name": "Turn"}}}, nil)
	b := s.open()
	call(b, "switch scripts off", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.visit("/jobs")
	b.do("search", chromedp.SendKeys(chromedp.CSS(".find input"), "valve"+kb.Enter))
	b.says("Valve, complete")
	b.click(`main [data-hits] a[href^="/jobs/"]`)
	b.says("Valve body")
	b.do("search", chromedp.SendKeys(chromedp.CSS(".find input"), serials[0]+kb.Enter))
	b.says("Print")
}
