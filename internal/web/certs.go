package web

import (
	"encoding/json"
	"net/http"
	"strings"

	"github.com/routecard/routecard"
)

type certificatesPage struct {
	frame
	Certificates []routecard.Certificate
	More         bool
}

func showCertificates(v *visit) error { return v.certificates(http.StatusOK, nil) }

func (v *visit) certificates(status int, refused *problem) error {
	page := &certificatesPage{frame: v.frame("Certificates", "certs")}
	page.problem = refused
	var err error
	if page.Certificates, err = v.newestCertificates(); err != nil {
		return err
	}
	page.More = len(page.Certificates) == certificateChoices
	return v.show(status, "certs", page)
}

func createCertificate(v *visit) error {
	in := routecard.CreateCertificateInput{Type: v.text("type"), Name: v.text("name")}
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
func detailsOf(typed string) routecard.ObjectInput {
	details := map[string]string{}
	for line := range strings.Lines(typed) {
		if line = strings.TrimSpace(line); line == "" {
			continue
		}
		name, value, found := strings.Cut(line, ":")
		if !found {
			return routecard.Mistyped[json.RawMessage]()
		}
		details[strings.TrimSpace(name)] = strings.TrimSpace(value)
	}
	encoded, err := json.Marshal(details)
	if err != nil {
		return routecard.Mistyped[json.RawMessage]()
	}
	return routecard.Given(json.RawMessage(encoded))
}

// attachmentsShown is how many attachments a certificate's page lists.
const attachmentsShown = 200

type certificatePage struct {
	frame
	Certificate routecard.Certificate
	Details     []detail
	Attachments []routecard.Attachment
	More        bool
}

type detail struct{ Name, Value string }

func showCertificate(v *visit) error {
	ctx, id := v.r.Context(), v.r.PathValue("id")
	certificate, err := v.service.Certificate(ctx, id)
	if err != nil {
		return err
	}
	page := &certificatePage{frame: v.frame(certificate.Name, "certs"), Certificate: certificate,
		Details: details(certificate.Metadata)}
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
