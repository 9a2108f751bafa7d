package site

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
)

// Templates ask which operations to offer. Wrap each form, and each button of a form with several, in {{if .May "scrap"}}. Make May the
// last of all conditions: the foot of the page lists every permission that May denied.

// May reports whether the visitor may perform an operation. It returns an error for an unknown operation.
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

// Leads reports whether the visitor has signed in and may perform an operation, so that the page links to that operation's page. The foot
// of the page does not list a missing link.
func (f *Frame) Leads(operation shop.Operation) bool {
	return f.Me != nil && slices.Contains(f.Me.Permissions, operation.Permission())
}

// Missing explains to visitors why the page offers them less than others, "" if it offers everything. Call it after the content is
// rendered.
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
