package shop

import (
	"cmp"
	"context"
	"errors"
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

// LotCategory is the kind of goods in a lot.
type LotCategory string

// The categories of lots.
const (
	RawMaterial LotCategory = "raw_material"
	LotDetail   LotCategory = "detail"
	SubAssembly LotCategory = "sub_assembly"
	Standard    LotCategory = "standard"
	COTS        LotCategory = "cots"
	Software    LotCategory = "software"
)

// LotCategories returns the categories of lots. The first is the default.
func LotCategories() []LotCategory {
	return []LotCategory{RawMaterial, LotDetail, SubAssembly, Standard, COTS, Software}
}

// CustomerApproval says whether the customer approved the source of a lot.
type CustomerApproval string

// The values of CustomerApproval.
const (
	Approved      CustomerApproval = "yes"
	NotApproved   CustomerApproval = "no"
	NotApplicable CustomerApproval = "na"
)

// CustomerApprovals returns the values of CustomerApproval. The first is the default.
func CustomerApprovals() []CustomerApproval {
	return []CustomerApproval{NotApplicable, Approved, NotApproved}
}

// LotUnit is the unit of the quantity of a lot.
type LotUnit string

// Pieces is the unit of lots whose quantities are whole numbers.
const Pieces LotUnit = "pcs"

// LotUnits returns the units of lots.
func LotUnits() []LotUnit {
	return []LotUnit{Pieces, "kg", "g", "lb", "m", "mm", "ft", "in", "l", "ml"}
}

// LotFields are the fields of a lot that Update Lot can change.
type LotFields struct {
	LotNumber           string           `json:"lotNumber"`
	Material            string           `json:"material"`
	Category            LotCategory      `json:"category"`
	PartNumber          string           `json:"partNumber,omitempty"`
	PartRevision        string           `json:"partRevision,omitempty"`
	SupplierLot         string           `json:"supplierLot,omitempty"`
	HeatNumber          string           `json:"heatNumber,omitempty"`
	Supplier            string           `json:"supplier,omitempty"`
	Manufacturer        string           `json:"manufacturer,omitempty"`
	OrderNumber         string           `json:"orderNumber,omitempty"`
	Specification       string           `json:"specification,omitempty"`
	Code                string           `json:"code,omitempty"`
	CustomerApproval    CustomerApproval `json:"customerApproval"`
	Owner               string           `json:"owner,omitempty"` // the customer who owns the lot
	ReceivedOn          string           `json:"receivedOn,omitempty"`
	CertificateRequired bool             `json:"certificateRequired"`
}

// Part returns the part number of a lot or, without one, its material.
func (f *LotFields) Part() string { return cmp.Or(f.PartNumber, f.Material) }

// LotBalance has the fields of a lot that bookings change. The numbers are "" for a lot without a quantity.
type LotBalance struct {
	Quantity  input.Decimal `json:"quantity,omitempty"` // received in total
	Unit      LotUnit       `json:"unit,omitempty"`
	Remaining input.Decimal `json:"remaining,omitempty"` // never below 0
	ExpiresOn string        `json:"expiresOn,omitempty"` // the last day on which the lot may be used
}

// Lot is a quantity of material or parts of one origin. Holds and certificates of a lot also count for the lots that were split from it.
type Lot struct {
	ID string `json:"id"`
	LotFields
	LotBalance
	CertIDs    []string        `json:"certIds,omitempty"` // includes the certificates of the lots that it was split from
	Held       bool            `json:"held"`
	HoldReason string          `json:"holdReason,omitempty"` // reason of the oldest open hold
	Expired    bool            `json:"expired,omitzero"`     // derived, never stored
	ParentID   string          `json:"parentId,omitempty"`   // the lot that it was split from
	ExternalID string          `json:"externalId,omitempty"`
	CreatedBy  string          `json:"createdBy"`
	CreatedAt  ident.Timestamp `json:"createdAt"`
	UpdatedAt  ident.Timestamp `json:"updatedAt"`
	card.Voiding
}

// At returns the lot as it is on a day in the time zone of the shop. A lot may be used until the end of its day of expiry.
func (l *Lot) At(today string) Lot {
	at := *l
	at.Expired = l.ExpiresOn != "" && l.ExpiresOn < today
	return at
}

// lotFacts has the fields of a lot that the trail records.
type lotFacts struct {
	LotFields
	LotBalance
}

func (l *Lot) facts() *lotFacts { return &lotFacts{l.LotFields, l.LotBalance} }

// Contents is the SHA-256 of the contents that the lot's last entry records.
func (l *Lot) Contents() trail.ContentsSHA256 {
	return trail.ContentsOf(struct {
		ID string `json:"id"`
		*lotFacts
		ParentID  string          `json:"parentId,omitempty"`
		CreatedBy string          `json:"createdBy"`
		CreatedAt ident.Timestamp `json:"createdAt"`
	}{l.ID, l.facts(), l.ParentID, l.CreatedBy, l.CreatedAt})
}

// refuse returns a refusal for a reason that names the lot.
func (l *Lot) refuse(reason *refusal.Reason) error { return refusal.Refuse(reason, l.LotNumber) }

// RefuseVoid refuses to change or use a voided lot.
func (l *Lot) RefuseVoid() error {
	if l.Voided() {
		return l.refuse(LotIsVoid)
	}
	return nil
}

// LotFieldsInput has the fields that Create Lot and Update Lot share.
type LotFieldsInput struct {
	Material            input.TextInput `field:"material"`
	LotNumber           input.TextInput `field:"lotNumber"`
	Category            input.TextInput `field:"category"`
	PartNumber          input.TextInput `field:"partNumber"`
	PartRevision        input.TextInput `field:"partRevision"`
	SupplierLot         input.TextInput `field:"supplierLot"`
	HeatNumber          input.TextInput `field:"heatNumber"`
	Supplier            input.TextInput `field:"supplier"`
	Manufacturer        input.TextInput `field:"manufacturer"`
	OrderNumber         input.TextInput `field:"orderNumber"`
	Specification       input.TextInput `field:"specification"`
	Code                input.TextInput `field:"code"`
	CustomerApproval    input.TextInput `field:"customerApproval"`
	Owner               input.TextInput `field:"owner"`
	ReceivedOn          input.TextInput `field:"receivedOn"`
	CertificateRequired input.FlagInput `field:"certificateRequired"`
	ExternalInput
}

// changeNames validates and applies the fields from material to owner that are present.
func (in *LotFieldsInput) changeNames(prefix ident.Prefix, l *Lot) (err error) {
	if l.ID == "" || in.Material.Present() {
		if l.Material, err = input.RequiredName("material", input.Trimmed(in.Material)); err != nil {
			return err
		}
	}
	if err := in.changeNumber(prefix, l); err != nil {
		return err
	}
	if l.Category, err = changedWord("category", in.Category, l.Category, LotCategories()); err != nil {
		return err
	}
	if err := changeTexts([]textChange{
		{"partNumber", in.PartNumber, &l.PartNumber}, {"partRevision", in.PartRevision, &l.PartRevision},
		{"supplierLot", in.SupplierLot, &l.SupplierLot}, {"heatNumber", in.HeatNumber, &l.HeatNumber},
		{"supplier", in.Supplier, &l.Supplier}, {"manufacturer", in.Manufacturer, &l.Manufacturer},
		{"orderNumber", in.OrderNumber, &l.OrderNumber}, {"specification", in.Specification, &l.Specification},
		{"code", in.Code, &l.Code},
	}); err != nil {
		return err
	}
	if l.CustomerApproval, err = changedWord("customerApproval", in.CustomerApproval, l.CustomerApproval, CustomerApprovals()); err != nil {
		return err
	}
	return changeTexts([]textChange{{"owner", in.Owner, &l.Owner}})
}

// changeNumber validates and applies the lot number. A new lot may leave it out; a lot that exists cannot lose it.
func (in *LotFieldsInput) changeNumber(prefix ident.Prefix, l *Lot) (err error) {
	if !in.LotNumber.Present() {
		return nil
	}
	before := l.LotNumber
	if l.LotNumber, err = input.OptionalWithin("lotNumber", input.Trimmed(in.LotNumber), input.NameLimit); err != nil {
		return err
	}
	if l.LotNumber == "" && l.ID != "" {
		return refusal.RefuseField(refusal.Required, "lotNumber")
	}
	if l.LotNumber != before {
		return RefuseReserved(prefix, "lotNumber", l.LotNumber, l.ID)
	}
	return nil
}

// changeRest validates and applies certificateRequired if it is present.
func (in *LotFieldsInput) changeRest(l *Lot) (err error) {
	if in.CertificateRequired.Present() {
		l.CertificateRequired, err = input.OptionalFlag("certificateRequired", in.CertificateRequired)
	}
	return err
}

// textChange is an optional text of a request and the field that it changes.
type textChange struct {
	field string
	in    input.TextInput
	text  *string
}

// changeTexts validates and applies the texts that are present, without blanks at their ends.
func changeTexts(changes []textChange) (err error) {
	for _, c := range changes {
		if !c.in.Present() {
			continue
		}
		if *c.text, err = input.OptionalWithin(c.field, input.Trimmed(c.in), input.NameLimit); err != nil {
			return err
		}
	}
	return nil
}

// changedWord returns the word of a field that is present and not blank, otherwise the word before, or the default.
func changedWord[T ~string](field string, in input.TextInput, before T, allowed []T) (T, error) {
	switch {
	case !in.Present():
		return cmp.Or(before, allowed[0]), nil
	case input.Unfilled(in):
		return allowed[0], nil
	}
	return input.OneOf(field, in, allowed)
}

// changeDay validates and applies a day if it is present.
func changeDay(field string, in input.TextInput, day *string) (err error) {
	if !in.Present() {
		return nil
	}
	if *day, err = input.OptionalWithin(field, input.Trimmed(in), input.NameLimit); err != nil {
		return err
	}
	return input.CheckDate(field, *day)
}

// CreateLotInput is the body of Create Lot.
type CreateLotInput struct {
	LotFieldsInput
	Quantity   input.WrittenInput `field:"quantity"`
	Unit       input.TextInput    `field:"unit"`
	ExpiresOn  input.TextInput    `field:"expiresOn"`
	CertIDs    input.TextsInput   `field:"certIds"`
	HoldReason input.TextInput    `field:"holdReason"`
	UserID     input.TextInput    `field:"userId"`
}

// check validates the fields in the order that the HTTP API documents.
func (in CreateLotInput) check(prefix ident.Prefix, caller Caller) (l Lot, err error) {
	if err := in.changeNames(prefix, &l); err != nil {
		return l, err
	}
	if l.LotBalance, err = in.balance(); err != nil {
		return l, err
	}
	if err := changeDay("receivedOn", in.ReceivedOn, &l.ReceivedOn); err != nil {
		return l, err
	}
	if err := changeDay("expiresOn", in.ExpiresOn, &l.ExpiresOn); err != nil {
		return l, err
	}
	if err := in.changeRest(&l); err != nil {
		return l, err
	}
	if l.CertIDs, err = certificatesOf(in.CertIDs); err != nil {
		return l, err
	}
	if l.HoldReason, err = input.OptionalWithin("holdReason", in.HoldReason, input.TextLimit); err != nil {
		return l, err
	}
	if err := in.ExternalInput.Change(prefix, "", &l.ExternalID); err != nil {
		return l, err
	}
	l.CreatedBy, err = requiredUser(caller, in.UserID)
	return l, err
}

// balance validates quantity and unit. A quantity needs a unit.
func (in CreateLotInput) balance() (b LotBalance, err error) {
	var unknown error // reported after the errors of the quantity
	if !input.Unfilled(in.Unit) {
		b.Unit, unknown = input.OneOf("unit", in.Unit, LotUnits())
	}
	if b.Quantity, err = optionalAmount("quantity", in.Quantity, b.Unit); err != nil {
		return b, err
	}
	if b.Quantity != "" && input.Unfilled(in.Unit) {
		return b, refusal.RefuseField(refusal.Required, "unit")
	}
	b.Remaining = b.Quantity
	return b, unknown
}

// optionalAmount returns a number above 0, which is whole if the unit is pieces; "" if it is missing.
func optionalAmount(field string, in input.WrittenInput, unit LotUnit) (input.Decimal, error) {
	amount, err := input.OptionalDecimal(field, in)
	switch {
	case err != nil || amount == "":
		return "", err
	case amount.Sign() <= 0:
		return "", refusal.RefuseField(refusal.NotAboveZero, field)
	case unit == Pieces && !amount.Integral():
		return "", refusal.RefuseField(refusal.NotInteger, field)
	}
	return amount, nil
}

// certificatesOf returns the certificates of a request, each once.
func certificatesOf(in input.TextsInput) ([]string, error) {
	if in.Missing() || in.State == input.StateGiven && len(in.Value) == 0 {
		return nil, nil
	}
	ids, err := input.RequiredItems("certIds", in, refusal.Required)
	if err != nil {
		return nil, err
	}
	var once []string
	for _, id := range ids {
		if !slices.Contains(once, id) {
			once = append(once, id)
		}
	}
	return once, nil
}

// CreateLot records a lot that was received. It can be put on hold, and get certificates, at the same time.
func (s *Service) CreateLot(ctx context.Context, in CreateLotInput) (Lot, error) {
	caller := CallerOf(ctx)
	made, err := in.check(s.SerialPrefix(), caller)
	if err != nil {
		return Lot{}, err
	}
	asked := made
	err = s.Commit(ctx, &made, func(tx Tx) error {
		if err := findCertificates(tx, asked.CertIDs); err != nil {
			return err
		}
		now := s.Now()
		made = asked
		made.ID, made.CreatedAt, made.UpdatedAt = s.NewID(prefixLot), now, now
		if err := s.insertLot(tx, &made); err != nil {
			return err
		}
		if _, err := s.attachToLot(tx, made, made.CertIDs, made.CreatedBy, now); err != nil {
			return err
		}
		if made.HoldReason != "" {
			if err := s.placeLotHold(tx, made, &LotHold{Reason: made.HoldReason, PlacedBy: made.CreatedBy}, now); err != nil {
				return err
			}
			made.Held = true
		}
		made = made.At(s.Today())
		return nil
	})
	return made, err
}

// insertLot inserts a new lot, with a number if it has none, and records it in the trail.
func (s *Service) insertLot(tx Tx, l *Lot) error {
	given := l.LotNumber != ""
	for inserted := false; !inserted; {
		if !given {
			number, err := tx.TakeLotNumber()
			if err != nil {
				return err
			}
			l.LotNumber = fmt.Sprintf("%s%05d", lotNumberPrefix, number)
		}
		err := refuseLotTaken(tx, *l)
		if err == nil {
			err = tx.InsertLot(*l)
		}
		if _, taken := errors.AsType[*refusal.Error](err); err != nil && (given || !taken) {
			return err
		}
		inserted = err == nil // a user typed this number for another lot: try the next number
	}
	event := lotEvent{After: l.facts(), ParentID: l.ParentID}
	if err := tx.AppendAudit(l.entry(ActionLotCreated, l.CreatedBy, l.CreatedAt, event)); err != nil {
		return err
	}
	return l.recordExternal(tx, "", l.CreatedBy, l.CreatedAt)
}

// refuseLotTaken refuses a lot with the number, part and supplier of another lot that is not voided.
func refuseLotTaken(tx LotStore, l Lot) error {
	other, err := tx.LotNamed(l.LotNumber, l.Part(), l.Supplier)
	if err == nil && other.ID != l.ID {
		return refusal.RefuseField(LotExists, "lotNumber", l.LotNumber, other.ID)
	}
	return IgnoreNoRecord(err)
}

// recordExternal records a new or changed external id of a lot in the trail.
func (l *Lot) recordExternal(tx interface {
	AuditStore
	ExternalStore
}, before, userID string, now ident.Timestamp) error {
	return recordExternal(tx, ExternalID{RecordLot, l.ID, l.ExternalID}, before, trail.Entry{UserID: userID, Timestamp: now})
}

// lotEvent is the metadata of an audit entry about a lot. Which members it has depends on the action.
type lotEvent struct {
	LotID     string `json:"lotId"`
	LotNumber string `json:"lotNumber"` // the number before the change
	ParentID  string `json:"parentId,omitempty"`

	Before      *lotFacts     `json:"before,omitempty"`
	After       *lotFacts     `json:"after,omitempty"`
	Quantity    input.Decimal `json:"quantity,omitempty"` // the quantity that was received or split off
	OrderNumber string        `json:"orderNumber,omitempty"`
	CertIDs     []string      `json:"certIds,omitempty"`
	ChildID     string        `json:"childId,omitempty"` // the lot that was split off
	SHA256      string        `json:"sha256,omitempty"`  // the file about a new test
	Reason      string        `json:"reason,omitempty"`

	Contents trail.ContentsSHA256 `json:"contentsSha256"` // hash of the lot after the change
}

// entry returns the audit entry of a change. l is the lot after the change.
func (l *Lot) entry(action trail.Action, userID string, now ident.Timestamp, event lotEvent) trail.Entry {
	event.LotID, event.LotNumber, event.Contents = l.ID, cmp.Or(event.LotNumber, l.LotNumber), l.Contents()
	return trail.Entry{Action: action, UserID: userID, Timestamp: now, Metadata: trail.Metadata(event)}
}

// UpdateLotInput is the body of Update Lot.
type UpdateLotInput struct {
	LotFieldsInput
	Reason input.TextInput `field:"reason"` // required once the lot was used
	UserID input.TextInput `field:"userId"`
}

// Apply validates the fields that are present, and applies them to a lot.
func (in UpdateLotInput) Apply(prefix ident.Prefix, l Lot) (Lot, error) {
	if err := in.changeNames(prefix, &l); err != nil {
		return l, err
	}
	if err := changeDay("receivedOn", in.ReceivedOn, &l.ReceivedOn); err != nil {
		return l, err
	}
	if err := in.changeRest(&l); err != nil {
		return l, err
	}
	return l, in.ExternalInput.Change(prefix, l.ID, &l.ExternalID)
}

// UpdateLot changes the fields of a lot that the request contains. Quantity, unit and expiry have operations of their own.
func (s *Service) UpdateLot(ctx context.Context, id string, in UpdateLotInput) (Lot, error) {
	var changed Lot
	err := s.Commit(ctx, &changed, func(tx Tx) error {
		before, err := s.lotToChange(ctx, tx, id)
		if err != nil {
			return err
		}
		if changed, err = in.Apply(tx.SerialPrefix(), before); err != nil {
			return err
		}
		reason, err := in.reason(tx, before, changed)
		if err != nil {
			return err
		}
		userID, err := requiredUser(CallerOf(ctx), in.UserID)
		if err != nil {
			return err
		}
		return s.updateLot(tx, before, &changed, reason, userID)
	})
	return changed, err
}

// reason returns the reason for a change, which is required if the lot was used.
func (in UpdateLotInput) reason(tx LotStore, before, after Lot) (string, error) {
	used, err := tx.LotUsed(before.ID)
	if err != nil {
		return "", err
	}
	if used && before.LotFields != after.LotFields {
		return input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required)
	}
	return input.OptionalWithin("reason", in.Reason, input.TextLimit)
}

