package dossier

import (
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// sizeTooSmall refuses a tree of the ledger that does not have all entries of a dossier.
var sizeTooSmall = refusal.NewReason(refusal.Invalid, "size_too_small", "size must be greater than the number of {entry}")

// TooSmall is the refusal of a tree that does not have the last entry of a dossier.
func TooSmall(last string) error { return refusal.Refuse(sizeTooSmall, last) }

// Included reads the kinds of files that a request includes, separated by commas.
func Included(field, text string) (kinds []shop.FileKind, err error) {
	for word := range strings.SplitSeq(text, ",") {
		if word == "" {
			continue
		}
		if !slices.Contains(onRequest(), shop.FileKind(word)) {
			return nil, input.NotOneOf(field, onRequest())
		}
		kinds = append(kinds, shop.FileKind(word))
	}
	return kinds, nil
}
