package web

import (
	"cmp"
	"net/http"
	"net/url"
	"slices"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

type reportsPage struct {
	frame
	past
	List    listShown
	Status  string // which reports are shown: "" for the open ones
	Reports []views.ReportHead
}

// reportList is the list of reports, the newest first. Without a status it is that of the open ones.
func reportList() *listKind[views.ReportHead] {
	type row = views.ReportHead
	opened := func(report row) ident.Timestamp { return report.OpenedAt }
	return &listKind[row]{
		at: "/nonconformances", one: "report", many: "reports", filters: []string{"status"}, perPage: input.SearchDefault,
		first: [2]string{"Newest", "Older reports"}, key: func(report row) string { return report.ID },
		load: func(v *visit, query url.Values, before string, limit int) ([]row, bool, error) {
			wanted := cmp.Or(shop.NonconformanceStatus(query.Get("status")), shop.ReportOpen)
			if wanted == "all" {
				wanted = ""
			}
			return v.views.ReportsFound(v.r.Context(), shop.NonconformanceQuery{Status: wanted, Before: before}, limit)
		},
		sum: func(_ *visit, _ url.Values, reports []row, more bool) (listTotals, error) {
			units, waiting := int64(0), int64(0)
			for i := range reports {
				units += int64(reports[i].UnitFigures.Units)
				waiting += int64(reports[i].Waiting)
			}
			return counted(reports, more, listFigure{units, "units", ""}, listFigure{waiting, "wait for a decision", "warn"}), nil
		},
		columns: []listColumn[row]{
			{column: column{Name: "Report"}, sort: "report", compare: by(opened), down: true,
				cell: func(report row) string { return report.ID }},
			textColumn("Title", "title", func(report row) string { return report.Title }),
			{column: column{Name: "Severity"}, sort: "severity", down: true,
				compare: by(func(report row) int { return slices.Index(shop.Severities(), report.Severity) }),
				cell:    func(report row) string { return wording.Words(report.Severity) }},
			textColumn("Status", "status", func(report row) string { return wording.Words(report.Status) }),
			countColumn("Units", "units", func(report row) int64 { return int64(report.UnitFigures.Units) }),
			countColumn("Waiting", "waiting", func(report row) int64 { return int64(report.Waiting) }),
			timeColumn("Opened", "opened", opened),
		},
	}
}

func showReports(v *visit) error {
	query := v.r.URL.Query()
	if wantsFile(query) {
		return reportList().send(v)
	}
	page := &reportsPage{frame: v.frame("Nonconformances", "nonconformances"), Status: query.Get("status")}
	var err error
	if page.Reports, page.List, err = reportList().read(v, query); err != nil {
		return err
	}
	page.List.ID = "reports"
	if page.names, err = v.views.PastNames(v.r.Context(), nil); err != nil {
		return err
	}
	return v.show(http.StatusOK, "nonconformances", page)
}
