package shop

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/firstarticle"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// fill completes a first article inspection with its forms: as the records are now for a draft, and otherwise as they were verified.
func (s *Service) fill(tx Tx, f *FirstArticle) error {
	records, err := s.firstArticleRecords(tx, f)
	if err != nil {
		return err
	}
	content := records.Fill()
	if f.Status == FirstArticleDraft {
		f.Fields, f.Missing = append([]firstarticle.Field{}, content.Fields...), append([]firstarticle.Missing{}, content.Missing...)
		f.Typable = content.Typable()
		return nil
	}
	var frozen firstarticle.Frozen
	if err := json.Unmarshal([]byte(f.Content), &frozen); err != nil {
		return &UnreadableError{Table: "first_article", ID: f.ID, Err: err}
	}
	if !frozen.Equal(records.Freeze(content)) {
		f.ChangedSince = records.ChangedSince(f.VerifiedAt)
	}
	f.Missing = []firstarticle.Missing{}
	signed, err := s.signOff(tx, f)
	if err != nil {
		return err
	}
	f.Fields = slices.Concat(frozen.Fields, signed)
	slices.SortStableFunc(f.Fields, func(a, b firstarticle.Field) int {
		return cmp.Or(cmp.Compare(a.Form, b.Form), cmp.Compare(a.Row, b.Row), cmp.Compare(a.Field, b.Field))
	})
	return nil
}

// signOff returns the fields 20 to 25 of form 1, with the names that people had when they signed off.
func (s *Service) signOff(tx Tx, f *FirstArticle) (fields []firstarticle.Field, err error) {
	verifier, err := nameOnPaper(tx, f.VerifiedBy, f.VerifiedAt)
	if err != nil {
		return nil, err
	}
	approver, err := nameOnPaper(tx, f.ApprovedBy, f.ApprovedAt)
	if err != nil {
		return nil, err
	}
	put := func(field int, text string) {
		if text != "" {
			fields = append(fields, firstarticle.Field{Form: 1, Field: field, Text: text})
		}
	}
	day := func(at ident.Timestamp) string {
		if at == 0 {
			return ""
		}
		return at.Time().In(s.zone).Format(input.DateLayout)
	}
	put(20, verifier)
	put(21, day(f.VerifiedAt))
	put(22, approver)
	put(23, day(f.ApprovedAt))
	if f.Customer != nil {
		put(24, f.Customer.Name)
		put(25, f.Customer.ApprovedOn)
	}
	return fields, nil
}

// ActOnFirstArticleInput is the body of Verify First Article and of Approve First Article.
type ActOnFirstArticleInput struct {
	UserID input.TextInput `field:"userId"`
}

// oneself returns the acting user. Verification and approval are acts of the caller, never for another user.
func (in ActOnFirstArticleInput) oneself(caller Caller) (string, error) {
	userID, err := requiredUser(caller, in.UserID)
	if err == nil && caller.Known() && userID != caller.Login {
		err = refusal.RefuseField(refusal.ActsForOther, "userId", caller.Login)
	}
	return userID, err
}

// errContentMoved reports that the records changed between freezing the content and verifying.
var errContentMoved = errors.New("the content of the first article changed meanwhile")

// verifyAttempts is how often VerifyFirstArticle freezes the content before it gives up.
const verifyAttempts = 5

// VerifyFirstArticle freezes the content of a draft as a stored file. The content is exactly what the records say at that moment.
func (s *Service) VerifyFirstArticle(ctx context.Context, id string, in ActOnFirstArticleInput) (FirstArticle, error) {
	ctx = s.signable(ctx, in, id)
	for range verifyAttempts {
		stored, err := s.storeContent(ctx, id, in)
		if err != nil {
			return FirstArticle{}, err
		}
		var verified FirstArticle
		err = s.Commit(ctx, &verified, func(tx Tx) (err error) {
			if verified, err = s.findFirstArticle(ctx, tx, id); err != nil {
				return err
			}
			if err := verified.in(FirstArticleDraft); err != nil {
				return err
			}
			userID, err := in.oneself(CallerOf(ctx))
			if err != nil {
				return err
			}
			return s.verify(tx, &verified, stored, userID)
		})
		if !errors.Is(err, errContentMoved) {
			return verified, err
		}
	}
	return FirstArticle{}, refusal.Refuse(refusal.ServiceBusy)
}

