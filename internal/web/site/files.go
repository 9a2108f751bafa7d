package site

import (
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// FileSubjects has, for each kind of record that can have files, the beginning of the addresses of its pages and of its API, and the
// default kind of a file.
var FileSubjects = map[ident.RecordKind]struct { //nolint:exhaustive // those of shop.FileSubjects
	Page, api string
	usual     shop.FileKind
}{
	shop.RecordSerial:         {"/serials/", "/api/serials/", shop.Photo},
	shop.RecordJob:            {"/jobs/", "/api/jobs/", shop.OtherFile},
	shop.RecordStep:           {"/steps/", "/api/steps/", shop.Drawing},
	shop.RecordCertificate:    {"/certs/", "/api/certs/", shop.CertificateFile},
	shop.RecordNonconformance: {"/nonconformances/", "/api/nonconformances/", shop.Photo},
	shop.RecordLot:            {"/lots?id=", "/api/lots/", shop.CertificateFile},
	shop.RecordInstrument:     {"/instruments?id=", "/api/instruments/", shop.CertificateFile},
}

// FilesPart is the part of a page that shows the files of a record.
type FilesPart struct {
	Address string // the API address of the record
	Usual   shop.FileKind
	Kinds   []shop.FileKind // the kinds that the visitor may attach
	Links   []shop.FileLink
}

// BytesAt returns the address of a file's content. The downloaded file has the name in the link.
func BytesAt(link shop.FileLink) string { return "/api/files/" + link.SHA256 + "?link=" + link.ID }

// FilesOf reads the files of a record for a page.
func FilesOf(v *Visit, on shop.FileSubject) (part FilesPart, err error) {
	part.Links, err = v.Service.FilesOf(v.R.Context(), on)
	subject := FileSubjects[on.Kind]
	part.Address, part.Usual = subject.api+on.ID, subject.usual
	part.Kinds = slices.DeleteFunc(shop.FileKinds(), func(kind shop.FileKind) bool { return !v.May(kind.Needs(on.Kind)) })
	return part, err
}
