package card

import (
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// ShipmentKind says where a shipment goes.
type ShipmentKind string

// The kinds of shipments.
const (
	ToSupplier ShipmentKind = "outside"  // for outside work: the units come back
	ToCustomer ShipmentKind = "customer" // delivered: units come back only as returns
)

// ShipmentKinds returns the kinds of shipments. The first is the default.
func ShipmentKinds() []ShipmentKind { return []ShipmentKind{ToSupplier, ToCustomer} }

// Away says where a unit is after it was sent: the shipment has a line for the unit that was not received. The zero value is for a unit
// that is not away.
type Away struct {
	ShipmentID string       `json:"shipmentId"`
	Kind       ShipmentKind `json:"kind"`
	Party      string       `json:"party"`  // the supplier or customer
	SentOn     string       `json:"sentOn"` // day in the time zone of the shop
}

// IsAway reports whether the unit is with a supplier or customer. A scrapped unit is not: nothing is expected to come back.
func (c Card) IsAway() bool { return c.Away.ShipmentID != "" && c.Serial.Status != Scrapped }

// RefuseAway refuses operations that a unit does not allow while it is with a supplier or customer.
func RefuseAway(card Card) error {
	if !card.IsAway() {
		return nil
	}
	return isAway(card)
}

// isAway returns the refusal that names the shipment of a unit.
func isAway(card Card) error {
	return refusal.Refuse(UnitAway, card.Serial.ID, card.Away.Party, card.Away.SentOn, card.Away.ShipmentID)
}

// OutsideWork is work that a supplier does at a step.
type OutsideWork struct {
	Process          string   `json:"process"`
	Specification    string   `json:"specification,omitempty"`
	Code             string   `json:"code,omitempty"`
	Suppliers        []string `json:"suppliers,omitempty"` // the approved ones; empty if every supplier is
	CustomerApproval string   `json:"customerApproval,omitempty"`
}

// Equal reports whether two steps require the same work. Nil is no work.
func (w *OutsideWork) Equal(other *OutsideWork) bool {
	if w == nil || other == nil {
		return w == other
	}
	return w.Process == other.Process && w.Specification == other.Specification && w.Code == other.Code &&
		w.CustomerApproval == other.CustomerApproval && slices.Equal(w.Suppliers, other.Suppliers)
}

// Approves reports whether a supplier may do the work. Upper and lower case are the same.
func (w *OutsideWork) Approves(supplier string) bool {
	return len(w.Suppliers) == 0 || slices.ContainsFunc(w.Suppliers, func(approved string) bool {
		return strings.EqualFold(strings.TrimSpace(approved), strings.TrimSpace(supplier))
	})
}

// OutsideStep returns the index of the step whose outside work a unit stands at: its current step, or else the first deferred one. A step
// that the unit came back from in this pass counts only if there is no other. The index is -1 if there is none.
func (c Card) OutsideStep() int {
	found := -1
	consider := func(i int) bool {
		if c.Path.RequirementsOf(c.Path.Steps[i].ID).Outside == nil || !c.MeasurableAt(i) {
			return false
		}
		if found < 0 {
			found = i
		}
		if !c.Returned[c.Path.Steps[i].ID] {
			found = i
			return true
		}
		return false
	}
	if len(c.Path.Requirements) == 0 || c.Serial.Status == Scrapped {
		return -1
	}
	if current := c.Serial.Position; current < len(c.Path.Steps) && consider(current) {
		return current
	}
	for i := range c.Path.Steps {
		if consider(i) {
			break
		}
	}
	return found
}

// RefuseSending returns the refusal to send a unit to a supplier for outside work, or nil.
func RefuseSending(unit Card, supplier string) error {
	if err := refuseToLeave(unit); err != nil {
		return err
	}
	i := unit.OutsideStep()
	if i < 0 {
		return refusal.Refuse(NotAtOutsideWork, unit.Serial.ID)
	}
	if work := unit.Path.RequirementsOf(unit.Path.Steps[i].ID).Outside; !work.Approves(supplier) {
		return refusal.Refuse(SupplierNotApproved, supplier, work.Process)
	}
	return nil
}

// refuseToLeave refuses to send a unit that is on hold, away or inside another unit.
func refuseToLeave(unit Card) error {
	if len(unit.Holds) > 0 {
		return refusal.Refuse(ComponentHeld, unit.Serial.ID, unit.Holds[0].Reason)
	}
	return RefuseElsewhere(unit)
}

// RefuseElsewhere refuses a unit that is away or inside another unit.
func RefuseElsewhere(unit Card) error {
	if err := RefuseAway(unit); err != nil {
		return err
	}
	if unit.Inside != "" {
		return refusal.Refuse(InsideAnother, unit.Serial.ID, unit.Inside)
	}
	return nil
}

// DeferredSteps returns the names of the deferred steps of a unit, in path order.
func (c Card) DeferredSteps() (names []string) {
	for i := range c.Path.Steps {
		if c.StepStatus(i) == StepDeferred {
			names = append(names, c.Path.Steps[i].Name)
		}
	}
	return names
}

// LineResult says what became of a unit on a shipment.
type LineResult string

// The results. LineMissing is not final: the unit is still away.
const (
	LineReceived LineResult = "received"
	LineRejected LineResult = "rejected"
	LineMissing  LineResult = "missing"
)

// Returns reports whether the unit is back.
func (r LineResult) Returns() bool { return r == LineReceived || r == LineRejected }

// ShipmentLine is one unit on a shipment.
type ShipmentLine struct {
	ShipmentID string
	SerialID   string
	StepID     string // the step with the outside work; "" for a customer
	Pass       int    // of the unit when it was sent
	Result     LineResult
	ReceiptID  string // the receipt with the result
	Reason     string // why the unit is missing
	SettledAt  ident.Timestamp
	UpdatedAt  ident.Timestamp
}

// Key identifies the line in the trail.
func (l *ShipmentLine) Key() string { return LineKey(l.ShipmentID, l.SerialID) }

// LineKey identifies the line of a unit on a shipment in the trail.
func LineKey(shipmentID, serialID string) string { return shipmentID + "/" + serialID }

// Contents is the SHA-256 that the audit entries of a line record. It does not cover the unit, so that the entries of many units are equal.
func (l *ShipmentLine) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf([]any{l.ShipmentID, l.StepID, l.Pass, l.Result, l.ReceiptID, l.Reason, l.SettledAt, l.UpdatedAt})
}

