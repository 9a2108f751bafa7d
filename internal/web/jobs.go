package web

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// jobsPerPage is how many jobs one page lists.
const jobsPerPage = 40

type jobsPage struct {
	frame
	List  listShown
	Query string
	State string // "work" for the jobs with units in progress
	Jobs  []views.JobOverview
}

// None is a job without anything, for the form that makes one.
func (*jobsPage) None() *shop.Job { return &shop.Job{} }

// jobStates are the states that the list of jobs can show, and what is said of a job in one.
var jobStates = map[string]string{
	"work": "has units in work", string(views.JobLate): "is late", string(views.JobOpen): "is open", string(views.JobDone): "is done",
	"closed": "is closed",
}

// StateText says what the jobs that are shown have in common, "" for nothing.
func (p *jobsPage) StateText() string { return jobStates[p.State] }

// jobQuery is what the filters of the list ask for.
func jobQuery(query url.Values, after string, limit int) views.JobQuery {
	asked := views.JobQuery{Text: query.Get("q"), Sort: views.JobsByUrgency, After: after, Limit: limit}
	switch state := query.Get("state"); {
	case state == "work":
		asked.InWork = true
	case state == "closed":
		asked.Closed = "true"
	case jobStates[state] != "":
		asked.Status = state
	}
	return asked
}

// jobList is the list of jobs, the most urgent first.
func jobList() *listKind[views.JobOverview] {
	type row = views.JobOverview
	return &listKind[row]{
		at: "/jobs", one: "job", many: "jobs", filters: []string{"q", "state"}, perPage: jobsPerPage,
		first: [2]string{"Most urgent", "More jobs"}, key: func(job row) string { return job.After },
		load: func(v *visit, query url.Values, before string, limit int) ([]row, bool, error) {
			return v.views.JobsFound(v.r.Context(), jobQuery(query, before, limit))
		},
		sum: func(_ *visit, _ url.Values, jobs []row, more bool) (listTotals, error) {
			var all shop.JobProgress
			held, wanted := int64(0), int64(0)
			for i := range jobs {
				all.InProgressSerials += jobs[i].Progress.InProgressSerials
				all.CompletedSerials += jobs[i].Progress.CompletedSerials
				all.ScrappedSerials += jobs[i].Progress.ScrappedSerials
				held += jobs[i].Held
				wanted += jobs[i].Job.GoalQuantity
			}
			return counted(jobs, more, listFigure{all.InProgressSerials, "units in work", ""},
				listFigure{held, "of them on hold", "on-hold held-count"},
				listFigure{all.CompletedSerials, "finished", "good"}, listFigure{all.ScrappedSerials, "scrapped", "bad"},
				listFigure{wanted, "wanted", ""}), nil
		},
		columns: []listColumn[row]{
			textColumn("Job", "name", func(job row) string { return job.Job.Name }),
			onlyWide(textColumn("Part number", "part", func(job row) string { return job.Part() })),
			onlyInFile("Revision", func(job row) string { return job.PartRevision }),
			onlyInFile("GTIN", func(job row) string { return job.GTIN }),
			onlyInFile("Order", func(job row) string { return job.OrderNumber }),
			onlyInFile("Customer", func(job row) string { return job.Customer }),
			onlyInFile("Due", func(job row) string { return job.DueDate }),
			onlyInFile("Days late", func(job row) string { return strconv.Itoa(job.DaysLate) }),
			onlyInFile("Why closed", func(job row) string { return job.CloseReason }),
			onlyInFile("Priority", func(job row) string { return strconv.FormatInt(job.Priority.Number(), 10) }),
			{column: column{Name: "Progress"}, sort: "progress", down: true, compare: by(finishedShare),
				cell: func(job row) string { return strconv.Itoa(int(100*finishedShare(job))) + " %" }},
			countColumn("Finished", "finished", func(job row) int64 { return job.Progress.CompletedSerials }),
			countColumn("In work", "work", func(job row) int64 { return job.Progress.InProgressSerials }),
			countColumn("On hold", "hold", func(job row) int64 { return job.Held }),
			countColumn("Scrapped", "scrapped", func(job row) int64 { return job.Progress.ScrappedSerials }),
			countColumn("Goal", "goal", func(job row) int64 { return job.Job.GoalQuantity }),
			onlyWide(timeColumn("Created", "created", func(job row) ident.Timestamp { return job.Job.CreatedAt })),
		},
	}
}

// finishedShare is which part of the units that a job wants is finished.
func finishedShare(job views.JobOverview) float64 {
	if job.Job.GoalQuantity == 0 {
		return 0
	}
	return float64(job.Progress.CompletedSerials) / float64(job.Job.GoalQuantity)
}

func showJobs(v *visit) error {
	if wantsFile(v.r.URL.Query()) {
		return jobList().send(v)
	}
	return renderJobs(v, http.StatusOK, nil)
}

func renderJobs(v *visit, status int, refused *problem) error {
	query := v.r.URL.Query()
	page := &jobsPage{frame: v.frame("Jobs", "jobs"), Query: query.Get("q"), State: query.Get("state")}
	page.problem = refused
	var err error
	if page.Jobs, page.List, err = jobList().read(v, query); err != nil {
		return err
	}
	page.List.ID = "jobs"
	return v.show(status, "jobs", page)
}

var createJobForm = formOf[shop.CreateJobInput]()

func createJob(v *visit) error {
	in := createJobForm.read(v.form)
	in.ChangedBy = v.user()
	job, err := v.service.CreateJob(v.r.Context(), in)
	if err != nil {
		return v.again("create", err, renderJobs)
	}
	return v.back("/jobs/"+job.ID, "Job created. Give it a route next.")
}
