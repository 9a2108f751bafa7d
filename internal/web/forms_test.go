package web_test

import (
	"context"
	"html"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/sqlstore"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// A form on an outdated card does not sign anything off. The page says where the unit is now and shows the current card.
func TestStaleCard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Saw", "Turn OP10", "Grind", "Wash", "Pack")
	ann, bob := s.works("Ann"), s.works("Bob")
	routeCard := "/serials/" + unit
	ann.visit(routeCard)
	bob.visit(routeCard)
	ann.press(`value="advance"`, "do", "advance")
	s.stands(unit, 1, card.InProgress)
	for _, act := range [][]string{
		{`value="advance"`, "do", "advance"},
		{`value="advance-to"`, "do", "advance-to", "target", "3"},
		{`value="scrap"`, "do", "scrap", "reason", "damaged", "sure", "yes"},
		{`value="force-complete"`, "do", "force-complete", "sure", "yes"},
	} {
		stale := bob.page
		bob.press(act[0], act[1:]...)
		if bob.page.status != http.StatusConflict {
			t.Errorf("%v: status %d, want 409", act, bob.page.status)
		}
		bob.says("SN-00001 is at Turn OP10 by now. Nothing was done.")
		bob.says("Done, on to Grind")
		s.stands(unit, 1, card.InProgress)
		bob.page = stale
	}
	// Certificates and rework also apply only to the step that the page showed.
	certificate, err := s.service.CreateCertificate(t.Context(), shop.CreateCertificateInput{
		Type: input.Given("material"), Name: input.Given("Heat 4711"),
	})
	s.must(err)
	ann.visit(routeCard)
	bob.visit(routeCard)
	ann.press(`value="advance"`, "do", "advance")
	for _, act := range [][]string{
		{`value="attach"`, "do", "attach", "certId", certificate.ID},
		{`value="rework"`, "do", "rework", "target", "0", "reason", "turn again"},
	} {
		stale := bob.page
		if bob.press(act[0], act[1:]...); bob.page.status != http.StatusConflict {
			t.Errorf("%v: status %d, want 409", act, bob.page.status)
		}
		bob.says("SN-00001 is at Grind by now. Nothing was done.")
		s.stands(unit, 2, card.InProgress)
		bob.page = stale
	}
	if attached, err := s.service.AttachmentsOfSerial(t.Context(), unit); err != nil || len(attached) != 0 {
		t.Errorf("attached: %v, %v", attached, err)
	}
	bob.visit(routeCard).press(`value="attach"`, "do", "attach", "certId", certificate.ID).says("Certificate attached.")
	bob.press(`value="rework"`, "do", "rework", "target", "1", "reason", "turn again").says("SN-00001 was sent back.")
	s.stands(unit, 1, card.InProgress)
	bob.visit(routeCard)
	ann.visit(routeCard)
	// The unit was closed in the meantime: the refusal is shown although the form no longer exists.
	ann.press(`value="scrap"`, "do", "scrap", "reason", "damaged").press("Scrap SN-00001", "sure", "yes")
	ann.says("SN-00001 scrapped.")
	bob.press(`value="advance"`, "do", "advance")
	bob.says("The unit is scrapped.")
}

// Scrapping and closing ask for confirmation. The question identifies the unit, and the input stays.
func TestClosingAsks(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(2, "Turn", "Grind")
	v := s.works("Dana")
	v.visit("/serials/"+unit).press(`value="scrap"`, "do", "scrap", "reason", "other", "explanation", "porous <b>")
	v.says("Scrap SN-00001?")
	v.says("Reason: Other. porous <b>")
	v.says("Valve body, Main route, at Turn")
	s.stands(unit, 0, card.InProgress)
	v.press("Scrap SN-00001", "sure", "yes")
	v.says("Scrapped at Turn: Other")
	s.stands(unit, 0, card.Scrapped)

	// If fields are missing, the page shows the form again with its input, and does not ask for confirmation of the scrap.
	second := "SN-00002"
	v.visit("/serials/"+second).press(`value="scrap"`, "do", "scrap", "reason", "other")
	v.says("Explain it: the reason alone does not say what happened.")
	if !strings.Contains(v.page.html, `data-field="explanation"`) || !strings.Contains(v.page.html, `<option value="other" selected>`) {
		t.Error("the field is not named, or the reason is lost")
	}
	v.visit("/serials/"+second).press(`value="force-complete"`, "do", "force-complete", "reason", "sample")
	v.says("Close SN-00002 with steps open?")
	s.stands(second, 0, card.InProgress)
	v.press("Close SN-00002", "sure", "yes")
	s.stands(second, 0, card.Completed)
}

