package shop_test

import (
	"context"
	"slices"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// actingOperations lists the operations whose body may have the acting user, each with a unit that allows it, and the name of the field.
var actingOperations = []struct {
	name, field string
	prepare     func(l *line) // runs without a known caller
	run         func(ctx context.Context, l *line, user input.TextInput) error
}{
	{"Create Serials", "userId", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.CreateSerials(ctx, shop.CreateSerialsInput{
			JobID: shoptest.Given(l.path.JobID), PathID: shoptest.Given(l.path.ID), Quantity: shoptest.Number(2), CertID: shoptest.Given(l.cert), UserID: user,
		})
		return err
	}},
	{"Advance Serial", "userId", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.AdvanceSerial(ctx, l.serial, shop.AdvanceSerialInput{UserID: user})
		return err
	}},
	{"Advance to Step", "userId", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.AdvanceToStep(ctx, l.serial, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(2), UserID: user})
		return err
	}},
	{"Scrap Serial", "userId", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.ScrapSerial(ctx, l.serial, shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: user})
		return err
	}},
	{"Force Complete", "userId", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.ForceComplete(ctx, l.serial, shop.ForceCompleteInput{UserID: user})
		return err
	}},
	{"Complete Deferred Step", "userId", deferred, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.CompleteDeferredStep(ctx, l.serial, l.step(1), user)
		return err
	}},
	{"Waive Step", "approverId", deferred, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.WaiveStep(ctx, l.serial, l.step(1), shop.WaiveStepInput{Reason: shoptest.Given("spare"), ApproverID: user})
		return err
	}},
	{"Create Override", "userId", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.CreateOverrides(ctx, l.serial, shop.CreateOverridesInput{
			SerialIDs: input.GivenTexts(l.serial), StepID: shoptest.Given(l.step(1)), Reason: shoptest.Given("trial"), UserID: user,
		})
		return err
	}},
	{"Delete Override", "userId", func(l *line) { shoptest.Must(struct{}{}, l.override(1)) },
		func(ctx context.Context, l *line, user input.TextInput) error {
			return l.ReverseOverride(ctx, l.serial, l.step(1), user)
		}},
	{"Attach Certificate", "userId", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.AttachCertificate(ctx, l.serial, shop.AttachCertificateInput{CertID: shoptest.Given(l.cert), UserID: user})
		return err
	}},
	{"Batch Attach", "userId", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.BatchAttachCertificate(ctx, shop.BatchAttachInput{
			CertID: shoptest.Given(l.cert), SerialIDs: input.GivenTexts(l.serial), UserID: user,
		})
		return err
	}},
	{"Create Note", "userId", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.CreateNote(ctx, shop.CreateNoteInput{
			Text: shoptest.Given("burr"), SerialIDs: input.GivenTexts(l.serial), JobID: shoptest.Given(l.path.JobID),
			PathID: shoptest.Given(l.path.ID), StepID: shoptest.Given(l.step(0)), UserID: user,
		})
		return err
	}},
	{"Edit BOM", "userId", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		entries := input.Given([]input.Input[shop.BOMEntryInput]{input.Given(shop.BOMEntryInput{
			PartType: shoptest.Given("nut"), RequiredQuantityPerBuild: shoptest.Number(1), ContributingJobIDs: input.GivenTexts(l.path.JobID),
		})})
		bom := shoptest.Must(l.CreateBOM(context.WithoutCancel(l.t.Context()), shop.CreateBOMInput{Name: shoptest.Given("Kit"), Entries: entries}))
		_, err := l.EditBOM(ctx, bom.ID, shop.EditBOMInput{Entries: entries, ChangeDescription: shoptest.Given("more"), UserID: user})
		return err
	}},
	{"Assign Step", "changedBy", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		// The step's assigned operator differs from the acting user.
		operator := shoptest.Must(l.CreateUser(l.t.Context(), shop.CreateUserInput{Name: shoptest.Given("Kim")}))
		_, err := l.AssignStep(ctx, l.step(1), shop.AssignStepInput{UserID: shoptest.Given(operator.ID), ChangedBy: user})
		return err
	}},
	{"Configure Step", "changedBy", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.ConfigureStep(ctx, l.step(1), shop.ConfigureStepInput{Optional: input.Given(true), ChangedBy: user})
		return err
	}},
	{"Update Path", "changedBy", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.UpdatePath(ctx, l.path.ID, shop.UpdatePathInput{Name: shoptest.Given("Other"), ChangedBy: user})
		return err
	}},
	{"Update Advancement Mode", "changedBy", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.UpdateAdvancementMode(ctx, l.path.ID, shoptest.Given("strict"), user)
		return err
	}},
	{"Delete Path", "changedBy", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		path := shoptest.Must(l.CreatePath(l.t.Context(), shop.CreatePathInput{
			JobID: shoptest.Given(l.path.JobID), Name: shoptest.Given("Spare"), GoalQuantity: shoptest.Number(1),
			Steps: input.Given([]input.Input[shop.StepInput]{input.Given(shop.StepInput{Name: shoptest.Given("mill")})}),
		}))
		return l.DeletePath(ctx, path.ID, user)
	}},
	{"Apply Template", "changedBy", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		template := shoptest.Must(l.CreateTemplate(l.t.Context(), shop.CreateTemplateInput{
			Name:  shoptest.Given("Usual"),
			Steps: shop.TemplateSteps(shoptest.StepsCalled("mill")),
		}))
		_, err := l.ApplyTemplate(ctx, template.ID, shop.ApplyTemplateInput{
			JobID: shoptest.Given(l.path.JobID), GoalQuantity: shoptest.Number(1), ChangedBy: user,
		})
		return err
	}},
	{"Create Job", "changedBy", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.CreateJob(ctx, shop.CreateJobInput{Name: shoptest.Given("Other"), GoalQuantity: shoptest.Number(1), ChangedBy: user})
		return err
	}},
	{"Update Job", "changedBy", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.UpdateJob(ctx, l.path.JobID, shop.UpdateJobInput{Name: shoptest.Given("Other"), ChangedBy: user})
		return err
	}},
	{"Create Certificate", "changedBy", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		_, err := l.CreateCertificate(ctx, shop.CreateCertificateInput{Type: shoptest.Given("material"), Name: shoptest.Given("3.1"), ChangedBy: user})
		return err
	}},
	{"Update User", "changedBy", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		operator := shoptest.Must(l.CreateUser(l.t.Context(), shop.CreateUserInput{Name: shoptest.Given("Kim")}))
		_, err := l.UpdateUser(ctx, operator.ID, shop.UpdateUserInput{Name: shoptest.Given("Kim Li"), ChangedBy: user})
		return err
	}},
	{"Update BOM", "changedBy", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		bom := shoptest.Must(l.CreateBOM(l.t.Context(), shop.CreateBOMInput{Name: shoptest.Given("Kit"), Entries: shoptest.EntriesOf("bolt")}))
		_, err := l.UpdateBOM(ctx, bom.ID, shop.UpdateBOMInput{Name: shoptest.Given("Set"), ChangedBy: user})
		return err
	}},
	{"Delete Template", "changedBy", nil, func(ctx context.Context, l *line, user input.TextInput) error {
		template := shoptest.Must(l.CreateTemplate(l.t.Context(), shop.CreateTemplateInput{Name: shoptest.Given("Usual"), Steps: shop.TemplateSteps(shoptest.StepsCalled("mill"))}))
		return l.DeleteTemplate(ctx, template.ID, user)
	}},
}

