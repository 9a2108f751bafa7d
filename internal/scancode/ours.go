package scancode

import (
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// numbered are the kinds of records whose identifiers have a number, with the function that makes the identifier.
var numbered = map[ident.RecordKind]func(number int64) string{ //nolint:exhaustive // the others have none
	shop.RecordNonconformance: shop.NonconformanceID, shop.RecordEntry: ident.AuditID,
}

// shortIdentifier reads what people type for a unit or a report: the number of a unit, or a prefix with fewer or more zeros than
// the identifier has.
func shortIdentifier(prefix ident.Prefix, text string) (kind ident.RecordKind, id string, ok bool) {
	kind, digits := shop.RecordSerial, text
	if rest, begins := shop.CutPrefixFold(text, prefix.Mark()); begins {
		digits = rest
	}
	for _, record := range shop.Records() {
		if rest, begins := shop.CutPrefixFold(text, record.Prefix); begins && strings.HasSuffix(record.Prefix, "-") {
			kind, digits = record.Kind, rest
		}
	}
	number, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || number <= 0 || !digitsOnly(digits) {
		return "", "", false
	}
	if kind == shop.RecordSerial {
		return kind, prefix.SerialID(number), true
	}
	return kind, numbered[kind](number), true
}

// ofAddress reads an address: of a page of Routecard on any host, or a GS1 Digital Link. Any other address is a text.
func ofAddress(prefix ident.Prefix, text string) []Reading {
	segments, query, complete := shop.ParseAddress(text)
	if segments == nil {
		return nil
	}
	if record, id, ok := shop.IDInAddress(prefix, segments, query); ok {
		return []Reading{{Kind: Ours, Form: Address, Record: record, ID: id}}
	}
	if elements := ofLink(segments, query); elements != nil {
		return ofMark(prefix, Link, elements)
	}
	if !complete {
		return nil
	}
	return ofText(text, Address)
}
