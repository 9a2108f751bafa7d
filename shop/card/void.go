package card

import "github.com/routecard/routecard/shop/ident"

// Voiding records when, why and by which user a record was voided. The record itself does not change.
type Voiding struct {
	VoidedAt   ident.Timestamp `json:"voidedAt,omitzero"`
	VoidedBy   string          `json:"voidedBy,omitempty"`
	VoidReason string          `json:"voidReason,omitempty"`
}

// Voided reports whether the record was voided.
func (v Voiding) Voided() bool { return v.VoidedAt != 0 }