// verify freezes a draft. It returns errContentMoved unless the stored file has its content.
func (s *Service) verify(tx Tx, f *FirstArticle, stored, userID string) error {
	if err := tx.LockSerials(f.SerialIDs); err != nil {
		return err
	}
	records, text, err := s.verifiable(tx, f)
	if err != nil {
		return err
	}
	if f.SHA256 = digestOf([]byte(text)); f.SHA256 != stored {
		return errContentMoved
	}
	f.Content, f.PartNumber, f.PartRevision = text, records.PartNumber, records.PartRevision
	f.Status, f.VerifiedBy, f.VerifiedAt = FirstArticleVerified, userID, s.Now()
	return s.change(tx, f, ActionFirstArticleVerified, userID, func(contents trail.ContentsSHA256) any {
		return firstArticleEvent{FirstArticleID: f.ID, SerialIDs: f.SerialIDs, SHA256: f.SHA256, Size: int64(len(text)), Contents: contents}
	})
}

// verifiable returns the records of a draft and the bytes of the file with its content. It refuses a draft that cannot be verified.
func (s *Service) verifiable(tx Tx, f *FirstArticle) (*firstarticle.Records, string, error) {
	records, err := s.firstArticleRecords(tx, f)
	if err != nil {
		return nil, "", err
	}
	content := records.Fill()
	if len(content.Missing) > 0 {
		return nil, "", refusal.Refuse(FirstArticleIncomplete, content.Names())
	}
	for i := range records.Units {
		if records.Units[i].Scrapped {
			return nil, "", refusal.Refuse(DecideScrapped, records.Units[i].SerialID)
		}
	}
	if err := refuseUndecided(tx, f.SerialIDs); err != nil {
		return nil, "", err
	}
	text, err := frozenText(records, content)
	return records, text, err
}

// refuseUndecided refuses the first of the units that is on an open report without a disposition.
func refuseUndecided(tx Tx, ids []string) error {
	reports, err := tx.ReportsOfUnits(ids)
	if err != nil {
		return err
	}
	cards, err := tx.RouteCards(ids)
	if err != nil {
		return err
	}
	for i := range reports {
		if err := reports[i].refuseUndecided(cards[reports[i].Unit.SerialID].Serial.Status); err != nil {
			return err
		}
	}
	return nil
}

// frozenText returns the bytes of the file with the content of filled forms.
func frozenText(records *firstarticle.Records, content *firstarticle.Content) (string, error) {
	var text bytes.Buffer
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	encoder.SetIndent("", "  ")
	err := encoder.Encode(records.Freeze(content))
	return text.String(), err
}

// storeContent stores the content of a draft that can be verified as a file, and returns its digest. Otherwise it stores nothing and
// returns "": then the verification is refused.
func (s *Service) storeContent(ctx context.Context, id string, in ActOnFirstArticleInput) (digest string, err error) {
	var text string
	err = s.store.View(ctx, func(tx Reader) error {
		draft, err := s.findFirstArticle(ctx, tx, id)
		if err != nil || draft.Status != FirstArticleDraft {
			return err
		}
		if _, err := in.oneself(CallerOf(ctx)); err != nil {
			return err
		}
		_, text, err = s.verifiable(tx, &draft)
		return err
	})
	if _, refused := errors.AsType[*refusal.Error](err); refused {
		return "", nil // Commit refuses it too, unless the request is repeated
	}
	if err != nil || text == "" {
		return "", err
	}
	file, err := s.keepBytes(ctx, strings.NewReader(text))
	return file.SHA256, err
}

// ignoreMissing returns an error unless it is ErrNoRecord.
func ignoreMissing(err error) error {
	if errors.Is(err, ErrNoRecord) {
		return nil
	}
	return err
}

