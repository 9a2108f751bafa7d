package web

import (
	"fmt"
	"net/http"
	"net/url"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

type templatesPage struct {
	frame
	editor
	Templates []shop.Template
}

type templatePage struct {
	frame
	editor
	Template shop.Template
	Read     string   // what was read of it; see readTemplate
	Jobs     []choice // the newest, to choose from
}

func showTemplates(v *visit) error { return renderTemplates(v, http.StatusOK, nil) }

func renderTemplates(v *visit, status int, refused *problem) error {
	page := &templatesPage{frame: v.frame("Route templates", "templates")}
	page.problem = refused
	for template, err := range v.service.Templates(v.r.Context()) {
		if err != nil {
			return err
		}
		page.Templates = append(page.Templates, template)
	}
	var err error
	if page.editor, err = newEditor(v); err != nil {
		return err
	}
	page.change(v.form.Get("do"))
	return v.show(status, "templates", page)
}

var (
	createTemplateForm = formOf[shop.CreateTemplateInput]()
	updateTemplateForm = formOf[shop.UpdateTemplateInput]()
	applyForm          = formOf[shop.ApplyTemplateInput]()
)

func createTemplate(v *visit) error {
	if v.form.Get("do") != "save" {
		return renderTemplates(v, http.StatusOK, &problem{form: "route", values: v.form})
	}
	e, err := newEditor(v)
	if err != nil {
		return err
	}
	in := createTemplateForm.read(v.form)
	in.Steps, in.ChangedBy = shop.TemplateSteps(e.steps()), v.user()
	template, err := v.service.CreateTemplate(v.r.Context(), in)
	if err != nil {
		return v.again("route", err, renderTemplates)
	}
	return v.back("/templates/"+template.ID, "Template created.")
}

func showTemplate(v *visit) error { return renderTemplate(v, http.StatusOK, nil) }

func renderTemplate(v *visit, status int, refused *problem) error {
	ctx := v.r.Context()
	template, err := v.service.Template(ctx, v.r.PathValue("id"))
	if err != nil {
		return err
	}
	page := &templatePage{frame: v.frame(template.Name, "templates"), Template: template}
	page.problem = refused
	if page.editor, err = newEditor(v); err != nil {
		return err
	}
	if page.Read = v.form.Get(readField); v.form["step"] == nil {
		page.Rows, page.Read = rowsOf(template), readTemplate(template)
	}
	page.change(v.form.Get("do"))
	page.Jobs, err = newest(v, "job")
	return v.shown(err, status, "template", page)
}

func changeTemplate(v *visit) error {
	ctx, id := v.r.Context(), v.r.PathValue("id")
	switch do := v.form.Get("do"); do {
	case "save":
		e, err := newEditor(v)
		if err == nil {
			in := updateTemplateForm.read(v.form)
			in.Steps, in.ChangedBy = shop.TemplateSteps(e.steps()), v.user()
			_, err = v.service.UpdateTemplate(ifRead(v, v.form.Get(readField), readTemplate), id, in)
		}
		if wasChanged(err) {
			return templateChanged(v, id, e)
		}
		if err != nil {
			return v.again("route", err, renderTemplate)
		}
		return v.back("/templates/"+id, "Template saved. Routes made by it stay as they are.")
	case "apply":
		var path card.Path
		in := applyForm.read(v.form)
		in.ChangedBy = v.user()
		var err error
		if in.JobID, err = v.picked("job", "jobId"); err == nil {
			path, err = v.service.ApplyTemplate(ctx, id, in)
		}
		if err != nil {
			return v.again("apply", err, renderTemplate)
		}
		return v.back("/jobs/"+path.JobID, fmt.Sprintf("Route %s added with %s.", path.Name, wording.Plural(len(path.Steps), "step", "steps")))
	case "delete":
		if !v.sure() {
			return askToDeleteTemplate(v, id)
		}
		err := v.service.DeleteTemplate(ifRead(v, v.form.Get(readField), readTemplate), id, v.user())
		if wasChanged(err) {
			return templateNotDeleted(v)
		}
		if err != nil {
			return v.again("delete", err, renderTemplate)
		}
		return v.back("/templates", "Template deleted. Routes made by it stay.")
	}
	return renderTemplate(v, http.StatusOK, &problem{form: "route", values: v.form})
}

// askToDeleteTemplate names what goes, and what stays.
func askToDeleteTemplate(v *visit, id string) error {
	template, err := v.service.Template(v.r.Context(), id)
	if err != nil {
		return v.again("delete", err, renderTemplate)
	}
	if v.form.Get(readField) != readTemplate(template) {
		return templateNotDeleted(v)
	}
	var steps []string
	for _, step := range template.Steps {
		steps = append(steps, step.Name)
	}
	for name := range v.form {
		if name != "do" && name != readField {
			v.form.Del(name) // what was typed in the editor is not saved
		}
	}
	return v.confirm("templates", "Delete the template "+template.Name+"?", "Delete "+template.Name, "/templates/"+id, "",
		deletedSteps(steps), "Routes made by it stay.")
}

// deletedSteps says which steps go with a template or a route.
func deletedSteps(names []string) string {
	return "Its steps go with it: " + strings.Join(names, " → ") + "."
}

// templateNotDeleted answers who deletes a template that is another by now. The editor shows that one.
func templateNotDeleted(v *visit) error {
	v.form = url.Values{}
	return v.again("delete", errNotDeleted("template"), renderTemplate)
}

// fill fills the editor of a new route with a template's steps, to be changed before it is saved.
func (p *routePage) fill(template shop.Template) {
	p.Rows = rowsOf(template)
	if strings.TrimSpace(p.Name) == "" {
		p.Name = template.Name
	}
}

// rowsOf are a template's steps in the editor.
func rowsOf(template shop.Template) (rows []stepRow) {
	for _, step := range template.Steps {
		rows = append(rows, stepRow{"", step.Name, step.Location, string(step.DependencyType), step.Optional})
	}
	return rows
}

// readTemplate is what the editor carries of what was read of a template.
func readTemplate(template shop.Template) string { return asRead(template.Name, template.Steps) }

// templateChanged answers the editor of a template that somebody changed since it was read.
func templateChanged(v *visit, id string, typed editor) error {
	template, err := v.service.Template(v.r.Context(), id)
	if err != nil {
		return err
	}
	now := editor{Rows: rowsOf(template)}
	err = errChanged("the template", append([]compared{{"Name", v.form.Get("name"), template.Name}}, typed.comparedTo(now)...))
	return v.again("route", err, func(v *visit, status int, refused *problem) error {
		refused.values, v.form = url.Values{"name": {template.Name}}, url.Values{}
		return renderTemplate(v, status, refused)
	})
}
