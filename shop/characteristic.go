package shop

import (
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// CharacteristicTypes returns every type in the interface's order.
func CharacteristicTypes() []card.CharacteristicType {
	return []card.CharacteristicType{card.NumberReading, card.PassFailReading, card.TextReading}
}

// Designators returns every designator in the interface's order.
func Designators() []card.Designator {
	return []card.Designator{card.KeyCharacteristic, card.CriticalCharacteristic}
}

// CharacteristicInput is one characteristic in the body of Set Characteristics.
type CharacteristicInput struct {
	Number             input.WrittenInput `field:"number"`
	Place              input.TextInput    `field:"place"`
	Name               input.TextInput    `field:"name"`
	Type               input.TextInput    `field:"type"`
	Unit               input.TextInput    `field:"unit"`
	Nominal            input.WrittenInput `field:"nominal"`
	Lower              input.WrittenInput `field:"lower"`
	Upper              input.WrittenInput `field:"upper"`
	Required           input.FlagInput    `field:"required"`
	Sample             input.TextInput    `field:"sample"`
	Designator         input.TextInput    `field:"designator"`
	Requirement        input.TextInput    `field:"requirement"`
	InstrumentRequired input.FlagInput    `field:"instrumentRequired"`
}

// CharacteristicsInput is a list of characteristics.
type CharacteristicsInput = input.Input[[]input.Input[CharacteristicInput]]

// checkCharacteristics judges a list of characteristics, which may be empty. Those it returns have no identifiers.
func checkCharacteristics(field string, in CharacteristicsInput) ([]card.Characteristic, error) {
	if in.Missing() {
		return nil, refusal.RefuseField(refusal.Required, field)
	}
	if err := in.Typed(field); err != nil {
		return nil, err
	}
	if err := input.CheckItems(field, len(in.Value)); err != nil {
		return nil, err
	}
	made := make([]card.Characteristic, len(in.Value))
	taken := map[string]bool{}
	for i, given := range in.Value {
		name := fmt.Sprintf("%s[%d]", field, i)
		if given.State != input.StateGiven {
			return nil, refusal.RefuseField(refusal.NotObject, name)
		}
		c, err := given.Value.check(name)
		if err != nil {
			return nil, err
		}
		if taken[c.Called()] {
			return nil, refusal.RefuseField(CharacteristicTwice, name, c.Called())
		}
		taken[c.Called()], made[i] = true, c
	}
	return made, nil
}

func (in CharacteristicInput) check(field string) (c card.Characteristic, err error) {
	if c.Number, err = input.RequiredWritten(field+".number", in.Number); err != nil {
		return c, err
	}
	if c.Place, err = input.OptionalWithin(field+".place", in.Place, input.NameLimit); err != nil {
		return c, err
	}
	if c.Name, err = input.RequiredName(field+".name", in.Name); err != nil {
		return c, err
	}
	c.Number, c.Place, c.Name = strings.TrimSpace(c.Number), strings.TrimSpace(c.Place), strings.TrimSpace(c.Name)
	if in.Type.Missing() {
		return c, input.NotOneOf(field+".type", CharacteristicTypes())
	}
	if c.Type, err = input.OneOf(field+".type", in.Type, CharacteristicTypes()); err != nil {
		return c, err
	}
	if c.Unit, err = input.OptionalWithin(field+".unit", in.Unit, input.NameLimit); err != nil {
		return c, err
	}
	if c.Limits, err = in.limits(field, c.Type); err != nil {
		return c, err
	}
	err = in.rest(field, &c)
	return c, err
}

func (in CharacteristicInput) limits(field string, kind card.CharacteristicType) (limits card.Limits, err error) {
	for _, limit := range []struct {
		name string
		in   input.WrittenInput
		to   *input.Decimal
	}{{"nominal", in.Nominal, &limits.Nominal}, {"lower", in.Lower, &limits.Lower}, {"upper", in.Upper, &limits.Upper}} {
		name := field + "." + limit.name
		if *limit.to, err = input.OptionalDecimal(name, limit.in); err != nil {
			return limits, err
		}
		if *limit.to != "" && kind != card.NumberReading {
			return limits, refusal.RefuseField(OnlyForNumbers, name)
		}
	}
	if limits.Lower != "" && limits.Upper != "" && limits.Lower.Compare(limits.Upper) > 0 {
		return limits, refusal.RefuseField(LimitsBackwards, field+".upper", limits.Lower)
	}
	return limits, nil
}

// rest judges what has a usual value.
func (in CharacteristicInput) rest(field string, c *card.Characteristic) (err error) {
	if c.Required, err = input.OptionalFlag(field+".required", in.Required); err != nil {
		return err
	}
	c.Required = c.Required || in.Required.Missing()
	c.Sample = card.SampleEvery
	if !in.Sample.Missing() {
		if err := in.Sample.Typed(field + ".sample"); err != nil {
			return err
		}
		if c.Sample = card.Sample(in.Sample.Value); c.Sample != card.SampleEvery && c.Sample != card.SampleFirst && c.Sample.OneOf() == 0 {
			return input.NotOneOf(field+".sample", []card.Sample{card.SampleEvery, card.SampleFirst, "1 of n"})
		}
	}
	if !in.Designator.Missing() && in.Designator.Value != "" {
		if c.Designator, err = input.OneOf(field+".designator", in.Designator, Designators()); err != nil {
			return err
		}
	}
	if c.Requirement, err = input.OptionalWithin(field+".requirement", in.Requirement, input.TextLimit); err != nil {
		return err
	}
	c.InstrumentRequired, err = input.OptionalFlag(field+".instrumentRequired", in.InstrumentRequired)
	return err
}

// identified gives characteristics their identifiers: that of the one with the same number and place among those before, or a new
// one.
func (s *Service) identified(made, before []card.Characteristic) []card.Characteristic {
	known := make(map[string]string, len(before))
	for i := range before {
		known[before[i].Called()] = before[i].ID
	}
	for i := range made {
		if made[i].ID = known[made[i].Called()]; made[i].ID == "" {
			made[i].ID = s.NewID(prefixCharacteristic)
		}
	}
	return made
}

// SetCharacteristicsInput is the body of Set Characteristics.
type SetCharacteristicsInput struct {
	Characteristics CharacteristicsInput `field:"characteristics"`
	UserID          input.TextInput      `field:"userId"`
}

// SetCharacteristics says what is measured at a step from now on. What was recorded stays as it is, and as it was judged.
func (s *Service) SetCharacteristics(ctx context.Context, stepID string, in SetCharacteristicsInput) (card.CharacteristicSet, error) {
	ctx = s.signable(ctx, in, stepID)
	var set card.CharacteristicSet
	err := s.Commit(ctx, &set, func(tx Tx) error {
		path, err := FindPathOfStep(tx, stepID)
		if err != nil {
			return err
		}
		before := path.CharacteristicsOf(stepID)
		if err := RefuseUnread(ctx, NameCharacteristics, stepID, func() (any, error) { return before, nil }); err != nil {
			return err
		}
		if err := path.RefuseClosed(); err != nil {
			return err
		}
		made, err := checkCharacteristics("characteristics", in.Characteristics)
		if err != nil {
			return err
		}
		userID, err := requiredUser(CallerOf(ctx), in.UserID)
		if err != nil {
			return err
		}
		set = before
		if made = s.identified(made, before.Characteristics); slices.Equal(made, before.Characteristics) {
			return nil
		}
		after := path
		after.UpdatedAt = s.Now()
		if err := tx.UpdatePath(path, after); err != nil { // which gives it a new revision: cards follow
			return err
		}
		if set, err = s.recordCharacteristics(tx, after, before, made, userID); err == nil && set.Sampled() {
			err = tx.CountStandingAt(stepID)
		}
		return err
	})
	return set, err
}

// recordCharacteristics stores the next set of a step and tells what is otherwise than before.
func (s *Service) recordCharacteristics(tx interface {
	AuditStore
	CharacteristicStore
}, path card.Path, before card.CharacteristicSet, made []card.Characteristic, userID string) (card.CharacteristicSet, error) {
	set := card.CharacteristicSet{
		ID: s.NewID(prefixCharacteristics), StepID: before.StepID, Revision: before.Revision + 1, Characteristics: made,
		ChangedBy: userID, ChangedAt: path.UpdatedAt,
	}
	if err := tx.InsertCharacteristics(set); err != nil {
		return set, err
	}
	told := characteristicsEvent{
		CharacteristicsID: set.ID, Revision: set.Revision, Before: without(before.Characteristics, made),
		After: without(made, before.Characteristics), Contents: set.Contents(),
	}
	return set, tx.AppendAudit(trail.Entry{
		Action: ActionCharacteristicsChanged, UserID: userID, Timestamp: set.ChangedAt,
		JobID: path.JobID, PathID: path.ID, StepID: set.StepID, Metadata: trail.Metadata(told),
	})
}

// without are the characteristics that are not in another list as they are.
func without(list, other []card.Characteristic) []card.Characteristic {
	return slices.DeleteFunc(slices.Clone(list), func(c card.Characteristic) bool { return slices.Contains(other, c) })
}

// characteristicsEvent is the metadata of an entry about the characteristics of a step.
type characteristicsEvent struct {
	CharacteristicsID string                `json:"characteristicsId"`
	Revision          int                   `json:"revision"`
	Before            []card.Characteristic `json:"before"` // those that are gone or otherwise now
	After             []card.Characteristic `json:"after"`  // those that are new or otherwise now
	Contents          trail.ContentsSHA256  `json:"contentsSha256"`
}

// Characteristics answers Get Characteristics.
func (s *Service) Characteristics(ctx context.Context, stepID string) (set card.CharacteristicSet, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		path, err := FindPathOfStep(tx, stepID)
		set = path.CharacteristicsOf(stepID)
		return err
	})
	return set, err
}

