package shop_test

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// bench is a path with a measured step.
type bench struct {
	*shoptest.Shop
	t    testing.TB
	path card.Path
	by   input.TextInput
}

func newBench(t *testing.T, mode card.AdvancementMode, names ...string) *bench {
	s := shoptest.Open(t)
	return &bench{s, t, s.Route(t, mode, names...), shoptest.Given("ann")}
}

func (b *bench) measures(step int, inputs ...shop.CharacteristicInput) card.CharacteristicSet {
	b.t.Helper()
	b.Tick()
	return shoptest.Must(b.SetCharacteristics(b.t.Context(), b.path.Steps[step].ID, shop.SetCharacteristicsInput{
		Characteristics: shoptest.Characteristics(inputs...), UserID: b.by,
	}))
}

func (b *bench) measure(id string, pairs ...input.Written) []card.Measurement {
	b.t.Helper()
	b.Tick()
	return shoptest.Must(b.RecordMeasurements(b.t.Context(), id, shoptest.Measured(b.by, pairs...)))
}

func (b *bench) advance(id string) error {
	b.Tick()
	return b.error(b.AdvanceSerial(b.t.Context(), id, shop.AdvanceSerialInput{UserID: b.by}))
}

func (b *bench) error(_ any, err error) error { return err }

// says checks the message of a refusal; "" means no error.
func (b *bench) says(err error, want string) {
	b.t.Helper()
	got := ""
	if err != nil {
		got = err.Error()
	}
	if got != want {
		b.t.Errorf("it says %q, want %q", got, want)
	}
}

func (b *bench) verified() {
	b.t.Helper()
	if found := shoptest.RecordsFound(b.t, b.Store); len(found) > 0 {
		b.t.Errorf("records do not follow from the trail: %q", found)
	}
}

const missing, tooLarge = "Measurements missing at Hone: 1", "Out of limits at Hone: 1 is 2.5, limit 2"

// docs/measuring.md, "Leaving a step": every way to leave a step as done checks the readings, with the same messages.
func TestEveryWayToLeaveIsJudged(t *testing.T) {
	t.Parallel()
	b := newBench(t, card.Flexible, "Hone", "Wash", "Pack")
	units := b.Units(t, b.path, 3)
	b.measures(0, shoptest.Between("1", "2"))
	ctx := t.Context()
	for name, leave := range map[string]func(id string) error{
		"advance": b.advance,
		"advance to": func(id string) error {
			return b.error(b.AdvanceToStep(ctx, id, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(2), UserID: b.by}))
		},
		"advance many": func(id string) error {
			return b.error(b.BatchAdvance(ctx, shop.BatchAdvanceInput{
				BatchInput:         shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(id)}},
				AdvanceSerialInput: shop.AdvanceSerialInput{UserID: b.by},
			}))
		},
		"advance many to": func(id string) error {
			return b.error(b.BatchAdvanceTo(ctx, shop.BatchAdvanceToInput{
				BatchInput:         shop.BatchInput{Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(id)}},
				AdvanceToStepInput: shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(3), UserID: b.by},
			}))
		},
	} {
		of := ""
		if strings.Contains(name, "many") {
			of = " (" + units[0] + ")"
		}
		b.says(leave(units[0]), missing+of)
	}
	b.measure(units[0], "1", "2.5")
	b.says(b.advance(units[0]), tooLarge)
	b.measure(units[0], "1", "2.0")
	b.says(b.advance(units[0]), "")
	// A deferred step is checked when it is completed, and can still be waived.
	b.measures(1, shoptest.Between("1", "2"))
	for _, id := range units {
		if id != units[0] {
			b.measure(id, "1", "1")
		}
		b.says(b.error(b.AdvanceToStep(ctx, id, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(2), UserID: b.by})),
			map[bool]string{true: "Measurements missing at Wash: 1"}[id == units[0]])
	}
	complete := func() error {
		b.Tick()
		return b.error(b.CompleteDeferredStep(ctx, units[1], b.path.Steps[1].ID, b.by))
	}
	b.says(complete(), "Measurements missing at Wash: 1")
	deferred := shoptest.Measured(b.by, "1", "3")
	b.says(b.error(b.RecordMeasurements(ctx, units[1], deferred)), "Characteristic not found: 1") // the unit stands at Pack
	deferred.StepID = shoptest.Given(b.path.Steps[1].ID)
	b.says(b.error(b.RecordMeasurements(ctx, units[1], deferred)), "")
	b.says(complete(), "Out of limits at Wash: 1 is 3, limit 2")
	b.says(b.error(b.WaiveStep(ctx, units[2], b.path.Steps[1].ID, shop.WaiveStepInput{Reason: b.by, ApproverID: b.by})), "")
	deferred.Values = shoptest.Measured(b.by, "1", "2").Values
	b.says(b.error(b.RecordMeasurements(ctx, units[1], deferred)), "")
	b.says(complete(), "")
	b.says(b.error(b.RecordMeasurements(ctx, units[1], deferred)), units[1]+" is not at Wash, and has not deferred it")
	b.verified()
}

