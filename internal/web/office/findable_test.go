package office

import (
	"slices"
	"testing"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Every kind of record that declares names can be searched and has a page. Other kinds that the search shows have a function that finds them.
func TestEveryKindThatIsCalledIsSearched(t *testing.T) {
	t.Parallel()
	var called, shown []ident.RecordKind
	for _, record := range shop.Records() {
		if len(record.Called) > 0 {
			called = append(called, record.Kind)
		}
	}
	for _, kind := range findables() {
		if kind.find == nil {
			shown = append(shown, kind.kind)
		}
	}
	slices.Sort(called)
	slices.Sort(shown)
	if !slices.Equal(called, shown) {
		t.Errorf("%v are called something, and the search shows %v", called, shown)
	}
}
