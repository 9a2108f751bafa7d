package httpapi

import (
	"context"
	"errors"
	"net/http"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// sealPatience is the maximum time for which a request for the proof of an entry waits until the entry is sealed.
const sealPatience = 5 * time.Second

const plainText = "text/plain; charset=utf-8"

type ledgerAnswer struct {
	Origin       string           `json:"origin"`
	VerifierKeys []string         `json:"verifierKeys"`
	Size         int64            `json:"size"`
	SealedUntil  *ident.Timestamp `json:"sealedUntil"` // null while nothing is sealed
	Behind       int64            `json:"behind"`
	StartedWith  int64            `json:"startedWith"`
	Problem      string           `json:"problem,omitempty"`
}

// withLedger responds with 404 if there is no ledger.
func withLedger(handle handler) handler {
	return func(s *Server, c *call) error {
		if s.config.Ledger == nil {
			return refuse(noLedger)
		}
		return handle(s, c)
	}
}

func getLedger(s *Server, c *call) error {
	behind, err := s.config.Ledger.Behind(c.r.Context())
	if err != nil {
		return err
	}
	status := s.config.Ledger.Status()
	answer := ledgerAnswer{
		Origin: status.Origin, VerifierKeys: status.VerifierKeys, Size: status.Size, Behind: behind,
		StartedWith: status.StartedWith, Problem: status.Trouble,
	}
	if status.Size > 0 {
		answer.SealedUntil = &status.SealedUntil
	}
	c.w.Header().Set("Cache-Control", "no-cache")
	return c.write(http.StatusOK, answer)
}

func getProof(s *Server, c *call) error {
	id := c.r.PathValue("auditId")
	proof, err := s.config.Ledger.Proof(c.r.Context(), id, sealPatience)
	switch {
	case errors.Is(err, sealer.ErrUnknown):
		return shop.NameEntry.NotFound(strings.ToValidUTF8(id, "\uFFFD"))
	case errors.Is(err, sealer.ErrNotSealed):
		return notSealed()
	case errors.Is(err, ledger.ErrNotProved):
		return refuse(entryUnlike)
	case err != nil:
		return err
	}
	c.w.Header().Set("Content-Disposition", `attachment; filename="`+id+`.tlog-proof"`)
	return writeText(c.w, proof.Text())
}

func notSealed() error {
	return refuse(sealedLater) // a client that asks again a second later may get it
}

func writeText(w http.ResponseWriter, text []byte) error {
	w.Header().Set("Cache-Control", "no-cache")
	return writeBytes(w, plainText, text)
}

func writeBytes(w http.ResponseWriter, kind string, content []byte) error {
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Content-Length", strconv.Itoa(len(content)))
	w.WriteHeader(http.StatusOK)
	_, err := w.Write(content)
	return ignoreGone(err)
}

func getCheckpoint(s *Server, c *call) error {
	return answerCheckpoint(c, s.config.Ledger.Checkpoint)
}

// getCosigned responds with the newest checkpoint that witnesses have cosigned.
func getCosigned(s *Server, c *call) error {
	if !s.config.Ledger.Witnessed() {
		return refuse(noWitnesses)
	}
	return answerCheckpoint(c, s.config.Ledger.Cosigned)
}

func answerCheckpoint(c *call, read func(context.Context) ([]byte, error)) error {
	signed, err := read(c.r.Context())
	if errors.Is(err, sealer.ErrNotSealed) {
		return notSealed()
	}
	if err != nil {
		return err
	}
	return writeText(c.w, signed)
}

// getTile responds with a part of the log in the format of C2SP's tlog-tiles. A full tile never changes.
func getTile(s *Server, c *call) error {
	place, err := ledger.ParsePlace("tile/" + c.r.PathValue("place"))
	if err != nil {
		return routeNotFound(c.r)
	}
	data, err := s.config.Ledger.Tile(c.r.Context(), place)
	switch {
	case errors.Is(err, sealer.ErrNotSealed):
		return routeNotFound(c.r)
	case err != nil:
		return err
	}
	caching := "no-cache"
	if place.Width == ledger.TileWidth {
		caching = "public, max-age=31536000, immutable"
	}
	c.w.Header().Set("Cache-Control", caching)
	return writeBytes(c.w, "application/octet-stream", data)
}
