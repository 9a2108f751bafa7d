package office_test

import (
	"fmt"
	"testing"

	"github.com/chromedp/chromedp"
	"github.com/chromedp/chromedp/kb"

	"github.com/routecard/routecard/internal/browsertest"
)

// mostPresses is the maximum number of buttons, links and checkboxes that a lead has to press for a usual act. Typed text does not count.
const mostPresses = 3

// Each of the ten most usual acts of a lead takes at most three presses.
func TestLeadsActsTakeFewPresses(t *testing.T) {
	t.Parallel()
	s := browsertest.Serve(t)
	job, _, units := s.Job("Valve", "flexible", 22, browsertest.Fields{"name": "Turn"}, browsertest.Fields{"name": "Wash"}, browsertest.Fields{"name": "Pack"})
	s.Send("PUT", "/api/jobs/"+job, browsertest.Fields{"dueDate": "2020-01-31"}, nil)
	kim := s.Operator("Kim")
	b := s.Open()
	b.Visit("/")
	b.Work("Dana")
	presses := 0
	press := func(selectors ...string) {
		t.Helper()
		for _, selector := range selectors {
			b.Click(selector)
			presses++
		}
	}
	reason := func(selector string) { b.Fill(selector, "Seen by the lead") }
	for _, act := range []struct {
		name, at string
		does     func()
	}{
		{"late jobs", "/", func() {
			press(`.figures a[href="/jobs?state=late"]`)
			b.Says("1 job")
		}},
		{"stuck units", "/", func() {
			press(`.attention tr:last-child td:last-child a`)
			b.Says("Here since")
		}},
		{"who has how much", "/", func() {
			press(`nav a[href="/queue"]`, `.tabs a:last-child`)
			b.Says("Unassigned")
		}},
		{"assign a step", "/queue?operator=nobody", func() {
			press(`input[name=stepId]`, fmt.Sprintf(`button[name=assignTo][value=%q]`, kim))
			b.Says("Turn assigned to Kim.")
		}},
		{"advance a column", "/jobs/" + job, func() {
			press(`.column [data-all]`, `button[value=advance].primary`)
			b.Says("22 units advanced.")
		}},
		{"undo", "/serials/" + units[0], func() {
			press(`details[data-key=more] > summary`, `details[data-key=undo] summary`)
			reason(`details[data-key=undo] [name=reason]`)
			press(`button[value=undo]`)
			b.Says("Undone.")
		}},
		{"hold one", "/serials/" + units[1], func() {
			press(`details[data-key=hold] summary`)
			reason(`details[data-key=hold] [name=reason]`)
			press(`button[value=hold]`)
			b.Says(units[1] + " is on hold.")
		}},
		{"hold twenty", "/serials?step=Wash&hold=off", func() {
			press(`thead [data-all]`, `button[value=ask-hold]`)
			reason(`[name=reason]`)
			press(`button[value=hold]`)
			b.Says("20 units put on hold.")
		}},
		{"release all for one reason", "/", func() {
			press(`.attention a[href^="/holds?q="]`, `thead [data-all]`)
			reason(`[name=reason]`)
			press(`button[value=release]`)
			b.Says("21 units released.")
		}},
		{"find", "/jobs", func() {
			b.Do("search", chromedp.Focus(chromedp.CSS("#find input")), chromedp.KeyEvent(units[2]))
			b.Do("press Enter", chromedp.KeyEvent(kb.Enter))
			presses++
			b.Says(units[2])
		}},
	} {
		b.Visit(act.at)
		presses = 0
		if act.does(); presses > mostPresses {
			t.Errorf("%s takes %d presses", act.name, presses)
		}
	}
}
