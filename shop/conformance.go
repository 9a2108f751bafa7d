package shop

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// ConformanceStatus is the status of a revision of a certificate of conformance.
type ConformanceStatus string

// The statuses. The newest revision is issued or withdrawn, and all earlier ones are superseded.
const (
	ConformanceIssued     ConformanceStatus = "issued"
	ConformanceSuperseded ConformanceStatus = "superseded"
	ConformanceWithdrawn  ConformanceStatus = "withdrawn"
)

// CurrentConformanceStatuses returns the statuses that a newest revision can have.
func CurrentConformanceStatuses() []ConformanceStatus {
	return []ConformanceStatus{ConformanceIssued, ConformanceWithdrawn}
}

// Conformance is a certificate of conformance: a statement to a customer that units conform to the order. It has the fields of its newest
// revision. Nothing changes a revision or its PDF.
type Conformance struct {
	ID     string            `json:"id"`
	Status ConformanceStatus `json:"status"`
	ConformanceIssue
	WithdrawnBy    string                `json:"withdrawnBy,omitempty"`
	WithdrawnAt    ident.Timestamp       `json:"withdrawnAt,omitzero"`
	WithdrawReason string                `json:"withdrawReason,omitempty"`
	Revisions      []ConformanceRevision `json:"revisions"` // oldest first; never nil in responses
	UpdatedAt      ident.Timestamp       `json:"updatedAt"`
}

// ConformanceIssue is one revision.
type ConformanceIssue struct {
	ConformanceID   string            `json:"-"`
	Revision        int               `json:"revision"` // counted from 1
	Customer        string            `json:"customer"`
	CustomerAddress string            `json:"customerAddress,omitempty"`
	OrderNumber     string            `json:"orderNumber"`
	ShipmentID      string            `json:"shipmentId,omitempty"`
	Lines           []ConformanceLine `json:"lines"` // one for each job of the units
	Units           int               `json:"units"`
	Statement       string            `json:"statement,omitempty"` // "" for the usual statement
	Lang            string            `json:"lang"`                // of the PDF: see workorder.Languages
	SHA256          string            `json:"sha256"`              // of the PDF
	Size            int64             `json:"size"`
	Signed          bool              `json:"signed"`           // whether the releaser signed electronically
	Reason          string            `json:"reason,omitempty"` // why it replaces the revision before
	IssuedBy        string            `json:"issuedBy"`
	IssuedAt        ident.Timestamp   `json:"issuedAt"`
}

// ConformanceLine has the units of one job.
type ConformanceLine struct {
	JobID       string `json:"jobId"`
	OrderLine   string `json:"orderLine,omitempty"`
	PartNumber  string `json:"partNumber,omitempty"`
	Description string `json:"description"`
	Revision    string `json:"revision,omitempty"`
	Quantity    int    `json:"quantity"`
	Remarks     string `json:"remarks,omitempty"`
}

// ConformanceRevision says when and why a revision was issued.
type ConformanceRevision struct {
	Revision int               `json:"revision"`
	Status   ConformanceStatus `json:"status"`
	SHA256   string            `json:"sha256"`
	Reason   string            `json:"reason,omitempty"`
	IssuedBy string            `json:"issuedBy"`
	IssuedAt ident.Timestamp   `json:"issuedAt"`
}

// ConformanceUnit is a unit on a revision. Open says that the revision is issued: the unit is on no other such revision in this pass.
type ConformanceUnit struct {
	ConformanceID string `json:"-"`
	Revision      int    `json:"-"`
	SerialID      string `json:"serialId"`
	SerialNumber  string `json:"serialNumber,omitempty"` // own number; only lists of units have it
	JobID         string `json:"jobId,omitempty"`        // only lists of units have it
	Pass          int    `json:"pass"`
	Open          bool   `json:"-"`
}

// UnitConformance is a revision that a unit is on, with the digest of its PDF.
type UnitConformance struct {
	ID       string            `json:"id"`
	Revision int               `json:"revision"`
	Status   ConformanceStatus `json:"status"`
	Pass     int               `json:"pass"`
	SHA256   string            `json:"sha256"`
	IssuedAt ident.Timestamp   `json:"issuedAt"`
}

// key identifies the revision among all revisions.
func (i *ConformanceIssue) key() string { return ConformanceIssueKey(i.ConformanceID, i.Revision) }

// ConformanceIssueKey identifies a revision of a certificate.
func ConformanceIssueKey(id string, revision int) string { return id + "/" + strconv.Itoa(revision) }

