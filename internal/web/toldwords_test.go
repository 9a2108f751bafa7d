package web

import (
	"slices"
	"testing"

	"github.com/routecard/routecard/shop"
)

// Each action of the trail has a line in the words of the pages, and each line is of an action.
func TestActionsHaveWords(t *testing.T) {
	t.Parallel()
	actions := slices.Concat(shop.AuditActions(), shop.AccessActions())
	for _, action := range actions {
		if toldInWords[action] == "" {
			t.Errorf("there are no words for %s", action)
		}
	}
	for action := range toldInWords {
		if !slices.Contains(actions, action) {
			t.Errorf("there are words for %s, which is no action", action)
		}
	}
	if got := actionWords("of_a_later_version"); got != "Of a later version" {
		t.Errorf("an action that is not known here is called %s", got)
	}
}
