package web

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/routecard/routecard/shop"
)

type certificatesPage struct {
	frame
	Query        string
	Certificates []shop.Certificate
	First        bool
	Next         string // the certificate behind which the next page begins, "" when there is none
}

// certificatesPerPage is how many certificates one page lists.
const certificatesPerPage = 50

func showCertificates(v *visit) error { return v.certificates(http.StatusOK, nil) }

func (v *visit) certificates(status int, refused *problem) error {
	query := v.r.URL.Query()
	page := &certificatesPage{frame: v.frame("Certificates", "certs"), Query: query.Get("q"), First: query.Get("before") == ""}
	page.problem = refused
	found, more, err := v.views.FindCertificates(v.r.Context(), page.Query, query.Get("before"), certificatesPerPage)
	if err != nil {
		return err
	}
	page.Certificates = found
	if more {
		page.Next = found[len(found)-1].ID
	}
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
		return v.again("create", err, v.certificates)
	}
	return v.back("/certs/"+certificate.ID, "Certificate created.")
}

// detailsOf reads details as they are written on paper: one on each line, its name before a colon.
func detailsOf(typed string) shop.ObjectInput {
	details := map[string]string{}
	for line := range strings.Lines(typed) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, value, found := strings.Cut(line, ":")
		if !found {
			return shop.Mistyped[json.RawMessage]()
		}
		details[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	encoded, err := json.Marshal(details)
	if err != nil {
		return shop.Mistyped[json.RawMessage]()
	}
	return shop.Given(json.RawMessage(encoded))
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
	files, err := v.filesOf(shop.FileSubject{Kind: shop.RecordCertificate, ID: id})
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
