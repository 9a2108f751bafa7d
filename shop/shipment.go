package shop

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// ShipmentStatus is the status of a shipment, which follows from its lines and the day.
type ShipmentStatus string

// The statuses of shipments.
const (
	ShipmentOpen    ShipmentStatus = "open"    // some units are away
	ShipmentOverdue ShipmentStatus = "overdue" // some units are away after the day on which they were expected back
	ShipmentClosed  ShipmentStatus = "closed"  // all lines are settled
	ShipmentShipped ShipmentStatus = "shipped" // sent to a customer
)

// ShipmentStatuses returns the statuses of shipments.
func ShipmentStatuses() []ShipmentStatus {
	return []ShipmentStatus{ShipmentOpen, ShipmentOverdue, ShipmentClosed, ShipmentShipped}
}

// Shipment is a set of units that was sent to a supplier for outside work, or to a customer.
type Shipment struct {
	ID           string            `json:"id"`
	Kind         card.ShipmentKind `json:"kind"`
	Supplier     string            `json:"supplier,omitempty"`
	Customer     string            `json:"customer,omitempty"`
	OrderNumber  string            `json:"orderNumber,omitempty"`
	SentOn       string            `json:"sentOn"` // day in the time zone of the shop
	ExpectedBack string            `json:"expectedBack,omitempty"`
	Status       ShipmentStatus    `json:"status"` // derived, never stored
	Counts       ShipmentCounts    `json:"counts"`
	Receipts     []Receipt         `json:"receipts"` // also voided ones, oldest first; never nil in responses
	ExternalID   string            `json:"externalId,omitempty"`
	CreatedBy    string            `json:"createdBy"`
	CreatedAt    ident.Timestamp   `json:"createdAt"`
	UpdatedAt    ident.Timestamp   `json:"updatedAt"` // of the last receipt, certificate or voiding
}

// ShipmentCounts counts the units of a shipment.
type ShipmentCounts struct {
	Sent     int `json:"sent"`
	Away     int `json:"away"` // not received, and not scrapped
	Received int `json:"received"`
	Rejected int `json:"rejected"`
	Missing  int `json:"missing"`  // of those away: reported missing at a receipt
	Scrapped int `json:"scrapped"` // scrapped while they were away
}

// Party returns the supplier or customer.
func (s *Shipment) Party() string { return cmp.Or(s.Supplier, s.Customer) }

// away returns where the units of the shipment are.
func (s *Shipment) away() card.Away {
	return card.Away{ShipmentID: s.ID, Kind: s.Kind, Party: s.Party(), SentOn: s.SentOn}
}

// At returns the shipment with its status on a day in the time zone of the shop.
func (s *Shipment) At(today string) Shipment {
	at := *s
	switch {
	case s.Kind == card.ToCustomer:
		at.Status = ShipmentShipped
	case s.Counts.Away == 0:
		at.Status = ShipmentClosed
	case s.ExpectedBack != "" && s.ExpectedBack < today:
		at.Status = ShipmentOverdue
	default:
		at.Status = ShipmentOpen
	}
	if at.Receipts == nil {
		at.Receipts = []Receipt{}
	}
	return at
}

// shipmentFacts has the fields of a shipment that the trail records.
type shipmentFacts struct {
	ShipmentID   string            `json:"shipmentId"`
	Kind         card.ShipmentKind `json:"kind"`
	Supplier     string            `json:"supplier,omitempty"`
	Customer     string            `json:"customer,omitempty"`
	OrderNumber  string            `json:"orderNumber,omitempty"`
	SentOn       string            `json:"sentOn"`
	ExpectedBack string            `json:"expectedBack,omitempty"`
}

func (s *Shipment) facts() shipmentFacts {
	return shipmentFacts{s.ID, s.Kind, s.Supplier, s.Customer, s.OrderNumber, s.SentOn, s.ExpectedBack}
}

// Contents is the SHA-256 of the contents that the entry of the shipment records.
func (s *Shipment) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf([]any{s.facts(), s.Counts.Sent, s.CreatedBy, s.CreatedAt})
}

// ShipmentID returns the identifier of the shipment with a number, counted from 1: SHP-00012.
func ShipmentID(number int64) string { return fmt.Sprintf("%s%05d", prefixShipment, number) }

// ParseShipmentID returns the number in a shipment's identifier. It returns false unless ShipmentID could have created the text.
func ParseShipmentID(id string) (int64, bool) { return ident.ParseNumbered(id, prefixShipment) }