// firstArticleEvent is the metadata of entries about the verification and approval of a first article inspection.
type firstArticleEvent struct {
	FirstArticleID string               `json:"firstArticleId"`
	SerialIDs      []string             `json:"serialIds,omitempty"`
	SHA256         string               `json:"sha256,omitempty"`
	Size           int64                `json:"size,omitempty"`
	Type           string               `json:"type,omitempty"` // of the file of the customer's approval
	Reason         string               `json:"reason,omitempty"`
	Name           string               `json:"name,omitempty"`
	ApprovedOn     string               `json:"approvedOn,omitempty"`
	Contents       trail.ContentsSHA256 `json:"contentsSha256"`
}

// ApproveFirstArticle approves a verified first article inspection. Another person must have verified it.
func (s *Service) ApproveFirstArticle(ctx context.Context, id string, in ActOnFirstArticleInput) (FirstArticle, error) {
	ctx = s.signable(ctx, in, id)
	var approved FirstArticle
	err := s.Commit(ctx, &approved, func(tx Tx) (err error) {
		if approved, err = s.findFirstArticle(ctx, tx, id); err != nil {
			return err
		}
		if err := approved.in(FirstArticleVerified); err != nil {
			return err
		}
		if approved.ApprovedBy, err = in.oneself(CallerOf(ctx)); err != nil {
			return err
		}
		if firstarticle.SameName(approved.ApprovedBy, approved.VerifiedBy) {
			return refusal.Refuse(ApproverVerified)
		}
		approved.Status, approved.ApprovedAt = FirstArticleApproved, s.Now()
		return s.change(tx, &approved, ActionFirstArticleApproved, approved.ApprovedBy, func(contents trail.ContentsSHA256) any {
			return firstArticleEvent{FirstArticleID: id, SerialIDs: approved.SerialIDs, SHA256: approved.SHA256, Contents: contents}
		})
	})
	return approved, err
}

// ReopenFirstArticle makes a verified first article inspection a draft again. The file with its content stays.
func (s *Service) ReopenFirstArticle(ctx context.Context, id string, in VoidInput) (FirstArticle, error) {
	var reopened FirstArticle
	err := s.Commit(ctx, &reopened, func(tx Tx) (err error) {
		if reopened, err = s.findFirstArticle(ctx, tx, id); err != nil {
			return err
		}
		if err := reopened.in(FirstArticleVerified); err != nil {
			return err
		}
		given, err := in.check(CallerOf(ctx), s.Now())
		if err != nil {
			return err
		}
		was := reopened.SHA256
		reopened.Status, reopened.VerifiedBy, reopened.VerifiedAt = FirstArticleDraft, "", 0
		reopened.SHA256, reopened.Content = "", ""
		return s.change(tx, &reopened, ActionFirstArticleReopened, given.VoidedBy, func(contents trail.ContentsSHA256) any {
			return firstArticleEvent{FirstArticleID: id, SHA256: was, Reason: given.VoidReason, Contents: contents}
		})
	})
	return reopened, err
}

// CustomerApprovalInput is the body of Record Customer Approval.
type CustomerApprovalInput struct {
	Name       input.TextInput `field:"name"`
	ApprovedOn input.TextInput `field:"approvedOn"`
	SHA256     input.TextInput `field:"sha256"`
	UserID     input.TextInput `field:"userId"`
}

func (in CustomerApprovalInput) check(caller Caller) (made CustomerSignOff, err error) {
	if made.Name, err = input.RequiredName("name", input.Trimmed(in.Name)); err != nil {
		return made, err
	}
	if made.ApprovedOn, err = input.RequiredName("approvedOn", input.Trimmed(in.ApprovedOn)); err != nil {
		return made, err
	}
	if err := input.CheckDate("approvedOn", made.ApprovedOn); err != nil {
		return made, err
	}
	if !input.Unfilled(in.SHA256) {
		if made.SHA256, err = requiredDigest("sha256", input.Trimmed(in.SHA256)); err != nil {
			return made, err
		}
	}
	made.RecordedBy, err = requiredUser(caller, in.UserID)
	return made, err
}

