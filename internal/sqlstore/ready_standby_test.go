package sqlstore

import (
	"testing"
	"time"

	"github.com/routecard/routecard/internal/pgtest"
)

// TestReadyWithoutStandby checks whether a store is ready while its commits wait for an unreachable synchronous standby.
func TestReadyWithoutStandby(t *testing.T) {
	t.Parallel()
	primary := pgtest.New(t)
	store := openPostgres(t, primary.Address("postgres"))
	store.probing = probeTimeout
	must(t, store.Ready(t.Context()))
	primary.Configure(t, "synchronous_standby_names = 'ANY 1 (away)'")
	primary.Reload(t)
	var begun time.Time
	eventually(t, "Ready refuses once the server has read its configuration", func() bool {
		store.trouble.there.Store(true) // so that the cached result is not used
		begun = time.Now()
		return store.Ready(t.Context()) != nil
	})
	if took := time.Since(begun); took >= commitTimeout/2 {
		t.Errorf("not ready after %s; the limit of a probe is %s", took, store.probing)
	}
	primary.Configure(t, "synchronous_standby_names = ''")
	primary.Reload(t)
	eventually(t, "Ready is nil again", func() bool { return store.Ready(t.Context()) == nil })
}
