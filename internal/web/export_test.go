package web

import (
	"maps"
	"slices"
)

// Patterns lists the routes of all pages.
func Patterns() []string { return slices.Sorted(maps.Keys((&pages{}).routes())) }