// docs/measuring.md, "Leaving a step": the ways past a missing or failing reading.
func TestWaysOn(t *testing.T) {
	t.Parallel()
	b := newBench(t, card.Strict, "Hone", "Pack")
	units := b.Units(t, b.path, 3)
	b.measures(0, shoptest.Between("1", "2"))
	ctx := t.Context()
	decide := func(id, disposition string) {
		t.Helper()
		b.Tick()
		report := shoptest.Must(b.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
			Title: shoptest.Given("Bore"), Severity: shoptest.Given("major"), UserID: b.by,
			Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(id)},
		}))
		b.Tick()
		shoptest.Must(b.DisposeNonconformance(ctx, report.ID, shop.DispositionInput{
			SerialIDs: input.GivenTexts(id), Disposition: shoptest.Given(disposition), Reason: b.by, Concession: b.by,
			TargetStepIndex: shoptest.Number(0), UserID: b.by,
		}))
	}
	decide(units[0], "use_as_is")
	b.says(b.advance(units[0]), missing) // without a reading, the concession does not apply
	b.measure(units[0], "1", "2.5")
	b.says(b.advance(units[0]), tooLarge) // the concession is older than the reading
	decide(units[0], "use_as_is")
	b.measure(units[0], "1", "2.5")
	b.says(b.advance(units[0]), tooLarge) // the concession does not cover later readings
	decide(units[0], "use_as_is")
	b.says(b.advance(units[0]), "")
	b.measure(units[1], "1", "2.5")
	decide(units[1], "repair")
	b.says(b.advance(units[1]), missing) // the unit began another pass
	shoptest.Must(b.CreateOverrides(ctx, units[1], shop.CreateOverridesInput{
		SerialIDs: input.GivenTexts(units[1]), StepID: shoptest.Given(b.path.Steps[0].ID), Reason: b.by, UserID: b.by,
	}))
	b.says(b.advance(units[1]), "")
	made := b.measure(units[2], "1", "1.5")
	shoptest.Must(b.VoidMeasurement(ctx, made[0].ID, shop.VoidInput{Reason: b.by, UserID: b.by}))
	b.says(b.advance(units[2]), missing)
	b.says(b.error(b.VoidMeasurement(ctx, made[0].ID, shop.VoidInput{Reason: b.by, UserID: b.by})), "Measurement is already voided")
	b.verified()
}