// A card shows where and how a unit ended, and who ended it.
func TestCardSaysHowItEnded(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(2, "Saw", "Turn", "Pack")
	ann, bob := s.works("Ann"), s.works("Bob")
	ann.visit("/serials/"+unit).press(`value="advance"`, "do", "advance")
	steps := func(v *visitor) string {
		v.visit("/serials/" + unit)
		_, list, _ := strings.Cut(v.page.html, `id="steps"`)
		list, _, _ = strings.Cut(list, "</ol>")
		return (&visitor{visitedShop: s, page: shown{html: list}}).text()
	}
	if text := steps(ann); !strings.Contains(text, "In progress since 2 Mar 08:00 3 Pack") || strings.Count(text, "Ann") != 1 {
		t.Errorf("Ann finished Saw and nothing else, but the card says: %s", text)
	}
	bob.visit("/serials/"+unit).press(`value="scrap"`, "do", "scrap", "reason", "damaged").press("Scrap SN-00001", "sure", "yes")
	if text := steps(bob); strings.Contains(text, "In progress") || !strings.Contains(text, "Turn Scrapped here Bob") || !strings.Contains(text, "Pack Not done") {
		t.Errorf("the scrapped card says: %s", text)
	}
	unit = "SN-00002"
	bob.visit("/serials/"+unit).press(`value="force-complete"`, "do", "force-complete").press("Close SN-00002", "sure", "yes")
	if text := steps(bob); strings.Contains(text, "In progress") || !strings.Contains(text, "Saw Closed here Bob") || !strings.Contains(text, "Turn Not done") {
		t.Errorf("the closed card says: %s", text)
	}
	bob.says("Completed with open steps, at Saw")
}

// On a board, every action that needs text has a separate form for the selected units, so that Enter does not lose any text.
func TestBoardHasOneFormForEachAction(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	jobID, _ := s.units(6, "Turn", "Grind")
	v := s.works("Dana")
	board := func() *visitor { return v.visit("/jobs/" + jobID) }
	tick := func(units ...string) (pairs []string) {
		for _, unit := range units {
			pairs = append(pairs, "serial", unit)
		}
		return pairs
	}
	// The form with the checkboxes has no text field.
	board()
	for _, found := range formTag.FindAllString(v.page.html, -1) {
		if strings.Contains(found, `name="serial"`) && (strings.Contains(found, "<textarea") || strings.Contains(found, `name="text"`) || strings.Contains(found, "<select")) {
			t.Error("the board has a field that Enter could lose")
		}
	}
	// Enter in this form only asks a question.
	v.press("data-all", append(tick("SN-00001", "SN-00002"), "do", "ask-advance")...)
	v.says("Advance 2 units by one step")
	s.stands("SN-00001", 0, card.InProgress)
	v.press("Advance SN-00001 and SN-00002", "do", "advance")
	v.says("2 units advanced.")
	s.stands("SN-00001", 1, card.InProgress)
	s.stands("SN-00003", 0, card.InProgress)

	board().press("data-all", append(tick("SN-00001", "SN-00003", "SN-00004"), "do", "ask-note")...)
	v.says("At Turn: SN-00003 and SN-00004")
	v.says("At Grind: SN-00001")
	v.press("Write it on", "do", "note", "text", "chatter")
	v.says("Note written on 3 units.")

	board().press("data-all", append(tick("SN-00003", "SN-00004", "SN-00005", "SN-00001"), "do", "ask-scrap")...)
	v.says("Scrap 4 units?")
	v.press("Scrap SN-00003 to SN-00005 and SN-00001", "do", "scrap", "reason", "other")
	v.says("Explain it")
	s.stands("SN-00003", 0, card.InProgress)
	v.press("Scrap SN-00003 to SN-00005 and SN-00001", "do", "scrap", "reason", "damaged")
	v.says("4 units scrapped.")
	s.stands("SN-00001", 1, card.Scrapped)

	board().press("data-all", "do", "ask-scrap")
	v.says("Tick at least one unit first")
}

