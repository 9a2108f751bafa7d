package web

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// boardUnits is how many units a column of a board shows; the rest are counted.
const boardUnits = 40

type jobPage struct {
	frame
	Job          shop.JobDetail
	Boards       []views.Board
	Certificates []choice // the newest, to choose from
	Reasons      []card.ScrapReason
	History      []trail.Entry
	Files        filesPart
	Measures     bool   // whether something is measured in the job
	Chosen       string // the path whose board is marked by a refused form
	past
}

// boardPart is one route of the job, as its parts of the template see it.
type boardPart struct {
	Page  *jobPage
	Board views.Board
}

func (p boardPart) Works() string { return p.Page.Works() }

// Read is what the form that deletes the route carries of what was read.
func (p boardPart) Read() string { return readPath(p.Board.Path) }

// Part makes the argument of the template's parts.
func (p *jobPage) Part(board views.Board) boardPart { return boardPart{p, board} }

// Order is what the job is for.
func (p *jobPage) Order() views.WorkOrder { return views.OrderOf(&p.Job) }

// Held is how many of the job's units in progress are on hold.
func (p *jobPage) Held() (count int64) {
	for i := range p.Boards {
		count += p.Boards[i].Held
	}
	return count
}

func showJob(v *visit) error { return renderJob(v, http.StatusOK, nil) }

func renderJob(v *visit, status int, refused *problem) error {
	ctx, id := v.r.Context(), v.r.PathValue("id")
	job, err := v.service.Job(ctx, id)
	if err != nil {
		return err
	}
	page := &jobPage{frame: v.frame(job.Name, "jobs"), Job: job, Reasons: shop.ScrapReasons()}
	if page.Measures, err = v.views.Measures(ctx, id); err != nil {
		return err
	}
	page.problem = refused
	if page.Boards, err = v.views.Boards(ctx, id, boardUnits); err != nil {
		return err
	}
	if page.Certificates, err = newest(v, "certificate"); err != nil {
		return err
	}
	if page.Files, err = filesOf(v, shop.FileSubject{Kind: shop.RecordJob, ID: id}); err != nil {
		return err
	}
	history, err := v.views.AuditPage(ctx, views.AuditQuery{JobID: id, Limit: 20})
	if err != nil {
		return err
	}
	page.History = history.Entries
	if page.names, err = v.views.PastNames(ctx, page.History); err != nil {
		return err
	}
	page.past = page.telling(page.History)
	return v.show(status, "job", page)
}

func changeJob(v *visit) error {
	id, pathID, do := v.r.PathValue("id"), v.form.Get("pathId"), v.form.Get("do")
	if do == "ask-report" {
		return askedReport(v)
	}
	if action, asks := strings.CutPrefix(do, "ask-"); asks {
		return askedMany(v, action)
	}
	if do == "" && v.form.Get("all") != "" {
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
		if !v.sure() {
			return askToDeleteRoute(v, id, pathID)
		}
		err = v.service.DeletePath(ifRead(v, v.form.Get(readField), readPathDetail), pathID, v.user())
		if wasChanged(err) {
			return v.again(form, errNotDeleted("route"), renderJob)
		}
		done = "Route deleted."
	case manyAdvance, manyScrap, manyClose, manyAttach, manyNote:
		if done, err = changeMany(v, do); err != nil {
			return manyRefused(v, do, err)
		}
	default:
		return v.back("/jobs/"+id, "")
	}
	if wasChanged(err) {
		return jobChanged(v, id)
	}
	if err != nil {
		return v.again(form, err, renderJob)
	}
	v.remember()
	return v.back("/jobs/"+id, done)
}

// askToDeleteRoute names what goes. A route that stays anyway is refused at once.
func askToDeleteRoute(v *visit, jobID, pathID string) error {
	path, err := v.service.Path(v.r.Context(), pathID)
	switch used := func(at shop.StepDistribution) bool { return at.SerialCount+at.CompletedCount > 0 }; {
	case err != nil:
	case readPathDetail(path) != v.form.Get(readField):
		err = errNotDeleted("route")
	case slices.ContainsFunc(path.Distribution, used):
		err = refusal.Refuse(shop.PathHasSerials)
	}
	if err != nil {
		return v.again("delete-path"+pathID, err, renderJob)
	}
	var steps []string
	for _, step := range path.Steps {
		steps = append(steps, step.Name)
	}
	return v.confirm("jobs", "Delete the route "+path.Name+"?", "Delete "+path.Name, "/jobs/"+jobID, "", deletedSteps(steps))
}