// docs/measuring.md, "What is measured": an edit creates a revision, and does not change existing records.
func TestEditKeepsReadings(t *testing.T) {
	t.Parallel()
	b := newBench(t, card.Strict, "Hone", "Pack")
	id := b.Units(t, b.path, 1)[0]
	first := b.measures(0, shoptest.Between("1.000", "2"), shop.CharacteristicInput{Type: shoptest.Given("text")})
	made := b.measure(id, "1", "1.500", "2", "blue")
	again := b.measures(0, shoptest.Between("1.000", "2"), shop.CharacteristicInput{Type: shoptest.Given("text")})
	second := b.measures(0, shoptest.Between("1.000", "1.2"))
	if first.Revision != 1 || again.Revision != 1 || second.Revision != 2 || first.Characteristics[0].ID != second.Characteristics[0].ID {
		t.Errorf("the sets are %+v, %+v and %+v", first, again, second)
	}
	kept := shoptest.Must(b.MeasurementsOfSerial(t.Context(), id))
	if !slices.Equal(kept, made) || kept[0].Value != "1.500" || kept[0].Limits != (card.Limits{Lower: "1.000", Upper: "2"}) || kept[0].Revision != 1 {
		t.Errorf("the readings are %+v, and were %+v", kept, made)
	}
	b.says(b.advance(id), "") // the reading was compared with the limits of its time
	trail := shoptest.Collect(b.AuditEntries(t.Context(), 2, 0))
	if metadata := string(trail[1].Metadata); trail[1].Action != shop.ActionCharacteristicsChanged ||
		!strings.Contains(metadata, `"before":[{"id":"`+first.Characteristics[0].ID) || strings.Count(metadata, `"number":"2"`) != 1 {
		t.Errorf("the edit tells %s", metadata)
	}
	b.verified()
}

// docs/measuring.md, "What is measured": a template has characteristics, and an update that omits the characteristics of a step does not
// change them.
func TestTemplateCarriesCharacteristics(t *testing.T) {
	t.Parallel()
	b := newBench(t, card.Strict, "Hone")
	ctx := t.Context()
	steps := input.Given([]input.Input[shop.TemplateStepInput]{input.Given(shop.TemplateStepInput{
		StepInput: shop.StepInput{Name: shoptest.Given("Bore")}, Characteristics: shoptest.Characteristics(shoptest.Between("1", "2")),
	})})
	template := shoptest.Must(b.CreateTemplate(ctx, shop.CreateTemplateInput{Name: shoptest.Given("Usual"), Steps: steps}))
	template = shoptest.Must(b.UpdateTemplate(ctx, template.ID, shop.UpdateTemplateInput{Steps: shop.TemplateSteps(shoptest.StepsCalled("Bore", "Pack"))}))
	path := shoptest.Must(b.ApplyTemplate(ctx, template.ID, shop.ApplyTemplateInput{JobID: shoptest.Given(b.path.JobID), GoalQuantity: shoptest.Number(1)}))
	set := shoptest.Must(b.Characteristics(ctx, path.Steps[0].ID))
	if set.Revision != 1 || len(set.Characteristics) != 1 || set.Characteristics[0].ID == "" || set.Characteristics[0].Upper != "2" {
		t.Errorf("the path has %+v", set)
	}
	id := b.Units(t, path, 1)[0]
	b.says(b.advance(id), "Measurements missing at Bore: 1")
	template = shoptest.Must(b.UpdateTemplate(ctx, template.ID, shop.UpdateTemplateInput{Steps: shop.TemplateSteps(shoptest.StepsCalled("Pack", "Bore"))}))
	if len(template.Steps[0].Characteristics) != 0 || len(template.Steps[1].Characteristics) != 1 {
		t.Errorf("a step that moved does not keep its characteristics: %+v", template.Steps)
	}
	b.verified()
}

