package shop

import (
	"context"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Characteristic is something that a drawing demands of a unit at a step, and that is measured there.
type Characteristic struct {
	ID     string             `json:"id,omitempty"`    // "" in a template
	Number string             `json:"number"`          // its balloon on the drawing
	Place  string             `json:"place,omitempty"` // of a feature that repeats; no two of a step have the same number and place
	Name   string             `json:"name"`
	Type   CharacteristicType `json:"type"`
	Unit   string             `json:"unit,omitempty"`
	Limits
	Required           bool       `json:"required"`             // whether a unit is measured before it leaves the step
	Sample             Sample     `json:"sample"`               // which units are
	Designator         Designator `json:"designator,omitempty"` // "" for an ordinary one
	Requirement        string     `json:"requirement,omitempty"`
	InstrumentRequired bool       `json:"instrumentRequired"`
}

// Limits are what a number is compared with. Each is "" where there is none.
type Limits struct {
	Nominal input.Decimal `json:"nominal,omitempty"`
	Lower   input.Decimal `json:"lower,omitempty"` // the least that passes
	Upper   input.Decimal `json:"upper,omitempty"` // the greatest that passes
}

// CharacteristicType says what is read of a characteristic.
type CharacteristicType string

// The types of characteristics.
const (
	NumberReading   CharacteristicType = "number"
	PassFailReading CharacteristicType = "pass_fail"
	TextReading     CharacteristicType = "text"
)

// CharacteristicTypes returns every type in the interface's order.
func CharacteristicTypes() []CharacteristicType {
	return []CharacteristicType{NumberReading, PassFailReading, TextReading}
}

// Designator says that a characteristic is more than an ordinary one.
type Designator string

// The designators.
const (
	KeyCharacteristic      Designator = "key"
	CriticalCharacteristic Designator = "critical"
)

// Designators returns every designator in the interface's order.
func Designators() []Designator { return []Designator{KeyCharacteristic, CriticalCharacteristic} }

// Sample says which units of a path are measured: every, first, or 1 of n, such as "1 of 5".
type Sample string

// The samples that are a word.
const (
	SampleEvery Sample = "every"
	SampleFirst Sample = "first"
)

var oneOfMany = regexp.MustCompile(`^1 of ([1-9]\d{0,5})$`)

// OneOf is n of a sample 1 of n, and 0 of every other one.
func (s Sample) OneOf() int64 {
	found := oneOfMany.FindStringSubmatch(string(s))
	if found == nil {
		return 0
	}
	n, _ := strconv.ParseInt(found[1], 10, 64)
	return n
}

// takes reports whether a unit is among the sample that came to the step as this one, counted from 1. Of a unit that was not counted
// it is true.
func (s Sample) takes(arrival int64) bool {
	switch n := s.OneOf(); {
	case arrival == 0:
		return true
	case n > 0:
		return arrival%n == 0
	case s == SampleFirst:
		return arrival == 1
	}
	return true
}

// Called is what messages call the characteristic: its number, and its place where it has one.
func (c *Characteristic) Called() string { return calledAt(c.Number, c.Place) }

func calledAt(number, place string) string {
	if place == "" {
		return number
	}
	return number + " (" + place + ")"
}

// CharacteristicSet is what is measured at a step. Every edit makes a set with the next revision; a set is never changed.
type CharacteristicSet struct {
	ID              string           `json:"-"`
	StepID          string           `json:"stepId"`
	Revision        int              `json:"revision"` // 0 while the step never had any
	Characteristics []Characteristic `json:"characteristics"`
	ChangedBy       string           `json:"changedBy,omitempty"`
	ChangedAt       ident.Timestamp  `json:"changedAt,omitzero"`
}

// Contents is the SHA-256 of what the entry of a set tells of it.
func (s *CharacteristicSet) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf([]any{s.ID, s.StepID, s.Revision, s.Characteristics, s.ChangedBy, s.ChangedAt})
}

// find returns the characteristic with an identifier, or with a number and a place; nil when there is none.
func (s *CharacteristicSet) find(named, place string) *Characteristic {
	for i := range s.Characteristics {
		if c := &s.Characteristics[i]; c.ID == named || c.Number == named && c.Place == place {
			return c
		}
	}
	return nil
}

