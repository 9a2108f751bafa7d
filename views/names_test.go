package views_test

import (
	"fmt"
	"regexp"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// called lists the names of the steps of a card as they are shown.
func called(detail views.CardDetail) []string {
	var names []string
	for _, record := range detail.Steps {
		names = append(names, fmt.Sprintf("%s %s: %s", record.Step.Name, record.Step.Location, record.Status))
	}
	return names
}

// A card shows past steps with the names that they had then, even when the clock stands still, and steps that are still to be done with
// their present names.
func TestCardKeepsTheNamesOfItsTime(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx := t.Context()
	path := s.Route(t, card.Flexible, "Turn", "Wash", "Grind", "Pack")
	ids := s.Units(t, path, 2)
	done, going := ids[0], ids[1]
	advance := func(id string) {
		t.Helper()
		shoptest.Must(s.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{UserID: shoptest.Given("ann")}))
	}
	advance(done)
	shoptest.Must(s.AdvanceToStep(ctx, done, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(3), UserID: shoptest.Given("ann")}))
	advance(done)
	advance(going)
	s.Rename(t, path, "Mill", "Degrease", "Hone", "Ship")
	s.Rename(t, path, "Saw", "Degrease", "Polish", "Send")

	for id, want := range map[string][]string{
		done:  {"Turn at Turn: completed", "Wash at Wash: completed", "Polish at Polish: deferred", "Pack at Pack: completed"},
		going: {"Turn at Turn: completed", "Degrease at Degrease: in_progress", "Polish at Polish: pending", "Send at Send: pending"},
	} {
		if diff := cmp.Diff(want, called(shoptest.Must(s.Card(ctx, id)))); diff != "" {
			t.Errorf("%s (-want +got):\n%s", id, diff)
		}
	}
	stepID := path.Steps[2].ID
	shoptest.Must(s.CompleteDeferredStep(ctx, done, stepID, shoptest.Given("ann")))
	s.Rename(t, path, "Saw", "Degrease", "Lap", "Send")
	detail := shoptest.Must(s.Card(ctx, done))
	if got := called(detail)[2]; got != "Polish at Polish: completed" {
		t.Errorf("the deferred step is called %s", got)
	}
	var moves []string
	for _, entry := range detail.Trail {
		name := func(id string) string {
			name, _ := detail.PastNames.Steps.Names.Of(id, views.WhenOf(entry))
			return name
		}
		moves = append(moves, fmt.Sprintln(shop.ActionTold(entry), name(entry.FromStepID), name(entry.ToStepID), name(entry.StepID)))
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
	s := shoptest.Open(t)
	ctx := t.Context()
	path := s.Route(t, card.Strict, "Turn", "Wash")
	shoptest.Must(s.AssignStep(ctx, path.Steps[1].ID, shop.AssignStepInput{UserID: shoptest.Given(shoptest.Must(s.CreateUser(ctx, shop.CreateUserInput{Name: shoptest.Given("Ann")})).ID)}))
	s.Rename(t, path, "Saw")
	if err := s.DeletePath(ctx, path.ID, shoptest.Given("lead")); err != nil {
		t.Fatal(err)
	}
	entries := shoptest.Collect(s.AuditEntries(ctx, shop.NoLimit, 0))
	names := shoptest.Must(s.PastNames(ctx, entries))
	for i, want := range map[int]string{0: "Turn", 1: "Wash"} {
		if got, _ := names.Steps.Names.Of(path.Steps[i].ID, views.WhenOf(entries[2])); got != want {
			t.Errorf("step %d was called %q, want %q", i, got, want)
		}
	}
}