// docs/measuring.md, "Instruments": an instrument is refused if it is due or failed, and lists the units whose readings it puts in doubt.
func TestInstrumentsOfReadings(t *testing.T) {
	t.Parallel()
	b := newBench(t, card.Strict, "Hone", "Pack")
	ctx := t.Context()
	units := b.Units(t, b.path, 4)
	in := shoptest.Between("1", "2")
	in.InstrumentRequired = input.Given(true)
	b.measures(0, in)
	gauge := shoptest.Must(b.CreateInstrument(ctx, shop.InstrumentInput{Number: shoptest.Given("M-1"), Name: shoptest.Given("Gauge")}))
	with := func(id, instrument string) error {
		b.Tick()
		return b.error(b.RecordMeasurements(ctx, id, shop.MeasureInput{UserID: b.by, Values: input.Given([]input.Input[shop.MeasuredInput]{
			input.Given(shop.MeasuredInput{
				Characteristic: input.Given[input.Written]("1"), Value: input.Given[input.Written]("1.5"), InstrumentID: shoptest.Given(instrument),
			}),
		})}))
	}
	calibrate := func(result, found, due string) {
		b.Tick()
		shoptest.Must(b.CalibrateInstrument(ctx, gauge.ID, shop.CalibrateInput{
			Result: shoptest.Given(result), AsFound: shoptest.Given(found), DueDate: shoptest.Given(due), UserID: b.by,
		}))
	}
	b.says(with(units[0], ""), "values[0].instrumentId is required")
	b.says(with(units[0], "inst_x"), "Instrument not found: inst_x")
	b.says(with(units[0], gauge.ID), "")
	calibrate("pass", "pass", "2999-01-31")
	b.says(with(units[1], gauge.ID), "")
	b.says(with(units[2], gauge.ID), "")
	calibrate("fail", "fail", "2999-01-31")
	b.says(with(units[3], gauge.ID), "Instrument M-1 failed its last calibration")
	calibrate("pass", "pass", "2001-01-31")
	b.says(with(units[3], gauge.ID), "Instrument M-1 is due for calibration since 2001-01-31")
	calibrate("pass", "pass", "2999-01-31")
	b.says(with(units[3], gauge.ID), "")
	doubtful := shoptest.Must(b.UnitsInDoubt(ctx, gauge.ID, shop.DoubtQuery{}))
	if doubtful.ExpectedCount != 2 || !slices.Equal(doubtful.Ranges, []shop.SerialSpan{{First: units[1], Last: units[2]}}) {
		t.Errorf("in doubt are %+v", doubtful)
	}
	first := shoptest.Must(b.UnitsInDoubt(ctx, gauge.ID, shop.DoubtQuery{Limit: 1}))
	last := shoptest.Must(b.UnitsInDoubt(ctx, gauge.ID, shop.DoubtQuery{Limit: 1, After: first.Next}))
	if first.Ranges[0].Last != units[1] || first.ExpectedCount != 1 || last.Ranges[0].First != units[2] || last.Next != "" {
		t.Errorf("in doubt are, by pages, %+v and %+v", first, last)
	}
	if read := shoptest.Must(b.ReadingsWith(ctx, gauge.ID, shop.InstrumentReadingsQuery{Since: doubtful.Until})); len(read.Items) != 1 {
		t.Errorf("read since was %+v", read)
	}
	b.verified()
}

// Readings outside the range of an instrument are refused, if their unit is the unit of the range. Other readings are not compared with it.
func TestRangesOfInstruments(t *testing.T) {
	t.Parallel()
	b := newBench(t, card.Strict, "Hone", "Pack")
	ctx := t.Context()
	unit := b.Units(t, b.path, 1)[0]
	characteristic := func(number, kind, unit string) shop.CharacteristicInput {
		return shop.CharacteristicInput{Number: input.Given(input.Written(number)), Name: shoptest.Given("Bore"), Type: shoptest.Given(kind),
			Unit: shoptest.Given(unit)}
	}
	b.measures(0, characteristic("1", "number", "MM"), characteristic("2", "number", "in"), characteristic("3", "pass_fail", "mm"))
	gauge := shoptest.Must(b.CreateInstrument(ctx, shop.InstrumentInput{
		Number: shoptest.Given("M-1"), Name: shoptest.Given("Gauge"),
		MeasuringRangeInput: shop.MeasuringRangeInput{From: input.Given[input.Written]("-0.4"), Unit: shoptest.Given("mm")},
	}))
	reads := func(number, value string) error {
		b.Tick()
		return b.error(b.RecordMeasurements(ctx, unit, shop.MeasureInput{UserID: b.by, Values: input.Given([]input.Input[shop.MeasuredInput]{
			input.Given(shop.MeasuredInput{Characteristic: input.Given(input.Written(number)), Value: input.Given(input.Written(value)),
				InstrumentID: shoptest.Given(gauge.ID)}),
		})}))
	}
	b.says(reads("1", "-0.40"), "")
	b.says(reads("1", "-0.401"), "Instrument M-1 measures from -0.4 mm, and the value is -0.401")
	b.says(reads("2", "-2"), "")
	b.says(reads("3", "pass"), "")
	limited := func(from, to input.Written) {
		b.Tick()
		shoptest.Must(b.UpdateInstrument(ctx, gauge.ID, shop.InstrumentInput{
			MeasuringRangeInput: shop.MeasuringRangeInput{From: input.Given(from), To: input.Given(to)},
		}))
	}
	limited("", "25")
	b.says(reads("1", "25.01"), "Instrument M-1 measures up to 25 mm, and the value is 25.01")
	limited("10", "25")
	b.says(reads("1", "9"), "Instrument M-1 measures 10 to 25 mm, and the value is 9")
	b.says(reads("1", "25.000"), "")
	b.verified()
}

