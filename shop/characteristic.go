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

// CharacteristicTypes returns all types in the order in which the HTTP API lists them.
func CharacteristicTypes() []card.CharacteristicType {
	return []card.CharacteristicType{card.NumberReading, card.PassFailReading, card.TextReading}
}

// Designators returns all designators in the order in which the HTTP API lists them.
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

// checkCharacteristics validates a list of characteristics, which may be empty. The characteristics that it returns have no ids.
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

// rest checks the fields that have a default.
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

// identified assigns ids to characteristics: the id of the earlier characteristic with the same number and place, or a new id.
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

// SetCharacteristics replaces the characteristics that are measured at a step from now on. Recorded readings and their verdicts
// do not change.
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
		if err := tx.UpdatePath(path, after); err != nil { // creates a new revision, so that cards are read again
			return err
		}
		if set, err = s.recordCharacteristics(tx, after, before, made, userID); err == nil && set.Sampled() {
			err = tx.CountStandingAt(stepID)
		}
		return err
	})
	return set, err
}

// recordCharacteristics stores the next set of a step and records the differences in the trail.
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

// without returns the characteristics of a list that do not occur unchanged in another list.
func without(list, other []card.Characteristic) []card.Characteristic {
	return slices.DeleteFunc(slices.Clone(list), func(c card.Characteristic) bool { return slices.Contains(other, c) })
}

// characteristicsEvent is the metadata of an audit entry for a step's characteristics.
type characteristicsEvent struct {
	CharacteristicsID string                `json:"characteristicsId"`
	Revision          int                   `json:"revision"`
	Before            []card.Characteristic `json:"before"` // the characteristics that were removed or changed
	After             []card.Characteristic `json:"after"`  // the characteristics that were added or changed
	Contents          trail.ContentsSHA256  `json:"contentsSha256"`
}

// Characteristics returns the current characteristics of a step.
func (s *Service) Characteristics(ctx context.Context, stepID string) (set card.CharacteristicSet, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		path, err := FindPathOfStep(tx, stepID)
		set = path.CharacteristicsOf(stepID)
		return err
	})
	return set, err
}

// CharacteristicStore has the database functions for characteristics. Paths contain the newest set of each step: see
// Path.Characteristics.
type CharacteristicStore interface {
	InsertCharacteristics(set card.CharacteristicSet) error
	AllCharacteristics() iter.Seq2[card.CharacteristicSet, error] // all revisions of all steps, oldest first
	// SetWith returns the newest set that contains a characteristic. The step may no longer have the characteristic.
	SetWith(characteristicID string) (card.CharacteristicSet, error)
}

// Names of characteristics in the tables of nouns.go.
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

// Reasons for refusing characteristics.
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

// Some characteristics are measured only on a sample: the first unit that arrives at the step, or every n-th. Units are therefore
// numbered as they arrive at such a step, each once: a unit that is sent back keeps its number. A unit that defers the step is
// numbered too, because it will be processed there later.

// passesFirst reports whether a unit has passing readings for all first-piece characteristics of the step at index i (passes),
// and whether any of these readings fails (wrong).
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

// followFirstPiece records that a unit becomes the first piece of the step at index i because of its readings, or no longer is,
// because a reading fails or was voided.
func followFirstPiece(tx interface {
	PathStore
	SamplingStore
}, unit card.Card, i int, voided bool) error {
	step := unit.Path.Steps[i]
	set := unit.Path.CharacteristicsOf(step.ID)
	if len(set.OfFirstPiece()) == 0 {
		return nil
	}
	path, err := tx.Path(unit.Path.ID) // a card does not lock its path
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
	return tx.UpdatePath(path, path) // creates a new revision, so that the cards of other units are read again
}

// SamplingStore numbers units at steps where a sample is measured. card.Change.Arrived numbers the units that move to a step.
type SamplingStore interface {
	// CountBatch numbers new units at their step, in the order of their ids.
	CountBatch(stepID string, batch SerialBatch) error
	// CountStandingAt numbers the units that are at a step or have deferred it, in the order of their last move. Units that have a number
	// at the step keep it.
	CountStandingAt(stepID string) error
	// SetFirstPiece stores the first piece of a step, "" for none. The unit must have a number at the step.
	SetFirstPiece(stepID, serialID string) error
	// CountedUnits yields all numbered units, step by step in the order of their numbers.
	CountedUnits() iter.Seq2[CountedUnit, error]
}

// CountedUnit is a unit with its number at a step. Numbers begin at 1.
type CountedUnit struct {
	StepID, SerialID string
	Ordinal          int64
}

// ArrivalOf returns the number of a unit at a step from the entry of a reading; false if the entry has none.
func ArrivalOf(entry *trail.Entry) (counted CountedUnit, ok bool, err error) {
	var told measuredMetadata
	err = trail.ReadMetadata(entry, &told)
	return CountedUnit{entry.StepID, entry.SerialID, told.Arrival}, told.Arrival > 0, err
}