// CharacteristicStore is what the operations on characteristics need of a database. Paths carry the newest set of each step: see
// Path.Characteristics.
type CharacteristicStore interface {
	InsertCharacteristics(set card.CharacteristicSet) error
	AllCharacteristics() iter.Seq2[card.CharacteristicSet, error] // of every revision of every step, oldest first
	// SetWith returns the newest set that has a characteristic, which may be measured no more.
	SetWith(characteristicID string) (card.CharacteristicSet, error)
}

// What the tables of the business call characteristics.
const (
	RecordCharacteristics ident.RecordKind = "characteristics"
	RecordCharacteristic  ident.RecordKind = "characteristic"

	NameCharacteristics refusal.RecordName = "Characteristics"
	NameCharacteristic  refusal.RecordName = "Characteristic"

	prefixCharacteristics = "chset_"
	prefixCharacteristic  = "char_"

	OpSetCharacteristics Operation = "set-characteristics"

	ActionCharacteristicsChanged trail.Action = "characteristics_changed"
)

// Why it is refused.
var (
	OnlyForNumbers      = refusal.NewReason(refusal.Invalid, "only_for_numbers", "{field} is only for characteristics of type number")
	LimitsBackwards     = refusal.NewReason(refusal.Invalid, "limits_backwards", "{field} must not be below {lower}")
	CharacteristicTwice = refusal.NewReason(refusal.Invalid, "characteristic_twice", "{field} has a number and place that another one has: {number}")
)