// deferred moves the unit past its second step, which it defers.
func deferred(l *line) { shoptest.Must(struct{}{}, l.advanceTo(2)) }

// since returns the entries after a position of the audit trail, without fields that differ between runs, and without the entries of the
// test's preparations.
func (l *line) since(sequence int64) (users, actors, means []string) {
	l.t.Helper()
	setUp := []trail.Action{
		shop.ActionPathCreated, shop.ActionBOMCreated, shop.ActionUserCreated, shop.ActionTemplateCreated,
	}
	for _, entry := range shoptest.Must(l.AuditAfter(l.t.Context(), sequence, 100)) {
		if slices.Contains(setUp, entry.Action) {
			continue
		}
		users, actors, means = append(users, entry.UserID), append(actors, entry.Actor), append(means, entry.Means)
	}
	return users, actors, means
}

func TestWhoActs(t *testing.T) {
	t.Parallel()
	anna := shop.Caller{Login: "anna", Permissions: []shop.Permission{shop.Read, shop.Work}, Means: "session"}
	erp := shop.Caller{Login: "erp", Permissions: []shop.Permission{shop.ActFor}, Means: "token:t1"}
	var absent input.TextInput
	cases := []struct {
		name   string
		caller shop.Caller
		user   input.TextInput
		want   string // the recorded user; "" if the operation is refused
		actor  string
	}{
		{"left out", anna, absent, "anna", ""},
		{"null", anna, input.Null[string](), "anna", ""},
		{"blank", anna, shoptest.Given("  "), "anna", ""},
		{"one's own", anna, shoptest.Given("anna"), "anna", ""},
		{"another's", anna, shoptest.Given("bob"), "", ""},
		{"one's own in other letters", anna, shoptest.Given("Anna"), "", ""},
		{"one's own with space around", anna, shoptest.Given(" anna"), "", ""},
		{"nobody's", anna, shoptest.Given("anonymous"), "", ""},
		{"another's, permitted", erp, shoptest.Given("bob"), "bob", "erp"},
		{"left out by who may act for others", erp, absent, "erp", ""},
		{"one's own of who may act for others", erp, shoptest.Given("erp"), "erp", ""},
		{"open mode", shop.Caller{}, shoptest.Given("bob"), "bob", ""},
	}
	for _, operation := range actingOperations {
		t.Run(operation.name, func(t *testing.T) {
			t.Parallel()
			for _, c := range cases {
				l := newLine(t, "flexible", "preferred", "preferred", "preferred")
				if operation.prepare != nil {
					operation.prepare(l)
				}
				before := shoptest.Must(l.LastAuditSequence(t.Context()))
				err := operation.run(shop.WithCaller(t.Context(), c.caller), l, c.user)
				users, actors, means := l.since(before)
				if c.want == "" {
					want := &shoptest.Refusal{Kind: refusal.Forbidden, Message: operation.field + " must be anna: you may not act for others"}
					if diff := cmp.Diff(want, shoptest.Refused(err)); diff != "" || len(users) > 0 {
						t.Errorf("%s: %d entries, and an error that differs (-want +got):\n%s", c.name, len(users), diff)
					}
					continue
				}
				if err != nil || len(users) == 0 {
					t.Errorf("%s: %d entries, error %v", c.name, len(users), err)
				}
				for i := range users {
					if users[i] != c.want || actors[i] != c.actor || means[i] != c.caller.Means {
						t.Errorf("%s: recorded as %q by %q with %q, want %q by %q with %q", c.name, users[i], actors[i], means[i], c.want,
							c.actor, c.caller.Means)
					}
				}
			}
		})
	}
}

