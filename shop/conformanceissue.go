package shop

import (
	"bytes"
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"fmt"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/conformance"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/shop/workorder"
)

// IssueConformanceInput is the body of Issue Conformance. It has a selection or ShipmentID.
type IssueConformanceInput struct {
	Selection       SelectionInput
	ShipmentID      input.TextInput                              `field:"shipmentId"`
	Customer        input.TextInput                              `field:"customer"`
	CustomerAddress input.TextInput                              `field:"customerAddress"`
	OrderNumber     input.TextInput                              `field:"orderNumber"`
	Lines           input.Input[[]input.Input[ConformanceLines]] `field:"lines"`
	Statement       input.TextInput                              `field:"statement"`
	Lang            input.TextInput                              `field:"lang"`
	UserID          input.TextInput                              `field:"userId"`
}

// ConformanceLines has the fields of a line that a request can give.
type ConformanceLines struct {
	JobID     input.TextInput `field:"jobId"`
	OrderLine input.TextInput `field:"orderLine"`
	Remarks   input.TextInput `field:"remarks"`
}

// ReissueConformanceInput is the body of Reissue Conformance.
type ReissueConformanceInput struct {
	IssueConformanceInput
	Reason input.TextInput `field:"reason"`
}

// WithdrawConformanceInput is the body of Withdraw Conformance.
type WithdrawConformanceInput struct {
	Reason input.TextInput `field:"reason"`
	UserID input.TextInput `field:"userId"`
}

func (in IssueConformanceInput) selection() SelectionInput { return in.Selection }

// issuing is a validated request to issue a revision.
type issuing struct {
	issue Conformance
	units *Selection // nil if the units are those of a shipment
	lines []ConformanceLine
}

// check validates the fields in the order of the interface. reason validates the field between lang and userId.
func (in IssueConformanceInput) check(prefix ident.Prefix, caller Caller, reason func(*issuing) error) (asked issuing, err error) {
	issue := &asked.issue
	if in.Selection.missing() == in.ShipmentID.Missing() {
		return asked, refusal.Refuse(SelectionOrShipment)
	}
	if in.ShipmentID.Missing() {
		units, err := in.Selection.check(prefix)
		if err != nil {
			return asked, err
		}
		asked.units = &units
	} else if issue.ShipmentID, err = input.RequiredName("shipmentId", in.ShipmentID); err != nil {
		return asked, err
	}
	if issue.Customer, err = input.RequiredName("customer", input.Trimmed(in.Customer)); err != nil {
		return asked, err
	}
	issue.CustomerAddress, err = input.OptionalWithin("customerAddress", input.Trimmed(in.CustomerAddress), workorder.DescriptionLimit)
	if err != nil {
		return asked, err
	}
	if issue.OrderNumber, err = input.RequiredName("orderNumber", input.Trimmed(in.OrderNumber)); err != nil {
		return asked, err
	}
	if asked.lines, err = in.lines(); err != nil {
		return asked, err
	}
	if issue.Statement, err = input.OptionalWithin("statement", input.Trimmed(in.Statement), workorder.DescriptionLimit); err != nil {
		return asked, err
	}
	if issue.Lang, err = input.OptionalWithin("lang", in.Lang, input.NameLimit); err != nil {
		return asked, err
	}
	if err := workorder.CheckLanguage("lang", issue.Lang); err != nil {
		return asked, err
	}
	if err := reason(&asked); err != nil {
		return asked, err
	}
	issue.IssuedBy, err = requiredUser(caller, in.UserID)
	return asked, err
}

// lines validates what the request says about jobs.
func (in IssueConformanceInput) lines() (lines []ConformanceLine, err error) {
	if in.Lines.Missing() {
		return nil, nil
	}
	if err := in.Lines.Typed("lines"); err != nil {
		return nil, err
	}
	if err := input.CheckItems("lines", len(in.Lines.Value)); err != nil {
		return nil, err
	}
	for i, given := range in.Lines.Value {
		name := fmt.Sprintf("lines[%d]", i)
		if err := given.Typed(name); err != nil {
			return nil, err
		}
		var line ConformanceLine
		if line.JobID, err = input.RequiredName(name+".jobId", given.Value.JobID); err != nil {
			return nil, err
		}
		if slices.ContainsFunc(lines, func(other ConformanceLine) bool { return other.JobID == line.JobID }) {
			return nil, refusal.RefuseField(ConformanceLineTwice, name+".jobId", line.JobID)
		}
		line.OrderLine, err = input.OptionalWithin(name+".orderLine", input.Trimmed(given.Value.OrderLine), workorder.OrderTextLimit)
		if err != nil {
			return nil, err
		}
		line.Remarks, err = input.OptionalWithin(name+".remarks", input.Trimmed(given.Value.Remarks), workorder.DescriptionLimit)
		if err != nil {
			return nil, err
		}
		lines = append(lines, line)
	}
	return lines, nil
}

