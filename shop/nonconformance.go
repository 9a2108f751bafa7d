package shop

import (
	"context"
	"fmt"
	"slices"

	"github.com/routecard/routecard/shop/card"
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

// Severities returns all severities in the order in which the HTTP API lists them.
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
	Recall      RecallInput     `field:"recall"`
	StepID      input.TextInput `field:"stepId"`
	Hold        input.FlagInput `field:"hold"`
	UserID      input.TextInput `field:"userId"`
}

func (in OpenNonconformanceInput) check(prefix ident.Prefix, caller Caller) (report Nonconformance, units addition, err error) {
	in.Selection.Recall = in.Recall
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
		if units.selection, err = in.Selection.check(prefix); err != nil {
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
	return in.SerialIDs.Missing() && in.Ranges.Missing() && in.Where.Missing() && in.Recall.Missing()
}

// OpenNonconformance opens a report about units, and holds the units if requested.
func (s *Service) OpenNonconformance(ctx context.Context, in OpenNonconformanceInput) (Nonconformance, error) {
	opened, units, err := in.check(s.SerialPrefix(), CallerOf(ctx))
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
			found, err := units.selection.choose(ctx, tx, true)
			if err != nil {
				return err
			}
			ids = found.serialIDs
			if err := units.refuse(ctx, tx, ids); err != nil {
				return err
			}
		}
		report, err = s.openReport(ctx, tx, report, ids, units, s.Now())
		return err
	})
	return report, err
}

