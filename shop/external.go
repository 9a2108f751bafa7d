package shop

import (
	"context"
	"errors"
	"iter"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"unicode"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// ExternalMark is the prefix of an external id that is given in place of a record's own id.
const ExternalMark = "ext:"

// ExternalIDLimit is the maximum number of characters in an external id.
const ExternalIDLimit = 200

// ExternalID is the id of a record in another system. It is unique among the records of a kind.
type ExternalID struct {
	Of         ident.RecordKind // a kind whose row has External
	ID         string           // the record's own id
	ExternalID string
}

// key returns the identifier that verification uses: a record has at most one external id.
func (e ExternalID) key() string { return string(e.Of) + " " + e.ID }

// Contents returns the SHA-256 of the contents that the audit entry records; "" if the external id was removed.
func (e ExternalID) Contents() trail.ContentsSHA256 {
	if e.ExternalID == "" {
		return ""
	}
	return trail.ContentsOf([]string{string(e.Of), e.ID, e.ExternalID})
}

// ExternalInput is the external id in the body of a creation or an update. Null and blank values remove it.
type ExternalInput struct {
	ExternalID input.TextInput `field:"externalId"`
}

// NameOutside copies the external id of the URL into the input. It refuses an empty external id, which would create a record without an
// external id, and an external id that differs from the input's.
func (in *ExternalInput) NameOutside(externalID string) error {
	if externalID == "" {
		return refusal.RefuseField(refusal.Required, "externalId")
	}
	if in.ExternalID.State == input.StateGiven && strings.TrimSpace(in.ExternalID.Value) != externalID {
		return input.NotOneOf("externalId", []string{externalID})
	}
	if in.ExternalID.Missing() {
		in.ExternalID = input.Given(externalID)
	}
	return nil
}

// Trimmed validates the field and returns it without leading and trailing blanks.
func (in *ExternalInput) Trimmed() (string, error) {
	given := in.ExternalID
	given.Value = strings.TrimSpace(given.Value)
	return input.OptionalWithin("externalId", given, ExternalIDLimit)
}

// Change sets the external id of the record with this id if the field is present. It refuses a new value that has another meaning
// when it is scanned.
func (in *ExternalInput) Change(prefix ident.Prefix, id string, externalID *string) error {
	if !in.ExternalID.Present() {
		return nil
	}
	changed, err := in.Trimmed()
	if err == nil && changed != *externalID {
		err = RefuseReserved(prefix, "externalId", changed, id)
	}
	if err == nil {
		*externalID = changed
	}
	return err
}

// recordExternal replaces the external id of a record and appends an audit entry. The given entry has the fields that identify
// the record. It does nothing if the external id does not change.
func recordExternal(tx interface {
	AuditStore
	ExternalStore
}, after ExternalID, before string, entry trail.Entry) error {
	if after.ExternalID == before {
		return nil
	}
	err := tx.SetExternalID(after)
	if errors.Is(err, ErrDuplicate) {
		var other string
		if other, err = tx.RecordOutside(after.Of, after.ExternalID); err == nil {
			return refusal.RefuseField(ExternalIDTaken, "externalId", after.ExternalID, other)
		}
	}
	if err != nil {
		return err
	}
	entry.Action = ActionExternalIDSet
	entry.Metadata = trail.Metadata(externalEvent{
		Kind: after.Of, ID: after.ID, Before: OrNull(before), After: OrNull(after.ExternalID), Contents: after.Contents(),
	})
	return tx.AppendAudit(entry)
}

// externalEvent is the metadata of an audit entry for an external id.
type externalEvent struct {
	Kind   ident.RecordKind `json:"kind"`
	ID     string           `json:"id"`
	Before *string          `json:"before"` // null for none
	After  *string          `json:"after"`  // null if it was removed

	Contents trail.ContentsSHA256 `json:"contentsSha256,omitempty"` // left out if it was removed
}

// FindOutside returns the id of the record with an external id, or ErrNoRecord.
func FindOutside(tx interface {
	ExternalStore
	InstrumentStore
}, kind ident.RecordKind, externalID string) (string, error) {
	switch {
	case externalID == "":
		return "", ErrNoRecord
	case kind == RecordInstrument:
		found, err := tx.InstrumentOutside(externalID)
		return found.ID, err
	}
	return tx.RecordOutside(kind, externalID)
}

// IDOf returns the id of a record that a request identifies by either id. Values without the prefix ExternalMark are returned
// unchanged, and so are unknown external ids: the operation then reports that the record does not exist.
func (s *Service) IDOf(ctx context.Context, kind ident.RecordKind, named string) (string, error) {
	if !strings.HasPrefix(named, ExternalMark) {
		return named, nil
	}
	err := s.store.View(ctx, func(tx Reader) (err error) {
		named, err = IDIn(tx, kind, named)
		return err
	})
	return named, err
}

// IDIn is IDOf within a transaction.
func IDIn(tx interface {
	ExternalStore
	InstrumentStore
}, kind ident.RecordKind, named string) (string, error) {
	externalID, ok := strings.CutPrefix(named, ExternalMark)
	if !ok {
		return named, nil
	}
	id, err := FindOutside(tx, kind, strings.TrimSpace(externalID))
	if err == nil {
		return id, nil
	}
	return named, IgnoreNoRecord(err)
}

// identifying maps the fields and parameters that identify a record to the record's kind.
var identifying = map[string]ident.RecordKind{
	"jobId": RecordJob, "contributingJobIds": RecordJob, "pathId": RecordPath, "serialId": RecordSerial, "serialIds": RecordSerial,
	"certId": RecordCertificate, "instrumentId": RecordInstrument, "templateId": RecordTemplate,
	"lotId": RecordLot, "certIds": RecordCertificate,
}

// Identifies returns the kind of record that a field or parameter identifies, and whether it identifies a record.
func Identifies(name string) (ident.RecordKind, bool) {
	kind, ok := identifying[name]
	return kind, ok
}

// Put updates the record that a URL identifies, or creates it if the URL has an external id that no record of the kind has yet.
// If two callers do this at once, one creates the record and the other updates it.
func Put[Out any](
	ctx context.Context, s *Service, kind ident.RecordKind, named string, create func() (Out, error), update func(id string) (Out, error),
) (put Out, created bool, err error) {
	if !strings.HasPrefix(named, ExternalMark) {
		put, err = update(named)
		return put, false, err
	}
	id, err := s.IDOf(ctx, kind, named)
	if err != nil {
		return put, false, err
	}
	made, err := s.Repeated(ctx) // the first operation of a run creates, the second changes
	if err != nil {
		return put, false, err
	}
	changed, err := s.repeatedSecond(ctx)
	if err != nil {
		return put, false, err
	}
	expected := ctx.Value(matchKey{}) != nil // a caller with an ETag expects the record to exist
	if !made && (changed || expected || !strings.HasPrefix(id, ExternalMark)) {
		if run := onceRunOf(ctx); run != nil {
			run.next()
			run.replayed++
		}
		put, err = update(id)
		return put, false, err
	}
	put, err = create()
	if refusal, ok := errors.AsType[*refusal.Error](err); ok && refusal.Reason == ExternalIDTaken {
		if id, err = s.IDOf(ctx, kind, named); err == nil && !strings.HasPrefix(id, ExternalMark) {
			put, err = update(id)
			return put, false, err
		}
		return put, false, refusal
	}
	return put, err == nil, err
}

// UpdateSerialInput is the body of Update Serial.
type UpdateSerialInput struct {
	ExternalInput
	UserID input.TextInput `field:"userId"`
}

// UpdateSerial sets, changes or removes the external id of a unit. The unit's position does not change.
func (s *Service) UpdateSerial(ctx context.Context, id string, in UpdateSerialInput) (card.Serial, error) {
	var serial card.Serial
	err := s.Commit(ctx, &serial, func(tx Tx) error {
		card, err := tx.RouteCard(id)
		if err != nil {
			return OrNotFound(err, NameSerialNumber, id)
		}
		if err := RefuseUnread(ctx, NameSerialNumber, id, func() (any, error) {
			certificates, err := tx.CertificatesOfSerial(id)
			return DetailOf(card, certificates), err
		}); err != nil {
			return err
		}
		serial, err = s.updateSerial(ctx, tx, card, in)
		return err
	})
	return serial, err
}

func (s *Service) updateSerial(ctx context.Context, tx Tx, unit card.Card, in UpdateSerialInput) (card.Serial, error) {
	serial := unit.Serial
	serial.ExternalID = unit.ExternalID
	if err := in.ExternalInput.Change(s.SerialPrefix(), serial.ID, &serial.ExternalID); err != nil {
		return serial, err
	}
	userID, err := userOrAnonymous(CallerOf(ctx), in.UserID)
	if err != nil {
		return serial, err
	}
	return serial, recordExternal(tx, ExternalID{RecordSerial, serial.ID, serial.ExternalID}, unit.ExternalID,
		card.EntryAbout(serial, ActionExternalIDSet, "", userID, s.Now()))
}

// ExternalStore has the database functions for external ids.
type ExternalStore interface {
	// SetExternalID replaces the external id of a record; an empty id removes the external id. It returns ErrDuplicate if another record of
	// the kind has it.
	SetExternalID(external ExternalID) error
	// RecordOutside returns the id of the record of a kind with an external id.
	RecordOutside(kind ident.RecordKind, externalID string) (string, error)
	// ExternalIDs yields all external ids, one kind after the other.
	ExternalIDs() iter.Seq2[ExternalID, error]
}

// Names of external ids in the tables of nouns.go.
const (
	RecordExternalID ident.RecordKind = "externalId"

	OpUpdateSerial Operation = "update-serial"

	ActionExternalIDSet trail.Action = "external_id_set"
)

var externalNoun = noun{
	records: []Record{
		{
			Kind: RecordExternalID, Table: "external_id", Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told externalEvent
				err := trail.ReadMetadata(entry, &told)
				return ExternalID{Of: told.Kind, ID: told.ID}.key(), told.Contents, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.ExternalIDs(), func(e ExternalID) Kept { return Kept{e.key(), e.Contents()} })
			},
		},
	},
	operations: []operationRow{
		{operation: OpUpdateSerial, permission: Plan, subject: AboutPath},
	},
	actions: []actionRow{
		{action: ActionExternalIDSet, of: only(RecordExternalID)},
	},
}