// RecordCustomerApproval records that the customer approved a first article inspection. It is recorded once.
func (s *Service) RecordCustomerApproval(ctx context.Context, id string, in CustomerApprovalInput) (FirstArticle, error) {
	var approved FirstArticle
	err := s.Commit(ctx, &approved, func(tx Tx) (err error) {
		if approved, err = s.findFirstArticle(ctx, tx, id); err != nil {
			return err
		}
		if err := approved.in(FirstArticleApproved); err != nil {
			return err
		}
		if approved.Customer != nil {
			return refusal.Refuse(CustomerApprovedBefore, approved.Customer.Name)
		}
		made, err := in.check(CallerOf(ctx))
		if err != nil {
			return err
		}
		var file File
		if made.SHA256 != "" {
			if file, err = attachableFile(tx, made.SHA256, CallerOf(ctx)); err != nil {
				return err
			}
		}
		made.RecordedAt = s.Now()
		approved.Customer = &made
		return s.change(tx, &approved, ActionFirstArticleCustomerApproved, made.RecordedBy, func(contents trail.ContentsSHA256) any {
			return firstArticleEvent{
				FirstArticleID: id, SHA256: made.SHA256, Size: file.Size, Type: file.Type, Name: made.Name, ApprovedOn: made.ApprovedOn,
				Contents: contents,
			}
		})
	})
	return approved, err
}

// VoidFirstArticle voids a first article inspection. An approved one needs the permission Decide.
func (s *Service) VoidFirstArticle(ctx context.Context, id string, in VoidInput) (FirstArticle, error) {
	var voided FirstArticle
	err := s.Commit(ctx, &voided, func(tx Tx) (err error) {
		if voided, err = s.findFirstArticle(ctx, tx, id); err != nil {
			return err
		}
		now := s.Now()
		if voided.Voiding, err = in.check(CallerOf(ctx), now); err != nil {
			return err
		}
		if voided.Status != FirstArticleDraft {
			err = CallerOf(ctx).Require(Decide)
		} else {
			err = mayVoid(CallerOf(ctx), voided.CreatedBy, voided.CreatedAt, now, s.undoWindow)
		}
		if err != nil {
			return err
		}
		voided.UpdatedAt = now
		if err := tx.UpdateFirstArticle(voided); err != nil {
			return err
		}
		if err := tx.AppendAudit(voided.entry(ActionRecordVoided, voided.VoidedBy, now,
			card.VoidedMetadata{RecordID: id, Reason: voided.VoidReason})); err != nil {
			return err
		}
		return s.fill(tx, &voided)
	})
	return voided, err
}

// firstArticleRecords reads what the forms are filled from.
func (s *Service) firstArticleRecords(tx Tx, f *FirstArticle) (*firstarticle.Records, error) {
	path, err := tx.Path(f.PathID)
	if err != nil {
		return nil, err
	}
	job, err := tx.Job(path.JobID)
	if err != nil {
		return nil, err
	}
	organization, err := organizationIn(tx)
	if err != nil {
		return nil, err
	}
	g := &gathering{Tx: tx, path: &path, certificates: map[string]string{}, records: &firstarticle.Records{
		ID: f.ID, Identifier: f.Identifier, PartNumber: job.Part(), Description: job.Description, PartRevision: job.PartRevision,
		DrawingNumber: job.DrawingNumber, DrawingRevision: job.DrawingRevision, OrderNumber: job.OrderNumber, Route: path.Name,
		Organization: organization.Name, SupplierCode: organization.SupplierCode, Kind: f.Kind, Baseline: f.Baseline, Reason: f.Reason,
		Numbers: f.Characteristics, Typed: f.Typed, Changes: []ident.Timestamp{job.UpdatedAt, path.UpdatedAt},
	}}
	if g.cards, err = tx.RouteCards(f.SerialIDs); err != nil {
		return nil, err
	}
	for _, id := range f.SerialIDs {
		if err := g.unit(id); err != nil {
			return nil, err
		}
	}
	if err := cmp.Or(g.characteristics(), g.inside(f.SerialIDs), g.steps(f.SerialIDs)); err != nil {
		return nil, err
	}
	return g.records, nil
}