// sampled reports whether it matters in which order units come to the step.
func (s *CharacteristicSet) sampled() bool {
	return slices.ContainsFunc(s.Characteristics, func(c Characteristic) bool { return c.Required && c.Sample != SampleEvery })
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
func checkCharacteristics(field string, in CharacteristicsInput) ([]Characteristic, error) {
	if in.Missing() {
		return nil, refusal.RefuseField(refusal.Required, field)
	}
	if err := in.Typed(field); err != nil {
		return nil, err
	}
	if err := input.CheckItems(field, len(in.Value)); err != nil {
		return nil, err
	}
	made := make([]Characteristic, len(in.Value))
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

func (in CharacteristicInput) check(field string) (c Characteristic, err error) {
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

func (in CharacteristicInput) limits(field string, kind CharacteristicType) (limits Limits, err error) {
	for _, limit := range []struct {
		name string
		in   input.WrittenInput
		to   *input.Decimal
	}{{"nominal", in.Nominal, &limits.Nominal}, {"lower", in.Lower, &limits.Lower}, {"upper", in.Upper, &limits.Upper}} {
		name := field + "." + limit.name
		if *limit.to, err = input.OptionalDecimal(name, limit.in); err != nil {
			return limits, err
		}
		if *limit.to != "" && kind != NumberReading {
			return limits, refusal.RefuseField(OnlyForNumbers, name)
		}
	}
	if limits.Lower != "" && limits.Upper != "" && limits.Lower.Compare(limits.Upper) > 0 {
		return limits, refusal.RefuseField(LimitsBackwards, field+".upper", limits.Lower)
	}
	return limits, nil
}

// rest judges what has a usual value.
func (in CharacteristicInput) rest(field string, c *Characteristic) (err error) {
	if c.Required, err = input.OptionalFlag(field+".required", in.Required); err != nil {
		return err
	}
	c.Required = c.Required || in.Required.Missing()
	c.Sample = SampleEvery
	if !in.Sample.Missing() {
		if err := in.Sample.Typed(field + ".sample"); err != nil {
			return err
		}
		if c.Sample = Sample(in.Sample.Value); c.Sample != SampleEvery && c.Sample != SampleFirst && c.Sample.OneOf() == 0 {
			return input.NotOneOf(field+".sample", []Sample{SampleEvery, SampleFirst, "1 of n"})
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
func (s *Service) identified(made, before []Characteristic) []Characteristic {
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
func (s *Service) SetCharacteristics(ctx context.Context, stepID string, in SetCharacteristicsInput) (CharacteristicSet, error) {
	ctx = s.signable(ctx, in, stepID)
	var set CharacteristicSet
	err := s.Commit(ctx, &set, func(tx Tx) error {
		path, err := FindPathOfStep(tx, stepID)
		if err != nil {
			return err
		}
		before := path.CharacteristicsOf(stepID)
		if err := RefuseUnread(ctx, NameCharacteristics, stepID, func() (any, error) { return before, nil }); err != nil {
			return err
		}
		if err := path.refuseClosed(); err != nil {
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
		if set, err = s.recordCharacteristics(tx, after, before, made, userID); err == nil && set.sampled() {
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
}, path Path, before CharacteristicSet, made []Characteristic, userID string) (CharacteristicSet, error) {
	set := CharacteristicSet{
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
func without(list, other []Characteristic) []Characteristic {
	return slices.DeleteFunc(slices.Clone(list), func(c Characteristic) bool { return slices.Contains(other, c) })
}

// characteristicsEvent is the metadata of an entry about the characteristics of a step.
type characteristicsEvent struct {
	CharacteristicsID string               `json:"characteristicsId"`
	Revision          int                  `json:"revision"`
	Before            []Characteristic     `json:"before"` // those that are gone or otherwise now
	After             []Characteristic     `json:"after"`  // those that are new or otherwise now
	Contents          trail.ContentsSHA256 `json:"contentsSha256"`
}

// Characteristics answers Get Characteristics.
func (s *Service) Characteristics(ctx context.Context, stepID string) (set CharacteristicSet, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		path, err := FindPathOfStep(tx, stepID)
		set = path.CharacteristicsOf(stepID)
		return err
	})
	return set, err
}

// CharacteristicsOf returns what is measured at a step: a set without any where nothing is.
func (p *Path) CharacteristicsOf(stepID string) CharacteristicSet {
	if set, ok := p.Characteristics[stepID]; ok {
		return set
	}
	return CharacteristicSet{StepID: stepID, Characteristics: []Characteristic{}}
}

// CharacteristicStore is what the operations on characteristics need of a database. Paths carry the newest set of each step: see
// Path.Characteristics.
type CharacteristicStore interface {
	InsertCharacteristics(set CharacteristicSet) error
	AllCharacteristics() iter.Seq2[CharacteristicSet, error] // of every revision of every step, oldest first
	// SetWith returns the newest set that has a characteristic, which may be measured no more.
	SetWith(characteristicID string) (CharacteristicSet, error)
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
				err := ReadMetadata(entry, &told)
				return told.CharacteristicsID, told.Contents, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.AllCharacteristics(), func(s CharacteristicSet) Kept { return Kept{s.ID, s.Contents()} })
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
