package web

import (
	"net/http"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

// jobsPerPage is how many jobs one page lists.
const jobsPerPage = 40

type jobsPage struct {
	frame
	Query string
	Jobs  []views.JobOverview
	Next  string // the job behind which the next page begins, "" when there is none
	First bool
}

func showJobs(v *visit) error { return v.jobs(http.StatusOK, nil) }

func (v *visit) jobs(status int, refused *problem) error {
	query := v.r.URL.Query()
	page := &jobsPage{frame: v.frame("Jobs", "jobs"), Query: query.Get("q"), First: query.Get("before") == ""}
	page.problem = refused
	jobs, more, err := v.views.JobOverviews(v.r.Context(), page.Query, query.Get("before"), jobsPerPage)
	if err != nil {
		return err
	}
	page.Jobs = jobs
	if more {
		page.Next = jobs[len(jobs)-1].Job.ID
	}
	return v.show(status, "jobs", page)
}

var createJobForm = formOf[shop.CreateJobInput]()

func createJob(v *visit) error {
	in := createJobForm.read(v.form)
	in.ChangedBy = v.user()
	job, err := v.service.CreateJob(v.r.Context(), in)
	if err != nil {
		return v.again("create", err, v.jobs)
	}
	return v.back("/jobs/"+job.ID, "Job created. Give it a route next.")
}