// IssueConformance issues a certificate of conformance for completed units, and stores its PDF. If one of the units is refused, nothing is
// issued.
func (s *Service) IssueConformance(ctx context.Context, in IssueConformanceInput) (Conformance, error) {
	ctx = s.signable(ctx, in)
	if err := in.Selection.takeMemory(ctx); err != nil {
		return Conformance{}, err
	}
	var made Conformance
	err := s.printed(ctx, &made, func(p *printing) error {
		return s.Commit(ctx, &made, func(tx Tx) error {
			asked, err := in.check(tx.SerialPrefix(), CallerOf(ctx), func(*issuing) error { return nil })
			if err != nil {
				return err
			}
			made, err = s.issue(ctx, tx, p, asked, Conformance{})
			return err
		}, aloneIf(ChunkSize+1)...)
	})
	return made, err
}

// ReissueConformance issues the next revision of a certificate, which replaces the revision before.
func (s *Service) ReissueConformance(ctx context.Context, id string, in ReissueConformanceInput) (Conformance, error) {
	ctx = s.signable(ctx, in, id)
	if err := in.Selection.takeMemory(ctx); err != nil {
		return Conformance{}, err
	}
	var made Conformance
	err := s.printed(ctx, &made, func(p *printing) error {
		return s.Commit(ctx, &made, func(tx Tx) error {
			before, err := s.issuedConformance(ctx, tx, id)
			if err != nil {
				return err
			}
			asked, err := in.check(tx.SerialPrefix(), CallerOf(ctx), func(asked *issuing) (err error) {
				asked.issue.Reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required)
				return err
			})
			if err != nil {
				return err
			}
			made, err = s.issue(ctx, tx, p, asked, before)
			return err
		}, aloneIf(ChunkSize+1)...)
	})
	return made, err
}

// issuedConformance returns a certificate that can be changed. It refuses one that was withdrawn, or that changed since the caller read it.
func (s *Service) issuedConformance(ctx context.Context, tx Tx, id string) (Conformance, error) {
	before, err := findConformance(tx, id)
	if err != nil {
		return before, err
	}
	if err := RefuseUnread(ctx, NameConformance, id, func() (any, error) { return before, nil }); err != nil {
		return before, err
	}
	if before.Status == ConformanceWithdrawn {
		return before, refusal.Refuse(ConformanceNotIssued, id)
	}
	return before, nil
}

// issue checks the units, prints and stores a revision. before is the certificate that it is a revision of; the zero value for a new one.
func (s *Service) issue(ctx context.Context, tx Tx, p *printing, asked issuing, before Conformance) (made Conformance, err error) {
	made = asked.issue
	made.ID, made.Revision = before.ID, before.Revision+1
	units := asked.units
	var ids []string
	field := "serialIds"
	if units == nil {
		units, field = &Selection{}, "shipmentId"
		if ids, err = s.delivered(tx, made.ShipmentID); err != nil {
			return made, err
		}
	}
	jobs := map[string]Job{}
	for _, line := range asked.lines {
		if jobs[line.JobID], err = FindJob(tx, line.JobID); err != nil {
			return made, err
		}
	}
	if asked.units != nil {
		if ids, err = units.resolve(tx); err != nil {
			return made, err
		}
	}
	if len(ids) == 0 {
		return made, refusal.RefuseField(refusal.ListEmpty, field)
	}
	if err := tx.LockSerials(ids); err != nil {
		return made, err
	}
	gathered, on, err := gather(ctx, tx, ids, units, before.ID)
	if err != nil {
		return made, err
	}
	organization, err := organizationIn(tx)
	if err != nil {
		return made, err
	}
	paper := conformance.Paper{Details: gathered.Details(made.Reason)}
	if err := made.fill(tx, &paper, asked.lines, gathered, jobs, organization); err != nil {
		return made, err
	}
	if made.ID == "" {
		number, err := tx.TakeConformanceNumber()
		if err != nil {
			return made, err
		}
		made.ID = ConformanceID(number)
	}
	made.ConformanceID, made.Units, made.IssuedAt, made.UpdatedAt = made.ID, len(ids), p.at, p.at
	made.Signed = s.signing != nil && len(signedRequestOf(ctx).Tickets) > 0
	if paper.Releaser, err = nameOnPaper(tx, made.IssuedBy, made.IssuedAt); err != nil {
		return made, err
	}
	file, err := s.print(ctx, tx, p, made.onto(paper), organization.Logo)
	if err != nil {
		return made, err
	}
	made.SHA256, made.Size = file.SHA256, file.Size
	return made.store(tx, on, before)
}

