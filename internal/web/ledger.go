package web

import (
	"net/http"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/sealer"
)

// ledgerPage shows how far the trail is sealed, what is wrong with it if anything is, and the backups.
type ledgerPage struct {
	frame
	Seals   *sealer.Status
	Behind  int64
	Backups *backup.Standing
}

func showLedger(v *visit) error {
	page := &ledgerPage{frame: v.frame("Ledger and backups", "audit"), Seals: sealing(v)}
	if v.config.Ledger != nil {
		var err error
		if page.Behind, err = v.config.Ledger.Behind(v.r.Context()); err != nil {
			return err
		}
	}
	if v.config.Backups != nil {
		standing, err := v.config.Backups.Standing()
		if err != nil {
			return err
		}
		page.Backups = &standing
	}
	return v.show(http.StatusOK, "ledger", page)
}

// sealing is how the ledger stands; nil when there is none.
func sealing(v *visit) *sealer.Status {
	if v.config.Ledger == nil {
		return nil
	}
	status := v.config.Ledger.Status()
	return &status
}
