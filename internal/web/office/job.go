package office

import (
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// boardUnits is the maximum number of units that a column of a board lists. Any further units are only counted.
const boardUnits = 40

// JobPage is the board of a job.
type JobPage struct {
	site.Frame
	Job          shop.JobDetail
	Boards       []views.Board
	Certificates []site.Choice // the newest certificates, as suggestions
	Reasons      []card.ScrapReason
	History      []trail.Entry
	Files        site.FilesPart
	Measures     bool                 // whether the job has characteristics to measure
	Due          shop.FirstArticleDue // why its part needs a first article
	Chosen       string               // the route to whose board a refused form belongs
	site.Past
}

// BoardPart is the data of the template part that shows one route of the job.
type BoardPart struct {
	Page  *JobPage
	Board views.Board
}

// Works returns the operator of this device, which becomes part of the keys of forms.
func (p BoardPart) Works() string { return p.Page.Works() }

// Read returns the digest of the route for the form that deletes the route.
func (p BoardPart) Read() string { return readPath(p.Board.Path) }

// Part creates the data of a template part.
func (p *JobPage) Part(board views.Board) BoardPart { return BoardPart{p, board} }

// Order returns the order of the job.
func (p *JobPage) Order() views.WorkOrder { return views.OrderOf(&p.Job) }

// Held returns the number of the job's units in progress that are on hold.
func (p *JobPage) Held() (count int64) {
	for i := range p.Boards {
		count += p.Boards[i].Held
	}
	return count
}

func showJob(v *site.Visit) error { return renderJob(v, http.StatusOK, nil) }

func renderJob(v *site.Visit, status int, refused *site.Problem) error {
	ctx, id := v.R.Context(), v.R.PathValue("id")
	job, err := v.Service.Job(ctx, id)
	if err != nil {
		return err
	}
	page := &JobPage{Frame: v.FrameOf(job.Name, "jobs"), Job: job, Reasons: shop.ScrapReasons()}
	if page.Measures, err = v.Views.Measures(ctx, id); err != nil {
		return err
	}
	page.Rejected = refused
	if page.Boards, err = v.Views.Boards(ctx, id, boardUnits); err != nil {
		return err
	}
	if page.Due, err = v.Service.FirstArticleDue(ctx, id); err != nil {
		return err
	}
	if page.Certificates, err = site.Newest(v, "certificate"); err != nil {
		return err
	}
	if page.Files, err = site.FilesOf(v, shop.FileSubject{Kind: shop.RecordJob, ID: id}); err != nil {
		return err
	}
	history, err := v.Views.AuditPage(ctx, views.AuditQuery{JobID: id, Limit: 20})
	if err != nil {
		return err
	}
	page.History = history.Entries
	if page.NamesThen, err = v.Views.PastNames(ctx, page.History); err != nil {
		return err
	}
	page.Past = page.WithEntries(v.Language, page.History)
	return v.Show(status, "job", page)
}

func changeJob(v *site.Visit) error {
	id, pathID, do := v.R.PathValue("id"), v.Form.Get("pathId"), v.Form.Get("do")
	if do == "ask-report" {
		return askedReport(v)
	}
	if do == askHold || do == askRelease {
		v.Form.Set("jobId", id)
		return holdUnits(v)
	}
	if action, asks := strings.CutPrefix(do, "ask-"); asks {
		return askedMany(v, action)
	}
	if do == "" && v.Form.Get("all") != "" {
		return askedMany(v, "")
	}
	var done string
	var err error
	form := do
	switch do {
	case "edit":
		done, err = saveJob(v, id)
	case "close", "reopen":
		done, err = closeJob(v, id, do)
	case "create-serials":
		form += pathID
		if asked, err := askToCreateUnits(v, id); asked || err != nil {
			return err
		}
		done, err = createUnits(v, id)
	case "delete-path":
		form += pathID
		if !v.Sure() {
			return askToDeleteRoute(v, id, pathID)
		}
		err = v.Service.DeletePath(site.IfRead(v, v.Form.Get(site.ReadField), readPathDetail), pathID, v.User())
		if site.WasChanged(err) {
			return v.Again(form, site.ErrNotDeleted(v.T("Somebody changed the route meanwhile.")), renderJob)
		}
		done = v.T("Route deleted.")
	case manyAdvance, manyScrap, manyClose, manyAttach, manyNote:
		if done, err = changeMany(v, do); err != nil {
			return manyRefused(v, do, err)
		}
	default:
		return v.Back("/jobs/"+id, "")
	}
	if site.WasChanged(err) {
		return jobChanged(v, id)
	}
	if err != nil {
		return v.Again(form, err, renderJob)
	}
	v.Remember()
	return v.Back("/jobs/"+id, done)
}

// askToDeleteRoute asks for confirmation, and lists the steps that would be deleted. If a route cannot be deleted, it is refused before the
// question.
func askToDeleteRoute(v *site.Visit, jobID, pathID string) error {
	path, err := v.Service.Path(v.R.Context(), pathID)
	switch used := func(at shop.StepDistribution) bool { return at.SerialCount+at.CompletedCount > 0 }; {
	case err != nil:
	case readPathDetail(path) != v.Form.Get(site.ReadField):
		err = site.ErrNotDeleted(v.T("Somebody changed the route meanwhile."))
	case slices.ContainsFunc(path.Distribution, used):
		err = refusal.Refuse(shop.PathHasSerials)
	}
	if err != nil {
		return v.Again("delete-path"+pathID, err, renderJob)
	}
	var steps []string
	for _, step := range path.Steps {
		steps = append(steps, step.Name)
	}
	return v.Confirm("jobs", v.T("Delete the route {route}?", "route", path.Name), v.T("Delete {name}", "name", path.Name),
		"/jobs/"+jobID, "", deletedSteps(v, steps))
}

// readJob returns the digest of a job for its form.
func readJob(job shop.JobDetail) string {
	return site.AsRead(job.Name, job.GoalQuantity, job.OrderFields)
}

// Read returns the digest of the job for its form.
func (p *JobPage) Read() string { return readJob(p.Job) }

// jobChanged responds to a form for a job that has changed since the page was shown.
func jobChanged(v *site.Visit, id string) error {
	job, err := v.Service.Job(v.R.Context(), id)
	if err != nil {
		return err
	}
	goal := strconv.FormatInt(job.GoalQuantity, 10)
	values, fresh := site.ComparedOrder(v.Form, job.OrderFields)
	fresh.Set("name", job.Name)
	fresh.Set("goalQuantity", goal)
	err = site.ErrChanged(v, v.T("Somebody changed the job meanwhile."), append([]site.Compared{
		{Field: "Name", Typed: v.Form.Get("name"), Now: job.Name},
		{Field: "Goal quantity", Typed: v.Form.Get("goalQuantity"), Now: goal},
	}, values...))
	return v.Again("edit", err, func(v *site.Visit, status int, refused *site.Problem) error {
		refused.Values = fresh
		return renderJob(v, status, refused)
	})
}

// closeJob closes or reopens the job.
func closeJob(v *site.Visit, id, do string) (done string, err error) {
	if err := v.Named(); err != nil {
		return "", err
	}
	in := jobClosingForm.Read(v.Form)
	in.UserID = v.User()
	if do == "close" {
		_, err = v.Service.CloseJob(v.R.Context(), id, in)
		return v.T("Job closed."), err
	}
	_, err = v.Service.ReopenJob(v.R.Context(), id, in)
	return v.T("Job reopened."), err
}

var (
	jobClosingForm    = site.FormOf[shop.JobClosingInput]()
	updateJobForm     = site.FormOf[shop.UpdateJobInput]()
	createSerialsForm = site.DecimalFormOf[shop.CreateSerialsInput]()
)

func saveJob(v *site.Visit, id string) (string, error) {
	in := updateJobForm.Read(v.Form)
	in.GoalQuantity, in.ChangedBy = givenNumber(v.Form.Get("goalQuantity")), v.User()
	_, err := v.Service.UpdateJob(site.IfRead(v, v.Form.Get(site.ReadField), readJob), id, in)
	return v.T("Job saved."), err
}

// askToCreateUnits asks for confirmation if the number of units is unusual for the job.
func askToCreateUnits(v *site.Visit, jobID string) (asked bool, err error) {
	units, err := input.ChangedQuantity("quantity", v.Number("quantity"))
	if err != nil || v.Sure() {
		return false, nil // createUnits refuses an invalid quantity and states the reason
	}
	job, err := v.Service.Job(v.R.Context(), jobID)
	if err != nil || !job.Progress.Unusual(units) {
		return false, err
	}
	existing := v.TN(job.Progress.TotalSerials-job.Progress.ScrappedSerials,
		"{job} has the goal {goal} and {n} unit, without scrapped ones.",
		"{job} has the goal {goal} and {n} units, without scrapped ones.",
		"job", job.Name, "goal", v.Language.Number(job.GoalQuantity))
	return true, v.Confirm("jobs", v.TN(units, "Create {n} unit?", "Create {n} units?"),
		v.TN(units, "Create {n} unit", "Create {n} units"), "/jobs/"+jobID, "", existing)
}

func createUnits(v *site.Visit, jobID string) (string, error) {
	if err := v.Named(); err != nil {
		return "", err
	}
	in, err := createSerialsForm.Read(v)
	if err != nil {
		return "", err
	}
	in.JobID, in.UserID = input.Given(jobID), v.User()
	if in.LotID, err = site.LotTyped(v, v.Form.Get("component")); err != nil {
		return "", err
	}
	if in.CertID, err = v.Picked("certificate", "certId"); err != nil {
		return "", err
	}
	batch, err := v.Service.CreateSerials(v.R.Context(), in)
	first, last := v.SerialPrefix().SerialID(batch.First), v.SerialPrefix().SerialID(batch.First+batch.Quantity-1)
	if err == nil {
		units := url.Values{"first": {first}, "last": {last}}
		v.Next = site.Step{To: "/labels?" + units.Encode(), Label: v.TN(batch.Quantity, "Label of this unit", "Labels of these {n}")}
	}
	return v.TN(batch.Quantity, "Created {n} unit: {first} to {last}.", "Created {n} units: {first} to {last}.",
		"first", first, "last", last), err
}

// givenNumber reads a number field of an update. An empty field counts as an invalid number, not as absent.
func givenNumber(typed string) input.NumberInput {
	if strings.TrimSpace(typed) == "" {
		return input.Mistyped[float64]()
	}
	return site.NumberOf(typed)
}