// Receipt records which units of a shipment came back at one time.
type Receipt struct {
	ID               string          `json:"id"`
	ShipmentID       string          `json:"shipmentId"`
	Received         int             `json:"received"` // number of units
	Rejected         int             `json:"rejected"` // number of units, which are on hold
	Missing          []MissingUnit   `json:"missing"`  // never nil in responses
	NonconformanceID string          `json:"nonconformanceId,omitempty"`
	PackingSlip      string          `json:"packingSlip,omitempty"`
	CertIDs          []string        `json:"certIds"` // never nil in responses
	ReceivedBy       string          `json:"receivedBy"`
	ReceivedAt       ident.Timestamp `json:"receivedAt"`
	card.Voiding
}

// MissingUnit is a unit that did not come back although it was expected to.
type MissingUnit struct {
	SerialID string `json:"serialId"`
	Reason   string `json:"reason"`
}

// Contents is the SHA-256 of the contents that the entry of the receipt records. It covers neither certificates nor the voiding.
func (r *Receipt) Contents() trail.ContentsSHA256 {
	kept := *r
	kept.CertIDs, kept.Voiding = nil, card.Voiding{}
	return trail.ContentsOf(kept)
}

// ReceiptCertificate is a certificate attached to a receipt. It counts for all units that the receipt received.
type ReceiptCertificate struct {
	ID         string          `json:"id"`
	ReceiptID  string          `json:"receiptId"`
	CertID     string          `json:"certId"`
	AttachedBy string          `json:"attachedBy"`
	AttachedAt ident.Timestamp `json:"attachedAt"`
}

// Contents is the SHA-256 of the contents that the entry of attaching the certificate records.
func (a ReceiptCertificate) Contents() trail.ContentsSHA256 { return trail.ContentsOf(a) }

// LineStatus is the status of a unit on a shipment.
type LineStatus string

// The statuses of lines. Lines that are LineAway or LineLost are open, the others are settled.
const (
	LineAway     LineStatus = "away"
	LineLost     LineStatus = "missing"
	LineBack     LineStatus = "received"
	LineFaulty   LineStatus = "rejected"
	LineScrapped LineStatus = "scrapped"
)

// ListedLine is one unit on a shipment as the interface shows it.
type ListedLine struct {
	SerialID     string          `json:"serialId"`
	SerialNumber string          `json:"serialNumber,omitempty"`
	StepID       string          `json:"stepId,omitempty"`
	Pass         int             `json:"pass"`
	Status       LineStatus      `json:"status"`
	Reason       string          `json:"reason,omitempty"` // why it is missing
	ReceiptID    string          `json:"receiptId,omitempty"`
	SettledAt    ident.Timestamp `json:"settledAt,omitzero"`
}

// ListedLineOf returns a line of a shipment as the interface shows it.
func ListedLineOf(line card.ShipmentLine, serialNumber string, unit card.SerialStatus) ListedLine {
	listed := ListedLine{
		SerialID: line.SerialID, SerialNumber: serialNumber, StepID: line.StepID, Pass: line.Pass, Reason: line.Reason,
		ReceiptID: line.ReceiptID, SettledAt: line.SettledAt,
	}
	switch {
	case line.SettledAt == 0 && unit == card.Scrapped:
		listed.Status = LineScrapped
	case line.Result != "":
		listed.Status = LineStatus(line.Result)
	default:
		listed.Status = LineAway
	}
	return listed
}

// CreateShipmentInput is the body of Create Shipment.
type CreateShipmentInput struct {
	Kind         input.TextInput `field:"kind"`
	Supplier     input.TextInput `field:"supplier"`
	Customer     input.TextInput `field:"customer"`
	OrderNumber  input.TextInput `field:"orderNumber"`
	Selection    SelectionInput
	ExpectedBack input.TextInput `field:"expectedBack"`
	ExternalInput
	UserID input.TextInput `field:"userId"`
}

// party validates kind, supplier and customer.
func (in CreateShipmentInput) party(made *Shipment) (err error) {
	if made.Kind, err = changedWord("kind", in.Kind, "", card.ShipmentKinds()); err != nil {
		return err
	}
	field, given, to := "supplier", in.Supplier, &made.Supplier
	other, unused := "customer", in.Customer
	if made.Kind == card.ToCustomer {
		field, given, to = "customer", in.Customer, &made.Customer
		other, unused = "supplier", in.Supplier
	}
	if *to, err = input.RequiredName(field, input.Trimmed(given)); err != nil {
		return err
	}
	if !input.Unfilled(unused) {
		return refusal.RefuseField(PartyOfOtherKind, other, made.Kind)
	}
	return nil
}

