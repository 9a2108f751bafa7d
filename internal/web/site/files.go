package site

import (
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// FileSubjects are the records that files hang on: where their pages begin, where they begin in the interface, and what a file is for
// that is attached there.
var FileSubjects = map[ident.RecordKind]struct { //nolint:exhaustive // those of shop.FileSubjects
	Page, api string
	usual     shop.FileKind
}{
	shop.RecordSerial:         {"/serials/", "/api/serials/", shop.Photo},
	shop.RecordJob:            {"/jobs/", "/api/jobs/", shop.OtherFile},
	shop.RecordStep:           {"/steps/", "/api/steps/", shop.Drawing},
	shop.RecordCertificate:    {"/certs/", "/api/certs/", shop.CertificateFile},
	shop.RecordNonconformance: {"/nonconformances/", "/api/nonconformances/", shop.Photo},
	shop.RecordInstrument:     {"/instruments?id=", "/api/instruments/", shop.CertificateFile},
}

// FilesPart is what a page shows of the files that are attached to a record.
type FilesPart struct {
	Address string // of the record in the interface
	Usual   shop.FileKind
	Kinds   []shop.FileKind // that the visitor may attach
	Links   []shop.FileLink
}

// BytesAt is where the bytes of a link are; a download is called what the link calls it.
func BytesAt(link shop.FileLink) string { return "/api/files/" + link.SHA256 + "?link=" + link.ID }

// FilesOf are the files of a record, as a page shows them.
func FilesOf(v *Visit, on shop.FileSubject) (part FilesPart, err error) {
	part.Links, err = v.Service.FilesOf(v.R.Context(), on)
	subject := FileSubjects[on.Kind]
	part.Address, part.Usual = subject.api+on.ID, subject.usual
	part.Kinds = slices.DeleteFunc(shop.FileKinds(), func(kind shop.FileKind) bool { return !v.May(kind.Needs(on.Kind)) })
	return part, err
}
