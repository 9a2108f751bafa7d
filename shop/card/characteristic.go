package card

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
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

// Outside reports whether a value is below the least or above the greatest that passes.
func (l Limits) Outside(value input.Decimal) (below, above bool) {
	return l.Lower != "" && value.Compare(l.Lower) < 0, l.Upper != "" && value.Compare(l.Upper) > 0
}

// CharacteristicType says what is read of a characteristic.
type CharacteristicType string

// The types of characteristics.
const (
	NumberReading   CharacteristicType = "number"
	PassFailReading CharacteristicType = "pass_fail"
	TextReading     CharacteristicType = "text"
)

// Designator says that a characteristic is more than an ordinary one.
type Designator string

// The designators.
const (
	KeyCharacteristic      Designator = "key"
	CriticalCharacteristic Designator = "critical"
)

// Sample says which units of a path are measured: every, first, or 1 of n, such as "1 of 5".
type Sample string

// The samples that are a word.
const (
	SampleEvery Sample = "every"
	SampleFirst Sample = "first"
)

var oneOfMany = regexp.MustCompile(`^1 of ([1-9]\d{0,5})$`)

// CharacteristicSet is what is measured at a step. Every edit makes a set with the next revision; a set is never changed.
type CharacteristicSet struct {
	ID              string           `json:"-"`
	StepID          string           `json:"stepId"`
	Revision        int              `json:"revision"` // 0 while the step never had any
	Characteristics []Characteristic `json:"characteristics"`
	ChangedBy       string           `json:"changedBy,omitempty"`
	ChangedAt       ident.Timestamp  `json:"changedAt,omitzero"`
}

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
func (c *Characteristic) Called() string { return CalledAt(c.Number, c.Place) }

// CalledAt is what messages call a characteristic: its number and, where it has one, its place.
func CalledAt(number, place string) string {
	if place == "" {
		return number
	}
	return number + " (" + place + ")"
}

// Contents is the SHA-256 of what the entry of a set tells of it.
func (s *CharacteristicSet) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf([]any{s.ID, s.StepID, s.Revision, s.Characteristics, s.ChangedBy, s.ChangedAt})
}

// Find returns the characteristic with an identifier, or with a number and a place; nil when there is none.
func (s *CharacteristicSet) Find(named, place string) *Characteristic {
	for i := range s.Characteristics {
		if c := &s.Characteristics[i]; c.ID == named || c.Number == named && c.Place == place {
			return c
		}
	}
	return nil
}

// Sampled reports whether it matters in which order units come to the step.
func (s *CharacteristicSet) Sampled() bool {
	return slices.ContainsFunc(s.Characteristics, func(c Characteristic) bool { return c.Required && c.Sample != SampleEvery })
}

// CharacteristicsOf returns what is measured at a step: a set without any where nothing is.
func (p *Path) CharacteristicsOf(stepID string) CharacteristicSet {
	if set, ok := p.Characteristics[stepID]; ok {
		return set
	}
	return CharacteristicSet{StepID: stepID, Characteristics: []Characteristic{}}
}
