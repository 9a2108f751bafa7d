package web_test

import (
	"fmt"
	"net/http"
	"regexp"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// changedMeanwhile fails unless a form was refused because its record was changed after the form was rendered.
func (v *visitor) changedMeanwhile(told ...string) {
	v.t.Helper()
	if v.page.status != http.StatusPreconditionFailed {
		v.t.Errorf("%s: status %d, want 412", v.page.address, v.page.status)
	}
	v.says("meanwhile. Nothing was saved: the form shows what is there now.")
	for _, text := range told {
		v.says(text)
	}
}

// notDeleted fails if a record was deleted although it was changed after the page was rendered.
func (v *visitor) notDeleted(what string) {
	v.t.Helper()
	if v.page.status != http.StatusPreconditionFailed {
		v.t.Errorf("%s: status %d, want 412", v.page.address, v.page.status)
	}
	v.says("Somebody changed the " + what + " meanwhile. It was not deleted: the page shows what is there now.")
}

// Saving the department of an operator on an outdated page does not make the operator active again after another user has made them
// inactive.
func TestStaleOperator(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	zora := s.operator("Zora")
	holds := `name="id" value="` + zora + `"`
	is := func(department string, active bool) {
		t.Helper()
		if user, err := s.service.User(t.Context(), zora); err != nil || user.Department != department || user.Active != active {
			t.Errorf("%+v, %v", user, err)
		}
	}
	a, b := s.works("Ann"), s.works("Bob")
	a.visit("/users")
	b.visit("/users").press(holds, "name", "Zora", "department", "").says("Operator saved.")
	is("", false)
	a.press(holds, "name", "Zora", "department", "Milling", "active", "yes")
	a.changedMeanwhile("Somebody changed Zora meanwhile.", "You had typed: Department: Milling (now nothing). Active: yes (now no).")
	is("", false)
	// The new page saves the form. If the form is sent again, it gets the response of the first request.
	form := a.page.form(t, holds).with("name", "Zora", "department", "Milling")
	a.post(form).says("Operator saved.")
	is("Milling", false)
	b.visit("/users").press(holds, "name", "Zora", "department", "Milling", "active", "yes").says("Operator saved.")
	a.post(form).says("Operator saved.")
	is("Milling", true)
	// A form that lacks the state that was read is refused too.
	form.values.Del("read")
	a.post(form).changedMeanwhile()
	is("Milling", true)
}

// stepTyped finds the names in the rows of the editor.
var stepTyped = regexp.MustCompile(`name="step" list="names" (value="[^"]*")`)

// The editor of a route does not overwrite another user's changes, and a step keeps its records.
func TestStaleRoute(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := t.Context()
	job, err := s.service.CreateJob(ctx, shop.CreateJobInput{Name: input.Given("Valve"), GoalQuantity: input.Given(5.0)})
	s.must(err)
	step := func(name string) input.Input[shop.StepInput] {
		return input.Given(shop.StepInput{Name: input.Given(name)})
	}
	path, err := s.service.CreatePath(ctx, shop.CreatePathInput{
		JobID: input.Given(job.ID), Name: input.Given("Main"), GoalQuantity: input.Given(5.0),
		Steps: input.Given([]input.Input[shop.StepInput]{step("Saw"), step("Turn"), step("Pack")}),
	})
	s.must(err)
	is := func(want string) {
		t.Helper()
		now, err := s.service.Path(ctx, path.ID)
		s.must(err)
		names := []string{now.Name}
		for _, step := range now.Steps {
			names = append(names, step.Name)
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("the route is %s, want %s", got, want)
		}
	}
	editor := "/jobs/" + job.ID + "/paths/" + path.ID
	rows := func(name, goal string, steps ...string) []string {
		pairs := []string{"name", name, "goalQuantity", goal, "advancementMode", "strict"}
		for _, step := range steps {
			pairs = append(pairs, "step", step, "location", "", "dependencyType", "preferred")
		}
		return pairs
	}
	save := func(v *visitor, pairs []string) { v.t.Helper(); v.press("Save route", append(pairs, "do", "save")...) }
	a, b := s.works("Ann"), s.works("Bob")

	// One user renames the route. The other changes the goal in an editor that was opened before.
	a.visit(editor)
	b.visit(editor)
	save(b, rows("Main 2", "5", "Saw", "Turn", "Pack"))
	b.says("Route saved with 3 steps.")
	save(a, rows("Main", "7", "Saw", "Turn", "Pack"))
	a.changedMeanwhile("You had typed: Name: Main (now Main 2). Goal quantity: 7 (now 5).")
	is("Main 2 Saw Turn Pack")
	save(a, rows("Main 2", "7", "Saw", "Turn", "Pack"))
	a.says("Route saved with 3 steps.")

	// A step is moved in an editor, and in the meantime units are created.
	a.visit(editor).press("Save route", append(rows("Main 2", "7", "Saw", "Turn", "Pack"), "do", "up:1")...)
	if !strings.Contains(a.page.html, `name="step" list="names" value="Turn"`) {
		t.Error("the step is not moved in the editor")
	}
	_, err = s.service.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: input.Given(job.ID), PathID: input.Given(path.ID), Quantity: input.Given(1.0), UserID: input.Given("ann"),
	})
	s.must(err)
	save(a, rows("Main 2", "7", "Turn", "Saw", "Pack"))
	a.says("Turn cannot come to the other side of Saw: there are 1 unit. Move these units first, or keep the order.")
	is("Main 2 Saw Turn Pack")

	// A step that units refer to cannot be removed, not even with a forged button. New steps can be removed, and all steps can be moved.
	a.visit(editor).says("so none can be removed")
	before := a.page
	for do, want := range map[string]string{
		"remove:1": "Saw Turn Pack Wash", "remove:3": "Saw Turn Pack", "up:3": "Saw Turn Wash Pack", "down:1": "Saw Pack Turn Wash",
	} {
		a.page = before
		a.press("Save route", append(rows("Main 2", "7", "Saw", "Turn", "Pack", "Wash"), "do", do)...)
		var names []string
		for _, found := range stepTyped.FindAllStringSubmatch(a.page.html, -1) {
			names = append(names, strings.Trim(found[1], `value="`))
		}
		if got := strings.Join(names, " "); got != want {
			t.Errorf("%s: %s, want %s", do, got, want)
		}
	}
	// A form without identifiers, such as that of an older program, does not replace the steps by new ones.
	a.visit(editor)
	form := a.page.form(t, "Save route")
	form.values.Del("stepId")
	form.values.Set("do", "save")
	a.post(form).changedMeanwhile()

	// An inserted step does not take over the records of another step.
	bore := path.Steps[1].ID
	otto, err := s.service.CreateUser(ctx, shop.CreateUserInput{Name: input.Given("Otto")})
	s.must(err)
	_, err = s.service.AssignStep(ctx, bore, shop.AssignStepInput{UserID: input.Given(otto.ID)})
	s.must(err)
	a.visit(editor).press("Save route", append(rows("Main 2", "7", "Saw", "Turn", "Pack", "Wash"), "do", "up:3")...)
	a.press("Save route", append(rows("Main 2", "7", "Saw", "Turn", "Wash", "Pack"), "do", "up:2")...)
	save(a, rows("Main 2", "7", "Saw", "Wash", "Turn", "Pack"))
	a.says("Route saved with 4 steps.")
	is("Main 2 Saw Wash Turn Pack")
	if now, err := s.service.Path(ctx, path.ID); err != nil || now.Steps[2].ID != bore || now.Steps[2].AssignedTo != otto.ID ||
		now.Steps[1].AssignedTo != "" {
		t.Errorf("%+v, %v", now.Steps, err)
	}
	a.visit(editor)
	_, err = s.service.AdvanceSerial(ctx, "SN-00001", shop.AdvanceSerialInput{UserID: input.Given("ann")})
	s.must(err)
	save(a, rows("Main 3", "7", "Saw", "Wash", "Turn", "Pack")) // units may move in the meantime
	a.says("Route saved with 4 steps.")
}