// updateLot stores and records a lot that a request changed.
func (s *Service) updateLot(tx Tx, before Lot, changed *Lot, reason, userID string) error {
	now := s.Now()
	if before.LotFields != changed.LotFields {
		if err := refuseLotTaken(tx, *changed); err != nil {
			return err
		}
		if err := tx.AppendAudit(changed.entry(ActionLotChanged, userID, now, lotEvent{
			LotNumber: before.LotNumber, Before: before.facts(), After: changed.facts(), Reason: reason,
		})); err != nil {
			return err
		}
	}
	if before.LotFields != changed.LotFields || before.ExternalID != changed.ExternalID {
		changed.UpdatedAt = now
		if err := tx.UpdateLot(*changed); err != nil {
			return err
		}
	}
	return changed.recordExternal(tx, before.ExternalID, userID, now)
}

// lotToChange returns a lot for a request that changes it. It refuses a lot that has changed since the caller read it, and a voided lot.
func (s *Service) lotToChange(ctx context.Context, tx Tx, id string) (Lot, error) {
	l, err := s.findLot(tx, id)
	if err != nil {
		return l, err
	}
	if err := RefuseUnread(ctx, NameLot, id, func() (any, error) { return l, nil }); err != nil {
		return l, err
	}
	err = l.RefuseVoid()
	return l, err
}

