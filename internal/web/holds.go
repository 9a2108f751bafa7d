package web

import (
	"net/http"
	"net/url"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

type holdsPage struct {
	frame
	past
	List   listShown
	Holds  []views.HeldUnit
	Orders map[string]views.WorkOrder // by job
}

// holdList is the list of open holds, the newest first. A unit with several holds is there as often.
func holdList(v *visit) *listKind[views.HeldUnit] {
	type row = views.HeldUnit
	return &listKind[row]{
		at: "/holds", one: "hold", many: "holds", perPage: input.SearchDefault,
		first: [2]string{"Newest", "Older holds"}, key: func(hold row) string { return hold.ID },
		load: func(v *visit, _ url.Values, before string, limit int) ([]row, bool, error) {
			return v.views.HeldUnits(v.r.Context(), before, limit)
		},
		sum: func(_ *visit, _ url.Values, holds []row, more bool) (listTotals, error) {
			units, scrapped, reported := map[string]bool{}, int64(0), int64(0)
			for _, hold := range holds {
				if !units[hold.SerialID] && hold.Status == card.Scrapped {
					scrapped++
				}
				units[hold.SerialID] = true
				if hold.NonconformanceID != "" {
					reported++
				}
			}
			return counted(holds, more, listFigure{int64(len(units)), "units", ""}, listFigure{scrapped, "of them scrapped", "bad"},
				listFigure{reported, "holds of reports", ""}), nil
		},
		columns: []listColumn[row]{
			unitColumn("Unit", "unit", func(hold row) string { return hold.SerialID }),
			onlyInFile("Own number", func(hold row) string { return hold.Own }),
			textColumn("Step", "step", func(hold row) string { return hold.Step }),
			textColumn("Why", "why", func(hold row) string { return hold.Reason }),
			textColumn("Report", "report", func(hold row) string { return hold.NonconformanceID }),
			textColumn("By", "by", func(hold row) string { return operatorName(v, hold.PlacedBy) }),
			timeColumn("Since", "since", func(hold row) ident.Timestamp { return hold.PlacedAt }),
		},
	}
}

// OrderOf is what the job of a held unit is for.
func (p *holdsPage) OrderOf(jobID string) views.WorkOrder { return p.Orders[jobID] }

func showHolds(v *visit) error {
	query := v.r.URL.Query()
	if wantsFile(query) {
		return holdList(v).send(v)
	}
	page := &holdsPage{frame: v.frame("Units on hold", "nonconformances")}
	var err error
	if page.Holds, page.List, err = holdList(v).read(v, query); err != nil {
		return err
	}
	page.List.ID = "held"
	jobs := idsOf(page.Holds, func(hold *views.HeldUnit) string { return hold.JobID })
	if page.Orders, err = v.views.JobOrders(v.r.Context(), jobs); err != nil {
		return err
	}
	if page.names, err = v.views.PastNames(v.r.Context(), nil); err != nil {
		return err
	}
	return v.show(http.StatusOK, "holds", page)
}
