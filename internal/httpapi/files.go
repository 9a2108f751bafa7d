package httpapi

import (
	"context"
	"errors"
	"io"
	"mime"
	"net/http"
	"time"

	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/internal/spool"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// attachFile attaches a file to a record of a kind.
func attachFile(kind ident.RecordKind) handler {
	return change(http.StatusCreated,
		func(s *shop.Service, ctx context.Context, id string, in shop.AttachFileInput) (shop.FileLink, error) {
			return s.AttachFile(ctx, shop.FileSubject{Kind: kind, ID: id}, in)
		})
}

// arriving is a request body. Once the body has been read to its end, the request is admitted again.
type arriving struct {
	io.Reader
	admit func() error
}

func (a arriving) Read(piece []byte) (int, error) {
	n, err := a.Reader.Read(piece)
	if errors.Is(err, io.EOF) {
		if refused := a.admit(); refused != nil {
			err = refused
		}
	}
	return n, err
}

// uploadFile stores the bytes of the body and ignores its Content-Type.
func uploadFile(s *Server, c *call) error {
	keeper := s.config.Files
	if keeper != nil && c.r.ContentLength > keeper.Limit() {
		return errTooLarge
	}
	body := spool.NewReader(c.w, http.MaxBytesReader(c.w, c.r.Body, keeper.Limit()), shop.MemoryBudgetOf(c.r.Context()))
	file, err := keeper.Upload(c.r.Context(), arriving{body, func() error { return s.arrived(c, shop.OpAttachFile.Permission()) }})
	if cut, ok := errors.AsType[*files.ReadError](err); ok {
		return unread(cut.Err)
	}
	return answer(c, http.StatusCreated, file, err)
}

// Content security policies for uploaded files that a browser shows. Scripts do not run, and nothing else is loaded.
const (
	filePolicy = "sandbox; default-src 'none'"
	// pdfPolicy has no sandbox, because browsers do not start their PDF viewer in one. The viewer embeds the document as an object in its
	// own page, with inline styles.
	pdfPolicy = "default-src 'none'; object-src 'self'; style-src 'unsafe-inline'; frame-ancestors 'self'"
)

// revisionQuery selects a revision of a certificate of conformance.
type revisionQuery struct {
	Revision int `query:"revision"` // 0 for the newest
}

// getConformanceDocument responds with the PDF of a certificate of conformance as it was stored when it was issued.
func getConformanceDocument(s *Server, c *call, query revisionQuery) error {
	digest, err := s.service.ConformanceDocument(c.r.Context(), c.id(), query.Revision)
	if err != nil {
		return err
	}
	return s.serveFile(c, digest, func(shop.File) string { return c.id() + ".pdf" }, "no-cache")
}

type fileQuery struct {
	Link string `query:"link"` // the identifier of a link to the file, whose name it is saved under
}

// getFile responds with the bytes of a file, or with the requested ranges.
func getFile(s *Server, c *call, query fileQuery) error {
	return s.serveFile(c, c.id(), func(file shop.File) string { return s.nameOf(c.r.Context(), file, query.Link) },
		"private, max-age=31536000, immutable")
}

// serveFile responds with the bytes of a file, or with the requested ranges.
func (s *Server) serveFile(c *call, digest string, name func(shop.File) string, caching string) error {
	file, content, err := s.config.Files.Open(c.r.Context(), digest)
	if err != nil {
		return err
	}
	defer content.Close()
	header := c.w.Header()
	header.Set("Content-Type", file.ServedAs())
	header.Set("Content-Disposition", disposition(file, name(file)))
	header.Set("Content-Security-Policy", filePolicy)
	if file.PDF() {
		header.Set("Content-Security-Policy", pdfPolicy)
	}
	header.Set("Cross-Origin-Resource-Policy", "same-origin")
	header.Set("Cache-Control", caching)
	header.Set("ETag", `"`+file.SHA256+`"`)
	writer := &patientWriter{ResponseWriter: c.w, patient: patience.Limited(c.w)}
	http.ServeContent(writer, c.r, "", time.Time{}, content)
	if writer.beyond {
		header.Del("Content-Disposition")
		return refuse(rangeBeyond)
	}
	return nil
}

// nameOf returns the file name that a link gives the file, or its digest if the link is missing or leads to another file.
func (s *Server) nameOf(ctx context.Context, file shop.File, linkID string) string {
	if linkID != "" {
		if link, err := s.service.FileLink(ctx, linkID); err == nil && link.SHA256 == file.SHA256 {
			return link.Name
		}
	}
	return file.SHA256
}

// disposition returns the Content-Disposition of a file: shown inline or saved, and the file name.
func disposition(file shop.File, name string) string {
	how := "attachment"
	if file.Inline() {
		how = "inline"
	}
	return mime.FormatMediaType(how, map[string]string{"filename": name}) // escapes the name
}

// patientWriter writes a response for as long as its client keeps reading.
type patientWriter struct {
	http.ResponseWriter
	patient *patience.Writer
	beyond  bool // whether the requested range is outside the file; the caller responds to that
}

func (w *patientWriter) WriteHeader(status int) {
	if w.beyond = status == http.StatusRequestedRangeNotSatisfiable; !w.beyond {
		w.ResponseWriter.WriteHeader(status)
	}
}

func (w *patientWriter) Write(piece []byte) (int, error) {
	if w.beyond {
		return len(piece), nil
	}
	return w.patient.Write(piece)
}