// Contents is the SHA-256 of the contents that the entry of the revision records. units are the units of the revision by number.
func (i *ConformanceIssue) Contents(units []ConformanceUnit) trail.ContentsSHA256 {
	type unit struct {
		SerialID string `json:"serialId"`
		Pass     int    `json:"pass"`
	}
	on := make([]unit, len(units))
	for at := range units {
		on[at] = unit{units[at].SerialID, units[at].Pass}
	}
	return trail.ContentsOf([]any{i.ConformanceID, i, on})
}

// State is the SHA-256 of what changes of a certificate, which each entry about it records. open is the number of its open units.
func (c *Conformance) State(open int) trail.ContentsSHA256 {
	return trail.ContentsOf([]any{c.ID, c.Revision, open, c.WithdrawnBy, c.WithdrawnAt, c.WithdrawReason})
}

// ConformanceID returns the identifier of the certificate with a number, counted from 1: COC-00012.
func ConformanceID(number int64) string { return fmt.Sprintf("%s%05d", prefixConformance, number) }

// ParseConformanceID returns the number in a certificate's identifier. It returns false unless ConformanceID could have created the text.
func ParseConformanceID(id string) (int64, bool) { return ident.ParseNumbered(id, prefixConformance) }

func findConformance(tx ConformanceStore, id string) (Conformance, error) {
	found, err := tx.Conformance(id)
	if err != nil {
		return found, OrNotFound(err, NameConformance, id)
	}
	all := []Conformance{found}
	err = AddConformanceRevisions(tx, all)
	return all[0], err
}

// AddConformanceRevisions adds their revisions to certificates.
func AddConformanceRevisions(tx ConformanceStore, certificates []Conformance) error {
	if len(certificates) == 0 {
		return nil
	}
	ids, at := make([]string, len(certificates)), make(map[string]*Conformance, len(certificates))
	for i := range certificates {
		ids[i], at[certificates[i].ID] = certificates[i].ID, &certificates[i]
		certificates[i].Revisions = []ConformanceRevision{}
	}
	issues, err := tx.ConformanceIssues(ids)
	for _, issue := range issues {
		of := at[issue.ConformanceID]
		revision := ConformanceRevision{issue.Revision, ConformanceSuperseded, issue.SHA256, issue.Reason, issue.IssuedBy, issue.IssuedAt}
		if issue.Revision == of.Revision {
			revision.Status = of.Status
		}
		of.Revisions = append(of.Revisions, revision)
	}
	return err
}

// Conformance returns a certificate of conformance.
func (s *Service) Conformance(ctx context.Context, id string) (found Conformance, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		found, err = findConformance(tx, id)
		return err
	})
	return found, err
}

// ConformanceDocument returns the digest of the PDF of a revision, the newest for revision 0.
func (s *Service) ConformanceDocument(ctx context.Context, id string, revision int) (string, error) {
	found, err := s.Conformance(ctx, id)
	if err != nil {
		return "", err
	}
	if revision == 0 {
		return found.SHA256, nil
	}
	at := slices.IndexFunc(found.Revisions, func(r ConformanceRevision) bool { return r.Revision == revision })
	if at < 0 {
		return "", NameConformance.NotFound(ConformanceIssueKey(id, revision))
	}
	return found.Revisions[at].SHA256, nil
}

// ConformanceQuery selects certificates of conformance.
type ConformanceQuery struct {
	Text     string            `query:"q"`      // part of the number, the customer or the order number
	Status   ConformanceStatus `query:"status"` // of the newest revision
	Customer string            `query:"customer"`
	JobID    string            `query:"jobId"`    // of units on the newest revision
	SerialID string            `query:"serialId"` // of a unit on the newest revision
	Before   string            `query:"before"`   // the id of the last certificate on the previous page; "" for the first page
	Limit    int               `query:"limit"`    // 1 to SearchLimit; 0 for SearchDefault
}

// ConformancePage is one page of certificates, newest first. Next is the value of Before for the next page.
type ConformancePage = Page[Conformance]

// Check refuses unknown words.
func (q ConformanceQuery) Check() error {
	if q.Status != "" && !slices.Contains(CurrentConformanceStatuses(), q.Status) {
		return input.NotOneOf("status", CurrentConformanceStatuses())
	}
	return nil
}

// Conformances returns one page of certificates, newest first.
func (s *Service) Conformances(ctx context.Context, query ConformanceQuery) (page ConformancePage, err error) {
	if err := cmp.Or(query.Check(), input.CheckBefore(query.Before, prefixConformance)); err != nil {
		return page, err
	}
	limit := input.PageLimit(query.Limit)
	query.Text, query.Limit = strings.TrimSpace(query.Text), limit+1
	err = s.store.View(ctx, func(tx Reader) error {
		found, err := tx.Conformances(query)
		if err != nil {
			return err
		}
		page = pageOf(found, limit, func(c *Conformance) string { return c.ID })
		return AddConformanceRevisions(tx, page.Items)
	})
	return page, err
}

