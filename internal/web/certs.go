package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

type certificatesPage struct {
	frame
	List         listShown
	Query        string
	Certificates []shop.Certificate
}

// certificatesPerPage is how many certificates one page lists.
const certificatesPerPage = 50

// certificateList is the list of certificates, the newest first.
func certificateList() *listKind[shop.Certificate] {
	type row = shop.Certificate
	return &listKind[row]{
		at: "/certs", one: "certificate", many: "certificates", filters: []string{"q"}, perPage: certificatesPerPage,
		first: [2]string{"Newest", "Older certificates"}, key: func(certificate row) string { return certificate.ID },
		load: func(v *visit, query url.Values, before string, limit int) ([]row, bool, error) {
			return v.views.FindCertificates(v.r.Context(), query.Get("q"), before, limit)
		},
		sum: func(_ *visit, _ url.Values, certificates []row, more bool) (listTotals, error) {
			material := int64(0)
			for i := range certificates {
				if certificates[i].Type == shop.MaterialCertificate {
					material++
				}
			}
			return counted(certificates, more, listFigure{material, "for material", ""},
				listFigure{int64(len(certificates)) - material, "for processes", ""}), nil
		},
		columns: []listColumn[row]{
			textColumn("Name", "name", func(certificate row) string { return certificate.Name }),
			textColumn("Type", "type", func(certificate row) string { return wording.Words(certificate.Type) }),
			{column: column{Name: "Details"}, why: "Every certificate has details of its own: find them in the field above",
				cell: func(certificate row) string {
					var said []string
					for _, one := range details(certificate.Metadata) {
						said = append(said, one.Name+": "+one.Value)
					}
					return strings.Join(said, "; ")
				}},
			timeColumn("Created", "created", func(certificate row) ident.Timestamp { return certificate.CreatedAt }),
		},
	}
}

func showCertificates(v *visit) error {
	if wantsFile(v.r.URL.Query()) {
		return certificateList().send(v)
	}
	return renderCertificates(v, http.StatusOK, nil)
}

func renderCertificates(v *visit, status int, refused *problem) error {
	query := v.r.URL.Query()
	page := &certificatesPage{frame: v.frame("Certificates", "certs"), Query: query.Get("q")}
	page.problem = refused
	var err error
	if page.Certificates, page.List, err = certificateList().read(v, query); err != nil {
		return err
	}
	page.List.ID = "certs"
	return v.show(status, "certs", page)
}

var createCertificateForm = formOf[shop.CreateCertificateInput]()

func createCertificate(v *visit) error {
	in := createCertificateForm.read(v.form)
	in.ChangedBy = v.user()
	if typed := strings.TrimSpace(v.form.Get("metadata")); typed != "" {
		in.Metadata = detailsOf(typed)
	}
	certificate, err := v.service.CreateCertificate(v.r.Context(), in)
	if err != nil {
		return v.again("create", err, renderCertificates)
	}
	return v.back("/certs/"+certificate.ID, "Certificate created.")
}

// detailsOf reads details as they are written on paper: one on each line, its name before a colon.
func detailsOf(typed string) input.ObjectInput {
	details := map[string]string{}
	for line := range strings.Lines(typed) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, value, found := strings.Cut(line, ":")
		if !found {
			return input.Mistyped[json.RawMessage]()
		}
		details[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	encoded, err := json.Marshal(details)
	if err != nil {
		return input.Mistyped[json.RawMessage]()
	}
	return input.Given(json.RawMessage(encoded))
}

// attachmentsShown is how many attachments a certificate's page lists.
const attachmentsShown = 200

type certificatePage struct {
	frame
	past
	Files       filesPart
	Certificate shop.Certificate
	Details     []detail
	Attachments []shop.Attachment
	More        bool
}

type detail struct{ Name, Value string }

func showCertificate(v *visit) error {
	ctx, id := v.r.Context(), v.r.PathValue("id")
	certificate, err := v.service.Certificate(ctx, id)
	if err != nil {
		return err
	}
	files, err := filesOf(v, shop.FileSubject{Kind: shop.RecordCertificate, ID: id})
	if err != nil {
		return err
	}
	page := &certificatePage{Files: files, frame: v.frame(certificate.Name, "certs"), Certificate: certificate,
		Details: details(certificate.Metadata)}
	if page.names, err = v.views.PastNames(ctx, nil); err != nil {
		return err
	}
	for attachment, err := range v.service.AttachmentsOfCertificate(ctx, id) {
		if err != nil {
			return err
		}
		if len(page.Attachments) == attachmentsShown {
			page.More = true
			break
		}
		page.Attachments = append(page.Attachments, attachment)
	}
	return v.show(http.StatusOK, "cert", page)
}
