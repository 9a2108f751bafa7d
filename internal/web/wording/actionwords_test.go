package wording

import (
	"slices"
	"testing"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
)

// ToldInWords contains only actions, and no action whose name would give the same label.
func TestActionsHaveWords(t *testing.T) {
	t.Parallel()
	actions := slices.Concat(shop.AuditActions(), shop.AccessActions())
	for action, text := range ToldInWords {
		if text.English() == lang.Words(nil, action) {
			t.Errorf("%s is called what its name says", action)
		}
		if !slices.Contains(actions, action) {
			t.Errorf("there are words for %s, which is no action", action)
		}
	}
	if got := ActionWords(nil, "of_a_later_version"); got != "Of a later version" {
		t.Errorf("an action that is not known here is called %s", got)
	}
}
