package web

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/routecard/routecard/internal/web/account"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// Patterns lists the routes of all pages.
func Patterns() []string {
	var patterns []string
	for _, route := range everyRoutes() {
		patterns = append(patterns, route.Pattern)
	}
	slices.Sort(patterns)
	return patterns
}

// AccessPatterns lists the routes that exist with sign-in.
func AccessPatterns() []string {
	var patterns []string
	for _, route := range account.Routes() {
		patterns = append(patterns, route.Pattern)
	}
	return patterns
}

// OperationOf returns the operation of a form that is posted to an address. It returns false if the pages have no such route.
func OperationOf(handler http.Handler, address string, form url.Values) (shop.Operation, bool) {
	p := handler.(*site.Pages) //nolint:forcetypeassert // New returns no other type
	to, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	_, pattern := p.Mux.Handler(&http.Request{Method: http.MethodPost, URL: &url.URL{Path: to.Path}})
	at := slices.IndexFunc(p.All, func(route site.Route) bool { return route.Pattern == pattern })
	if at < 0 {
		return "", false
	}
	return p.All[at].Operation.In(form), true
}

// AnonymousLimit is the form limit for visitors who have not signed in.
const AnonymousLimit = site.AnonymousLimit