// check validates the fields in the order of the interface.
func (in CreateShipmentInput) check(prefix ident.Prefix, caller Caller) (made Shipment, units Selection, err error) {
	if err := in.party(&made); err != nil {
		return made, units, err
	}
	if err := changeTexts([]textChange{{"orderNumber", in.OrderNumber, &made.OrderNumber}}); err != nil {
		return made, units, err
	}
	if units, err = in.Selection.check(prefix); err != nil {
		return made, units, err
	}
	if err := changeDay("expectedBack", in.ExpectedBack, &made.ExpectedBack); err != nil {
		return made, units, err
	}
	if err := in.ExternalInput.Change(prefix, "", &made.ExternalID); err != nil {
		return made, units, err
	}
	made.CreatedBy, err = requiredUser(caller, in.UserID)
	return made, units, err
}

// CreateShipment records that units were sent to a supplier or a customer. If one of them is refused, nothing is recorded.
func (s *Service) CreateShipment(ctx context.Context, in CreateShipmentInput) (Shipment, error) {
	asked, units, err := in.check(s.SerialPrefix(), CallerOf(ctx))
	if err != nil {
		return Shipment{}, err
	}
	if err := in.Selection.takeMemory(ctx); err != nil {
		return Shipment{}, err
	}
	var made Shipment
	err = s.Commit(ctx, &made, func(tx Tx) error {
		made = asked
		ids, err := units.resolve(tx)
		if err != nil {
			return err
		}
		if len(ids) == 0 {
			return refusal.RefuseField(refusal.ListEmpty, "serialIds")
		}
		if err := tx.LockSerials(ids); err != nil {
			return err
		}
		made.SentOn, made.CreatedAt, made.Counts.Sent = s.Today(), s.Now(), len(ids)
		made.UpdatedAt = made.CreatedAt
		if err := made.refuseUnits(ctx, tx, ids, &units); err != nil {
			return err
		}
		number, err := tx.TakeShipmentNumber()
		if err != nil {
			return err
		}
		made.ID = ShipmentID(number)
		if err := s.insertShipment(ctx, tx, made, ids); err != nil {
			return err
		}
		made, err = s.findShipment(tx, made.ID)
		return err
	}, aloneIf(max(len(in.Selection.SerialIDs.Value), int(min(units.expected, selectionLimit))))...)
	return made, err
}

// refuseUnits returns the refusal of the first unit that cannot be sent. It checks all units before anything is written.
func (s *Shipment) refuseUnits(ctx context.Context, tx Tx, ids []string, units *Selection) error {
	return eachThousand(ctx, tx, ids, func(chunk []string, cards map[string]card.Card) error {
		if err := units.refuseAny(chunk, cards); err != nil {
			return err
		}
		if s.Kind == card.ToCustomer {
			return delivery{also: card.RefuseElsewhere}.refuse(ctx, tx, chunk, cards)
		}
		for _, id := range chunk {
			if err := card.RefuseSending(cards[id], s.Supplier); err != nil {
				return err
			}
		}
		return nil
	})
}

// RefuseUnitOf returns the refusal of CreateShipment to send one unit, or nil. It ignores the selection.
func (s *Service) RefuseUnitOf(ctx context.Context, tx Tx, in CreateShipmentInput, serialID string) error {
	var shipment Shipment
	if err := in.party(&shipment); err != nil {
		return err
	}
	return shipment.refuseUnits(ctx, tx, []string{serialID}, &Selection{})
}