// docs/measuring.md, "Samples": the first unit that arrives at the step is measured before any other leaves it. A unit that skips the step
// is not a first piece.
func TestFirstPiece(t *testing.T) {
	t.Parallel()
	b := newBench(t, card.Flexible, "Saw", "Hone", "Pack")
	first := shoptest.Between("1", "2")
	first.Sample = shoptest.Given("first")
	b.measures(1, first)
	units := b.Units(t, b.path, 5)
	ctx := t.Context()
	const behind = "First piece of Hone is not measured yet"
	shoptest.Must(b.AdvanceToStep(ctx, units[4], shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(2), UserID: b.by})) // defers the step
	for _, id := range []string{units[2], units[0], units[1], units[3]} {
		b.says(b.advance(id), "")
	}
	b.measure(units[0], "1", "1.5")
	b.says(b.advance(units[0]), behind)
	b.says(b.advance(units[2]), missing)
	b.says(b.error(b.CompleteDeferredStep(ctx, units[4], b.path.Steps[1].ID, b.by)), missing) // this unit would be the first piece
	b.measure(units[2], "1", "2.5")
	b.says(b.advance(units[2]), tooLarge)
	b.says(b.advance(units[0]), behind)
	// When the unit is scrapped, the next unit in line becomes the first piece.
	shoptest.Must(b.ScrapSerial(ctx, units[2], shop.ScrapSerialInput{Reason: shoptest.Given("damaged"), UserID: b.by}))
	b.says(b.advance(units[1]), behind)
	made := b.measure(units[0], "1", "1.5")
	b.says(b.advance(units[1]), "")
	// A unit whose reading is voided is no longer the first piece: the next units wait again.
	shoptest.Must(b.VoidMeasurement(ctx, made[0].ID, shop.VoidInput{Reason: b.by, UserID: b.by}))
	for _, reading := range shoptest.Must(b.MeasurementsOfSerial(ctx, units[0])) {
		if !reading.Voided() {
			shoptest.Must(b.VoidMeasurement(ctx, reading.ID, shop.VoidInput{Reason: b.by, UserID: b.by}))
		}
	}
	b.says(b.advance(units[3]), behind)
	b.measure(units[0], "1", "1.5")
	b.says(b.advance(units[3]), "")
	b.says(b.advance(units[0]), "")
	b.says(b.error(b.CompleteDeferredStep(ctx, units[4], b.path.Steps[1].ID, b.by)), "")
	b.verified()
}

// docs/measuring.md, "Samples": with a sample of 1 in n, every n-th unit is measured, in the order of arrival.
func TestOneOfMany(t *testing.T) {
	t.Parallel()
	for _, late := range []bool{false, true} {
		b := newBench(t, card.Strict, "Hone", "Wash", "Pack")
		third := shoptest.Between("1", "2")
		third.Sample = shoptest.Given("1 of 3")
		var units []string
		if late { // the units arrived before the sample was set
			units = b.Units(t, b.path, 7)
		}
		b.measures(0, third)
		b.measures(1, third)
		if !late {
			units = b.Units(t, b.path, 7)
		}
		for i, id := range units {
			b.says(b.advance(id), map[bool]string{true: missing}[i%3 == 2])
			if i%3 == 2 {
				b.measure(id, "1", "1")
				b.says(b.advance(id), "")
			}
		}
		for i, id := range units { // a unit that is sent back keeps its place
			b.says(b.advance(id), map[bool]string{true: "Measurements missing at Wash: 1"}[i%3 == 2])
			if i%3 != 2 {
				shoptest.Must(b.ReworkSerial(t.Context(), id, shop.ReworkSerialInput{TargetStepIndex: shoptest.Number(1), Reason: b.by, UserID: b.by}))
				b.says(b.advance(id), "")
			}
		}
		b.verified()
	}
}

