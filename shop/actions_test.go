package shop_test

import (
	"context"
	"errors"
	"testing"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
)

// unitState brings a new unit into a state.
type unitState struct {
	name   string
	strict bool // whether strict mode has it
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
}

// walker does actions on one unit.
type walker struct {
	t       *testing.T
	service *shop.Service
	path    shop.Path
	certID  string
	serial  string
}

// do does one action that leads to a state, and must be possible.
func (w *walker) do(operation shop.Operation, index int) {
	w.t.Helper()
	if err := w.try(operation, index); err != nil {
		w.t.Fatalf("%s %d: %v", operation, index, err)
	}
}

func (w *walker) hold() {
	w.t.Helper()
	if _, err := w.service.HoldSerial(w.t.Context(), w.serial, shop.HoldSerialInput{
		Reason: shop.Given("crack"), UserID: shop.Given("ann"),
	}); err != nil {
		w.t.Fatal(err)
	}
}

func (w *walker) try(operation shop.Operation, index int) (err error) {
	ctx, user, reason := w.t.Context(), shop.Given("ann"), shop.Given("because")
	stepID := ""
	if index >= 0 && index < len(w.path.Steps) {
		stepID = w.path.Steps[index].ID
	}
	switch operation {
	case shop.OpAdvance:
		_, err = w.service.AdvanceSerial(ctx, w.serial, shop.AdvanceSerialInput{UserID: user})
	case shop.OpAdvanceTo:
		_, err = w.service.AdvanceToStep(ctx, w.serial, shop.AdvanceToStepInput{TargetStepIndex: shop.Given(float64(index)), UserID: user})
	case shop.OpScrap:
		_, err = w.service.ScrapSerial(ctx, w.serial, shop.ScrapSerialInput{Reason: shop.Given("damaged"), UserID: user})
	case shop.OpForceComplete:
		_, err = w.service.ForceComplete(ctx, w.serial, shop.ForceCompleteInput{UserID: user})
	case shop.OpAttach:
		_, err = w.service.AttachCertificate(ctx, w.serial, shop.AttachCertificateInput{CertID: shop.Given(w.certID), UserID: user})
	case shop.OpCompleteDeferred:
		_, err = w.service.CompleteDeferredStep(ctx, w.serial, stepID, user)
	case shop.OpWaive:
		_, err = w.service.WaiveStep(ctx, w.serial, stepID, shop.WaiveStepInput{Reason: reason, ApproverID: user})
	case shop.OpOverride:
		_, err = w.service.CreateOverrides(ctx, w.serial, shop.CreateOverridesInput{
			SerialIDs: shop.GivenTexts(w.serial), StepID: shop.Given(stepID), Reason: reason, UserID: user,
		})
	case shop.OpReverseOverride:
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
	opened := shoptest.Open(t)
	service := opened.Service
	certificate, err := service.CreateCertificate(t.Context(), shop.CreateCertificateInput{Type: shop.Given("material"), Name: shop.Given("c")})
	if err != nil {
		t.Fatal(err)
	}
	for _, mode := range shop.AdvancementModes() {
		path := actionPath(t, service, mode)
		for _, state := range unitStates {
			if mode == shop.Strict && !state.strict {
				continue
			}
			t.Run(string(mode)+"/"+state.name, func(t *testing.T) {
				unit := func() *walker {
					batch, err := service.CreateSerials(t.Context(), shop.CreateSerialsInput{
						JobID: shop.Given(path.JobID), PathID: shop.Given(path.ID), Quantity: shop.Given(1.0),
					})
					if err != nil {
						t.Fatal(err)
					}
					w := &walker{t, service, path, certificate.ID, shop.SerialID(batch.First)}
					state.walk(w)
					return w
				}
				for i := 0; ; i++ {
					w := unit()
					actions := actionsOf(t.Context(), t, opened, w.serial)
					if i == len(actions) {
						break
					}
					refusal := ""
					if err := w.try(actions[i].Operation, actions[i].StepIndex); err != nil {
						if _, ok := errors.AsType[*shop.Error](err); !ok {
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

func actionsOf(ctx context.Context, t *testing.T, service *shoptest.Shop, serial string) []shop.Action {
	t.Helper()
	card, err := service.Card(ctx, serial)
	if err != nil {
		t.Fatal(err)
	}
	return card.Actions
}

// actionPath makes a route with a step of each kind.
func actionPath(t *testing.T, service *shop.Service, mode shop.AdvancementMode) shop.Path {
	t.Helper()
	job, err := service.CreateJob(t.Context(), shop.CreateJobInput{Name: shop.Given("Valve"), GoalQuantity: shop.Given(5.0)})
	if err != nil {
		t.Fatal(err)
	}
	step := func(name string, kind shop.DependencyType, optional bool) shop.Input[shop.StepInput] {
		return shop.Given(shop.StepInput{Name: shop.Given(name), Optional: shop.Given(optional),
			DependencyType: shop.Given(string(kind))})
	}
	path, err := service.CreatePath(t.Context(), shop.CreatePathInput{
		JobID: shop.Given(job.ID), Name: shop.Given("Main"), GoalQuantity: shop.Given(5.0),
		AdvancementMode: shop.Given(string(mode)),
		Steps: shop.Given([]shop.Input[shop.StepInput]{
			step("Saw", shop.Preferred, false), step("Wash", shop.Preferred, false), step("Mark", shop.Preferred, true),
			step("Leak test", shop.CompletionGate, false), step("Weld", shop.Physical, false),
		}),
	})
	if err != nil {
		t.Fatal(err)
	}
	return path
}
