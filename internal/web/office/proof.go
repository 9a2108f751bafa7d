package office

import (
	"errors"
	"net/http"
	"time"

	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// ProofPage shows what is proved about an audit entry, since when and by which key. It links to the file with the proof.
type ProofPage struct {
	site.Frame
	site.Past
	Entry   trail.Entry
	Seals   *sealer.Status // nil if the trail is not sealed
	Proved  bool
	Pending bool // not sealed yet
	Place   int64
	Size    int64 // the number of entries that the signed checkpoint covers
}

// proofPatience is the maximum time for which the page waits until a new entry is sealed.
const proofPatience = 2 * time.Second

func showProof(v *site.Visit) error {
	ctx, id := v.R.Context(), v.R.PathValue("id")
	sequence, ok := ident.AuditSequence(id)
	if !ok {
		return shop.NameEntry.NotFound(id)
	}
	entries, err := v.Views.AuditAfter(ctx, sequence-1, 1)
	if err != nil {
		return err
	}
	if len(entries) == 0 || entries[0].ID != id {
		return shop.NameEntry.NotFound(id)
	}
	page := &ProofPage{Frame: v.Frame("Proof", "audit"), Entry: entries[0], Seals: sealing(v), Place: sequence}
	if page.NamesThen, err = v.Views.PastNames(ctx, entries); err != nil {
		return err
	}
	page.Past = page.WithEntries(v.Language, entries)
	if v.Config.Ledger == nil {
		return v.Show(http.StatusOK, "proof", page)
	}
	proof, err := v.Config.Ledger.Proof(ctx, id, proofPatience)
	switch {
	case errors.Is(err, sealer.ErrNotSealed):
		page.Pending = true
	case errors.Is(err, ledger.ErrNotProved):
	case err != nil:
		return err
	default:
		checkpoint, err := ledger.UnverifiedCheckpoint(proof.Checkpoint)
		if err != nil {
			return err
		}
		page.Proved, page.Size = true, checkpoint.Size
	}
	return v.Show(http.StatusOK, "proof", page)
}
