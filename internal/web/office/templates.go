package office

import (
	"net/http"
	"net/url"
	"strings"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// TemplatesPage lists templates of routes.
type TemplatesPage struct {
	site.Frame
	Editor
	Templates []shop.Template
}

// TemplatePage is the editor of a template.
type TemplatePage struct {
	site.Frame
	Editor
	Template shop.Template
	Read     string        // the digest of the template; see readTemplate
	Jobs     []site.Choice // the newest jobs, as suggestions
}

func showTemplates(v *site.Visit) error { return renderTemplates(v, http.StatusOK, nil) }

func renderTemplates(v *site.Visit, status int, refused *site.Problem) error {
	page := &TemplatesPage{Frame: v.Frame("Route templates", "templates")}
	page.Rejected = refused
	for template, err := range v.Service.Templates(v.R.Context()) {
		if err != nil {
			return err
		}
		page.Templates = append(page.Templates, template)
	}
	var err error
	if page.Editor, err = newEditor(v); err != nil {
		return err
	}
	page.change(v.Form.Get("do"))
	return v.Show(status, "templates", page)
}

var (
	createTemplateForm = site.FormOf[shop.CreateTemplateInput]()
	updateTemplateForm = site.FormOf[shop.UpdateTemplateInput]()
	applyForm          = site.FormOf[shop.ApplyTemplateInput]()
)

func createTemplate(v *site.Visit) error {
	if v.Form.Get("do") != "save" {
		return renderTemplates(v, http.StatusOK, &site.Problem{Form: "route", Values: v.Form})
	}
	e, err := newEditor(v)
	if err != nil {
		return err
	}
	in := createTemplateForm.Read(v.Form)
	in.Steps, in.ChangedBy = shop.TemplateSteps(e.steps()), v.User()
	template, err := v.Service.CreateTemplate(v.R.Context(), in)
	if err != nil {
		return v.Again("route", err, renderTemplates)
	}
	return v.Back("/templates/"+template.ID, v.T("Template created."))
}

func showTemplate(v *site.Visit) error { return renderTemplate(v, http.StatusOK, nil) }

func renderTemplate(v *site.Visit, status int, refused *site.Problem) error {
	ctx := v.R.Context()
	template, err := v.Service.Template(ctx, v.R.PathValue("id"))
	if err != nil {
		return err
	}
	page := &TemplatePage{Frame: v.FrameOf(template.Name, "templates"), Template: template}
	page.Rejected = refused
	if page.Editor, err = newEditor(v); err != nil {
		return err
	}
	if page.Read = v.Form.Get(site.ReadField); v.Form["step"] == nil {
		page.Rows, page.Read = rowsOf(template), readTemplate(template)
	}
	page.change(v.Form.Get("do"))
	page.Jobs, err = site.Newest(v, "job")
	return v.Shown(err, status, "template", page)
}

func changeTemplate(v *site.Visit) error {
	ctx, id := v.R.Context(), v.R.PathValue("id")
	switch do := v.Form.Get("do"); do {
	case "save":
		e, err := newEditor(v)
		if err == nil {
			in := updateTemplateForm.Read(v.Form)
			in.Steps, in.ChangedBy = shop.TemplateSteps(e.steps()), v.User()
			_, err = v.Service.UpdateTemplate(site.IfRead(v, v.Form.Get(site.ReadField), readTemplate), id, in)
		}
		if site.WasChanged(err) {
			return templateChanged(v, id, e)
		}
		if err != nil {
			return v.Again("route", err, renderTemplate)
		}
		return v.Back("/templates/"+id, v.T("Template saved. Routes created from it stay unchanged."))
	case "apply":
		var path card.Path
		in := applyForm.Read(v.Form)
		in.ChangedBy = v.User()
		var err error
		if in.JobID, err = v.Picked("job", "jobId"); err == nil {
			path, err = v.Service.ApplyTemplate(ctx, id, in)
		}
		if err != nil {
			return v.Again("apply", err, renderTemplate)
		}
		return v.Back("/jobs/"+path.JobID,
			v.TN(len(path.Steps), "Route {route} added with {n} step.", "Route {route} added with {n} steps.", "route", path.Name))
	case "delete":
		if !v.Sure() {
			return askToDeleteTemplate(v, id)
		}
		err := v.Service.DeleteTemplate(site.IfRead(v, v.Form.Get(site.ReadField), readTemplate), id, v.User())
		if site.WasChanged(err) {
			return templateNotDeleted(v)
		}
		if err != nil {
			return v.Again("delete", err, renderTemplate)
		}
		return v.Back("/templates", v.T("Template deleted. Routes created from it stay."))
	}
	return renderTemplate(v, http.StatusOK, &site.Problem{Form: "route", Values: v.Form})
}

// askToDeleteTemplate asks for confirmation. It lists what is deleted and what remains.
func askToDeleteTemplate(v *site.Visit, id string) error {
	template, err := v.Service.Template(v.R.Context(), id)
	if err != nil {
		return v.Again("delete", err, renderTemplate)
	}
	if v.Form.Get(site.ReadField) != readTemplate(template) {
		return templateNotDeleted(v)
	}
	var steps []string
	for _, step := range template.Steps {
		steps = append(steps, step.Name)
	}
	for name := range v.Form {
		if name != "do" && name != site.ReadField {
			v.Form.Del(name) // changes in the editor are not saved
		}
	}
	return v.Confirm("templates", v.T("Delete the template {template}?", "template", template.Name),
		v.T("Delete {name}", "name", template.Name), "/templates/"+id, "", deletedSteps(v, steps), v.T("Routes created from it stay."))
}

// deletedSteps lists the steps that are deleted with a template or a route.
func deletedSteps(v *site.Visit, names []string) string {
	return v.T("Its steps are deleted too: {steps}.", "steps", strings.Join(names, " → "))
}

// templateNotDeleted responds if a template that is to be deleted has changed since it was shown. The editor shows the current template.
func templateNotDeleted(v *site.Visit) error {
	v.Form = url.Values{}
	return v.Again("delete", site.ErrNotDeleted(v.T("Somebody changed the template meanwhile.")), renderTemplate)
}

// fill copies a template's steps into the editor of a new route, where they can be changed before saving.
func (p *RoutePage) fill(template shop.Template) {
	p.Rows = rowsOf(template)
	if strings.TrimSpace(p.Name) == "" {
		p.Name = template.Name
	}
}

// rowsOf returns a template's steps as rows of the editor.
func rowsOf(template shop.Template) (rows []StepRow) {
	for _, step := range template.Steps {
		rows = append(rows, StepRow{"", step.Name, step.Location, string(step.DependencyType), step.Optional})
	}
	return rows
}

// readTemplate returns the digest of a template for its editor.
func readTemplate(template shop.Template) string { return site.AsRead(template.Name, template.Steps) }

// templateChanged responds to the editor if the template has changed since the editor was shown.
func templateChanged(v *site.Visit, id string, typed Editor) error {
	template, err := v.Service.Template(v.R.Context(), id)
	if err != nil {
		return err
	}
	now := Editor{Rows: rowsOf(template)}
	name := site.Compared{Field: "Name", Typed: v.Form.Get("name"), Now: template.Name}
	values := append([]site.Compared{name}, typed.comparedTo(v.Language, now)...)
	err = site.ErrChanged(v, v.T("Somebody changed the template meanwhile."), values)
	return v.Again("route", err, func(v *site.Visit, status int, refused *site.Problem) error {
		refused.Values, v.Form = url.Values{"name": {template.Name}}, url.Values{}
		return renderTemplate(v, status, refused)
	})
}