// TestNobodyLeavesUnmeasured draws operations on a few units of a path with a measured step, and compares each way to leave the step with a
// simple model of the readings.
func TestNobodyLeavesUnmeasured(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	left := 0
	rapid.Check(t, func(rt *rapid.T) {
		b := &bench{s, t, s.Route(t, card.Flexible, "Saw", "Hone", "Wash", "Pack"), shoptest.Given("ann")}
		b.measures(1, shoptest.Between("1", "2"), shop.CharacteristicInput{Type: shoptest.Given("pass_fail")})
		m := &leaving{bench: b, step: b.path.Steps[1].ID, units: b.Units(t, b.path, 2), conceded: map[string]ident.Timestamp{}}
		rt.Repeat(map[string]func(*rapid.T){
			"advance": m.advances, "jump": m.jumps, "measure": m.reads, "measure again": m.reads, "void": m.voids, "decide": m.decides,
			"override": m.overrides, "rework": m.reworks, "undo": m.undoes, "complete": m.completes, "edit": m.edits,
		})
		left += m.left
	})
	enginetest.Drawn(t, "a unit that leaves the step", left)
	(&bench{s, t, card.Path{}, input.TextInput{}}).verified()
}

type leaving struct {
	*bench
	step     string
	units    []string
	conceded map[string]ident.Timestamp // by unit: time of its last concession for a defect found at the step
	left     int
}

func (m *leaving) unit(rt *rapid.T) string { return rapid.SampledFrom(m.units).Draw(rt, "unit") }

func (m *leaving) status(id string) card.StepStatus {
	return shoptest.Must(m.StepStatuses(m.t.Context(), id))[1].Status
}

// may reports whether a unit may leave the step as done.
func (m *leaving) may(id string) bool {
	ctx := m.t.Context()
	for _, override := range shoptest.Must(m.Overrides(ctx, id)) {
		if override.Active && override.StepID == m.step {
			return true
		}
	}
	pass := shoptest.Must(m.Serial(ctx, id)).Serial.Pass()
	readings := shoptest.Must(m.MeasurementsOfSerial(ctx, id))
	for _, c := range shoptest.Must(m.Characteristics(ctx, m.step)).Characteristics {
		var latest *card.Measurement
		for i := range readings {
			if r := &readings[i]; r.CharacteristicID == c.ID && r.Pass == pass && !r.Voided() {
				latest = r
			}
		}
		if latest == nil && c.Required || latest != nil && latest.Verdict == card.VerdictFail && latest.MeasuredAt > m.conceded[id] {
			return false
		}
	}
	return true
}

// leaves performs an operation with which the unit may leave the step as done.
func (m *leaving) leaves(rt *rapid.T, id string, leave func() error) {
	before, may := m.status(id), m.may(id)
	m.Tick()
	err := leave()
	judged := err != nil && (strings.HasPrefix(err.Error(), "Measurements missing") || strings.HasPrefix(err.Error(), "Out of limits"))
	done := before != card.StepCompleted && m.status(id) == card.StepCompleted
	if done {
		m.left++
	}
	if done && !may || judged && may {
		rt.Fatalf("%s was %s at the step, may leave it: %v, has left it: %v (%v)", id, before, may, done, err)
	}
}

func (m *leaving) advances(rt *rapid.T) {
	id := m.unit(rt)
	m.leaves(rt, id, func() error { return m.advance(id) })
}

