package office

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// RoutePage is the editor of a route.
type RoutePage struct {
	site.Frame
	Editor
	needs     // of an existing route
	Job       shop.JobDetail
	PathID    string // "" for a new route
	Read      string // the digest of the route, "" for a new one; see readPath
	Name      string
	Goal      string
	Due       string
	Mode      string
	Modes     []card.AdvancementMode
	Templates []shop.Template
	Steps     []card.ProcessStep // the existing steps of the route
}

// Operation is the operation of the form.
func (p *RoutePage) Operation() shop.Operation {
	if p.PathID == "" {
		return shop.OpCreatePath
	}
	return shop.OpReplaceSteps
}

func showRoute(v *site.Visit) error {
	page, err := routePageAsked(v)
	return v.Shown(err, http.StatusOK, "route", page)
}

// routePageAsked returns the editor of the route in the address.
func routePageAsked(v *site.Visit) (*RoutePage, error) {
	return newRoutePage(v, v.R.PathValue("id"), v.R.PathValue("path"))
}

// newRoutePage returns the editor with the posted rows, with the existing route, or with empty rows.
func newRoutePage(v *site.Visit, jobID, pathID string) (*RoutePage, error) {
	ctx := v.R.Context()
	job, err := v.Service.Job(ctx, jobID)
	if err != nil {
		return nil, err
	}
	page := &RoutePage{Frame: v.Frame("New route", "jobs"), Job: job, PathID: pathID,
		Mode: string(card.Strict), Goal: strconv.FormatInt(job.GoalQuantity, 10), Modes: shop.AdvancementModes()}
	var path card.Path
	if page.PathID != "" {
		if path, err = job.Path(page.PathID); err != nil {
			return nil, err
		}
		page.Title, page.Name, page.Mode = v.T("Edit route"), path.Name, string(path.AdvancementMode)
		page.Steps = path.Steps
		page.Goal, page.Due = strconv.FormatInt(path.GoalQuantity, 10), path.DueDate
		if page.needs, err = readNeeds(v, path.ID); err != nil {
			return nil, err
		}
	}
	if page.Editor, err = newEditor(v); err != nil {
		return nil, err
	}
	if page.PathID != "" {
		if page.Fixed, err = v.Service.RouteFixed(ctx, path.ID); err != nil {
			return nil, err
		}
		if v.Form["step"] == nil {
			page.Rows, page.Read = nil, readPath(path)
			for _, step := range path.Steps {
				page.Rows = append(page.Rows, StepRow{step.ID, step.Name, step.Location, string(step.DependencyType), step.Optional})
			}
		}
	}
	for template, err := range v.Service.Templates(ctx) {
		if err != nil {
			return nil, err
		}
		page.Templates = append(page.Templates, template)
	}
	if v.Form["step"] != nil {
		page.Read = v.Form.Get(site.ReadField)
		page.Name, page.Goal, page.Mode = v.Form.Get("name"), v.Form.Get("goalQuantity"), v.Form.Get("advancementMode")
		page.Due = v.Form.Get("dueDate")
	}
	return page, nil
}

// editRoute applies the editor's buttons to the typed rows, or saves the route.
func editRoute(v *site.Visit) error {
	page, err := routePageAsked(v)
	if err != nil {
		return err
	}
	switch do := v.Form.Get("do"); do {
	case "save":
		return saveRoute(v, page)
	case "template":
		template, err := v.Service.Template(v.R.Context(), v.Form.Get("templateId"))
		if err != nil {
			return v.Again("route", err, func(v *site.Visit, status int, refused *site.Problem) error {
				page.Rejected = refused
				return v.Show(status, "route", page)
			})
		}
		page.fill(template)
	default:
		page.change(do)
	}
	return v.Show(http.StatusOK, "route", page)
}

var (
	createPathForm   = site.FormOf[shop.CreatePathInput]()
	replaceStepsForm = site.FormOf[shop.ReplaceStepsInput]()
)

func saveRoute(v *site.Visit, page *RoutePage) error {
	ctx := v.R.Context()
	var path card.Path
	var err error
	switch {
	case page.PathID == "":
		in := createPathForm.Read(v.Form)
		in.JobID, in.Steps, in.ChangedBy = input.Given(page.Job.ID), page.steps(), v.User()
		path, err = v.Service.CreatePath(ctx, in)
	case v.Form[stepIDField] == nil: // without identifiers every step would be saved as a new one
		return routeChanged(v, page)
	default:
		in := replaceStepsForm.Read(v.Form)
		in.GoalQuantity, in.Steps, in.ChangedBy = givenNumber(page.Goal), page.routeSteps(), v.User()
		path, err = v.Service.ReplaceSteps(site.IfRead(v, page.Read, readPathDetail), page.PathID, in)
	}
	if site.WasChanged(err) {
		return routeChanged(v, page)
	}
	if err != nil {
		return v.Again("route", err, func(v *site.Visit, status int, refused *site.Problem) error {
			page.Rejected = refused
			return v.Show(status, "route", page)
		})
	}
	return v.Back("/jobs/"+page.Job.ID, v.TN(len(path.Steps), "Route saved with {n} step.", "Route saved with {n} steps."))
}

// readPath returns the digest of a route for its editor. It does not include the assignees of steps, because they are changed elsewhere.
func readPath(path card.Path) string {
	values := []any{path.Name, path.GoalQuantity, path.AdvancementMode, path.DueDate}
	for _, step := range path.Steps {
		values = append(values, step.ID, step.Name, step.Location, step.Optional, step.DependencyType)
	}
	return site.AsRead(values...)
}

func readPathDetail(detail shop.PathDetail) string { return readPath(detail.Path) }

// routeChanged shows the editor of a route that has changed since the editor was shown.
func routeChanged(v *site.Visit, typed *RoutePage) error {
	form := v.Form
	v.Form = url.Values{}
	now, err := routePageAsked(v)
	v.Form = form
	if err != nil {
		return err
	}
	values := []site.Compared{
		{Field: "Name", Typed: typed.Name, Now: now.Name}, {Field: "Goal quantity", Typed: typed.Goal, Now: now.Goal},
		{Field: "Units move", Typed: lang.Words(v.Language, typed.Mode), Now: lang.Words(v.Language, now.Mode)},
		{Field: "of a job|Due", Typed: typed.Due, Now: now.Due},
	}
	err = site.ErrChanged(v, v.T("Somebody changed the route meanwhile."), append(values, typed.comparedTo(v.Language, now.Editor)...))
	return v.Again("route", err, func(v *site.Visit, status int, refused *site.Problem) error {
		now.Rejected = refused
		return v.Show(status, "route", now)
	})
}
