package station_test

import (
	"fmt"
	"math/rand/v2"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
)

// cutLineIn lets the test cut the line between the page and the server. After cut("before") every request is lost, after cut("after") every
// response is lost, after cut("hang") no response ever arrives, and after cut("") nothing is lost. Requests for the outcome of lost acts
// are lost too.
func cutLineIn(b *browsertest.Browser) {
	b.T.Helper()
	b.Do("hold the line", chromedp.Evaluate[chromedp.Void](`{
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

func cutIn(b *browsertest.Browser, how string) {
	b.T.Helper()
	b.Do("cut the line: "+how, chromedp.Evaluate[chromedp.Void](fmt.Sprintf(`{cut(%q); undefined}`, how)))
}

// oldEnoughIn waits until so much time has passed since the last scan that Enter counts as a confirmation.
func oldEnoughIn(b *browsertest.Browser) {
	b.T.Helper()
	b.Wait("the scan is long enough ago for Enter to count", `Date.now() - Number(document.getElementById("station").dataset.at) > 1100`)
}

// If the response to a confirmation is lost, the page reports the confirmation as done once the server responds again. If a person confirms
// the same unit again, the page asks whether that is meant.
func TestStationLearnsWhatWasDone(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 2, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Wash"}, browsertest.Fields{"name": "Pack"})
	b := s.Open()
	b.Visit("/scan")
	b.Work("Dana")
	cutLineIn(b)
	b.Typed(serials[0])
	b.Says("Done, on to Grind")
	cutIn(b, "after")
	b.Typed("RC-DONE")
	b.Says(serials[0] + ", RC-DONE: sent at ")
	s.At(serials[0], 1)
	cutIn(b, "")
	b.Typed(serials[0])
	b.Says(serials[0] + ", RC-DONE: done at ")
	b.Says("Done, on to Wash")
	oldEnoughIn(b)
	b.Typed("")
	b.Says("The earlier scan of " + serials[0] + " was carried out. Is the step that is on the screen now done, too?")
	b.Typed("", "RC-NO")
	b.Says("Nothing was changed.")
	s.At(serials[0], 1)
	b.Typed("RC-DONE")
	b.Says("Is the step that is on the screen now done, too?")
	b.Click(`button[value=RC-YES]`)
	b.Says(serials[0] + " moved to the next step.")
	b.Wait("what was told of it is closed", `!document.querySelector("#acts .act")`)
	s.At(serials[0], 2)
	// Afterwards the unit's next step is done normally.
	b.Typed(serials[0])
	b.Says("Done, on to Pack")
	b.Typed("RC-DONE")
	b.Wait("it is done", `document.querySelector(".result.good")`)
	s.At(serials[0], 3)
}

// A page that is reloaded before the response arrived asks for the outcome of the scan or the form, and shows it. Another window does the
// same.
func TestPageLoadedAgainUnderWay(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 3, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Wash"})
	b := s.Open()
	b.Visit("/scan")
	b.Work("Dana")
	for i, page := range []string{"/scan?unit=" + serials[0], "/serials/" + serials[1]} {
		b.Visit(page)
		cutLineIn(b)
		cutIn(b, "hang")
		b.Click([]string{`.huge`, `#now button[value=advance]`}[i])
		b.Wait("it is sent", `JSON.parse(localStorage.getItem("acts")).some((act) => act.state === "sent")`)
		for !moved(s, serials[i]) { // the response never arrives, so the page cannot know
			b.Is("true")
		}
		b.Reload()
		b.Says("done at ")
		if b.Is(`document.body.innerText.includes("Nothing was done")`) {
			t.Errorf("%s says that nothing was done:\n%s", page, b.Text())
		}
		b.Click(`[data-act=end]`)
		b.Wait("it is closed", `!document.querySelector("#acts .act")`)
		b.Reload()
		b.Wait("it stays closed", `!document.querySelector("#acts .act")`)
	}
	// A browser that was closed shows the outcome when it is started again, on any page.
	b.Visit("/serials/" + serials[2])
	cutLineIn(b)
	cutIn(b, "before")
	b.Click(`#now button[value=advance]`)
	b.Says("sent at ")
	b.Visit("/jobs")
	b.Says("not done.")
	b.Click(`[data-act=again]`)
	b.Says(serials[2] + " advanced.")
	s.At(serials[2], 1)
}

// moved reports whether a unit left its first step.
func moved(s *browsertest.Site, serial string) bool {
	var unit struct{ CurrentStepIndex int }
	s.Get("/api/serials/"+serial, &unit)
	return unit.CurrentStepIndex > 0
}

// If the response to a form of a card or a board is lost, the page reports whether the form was done. Pressing its button again or Send
// again carries it out only once.
func TestFormsLearnWhatWasDone(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	jobID, _, serials := s.Job("Shaft", "strict", 3, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Grind"}, browsertest.Fields{"name": "Wash"})
	b := s.Open()
	b.Visit("/serials/" + serials[0])
	b.Work("Dana")
	cutLineIn(b)
	b.Fill(`.actions [name=text]`, "chatter")
	cutIn(b, "after")
	b.Click(`.actions button[value=note]`)
	b.Says("The server does not answer.")
	b.Says("sent at ")
	cutIn(b, "")
	b.Says("done at ")
	b.Wait("the form is empty, as after a response", `document.querySelector(".actions [name=text]").value === ""`)
	b.Fill(`.actions [name=text]`, "chatter")
	b.Click(`.actions button[value=note]`)
	b.Wait("it is answered", `document.querySelector(".done") && !document.querySelector("#acts .act")`)
	var notes []struct{ Text string }
	if s.Get("/api/notes/serial/"+serials[0], &notes); len(notes) != 1 {
		t.Errorf("%d notes", len(notes))
	}

	b.Visit("/jobs/" + jobID)
	cutLineIn(b)
	b.Click(fmt.Sprintf(`[name=serial][value=%q]`, serials[1]))
	cutIn(b, "before")
	b.Click(`.ticked button[value=advance]`)
	b.Says("(" + serials[1] + "): sent at ")
	cutIn(b, "")
	b.Says("(" + serials[1] + "): not done.")
	s.At(serials[1], 0)
	b.Click(`.ticked button[value=advance]`) // the form's own button, which then does the same as Send again
	b.Says("1 unit advanced.")
	s.At(serials[1], 1)
	b.Click(`[data-act=again]`)
	b.Says("1 unit advanced.")
	s.At(serials[1], 1)
}

// Requests and responses are lost, the page is reloaded, and scans, presses and Enters are repeated, all at random. No unit moves twice for
// one confirmation, and the page reports for each lost act whether it was done.
func TestRandomLossesAtTheStation(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	_, _, serials := s.Job("Shaft", "strict", 1, steps(40)...)
	b := s.Open()
	b.Visit("/scan")
	b.Work("Dana")
	cutLineIn(b)
	const seed = 1                         // fixed, so that a failure can be repeated
	draw := rand.New(rand.NewPCG(seed, 0)) //nolint:gosec // a test
	confirmed := 0
	for range 8 {
		b.Click("#code") // a pressed button may have taken the focus
		b.Typed(serials[0])
		b.Wait("the unit is shown", `document.querySelector("#at-hand .unit-id") && !document.querySelector("#late:not([hidden])")`)
		asks := b.Is(`acts.doubted().length > 0`)
		cutIn(b, []string{"", "before", "after"}[draw.IntN(3)])
		confirmed++
		b.Typed("RC-DONE")
		b.Wait("it is answered, asked or lost", `document.querySelector(".result.good, .result.ask, .act.lost")`)
		if asks && b.Is(`document.querySelector(".result.ask")`) {
			b.Typed("RC-YES")
			b.Wait("it is answered or lost", `document.querySelector(".result.good, .act.lost")`)
		}
		for range draw.IntN(3) { // an impatient person
			b.Typed("")
		}
		if draw.IntN(3) == 0 {
			b.Reload()
			cutLineIn(b)
		}
		cutIn(b, "")
		b.Wait("the page knows what became of it", `!document.querySelector(".act.lost")`)
		for range draw.IntN(2) {
			b.Typed("")
		}
		if b.Is(`document.querySelector(".act.not")`) {
			confirmed--
			if draw.IntN(2) == 0 {
				confirmed++
				b.Twice(`.act.not [data-act=again]`)
				b.Wait("it is answered", `!document.querySelector(".act.not, .act.lost") && document.querySelector(".result.good, .result.ask")`)
				if b.Is(`document.querySelector(".result.ask")`) { // an earlier act was done, and its message is open
					b.Typed("RC-YES")
					b.Wait("it is done", `document.querySelector(".result.good")`)
				}
			} else {
				b.Click(`.act.not [data-act=end]`)
			}
		}
		s.At(serials[0], confirmed)
		if t.Failed() {
			t.Fatalf("seed %d: the page says:\n%s", seed, b.Text())
		}
	}
}

// steps returns this number of steps of a path.
func steps(count int) (all []browsertest.Fields) {
	for i := range count {
		all = append(all, browsertest.Fields{"name": fmt.Sprint("Step ", i+1)})
	}
	return all
}

// Where people sign in, the page reports the outcome of a scan only to the person who sent the scan, even if another person has worked at
// the same device since.
func TestAnotherPersonLearnsNothing(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t, "--auth", "all")
	b := s.Open()
	b.Visit(s.Invitation())
	b.Fill(`input[name=name]`, "The Boss")
	b.Fill(`input[name=login]`, "boss")
	b.Fill(`input[name=password]`, browsertest.GoodPassword+kb.Enter)
	b.Says("Welcome.")
	boss := s.SignIn("boss", browsertest.GoodPassword)
	boss.Person("anna", "operator")
	boss.Person("bert", "operator")
	boss.Person("lena", "lead")
	lena := s.SignIn("lena", browsertest.GoodPassword)
	var made struct{ ID string }
	lena.Ask("POST", "/api/jobs", browsertest.Fields{"name": "Shaft", "goalQuantity": 1}, &made)
	job := made.ID
	lena.Ask("POST", "/api/paths", browsertest.Fields{"jobId": job, "name": "Route", "goalQuantity": 1, "steps": []browsertest.Fields{{"name": "Turn"}, {"name": "Grind"}}}, &made)
	lena.Ask("POST", "/api/serials", browsertest.Fields{"jobId": job, "pathId": made.ID, "quantity": 1}, nil)
	as := func(login string) {
		t.Helper()
		b.Click(`.operator button`)
		b.Says("Signed out.")
		b.Visit("/sign-in?next=/scan")
		b.Fill(`input[name=login]`, login)
		b.Fill(`input[name=password]`, browsertest.GoodPassword+kb.Enter)
		b.Wait("it is the station", `document.querySelector("#station")`)
	}
	as("anna")
	b.Visit("/scan?unit=SN-00001")
	cutLineIn(b)
	cutIn(b, "after")
	b.Click(`.huge`)
	b.Says("SN-00001, RC-DONE: sent at ")
	b.Click(`.operator button`)
	b.Says("Signed out.")
	b.Says("SN-00001, RC-DONE: sign in to see whether it was done.")
	b.Visit("/sign-in?next=/scan")
	b.Fill(`input[name=login]`, "bert")
	b.Fill(`input[name=password]`, browsertest.GoodPassword+kb.Enter)
	b.Says("SN-00001, RC-DONE: sent by another person, who sees after signing in whether it was done.")
	b.Typed("SN-00001") // by the person who continues to work
	b.Says("Now Grind")
	as("anna")
	b.Says("SN-00001, RC-DONE: done at ")
	b.Click(`[data-act=end]`)
	b.Wait("it is closed", `!document.querySelector("#acts .act")`)
}
