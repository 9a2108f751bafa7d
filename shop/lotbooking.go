package shop

import (
	"context"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Bookings change the remaining quantity of a lot. Each booking reads the lot and stores the new quantity in one transaction, during which
// no other transaction changes the lot. So concurrent bookings cannot bring a lot below 0.

// book sets the received and the remaining quantity of a lot, stores the lot, and appends an audit entry. event describes the booking.
func (l *Lot) book(
	tx Tx, quantity, remaining input.Decimal, action trail.Action, userID string, now ident.Timestamp, event lotEvent,
) error {
	event.Before = l.facts()
	l.Quantity, l.Remaining, l.UpdatedAt = quantity, remaining, now
	if err := tx.UpdateLot(*l); err != nil {
		return err
	}
	event.After = l.facts()
	return tx.AppendAudit(l.entry(action, userID, now, event))
}

// without returns the remaining quantity of a lot minus an amount. It refuses an amount above the remaining quantity.
func (l *Lot) without(amount input.Decimal) (input.Decimal, error) {
	remaining, exact := l.Remaining.Minus(amount)
	switch {
	case amount.Compare(l.Remaining) > 0:
		return "", refusal.Refuse(LotShort, l.LotNumber, string(l.Remaining), string(l.Unit))
	case !exact:
		return "", l.refuse(LotTotalLarge)
	}
	return remaining, nil
}

// take deducts the amount of a component from its lot.
func (p *installedPart) take(tx Tx, made *card.Component) error {
	lot := &p.lot
	if err := lot.refuseAmount("quantity", made.Quantity); err != nil {
		return err
	}
	if err := lot.RefuseUse(); err != nil {
		return err
	}
	if made.Unit = string(lot.Unit); lot.Quantity != "" {
		remaining, err := lot.without(made.Quantity)
		if err != nil {
			return err
		}
		if p.changed, err = lot.remain(tx, remaining, made.InstalledAt); err != nil {
			return err
		}
	}
	if made.PartSerialNumber == "" {
		return nil
	}
	other, err := tx.ComponentNumbered(lot.Part(), made.PartSerialNumber)
	if err == nil {
		return refusal.Refuse(card.InstalledAlready, made.PartSerialNumber, other.SerialID)
	}
	return IgnoreNoRecord(err)
}

// refuseAmount refuses an amount that no installation from the lot can have: no amount of a lot with a quantity, and a fraction of pieces.
func (l *Lot) refuseAmount(field string, amount input.Decimal) error {
	switch {
	case l.Quantity != "" && amount == "":
		return refusal.RefuseField(refusal.Required, field)
	case l.Unit == Pieces && amount != "" && !amount.Integral():
		return refusal.RefuseField(refusal.NotInteger, field)
	}
	return nil
}

// RefuseUse refuses to install anything from a lot that is voided, on hold or expired.
func (l *Lot) RefuseUse() error {
	switch {
	case l.Voided():
		return l.refuse(LotIsVoid)
	case l.Held:
		return refusal.Refuse(card.LotHeldBack, l.LotNumber, l.HoldReason)
	case l.Expired:
		return refusal.Refuse(card.LotExpired, l.LotNumber, l.ExpiresOn)
	}
	return nil
}

// remain stores the remaining quantity of a lot, and returns the hash of the lot afterwards.
func (l *Lot) remain(tx LotStore, remaining input.Decimal, now ident.Timestamp) (trail.ContentsSHA256, error) {
	l.Remaining, l.UpdatedAt = remaining, now
	return l.Contents(), tx.UpdateLot(*l)
}

// giveBack adds the amount of a component to the remaining quantity of its lot again. It returns the hash of the lot afterwards; "" if the
// component has no lot, or its lot has no quantity.
func giveBack(tx LotStore, made card.Component, now ident.Timestamp) (trail.ContentsSHA256, error) {
	if made.LotID == "" || made.Quantity == "" {
		return "", nil
	}
	lot, err := tx.Lot(made.LotID)
	if err != nil || lot.Quantity == "" {
		return "", err
	}
	remaining, exact := lot.Remaining.Plus(made.Quantity)
	if !exact {
		return "", lot.refuse(LotTotalLarge)
	}
	return lot.remain(tx, remaining, now)
}

// countable refuses a booking of a lot without a quantity.
func (l *Lot) countable() error {
	if l.Quantity == "" {
		return l.refuse(LotUncounted)
	}
	return nil
}

// lotToBook returns a lot for a request that changes its quantity.
func (s *Service) lotToBook(ctx context.Context, tx Tx, id string) (Lot, error) {
	l, err := s.lotToChange(ctx, tx, id)
	if err == nil {
		err = l.countable()
	}
	return l, err
}

// requiredAmount returns a number above 0 in the unit of a lot.
func requiredAmount(field string, in input.WrittenInput, unit LotUnit) (input.Decimal, error) {
	amount, err := optionalAmount(field, in, unit)
	if err == nil && amount == "" {
		err = refusal.RefuseField(refusal.Required, field)
	}
	return amount, err
}

// ReceiveLotInput is the body of Receive Lot.
type ReceiveLotInput struct {
	Quantity    input.WrittenInput `field:"quantity"`
	OrderNumber input.TextInput    `field:"orderNumber"`
	CertIDs     input.TextsInput   `field:"certIds"`
	UserID      input.TextInput    `field:"userId"`
}

// ReceiveLot records a later delivery of a lot.
func (s *Service) ReceiveLot(ctx context.Context, id string, in ReceiveLotInput) (Lot, error) {
	var l Lot
	err := s.Commit(ctx, &l, func(tx Tx) (err error) {
		if l, err = s.lotToBook(ctx, tx, id); err != nil {
			return err
		}
		amount, err := requiredAmount("quantity", in.Quantity, l.Unit)
		if err != nil {
			return err
		}
		event := lotEvent{Quantity: amount}
		if err := changeTexts([]textChange{{"orderNumber", in.OrderNumber, &event.OrderNumber}}); err != nil {
			return err
		}
		if event.CertIDs, err = certificatesOf(in.CertIDs); err != nil {
			return err
		}
		userID, err := requiredUser(CallerOf(ctx), in.UserID)
		if err != nil {
			return err
		}
		if err := findCertificates(tx, event.CertIDs); err != nil {
			return err
		}
		quantity, exact := l.Quantity.Plus(amount)
		remaining, exactToo := l.Remaining.Plus(amount)
		if !exact || !exactToo {
			return l.refuse(LotTotalLarge)
		}
		now := s.Now()
		if err := l.book(tx, quantity, remaining, ActionLotReceived, userID, now, event); err != nil {
			return err
		}
		if _, err := s.attachToLot(tx, l, event.CertIDs, userID, now); err != nil {
			return err
		}
		l, err = s.findLot(tx, id) // includes the certificates
		return err
	})
	return l, err
}

// AdjustLotInput is the body of Adjust Lot.
type AdjustLotInput struct {
	Remaining input.WrittenInput `field:"remaining"`
	Reason    input.TextInput    `field:"reason"`
	UserID    input.TextInput    `field:"userId"`
}

// AdjustLot records the result of a count: the remaining quantity of a lot, which may be 0.
func (s *Service) AdjustLot(ctx context.Context, id string, in AdjustLotInput) (Lot, error) {
	var l Lot
	err := s.Commit(ctx, &l, func(tx Tx) (err error) {
		if l, err = s.lotToBook(ctx, tx, id); err != nil {
			return err
		}
		counted, err := countedAmount(in.Remaining, l.Unit)
		if err != nil {
			return err
		}
		reason, err := input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required)
		if err != nil {
			return err
		}
		userID, err := requiredUser(CallerOf(ctx), in.UserID)
		if err != nil {
			return err
		}
		return l.book(tx, l.Quantity, counted, ActionLotAdjusted, userID, s.Now(), lotEvent{Reason: reason})
	})
	return l, err
}

