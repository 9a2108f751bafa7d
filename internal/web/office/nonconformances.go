package office

import (
	"crypto/sha256"
	"fmt"
	"html/template"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// ReportPage is the sheet of a nonconformance.
type ReportPage struct {
	site.Frame
	site.Past
	views.ReportSheet
	Shown        views.SheetQuery
	Dispositions []shop.Disposition
	Reasons      []card.ScrapReason
	Files        site.FilesPart
	Orders       map[string]views.WorkOrder // by job
}

// unitsListed is the maximum number of a report's units on one page, because a report can have very many units.
const unitsListed = 200

func showReport(v *site.Visit) error { return renderReport(v, http.StatusOK, nil) }

func renderReport(v *site.Visit, status int, refused *site.Problem) error {
	query := v.R.URL.Query()
	wanted := views.SheetQuery{Waiting: query.Get("show") == "waiting", From: query.Get("from"), Limit: unitsListed}
	page, err := loadReport(v, wanted)
	if err != nil {
		return err
	}
	page.Rejected, page.Shown = refused, wanted
	return v.Show(status, "nonconformance", page)
}

func printReport(v *site.Visit) error {
	page, err := loadReport(v, views.SheetQuery{})
	if err != nil {
		return err
	}
	return v.Show(http.StatusOK, "nonconformanceprint", page)
}

func loadReport(v *site.Visit, wanted views.SheetQuery) (*ReportPage, error) {
	ctx, id := v.R.Context(), v.R.PathValue("id")
	sheet, err := v.Views.ReportSheet(ctx, id, wanted)
	if err != nil {
		return nil, err
	}
	page := &ReportPage{
		Frame: v.FrameOf(id+" "+sheet.Report.Title, "nonconformances"), ReportSheet: sheet,
		Dispositions: shop.Dispositions(), Reasons: shop.ScrapReasons(),
	}
	if page.Files, err = site.FilesOf(v, shop.FileSubject{Kind: shop.RecordNonconformance, ID: id}); err != nil {
		return nil, err
	}
	jobs := site.IDsOf(page.Units, func(unit *views.UnitOnReport) string { return unit.JobID })
	if page.Orders, err = v.Views.JobOrders(ctx, jobs); err != nil {
		return nil, err
	}
	page.NamesThen, err = v.Views.PastNames(ctx, nil)
	return page, err
}

// Here is the address of the units on this page.
func (p *ReportPage) Here() string { return p.unitsFrom(p.Shown.From, p.Shown.Waiting) }

// More is the address of the next units.
func (p *ReportPage) More() string { return p.unitsFrom(p.Next, p.Shown.Waiting) }

// Others is the address of all units if the page shows only waiting ones, and vice versa.
func (p *ReportPage) Others() string { return p.unitsFrom("", !p.Shown.Waiting) }

// Long reports whether the units take more than one page.
func (p *ReportPage) Long() bool { return len(p.Report.Units) > unitsListed }

func (p *ReportPage) unitsFrom(first string, waiting bool) string {
	query := url.Values{}
	if first != "" {
		query.Set("from", first)
	}
	if waiting {
		query.Set("show", "waiting")
	}
	return "/nonconformances/" + p.Report.ID + strings.TrimSuffix("?"+query.Encode(), "?")
}

// UnitLine is a group of consecutive units with the same details in print.
type UnitLine struct {
	views.UnitOnReport
	Units string
}

// Lines groups the units for print.
func (p *ReportPage) Lines() []UnitLine {
	var lines []UnitLine
	for i := 0; i < len(p.Units); {
		end := i + 1
		for end < len(p.Units) && site.Follows(p.Units[end-1].SerialID, p.Units[end].SerialID) && alike(&p.Units[i], &p.Units[end]) {
			end++
		}
		line := UnitLine{p.Units[i], p.Units[i].SerialID}
		if end > i+1 {
			line.Units = p.T("{first} to {last}", "first", line.Units, "last", p.Units[end-1].SerialID)
		}
		lines = append(lines, line)
		i = end
	}
	return lines
}

// alike reports whether two units have the same details in print.
func alike(a, b *views.UnitOnReport) bool {
	one, other := a.NonconformingUnit, b.NonconformingUnit
	one.SerialID, one.FoundAt = other.SerialID, other.FoundAt
	return one == other && a.Status == b.Status && a.Step == b.Step && a.JobName == b.JobName && a.Decided == b.Decided &&
		slices.EqualFunc(a.Held, b.Held, func(a, b card.Hold) bool {
			return a.Reason == b.Reason && a.NonconformanceID == b.NonconformanceID
		}) &&
		slices.EqualFunc(a.Released, b.Released, func(a, b card.Hold) bool {
			return a.ReleasedBy == b.ReleasedBy && a.ReleasedAt == b.ReleasedAt && a.ReleaseReason == b.ReleaseReason
		})
}

// Closable reports whether the report can be closed.
func (p *ReportPage) Closable() bool { return p.Open == nil }

// WhyOpen explains why the report, or one of its units, cannot be closed.
func (p *ReportPage) WhyOpen(open error) template.HTML {
	return p.Called(wording.Told(p.Language, open))
}

// TargetStep is a step to which units can be sent back: its index, and its names on their routes.
type TargetStep struct {
	Place int
	Names string
}

// StepsRead is a digest of the steps on the units' routes. The form for sending units back contains it.
func (p *ReportPage) StepsRead() string { return stepsRead(p.Paths) }

func stepsRead(paths []card.Path) string {
	var ids []any
	for i := range paths {
		ids = append(ids, paths[i].ID)
		for _, step := range paths[i].Steps {
			ids = append(ids, step.ID)
		}
	}
	return site.AsRead(ids...)
}

// stepsAsRead refuses a decision that sends units back if the steps have changed since the form was rendered.
func stepsAsRead(v *site.Visit, id string) error {
	sheet, err := v.Views.ReportSheet(v.R.Context(), id, views.SheetQuery{Limit: 1})
	if err != nil || v.Form.Get("stepsRead") == stepsRead(sheet.Paths) {
		return err
	}
	if repeated, err := v.Service.Repeated(v.R.Context()); repeated || err != nil {
		return err // a repeated request gets the result of the first one
	}
	return refusal.Refuse(wording.StepsChanged)
}

// Targets returns the steps to which units can be sent back.
func (p *ReportPage) Targets() []TargetStep {
	var targets []TargetStep
	for _, path := range p.Paths {
		for i, step := range path.Steps {
			switch {
			case i == len(targets):
				targets = append(targets, TargetStep{i, step.Name})
			case !strings.Contains(" / "+targets[i].Names+" / ", " / "+step.Name+" / "):
				targets[i].Names += " / " + step.Name
			}
		}
	}
	return targets
}

var (
	openForm    = site.FormOf[shop.OpenNonconformanceInput]()
	addForm     = site.FormOf[shop.AddToNonconformanceInput]()
	disposeForm = site.FormOf[shop.DispositionInput]()
	closeForm   = site.FormOf[shop.CloseNonconformanceInput]()
)

func changeReport(v *site.Visit) error {
	id, do := v.R.PathValue("id"), v.Form.Get("do")
	done, err := "", v.Named()
	if err == nil {
		switch do {
		case "dispose":
			var asked bool
			if done, asked, err = disposeOf(v, id); asked {
				return err
			}
		case "add":
			done, err = addToReport(v, id)
		case "close":
			in := closeForm.Read(v.Form)
			in.UserID = v.User()
			_, err = v.Service.CloseNonconformance(v.R.Context(), id, in)
			done = v.T("{report} is closed.", "report", id)
		default:
			return v.Back("/nonconformances/"+id, "")
		}
	}
	if err != nil {
		return v.Again(do, err, renderReport)
	}
	v.Remember()
	address := "/nonconformances/" + id
	if query := v.R.URL.RawQuery; query != "" { // show the same units again
		address += "?" + query
	}
	return v.Back(address, done)
}

// disposeOf decides on the ticked units, or on all units that wait for a decision. Before it scraps units, it asks for confirmation and
// returns asked as true.
func disposeOf(v *site.Visit, id string) (done string, asked bool, err error) {
	units, err := toDecide(v, id)
	if err != nil {
		return "", false, err
	}
	if len(units) == 0 && v.Form.Get("all") == "" {
		return "", false, errNothingTicked()
	}
	disposition := shop.Disposition(v.Form.Get("disposition"))
	in := disposeForm.Read(v.Form)
	in.SerialIDs, in.UserID = input.GivenTexts(units...), v.User()
	if !disposition.NeedsConcession() { // the hidden field may contain text that was typed for another decision
		in.Concession = input.TextInput{}
	}
	if disposition == shop.Rework || disposition == shop.Repair {
		if err := stepsAsRead(v, id); err != nil {
			return "", false, err
		}
	}
	if disposition == shop.ScrapIt && !v.Sure() {
		if err := in.Check(shop.CallerOf(v.R.Context()), id); err != nil {
			return "", false, err
		}
		v.Form.Del("serial")
		v.Form.Del("all")
		v.Form.Set(seenField, site.AllUnits(units)) // the units that the user has seen, even if other units wait by then
		scrapped := lang.Words(v.Language, v.Form.Get("scrapReason"))
		reason := strings.TrimSpace(v.T("Reason: {reason}.", "reason", scrapped) + " " + v.Form.Get("reason"))
		return "", true, v.Confirm("nonconformances", v.TN(len(units), "Scrap {n} unit?", "Scrap {n} units?"),
			v.TN(len(units), "Scrap {n} unit", "Scrap {n} units"), "/nonconformances/"+id, shop.SignDisposition,
			unitList(v.Language, units), reason)
	}
	_, err = v.Service.DisposeNonconformance(v.R.Context(), id, in)
	return decided(v, disposition, len(units)), false, err
}

// decided reports a decision about units.
func decided(v *site.Visit, disposition shop.Disposition, units int) string {
	switch disposition {
	case shop.UseAsIs:
		return v.TN(units, "{n} unit: use as is.", "{n} units: use as is.")
	case shop.Rework:
		return v.TN(units, "{n} unit: rework.", "{n} units: rework.")
	case shop.Repair:
		return v.TN(units, "{n} unit: repair.", "{n} units: repair.")
	case shop.ScrapIt:
		return v.TN(units, "{n} unit: scrap.", "{n} units: scrap.")
	case shop.ReturnToSupplier:
		return v.TN(units, "{n} unit: return to supplier.", "{n} units: return to supplier.")
	}
	return "" // the operation has refused it
}

// seenField contains the units that the user saw on a confirmation page.
const seenField = "seen"

// toDecide returns the units to decide on. These are the ticked units, all waiting units if they are still the same, or the units on the
// page that confirms a scrap.
func toDecide(v *site.Visit, id string) ([]string, error) {
	switch {
	case v.Form.Has(seenField):
		spans, err := site.UnitSpans(v.SerialPrefix(), v.Form.Get(seenField))
		if err != nil {
			return nil, err
		}
		return site.UnitsIn(v.SerialPrefix(), spans), nil
	case v.Form.Get("all") != "":
		return allWaiting(v, id)
	}
	return v.Form["serial"], nil
}

// allWaiting returns all units that wait for a decision, if they are the ones that the user saw on the page.
func allWaiting(v *site.Visit, id string) ([]string, error) {
	sheet, err := v.Views.ReportSheet(v.R.Context(), id, views.SheetQuery{Limit: 1})
	if err != nil || v.Form.Get("all") == seenUnits(sheet.Waiting) {
		return sheet.Waiting, err
	}
	if repeated, err := v.Service.Repeated(v.R.Context()); repeated || err != nil {
		return sheet.Waiting, err // the first request has decided and other units wait now: return the first result again
	}
	message := v.TN(len(sheet.Waiting), "Other units wait for a decision now: {n} unit. Nothing was done. Look again.",
		"Other units wait for a decision now: {n} units. Nothing was done. Look again.")
	if seen, _, ok := strings.Cut(v.Form.Get("all"), "/"); ok && seen != strconv.Itoa(len(sheet.Waiting)) {
		message = v.TN(len(sheet.Waiting), "{n} unit waits for a decision by now, not {seen}. Nothing was done. Look again.",
			"{n} units wait for a decision by now, not {seen}. Nothing was done. Look again.", "seen", v.Language.Number(seen))
	}
	return nil, refusal.Refuse(wording.OthersWait, message)
}

// seenUnits identifies a set of units in a form by their number and a digest.
func seenUnits(units []string) string {
	digest := sha256.Sum256([]byte(strings.Join(units, " ")))
	return fmt.Sprintf("%d/%x", len(units), digest[:8])
}

// AllWaiting is the value of the box for all waiting units.
func (p *ReportPage) AllWaiting() string { return seenUnits(p.Waiting) }

func addToReport(v *site.Visit, id string) (string, error) {
	in := addForm.Read(v.Form)
	in.UserID = v.User()
	var err error
	if in.Selection, err = site.TypedUnits(v, v.Form.Get("units")); err != nil {
		return "", err
	}
	_, err = v.Service.AddToNonconformance(v.R.Context(), id, in)
	return v.T("Units put on {report}.", "report", id), err
}

// NewReportPage is the form that opens a nonconformance report.
type NewReportPage struct {
	site.Frame
	Units      string // as the user typed them
	All        string // all units at a step, in the board's format; "" for those in Units
	AllName    string
	PathID     string
	Path       *card.Path // nil if the units are on several routes, or if their route is unknown
	StepID     string
	Severities []shop.Severity
}

func newReport(v *site.Visit) error {
	query := v.R.URL.Query()
	units := query.Get("units")
	if ticked := query["serial"]; len(ticked) > 0 {
		units = site.AllUnits(ticked)
	}
	return askReport(v, http.StatusOK, nil, units, query.Get("all"), query.Get("path"), query.Get("step"))
}

func askReport(v *site.Visit, status int, refused *site.Problem, units, all, pathID, stepID string) error {
	page := &NewReportPage{
		Frame: v.Frame("Report a nonconformance", "nonconformances"), Units: units, All: all, PathID: pathID, StepID: stepID,
		Severities: shop.Severities(),
	}
	page.Rejected = refused
	if refused == nil {
		own, err := site.LoadOwnNumbers(v, units)
		if err != nil {
			return err
		}
		page.Units = own.In(page.Prefix, units)
	}
	if pathID != "" {
		detail, err := v.Service.Path(v.R.Context(), pathID)
		if err != nil {
			return err
		}
		page.Path = &detail.Path
	}
	if all != "" {
		_, count, err := allHere(page.Path, all)
		if err != nil {
			return err
		}
		page.AllName = v.TN(count, "The only unit at this step of {route}", "All {n} units at this step of {route}",
			"route", page.Path.Name)
	}
	return v.Show(status, "nonconformancenew", page)
}

// allHere reads the board's value for all units at a step. It consists of the index of the step and the number of units that the page
// showed.
func allHere(path *card.Path, all string) (selection shop.SelectionInput, count int64, err error) {
	place, seen, _ := strings.Cut(all, "/")
	step, stepErr := strconv.Atoi(place)
	count, countErr := strconv.ParseInt(seen, 10, 64)
	if path == nil || stepErr != nil || countErr != nil || step < 0 || step >= len(path.Steps) {
		return selection, 0, refusal.Refuse(wording.NoSuchUnits, all)
	}
	return shop.SelectionInput{
		Where: input.Given(shop.FilterInput{
			PathID: input.Given(path.ID), StepID: input.Given(path.Steps[step].ID),
			Status: input.Given(string(card.InProgress)),
		}),
		ExpectedCount: input.Given(float64(count)),
	}, count, nil
}

func openReport(v *site.Visit) error {
	id, err := "", v.Named()
	if err == nil {
		id, err = openReportTyped(v)
	}
	if err != nil {
		return v.Again("open", err, func(v *site.Visit, status int, refused *site.Problem) error {
			return askReport(v, status, refused, v.Form.Get("units"), v.Form.Get("all"), v.Form.Get("path"), v.Form.Get("stepId"))
		})
	}
	v.Remember()
	return v.Back("/nonconformances/"+id, v.T("{report} is open.", "report", id))
}

func openReportTyped(v *site.Visit) (string, error) {
	in := openForm.Read(v.Form)
	in.UserID = v.User()
	var err error
	if all := v.Form.Get("all"); all != "" {
		detail, pathErr := v.Service.Path(v.R.Context(), v.Form.Get("path"))
		if pathErr != nil {
			return "", pathErr
		}
		in.Selection, _, err = allHere(&detail.Path, all)
	} else {
		in.Selection, err = site.TypedUnits(v, v.Form.Get("units"))
	}
	if err != nil {
		return "", err
	}
	report, err := v.Service.OpenNonconformance(v.R.Context(), in)
	return report.ID, err
}

// askedReport responds with the form that opens a report for the chosen units. It does not redirect, because an address cannot hold so many
// units.
func askedReport(v *site.Visit) error {
	units := chosenUnits(v)
	if units.empty() {
		return v.Again("board"+units.PathID, errNothingTicked(), renderJob)
	}
	if units.All {
		return askReport(v, http.StatusOK, nil, "", fmt.Sprintf("%d/%d", units.Step, units.Count), units.PathID, "")
	}
	ids := make([]string, len(units.Ticks))
	for i, tick := range units.Ticks {
		ids[i] = tick.Serial
	}
	return askReport(v, http.StatusOK, nil, site.AllUnits(ids), "", units.PathID, "")
}