// An operator who is renamed keeps the former name on earlier signatures.
func TestPeopleKeepTheNamesOfTheirTime(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx := t.Context()
	ann := shoptest.Must(s.CreateUser(ctx, shop.CreateUserInput{Name: shoptest.Given("Ann Weber")}))
	path := s.Route(t, card.Strict, "Turn", "Pack")
	id := s.Units(t, path, 1)[0]
	note := func() shop.Note {
		t.Helper()
		return shoptest.Must(s.CreateNote(ctx, shop.CreateNoteInput{
			JobID: shoptest.Given(path.JobID), PathID: shoptest.Given(path.ID), StepID: shoptest.Given(path.Steps[0].ID),
			SerialIDs: input.GivenTexts(id), Text: shoptest.Given("seen"), UserID: shoptest.Given(ann.ID),
		}))
	}
	before := note()
	s.Tick()
	shoptest.Must(s.UpdateUser(ctx, ann.ID, shop.UpdateUserInput{Name: shoptest.Given("Ann Huber"), ChangedBy: shoptest.Given("office")}))
	shoptest.Must(s.UpdateUser(ctx, ann.ID, shop.UpdateUserInput{Department: shoptest.Given("Turning")}))
	s.Tick()
	after := note()
	shoptest.Must(s.AdvanceSerial(ctx, id, shop.AdvanceSerialInput{UserID: shoptest.Given(ann.ID)}))
	shoptest.Must(s.UpdateUser(ctx, ann.ID, shop.UpdateUserInput{Name: shoptest.Given("Ann Meier")}))

	entries := shoptest.Collect(s.AuditEntries(ctx, shop.NoLimit, 0))
	people := shoptest.Must(s.PastNames(ctx, entries)).People
	at := map[trail.Action]string{}
	for _, entry := range entries {
		name, _ := people.Of(ann.ID, views.WhenOf(entry))
		at[entry.Action] = name // of the oldest entry with each action
	}
	if diff := cmp.Diff(map[trail.Action]string{
		"user_created": "Ann Weber", "job_created": "Ann Weber", "path_created": "Ann Weber", "serial_created": "Ann Weber",
		"note_created": "Ann Weber", "user_changed": "Ann Huber", "serial_advanced": "Ann Huber",
	}, at); diff != "" {
		t.Errorf("names by entry (-want +got):\n%s", diff)
	}
	for when, want := range map[views.When]string{
		views.WhenAt(before.CreatedAt): "Ann Weber", views.WhenAt(after.CreatedAt): "Ann Meier", {}: "Ann Meier",
	} {
		// The last renaming was in the same millisecond as the second note: the clock alone cannot order them.
		if got, _ := people.Of(ann.ID, when); got != want {
			t.Errorf("%v: %q, want %q", when, got, want)
		}
	}
	if _, known := people.Of("somebody", views.When{}); known {
		t.Error("somebody unknown has a name")
	}
}

// Each unit of two batches that were created in one millisecond has its own creation.
func TestHistoryBeginsWithTheCreation(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	path := s.Route(t, card.Strict, "Turn", "Pack")
	first, second := s.Units(t, path, 2), s.Units(t, path, 3)
	s.Tick()
	third := s.Units(t, path, 1)
	for _, batch := range [][]string{first, second, third} {
		for _, id := range batch {
			trail := shoptest.Must(s.Card(t.Context(), id)).Trail
			if len(trail) != 1 || trail[0].Action != card.ActionSerialCreated || trail[0].BatchQuantity != int64(len(batch)) {
				t.Errorf("%s begins with %+v", id, trail)
			}
		}
	}
}

