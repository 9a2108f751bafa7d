package shop

import (
	"context"
	"fmt"
	"slices"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Nonconformance is a report that units are not as they should be, with what was decided about each of them.
type Nonconformance struct {
	ID          string               `json:"id"`
	Title       string               `json:"title"`
	Description string               `json:"description,omitempty"`
	Severity    Severity             `json:"severity"`
	StepID      string               `json:"stepId,omitempty"` // where it was found
	Status      NonconformanceStatus `json:"status"`
	OpenedBy    string               `json:"openedBy"`
	OpenedAt    ident.Timestamp      `json:"openedAt"`
	ClosedBy    string               `json:"closedBy,omitempty"`
	ClosedAt    ident.Timestamp      `json:"closedAt,omitzero"`
	Summary     string               `json:"summary,omitempty"`
	Units       []NonconformingUnit  `json:"units"` // in the order of their numbers
}

// Severity is how bad a nonconformance is.
type Severity string

// The severities.
const (
	Minor    Severity = "minor"
	Major    Severity = "major"
	Critical Severity = "critical"
)

// Severities returns every severity in the interface's order.
func Severities() []Severity { return []Severity{Minor, Major, Critical} }

// NonconformanceStatus is whether a report still waits for something.
type NonconformanceStatus string

// The statuses of a report.
const (
	ReportOpen   NonconformanceStatus = "open"
	ReportClosed NonconformanceStatus = "closed"
)

// NonconformanceStatuses returns every status of a report.
func NonconformanceStatuses() []NonconformanceStatus {
	return []NonconformanceStatus{ReportOpen, ReportClosed}
}

// HoldReason is the reason of the holds that the report places.
func (n *Nonconformance) HoldReason() string { return n.ID + ": " + n.Title }

// OpenNonconformanceInput is the body of Open Nonconformance.
type OpenNonconformanceInput struct {
	Title       input.TextInput `field:"title"`
	Description input.TextInput `field:"description"`
	Severity    input.TextInput `field:"severity"`
	Selection   SelectionInput  // none at all for a report without units
	StepID      input.TextInput `field:"stepId"`
	Hold        input.FlagInput `field:"hold"`
	UserID      input.TextInput `field:"userId"`
}

func (in OpenNonconformanceInput) check(caller Caller) (report Nonconformance, units addition, err error) {
	if report.Title, err = input.RequiredName("title", in.Title); err != nil {
		return report, units, err
	}
	if report.Description, err = input.OptionalWithin("description", in.Description, input.TextLimit); err != nil {
		return report, units, err
	}
	if in.Severity.Missing() {
		return report, units, input.NotOneOf("severity", Severities())
	}
	if report.Severity, err = input.OneOf("severity", in.Severity, Severities()); err != nil {
		return report, units, err
	}
	if units.none = in.Selection.missing(); !units.none {
		if units.selection, err = in.Selection.check(); err != nil {
			return report, units, err
		}
	}
	if report.StepID, err = input.OptionalWithin("stepId", in.StepID, input.NameLimit); err != nil {
		return report, units, err
	}
	if units.hold, err = input.OptionalFlag("hold", in.Hold); err != nil {
		return report, units, err
	}
	report.OpenedBy, err = requiredUser(caller, in.UserID)
	report.Status, units.by = ReportOpen, report.OpenedBy
	return report, units, err
}

// missing reports whether a request has no selection, in an operation where it may be left out.
func (in SelectionInput) missing() bool {
	return in.SerialIDs.Missing() && in.Ranges.Missing() && in.Where.Missing()
}

// OpenNonconformance opens a report about units, and puts them on hold if that is asked for.
func (s *Service) OpenNonconformance(ctx context.Context, in OpenNonconformanceInput) (Nonconformance, error) {
	opened, units, err := in.check(CallerOf(ctx))
	if err != nil {
		return Nonconformance{}, err
	}
	if err := in.Selection.takeMemory(ctx); err != nil {
		return Nonconformance{}, err
	}
	var report Nonconformance
	err = s.Commit(ctx, &report, func(tx Tx) error {
		report = opened
		if report.StepID != "" {
			if _, err := FindPathOfStep(tx, report.StepID); err != nil {
				return err
			}
		}
		var ids []string
		if !units.none {
			if ids, err = units.selection.resolve(tx); err != nil {
				return err
			}
			if err := tx.LockSerials(ids); err != nil {
				return err
			}
			if err := units.refuse(ctx, tx, ids); err != nil {
				return err
			}
		}
		number, err := tx.TakeNonconformanceNumber()
		if err != nil {
			return err
		}
		report.ID, report.OpenedAt = NonconformanceID(number), s.Now()
		if err := tx.InsertNonconformance(report); err != nil {
			return err
		}
		if err := tx.AppendAudit(report.entry(ActionNonconformanceOpened, report.OpenedBy, report.OpenedAt, struct {
			NonconformanceID string       `json:"nonconformanceId"`
			Title            string       `json:"title"`
			Description      string       `json:"description"` // also when there is none, so that the trail tells that
			Severity         Severity     `json:"severity"`
			Ranges           []SerialSpan `json:"ranges"`
		}{report.ID, report.Title, report.Description, report.Severity, spansOf(ids)})); err != nil {
			return err
		}
		if err := s.putOnReport(ctx, tx, report, ids, units, report.OpenedAt); err != nil {
			return err
		}
		report, err = tx.Nonconformance(report.ID)
		return err
	})
	return report, err
}

// CloseNonconformanceInput is the body of Close Nonconformance.
type CloseNonconformanceInput struct {
	Summary input.TextInput `field:"summary"`
	UserID  input.TextInput `field:"userId"`
}

// CloseNonconformance closes a report of which nothing is open any more.
func (s *Service) CloseNonconformance(ctx context.Context, id string, in CloseNonconformanceInput) (Nonconformance, error) {
	var report Nonconformance
	err := s.Commit(ctx, &report, func(tx Tx) (err error) {
		if report, err = findOpenNonconformance(tx, id); err != nil {
			return err
		}
		if err := refuseClose(tx, report); err != nil {
			return err
		}
		if report.Summary, err = input.RequiredWithin("summary", in.Summary, input.TextLimit, refusal.Required); err != nil {
			return err
		}
		if report.ClosedBy, err = requiredUser(CallerOf(ctx), in.UserID); err != nil {
			return err
		}
		if err := TellTakenBack(tx, &report); err != nil {
			return err
		}
		report.Status, report.ClosedAt = ReportClosed, s.Now()
		if err := tx.CloseNonconformance(report); err != nil {
			return err
		}
		return tx.AppendAudit(report.entry(ActionNonconformanceClosed, report.ClosedBy, report.ClosedAt, struct {
			NonconformanceID string `json:"nonconformanceId"`
			Summary          string `json:"summary"`
		}{id, report.Summary}))
	})
	return report, err
}

// refuseClose says which unit keeps a report open.
func refuseClose(tx interface {
	BatchStore
	NonconformanceStore
}, report Nonconformance) error {
	if err := tx.LockSerials(SerialsOf(report.Units)); err != nil {
		return err
	}
	standings, err := tx.UnitStandings(report.ID)
	if err != nil {
		return err
	}
	on := report.UnitsByID()
	for i := range standings {
		if err := on[standings[i].SerialID].Open(standings[i].Status, standings[i].Position); err != nil {
			return err
		}
	}
	return nil
}

// entry is an entry about the report itself.
func (n *Nonconformance) entry(action trail.Action, userID string, now ident.Timestamp, told any) trail.Entry {
	return trail.Entry{Action: action, UserID: userID, Timestamp: now, StepID: n.StepID, Metadata: trail.Metadata(told)}
}

// NonconformanceID returns the identifier of the report with this number, counted from 1: NCR-00012.
func NonconformanceID(number int64) string {
	return fmt.Sprintf("%s%05d", prefixNonconformance, number)
}

// ParseNonconformanceID returns the number in a report's identifier, and false for every text that NonconformanceID does
// not make.
func ParseNonconformanceID(id string) (int64, bool) {
	return ident.ParseNumbered(id, prefixNonconformance)
}

// FindNonconformance returns a report, or the refusal that there is none.
func FindNonconformance(tx NonconformanceStore, id string) (Nonconformance, error) {
	report, err := tx.Nonconformance(id)
	return report, OrNotFound(err, NameNonconformance, id)
}

// findOpenNonconformance is FindNonconformance, and refuses a closed report, which nobody can change any more.
func findOpenNonconformance(tx NonconformanceStore, id string) (Nonconformance, error) {
	report, err := FindNonconformance(tx, id)
	if err == nil {
		err = refuseClosedReport(report.Status)
	}
	return report, err
}

// refuseClosedReport refuses every change of a closed report.
func refuseClosedReport(status NonconformanceStatus) error {
	if status == ReportClosed {
		return refusal.Refuse(NonconformanceClosed)
	}
	return nil
}

// Nonconformance answers Get Nonconformance.
func (s *Service) Nonconformance(ctx context.Context, id string) (Nonconformance, error) {
	var report Nonconformance
	err := s.store.View(ctx, func(tx Reader) (err error) {
		report, err = readReport(tx, id)
		return OrNotFound(err, NameNonconformance, id)
	})
	return report, err
}

// NonconformanceQuery says which reports to list. Empty fields do not narrow.
type NonconformanceQuery struct {
	Status   NonconformanceStatus `query:"status"`
	SerialID string               `query:"serialId"` // which is on it
	JobID    string               `query:"jobId"`    // with a serial of which on it
	Before   string               `query:"before"`   // the identifier of the last report of the page before; "" for the first page
	Limit    int                  `query:"limit"`    // 1 to SearchLimit; 0 for SearchDefault
}

// Check refuses a status that there is not. Before is for the list to judge.
func (q NonconformanceQuery) Check() error {
	if q.Status != "" && !slices.Contains(NonconformanceStatuses(), q.Status) {
		return input.NotOneOf("status", NonconformanceStatuses())
	}
	return nil
}

// NonconformancePage is one page of reports, newest first. Next is what Before has to be for the next page.
type NonconformancePage = Page[Nonconformance]

// UnitsPerPage is how many units the reports of a page have together, unless the first one has more.
const UnitsPerPage = 10_000

// Nonconformances answers reports newest first, a page at a time: fewer than the limit when they have many units.
func (s *Service) Nonconformances(ctx context.Context, query NonconformanceQuery) (NonconformancePage, error) {
	var page NonconformancePage
	err := s.store.View(ctx, func(tx Reader) error {
		heads, figures, next, err := Reports(tx, query)
		if err != nil {
			return err
		}
		page = NonconformancePage{Items: []Nonconformance{}, Next: next}
		units := 0
		for i, head := range heads {
			if units += figures[head.ID].Units; i > 0 && units > UnitsPerPage {
				page.Next = heads[i-1].ID
				break
			}
			report, err := readReport(tx, head.ID)
			if err != nil {
				return err
			}
			page.Items = append(page.Items, report)
		}
		return nil
	})
	return page, err
}

// Reports reads a page of reports without their units, and how many units each has.
func Reports(
	tx NonconformanceStore, query NonconformanceQuery,
) (heads []Nonconformance, figures map[string]UnitFigures, next string, err error) {
	if err := query.Check(); err != nil {
		return nil, nil, "", err
	}
	if err := input.CheckBefore(query.Before, prefixNonconformance); err != nil {
		return nil, nil, "", err
	}
	limit := input.PageLimit(query.Limit)
	query.Limit = limit + 1
	if heads, err = tx.Nonconformances(query); err != nil {
		return nil, nil, "", err
	}
	if len(heads) > limit { // one more told that there is a next page
		heads, next = heads[:limit], heads[limit-1].ID
	}
	ids := make([]string, len(heads))
	for i := range heads {
		ids[i] = heads[i].ID
	}
	figures, err = tx.UnitFigures(ids)
	return heads, figures, next, err
}

// UnitFigures is how many units a report has.
type UnitFigures struct {
	Units   int
	Decided int // of those, how many have a disposition; a scrap that was taken back is none any more
	Waiting int // about how many somebody has to decide: neither decided nor scrapped
}

// NonconformanceStore is what the operations on reports need of a database.
type NonconformanceStore interface {
	TakeNonconformanceNumber() (int64, error)
	InsertNonconformance(report Nonconformance) error // without units
	InsertNonconformingUnits(id string, units []NonconformingUnit) error
	// Nonconformance returns a report with its units.
	Nonconformance(id string) (Nonconformance, error)
	// UnitOnReports returns what each report that a serial is on says of it, by the identifiers of the reports.
	UnitOnReports(serialID string) (map[string]NonconformingUnit, error)
	// DisposeUnits records what was decided about up to a thousand units of a report.
	DisposeUnits(id string, serialIDs []string, decided NonconformingUnit) error
	CloseNonconformance(report Nonconformance) error
	// Nonconformances returns reports without their units, newest first. The query's limit is taken as it is.
	Nonconformances(query NonconformanceQuery) ([]Nonconformance, error)
	// UnitStandings returns where the units of a report stand, in the order of their numbers.
	UnitStandings(id string) ([]UnitStanding, error)
	// UnitFigures counts the units of up to a thousand reports.
	UnitFigures(ids []string) (map[string]UnitFigures, error)
}

// What the tables of the business call nonconformance reports.
const (
	RecordNonconformance ident.RecordKind = "report"

	NameNonconformance refusal.RecordName = "Nonconformance"

	prefixNonconformance = "NCR-"

	OpReport      Operation = "report" // open a nonconformance
	OpDispose     Operation = "dispose"
	OpAddToReport Operation = "add-to-report"
	OpCloseReport Operation = "close-report"

	AboutReport Subject = "report"

	ActionNonconformanceOpened        trail.Action = "nonconformance_opened"
	ActionNonconformanceExtended      trail.Action = "nonconformance_extended"
	ActionNonconformanceDispositioned trail.Action = "nonconformance_dispositioned"
	ActionNonconformanceClosed        trail.Action = "nonconformance_closed"
)

// Why it is refused.
var (
	NotOnReport          = refusal.NewReason(refusal.NotFound, "not_on_report", "{serialId} is not on {nonconformanceId}")
	DecideScrapped       = refusal.NewReason(refusal.Invalid, "serial_scrapped", "{serialId} is scrapped")
	NonconformanceClosed = refusal.NewReason(refusal.Invalid, "nonconformance_closed", "Nonconformance is closed")
	Undecided            = refusal.NewReason(refusal.Invalid, "no_disposition", "{serialId} has no disposition")
	DecidedBefore        = refusal.NewReason(refusal.Invalid, "already_disposed", "{serialId} already has a disposition")
	StillReworked        = refusal.NewReason(refusal.Invalid, "still_reworked", "{serialId} is still being reworked")
)

var nonconformanceNoun = noun{
	records: []Record{
		{
			Kind: RecordNonconformance, Names: named(NameNonconformance), Prefix: prefixNonconformance, Table: "nonconformance",
			Called: []string{"title"}, Detailed: "description", StepColumn: "step_id", Compared: true,
		},
	},
	operations: []operationRow{
		{operation: OpReport, permission: Work, subject: AboutUnit, many: true},
		{operation: OpDispose, permission: Decide, subject: AboutUnit, signed: SignDisposition},
		{operation: OpAddToReport, permission: Work, subject: AboutReport},
		{operation: OpCloseReport, permission: Decide, subject: AboutReport},
	},
	actions: []actionRow{
		{action: ActionNonconformanceOpened, of: only(RecordNonconformance)},
		{action: ActionNonconformanceExtended, of: only(RecordNonconformance)},
		{action: ActionNonconformanceDispositioned, of: only(RecordNonconformance), signed: SignDisposition, whole: true},
		{action: ActionNonconformanceClosed, of: only(RecordNonconformance)},
	},
}
