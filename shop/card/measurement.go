package card

import (
	"cmp"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

// Measurement is one value that was read from a unit, with the limits it was compared with. It is never changed, except for being voided.
type Measurement struct {
	ID               string          `json:"id"`
	SerialID         string          `json:"serialId"`
	StepID           string          `json:"stepId"`
	CharacteristicID string          `json:"characteristicId"`
	Number           string          `json:"number"`
	Place            string          `json:"place,omitempty"`
	Value            string          `json:"value"` // the value as typed
	Unit             string          `json:"unit,omitempty"`
	Verdict          Verdict         `json:"verdict"`
	Limits           Limits          `json:"limits"`
	Revision         int             `json:"revision"` // the revision of the step's characteristics
	InstrumentID     string          `json:"instrumentId,omitempty"`
	Note             string          `json:"note,omitempty"`
	Pass             int             `json:"pass"` // the unit's pass along its path, counted from 1
	MeasuredBy       string          `json:"measuredBy"`
	MeasuredAt       ident.Timestamp `json:"measuredAt"`
	EnteredAt        ident.Timestamp `json:"enteredAt,omitzero"` // the time of recording; 0 if it equals MeasuredAt
	Voiding

	JobID string `json:"-"`
}

// Verdict is the result of comparing a reading with its limits.
type Verdict string

// The verdicts on a reading, as the interface spells them.
const (
	VerdictPass     Verdict = "pass"
	VerdictFail     Verdict = "fail"
	VerdictRecorded Verdict = "recorded" // there were no limits to compare it with
)

// Entered returns when the reading was recorded here. Only the service sets this time.
func (m *Measurement) Entered() ident.Timestamp { return cmp.Or(m.EnteredAt, m.MeasuredAt) }

// Called returns the name of the measured characteristic in messages.
func (m *Measurement) Called() string { return CalledAt(m.Number, m.Place) }

// Broken returns the limit that the reading violates. Call it for failing readings only.
func (m *Measurement) Broken() string {
	below, _ := m.Limits.Outside(input.Decimal(m.Value))
	switch {
	case below:
		return string(m.Limits.Lower)
	case m.Limits.Upper != "":
		return string(m.Limits.Upper)
	}
	return string(VerdictPass)
}

// Contents returns the SHA-256 that the audit entry of a reading records.
func (m *Measurement) Contents() trail.ContentsSHA256 {
	kept := *m
	kept.Voiding = Voiding{}
	return trail.ContentsOf([]any{kept, m.JobID})
}
