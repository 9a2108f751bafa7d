package web_test

import (
	"net/http"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// report opens a report about a unit, which puts the unit on hold.
func (s *visitedShop) report(unit string) string {
	s.t.Helper()
	report, err := s.service.OpenNonconformance(s.t.Context(), shop.OpenNonconformanceInput{
		Title: input.Given("Seat too small"), Severity: input.Given("major"), Hold: input.Given(true), UserID: input.Given("setup"),
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(unit)},
	})
	s.must(err)
	return report.ID
}

// Units fail a test and are reported from the board, six units are quarantined, quality decides on them, and the history can be read
// afterwards.
func TestReportFromTheBoardToItsEnd(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(6, "Turn", "Grind", "Test")
	detail, err := s.service.Job(t.Context(), job)
	s.must(err)
	path := detail.Paths[0]
	v := s.works("Dana")
	v.scan("SN-00001", "show", "SN-00001")
	v.scan("RC-ADVANCE", "good", "SN-00001 moved to the next step.")
	v.visit("/jobs/"+job).press(">Report a nonconformance…<", "do", "ask-report")
	v.says("Tick at least one unit first")
	v.visit("/jobs/"+job).press(">Report a nonconformance…<", "do", "ask-report",
		"serial", "SN-00001", "serial", "SN-00002", "serial", "SN-00003", "serial", "SN-00004", "serial", "SN-00006")
	v.says("SN-00001 to SN-00004, SN-00006")
	v.press(">Open the report<", "title", "", "severity", "major", "units", "SN-00001", "hold", "yes")
	v.says("Give it a title.")
	v.press(">Open the report<", "title", "Seat too small", "severity", "major", "units", "SN-1 to SN-4, banana", "hold", "yes")
	v.says("“banana” is no unit and no range of units.")
	v.press(">Open the report<", "title", "Seat too small", "severity", "major", "units", "SN-00004, SN-00006 to SN-00002", "hold", "yes")
	v.says("“SN-00006 to SN-00002” ends before it begins: the lower number comes first.")
	v.press(">Open the report<", "title", "Seat too small", "severity", "major", "hold", "yes",
		"units", "SN-00001 to SN-00004, 3, SN-00002 to SN-00005, 6, 99")
	v.says("There are now 6 units here, not 7.") // unit 99 does not exist, and the others are counted once
	v.press(">Open the report<", "title", "Seat too small", "severity", "major", "units", "SN-00001 to SN-00004, 2, 3 to 4, 6",
		"stepId", path.Steps[1].ID, "hold", "yes")
	v.says("NCR-00001 is open.")
	v.says("It cannot be closed yet: SN-00001 waits for a decision.")

	// The hold is shown wherever the unit appears.
	v.visit("/").says("NCR-00001 Seat too small")
	for _, page := range []string{"/holds", "/serials", "/jobs/" + job, "/serials/SN-00002", "/serials/SN-00002/print",
		"/scan?unit=SN-00002"} {
		v.visit(page)
		v.says("NCR-00001: Seat too small")
	}
	v.visit("/nonconformances")
	v.says("NCR-00001 Seat too small")

	report := "/nonconformances/NCR-00001"
	v.visit(report).press(">Decide<", "do", "dispose", "disposition", "use_as_is", "reason", "r")
	v.says("Tick at least one unit first")
	v.press(">Decide<", "do", "dispose", "serial", "SN-00003", "disposition", "use_as_is", "reason", "within the limit")
	v.says("Say who agreed to use it as it is, or to the repair.")
	v.press(">Decide<", "do", "dispose", "serial", "SN-00003", "disposition", "use_as_is", "reason", "within the limit", "concession", "customer")
	v.says("1 unit: use as is.")
	v.press(">Add to the report<", "do", "add", "units", " ")
	v.says("Name at least one unit.")
	v.press(">Decide<", "do", "dispose", "serial", "SN-00001", "disposition", "rework", "reason", "turn again", "target", "2")
	v.says("SN-00001: The unit has not reached that step yet.")
	v.press(">Decide<", "do", "dispose", "serial", "SN-00001", "disposition", "rework", "reason", "turn again", "target", "0")
	s.stands("SN-00001", 0, card.InProgress)
	// A scrap needs confirmation, and the page lists the units. All waiting units are included.
	v.press(">Decide<", "do", "dispose", "all", v.box("all"), "disposition", "scrap", "reason", "too far gone", "scrapReason", "damaged")
	v.says("Scrap 3 units?")
	v.says("SN-00002, SN-00004 and SN-00006")
	v.press(">Scrap 3 units<", "sure", "yes")
	s.stands("SN-00004", 0, card.Scrapped)
	v.visit("/holds") // a scrapped unit stays on hold, and the page shows its status
	v.says("SN-00004 Scrapped NCR-00001: Seat too small")
	v.visit(report)
	v.says("It cannot be closed yet: SN-00001 has not passed again the step where the problem was found.")
	for range 2 {
		_, err := s.service.AdvanceSerial(t.Context(), "SN-00001", shop.AdvanceSerialInput{UserID: input.Given("ann")})
		s.must(err)
	}
	v.visit(report).press(">Close NCR-00001<", "do", "close", "summary", "Tool was worn")
	v.says("NCR-00001 is closed.")
	v.visit(report + "/print")
	for _, text := range []string{"Seat too small", "Tool was worn", "Concession: customer", "turn again"} {
		v.says(text)
	}
	// The cards of the units, on screen and on paper, show it too.
	for _, page := range []string{"/serials/SN-00001", "/serials/SN-00001/print", "/serials/SN-00003", "/serials/SN-00003/print"} {
		v.visit(page)
		v.says("NCR-00001 Seat too small")
		v.says("Tool was worn")
		if strings.Contains(page, "SN-00001") {
			v.says("turn again")
		} else {
			v.says("Use as is")
			v.says("customer")
		}
	}
	v.visit("/audit")
	v.says("Units: SN-00001 to SN-00004, SN-00006")
}

