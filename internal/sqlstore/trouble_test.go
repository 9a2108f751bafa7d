package sqlstore

import (
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// If a caller is refused because the service is busy, this is not logged as a fault of the database.
func TestBusyIsNotLogged(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, shopFile(t), Options{})
	full := refusal.Refuse(refusal.DatabaseFull)
	for refusal, trouble := range map[error]bool{refusal.ErrBusy: false, full: true} {
		err := store.View(t.Context(), func(shop.Reader) error { return refusal })
		if err == nil || store.trouble.there.Load() != trouble {
			t.Errorf("%v: %v, and there is trouble: %t", refusal, err, store.trouble.there.Load())
		}
		store.trouble.there.Store(false)
	}
}