// If a form contains the index of a step and another step has that index now, the form does not move a unit to that step.
func TestStaleTarget(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := t.Context()
	jobID, _ := s.units(1, "Saw", "Turn", "Grind", "Pack")
	job, err := s.service.Job(ctx, jobID)
	s.must(err)
	path := job.Paths[0]
	_, err = s.service.UpdateAdvancementMode(ctx, path.ID, input.Given("flexible"), input.Given("lead"))
	s.must(err)
	a := s.works("Ann")
	inserted := func(place int) {
		t.Helper()
		now, err := s.service.Path(ctx, path.ID)
		s.must(err)
		steps := []input.Input[shop.RouteStepInput]{}
		for i, step := range now.Steps {
			if i == place {
				steps = append(steps, input.Given(shop.RouteStepInput{StepInput: shop.StepInput{Name: input.Given("Wash")}}))
			}
			steps = append(steps, input.Given(shop.RouteStepInput{ID: input.Given(step.ID)}))
		}
		_, err = s.service.ReplaceSteps(ctx, path.ID, shop.ReplaceStepsInput{Steps: input.Given(steps)})
		s.must(err)
	}
	stands := func(want string) {
		t.Helper()
		card, err := s.views.Card(ctx, "SN-00001")
		s.must(err)
		if got := card.Card.Current().Name; got != want {
			t.Errorf("the unit stands at %s, want %s", got, want)
		}
	}
	a.visit("/serials/SN-00001")
	inserted(1)
	a.press(`value="advance-to"`, "do", "advance-to", "target", "2").says("The steps of the route have changed. Nothing was done.")
	stands("Saw")
	a.press(`value="advance-to"`, "do", "advance-to", "target", "3")
	stands("Grind")
	a.visit("/serials/SN-00001")
	inserted(4)
	a.press(`value="rework"`, "do", "rework", "target", "1", "reason", "too small").says("The steps of the route have changed. Nothing was done.")
	a.press(`value="rework"`, "do", "rework", "target", "0", "reason", "too small")
	stands("Saw")
}

