package web

import (
	"net/http"
	"net/url"

	"github.com/routecard/routecard"
)

type serialsPage struct {
	frame
	Query    routecard.SerialQuery
	Page     routecard.SerialPage
	Statuses []routecard.SerialStatus
	Steps    []string // to choose from; any other may be typed
	JobName  string   // the job or the path that the search is narrowed to, "" for none
	First    bool
}

// stepChoices is how many names of steps are offered to choose from.
const stepChoices = 500

func showSerials(v *visit) error {
	ctx, query := v.r.Context(), v.r.URL.Query()
	page := &serialsPage{
		frame: v.frame("Serials", "serials"), Query: serialQuery(query), First: query.Get("before") == "",
		Statuses: []routecard.SerialStatus{routecard.InProgress, routecard.Completed, routecard.Scrapped},
	}
	var err error
	if page.Page, err = v.service.SearchSerials(ctx, page.Query); err != nil {
		return err
	}
	if page.Steps, err = v.service.StepNames(ctx, stepChoices); err != nil {
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
	return v.show(http.StatusOK, "serials", page)
}

// serialQuery reads the filters of the list of units.
func serialQuery(query url.Values) routecard.SerialQuery {
	return routecard.SerialQuery{
		Text: query.Get("q"), JobID: query.Get("job"), PathID: query.Get("path"), Step: query.Get("step"),
		StepID: query.Get("stepId"), Status: routecard.SerialStatus(query.Get("status")), Before: query.Get("before"),
	}
}

// filters are the filters of the list of units as an address has them.
func filters(search routecard.SerialQuery) url.Values {
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
