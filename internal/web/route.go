package web

import (
	"fmt"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard"
)

// stepRow is one line of the step editor, as it was typed.
type stepRow struct {
	Name, Location, DependencyType string
	Optional                       bool
	Kept                           bool // it exists already
}

type routePage struct {
	frame
	Job          routecard.JobDetail
	PathID       string // "" for a new one
	Name         string
	Goal         string
	Mode         string
	Rows         []stepRow
	Fixed        string // why rows may not be moved or removed, "" when they may
	Names        []string
	Locations    []string
	Modes        []routecard.AdvancementMode
	Dependencies []routecard.DependencyType
}

// PickNames are the names that the library and other routes have.
func (p *routePage) PickNames() []string { return p.Names }

func showRoute(v *visit) error {
	page, err := v.route()
	if err != nil {
		return err
	}
	return v.show(http.StatusOK, "route", page)
}

// route is the editor with the path as it is, or with one empty row.
func (v *visit) route() (*routePage, error) {
	ctx := v.r.Context()
	job, err := v.service.Job(ctx, v.r.PathValue("id"))
	if err != nil {
		return nil, err
	}
	page := &routePage{frame: v.frame("New route", "jobs"), Job: job, PathID: v.r.PathValue("path"),
		Mode: string(routecard.Strict), Goal: strconv.FormatInt(job.GoalQuantity, 10), Rows: make([]stepRow, 3),
		Modes: routecard.AdvancementModes(), Dependencies: routecard.DependencyTypes()}
	for i := range page.Rows {
		page.Rows[i].DependencyType = string(routecard.Preferred)
	}
	if page.PathID != "" {
		at := slices.IndexFunc(job.Paths, func(path routecard.Path) bool { return path.ID == page.PathID })
		if at < 0 {
			return nil, &routecard.Error{Code: routecard.NotFound, Message: "Path not found: " + page.PathID}
		}
		path := job.Paths[at]
		page.Title, page.Name, page.Mode = "Edit route", path.Name, string(path.AdvancementMode)
		page.Goal = strconv.FormatInt(path.GoalQuantity, 10)
		page.Rows = nil
		for _, step := range path.Steps {
			page.Rows = append(page.Rows, stepRow{step.Name, step.Location, string(step.DependencyType), step.Optional, true})
		}
		if page.Fixed, err = v.service.RouteFixed(ctx, path.ID); err != nil {
			return nil, err
		}
	}
	if page.Names, err = v.service.StepNames(ctx, 500); err != nil {
		return nil, err
	}
	for entry, err := range v.service.LibraryEntries(ctx, routecard.Locations) {
		if err != nil {
			return nil, err
		}
		page.Locations = append(page.Locations, entry.Name)
	}
	return page, nil
}

// editRoute changes the rows as asked, keeping what was typed, or saves the route.
func editRoute(v *visit) error {
	page, err := v.route()
	if err != nil {
		return err
	}
	page.Name, page.Goal, page.Mode = v.form.Get("name"), v.form.Get("goalQuantity"), v.form.Get("advancementMode")
	kept := len(page.Rows)
	if page.PathID == "" {
		kept = 0
	}
	page.Rows = v.rows(kept)
	what, place, _ := strings.Cut(v.form.Get("do"), ":")
	at, _ := strconv.Atoi(place)
	inside := at >= 0 && at < len(page.Rows)
	switch {
	case what == "add":
		page.Rows = append(page.Rows, stepRow{DependencyType: string(routecard.Preferred)})
	case what == "remove" && inside && len(page.Rows) > 1:
		page.Rows = slices.Delete(page.Rows, at, at+1)
	case what == "up" && inside && at > 0:
		page.Rows[at-1], page.Rows[at] = page.Rows[at], page.Rows[at-1]
	case what == "down" && inside && at+1 < len(page.Rows):
		page.Rows[at+1], page.Rows[at] = page.Rows[at], page.Rows[at+1]
	case what == "save":
		return v.saveRoute(page)
	}
	return v.show(http.StatusOK, "route", page)
}

// rows reads the rows of the editor.
func (v *visit) rows(kept int) []stepRow {
	names := v.form["step"]
	rows := make([]stepRow, len(names))
	at := func(field string, i int) string {
		if values := v.form[field]; i < len(values) {
			return values[i]
		}
		return ""
	}
	for i, name := range names {
		rows[i] = stepRow{Name: name, Location: at("location", i), DependencyType: at("dependencyType", i),
			Optional: slices.Contains(v.form["optional"], strconv.Itoa(i)), Kept: i < kept}
	}
	return rows
}

func (v *visit) saveRoute(page *routePage) error {
	ctx := v.r.Context()
	var steps []routecard.Input[routecard.StepInput]
	rows := slices.Clone(page.Rows)
	for len(rows) > 1 && strings.TrimSpace(rows[len(rows)-1].Name) == "" && !rows[len(rows)-1].Kept {
		rows = rows[:len(rows)-1] // rows at the end that nobody filled in
	}
	for _, row := range rows {
		steps = append(steps, routecard.Given(routecard.StepInput{
			Name: routecard.Given(row.Name), Location: routecard.Given(row.Location),
			Optional: routecard.Given(row.Optional), DependencyType: routecard.Given(row.DependencyType),
		}))
	}
	var err error
	if page.PathID == "" {
		_, err = v.service.CreatePath(ctx, routecard.CreatePathInput{
			JobID: routecard.Given(page.Job.ID), Name: v.text("name"), GoalQuantity: v.number("goalQuantity"),
			AdvancementMode: v.text("advancementMode"), Steps: routecard.Given(steps),
		})
	} else {
		_, err = v.service.UpdatePath(ctx, page.PathID, routecard.UpdatePathInput{
			Name: v.text("name"), GoalQuantity: givenNumber(page.Goal),
			AdvancementMode: v.text("advancementMode"), Steps: routecard.Given(steps),
		})
	}
	if err != nil {
		return v.again("route", err, func(status int, refused *problem) error {
			page.problem = refused
			return v.show(status, "route", page)
		})
	}
	return v.back("/jobs/"+page.Job.ID, fmt.Sprintf("Route saved with %s.", plural(len(steps), "step", "steps")))
}