// UnitsOfConformance yields the units of the newest revision, in the order of their numbers.
func (s *Service) UnitsOfConformance(ctx context.Context, id string) iter.Seq2[ConformanceUnit, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[ConformanceUnit, error] {
		found, err := tx.Conformance(id)
		if err != nil {
			return failed[ConformanceUnit](OrNotFound(err, NameConformance, id))
		}
		return tx.UnitsOfConformance(id, found.Revision)
	})
}

// ConformancesOfUnit returns all revisions that a unit is on, oldest first, also superseded and withdrawn ones. It returns none for an
// unknown unit.
func (s *Service) ConformancesOfUnit(ctx context.Context, serialID string) (on []UnitConformance, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		on, err = tx.ConformancesOfUnit(serialID)
		return err
	})
	return on, err
}

// unitPass is a unit in one of its passes.
type unitPass struct {
	serialID string
	pass     int
}

// openOn returns the issued certificates that up to a thousand units are on.
func openOn(tx ConformanceStore, serialIDs []string) (map[unitPass]string, error) {
	open, err := tx.OpenConformances(serialIDs)
	on := make(map[unitPass]string, len(open))
	for i := range open {
		on[unitPass{open[i].SerialID, open[i].Pass}] = open[i].ConformanceID
	}
	return on, err
}

// UncertifiedUnits returns the completed units of a job that are on no issued certificate in their pass, at most as many as a selection can
// have.
func (s *Service) UncertifiedUnits(ctx context.Context, jobID string) (ids []string, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		numbers, err := tx.SerialsWhere(SerialFilter{JobID: jobID, Status: card.Completed}, selectionLimit)
		if err != nil {
			return err
		}
		all := make([]string, len(numbers))
		for i, number := range numbers {
			all[i] = tx.SerialPrefix().SerialID(number)
		}
		ids = nil
		return eachThousand(ctx, tx, all, func(chunk []string, cards map[string]card.Card) error {
			on, err := openOn(tx, chunk)
			for _, id := range chunk {
				if unit := cards[id]; on[unitPass{id, unit.Serial.Pass()}] == "" {
					ids = append(ids, id)
				}
			}
			return err
		})
	})
	return ids, err
}

// JobsOfUnits returns the jobs of units, or those of the units of a shipment to a customer that did not come back, in the order of units.
// It ignores units that do not exist.
func (s *Service) JobsOfUnits(ctx context.Context, ids []string, shipmentID string) (jobs []Job, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		jobs = nil
		if shipmentID != "" {
			if ids, err = s.delivered(tx, shipmentID); err != nil {
				return err
			}
		}
		return eachThousand(ctx, tx, ids, func(chunk []string, cards map[string]card.Card) error {
			for _, id := range chunk {
				of := cards[id].Serial.JobID
				if of == "" || slices.ContainsFunc(jobs, func(known Job) bool { return known.ID == of }) {
					continue
				}
				job, err := FindJob(tx, of)
				if err != nil {
					return err
				}
				jobs = append(jobs, job)
			}
			return nil
		})
	})
	return jobs, err
}

// ConformanceStore has the database functions for certificates of conformance.
type ConformanceStore interface {
	TakeConformanceNumber() (int64, error)
	// InsertConformance stores a new certificate with its first revision, without units. It marks the file of the PDF as attached.
	InsertConformance(made Conformance) error
	// ReplaceConformance stores the next revision of a certificate, and closes the units of the revision before.
	ReplaceConformance(after Conformance) error
	// WithdrawConformance stores who withdrew a certificate, and closes its units.
	WithdrawConformance(after Conformance) error
	// Conformance returns a certificate without Revisions.
	Conformance(id string) (Conformance, error)
	Conformances(query ConformanceQuery) ([]Conformance, error) // newest first, without Revisions
	// AllConformances yields certificates, oldest first. They have only ID, Revision, UpdatedAt and who withdrew them, when and why.
	AllConformances() iter.Seq2[Conformance, error]
	ConformanceIssues(ids []string) ([]ConformanceIssue, error) // of up to a thousand certificates, oldest first
	// AllConformanceIssues yields all revisions, by certificate and revision. Size is 0 without an equal file of the PDF.
	AllConformanceIssues() iter.Seq2[ConformanceIssue, error]

	// InsertConformanceUnits stores up to a thousand units. It returns ErrDuplicate if one of the open units is open already in this pass.
	InsertConformanceUnits(units []ConformanceUnit) error
	// UnitsOfConformance yields the units of a revision, in the order of their numbers.
	UnitsOfConformance(id string, revision int) iter.Seq2[ConformanceUnit, error]
	// OpenConformances returns the open rows of up to a thousand units, in any order.
	OpenConformances(serialIDs []string) ([]ConformanceUnit, error)
	// OpenUnitsOfConformance returns the number of open units of a certificate.
	OpenUnitsOfConformance(id string) (int, error)
	// ConformancesOfUnit returns the revisions that a unit is on, oldest first.
	ConformancesOfUnit(serialID string) ([]UnitConformance, error)
	// CertificatesOfUnits returns the certificates of up to a thousand units, as CertificatesOfSerial does, each once, in the order of
	// their identifiers.
	CertificatesOfUnits(serialIDs []string) ([]Certificate, error)
}