// Creations and changes in the office are recorded once, with the values before and after; a change that changes nothing is not recorded.
func TestOfficeIsTold(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	ctx := t.Context()
	by := shoptest.Given("office")
	entries := func(parts ...string) shop.BOMEntriesInput { return shoptest.EntriesOf(parts...) }
	var job shop.Job
	var bom shop.BOM
	var user shop.User
	var template shop.Template
	for _, c := range []struct {
		do   func() error
		want string // the action and its metadata; "" for no entry
	}{
		{func() (err error) {
			job, err = s.CreateJob(ctx, shop.CreateJobInput{Name: shoptest.Given("Valve"), GoalQuantity: shoptest.Number(5), TicketPart: shoptest.Given("V-1"), ChangedBy: by})
			return err
		}, `job_created {"before":null,"after":{"name":"Valve","goalQuantity":5,"trackerPartNumber":"V-1"}}`},
		{func() error {
			_, err := s.UpdateJob(ctx, job.ID, shop.UpdateJobInput{GoalQuantity: shoptest.Number(6), ChangedBy: by})
			return err
		}, `job_changed {"before":{"goalQuantity":5},"after":{"goalQuantity":6}}`},
		{func() error {
			_, err := s.UpdateJob(ctx, job.ID, shop.UpdateJobInput{Name: shoptest.Given("Valve"), ChangedBy: by})
			return err
		}, ``},
		{func() error {
			_, err := s.CreateCertificate(ctx, shop.CreateCertificateInput{Type: shoptest.Given("material"), Name: shoptest.Given("3.1"), ChangedBy: by})
			return err
		}, `certificate_created {"before":null,"after":{"type":"material","name":"3.1"}}`},
		{func() (err error) {
			bom, err = s.CreateBOM(ctx, shop.CreateBOMInput{Name: shoptest.Given("Kit"), Entries: entries("bolt"), ChangedBy: by})
			return err
		}, `bom_created {"bomId":"@","before":null,"after":{"name":"Kit","entries":[{"partType":"bolt","requiredQuantityPerBuild":1,"contributingJobIds":[]}]}}`},
		{func() error {
			_, err := s.UpdateBOM(ctx, bom.ID, shop.UpdateBOMInput{Name: shoptest.Given("Set"), Entries: entries("bolt"), ChangedBy: by})
			return err
		}, `bom_updated {"bomId":"@","before":{"name":"Kit"},"after":{"name":"Set"}}`},
		{func() error {
			_, err := s.UpdateBOM(ctx, bom.ID, shop.UpdateBOMInput{Entries: entries("bolt"), ChangedBy: by})
			return err
		}, ``},
		{func() (err error) {
			user, err = s.CreateUser(ctx, shop.CreateUserInput{Name: shoptest.Given("Ann"), ChangedBy: by})
			return err
		}, `user_created {"userId":"@","before":null,"after":{"name":"Ann","department":"","active":true}}`},
		{func() error {
			_, err := s.UpdateUser(ctx, user.ID, shop.UpdateUserInput{Active: input.Given(false), ChangedBy: by})
			return err
		}, `user_changed {"userId":"@","before":{"active":true},"after":{"active":false}}`},
		{func() error {
			_, err := s.UpdateUser(ctx, user.ID, shop.UpdateUserInput{Name: shoptest.Given("Ann"), ChangedBy: by})
			return err
		}, ``},
		{func() (err error) {
			template, err = s.CreateTemplate(ctx, shop.CreateTemplateInput{Name: shoptest.Given("Turned"), Steps: shop.TemplateSteps(shoptest.StepsCalled("Saw")), ChangedBy: by})
			return err
		}, `template_created {"templateId":"@","before":null,"after":{"name":"Turned","steps":[{"name":"Saw","order":0,"location":"at Saw","optional":false,"dependencyType":"preferred"}]}}`},
		{func() error {
			_, err := s.UpdateTemplate(ctx, template.ID, shop.UpdateTemplateInput{Name: shoptest.Given("Milled"), Steps: shop.TemplateSteps(shoptest.StepsCalled("Saw")), ChangedBy: by})
			return err
		}, `template_changed {"templateId":"@","before":{"name":"Turned"},"after":{"name":"Milled"}}`},
		{func() error { return s.DeleteTemplate(ctx, template.ID, by) },
			`template_deleted {"templateId":"@","before":{"name":"Milled","steps":[{"name":"Saw","order":0,"location":"at Saw","optional":false,"dependencyType":"preferred"}]},"after":null}`},
	} {
		before := shoptest.Must(s.LastAuditSequence(ctx))
		if err := c.do(); err != nil {
			t.Fatal(err)
		}
		added := shoptest.Must(s.AuditAfter(ctx, before, 10))
		got := ""
		for _, entry := range added {
			got += string(entry.Action) + " " + hashes.ReplaceAllString(identifiers.ReplaceAllString(string(entry.Metadata), `$1"@"`), "")
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

// hashes matches hashes of contents with new identifiers and salts. The tests of package verify check that they are correct.
var hashes = regexp.MustCompile(`,"contentsSha256":"[0-9a-f]{64}"`)