// countedAmount returns the counted quantity: a number of at least 0 in the unit of a lot.
func countedAmount(in input.WrittenInput, unit LotUnit) (input.Decimal, error) {
	counted, err := input.OptionalDecimal("remaining", in)
	switch {
	case err != nil:
		return "", err
	case counted == "":
		return "", refusal.RefuseField(refusal.Required, "remaining")
	case counted.Sign() < 0:
		return "", refusal.RefuseField(LimitsBackwards, "remaining", "0")
	case counted.Sign() == 0:
		return counted, nil
	}
	return optionalAmount("remaining", in, unit)
}

// SplitLotInput is the body of Split Lot.
type SplitLotInput struct {
	Quantity  input.WrittenInput `field:"quantity"`
	LotNumber input.TextInput    `field:"lotNumber"`
	UserID    input.TextInput    `field:"userId"`
}

// SplitLot moves a quantity of a lot to a new lot, and returns the new lot. Holds and certificates of the lot count for both.
func (s *Service) SplitLot(ctx context.Context, id string, in SplitLotInput) (Lot, error) {
	var child Lot
	err := s.Commit(ctx, &child, func(tx Tx) error {
		parent, err := s.lotToBook(ctx, tx, id)
		if err != nil {
			return err
		}
		amount, err := requiredAmount("quantity", in.Quantity, parent.Unit)
		if err != nil {
			return err
		}
		child = Lot{LotFields: parent.LotFields, LotBalance: parent.LotBalance, ParentID: id}
		child.LotNumber, child.Quantity, child.Remaining = "", amount, amount
		if err := (&LotFieldsInput{LotNumber: in.LotNumber}).changeNumber(tx.SerialPrefix(), &child); err != nil {
			return err
		}
		userID, err := requiredUser(CallerOf(ctx), in.UserID)
		if err != nil {
			return err
		}
		remaining, err := parent.without(amount)
		if err != nil {
			return err
		}
		now := s.Now()
		child.ID, child.CreatedBy, child.CreatedAt, child.UpdatedAt = s.NewID(prefixLot), userID, now, now
		if child.LotNumber != "" {
			if err := refuseLotTaken(tx, child); err != nil {
				return err
			}
		}
		event := lotEvent{Quantity: amount, ChildID: child.ID}
		if err := parent.book(tx, parent.Quantity, remaining, ActionLotSplit, userID, now, event); err != nil {
			return err
		}
		if err := s.insertLot(tx, &child); err != nil {
			return err
		}
		child, err = s.findLot(tx, child.ID) // includes the holds and certificates of its parent
		return err
	})
	return child, err
}

