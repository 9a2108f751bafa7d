package web

import (
	"fmt"
	"maps"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// noun is what the pages have of one noun, in its own file: its routes, its templates, and its entry in the menu.
type noun struct {
	routes []route
	// views are its templates by name, each with a page of the type that it shows, with nothing in it.
	views map[string]any
	menu  []menuEntry
	// findable are its kinds of records that the search shows.
	findable []findable
}

// wording is what the pages call what a noun declares, in its own file too: refusals, fields, and its kinds of records. An
// action of the trail needs words only if its own name is not enough; see toldInWords.
type wording struct {
	// of are the nouns whose forms have the fields, each by the first of its kinds of records: see shop.Operation.Noun.
	of []ident.RecordKind
	// sentences are for reasons that only records of the noun are refused for. A reason of several nouns has its sentence in
	// sentences.go, with {id:noun} where it says which.
	sentences map[*refusal.Reason]sentence
	// fields are what the noun calls its fields. Another noun may call one with the same name otherwise.
	fields map[string]field
	things map[refusal.RecordName]string
}

// nouns are those that have files of their own here. The other pages stand in routes.go.
func nouns() []noun { return []noun{filePages(), instrumentPages(), measurementPages(), importPages()} }

// wordings are those of the same nouns.
var wordings = []wording{fileWords, instrumentWords, measurementWords, ownNumberWords, importWords}

// withNouns adds what all nouns say to the words that belong to none. It panics, while the program starts, when something is said
// twice.
func withNouns[K comparable, V any](words map[K]V, of func(wording) map[K]V) map[K]V {
	for _, w := range wordings {
		for key := range of(w) {
			if _, said := words[key]; said {
				panic(fmt.Sprintf("two nouns say what %v is", key))
			}
		}
		maps.Copy(words, of(w))
	}
	return words
}

// fieldsByNoun are the fields that nouns have words for, by noun. It panics, while the program starts, when something is said twice.
func fieldsByNoun() map[ident.RecordKind]map[string]field {
	all := map[ident.RecordKind]map[string]field{}
	for _, w := range wordings {
		for _, of := range w.of {
			if all[of] != nil {
				panic(fmt.Sprintf("two wordings are of the %s", of))
			}
			all[of] = w.fields
		}
	}
	return all
}

// routesOfNouns are the routes of all nouns.
func routesOfNouns() (routes []route) {
	for _, n := range nouns() {
		routes = append(routes, n.routes...)
	}
	return routes
}

// findablesOfNouns are the kinds of records of all nouns that the search shows.
func findablesOfNouns() (kinds []findable) {
	for _, n := range nouns() {
		kinds = append(kinds, n.findable...)
	}
	return kinds
}

// menuOfNouns are the entries of all nouns in the menu.
func menuOfNouns() (entries []menuEntry) {
	for _, n := range nouns() {
		entries = append(entries, n.menu...)
	}
	return entries
}
