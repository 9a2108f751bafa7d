package web

import (
	"net/http"
	"net/url"
	"slices"

	"github.com/routecard/routecard/shop"
)

// Patterns lists the routes of all pages.
func Patterns() []string {
	var patterns []string
	for _, route := range everyRoutes() {
		patterns = append(patterns, route.pattern)
	}
	slices.Sort(patterns)
	return patterns
}

// AccessPatterns lists the routes that are there where people sign in.
func AccessPatterns() []string {
	var patterns []string
	for _, route := range accessRoutes() {
		patterns = append(patterns, route.pattern)
	}
	return patterns
}

// OperationOf is what a form asks for that is posted to an address; false when the pages have no such route.
func OperationOf(handler http.Handler, address string, form url.Values) (shop.Operation, bool) {
	p := handler.(*pages) //nolint:forcetypeassert // New makes nothing else
	to, err := url.Parse(address)
	if err != nil {
		return "", false
	}
	_, pattern := p.mux.Handler(&http.Request{Method: http.MethodPost, URL: &url.URL{Path: to.Path}})
	at := slices.IndexFunc(p.all, func(route route) bool { return route.pattern == pattern })
	if at < 0 {
		return "", false
	}
	return p.all[at].operation.in(form), true
}

// AnonymousLimit bounds the forms of visitors who are nobody yet.
const AnonymousLimit = anonymousLimit
