package web_test

import (
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// TestSearchInDocs finds operations of the interface with the keyboard alone, while somebody types.
func TestSearchInDocs(t *testing.T) {
	t.Parallel()
	b := serve(t).open()
	b.visit("/docs")
	shown := func(id string) string { // the viewer makes what is in sight alone
		return `document.querySelector("#operations-` + id + `") !== null`
	}
	b.wait("operations are shown", shown("Jobs-listJobs")+` && !document.querySelector("#search").hidden`)
	// A key of a real keyboard types no letter where a script prevents it; one of the debugger does.
	b.wait("/ is taken", `document.body.dispatchEvent(new KeyboardEvent("keydown", {key: "/", bubbles: true, cancelable: true})) === false`)
	b.wait("the field has the focus and is empty", `document.activeElement.id === "words" && document.activeElement.value === ""`)
	b.do("type a word of a description, and a method", chromedp.KeyEvent("TLOG-proof get"))
	b.wait("what has both is shown", shown("Ledger-getLedgerProof")+` && !(`+shown("Jobs-listJobs")+`)`)
	b.wait("their number is told", `/^[0-9] operations?$/.test(document.querySelector("#found").textContent)`)
	b.wait("the head is away", `!document.querySelector(".information-container")?.checkVisibility()`)
	b.do("type a slash, which is a letter here", chromedp.KeyEvent(" /nowhere"))
	b.wait("nothing is found", `document.querySelector(".opblock") === null && document.querySelector("#found").textContent === "No operation"`)
	b.do("escape", chromedp.KeyEvent(kb.Escape))
	b.wait("all are there again", shown("Jobs-listJobs")+` && document.querySelector("#words").value === "" && document.querySelector(".information-container").checkVisibility()`)
}
