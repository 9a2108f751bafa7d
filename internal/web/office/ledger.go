package office

import (
	"net/http"

	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/web/site"
)

// LedgerPage shows the state of the sealed trail, its defects if there are any, and the backups.
type LedgerPage struct {
	site.Frame
	Seals   *sealer.Status
	Behind  int64
	Backups *backup.Standing
}

func showLedger(v *site.Visit) error {
	page := &LedgerPage{Frame: v.Frame("Ledger and backups", "audit"), Seals: sealing(v)}
	if v.Config.Ledger != nil {
		var err error
		if page.Behind, err = v.Config.Ledger.Behind(v.R.Context()); err != nil {
			return err
		}
	}
	if v.Config.Backups != nil {
		standing, err := v.Config.Backups.Standing()
		if err != nil {
			return err
		}
		page.Backups = &standing
	}
	return v.Show(http.StatusOK, "ledger", page)
}

// sealing returns the state of the ledger, or nil if there is none.
func sealing(v *site.Visit) *sealer.Status {
	if v.Config.Ledger == nil {
		return nil
	}
	status := v.Config.Ledger.Status()
	return &status
}
