package shop

import (
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// TakenBack says who took a disposition back, when, and why.
type TakenBack struct {
	By     string          `json:"by"`
	At     ident.Timestamp `json:"at"`
	Reason string          `json:"reason,omitempty"`
}

// takenBackStore is what finding dispositions that were taken back needs of a database.
type takenBackStore interface {
	AuditStore
	NonconformanceStore
}

// TellTakenBack fills in TakenBack of the units of a report whose disposition no longer counts, because somebody undid the
// scrap that carried it out.
func TellTakenBack(tx takenBackStore, report *Nonconformance) error {
	conditional := false
	for i := range report.Units {
		conditional = conditional || report.Units[i].Disposition.Conditional()
	}
	if !conditional {
		return nil
	}
	standings, err := tx.UnitStandings(report.ID)
	if err != nil {
		return err
	}
	on := report.UnitsByID()
	for i := range standings {
		if err := on[standings[i].SerialID].TellTakenBack(tx, standings[i].Status); err != nil {
			return err
		}
	}
	return nil
}

// TellTakenBack fills in TakenBack of a unit that has this status, when its disposition no longer counts.
func (u *NonconformingUnit) TellTakenBack(tx AuditStore, status card.SerialStatus) error {
	if u.Disposition == "" || u.Decided(status) {
		return nil
	}
	scraps := map[string]bool{} // the entries of the scrap that the disposition made
	for entry, err := range tx.AuditOfSerial(u.SerialID) {
		if err != nil {
			return err
		}
		switch entry.Action { //nolint:exhaustive // the other actions neither carry a disposition out nor take it back
		case card.ActionSerialScrapped:
			if entry.Timestamp == u.DecidedAt && entry.UserID == u.DecidedBy {
				scraps[entry.ID] = true
			}
		case ActionChangeUndone:
			var told undoneMetadata
			if ReadMetadata(&entry, &told) == nil && scraps[told.EntryID] { // one that cannot be read is for verification to find
				u.TakenBack = TakenBack{By: entry.UserID, At: entry.Timestamp, Reason: told.Reason}
			}
		}
	}
	return nil
}

// readReport reads a report with its units as the interface shows it.
func readReport(tx takenBackStore, id string) (Nonconformance, error) {
	report, err := tx.Nonconformance(id)
	if err != nil {
		return report, err
	}
	err = TellTakenBack(tx, &report)
	return report, err
}
