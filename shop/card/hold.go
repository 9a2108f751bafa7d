package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Hold keeps a serial from moving on until it is released. A serial may have several holds; each is released separately.
type Hold struct {
	ID               string          `json:"id"`
	SerialID         string          `json:"serialId"`
	Reason           string          `json:"reason"`
	NonconformanceID string          `json:"nonconformanceId,omitempty"`
	PlacedBy         string          `json:"placedBy"`
	PlacedAt         ident.Timestamp `json:"placedAt"`
	ReleasedBy       string          `json:"releasedBy,omitempty"`
	ReleasedAt       ident.Timestamp `json:"releasedAt,omitzero"`
	ReleaseReason    string          `json:"releaseReason,omitempty"`
}

// HeldMetadata is the metadata of the audit entry of a hold. The reason is that of placing or of releasing it.
type HeldMetadata struct {
	HoldID           string `json:"holdId"`
	Reason           string `json:"reason"`
	NonconformanceID string `json:"nonconformanceId,omitempty"`
}

// Open reports whether the hold is not released.
func (h Hold) Open() bool { return h.ReleasedAt == 0 }

// RefuseStopped refuses operations that a unit does not allow while it is on hold or away: advancing, force-completing, rework, and
// completing a deferred step. These operations call it.
func RefuseStopped(card Card) error {
	if err := RefuseHeld(card); err != nil {
		return err
	}
	return RefuseAway(card)
}

// RefuseHeld refuses a serial on hold.
func RefuseHeld(card Card) error {
	if len(card.Holds) == 0 {
		return nil
	}
	return refusal.Refuse(SerialHeld, card.Holds[0].Reason)
}

// RefusePlacingHold returns the refusal to put a serial on hold, or nil.
func RefusePlacingHold(card Card) error {
	if card.Serial.Status == Scrapped {
		return refusal.Refuse(HoldScrapped)
	}
	return nil
}

// HoldAt places a hold.
func HoldAt(card Card, hold Hold, now ident.Timestamp) Change {
	hold.SerialID, hold.PlacedAt = card.Serial.ID, now
	entry := EntryAbout(card.Serial, ActionSerialHeld, StandingOn(card), hold.PlacedBy, now)
	entry.Metadata = trail.Metadata(HeldMetadata{hold.ID, hold.Reason, hold.NonconformanceID})
	return Change{Serial: card.Serial, Held: []Hold{hold}, Audit: []trail.Entry{entry}}
}

// StandingOn returns the id of the step that a serial stands on, or "" if it has left its last step.
func StandingOn(card Card) string {
	if card.Serial.Position >= len(card.Path.Steps) || card.Serial.LeftLastStep() {
		return ""
	}
	return card.Path.Steps[card.Serial.Position].ID
}

// HoldsOf returns the open holds of a card that belong to a report, or all open holds if the report is "".
func HoldsOf(card Card, nonconformanceID string) []Hold {
	if nonconformanceID == "" {
		return card.Holds
	}
	var holds []Hold
	for _, hold := range card.Holds {
		if hold.NonconformanceID == nonconformanceID {
			holds = append(holds, hold)
		}
	}
	return holds
}

// ReleaseFrom releases holds of a serial with the same user and reason.
func ReleaseFrom(card Card, holds []Hold, release Hold, now ident.Timestamp) Change {
	change := Change{Serial: card.Serial}
	for _, hold := range holds {
		hold.ReleasedBy, hold.ReleasedAt, hold.ReleaseReason = release.ReleasedBy, now, release.ReleaseReason
		entry := EntryAbout(card.Serial, ActionSerialReleased, StandingOn(card), hold.ReleasedBy, now)
		entry.Metadata = trail.Metadata(HeldMetadata{hold.ID, hold.ReleaseReason, hold.NonconformanceID})
		change.Released = append(change.Released, hold)
		change.Audit = append(change.Audit, entry)
	}
	return change
}

// Actions of the trail.
const (
	ActionSerialHeld     trail.Action = "serial_held"
	ActionSerialReleased trail.Action = "serial_released"
)

// Reasons for refusing because of a hold.
var (
	HoldScrapped = refusal.NewReason(refusal.Invalid, "serial_scrapped", "Cannot hold a scrapped serial")
	SerialHeld   = refusal.NewReason(refusal.Invalid, "serial_on_hold", "Serial is on hold: {reason}")
)