// delivered returns the units of a shipment to a customer that did not come back.
func (s *Service) delivered(tx Tx, shipmentID string) (ids []string, err error) {
	shipment, err := s.findShipment(tx, shipmentID)
	if err != nil {
		return nil, err
	}
	if shipment.Kind != card.ToCustomer {
		return nil, refusal.Refuse(ShipmentNotToCustomer, shipmentID)
	}
	for line, err := range tx.LinesOfShipment(shipmentID) {
		if err != nil {
			return nil, err
		}
		if line.SettledAt == 0 {
			ids = append(ids, line.SerialID)
		}
	}
	return ids, nil
}

// gather checks the units of a certificate, and collects what it says about them. own is the certificate that gets a new revision.
func gather(ctx context.Context, tx Tx, ids []string, units *Selection, own string) (*conformance.Gathering, []ConformanceUnit, error) {
	gathered, listed := &conformance.Gathering{}, make([]ConformanceUnit, 0, len(ids))
	err := eachThousand(ctx, tx, ids, func(chunk []string, cards map[string]card.Card) error {
		if err := units.refuseAny(chunk, cards); err != nil {
			return err
		}
		for _, id := range chunk {
			unit := cards[id]
			listed = append(listed, ConformanceUnit{SerialID: id, Pass: unit.Serial.Pass(), Open: true})
		}
		on, err := openOn(tx, chunk)
		if err != nil {
			return err
		}
		return delivery{gathered: gathered, also: func(unit card.Card) error {
			if other := on[unitPass{unit.Serial.ID, unit.Serial.Pass()}]; other != "" && other != own {
				return refusal.Refuse(OnConformance, unit.Serial.ID, other)
			}
			return nil
		}}.refuse(ctx, tx, chunk, cards)
	})
	slices.SortFunc(listed, func(a, b ConformanceUnit) int {
		first, _ := tx.SerialPrefix().ParseSerialID(a.SerialID)
		second, _ := tx.SerialPrefix().ParseSerialID(b.SerialID)
		return cmp.Compare(first, second)
	})
	return gathered, listed, err
}

// fill sets the lines, the language and the address of a revision, and the fields of its paper that depend on jobs and the organization.
func (c *Conformance) fill(
	tx Tx, paper *conformance.Paper, given []ConformanceLine, gathered *conformance.Gathering, jobs map[string]Job, o Organization,
) error {
	for i, line := range given {
		if gathered.Quantity(line.JobID) == 0 {
			return refusal.RefuseField(ConformanceLineEmpty, fmt.Sprintf("lines[%d].jobId", i), line.JobID)
		}
	}
	for _, jobID := range gathered.Jobs() {
		job, known := jobs[jobID]
		if !known {
			var err error
			if job, err = FindJob(tx, jobID); err != nil {
				return err
			}
		}
		line := ConformanceLine{JobID: jobID, OrderLine: job.OrderLine}
		if at := slices.IndexFunc(given, func(l ConformanceLine) bool { return l.JobID == jobID }); at >= 0 {
			line.OrderLine, line.Remarks = cmp.Or(given[at].OrderLine, job.OrderLine), given[at].Remarks
		}
		line.PartNumber, line.Revision, line.Description = job.Part(), job.PartRevision, job.Name
		line.Quantity = gathered.Quantity(jobID)
		c.Lines = append(c.Lines, line)
		c.Lang = cmp.Or(c.Lang, job.Language)
		c.CustomerAddress = cmp.Or(c.CustomerAddress, job.CustomerAddress)
		printed := conformance.Line{
			OrderLine: line.OrderLine, PartNumber: line.PartNumber, Description: line.Description, Revision: line.Revision,
			Remarks: line.Remarks,
		}
		gathered.Fill(jobID, &printed)
		paper.Lines = append(paper.Lines, printed)
		if line.PartNumber == "" {
			continue
		}
		article, err := tx.ApprovedFirstArticle(line.PartNumber, line.Revision)
		switch {
		case errors.Is(err, ErrNoRecord):
		case err != nil:
			return err
		case !slices.Contains(paper.Details.FirstArticles, article.ID):
			paper.Details.FirstArticles = append(paper.Details.FirstArticles, article.ID)
		}
	}
	c.Lang, c.Statement = cmp.Or(c.Lang, o.Lang), cmp.Or(c.Statement, o.Statement)
	paper.Organization, paper.Address, paper.SupplierCode = o.Name, o.Address, o.SupplierCode
	return nil
}