// insertShipment stores and records a shipment with its lines.
func (s *Service) insertShipment(ctx context.Context, tx Tx, made Shipment, ids []string) error {
	if err := tx.InsertShipment(made); err != nil {
		return err
	}
	if err := tx.AppendAudit(trail.Entry{
		Action: ActionShipmentCreated, UserID: made.CreatedBy, Timestamp: made.CreatedAt,
		Metadata: trail.Metadata(struct {
			shipmentFacts
			Ranges   []SerialSpan         `json:"ranges"`
			Contents trail.ContentsSHA256 `json:"contentsSha256"`
		}{made.facts(), SpansOf(s.SerialPrefix(), ids), made.Contents()}),
	}); err != nil {
		return err
	}
	if err := recordExternal(tx, ExternalID{RecordShipment, made.ID, made.ExternalID}, "",
		trail.Entry{UserID: made.CreatedBy, Timestamp: made.CreatedAt}); err != nil {
		return err
	}
	return eachThousand(ctx, tx, ids, func(chunk []string, cards map[string]card.Card) error {
		lines, entries := make([]card.ShipmentLine, len(chunk)), make([]trail.Entry, len(chunk))
		for i, id := range chunk {
			unit := cards[id]
			line := card.ShipmentLine{ShipmentID: made.ID, SerialID: id, Pass: unit.Serial.Pass(), UpdatedAt: made.CreatedAt}
			if at := unit.OutsideStep(); made.Kind == card.ToSupplier && at >= 0 {
				line.StepID = unit.Path.Steps[at].ID
			}
			lines[i], entries[i] = line, card.SentEntry(unit, line, made.away(), made.CreatedBy)
		}
		if err := tx.InsertShipmentLines(lines); err != nil {
			return err
		}
		return tx.AppendAudit(entries...)
	})
}

// findShipment returns a shipment with its status today.
func (s *Service) findShipment(tx ShipmentStore, id string) (Shipment, error) {
	found, err := tx.Shipment(id)
	if err != nil {
		return found, OrNotFound(err, NameShipment, id)
	}
	all := []Shipment{found}
	err = AddReceipts(tx, all)
	return all[0].At(s.Today()), err
}

// AddReceipts adds their receipts to shipments.
func AddReceipts(tx ShipmentStore, shipments []Shipment) error {
	if len(shipments) == 0 {
		return nil
	}
	ids, at := make([]string, len(shipments)), make(map[string]*Shipment, len(shipments))
	for i := range shipments {
		ids[i], at[shipments[i].ID] = shipments[i].ID, &shipments[i]
		shipments[i].Receipts = []Receipt{}
	}
	receipts, err := tx.ReceiptsOfShipments(ids)
	for _, receipt := range receipts {
		of := at[receipt.ShipmentID]
		of.Receipts = append(of.Receipts, receipt)
	}
	return err
}

// Shipment returns a shipment.
func (s *Service) Shipment(ctx context.Context, id string) (found Shipment, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		found, err = s.findShipment(tx, id)
		return err
	})
	return found, err
}

// ShipmentQuery selects shipments.
type ShipmentQuery struct {
	Text     string            `query:"q"` // part of the supplier, the customer or the order number
	Kind     card.ShipmentKind `query:"kind"`
	Status   ShipmentStatus    `query:"status"`
	Supplier string            `query:"supplier"`
	Customer string            `query:"customer"`
	SerialID string            `query:"serialId"` // of a unit on the shipment
	Before   string            `query:"before"`   // the id of the last shipment on the previous page; "" for the first page
	Limit    int               `query:"limit"`    // 1 to SearchLimit; 0 for SearchDefault
}

// ShipmentPage is one page of shipments, newest first. Next is the value of Before for the next page.
type ShipmentPage = Page[Shipment]

// Check refuses unknown words.
func (q ShipmentQuery) Check() error {
	switch {
	case q.Kind != "" && !slices.Contains(card.ShipmentKinds(), q.Kind):
		return input.NotOneOf("kind", card.ShipmentKinds())
	case q.Status != "" && !slices.Contains(ShipmentStatuses(), q.Status):
		return input.NotOneOf("status", ShipmentStatuses())
	}
	return nil
}

// Finds reports whether the query selects a shipment with this status. Stores check everything else.
func (q ShipmentQuery) Finds(found Shipment) bool { return q.Status == "" || q.Status == found.Status }

// Shipments returns one page of shipments, newest first.
func (s *Service) Shipments(ctx context.Context, query ShipmentQuery) (page ShipmentPage, err error) {
	if err := cmp.Or(query.Check(), input.CheckBefore(query.Before, prefixShipment)); err != nil {
		return page, err
	}
	limit, today := input.PageLimit(query.Limit), s.Today()
	query.Text = strings.TrimSpace(query.Text)
	err = s.store.View(ctx, func(tx Reader) error {
		asked, items := query, []Shipment{}
		for asked.Limit = limit + 1; len(items) <= limit; {
			found, err := tx.Shipments(asked)
			if err != nil {
				return err
			}
			for i := range found {
				if one := found[i].At(today); query.Finds(one) {
					items = append(items, one)
				}
				asked.Before = found[i].ID
			}
			if len(found) < asked.Limit {
				break
			}
		}
		page = pageOf(items, limit, func(s *Shipment) string { return s.ID })
		return AddReceipts(tx, page.Items)
	})
	return page, err
}