func (s *Service) findLot(tx LotStore, id string) (Lot, error) {
	l, err := tx.Lot(id)
	return l.At(s.Today()), OrNotFound(err, NameLot, id)
}

// Lot returns a lot.
func (s *Service) Lot(ctx context.Context, id string) (l Lot, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		l, err = s.findLot(tx, id)
		return err
	})
	return l, err
}

// LotQuery selects lots.
type LotQuery struct {
	Text       string `query:"q"` // part of a number, material, heat or supplier
	PartNumber string `query:"partNumber"`
	HeatNumber string `query:"heatNumber"` // in any case
	Supplier   string `query:"supplier"`
	Held       bool   `query:"held"`   // only lots on hold
	Before     string `query:"before"` // the id of the last lot on the previous page; "" for the first page
	Limit      int    `query:"limit"`  // 1 to SearchLimit; 0 for SearchDefault
}

// LotPage is one page of lots, newest first. Next is the value of Before for the next page.
type LotPage = Page[Lot]

// Lots returns one page of lots, newest first.
func (s *Service) Lots(ctx context.Context, query LotQuery) (page LotPage, err error) {
	if err := input.CheckBefore(query.Before, prefixLot); err != nil {
		return page, err
	}
	limit := input.PageLimit(query.Limit)
	query.Limit = limit + 1
	query.HeatNumber, query.Text = strings.TrimSpace(query.HeatNumber), strings.TrimSpace(query.Text)
	err = s.store.View(ctx, func(tx Reader) error {
		found, err := tx.Lots(query)
		page = pageOf(found, limit, func(l *Lot) string { return l.ID })
		return err
	})
	for i := range page.Items {
		page.Items[i] = page.Items[i].At(s.Today())
	}
	return page, err
}

