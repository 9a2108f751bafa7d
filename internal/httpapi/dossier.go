package httpapi

import (
	"errors"
	"io"
	"net/http"
	"time"

	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
)

// dossierQuery selects what a dossier has.
type dossierQuery struct {
	Size    int64  `query:"size"`    // of the tree of the ledger; 0 for the newest
	Include string `query:"include"` // instruction, program, or both with a comma
}

// getDossier responds with the dossier of a unit. Everything is computed before the response begins, except for the bytes of files.
func getDossier(s *Server, c *call, query dossierQuery) error {
	ctx := c.r.Context()
	var content dossier.Content
	err := s.service.Read(ctx, func(tx shop.Reader) (err error) {
		content, err = dossier.Read(tx, c.id())
		return err
	})
	if err != nil {
		return err
	}
	if content.Include, err = dossier.Included("include", query.Include); err != nil {
		return err
	}
	last := content.Entries[len(content.Entries)-1]
	content.Day = last.Timestamp.Time().In(s.service.Zone()).Format(time.DateOnly)
	content.Open = func(digest string) (io.ReadCloser, error) {
		_, bytes, err := s.config.Files.Open(ctx, digest)
		return bytes, err
	}
	if s.config.Ledger != nil {
		if content.Ledger, err = attested(s, c, last.ID, query.Size); err != nil {
			return err
		}
	}
	plan, err := dossier.Prepare(content)
	if errors.Is(err, ledger.ErrNotProved) {
		return refuse(entryUnlike)
	}
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
	c.w.WriteHeader(http.StatusOK)
	if err := plan.Write(patience.Limited(c.w)); err != nil {
		c.logger.WarnContext(ctx, "a dossier broke off", "serialId", c.id(), "error", err)
		panic(http.ErrAbortHandler) // the client must not take the beginning for the whole
	}
	return nil
}

// attested returns the ledger of a dossier whose last entry is given.
func attested(s *Server, c *call, last string, size int64) (*dossier.Ledger, error) {
	index, _ := ledger.EntryIndex(last)
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
