package web

import (
	"net/http"
	"net/url"
	"strconv"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

type routePage struct {
	frame
	editor
	Job       shop.JobDetail
	PathID    string // "" for a new one
	Read      string // what was read of the path, "" for a new one; see readPath
	Name      string
	Goal      string
	Due       string
	Mode      string
	Modes     []card.AdvancementMode
	Templates []shop.Template
	Steps     []card.ProcessStep // that the route has already
}

// Operation is what the form asks for.
func (p *routePage) Operation() shop.Operation {
	if p.PathID == "" {
		return shop.OpCreatePath
	}
	return shop.OpReplaceSteps
}

func showRoute(v *visit) error {
	page, err := newRoutePage(v)
	return v.shown(err, http.StatusOK, "route", page)
}

// newRoutePage is the editor with what was posted, or with the path as it is, or with empty rows.
func newRoutePage(v *visit) (*routePage, error) {
	ctx := v.r.Context()
	job, err := v.service.Job(ctx, v.r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	page := &routePage{frame: v.frame("New route", "jobs"), Job: job, PathID: v.r.PathValue("path"),
		Mode: string(card.Strict), Goal: strconv.FormatInt(job.GoalQuantity, 10), Modes: shop.AdvancementModes()}
	var path card.Path
	if page.PathID != "" {
		if path, err = job.Path(page.PathID); err != nil {
			return nil, err
		}
		page.Title, page.Name, page.Mode = "Edit route", path.Name, string(path.AdvancementMode)
		page.Steps = path.Steps
		page.Goal, page.Due = strconv.FormatInt(path.GoalQuantity, 10), path.DueDate
	}
	if page.editor, err = newEditor(v); err != nil {
		return nil, err
	}
	if page.PathID != "" {
		if page.Fixed, err = v.service.RouteFixed(ctx, path.ID); err != nil {
			return nil, err
		}
		if v.form["step"] == nil {
			page.Rows, page.Read = nil, readPath(path)
			for _, step := range path.Steps {
				page.Rows = append(page.Rows, stepRow{step.ID, step.Name, step.Location, string(step.DependencyType), step.Optional})
			}
		}
	}
	for template, err := range v.service.Templates(ctx) {
		if err != nil {
			return nil, err
		}
		page.Templates = append(page.Templates, template)
	}
	if v.form["step"] != nil {
		page.Read = v.form.Get(readField)
		page.Name, page.Goal, page.Mode = v.form.Get("name"), v.form.Get("goalQuantity"), v.form.Get("advancementMode")
		page.Due = v.form.Get("dueDate")
	}
	return page, nil
}

// editRoute changes the rows as asked, keeping what was typed, or saves the route.
func editRoute(v *visit) error {
	page, err := newRoutePage(v)
	if err != nil {
		return err
	}
	switch do := v.form.Get("do"); do {
	case "save":
		return saveRoute(v, page)
	case "template":
		template, err := v.service.Template(v.r.Context(), v.form.Get("templateId"))
		if err != nil {
			return v.again("route", err, func(v *visit, status int, refused *problem) error {
				page.problem = refused
				return v.show(status, "route", page)
			})
		}
		page.fill(template)
	default:
		page.change(do)
	}
	return v.show(http.StatusOK, "route", page)
}

var (
	createPathForm   = formOf[shop.CreatePathInput]()
	replaceStepsForm = formOf[shop.ReplaceStepsInput]()
)

func saveRoute(v *visit, page *routePage) error {
	ctx := v.r.Context()
	var path card.Path
	var err error
	switch {
	case page.PathID == "":
		in := createPathForm.read(v.form)
		in.JobID, in.Steps, in.ChangedBy = input.Given(page.Job.ID), page.steps(), v.user()
		path, err = v.service.CreatePath(ctx, in)
	case v.form[stepIDField] == nil: // without identifiers every step would be new
		return routeChanged(v, page)
	default:
		in := replaceStepsForm.read(v.form)
		in.GoalQuantity, in.Steps, in.ChangedBy = givenNumber(page.Goal), page.routeSteps(), v.user()
		path, err = v.service.ReplaceSteps(ifRead(v, page.Read, readPathDetail), page.PathID, in)
	}
	if wasChanged(err) {
		return routeChanged(v, page)
	}
	if err != nil {
		return v.again("route", err, func(v *visit, status int, refused *problem) error {
			page.problem = refused
			return v.show(status, "route", page)
		})
	}
	return v.back("/jobs/"+page.Job.ID, "Route saved with "+wording.Plural(len(path.Steps), "step", "steps")+".")
}

// readPath is what the editor carries of what was read of a path. Who is assigned to its steps is changed elsewhere.
func readPath(path card.Path) string {
	values := []any{path.Name, path.GoalQuantity, path.AdvancementMode, path.DueDate}
	for _, step := range path.Steps {
		values = append(values, step.ID, step.Name, step.Location, step.Optional, step.DependencyType)
	}
	return asRead(values...)
}

func readPathDetail(detail shop.PathDetail) string { return readPath(detail.Path) }

// routeChanged shows the editor of a route that was changed since it was read.
func routeChanged(v *visit, typed *routePage) error {
	form := v.form
	v.form = url.Values{}
	now, err := newRoutePage(v)
	v.form = form
	if err != nil {
		return err
	}
	values := []compared{
		{"Name", typed.Name, now.Name}, {"Goal quantity", typed.Goal, now.Goal}, {"Units move", wording.Words(typed.Mode), wording.Words(now.Mode)},
		{"Due", typed.Due, now.Due},
	}
	err = errChanged("the route", append(values, typed.comparedTo(now.editor)...))
	return v.again("route", err, func(v *visit, status int, refused *problem) error {
		now.problem = refused
		return v.show(status, "route", now)
	})
}
