package scancode

import (
	"net/url"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/shop"
)

// sortableLength is how many characters follow the prefix of an identifier that has no number: a ULID.
const sortableLength = 26

// numbered are the kinds of records whose identifiers have a number.
var numbered = map[shop.RecordKind]struct { //nolint:exhaustive // the others have none
	id    func(number int64) string
	parse func(id string) (int64, bool)
}{
	shop.RecordSerial:         {shop.SerialID, shop.ParseSerialID},
	shop.RecordNonconformance: {shop.NonconformanceID, shop.ParseNonconformanceID},
	shop.RecordEntry:          {shop.AuditID, shop.AuditSequence},
}

// identifier reads an identifier of ours, whatever its capitals are, and returns it as Routecard writes it.
func identifier(text string) (kind shop.RecordKind, id string, ok bool) {
	for _, record := range shop.Records() {
		rest, begins := cutPrefixFold(text, record.Prefix)
		if record.Prefix == "" || !begins {
			continue
		}
		id = record.Prefix + strings.ToUpper(rest)
		if numbers, has := numbered[record.Kind]; has {
			_, ok = numbers.parse(id)
		} else {
			ok = len(rest) == sortableLength && strings.Trim(strings.ToUpper(rest), "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == ""
		}
		if ok {
			return record.Kind, id, true
		}
	}
	return "", "", false
}

// shortIdentifier reads what people type for a unit or a report: the number of a unit, or a prefix with fewer or more zeros than
// the identifier has.
func shortIdentifier(text string) (kind shop.RecordKind, id string, ok bool) {
	kind, digits := shop.RecordSerial, text
	for _, record := range shop.Records() {
		if rest, begins := cutPrefixFold(text, record.Prefix); begins && strings.HasSuffix(record.Prefix, "-") {
			kind, digits = record.Kind, rest
		}
	}
	number, err := strconv.ParseInt(digits, 10, 64)
	if err != nil || number <= 0 || !digitsOnly(digits) {
		return "", "", false
	}
	return kind, numbered[kind].id(number), true
}

// folders are the places in addresses of pages, and of the interface, behind which an identifier stands.
var folders = map[string]shop.RecordKind{
	"serials": shop.RecordSerial, "jobs": shop.RecordJob, "paths": shop.RecordPath, "nonconformances": shop.RecordNonconformance,
	"certs": shop.RecordCertificate, "bom": shop.RecordBOM, "templates": shop.RecordTemplate, "instruments": shop.RecordInstrument,
	"users": shop.RecordUser, "proof": shop.RecordEntry,
}

// queries are the pages that have an identifier in a parameter.
var queries = map[string]struct {
	parameter string
	kind      shop.RecordKind
}{
	"scan":        {"unit", shop.RecordSerial},
	"instruments": {"id", shop.RecordInstrument},
}

// ofAddress reads an address: of a page of Routecard on any host, or a GS1 Digital Link. Any other address is a text.
func ofAddress(text string) []Reading {
	if strings.ContainsAny(text, " \t\n"+gs+rs+eot) {
		return nil
	}
	complete := text
	switch {
	case strings.HasPrefix(text, "/"):
		complete = "https://routecard" + text
	case !strings.Contains(text, "://"):
		complete = "https://" + text
	}
	address, err := url.Parse(complete)
	if err != nil || address.Host == "" || !strings.EqualFold(address.Scheme, "http") && !strings.EqualFold(address.Scheme, "https") {
		return nil
	}
	var segments []string
	for segment := range strings.SplitSeq(address.EscapedPath(), "/") {
		segment, err = url.PathUnescape(segment)
		if err != nil {
			return nil
		}
		if segment != "" {
			segments = append(segments, segment)
		}
	}
	if record, id, ok := recordAt(segments, address.Query()); ok {
		return []Reading{{Kind: Ours, Form: Address, Record: record, ID: id}}
	}
	if elements := ofLink(segments, address.Query()); elements != nil {
		return ofMark(Link, elements)
	}
	if complete != text {
		return nil
	}
	return ofText(text, Address)
}

// recordAt finds the record that the path of a page names, the last one if there are several.
func recordAt(segments []string, query url.Values) (kind shop.RecordKind, id string, ok bool) {
	for i, segment := range slices.Backward(segments) {
		folder := strings.ToLower(segment)
		if page, there := queries[folder]; there && i == len(segments)-1 {
			if kind, id, ok = identifier(query.Get(page.parameter)); ok && kind == page.kind {
				return kind, id, true
			}
		}
		if wanted, there := folders[folder]; there && i+1 < len(segments) {
			if kind, id, ok = identifier(segments[i+1]); ok && kind == wanted {
				return kind, id, true
			}
		}
	}
	return "", "", false
}
