package web_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"
)

// cutLine takes the line of the page to the server into the hands of the test. cut("before") loses every request from then on, cut("after")
// every answer, cut("hang") lets no answer come, and cut("") nothing. What the page asks about lost acts is lost as well.
func (b *browser) cutLine() {
	b.t.Helper()
	b.do("hold the line", chromedp.Evaluate[chromedp.Void](`{
		const real = window.fetch;
		window.cut = (how) => { window.how = how };
		window.how ??= "";
		window.fetch = async (...request) => {
			if (how === "before") throw new TypeError("lost before the server");
			const was = how, answer = await real(...request);
			if (was === "hang") await new Promise(() => {});
			if (was === "after") throw new TypeError("lost after the commit");
			return answer;
		};
		undefined
	}`))
}

func (b *browser) cut(how string) {
	b.t.Helper()
	b.do("cut the line: "+how, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{cut(%q); undefined}`, how)))
}

// oldEnough waits until the last scan is long enough ago for Enter to count.
func (b *browser) oldEnough() {
	b.t.Helper()
	b.wait("the scan is long enough ago for Enter to count", `Date.now() - Number(document.getElementById("station").dataset.at) > 1100`)
}

// A confirmation whose answer was lost is told as done when the server answers again, and a person who confirms the unit once more is asked.
func TestStationLearnsWhatWasDone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 2, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Wash"}, fields{"name": "Pack"})
	b := s.open()
	b.visit("/scan")
	b.work("Dana")
	b.cutLine()
	b.typed(serials[0])
	b.says("Done, on to Grind")
	b.cut("after")
	b.typed("RC-DONE")
	b.says(serials[0] + ", RC-DONE: sent at ")
	s.at(serials[0], 1)
	b.cut("")
	b.typed(serials[0])
	b.says(serials[0] + ", RC-DONE: done at ")
	b.says("Done, on to Wash")
	b.oldEnough()
	b.typed("")
	b.says("What was sent for " + serials[0] + " before was done. Is the step that is on the screen now done, too?")
	b.typed("", "RC-NO")
	b.says("Nothing was changed.")
	s.at(serials[0], 1)
	b.typed("RC-DONE")
	b.says("Is the step that is on the screen now done, too?")
	b.click(`button[value=RC-YES]`)
	b.says(serials[0] + " moved to the next step.")
	s.at(serials[0], 2)
	b.wait("what was told of it is closed", `!document.querySelector("#acts .act")`)
	// Then its next step is done as ever.
	b.typed(serials[0])
	b.says("Done, on to Pack")
	b.typed("RC-DONE")
	b.wait("it is done", `document.querySelector(".result.good")`)
	s.at(serials[0], 3)
}

// A page that is loaded again before it has an answer asks what became of the scan or the form, and says it. So does another window.
func TestPageLoadedAgainUnderWay(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 3, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Wash"})
	b := s.open()
	b.visit("/scan")
	b.work("Dana")
	for i, page := range []string{"/scan?unit=" + serials[0], "/serials/" + serials[1]} {
		b.visit(page)
		b.cutLine()
		b.cut("hang")
		b.click([]string{`.huge`, `#now button[value=advance]`}[i])
		b.wait("it is sent", `JSON.parse(localStorage.getItem("acts")).some((act) => act.state === "sent")`)
		for !moved(s, serials[i]) { // the answer never comes, so the page cannot tell
			b.is("true")
		}
		b.reload()
		b.says("done at ")
		if b.is(`document.body.innerText.includes("Nothing was done")`) {
			t.Errorf("%s says that nothing was done:\n%s", page, b.text())
		}
		b.click(`[data-act=end]`)
		b.wait("it is closed", `!document.querySelector("#acts .act")`)
		b.reload()
		b.wait("it stays closed", `!document.querySelector("#acts .act")`)
	}
	// A browser that was closed tells it at its next start, on any page.
	b.visit("/serials/" + serials[2])
	b.cutLine()
	b.cut("before")
	b.click(`#now button[value=advance]`)
	b.says("sent at ")
	b.visit("/jobs")
	b.says("not done.")
	b.click(`[data-act=again]`)
	b.says(serials[2] + " moved on.")
	s.at(serials[2], 1)
}

// moved reports whether a unit left its first step.
func moved(s *site, serial string) bool {
	var unit struct{ CurrentStepIndex int }
	s.get("/api/serials/"+serial, &unit)
	return unit.CurrentStepIndex > 0
}

// A form of a card or a board whose answer was lost is told as done or not done; its own button and Send again do it once.
func TestFormsLearnWhatWasDone(t *testing.T) {
	t.Parallel()
	s := serve(t)
	jobID, _, serials := s.job("Shaft", "strict", 3, fields{"name": "Turn"}, fields{"name": "Grind"}, fields{"name": "Wash"})
	b := s.open()
	b.visit("/serials/" + serials[0])
	b.work("Dana")
	b.cutLine()
	b.fill(`.actions [name=text]`, "chatter")
	b.cut("after")
	b.click(`.actions button[value=note]`)
	b.says("The server does not answer.")
	b.says("sent at ")
	b.cut("")
	b.says("done at ")
	b.click(`.actions button[value=note]`) // what was typed is still there
	b.wait("it is answered", `document.querySelector(".done") && !document.querySelector("#acts .act")`)
	var notes []struct{ Text string }
	if s.get("/api/notes/serial/"+serials[0], &notes); len(notes) != 1 {
		t.Errorf("%d notes", len(notes))
	}

	b.visit("/jobs/" + jobID)
	b.cutLine()
	b.click(fmt.Sprintf(`[name=serial][value=%q]`, serials[1]))
	b.cut("before")
	b.click(`.ticked button[value=advance]`)
	b.says("(" + serials[1] + "): sent at ")
	b.cut("")
	b.says("(" + serials[1] + "): not done.")
	s.at(serials[1], 0)
	b.click(`.ticked button[value=advance]`) // its own button, after which Send again is the same
	b.says("1 unit moved on.")
	s.at(serials[1], 1)
	b.click(`[data-act=again]`)
	b.says("1 unit moved on.")
	s.at(serials[1], 1)
}

