package web_test

import (
	"net/url"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/web"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// carriedOut describes a form of a page: the page, a piece of the form, its input, and the message after the form was carried out.
type carriedOut struct {
	route       string
	page, holds string
	says        string
	fields      []string
}

// last returns the newest entry of the audit trail.
func (s *visitedShop) last() int64 {
	s.t.Helper()
	sequence, err := s.views.LastAuditSequence(s.t.Context())
	s.must(err)
	return sequence
}

// repeats sends a form, goes back and sends the form again. Nothing is done the second time, and the page says that it was done before. A
// device that did not receive the first response gets that response.
func (v *visitor) repeats(send func() *visitor, name, says string) {
	v.t.Helper()
	before := "It was done before, from this page: "
	send().says(says)
	if strings.Contains(v.text(), before) || strings.Contains(v.page.html, `class="done before"`) {
		v.t.Errorf("%s: done for the first time:\n%s", name, v.page.html)
	}
	end := v.last()
	send().says(before + says)
	v.says("Nothing was done now.")
	if !strings.Contains(v.page.html, `class="done before"`) && !strings.Contains(v.page.html, `class="problem"`) {
		v.t.Errorf("%s: the band is green", name)
	}
	delete(v.cookies, "answered")
	send().says(says)
	if strings.Contains(v.text(), before) {
		v.t.Errorf("%s: the answer was lost, and is not given:\n%s", name, v.text())
	}
	if now := v.last(); now != end {
		v.t.Errorf("%s: the trail goes on to %d, it ended at %d", name, now, end)
	}
}

// For every form, a user who goes back in the browser and presses the button again is informed that nothing was done this time.
func TestGoingBackAndPressingAgain(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, unit := s.units(12, "Saw", "Turn", "Wash", "Mark")
	detail, err := s.service.Job(t.Context(), job)
	s.must(err)
	path := detail.Paths[0]
	other, _ := s.units(31, "Hone", "Pack")
	plated := s.plated(1)[0]
	finished, certified := s.certifiable(1)
	s.measured(other, 0, bore())
	honed, err := s.service.Job(t.Context(), other)
	s.must(err)
	hone, pathOfOther := honed.Paths[0].Steps[0].ID, "/jobs/"+other+"/paths/"+honed.Paths[0].ID
	for i := range int64(10) {
		_, err := s.service.RecordMeasurements(t.Context(), s.service.SerialPrefix().SerialID(13+i), shop.MeasureInput{
			Values: input.Given([]input.Input[shop.MeasuredInput]{input.Given(shop.MeasuredInput{
				Characteristic: input.Given(input.Written("7")), Value: input.Given(input.Written("12.50" + string('0'+byte(i%2)))),
			})}), UserID: input.Given("setup"),
		})
		s.must(err)
	}
	certificate := s.certificate("Heat 7")
	template := s.template("Usual", "Saw")
	report := s.report("SN-00012")
	file := s.fileOn(shop.FileSubject{Kind: shop.RecordSerial, ID: unit})
	dana := s.operator("Dana")
	v := s.visitor()
	v.cookies["operator"] = dana
	v.visit("/bom").press("Create", "do", "create", "name", "Valve", "partType", "Body", "quantity", "1", "jobs:0", job)
	bom := v.page.address
	v.visit("/instruments").press(`action="/instruments"`, "number", "M-017", "name", "Micrometer", "dueDate", "2999-07-31")
	instrument := v.page.address
	v.visit("/lots").press(">Record lot<", "lotNumber", "LOT-B", "material", "Grease")
	v.visit("/lots").press(">Record lot<", "lotNumber", "A-1", "material", "316L", "quantity", "100", "unit", "kg")
	lot := v.page.address
	card := func(id string) string { return "/serials/" + id }
	at := func(id string) []string { return []string{"pathId", path.ID, "serial", id, "at:" + id, "0"} }
	many := func(do string, fields ...string) carriedOut {
		return carriedOut{"POST /jobs/{id}", "/jobs/" + job, "data-board", "", append(append([]string{"do", do}, at("SN-00011")...), fields...)}
	}
	one := func(id, do, says string, fields ...string) carriedOut {
		return carriedOut{"POST /serials/{id}", card(id), `value="` + do + `"`, says, append([]string{"do", do}, fields...)}
	}
	steps := []string{"step", "Saw", "dependencyType", "preferred"}
	scrapped := one("SN-00003", "scrap", "SN-00003 scrapped.", "reason", "damaged", "sure", "yes")
	advanced := many("advance")
	advanced.says = "1 unit advanced."
	unused, err := s.service.CreatePath(t.Context(), shop.CreatePathInput{
		JobID: input.Given(job), Name: input.Given("Unused"), GoalQuantity: input.Given(1.0), Steps: stepsCalled("Saw"),
	})
	s.must(err)
	routes := map[string]bool{
		"POST /scan":     true,                         // has its own message: TestStationSaysWhatBackDoesNotDo
		"POST /operator": true, "POST /language": true, // have no message
		"POST /acts": true, // does nothing
	}
	for _, form := range []carriedOut{
		one(unit, "advance", unit+" advanced."),
		one(unit, "note", "Note written.", "stepId", path.Steps[0].ID, "text", "Chatter marks"),
		one(unit, "attach", "Certificate attached.", "certId", certificate),
		one(unit, "set-serial-number", "", "serialNumber", "VB-0001"),
		one(unit, "rework", "VB-0001 (SN-00001) was sent back.", "target", "0", "reason", "too small"),
		one("SN-00002", "advance-to", "SN-00002 advanced past 2 steps.", "target", "3"),
		one("SN-00002", "complete-deferred", "Deferred step completed."),
		one("SN-00002", "override", "The step counts as optional for SN-00002.", "reason", "the customer does it"),
		scrapped,
		one("SN-00004", "force-complete", "SN-00004 closed with steps open.", "reason", "needed", "sure", "yes"),
		one("SN-00005", "hold", "SN-00005 is on hold.", "reason", "crack"),
		one("SN-00005", "release", "SN-00005 is released.", "reason", "a scratch"),
		advanced,
		{"POST /serials/{id}/components", card("SN-00013"), `value="install"`, "Lot LOT-B is installed in SN-00013.",
			[]string{"do", "install", "component", "LOT-B"}},
		{"POST /serials/{id}/measurements", card("SN-00013"), "/measurements", "1 reading recorded.",
			[]string{"value:" + s.characteristic("SN-00023", "7"), "12.503"}},
		{"POST /jobs/{id}", "/jobs/" + job, `value="create-serials"`, "Created 2 units: SN-00046 to SN-00047.",
			[]string{"do", "create-serials", "quantity", "2", "sure", "yes"}},
		{"POST /jobs/{id}", "/jobs/" + job, `value="edit"`, "", []string{"do", "edit", "name", "Valve", "goalQuantity", "14"}},
		{"POST /jobs", "/jobs", "Create job", "Job created. Give it a route next.", []string{"name", "Lid", "goalQuantity", "3"}},
		{"POST /jobs/{id}/route", "/jobs/" + job + "/route", "Save route", "Route saved with 1 step.",
			append([]string{"do", "save", "name", "Second", "goalQuantity", "1", "advancementMode", "strict"}, steps...)},
		{"POST /jobs/{id}/paths/{path}", "/jobs/" + job + "/paths/" + unused.ID, "Save route", "Route saved with 1 step.",
			append([]string{"do", "save", "name", "Renamed", "goalQuantity", "1", "advancementMode", "strict"}, steps...)},
		{"POST /jobs/{id}/charts", "/jobs/" + other + "/charts", `name="characteristicId"`, "Limits frozen.",
			[]string{"reason", "study", "from", "2026-03-02T07:00", "to", "2026-03-02T09:00"}},
		{"POST /steps/{id}/characteristics", "/steps/" + hone + "/characteristics", `/characteristics" class="panel"`,
			"Saved: 0 characteristics at Hone.",
			[]string{"do", "save", "number", "", "name", "", "type", "number", "sample", "every"}},
		{"POST /jobs/{id}/paths/{path}/bom", pathOfOther, `/bom" class="grid"`, "Units that are created from now on need the parts of this bill.",
			[]string{"bomId", strings.TrimPrefix(bom, "/bom/")}},
		{"POST /steps/{id}/requirements", pathOfOther, "/steps/" + hone + "/requirements", "Saved what Hone requires.",
			[]string{"procedure", "TP-14"}},
		{"POST /nonconformances", "/nonconformances/new?units=SN-00006", `action="/nonconformances"`, "NCR-00002 is open.",
			[]string{"title", "Scratch", "severity", "minor", "units", "SN-00006"}},
		{"POST /nonconformances/{id}", "/nonconformances/" + report, ">Add to the report<", "", []string{"do", "add", "units", "SN-00007"}},
		{"POST /nonconformances/{id}", "/nonconformances/" + report, ">Decide<", "1 unit: use as is.",
			[]string{"do", "dispose", "serial", "SN-00012", "disposition", "use_as_is", "reason", "fits", "concession", "customer"}},
		{"POST /settings/organization", "/settings/organization", ">Save<", "Saved.",
			[]string{"name", "Northfield", "address", "12 Mill Lane", "lang", "de"}},
		{"POST /settings/notices", "/settings/notices", ">Save<", "Saved.", []string{"mail-backup_failed", "it@shop.example", "heldDays", "3", "dueDays", "7"}},
		{"POST /settings/notices/test", "/settings/notices", ">Send test<", "Tests accepted: 0 of 1.", []string{"kind", "backup_failed"}},
		{"POST /certs", "/certs", "Create certificate", "Certificate created.", []string{"type", "material", "name", "Heat 8"}},
		{"POST /library", "/library", `value="process"`, "", []string{"name", "Grind"}},
		{"POST /bom", "/bom", `value="create"`, "Bill of material created.",
			[]string{"do", "create", "name", "Kit", "partType", "Body", "quantity", "2", "jobs:0", job}},
		{"POST /bom/{id}", bom, `value="edit"`, "",
			[]string{"do", "edit", "partType", "Body", "quantity", "3", "jobs:0", job, "changeDescription", "more"}},
		{"POST /queue", "/queue?operator=nobody", `name="assignTo"`, "Turn assigned to Dana.",
			[]string{"assignTo", dana, "stepId", path.Steps[1].ID}},
		{"POST /users", "/users", "Add", "", []string{"name", "Kim"}},
		{"POST /templates", "/templates", "Create template", "Template created.", append([]string{"do", "save", "name", "Other"}, steps...)},
		{"POST /templates/{id}", "/templates/" + template.ID, "Save", "Template saved. Routes created from it stay unchanged.",
			append([]string{"do", "save", "name", "Usual, with a saw"}, steps...)},
		{"POST /instruments", "/instruments", `action="/instruments"`, "Instrument recorded.",
			[]string{"number", "M-018", "name", "Gauge", "dueDate", "2999-07-31"}},
		{"POST /instruments/{id}", instrument, ">Save<", "Saved.",
			[]string{"number", "M-017", "name", "Micrometer, digital", "dueDate", "2999-07-31"}},
		{"POST /instruments/{id}/calibrations", instrument, "/calibrations", "Calibration recorded.",
			[]string{"result", "pass", "dueDate", "2999-12-31"}},
		{"POST /lots", "/lots", ">Record lot<", "Lot A-2 recorded.", []string{"lotNumber", "A-2", "material", "6082"}},
		{"POST /lots/{id}", lot, `value="receive"`, "Delivery recorded.", []string{"do", "receive", "quantity", "2.5"}},
		{"POST /lots/{id}", lot, `value="hold"`, "The lot is on hold.", []string{"do", "hold", "reason", "wrong heat"}},
		{"POST /shipments", "/shipments", ">Record shipment<", "Shipment SHP-00001 recorded.", []string{"party", "Plating Ltd", "units", plated}},
		{"POST /shipments/{id}", "/shipments?id=SHP-00001", `value="receive"`, "1 unit received.", []string{"do", "receive", "which", "all"}},
		{"POST /conformances", "/conformances?job=" + finished, `value="issue"`, "Certificate COC-00001 issued.",
			[]string{"do", "issue", "customer", "Meyer", "orderNumber", "PO-7", "units", certified[0]}},
		{"POST /conformances/{id}", "/conformances?id=COC-00001", `value="reissue"`, "Revision 2 issued.", []string{"do", "reissue", "reason", "x", "customer", "M", "orderNumber", "P", "units", certified[0]}},
		{"POST /first-articles", "/first-articles?path=" + path.ID, ">Create first article<", "First article FAI-00001 created.",
			[]string{"units", "SN-00006", "kind", "full", "reason", "new part"}},
		{"POST /first-articles/{id}", "/first-articles?id=FAI-00001", `value="void"`, "First article voided.", []string{"do", "void", "reason", "x"}},
		{"POST /recall", "/recall?cause=lot&of=LOT-B", `action="/recall"`, "On hold: 1 unit and 1 lot.", []string{"reason", "doubt"}},
		{"POST /files/{id}", "/files/" + file, ">Void<", "Voided.", []string{"reason", "another unit"}},
	} {
		routes[form.route] = true
		posted := v.visit(form.page).page.form(t, form.holds)
		for i := 0; i+1 < len(form.fields); i += 2 {
			posted.values.Del(form.fields[i])
		}
		posted = posted.with(form.fields...)
		// If a form was never sent, the server says so, and refuses the form from then on.
		name, end := form.route+" "+posted.values.Get("do"), v.last()
		late := posted.under("late")
		if told := v.became(late, 0); told.State != "not" {
			t.Errorf("%s: a form that was not sent is %+v", name, told)
		}
		v.lost(late)
		if now := v.last(); now != end {
			t.Errorf("%s: a form of which the page was told that it was not done was carried out", name)
		}
		v.repeats(func() *visitor { return v.post(posted) }, name, form.says)
		end = v.last()
		if told := v.became(posted, 0); told.State != "done" {
			t.Errorf("%s: a form that was carried out is %+v", name, told)
		}
		if now := v.last(); now != end {
			t.Errorf("%s: asking what became of the form wrote to the trail", name)
		}
	}

	// If a form was carried out in part, its message replaces the refusal.
	partly := v.visit("/jobs/"+job).page.form(t, "data-board").with("do", "advance", "pathId", path.ID,
		"serial", "SN-00003", "at:SN-00003", "0", "serial", "SN-00008", "at:SN-00008", "0")
	v.repeats(func() *visitor { return v.post(partly) }, "a part", "1 of 2 units advanced.")
	v.link("Undo this one") // the reported change can be undone as well
	asked := v.post(posted{"/serials", url.Values{"do": {"ask-hold"}, "serial": {"SN-00011"}}})
	hold := asked.page.form(t, `value="hold"`).with("do", "hold", "reason", "dent")
	v.repeats(func() *visitor { return v.post(hold) }, "hold", "1 unit put on hold.")
	held := regexp.MustCompile(`name="hold" value="([^"]+ SN-00011)"`).FindStringSubmatch(v.visit("/holds").page.html)[1]
	release := v.page.form(t, `value="release"`).with("do", "release", "reason", "fine", "hold", held)
	v.repeats(func() *visitor { return v.post(release) }, "release", "1 unit released.")
	routes["POST /serials"], routes["POST /holds"] = true, true
	// A batch is undone once.
	v.visit("/jobs/"+job).press("data-board", append([]string{"do", "advance"}, append(at("SN-00009"), at("SN-00010")[2:]...)...)...)
	back := v.visit(v.link("Undo these 2")).page.form(t, "Undo 2 units").with("reason", "not these")
	v.repeats(func() *visitor { return v.post(back) }, "take back", "Undone: 2 units.")
	routes["POST /jobs/{id}/take-back"] = true
	const orders = "name;goalQuantity\nShaft;5\n"
	v.visit("/import")
	bring, _ := v.importForm("jobs", "import", orders)
	v.repeats(func() *visitor { return v.sendFile(bring, orders) }, "import", "1 created, 0 changed, 0 unchanged.")
	for _, route := range web.Patterns() {
		if strings.HasPrefix(route, "POST ") && !strings.HasPrefix(route, "POST /import/") && !routes[route] {
			t.Errorf("%s is not tried", route)
		}
	}
	// With other values it counts as another form.
	note := v.visit(card("SN-00010")).page.form(t, `value="note"`).with("do", "note", "stepId", path.Steps[0].ID, "text", "Chatter marks")
	v.post(note).says("Note written.")
	note.values.Set("text", "Coolant changed")
	if v.post(note).says("Note written."); strings.Contains(v.text(), "It was done before") {
		t.Error("another note is told as the first one")
	}
	// The form of the second tap of a double tap also counts as another form if it arrives after the response to the form with other
	// values.
	note.values.Set("text", "Burrs")
	answered := v.cookies["answered"]
	v.post(note).says("Note written.")
	v.cookies["answered"] = answered // the page after the first tap was not shown
	if v.post(note).says("Note written."); strings.Contains(v.text(), "It was done before") {
		t.Error("the second tap is told that the note was written before")
	}
}

// The same holds with sign-in.
func TestGoingBackWhereOneSignsIn(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	id := s.person("anna", "operator")
	boss := s.signedIn("boss")
	for _, form := range []carriedOut{
		{"", "/settings/signatures", "Save", "Saved.", []string{"scrap", "self"}},
		{"", "/users/" + id, `value="account"`, "Account saved.", []string{"role", "lead"}},
	} {
		posted := boss.visit(form.page).page.form(t, form.holds)
		for i := 0; i+1 < len(form.fields); i += 2 {
			posted.values.Del(form.fields[i])
		}
		posted = posted.with(form.fields...)
		boss.repeats(func() *visitor { return boss.post(posted) }, form.page, form.says)
	}
}
