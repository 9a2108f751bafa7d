package sqlstore

import (
	"fmt"
	"path/filepath"
	"testing"

	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/workorder"
)

// countingBudget is a memory budget that counts how much of it is used.
type countingBudget struct{ taken int }

func (b *countingBudget) Take(bytes int) error { b.taken += bytes; return nil }
func (b *countingBudget) TakeNow(bytes int)    { b.taken += bytes }
func (b *countingBudget) Release(bytes int)    { b.taken -= bytes }

// A job with its own purpose counts against the budget of a request with the memory of that purpose. Jobs with the same purpose count it
// once.
func TestPurposesOfJobsAreCounted(t *testing.T) {
	t.Parallel()
	const jobs = 50
	taken := func(order func(i int) string) int {
		store := openSQLite(t, filepath.Join(t.TempDir(), "shop.db"), Options{})
		must(t, store.Update(t.Context(), func(tx shop.Tx) error {
			for i := range jobs {
				job := shop.Job{ID: fmt.Sprintf("job_%02d", i), Name: "Lid", OrderFields: workorder.OrderFields{OrderNumber: order(i)}}
				if err := tx.InsertJob(job); err != nil {
					return err
				}
			}
			return nil
		}))
		var budget countingBudget
		must(t, store.View(shop.WithMemoryBudget(t.Context(), &budget), func(tx shop.Reader) error {
			read := 0
			for _, err := range tx.Jobs() {
				if err != nil {
					return err
				}
				read++
			}
			if read != jobs {
				t.Errorf("read %d jobs", read)
			}
			return nil
		}))
		return budget.taken
	}
	alike := taken(func(int) string { return "PO-00" })
	each := taken(func(i int) string { return fmt.Sprintf("PO-%02d", i) })
	if want := (jobs - 1) * statement.PurposeSize; each-alike != want {
		t.Errorf("purposes of their own took %d bytes more, want %d", each-alike, want)
	}
}