// An undone change stays in the card's history, struck through, with the user and the reason.
func TestHistoryTellsWhatWasTakenBack(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(1, "Turn", "Grind")
	v := s.works("Dana")
	v.scan("SN-00001", "show", "SN-00001")
	v.scan("RC-ADVANCE", "good", "SN-00001 moved to the next step.")
	v.visit("/serials/SN-00001")
	v.press(">Undo<", "reason", "the wrong unit", "do", "undo")
	for _, page := range []string{"/audit", "/serials/SN-00001"} {
		v.visit(page)
		v.says("Undone by Dana")
		v.says("Undone change: Unit advanced from Turn to Grind")
	}
	v.says("Undone by Dana")
	v.says("Undone change: Unit advanced from Turn to Grind")
	v.says("Reason: the wrong unit")
	if !strings.Contains(v.page.html, "taken-back") {
		t.Error("the entry is not struck through")
	}
}

// One button reports all units at a step. The page lists the units that have moved since it was shown.
func TestReportAllHere(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(60, "Turn", "Grind")
	v := s.works("Dana")
	v.visit("/jobs/"+job).press("All 60 here…", "all", "0/60")
	v.press(">Report a nonconformance…<", "do", "ask-report")
	v.says("All 60 units at this step of Main route")
	page := v.page
	_, err := s.service.AdvanceSerial(t.Context(), "SN-00007", shop.AdvanceSerialInput{UserID: input.Given("ann")})
	s.must(err)
	v.press(">Open the report<", "title", "Heat", "severity", "minor", "hold", "yes")
	v.says("There are now 59 units here, not 60.")
	v.page = page
	v.visit("/nonconformances/new?units=SN-00001+to+SN-00006,+SN-00008")
	v.press(">Open the report<", "title", "Heat", "severity", "minor", "units", "SN-00001 to SN-00006, SN-00008", "hold", "yes")
	v.says("NCR-00001 is open.")
}

