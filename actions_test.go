package routecard_test

import (
	"context"
	"errors"
	"testing"

	"github.com/routecard/routecard"
)

// unitState brings a new unit into a state.
type unitState struct {
	name   string
	strict bool // whether strict mode has it
	walk   func(w *walker)
}

var unitStates = []unitState{
	{"new", true, func(*walker) {}},
	{"moved on", true, func(w *walker) { w.do(routecard.OpAdvance, -1) }},
	{"with a deferred step", false, func(w *walker) { w.do(routecard.OpAdvanceTo, 2) }},
	{"with a waived step", false, func(w *walker) { w.do(routecard.OpAdvanceTo, 2); w.do(routecard.OpWaive, 1) }},
	{"with a deferred step completed", false, func(w *walker) { w.do(routecard.OpAdvanceTo, 2); w.do(routecard.OpCompleteDeferred, 1) }},
	{"with an override", true, func(w *walker) { w.do(routecard.OpOverride, 3) }},
	{"with an override that was used", false, func(w *walker) {
		w.do(routecard.OpOverride, 3)
		w.do(routecard.OpAdvance, -1)
		w.do(routecard.OpAdvanceTo, 4)
	}},
	{"with an override of a deferred step", false, func(w *walker) { w.do(routecard.OpAdvanceTo, 2); w.do(routecard.OpOverride, 1) }},
	{"on hold", false, func(w *walker) { w.do(routecard.OpAdvanceTo, 2); w.hold() }},
	{"scrapped", true, func(w *walker) { w.do(routecard.OpScrap, -1) }},
	{"scrapped with a deferred step", false, func(w *walker) { w.do(routecard.OpAdvanceTo, 2); w.do(routecard.OpScrap, -1) }},
	{"completed by force", true, func(w *walker) { w.do(routecard.OpForceComplete, -1) }},
	{"completed", true, func(w *walker) {
		for range 5 {
			w.do(routecard.OpAdvance, -1)
		}
	}},
}

// walker does actions on one unit.
type walker struct {
	t       *testing.T
	service *routecard.Service
	path    routecard.Path
	certID  string
	serial  string
}

// do does one action that leads to a state, and must be possible.
func (w *walker) do(operation routecard.Operation, index int) {
	w.t.Helper()
	if err := w.try(operation, index); err != nil {
		w.t.Fatalf("%s %d: %v", operation, index, err)
	}
}

