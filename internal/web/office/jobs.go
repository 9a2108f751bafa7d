package office

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// jobsPerPage is the number of jobs on one page.
const jobsPerPage = 40

// JobsPage lists jobs.
type JobsPage struct {
	site.Frame
	List  site.ListShown
	Query string
	State string // "work" for jobs with units in progress
	Jobs  []views.JobOverview
}

// None returns an empty job for the form that creates a job.
func (*JobsPage) None() *shop.Job { return &shop.Job{} }

// jobStates are the states by which the list of jobs can be filtered. Each has a sentence for an empty list.
var jobStates = map[string]lang.Text{
	"work": "No job has units in progress.", string(views.JobLate): "No job is late.", string(views.JobOpen): "No job is open.",
	string(views.JobDone): "No job is done.", "closed": "No job is closed.",
}

// Empty is the sentence for an empty list with filters.
func (p *JobsPage) Empty() string {
	state, filtered := jobStates[p.State]
	switch {
	case filtered && p.Query == "":
		return p.Lookup(state)
	case filtered:
		return p.T("No job in the chosen state has “{text}” in its name, number, part number, order, customer or ticket.", "text", p.Query)
	}
	return p.T("No job has “{text}” in its name, number, part number, order, customer or ticket.", "text", p.Query)
}

// jobQuery converts the filters of the list to a query.
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

// heldCount is the class of a count of units on hold.
const heldCount = "on-hold held-count" // not a text: classes of the style sheet

// jobList is the list of jobs, the most urgent first.
func jobList() *site.ListKind[views.JobOverview] {
	type row = views.JobOverview
	return &site.ListKind[row]{
		At: "/jobs", One: "{n} job", Many: "{n} jobs", Filters: []string{"q", "state"}, PerPage: jobsPerPage,
		First: [2]lang.Text{"Most urgent", "More jobs"}, Sorted: [2]lang.Text{"First jobs", "More jobs"},
		Key: func(job row) string { return job.After },
		Load: func(v *site.Visit, query url.Values, before string, limit int) ([]row, bool, error) {
			return v.Views.JobsFound(v.R.Context(), jobQuery(query, before, limit))
		},
		Sum: func(_ *site.Visit, _ url.Values, jobs []row, more bool) (site.ListTotals, error) {
			var all shop.JobProgress
			held, wanted := int64(0), int64(0)
			for i := range jobs {
				all.InProgressSerials += jobs[i].Progress.InProgressSerials
				all.CompletedSerials += jobs[i].Progress.CompletedSerials
				all.ScrappedSerials += jobs[i].Progress.ScrappedSerials
				held += jobs[i].Held
				wanted += jobs[i].Job.GoalQuantity
			}
			return site.Counted(jobs, more,
				site.ListFigure{Count: all.InProgressSerials, One: "{n} unit in progress", Many: "{n} units in progress", Kind: ""},
				site.ListFigure{Count: held, One: "{n} of them on hold", Many: "{n} of them on hold", Kind: heldCount},
				site.ListFigure{Count: all.CompletedSerials, One: "{n} completed", Many: "{n} completed", Kind: "good"},
				site.ListFigure{Count: all.ScrappedSerials, One: "{n} scrapped", Many: "{n} scrapped", Kind: "bad"},
				site.ListFigure{Count: wanted, One: "{n} wanted", Many: "{n} wanted", Kind: ""}), nil
		},
		Columns: []site.ListColumn[row]{
			site.TextColumn("Job", "name", func(job row) string { return job.Job.Name }),
			site.OnlyWide(site.TextColumn("Part number", "part", func(job row) string { return job.Part() })),
			site.OnlyInFile("Revision", func(job row) string { return job.PartRevision }),
			site.OnlyInFile("GTIN", func(job row) string { return job.GTIN }),
			site.OnlyInFile("of a customer|Order", func(job row) string { return job.OrderNumber }),
			site.OnlyInFile("Customer", func(job row) string { return job.Customer }),
			site.TextColumn("of a job|Due", "due", func(job row) string { return job.DueDate }),
			site.OnlyInFile("Days late", func(job row) string { return strconv.Itoa(job.DaysLate) }),
			site.OnlyInFile("Why closed", func(job row) string { return job.CloseReason }),
			site.OnlyInFile("Priority", func(job row) string { return strconv.FormatInt(job.Priority.Number(), 10) }),
			{Name: "Progress", Sort: "progress", Down: true, Compare: site.By(finishedShare),
				Cell: func(job row) string { return strconv.Itoa(int(100*finishedShare(job))) + " %" }},
			site.OnlyWide(site.CountColumn("of several units|Completed", "finished",
				func(job row) int64 { return job.Progress.CompletedSerials })),
			site.CountColumn("In progress", "work", func(job row) int64 { return job.Progress.InProgressSerials }),
			site.CountColumn("On hold", "hold", func(job row) int64 { return job.Held }),
			site.OnlyWide(site.CountColumn("of several units|Scrapped", "scrapped",
				func(job row) int64 { return job.Progress.ScrappedSerials })),
			site.OnlyWide(site.CountColumn("Goal", "goal", func(job row) int64 { return job.Job.GoalQuantity })),
			site.OnlyWide(site.TimeColumn("Created", "created", func(job row) ident.Timestamp { return job.Job.CreatedAt })),
		},
	}
}

// finishedShare is the share of a job's wanted units that are finished.
func finishedShare(job views.JobOverview) float64 {
	if job.Job.GoalQuantity == 0 {
		return 0
	}
	return float64(job.Progress.CompletedSerials) / float64(job.Job.GoalQuantity)
}

func showJobs(v *site.Visit) error {
	if site.WantsFile(v.R.URL.Query()) {
		return jobList().Send(v)
	}
	return renderJobs(v, http.StatusOK, nil)
}

func renderJobs(v *site.Visit, status int, refused *site.Problem) error {
	query := v.R.URL.Query()
	page := &JobsPage{Frame: v.Frame("Jobs", "jobs"), Query: query.Get("q"), State: query.Get("state")}
	page.Rejected = refused
	var err error
	if page.Jobs, page.List, err = jobList().Read(v, query); err != nil {
		return err
	}
	page.List.ID = "jobs"
	return v.Show(status, "jobs", page)
}

var createJobForm = site.FormOf[shop.CreateJobInput]()

func createJob(v *site.Visit) error {
	in := createJobForm.Read(v.Form)
	in.ChangedBy = v.User()
	job, err := v.Service.CreateJob(v.R.Context(), in)
	if err != nil {
		return v.Again("create", err, renderJobs)
	}
	return v.Back("/jobs/"+job.ID, v.T("Job created. Give it a route next."))
}