// This file declares the codes that have a meaning of their own in Routecard: command codes, badges, identifiers of records and web
// addresses. RefuseReserved refuses such a code as the identifier of any other record, because a scan of it would not find the record.
// Package scancode reads the codes with the same functions.

// Prefixes of codes that are not identifiers.
const (
	CommandPrefix = "RC-"    // command codes
	BadgePrefix   = "RC-ID-" // badges

	AccessTokenPrefix = "rcd_"   // secrets of access tokens
	CodeSignOut       = "RC-OUT" // the command that signs out at a station
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

// BadgeRandom is the number of random characters of a badge, after its prefix.
const BadgeRandom = 20

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
	RecordNonconformance: ParseNonconformanceID, RecordShipment: ParseShipmentID, RecordConformance: ParseConformanceID,
	RecordFirstArticle: ParseFirstArticleID, RecordEntry: ident.AuditSequence,
}

// ParseID parses an identifier created by Routecard, regardless of case, and returns it in its usual form.
func ParseID(prefix ident.Prefix, text string) (kind ident.RecordKind, id string, ok bool) {
	if id = strings.ToUpper(text); isSerialID(prefix, id) {
		return RecordSerial, id, true
	}
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

func isSerialID(prefix ident.Prefix, id string) bool {
	_, ok := prefix.ParseSerialID(id)
	return ok
}

// IsSerialID reports whether an identifier is that of a serial, whatever database it is from.
func IsSerialID(id string) bool {
	prefix, _, ok := ident.SplitSerialID(id)
	return ok && !ReservedPrefix(prefix)
}

// ReservedPrefix reports whether identifiers of serials cannot have a prefix, because other codes of Routecard begin with it.
func ReservedPrefix(prefix ident.Prefix) bool {
	_, reserved := slices.BinarySearch(reservedPrefixes, string(prefix))
	return reserved
}

// ReservedPrefixes returns the words with which codes of Routecard begin, other than identifiers of serials, in capitals and sorted: those
// of records, commands, badges, tokens and external ids.
func ReservedPrefixes() []string { return slices.Clone(reservedPrefixes) }

var reservedPrefixes = func() []string { //nolint:gochecknoglobals // made once from the tables of nouns
	reserved := []string{"NC"} // a usual form of NCR
	codes := []string{CommandPrefix, lotNumberPrefix, ExternalMark, AccessTokenPrefix}
	for i := range records {
		if records[i].Prefix != "" {
			codes = append(codes, records[i].Prefix)
		}
	}
	for _, code := range codes {
		reserved = append(reserved, strings.ToUpper(strings.TrimRight(code, "-_:")))
	}
	slices.Sort(reserved)
	return slices.Compact(reserved)
}()

// idFolders are the path segments that precede an identifier in addresses of pages and of the interface.
var idFolders = map[string]ident.RecordKind{
	"serials": RecordSerial, "jobs": RecordJob, "paths": RecordPath, "nonconformances": RecordNonconformance,
	"certs": RecordCertificate, "bom": RecordBOM, "templates": RecordTemplate, "instruments": RecordInstrument, "lots": RecordLot,
	"shipments": RecordShipment, "conformances": RecordConformance, "first-articles": RecordFirstArticle,
	"users": RecordUser, "proof": RecordEntry,
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
func IDInAddress(prefix ident.Prefix, segments []string, query url.Values) (kind ident.RecordKind, id string, ok bool) {
	for i, segment := range slices.Backward(segments) {
		folder := strings.ToLower(segment)
		if page, there := idParameters[folder]; there && i == len(segments)-1 {
			if kind, id, ok = ParseID(prefix, query.Get(page.parameter)); ok && kind == page.kind {
				return kind, id, true
			}
		}
		if wanted, there := idFolders[folder]; there && i+1 < len(segments) {
			if kind, id, ok = ParseID(prefix, segments[i+1]); ok && kind == wanted {
				return kind, id, true
			}
		}
	}
	return "", "", false
}

// RefuseReserved refuses a text as the identifier of a record if a scan of the text means something else: a command, a badge, a web
// address, or a record whose id is not own.
func RefuseReserved(prefix ident.Prefix, field, text, own string) error {
	_, content := Unscanned(text)
	if IsCommand(content) || holdsBadge(content) || strings.HasSuffix(strings.ToUpper(content), CodeSignOut) {
		return refusal.RefuseField(IdentifierIsCommand, field)
	}
	if kind, id, is := ParseID(prefix, content); is && id != own {
		if kind == RecordSerial {
			return refusal.RefuseField(NumberIsID, field)
		}
		return refusal.RefuseField(IdentifierIsID, field)
	}
	segments, query, complete := ParseAddress(content)
	if _, _, is := IDInAddress(prefix, segments, query); is || complete {
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
