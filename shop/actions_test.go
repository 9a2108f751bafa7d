package shop_test

import (
	"context"
	"errors"
	"slices"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// unitState is a way to bring a new unit into a state.
type unitState struct {
	name   string
	strict bool // whether the state is possible in strict mode
	walk   func(w *walker)
}

var unitStates = []unitState{
	{"new", true, func(*walker) {}},
	{"moved on", true, func(w *walker) { w.do(shop.OpAdvance, -1) }},
	{"with a deferred step", false, func(w *walker) { w.do(shop.OpAdvanceTo, 2) }},
	{"with a waived step", false, func(w *walker) { w.do(shop.OpAdvanceTo, 2); w.do(shop.OpWaive, 1) }},
	{"with a deferred step completed", false, func(w *walker) { w.do(shop.OpAdvanceTo, 2); w.do(shop.OpCompleteDeferred, 1) }},
	{"with an override", true, func(w *walker) { w.do(shop.OpOverride, 3) }},
	{"with an override that was used", false, func(w *walker) {
		w.do(shop.OpOverride, 3)
		w.do(shop.OpAdvance, -1)
		w.do(shop.OpAdvanceTo, 4)
	}},
	{"with an override of a deferred step", false, func(w *walker) { w.do(shop.OpAdvanceTo, 2); w.do(shop.OpOverride, 1) }},
	{"on hold", false, func(w *walker) { w.do(shop.OpAdvanceTo, 2); w.hold() }},
	{"scrapped", true, func(w *walker) { w.do(shop.OpScrap, -1) }},
	{"scrapped with a deferred step", false, func(w *walker) { w.do(shop.OpAdvanceTo, 2); w.do(shop.OpScrap, -1) }},
	{"completed by force", true, func(w *walker) { w.do(shop.OpForceComplete, -1) }},
	{"completed", true, func(w *walker) {
		for range 5 {
			w.do(shop.OpAdvance, -1)
		}
	}},
	{"sent back", false, func(w *walker) { w.do(shop.OpAdvanceTo, 2); w.do(shop.OpRework, 1) }},
	{"on hold twice", false, func(w *walker) { w.do(shop.OpHold, -1); w.do(shop.OpHold, -1) }},
	{"with records", false, func(w *walker) { w.do(shop.OpAttach, -1); w.do(shop.OpNote, -1) }},
	{"with a record that was voided", false, func(w *walker) {
		w.do(shop.OpAttach, -1)
		w.do(shop.OpNote, -1)
		w.doWith(shop.Action{Operation: shop.OpVoid, StepIndex: -1, RecordID: w.notes()[0]})
	}},
	{"with a change of long ago", false, func(w *walker) {
		w.do(shop.OpAdvance, -1)
		w.do(shop.OpNote, -1)
		w.shop.Clock.Add(time.Hour.Milliseconds())
	}},
	{"with a number of its own", false, func(w *walker) { w.do(shop.OpSetSerialNumber, -1) }},
	{"on a report", false, func(w *walker) { w.do(shop.OpReport, -1) }},
	{"decided", false, func(w *walker) { w.dispose("use_as_is") }},
	{"scrapped by a disposition", false, func(w *walker) { w.dispose("scrap") }},
	{"with a disposition that was taken back", false, func(w *walker) {
		w.dispose("scrap")
		w.doWith(w.offered(shop.OpUndo))
	}},
	{"scrapped on a report", false, func(w *walker) { w.do(shop.OpReport, -1); w.do(shop.OpScrap, -1) }},
	{"on a closed report", false, func(w *walker) {
		report := w.dispose("use_as_is")
		if _, err := w.service.CloseNonconformance(w.t.Context(), report, shop.CloseNonconformanceInput{
			Summary: input.Given("fine"), UserID: input.Given("ann"),
		}); err != nil {
			w.t.Fatal(err)
		}
	}},
}

// callers ask for the actions: an unknown caller, the caller who did everything so far, and two other callers. The last caller has the
// permission Decide.
var callers = []shop.Caller{
	{},
	{Login: "ann", Permissions: []shop.Permission{shop.Read, shop.Work}},
	{Login: "bob", Permissions: []shop.Permission{shop.Read, shop.Work}},
	{Login: "carl", Permissions: []shop.Permission{shop.Read, shop.Work, shop.Decide}},
}

// walker performs actions on one unit.
type walker struct {
	t       *testing.T
	shop    *shoptest.Shop
	service *shop.Service
	path    card.Path
	certID  string
	serial  string
	caller  shop.Caller // the acting caller; unknown, as ann, until the unit is in its state
}

// do performs one action on the way to a state. It must succeed.
func (w *walker) do(operation shop.Operation, index int) {
	w.t.Helper()
	w.doWith(shop.Action{Operation: operation, StepIndex: index})
}

func (w *walker) doWith(action shop.Action) {
	w.t.Helper()
	if err := w.try(action); err != nil {
		w.t.Fatalf("%s %d: %v", action.Operation, action.StepIndex, err)
	}
}

func (w *walker) hold() { w.do(shop.OpHold, -1) }

// dispose puts the unit on a report and decides its disposition.
func (w *walker) dispose(disposition string) (report string) {
	w.t.Helper()
	w.do(shop.OpReport, -1)
	report = w.offered(shop.OpDispose).RecordID
	if err := w.decide(report, disposition); err != nil {
		w.t.Fatal(err)
	}
	return report
}

func (w *walker) decide(report, disposition string) error {
	_, err := w.service.DisposeNonconformance(w.ctx(), report, shop.DispositionInput{
		SerialIDs: input.GivenTexts(w.serial), Disposition: input.Given(disposition), Reason: input.Given("because"),
		Concession: input.Given("the customer"), UserID: w.user(),
	})
	return err
}

// offered returns the first action with this operation.
func (w *walker) offered(operation shop.Operation) shop.Action {
	w.t.Helper()
	for _, action := range w.actions() {
		if action.Operation == operation {
			return action
		}
	}
	w.t.Fatalf("%s is not offered", operation)
	return shop.Action{}
}

func (w *walker) card() views.CardDetail {
	w.t.Helper()
	card, err := w.shop.Card(w.ctx(), w.serial)
	if err != nil {
		w.t.Fatal(err)
	}
	return card
}

func (w *walker) actions() []shop.Action { return w.card().Actions }

func (w *walker) notes() (ids []string) {
	for _, note := range w.card().Notes {
		ids = append(ids, note.ID)
	}
	return ids
}

func (w *walker) ctx() context.Context { return shop.WithCaller(w.t.Context(), w.caller) }

// user is the user in a request; requests of known callers leave it out.
func (w *walker) user() input.TextInput {
	if w.caller.Known() {
		return input.TextInput{}
	}
	return input.Given("ann")
}

func (w *walker) try(action shop.Action) (err error) {
	ctx, user, reason := w.ctx(), w.user(), input.Given("because")
	index, stepID := action.StepIndex, ""
	if index >= 0 && index < len(w.path.Steps) {
		stepID = w.path.Steps[index].ID
	}
	switch action.Operation {
	case shop.OpAdvance:
		_, err = w.service.AdvanceSerial(ctx, w.serial, shop.AdvanceSerialInput{UserID: user})
	case shop.OpAdvanceTo:
		_, err = w.service.AdvanceToStep(ctx, w.serial, shop.AdvanceToStepInput{TargetStepIndex: input.Given(float64(index)), UserID: user})
	case shop.OpScrap:
		_, err = w.service.ScrapSerial(ctx, w.serial, shop.ScrapSerialInput{Reason: input.Given("damaged"), UserID: user})
	case shop.OpForceComplete:
		_, err = w.service.ForceComplete(ctx, w.serial, shop.ForceCompleteInput{UserID: user})
	case shop.OpAttach:
		_, err = w.service.AttachCertificate(ctx, w.serial, shop.AttachCertificateInput{CertID: input.Given(w.certID), UserID: user})
	case shop.OpCompleteDeferred:
		_, err = w.service.CompleteDeferredStep(ctx, w.serial, stepID, user)
	case shop.OpWaive:
		approver := user
		if approver.Missing() {
			approver = input.Given(w.caller.Login)
		}
		_, err = w.service.WaiveStep(ctx, w.serial, stepID, shop.WaiveStepInput{Reason: reason, ApproverID: approver})
	case shop.OpOverride:
		_, err = w.service.CreateOverrides(ctx, w.serial, shop.CreateOverridesInput{
			SerialIDs: input.GivenTexts(w.serial), StepID: input.Given(stepID), Reason: reason, UserID: user,
		})
	case shop.OpReverseOverride:
		err = w.service.ReverseOverride(ctx, w.serial, stepID, user)
	case shop.OpRework:
		_, err = w.service.ReworkSerial(ctx, w.serial, shop.ReworkSerialInput{
			TargetStepIndex: input.Given(float64(index)), Reason: reason, UserID: user,
		})
	default:
		err = w.tryRecord(action)
	}
	return err
}

// tryRecord performs an action on a record that belongs to the unit.
func (w *walker) tryRecord(action shop.Action) (err error) {
	ctx, user, reason := w.ctx(), w.user(), input.Given("because")
	switch action.Operation {
	case shop.OpNote:
		_, err = w.service.CreateNote(ctx, shop.CreateNoteInput{
			JobID: input.Given(w.path.JobID), PathID: input.Given(w.path.ID), StepID: input.Given(w.path.Steps[0].ID),
			SerialIDs: input.GivenTexts(w.serial), Text: input.Given("chatter"), UserID: user,
		})
	case shop.OpHold:
		_, err = w.service.HoldSerial(ctx, w.serial, shop.HoldSerialInput{Reason: input.Given("crack"), UserID: user})
	case shop.OpRelease:
		_, err = w.service.ReleaseSerial(ctx, w.serial, shop.ReleaseSerialInput{
			HoldID: input.Given(action.RecordID), Reason: reason, UserID: user,
		})
	case shop.OpSetSerialNumber:
		_, err = w.service.SetSerialNumber(ctx, w.serial, shop.SetSerialNumberInput{
			SerialNumber: input.Given(w.shop.NewID("E-")), Reason: reason, UserID: user,
		})
	case shop.OpReport:
		_, err = w.service.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
			Title: input.Given("too small"), Severity: input.Given("minor"),
			Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(w.serial)}, UserID: user,
		})
	case shop.OpDispose:
		err = w.decide(action.RecordID, "use_as_is")
	case shop.OpUndo:
		_, err = w.service.Undo(ctx, w.serial, shop.UndoInput{EntryID: input.Given(action.RecordID), Reason: reason, UserID: user})
	case shop.OpVoid:
		if slices.Contains(w.notes(), action.RecordID) {
			_, err = w.service.VoidNote(ctx, action.RecordID, shop.VoidInput{Reason: reason, UserID: user})
		} else {
			_, err = w.service.VoidAttachment(ctx, action.RecordID, shop.VoidInput{Reason: reason, UserID: user})
		}
	default:
		w.t.Fatalf("unknown operation %s", action.Operation)
	}
	return err
}

