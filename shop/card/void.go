package card

import "github.com/routecard/routecard/shop/ident"

// Voiding says who struck a record through, when, and why. The record stays as it was.
type Voiding struct {
	VoidedAt   ident.Timestamp `json:"voidedAt,omitzero"`
	VoidedBy   string          `json:"voidedBy,omitempty"`
	VoidReason string          `json:"voidReason,omitempty"`
}

// Voided reports whether the record was voided.
func (v Voiding) Voided() bool { return v.VoidedAt != 0 }