// Names of certificates of conformance in the tables of nouns.go.
const (
	RecordConformance      ident.RecordKind = "conformance"
	RecordConformanceIssue ident.RecordKind = "conformanceRevision"

	NameConformance refusal.RecordName = "Conformance"

	prefixConformance = "COC-"

	OpIssueConformance    Operation = "issue-conformance"
	OpReissueConformance  Operation = "reissue-conformance"
	OpWithdrawConformance Operation = "withdraw-conformance"

	AboutConformance Subject = "conformance"

	SignConformance SignedOperation = "conformance"

	ActionConformanceIssued    trail.Action = "conformance_issued"
	ActionConformanceReissued  trail.Action = "conformance_reissued"
	ActionConformanceWithdrawn trail.Action = "conformance_withdrawn"
)

// Reasons for refusing to issue or change certificates of conformance. DecideScrapped and the reasons of shipments refuse units.
var (
	SelectionOrShipment = refusal.NewReason(refusal.Invalid, "exactly_one_selection_or_shipment",
		"Exactly one of serialIds, ranges, where, shipmentId is required")
	OnConformance         = refusal.NewReason(refusal.Invalid, "on_conformance", "{serialId} is on {conformance} already")
	ConformanceNotIssued  = refusal.NewReason(refusal.Invalid, "conformance_withdrawn", "Conformance {conformance} is withdrawn")
	ConformanceLineTwice  = refusal.NewReason(refusal.Invalid, "line_twice", "{field}: {jobId} is listed more than once")
	ConformanceLineEmpty  = refusal.NewReason(refusal.Invalid, "line_without_unit", "{field}: no unit of {jobId} is selected")
	ShipmentNotToCustomer = refusal.NewReason(refusal.Invalid, "shipment_not_to_customer", "Shipment {shipment} is not to a customer")
)

var conformanceNoun = noun{
	records: []Record{
		{
			Kind: RecordConformance, Names: named(NameConformance), Prefix: prefixConformance, Table: "conformance",
			Tagged: true, Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told conformanceEvent
				err := trail.ReadMetadata(entry, &told)
				return told.ConformanceID, told.State, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return func(yield func(Kept, error) bool) {
					for one, err := range tx.AllConformances() {
						open := 0
						if err == nil {
							open, err = tx.OpenUnitsOfConformance(one.ID)
						}
						if !yield(Kept{one.ID, one.State(open)}, err) {
							return
						}
					}
				}
			},
		},
		{
			Kind: RecordConformanceIssue, Table: "conformance_revision", Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told conformanceEvent
				err := trail.ReadMetadata(entry, &told)
				return ConformanceIssueKey(told.ConformanceID, told.Revision), told.Contents, err
			},
			Kept: keptConformanceIssues,
		},
	},
	operations: []operationRow{
		{operation: OpIssueConformance, permission: Decide, subject: AboutConformance, signed: SignConformance},
		{operation: OpReissueConformance, permission: Decide, subject: AboutConformance, signed: SignConformance},
		{operation: OpWithdrawConformance, permission: Decide, subject: AboutConformance, signed: SignConformance},
	},
	actions: []actionRow{
		{
			action: ActionConformanceIssued, of: []ident.RecordKind{RecordConformance, RecordConformanceIssue},
			signed: SignConformance,
		},
		{
			action: ActionConformanceReissued, of: []ident.RecordKind{RecordConformance, RecordConformanceIssue},
			signed: SignConformance,
		},
		{action: ActionConformanceWithdrawn, of: only(RecordConformance), signed: SignConformance},
	},
}

// keptConformanceIssues yields the revisions with the hashes of their contents, which include their units.
func keptConformanceIssues(tx Tx) iter.Seq2[Kept, error] {
	return func(yield func(Kept, error) bool) {
		for issue, err := range tx.AllConformanceIssues() {
			var units []ConformanceUnit
			if err == nil {
				for unit, failed := range tx.UnitsOfConformance(issue.ConformanceID, issue.Revision) {
					if err = failed; err != nil {
						break
					}
					units = append(units, unit)
				}
			}
			if !yield(Kept{issue.key(), issue.Contents(units)}, err) {
				return
			}
		}
	}
}
