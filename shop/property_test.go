package shop_test

import (
	"encoding/json"
	"errors"
	"maps"
	"math"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
	"github.com/google/go-cmp/cmp/cmpopts"
	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// TestModel runs random operations, with valid and invalid inputs, through the Service on a SQLite database and through the model. After
// each operation it compares everything that can be read: results, refusals and their order, serials, statuses, overrides, attachments,
// counts, and the audit trail. A refused operation must leave everything unchanged.
func TestModel(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	answers := map[string]int{}
	rapid.Check(t, func(t *rapid.T) {
		m := newMachine(t, s, answers)
		actions := rapid.StateMachineActions(m)
		for _, name := range []string{"AdvanceTo", "CompleteDeferred", "CreateOverrides", "ReverseOverride", "Waive", "Undo", "Dispose", "ReplaceSteps"} {
			actions[name+" again"] = actions[name] // runs the operations with the most cases more often
		}
		t.Repeat(actions)
		m.checkTrails(t)
		m.checkBeginning(t)
		m.Check(t)
	})
	if found := shoptest.RecordsFound(t, s.Store); len(found) > 0 {
		t.Errorf("records do not follow from the trail: %q", found)
	}
	for _, answer := range slices.Sorted(maps.Keys(answers)) {
		t.Logf("%6d  %s", answers[answer], answer)
	}
	for _, answer := range common {
		enginetest.Drawn(t, answer, answers[answer])
	}
}

// common lists outcomes that every run of a hundred checks has at least ten times. If one is missing, the model or its draws no longer
// reach a rule.
var common = []string{
	"advance-to: Cannot advance a completed serial",
	"advance-to: Cannot skip step with physical dependency",
	"advance-to: Path is in strict mode — can only advance to the next sequential step",
	"advance: Serial number is already completed",
	"attach: Certificate not found",
	"attach: Serial is already completed, cannot attach cert",
	"complete-deferred: Can only complete deferred steps — step status is",
	"complete-deferred: SnStepStatus not found",
	"close report: one has no disposition",
	"dispose",
	"replace-steps",
	"replace-steps: " + crossing,
	"create override: Cannot override a step that has already been completed",
	"reverse override: No active override found for this step",
	"waive: Can only waive deferred required steps",
	"waive: SnStepStatus not found",
}

// machine is one check: a path with serials, in the service and in the model.
type machine struct {
	shop    *shoptest.Shop
	model   model
	told    int    // number of entries of the model's trail already compared
	newest  string // id of the newest audit entry at the last comparison
	answers map[string]int
	replays map[string]replayedCard // last replay of each serial

	rerouted bool // whether the order of steps has changed
}

// replayedCard is the input of a replay.
type replayedCard struct {
	card    card.Card
	entries int
}

func newMachine(t *rapid.T, s *shoptest.Shop, answers map[string]int) *machine {
	ctx, now := t.Context(), s.Tick()
	steps := make([]input.Input[shop.StepInput], rapid.SampledFrom([]int{5, 6, 7, 8, 1, 2, 3, 4, 5, 6, 7, 8}).Draw(t, "steps"))
	for i := range steps {
		steps[i] = drawStep(t, never).input()
	}
	cert := shoptest.Must(s.CreateCertificate(ctx, shop.CreateCertificateInput{Type: shoptest.Given("material"), Name: shoptest.Given("3.1")}))
	job := shoptest.Must(s.CreateJob(ctx, shop.CreateJobInput{Name: shoptest.Given("Bracket"), GoalQuantity: shoptest.Number(2)}))
	path := shoptest.Must(s.CreatePath(ctx, shop.CreatePathInput{
		JobID: shoptest.Given(job.ID), Name: shoptest.Given("Main"), GoalQuantity: shoptest.Number(2), Steps: input.Given(steps),
		AdvancementMode: shoptest.Given(rapid.SampledFrom([]string{"flexible", "per_step", "flexible", "per_step", "strict"}).Draw(t, "mode")),
	}))
	m := &machine{
		shop: s, answers: answers, replays: map[string]replayedCard{}, model: model{now: now, path: path, certs: []string{cert.ID}},
	}
	m.model.path.Steps = slices.Clone(path.Steps)
	if before := shoptest.Collect(s.AuditEntries(ctx, 1, 0)); len(before) > 0 {
		m.newest = before[0].ID
		sequence, _ := ident.AuditSequence(m.newest)
		m.model.first = sequence
	}
	m.model.first++
	m.createSerials(t)
	return m
}

func (m *machine) createSerials(t *rapid.T) {
	quantity := 1 + upTo(t, "quantity", 1)
	batch := shoptest.Must(m.shop.CreateSerials(t.Context(), shop.CreateSerialsInput{
		JobID: shoptest.Given(m.model.path.JobID), PathID: shoptest.Given(m.model.path.ID), Quantity: shoptest.Number(float64(quantity)), UserID: shoptest.Given("ann"),
	}))
	ids := make([]string, 0, quantity)
	for _, serial := range shoptest.Collect(batch.All(ident.DefaultPrefix)) {
		ids = append(ids, serial.ID)
	}
	m.model.create(ids, "ann")
}

// NewSerials creates serials, so that operations remain possible during the whole check.
func (m *machine) NewSerials(t *rapid.T) {
	if len(m.model.serials) > 4 || m.model.count("in_progress") > 1 {
		t.Skip("enough serials")
	}
	m.begin()
	m.createSerials(t)
}

// upTo draws a number from 0 to n with equal probability; failing checks shrink towards 0.
func upTo(t *rapid.T, label string, n int) int {
	numbers := make([]int, n+1)
	for i := range numbers {
		numbers[i] = i
	}
	return rapid.SampledFrom(numbers).Draw(t, label)
}

// The probability, in tenths, that a drawn field is invalid.
const never, seldom = 0, 1

var wrongTexts = []field[string]{
	{}, {is: "null"}, {is: "mistyped"}, {is: "given"}, {is: "given", value: " \t"}, {is: "given", value: "a\x00b"},
	{is: "given", value: strings.Repeat("é", names)}, {is: "given", value: strings.Repeat("é", names+1)},
	{is: "given", value: strings.Repeat("é", texts)}, {is: "given", value: strings.Repeat("é", texts+1)},
}

func drawText(t *rapid.T, label string, tenths int, right ...string) field[string] {
	if upTo(t, label+" right?", 9) >= 10-tenths {
		return rapid.SampledFrom(wrongTexts).Draw(t, label)
	}
	return field[string]{is: "given", value: rapid.SampledFrom(right).Draw(t, label)}
}

func drawUser(t *rapid.T) field[string] { return drawText(t, "user", seldom, "bob") }

// drawSerial draws a serial: often one in progress, rarely one that does not exist.
func (m *machine) drawSerial(t *rapid.T) string {
	kind := upTo(t, "kind of serial", 29)
	if kind == 29 {
		return rapid.SampledFrom([]string{"SN-99999999", "a serial"}).Draw(t, "serial")
	}
	var all, running []string
	for _, s := range m.model.serials {
		all = append(all, s.ID)
		if s.Status == "in_progress" {
			running = append(running, s.ID)
		}
	}
	if kind < 20 && len(running) > 0 {
		all = running
	}
	return rapid.SampledFrom(all).Draw(t, "serial")
}

func (m *machine) drawStepID(t *rapid.T) string {
	i := upTo(t, "step", 3*len(m.model.path.Steps)) - 1
	if i < 0 {
		return "step_unknown"
	}
	return m.model.path.Steps[i%len(m.model.path.Steps)].ID
}

// drawPlace draws a serial and a step, preferring those where the step has this status for the serial.
func (m *machine) drawPlace(t *rapid.T, status card.StepStatus) (serialID, stepID string) {
	var places [][2]string
	for _, s := range m.model.serials {
		for i, step := range m.model.path.Steps {
			if s.steps[i] == status {
				places = append(places, [2]string{s.ID, step.ID})
			}
		}
	}
	if len(places) == 0 || upTo(t, "fitting?", 3) == 3 {
		return m.drawSerial(t), m.drawStepID(t)
	}
	place := rapid.SampledFrom(places).Draw(t, "serial and step")
	return place[0], place[1]
}

var dependencies = []string{"preferred", "preferred", "preferred", "physical", "completion_gate"}

func drawStep(t *rapid.T, tenths int) stepFields {
	step := stepFields{
		name:       drawText(t, "name", tenths, "mill", "turn"),
		dependency: field[string]{is: "given", value: rapid.SampledFrom(dependencies).Draw(t, "dependency")},
		optional:   field[bool]{is: "given", value: upTo(t, "optional", 3) == 3},
	}
	if upTo(t, "configured?", 19) >= 20-tenths {
		step.dependency = rapid.SampledFrom(wrongTexts).Draw(t, "dependency")
		step.optional = field[bool]{is: rapid.SampledFrom([]string{"", "null", "mistyped"}).Draw(t, "optional")}
	}
	return step
}

func (s stepFields) input() input.Input[shop.StepInput] {
	return input.Given(shop.StepInput{
		Name: s.name.input(), DependencyType: s.dependency.input(), Optional: s.optional.input(),
	})
}

// begin advances the clock, so that an update of a time that should not change is detected.
func (m *machine) begin() { m.model.now = m.shop.Tick() }

// same compares a result of the service with the model's.
func same(t *rapid.T, what string, got, want any) {
	t.Helper()
	if reflect.DeepEqual(want, got) {
		return // the usual case; cmp takes ten times as long
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Fatalf("%s (-model +service):\n%s", what, diff)
	}
}

// refusedOrDone compares refusals, and reports whether there are results to compare as well.
func (m *machine) refusedOrDone(t *rapid.T, operation string, err error, want refusedAs) bool {
	t.Helper()
	got := shoptest.Refused(err)
	same(t, operation, got, want)
	if got == nil {
		m.answers[operation]++
		return true
	}
	message, _, _ := strings.Cut(got.Message, ":")
	m.answers[operation+": "+numbered.ReplaceAllString(message, "one")]++
	return false
}

var numbered = regexp.MustCompile(`(SN|NCR)-\d+`)

// sameSerial compares a serial in a result with the model's serial.
func (m *machine) sameSerial(t *rapid.T, operation string, got card.Serial, id string) {
	t.Helper()
	var decoded serialNumber
	decode(shoptest.Must(json.Marshal(got)), &decoded)
	same(t, operation, decoded, m.model.find(id).serialNumber)
}

func decode(text []byte, to any) {
	if err := json.Unmarshal(text, to); err != nil {
		panic(err)
	}
}

func (m *machine) Advance(t *rapid.T) {
	id, by := m.drawSerial(t), drawUser(t)
	m.begin()
	got, err := m.shop.AdvanceSerial(t.Context(), id, shop.AdvanceSerialInput{UserID: by.input()})
	if m.refusedOrDone(t, "advance", err, m.model.advance(id, by)) {
		m.sameSerial(t, "advance", got, id)
	}
}

func (m *machine) AdvanceTo(t *rapid.T) {
	id, by := m.drawSerial(t), drawUser(t)
	target := field[float64]{is: "given"}
	switch upTo(t, "target right?", 19) {
	case 19:
		target.is = rapid.SampledFrom([]string{"", "null", "mistyped"}).Draw(t, "target")
	case 18:
		target.value = rapid.SampledFrom([]float64{
			0.5, -0.5, 1 << 53, 1<<53 - 1, 1e300, math.Inf(1), math.Inf(-1), -1 << 60,
		}).Draw(t, "target")
	case 17, 16:
		target.value = float64(upTo(t, "target", len(m.model.path.Steps)+2) - 1)
	default:
		at := 0
		if s := m.model.find(id); s != nil {
			at = s.CurrentStepIndex
		}
		target.value = float64(min(at+1+upTo(t, "ahead", 3), len(m.model.path.Steps)))
	}
	m.begin()
	got, err := m.shop.AdvanceToStep(t.Context(), id, shop.AdvanceToStepInput{
		TargetStepIndex: target.input(), UserID: by.input(),
	})
	bypassed, want := m.model.advanceTo(id, target, by)
	if m.refusedOrDone(t, "advance-to", err, want) {
		same(t, "bypassed", got.Bypassed, bypassed)
		m.sameSerial(t, "advance-to", got.Serial, id)
	}
}

func (m *machine) Scrap(t *rapid.T) {
	if upTo(t, "scrap?", 2) > 0 {
		t.Skip("most serials are good")
	}
	id, by := m.drawSerial(t), drawUser(t)
	reason := drawText(t, "reason", 3, "damaged", "other", "operator_error", "lost", "out_of_tolerance", "process_defect")
	explanation := drawText(t, "explanation", 4, "fell", "hot")
	m.begin()
	got, err := m.shop.ScrapSerial(t.Context(), id, shop.ScrapSerialInput{
		Reason: reason.input(), Explanation: explanation.input(), UserID: by.input(),
	})
	if m.refusedOrDone(t, "scrap", err, m.model.scrap(id, reason, explanation, by)) {
		m.sameSerial(t, "scrap", got, id)
	}
}

func (m *machine) ForceComplete(t *rapid.T) {
	if upTo(t, "force?", 1) > 0 {
		t.Skip("most serials are finished")
	}
	id, _ := m.drawPlace(t, "waived") // a waived step is no longer open
	reason, by := drawText(t, "reason", 4, "rush"), drawUser(t)
	m.begin()
	got, err := m.shop.ForceComplete(t.Context(), id, shop.ForceCompleteInput{Reason: reason.input(), UserID: by.input()})
	if m.refusedOrDone(t, "force-complete", err, m.model.forceComplete(id, reason, by)) {
		m.sameSerial(t, "force-complete", got, id)
	}
}

func (m *machine) CompleteDeferred(t *rapid.T) {
	by := drawUser(t)
	id, stepID := m.drawPlace(t, "deferred")
	m.begin()
	got, err := m.shop.CompleteDeferredStep(t.Context(), id, stepID, by.input())
	if m.refusedOrDone(t, "complete-deferred", err, m.model.completeDeferred(id, stepID, by)) {
		m.sameStatus(t, got, id, stepID)
	}
}

func (m *machine) Waive(t *rapid.T) {
	reason, approver := drawText(t, "reason", seldom, "not needed"), drawText(t, "approver", seldom, "eve")
	id, stepID := m.drawPlace(t, "deferred")
	m.begin()
	got, err := m.shop.WaiveStep(t.Context(), id, stepID, shop.WaiveStepInput{Reason: reason.input(), ApproverID: approver.input()})
	if m.refusedOrDone(t, "waive", err, m.model.waive(id, stepID, reason, approver)) {
		m.sameStatus(t, got, id, stepID)
	}
}

func (m *machine) sameStatus(t *rapid.T, got card.SerialStepStatus, serialID, stepID string) {
	t.Helper()
	i := m.model.stepIndex(stepID)
	same(t, "step status", got, card.SerialStepStatus{
		ID: got.ID, SerialID: serialID, StepID: stepID, StepIndex: i, Status: m.model.find(serialID).steps[i], UpdatedAt: m.model.now,
	})
	if !strings.HasPrefix(got.ID, "snss_") {
		t.Fatalf("a step status has the id %q", got.ID)
	}
}

func (m *machine) CreateOverrides(t *rapid.T) {
	id, fitting := m.drawPlace(t, "pending")
	serialIDs := []string{id}
	if upTo(t, "for itself?", 3) == 3 {
		serialIDs = rapid.SliceOfN(rapid.Custom(m.drawSerial), 0, 3).Draw(t, "serials")
	}
	stepID := field[string]{is: "given", value: fitting}
	if upTo(t, "step named?", 19) == 19 {
		stepID = rapid.SampledFrom(wrongTexts).Draw(t, "step")
	}
	reason, by := drawText(t, "reason", seldom, "agreed"), drawUser(t)
	m.begin()
	got, err := m.shop.CreateOverrides(t.Context(), id, shop.CreateOverridesInput{
		SerialIDs: input.GivenTexts(serialIDs...), StepID: stepID.input(), Reason: reason.input(), UserID: by.input(),
	})
	created, want := m.model.createOverrides(id, serialIDs, stepID, reason, by)
	if !m.refusedOrDone(t, "create override", err, want) {
		return
	}
	same(t, "overrides created", len(got), len(created))
	for i := range created {
		created[i].ID = got[i].ID
		overrides := m.model.find(created[i].SerialID).overrides
		overrides[len(overrides)-1].ID = got[i].ID
	}
	same(t, "overrides created", got, created)
}

func (m *machine) ReverseOverride(t *rapid.T) {
	id, by := m.drawSerial(t), drawUser(t)
	stepID := m.drawStepID(t)
	if s := m.model.find(id); s != nil && len(s.overrides) > 0 && upTo(t, "fitting?", 3) < 3 {
		stepID = rapid.SampledFrom(s.overrides).Draw(t, "override").StepID
	}
	m.begin()
	err := m.shop.ReverseOverride(t.Context(), id, stepID, by.input())
	m.refusedOrDone(t, "reverse override", err, m.model.reverseOverride(id, stepID, by))
}

func (m *machine) Attach(t *rapid.T) {
	id, by := m.drawSerial(t), drawUser(t)
	certID := drawText(t, "certificate", seldom, m.model.certs[0], m.model.certs[0], "cert_unknown")
	m.begin()
	got, err := m.shop.AttachCertificate(t.Context(), id, shop.AttachCertificateInput{CertID: certID.input(), UserID: by.input()})
	attached, want := m.model.attach(id, certID, by)
	if !m.refusedOrDone(t, "attach", err, want) {
		return
	}
	if attached.ID == "" {
		attachments := m.model.find(id).attachments
		attachments[len(attachments)-1].ID, attached.ID = got.ID, got.ID
	}
	same(t, "attachment", got, attached)
}

func (m *machine) Hold(t *rapid.T) {
	if upTo(t, "hold?", 2) > 0 {
		t.Skip("most serials are in order")
	}
	id, by := m.drawSerial(t), drawUser(t)
	reason := drawText(t, "reason", seldom, "crack", "wrong drawing")
	m.begin()
	got, err := m.shop.HoldSerial(t.Context(), id, shop.HoldSerialInput{Reason: reason.input(), UserID: by.input()})
	if !m.refusedOrDone(t, "hold", err, m.model.hold(id, reason, by)) {
		return
	}
	s := m.model.find(id)
	placed := &s.holds[len(s.holds)-1]
	placed.ID = got.ID
	same(t, "hold", got, *placed)
	m.model.tellHold(s, "serial_held", by.value, got.ID, reason.value)
}

func (m *machine) Release(t *rapid.T) {
	id, by := m.drawSerial(t), drawUser(t)
	var open []string
	for _, s := range m.model.serials {
		if s.onHold() != nil && upTo(t, "one on hold?", 5) > 0 {
			id = s.ID
		}
	}
	holdIDs := []string{"hold_unknown"}
	if s := m.model.find(id); s != nil {
		for _, hold := range s.holds {
			holdIDs = append(holdIDs, hold.ID)
			if hold.ReleasedBy == "" {
				open = append(open, hold.ID)
			}
		}
	}
	if len(open) > 0 && upTo(t, "an open one?", 3) > 0 {
		holdIDs = open
	}
	holdID, reason := drawText(t, "hold", seldom, holdIDs...), drawText(t, "reason", seldom, "a scratch")
	m.begin()
	got, err := m.shop.ReleaseSerial(t.Context(), id, shop.ReleaseSerialInput{
		HoldID: holdID.input(), Reason: reason.input(), UserID: by.input(),
	})
	if m.refusedOrDone(t, "release", err, m.model.release(id, holdID, reason, by)) {
		s := m.model.find(id)
		same(t, "released", got, s.holds[slices.IndexFunc(s.holds, func(hold card.Hold) bool { return hold.ID == got.ID })])
	}
}

func (m *machine) Rework(t *rapid.T) {
	if upTo(t, "rework?", 1) > 0 {
		t.Skip("most serials are good")
	}
	id, by := m.drawSerial(t), drawUser(t)
	target, reason := field[float64]{is: "given"}, drawText(t, "reason", seldom, "too small")
	switch upTo(t, "target right?", 9) {
	case 9:
		target.is = rapid.SampledFrom([]string{"", "null", "mistyped"}).Draw(t, "target")
	case 8:
		target.value = rapid.SampledFrom([]float64{0.5, 1 << 53, math.Inf(-1)}).Draw(t, "target")
	default:
		target.value = float64(upTo(t, "target", len(m.model.path.Steps)+1) - 1)
	}
	m.begin()
	got, err := m.shop.ReworkSerial(t.Context(), id, shop.ReworkSerialInput{
		TargetStepIndex: target.input(), Reason: reason.input(), UserID: by.input(),
	})
	if m.refusedOrDone(t, "rework", err, m.model.rework(id, target, reason, by)) {
		m.sameSerial(t, "rework", got, id)
	}
}

func (m *machine) Undo(t *rapid.T) {
	id, by := m.drawSerial(t), drawUser(t)
	at := m.drawEntry(t, id)
	entryID := drawText(t, "entry", seldom, ident.AuditID(m.model.first+int64(at)))
	if entryID.value != ident.AuditID(m.model.first+int64(at)) || m.model.trail[at].SerialID != id {
		at = -1
	}
	reason := drawText(t, "reason", seldom, "wrong unit")
	m.begin()
	got, err := m.shop.Undo(t.Context(), id, shop.UndoInput{EntryID: entryID.input(), Reason: reason.input(), UserID: by.input()})
	if m.refusedOrDone(t, "undo", err, m.model.undo(id, at, entryID, reason, by)) {
		m.sameSerial(t, "undo", got, id)
	}
}

// drawEntry draws an index in the trail, preferring an entry of the serial's last change.
func (m *machine) drawEntry(t *rapid.T, id string) int {
	if s := m.model.find(id); s != nil && len(s.done) > 0 && upTo(t, "the last change?", 9) < 9 {
		return rapid.SampledFrom(s.done[len(s.done)-1].entries).Draw(t, "entry")
	}
	return upTo(t, "entry", len(m.model.trail)-1)
}

// checkBeginning undoes all changes of the serials, one after the other. Each serial is then like a new one, except for its holds,
// overrides, attachments and update time.
func (m *machine) checkBeginning(t *rapid.T) {
	for _, s := range m.model.serials {
		m.begin()
		for len(s.done) > 0 && !s.done[len(s.done)-1].rerouted {
			entry := ident.AuditID(m.model.first + int64(s.done[len(s.done)-1].entries[0]))
			shoptest.Must(m.shop.Undo(t.Context(), s.ID, shop.UndoInput{EntryID: shoptest.Given(entry), Reason: shoptest.Given("back"), UserID: shoptest.Given("eve")}))
			last := s.done[len(s.done)-1].entries[0]
			is := func(value string) field[string] { return field[string]{is: "given", value: value} }
			m.model.undo(s.ID, last, is(entry), is("back"), is("eve"))
		}
		unit := shoptest.Must(m.shop.Card(t.Context(), s.ID)).Card
		if len(s.done) > 0 || m.rerouted {
			continue
		}
		fresh := card.Serial{
			ID: s.ID, JobID: s.JobID, PathID: s.PathID, Status: card.InProgress, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
		}
		same(t, "the serial at its beginning", unit.Serial, fresh)
		same(t, "what it bypassed at its beginning", len(unit.Exceptions), 0)
		_, err := m.shop.Undo(t.Context(), s.ID, shop.UndoInput{})
		same(t, "nothing is left", shoptest.Refused(err), bad("Nothing to undo"))
	}
}

func (m *machine) UpdateSteps(t *rapid.T) {
	count := len(m.model.path.Steps)
	if more := upTo(t, "more", 4) - 1; count+more <= 10 {
		count = max(0, count+more)
	}
	fields := make([]stepFields, count)
	inputs := make([]input.Input[shop.StepInput], count)
	for i := range fields {
		fields[i] = drawStep(t, seldom)
		inputs[i] = fields[i].input()
	}
	m.begin()
	before := m.model.routing()
	got, err := m.shop.UpdatePath(t.Context(), m.model.path.ID, shop.UpdatePathInput{Steps: input.Given(inputs)})
	if m.refusedOrDone(t, "update path", err, m.model.updateSteps(fields)) {
		for i := range got.Steps {
			if m.model.path.Steps[i].ID == "" {
				m.model.path.Steps[i].ID = got.Steps[i].ID
			}
		}
		same(t, "path", got, m.model.path)
		m.model.tellPath("path_updated", before, m.model.routing())
	}
}

func (m *machine) ReplaceSteps(t *rapid.T) {
	items := make([]routeStepFields, len(m.model.path.Steps))
	for i, step := range m.model.path.Steps {
		items[i].id = field[string]{is: "given", value: step.ID}
	}
	any := func(label string) int { return upTo(t, label, len(items)-1) }
	switch upTo(t, "how", 9) {
	case 0, 1, 2, 3:
		if len(items) < 12 {
			items = slices.Insert(items, upTo(t, "place", len(items)), routeStepFields{stepFields: drawStep(t, seldom)})
		}
	case 4, 5:
		if at := any("place"); at > 0 {
			items[at-1], items[at] = items[at], items[at-1]
		}
	case 6:
		items = rapid.Permutation(items).Draw(t, "order")
	case 7:
		items[any("place")].stepFields = drawStep(t, seldom)
	case 8:
		items = slices.Delete(items, len(items)-1, len(items))
	default:
		items[any("place")].id.value = rapid.SampledFrom([]string{"step_none", items[any("other")].id.value}).Draw(t, "id")
	}
	inputs := make([]input.Input[shop.RouteStepInput], len(items))
	for i, item := range items {
		inputs[i] = input.Given(shop.RouteStepInput{ID: item.id.input(), StepInput: shop.StepInput{
			Name: item.name.input(), DependencyType: item.dependency.input(), Optional: item.optional.input(),
		}})
	}
	m.begin()
	before, statuses := m.model.routing(), m.statuses(t)
	got, err := m.shop.ReplaceSteps(t.Context(), m.model.path.ID, shop.ReplaceStepsInput{Steps: input.Given(inputs)})
	want := m.model.replaceSteps(items)
	if want != nil && want.Message == crossing {
		refused, ok := errors.AsType[*refusal.Error](err)
		if !ok || refused.Reason.Code() != "step_passes_units" {
			t.Fatalf("a step comes to the other side of units, and the answer is %v", err)
		}
		m.answers["replace-steps: "+crossing]++
		return
	}
	if !m.refusedOrDone(t, "replace-steps", err, want) {
		return
	}
	for i := range got.Steps {
		if m.model.path.Steps[i].ID == "" {
			m.model.path.Steps[i].ID = got.Steps[i].ID
		}
	}
	same(t, "path", got, m.model.path)
	m.rerouted = true
	m.model.tellPath("path_updated", before, m.model.routing())
	now := m.statuses(t)
	for serialID, of := range statuses {
		for stepID, status := range of {
			if now[serialID][stepID] != status {
				t.Fatalf("step %s of %s was %s and is %s", stepID, serialID, status, now[serialID][stepID])
			}
		}
		for stepID, status := range now[serialID] {
			if _, existed := of[stepID]; !existed && (status == card.StepCompleted || status == card.StepInProgress || status == card.StepWaived) {
				t.Fatalf("the new step %s of %s is %s", stepID, serialID, status)
			}
		}
	}
}

// statuses returns the statuses from the service, by serial and by step.
func (m *machine) statuses(t *rapid.T) map[string]map[string]card.StepStatus {
	statuses := map[string]map[string]card.StepStatus{}
	for _, s := range m.model.serials {
		statuses[s.ID] = map[string]card.StepStatus{}
		for _, step := range shoptest.Must(m.shop.StepStatuses(t.Context(), s.ID)) {
			statuses[s.ID][step.StepID] = step.Status
		}
	}
	return statuses
}

func (m *machine) SetMode(t *rapid.T) {
	mode := drawText(t, "mode", seldom, "flexible", "per_step", "flexible", "per_step", "strict", "loose")
	m.begin()
	got, err := m.shop.UpdateAdvancementMode(t.Context(), m.model.path.ID, mode.input(), input.TextInput{})
	if m.refusedOrDone(t, "set mode", err, m.model.setMode(mode)) {
		same(t, "path", got, m.model.path)
	}
}

// Check compares the stored data of the service with the model.
func (m *machine) Check(t *rapid.T) {
	told := m.toldOf(t)
	for _, s := range m.model.serials {
		m.checkSerial(t, s)
		m.checkReplay(t, s.ID, told[s.ID])
	}
	got := shoptest.Must(m.shop.Path(t.Context(), m.model.path.ID))
	same(t, "path", got.Path, m.model.path)
	same(t, "distribution", got.Distribution, m.model.distribution())
	progress := shoptest.Must(m.shop.Job(t.Context(), m.model.path.JobID)).Progress
	want := shop.JobProgress{
		JobID: m.model.path.JobID, JobName: "Bracket", GoalQuantity: 2, OrderedQuantity: 2,
		TotalSerials: int64(len(m.model.serials)), ProducedQuantity: int64(len(m.model.serials)),
		CompletedSerials: m.model.count("completed"), InProgressSerials: m.model.count("in_progress"),
		ScrappedSerials: m.model.count("scrapped"), ProgressPercent: progress.ProgressPercent, // see TestProgress
	}
	same(t, "progress", progress, want)

	fresh := m.model.trail[m.told:]
	entries := shoptest.Collect(m.shop.AuditEntries(t.Context(), int64(len(fresh))+1, 0))
	if m.newest != "" { // the entry before the new ones
		same(t, "the entry before", entries[len(entries)-1].ID, m.newest)
		entries = entries[:len(entries)-1]
	}
	if len(fresh) > 0 {
		m.newest, m.told = entries[0].ID, len(m.model.trail)
	}
	slices.Reverse(entries)
	same(t, "audit entries added", plain(entries), plain(fresh))
}

func (m *machine) checkSerial(t *rapid.T, s *modelSerial) {
	detail := shoptest.Must(m.shop.Serial(t.Context(), s.ID))
	m.sameSerial(t, "serial", detail.Serial, s.ID)
	var open []string
	certs := make([]string, 0, len(detail.Certificates))
	rows := make([]shop.StepStatusDetail, 0, len(s.steps))
	for i, step := range m.model.path.Steps {
		if s.steps[i] == "deferred" {
			open = append(open, step.ID)
		}
		rows = append(rows, shop.StepStatusDetail{
			StepID: step.ID, StepName: step.Name, StepOrder: i, Status: s.steps[i],
			Optional: step.Optional, DependencyType: step.DependencyType, HasOverride: s.overridden(step.ID),
		})
	}
	same(t, "open deferred steps", detail.OpenDeferredStepIDs, open)
	same(t, "step statuses", shoptest.Must(m.shop.StepStatuses(t.Context(), s.ID)), rows)
	same(t, "holds", shoptest.Must(m.shop.HoldsOfSerial(t.Context(), s.ID)), append([]card.Hold{}, s.holds...))
	held := slices.DeleteFunc(slices.Clone(s.holds), func(hold card.Hold) bool { return !hold.Open() })
	same(t, "open holds", append([]card.Hold{}, detail.Holds...), append([]card.Hold{}, held...))
	same(t, "overrides", shoptest.Must(m.shop.Overrides(t.Context(), s.ID)), append([]card.Override{}, s.overrides...))
	same(t, "attachments", shoptest.Must(m.shop.AttachmentsOfSerial(t.Context(), s.ID)), append([]shop.Attachment{}, s.attachments...))
	for _, certificate := range detail.Certificates {
		certs = append(certs, certificate.ID)
	}
	counts := func(a shop.Attachment) bool { return a.VoidedBy == "" }
	if slices.ContainsFunc(s.attachments, counts) {
		same(t, "certificates", certs, m.model.certs)
	} else {
		same(t, "certificates", len(certs), 0)
	}
}

// toldOf returns the entries of the job's trail by serial, including the creation of each.
func (m *machine) toldOf(t *rapid.T) map[string][]trail.Entry {
	told := map[string][]trail.Entry{}
	for _, entry := range shoptest.Collect(m.shop.AuditOfJob(t.Context(), m.model.path.JobID)) {
		if entry.Action != card.ActionSerialCreated {
			told[entry.SerialID] = append(told[entry.SerialID], entry)
			continue
		}
		made := struct{ FirstSerialID, LastSerialID string }{}
		decode(entry.Metadata, &made)
		for _, s := range m.model.serials {
			if made.FirstSerialID <= s.ID && s.ID <= made.LastSerialID {
				told[s.ID] = append(told[s.ID], entry)
			}
		}
	}
	return told
}

// checkReplay compares a serial as replayed from the trail with the stored serial. It skips serials without changes since the last
// comparison.
func (m *machine) checkReplay(t *rapid.T, id string, entries []trail.Entry) {
	t.Helper()
	card := shoptest.Must(m.shop.Card(t.Context(), id)).Card
	if last := m.replays[id]; last.entries == len(entries) && reflect.DeepEqual(last.card, card) {
		return
	}
	m.replays[id] = replayedCard{card, len(entries)}
	card.Overrides = maps.Clone(card.Overrides)
	var history replay.PathHistory
	err := m.shop.Store.View(t.Context(), func(tx shop.Reader) (err error) {
		history, err = replay.ReadHistory(tx, card.Path)
		return err
	})
	if err != nil {
		t.Fatal(err)
	}
	replayed, err := history.Replay(card.Serial, entries)
	if err != nil {
		t.Fatal(err)
	}
	for stepID, override := range card.Overrides {
		override.ID = "" // not recorded in entries
		card.Overrides[stepID] = override
	}
	if diff := cmp.Diff(card, replayed.Card, cmpopts.EquateEmpty()); diff != "" {
		t.Fatalf("replay of %s (-stored +replayed):\n%s", id, diff)
	}
	same(t, "what the trail does not tell", replayed.Untold, []string{})
	same(t, "what differs", replayed.Differs(card), []string(nil))
	checkVisits(t, card, replayed.Visits())
}

// checkVisits compares the replayed visits of steps with the card.
func checkVisits(t rapid.TB, unit card.Card, visits []replay.Visit) {
	t.Helper()
	here, deferred := 0, map[string]bool{}
	for i, visit := range visits {
		if i > 0 && visit.EnteredAt < visits[i-1].EnteredAt || visit.LeftAt != 0 && visit.LeftAt < visit.EnteredAt {
			t.Fatalf("visits out of order: %+v", visits)
		}
		switch open := visit.LeftAt == 0; {
		case visit.Status == replay.VisitInProgress:
			here++
			if !open || visit.StepOrder != unit.Serial.Position || visit.Pass != unit.Serial.Pass() {
				t.Fatalf("it stands at %d in pass %d, not at %+v", unit.Serial.Position, unit.Serial.Pass(), visit)
			}
		case visit.Status == replay.VisitDeferred && open:
			deferred[visit.StepID] = true
		case open:
			t.Fatalf("left at no time: %+v", visit)
		}
	}
	if (here == 1) != (unit.Serial.Status == card.InProgress) || here > 1 {
		t.Fatalf("%s and at %d steps: %+v", unit.Serial.Status, here, visits)
	}
	for i, step := range unit.Path.Steps {
		if is := unit.StepStatus(i) == card.StepDeferred; is != deferred[step.ID] {
			t.Fatalf("%s is deferred: %t, and the visits say otherwise: %+v", step.Name, is, visits)
		}
	}
}

// distribution counts the serials' statuses by step.
func (m *model) distribution() []shop.StepDistribution {
	rows := make([]shop.StepDistribution, len(m.path.Steps))
	most := int64(1)
	for i, step := range m.path.Steps {
		rows[i] = shop.StepDistribution{StepID: step.ID, StepName: step.Name, StepOrder: i}
		for _, s := range m.serials {
			if s.Status == "in_progress" && s.CurrentStepIndex == i {
				rows[i].SerialCount++
			}
			if s.steps[i] == "completed" {
				rows[i].CompletedCount++
			}
		}
		most = max(most, rows[i].SerialCount)
	}
	for i := range rows {
		rows[i].IsBottleneck = rows[i].SerialCount == most
	}
	return rows
}

func (m *model) count(status string) (count int64) {
	for _, s := range m.serials {
		if s.Status == status {
			count++
		}
	}
	return count
}

// checkTrails compares the whole trails of the job and of each serial.
func (m *machine) checkTrails(t *rapid.T) {
	ofJob := shoptest.Collect(m.shop.AuditOfJob(t.Context(), m.model.path.JobID))
	same(t, "creations of the job", []trail.Action{ofJob[0].Action, ofJob[1].Action},
		[]trail.Action{shop.ActionJobCreated, shop.ActionPathCreated})
	ofReport := func(entry trail.Entry) bool { return entry.JobID == "" }
	same(t, "audit of the job", plain(ofJob[2:]), plain(slices.DeleteFunc(slices.Clone(m.model.trail), ofReport)))
	for _, s := range m.model.serials {
		about := []trail.Entry{}
		for _, entry := range m.model.trail {
			if entry.SerialID == s.ID {
				about = append(about, entry)
			}
		}
		same(t, "audit of a serial", plain(shoptest.Collect(m.shop.AuditOfSerial(t.Context(), s.ID))), plain(about))
	}
}

// plain returns entries without ids and with normalized metadata.
func plain(entries []trail.Entry) []trail.Entry {
	entries = append([]trail.Entry{}, entries...)
	for i := range entries {
		entries[i].ID = ""
		if entries[i].Metadata != nil {
			var values any
			decode(entries[i].Metadata, &values)
			entries[i].Metadata = shoptest.Must(json.Marshal(values))
		}
	}
	return entries
}