// Forms of jobs and route templates do not overwrite another user's changes either.
func TestStaleJobAndTemplate(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := t.Context()
	job, _ := s.units(2, "Turn", "Grind")
	template := s.template("Shafts", "Saw", "Saw")
	a, b := s.works("Ann"), s.works("Bob")

	edit := `value="edit"`
	a.visit("/jobs/" + job)
	b.visit("/jobs/"+job).press(edit, "do", "edit", "name", "Valve body, new", "goalQuantity", "2").says("Job saved.")
	a.press(edit, "do", "edit", "name", "Valve body", "goalQuantity", "9")
	a.changedMeanwhile("Somebody changed the job meanwhile.", "Name: Valve body (now Valve body, new). Goal quantity: 9 (now 2).")
	a.press(edit, "do", "edit", "name", "Valve body, new", "goalQuantity", "9").says("Job saved.")
	a.visit("/jobs/" + job)
	_, err := s.service.AdvanceSerial(ctx, "SN-00001", shop.AdvanceSerialInput{UserID: input.Given("ann")})
	s.must(err)
	a.press(edit, "do", "edit", "name", "Valve body", "goalQuantity", "9").says("Job saved.") // units may move in the meantime

	save := func(v *visitor, do string, steps ...string) *visitor {
		v.t.Helper()
		pairs := []string{"name", "Shafts", "do", do}
		for _, step := range steps {
			pairs = append(pairs, "step", step, "location", "", "dependencyType", "preferred")
		}
		return v.press("Save template", pairs...)
	}
	a.visit("/templates/" + template.ID)
	save(a, "up:1", "Saw", "Turn")
	save(b.visit("/templates/"+template.ID), "save", "Saw", "Mill").says("Template saved.")
	save(a, "save", "Turn", "Saw")
	a.changedMeanwhile("Somebody changed the template meanwhile.", "Step 1: Turn (now Saw). Step 2: Saw (now Mill).")
	save(a, "save", "Turn", "Saw", "Mill").says("Template saved.")
	if now, err := s.service.Template(ctx, template.ID); err != nil || len(now.Steps) != 3 {
		t.Errorf("%+v, %v", now, err)
	}
}

