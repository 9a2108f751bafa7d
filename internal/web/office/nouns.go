package office

import "github.com/routecard/routecard/internal/web/site"

// Noun is what the pages have of one noun, in its own file: its routes, its templates, and its entry in the menu.
type Noun struct {
	routes []site.Route
	// Views are its templates by name, each with a page of the type that it shows, with nothing in it.
	Views map[string]any
	menu  []site.MenuEntry
	// findable are its kinds of records that the search shows.
	findable []findable
}

// Nouns are those that have files of their own here. The other pages stand in routes.go.
func Nouns() []Noun { return []Noun{filePages(), instrumentPages(), measurementPages(), importPages()} }

// routesOfNouns are the routes of all nouns.
func routesOfNouns() (routes []site.Route) {
	for _, n := range Nouns() {
		routes = append(routes, n.routes...)
	}
	return routes
}

// findablesOfNouns are the kinds of records of all nouns that the search shows.
func findablesOfNouns() (kinds []findable) {
	for _, n := range Nouns() {
		kinds = append(kinds, n.findable...)
	}
	return kinds
}

// Menu are the entries of all nouns in the menu.
func Menu() (entries []site.MenuEntry) {
	for _, n := range Nouns() {
		entries = append(entries, n.menu...)
	}
	return entries
}
