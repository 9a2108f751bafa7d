package shop

import (
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/conformance"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// ReceiveShipmentInput is the body of Receive Shipment.
type ReceiveShipmentInput struct {
	Received    input.Input[SelectionInput]              `field:"received"`
	Rejected    input.Input[RejectedInput]               `field:"rejected"`
	Missing     input.Input[[]input.Input[MissingInput]] `field:"missing"`
	PackingSlip input.TextInput                          `field:"packingSlip"`
	CertIDs     input.TextsInput                         `field:"certIds"`
	UserID      input.TextInput                          `field:"userId"`
}

// RejectedInput selects the units that came back with defects, and has the title and severity of their report.
type RejectedInput struct {
	Selection SelectionInput
	Title     input.TextInput `field:"title"`
	Severity  input.TextInput `field:"severity"`
}

// MissingInput is a unit that did not come back.
type MissingInput struct {
	SerialID input.TextInput `field:"serialId"`
	Reason   input.TextInput `field:"reason"`
}

// receiving is a validated request to receive units.
type receiving struct {
	received, rejected *Selection // nil for none
	report             Nonconformance
	receipt            Receipt
	certIDs            []string
}

func (in ReceiveShipmentInput) check(prefix ident.Prefix, caller Caller) (r receiving, err error) {
	if !in.Received.Missing() {
		if err := in.Received.Typed("received"); err != nil {
			return r, err
		}
		units, err := in.Received.Value.check(prefix)
		if err != nil {
			return r, err
		}
		r.received = &units
	}
	if !in.Rejected.Missing() {
		if err := in.Rejected.Typed("rejected"); err != nil {
			return r, err
		}
		if err := in.Rejected.Value.check(prefix, &r); err != nil {
			return r, err
		}
	}
	if r.receipt.Missing, err = missingUnits(in.Missing); err != nil {
		return r, err
	}
	if r.received == nil && r.rejected == nil && len(r.receipt.Missing) == 0 {
		return r, refusal.Refuse(NothingReceived)
	}
	if err := changeTexts([]textChange{{"packingSlip", in.PackingSlip, &r.receipt.PackingSlip}}); err != nil {
		return r, err
	}
	if r.certIDs, err = certificatesOf(in.CertIDs); err != nil {
		return r, err
	}
	r.receipt.ReceivedBy, err = requiredUser(caller, in.UserID)
	r.report.OpenedBy = r.receipt.ReceivedBy
	return r, err
}

func (in RejectedInput) check(prefix ident.Prefix, r *receiving) (err error) {
	units, err := in.Selection.check(prefix)
	if err != nil {
		return err
	}
	r.rejected = &units
	if r.report.Title, err = input.RequiredName("rejected.title", in.Title); err != nil {
		return err
	}
	if in.Severity.Missing() {
		return input.NotOneOf("rejected.severity", Severities())
	}
	r.report.Severity, err = input.OneOf("rejected.severity", in.Severity, Severities())
	r.report.Status = ReportOpen
	return err
}

func missingUnits(in input.Input[[]input.Input[MissingInput]]) ([]MissingUnit, error) {
	units := []MissingUnit{}
	if in.Missing() {
		return units, nil
	}
	if err := in.Typed("missing"); err != nil {
		return nil, err
	}
	if err := input.CheckItems("missing", len(in.Value)); err != nil {
		return nil, err
	}
	for i, given := range in.Value {
		name := fmt.Sprintf("missing[%d]", i)
		if err := given.Typed(name); err != nil {
			return nil, err
		}
		id, err := input.RequiredName(name+".serialId", given.Value.SerialID)
		if err != nil {
			return nil, err
		}
		reason, err := input.RequiredWithin(name+".reason", given.Value.Reason, input.NameLimit, refusal.Required)
		if err != nil {
			return nil, err
		}
		units = append(units, MissingUnit{id, reason})
	}
	return units, nil
}

// takeMemory reserves the memory for the units of a request.
func (in ReceiveShipmentInput) takeMemory(ctx context.Context) error {
	if err := in.Received.Value.takeMemory(ctx); err != nil {
		return err
	}
	if err := in.Rejected.Value.Selection.takeMemory(ctx); err != nil {
		return err
	}
	return takeMemoryFor(ctx, len(in.Missing.Value))
}

// arrived are the units of a receipt, in the order of the request.
type arrived struct {
	received, rejected, missing []string
}

func (a *arrived) all() []string { return slices.Concat(a.received, a.rejected, a.missing) }

// resolve returns the units of the request.
func (r *receiving) resolve(tx SelectionStore) (units arrived, err error) {
	if r.received != nil {
		if units.received, err = r.received.resolve(tx); err != nil {
			return units, err
		}
	}
	if r.rejected != nil {
		if units.rejected, err = r.rejected.resolve(tx); err != nil {
			return units, err
		}
	}
	for _, missing := range r.receipt.Missing {
		units.missing = append(units.missing, missing.SerialID)
	}
	seen := make(map[string]bool, len(units.received)+len(units.rejected)+len(units.missing))
	for _, id := range units.all() {
		if seen[id] {
			return units, refusal.Refuse(ListedTwice, id)
		}
		seen[id] = true
	}
	if len(seen) == 0 {
		return units, refusal.Refuse(NothingReceived)
	}
	return units, nil
}

// ReceiveShipment records which units of a shipment came back: those in order, those with defects, and those missing. If one of them is
// refused, nothing is recorded. Units with defects are put on hold, and on a new nonconformance report. Missing units stay away.
func (s *Service) ReceiveShipment(ctx context.Context, id string, in ReceiveShipmentInput) (Receipt, error) {
	if err := in.takeMemory(ctx); err != nil {
		return Receipt{}, err
	}
	var made Receipt
	err := s.Commit(ctx, &made, func(tx Tx) error {
		shipment, err := s.findShipment(tx, id)
		if err != nil {
			return err
		}
		if err := RefuseUnread(ctx, NameShipment, id, func() (any, error) { return shipment, nil }); err != nil {
			return err
		}
		r, err := in.check(tx.SerialPrefix(), CallerOf(ctx))
		if err != nil {
			return err
		}
		if err := findCertificates(tx, r.certIDs); err != nil {
			return err
		}
		units, err := r.resolve(tx)
		if err != nil {
			return err
		}
		if err := tx.LockSerials(units.all()); err != nil {
			return err
		}
		lines, err := openLines(ctx, tx, id, units.all())
		if err != nil {
			return err
		}
		made, err = s.receive(ctx, tx, id, r, units, lines)
		return err
	}, aloneIf(max(len(in.Received.Value.SerialIDs.Value), int(min(in.Received.Value.ExpectedCount.Value, selectionLimit))))...)
	return made, err
}

// openLines returns the open lines of units on a shipment, in the order of the units, or the first refusal.
func openLines(ctx context.Context, tx Tx, shipmentID string, ids []string) ([]card.ShipmentLine, error) {
	open := make([]card.ShipmentLine, 0, len(ids))
	err := eachThousand(ctx, tx, ids, func(chunk []string, cards map[string]card.Card) error {
		found, err := tx.LinesAmong(shipmentID, chunk)
		if err != nil {
			return err
		}
		lines := make(map[string]card.ShipmentLine, len(found))
		for _, line := range found {
			lines[line.SerialID] = line
		}
		for _, id := range chunk {
			unit, exists := cards[id]
			line, on := lines[id]
			switch {
			case !exists:
				return NameSerial.NotFound(id)
			case !on:
				return refusal.Refuse(NotOnShipment, id, shipmentID)
			case line.SettledAt != 0:
				return refusal.Refuse(ReceivedAlready, id)
			case unit.Serial.Status == card.Scrapped:
				return refusal.Refuse(DecideScrapped, id)
			}
			open = append(open, line)
		}
		return nil
	})
	return open, err
}

// receiptEvent is the metadata of the audit entry of a receipt.
type receiptEvent struct {
	ShipmentID       string               `json:"shipmentId"`
	ReceiptID        string               `json:"receiptId"`
	Received         []SerialSpan         `json:"received"`
	Rejected         []SerialSpan         `json:"rejected"`
	Missing          []MissingUnit        `json:"missing"`
	NonconformanceID string               `json:"nonconformanceId,omitempty"`
	PackingSlip      string               `json:"packingSlip,omitempty"`
	Contents         trail.ContentsSHA256 `json:"contentsSha256"`
}

// receive stores and records a receipt. lines are those of the received, the rejected and the missing units, in this order.
func (s *Service) receive(
	ctx context.Context, tx Tx, shipmentID string, r receiving, units arrived, lines []card.ShipmentLine,
) (made Receipt, err error) {
	now := s.Now()
	made = r.receipt
	made.ID, made.ShipmentID, made.ReceivedAt = s.NewID(prefixReceipt), shipmentID, now
	made.Received, made.Rejected, made.CertIDs = len(units.received), len(units.rejected), []string{}
	if made.Rejected > 0 {
		rejected := lines[made.Received : made.Received+made.Rejected]
		if made.NonconformanceID, err = s.reportRejected(ctx, tx, r.report, units.rejected, commonStep(rejected), now); err != nil {
			return made, err
		}
	}
	if err := tx.InsertReceipt(made); err != nil {
		return made, err
	}
	if err := tx.NoteShipmentChanged(shipmentID, now); err != nil {
		return made, err
	}
	if err := tx.AppendAudit(trail.Entry{
		Action: ActionShipmentReceived, UserID: made.ReceivedBy, Timestamp: now, Metadata: trail.Metadata(receiptEvent{
			shipmentID, made.ID, SpansOf(s.SerialPrefix(), units.received), SpansOf(s.SerialPrefix(), units.rejected),
			made.Missing, made.NonconformanceID, made.PackingSlip,
			made.Contents(),
		}),
	}); err != nil {
		return made, err
	}
	for i := range lines {
		line := &lines[i]
		line.ReceiptID, line.UpdatedAt, line.SettledAt, line.Reason = made.ID, now, now, ""
		switch {
		case i < made.Received:
			line.Result = card.LineReceived
		case i < made.Received+made.Rejected:
			line.Result = card.LineRejected
		default:
			line.Result, line.SettledAt, line.Reason = card.LineMissing, 0, made.Missing[i-made.Received-made.Rejected].Reason
		}
	}
	if err := settle(ctx, tx, made, lines); err != nil {
		return made, err
	}
	if len(r.certIDs) == 0 {
		return made, nil
	}
	_, err = s.attachToReceipt(tx, made, r.certIDs, made.ReceivedBy, now)
	made.CertIDs = r.certIDs
	return made, err
}

// settle stores the results of lines, and records them with their units.
func settle(ctx context.Context, tx Tx, made Receipt, lines []card.ShipmentLine) error {
	return eachThousandLines(ctx, tx, lines, func(chunk []card.ShipmentLine, cards map[string]card.Card) error {
		if err := tx.SettleLines(chunk); err != nil {
			return err
		}
		entries := make([]trail.Entry, len(chunk))
		for i, line := range chunk {
			entries[i] = card.ReceivedEntry(cards[line.SerialID], line, made.NonconformanceID, made.ReceivedBy)
		}
		return tx.AppendAudit(entries...)
	})
}

// eachThousandLines looks up the cards of the units on lines, up to a thousand at a time.
func eachThousandLines(
	ctx context.Context, tx CardStore, lines []card.ShipmentLine, visit func(chunk []card.ShipmentLine, cards map[string]card.Card) error,
) error {
	rest := lines
	return eachThousand(ctx, tx, serialsOn(lines), func(ids []string, cards map[string]card.Card) error {
		chunk := rest[:len(ids)]
		rest = rest[len(ids):]
		return visit(chunk, cards)
	})
}

// serialsOn returns the units of lines.
func serialsOn(lines []card.ShipmentLine) []string {
	ids := make([]string, len(lines))
	for i := range lines {
		ids[i] = lines[i].SerialID
	}
	return ids
}

// commonStep returns the step of all lines, or "" if they have different ones.
func commonStep(lines []card.ShipmentLine) string {
	for i := range lines {
		if lines[i].StepID != lines[0].StepID {
			return ""
		}
	}
	return lines[0].StepID
}

// reportRejected opens a report about rejected units, puts them on hold, and returns the identifier of the report.
func (s *Service) reportRejected(
	ctx context.Context, tx Tx, report Nonconformance, ids []string, stepID string, now ident.Timestamp,
) (string, error) {
	report.StepID = stepID
	opened, err := s.openReport(ctx, tx, report, ids, addition{hold: true, by: report.OpenedBy}, now)
	return opened.ID, err
}

// findReceipt returns a receipt of a shipment, and the shipment. It refuses a shipment that has changed since the caller read it.
func (s *Service) findReceipt(ctx context.Context, tx Tx, shipmentID, id string) (receipt Receipt, err error) {
	shipment, err := s.findShipment(tx, shipmentID)
	if err != nil {
		return receipt, err
	}
	receipt, err = tx.Receipt(id)
	if err == nil && receipt.ShipmentID != shipmentID {
		err = ErrNoRecord
	}
	if err != nil {
		return receipt, OrNotFound(err, NameReceipt, id)
	}
	if err := RefuseUnread(ctx, NameShipment, shipmentID, func() (any, error) { return shipment, nil }); err != nil {
		return receipt, err
	}
	if receipt.Voided() {
		return receipt, refusal.Refuse(ReceiptVoided)
	}
	return receipt, nil
}

// AttachReceiptCertificateInput is the body of Attach Certificate to Receipt.
type AttachReceiptCertificateInput struct {
	CertID input.TextInput `field:"certId"`
	UserID input.TextInput `field:"userId"`
}

// receiptCertificateEvent is the metadata of the audit entry of a certificate of a receipt.
type receiptCertificateEvent struct {
	ShipmentID   string               `json:"shipmentId"`
	ReceiptID    string               `json:"receiptId"`
	AttachmentID string               `json:"attachmentId"`
	Contents     trail.ContentsSHA256 `json:"contentsSha256"`
}

// AttachReceiptCertificate attaches a certificate to a receipt, also when its units are completed. If it is already attached, it returns
// that attachment.
func (s *Service) AttachReceiptCertificate(
	ctx context.Context, shipmentID, id string, in AttachReceiptCertificateInput,
) (ReceiptCertificate, error) {
	var attached ReceiptCertificate
	err := s.Commit(ctx, &attached, func(tx Tx) error {
		receipt, err := s.findReceipt(ctx, tx, shipmentID, id)
		if err != nil {
			return err
		}
		certID, userID, err := AttachLotCertificateInput(in).check(tx, CallerOf(ctx))
		if err != nil {
			return err
		}
		all, err := s.attachToReceipt(tx, receipt, []string{certID}, userID, s.Now())
		if err == nil {
			attached = all[0]
		}
		return err
	})
	return attached, err
}

// attachToReceipt attaches those certificates to a receipt that are not attached to it yet. It returns the attachments of all of them.
func (s *Service) attachToReceipt(
	tx Tx, receipt Receipt, certIDs []string, userID string, now ident.Timestamp,
) (attached []ReceiptCertificate, err error) {
	before, err := tx.ReceiptCertificates(receipt.ID)
	if err != nil {
		return nil, err
	}
	for _, certID := range certIDs {
		at := slices.IndexFunc(before, func(a ReceiptCertificate) bool { return a.CertID == certID })
		if at >= 0 {
			attached = append(attached, before[at])
			continue
		}
		made := ReceiptCertificate{
			ID: s.NewID(prefixReceiptCertificate), ReceiptID: receipt.ID, CertID: certID, AttachedBy: userID, AttachedAt: now,
		}
		if err := tx.InsertReceiptCertificate(made); err != nil {
			return nil, err
		}
		if err := tx.AppendAudit(trail.Entry{
			Action: ActionReceiptCertAttached, UserID: userID, Timestamp: now, CertID: certID,
			Metadata: trail.Metadata(receiptCertificateEvent{receipt.ShipmentID, receipt.ID, made.ID, made.Contents()}),
		}); err != nil {
			return nil, err
		}
		attached = append(attached, made)
	}
	return attached, tx.NoteShipmentChanged(receipt.ShipmentID, now)
}

// VoidReceipt voids a receipt that was recorded by mistake: its units are away again. It refuses a unit that has moved since. Holds and
// reports of rejected units stay.
func (s *Service) VoidReceipt(ctx context.Context, shipmentID, id string, in VoidInput) (Receipt, error) {
	var receipt Receipt
	err := s.Commit(ctx, &receipt, func(tx Tx) (err error) {
		if receipt, err = s.findReceipt(ctx, tx, shipmentID, id); err != nil {
			return err
		}
		now := s.Now()
		if receipt.Voiding, err = in.check(CallerOf(ctx), now); err != nil {
			return err
		}
		if err := mayVoid(CallerOf(ctx), receipt.ReceivedBy, receipt.ReceivedAt, now, s.undoWindow); err != nil {
			return err
		}
		lines, err := tx.LinesOfReceipt(id)
		if err != nil {
			return err
		}
		if err := tx.LockSerials(serialsOn(lines)); err != nil {
			return err
		}
		if err := refuseReopening(ctx, tx, lines); err != nil {
			return err
		}
		if err := tx.ReopenLines(id, now); err != nil {
			return err
		}
		if err := tx.VoidReceipt(id, receipt.Voiding); err != nil {
			return err
		}
		if err := tx.NoteShipmentChanged(shipmentID, now); err != nil {
			return err
		}
		if err := tx.AppendAudit(trail.Entry{
			Action: ActionRecordVoided, UserID: receipt.VoidedBy, Timestamp: now,
			Metadata: trail.Metadata(card.VoidedMetadata{RecordID: id, Reason: receipt.VoidReason}),
		}); err != nil {
			return err
		}
		return reopen(ctx, tx, receipt, lines)
	})
	return receipt, err
}

// refuseReopening returns the refusal of the first unit that is no longer where it was received.
func refuseReopening(ctx context.Context, tx Tx, lines []card.ShipmentLine) error {
	return eachThousandLines(ctx, tx, lines, func(chunk []card.ShipmentLine, cards map[string]card.Card) error {
		for _, line := range chunk {
			if !line.Result.Returns() {
				continue
			}
			if err := card.RefuseReopeningLine(cards[line.SerialID], line); err != nil {
				return err
			}
		}
		return nil
	})
}

// reopen records with the units that their lines are open again.
func reopen(ctx context.Context, tx Tx, receipt Receipt, lines []card.ShipmentLine) error {
	return eachThousandLines(ctx, tx, lines, func(chunk []card.ShipmentLine, cards map[string]card.Card) error {
		entries := make([]trail.Entry, len(chunk))
		for i, line := range chunk {
			open := card.ShipmentLine{
				ShipmentID: line.ShipmentID, SerialID: line.SerialID, StepID: line.StepID, Pass: line.Pass, UpdatedAt: receipt.VoidedAt,
			}
			entries[i] = card.ReopenedEntry(cards[line.SerialID], open, receipt.ID, receipt.Voiding)
		}
		return tx.AppendAudit(entries...)
	})
}

// delivery checks units that are delivered to a customer. Customer shipments and certificates of conformance have the same rules, except
// for also.
type delivery struct {
	// also checks the state of a delivered unit that only one of the two refuses. It does not check the units inside.
	also func(card.Card) error
	// gathered collects what a certificate says about the units; nil for a shipment.
	gathered *conformance.Gathering
}

// refuse returns the refusal of the first of up to a thousand units that cannot be delivered, because of the unit or of anything inside it.
func (d delivery) refuse(ctx context.Context, tx Tx, ids []string, cards map[string]card.Card) error {
	reports, err := reportsOf(tx, ids)
	if err != nil {
		return err
	}
	withParts, err := tx.UnitsWithParts(ids)
	if err != nil {
		return err
	}
	for _, id := range ids {
		if err := refuseDelivering(cards[id], reports[id]); err != nil {
			return err
		}
		if err := d.also(cards[id]); err != nil {
			return err
		}
		if d.gathered != nil {
			d.gathered.Deliver(cards[id], decisionsOn(reports[id], cards[id].Serial.Status))
		}
		if !withParts[id] {
			continue
		}
		if err := d.refusePartsOf(ctx, tx, cards[id].Serial); err != nil {
			return err
		}
	}
	return d.certify(tx, ids)
}

// certify collects the certificates of up to a thousand units.
func (d delivery) certify(tx Tx, ids []string) error {
	if d.gathered == nil {
		return nil
	}
	certificates, err := tx.CertificatesOfUnits(ids)
	for i := range certificates {
		d.gathered.Certify(certificates[i].ID, conformance.Certificate{Name: certificates[i].Name, Number: certificates[i].Number})
	}
	return err
}

// decisionsOn returns the decisions about a unit on reports.
func decisionsOn(reports []ReportOfUnit, status card.SerialStatus) (decisions []conformance.Decision) {
	for _, on := range reports {
		decision := conformance.Decision{ReportID: on.ReportID}
		if on.Unit.Decided(status) {
			decision.Disposition, decision.Concession = string(on.Unit.Disposition), on.Unit.Concession
		}
		decisions = append(decisions, decision)
	}
	return decisions
}

// reportsOf returns the reports on which units are, by unit.
func reportsOf(tx ShipmentStore, ids []string) (map[string][]ReportOfUnit, error) {
	found, err := tx.ReportsOfUnits(ids)
	reports := map[string][]ReportOfUnit{}
	for _, on := range found {
		reports[on.Unit.SerialID] = append(reports[on.Unit.SerialID], on)
	}
	return reports, err
}

// refuseDelivering returns the refusal to deliver a unit because of its own state, or nil.
func refuseDelivering(unit card.Card, reports []ReportOfUnit) error {
	id := unit.Serial.ID
	switch {
	case unit.Serial.Status == card.Scrapped:
		return refusal.Refuse(DecideScrapped, id)
	case unit.Serial.Status != card.Completed:
		return refusal.Refuse(card.ComponentOpen, id)
	case len(unit.Holds) > 0:
		return refusal.Refuse(card.ComponentHeld, id, unit.Holds[0].Reason)
	}
	conceded := false
	for _, on := range reports {
		if err := on.refuseUndecided(unit.Serial.Status); err != nil {
			return err
		}
		conceded = conceded || on.Unit.Concession != "" && on.Unit.Decided(unit.Serial.Status)
	}
	if deferred := unit.DeferredSteps(); len(deferred) > 0 {
		return refusal.Refuse(StepsDeferred, id, strings.Join(deferred, ", "))
	}
	if unit.Serial.Completion != nil && !conceded {
		return refusal.Refuse(ForcedUnconceded, id)
	}
	for _, part := range unit.PartCounts() {
		if part.Lacks() {
			return refusal.Refuse(PartMissing, id, part.PartType)
		}
	}
	return nil
}

// refusePartsOf returns the refusal to deliver a unit because of the units and lots inside it at any depth, or nil.
func (d delivery) refusePartsOf(ctx context.Context, tx Tx, outer card.Serial) error {
	parts, err := tx.PartsWithin(outer.ID, 0)
	if err != nil {
		return err
	}
	var units, lots []string
	for i := range parts {
		part := &parts[i].Component
		if part.ComponentSerialID != "" {
			units = append(units, part.ComponentSerialID)
		}
		if part.LotID != "" && !slices.Contains(lots, part.LotID) {
			lots = append(lots, part.LotID)
		}
	}
	if err := eachThousand(ctx, tx, units, func(chunk []string, cards map[string]card.Card) error {
		reports, err := reportsOf(tx, chunk)
		if err != nil {
			return err
		}
		for _, inside := range chunk {
			if err := refuseDelivering(cards[inside], reports[inside]); err != nil {
				return err
			}
			if d.gathered != nil {
				d.gathered.Contain(cards[inside], decisionsOn(reports[inside], cards[inside].Serial.Status))
			}
		}
		return d.certify(tx, chunk)
	}); err != nil {
		return err
	}
	for chunk := range slices.Chunk(lots, ChunkSize) {
		found, err := tx.LotsByID(chunk)
		if err != nil {
			return err
		}
		slices.SortFunc(found, func(a, b Lot) int { return slices.Index(chunk, a.ID) - slices.Index(chunk, b.ID) })
		for i := range found {
			lot := &found[i]
			if err := lot.refuseDelivery(); err != nil {
				return err
			}
			if d.gathered != nil {
				d.gathered.Use(outer.JobID, conformance.LotFacts{
					ID: lot.ID, Number: lot.LotNumber, Heat: lot.HeatNumber, ExpiresOn: lot.ExpiresOn,
				})
			}
		}
	}
	return nil
}

// refuseDelivery refuses to deliver a unit with material of a lot that is on hold, or lacks its certificate.
func (l *Lot) refuseDelivery() error {
	switch {
	case l.Held:
		return refusal.Refuse(card.LotHeldBack, l.LotNumber, l.HoldReason)
	case l.CertificateRequired && len(l.CertIDs) == 0:
		return l.refuse(LotUncertified)
	}
	return nil
}
