package routecard_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard"
)

// actingOperations are the operations whose body may say who acts, each on a unit that can take it, and the field.
var actingOperations = []struct {
	name, field string
	prepare     func(l *line) // as nobody in particular
	run         func(ctx context.Context, l *line, user routecard.TextInput) error
}{
	{"Create Serials", "userId", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.CreateSerials(ctx, routecard.CreateSerialsInput{
			JobID: given(l.path.JobID), PathID: given(l.path.ID), Quantity: number(2), CertID: given(l.cert), UserID: user,
		})
		return err
	}},
	{"Advance Serial", "userId", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.AdvanceSerial(ctx, l.serial, routecard.AdvanceSerialInput{UserID: user})
		return err
	}},
	{"Advance to Step", "userId", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.AdvanceToStep(ctx, l.serial, routecard.AdvanceToStepInput{TargetStepIndex: number(2), UserID: user})
		return err
	}},
	{"Scrap Serial", "userId", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.ScrapSerial(ctx, l.serial, routecard.ScrapSerialInput{Reason: given("damaged"), UserID: user})
		return err
	}},
	{"Force Complete", "userId", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.ForceComplete(ctx, l.serial, routecard.ForceCompleteInput{UserID: user})
		return err
	}},
	{"Complete Deferred Step", "userId", deferred, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.CompleteDeferredStep(ctx, l.serial, l.step(1), user)
		return err
	}},
	{"Waive Step", "approverId", deferred, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.WaiveStep(ctx, l.serial, l.step(1), routecard.WaiveStepInput{Reason: given("spare"), ApproverID: user})
		return err
	}},
	{"Create Override", "userId", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.CreateOverrides(ctx, l.serial, routecard.CreateOverridesInput{
			SerialIDs: routecard.GivenTexts(l.serial), StepID: given(l.step(1)), Reason: given("trial"), UserID: user,
		})
		return err
	}},
	{"Delete Override", "userId", func(l *line) { must(struct{}{}, l.override(1)) },
		func(ctx context.Context, l *line, user routecard.TextInput) error {
			return l.ReverseOverride(ctx, l.serial, l.step(1), user)
		}},
	{"Attach Certificate", "userId", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.AttachCertificate(ctx, l.serial, routecard.AttachCertificateInput{CertID: given(l.cert), UserID: user})
		return err
	}},
	{"Batch Attach", "userId", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.BatchAttachCertificate(ctx, routecard.BatchAttachInput{
			CertID: given(l.cert), SerialIDs: routecard.GivenTexts(l.serial), UserID: user,
		})
		return err
	}},
	{"Create Note", "userId", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.CreateNote(ctx, routecard.CreateNoteInput{
			Text: given("burr"), SerialIDs: routecard.GivenTexts(l.serial), JobID: given(l.path.JobID),
			PathID: given(l.path.ID), StepID: given(l.step(0)), UserID: user,
		})
		return err
	}},
	{"Edit BOM", "userId", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		entries := routecard.Given([]routecard.Input[routecard.BOMEntryInput]{routecard.Given(routecard.BOMEntryInput{
			PartType: given("nut"), RequiredQuantityPerBuild: number(1), ContributingJobIDs: routecard.GivenTexts(l.path.JobID),
		})})
		bom := must(l.CreateBOM(context.WithoutCancel(l.t.Context()), routecard.CreateBOMInput{Name: given("Kit"), Entries: entries}))
		_, err := l.EditBOM(ctx, bom.ID, routecard.EditBOMInput{Entries: entries, ChangeDescription: given("more"), UserID: user})
		return err
	}},
	{"Assign Step", "changedBy", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		// Whom a step is given to is not who gives it.
		operator := must(l.CreateUser(l.t.Context(), routecard.CreateUserInput{Name: given("Kim")}))
		_, err := l.AssignStep(ctx, l.step(1), routecard.AssignStepInput{UserID: given(operator.ID), ChangedBy: user})
		return err
	}},
	{"Configure Step", "changedBy", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.ConfigureStep(ctx, l.step(1), routecard.ConfigureStepInput{Optional: routecard.Given(true), ChangedBy: user})
		return err
	}},
	{"Update Path", "changedBy", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.UpdatePath(ctx, l.path.ID, routecard.UpdatePathInput{Name: given("Other"), ChangedBy: user})
		return err
	}},
	{"Update Advancement Mode", "changedBy", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.UpdateAdvancementMode(ctx, l.path.ID, given("strict"), user)
		return err
	}},
	{"Delete Path", "changedBy", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		path := must(l.CreatePath(l.t.Context(), routecard.CreatePathInput{
			JobID: given(l.path.JobID), Name: given("Spare"), GoalQuantity: number(1),
			Steps: routecard.Given([]routecard.Input[routecard.StepInput]{routecard.Given(routecard.StepInput{Name: given("mill")})}),
		}))
		return l.DeletePath(ctx, path.ID, user)
	}},
	{"Apply Template", "changedBy", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		template := must(l.CreateTemplate(l.t.Context(), routecard.CreateTemplateInput{
			Name:  given("Usual"),
			Steps: routecard.Given([]routecard.Input[routecard.StepInput]{routecard.Given(routecard.StepInput{Name: given("mill")})}),
		}))
		_, err := l.ApplyTemplate(ctx, template.ID, routecard.ApplyTemplateInput{
			JobID: given(l.path.JobID), GoalQuantity: number(1), ChangedBy: user,
		})
		return err
	}},
	{"Create Job", "changedBy", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.CreateJob(ctx, routecard.CreateJobInput{Name: given("Other"), GoalQuantity: number(1), ChangedBy: user})
		return err
	}},
	{"Update Job", "changedBy", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.UpdateJob(ctx, l.path.JobID, routecard.UpdateJobInput{Name: given("Other"), ChangedBy: user})
		return err
	}},
	{"Create Certificate", "changedBy", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		_, err := l.CreateCertificate(ctx, routecard.CreateCertificateInput{Type: given("material"), Name: given("3.1"), ChangedBy: user})
		return err
	}},
	{"Update User", "changedBy", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		operator := must(l.CreateUser(l.t.Context(), routecard.CreateUserInput{Name: given("Kim")}))
		_, err := l.UpdateUser(ctx, operator.ID, routecard.UpdateUserInput{Name: given("Kim Li"), ChangedBy: user})
		return err
	}},
	{"Update BOM", "changedBy", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		bom := must(l.CreateBOM(l.t.Context(), routecard.CreateBOMInput{Name: given("Kit"), Entries: entriesOf("bolt")}))
		_, err := l.UpdateBOM(ctx, bom.ID, routecard.UpdateBOMInput{Name: given("Set"), ChangedBy: user})
		return err
	}},
	{"Delete Template", "changedBy", nil, func(ctx context.Context, l *line, user routecard.TextInput) error {
		template := must(l.CreateTemplate(l.t.Context(), routecard.CreateTemplateInput{Name: given("Usual"), Steps: stepsCalled("mill")}))
		return l.DeleteTemplate(ctx, template.ID, user)
	}},
}

