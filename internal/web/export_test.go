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

// AccessPatterns lists the routes that are there where people sign in.
func AccessPatterns() []string {
	var patterns []string
	for _, route := range account.Routes() {
		patterns = append(patterns, route.Pattern)
	}
	return patterns
}

// OperationOf is what a form asks for that is posted to an address; false when the pages have no such route.
func OperationOf(handler http.Handler, address string, form url.Values) (shop.Operation, bool) {
	p := handler.(*site.Pages) //nolint:forcetypeassert // New makes nothing else
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

// AnonymousLimit bounds the forms of visitors who are nobody yet.
const AnonymousLimit = site.AnonymousLimit