// onto returns the paper with the fields of the revision itself.
func (c *Conformance) onto(paper conformance.Paper) conformance.Paper {
	paper.Number, paper.Revision, paper.IssuedAt, paper.Language = c.ID, c.Revision, c.IssuedAt, c.Lang
	paper.Customer, paper.CustomerAddress, paper.OrderNumber = c.Customer, c.CustomerAddress, c.OrderNumber
	paper.Statement, paper.Signed = c.Statement, c.Signed
	return paper
}

// nameOnPaper returns the name that a user had at a time, as papers show it: with the login if the user has one. A request has the login or
// the identifier of a user, or any other name.
func nameOnPaper(tx Tx, named string, at ident.Timestamp) (string, error) {
	if named == "" {
		return "", nil
	}
	for user, err := range tx.Users() {
		if err != nil {
			return "", err
		}
		if user.ID != named && user.Login != named || user.CreatedAt > at {
			continue
		}
		if user.Name, err = nameAt(tx, &user, at); err != nil {
			return "", err
		}
		if user.ID == named || user.Name == named {
			return user.Name, nil
		}
		return user.Name + " (" + named + ")", nil
	}
	return named, nil
}

// nameAt returns the name of a user at a time: the first later change of the name records it.
func nameAt(tx Tx, user *User, at ident.Timestamp) (string, error) {
	for change, err := range tx.ChangesOfUsers() {
		if err != nil {
			return "", err
		}
		if change.Timestamp <= at {
			continue
		}
		var event UserEvent
		if err := trail.ReadMetadata(&change, &event); err != nil {
			return "", err
		}
		if event.UserID == user.ID && event.Before != nil && event.Before.Name != nil {
			return *event.Before.Name, nil
		}
	}
	return user.Name, nil
}

// conformanceEvent is the metadata of an entry about a certificate. Withdrawals have only ConformanceID, Revision, SHA256, Reason and
// State.
type conformanceEvent struct {
	ConformanceID string `json:"conformanceId"`
	*ConformanceIssue
	Revision int                  `json:"revision"`
	SHA256   string               `json:"sha256"`
	Reason   string               `json:"reason,omitempty"`
	Ranges   []SerialSpan         `json:"ranges"`
	Contents trail.ContentsSHA256 `json:"contentsSha256,omitempty"`
	State    trail.ContentsSHA256 `json:"stateSha256"`
}

// store stores and records a revision with its units, which are sorted by number.
func (c *Conformance) store(tx Tx, units []ConformanceUnit, before Conformance) (Conformance, error) {
	action, insert := ActionConformanceIssued, tx.InsertConformance
	if before.ID != "" {
		action, insert = ActionConformanceReissued, tx.ReplaceConformance
	}
	if err := insert(*c); err != nil {
		return *c, err
	}
	ids := make([]string, len(units))
	for i := range units {
		ids[i], units[i].ConformanceID, units[i].Revision = units[i].SerialID, c.ID, c.Revision
	}
	for chunk := range slices.Chunk(units, ChunkSize) {
		if err := tx.InsertConformanceUnits(chunk); err != nil {
			return *c, err
		}
	}
	if err := tx.AppendAudit(c.entry(action, c.IssuedBy, c.IssuedAt, conformanceEvent{
		ConformanceIssue: &c.ConformanceIssue, Revision: c.Revision, SHA256: c.SHA256, Reason: c.Reason,
		Ranges:   SpansOf(tx.SerialPrefix(), ids),
		Contents: c.ConformanceIssue.Contents(units), State: c.State(len(units)),
	})); err != nil {
		return *c, err
	}
	return findConformance(tx, c.ID)
}

// entry returns an entry about the certificate. It is an entry of the job if all units belong to one.
func (c *Conformance) entry(action trail.Action, by string, at ident.Timestamp, told conformanceEvent) trail.Entry {
	told.ConformanceID = c.ID
	entry := trail.Entry{Action: action, UserID: by, Timestamp: at, Metadata: trail.Metadata(told)}
	if len(c.Lines) == 1 {
		entry.JobID = c.Lines[0].JobID
	}
	return entry
}