// A form on an outdated board moves only the units that are still where the board showed them, and lists the others.
func TestStaleBoard(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	jobID, _ := s.units(3, "Turn", "Grind", "Wash")
	ann, bob := s.works("Ann"), s.works("Bob")
	bob.visit("/jobs/" + jobID)
	ann.visit("/serials/SN-00002").press(`value="advance"`, "do", "advance")
	bob.press("data-all", "serial", "SN-00001", "serial", "SN-00002", "serial", "SN-00003", "do", "advance")
	if bob.page.status != http.StatusConflict {
		t.Errorf("status %d, want 409", bob.page.status)
	}
	bob.says("2 of 3 units advanced. Not SN-00002: is at Grind by now.")
	if strings.Contains(bob.page.html, " checked>") { // pressing the button again would move those two a second time
		t.Error("units that were moved on are still ticked")
	}
	s.stands("SN-00002", 1, card.InProgress)
	s.stands("SN-00003", 1, card.InProgress)
	// A certificate is attached either to all ticked units or to none.
	certificate, err := s.service.CreateCertificate(t.Context(), shop.CreateCertificateInput{
		Type: input.Given("material"), Name: input.Given("Heat 4711"),
	})
	s.must(err)
	attached := func() (count int) {
		t.Helper()
		for _, err := range s.service.AttachmentsOfCertificate(t.Context(), certificate.ID) {
			s.must(err)
			count++
		}
		return count
	}
	bob.visit("/jobs/"+jobID).press("data-all", "serial", "SN-00002", "serial", "SN-00003", "do", "ask-attach")
	ann.visit("/serials/SN-00003").press(`value="advance"`, "do", "advance")
	form := bob.page.form(t, `value="attach"`).with("do", "attach", "certId", certificate.ID)
	if bob.post(form); bob.page.status != http.StatusConflict || attached() != 0 {
		t.Errorf("status %d, attached to %d units", bob.page.status, attached())
	}
	bob.says("SN-00003 is at Wash by now. Nothing was done.")
	bob.press("data-all", "serial", "SN-00002", "serial", "SN-00003", "do", "ask-attach")
	form = bob.page.form(t, `value="attach"`).with("do", "attach", "certId", certificate.ID)
	bob.post(form).says("Certificate attached to 2 units.")
	ann.visit("/serials/SN-00003").press(`value="advance"`, "do", "advance")
	if bob.post(form).says("Certificate attached to 2 units."); attached() != 2 { // the same form is sent again
		t.Errorf("attached to %d units", attached())
	}
}

// A forged form for a step that the route does not have is refused.
func TestBoardWithoutTheStep(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	jobID, _ := s.units(3, "Turn", "Grind")
	v := s.works("Dana")
	v.visit("/jobs/" + jobID)
	board := v.page
	for _, made := range [][]string{
		{"all", "99/3", "do", ""}, {"all", "-1/3", "do", ""}, {"all", "x", "do", ""}, {"all", "99/3", "do", "ask-scrap"},
		{"all", "99/3", "do", "ask-"}, {"serial", "SN-00001", "at:SN-00001", "x", "do", "ask-note"},
	} {
		v.page = board
		form := v.page.form(t, "data-all")
		form.values.Del("at:SN-00001")
		if v.post(form.with(made...)); v.page.status != http.StatusNotFound {
			t.Errorf("%v: status %d, want 404", made, v.page.status)
		}
		v.says("The route has no such step. Nothing was done. Look again.")
	}
}

// The page lists refusals before the user presses the button. "All here" includes all units of a column, not only those shown.
func TestAllUnitsHere(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	jobID, _ := s.units(45, "Turn", "Grind")
	ann, bob := s.works("Ann"), s.works("Bob")
	bob.visit("/jobs/" + jobID)
	stale := bob.page
	ann.visit("/serials/SN-00002").press(`value="advance"`, "do", "advance")
	bob.press("data-all", "serial", "SN-00001", "serial", "SN-00002", "do", "ask-scrap")
	bob.says("Would be refused: SN-00002 : is at Grind by now")
	bob.page = stale
	bob.press("data-all", "all", "0/45")
	bob.says("45 units at Turn")
	bob.press("ask-advance", "do", "ask-advance")
	bob.says("Advance 45 units by one step")
	bob.press("Advance these 45 units", "do", "advance")
	bob.says("There are now 44 units here, not 45. Nothing was changed.")
	s.stands("SN-00001", 0, card.InProgress)
	if !strings.Contains(bob.page.html, `name="all" value="0/44"`) {
		t.Error("the board does not offer all 44 units")
	}
	bob.press("data-all", "all", "0/44").press("ask-scrap", "do", "ask-scrap")
	bob.says("Scrap 44 units?")
	bob.press("Scrap these 44 units", "do", "scrap", "reason", "damaged")
	bob.says("44 units scrapped.")
	s.stands("SN-00045", 0, card.Scrapped)
	s.stands("SN-00002", 1, card.InProgress)
	// A column that shows all of its units has no such button.
	if strings.Contains(bob.page.html, `name="all"`) {
		t.Error("a column that shows all its units offers more")
	}
	// The list of units at one step also offers all of them. Other lists do not.
	list := regexp.MustCompile(`/serials\?job=[^"]*stepId=[^"]*`).FindString(html.UnescapeString(stale.html))
	if bob.visit("/serials?q=Valve"); strings.Contains(bob.page.html, `name="all"`) {
		t.Error("a search offers to act on all it finds")
	}
	bob.visit(list).says("No units match.")
	if strings.Contains(bob.page.html, `name="all"`) {
		t.Error("an empty step offers its units")
	}
	ann.visit("/jobs/"+jobID).press("Create units", "do", "create-serials", "quantity", "3", "sure", "yes")
	bob.visit(list).press("All 3 here", "all", "0/3").press("ask-advance", "do", "ask-advance").press("Advance these 3 units", "do", "advance")
	bob.says("3 units advanced.")
	bob.press("data-all", "serial", "SN-00002", "do", "ask-force-complete").press("Complete SN-00002", "do", "force-complete", "explanation", "sample")
	bob.says("1 unit completed with open steps.")
	s.stands("SN-00002", 1, card.Completed)
	// Forged values are refused.
	bob.visit("/jobs/"+jobID).press("Create units", "do", "advance", "all", "x/y")
	if bob.page.status < 400 {
		t.Errorf("status %d", bob.page.status)
	}
}

