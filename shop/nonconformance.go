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

// Nonconformance is a report that units do not conform, with the disposition of each unit.
type Nonconformance struct {
	ID          string               `json:"id"`
	Title       string               `json:"title"`
	Description string               `json:"description,omitempty"`
	Severity    Severity             `json:"severity"`
	StepID      string               `json:"stepId,omitempty"` // where the defect was found
	Status      NonconformanceStatus `json:"status"`
	OpenedBy    string               `json:"openedBy"`
	OpenedAt    ident.Timestamp      `json:"openedAt"`
	ClosedBy    string               `json:"closedBy,omitempty"`
	ClosedAt    ident.Timestamp      `json:"closedAt,omitzero"`
	Summary     string               `json:"summary,omitempty"`
	Units       []NonconformingUnit  `json:"units"` // in the order of their numbers
}

// Severity is the severity of a nonconformance.
type Severity string

// Values of Severity.
const (
	Minor    Severity = "minor"
	Major    Severity = "major"
	Critical Severity = "critical"
)

// Severities returns all severities in the order of the interface.
func Severities() []Severity { return []Severity{Minor, Major, Critical} }

// NonconformanceStatus is the status of a report: open or closed.
type NonconformanceStatus string

// Values of NonconformanceStatus.
const (
	ReportOpen   NonconformanceStatus = "open"
	ReportClosed NonconformanceStatus = "closed"
)

// NonconformanceStatuses returns all statuses of a report.
func NonconformanceStatuses() []NonconformanceStatus {
	return []NonconformanceStatus{ReportOpen, ReportClosed}
}

// HoldReason is the reason of holds that the report places.
func (n *Nonconformance) HoldReason() string { return n.ID + ": " + n.Title }

// OpenNonconformanceInput is the body of Open Nonconformance.
type OpenNonconformanceInput struct {
	Title       input.TextInput `field:"title"`
	Description input.TextInput `field:"description"`
	Severity    input.TextInput `field:"severity"`
	Selection   SelectionInput  // missing for a report without units
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

// missing reports whether the request has no selection. Only some operations permit that.
func (in SelectionInput) missing() bool {
	return in.SerialIDs.Missing() && in.Ranges.Missing() && in.Where.Missing()
}

// OpenNonconformance opens a report about units, and holds the units if requested.
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
			Description      string       `json:"description"` // never omitted: the trail also records an empty description
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

// CloseNonconformance closes a report that has no undecided units and no unit in rework or repair.
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

// refuseClose refuses to close a report and identifies the unit that keeps it open.
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

// entry returns an entry about the report itself.
func (n *Nonconformance) entry(action trail.Action, userID string, now ident.Timestamp, told any) trail.Entry {
	return trail.Entry{Action: action, UserID: userID, Timestamp: now, StepID: n.StepID, Metadata: trail.Metadata(told)}
}

// NonconformanceID returns the identifier of the report with a number, counted from 1: NCR-00012.
func NonconformanceID(number int64) string {
	return fmt.Sprintf("%s%05d", prefixNonconformance, number)
}

// ParseNonconformanceID returns the number in a report's identifier. It returns false unless NonconformanceID could have created the
// text.
func ParseNonconformanceID(id string) (int64, bool) {
	return ident.ParseNumbered(id, prefixNonconformance)
}

// FindNonconformance returns a report, or the refusal that it does not exist.
func FindNonconformance(tx NonconformanceStore, id string) (Nonconformance, error) {
	report, err := tx.Nonconformance(id)
	return report, OrNotFound(err, NameNonconformance, id)
}

// findOpenNonconformance is FindNonconformance, but refuses a closed report: it cannot be changed.
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

// Nonconformance implements Get Nonconformance.
func (s *Service) Nonconformance(ctx context.Context, id string) (Nonconformance, error) {
	var report Nonconformance
	err := s.store.View(ctx, func(tx Reader) (err error) {
		report, err = readReport(tx, id)
		return OrNotFound(err, NameNonconformance, id)
	})
	return report, err
}

// NonconformanceQuery selects reports. Empty fields do not restrict the list.
type NonconformanceQuery struct {
	Status   NonconformanceStatus `query:"status"`
	SerialID string               `query:"serialId"` // of a unit on the report
	JobID    string               `query:"jobId"`    // of a job with a unit on the report
	Before   string               `query:"before"`   // identifier of the last report on the previous page; "" for the first page
	Limit    int                  `query:"limit"`    // 1 to SearchLimit; 0 for SearchDefault
}

// Check refuses an unknown status. It does not check Before: the list does.
func (q NonconformanceQuery) Check() error {
	if q.Status != "" && !slices.Contains(NonconformanceStatuses(), q.Status) {
		return input.NotOneOf("status", NonconformanceStatuses())
	}
	return nil
}

// NonconformancePage is one page of reports, newest first. Next is the value of Before for the next page.
type NonconformancePage = Page[Nonconformance]

// UnitsPerPage is the maximum number of units on a page of reports, unless the first report alone has more.
const UnitsPerPage = 10_000

// Nonconformances returns a page of reports, newest first. The page has fewer reports than the limit if they have many units.
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

// Reports returns a page of reports without their units, and the unit figures of each report.
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
	if len(heads) > limit { // the extra one shows that there is a next page
		heads, next = heads[:limit], heads[limit-1].ID
	}
	ids := make([]string, len(heads))
	for i := range heads {
		ids[i] = heads[i].ID
	}
	figures, err = tx.UnitFigures(ids)
	return heads, figures, next, err
}

// UnitFigures counts the units of a report.
type UnitFigures struct {
	Units   int
	Decided int // of these, units with a disposition; an undone scrap does not count
	Waiting int // units that await a disposition: neither decided nor scrapped
}

// NonconformanceStore lists the database operations for reports.
type NonconformanceStore interface {
	TakeNonconformanceNumber() (int64, error)
	InsertNonconformance(report Nonconformance) error // without units
	InsertNonconformingUnits(id string, units []NonconformingUnit) error
	// Nonconformance returns a report with its units.
	Nonconformance(id string) (Nonconformance, error)
	// UnitOnReports returns the unit as it is on each of its reports, by the identifier of the report.
	UnitOnReports(serialID string) (map[string]NonconformingUnit, error)
	// DisposeUnits records the disposition of up to a thousand units of a report.
	DisposeUnits(id string, serialIDs []string, decided NonconformingUnit) error
	CloseNonconformance(report Nonconformance) error
	// Nonconformances returns reports without their units, newest first, at most query.Limit.
	Nonconformances(query NonconformanceQuery) ([]Nonconformance, error)
	// UnitStandings returns the status and position of the units of a report, in the order of their numbers.
	UnitStandings(id string) ([]UnitStanding, error)
	// UnitFigures counts the units of up to a thousand reports.
	UnitFigures(ids []string) (map[string]UnitFigures, error)
}

// Names of nonconformance reports in the tables of records, operations and actions.
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

// Reasons to refuse a change of a nonconformance report.
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
