package office

import (
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
)

// Editor is the step editor of routes and templates. Its buttons submit the form, so it works without JavaScript.
type Editor struct {
	Rows         []StepRow
	Fixed        bool     // existing steps must not be removed, because records refer to them
	StepNames    []string // suggestions from the library and other routes
	Locations    []string
	Dependencies []card.DependencyType
}

// StepRow is one line of the editor as the user typed it.
type StepRow struct {
	ID                             string // of an existing step; "" for a new one
	Name, Location, DependencyType string
	Optional                       bool
}

const emptyRows = 3

// stepIDField is the field with the identifier of a row's step.
const stepIDField = "stepId"

// newEditor reads the posted rows, or returns empty ones.
func newEditor(v *site.Visit) (e Editor, err error) {
	e.Dependencies = shop.DependencyTypes()
	at := func(field string, i int) string {
		if values := v.Form[field]; i < len(values) {
			return values[i]
		}
		return ""
	}
	for i, name := range v.Form["step"] {
		e.Rows = append(e.Rows, StepRow{ID: at(stepIDField, i), Name: name, Location: at("location", i),
			DependencyType: at("dependencyType", i), Optional: slices.Contains(v.Form["optional"], strconv.Itoa(i))})
	}
	for e.Rows == nil || v.Form["step"] == nil && len(e.Rows) < emptyRows {
		e.Rows = append(e.Rows, StepRow{DependencyType: string(card.Preferred)})
	}
	if e.StepNames, err = v.Views.StepNames(v.R.Context(), 500); err != nil {
		return e, err
	}
	for entry, err := range v.Service.LibraryEntries(v.R.Context(), shop.Locations) {
		if err != nil {
			return e, err
		}
		e.Locations = append(e.Locations, entry.Name)
	}
	return e, nil
}

// Stuck reports whether the step of this row cannot be removed.
func (e *Editor) Stuck(at int) bool { return e.Fixed && e.Rows[at].ID != "" }

// change applies a button of the editor: "add", or "remove", "up" and "down" with the index of a row.
func (e *Editor) change(do string) {
	what, place, _ := strings.Cut(do, ":")
	at, err := strconv.Atoi(place)
	inside := err == nil && at >= 0 && at < len(e.Rows)
	switch {
	case what == "add":
		e.Rows = append(e.Rows, StepRow{DependencyType: string(card.Preferred)})
	case what == "remove" && inside && len(e.Rows) > 1 && !e.Stuck(at):
		e.Rows = slices.Delete(e.Rows, at, at+1)
	case what == "up" && inside && at > 0:
		e.Rows[at-1], e.Rows[at] = e.Rows[at], e.Rows[at-1]
	case what == "down" && inside && at+1 < len(e.Rows):
		e.Rows[at+1], e.Rows[at] = e.Rows[at], e.Rows[at+1]
	}
}

// filled returns the rows without empty new rows at the end.
func (e *Editor) filled() []StepRow {
	rows := e.Rows
	for len(rows) > 1 && strings.TrimSpace(rows[len(rows)-1].Name) == "" && rows[len(rows)-1].ID == "" {
		rows = rows[:len(rows)-1]
	}
	return rows
}

func (r StepRow) input() shop.StepInput {
	return shop.StepInput{
		Name: input.Given(r.Name), Location: input.Given(r.Location),
		Optional: input.Given(r.Optional), DependencyType: input.Given(r.DependencyType),
	}
}

// steps converts the rows to new steps.
func (e *Editor) steps() shop.StepsInput {
	rows := e.filled()
	steps := make([]input.Input[shop.StepInput], len(rows))
	for i, row := range rows {
		steps[i] = input.Given(row.input())
	}
	return input.Given(steps)
}

// routeSteps converts the rows to steps of a route; existing steps keep their identifiers.
func (e *Editor) routeSteps() shop.RouteStepsInput {
	rows := e.filled()
	steps := make([]input.Input[shop.RouteStepInput], len(rows))
	for i, row := range rows {
		step := shop.RouteStepInput{StepInput: row.input()}
		if row.ID != "" {
			step.ID = input.Given(row.ID)
		}
		steps[i] = input.Given(step)
	}
	return input.Given(steps)
}

// comparedTo compares the typed rows with the current ones, by position.
func (e *Editor) comparedTo(l *lang.Language, now Editor) (values []site.Compared) {
	for i := range max(len(e.Rows), len(now.Rows)) {
		typed, is := e.rowInWords(l, i), now.rowInWords(l, i)
		values = append(values, site.Compared{Field: "Step {row}", Row: wording.Ordinal(i), Typed: typed, Now: is})
	}
	return values
}

// rowInWords describes the row at an index, "" if it is empty or missing.
func (e *Editor) rowInWords(l *lang.Language, at int) string {
	if at >= len(e.Rows) || strings.TrimSpace(e.Rows[at].Name) == "" {
		return ""
	}
	row := e.Rows[at]
	text := row.Name
	if row.Location != "" {
		text += ", " + row.Location
	}
	if row.Optional {
		text += ", " + l.T("optional")
	}
	if row.DependencyType != string(card.Preferred) {
		text += ", " + lang.Words(l, row.DependencyType)
	}
	return text
}