// If a form is sent again, it counts as the same request, with and without JavaScript.
func TestRepeatedForm(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	jobID, unit := s.units(1, "Saw", "Turn", "Pack")
	v := s.works("Dana")
	advance := v.visit("/serials/"+unit).page.form(t, `value="advance"`).with("do", "advance")
	v.post(advance).post(advance)
	v.says("Done, on to Pack")
	s.stands(unit, 1, card.InProgress)
	create := v.visit("/jobs/"+jobID).page.form(t, "Create units").with("do", "create-serials", "quantity", "2", "sure", "yes")
	v.post(create).post(create)
	v.says("Created 2 units: SN-00002 to SN-00003.")
	if v.visit("/serials/SN-00004"); v.page.status != http.StatusNotFound {
		t.Error("units were created twice")
	}
	// The same form with other values is a new request.
	create.values.Set("quantity", "1")
	v.post(create)
	v.says("Created 1 unit: SN-00004 to SN-00004.")
	// This also holds for the station's button, and for a code that is sent again after its response was lost.
	s.pass(time.Hour)
	done := v.visit("/scan?unit="+unit).page.form(t, `class="primary huge"`).with("do", "RC-DONE")
	v.post(done)
	s.pass(time.Hour)
	v.post(done)
	v.says("SN-00001 moved to the next step.")
	s.stands(unit, 2, card.InProgress)
	// This also holds for many units.
	scrap := v.visit("/jobs/"+jobID).press("data-all", "serial", "SN-00002", "serial", "SN-00003", "do", "ask-scrap").
		page.form(t, "Scrap SN-00002").with("do", "scrap", "reason", "damaged")
	v.post(scrap).post(scrap)
	v.says("2 units scrapped.")
}

// isSetting reports whether a form only stores a setting of the device, its operator or its language. Storing such a setting twice does no
// harm.
func isSetting(form string) bool {
	return attribute(form, "action") == "/operator" || attribute(form, "action") == "/language"
}

// On every page, every posted form contains the key of its rendering.
func TestEveryFormHasAKey(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	jobID, unit := s.units(3, "Saw", "Turn", "Wash", "Pack")
	v := s.works("Dana")
	v.visit("/serials/"+unit).press(`value="advance-to"`, "do", "advance-to", "target", "2")
	seen := map[string]bool{}
	for _, address := range []string{"/serials/" + unit, "/scan?unit=" + unit, "/jobs/" + jobID} {
		v.visit(address)
		for _, found := range formTag.FindAllStringSubmatch(v.page.html, -1) {
			if attribute(found[1], "method") != "post" || isSetting(found[1]) {
				continue
			}
			form := v.page.form(t, found[0])
			key := form.values.Get("once")
			if key == "" || seen[key] {
				t.Errorf("%s: the key %q of this form is missing or not its own:\n%s", address, key, found[0])
			}
			seen[key] = true
			if strings.HasPrefix(form.action, "/serials/") && !form.values.Has("expectedStepIndex") {
				t.Errorf("%s: this form does not say what step was seen:\n%s", address, found[0])
			}
		}
	}
}

