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
	Steps    []string
	JobName  string // the job or the path that the search is narrowed to, "" for none
	First    bool
}

func showSerials(v *visit) error {
	ctx, query := v.r.Context(), v.r.URL.Query()
	page := &serialsPage{
		frame: v.frame("Serials", "serials"),
		Query: routecard.SerialQuery{
			Text: query.Get("q"), JobID: query.Get("job"), PathID: query.Get("path"), Step: query.Get("step"),
			StepID: query.Get("stepId"), Status: routecard.SerialStatus(query.Get("status")), Before: query.Get("before"),
		},
		Statuses: []routecard.SerialStatus{routecard.InProgress, routecard.Completed, routecard.Scrapped},
		First:    query.Get("before") == "",
	}
	var err error
	if page.Page, err = v.service.SearchSerials(ctx, page.Query); err != nil {
		return err
	}
	if page.Steps, err = v.service.StepNames(ctx, 300); err != nil {
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

// NextURL is where the next page is.
func (p *serialsPage) NextURL() string {
	query := url.Values{}
	for name, value := range map[string]string{
		"q": p.Query.Text, "job": p.Query.JobID, "path": p.Query.PathID, "step": p.Query.Step, "stepId": p.Query.StepID,
		"status": string(p.Query.Status), "before": p.Page.Next,
	} {
		if value != "" {
			query.Set(name, value)
		}
	}
	return "/serials?" + query.Encode()
}
