package sqlstore

import (
	"bytes"
	"log/slog"
	"strings"
	"testing"
	"time"

	"github.com/routecard/routecard/internal/pgtest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// A probe writes at least as much as a change. If a disk has space for the probe, it has space for an advance.
func TestProbeIsAsLargeAsAChange(t *testing.T) {
	t.Parallel()
	workshop := newTracedShop(t)
	workshop.makeSerials(workshop.makePath(workshop.makeJob(), 8), 100, "")
	conn := connection(t, workshop.store)
	// During a read the log does not start again from its beginning, so its length counts all writes.
	must(t, workshop.store.View(t.Context(), func(tx shop.Reader) error {
		if _, err := tx.RouteCard("SN-00001"); err != nil {
			return err
		}
		pages := func(write func() error) int64 {
			before := logLength(t, conn)
			must(t, write())
			return logLength(t, conn) - before
		}
		for range 2 { // the first writes may fill pages and so need new ones
			advance := pages(func() error {
				return ran(workshop.AdvanceSerial(t.Context(), "SN-00001", shop.AdvanceSerialInput{UserID: input.Given("ann")}))
			})
			probe := pages(func() error {
				workshop.store.probe.asked = time.Time{}
				return workshop.store.Ready(t.Context())
			})
			t.Logf("an advance writes %d pages, a probe %d", advance, probe)
			if probe < advance || probe == 0 {
				t.Errorf("an advance writes %d pages, and a probe only %d", advance, probe)
			}
		}
		return nil
	}))
}

// Opening a database logs a warning if the server has no data checksums. Checksums reveal data that a disk has changed.
func TestServerWithoutChecksums(t *testing.T) {
	t.Parallel()
	var log bytes.Buffer
	store, err := OpenPostgres(t.Context(), pgtest.Database(t), Pool{}, Options{Logger: slog.New(slog.NewTextHandler(&log, nil))})
	must(t, err)
	defer store.Close()
	var checksums string
	must(t, store.pool.QueryRow(t.Context(), `SELECT current_setting('data_checksums')`).Scan(&checksums))
	if warned := strings.Contains(log.String(), "runs without checksums of its pages"); warned != (checksums == "off") {
		t.Errorf("checksums are %s, and the log says:\n%s", checksums, log.String())
	}
}
