package web_test

import (
	"fmt"
	"net/http"
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// setActive makes an operator active or inactive.
func (s *visitedShop) setActive(id string, active bool) {
	s.t.Helper()
	if _, err := s.service.UpdateUser(s.t.Context(), id, shop.UpdateUserInput{Active: input.Given(active)}); err != nil {
		s.t.Fatal(err)
	}
}

// signer returns the author of the newest entry of a unit.
func (s *visitedShop) signer(unit string) string {
	s.t.Helper()
	card, err := s.views.Card(s.t.Context(), unit)
	if err != nil {
		s.t.Fatal(err)
	}
	return card.Trail[len(card.Trail)-1].UserID
}

// An operator is chosen by name and stored by identifier, and may act only while active.
func TestOperatorsAreChosenFromAList(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Wash")
	v := s.visitor()
	// In an empty shop the first typed name becomes the first operator.
	v.visit("/").press("Your name", "name", "Dana")
	dana := v.cookies["operator"]
	if !strings.HasPrefix(dana, "user_") {
		t.Fatalf("the device keeps %q", dana)
	}
	v.says("Working as")
	quinn := s.operator("Quinn")
	v.visit("/serials/"+unit).press(`value="advance"`, "do", "advance")
	if got := s.signer(unit); got != dana {
		t.Errorf("signed by %q, want %q", got, dana)
	}
	v.says("Dana")
	// An old or unknown value of the cookie identifies no operator.
	for _, cookie := range []string{"Dana", "user_nobody", ""} {
		v.cookies["operator"] = url.QueryEscape(cookie)
		v.visit("/serials/"+unit).press(`value="advance"`, "do", "advance")
		if v.page.status != http.StatusBadRequest {
			t.Errorf("with the cookie %q: status %d", cookie, v.page.status)
		}
	}
	v.visit("/").post(posted{"/operator", url.Values{"operator": {"Rowan"}}})
	v.says("No operator is called “Rowan”.")
	// Neither does the cookie of an operator who is now inactive.
	v.cookies["operator"] = quinn
	v.visit("/serials/" + unit)
	s.setActive(quinn, false)
	v.press(`value="advance"`, "do", "advance", "userId", quinn)
	if v.page.status != http.StatusBadRequest {
		t.Errorf("an inactive operator acted: status %d", v.page.status)
	}
	v.says("Quinn is no longer active.")
	if strings.Contains(v.visit("/").page.html, ">Quinn<") {
		t.Error("an inactive operator is offered")
	}
	s.stands(unit, 1, card.InProgress)
	// The form asks for the operator, and the device remembers the choice.
	v.visit("/serials/"+unit).press(`value="advance"`, "do", "advance", "userId", dana)
	s.stands(unit, 2, card.InProgress)
	if v.cookies["operator"] != dana {
		t.Errorf("the device keeps %q", v.cookies["operator"])
	}
}

// The approver must be chosen for each approval. The form marks the current operator.
func TestApproverIsChosenAnew(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Wash", "Pack")
	v := s.works("Dana")
	quinn := s.operator("Quinn")
	v.visit("/serials/"+unit).press(`value="advance-to"`, "do", "advance-to", "target", "2")
	v.says("Dana – same person as the requester")
	v.press(`value="waive"`, "do", "waive", "reason", "Customer agreed")
	if v.page.status != http.StatusBadRequest {
		t.Errorf("waived without an approver: status %d", v.page.status)
	}
	v.press(`value="waive"`, "do", "waive", "reason", "Customer agreed", "approverId", quinn)
	if got := s.signer(unit); got != quinn {
		t.Errorf("approved by %q, want %q", got, quinn)
	}
}

// If there are many operators, the pages do not list them. The user types a name or a part of it, and the operators who recently used the
// device are offered first. If a name matches no operator or several, nothing is done, and the page says why.
func TestOneOfManyPeopleIsTyped(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	_, unit := s.units(1, "Turn", "Grind", "Wash", "Pack", "Ship")
	ids := map[string]string{}
	for i := range 120 {
		name := fmt.Sprintf("Operator %03d", i)
		ids[name] = s.operator(name)
	}
	twins := []string{s.operator("Kim"), s.operator("Kim")}
	gone := s.operator("Gonzo")
	s.setActive(gone, false)
	v := s.visitor()
	for _, address := range []string{"/", "/scan", "/queue", "/serials/" + unit} {
		v.visit(address)
		if offered := strings.Count(v.page.html, "Operator 1"); offered > 60 {
			t.Errorf("%s lists everybody", address)
		}
		if strings.Contains(v.page.html, "Gonzo") {
			t.Errorf("%s offers somebody who may not act", address)
		}
	}
	v.visit("/").press(`list="people"`, "operator", "operator 117")
	if got := v.cookies["operator"]; got != ids["Operator 117"] {
		t.Errorf("the device keeps %q", got)
	}
	v.says("You work as Operator 117 now.")
	v.visit("/").says("Working as Operator 117")
	v.press(`list="people"`, "operator", "05") // several operators match
	v.says("“05” can be more than one operator: Operator 005; Operator 050")
	v.visit("/").press(`list="people"`, "operator", "Kim")
	v.says("Kim [" + twins[0] + "]; Kim [" + twins[1] + "]")
	v.visit("/").press(`list="people"`, "operator", "Kim ["+twins[1]+"]")
	if got := v.cookies["operator"]; got != twins[1] {
		t.Errorf("the device keeps %q", got)
	}
	v.visit("/").press(`list="people"`, "operator", gone)
	v.says("Gonzo is no longer active.")
	// If the device has no operator, a unit's page asks for one.
	v.visit("/").press("Stop working as", "operator", "")
	for typed, why := range map[string]string{"Rowan": "No operator is called “Rowan”.", "": "Choose who is working."} {
		v.visit("/serials/"+unit).press(`value="advance"`, "do", "advance", "userId", typed)
		v.says(why)
	}
	s.stands(unit, 0, card.InProgress)
	v.visit("/serials/"+unit).press(`value="advance"`, "do", "advance", "userId", "Operator 033")
	s.stands(unit, 1, card.InProgress)
	if got := s.signer(unit); got != ids["Operator 033"] {
		t.Errorf("signed by %q", got)
	}
	// Recent operators come first.
	first := strings.Index(v.visit("/scan").page.html, `<option value="Operator 033"`)
	if second := strings.Index(v.page.html, `<option value="Kim [`+twins[1]); first < 0 || second < first {
		t.Errorf("033 stands at %d, Kim at %d in the list", first, second)
	}
	// The approver is also typed.
	v.visit("/serials/"+unit).press(`value="advance-to"`, "do", "advance-to", "target", "3")
	v.visit("/serials/"+unit).press(`value="waive"`, "do", "waive", "reason", "Customer agreed", "approverId", "Rowan")
	v.says("No operator is called “Rowan”.")
	v.visit("/serials/"+unit).press(`value="waive"`, "do", "waive", "reason", "Customer agreed", "approverId", "Operator 044")
	if got := s.signer(unit); got != ids["Operator 044"] {
		t.Errorf("approved by %q", got)
	}
	if size := len(v.visit("/serials/" + unit).page.html); size > 60_000 {
		t.Errorf("the card has %d bytes", size)
	}
	// The operator of the queue and the new assignee of work are typed as well.
	v.visit("/queue?operator=nobody")
	step := regexp.MustCompile(`name="stepId" value="([^"]+)"`).FindStringSubmatch(v.page.html)[1]
	v.press("assignTo", "stepId", step, "assignTo", "Rowan")
	v.says("No operator is called “Rowan”.")
	v.visit("/queue?operator=nobody").press("assignTo", "stepId", step, "assignTo", "Operator 077")
	v.says("assigned to Operator 077.")
	v.visit("/queue?operator=" + url.QueryEscape("Operator 077"))
	v.says("1 unit")
	v.visit("/queue?operator=Rowan")
	v.says("No operator is called “Rowan”.")
	v.visit("/queue?operator=Everybody").press("assignTo", "stepId", step, "assignTo", "Nobody")
	v.says("assigned to nobody.")
	if found := v.visit("/pick/operator?operator=11").page.html; strings.Count(found, "<option") != 11 || !strings.Contains(found, "Operator 011") {
		t.Errorf("for 11 there are offered: %s", found)
	}
}

// Texts with right-to-left names keep their word order: bands, changes by others, refusals and signatures.
func TestSentencesKeepNamesApart(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(3, "חיתוך", "خراطة", "Pack")
	yusuf := s.operator("يوسف")
	v := s.works("דנה")
	shows := func(html string) {
		t.Helper()
		if !strings.Contains(v.page.html, html) {
			t.Errorf("%s does not show %s:\n%s", v.page.address, html, v.text())
		}
	}
	v.visit("/scan").press(`id="code"`, "code", unit)
	shown := v.page
	_, err := s.service.AdvanceSerial(t.Context(), unit, shop.AdvanceSerialInput{UserID: input.Given(yusuf)})
	s.must(err)
	v.visit(shown.address)
	shows("<bdi>يوسف</bdi>, 08:00: Unit advanced from <bdi>חיתוך</bdi> to <bdi>خراطة</bdi>. It is at <bdi>خراطة</bdi> now.")
	card := v.visit("/serials/" + unit).page
	_, err = s.service.AdvanceSerial(t.Context(), unit, shop.AdvanceSerialInput{UserID: input.Given(yusuf)})
	s.must(err)
	v.page = card
	v.press(`value="attach"`, "do", "attach", "certId", s.certificate("Heat 7")).says("is at Pack by now")
	v.visit("/serials/"+unit).press(`value="hold"`, "do", "hold", "reason", "crack")
	shows(`<bdi>דנה</bdi>, <time`)
	detail, err := s.service.Job(t.Context(), job)
	s.must(err)
	v.visit("/queue?operator=nobody").press(`name="assignTo"`, "assignTo", yusuf, "stepId", detail.Paths[0].Steps[0].ID)
	shows("<bdi>חיתוך</bdi> assigned to <bdi>يوسف</bdi>.")
	v.cookies["operator"] = yusuf
	v.post(card.form(t, `value="note"`).with("do", "note", "stepId", detail.Paths[0].Steps[0].ID, "text", "x"))
	shows("<bdi>يوسف</bdi> works here now, and the page showed somebody else.")
}

// After the operator was switched, the same page is shown again, even if the page has its own path.
func TestSwitchOfOperatorLeadsBack(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(2, "Saw", "Turn")
	detail, err := s.service.Job(t.Context(), job)
	s.must(err)
	step := detail.Paths[0].Steps[0].ID
	v := s.works("Dana")
	for _, address := range []string{"/", "/jobs/" + job, "/steps/" + step, "/steps/" + step + "/characteristics", "/serials/" + unit,
		"/nonconformances/new?units=" + unit, "/queue?operator=nobody"} {
		if back := v.visit(address).page.form(t, `action="/operator"`).values.Get("back"); v.page.status != 200 || back != address {
			t.Errorf("%s, %d: it leads to %q", address, v.page.status, back)
		}
	}
}

// Every page and every file marks an assigned operator who has become inactive.
func TestInactiveAssigneesAreMarked(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	addresses := s.addresses()
	leaver := s.operator("Lee Gone")
	job, unit := s.units(2, "Mill", "Grind")
	detail, err := s.service.Job(t.Context(), job)
	s.must(err)
	step := detail.Paths[0].Steps[0].ID
	_, err = s.service.AssignStep(t.Context(), step, shop.AssignStepInput{UserID: input.Given(leaver)})
	s.must(err)
	s.setActive(leaver, false)
	addresses["queue"] = []string{"/queue", "/queue?operator=" + leaver, "/queue?operator=everybody"}
	addresses["export"] = []string{"/serials?as=csv"}
	addresses["step"] = []string{"/steps/" + step, "/serials/" + unit, "/scan?unit=" + unit, "/jobs/" + job}
	for _, trail := range []string{"GET /audit", "GET /audit/proof/{id}"} { // these record the name that was in use at that time
		delete(addresses, trail)
	}
	v := s.works("Dana")
	past := regexp.MustCompile(`[Aa]ssigned to [^<]*<|→ [^<]*<|value="[^"]*"`) // audit entries and fields
	marked := 0
	for _, pages := range addresses {
		for _, page := range pages {
			body := v.answer(page).Body.String()
			shown := past.ReplaceAllString(body, "")
			found := strings.Count(shown, "Lee Gone")
			if marks := strings.Count(shown, "Lee Gone (inactive)"); marks != found && !(page == "/users" && strings.Contains(shown, `<tr class="inactive"`)) {
				t.Errorf("%s marks %d of %d: %q", page, marks, found, regexp.MustCompile(`.{0,40}Lee Gone.{0,20}`).FindAllString(shown, -1))
			} else {
				marked += marks
			}
		}
	}
	if marked < 5 { // the board, three queues, the list of units and its file
		t.Errorf("%d places show the operator", marked)
	}
}
