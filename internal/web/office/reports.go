package office

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// ReportsPage lists nonconformances.
type ReportsPage struct {
	site.Frame
	site.Past
	List    site.ListShown
	Status  string // the shown status, "" for open reports
	Reports []views.ReportHead
}

// reportList is the list of reports, newest first. Without a chosen status it lists the open reports.
func reportList() *site.ListKind[views.ReportHead] {
	type row = views.ReportHead
	opened := func(report row) ident.Timestamp { return report.OpenedAt }
	return &site.ListKind[row]{
		At: "/nonconformances", One: "{n} report", Many: "{n} reports", Filters: []string{"status"}, PerPage: input.SearchDefault,
		First: [2]lang.Text{"Newest", "Older reports"}, Sorted: [2]lang.Text{"First reports", "More reports"},
		Key: func(report row) string { return report.ID },
		Load: func(v *site.Visit, query url.Values, before string, limit int) ([]row, bool, error) {
			wanted := cmp.Or(shop.NonconformanceStatus(query.Get("status")), shop.ReportOpen)
			if wanted == "all" {
				wanted = ""
			}
			return v.Views.ReportsFound(v.R.Context(), shop.NonconformanceQuery{Status: wanted, Before: before}, limit)
		},
		Sum: func(_ *site.Visit, _ url.Values, reports []row, more bool) (site.ListTotals, error) {
			units, waiting := int64(0), int64(0)
			for i := range reports {
				units += int64(reports[i].UnitFigures.Units)
				waiting += int64(reports[i].Waiting)
			}
			return site.Counted(reports, more, site.ListFigure{Count: units, One: "{n} unit", Many: "{n} units", Kind: ""},
				site.ListFigure{Count: waiting, One: "{n} waits for a decision", Many: "{n} wait for a decision", Kind: "warn"}), nil
		},
		Columns: []site.ListColumn[row]{
			{Name: "Report", Sort: "report", Compare: site.By(opened), Down: true,
				Cell: func(report row) string { return report.ID }},
			site.TextColumn("Title", "title", func(report row) string { return report.Title }),
			{Name: "Severity", Sort: "severity", Down: true,
				Compare: site.By(func(report row) int { return slices.Index(shop.Severities(), report.Severity) }),
				Cell:    func(report row) string { return lang.Words(nil, report.Severity) }}, // not a text: exports are English
			site.TextColumn("Status", "status", func(report row) string {
				return lang.Words(nil, report.Status) // not a text: exports are English
			}),
			site.CountColumn("Units", "units", func(report row) int64 { return int64(report.UnitFigures.Units) }),
			site.CountColumn("Waiting", "waiting", func(report row) int64 { return int64(report.Waiting) }),
			site.TimeColumn("Opened", "opened", opened),
		},
	}
}

func showReports(v *site.Visit) error {
	query := v.R.URL.Query()
	if site.WantsFile(query) {
		return reportList().Send(v)
	}
	page := &ReportsPage{Frame: v.Frame("Nonconformances", "nonconformances"), Status: query.Get("status")}
	var err error
	if page.Reports, page.List, err = reportList().Read(v, query); err != nil {
		return err
	}
	page.List.ID = "reports"
	if page.NamesThen, err = v.Views.PastNames(v.R.Context(), nil); err != nil {
		return err
	}
	return v.Show(http.StatusOK, "nonconformances", page)
}