// gathering reads the records of a first article inspection.
type gathering struct {
	Tx
	path         *card.Path
	cards        map[string]card.Card
	records      *firstarticle.Records
	attachments  []Attachment      // of all units
	certificates map[string]string // numbers or names, by identifier
}

func (g *gathering) changed(times ...ident.Timestamp) {
	g.records.Changes = append(g.records.Changes, times...)
}

// unit reads a unit with its readings and reports.
func (g *gathering) unit(id string) error {
	serial := g.cards[id].Serial
	unit := firstarticle.Unit{
		SerialID: id, Number: cmp.Or(serial.SerialNumber, id), Scrapped: serial.Status == card.Scrapped,
	}
	if serial.Scrap != nil {
		g.changed(serial.Scrap.At)
	}
	readings, err := g.MeasurementsOfSerial(id)
	if err != nil {
		return err
	}
	for i := range readings {
		g.changed(readings[i].Entered(), readings[i].VoidedAt)
		if !readings[i].Voided() {
			unit.Readings = append(unit.Readings, readings[i])
		}
	}
	reports, err := g.UnitOnReports(id)
	if err != nil {
		return err
	}
	unit.Reports = slices.Sorted(maps.Keys(reports))
	for _, report := range unit.Reports {
		opened, err := g.Nonconformance(report)
		if err != nil {
			return err
		}
		g.changed(opened.OpenedAt)
	}
	attachments, err := g.AttachmentsOfSerial(id)
	if err != nil {
		return err
	}
	for i := range attachments {
		g.changed(attachments[i].AttachedAt, attachments[i].VoidedAt)
		if !attachments[i].Voided() {
			g.attachments = append(g.attachments, attachments[i])
		}
	}
	g.records.Units = append(g.records.Units, unit)
	return nil
}

// characteristics reads the characteristics of the path, and the numbers of the instruments of the readings.
func (g *gathering) characteristics() error {
	instruments := map[string]string{}
	for i := range g.records.Units {
		for j := range g.records.Units[i].Readings {
			id := g.records.Units[i].Readings[j].InstrumentID
			if id == "" || instruments[id] != "" {
				continue
			}
			instrument, err := g.Instrument(id)
			if err != nil {
				return err
			}
			instruments[id] = instrument.Number
			g.changed(instrument.UpdatedAt)
		}
	}
	for i := range g.path.Steps {
		set := g.path.CharacteristicsOf(g.path.Steps[i].ID)
		g.changed(set.ChangedAt)
		for _, c := range set.Characteristics {
			g.records.Planned = append(g.records.Planned, firstarticle.Planned{StepID: set.StepID, Characteristic: c})
		}
	}
	g.records.Instruments = instruments
	return nil
}

// certificate returns the number of a certificate or, without one, its name.
func (g *gathering) certificate(id string) (string, error) {
	if known, ok := g.certificates[id]; ok {
		return known, nil
	}
	found, err := g.Certificate(id)
	g.certificates[id] = cmp.Or(found.Number, found.Name)
	return g.certificates[id], err
}

func (g *gathering) certificateNumbers(ids []string) (numbers []string, err error) {
	for _, id := range ids {
		number, err := g.certificate(id)
		if err != nil {
			return nil, err
		}
		numbers = append(numbers, number)
	}
	return numbers, nil
}