// The form of a bill of materials does not overwrite another user's changes, which would remove the part type that this user added.
func TestStaleBill(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := t.Context()
	job, _ := s.units(2, "Turn")
	id := s.bom("Kit", job)
	is := func(want string) {
		t.Helper()
		now, err := s.service.BOM(ctx, id)
		s.must(err)
		got := now.Name
		for _, entry := range now.Entries {
			got += fmt.Sprintf(", %s %g", entry.PartType, entry.RequiredQuantityPerBuild)
		}
		if got != want {
			t.Errorf("the bill is %s, want %s", got, want)
		}
	}
	save := func(v *visitor, do string, lines ...string) *visitor {
		v.t.Helper()
		pairs := []string{"do", do, "changeDescription", "Drawing C", "jobs:0", job}
		for i := 0; i < len(lines); i += 2 {
			pairs = append(pairs, "partType", lines[i], "quantity", lines[i+1])
		}
		return v.press("Save as a new version", pairs...)
	}
	rename := func(v *visitor, name string) *visitor {
		v.t.Helper()
		return v.press(`value="rename"`, "do", "rename", "name", name)
	}
	a, b := s.works("Ann"), s.works("Bob")
	a.visit("/bom/" + id)
	save(a, "add", "bolt", "3", "", "")
	save(b.visit("/bom/"+id), "edit", "bolt", "2", "nut", "4").says("Bill of material saved.")
	save(a, "edit", "bolt", "3", "washer", "2")
	a.changedMeanwhile("Somebody changed the bill meanwhile.",
		"Per assembly 1: 3 (now 2). Part type 2: washer (now nut). Per assembly 2: 2 (now 4).")
	if strings.Contains(a.page.html, `value="washer"`) || !strings.Contains(a.page.html, `value="Drawing C"`) {
		t.Error("the form does not show what is there now, with why it was to change")
	}
	is("Kit, bolt 2, nut 4")
	save(a, "edit", "bolt", "3", "nut", "4").says("Bill of material saved.")
	is("Kit, bolt 3, nut 4")

	// Only data that the form can change counts: finished units and a new name do not affect the form for the lines.
	a.visit("/bom/" + id)
	b.visit("/bom/" + id)
	_, err := s.service.AdvanceSerial(ctx, "SN-00001", shop.AdvanceSerialInput{UserID: input.Given("ann")})
	s.must(err)
	rename(b, "Kit B").says("Bill of material saved.")
	stale := a.page
	save(a, "edit", "bolt", "5", "nut", "4").says("Bill of material saved.")
	a.page = stale
	rename(a, "Kit A")
	a.changedMeanwhile("Name: Kit A (now Kit B).")
	is("Kit B, bolt 5, nut 4")
	rename(a, "Kit A").says("Bill of material saved.")

	// If the form is sent again, it gets the response of the first request. A form that lacks the state that was read is refused.
	form := a.page.form(t, `value="rename"`).with("do", "rename", "name", "Kit C")
	a.post(form).says("Bill of material saved.")
	rename(b.visit("/bom/"+id), "Kit D").says("Bill of material saved.")
	a.post(form).says("Bill of material saved.")
	form.values.Del("read")
	a.post(form).changedMeanwhile()
	is("Kit D, bolt 5, nut 4")
}

// If a route or a template has changed since a user saw it, that user cannot delete it.
func TestStaleDelete(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := t.Context()
	job, err := s.service.CreateJob(ctx, shop.CreateJobInput{Name: input.Given("Valve"), GoalQuantity: input.Given(5.0)})
	s.must(err)
	path, err := s.service.CreatePath(ctx, shop.CreatePathInput{
		JobID: input.Given(job.ID), Name: input.Given("Main"), GoalQuantity: input.Given(5.0), Steps: stepsCalled("Saw"),
	})
	s.must(err)
	template := s.template("Shafts", "Saw")
	a := s.works("Ann")

	a.visit("/jobs/" + job.ID)
	_, err = s.service.UpdatePath(ctx, path.ID, shop.UpdatePathInput{Steps: stepsCalled("Saw", "Turn")})
	s.must(err)
	a.press("Delete this route", "do", "delete-path")
	a.notDeleted("route")
	b := s.works("Bob")
	b.visit("/jobs/" + job.ID)
	a.press("Delete this route", "do", "delete-path").says("Delete the route Main?")
	a.says("Its steps are deleted too: Saw → Turn.")
	a.press("Delete Main", "sure", "yes").says("Route deleted.")
	b.press("Delete this route", "do", "delete-path").says("There is no route " + path.ID + ".")

	// The form no longer exists, because there are units now. The page still says why nothing happened.
	path, err = s.service.CreatePath(ctx, shop.CreatePathInput{
		JobID: input.Given(job.ID), Name: input.Given("Main"), GoalQuantity: input.Given(5.0), Steps: stepsCalled("Saw"),
	})
	s.must(err)
	a.visit("/jobs/" + job.ID)
	_, err = s.service.CreateSerials(ctx, shop.CreateSerialsInput{
		JobID: input.Given(job.ID), PathID: input.Given(path.ID), Quantity: input.Given(1.0), UserID: input.Given("ann"),
	})
	s.must(err)
	a.press("Delete this route", "do", "delete-path").says("The route has units and cannot be deleted.") // refused before the question

	remove := func() { t.Helper(); a.press("Delete template", "do", "delete", "name", "Shafts", "step", "Saw") }
	a.visit("/templates/" + template.ID)
	_, err = s.service.UpdateTemplate(ctx, template.ID, shop.UpdateTemplateInput{Steps: shop.TemplateSteps(stepsCalled("Saw", "Turn"))})
	s.must(err)
	remove()
	a.notDeleted("template")
	if !strings.Contains(a.page.html, `value="Turn"`) {
		t.Error("the page does not show the template that is there now")
	}
	remove()
	a.says("Delete the template Shafts?")
	a.says("Its steps are deleted too: Saw → Turn.")
	a.says("Routes created from it stay.")
	_, err = s.service.UpdateTemplate(ctx, template.ID, shop.UpdateTemplateInput{Steps: shop.TemplateSteps(stepsCalled("Saw", "Mill"))})
	s.must(err)
	a.press("Delete Shafts", "sure", "yes")
	a.notDeleted("template")
	remove()
	a.press("Delete Shafts", "sure", "yes").says("Template deleted.")
}

