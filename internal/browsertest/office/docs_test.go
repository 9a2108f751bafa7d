package office_test

import (
	"os"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
)

// TestSearchInDocs finds operations of the interface by keyboard alone, while typing.
func TestSearchInDocs(t *testing.T) {
	t.Parallel()
	b := browsertest.Serve(t).Open()
	b.Visit("/docs")
	shown := func(id string) string { // the viewer renders only the visible part
		return `document.querySelector("#operations-` + id + `") !== null`
	}
	b.Wait("operations are shown", shown("Jobs-listJobs")+` && !document.querySelector("#search").hidden`)
	axe, err := os.ReadFile("../testdata/axe/axe.min.js")
	if err != nil {
		t.Fatal(err)
	}
	b.Accessible(string(axe), "/docs", "color-contrast", "nested-interactive", "select-name")
	b.Look("dark", 1440)
	b.Wait("the viewer is dark", `document.documentElement.classList.contains("dark-mode")`)
	b.Accessible(string(axe), "/docs, dark", "color-contrast")
	b.Look("light", 1440)
	b.Wait("the viewer is light again", `!document.documentElement.classList.contains("dark-mode")`)
	// If a script cancels a key, a real keyboard types no letter, but the debugger still does.
	b.Wait("/ is taken", `document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "/", bubbles: true, cancelable: true})) === false`)
	b.Wait("the field has the focus and is empty", `document.activeElement.id === "words" && document.activeElement.value === ""`)
	b.Do("type a word of a description, and a method", chromedp.KeyEvent("TLOG-proof get"))
	b.Wait("what has both is shown", shown("Ledger-getLedgerProof")+` && !(`+shown("Jobs-listJobs")+`)`)
	b.Wait("their number is told", `/^[0-9] operations?$/.test(document.querySelector("#found").textContent)`)
	b.Wait("the head is away", `!document.querySelector(".information-container")?.checkVisibility()`)
	b.Do("type a slash, which is a letter here", chromedp.KeyEvent(" /nowhere"))
	b.Wait("nothing is found", `document.querySelector(".opblock") === null && document.querySelector("#found").textContent === "No operation"`)
	b.Do("escape", chromedp.KeyEvent(kb.Escape))
	b.Wait("all are there again", shown("Jobs-listJobs")+` && document.querySelector("#words").value === "" && document.querySelector(".information-container").checkVisibility()`)
}