// LinesOfShipment yields the units of a shipment, in the order of their numbers.
func (s *Service) LinesOfShipment(ctx context.Context, id string) iter.Seq2[ListedLine, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[ListedLine, error] {
		if _, err := tx.Shipment(id); err != nil {
			return failed[ListedLine](OrNotFound(err, NameShipment, id))
		}
		return tx.LinesOfShipment(id)
	})
}

// ShipmentStore has the database functions for shipments, their lines and receipts.
type ShipmentStore interface {
	TakeShipmentNumber() (int64, error)
	InsertShipment(made Shipment) error
	// Shipment returns a shipment without its receipts.
	Shipment(id string) (Shipment, error)
	Shipments(query ShipmentQuery) ([]Shipment, error) // newest first, without receipts; of any day
	AllShipments() iter.Seq2[Shipment, error]          // oldest first, without receipts
	// NoteShipmentChanged stores the time when a shipment last changed.
	NoteShipmentChanged(id string, at ident.Timestamp) error

	// InsertShipmentLines stores up to a thousand lines. It returns ErrDuplicate if one of the units is away already.
	InsertShipmentLines(lines []card.ShipmentLine) error
	// LinesAmong returns the lines of up to a thousand units on a shipment, in any order.
	LinesAmong(shipmentID string, serialIDs []string) ([]card.ShipmentLine, error)
	LinesOfShipment(shipmentID string) iter.Seq2[ListedLine, error] // in the order of the units
	LinesOfReceipt(receiptID string) ([]card.ShipmentLine, error)   // in the order of the units
	// SettleLines stores the results of up to a thousand open lines of a shipment. It returns ErrNoRecord if one of them is not open.
	SettleLines(lines []card.ShipmentLine) error
	// ReopenLines removes the results of a receipt, so that its units are away again.
	ReopenLines(receiptID string, at ident.Timestamp) error
	AllShipmentLines() iter.Seq2[card.ShipmentLine, error] // by shipment and unit

	InsertReceipt(made Receipt) error // without certificates
	Receipt(id string) (Receipt, error)
	ReceiptsOfShipments(shipmentIDs []string) ([]Receipt, error) // oldest first, with certificates
	VoidReceipt(id string, voiding card.Voiding) error
	AllReceipts() iter.Seq2[Receipt, error] // oldest first

	InsertReceiptCertificate(attached ReceiptCertificate) error
	ReceiptCertificates(receiptID string) ([]ReceiptCertificate, error)       // oldest first
	AllReceiptCertificates() iter.Seq2[ReceiptCertificate, error]             // oldest first
	ReportsOfUnits(serialIDs []string) ([]ReportOfUnit, error)                // of up to a thousand units, by unit and report
	UnitsWithParts(serialIDs []string) (withParts map[string]bool, err error) // those of up to a thousand units that contain anything
}

// ReportOfUnit is a report on which a unit is.
type ReportOfUnit struct {
	ReportID string
	Closed   bool
	Unit     NonconformingUnit
}

// refuseUndecided refuses a unit with a status while it waits for a disposition on the report.
func (r *ReportOfUnit) refuseUndecided(status card.SerialStatus) error {
	if r.Closed || !r.Unit.Waits(status) {
		return nil
	}
	return refusal.Refuse(ReportUndecided, r.Unit.SerialID, r.ReportID)
}

// Names of shipments in the tables of records, operations and actions.
const (
	RecordShipment           ident.RecordKind = "shipment"
	RecordShipmentLine       ident.RecordKind = "shipmentLine"
	RecordReceipt            ident.RecordKind = "receipt"
	RecordReceiptCertificate ident.RecordKind = "receiptCertificate"

	NameShipment refusal.RecordName = "Shipment"
	NameReceipt  refusal.RecordName = "Receipt"

	prefixShipment           = "SHP-"
	prefixReceipt            = "rcpt_"
	prefixReceiptCertificate = "rcert_"

	OpCreateShipment           Operation = "create-shipment"
	OpReceiveShipment          Operation = "receive-shipment"
	OpAttachReceiptCertificate Operation = "attach-receipt-certificate"
	OpVoidReceipt              Operation = "void-receipt"

	AboutShipment Subject = "shipment"

	ActionShipmentCreated     trail.Action = "shipment_created"
	ActionShipmentReceived    trail.Action = "shipment_received"
	ActionReceiptCertAttached trail.Action = "receipt_cert_attached"
)

