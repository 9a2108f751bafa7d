package sqlstore

import (
	"fmt"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// For each row, a list allocates little more than the texts that differ from the previous row.
func TestListsShareWhatRowsHaveInCommon(t *testing.T) { //nolint:paralleltest // other tests' allocations would count
	const count = 500
	workshop := newTracedShop(t)
	must(t, workshop.store.Update(t.Context(), func(tx shop.Tx) error {
		entries := make([]trail.Entry, count)
		for i := range entries {
			entries[i] = trail.Entry{
				Action: card.ActionSerialAdvanced, UserID: "operator_1", JobID: workshop.path.JobID, PathID: workshop.path.ID, StepID: "step",
				FromStepID: "from", ToStepID: "to", SerialID: tx.SerialPrefix().SerialID(int64(i + 1)), Timestamp: 1,
			}
			must(t, tx.InsertJob(shop.Job{ID: fmt.Sprintf("job_%04d", i), Name: fmt.Sprintf("Brackets %d", i), GoalQuantity: 5}))
		}
		return tx.AppendAudit(entries...)
	}))
	// The first has an identifier and a name in each row, the second the identifiers of an entry and of its serial.
	for name, list := range map[string]func(tx shop.Reader) int{
		"jobs": func(tx shop.Reader) (rows int) {
			for _, err := range tx.Jobs() {
				must(t, err)
				rows++
			}
			return rows
		},
		"entries": func(tx shop.Reader) (rows int) {
			for _, err := range tx.AuditEntries(count, 0) {
				must(t, err)
				rows++
			}
			return rows
		},
	} {
		rows := 0
		allocations := testing.AllocsPerRun(3, func() {
			must(t, workshop.store.View(t.Context(), func(tx shop.Reader) error { rows = list(tx); return nil }))
		})
		if each := allocations / float64(rows); rows < count || each > 2.5 {
			t.Errorf("%s: %.1f allocations for each of %d rows, want 2", name, each, rows)
		}
	}
}
