package shop

import (
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// This file declares the codes that have a meaning of their own in Routecard: command codes, badges, identifiers of records and web
// addresses. RefuseReserved refuses such a code as the identifier of any other record, because a scan of it would not find the record.
// Package scancode reads the codes with the same functions.

// Prefixes of codes that are not identifiers.
const (
	CommandPrefix = "RC-"    // command codes
	BadgePrefix   = "RC-ID-" // badges
	CodeSignOut   = "RC-OUT" // the command that signs out at a station
)

// commandWords are the words that follow CommandPrefix in command codes. A hyphen and an argument may follow the word.
var commandWords = []string{
	"DONE", "ADVANCE", "NOTE", "DEFERRED", "HOLD", "UNDO", "SCRAP", "YES", "NO", "MEASURE", "PASS", "FAIL", "INSTRUMENT", "INSTALL", "OUT",
	"ID",
}

// IsCommand reports whether a text is a command code or a badge, regardless of case. It also returns true for unknown arguments, such as
// RC-SCRAP-X.
func IsCommand(text string) bool {
	rest, ok := CutPrefixFold(text, CommandPrefix)
	if !ok || strings.ContainsFunc(rest, unicode.IsSpace) {
		return false
	}
	word, _, _ := strings.Cut(rest, "-")
	return slices.Contains(commandWords, strings.ToUpper(word))
}

// BadgeWithin finds badges in a text, including badges from a scanner with another keyboard layout, which sends different characters for
// the hyphens.
var BadgeWithin = regexp.MustCompile(`(?i)RC[^0-9A-Za-z]ID[^0-9A-Za-z][0-9A-Za-z]{8,}`)

// holdsBadge reports whether a text contains a badge or the prefix of one.
func holdsBadge(text string) bool {
	return BadgeWithin.MatchString(text) || strings.Contains(strings.ToUpper(text), BadgePrefix)
}

// Unscanned removes the characters that scanners add to a code: byte order marks, control characters that are not separators (such as CR
// and NUL), and blanks at both ends. It also removes a symbology identifier of ISO/IEC 15424, and returns it without the bracket.
func Unscanned(scanned string) (symbology, content string) {
	for _, mark := range []string{"\ufeff", "ï»¿"} { // the second mark is the first mark, read in another encoding
		scanned = strings.TrimPrefix(scanned, mark)
	}
	content = strings.TrimSpace(strings.Map(func(c rune) rune {
		switch {
		case c == '\ufeff':
			return -1
		case c == '\x1d', c == '\x1e', c == '\x04', c == '\t', c == '\n': // separators within codes, and blanks
			return c
		case unicode.IsControl(c):
			return -1
		}
		return c
	}, scanned))
	letter := func(c byte) bool { return c >= 'A' && c <= 'Z' || c >= 'a' && c <= 'z' }
	if len(content) < 3 || content[0] != ']' || !letter(content[1]) || !letter(content[2]) && (content[2] < '0' || content[2] > '9') {
		return "", content
	}
	return content[1:3], strings.TrimSpace(content[3:])
}

// sortableLength is the length of a ULID, which follows the prefix of identifiers without a number.
const sortableLength = 26

// numberedParsers parse the identifiers that have a number.
var numberedParsers = map[ident.RecordKind]func(id string) (int64, bool){ //nolint:exhaustive // the others have none
	RecordSerial: ident.ParseSerialID, RecordNonconformance: ParseNonconformanceID,
	RecordShipment: ParseShipmentID, RecordConformance: ParseConformanceID, RecordEntry: ident.AuditSequence,
}

// ParseID parses an identifier created by Routecard, regardless of case, and returns it in its usual form.
func ParseID(text string) (kind ident.RecordKind, id string, ok bool) {
	for i := range records {
		record := &records[i]
		rest, begins := CutPrefixFold(text, record.Prefix)
		if record.Prefix == "" || !begins {
			continue
		}
		rest = strings.ToUpper(rest)
		id = record.Prefix + rest
		if parse := numberedParsers[record.Kind]; parse != nil {
			_, ok = parse(id)
		} else {
			ok = len(rest) == sortableLength && strings.Trim(rest, "0123456789ABCDEFGHJKMNPQRSTVWXYZ") == ""
		}
		if ok {
			return record.Kind, id, true
		}
	}
	return "", "", false
}

// idFolders are the path segments that precede an identifier in addresses of pages and of the interface.
var idFolders = map[string]ident.RecordKind{
	"serials": RecordSerial, "jobs": RecordJob, "paths": RecordPath, "nonconformances": RecordNonconformance,
	"certs": RecordCertificate, "bom": RecordBOM, "templates": RecordTemplate, "instruments": RecordInstrument, "lots": RecordLot,
	"shipments": RecordShipment, "conformances": RecordConformance, "users": RecordUser, "proof": RecordEntry,
}

// idParameters are the pages with an identifier in a query parameter.
var idParameters = map[string]struct {
	parameter string
	kind      ident.RecordKind
}{
	"scan":         {"unit", RecordSerial},
	"instruments":  {"id", RecordInstrument},
	"lots":         {"id", RecordLot},
	"shipments":    {"id", RecordShipment},
	"conformances": {"id", RecordConformance},
}

// ParseAddress splits a web address. The scheme may be missing, and the host too if the text begins with a slash; complete reports
// whether the text has both. It returns nil for a text that is not an address.
func ParseAddress(text string) (segments []string, query url.Values, complete bool) {
	if strings.ContainsAny(text, " \t\n\x1d\x1e\x04") || !strings.Contains(text, "/") {
		return nil, nil, false
	}
	whole := text
	switch {
	case strings.HasPrefix(text, "/"):
		whole = "https://routecard" + text
	case !strings.Contains(text, "://"):
		whole = "https://" + text
	}
	address, err := url.Parse(whole)
	if err != nil || address.Host == "" || !strings.EqualFold(address.Scheme, "http") && !strings.EqualFold(address.Scheme, "https") {
		return nil, nil, false
	}
	segments = []string{}
	for segment := range strings.SplitSeq(address.EscapedPath(), "/") {
		if segment, err = url.PathUnescape(segment); err != nil {
			return nil, nil, false
		}
		if segment != "" {
			segments = append(segments, segment)
		}
	}
	return segments, address.Query(), whole == text
}

// IDInAddress returns the record in the address of a page. If there are several, it returns the last one.
func IDInAddress(segments []string, query url.Values) (kind ident.RecordKind, id string, ok bool) {
	for i, segment := range slices.Backward(segments) {
		folder := strings.ToLower(segment)
		if page, there := idParameters[folder]; there && i == len(segments)-1 {
			if kind, id, ok = ParseID(query.Get(page.parameter)); ok && kind == page.kind {
				return kind, id, true
			}
		}
		if wanted, there := idFolders[folder]; there && i+1 < len(segments) {
			if kind, id, ok = ParseID(segments[i+1]); ok && kind == wanted {
				return kind, id, true
			}
		}
	}
	return "", "", false
}

// RefuseReserved refuses a text as the identifier of a record if a scan of the text means something else: a command, a badge, a web
// address, or a record whose id is not own.
func RefuseReserved(field, text, own string) error {
	_, content := Unscanned(text)
	if IsCommand(content) || holdsBadge(content) || strings.HasSuffix(strings.ToUpper(content), CodeSignOut) {
		return refusal.RefuseField(IdentifierIsCommand, field)
	}
	if kind, id, is := ParseID(content); is && id != own {
		if kind == RecordSerial {
			return refusal.RefuseField(NumberIsID, field)
		}
		return refusal.RefuseField(IdentifierIsID, field)
	}
	segments, query, complete := ParseAddress(content)
	if _, _, is := IDInAddress(segments, query); is || complete {
		return refusal.RefuseField(IdentifierIsAddress, field)
	}
	return nil
}

// CutPrefixFold removes an ASCII prefix, regardless of case.
func CutPrefixFold(text, prefix string) (rest string, ok bool) {
	if len(text) < len(prefix) || !strings.EqualFold(text[:len(prefix)], prefix) {
		return "", false
	}
	return text[len(prefix):], true
}

// Reasons to refuse an identifier that is a code of Routecard.
var (
	IdentifierIsCommand = refusal.NewReason(refusal.Invalid, "must_not_be_command", "{field} must not be a command code")
	IdentifierIsID      = refusal.NewReason(refusal.Invalid, "must_not_be_id", "{field} must not look like the id of another record")
	IdentifierIsAddress = refusal.NewReason(refusal.Invalid, "must_not_be_address", "{field} must not be a web address")
)