// VoidLot voids a lot that was recorded by mistake. It refuses a lot that was used.
func (s *Service) VoidLot(ctx context.Context, id string, in VoidInput) (Lot, error) {
	var l Lot
	err := s.Commit(ctx, &l, func(tx Tx) (err error) {
		if l, err = s.findLot(tx, id); err != nil {
			return err
		}
		if err := RefuseUnread(ctx, NameLot, id, func() (any, error) { return l, nil }); err != nil {
			return err
		}
		if l.Voided() {
			return refusal.Refuse(LotVoided)
		}
		now := s.Now()
		if l.Voiding, err = in.check(CallerOf(ctx), now); err != nil {
			return err
		}
		if err := mayVoid(CallerOf(ctx), l.CreatedBy, l.CreatedAt, now, s.undoWindow); err != nil {
			return err
		}
		used, err := tx.LotUsed(id)
		if err != nil {
			return err
		}
		if used {
			return l.refuse(LotInUse)
		}
		l.UpdatedAt = now
		if err := tx.VoidLot(id, l.Voiding); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionRecordVoided, UserID: l.VoidedBy, Timestamp: now,
			Metadata: trail.Metadata(card.VoidedMetadata{RecordID: id, Reason: l.VoidReason}),
		})
	})
	return l, err
}

