package routecard_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard"
)

// route makes a job with one path whose steps have these names, each at a place called after it.
func (s *shop) route(t *testing.T, mode routecard.AdvancementMode, names ...string) routecard.Path {
	t.Helper()
	job := must(s.CreateJob(t.Context(), routecard.CreateJobInput{Name: given("Valve"), GoalQuantity: number(5)}))
	return must(s.CreatePath(t.Context(), routecard.CreatePathInput{
		JobID: given(job.ID), Name: given("Main"), GoalQuantity: number(5), AdvancementMode: given(string(mode)),
		Steps: stepsCalled(names...),
	}))
}

func stepsCalled(names ...string) routecard.StepsInput {
	steps := make([]routecard.Input[routecard.StepInput], len(names))
	for i, name := range names {
		steps[i] = routecard.Given(routecard.StepInput{Name: given(name), Location: given("at " + name)})
	}
	return routecard.Given(steps)
}

func (s *shop) units(t *testing.T, path routecard.Path, quantity float64) []string {
	t.Helper()
	batch := must(s.CreateSerials(t.Context(), routecard.CreateSerialsInput{
		JobID: given(path.JobID), PathID: given(path.ID), Quantity: number(quantity), UserID: given("planner"),
	}))
	var ids []string
	for serial := range batch.All() {
		ids = append(ids, serial.ID)
	}
	return ids
}

func (s *shop) rename(t *testing.T, path routecard.Path, names ...string) {
	t.Helper()
	must(s.UpdatePath(t.Context(), path.ID, routecard.UpdatePathInput{Steps: stepsCalled(names...)}))
}

// called lists the steps of a card as they are shown.
func called(detail routecard.CardDetail) []string {
	var names []string
	for _, record := range detail.Steps {
		names = append(names, fmt.Sprintf("%s %s: %s", record.Step.Name, record.Step.Location, record.Status))
	}
	return names
}

