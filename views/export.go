package views

import (
	"bytes"
	"cmp"
	"context"
	"encoding/json"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Export is all that a search finds, as a table. It is read row by row, in short transactions, so that nobody waits for a slow
// reader, and a row is as it was when it was read.
type Export struct {
	Columns []string
	// Rows yields the rows, each with a cell for every column, in a slice that the next row may use again. The last thing yielded may
	// be an error.
	Rows iter.Seq2[[]sheet.Cell, error]
}

// exportColumn is a column of the exports of a kind of records: the name of a field of the interface, and what a record has in it.
type exportColumn[T any] struct {
	name string
	cell func(*T) sheet.Cell
}

// jobColumns are the columns of jobs: those of Job, and what its units come to.
func jobColumns() []exportColumn[JobOverview] {
	type job = JobOverview
	return []exportColumn[job]{
		{"id", func(j *job) sheet.Cell { return sheet.Text(j.ID) }},
		{"name", func(j *job) sheet.Cell { return sheet.Text(j.Name) }},
		{"goalQuantity", func(j *job) sheet.Cell { return sheet.Number(j.GoalQuantity) }},
		{"partNumber", func(j *job) sheet.Cell { return sheet.Given(j.PartNumber) }},
		{"partRevision", func(j *job) sheet.Cell { return sheet.Given(j.PartRevision) }},
		{"customer", func(j *job) sheet.Cell { return sheet.Given(j.Customer) }},
		{"orderNumber", func(j *job) sheet.Cell { return sheet.Given(j.OrderNumber) }},
		{"description", func(j *job) sheet.Cell { return sheet.Given(j.Description) }},
		{"dueDate", func(j *job) sheet.Cell { return sheet.Given(j.DueDate) }},
		{"priority", func(j *job) sheet.Cell { return sheet.GivenNumber(j.Priority) }},
		{"trackerTicketKey", func(j *job) sheet.Cell { return sheet.Given(j.TicketKey) }},
		{"trackerTicketSummary", func(j *job) sheet.Cell { return sheet.Given(j.TicketSummary) }},
		{"trackerPartNumber", func(j *job) sheet.Cell { return sheet.Given(j.TicketPart) }},
		{"trackerPriority", func(j *job) sheet.Cell { return sheet.Given(j.TicketPriority) }},
		{"trackerEpicLink", func(j *job) sheet.Cell { return sheet.Given(j.EpicLink) }},
		{"trackerLabels", func(j *job) sheet.Cell {
			if j.Labels == nil {
				return sheet.Cell{}
			}
			return jsonCell(*j.Labels)
		}},
		{"createdAt", func(j *job) sheet.Cell { return timeCell(j.CreatedAt) }},
		{"updatedAt", func(j *job) sheet.Cell { return timeCell(j.UpdatedAt) }},
		{"externalId", func(j *job) sheet.Cell { return sheet.Given(j.ExternalID) }},
		{"totalSerials", func(j *job) sheet.Cell { return sheet.Number(j.Progress.TotalSerials) }},
		{"completedSerials", func(j *job) sheet.Cell { return sheet.Number(j.Progress.CompletedSerials) }},
		{"inProgressSerials", func(j *job) sheet.Cell { return sheet.Number(j.Progress.InProgressSerials) }},
		{"scrappedSerials", func(j *job) sheet.Cell { return sheet.Number(j.Progress.ScrappedSerials) }},
		{"late", func(j *job) sheet.Cell { return sheet.GivenFlag(j.Late) }},
		{"closedAt", func(j *job) sheet.Cell { return timeCell(j.ClosedAt) }},
		{"closedBy", func(j *job) sheet.Cell { return sheet.Given(j.ClosedBy) }},
		{"closeReason", func(j *job) sheet.Cell { return sheet.Given(j.CloseReason) }},
		{"gtin", func(j *job) sheet.Cell { return sheet.Given(j.GTIN) }},
	}
}

// serialColumns are the columns of units: those of a row of a page of the list of units.
func serialColumns() []exportColumn[SerialRow] {
	return []exportColumn[SerialRow]{
		{"id", func(r *SerialRow) sheet.Cell { return sheet.Text(r.ID) }},
		{"serialNumber", func(r *SerialRow) sheet.Cell { return sheet.Given(r.SerialNumber) }},
		{"jobId", func(r *SerialRow) sheet.Cell { return sheet.Text(r.JobID) }},
		{"pathId", func(r *SerialRow) sheet.Cell { return sheet.Text(r.PathID) }},
		{"jobName", func(r *SerialRow) sheet.Cell { return sheet.Text(r.JobName) }},
		{"pathName", func(r *SerialRow) sheet.Cell { return sheet.Text(r.PathName) }},
		{"currentStepIndex", func(r *SerialRow) sheet.Cell { return sheet.Number(r.CurrentStepIndex) }},
		{"currentStepName", func(r *SerialRow) sheet.Cell { return sheet.Text(r.CurrentStepName) }},
		{"assignedTo", func(r *SerialRow) sheet.Cell { return sheet.Given(r.AssignedTo) }},
		{"status", func(r *SerialRow) sheet.Cell { return sheet.Text(r.Status.DisplayStatus()) }},
		{"scrapReason", func(r *SerialRow) sheet.Cell { return sheet.Given(r.ScrapReason) }},
		{"forceCompleted", func(r *SerialRow) sheet.Cell { return sheet.GivenFlag(r.ForceCompleted) }},
		{"createdAt", func(r *SerialRow) sheet.Cell { return timeCell(r.CreatedAt) }},
		{"held", func(r *SerialRow) sheet.Cell { return sheet.Flag(r.Held) }},
		{"completedAt", func(r *SerialRow) sheet.Cell { return timeCell(r.CompletedAt) }},
		{"updatedAt", func(r *SerialRow) sheet.Cell { return timeCell(r.UpdatedAt) }},
		{"partNumber", func(r *SerialRow) sheet.Cell { return sheet.Given(r.PartNumber) }},
		{"externalId", func(r *SerialRow) sheet.Cell { return sheet.Given(r.ExternalID) }},
	}
}

// visitColumns are the columns of visits: those of Visit.
func visitColumns() []exportColumn[shop.Visit] {
	type visit = shop.Visit
	return []exportColumn[visit]{
		{"serialId", func(v *visit) sheet.Cell { return sheet.Text(v.SerialID) }},
		{"jobId", func(v *visit) sheet.Cell { return sheet.Text(v.JobID) }},
		{"pathId", func(v *visit) sheet.Cell { return sheet.Text(v.PathID) }},
		{"stepId", func(v *visit) sheet.Cell { return sheet.Text(v.StepID) }},
		{"stepName", func(v *visit) sheet.Cell { return sheet.Text(v.StepName) }},
		{"stepOrder", func(v *visit) sheet.Cell { return sheet.Number(v.StepOrder) }},
		{"pass", func(v *visit) sheet.Cell { return sheet.Number(v.Pass) }},
		{"status", func(v *visit) sheet.Cell { return sheet.Text(v.Status) }},
		{"enteredAt", func(v *visit) sheet.Cell { return timeCell(v.EnteredAt) }},
		{"leftAt", func(v *visit) sheet.Cell { return timeCell(v.LeftAt) }},
		{"leftBy", func(v *visit) sheet.Cell { return sheet.Given(v.LeftBy) }},
	}
}

// entryColumns are the columns of the audit trail: those of trail.Entry.
func entryColumns() []exportColumn[trail.Entry] {
	type entry = trail.Entry
	return []exportColumn[entry]{
		{"id", func(e *entry) sheet.Cell { return sheet.Text(e.ID) }},
		{"action", func(e *entry) sheet.Cell { return sheet.Text(e.Action) }},
		{"userId", func(e *entry) sheet.Cell { return sheet.Text(e.UserID) }},
		{"timestamp", func(e *entry) sheet.Cell { return timeCell(e.Timestamp) }},
		{"serialId", func(e *entry) sheet.Cell { return sheet.Given(e.SerialID) }},
		{"certId", func(e *entry) sheet.Cell { return sheet.Given(e.CertID) }},
		{"jobId", func(e *entry) sheet.Cell { return sheet.Given(e.JobID) }},
		{"pathId", func(e *entry) sheet.Cell { return sheet.Given(e.PathID) }},
		{"stepId", func(e *entry) sheet.Cell { return sheet.Given(e.StepID) }},
		{"fromStepId", func(e *entry) sheet.Cell { return sheet.Given(e.FromStepID) }},
		{"toStepId", func(e *entry) sheet.Cell { return sheet.Given(e.ToStepID) }},
		{"batchQuantity", func(e *entry) sheet.Cell { return sheet.GivenNumber(e.BatchQuantity) }},
		{"metadata", func(e *entry) sheet.Cell { return storedCell(e.Metadata) }},
		{"actor", func(e *entry) sheet.Cell { return sheet.Given(e.Actor) }},
		{"means", func(e *entry) sheet.Cell { return sheet.Given(e.Means) }},
	}
}

// certificateColumns are the columns of certificates: those of Certificate.
func certificateColumns() []exportColumn[shop.Certificate] {
	type certificate = shop.Certificate
	return []exportColumn[certificate]{
		{"id", func(c *certificate) sheet.Cell { return sheet.Text(c.ID) }},
		{"type", func(c *certificate) sheet.Cell { return sheet.Text(c.Type) }},
		{"name", func(c *certificate) sheet.Cell { return sheet.Text(c.Name) }},
		{"metadata", func(c *certificate) sheet.Cell { return storedCell(c.Metadata) }},
		{"createdAt", func(c *certificate) sheet.Cell { return timeCell(c.CreatedAt) }},
		{"externalId", func(c *certificate) sheet.Cell { return sheet.Given(c.ExternalID) }},
	}
}

// userColumns are the columns of users: those of User.
func userColumns() []exportColumn[shop.User] {
	return []exportColumn[shop.User]{
		{"id", func(u *shop.User) sheet.Cell { return sheet.Text(u.ID) }},
		{"name", func(u *shop.User) sheet.Cell { return sheet.Text(u.Name) }},
		{"department", func(u *shop.User) sheet.Cell { return sheet.Given(u.Department) }},
		{"active", func(u *shop.User) sheet.Cell { return sheet.Flag(u.Active) }},
		{"createdAt", func(u *shop.User) sheet.Cell { return timeCell(u.CreatedAt) }},
		{"login", func(u *shop.User) sheet.Cell { return sheet.Given(u.Login) }},
		{"roles", func(u *shop.User) sheet.Cell {
			if len(u.Roles) == 0 {
				return sheet.Cell{}
			}
			return jsonCell(u.Roles)
		}},
		{"kind", func(u *shop.User) sheet.Cell { return sheet.Given(u.Kind) }},
		{"externalId", func(u *shop.User) sheet.Cell { return sheet.Given(u.ExternalID) }},
	}
}

// timeCell has an instant as the interface writes it, and nothing for 0.
func timeCell(at ident.Timestamp) sheet.Cell {
	if at == 0 {
		return sheet.Cell{}
	}
	return sheet.Text(at.String())
}

func jsonCell(texts []string) sheet.Cell {
	var text strings.Builder
	encoder := json.NewEncoder(&text)
	encoder.SetEscapeHTML(false)
	_ = encoder.Encode(texts) //nolint:errchkjson // texts
	return sheet.JSON(strings.TrimSuffix(text.String(), "\n"))
}

// storedCell has a JSON object as it is stored, without the white space in it. What somebody made something else of is a text.
func storedCell(stored json.RawMessage) sheet.Cell {
	if len(stored) == 0 {
		return sheet.Cell{}
	}
	var compact bytes.Buffer
	if json.Compact(&compact, stored) != nil {
		return sheet.Text(string(stored))
	}
	return sheet.JSON(compact.String())
}

// exported makes the table of some records.
func exported[T any](columns []exportColumn[T], records iter.Seq2[T, error]) Export {
	export := Export{Columns: make([]string, len(columns))}
	for i, column := range columns {
		export.Columns[i] = column.name
	}
	export.Rows = func(yield func([]sheet.Cell, error) bool) {
		row := make([]sheet.Cell, len(columns))
		for record, err := range records {
			if err != nil {
				yield(nil, err)
				return
			}
			for i := range columns {
				row[i] = columns[i].cell(&record)
			}
			if !yield(row, nil) {
				return
			}
		}
	}
	return export
}

// jobsAtOnce is how many jobs of an export are counted together.
const jobsAtOnce = 500

// ExportJobs exports the jobs that SearchJobs finds, newest first.
func (v *Views) ExportJobs(ctx context.Context, query JobQuery) Export {
	return exported(jobColumns(), shop.Stream(ctx, v.store.Look, func(tx Reader) iter.Seq2[JobOverview, error] {
		return func(yield func(JobOverview, error) bool) {
			if err := v.eachJob(tx, query, func(job *JobOverview) bool { return yield(*job, nil) }); err != nil {
				yield(JobOverview{}, err)
			}
		}
	}))
}

// eachJob yields the jobs that a search finds, newest first, with how far they have come.
func (v *Views) eachJob(tx Reader, query JobQuery, yield func(*JobOverview) bool) error {
	query.Sort, query.After = JobsByCreated, ""
	search, err := query.check()
	if err != nil {
		return err
	}
	return v.eachFound(tx, search, jobsAtOnce, true, yield)
}

// ExportSerials exports the units that SearchSerials finds: the oldest first, or, when the query says where they are, path by path.
func (v *Views) ExportSerials(ctx context.Context, query SerialQuery) Export {
	return exported(serialColumns(), shop.Stream(ctx, v.store.Look, func(tx Reader) iter.Seq2[SerialRow, error] {
		return func(yield func(SerialRow, error) bool) {
			if err := eachSerial(tx, query, func(row SerialRow) bool { return yield(row, nil) }); err != nil {
				yield(SerialRow{}, err)
			}
		}
	}))
}

func eachSerial(tx Reader, query SerialQuery, yield func(SerialRow) bool) error {
	query.Before = ""
	search, filter, err := query.check()
	if err != nil {
		return err
	}
	places := []Place{{Position: AnyPosition}}
	if filter != (PlaceFilter{}) {
		if places, err = tx.Places(filter, math.MaxInt32); err != nil {
			return err
		}
		slices.Reverse(places)
	}
	numbers := search.Numbers
	if numbers == nil {
		numbers = []ident.NumberRange{{First: 1, Last: math.MaxInt64}}
	}
	slices.SortFunc(numbers, func(a, b ident.NumberRange) int { return cmp.Compare(a.First, b.First) })
	if search.OwnNumber != "" {
		if numbers, err = numberedWithin(tx, search.OwnNumber, numbers); err != nil {
			return err
		}
	}
	reading := serialReading{tx: tx, query: SerialListQuery{Status: search.Status}, routes: map[string]*listedRoute{}}
	for _, place := range places {
		for _, within := range numbers {
			if goOn, err := reading.eachAt(place, within, yield); err != nil || !goOn {
				return err
			}
		}
	}
	return nil
}

// eachAt yields the rows of the units at a place with numbers in a range, by number, and reports whether there is more to be done.
func (r *serialReading) eachAt(place Place, within ident.NumberRange, yield func(SerialRow) bool) (goOn bool, err error) {
	for {
		units, err := r.tx.UnitsWithin(place.PathID, within, ListPageLimit)
		if err != nil {
			return false, err
		}
		for i := range units {
			if place.Position != AnyPosition && units[i].Position != place.Position {
				continue
			}
			row, shown, err := r.row(&units[i])
			if err != nil || shown && !yield(row) {
				return false, err
			}
		}
		if len(units) < ListPageLimit {
			return true, nil
		}
		within.First = units[len(units)-1].Number + 1
	}
}

// ExportVisits exports when every serial came to each step and left it, oldest serial first.
func (v *Views) ExportVisits(ctx context.Context, query shop.VisitQuery) Export {
	return exported(visitColumns(), v.shop.AllVisits(ctx, query))
}

// ExportAudit exports the entries that SearchAudit finds, newest first.
func (v *Views) ExportAudit(ctx context.Context, query AuditQuery) Export {
	query.Before, query.Limit = "", shop.NoLimit
	return exported(entryColumns(), v.SearchAudit(ctx, query))
}

// CertificateQuery says which certificates to find. The zero CertificateQuery is for all.
type CertificateQuery struct {
	Text string `query:"q"` // part of the name, the identifier or the metadata, whatever its case
}

// ExportCertificates exports the certificates that a search finds, newest first.
func (v *Views) ExportCertificates(ctx context.Context, query CertificateQuery) Export {
	text := strings.ToLower(strings.TrimSpace(query.Text))
	return exported(certificateColumns(), shop.Stream(ctx, v.store.Look, func(tx Reader) iter.Seq2[shop.Certificate, error] {
		return func(yield func(shop.Certificate, error) bool) {
			for certificate, err := range tx.CertificatesBefore("") {
				if (err != nil || certificateHas(&certificate, text)) && !yield(certificate, err) {
					return
				}
			}
		}
	}))
}

// UserQuery says which users to find. The zero UserQuery is for all.
type UserQuery struct {
	Active bool `query:"active"` // only the active ones
}

// ExportUsers exports users by name, in byte order.
func (v *Views) ExportUsers(ctx context.Context, query UserQuery) Export {
	return exported(userColumns(), v.shop.Users(ctx, !query.Active))
}
