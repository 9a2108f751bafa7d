package office

import (
	"net/http"
	"net/url"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// filePages declares the page of a file, and the files of a step.
func filePages() Noun {
	return Noun{
		routes: []site.Route{
			site.GetReading("/steps/{id}", site.Always(shop.OpRead), showStep),
			site.Get("/files/{id}", site.Always(shop.OpRead), showFile),
			site.Post("/files/{id}", site.Always(shop.OpVoid), voidFile),
		},
		Views: map[string]any{"file": &filePage{}, "step": &stepPage{}},
	}
}

type filePage struct {
	site.Frame
	site.Past
	Link shop.FileLink
}

func showFile(v *site.Visit) error { return renderFile(v, http.StatusOK, nil) }

func renderFile(v *site.Visit, status int, refused *site.Problem) error {
	link, err := v.Service.FileLink(v.R.Context(), v.R.PathValue("id"))
	if err != nil {
		return err
	}
	page := &filePage{Frame: v.FrameOf(link.Name, ""), Link: link}
	page.Rejected = refused
	if page.NamesThen, err = v.Views.PastNames(v.R.Context(), nil); err != nil {
		return err
	}
	return v.Show(status, "file", page)
}

// Bytes is the address of the file's content.
func (p *filePage) Bytes() string { return site.BytesAt(p.Link) }

// On is the page of the record to which the file is attached, or "" if that record has no page.
func (p *filePage) On() string { return recordPage(p.Link.On) }

// recordPage returns the page of a record that can have files, or "" if the record has no page.
func recordPage(on shop.FileSubject) string {
	page := site.FileSubjects[on.Kind].Page
	if page == "" {
		return ""
	}
	return page + url.QueryEscape(on.ID)
}

var voidFileForm = site.FormOf[shop.VoidInput]()

func voidFile(v *site.Visit) error {
	err := v.Named()
	if err == nil {
		in := voidFileForm.Read(v.Form)
		in.UserID = v.User()
		_, err = v.Service.VoidFileLink(v.R.Context(), v.R.PathValue("id"), in)
	}
	if err != nil {
		return v.Again("void", err, renderFile)
	}
	v.Remember()
	return v.Back("/files/"+v.R.PathValue("id"), v.T("Voided."))
}

type stepPage struct {
	site.Frame
	site.Past
	Step  card.ProcessStep
	Path  card.Path
	Shown []shop.FileLink // the files that an operator sees at the step
	Files site.FilesPart

	Measured card.CharacteristicSet
	Required card.RequirementSet
}

// showStep shows the files of a step. The times of their links show which files the step had at any other time.
func showStep(v *site.Visit) error {
	ctx, id := v.R.Context(), v.R.PathValue("id")
	step, path, err := v.Service.StepOf(ctx, id)
	if err != nil {
		return err
	}
	page := &stepPage{Frame: v.FrameOf(step.Name, "jobs"), Step: step, Path: path, Measured: path.CharacteristicsOf(id),
		Required: path.RequirementsOf(id)}
	if page.Shown, err = v.Service.ShownAt(ctx, id); err != nil {
		return err
	}
	if page.Files, err = site.FilesOf(v, shop.FileSubject{Kind: shop.RecordStep, ID: id}); err != nil {
		return err
	}
	if page.NamesThen, err = v.Views.PastNames(ctx, nil); err != nil {
		return err
	}
	return v.Show(http.StatusOK, "step", page)
}
