package site

import (
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
)

// Templates ask which operations the page may offer. Wrap each form in {{if .May "scrap"}}, and do the same for each button if a form has
// several. If there are other conditions, May must be the last of them, because the foot of the page lists every permission that May
// denied.

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

// Leads reports whether the visitor has signed in and may perform an operation. The page then links to the page of that operation. A
// missing link is not listed in the foot of the page.
func (f *Frame) Leads(operation shop.Operation) bool {
	return f.Me != nil && slices.Contains(f.Me.Permissions, operation.Permission())
}

// Missing explains to visitors why the page offers them less than other users. It returns "" if the page offers everything. Call it after
// the content is rendered.
func (f *Frame) Missing() string {
	switch {
	case len(f.missing) == 0:
		return ""
	case f.Me == nil:
		return f.T("Sign in to change something here.")
	}
	var needed []string
	for _, permission := range append(shop.Permissions(), shop.Arrived, shop.SignedIn) {
		if f.missing[permission] {
			needed = append(needed, wording.PermissionWords(f.Language, permission))
		}
	}
	return f.T("More is offered here to people with the permission {permission}.", "permission", strings.Join(needed, " "+f.T("or")+" "))
}