// If another user has taken a step in the meantime, the step is not assigned again. The other ticked steps are assigned.
func TestStaleAssignment(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	job, _ := s.units(2, "Saw", "Turn")
	other, _ := s.units(1, "Mill")
	var steps []string
	for _, id := range []string{job, other} {
		detail, err := s.service.Job(t.Context(), id)
		s.must(err)
		steps = append(steps, detail.Paths[0].Steps[0].ID)
	}
	kim, lee := s.operator("Kim"), s.operator("Lee")
	is := func(want ...string) {
		t.Helper()
		for i, id := range []string{job, other} {
			detail, err := s.service.Job(t.Context(), id)
			if err != nil || detail.Paths[0].Steps[0].AssignedTo != want[i] {
				t.Errorf("step %d is %s's, want %s's, %v", i, detail.Paths[0].Steps[0].AssignedTo, want[i], err)
			}
		}
	}
	a, b := s.works("Ann"), s.works("Bob")
	a.visit("/queue?operator=everybody")
	b.visit("/queue?operator=everybody").press(`name="assignTo"`, "assignTo", kim, "stepId", steps[0]).says("Saw assigned to Kim.")
	a.press(`name="assignTo"`, "assignTo", lee, "stepId", steps[0], "stepId", steps[1])
	if a.page.status != http.StatusPreconditionFailed {
		t.Errorf("status %d, want 412", a.page.status)
	}
	a.says("Somebody assigned Saw to Kim meanwhile. It stays unchanged. Mill assigned to Lee.")
	is(kim, lee)
	a.press(`name="assignTo"`, "assignTo", lee, "stepId", steps[0]).says("Saw assigned to Lee.")
	is(lee, lee)
	b.press(`name="assignTo"`, "assignTo", lee, "stepId", steps[1]).says("Mill assigned to Lee.") // the step is already assigned to him
	b.press(`name="assignTo"`, "assignTo", "nobody", "stepId", steps[1])
	a.press(`name="assignTo"`, "assignTo", kim, "stepId", steps[0], "stepId", steps[1], "stepId", "step_gone")
	a.says("Somebody assigned Mill to nobody meanwhile. It stays unchanged. There is no step step_gone. Saw assigned to Kim.")
	is(kim, "")
}

