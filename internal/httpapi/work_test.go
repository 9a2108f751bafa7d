package httpapi

import (
	"log/slog"
	"net/http"
	"slices"
	"sync/atomic"
	"testing"

	"github.com/routecard/routecard/internal/enginetest"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/sqlstore"
)

// byCard are the changes of one unit, which are committed together with those of other callers. Their work is that of one card.
var byCard = []string{ //nolint:gochecknoglobals // a table
	"POST /api/serials/{id}/advance",
	"POST /api/serials/{id}/advance-to",
	"POST /api/serials/{id}/scrap",
	"POST /api/serials/{id}/force-complete",
	"POST /api/serials/{id}/complete-deferred/{stepId}",
	"POST /api/serials/{id}/waive-step/{stepId}",
	"DELETE /api/serials/{id}/overrides/{stepId}",
	"POST /api/serials/{id}/hold",
	"POST /api/serials/{id}/release",
}

// docs/running.md, "What fits into one transaction": TestEveryChangeIsWeighed runs scenarios that cover every route that changes something.
// The work of each change is measured, so the limit applies to it. A change that is neither measured nor in byCard fails here.
func TestEveryChangeIsWeighed(t *testing.T) {
	t.Parallel()
	weighed, document := map[string]bool{}, loadDocument(t)
	for _, scenario := range fewest(readScenarios(t)) {
		var worked atomic.Int64
		database := enginetest.New(t)
		store := database.OpenWith(t, sqlstore.Options{Worked: func(work int64) { worked.Add(work) }})
		workshop := serve(t, newFace(store, func(c *Config) {
			c.Files = files.New(files.NewFolder(t.TempDir(), false), c.Service, testFileLimit, clockwork(), slog.New(slog.DiscardHandler))
		}), store, database)
		play := &play{shop: workshop, door: workshop.backDoor(t), document: document, variables: map[string]string{}}
		play.before = play.written(t)
		for _, row := range scenario.rows {
			worked.Store(0)
			play.row(t, row)
			if row.sql == "" && row.method != http.MethodGet && row.status < http.StatusBadRequest && worked.Load() > 0 {
				weighed[operationOf(&row)] = true
			}
		}
	}
	// Routes that the scenarios do not cover. A test of notices changes nothing in the database.
	elsewhere := []string{
		"POST /api/backups", "PUT /api/settings/signatures", "POST /api/tracker/link", "POST /api/tracker/comment",
		"POST /api/settings/notices/test",
	}
	for _, route := range routes() {
		switch listed := slices.Contains(byCard, route.pattern); {
		case !route.keyed() || slices.Contains(elsewhere, route.pattern):
		case listed == weighed[route.pattern]:
			t.Errorf("%s: its work is measured: %t; it is listed as a change of one card: %t", route.pattern, weighed[route.pattern], listed)
		}
	}
}
