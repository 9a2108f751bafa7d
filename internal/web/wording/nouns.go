package wording

import (
	"fmt"
	"maps"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// nounWords are the page texts for one noun: its refusals, fields and kinds of records. An action needs a text only if its own name is not
// clear enough; see ToldInWords.
type nounWords struct {
	// of lists the nouns whose forms have these fields. Each noun is identified by its first kind of record: see shop.Operation.Noun.
	of []ident.RecordKind
	// sentences are for reasons of refusals that only records of this noun have. If several nouns share a reason, its sentence is in
	// sentences.go, with {id:noun} in place of the noun.
	sentences map[*refusal.Reason]sentence
	// fields are the noun's labels for its fields. Another noun may label a field of the same name differently.
	fields map[string]field
	things map[refusal.RecordName]lang.Text
}

// wordings lists the texts of the nouns.
var wordings = []nounWords{
	componentWords, shipmentWords, fileWords, instrumentWords, lotWords, measurementWords, ownNumberWords, requirementWords, importWords,
	organizationWords, noticesWords, conformanceWords, firstArticleWords,
}

// withNouns adds the texts of all nouns to the common ones. It panics at the start of the program if a key occurs twice.
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

// fieldsByNoun returns the nouns' labels for fields, by noun. It panics at the start of the program if a label occurs twice.
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
