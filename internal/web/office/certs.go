package office

import (
	"encoding/json"
	"net/http"
	"net/url"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// CertificatesPage lists certificates.
type CertificatesPage struct {
	site.Frame
	List         site.ListShown
	Query        string
	Certificates []shop.Certificate
}

// certificatesPerPage is the number of certificates on one page.
const certificatesPerPage = 50

// certificateList is the list of certificates, newest first.
func certificateList() *site.ListKind[shop.Certificate] {
	type row = shop.Certificate
	return &site.ListKind[row]{
		At: "/certs", One: "{n} certificate", Many: "{n} certificates", Filters: []string{"q"}, PerPage: certificatesPerPage,
		First: [2]lang.Text{"Newest", "Older certificates"}, Sorted: [2]lang.Text{"First certificates", "More certificates"},
		Key: func(certificate row) string { return certificate.ID },
		Load: func(v *site.Visit, query url.Values, before string, limit int) ([]row, bool, error) {
			return v.Views.FindCertificates(v.R.Context(), query.Get("q"), before, limit)
		},
		Sum: func(_ *site.Visit, _ url.Values, certificates []row, more bool) (site.ListTotals, error) {
			material := int64(0)
			for i := range certificates {
				if certificates[i].Type == shop.MaterialCertificate {
					material++
				}
			}
			processes := int64(len(certificates)) - material
			return site.Counted(certificates, more,
				site.ListFigure{Count: material, One: "{n} for material", Many: "{n} for material", Kind: ""},
				site.ListFigure{Count: processes, One: "{n} for processes", Many: "{n} for processes", Kind: ""}), nil
		},
		Columns: []site.ListColumn[row]{
			site.TextColumn("Name", "name", func(certificate row) string { return certificate.Name }),
			site.TextColumn("Type", "type", func(certificate row) string {
				return lang.Words(nil, certificate.Type) // not a text: exports are English
			}),
			{Name: "Details", Why: "Every certificate has details of its own: find them in the field above",
				Cell: func(certificate row) string {
					var said []string
					for _, one := range site.Details(certificate.Metadata) {
						said = append(said, one.Name+": "+one.Value)
					}
					return strings.Join(said, "; ")
				}},
			site.TimeColumn("Created", "created", func(certificate row) ident.Timestamp { return certificate.CreatedAt }),
		},
	}
}

func showCertificates(v *site.Visit) error {
	if site.WantsFile(v.R.URL.Query()) {
		return certificateList().Send(v)
	}
	return renderCertificates(v, http.StatusOK, nil)
}

func renderCertificates(v *site.Visit, status int, refused *site.Problem) error {
	query := v.R.URL.Query()
	page := &CertificatesPage{Frame: v.Frame("Certificates", "certs"), Query: query.Get("q")}
	page.Rejected = refused
	var err error
	if page.Certificates, page.List, err = certificateList().Read(v, query); err != nil {
		return err
	}
	page.List.ID = "certs"
	return v.Show(status, "certs", page)
}

var createCertificateForm = site.FormOf[shop.CreateCertificateInput]()

func createCertificate(v *site.Visit) error {
	in := createCertificateForm.Read(v.Form)
	in.ChangedBy = v.User()
	if typed := strings.TrimSpace(v.Form.Get("metadata")); typed != "" {
		in.Metadata = detailsOf(typed)
	}
	certificate, err := v.Service.CreateCertificate(v.R.Context(), in)
	if err != nil {
		return v.Again("create", err, renderCertificates)
	}
	return v.Back("/certs/"+certificate.ID, v.T("Certificate created."))
}

// detailsOf reads details that were typed as "name: value", one on each line.
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

// attachmentsShown is the maximum number of attachments on a certificate's page.
const attachmentsShown = 200

// CertificatePage is one certificate.
type CertificatePage struct {
	site.Frame
	site.Past
	Files       site.FilesPart
	Certificate shop.Certificate
	Details     []site.Detail
	Attachments []shop.Attachment
	More        bool
}

func showCertificate(v *site.Visit) error {
	ctx, id := v.R.Context(), v.R.PathValue("id")
	certificate, err := v.Service.Certificate(ctx, id)
	if err != nil {
		return err
	}
	files, err := site.FilesOf(v, shop.FileSubject{Kind: shop.RecordCertificate, ID: id})
	if err != nil {
		return err
	}
	page := &CertificatePage{Files: files, Frame: v.FrameOf(certificate.Name, "certs"), Certificate: certificate,
		Details: site.Details(certificate.Metadata)}
	if page.NamesThen, err = v.Views.PastNames(ctx, nil); err != nil {
		return err
	}
	for attachment, err := range v.Service.AttachmentsOfCertificate(ctx, id) {
		if err != nil {
			return err
		}
		if len(page.Attachments) == attachmentsShown {
			page.More = true
			break
		}
		page.Attachments = append(page.Attachments, attachment)
	}
	return v.Show(http.StatusOK, "cert", page)
}