// inside reads what is directly inside the units: raw material, and other parts.
func (g *gathering) inside(serialIDs []string) error {
	materials := map[string]int{}
	for _, id := range serialIDs {
		components, err := g.ComponentsOfSerial(id)
		if err != nil {
			return err
		}
		for i := range components {
			c := &components[i]
			g.changed(c.InstalledAt, c.RemovedAt, c.VoidedAt)
			switch {
			case !c.Open():
			case c.LotID != "":
				err = g.lot(c, materials)
			default:
				err = g.partUnit(c.ComponentSerialID)
			}
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// lot adds a lot that is inside a unit. materials has the places of the raw materials by lot.
func (g *gathering) lot(c *card.Component, materials map[string]int) error {
	lot, err := g.Lot(c.LotID)
	if err != nil {
		return err
	}
	g.changed(lot.UpdatedAt)
	if lot.Category != RawMaterial {
		part := firstarticle.Part{
			Number: lot.Part(), Name: lot.Material, Category: string(lot.Category), Owner: lot.Owner,
			NeedsFirstArticle: lot.Category == LotDetail || lot.Category == SubAssembly,
		}
		if part.NeedsFirstArticle {
			return g.part(part, lot.PartNumber, lot.PartRevision)
		}
		return g.part(part, "", "")
	}
	at, known := materials[lot.ID]
	if !known {
		numbers, err := g.certificateNumbers(lot.CertIDs)
		if err != nil {
			return err
		}
		at = len(g.records.Materials)
		materials[lot.ID] = at
		g.records.Materials = append(g.records.Materials, firstarticle.Material{
			LotID: lot.ID, Material: lot.Material, Specification: lot.Specification, Code: lot.Code, Supplier: lot.Supplier,
			Owner: lot.Owner, CustomerApproval: string(lot.CustomerApproval), Certificates: numbers,
		})
	}
	material := &g.records.Materials[at]
	material.Substitutions = append(material.Substitutions, c.SubstituteReason)
	return nil
}

// partUnit adds a unit that is inside a unit.
func (g *gathering) partUnit(id string) error {
	unit, err := g.RouteCard(id)
	if err != nil {
		return err
	}
	job, err := g.Job(unit.Serial.JobID)
	if err != nil {
		return err
	}
	g.changed(job.UpdatedAt)
	parts, err := g.UnitsWithParts([]string{id})
	if err != nil {
		return err
	}
	category := LotDetail
	if parts[id] {
		category = SubAssembly
	}
	return g.part(firstarticle.Part{
		Number: cmp.Or(job.Part(), job.Name), Name: cmp.Or(job.Description, job.Name), Category: string(category), NeedsFirstArticle: true,
	}, job.Part(), job.PartRevision)
}

// part adds a part with the approved first article of a part number, each part once.
func (g *gathering) part(part firstarticle.Part, number, revision string) error {
	if number != "" {
		approved, err := g.ApprovedFirstArticle(number, revision)
		if ignoreMissing(err) != nil {
			return err
		}
		part.FirstArticle = approved.ID
		g.changed(approved.ApprovedAt)
	}
	if !slices.Contains(g.records.Parts, part) {
		g.records.Parts = append(g.records.Parts, part)
	}
	return nil
}

// steps reads the outside work and the functional tests of the path.
func (g *gathering) steps(serialIDs []string) error {
	for i := range g.path.Steps {
		step := &g.path.Steps[i]
		set := g.path.RequirementsOf(step.ID)
		g.changed(set.ChangedAt)
		if set.Outside == nil && set.FunctionalTest == nil {
			continue
		}
		var ids []string
		for j := range g.attachments {
			if g.attachments[j].StepID == step.ID {
				ids = append(ids, g.attachments[j].CertificateID)
			}
		}
		numbers, err := g.certificateNumbers(ids)
		if err != nil {
			return err
		}
		if set.Outside != nil {
			if err := g.process(set.Outside, step.ID, serialIDs, numbers); err != nil {
				return err
			}
		}
		if set.FunctionalTest != nil {
			if err := g.test(step, set.FunctionalTest.Procedure, serialIDs, numbers); err != nil {
				return err
			}
		}
	}
	return nil
}

// process adds the outside work of a step, with the suppliers that the units came back from and the certificates of their receipts.
func (g *gathering) process(work *card.OutsideWork, stepID string, serialIDs, numbers []string) error {
	row := firstarticle.Process{
		StepID: stepID, Process: work.Process, Specification: work.Specification, Code: work.Code,
		CustomerApproval: work.CustomerApproval,
	}
	seen := map[string]bool{}
	for _, id := range serialIDs {
		shipments, err := g.Shipments(ShipmentQuery{SerialID: id, Kind: card.ToSupplier, Limit: ChunkSize})
		if err != nil {
			return err
		}
		for i := range slices.Backward(shipments) {
			shipment := &shipments[i]
			if seen[shipment.ID] {
				continue
			}
			seen[shipment.ID] = true
			g.changed(shipment.UpdatedAt)
			lines, err := g.LinesAmong(shipment.ID, serialIDs)
			if err != nil {
				return err
			}
			receipts, err := g.ReceiptsOfShipments([]string{shipment.ID})
			if err != nil {
				return err
			}
			for _, line := range lines {
				if line.StepID != stepID || line.Result != card.LineReceived {
					continue
				}
				row.Suppliers = append(row.Suppliers, shipment.Supplier)
				at := slices.IndexFunc(receipts, func(r Receipt) bool { return r.ID == line.ReceiptID })
				if at < 0 {
					continue
				}
				of, err := g.certificateNumbers(receipts[at].CertIDs)
				if err != nil {
					return err
				}
				row.Certificates = append(row.Certificates, of...)
			}
		}
	}
	row.Certificates = append(row.Certificates, numbers...)
	g.records.Processes = append(g.records.Processes, row)
	return nil
}

// test adds the functional test of a step. Its reports are the certificates attached at the step and the files of kind report on the step;
// without any, the files of kind report on the units.
func (g *gathering) test(step *card.ProcessStep, procedure string, serialIDs, numbers []string) error {
	row := firstarticle.Test{StepID: step.ID, Step: step.Name, Procedure: procedure, Reports: numbers}
	on := []FileSubject{{RecordStep, step.ID}}
	for _, id := range serialIDs {
		on = append(on, FileSubject{RecordSerial, id})
	}
	for i, subject := range on {
		if i == 1 && len(row.Reports) > 0 {
			break
		}
		links, err := g.FileLinks(subject)
		if err != nil {
			return err
		}
		for j := range links {
			g.changed(links[j].AttachedAt, links[j].VoidedAt)
			if links[j].Kind == ReportFile && !links[j].Voided() {
				row.Reports = append(row.Reports, links[j].Name)
			}
		}
	}
	g.records.Tests = append(g.records.Tests, row)
	return nil
}

// FirstArticleDue says why the part of a job needs a first article. It warns, and refuses nothing.
type FirstArticleDue struct {
	PartNumber   string
	PartRevision string
	Missing      bool // no first article of the part and revision is approved
	Lapsed       bool // since the last one was approved, no unit was created for two years; a path counts from its first to its last unit
}

// lapse is the number of years without production after which a part needs a new first article.
const lapse = 2

// FirstArticleDue returns whether the part of a job needs a first article. A job without a part number needs none.
func (s *Service) FirstArticleDue(ctx context.Context, jobID string) (due FirstArticleDue, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		job, err := FindJob(tx, jobID)
		if err != nil {
			return err
		}
		due, err = s.FirstArticleDueOf(tx, &job)
		return err
	})
	return due, err
}

// FirstArticleDueOf is FirstArticleDue within a transaction.
func (s *Service) FirstArticleDueOf(tx Reader, job *Job) (due FirstArticleDue, err error) {
	if due.PartNumber, due.PartRevision = job.Part(), job.PartRevision; due.PartNumber == "" {
		return due, nil
	}
	approved, err := tx.ApprovedFirstArticle(due.PartNumber, due.PartRevision)
	if errors.Is(err, ErrNoRecord) {
		due.Missing = true
		return due, nil
	}
	if err != nil {
		return due, err
	}
	production, err := tx.ProductionOf(due.PartNumber, due.PartRevision)
	if err != nil {
		return due, err
	}
	due.Lapsed = lapsed(approved.ApprovedAt, s.Now(), production)
	return due, nil
}

// lapsed reports whether nothing was produced for two years between an approval and now. production is in the order of its beginnings.
func lapsed(approved, now ident.Timestamp, production []Production) bool {
	last := approved
	after := func(at ident.Timestamp) bool { return !at.Time().Before(last.Time().AddDate(lapse, 0, 0)) }
	for _, p := range production {
		if p.From > last && after(p.From) {
			return true
		}
		last = max(last, p.To)
	}
	return after(now)
}
