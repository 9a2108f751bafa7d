package web

import (
	"slices"
)

// Patterns lists the routes of all pages.
func Patterns() []string {
	var patterns []string
	for _, route := range (&pages{}).routes() {
		patterns = append(patterns, route.pattern)
	}
	slices.Sort(patterns)
	return patterns
}

// AccessPatterns lists the routes that are there where people sign in.
func AccessPatterns() []string {
	var patterns []string
	for _, route := range (&pages{}).accessRoutes() {
		patterns = append(patterns, route.pattern)
	}
	return patterns
}
