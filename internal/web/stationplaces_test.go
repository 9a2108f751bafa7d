package web_test

import (
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/browsertest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// stationAt returns a device that is a station with places and where a user with the role operator is signed in.
func (s *visitedShop) stationAt(name, places string, more ...string) *visitor {
	s.t.Helper()
	v := s.signedIn("lena")
	v.visit("/stations").press("Make it a station", append([]string{"name", name, "places", places}, more...)...)
	v.says("This device is the station " + name)
	station := v.cookies["station"]
	v.press("Sign out")
	v = s.visitor()
	v.cookies["station"] = station
	return v.visit("/sign-in").post(posted{"/sign-in", url.Values{}}.with("login", "anna", "password", browsertest.GoodPassword, "next", "/scan"))
}

// placedUnits creates units whose steps have places.
func (s *visitedShop) placedUnits(quantity int, steps ...[2]string) {
	s.t.Helper()
	number := input.Given(float64(quantity))
	ctx := shop.WithCaller(s.t.Context(), shop.Caller{Login: "lena", Permissions: []shop.Permission{shop.Plan, shop.Work}})
	job, err := s.service.CreateJob(ctx, shop.CreateJobInput{Name: input.Given("Valve body"), GoalQuantity: number})
	s.must(err)
	inputs := make([]input.Input[shop.StepInput], len(steps))
	for i, step := range steps {
		inputs[i] = input.Given(shop.StepInput{Name: input.Given(step[0]), Location: input.Given(step[1])})
	}
	path, err := s.service.CreatePath(ctx, shop.CreatePathInput{JobID: input.Given(job.ID), Name: input.Given("Main"), GoalQuantity: number,
		AdvancementMode: input.Given("flexible"), Steps: input.Given(inputs)})
	s.must(err)
	_, err = s.service.CreateSerials(ctx, shop.CreateSerialsInput{JobID: input.Given(job.ID), PathID: input.Given(path.ID), Quantity: number})
	s.must(err)
}

// If the step of a unit is done elsewhere, the station says so, and completing the step here needs a confirmation.
func TestStationKnowsItsPlaces(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	s.person("lena", "lead")
	s.person("anna", "operator")
	s.placedUnits(2, [2]string{"Hone bore", "Hone 1"}, [2]string{"Turn", "Lathe 2"}, [2]string{"Pack", ""})
	v := s.stationAt("Lathe", "Lathe 1\r\n Lathe 2 \r\n\r\nLathe 2")
	const away = "SN-00001 is at Hone bore, Hone 1, not here."
	v.scan("SN-00001", "warn", away)
	v.scan("RC-DONE", "ask", "SN-00001 is not here. Is its step done all the same?")
	v.scan("RC-NO", "show", "Nothing was changed.")
	s.stands("SN-00001", 0, card.InProgress)
	v.scan("RC-DONE", "ask", "Is its step done all the same?")
	v.scan("RC-YES", "good", "moved to the next step")
	s.stands("SN-00001", 1, card.InProgress)
	// For a step with a place of this station or without a place, no confirmation is needed.
	for range 2 {
		s.pass(time.Minute)
		v.done("SN-00001")
	}
	s.stands("SN-00001", 3, card.Completed)
	s.signedIn("lena").visit("/stations").says("for Lathe 1, Lathe 2")
}

// Where one scan completes a step, a second scan of the same unit never moves it.
func TestStationWhereOneScanIsDone(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	s.person("lena", "lead")
	s.person("anna", "operator")
	s.placedUnits(3, [2]string{"Turn OP10", "Lathe 2"}, [2]string{"Turn OP20", "Lathe 2"}, [2]string{"Hone bore", "Hone 1"})
	v := s.stationAt("Lathe", "Lathe 2", "oneScan", "yes")
	v.visit("/scan?unit=SN-00001") // opening an address does not complete a step
	s.stands("SN-00001", 0, card.InProgress)
	v.visit("/scan").scan("SN-00001", "good", "SN-00001 moved to the next step. It goes to Turn OP20, Lathe 2.")
	for range 3 {
		s.pass(time.Minute)
		v.scan("SN-00001", "show", "Done, on to Hone bore")
	}
	s.stands("SN-00001", 1, card.InProgress)
	v.scan("RC-DONE", "good", "It goes to Hone bore")
	v.scan("SN-00001", "warn", "SN-00001 is at Hone bore, Hone 1, not here.")
	// A scan of another unit drops the question, and no scan during a question completes a step.
	v.scan("SN-00002", "good", "moved to the next step")
	// If the trigger is pulled twice, the code is read once: the first result stays, and Enter does not move the unit another step.
	for _, again := range [][]string{{"gap", "300"}, {"gap", "4000", "early", "yes"}} {
		s.pass(4 * time.Second)
		v.scan("SN-00002", "good", "moved to the next step", again...)
		v.scan("", "good", "moved to the next step")
	}
	s.stands("SN-00002", 1, card.InProgress)
	s.pass(time.Minute)
	v.scan("SN-00002", "show", "SN-00002")
	v.scan("RC-NOTE", "ask", "Type the note")
	v.scan("SN-00003", "show", "No note was written on SN-00002.")
	s.stands("SN-00003", 0, card.InProgress)

	// In a session that began elsewhere, entries of the audit trail do not identify the station.
	elsewhere := s.signedIn("anna")
	elsewhere.cookies["station"] = v.cookies["station"]
	elsewhere.scan("SN-00003", "show", "SN-00003")
	s.stands("SN-00003", 0, card.InProgress)

	// If the station had no places, one scan would complete steps of any place.
	lena := s.signedIn("lena")
	lena.visit("/stations")
	lena.post(posted{"/stations", url.Values{}}.with("do", "make", "name", "Bench", "places", " ", "oneScan", "yes"))
	if lena.page.status != 400 || strings.Contains(lena.text(), "is the station Bench") {
		t.Errorf("status %d: %s", lena.page.status, lena.text())
	}
}
