package web

import (
	"fmt"
	"net/http"
	"net/url"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

type serialsPage struct {
	frame
	Query    views.SerialQuery
	Page     views.SerialPage
	Statuses []shop.SerialStatus
	Steps    []string // to choose from; any other may be typed
	JobName  string   // the job or the path that the search is narrowed to, "" for none
	First    bool
	OnHold   map[string]string // by serial: why it is on hold
	Here     *unitsHere        // when the search is all units at one step of a route, and nothing else
}

// unitsHere is all units at one step, as the form says it that acts on them: see many.go.
type unitsHere struct {
	JobID, PathID string
	All           string // the place of the step, and how many units there are
	Count         int64
}

// stepChoices is how many names of steps are offered to choose from.
const stepChoices = 500

func showSerials(v *visit) error {
	ctx, query := v.r.Context(), v.r.URL.Query()
	page := &serialsPage{
		frame: v.frame("Units", "serials"), Query: serialQuery(query), First: query.Get("before") == "",
		Statuses: []shop.SerialStatus{shop.InProgress, shop.Completed, shop.Scrapped},
	}
	var err error
	if page.Page, err = v.views.SearchSerials(ctx, page.Query); err != nil {
		return err
	}
	listed := make([]string, len(page.Page.Items))
	for i := range page.Page.Items {
		listed[i] = page.Page.Items[i].ID
	}
	if page.OnHold, err = v.views.HoldReasons(ctx, listed); err != nil {
		return err
	}
	if page.Steps, err = v.views.StepNames(ctx, stepChoices); err != nil {
		return err
	}
	if page.Query.JobID != "" {
		job, err := v.service.Job(ctx, page.Query.JobID)
		if err != nil {
			return err
		}
		page.JobName = job.Name
		for _, path := range job.Paths {
			if path.ID == page.Query.PathID {
				page.JobName += ", " + path.Name
			}
		}
	}
	if page.Here, err = v.unitsHere(page.Query); err != nil {
		return err
	}
	return v.show(http.StatusOK, "serials", page)
}

// unitsHere counts the units of a search that is about one step of a route, nil for every other search.
func (v *visit) unitsHere(search views.SerialQuery) (*unitsHere, error) {
	if search.PathID == "" || search.StepID == "" || search.Text != "" || search.Step != "" ||
		search.Status == shop.Completed || search.Status == shop.Scrapped {
		return nil, nil //nolint:nilnil // nothing to act on is no failure
	}
	path, err := v.service.Path(v.r.Context(), search.PathID)
	if err != nil {
		return nil, err
	}
	for place, step := range path.Distribution {
		if step.StepID == search.StepID && step.SerialCount > 0 {
			all := fmt.Sprintf("%d/%d", place, step.SerialCount)
			return &unitsHere{JobID: path.JobID, PathID: path.ID, All: all, Count: step.SerialCount}, nil
		}
	}
	return nil, nil //nolint:nilnil // nobody stands there
}

// serialQuery reads the filters of the list of units.
func serialQuery(query url.Values) views.SerialQuery {
	return views.SerialQuery{
		Text: query.Get("q"), JobID: query.Get("job"), PathID: query.Get("path"), Step: query.Get("step"),
		StepID: query.Get("stepId"), Status: shop.SerialStatus(query.Get("status")), Before: query.Get("before"),
	}
}

// filters are the filters of the list of units as an address has them.
func filters(search views.SerialQuery) url.Values {
	query := url.Values{}
	for name, value := range map[string]string{
		"q": search.Text, "job": search.JobID, "path": search.PathID, "step": search.Step, "stepId": search.StepID,
		"status": string(search.Status), "before": search.Before,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return query
}

// FirstURL is where the first page of the same search is.
func (p *serialsPage) FirstURL() string {
	search := p.Query
	search.Before = ""
	return "/serials?" + filters(search).Encode()
}

// NextURL is where the next page is.
func (p *serialsPage) NextURL() string {
	search := p.Query
	search.Before = p.Page.Next
	return "/serials?" + filters(search).Encode()
}

// LabelsURL is where the labels of everything that matches are, "" when nothing narrows the list.
func (p *serialsPage) LabelsURL() string {
	search := p.Query
	search.Before = ""
	if query := filters(search); len(query) > 0 {
		return "/labels?" + query.Encode()
	}
	return ""
}