// deferred brings the unit behind its second step, which it defers.
func deferred(l *line) { must(struct{}{}, l.advanceTo(2)) }

// since returns the entries behind a place of the trail, without what differs from run to run, and without those of
// what was made for the operation to work on.
func (l *line) since(sequence int64) (users, actors []string) {
	l.t.Helper()
	setUp := []routecard.AuditAction{
		routecard.ActionPathCreated, routecard.ActionBOMCreated, routecard.ActionUserCreated, routecard.ActionTemplateCreated,
	}
	for _, entry := range must(l.AuditAfter(l.t.Context(), sequence, 100)) {
		if slices.Contains(setUp, entry.Action) {
			continue
		}
		users, actors = append(users, entry.UserID), append(actors, entry.Actor)
	}
	return users, actors
}

func TestWhoActs(t *testing.T) {
	t.Parallel()
	anna := routecard.Caller{Login: "anna", Permissions: []routecard.Permission{routecard.Read, routecard.Work}}
	erp := routecard.Caller{Login: "erp", Permissions: []routecard.Permission{routecard.ActFor}}
	var absent routecard.TextInput
	cases := []struct {
		name   string
		caller routecard.Caller
		user   routecard.TextInput
		want   string // who is recorded; "" when it is refused
		actor  string
	}{
		{"left out", anna, absent, "anna", ""},
		{"null", anna, routecard.Null[string](), "anna", ""},
		{"blank", anna, given("  "), "anna", ""},
		{"one's own", anna, given("anna"), "anna", ""},
		{"another's", anna, given("bob"), "", ""},
		{"one's own in other letters", anna, given("Anna"), "", ""},
		{"one's own with space around", anna, given(" anna"), "", ""},
		{"nobody's", anna, given("anonymous"), "", ""},
		{"another's, permitted", erp, given("bob"), "bob", "erp"},
		{"left out by who may act for others", erp, absent, "erp", ""},
		{"one's own of who may act for others", erp, given("erp"), "erp", ""},
		{"open mode", routecard.Caller{}, given("bob"), "bob", ""},
	}
	for _, operation := range actingOperations {
		t.Run(operation.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range cases {
				l := newLine(t, "flexible", "preferred", "preferred", "preferred")
				if operation.prepare != nil {
					operation.prepare(l)
				}
				before := must(l.LastAuditSequence(t.Context()))
				err := operation.run(routecard.WithCaller(t.Context(), c.caller), l, c.user)
				users, actors := l.since(before)
				if c.want == "" {
					want := &routecard.Error{Code: routecard.Forbidden, Message: operation.field + " must be anna: you may not act for others"}
					if diff := cmp.Diff(want, refused(err)); diff != "" || len(users) > 0 {
						t.Errorf("%s: %d entries, and an error that differs (-want +got):\n%s", c.name, len(users), diff)
					}
					continue
				}
				if err != nil || len(users) == 0 {
					t.Errorf("%s: %d entries, error %v", c.name, len(users), err)
				}
				for i := range users {
					if users[i] != c.want || actors[i] != c.actor {
						t.Errorf("%s: recorded as %q by %q, want %q by %q", c.name, users[i], actors[i], c.want, c.actor)
					}
				}
			}
		})
	}
}