// LotStore has the database functions for lots, their holds and their certificates.
type LotStore interface {
	TakeLotNumber() (int64, error) // the next number for a lot without a number
	// InsertLot returns ErrDuplicate if a lot that is not voided has the same number, part and supplier.
	InsertLot(lot Lot) error
	UpdateLot(lot Lot) error // all but its voiding
	VoidLot(id string, voiding card.Voiding) error
	Lot(id string) (Lot, error)
	LotsByID(ids []string) ([]Lot, error) // up to a thousand lots, in any order
	// LotNamed returns the lot that is not voided. If there is none, no lot with this number is inserted until the transaction ends.
	LotNamed(lotNumber, part, supplier string) (Lot, error)
	// LotUsed reports whether anything was split from a lot, or installed from it and not voided.
	LotUsed(id string) (bool, error)
	Lots(query LotQuery) ([]Lot, error) // newest first
	// LotsNumbered returns the lots with a number, in any case, that are not voided, newest first, at most 20.
	LotsNumbered(lotNumber string) ([]Lot, error)
	// LotsCoded returns the lots with a code, in any case, that are not voided, newest first, at most 20.
	LotsCoded(code string) ([]Lot, error)
	EveryLot() iter.Seq2[Lot, error] // oldest first

	InsertLotHold(hold LotHold) error
	ReleaseLotHold(hold LotHold) error
	// LotHolds returns the holds of a lot and of the lots that it was split from, open and released, oldest first.
	LotHolds(lotID string) ([]LotHold, error)
	EveryLotHold() iter.Seq2[LotHold, error] // oldest first

	InsertLotCertificate(attached LotCertificate) error
	// LotCertificates returns the certificates of a lot and of the lots that it was split from, oldest first.
	LotCertificates(lotID string) ([]LotCertificate, error)
	EveryLotCertificate() iter.Seq2[LotCertificate, error] // oldest first
}