// "All waiting" means the units that the page showed. If other units are waiting now, nothing is decided, and the page shows them.
func TestAllThatWaitAreThoseSeen(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(9, "Turn", "Grind")
	v := s.works("Dana")
	v.visit("/nonconformances/new?units=SN-00001+to+SN-00002")
	v.press(">Open the report<", "title", "Heat", "severity", "minor", "units", "SN-00001 to SN-00002", "hold", "yes")
	held := func(want int, units ...string) {
		t.Helper()
		count := 0
		for _, unit := range units {
			card, err := s.views.Card(t.Context(), unit)
			s.must(err)
			count += len(card.Card.Holds)
		}
		if count != want {
			t.Errorf("%d of %v are on hold, want %d", count, units, want)
		}
	}
	add := func(units string) {
		t.Helper()
		s.works("Bert").visit("/nonconformances/NCR-00001").press(">Add to the report<", "do", "add", "units", units, "hold", "yes").
			says("Units put on NCR-00001.")
	}
	decide := func(disposition string) []string {
		return []string{"do", "dispose", "all", v.box("all"), "disposition", disposition, "reason", "r", "concession", "c"}
	}
	v.visit("/nonconformances/NCR-00001").says("All 2 that wait for a decision")
	add("SN-00003 to SN-00005")
	for _, disposition := range []string{"use_as_is", "scrap"} { // the refusal comes before the question that a scrap asks
		page := v.page
		if v.press(">Decide<", decide(disposition)...); v.page.status != http.StatusConflict {
			t.Errorf("%s: status %d, want 409", disposition, v.page.status)
		}
		v.says("5 units wait for a decision by now, not 2. Nothing was done. Look again.")
		v.says("All 5 that wait for a decision")
		held(5, "SN-00001", "SN-00002", "SN-00003", "SN-00004", "SN-00005")
		if disposition == "use_as_is" {
			v.page = page
		}
	}
	// The number of waiting units is the same, but the units differ: one was decided and another was added to the report.
	page := v.page
	v.press(">Decide<", "do", "dispose", "serial", "SN-00001", "disposition", "use_as_is", "reason", "r", "concession", "c")
	add("SN-00006")
	v.page = page
	v.press(">Decide<", decide("use_as_is")...).says("Other units wait for a decision now: 5 units.")
	held(5, "SN-00002", "SN-00003", "SN-00004", "SN-00005", "SN-00006")
	// The new page decides the units that it shows. It does so once, even if the form arrives twice and other units are waiting by then.
	form := v.page.form(t, ">Decide<").with(decide("use_as_is")...)
	v.post(form).says("5 units: use as is.")
	held(0, "SN-00002", "SN-00003", "SN-00004", "SN-00005", "SN-00006")
	add("SN-00007")
	v.post(form).says("SN-00007")
	if v.page.status != http.StatusOK {
		t.Errorf("the form again: status %d", v.page.status)
	}
	held(1, "SN-00007")
}

// The form accepts any selection of as many units as a board has checkboxes. In this test it is every other unit in seven columns, so that
// no two are consecutive.
func TestReportOfManyTicks(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(560, "Turn", "Grind")
	v := s.works("Dana")
	pairs, named := []string{"do", "ask-report"}, []string{}
	for number := int64(1); number <= 560; number += 2 {
		pairs, named = append(pairs, "serial", s.service.SerialPrefix().SerialID(number)), append(named, s.service.SerialPrefix().SerialID(number))
	}
	v.visit("/jobs/"+job).press(">Report a nonconformance…<", pairs...)
	units := strings.Join(named, ", ")
	v.says("Report a nonconformance Title")
	v.says(units)
	v.press(">Open the report<", "title", "Heat", "severity", "minor", "units", units, "hold", "yes")
	v.says("NCR-00001 is open.")
	v.says("280 units, of which 280 wait for a decision.")
}

