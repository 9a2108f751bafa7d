package input

// This file has the limits of texts, numbers, metadata, lists and search pages. Other limits are declared where they apply: the number of
// selected serials in selection.go, and the number of new serials in serial.go. Limits of files are in file.go, of the clock in
// ident/timestamp.go, and of repeated requests in once.go. Limits of bodies, streams and memory are in internal/httpapi (routes.go,
// streams.go, memory.go), of forms in internal/web/site/posted.go, and of passwords and PINs in internal/access/secret.go.
// docs/running.md, "Limits", lists the limits that callers can reach; docs/limits_test.go compares that table with the code, and lists the
// limits that are documented elsewhere.

import (
	"maps"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/routecard/routecard/shop/refusal"
)

// Limits of stored texts, in characters, and of metadata, in bytes (docs/api/requests.md, "Bodies").
const (
	NameLimit     = 500
	TextLimit     = 10_000
	MetadataLimit = 64 << 10
	MetadataDepth = 50        // responses nest it up to three levels deep, and many JSON readers stop at 64
	NumberLimit   = 1<<53 - 1 // the largest whole number that every JSON reader represents exactly
)

// ListLimit returns the maximum number of items of a list in a request. named reports whether the contract has a specific limit for this
// field, such as steps or entries[2].contributingJobIds; all other lists share the general limit.
func ListLimit(field string) (limit int, named bool) {
	switch field[strings.LastIndexByte(field, '.')+1:] {
	case "steps":
		return 1000, true
	case "serialIds", "serialNumbers":
		return 100_000, true
	case "characteristics", "values":
		return 200, true
	case "components":
		return 100, true
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

// CheckParameters checks texts from a URL: the query parameters, or the identifiers in the path.
func CheckParameters(parameters map[string][]string) error {
	for _, name := range slices.Sorted(maps.Keys(parameters)) { // sorted, to always report the same parameter
		for _, value := range parameters[name] {
			if err := CheckParameter(name, value); err != nil {
				return err
			}
		}
	}
	return nil
}

// CheckParameter checks one text from a URL.
func CheckParameter(name, value string) error {
	if len(name) > NameLimit || !utf8.ValidString(name) {
		name = "parameter" // do not repeat an unknown name in the message
	}
	limit := NameLimit
	if name == "after" {
		limit = positionLength
	}
	return checkText(name, value, limit)
}

// positionLength is the maximum length of the position of a row in a list. Lists ordered by name have the name in it.
const positionLength = 4000

// Bounds of a page of a search.
const (
	SearchDefault = 50
	SearchLimit   = 500
)

// PageLimit returns the maximum number of records of a search page for a requested number: 1 to SearchLimit.
func PageLimit(asked int) int {
	if asked <= 0 {
		return SearchDefault
	}
	return min(asked, SearchLimit)
}

// CheckBefore checks the identifier after which a page of a list begins: "", or an identifier with the prefix of the list's records.
func CheckBefore(before, prefix string) error {
	if before != "" && !strings.HasPrefix(before, prefix) {
		return refusal.RefuseField(refusal.NotRecordID, "before")
	}
	return nil
}
