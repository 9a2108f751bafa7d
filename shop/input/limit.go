package input

// This file has the limits of lists and of pages of searches. Other limits stand with what they are about: the length of
// texts, numbers and metadata in input.go, the number of serials of a selection in selection.go and of new serials in
// serial.go, of files in file.go, of the clock in ident/timestamp.go, of repeated requests in once.go, of bodies, streams and memory
// in internal/httpapi (routes.go, streams.go, memory.go), of forms in internal/web/site/posted.go, of passwords and PINs in
// internal/access/secret.go. The table of limits that callers meet is in docs/running.md, "Limits"; docs/limits_test.go
// compares it with the code, and names those that stand in other documents.

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/routecard/routecard/shop/refusal"
)

// ListLimit is how many items a list of a request may have. named tells whether the contract has a limit of its own for
// this field, such as steps or entries[2].contributingJobIds; every other list has the general one.
func ListLimit(field string) (limit int, named bool) {
	switch field[strings.LastIndexByte(field, '.')+1:] {
	case "steps":
		return 1000, true
	case "serialIds", "serialNumbers":
		return 100_000, true
	case "characteristics", "values":
		return 200, true
	case "jobIds", "entries", "contributingJobIds":
		return 10_000, true
	}
	return 10_000, false
}

// TooManyItems refuses a list that has more items than its limit.
func TooManyItems(field string) *refusal.Error {
	limit, _ := ListLimit(field)
	return refusal.RefuseField(refusal.ListTooLong, field, limit)
}

// CheckItems refuses a list that has more items than its limit.
func CheckItems(field string, items int) error {
	if limit, _ := ListLimit(field); items > limit {
		return TooManyItems(field)
	}
	return nil
}

// CheckParameters judges texts that come with an address: the parameters of its query, or the identifiers in its path.
func CheckParameters(parameters map[string][]string) error {
	for _, name := range slices.Sorted(maps.Keys(parameters)) { // of several faults the same one is named every time
		for _, value := range parameters[name] {
			if err := CheckParameter(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckParameter judges one text that comes with an address.
func CheckParameter(name, value string) error {
	if len(name) > NameLimit || !utf8.ValidString(name) {
		name = "parameter" // and not what nobody asked for
	}
	limit := NameLimit
	if name == "after" {
		limit = positionLength
	}
	return checkText(name, value, limit)
}

// positionLength is how long the position of a row in a list may be. One in an order by names has a name in it.
const positionLength = 4000

// Bounds of a page of a search.
const (
	SearchDefault = 50
	SearchLimit   = 500
)

// PageLimit is how many records a page of a search has at most when this many are asked for: 1 to SearchLimit.
func PageLimit(asked int) int {
	if asked <= 0 {
		return SearchDefault
	}
	return min(asked, SearchLimit)
}

// CheckBefore judges the identifier behind which a page of a list begins: "", or one with the prefix of the list's records.
func CheckBefore(before, prefix string) error {
	if before != "" && !strings.HasPrefix(before, prefix) {
		return refusal.RefuseField(refusal.NotRecordID, "before")
	}
	return nil
}
