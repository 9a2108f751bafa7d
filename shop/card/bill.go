package card

import (
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// KeptBOM is a bill of materials in the version that a unit keeps, the zero value for none.
type KeptBOM struct {
	BOMID      string `json:"bomId,omitempty"`
	BOMVersion int64  `json:"bomVersion,omitempty"` // 1 for a bill that was never changed
}

// BOMSetMetadata is the metadata of the audit entry of a unit's new bill.
type BOMSetMetadata struct {
	Before KeptBOM `json:"before"`
	After  KeptBOM `json:"after"`
	Reason string  `json:"reason"`
}

// SetBOM gives a unit another bill, or another version of its bill. It changes nothing if the unit keeps this version already.
func SetBOM(unit Card, kept KeptBOM, reason, userID string, now ident.Timestamp) Change {
	change := Change{Serial: unit.Serial}
	if unit.Serial.BOM == kept {
		return change
	}
	change.Serial.BOM, change.BOM = kept, &kept
	entry := EntryAbout(unit.Serial, ActionSerialBOMSet, StandingOn(unit), userID, now)
	entry.Metadata = trail.Metadata(BOMSetMetadata{unit.Serial.BOM, kept, reason})
	change.Audit = []trail.Entry{entry}
	return change
}

// ActionSerialBOMSet says that a unit got another bill, or another version of its bill.
const ActionSerialBOMSet trail.Action = "serial_bom_set"