// Names of lots in the tables of nouns.go.
const (
	RecordLot            ident.RecordKind = "lot"
	RecordLotHold        ident.RecordKind = "lotHold"
	RecordLotCertificate ident.RecordKind = "lotCertificate"

	NameLot refusal.RecordName = "Lot"

	prefixLot            = "lot_"
	prefixLotHold        = "lhold_"
	prefixLotCertificate = "lcert_"
	lotNumberPrefix      = "LOT-"

	OpCreateLot            Operation = "create-lot"
	OpUpdateLot            Operation = "update-lot"
	OpVoidLot              Operation = "void-lot"
	OpReceiveLot           Operation = "receive-lot"
	OpAdjustLot            Operation = "adjust-lot"
	OpSplitLot             Operation = "split-lot"
	OpSetLotExpiry         Operation = "set-lot-expiry"
	OpHoldLot              Operation = "hold-lot"
	OpReleaseLot           Operation = "release-lot"
	OpAttachLotCertificate Operation = "attach-lot-certificate"

	AboutLot Subject = "lot"

	ActionLotCreated      trail.Action = "lot_created"
	ActionLotChanged      trail.Action = "lot_changed"
	ActionLotReceived     trail.Action = "lot_received"
	ActionLotAdjusted     trail.Action = "lot_adjusted"
	ActionLotSplit        trail.Action = "lot_split"
	ActionLotExpirySet    trail.Action = "lot_expiry_set"
	ActionLotHeld         trail.Action = "lot_held"
	ActionLotReleased     trail.Action = "lot_released"
	ActionLotCertAttached trail.Action = "lot_cert_attached"
)