// However many units a report has, its page lists only some of them at once, and its print groups units with the same details.
func TestReportOfManyUnits(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	s.units(450, "Turn", "Grind")
	v := s.works("Dana")
	v.visit("/nonconformances/new?units=SN-00001+to+SN-00450")
	v.press(">Open the report<", "title", "Heat", "severity", "minor", "units", "SN-00001 to SN-00450", "hold", "yes")
	lists := func(first, last string) {
		t.Helper()
		boxes := strings.Count(v.page.html, `name="serial" value=`)
		if !strings.Contains(v.page.html, `value="`+first+`"`) || !strings.Contains(v.page.html, `value="`+last+`"`) || boxes > 200 {
			t.Errorf("the page has %d boxes, and not those from %s to %s", boxes, first, last)
		}
	}
	v.says("450 units, of which 450 wait for a decision.")
	lists("SN-00001", "SN-00200")
	v.visit("/nonconformances/NCR-00001?from=SN-00201")
	lists("SN-00201", "SN-00400")
	v.says("More, from SN-00401 on")
	v.press(">Decide<", "do", "dispose", "serial", "SN-00203", "serial", "SN-00204", "disposition", "use_as_is", "reason", "r")
	v.says("Say who agreed")
	lists("SN-00201", "SN-00400")
	v.press(">Decide<", "do", "dispose", "serial", "SN-00203", "serial", "SN-00204", "disposition", "use_as_is", "reason", "r", "concession", "c")
	v.says("2 units: use as is.")
	v.says("450 units, of which 448 wait for a decision.")
	v.says("SN-00203")
	v.visit("/nonconformances/NCR-00001?show=waiting&from=SN-00202")
	lists("SN-00202", "SN-00403")
	if strings.Contains(v.page.html, `value="SN-00203"`) {
		t.Error("a unit that is decided about waits")
	}
	v.press(">Decide<", "do", "dispose", "all", v.box("all"), "disposition", "scrap", "reason", "too hot", "scrapReason", "damaged")
	v.says("Scrap 448 units?")
	if len(v.page.html) > 20_000 {
		t.Errorf("the question has %d bytes", len(v.page.html))
	}
	v.press(">Scrap 448 units<", "sure", "yes")
	v.says("448 units: scrap.")
	v.visit("/nonconformances/NCR-00001?show=waiting")
	v.says("No unit waits for a decision.")
	v.visit("/nonconformances/NCR-00001/print")
	for _, line := range []string{"SN-00001 to SN-00202", "SN-00203 to SN-00204", "SN-00205 to SN-00450"} {
		v.says(line)
	}
	if lines := strings.Count(v.page.html, "<tr>"); lines != 4 {
		t.Errorf("it is printed on %d lines", lines)
	}
}

// The page asks for confirmation of a scrap only if the decision would be accepted. If a decision is refused, the selected units stay
// ticked.
func TestDecisionIsRefusedBeforeTheQuestion(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Saw")
	report := s.report(unit)
	v := s.works("Dana")
	v.visit("/nonconformances/" + report).says("The one that waits for a decision")
	v.press(">Decide<", "do", "dispose", "all", v.box("all"), "disposition", "scrap", "reason", "   ", "scrapReason", "damaged")
	v.says("Say why.")
	if strings.Contains(v.text(), "Scrap 1 unit?") {
		t.Error("it was asked first")
	}
	if !strings.Contains(v.page.html, `name="all" value="`+v.box("all")+`" checked>`) {
		t.Error("the tick of all that wait is gone")
	}
	v.press(">Decide<", "do", "dispose", "all", v.box("all"), "disposition", "scrap", "reason", "a crack", "scrapReason", "damaged")
	v.says("Scrap 1 unit?")
	s.stands(unit, 0, card.InProgress)
}

// A decision identifies the rework step by its index. If another step has that index now, nothing is done.
func TestDecisionIsForTheStepsThatWereRead(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	jobID, unit := s.units(1, "Turn", "Drill", "Pack")
	_, err := s.service.AdvanceToStep(t.Context(), unit, shop.AdvanceToStepInput{TargetStepIndex: input.Given(2.0), UserID: input.Given("Dana")})
	s.must(err)
	report := s.report(unit)
	v := s.works("Dana")
	v.visit("/nonconformances/" + report)
	job, err := s.service.Job(t.Context(), jobID)
	s.must(err)
	steps := []input.Input[shop.RouteStepInput]{}
	for _, i := range []int{1, 0, 2} {
		steps = append(steps, input.Given(shop.RouteStepInput{ID: input.Given(job.Paths[0].Steps[i].ID)}))
	}
	_, err = s.service.ReplaceSteps(t.Context(), job.Paths[0].ID, shop.ReplaceStepsInput{Steps: input.Given(steps)})
	s.must(err)
	decide := []string{"do", "dispose", "serial", unit, "disposition", "rework", "reason", "turn again", "target", "0"}
	v.press(">Decide<", decide...)
	v.says("The steps of the route have changed. Nothing was done. Choose the step again.")
	s.stands(unit, 2, card.InProgress)
	v.press(">Decide<", decide...)
	v.says("1 unit: rework.")
	s.stands(unit, 0, card.InProgress)
}
