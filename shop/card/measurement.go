package card

import (
	"cmp"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
)

// Measurement is one value that somebody read of a unit, with what it was judged by. It is never changed, but for being voided.
type Measurement struct {
	ID               string          `json:"id"`
	SerialID         string          `json:"serialId"`
	StepID           string          `json:"stepId"`
	CharacteristicID string          `json:"characteristicId"`
	Number           string          `json:"number"`
	Place            string          `json:"place,omitempty"`
	Value            string          `json:"value"` // as it was typed
	Unit             string          `json:"unit,omitempty"`
	Verdict          Verdict         `json:"verdict"`
	Limits           Limits          `json:"limits"`
	Revision         int             `json:"revision"` // of the characteristics of the step
	InstrumentID     string          `json:"instrumentId,omitempty"`
	Note             string          `json:"note,omitempty"`
	Pass             int             `json:"pass"` // of the unit along its path, counted from 1
	MeasuredBy       string          `json:"measuredBy"`
	MeasuredAt       ident.Timestamp `json:"measuredAt"`
	EnteredAt        ident.Timestamp `json:"enteredAt,omitzero"` // when it was recorded; 0 when that is MeasuredAt
	Voiding

	JobID string `json:"-"`
}

// Verdict is what a reading says of itself.
type Verdict string

// The verdicts.
const (
	VerdictPass     Verdict = "pass"
	VerdictFail     Verdict = "fail"
	VerdictRecorded Verdict = "recorded" // there was nothing to compare it with
)

// Entered is when the reading was recorded here, which nobody but the service says.
func (m *Measurement) Entered() ident.Timestamp { return cmp.Or(m.EnteredAt, m.MeasuredAt) }

// Called is what messages call the characteristic that was measured.
func (m *Measurement) Called() string { return CalledAt(m.Number, m.Place) }

// Broken is the limit that a reading does not keep. It is for those that fail.
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

// Contents is the SHA-256 of what the entry of a reading tells of it.
func (m *Measurement) Contents() trail.ContentsSHA256 {
	kept := *m
	kept.Voiding = Voiding{}
	return trail.ContentsOf([]any{kept, m.JobID})
}
