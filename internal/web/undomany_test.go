package web_test

import (
	"net/http"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// Forty units that were moved by mistake are undone together, with one entry for each unit. The page shows the progress. Units that have
// moved on since then stay where they are.
func TestTakeBackMany(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(42, "Saw", "Turn", "Pack")
	dana, kim := s.works("Dana"), s.works("Kim")
	board := "/jobs/" + job
	kim.visit("/serials/SN-00041").press(`value="advance"`, "do", "advance") // this change was not made by Dana
	ticks := []string{"do", "advance"}
	for i := range int64(40) {
		ticks = append(ticks, "serial", s.service.SerialPrefix().SerialID(i+1), "at:"+s.service.SerialPrefix().SerialID(i+1), "0")
	}
	dana.visit(board)
	form := dana.page.form(t, `value="advance"`)
	for name := range form.values {
		if strings.HasPrefix(name, "at:") {
			form.values.Del(name)
		}
	}
	dana.post(form.with(ticks...)).says("40 units advanced.")
	back := dana.link("Undo these 40")
	if dana.visit(board); strings.Contains(dana.text(), "Take back these") {
		t.Error("it is offered twice")
	}
	kim.visit("/serials/SN-00007").press(`value="advance"`, "do", "advance")
	dana.visit(back).says("Undo this for 39 units?")
	dana.says("40 units were advanced together.")
	dana.says("Cannot be undone: SN-00007 : The unit was changed since")
	dana.press("Undo 39 units", "reason", "").says("Say why.")
	sent := dana.visit(back).page.form(t, "Undo 39 units").with("reason", "wrong crate")
	dana.post(sent).says("39 of 40 units undone. Not SN-00007:")
	dana.post(sent) // a double tap
	dana.visit(back).says("Nothing is left to undo")
	dana.says("Undone: SN-00001 to SN-00006 and SN-00008 to SN-00040")
	for unit, step := range map[string]int{"SN-00001": 0, "SN-00006": 0, "SN-00007": 2, "SN-00008": 0, "SN-00040": 0, "SN-00041": 1, "SN-00042": 0} {
		s.stands(unit, step, card.InProgress)
	}
	dana.visit("/audit/entries.csv?action=change_undone")
	if entries := strings.Count(dana.page.html, "wrong crate"); entries != 39 {
		t.Errorf("%d entries tell of it, want one a unit", entries)
	}
}

// A change of all units at a step is undone like a change of ticked units. A scrap is undone in the same way. An invalid address changes
// nothing.
func TestTakeBackAll(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(130, "Saw", "Turn")
	dana := s.works("Dana")
	dana.visit("/jobs/"+job).press("All 130 here", "all", "0/130").press("Scrap them", "do", "ask-scrap").
		press("Scrap these 130 units", "do", "scrap", "reason", "damaged").says("130 units scrapped.")
	s.pass(time.Minute)
	dana.visit(dana.link("Undo these 130")).press("Undo 130 units", "reason", "never happened").says("Undone: 130 units.")
	s.stands("SN-00130", 0, card.InProgress)
	for _, address := range []string{"", "?do=advance", "?do=banana&after=" + ident.AuditID(0) + "&until=" + ident.AuditID(9)} {
		if dana.visit("/jobs/" + job + "/take-back" + address); dana.page.status != http.StatusNotFound {
			t.Errorf("take-back%s answers %d", address, dana.page.status)
		}
	}
}

// The message about new units links directly to their labels.
func TestLabelsOfNewUnits(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(1, "Saw")
	v := s.works("Dana")
	v.visit("/jobs/"+job).press(`value="create-serials"`, "do", "create-serials", "quantity", "3", "sure", "yes").says("Created 3 units")
	three := v.page.html
	v.visit("/jobs/"+job).press(`value="create-serials"`, "do", "create-serials", "quantity", "1", "sure", "yes").link("Label of this unit")
	v.page.html = three
	if got := v.visit(v.link("Labels of these 3")).printed(); got != "SN-00002 SN-00003 SN-00004" {
		t.Errorf("prints %q", got)
	}
}