// However often requests and answers are lost, the page is loaded again, and scans, presses and Enters are repeated: no unit moves twice for
// what was confirmed once, and the page says of each act that it lost whether it was done.
func TestRandomLossesAtTheStation(t *testing.T) {
	t.Parallel()
	s := serve(t)
	_, _, serials := s.job("Shaft", "strict", 1, steps(40)...)
	b := s.open()
	b.visit("/scan")
	b.work("Dana")
	b.cutLine()
	const seed = 1                         // the same at every run, so that a failure can be repeated
	draw := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a test
	confirmed := 0
	for range 8 {
		b.click("#code") // a button that was pressed may have taken the focus with it
		b.typed(serials[0])
		b.wait("the unit is shown", `document.querySelector("#at-hand .unit-id") && !document.querySelector("#late:not([hidden])")`)
		asks := b.is(`acts.doubted().length > 0`)
		b.cut([]string{"", "before", "after"}[draw.IntN(3)])
		confirmed++
		b.typed("RC-DONE")
		b.wait("it is answered, asked or lost", `document.querySelector(".result.good, .result.ask, .act.lost")`)
		if asks && b.is(`document.querySelector(".result.ask")`) {
			b.typed("RC-YES")
			b.wait("it is answered or lost", `document.querySelector(".result.good, .act.lost")`)
		}
		for range draw.IntN(3) { // an impatient person
			b.typed("")
		}
		if draw.IntN(3) == 0 {
			b.reload()
			b.cutLine()
		}
		b.cut("")
		b.wait("the page knows what became of it", `!document.querySelector(".act.lost")`)
		for range draw.IntN(2) {
			b.typed("")
		}
		if b.is(`document.querySelector(".act.not")`) {
			confirmed--
			if draw.IntN(2) == 0 {
				confirmed++
				b.twice(`.act.not [data-act=again]`)
				b.wait("it is answered", `!document.querySelector(".act.not, .act.lost") && document.querySelector(".result.good, .result.ask")`)
				if b.is(`document.querySelector(".result.ask")`) { // an act before was done, and its message is open
					b.typed("RC-YES")
					b.wait("it is done", `document.querySelector(".result.good")`)
				}
			} else {
				b.click(`.act.not [data-act=end]`)
			}
		}
		s.at(serials[0], confirmed)
		if t.Failed() {
			t.Fatalf("seed %d: the page says:\n%s", seed, b.text())
		}
	}
}

// steps are so many steps of a route.
func steps(count int) (all []fields) {
	for i := range count {
		all = append(all, fields{"name": fmt.Sprint("Step ", i+1)})
	}
	return all
}

// Where people sign in, the page reports what became of a scan only to the person who sent it, also after another person worked at the same
// device.
func TestAnotherPersonLearnsNothing(t *testing.T) {
	t.Parallel()
	s := serve(t, "--auth", "all")
	b := s.open()
	b.visit(s.invitation())
	b.fill(`input[name=name]`, "The Boss")
	b.fill(`input[name=login]`, "boss")
	b.fill(`input[name=password]`, goodPassword+kb.Enter)
	b.says("Welcome.")
	boss := s.signIn("boss", goodPassword)
	boss.person("anna", "operator")
	boss.person("bert", "operator")
	boss.person("lena", "lead")
	lena := s.signIn("lena", goodPassword)
	var made struct{ ID string }
	lena.ask("POST", "/api/jobs", fields{"name": "Shaft", "goalQuantity": 1}, &made)
	job := made.ID
	lena.ask("POST", "/api/paths", fields{"jobId": job, "name": "Route", "goalQuantity": 1, "steps": []fields{{"name": "Turn"}, {"name": "Grind"}}}, &made)
	lena.ask("POST", "/api/serials", fields{"jobId": job, "pathId": made.ID, "quantity": 1}, nil)
	as := func(login string) {
		t.Helper()
		b.click(`.operator button`)
		b.says("Signed out.")
		b.visit("/sign-in?next=/scan")
		b.fill(`input[name=login]`, login)
		b.fill(`input[name=password]`, goodPassword+kb.Enter)
		b.wait("it is the station", `document.querySelector("#station")`)
	}
	as("anna")
	b.visit("/scan?unit=SN-00001")
	b.cutLine()
	b.cut("after")
	b.click(`.huge`)
	b.says("SN-00001, RC-DONE: sent at ")
	b.click(`.operator button`)
	b.says("Signed out.")
	b.says("SN-00001, RC-DONE: sign in to see whether it was done.")
	b.visit("/sign-in?next=/scan")
	b.fill(`input[name=login]`, "bert")
	b.fill(`input[name=password]`, goodPassword+kb.Enter)
	b.says("SN-00001, RC-DONE: sent by another person, who sees after signing in whether it was done.")
	b.typed("SN-00001") // who works on
	b.says("Now Grind")
	as("anna")
	b.says("SN-00001, RC-DONE: done at ")
	b.click(`[data-act=end]`)
	b.wait("it is closed", `!document.querySelector("#acts .act")`)
}