// openReport stores and records a new report about units, which are checked.
func (s *Service) openReport(
	ctx context.Context, tx Tx, report Nonconformance, ids []string, units addition, now ident.Timestamp,
) (Nonconformance, error) {
	number, err := tx.TakeNonconformanceNumber()
	if err != nil {
		return report, err
	}
	report.ID, report.OpenedAt = NonconformanceID(number), now
	if err := tx.InsertNonconformance(report); err != nil {
		return report, err
	}
	if err := tx.AppendAudit(report.entry(ActionNonconformanceOpened, report.OpenedBy, report.OpenedAt, struct {
		NonconformanceID string       `json:"nonconformanceId"`
		Title            string       `json:"title"`
		Description      string       `json:"description"` // never omitted: the trail also records an empty description
		Severity         Severity     `json:"severity"`
		Ranges           []SerialSpan `json:"ranges"`
	}{report.ID, report.Title, report.Description, report.Severity, SpansOf(s.SerialPrefix(), ids)})); err != nil {
		return report, err
	}
	if err := s.putOnReport(ctx, tx, report, ids, units, report.OpenedAt); err != nil {
		return report, err
	}
	return tx.Nonconformance(report.ID)
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

// FindNonconformance returns a report, or a refusal if it does not exist.
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
	SerialID string               `query:"serialId"` // a unit on the report
	JobID    string               `query:"jobId"`    // a job with a unit on the report
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
	page := pageOf(heads, limit, func(head *Nonconformance) string { return head.ID })
	heads, next = page.Items, page.Next
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

// NonconformingUnit is a serial on a report, with its disposition.
type NonconformingUnit struct { //nolint:recvcheck // TellTakenBack modifies it; the rules receive a copy
	SerialID    string          `json:"serialId"`
	Disposition Disposition     `json:"disposition,omitempty"`
	DecidedBy   string          `json:"decidedBy,omitempty"`
	DecidedAt   ident.Timestamp `json:"decidedAt,omitzero"`
	Reason      string          `json:"reason,omitempty"`
	Concession  string          `json:"concession,omitempty"`
	TakenBack   TakenBack       `json:"takenBack,omitzero"` // who undid the disposition; see TellTakenBack
	FoundAt     int             `json:"-"`                  // index in the path of the step where the defect was found
}

// addition is a validated request to add units to a report.
type addition struct {
	selection Selection
	none      bool // the request has no selection
	hold      bool
	by        string
}

// AddToNonconformanceInput is the body of Add Serials to Nonconformance.
type AddToNonconformanceInput struct {
	Selection SelectionInput
	Hold      input.FlagInput `field:"hold"`
	UserID    input.TextInput `field:"userId"`
}

func (in AddToNonconformanceInput) check(prefix ident.Prefix, caller Caller) (units addition, err error) {
	if units.selection, err = in.Selection.check(prefix); err != nil {
		return units, err
	}
	if units.hold, err = input.OptionalFlag("hold", in.Hold); err != nil {
		return units, err
	}
	units.by, err = requiredUser(caller, in.UserID)
	return units, err
}

// AddToNonconformance adds units to a report. Units that are on the report already stay unchanged.
func (s *Service) AddToNonconformance(ctx context.Context, id string, in AddToNonconformanceInput) (Nonconformance, error) {
	var report Nonconformance
	if err := in.Selection.takeMemory(ctx); err != nil {
		return report, err
	}
	err := s.Commit(ctx, &report, func(tx Tx) (err error) {
		if report, err = findOpenNonconformance(tx, id); err != nil {
			return err
		}
		units, err := in.check(tx.SerialPrefix(), CallerOf(ctx))
		if err != nil {
			return err
		}
		ids, err := units.selection.resolve(tx)
		if err != nil {
			return err
		}
		on := report.UnitsByID()
		ids = slices.DeleteFunc(ids, func(serialID string) bool { return on[serialID] != nil })
		if len(ids) == 0 {
			return TellTakenBack(tx, &report)
		}
		if len(report.Units)+len(ids) > selectionLimit {
			return errTooMany()
		}
		if err := tx.LockSerials(ids); err != nil {
			return err
		}
		if err := units.refuse(ctx, tx, ids); err != nil {
			return err
		}
		now := s.Now()
		if err := tx.AppendAudit(report.entry(ActionNonconformanceExtended, units.by, now, struct {
			NonconformanceID string       `json:"nonconformanceId"`
			Ranges           []SerialSpan `json:"ranges"`
		}{id, SpansOf(tx.SerialPrefix(), ids)})); err != nil {
			return err
		}
		if err := s.putOnReport(ctx, tx, report, ids, units, now); err != nil {
			return err
		}
		report, err = readReport(tx, id)
		return err
	})
	return report, err
}

// eachThousand looks up the cards of serials, up to a thousand at a time.
func eachThousand(
	ctx context.Context, tx CardStore, ids []string, visit func(chunk []string, cards map[string]card.Card) error,
) error {
	for chunk := range slices.Chunk(ids, ChunkSize) {
		if err := ctx.Err(); err != nil {
			return err
		}
		cards, err := tx.RouteCards(chunk)
		if err != nil {
			return err
		}
		if err := visit(chunk, cards); err != nil {
			return err
		}
	}
	return nil
}

// refuse returns the refusal if a unit cannot be added to a report. It checks all units before anything is written, so that a refused
// request costs no write.
func (a addition) refuse(ctx context.Context, tx CardStore, ids []string) error {
	return eachThousand(ctx, tx, ids, func(chunk []string, cards map[string]card.Card) error {
		for _, id := range chunk {
			unit, exists := cards[id]
			if !exists {
				return NameSerial.NotFound(id)
			}
			if err := card.CheckCard(unit); err != nil {
				return err
			}
			if err := card.RefusePlacingHold(unit); err != nil && a.hold {
				return Refusal{SerialID: id, Err: err}.decisive()
			}
		}
		return nil
	})
}

// putOnReport adds serials to a report and, if requested, holds them. The serials must not be on the report yet.
func (s *Service) putOnReport(
	ctx context.Context, tx interface {
		BatchStore
		CardStore
		NonconformanceStore
	}, report Nonconformance, ids []string, units addition, now ident.Timestamp,
) error {
	return eachThousand(ctx, tx, ids, func(chunk []string, cards map[string]card.Card) error {
		added := make([]NonconformingUnit, len(chunk))
		var changes []card.Change
		for i, id := range chunk {
			unit := cards[id]
			added[i] = NonconformingUnit{SerialID: id, FoundAt: FoundAt(unit, report.StepID)}
			if units.hold {
				changes = append(changes, card.HoldAt(unit, card.Hold{
					ID: s.NewID(prefixHold), Reason: report.HoldReason(), NonconformanceID: report.ID, PlacedBy: units.by,
				}, now))
			}
		}
		if err := tx.InsertNonconformingUnits(report.ID, added); err != nil {
			return err
		}
		return tx.ChangeCards(changes)
	})
}

// FoundAt returns the index in the path of the step where a unit's defect was found: the step of the report, or the unit's position if
// its path does not have that step.
func FoundAt(card card.Card, stepID string) int {
	if place := card.Path.StepIndex(stepID); place >= 0 {
		return place
	}
	return card.Serial.Position
}

// Open returns why a unit with this status and position keeps its report open; nil if it does not.
func (u NonconformingUnit) Open(status card.SerialStatus, position int) error {
	switch {
	case status == card.Scrapped:
		return nil // scrapped by a disposition or otherwise: no decision is left
	case !u.Decided(status):
		return refusal.Refuse(Undecided, u.SerialID)
	case u.Disposition != Rework && u.Disposition != Repair:
		return nil
	case status == card.Completed || position > u.FoundAt:
		return nil
	}
	return refusal.Refuse(StillReworked, u.SerialID)
}

// Decided reports whether a unit has a disposition. A scrap that was undone does not count.
func (u NonconformingUnit) Decided(status card.SerialStatus) bool {
	return u.Disposition != "" && (!u.Disposition.Conditional() || status == card.Scrapped)
}

// Waits reports whether a unit with this status awaits a disposition.
func (u NonconformingUnit) Waits(status card.SerialStatus) bool {
	return !u.Decided(status) && status != card.Scrapped
}

// ReleasedUndecided reports whether a hold of the report was released without a disposition: before the unit had a disposition, or after
// its last disposition was undone. A disposition that releases holds has the same timestamp as the release.
func (u NonconformingUnit) ReleasedUndecided(hold card.Hold, status card.SerialStatus) bool {
	return !hold.Open() && (!u.Decided(status) || hold.ReleasedAt < u.DecidedAt)
}

// refuseDisposition returns why a unit can no longer get a disposition.
func (u NonconformingUnit) refuseDisposition(status card.SerialStatus) error {
	switch {
	case u.Waits(status):
		return nil
	case u.Decided(status):
		return refusal.Refuse(DecidedBefore, u.SerialID)
	}
	return refusal.Refuse(DecideScrapped, u.SerialID)
}

// UnitsByID indexes the units of a report by their serial.
func (n *Nonconformance) UnitsByID() map[string]*NonconformingUnit {
	units := make(map[string]*NonconformingUnit, len(n.Units))
	for i := range n.Units {
		units[n.Units[i].SerialID] = &n.Units[i]
	}
	return units
}

// SerialsOf returns the identifiers of the units' serials.
func SerialsOf(units []NonconformingUnit) []string {
	ids := make([]string, len(units))
	for i := range units {
		ids[i] = units[i].SerialID
	}
	return ids
}

// SerialSpan is a range of serials in the trail, both ends included, like the ranges in requests.
type SerialSpan struct {
	First string `json:"first"`
	Last  string `json:"last"`
}

// SpansOf combines serials into as few ranges as possible, in the order of their numbers. The ranges contain no other serials.
func SpansOf(prefix ident.Prefix, ids []string) []SerialSpan {
	numbers := make([]int64, 0, len(ids))
	for _, id := range ids {
		if number, ok := prefix.ParseSerialID(id); ok { // no serial has another identifier
			numbers = append(numbers, number)
		}
	}
	slices.Sort(numbers)
	spans := []SerialSpan{}
	for i := 0; i < len(numbers); {
		first := i
		i++
		for i < len(numbers) && numbers[i] <= numbers[i-1]+1 {
			i++
		}
		spans = append(spans, SerialSpan{prefix.SerialID(numbers[first]), prefix.SerialID(numbers[i-1])})
	}
	return spans
}

// UnitStanding is the status and position of a unit on a report.
type UnitStanding struct {
	SerialID string
	PathID   string
	Status   card.SerialStatus
	Position int
}

// NonconformanceStore lists the database operations for reports.
type NonconformanceStore interface {
	TakeNonconformanceNumber() (int64, error)
	InsertNonconformance(report Nonconformance) error // stores the report without units
	InsertNonconformingUnits(id string, units []NonconformingUnit) error
	// Nonconformance returns a report with its units.
	Nonconformance(id string) (Nonconformance, error)
	// UnitOnReports returns what each report on a serial records about the serial, by the identifier of the report.
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
