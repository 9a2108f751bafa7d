package wording

import (
	"fmt"
	"maps"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// nounWords are what the pages call what a noun declares, in its own file too: refusals, fields, and its kinds of records. An
// action of the trail needs words only if its own name is not enough; see toldInWords.
type nounWords struct {
	// of are the nouns whose forms have the fields, each by the first of its kinds of records: see shop.Operation.Noun.
	of []ident.RecordKind
	// sentences are for reasons that only records of the noun are refused for. A reason of several nouns has its sentence in
	// sentences.go, with {id:noun} where it says which.
	sentences map[*refusal.Reason]sentence
	// fields are what the noun calls its fields. Another noun may call one with the same name otherwise.
	fields map[string]field
	things map[refusal.RecordName]string
}

// wordings are those of the same nouns.
var wordings = []nounWords{fileWords, instrumentWords, measurementWords, ownNumberWords, importWords}

// withNouns adds what all nouns say to the words that belong to none. It panics, while the program starts, when something is said
// twice.
func withNouns[K comparable, V any](words map[K]V, of func(nounWords) map[K]V) map[K]V {
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