// TestWhoActsTyped shows that an invalid user is refused even if the caller is known.
func TestWhoActsTyped(t *testing.T) {
	t.Parallel()
	l := newLine(t, "strict", "preferred")
	ctx := shop.WithCaller(t.Context(), shop.Caller{Login: "anna"})
	_, err := l.AdvanceSerial(ctx, l.serial, shop.AdvanceSerialInput{UserID: input.Mistyped[string]()})
	if got := shoptest.Refused(err); got == nil || got.Kind != refusal.Invalid || got.Message != "userId must be a string" {
		t.Errorf("got %v", err)
	}
}

// TestForgetfulOperation shows that an operation that does not check the acting user is rolled back.
func TestForgetfulOperation(t *testing.T) {
	t.Parallel()
	l := newLine(t, "strict", "preferred")
	before := shoptest.Must(l.LastAuditSequence(t.Context()))
	ctx := shop.WithCaller(t.Context(), shop.Caller{Login: "anna"})
	err := l.Forget(ctx, "bob")
	if err == nil {
		t.Error("an entry in another's name was taken")
	}
	if users, _, _ := l.since(before); len(users) > 0 {
		t.Errorf("entries by %q", users)
	}
}

func TestRequiredPermission(t *testing.T) {
	t.Parallel()
	anna := shop.Caller{Login: "anna", Permissions: []shop.Permission{shop.Read, shop.Work}, Means: "session"}
	want := &shoptest.Refusal{Kind: refusal.Forbidden, Message: "This needs the permission decide"}
	if diff := cmp.Diff(want, shoptest.Refused(anna.Require(shop.Decide))); diff != "" {
		t.Errorf("(-want +got):\n%s", diff)
	}
	for _, caller := range []shop.Caller{{}, {Login: "q", Permissions: []shop.Permission{shop.Decide}}} {
		if err := caller.Require(shop.Decide); err != nil {
			t.Errorf("%v: %v", caller, err)
		}
	}
}
