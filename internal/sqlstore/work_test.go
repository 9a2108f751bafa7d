package sqlstore

import (
	"context"
	"testing"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

// A change that needs too much work is refused once, its group does not run again, and the other changes of the group are committed.
func TestTooMuchWorkIsRefusedOnce(t *testing.T) {
	t.Parallel()
	var worked []int64
	store := openSQLite(t, shopFile(t), Options{WorkLimit: 5000, Worked: func(work int64) { worked = append(worked, work) }})
	runs := 0
	errs := together(t, store,
		func() error { return insertJob(store, "job_1") },
		func() error {
			return store.Update(context.Background(), func(tx shop.Tx) error {
				runs++
				if err := tx.InsertJob(shop.Job{ID: "job_x"}); err != nil {
					return err
				}
				for range 1000 {
					if _, err := tx.TakeSerialNumbers(1); err != nil {
						break // a change cannot go on by ignoring it
					}
				}
				return nil
			})
		},
		func() error { return insertJob(store, "job_2") },
	)
	for i, err := range errs {
		if refused := db.TooMuch(err); refused != (i == 1) || !refused && err != nil {
			t.Errorf("change %d: %v", i, err)
		}
	}
	if runs != 1 {
		t.Errorf("it ran %d times", runs)
	}
	must(t, store.View(t.Context(), func(tx shop.Reader) error {
		for id, there := range map[string]bool{"job_1": true, "job_2": true, "job_x": false} {
			if _, err := tx.Job(id); (err == nil) != there {
				t.Errorf("%s: %v", id, err)
			}
		}
		return nil
	}))
	for _, work := range worked {
		if work > 5000+1000 {
			t.Errorf("%d of work were done", work)
		}
	}
}