// WithdrawConformance withdraws a certificate. Its units can be on another one then.
func (s *Service) WithdrawConformance(ctx context.Context, id string, in WithdrawConformanceInput) (Conformance, error) {
	ctx = s.signable(ctx, in, id)
	var after Conformance
	err := s.Commit(ctx, &after, func(tx Tx) (err error) {
		if after, err = s.issuedConformance(ctx, tx, id); err != nil {
			return err
		}
		voiding, err := VoidInput(in).check(CallerOf(ctx), s.Now())
		if err != nil {
			return err
		}
		after.WithdrawnBy, after.WithdrawnAt, after.WithdrawReason = voiding.VoidedBy, voiding.VoidedAt, voiding.VoidReason
		after.UpdatedAt = after.WithdrawnAt
		if err := tx.WithdrawConformance(after); err != nil {
			return err
		}
		units := []string{}
		for unit, err := range tx.UnitsOfConformance(id, after.Revision) {
			if err != nil {
				return err
			}
			units = append(units, unit.SerialID)
		}
		if err := tx.AppendAudit(after.entry(ActionConformanceWithdrawn, after.WithdrawnBy, after.WithdrawnAt, conformanceEvent{
			Revision: after.Revision, SHA256: after.SHA256, Reason: after.WithdrawReason, Ranges: SpansOf(tx.SerialPrefix(), units),
			State: after.State(0),
		})); err != nil {
			return err
		}
		after, err = findConformance(tx, id)
		return err
	})
	return after, err
}

// Papers prints documents. It is safe for concurrent use.
type Papers interface {
	// Conformance returns the PDF of a certificate of conformance. Equal papers have equal bytes.
	Conformance(paper conformance.Paper) ([]byte, error)
	// Logo returns a stored picture in the form that Conformance prints; nil if it cannot be printed.
	Logo(ctx context.Context, digest string) ([]byte, error)
}

// WithPapers makes the service print documents. A service without papers cannot issue certificates of conformance.
func WithPapers(papers Papers) Option {
	return func(s *Service) { s.papers = papers }
}

// printing is the state of printing one document. Its bytes must be stored before the transaction that refers to them, and they have the
// number that the transaction takes. So the transaction is rolled back the first time, with a notStoredError, and runs again after the
// bytes are stored. It prints the same bytes, unless another transaction took the number or changed the records meanwhile.
type printing struct {
	at     ident.Timestamp // when the document is issued, the same in each run
	stored map[string]File
	logos  map[string][]byte
}

// notStoredError says what must be read or stored before the transaction can commit.
type notStoredError struct {
	logo     string // digest; "" for none
	document []byte
}

func (e *notStoredError) Error() string { return "a document is not stored yet" }

// printAttempts is the number of runs of a transaction whose document other transactions keep changing.
const printAttempts = 20

// printed runs a Commit whose transaction prints a document. result points to the result of the operation. A repeat under a key stores no
// document.
func (s *Service) printed(ctx context.Context, result any, commit func(*printing) error) error {
	if done, err := s.DoneBefore(ctx, result); done || err != nil {
		return err
	}
	if s.papers == nil {
		return errors.New("this service prints no documents")
	}
	p := &printing{at: s.Now(), stored: map[string]File{}, logos: map[string][]byte{}}
	for range printAttempts {
		err := commit(p)
		wanting, ok := errors.AsType[*notStoredError](err)
		if !ok {
			return err
		}
		Again(ctx)
		if wanting.logo != "" {
			if p.logos[wanting.logo], err = s.papers.Logo(ctx, wanting.logo); err != nil {
				return err
			}
			continue
		}
		file, err := s.keepBytes(ctx, bytes.NewReader(wanting.document))
		if err != nil {
			return err
		}
		p.stored[file.SHA256] = file
	}
	return refusal.Refuse(refusal.ServiceBusy)
}

// print returns the stored file with the document of a paper.
func (s *Service) print(ctx context.Context, tx Tx, p *printing, paper conformance.Paper, logo string) (File, error) {
	if s.signing != nil && signedRequestOf(ctx).show {
		return File{}, nil // the signers see the request, and nothing is committed
	}
	if logo != "" {
		picture, read := p.logos[logo]
		if !read {
			return File{}, &notStoredError{logo: logo}
		}
		paper.Logo = picture
	}
	document, err := s.papers.Conformance(paper)
	if err != nil {
		return File{}, err
	}
	file, stored := p.stored[digestOf(document)]
	if !stored {
		return file, &notStoredError{document: document}
	}
	kept, err := tx.File(file.SHA256)
	if err == nil && kept.State != FileKept {
		err = &notStoredError{document: document}
	}
	return file, err
}

func digestOf(document []byte) string {
	digest := sha256.Sum256(document)
	return hex.EncodeToString(digest[:])
}
