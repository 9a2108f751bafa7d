package web_test

import (
	"context"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// hold puts units on hold.
func (s *visitedShop) hold(reason string, units ...string) {
	s.t.Helper()
	for _, unit := range units {
		_, err := s.service.HoldSerial(context.Background(), unit, shop.HoldSerialInput{Reason: input.Given(reason), UserID: input.Given("quinn")})
		s.must(err)
	}
}

// Units on hold are counted separately, marked, and never offered as work. This holds for the queue, the floor page, boards and lists.
func TestHeldUnitsStandApart(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(6, "Saw", "Turn")
	s.units(4, "Mill", "Drill") // SN-00007 to SN-00010, all on hold
	s.hold("dent", "SN-00001", "SN-00002", "SN-00007", "SN-00008", "SN-00009", "SN-00010")
	s.hold("again", "SN-00001") // the unit still counts once
	v := s.works("Dana")

	v.visit("/queue?operator=nobody&sort=oldest").says("Unassigned 4 units 6 on hold")
	v.says("4 Saw 2 on hold")
	v.says("SN-00003 and 3 more")
	v.says("0 Mill 4 on hold")
	for _, sorted := range []string{"oldest", "most"} {
		v.visit("/queue?operator=nobody&sort=" + sorted)
		if text := v.text(); strings.Index(text, "4 Saw") > strings.Index(text, "0 Mill") {
			t.Errorf("sorted by %s, what is all on hold comes first", sorted)
		}
	}
	v.visit("/queue?operator=everybody")
	if regexp.MustCompile(`SN-00001|SN-00007`).MatchString(v.text()) {
		t.Error("the queue offers a unit on hold")
	}

	v.visit("/").says("Main route · 4 can be worked on 2 on hold")
	v.says("4 Saw 2 on hold")
	v.says("0 Mill 4 on hold")
	_, longest, _ := strings.Cut(v.text(), "Not moved")
	longest, _, _ = strings.Cut(longest, "Jobs in progress")
	if strings.Contains(longest, "SN-00001") || !strings.Contains(longest, "SN-00003") || strings.Contains(longest, "SN-00008") {
		t.Errorf("standing longest: %s", longest)
	}

	v.visit("/jobs").says("0 of 6 0 6 2 0 6")
	v.visit("/jobs/" + job).says("6 in progress 2 on hold")
	v.says("6 units · 2 on hold")
	if text := v.text(); strings.Index(text, "SN-00003") > strings.Index(text, "SN-00001") {
		t.Error("the board lists units on hold first")
	}

	// A released unit counts as work again.
	card, err := s.views.Card(t.Context(), "SN-00002")
	s.must(err)
	_, err = s.service.ReleaseSerial(t.Context(), "SN-00002", shop.ReleaseSerialInput{
		HoldID: input.Given(card.Card.Holds[0].ID), Reason: input.Given("fine"), UserID: input.Given("quinn"),
	})
	s.must(err)
	v.visit("/queue?operator=nobody").says("5 Saw 1 on hold")
	v.says("SN-00002 and 4 more")
}

// A new job has no bottleneck. A step where all units are on hold is no bottleneck either.
func TestBottlenecks(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(4, "Saw", "Turn")
	v := s.works("Dana")
	marked := func(address string) bool { return strings.Contains(v.visit(address).text(), "Bottleneck") }
	both := func(want bool, when string) {
		t.Helper()
		for _, address := range []string{"/", "/jobs/" + job} {
			if marked(address) != want {
				t.Errorf("%s: %s has a bottleneck: %v", when, address, !want)
			}
		}
	}
	both(false, "a new job")
	_, err := s.service.AdvanceSerial(t.Context(), "SN-00001", shop.AdvanceSerialInput{UserID: input.Given("dana")})
	s.must(err)
	both(true, "three of four units at Saw")
	s.hold("dent", "SN-00002", "SN-00003", "SN-00004")
	both(false, "all of them on hold")
}

// Ticked units are held and released together. Each release ends one hold. Other holds of the same unit remain.
func TestTickedUnitsAreHeldAndReleased(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(4, "Saw", "Turn")
	v := s.works("Dana")
	held := func() string {
		t.Helper()
		units, _, err := s.views.HeldUnits(t.Context(), "", 20)
		s.must(err)
		var list []string
		for _, unit := range units {
			list = append(list, unit.SerialID+" "+unit.Reason)
		}
		return strings.Join(list, ", ")
	}
	v.visit("/jobs/"+job).press("ask-hold", "do", "ask-hold", "serial", "SN-00002").says("Put 1 unit on hold?")
	v.press(`value="hold"`, "do", "hold", "reason", " ").says("Say why.")
	v.press(`value="hold"`, "do", "hold", "reason", "crack").says("1 unit put on hold.")
	v.post(posted{"/serials", url.Values{"do": {"ask-hold"}, "serial": {"SN-00003"}}}).press(`value="hold"`, "do", "hold", "reason", "dent").says("1 unit put on hold.")
	s.hold("again", "SN-00002")
	if got := held(); got != "SN-00002 again, SN-00003 dent, SN-00002 crack" {
		t.Fatal(got)
	}
	v.visit("/holds?q=DENT").says("1 hold")
	found := regexp.MustCompile(`name="hold" value="([^"]+)"`)
	dent := found.FindStringSubmatch(v.page.html)[1]
	v.press(`value="release"`, "reason", "fine").says("Tick at least one unit first")
	v.press(`value="release"`, "hold", dent, "reason", "fine").says("1 unit released.")
	v.visit("/jobs/"+job).press("ask-release", "do", "ask-release", "serial", "SN-00002").says("Release 2 holds?")
	crack := found.FindStringSubmatch(v.page.html)[1]
	v.press(`value="release"`, "hold", crack, "reason", "welded").says("1 unit released.")
	if got := held(); got != "SN-00002 again" {
		t.Error(got)
	}
	v.post(posted{"/serials", url.Values{"do": {"ask-release"}, "serial": {"SN-00001"}}}).says("None of these units is on hold.")
}