// TestWhoActsTyped shows that a name which cannot be stored is refused as such, whoever calls.
func TestWhoActsTyped(t *testing.T) {
	t.Parallel()
	l := newLine(t, "strict", "preferred")
	ctx := routecard.WithCaller(t.Context(), routecard.Caller{Login: "anna"})
	_, err := l.AdvanceSerial(ctx, l.serial, routecard.AdvanceSerialInput{UserID: routecard.Mistyped[string]()})
	if got := refused(err); got == nil || got.Code != routecard.Invalid || got.Message != "userId must be a string" {
		t.Errorf("got %v", err)
	}
}

// TestForgetfulOperation shows what happens to an operation that forgets to ask who acts: nothing of it remains.
func TestForgetfulOperation(t *testing.T) {
	t.Parallel()
	l := newLine(t, "strict", "preferred")
	before := must(l.LastAuditSequence(t.Context()))
	ctx := routecard.WithCaller(t.Context(), routecard.Caller{Login: "anna"})
	err := l.Forget(ctx, "bob")
	if err == nil {
		t.Error("an entry in another's name was taken")
	}
	if users, _ := l.since(before); len(users) > 0 {
		t.Errorf("entries by %q", users)
	}
}

func TestRequiredPermission(t *testing.T) {
	t.Parallel()
	anna := routecard.Caller{Login: "anna", Permissions: []routecard.Permission{routecard.Read, routecard.Work}}
	want := &routecard.Error{Code: routecard.Forbidden, Message: "This needs the permission decide"}
	if diff := cmp.Diff(want, refused(anna.Require(routecard.Decide))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, caller := range []routecard.Caller{{}, {Login: "q", Permissions: []routecard.Permission{routecard.Decide}}} {
		if err := caller.Require(routecard.Decide); err != nil {
			t.Errorf("%v: %v", caller, err)
		}
	}
}
