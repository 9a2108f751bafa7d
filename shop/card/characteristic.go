package card

import (
	"regexp"
	"slices"
	"strconv"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

// Characteristic is a requirement of the drawing that is measured on a unit at a step.
type Characteristic struct {
	ID     string             `json:"id,omitempty"`    // "" in a template
	Number string             `json:"number"`          // the balloon number on the drawing
	Place  string             `json:"place,omitempty"` // distinguishes repeated features; number and place are unique within a step
	Name   string             `json:"name"`
	Type   CharacteristicType `json:"type"`
	Unit   string             `json:"unit,omitempty"`
	Limits
	Required           bool       `json:"required"`             // whether a unit must be measured before it leaves the step
	Sample             Sample     `json:"sample"`               // the units that must be measured
	Designator         Designator `json:"designator,omitempty"` // "" for an ordinary characteristic
	Requirement        string     `json:"requirement,omitempty"`
	InstrumentRequired bool       `json:"instrumentRequired"`
}

// Limits are the values that a number is compared with. A limit that is not set is "".
type Limits struct {
	Nominal input.Decimal `json:"nominal,omitempty"`
	Lower   input.Decimal `json:"lower,omitempty"` // the least value that passes
	Upper   input.Decimal `json:"upper,omitempty"` // the greatest value that passes
}

// CharacteristicType says what kind of value is recorded for a characteristic.
type CharacteristicType string

// The types of characteristics, as the interface spells them.
const (
	NumberReading   CharacteristicType = "number"
	PassFailReading CharacteristicType = "pass_fail"
	TextReading     CharacteristicType = "text"
)

// Designator marks a characteristic that needs special attention.
type Designator string

// The designators of AS9102.
const (
	KeyCharacteristic      Designator = "key"
	CriticalCharacteristic Designator = "critical"
)

// Sample says which units of a path are measured: every, first, or 1 of n, such as "1 of 5".
type Sample string

// The samples without a number.
const (
	SampleEvery Sample = "every"
	SampleFirst Sample = "first"
)

var oneOfMany = regexp.MustCompile(`^1 of ([1-9]\d{0,5})$`)

// CharacteristicSet lists the characteristics of a step. Every edit creates a set with the next revision; a set is never changed.
type CharacteristicSet struct {
	ID              string           `json:"-"`
	StepID          string           `json:"stepId"`
	Revision        int              `json:"revision"` // 0 if the step has never had characteristics
	Characteristics []Characteristic `json:"characteristics"`
	ChangedBy       string           `json:"changedBy,omitempty"`
	ChangedAt       ident.Timestamp  `json:"changedAt,omitzero"`
}

// OneOf returns the n of a sample "1 of n", and 0 for other samples.
func (s Sample) OneOf() int64 {
	found := oneOfMany.FindStringSubmatch(string(s))
	if found == nil {
		return 0
	}
	n, _ := strconv.ParseInt(found[1], 10, 64)
	return n
}

// takes reports whether the sample includes the unit that was the arrival-th to reach the step, counted from 1. It includes every unit
// whose arrival was not counted.
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

// Called returns the name of the characteristic in messages: its number, with its place if it has one.
func (c *Characteristic) Called() string { return CalledAt(c.Number, c.Place) }

// CalledAt returns the name of a characteristic in messages: its number, with its place if it has one.
func CalledAt(number, place string) string {
	if place == "" {
		return number
	}
	return number + " (" + place + ")"
}

// Contents returns the SHA-256 that the audit entry of a set records.
func (s *CharacteristicSet) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf([]any{s.ID, s.StepID, s.Revision, s.Characteristics, s.ChangedBy, s.ChangedAt})
}

// Find returns the characteristic with this identifier, or with this number and place; nil when the set has none.
func (s *CharacteristicSet) Find(named, place string) *Characteristic {
	for i := range s.Characteristics {
		if c := &s.Characteristics[i]; c.ID == named || c.Number == named && c.Place == place {
			return c
		}
	}
	return nil
}

// Sampled reports whether the order in which units arrive at the step matters.
func (s *CharacteristicSet) Sampled() bool {
	return slices.ContainsFunc(s.Characteristics, func(c Characteristic) bool { return c.Required && c.Sample != SampleEvery })
}

// CharacteristicsOf returns the characteristics of a step, or an empty set.
func (p *Path) CharacteristicsOf(stepID string) CharacteristicSet {
	if set, ok := p.Characteristics[stepID]; ok {
		return set
	}
	return CharacteristicSet{StepID: stepID, Characteristics: []Characteristic{}}
}
