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
