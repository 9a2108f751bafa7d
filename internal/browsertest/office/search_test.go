package office_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/cdproto/emulation"
	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
)

// ctrlIn presses a key while Ctrl is held.
func ctrlIn(b *browsertest.Browser, key string) {
	b.T.Helper()
	b.Do("press Ctrl "+key, chromedp.KeyEvent(key, chromedp.KeyModifiers(chromedp.ModifierCtrl)))
}

// The search works with the keyboard alone: Ctrl K, letters, arrows, Enter, Escape.
func TestSearchByKeyboard(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	jobID, _, serials := s.Job("Valve body", "strict", 3, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"})
	s.Post("/api/jobs", browsertest.Fields{"name": "Valve seat", "goalQuantity": 1}, nil)
	s.Post("/api/templates", browsertest.Fields{"name": "Valve, complete", "steps": []browsertest.Fields{{"name": "Turn"}}}, nil)
	b := s.Open()
	b.Visit("/jobs")
	b.Work("Dana")
	field := `document.activeElement.matches(".find input")`
	ctrlIn(b, "k")
	b.Wait("the field has the focus", field)
	b.Do("type", chromedp.KeyEvent("valv"))
	b.Wait("what is found is shown, kind by kind", `[...document.querySelectorAll("#find h2")].map((e) => e.textContent).join() === "Jobs,Templates"`)
	b.Wait("the field keeps the focus", field)
	b.Do("go down", chromedp.KeyEvent(kb.ArrowDown))
	b.Wait("the first has the focus", `document.activeElement.innerText.startsWith("Valve body")`)
	b.Do("go down", chromedp.KeyEvent(kb.ArrowDown+kb.ArrowDown))
	b.Wait("the last has the focus", `document.activeElement.innerText.startsWith("Valve, complete")`)
	b.Do("go up", chromedp.KeyEvent(kb.ArrowUp+kb.ArrowUp+kb.ArrowUp))
	b.Wait("the field has the focus again", field)
	b.Do("go down and type on", chromedp.KeyEvent(kb.ArrowDown+"e b"))
	b.Wait("it goes on in the field", field+` && document.activeElement.value === "valve b"`)
	b.Wait("less is found", `document.querySelectorAll("#find li a").length === 1`)
	b.Do("go there", chromedp.KeyEvent(kb.ArrowDown+kb.Enter))
	b.Wait("the job is shown", fmt.Sprintf(`location.pathname === %q && document.querySelector("h1").innerText.includes("Valve body")`, "/jobs/"+jobID))

	// When a scanner types the code of a unit and Enter, the unit's card opens.
	ctrlIn(b, "k")
	b.Do("scan", chromedp.KeyEvent(serials[1]+kb.Enter))
	b.Wait("the card is shown", fmt.Sprintf(`location.pathname === %q && document.querySelector("h1").innerText.includes(%q)`,
		"/serials/"+serials[1], serials[1])) // the address changes before the page does

	// Escape closes the results and leaves the page unchanged.
	ctrlIn(b, "k")
	b.Do("type", chromedp.KeyEvent("valve"))
	b.Wait("results are shown", `document.querySelectorAll("#find li a").length === 3`)
	b.Do("escape", chromedp.KeyEvent(kb.Escape))
	b.Wait("they are gone", `document.querySelector("#find [data-hits]").hidden && `+field)

	// At a station the search has its own field. Text typed there is not processed as a scan, even if the unit on the screen changes.
	b.Visit("/scan?unit=" + serials[0])
	ctrlIn(b, "k")
	b.Do("type", chromedp.KeyEvent("RC-DO"))
	s.Post("/api/serials/"+serials[0]+"/advance", browsertest.Fields{"userId": "somebody"}, nil)
	b.Wait("the unit is put away", `document.querySelector(".result.warn")`)
	b.Do("type on", chromedp.KeyEvent("NE"))
	b.Wait("it is in the search", field+` && document.activeElement.value === "RC-DONE" && document.querySelector("#code").value === ""`)
	s.At(serials[0], 1)

	// On the narrow screen of a phone the search is a separate page, with the camera.
	b.Look("light", 390)
	b.Visit("/")
	b.Click(".find-page-link")
	b.Wait("the field has the focus", `document.activeElement.id === "q"`)
	b.Do("type", chromedp.KeyEvent("grind"))
	b.Says("No exact match.")
	b.Fill("#q", "seat")
	b.Wait("it is found below", `document.querySelector("main [data-hits] a")?.innerText.startsWith("Valve seat")`)
	b.Wait("the camera is offered", `document.querySelector("[data-camera=open]").checkVisibility()`)
}

// Without scripts Enter opens a page with the results.
func TestSearchWithoutScripts(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Valve body", "strict", 2, browsertest.Fields{"name": "Turn"})
	s.Post("/api/templates", browsertest.Fields{"name": "Valve, complete", "steps": []browsertest.Fields{{"name": "Turn"}}}, nil)
	b := s.Open()
	browsertest.Call(b, "switch scripts off", emulation.SetScriptExecutionDisabled, emulation.SetScriptExecutionDisabledParams{Value: true})
	b.Visit("/jobs")
	b.Do("search", chromedp.SendKeys(chromedp.CSS(".find input"), "valve"+kb.Enter))
	b.Says("Valve, complete")
	b.Click(`main [data-hits] a[href^="/jobs/"]`)
	b.Says("Valve body")
	b.Do("search", chromedp.SendKeys(chromedp.CSS(".find input"), serials[0]+kb.Enter))
	b.Says("Print")
}