var characteristicNoun = noun{
	records: []Record{
		{
			Kind: RecordCharacteristics, Names: named(NameCharacteristics), Prefix: prefixCharacteristics, Table: "step_characteristics",
			Tagged: true, Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told characteristicsEvent
				err := trail.ReadMetadata(entry, &told)
				return told.CharacteristicsID, told.Contents, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.AllCharacteristics(), func(s card.CharacteristicSet) Kept { return Kept{s.ID, s.Contents()} })
			},
		},
		{Kind: RecordCharacteristic, Names: named(NameCharacteristic), Prefix: prefixCharacteristic},
	},
	operations: []operationRow{
		{operation: OpSetCharacteristics, permission: Plan, subject: AboutStep, signed: SignPathUpdate},
	},
	actions: []actionRow{
		{action: ActionCharacteristicsChanged, of: only(RecordCharacteristics), signed: SignPathUpdate},
	},
}

// Of some characteristics only a sample is measured: the first unit that comes to the step, or every n-th. So units are counted as
// they come to such a step, each once: a unit that is sent back keeps its number. A unit that defers the step counts too, since it
// comes to it later.

// passesFirst reports whether a unit was measured as a first piece of the step at index i, and passed; wrong whether one of the
// readings fails.
func passesFirst(unit card.Card, i int) (passes, wrong bool) {
	set := unit.Path.CharacteristicsOf(unit.Path.Steps[i].ID)
	passes = true
	for _, c := range set.OfFirstPiece() {
		reading := unit.Reading(c.ID)
		passes = passes && reading != nil && reading.Verdict != card.VerdictFail
		wrong = wrong || reading != nil && reading.Verdict == card.VerdictFail
	}
	return passes, wrong
}

