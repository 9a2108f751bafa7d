package office

import (
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// SerialsPage lists units.
type SerialsPage struct {
	site.Frame
	List     site.ListShown
	Query    views.UnitQuery
	Units    []shop.SerialListItem
	Statuses []card.SerialStatus
	Steps    []string // suggestions; users may type any other name
	Narrowed string   // describes the filters that the form does not show, "" for none
	Keep     []KeptField
	OnHold   map[string]string          // reasons by unit
	Orders   map[string]views.WorkOrder // by job
	Here     *UnitsHere                 // set if the filters consist of one step of a route
}

// UnitsHere describes all units at one step, for the form that changes them: see many.go.
type UnitsHere struct {
	JobID, PathID string
	All           string // the index of the step, and the number of units
	Count         int64
}

// stepChoices is the maximum number of suggested step names.
const stepChoices = 500

// unitFilters are the fields of the address that filter the list of units.
var unitFilters = []string{"q", "status", "step", "hold", "job", "path", "stepId", "since", "until", "reason",
	"heldFor", "heldBy", "first", "last"} //nolint:gochecknoglobals // a table

// serialList is the list of units. An index supports its order and its filters.
func serialList(v *site.Visit) *site.ListKind[shop.SerialListItem] {
	type row = shop.SerialListItem
	return &site.ListKind[row]{
		At: "/serials", One: "{n} unit", Many: "{n} units", Filters: unitFilters, PerPage: input.SearchDefault,
		First: [2]lang.Text{"Newest", "Older units"}, Sorted: [2]lang.Text{"First units", "More units"},
		Key: func(unit row) string { return unit.ID },
		Load: func(v *site.Visit, query url.Values, before string, limit int) ([]row, bool, error) {
			search := unitQuery(v, query)
			search.Before, search.Limit = before, limit
			found, err := v.Views.Units(v.R.Context(), search)
			return found.Items, found.Next != "", err
		},
		Counts: true,
		Sum: func(v *site.Visit, query url.Values, _ []row, _ bool) (site.ListTotals, error) {
			totals, err := v.Views.CountUnits(v.R.Context(), unitQuery(v, query))
			sums := site.Counted([]row{}, totals.AtLeast,
				site.ListFigure{Count: totals.InProgress, One: "{n} in progress", Many: "{n} in progress", Kind: ""},
				site.ListFigure{Count: totals.Held, One: "{n} of them on hold", Many: "{n} of them on hold", Kind: heldCount},
				site.ListFigure{Count: totals.Completed, One: "{n} completed", Many: "{n} completed", Kind: "good"},
				site.ListFigure{Count: totals.Scrapped, One: "{n} scrapped", Many: "{n} scrapped", Kind: "bad"})
			sums.Count = totals.All()
			return sums, err
		},
		Columns: []site.ListColumn[row]{
			site.UnitColumn("Unit", "unit", func(unit row) string { return unit.ID }),
			site.OnlyInFile("Own number", func(unit row) string { return unit.SerialNumber }),
			site.TextColumn("Status", "status", func(unit row) string {
				return lang.Words(nil, unit.Status) // not a text: exports are English
			}),
			site.TextColumn("Step", "step", stepOf),
			site.TextColumn("Job", "job", func(unit row) string { return unit.JobName }),
			site.TextColumn("Route", "route", func(unit row) string { return unit.PathName }),
			site.TextColumn("Operator", "operator", func(unit row) string { return v.People.Assignee(unit.AssignedTo) }),
			site.TimeColumn("Created", "created", func(unit row) ident.Timestamp { return unit.CreatedAt }),
		},
	}
}

// stepOf returns the step of a unit for an export. For a scrapped unit it returns the reason of the scrap.
func stepOf(unit shop.SerialListItem) string {
	switch {
	case unit.Status == card.InProgress:
		return unit.CurrentStepName
	case unit.ScrapReason != "":
		return lang.Words(nil, unit.ScrapReason) // not a text: exports are English
	}
	return ""
}

// operatorName returns the name of an operator, "" if unknown.
func operatorName(v *site.Visit, id string) string {
	if user, known := v.People.Find(id); known {
		return user.Name
	}
	return id
}

// heldOnly removes the filters for units on hold if the list also shows other units.
func heldOnly(query url.Values) url.Values {
	if query.Get("hold") == string(views.OnHold) {
		return query
	}
	query = maps.Clone(query)
	query.Del("heldFor")
	query.Del("heldBy")
	return query
}

func showSerials(v *site.Visit) error {
	list := serialList(v)
	ctx, query := v.R.Context(), v.R.URL.Query()
	if site.WantsFile(query) {
		return list.Send(v)
	}
	page := &SerialsPage{
		Frame: v.Frame("Units", "serials"), Query: unitQuery(v, query),
		Statuses: []card.SerialStatus{card.InProgress, card.Completed, card.Scrapped},
	}
	query = heldOnly(query)
	for _, field := range []string{"job", "path", "stepId", "since", "until", "reason", "heldFor", "heldBy", "first", "last", "sort"} {
		if value := query.Get(field); value != "" {
			page.Keep = append(page.Keep, KeptField{field, value})
		}
	}
	var err error
	if page.Units, page.List, err = list.Read(v, query); err != nil {
		return err
	}
	page.List.ID = "found"
	shown := site.IDsOf(page.Units, func(unit *shop.SerialListItem) string { return unit.ID })
	if page.OnHold, err = v.Views.HoldReasons(ctx, shown); err != nil {
		return err
	}
	if page.Orders, err = v.Views.JobOrders(ctx, site.IDsOf(page.Units, site.JobOfUnit)); err != nil {
		return err
	}
	if page.Steps, err = v.Views.StepNames(ctx, stepChoices); err != nil {
		return err
	}
	if page.Narrowed, err = narrowedTo(v, page.Query, query); err != nil {
		return err
	}
	if page.Here, err = loadUnitsHere(v, page.Query); err != nil {
		return err
	}
	return v.Show(http.StatusOK, "serials", page)
}

// loadUnitsHere counts the units if the search consists of one step of a route. If it has other filters, it returns nil.
func loadUnitsHere(v *site.Visit, search views.UnitQuery) (*UnitsHere, error) {
	if search.PathID == "" || search.StepID == "" || search.Text != "" || search.Step != "" || search.Hold != "" ||
		search.Closed != (views.Span{}) || search.Reason != "" || search.First != "" || search.Last != "" ||
		search.Status == card.Completed || search.Status == card.Scrapped {
		return nil, nil //nolint:nilnil // nothing to act on is no failure
	}
	path, err := v.Service.Path(v.R.Context(), search.PathID)
	if err != nil {
		return nil, err
	}
	for place, step := range path.Distribution {
		if step.StepID == search.StepID && step.SerialCount > 0 {
			all := fmt.Sprintf("%d/%d", place, step.SerialCount)
			return &UnitsHere{JobID: path.JobID, PathID: path.ID, All: all, Count: step.SerialCount}, nil
		}
	}
	return nil, nil //nolint:nilnil // no units at the step
}

// dayLayout is the format of a day in the address of a list.
const dayLayout = time.DateOnly

// unitQuery reads the filters of the list of units. Days are in the viewer's time zone.
func unitQuery(v *site.Visit, query url.Values) views.UnitQuery {
	query = heldOnly(query)
	search := views.UnitQuery{
		SerialQuery: views.SerialQuery{
			Text: query.Get("q"), JobID: query.Get("job"), PathID: query.Get("path"), Step: query.Get("step"),
			StepID: query.Get("stepId"), Status: card.SerialStatus(query.Get("status")), Before: query.Get("before"),
		},
		Hold: views.HoldFilter(query.Get("hold")), Reason: card.ScrapReason(query.Get("reason")),
		HeldFor: query.Get("heldFor"), HeldBy: query.Get("heldBy"),
		First: site.SerialTyped(v.SerialPrefix(), query.Get("first")), Last: site.SerialTyped(v.SerialPrefix(), query.Get("last")),
	}
	if day, err := time.ParseInLocation(dayLayout, query.Get("since"), v.Zone); err == nil {
		search.Closed.From = ident.TimestampOf(day)
	}
	if day, err := time.ParseInLocation(dayLayout, query.Get("until"), v.Zone); err == nil {
		search.Closed.Until = ident.TimestampOf(day.AddDate(0, 0, 1))
	}
	return search
}

// narrowedTo describes the filters of the list of units that its form does not show.
func narrowedTo(v *site.Visit, search views.UnitQuery, query url.Values) (string, error) {
	job, err := jobFiltered(v, search)
	said := []string{job, closedWithin(v, query)}
	if search.Reason != "" {
		said = append(said, v.T("scrapped because of: {reason}", "reason", lang.Words(v.Language, search.Reason)))
	}
	if search.HeldBy != "" && search.HeldBy != views.NoReport {
		said = append(said, v.T("held by {report}", "report", search.HeldBy))
	}
	if search.HeldFor != "" {
		said = append(said, v.T("held because of “{reason}”", "reason", search.HeldFor))
	}
	if search.First != "" {
		said = append(said, v.T("{first} to {last}", "first", search.First, "last", search.Last))
	}
	return strings.Join(slices.DeleteFunc(said, func(text string) bool { return text == "" }), ", "), err
}

// jobFiltered describes the job or the route that filters a list of units, "" for none.
func jobFiltered(v *site.Visit, search views.UnitQuery) (string, error) {
	if search.JobID == "" {
		return "", nil
	}
	job, err := v.Service.Job(v.R.Context(), search.JobID)
	if err != nil {
		return "", err
	}
	for _, path := range job.Paths {
		if path.ID == search.PathID {
			return v.T("job {job}, route {route}", "job", job.Name, "route", path.Name), nil
		}
	}
	return v.T("job {job}", "job", job.Name), nil
}

// closedWithin describes the days that filter a list of completed and scrapped units, "" for none.
func closedWithin(v *site.Visit, query url.Values) string {
	since, sinceErr := time.Parse(dayLayout, query.Get("since"))
	until, untilErr := time.Parse(dayLayout, query.Get("until"))
	const layout lang.Text = "format|2 Jan 2006"
	first, last := v.Time(since, layout), v.Time(until, layout)
	switch {
	case sinceErr == nil && untilErr == nil && since.Equal(until):
		return v.T("completed or scrapped on {date}", "date", first)
	case sinceErr == nil && untilErr == nil:
		return v.T("completed or scrapped from {first} to {last}", "first", first, "last", last)
	case sinceErr == nil:
		return v.T("completed or scrapped since {date}", "date", first)
	case untilErr == nil:
		return v.T("completed or scrapped until {date}", "date", last)
	}
	return ""
}

// LabelsURL is the page with the labels of all matching units, "" if there are no filters.
func (p *SerialsPage) LabelsURL() string {
	query := url.Values{}
	for _, field := range unitFilters {
		if value := p.Frame.AddressQuery().Get(field); value != "" {
			query.Set(field, value)
		}
	}
	if len(query) == 0 {
		return ""
	}
	return "/labels?" + query.Encode()
}