// Reasons for refusing to change or use lots.
var (
	LotExists     = refusal.NewReason(refusal.Conflict, "lot_exists", "Lot {lotNumber} exists already: {id}")
	LotInUse      = refusal.NewReason(refusal.Invalid, "lot_in_use", "Lot {lotNumber} is in use")
	LotVoided     = refusal.NewReason(refusal.Invalid, "already_voided", "Lot is already voided")
	LotIsVoid     = refusal.NewReason(refusal.Invalid, "lot_void", "Lot {lotNumber} is void")
	LotUncounted  = refusal.NewReason(refusal.Invalid, "lot_without_quantity", "Lot {lotNumber} has no quantity")
	LotShort      = refusal.NewReason(refusal.Invalid, "lot_short", "Lot {lotNumber} has {remaining} {unit} left")
	LotTotalLarge = refusal.NewReason(refusal.Invalid, "lot_total_too_large", "Lot {lotNumber} would have a quantity of more than 18 digits")
)

// lotTold reads the lot of an entry, and the hash of its contents.
func lotTold(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
	var told lotEvent
	if entry.Action == card.ActionComponentInstalled || entry.Action == card.ActionComponentRemoved {
		var taken card.InstalledMetadata // a removal has the same members
		if err := trail.ReadMetadata(entry, &taken); err != nil || taken.LotContents == "" {
			return "", "", err
		}
		return taken.LotID, taken.LotContents, nil
	}
	err := trail.ReadMetadata(entry, &told)
	return told.LotID, told.Contents, err
}

