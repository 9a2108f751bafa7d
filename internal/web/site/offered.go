package site

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
)

// Templates ask what may be offered. Wrap each form, and each button of a form with several, in {{if .May "scrap"}}. Ask May
// last of all conditions: the page's foot lists every permission that May denied.

// May reports whether the visitor may ask for an operation. It fails for a name that is not an operation.
func (f *Frame) May(operation shop.Operation) (bool, error) {
	if !operation.Known() {
		return false, fmt.Errorf("there is no operation %q", operation)
	}
	needed := operation.Permission()
	if f.Allows == nil || f.Allows(needed) {
		return true, nil
	}
	if f.missing == nil {
		f.missing = make(map[shop.Permission]bool)
	}
	f.missing[needed] = true
	return false, nil
}

// Leads reports whether the visitor signed in and may ask for an operation, so that the page has a link to the page
// for it. A page does not say that such a link is missing.
func (f *Frame) Leads(operation shop.Operation) bool {
	return f.Me != nil && slices.Contains(f.Me.Permissions, operation.Permission())
}

// Missing tells a visitor why a page offers less than others see there, "" when it offers everything. It is known once the
// content is rendered.
func (f *Frame) Missing() string {
	switch {
	case len(f.missing) == 0:
		return ""
	case f.Me == nil:
		return "Sign in to change something here."
	}
	var needed []string
	for _, permission := range append(shop.Permissions(), shop.Arrived, shop.SignedIn) {
		if f.missing[permission] {
			needed = append(needed, wording.PermissionWords(permission))
		}
	}
	return "More is offered here to people with the permission " + strings.Join(needed, " or ") + "."
}