// An outdated page does not restore removed roles or an earlier signature policy.
func TestStaleRolesAndSignatures(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	anna := s.person("anna", "operator", "admin")
	a, b := s.signedIn("boss"), s.signedIn("boss")
	has := func(want string) {
		t.Helper()
		user, err := s.service.User(t.Context(), anna)
		if got := strings.Join(user.Roles, " "); err != nil || got != want {
			t.Errorf("anna is %s, want %s, %v", got, want, err)
		}
	}
	roles := func(v *visitor, roles ...string) *visitor {
		v.t.Helper()
		var pairs []string
		for _, role := range roles {
			pairs = append(pairs, "role", role)
		}
		return v.press("Save the account", pairs...)
	}
	a.visit("/users/" + anna)
	roles(b.visit("/users/"+anna), "operator").says("Account saved.")
	roles(a, "operator", "admin", "quality")
	a.changedMeanwhile("Somebody changed the account meanwhile.", "Roles: operator, quality, admin (now operator).")
	has("operator")
	form := a.page.form(t, "Save the account").with("role", "operator", "role", "quality")
	a.post(form).says("Account saved.")
	roles(b.visit("/users/"+anna), "operator").says("Account saved.")
	a.post(form).says("Account saved.") // the response of the first request
	has("operator")

	set := func(v *visitor, pairs ...string) *visitor { v.t.Helper(); return v.press("sign-scrap", pairs...) }
	a.visit("/settings/signatures")
	set(b.visit("/settings/signatures"), "scrap", "self", "undo", "none").says("Saved.")
	set(a, "scrap", "none", "undo", "second")
	a.changedMeanwhile("Scrap: nobody (now whoever does it).", "Undo a change: whoever does it, and a second person (now nobody).")
	set(a, "scrap", "self", "undo", "second").says("Saved.")
	policy, err := s.service.SignaturePolicy(t.Context())
	if err != nil || policy.Demand(shop.SignScrap) != shop.SignedBySelf || policy.Demand(shop.SignUndo) != shop.SignedBySecond {
		t.Errorf("%v, %v", policy, err)
	}
}

// If a badge was created and printed in the meantime, it is revoked only if the page says so. A device is at most one station.
func TestStaleBadgeAndStation(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	anna := s.person("anna", "operator")
	a, b := s.signedIn("boss"), s.signedIn("boss")
	printed := regexp.MustCompile(`RC-ID-[0-9A-Za-z]{20}`)
	a.visit("/users/" + anna)
	if b.visit("/users/" + anna).press(">Create a badge<"); !printed.MatchString(b.page.html) {
		t.Fatal("no badge was made")
	}
	a.press(">Create a badge<")
	refused := func() {
		t.Helper()
		a.says("Name of anna was given a badge meanwhile. Nothing was made: a new one ends it.")
		if a.page.status != http.StatusPreconditionFailed || printed.MatchString(a.page.html) {
			t.Errorf("status %d, or a badge was made", a.page.status)
		}
	}
	refused()
	b.press("the old one stops working)<") // the page of the first badge, which was not printed
	a.press("the old one stops working)<")
	refused()
	if a.press("the old one stops working)<"); !printed.MatchString(a.page.html) {
		t.Error("no new badge was made")
	}

	s.person("lena", "lead")
	lena := s.signedIn("lena")
	stale := lena.visit("/stations").page
	lena.press("Make it a station", "name", "Lathe 1").says("This device is the station Lathe 1.")
	lena.page = stale
	lena.press("Make it a station", "name", "Lathe 2").says("This device is the station Lathe 1 already.")
	if strings.Contains(lena.visit("/stations").text(), "Lathe 2") {
		t.Error("the device is two stations")
	}
}

// A user who removes a record that was already removed gets a message, even if the page has no form in which to show it.
func TestGoneAlready(t *testing.T) {
	t.Parallel()
	s := openGuardedShop(t, access.All)
	s.person("lena", "lead")
	boss, lena := s.signedIn("boss"), s.signedIn("lena")
	gone := func(v, other *visitor, address, button string, pairs ...string) {
		t.Helper()
		v.visit(address)
		other.visit(address).press(button, pairs...)
		if other.page.status != http.StatusOK {
			t.Errorf("%s: status %d", address, other.page.status)
		}
		v.press(button, pairs...).says("It is already removed.")
		if v.page.status != http.StatusNotFound || strings.Count(v.page.html, `role="alert"`) != 1 {
			t.Errorf("%s: status %d, or it is not told once", address, v.page.status)
		}
	}
	lena.visit("/stations").press("Make it a station", "name", "Lathe 1").says("This device is the station Lathe 1.")
	gone(boss, s.signedIn("boss"), "/stations", "Remove the station")
	entry, err := s.service.CreateLibraryEntry(t.Context(), shop.Processes, input.Given("Deburr"))
	s.must(err)
	gone(lena, s.signedIn("lena"), "/library", `aria-label="Remove Deburr"`, "delete", entry.ID)
	boss.visit("/me").press("Create a token", "name", "Gauge reader", "permission", "admin")
	form := boss.page.form(t, ">Revoke<")
	form.values.Set("id", "tok_x")
	boss.post(form).says("It is already removed.")
}