// SetLotExpiryInput is the body of Set Lot Expiry.
type SetLotExpiryInput struct {
	ExpiresOn input.TextInput `field:"expiresOn"`
	Reason    input.TextInput `field:"reason"`
	SHA256    input.TextInput `field:"sha256"` // a file about the new test
	UserID    input.TextInput `field:"userId"`
}

// SetLotExpiry sets or removes the day of expiry of a lot, for example after a new test. A file about the test is attached to the lot.
func (s *Service) SetLotExpiry(ctx context.Context, id string, in SetLotExpiryInput) (Lot, error) {
	ctx = s.signable(ctx, in, id)
	var l Lot
	err := s.Commit(ctx, &l, func(tx Tx) (err error) {
		if l, err = s.lotToChange(ctx, tx, id); err != nil {
			return err
		}
		event, expiresOn := lotEvent{Before: l.facts()}, ""
		if !in.ExpiresOn.Present() {
			return refusal.RefuseField(refusal.Required, "expiresOn")
		}
		if err := changeDay("expiresOn", in.ExpiresOn, &expiresOn); err != nil {
			return err
		}
		if event.Reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
			return err
		}
		if err := changeTexts([]textChange{{"sha256", in.SHA256, &event.SHA256}}); err != nil {
			return err
		}
		userID, err := requiredUser(CallerOf(ctx), in.UserID)
		if err != nil {
			return err
		}
		now := s.Now()
		if event.SHA256 != "" {
			if err := s.attachTest(ctx, tx, id, event.SHA256, userID, now); err != nil {
				return err
			}
		}
		l.ExpiresOn, l.UpdatedAt = expiresOn, now
		l = l.At(s.Today())
		if err := tx.UpdateLot(l); err != nil {
			return err
		}
		event.After = l.facts()
		return tx.AppendAudit(l.entry(ActionLotExpirySet, userID, now, event))
	})
	return l, err
}

// attachTest attaches a file about a new test to a lot.
func (s *Service) attachTest(ctx context.Context, tx Tx, lotID, digest, userID string, now ident.Timestamp) error {
	file, err := attachableFile(tx, digest, CallerOf(ctx))
	if err != nil {
		return err
	}
	link := FileLink{SHA256: digest, Name: "Test " + s.Today(), Kind: CertificateFile, AttachedBy: userID}
	link = s.linked(link, file, FileSubject{RecordLot, lotID}, now)
	if err := tx.AttachFile([]FileLink{link}); err != nil {
		return err
	}
	return tx.AppendAudit(link.entry(trail.Entry{}))
}