// readJob is what the form for a job carries of what was read.
func readJob(job shop.JobDetail) string { return asRead(job.Name, job.GoalQuantity, job.OrderFields) }

// Read is what the form for the job carries of what was read.
func (p *jobPage) Read() string { return readJob(p.Job) }

// jobChanged answers a form for a job that somebody changed since it was read.
func jobChanged(v *visit, id string) error {
	job, err := v.service.Job(v.r.Context(), id)
	if err != nil {
		return err
	}
	goal := strconv.FormatInt(job.GoalQuantity, 10)
	values, fresh := comparedOrder(v.form, job.OrderFields)
	fresh.Set("name", job.Name)
	fresh.Set("goalQuantity", goal)
	err = errChanged("the job", append([]compared{
		{"Name", v.form.Get("name"), job.Name}, {"Goal quantity", v.form.Get("goalQuantity"), goal},
	}, values...))
	return v.again("edit", err, func(v *visit, status int, refused *problem) error {
		refused.values = fresh
		return renderJob(v, status, refused)
	})
}

// closeJob closes or reopens the job.
func closeJob(v *visit, id, do string) (done string, err error) {
	if err := v.named(); err != nil {
		return "", err
	}
	in := jobClosingForm.read(v.form)
	in.UserID = v.user()
	if do == "close" {
		_, err = v.service.CloseJob(v.r.Context(), id, in)
		return "Job closed.", err
	}
	_, err = v.service.ReopenJob(v.r.Context(), id, in)
	return "Job reopened.", err
}

var (
	jobClosingForm    = formOf[shop.JobClosingInput]()
	updateJobForm     = formOf[shop.UpdateJobInput]()
	createSerialsForm = formOf[shop.CreateSerialsInput]()
)

func saveJob(v *visit, id string) (string, error) {
	in := updateJobForm.read(v.form)
	in.GoalQuantity, in.ChangedBy = givenNumber(v.form.Get("goalQuantity")), v.user()
	_, err := v.service.UpdateJob(ifRead(v, v.form.Get(readField), readJob), id, in)
	return "Job saved.", err
}

// askToCreateUnits asks for a confirmation of a number of units that is unusual for the job.
func askToCreateUnits(v *visit, jobID string) (asked bool, err error) {
	units, err := input.ChangedQuantity("quantity", v.number("quantity"))
	if err != nil || v.sure() {
		return false, nil // createUnits refuses what is no quantity, and tells why
	}
	job, err := v.service.Job(v.r.Context(), jobID)
	if err != nil || !job.Progress.Unusual(units) {
		return false, err
	}
	these := wording.Plural(units, "unit", "units")
	return true, v.confirm("jobs", "Create "+these+"?", "Create "+these, "/jobs/"+jobID, "", fmt.Sprintf(
		"%s has the goal %s and %s, without scrapped ones.", job.Name, wording.Number(job.GoalQuantity),
		wording.Plural(job.Progress.TotalSerials-job.Progress.ScrappedSerials, "unit", "units")))
}

func createUnits(v *visit, jobID string) (string, error) {
	if err := v.named(); err != nil {
		return "", err
	}
	in := createSerialsForm.read(v.form)
	in.JobID, in.UserID = input.Given(jobID), v.user()
	var err error
	if in.CertID, err = v.picked("certificate", "certId"); err != nil {
		return "", err
	}
	batch, err := v.service.CreateSerials(v.r.Context(), in)
	if err == nil {
		units := url.Values{"first": {ident.SerialID(batch.First)}, "last": {ident.SerialID(batch.First + batch.Quantity - 1)}}
		v.next = step{"/labels?" + units.Encode(), ofThese(batch.Quantity, "Label of this unit", "Labels of these")}
	}
	return fmt.Sprintf("Created %s: %s to %s.", wording.Plural(batch.Quantity, "unit", "units"),
		ident.SerialID(batch.First), ident.SerialID(batch.First+batch.Quantity-1)), err
}

// givenNumber is a number field of an update, where an empty field is not absent but no number.
func givenNumber(typed string) input.NumberInput {
	if strings.TrimSpace(typed) == "" {
		return input.Mistyped[float64]()
	}
	return numberOf(typed)
}

// ofThese names a link that is about the units of a batch.
func ofThese(count int64, one, many string) string {
	if count == 1 {
		return one
	}
	return many + " " + wording.Number(count)
}
