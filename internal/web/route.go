package web

import (
	"net/http"
	"strconv"

	"github.com/routecard/routecard"
)

type routePage struct {
	frame
	editor
	Job       routecard.JobDetail
	PathID    string // "" for a new one
	Name      string
	Goal      string
	Mode      string
	Modes     []routecard.AdvancementMode
	Templates []routecard.Template
}

func showRoute(v *visit) error {
	page, err := v.route()
	return v.shown(err, http.StatusOK, "route", page)
}

// route is the editor with what was posted, or with the path as it is, or with empty rows.
func (v *visit) route() (*routePage, error) {
	ctx := v.r.Context()
	job, err := v.service.Job(ctx, v.r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	page := &routePage{frame: v.frame("New route", "jobs"), Job: job, PathID: v.r.PathValue("path"),
		Mode: string(routecard.Strict), Goal: strconv.FormatInt(job.GoalQuantity, 10), Modes: routecard.AdvancementModes()}
	var path routecard.Path
	if page.PathID != "" {
		if path, err = job.Path(page.PathID); err != nil {
			return nil, err
		}
		page.Title, page.Name, page.Mode = "Edit route", path.Name, string(path.AdvancementMode)
		page.Goal = strconv.FormatInt(path.GoalQuantity, 10)
	}
	if page.editor, err = v.editor(len(path.Steps)); err != nil {
		return nil, err
	}
	if page.PathID != "" {
		if page.Fixed, err = v.service.RouteFixed(ctx, path.ID); err != nil {
			return nil, err
		}
		if v.form["step"] == nil {
			page.Rows = nil
			for _, step := range path.Steps {
				page.Rows = append(page.Rows, stepRow{step.Name, step.Location, string(step.DependencyType), step.Optional, true})
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
		page.Name, page.Goal, page.Mode = v.form.Get("name"), v.form.Get("goalQuantity"), v.form.Get("advancementMode")
	}
	return page, nil
}

// editRoute changes the rows as asked, keeping what was typed, or saves the route.
func editRoute(v *visit) error {
	page, err := v.route()
	if err != nil {
		return err
	}
	switch do := v.form.Get("do"); do {
	case "save":
		return v.saveRoute(page)
	case "template":
		template, err := v.service.Template(v.r.Context(), v.form.Get("templateId"))
		if err != nil {
			return v.again("route", err, func(status int, refused *problem) error {
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

func (v *visit) saveRoute(page *routePage) error {
	ctx := v.r.Context()
	var path routecard.Path
	var err error
	if page.PathID == "" {
		path, err = v.service.CreatePath(ctx, routecard.CreatePathInput{
			JobID: routecard.Given(page.Job.ID), Name: v.text("name"), GoalQuantity: v.number("goalQuantity"),
			AdvancementMode: v.text("advancementMode"), Steps: page.steps(), ChangedBy: v.user(),
		})
	} else {
		path, err = v.service.UpdatePath(ctx, page.PathID, routecard.UpdatePathInput{
			Name: v.text("name"), GoalQuantity: givenNumber(page.Goal),
			AdvancementMode: v.text("advancementMode"), Steps: page.steps(), ChangedBy: v.user(),
		})
	}
	if err != nil {
		return v.again("route", err, func(status int, refused *problem) error {
			page.problem = refused
			return v.show(status, "route", page)
		})
	}
	return v.back("/jobs/"+page.Job.ID, "Route saved with "+plural(len(path.Steps), "step", "steps")+".")
}