// What a card shows of the past has the names of its time, also when the clock stands still; what is still to be done
// has the present ones.
func TestCardKeepsTheNamesOfItsTime(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := t.Context()
	path := s.route(t, routecard.Flexible, "Turn", "Wash", "Grind", "Pack")
	ids := s.units(t, path, 2)
	done, going := ids[0], ids[1]
	advance := func(id string) {
		t.Helper()
		must(s.AdvanceSerial(ctx, id, routecard.AdvanceSerialInput{UserID: given("ann")}))
	}
	advance(done)
	must(s.AdvanceToStep(ctx, done, routecard.AdvanceToStepInput{TargetStepIndex: number(3), UserID: given("ann")}))
	advance(done)
	advance(going)
	s.rename(t, path, "Mill", "Degrease", "Hone", "Ship")
	s.rename(t, path, "Saw", "Degrease", "Polish", "Send")

	for id, want := range map[string][]string{
		done:  {"Turn at Turn: completed", "Wash at Wash: completed", "Polish at Polish: deferred", "Pack at Pack: completed"},
		going: {"Turn at Turn: completed", "Degrease at Degrease: in_progress", "Polish at Polish: pending", "Send at Send: pending"},
	} {
		if diff := cmp.Diff(want, called(must(s.Card(ctx, id)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	stepID := path.Steps[2].ID
	must(s.CompleteDeferredStep(ctx, done, stepID, given("ann")))
	s.rename(t, path, "Saw", "Degrease", "Lap", "Send")
	detail := must(s.Card(ctx, done))
	if got := called(detail)[2]; got != "Polish at Polish: completed" {
		t.Errorf("the deferred step is called %s", got)
	}
	var moves []string
	for _, entry := range detail.Trail {
		name := func(id string) string {
			name, _ := detail.PastNames.Steps.Names.Of(id, entry.When())
			return name
		}
		moves = append(moves, fmt.Sprintln(entry.Told(), name(entry.FromStepID), name(entry.ToStepID), name(entry.StepID)))
	}
	if diff := cmp.Diff([]string{
		"serial_created   \n", "serial_advanced Turn Wash \n", "serial_advanced Wash Pack \n", "step_deferred   Grind\n",
		"serial_completed Pack  \n", "deferred_step_completed   Polish\n",
	}, moves); diff != "" {
		t.Errorf("the trail (-want +got):\n%s", diff)
	}
}

// A step that was removed, and a path that was deleted, keep their names in the trail.
func TestNamesOfWhatIsGone(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := t.Context()
	path := s.route(t, routecard.Strict, "Turn", "Wash")
	must(s.AssignStep(ctx, path.Steps[1].ID, routecard.AssignStepInput{UserID: given(must(s.CreateUser(ctx, routecard.CreateUserInput{Name: given("Ann")})).ID)}))
	s.rename(t, path, "Saw")
	if err := s.DeletePath(ctx, path.ID, given("lead")); err != nil {
		t.Fatal(err)
	}
	entries := collect(s.AuditEntries(ctx, routecard.NoLimit, 0))
	names := must(s.PastNames(ctx, entries))
	for i, want := range map[int]string{0: "Turn", 1: "Wash"} {
		if got, _ := names.Steps.Names.Of(path.Steps[i].ID, entries[2].When()); got != want {
			t.Errorf("step %d was called %q, want %q", i, got, want)
		}
	}
}

// An operator who is renamed keeps the name under what was signed before.
func TestPeopleKeepTheNamesOfTheirTime(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := t.Context()
	ann := must(s.CreateUser(ctx, routecard.CreateUserInput{Name: given("Ann Weber")}))
	path := s.route(t, routecard.Strict, "Turn", "Pack")
	id := s.units(t, path, 1)[0]
	note := func() routecard.Note {
		t.Helper()
		return must(s.CreateNote(ctx, routecard.CreateNoteInput{
			JobID: given(path.JobID), PathID: given(path.ID), StepID: given(path.Steps[0].ID),
			SerialIDs: routecard.GivenTexts(id), Text: given("seen"), UserID: given(ann.ID),
		}))
	}
	before := note()
	s.tick()
	must(s.UpdateUser(ctx, ann.ID, routecard.UpdateUserInput{Name: given("Ann Huber"), ChangedBy: given("office")}))
	must(s.UpdateUser(ctx, ann.ID, routecard.UpdateUserInput{Department: given("Turning")}))
	s.tick()
	after := note()
	must(s.AdvanceSerial(ctx, id, routecard.AdvanceSerialInput{UserID: given(ann.ID)}))
	must(s.UpdateUser(ctx, ann.ID, routecard.UpdateUserInput{Name: given("Ann Meier")}))

	entries := collect(s.AuditEntries(ctx, routecard.NoLimit, 0))
	people := must(s.PastNames(ctx, entries)).People
	at := map[routecard.AuditAction]string{}
	for _, entry := range entries {
		name, _ := people.Of(ann.ID, entry.When())
		at[entry.Action] = name // of the oldest entry of each kind
	}
	if diff := cmp.Diff(map[routecard.AuditAction]string{
		"user_created": "Ann Weber", "job_created": "Ann Weber", "path_created": "Ann Weber", "serial_created": "Ann Weber",
		"note_created": "Ann Weber", "user_changed": "Ann Huber", "serial_advanced": "Ann Huber",
	}, at); diff != "" {
		t.Errorf("names by entry (-want +got):\n%s", diff)
	}
	for when, want := range map[routecard.When]string{
		routecard.WhenAt(before.CreatedAt): "Ann Weber", routecard.WhenAt(after.CreatedAt): "Ann Meier", {}: "Ann Meier",
	} {
		// The last renaming was in the same millisecond as the second note: by the clock alone it is not told apart.
		if got, _ := people.Of(ann.ID, when); got != want {
			t.Errorf("%v: %q, want %q", when, got, want)
		}
	}
	if _, known := people.Of("somebody", routecard.When{}); known {
		t.Error("somebody unknown has a name")
	}
}

// Each unit of two batches that were made in one millisecond has its own creation.
func TestHistoryBeginsWithTheCreation(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	path := s.route(t, routecard.Strict, "Turn", "Pack")
	first, second := s.units(t, path, 2), s.units(t, path, 3)
	s.tick()
	third := s.units(t, path, 1)
	for _, batch := range [][]string{first, second, third} {
		for _, id := range batch {
			trail := must(s.Card(t.Context(), id)).Trail
			if len(trail) != 1 || trail[0].Action != routecard.ActionSerialCreated || trail[0].BatchQuantity != int64(len(batch)) {
				t.Errorf("%s begins with %+v", id, trail)
			}
		}
	}
}

// What the office makes and changes is told once, with what it was and is; a change of nothing is not told.
func TestOfficeIsTold(t *testing.T) {
	t.Parallel()
	s := openShop(t)
	ctx := t.Context()
	by := given("office")
	entries := func(parts ...string) routecard.BOMEntriesInput { return entriesOf(parts...) }
	var job routecard.Job
	var bom routecard.BOM
	var user routecard.User
	var template routecard.Template
	for _, c := range []struct {
		do   func() error
		want string // the action and its metadata; "" for no entry
	}{
		{func() (err error) {
			job, err = s.CreateJob(ctx, routecard.CreateJobInput{Name: given("Valve"), GoalQuantity: number(5), PartNumber: given("V-1"), ChangedBy: by})
			return err
		}, `job_created {"before":null,"after":{"name":"Valve","goalQuantity":5,"trackerPartNumber":"V-1"}}`},
		{func() error {
			_, err := s.UpdateJob(ctx, job.ID, routecard.UpdateJobInput{GoalQuantity: number(6), ChangedBy: by})
			return err
		}, `job_changed {"before":{"goalQuantity":5},"after":{"goalQuantity":6}}`},
		{func() error {
			_, err := s.UpdateJob(ctx, job.ID, routecard.UpdateJobInput{Name: given("Valve"), ChangedBy: by})
			return err
		}, ``},
		{func() error {
			_, err := s.CreateCertificate(ctx, routecard.CreateCertificateInput{Type: given("material"), Name: given("3.1"), ChangedBy: by})
			return err
		}, `certificate_created {"before":null,"after":{"type":"material","name":"3.1"}}`},
		{func() (err error) {
			bom, err = s.CreateBOM(ctx, routecard.CreateBOMInput{Name: given("Kit"), Entries: entries("bolt"), ChangedBy: by})
			return err
		}, `bom_created {"bomId":"@","before":null,"after":{"name":"Kit","entries":[{"partType":"bolt","requiredQuantityPerBuild":1,"contributingJobIds":[]}]}}`},
		{func() error {
			_, err := s.UpdateBOM(ctx, bom.ID, routecard.UpdateBOMInput{Name: given("Set"), Entries: entries("bolt"), ChangedBy: by})
			return err
		}, `bom_updated {"bomId":"@","before":{"name":"Kit"},"after":{"name":"Set"}}`},
		{func() error {
			_, err := s.UpdateBOM(ctx, bom.ID, routecard.UpdateBOMInput{Entries: entries("bolt"), ChangedBy: by})
			return err
		}, ``},
		{func() (err error) {
			user, err = s.CreateUser(ctx, routecard.CreateUserInput{Name: given("Ann"), ChangedBy: by})
			return err
		}, `user_created {"userId":"@","before":null,"after":{"name":"Ann","department":"","active":true}}`},
		{func() error {
			_, err := s.UpdateUser(ctx, user.ID, routecard.UpdateUserInput{Active: routecard.Given(false), ChangedBy: by})
			return err
		}, `user_changed {"userId":"@","before":{"active":true},"after":{"active":false}}`},
		{func() error {
			_, err := s.UpdateUser(ctx, user.ID, routecard.UpdateUserInput{Name: given("Ann"), ChangedBy: by})
			return err
		}, ``},
		{func() (err error) {
			template, err = s.CreateTemplate(ctx, routecard.CreateTemplateInput{Name: given("Turned"), Steps: stepsCalled("Saw"), ChangedBy: by})
			return err
		}, `template_created {"templateId":"@","before":null,"after":{"name":"Turned","steps":[{"name":"Saw","order":0,"location":"at Saw","optional":false,"dependencyType":"preferred"}]}}`},
		{func() error {
			_, err := s.UpdateTemplate(ctx, template.ID, routecard.UpdateTemplateInput{Name: given("Milled"), Steps: stepsCalled("Saw"), ChangedBy: by})
			return err
		}, `template_changed {"templateId":"@","before":{"name":"Turned"},"after":{"name":"Milled"}}`},
		{func() error { return s.DeleteTemplate(ctx, template.ID, by) },
			`template_deleted {"templateId":"@","before":{"name":"Milled","steps":[{"name":"Saw","order":0,"location":"at Saw","optional":false,"dependencyType":"preferred"}]},"after":null}`},
	} {
		before := must(s.LastAuditSequence(ctx))
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
		added := must(s.AuditAfter(ctx, before, 10))
		got := ""
		for _, entry := range added {
			got += string(entry.Action) + " " + identifiers.ReplaceAllString(string(entry.Metadata), `$1"@"`)
			if entry.UserID != "office" {
				t.Errorf("%s is told of %s", entry.Action, entry.UserID)
			}
		}
		if got != c.want {
			t.Errorf("told\n%s\nwant\n%s", got, c.want)
		}
	}
}

var identifiers = regexp.MustCompile(`("(?:bomId|userId|templateId)":)"[^"]+"`)