func (w *walker) hold() {
	w.t.Helper()
	if _, err := w.service.HoldSerial(w.t.Context(), w.serial, routecard.HoldSerialInput{
		Reason: routecard.Given("crack"), UserID: routecard.Given("ann"),
	}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *walker) try(operation routecard.Operation, index int) (err error) {
	ctx, user, reason := w.t.Context(), routecard.Given("ann"), routecard.Given("because")
	stepID := ""
	if index >= 0 && index < len(w.path.Steps) {
		stepID = w.path.Steps[index].ID
	}
	switch operation {
	case routecard.OpAdvance:
		_, err = w.service.AdvanceSerial(ctx, w.serial, routecard.AdvanceSerialInput{UserID: user})
	case routecard.OpAdvanceTo:
		_, err = w.service.AdvanceToStep(ctx, w.serial, routecard.AdvanceToStepInput{TargetStepIndex: routecard.Given(float64(index)), UserID: user})
	case routecard.OpScrap:
		_, err = w.service.ScrapSerial(ctx, w.serial, routecard.ScrapSerialInput{Reason: routecard.Given("damaged"), UserID: user})
	case routecard.OpForceComplete:
		_, err = w.service.ForceComplete(ctx, w.serial, routecard.ForceCompleteInput{UserID: user})
	case routecard.OpAttach:
		_, err = w.service.AttachCertificate(ctx, w.serial, routecard.AttachCertificateInput{CertID: routecard.Given(w.certID), UserID: user})
	case routecard.OpCompleteDeferred:
		_, err = w.service.CompleteDeferredStep(ctx, w.serial, stepID, user)
	case routecard.OpWaive:
		_, err = w.service.WaiveStep(ctx, w.serial, stepID, routecard.WaiveStepInput{Reason: reason, ApproverID: user})
	case routecard.OpOverride:
		_, err = w.service.CreateOverrides(ctx, w.serial, routecard.CreateOverridesInput{
			SerialIDs: routecard.GivenTexts(w.serial), StepID: routecard.Given(stepID), Reason: reason, UserID: user,
		})
	case routecard.OpReverseOverride:
		err = w.service.ReverseOverride(ctx, w.serial, stepID, user)
	default:
		w.t.Fatalf("unknown operation %s", operation)
	}
	return err
}

// TestActionsSayWhatOperationsDo does everything that is offered, in every state of a unit: what is allowed succeeds,
// and what is refused is refused in the same words.
func TestActionsSayWhatOperationsDo(t *testing.T) {
	t.Parallel()
	service := openShop(t).Service
	certificate, err := service.CreateCertificate(t.Context(), routecard.CreateCertificateInput{Type: routecard.Given("material"), Name: routecard.Given("c")})
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range routecard.AdvancementModes() {
		path := actionPath(t, service, mode)
		for _, state := range unitStates {
			if mode == routecard.Strict && !state.strict {
				continue
			}
			t.Run(string(mode)+"/"+state.name, func(t *testing.T) {
				unit := func() *walker {
					batch, err := service.CreateSerials(t.Context(), routecard.CreateSerialsInput{
						JobID: routecard.Given(path.JobID), PathID: routecard.Given(path.ID), Quantity: routecard.Given(1.0),
					})
					if err != nil {
						t.Fatal(err)
					}
					w := &walker{t, service, path, certificate.ID, routecard.SerialID(batch.First)}
					state.walk(w)
					return w
				}
				for i := 0; ; i++ {
					w := unit()
					actions := actionsOf(t.Context(), t, service, w.serial)
					if i == len(actions) {
						break
					}
					refusal := ""
					if err := w.try(actions[i].Operation, actions[i].StepIndex); err != nil {
						if _, ok := errors.AsType[*routecard.Error](err); !ok {
							t.Fatal(err)
						}
						refusal = err.Error()
					}
					if refusal != actions[i].Refusal {
						t.Errorf("%s %d: the operation says %q, the action %q", actions[i].Operation, actions[i].StepIndex, refusal, actions[i].Refusal)
					}
				}
			})
		}
	}
}

func actionsOf(ctx context.Context, t *testing.T, service *routecard.Service, serial string) []routecard.Action {
	t.Helper()
	card, err := service.Card(ctx, serial)
	if err != nil {
		t.Fatal(err)
	}
	return card.Actions
}

// actionPath makes a route with a step of each kind.
func actionPath(t *testing.T, service *routecard.Service, mode routecard.AdvancementMode) routecard.Path {
	t.Helper()
	job, err := service.CreateJob(t.Context(), routecard.CreateJobInput{Name: routecard.Given("Valve"), GoalQuantity: routecard.Given(5.0)})
	if err != nil {
		t.Fatal(err)
	}
	step := func(name string, kind routecard.DependencyType, optional bool) routecard.Input[routecard.StepInput] {
		return routecard.Given(routecard.StepInput{Name: routecard.Given(name), Optional: routecard.Given(optional),
			DependencyType: routecard.Given(string(kind))})
	}
	path, err := service.CreatePath(t.Context(), routecard.CreatePathInput{
		JobID: routecard.Given(job.ID), Name: routecard.Given("Main"), GoalQuantity: routecard.Given(5.0),
		AdvancementMode: routecard.Given(string(mode)),
		Steps: routecard.Given([]routecard.Input[routecard.StepInput]{
			step("Saw", routecard.Preferred, false), step("Wash", routecard.Preferred, false), step("Mark", routecard.Preferred, true),
			step("Leak test", routecard.CompletionGate, false), step("Weld", routecard.Physical, false),
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return path
}
