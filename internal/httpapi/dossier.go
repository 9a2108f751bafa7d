package httpapi

import (
	"errors"
	"io"
	"net/http"
	"strconv"
	"time"

	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// dossierQuery selects what a dossier has.
type dossierQuery struct {
	Size    int64  `query:"size"`    // of the tree of the ledger; 0 for the newest
	Include string `query:"include"` // instruction, program, or both with a comma
	Lang    string `query:"lang"`    // tag of the language of the pages; "" for that of the record
}

// readDossier reads the content of the dossier of a record, as Maker.Read does for a unit.
type readDossier func(m *dossier.Maker, tx shop.Reader, id, lang string) (dossier.Content, error)

// dossierOf responds with the dossier of a record. Everything is computed before the response begins, except for the bytes of files.
func dossierOf(read readDossier) handler {
	return asking(dossierQuery{}, func(s *Server, c *call, query dossierQuery) error {
		plan, err := planned(s, c, query, read)
		if err == nil {
			err = plan.CheckFiles()
		}
		if err != nil {
			return err
		}
		header := c.w.Header()
		header.Set("Content-Type", "application/zip")
		header.Set("Content-Disposition", `attachment; filename="dossier-`+c.id()+`.zip"`)
		header.Set("Cache-Control", "no-cache")
		if size := plan.Size(); size > 0 {
			header.Set("Content-Length", strconv.FormatInt(size, 10)) // a browser shows the progress
		}
		c.w.WriteHeader(http.StatusOK)
		if err := plan.Write(patience.Limited(c.w)); err != nil {
			c.logger.WarnContext(c.r.Context(), "a dossier broke off", "about", c.id(), "error", err)
			panic(http.ErrAbortHandler) // the client must not take the beginning for the whole
		}
		return nil
	})
}

// dossierPreview has the size of a dossier and what the dossier lacks.
type dossierPreview struct {
	Files   int64             `json:"files"` // number of files below data/
	Bytes   int64             `json:"bytes"` // of these files
	Missing []dossier.Missing `json:"missing"`
}

// dossierPreviewOf responds with the preview of the dossier of a record.
func dossierPreviewOf(read readDossier) handler {
	return asking(dossierQuery{}, func(s *Server, c *call, query dossierQuery) error {
		plan, err := planned(s, c, query, read)
		if err != nil {
			return err
		}
		preview := dossierPreview{plan.Files(), plan.Bytes(), plan.Missing}
		if preview.Missing == nil {
			preview.Missing = []dossier.Missing{}
		}
		return answer(c, http.StatusOK, preview, nil)
	})
}

// planned reads everything of a dossier but the bytes of files.
func planned(s *Server, c *call, query dossierQuery, read readDossier) (*dossier.Plan, error) {
	ctx := c.r.Context()
	var content dossier.Content
	err := s.service.Read(ctx, func(tx shop.Reader) (err error) {
		content, err = read(s.dossiers, tx, c.id(), query.Lang)
		return err
	})
	if err != nil {
		return nil, err
	}
	if content.Include, err = dossier.Included("include", query.Include); err != nil {
		return nil, err
	}
	var last trail.Entry // of a job that an old version created there is no entry
	if len(content.Entries) > 0 {
		last = content.Entries[len(content.Entries)-1]
	}
	content.Day = last.Timestamp.Time().In(s.service.Zone()).Format(time.DateOnly)
	content.Open = func(digest string) (io.ReadCloser, error) {
		_, bytes, err := s.config.Files.Open(ctx, digest)
		return bytes, err
	}
	if s.config.Ledger != nil {
		if content.Ledger, err = attested(s, c, last.ID, query.Size); err != nil {
			return nil, err
		}
	}
	plan, err := dossier.Prepare(content)
	if errors.Is(err, ledger.ErrNotProved) {
		return nil, refuse(entryUnlike)
	}
	return plan, err
}

// attested returns the ledger of a dossier whose last entry is given.
func attested(s *Server, c *call, last string, size int64) (*dossier.Ledger, error) {
	index, known := ledger.EntryIndex(last)
	if !known {
		index = -1
	}
	attestation, err := s.config.Ledger.Attest(c.r.Context(), index, size, sealPatience)
	switch {
	case errors.Is(err, sealer.ErrTooSmall):
		return nil, dossier.TooSmall(last)
	case errors.Is(err, sealer.ErrNotSealed):
		return nil, notSealed()
	case errors.Is(err, ledger.ErrNotProved):
		return nil, refuse(entryUnlike)
	case err != nil:
		return nil, err
	}
	return &dossier.Ledger{Checkpoint: attestation.Signed, Prove: attestation.Prove, Sign: attestation.Sign}, nil
}