// Reasons for refusing to ship or receive units.
var (
	PartyOfOtherKind = refusal.NewReason(refusal.Invalid, "party_of_other_kind", "{field} does not belong to a shipment of kind {kind}")
	NotOnShipment    = refusal.NewReason(refusal.Invalid, "not_on_shipment", "{serialId} is not on {shipment}")
	ReceivedAlready  = refusal.NewReason(refusal.Invalid, "already_received", "{serialId} was already received")
	ListedTwice      = refusal.NewReason(refusal.Invalid, "listed_twice", "{serialId} is listed more than once")
	NothingReceived  = refusal.NewReason(refusal.Invalid, "nothing_received", "At least one of received, rejected, missing is required")
	ReceiptVoided    = refusal.NewReason(refusal.Invalid, "already_voided", "Receipt is already voided")
	ReportUndecided  = refusal.NewReason(refusal.Invalid, "report_undecided", "{serialId} is on {report} without a disposition")
	StepsDeferred    = refusal.NewReason(refusal.Invalid, "steps_deferred", "{serialId} has deferred steps: {steps}")
	ForcedUnconceded = refusal.NewReason(refusal.Invalid, "force_completed", "{serialId} was force-completed without a concession")
	PartMissing      = refusal.NewReason(refusal.Invalid, "part_missing", "{serialId} misses {partType}")
	LotUncertified   = refusal.NewReason(refusal.Invalid, "lot_without_certificate", "Lot {lotNumber} has no certificate")
)

var shipmentNoun = noun{
	records: []Record{
		{
			Kind: RecordShipment, Names: named(NameShipment), Prefix: prefixShipment, Table: "shipment",
			Tagged: true, External: true, Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told struct {
					ShipmentID string               `json:"shipmentId"`
					Contents   trail.ContentsSHA256 `json:"contentsSha256"`
				}
				err := trail.ReadMetadata(entry, &told)
				return told.ShipmentID, told.Contents, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.AllShipments(), func(s Shipment) Kept { return Kept{s.ID, s.Contents()} })
			},
		},
		{
			Kind: RecordShipmentLine, Table: "shipment_line", StepColumn: "step_id", Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told card.ReceivedMetadata // that of a sent unit has the same two members
				err := trail.ReadMetadata(entry, &told)
				return card.LineKey(told.ShipmentID, entry.SerialID), told.Contents, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.AllShipmentLines(), func(l card.ShipmentLine) Kept { return Kept{l.Key(), l.Contents()} })
			},
		},
		{
			Kind: RecordReceipt, Names: named(NameReceipt), Prefix: prefixReceipt, Table: "receipt", Voidable: true, Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told receiptEvent
				err := trail.ReadMetadata(entry, &told)
				return told.ReceiptID, told.Contents, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.AllReceipts(), func(r Receipt) Kept { return Kept{r.ID, r.Contents()} })
			},
		},
		{
			Kind: RecordReceiptCertificate, Prefix: prefixReceiptCertificate, Table: "receipt_certificate", Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told receiptCertificateEvent
				err := trail.ReadMetadata(entry, &told)
				return told.AttachmentID, told.Contents, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.AllReceiptCertificates(), func(a ReceiptCertificate) Kept { return Kept{a.ID, a.Contents()} })
			},
		},
	},
	operations: []operationRow{
		{operation: OpCreateShipment, permission: Work, subject: AboutShipment},
		{operation: OpReceiveShipment, permission: Work, subject: AboutShipment},
		{operation: OpAttachReceiptCertificate, permission: Work, subject: AboutShipment},
		{operation: OpVoidReceipt, permission: Work, subject: AboutShipment}, // for the receipt of another user, it checks Decide itself
	},
	actions: []actionRow{
		{action: ActionShipmentCreated, of: only(RecordShipment)},
		{action: ActionShipmentReceived, of: only(RecordReceipt)},
		{action: ActionReceiptCertAttached, of: only(RecordReceiptCertificate)},
		{action: card.ActionSerialSent, of: []ident.RecordKind{RecordSerial, RecordShipmentLine}},
		{action: card.ActionSerialReceived, of: []ident.RecordKind{RecordSerial, RecordShipmentLine}},
	},
}