// LotHold is a hold of a lot. While it is open, it also holds the lots that were split from the lot.
type LotHold struct {
	ID               string          `json:"id"`
	LotID            string          `json:"lotId"`
	Reason           string          `json:"reason"`
	NonconformanceID string          `json:"nonconformanceId,omitempty"`
	PlacedBy         string          `json:"placedBy"`
	PlacedAt         ident.Timestamp `json:"placedAt"`
	ReleasedBy       string          `json:"releasedBy,omitempty"`
	ReleasedAt       ident.Timestamp `json:"releasedAt,omitzero"`
	ReleaseReason    string          `json:"releaseReason,omitempty"`
}

// Contents is the SHA-256 of the contents that the hold's last entry records.
func (h LotHold) Contents() trail.ContentsSHA256 { return trail.ContentsOf(h) }

// lotHoldEvent is the metadata of an audit entry about a hold of a lot.
type lotHoldEvent struct {
	LotID            string               `json:"lotId"`
	LotNumber        string               `json:"lotNumber"`
	HoldID           string               `json:"holdId"`
	Reason           string               `json:"reason"` // the reason for placing or for releasing the hold
	NonconformanceID string               `json:"nonconformanceId,omitempty"`
	Contents         trail.ContentsSHA256 `json:"contentsSha256"`
}

func lotHoldTold(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
	var told lotHoldEvent
	err := trail.ReadMetadata(entry, &told)
	return told.HoldID, told.Contents, err
}

// HoldLotInput is the body of Hold Lot.
type HoldLotInput struct {
	Reason           input.TextInput `field:"reason"`
	NonconformanceID input.TextInput `field:"nonconformanceId"`
	UserID           input.TextInput `field:"userId"`
}

// HoldLot places a hold on a lot, in addition to any other holds.
func (s *Service) HoldLot(ctx context.Context, id string, in HoldLotInput) (LotHold, error) {
	var placed LotHold
	err := s.Commit(ctx, &placed, func(tx Tx) error {
		l, err := s.lotToChange(ctx, tx, id)
		if err != nil {
			return err
		}
		asked, err := HoldSerialInput(in).check(CallerOf(ctx))
		if err != nil {
			return err
		}
		if asked.NonconformanceID != "" {
			if _, err := FindNonconformance(tx, asked.NonconformanceID); err != nil {
				return err
			}
		}
		placed = LotHold{Reason: asked.Reason, NonconformanceID: asked.NonconformanceID, PlacedBy: asked.PlacedBy}
		return s.placeLotHold(tx, l, &placed, s.Now())
	})
	return placed, err
}

// placeLotHold completes a new hold of a lot, and stores and records it.
func (s *Service) placeLotHold(tx Tx, l Lot, hold *LotHold, now ident.Timestamp) error {
	hold.ID, hold.LotID, hold.PlacedAt = s.NewID(prefixLotHold), l.ID, now
	if err := tx.InsertLotHold(*hold); err != nil {
		return err
	}
	return tx.AppendAudit(trail.Entry{
		Action: ActionLotHeld, UserID: hold.PlacedBy, Timestamp: now,
		Metadata: trail.Metadata(lotHoldEvent{l.ID, l.LotNumber, hold.ID, hold.Reason, hold.NonconformanceID, hold.Contents()}),
	})
}

// ReleaseLot releases one hold of a lot. A hold of a lot from which this lot was split is released at that lot.
func (s *Service) ReleaseLot(ctx context.Context, id string, in ReleaseSerialInput) (LotHold, error) {
	ctx = s.signable(ctx, in, id)
	var released LotHold
	err := s.Commit(ctx, &released, func(tx Tx) error {
		l, err := s.lotToChange(ctx, tx, id)
		if err != nil {
			return err
		}
		release, err := in.check(CallerOf(ctx))
		if err != nil {
			return err
		}
		holds, err := tx.LotHolds(id)
		if err != nil {
			return err
		}
		at := slices.IndexFunc(holds, func(hold LotHold) bool { return hold.ID == release.ID && hold.LotID == id })
		if at < 0 {
			return NameHold.NotFound(release.ID)
		}
		if released = holds[at]; released.ReleasedAt != 0 {
			return refusal.Refuse(HoldReleased)
		}
		now := s.Now()
		released.ReleasedBy, released.ReleasedAt, released.ReleaseReason = release.ReleasedBy, now, release.ReleaseReason
		if err := tx.ReleaseLotHold(released); err != nil {
			return err
		}
		event := lotHoldEvent{
			l.ID, l.LotNumber, released.ID, released.ReleaseReason, released.NonconformanceID, released.Contents(),
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionLotReleased, UserID: released.ReleasedBy, Timestamp: now, Metadata: trail.Metadata(event),
		})
	})
	return released, err
}

