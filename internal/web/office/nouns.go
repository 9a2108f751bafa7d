package office

import "github.com/routecard/routecard/internal/web/site"

// Noun declares the pages of one noun, in its own file: its routes, its templates, and its menu entries.
type Noun struct {
	routes []site.Route
	// Views are the noun's templates by name, each with an empty page of its type.
	Views map[string]any
	menu  []site.MenuEntry
	// findable lists the noun's kinds of records that the search shows.
	findable []findable
}

// Nouns returns the nouns that have their own files in this package. routes.go lists the other pages.
func Nouns() []Noun {
	return []Noun{
		filePages(), instrumentPages(), lotPages(), requirementPages(), shipmentPages(), recallPages(), measurementPages(), importPages(),
		organizationPages(), noticesPages(), dossierPages(), conformancePages(), firstArticlePages(),
	}
}

// routesOfNouns returns the routes of all nouns.
func routesOfNouns() (routes []site.Route) {
	for _, n := range Nouns() {
		routes = append(routes, n.routes...)
	}
	return routes
}

// findablesOfNouns returns the kinds of records of all nouns that the search shows.
func findablesOfNouns() (kinds []findable) {
	for _, n := range Nouns() {
		kinds = append(kinds, n.findable...)
	}
	return kinds
}

// Menu returns the menu entries of all nouns.
func Menu() (entries []site.MenuEntry) {
	for _, n := range Nouns() {
		entries = append(entries, n.menu...)
	}
	return entries
}