// TestActionsSayWhatOperationsDo performs every offered action in every state of a unit and for every caller. An allowed action succeeds,
// and a refused action is refused with the same message.
func TestActionsSayWhatOperationsDo(t *testing.T) {
	t.Parallel()
	opened := shoptest.Open(t)
	service := opened.Service
	certificate, err := service.CreateCertificate(t.Context(), shop.CreateCertificateInput{Type: input.Given("material"), Name: input.Given("c")})
	if err != nil {
		t.Fatal(err)
	}
	byCaller := []shop.Operation{shop.OpUndo, shop.OpVoid, shop.OpSetSerialNumber} // checked for each caller; all others only for {}
	judged := map[shop.Operation]int{}
	refused := map[shop.Operation]int{}
	for _, mode := range shop.AdvancementModes() {
		path := actionPath(t, service, mode)
		for _, state := range unitStates {
			if mode == card.Strict && !state.strict {
				continue
			}
			unit := func(t *testing.T, caller shop.Caller) *walker {
				batch, err := service.CreateSerials(t.Context(), shop.CreateSerialsInput{
					JobID: input.Given(path.JobID), PathID: input.Given(path.ID), Quantity: input.Given(1.0),
				})
				if err != nil {
					t.Fatal(err)
				}
				w := &walker{t, opened, service, path, certificate.ID, service.SerialPrefix().SerialID(batch.First), shop.Caller{}}
				state.walk(w)
				w.caller = caller
				return w
			}
			for _, caller := range callers {
				if caller.Known() && mode != card.Flexible {
					continue // what a caller may do is the same in all modes
				}
				t.Run(string(mode)+"/"+state.name+"/"+caller.Login, func(t *testing.T) {
					w := unit(t, caller)
					for i, count := 0, len(w.actions()); i < count; i++ {
						actions := w.actions()
						if caller.Known() && !slices.Contains(byCaller, actions[i].Operation) {
							continue
						}
						problem := ""
						if err := w.try(actions[i]); err != nil {
							if _, ok := errors.AsType[*refusal.Error](err); !ok {
								t.Fatal(err)
							}
							problem = err.Error()
							refused[actions[i].Operation]++
						}
						judged[actions[i].Operation]++
						w = unit(t, caller)
						offered := ""
						if !actions[i].Allowed() {
							offered = actions[i].Refusal.Error()
						}
						if problem != offered {
							t.Errorf("%s %d: the operation says %q, the action %q", actions[i].Operation, actions[i].StepIndex, problem, offered)
						}
					}
				})
			}
		}
	}
	never := []shop.Operation{shop.OpNote, shop.OpOverride, shop.OpRelease, shop.OpReport} // never refused, whatever the state
	for _, operation := range shop.Operations() {
		if operation.Subject() != shop.AboutUnit {
			continue
		}
		if judged[operation] == 0 || judged[operation] == refused[operation] {
			t.Errorf("%s is allowed in no state", operation)
		}
		if refused[operation] == 0 && !slices.Contains(never, operation) {
			t.Errorf("%s is refused in no state", operation)
		}
	}
}

// actionPath creates a path with a step of each kind.
func actionPath(t *testing.T, service *shop.Service, mode card.AdvancementMode) card.Path {
	t.Helper()
	job, err := service.CreateJob(t.Context(), shop.CreateJobInput{Name: input.Given("Valve"), GoalQuantity: input.Given(5.0)})
	if err != nil {
		t.Fatal(err)
	}
	step := func(name string, kind card.DependencyType, optional bool) input.Input[shop.StepInput] {
		return input.Given(shop.StepInput{Name: input.Given(name), Optional: input.Given(optional),
			DependencyType: input.Given(string(kind))})
	}
	path, err := service.CreatePath(t.Context(), shop.CreatePathInput{
		JobID: input.Given(job.ID), Name: input.Given("Main"), GoalQuantity: input.Given(5.0),
		AdvancementMode: input.Given(string(mode)),
		Steps: input.Given([]input.Input[shop.StepInput]{
			step("Saw", card.Preferred, false), step("Wash", card.Preferred, false), step("Mark", card.Preferred, true),
			step("Leak test", card.CompletionGate, false), step("Weld", card.Physical, false),
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return path
}