// followFirstPiece records that a unit is the first piece of the step at index i, when its readings have made it that, or that it
// is not any more: because one fails, or because one of them was voided.
func followFirstPiece(tx interface {
	PathStore
	SamplingStore
}, unit card.Card, i int, voided bool) error {
	step := unit.Path.Steps[i]
	set := unit.Path.CharacteristicsOf(step.ID)
	if len(set.OfFirstPiece()) == 0 {
		return nil
	}
	path, err := tx.Path(unit.Path.ID) // a card does not keep others from changing its path
	if err != nil {
		return err
	}
	unit.Path = path
	if i = path.StepIndex(step.ID); i < 0 {
		return card.NameStep.NotFound(step.ID)
	}
	passes, wrong := passesFirst(unit, i)
	var first string
	switch before := unit.Path.FirstPieces[step.ID]; {
	case before == "" && passes && !unit.Arrivals[step.ID].Behind:
		first = unit.Serial.ID
	case before == unit.Serial.ID && (wrong || voided && !passes):
	default:
		return nil
	}
	if err := tx.SetFirstPiece(step.ID, first); err != nil {
		return err
	}
	return tx.UpdatePath(path, path) // which gives it a new revision: the cards of other units follow
}

// SamplingStore counts units at the steps of which a sample is measured. card.Change.Arrived counts those that move there.
type SamplingStore interface {
	// CountBatch counts new units, which stand on a step, in the order of their numbers.
	CountBatch(stepID string, batch SerialBatch) error
	// CountStandingAt counts the units that stand on a step or have deferred it, and are not counted there, in the order in which
	// they were moved last.
	CountStandingAt(stepID string) error
	// SetFirstPiece says which unit is the first piece of a step, "" for none. The unit was counted there.
	SetFirstPiece(stepID, serialID string) error
	// CountedUnits yields the units that are counted, step by step in the order of their numbers there.
	CountedUnits() iter.Seq2[CountedUnit, error]
}

// CountedUnit is a unit that was counted as it came to a step: as which one, from 1.
type CountedUnit struct {
	StepID, SerialID string
	Ordinal          int64
}

// ArrivalOf is as which one a unit came to the step of its reading, as the entry of the reading tells; false when it tells nothing.
func ArrivalOf(entry *trail.Entry) (counted CountedUnit, ok bool, err error) {
	var told measuredMetadata
	err = trail.ReadMetadata(entry, &told)
	return CountedUnit{entry.StepID, entry.SerialID, told.Arrival}, told.Arrival > 0, err
}