// SentMetadata is the metadata of the entry of a unit about its shipment.
type SentMetadata struct {
	Away
	Pass     int                  `json:"pass"`
	Contents trail.ContentsSHA256 `json:"contentsSha256"` // of the line
}

// ReceivedMetadata is the metadata of the entry of a unit about a receipt.
type ReceivedMetadata struct {
	ShipmentID       string               `json:"shipmentId"`
	ReceiptID        string               `json:"receiptId"`
	Result           LineResult           `json:"result"`
	Reason           string               `json:"reason,omitempty"`
	NonconformanceID string               `json:"nonconformanceId,omitempty"`
	Contents         trail.ContentsSHA256 `json:"contentsSha256"` // of the line
}

// SentEntry returns the entry of a unit that is sent.
func SentEntry(unit Card, line ShipmentLine, away Away, userID string) trail.Entry {
	entry := EntryAbout(unit.Serial, ActionSerialSent, line.StepID, userID, line.UpdatedAt)
	entry.Metadata = trail.Metadata(SentMetadata{away, line.Pass, line.Contents()})
	return entry
}

// ReceivedEntry returns the entry of a unit with a result of a receipt.
func ReceivedEntry(unit Card, line ShipmentLine, nonconformanceID, userID string) trail.Entry {
	entry := EntryAbout(unit.Serial, ActionSerialReceived, line.StepID, userID, line.UpdatedAt)
	if line.Result != LineRejected {
		nonconformanceID = ""
	}
	entry.Metadata = trail.Metadata(ReceivedMetadata{
		line.ShipmentID, line.ReceiptID, line.Result, line.Reason, nonconformanceID, line.Contents(),
	})
	return entry
}

// ReopenedEntry returns the entry of a unit whose receipt is voided. line is the line afterwards.
func ReopenedEntry(unit Card, line ShipmentLine, receiptID string, voiding Voiding) trail.Entry {
	entry := EntryAbout(unit.Serial, ActionRecordVoided, line.StepID, voiding.VoidedBy, voiding.VoidedAt)
	entry.Metadata = trail.Metadata(VoidedMetadata{
		RecordID: receiptID, Reason: voiding.VoidReason, ShipmentID: line.ShipmentID, LineContents: line.Contents(),
	})
	return entry
}

// RefuseReopeningLine returns the refusal to void the receipt of a unit's line, or nil: the unit must be where it was received. For outside
// work it has not left the step in the same pass. A unit that was returned by a customer is still completed.
func RefuseReopeningLine(unit Card, line ShipmentLine) error {
	if unit.Away.ShipmentID != "" { // also if it was scrapped there: it would be on two shipments
		return isAway(unit)
	}
	if err := RefuseElsewhere(unit); err != nil {
		return err
	}
	there := unit.Serial.Status == Completed
	if i := unit.Path.StepIndex(line.StepID); i >= 0 {
		there = unit.MeasurableAt(i) || unit.Serial.Status == Scrapped && unit.Serial.Position == i
	}
	if !there || unit.Serial.Pass() != line.Pass {
		return refusal.Refuse(LeftTheStep, unit.Serial.ID)
	}
	return nil
}

// Actions of the trail.
const (
	ActionSerialSent     trail.Action = "serial_sent"
	ActionSerialReceived trail.Action = "serial_received"
)

// Reasons for refusing because of shipments.
var (
	UnitAway            = refusal.NewReason(refusal.Invalid, "serial_away", "{serialId} is at {party} since {date} (shipment {id})")
	NotAtOutsideWork    = refusal.NewReason(refusal.Invalid, "not_at_outside_work", "{serialId} does not stand at outside work")
	SupplierNotApproved = refusal.NewReason(refusal.Invalid, "supplier_not_approved", "{supplier} is not approved for {process}")
	NotBack             = refusal.NewReason(refusal.Invalid, "not_back", "Not back from outside work at {step}")
	LeftTheStep         = refusal.NewReason(refusal.Invalid, "left_step", "{serialId} has left the step")
)