func (m *leaving) jumps(rt *rapid.T) {
	id, target := m.unit(rt), rapid.IntRange(1, 4).Draw(rt, "target")
	m.leaves(rt, id, func() error {
		return m.error(m.AdvanceToStep(m.t.Context(), id, shop.AdvanceToStepInput{TargetStepIndex: shoptest.Number(float64(target)), UserID: m.by}))
	})
}

func (m *leaving) completes(rt *rapid.T) {
	id := m.unit(rt)
	m.leaves(rt, id, func() error { return m.error(m.CompleteDeferredStep(m.t.Context(), id, m.step, m.by)) })
}

func (m *leaving) reads(rt *rapid.T) {
	id := m.unit(rt)
	in := shoptest.Measured(m.by, rapid.SampledFrom([][]input.Written{
		{"1", "1.5"}, {"1", "2.5"}, {"2", "pass"}, {"2", "fail"}, {"1", "2", "2", "pass"}, {"1", "1e400"},
	}).Draw(rt, "values")...)
	in.StepID = shoptest.Given(m.step)
	m.Tick()
	_, _ = m.RecordMeasurements(m.t.Context(), id, in)
}

func (m *leaving) voids(rt *rapid.T) {
	readings := shoptest.Must(m.MeasurementsOfSerial(m.t.Context(), m.unit(rt)))
	if len(readings) == 0 {
		rt.Skip("nothing was read")
	}
	_, _ = m.VoidMeasurement(m.t.Context(), rapid.SampledFrom(readings).Draw(rt, "reading").ID, shop.VoidInput{Reason: m.by, UserID: m.by})
}

func (m *leaving) decides(rt *rapid.T) {
	id, at, ctx := m.unit(rt), rapid.IntRange(1, 2).Draw(rt, "at"), m.t.Context()
	report := shoptest.Must(m.OpenNonconformance(ctx, shop.OpenNonconformanceInput{
		Title: shoptest.Given("x"), Severity: shoptest.Given("minor"), StepID: shoptest.Given(m.path.Steps[at].ID), UserID: m.by,
		Selection: shop.SelectionInput{SerialIDs: input.GivenTexts(id)},
	}))
	now := m.Tick()
	if _, err := m.DisposeNonconformance(ctx, report.ID, shop.DispositionInput{
		SerialIDs: input.GivenTexts(id), Disposition: shoptest.Given("use_as_is"), Reason: m.by, Concession: m.by, UserID: m.by,
	}); err == nil && at == 1 {
		m.conceded[id] = now
	}
}

func (m *leaving) overrides(rt *rapid.T) {
	id, ctx := m.unit(rt), m.t.Context()
	if rapid.IntRange(0, 3).Draw(rt, "override?") == 0 {
		_, _ = m.CreateOverrides(ctx, id, shop.CreateOverridesInput{SerialIDs: input.GivenTexts(id), StepID: shoptest.Given(m.step), Reason: m.by, UserID: m.by})
		return
	}
	_ = m.ReverseOverride(ctx, id, m.step, m.by)
}

func (m *leaving) reworks(rt *rapid.T) {
	target := float64(rapid.IntRange(0, 2).Draw(rt, "target"))
	m.Tick()
	_, _ = m.ReworkSerial(m.t.Context(), m.unit(rt), shop.ReworkSerialInput{TargetStepIndex: shoptest.Number(target), Reason: m.by, UserID: m.by})
}

func (m *leaving) undoes(rt *rapid.T) {
	id := m.unit(rt)
	trail := shoptest.Collect(m.AuditOfSerial(m.t.Context(), id))
	m.Tick()
	for _, entry := range slices.Backward(trail) {
		if _, err := m.Undo(m.t.Context(), id, shop.UndoInput{EntryID: shoptest.Given(entry.ID), Reason: m.by, UserID: m.by}); err == nil {
			return
		}
	}
}

func (m *leaving) edits(rt *rapid.T) {
	upper := input.Written(fmt.Sprint(rapid.IntRange(2, 3).Draw(rt, "upper")))
	second := shop.CharacteristicInput{Type: shoptest.Given("pass_fail"), Required: input.Given(rapid.Bool().Draw(rt, "required"))}
	m.measures(1, shoptest.Between("1", upper), second)
}