// broken is a store that cannot be reached for changes.
type broken struct {
	sqlstore.Store
	down *bool
}

func (b broken) unavailable() error {
	if *b.down {
		return refusal.Refuse(refusal.DatabaseUnreachable)
	}
	return nil
}

func (b broken) Update(ctx context.Context, fn func(shop.Tx) error, options ...shop.UpdateOption) error {
	if err := b.unavailable(); err != nil {
		return err
	}
	return b.Store.Update(ctx, fn, options...)
}

func (b broken) ChangeCard(ctx context.Context, id string, rule func(card.Card) (card.Change, error)) error {
	if err := b.unavailable(); err != nil {
		return err
	}
	return b.Store.ChangeCard(ctx, id, rule)
}

// If the database cannot be reached, the page does not report this as the user's mistake, and keeps the input.
func TestUnavailableIsNoMistake(t *testing.T) {
	t.Parallel()
	down := false
	s := openShopOn(t, func(store sqlstore.Store) sqlstore.Store { return broken{store, &down} })
	_, unit := s.units(1, "Turn", "Grind")
	v := s.works("Dana")
	v.visit("/serials/" + unit)
	down = true
	v.press("Write note", "do", "note", "stepId", "step_x", "text", "chatter at 2000 rpm")
	if v.page.status != http.StatusServiceUnavailable {
		t.Errorf("status %d, want 503", v.page.status)
	}
	v.says("The database cannot be reached")
	v.says("chatter at 2000 rpm")
	v.visit("/scan?unit="+unit).press("RC-DONE", "do", "RC-DONE")
	if v.page.status != http.StatusServiceUnavailable {
		t.Errorf("at the station: status %d, want 503", v.page.status)
	}
	v.visit("/serials/SN-00099")
	if v.page.status != http.StatusNotFound {
		t.Errorf("an unknown unit: status %d", v.page.status)
	}
	v.says("There is no unit SN-00099.")
	v.post(posted{"/serials/" + unit, url.Values{"do": {"nonsense"}}})
	if v.page.status != http.StatusOK {
		t.Errorf("an unknown action: status %d", v.page.status)
	}
}

// losing is a store that loses the connection after a commit, before it can report the commit.
type losing struct {
	sqlstore.Store
	lost *bool
}

func (l losing) forgotten(err error) error {
	if err == nil && *l.lost {
		return refusal.Refuse(refusal.CommitUnknown)
	}
	return err
}

func (l losing) Update(ctx context.Context, fn func(shop.Tx) error, options ...shop.UpdateOption) error {
	return l.forgotten(l.Store.Update(ctx, fn, options...))
}

func (l losing) ChangeCard(ctx context.Context, id string, rule func(card.Card) (card.Change, error)) error {
	return l.forgotten(l.Store.ChangeCard(ctx, id, rule))
}

// If it is unknown whether a form was carried out, the page says so and offers to send the same form again. The same input in a new form
// would be carried out a second time.
func TestUncertainFormIsSentAgain(t *testing.T) {
	t.Parallel()
	lost := false
	s := openShopOn(t, func(store sqlstore.Store) sqlstore.Store { return losing{store, &lost} })
	job, unit := s.units(1, "Turn", "Grind", "Pack")
	v := s.works("Dana")
	uncertain := func() {
		t.Helper()
		if v.page.status != http.StatusServiceUnavailable {
			t.Errorf("status %d, want 503", v.page.status)
		}
		v.says("It is not known whether this was done: look before you try again. Send the same once more: what was done already is not done twice.")
		if strings.Contains(v.text(), "Idempotency-Key") {
			t.Error("the page speaks of the interface")
		}
	}
	const again = "Send it once more"
	v.visit("/jobs/" + job)
	lost = true
	v.press("New units", "do", "create-serials", "quantity", "2", "sure", "yes")
	uncertain()
	lost = false
	v.press(again)
	v.says("Created 2 units: SN-00002 to SN-00003.")
	if detail, err := s.service.Job(t.Context(), job); err != nil || detail.Progress.TotalSerials != 3 {
		t.Errorf("%+v, %v", detail.Progress, err)
	}
	for _, address := range []string{"/serials/" + unit, "/scan?unit=" + unit} {
		before, _ := s.at(unit)
		v.visit(address)
		lost = true
		if strings.HasPrefix(address, "/scan") {
			v.press("RC-DONE", "do", "RC-DONE")
		} else {
			v.press(`value="advance"`, "do", "advance")
		}
		uncertain()
		lost = false
		v.press(again)
		s.stands(unit, before+1, card.InProgress)
	}
}
