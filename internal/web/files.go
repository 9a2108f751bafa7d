package web

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// filePages are the page of a file, and the files of a step.
func filePages() noun {
	return noun{
		routes: []route{
			get("/steps/{id}", always(shop.OpRead), showStep),
			get("/files/{id}", always(shop.OpRead), showFile),
			post("/files/{id}", always(shop.OpVoid), voidFile),
		},
		views: map[string]any{"file": &filePage{}, "step": &stepPage{}},
	}
}

type filePage struct {
	frame
	past
	Link shop.FileLink
}

func showFile(v *visit) error { return renderFile(v, http.StatusOK, nil) }

func renderFile(v *visit, status int, refused *problem) error {
	link, err := v.service.FileLink(v.r.Context(), v.r.PathValue("id"))
	if err != nil {
		return err
	}
	page := &filePage{frame: v.frame(link.Name, ""), Link: link}
	page.problem = refused
	if page.names, err = v.views.PastNames(v.r.Context(), nil); err != nil {
		return err
	}
	return v.show(status, "file", page)
}

// Bytes is the address of the file itself.
func (p *filePage) Bytes() string { return bytesAt(p.Link) }

// bytesAt is where the bytes of a link are; a download is called what the link calls it.
func bytesAt(link shop.FileLink) string { return "/api/files/" + link.SHA256 + "?link=" + link.ID }

// On is the page of the record that the file is attached to, and what it is called there; "" for a record without a page.
func (p *filePage) On() string { return recordPage(p.Link.On) }

// recordPage is the page of a record that files hang on; "" for a record without one.
func recordPage(on shop.FileSubject) string {
	page := fileSubjects[on.Kind].page
	if page == "" {
		return ""
	}
	return page + url.QueryEscape(on.ID)
}

// fileSubjects are the records that files hang on: where their pages begin, where they begin in the interface, and what a file is for
// that is attached there.
var fileSubjects = map[ident.RecordKind]struct { //nolint:exhaustive // those of shop.FileSubjects
	page, api string
	usual     shop.FileKind
}{
	shop.RecordSerial:         {"/serials/", "/api/serials/", shop.Photo},
	shop.RecordJob:            {"/jobs/", "/api/jobs/", shop.OtherFile},
	shop.RecordStep:           {"/steps/", "/api/steps/", shop.Drawing},
	shop.RecordCertificate:    {"/certs/", "/api/certs/", shop.CertificateFile},
	shop.RecordNonconformance: {"/nonconformances/", "/api/nonconformances/", shop.Photo},
	shop.RecordInstrument:     {"/instruments?id=", "/api/instruments/", shop.CertificateFile},
}

var voidFileForm = formOf[shop.VoidInput]()

func voidFile(v *visit) error {
	err := v.named()
	if err == nil {
		in := voidFileForm.read(v.form)
		in.UserID = v.user()
		_, err = v.service.VoidFileLink(v.r.Context(), v.r.PathValue("id"), in)
	}
	if err != nil {
		return v.again("void", err, renderFile)
	}
	v.remember()
	return v.back("/files/"+v.r.PathValue("id"), "Struck through.")
}

// filesPart is what a page shows of the files that are attached to a record.
type filesPart struct {
	Address string // of the record in the interface
	Usual   shop.FileKind
	Kinds   []shop.FileKind // that the visitor may attach
	Links   []shop.FileLink
}

// filesOf are the files of a record, as a page shows them.
func filesOf(v *visit, on shop.FileSubject) (part filesPart, err error) {
	part.Links, err = v.service.FilesOf(v.r.Context(), on)
	subject := fileSubjects[on.Kind]
	part.Address, part.Usual = subject.api+on.ID, subject.usual
	part.Kinds = slices.DeleteFunc(shop.FileKinds(), func(kind shop.FileKind) bool { return !v.may(kind.Needs(on.Kind)) })
	return part, err
}

type stepPage struct {
	frame
	past
	Step  card.ProcessStep
	Path  card.Path
	Shown []shop.FileLink // what an operator sees there
	Files filesPart

	Measured card.CharacteristicSet
}

// showStep shows the files of a step. What was there at another time, the links tell by their times.
func showStep(v *visit) error {
	ctx, id := v.r.Context(), v.r.PathValue("id")
	step, path, err := v.service.StepOf(ctx, id)
	if err != nil {
		return err
	}
	page := &stepPage{frame: v.frame(step.Name, "jobs"), Step: step, Path: path, Measured: path.CharacteristicsOf(id)}
	if page.Shown, err = v.service.ShownAt(ctx, id); err != nil {
		return err
	}
	if page.Files, err = filesOf(v, shop.FileSubject{Kind: shop.RecordStep, ID: id}); err != nil {
		return err
	}
	if page.names, err = v.views.PastNames(ctx, nil); err != nil {
		return err
	}
	return v.show(http.StatusOK, "step", page)
}