// LotHolds returns the holds of a lot and of the lots that it was split from, open and released, oldest first.
func (s *Service) LotHolds(ctx context.Context, id string) (holds []LotHold, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		if _, err := s.findLot(tx, id); err != nil {
			return err
		}
		holds, err = tx.LotHolds(id)
		return err
	})
	return holds, err
}

// LotCertificate is a certificate attached to a lot. It also counts for the lots that were split from the lot.
type LotCertificate struct {
	ID         string          `json:"id"`
	LotID      string          `json:"lotId"`
	CertID     string          `json:"certId"`
	AttachedBy string          `json:"attachedBy"`
	AttachedAt ident.Timestamp `json:"attachedAt"`
}

// Contents is the SHA-256 of the contents that the entry of attaching the certificate records.
func (a LotCertificate) Contents() trail.ContentsSHA256 { return trail.ContentsOf(a) }

// lotCertificateEvent is the metadata of an audit entry about a certificate of a lot.
type lotCertificateEvent struct {
	LotID        string               `json:"lotId"`
	LotNumber    string               `json:"lotNumber"`
	AttachmentID string               `json:"attachmentId"`
	Contents     trail.ContentsSHA256 `json:"contentsSha256"`
}

func lotCertificateTold(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
	var told lotCertificateEvent
	err := trail.ReadMetadata(entry, &told)
	return told.AttachmentID, told.Contents, err
}

// AttachLotCertificateInput is the body of Attach Lot Certificate.
type AttachLotCertificateInput struct {
	CertID input.TextInput `field:"certId"`
	UserID input.TextInput `field:"userId"`
}

// check validates the body, and refuses an unknown certificate.
func (in AttachLotCertificateInput) check(tx CertificateStore, caller Caller) (certID, userID string, err error) {
	if certID, err = input.RequiredName("certId", in.CertID); err != nil {
		return "", "", err
	}
	if userID, err = requiredUser(caller, in.UserID); err != nil {
		return "", "", err
	}
	_, err = FindCertificate(tx, certID)
	return certID, userID, err
}

// AttachLotCertificate attaches a certificate to a lot, even if nothing remains of the lot. If the certificate is already attached to this
// lot, AttachLotCertificate returns that attachment.
func (s *Service) AttachLotCertificate(ctx context.Context, id string, in AttachLotCertificateInput) (LotCertificate, error) {
	var attached LotCertificate
	err := s.Commit(ctx, &attached, func(tx Tx) error {
		l, err := s.lotToChange(ctx, tx, id)
		if err != nil {
			return err
		}
		certID, userID, err := in.check(tx, CallerOf(ctx))
		if err != nil {
			return err
		}
		all, err := s.attachToLot(tx, l, []string{certID}, userID, s.Now())
		if err == nil {
			attached = all[0]
		}
		return err
	})
	return attached, err
}

// findCertificates refuses unknown certificates.
func findCertificates(tx CertificateStore, ids []string) error {
	for _, id := range ids {
		if _, err := FindCertificate(tx, id); err != nil {
			return err
		}
	}
	return nil
}

// attachToLot attaches certificates to a lot, except those that are attached already. It returns the attachments of all given certificates.
func (s *Service) attachToLot(
	tx Tx, l Lot, certIDs []string, userID string, now ident.Timestamp,
) (attached []LotCertificate, err error) {
	if len(certIDs) == 0 {
		return nil, nil
	}
	before, err := tx.LotCertificates(l.ID)
	if err != nil {
		return nil, err
	}
	for _, certID := range certIDs {
		at := slices.IndexFunc(before, func(a LotCertificate) bool { return a.LotID == l.ID && a.CertID == certID })
		if at >= 0 {
			attached = append(attached, before[at])
			continue
		}
		made := LotCertificate{
			ID: s.NewID(prefixLotCertificate), LotID: l.ID, CertID: certID, AttachedBy: userID, AttachedAt: now,
		}
		if err := tx.InsertLotCertificate(made); err != nil {
			return nil, err
		}
		if err := tx.AppendAudit(trail.Entry{
			Action: ActionLotCertAttached, UserID: userID, Timestamp: now, CertID: certID,
			Metadata: trail.Metadata(lotCertificateEvent{l.ID, l.LotNumber, made.ID, made.Contents()}),
		}); err != nil {
			return nil, err
		}
		attached = append(attached, made)
	}
	return attached, nil
}
