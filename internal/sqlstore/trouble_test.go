package sqlstore

import (
	"path/filepath"
	"testing"

	"github.com/routecard/routecard"
)

// Whoever is refused because the service is busy says nothing about the database.
func TestBusyIsNoTrouble(t *testing.T) {
	t.Parallel()
	store := openSQLite(t, filepath.Join(t.TempDir(), "shop.db"), Options{})
	for message, trouble := range map[string]bool{routecard.ServiceBusy: false, routecard.DatabaseFull: true} {
		refusal := &routecard.Error{Code: routecard.Unavailable, Message: message}
		err := store.View(t.Context(), func(routecard.Reader) error { return refusal })
		if err == nil || store.trouble.there.Load() != trouble {
			t.Errorf("%s: %v, and there is trouble: %t", message, err, store.trouble.there.Load())
		}
		store.trouble.there.Store(false)
	}
}
