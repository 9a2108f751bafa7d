package web

import (
	"net/http"
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop"
)

type filePage struct {
	frame
	past
	Link shop.FileLink
}

func showFile(v *visit) error { return v.file(http.StatusOK, nil) }

func (v *visit) file(status int, refused *problem) error {
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

func recordPage(on shop.FileSubject) string {
	switch on.Kind {
	case shop.RecordSerial:
		return "/serials/" + on.ID
	case shop.RecordJob:
		return "/jobs/" + on.ID
	case shop.RecordCertificate:
		return "/certs/" + on.ID
	case shop.RecordNonconformance:
		return "/nonconformances/" + on.ID
	default:
		return ""
	}
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
		return v.again("void", err, v.file)
	}
	v.remember()
	return v.back("/files/"+v.r.PathValue("id"), "Struck through.")
}

// filesPart is what a page shows of the files that are attached to a record.
type filesPart struct {
	Address string // of the record in the interface
	Links   []shop.FileLink
}

// filesOf are the files of a record, as a page shows them.
func (v *visit) filesOf(on shop.FileSubject) (part filesPart, err error) {
	part.Links, err = v.service.FilesOf(v.r.Context(), on)
	part.Address = map[shop.RecordKind]string{
		shop.RecordSerial: "/api/serials/", shop.RecordJob: "/api/jobs/", shop.RecordStep: "/api/steps/",
		shop.RecordCertificate: "/api/certs/", shop.RecordNonconformance: "/api/nonconformances/",
	}[on.Kind] + on.ID
	return part, err
}

// sizeInWords is a number of bytes as a person reads it.
func sizeInWords(bytes int64) string {
	units := []string{"bytes", "kB", "MB", "GB"}
	size, unit := float64(bytes), 0
	for size >= 1000 && unit < len(units)-1 {
		size /= 1000
		unit++
	}
	return strings.TrimSuffix(strconv.FormatFloat(size, 'f', 1, 64), ".0") + " " + units[unit]
}