var lotNoun = noun{
	records: []Record{
		{
			Kind: RecordLot, Names: named(NameLot), Prefix: prefixLot, Table: "lot",
			Called: []string{"lot_number", "heat_number", "supplier_lot", "code"}, Detailed: "material",
			Tagged: true, Voidable: true, External: true, Compared: true, Told: lotTold,
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.EveryLot(), func(l Lot) Kept { return Kept{l.ID, l.Contents()} })
			},
		},
		{
			Kind: RecordLotHold, Prefix: prefixLotHold, Table: "lot_hold", Compared: true, Told: lotHoldTold,
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.EveryLotHold(), func(h LotHold) Kept { return Kept{h.ID, h.Contents()} })
			},
		},
		{
			Kind: RecordLotCertificate, Prefix: prefixLotCertificate, Table: "lot_certificate", Compared: true, Told: lotCertificateTold,
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.EveryLotCertificate(), func(a LotCertificate) Kept { return Kept{a.ID, a.Contents()} })
			},
		},
	},
	operations: []operationRow{
		{operation: OpCreateLot, permission: Work, subject: AboutLot},
		{operation: OpUpdateLot, permission: Plan, subject: AboutLot},
		{operation: OpVoidLot, permission: Work, subject: AboutLot},
		{operation: OpReceiveLot, permission: Work, subject: AboutLot},
		{operation: OpAdjustLot, permission: Plan, subject: AboutLot},
		{operation: OpSplitLot, permission: Work, subject: AboutLot},
		{operation: OpSetLotExpiry, permission: Decide, subject: AboutLot, signed: SignLotExpiry},
		{operation: OpHoldLot, permission: Work, subject: AboutLot},
		{operation: OpReleaseLot, permission: Decide, subject: AboutLot, signed: SignRelease},
		{operation: OpAttachLotCertificate, permission: Work, subject: AboutLot},
	},
	actions: []actionRow{
		{action: ActionLotCreated, of: only(RecordLot)},
		{action: ActionLotChanged, of: only(RecordLot)},
		{action: ActionLotReceived, of: only(RecordLot)},
		{action: ActionLotAdjusted, of: only(RecordLot)},
		{action: ActionLotSplit, of: only(RecordLot)},
		{action: ActionLotExpirySet, of: only(RecordLot), signed: SignLotExpiry},
		{action: ActionLotHeld, of: only(RecordLotHold)},
		{action: ActionLotReleased, of: only(RecordLotHold), signed: SignRelease},
		{action: ActionLotCertAttached, of: only(RecordLotCertificate)},
	},
}
