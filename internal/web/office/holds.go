package office

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// HoldsPage lists units on hold.
type HoldsPage struct {
	site.Frame
	site.Past
	List   site.ListShown
	Query  string
	Holds  []views.HeldUnit
	Orders map[string]views.WorkOrder // by job
}

// holdList is the list of open holds, newest first. If a unit has several holds, it appears once for each.
func holdList(v *site.Visit) *site.ListKind[views.HeldUnit] {
	type row = views.HeldUnit
	return &site.ListKind[row]{
		At: "/holds", One: "{n} hold", Many: "{n} holds", Filters: []string{"q"}, PerPage: input.SearchDefault,
		First: [2]lang.Text{"Newest", "Older holds"}, Sorted: [2]lang.Text{"First holds", "More holds"},
		Key: func(hold row) string { return hold.ID },
		Load: func(v *site.Visit, query url.Values, before string, limit int) ([]row, bool, error) {
			return holdsMatching(v, query.Get("q"), before, limit)
		},
		Sum: func(_ *site.Visit, _ url.Values, holds []row, more bool) (site.ListTotals, error) {
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
			return site.Counted(holds, more, site.ListFigure{Count: int64(len(units)), One: "{n} unit", Many: "{n} units", Kind: ""},
				site.ListFigure{Count: scrapped, One: "{n} of them scrapped", Many: "{n} of them scrapped", Kind: "bad"},
				site.ListFigure{Count: reported, One: "{n} hold placed by a report", Many: "{n} holds placed by reports", Kind: ""}), nil
		},
		Columns: []site.ListColumn[row]{
			site.UnitColumn("Unit", "unit", func(hold row) string { return hold.SerialID }),
			site.OnlyInFile("Own number", func(hold row) string { return hold.Own }),
			site.TextColumn("Step", "step", func(hold row) string { return hold.Step }),
			site.TextColumn("Why", "why", func(hold row) string { return hold.Reason }),
			site.TextColumn("Report", "report", func(hold row) string { return hold.NonconformanceID }),
			site.TextColumn("By", "by", func(hold row) string { return operatorName(v, hold.PlacedBy) }),
			site.TimeColumn("Since", "since", func(hold row) ident.Timestamp { return hold.PlacedAt }),
		},
	}
}

// OrderOf returns the order of a held unit's job.
func (p *HoldsPage) OrderOf(jobID string) views.WorkOrder { return p.Orders[jobID] }

// holdsMatching reads open holds, newest first, whose unit, step, reason or report contains a text.
func holdsMatching(v *site.Visit, text, before string, limit int) (found []views.HeldUnit, more bool, err error) {
	if text = strings.ToLower(strings.TrimSpace(text)); text == "" {
		return v.Views.HeldUnits(v.R.Context(), before, limit)
	}
	for {
		holds, others, err := v.Views.HeldUnits(v.R.Context(), before, input.SearchLimit)
		if err != nil {
			return nil, false, err
		}
		for i := range holds {
			hold := &holds[i]
			facts := []string{hold.SerialID, hold.Own, hold.Step, hold.Reason, hold.NonconformanceID}
			if !strings.Contains(strings.ToLower(strings.Join(facts, "\n")), text) {
				continue
			}
			if len(found) == limit {
				return found, true, nil
			}
			found = append(found, *hold)
		}
		if !others {
			return found, false, nil
		}
		before = holds[len(holds)-1].ID
	}
}

func showHolds(v *site.Visit) error {
	if site.WantsFile(v.R.URL.Query()) {
		return holdList(v).Send(v)
	}
	return renderHolds(v, http.StatusOK, nil)
}

func renderHolds(v *site.Visit, status int, refused *site.Problem) error {
	query := v.R.URL.Query()
	page := &HoldsPage{Frame: v.Frame("Units on hold", "nonconformances"), Query: query.Get("q")}
	page.Rejected = refused
	var err error
	if page.Holds, page.List, err = holdList(v).Read(v, query); err != nil {
		return err
	}
	page.List.ID = "held"
	jobs := site.IDsOf(page.Holds, func(hold *views.HeldUnit) string { return hold.JobID })
	if page.Orders, err = v.Views.JobOrders(v.R.Context(), jobs); err != nil {
		return err
	}
	if page.NamesThen, err = v.Views.PastNames(v.R.Context(), nil); err != nil {
		return err
	}
	return v.Show(status, "holds", page)
}
