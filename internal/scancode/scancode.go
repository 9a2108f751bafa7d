package scancode

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Longest is the maximum length of a code in bytes. Longer codes identify nothing.
const Longest = 1000

const (
	mostReadings = 16  // the maximum number of readings of one code; more would be guesses
	longestText  = 200 // characters of a text that may name something
)

// Kind is the kind of item that a reading identifies.
type Kind string

// The kinds of readings.
const (
	Ours    Kind = "ours"    // a record of a shop with Routecard: Record and ID
	Command Kind = "command" // a command code: Text, in capitals. Package station defines the commands
	Badge   Kind = "badge"   // a badge: Text is a secret
	Marked  Kind = "marked"  // an item with a mark that some standard describes: Mark
	Text    Kind = "text"    // any other text, which can be a foreign serial number or an external identifier: Text
)

// Form is the way in which a code is written, such as an identifier alone, an address, or a GS1 element string.
type Form string

// The forms of codes.
const (
	Plain    Form = "plain"    // an identifier, a command or a text by itself
	Short    Form = "short"    // a record's number alone, or with fewer zeros than its identifier has
	Address  Form = "address"  // the address of a page
	Elements Form = "elements" // a GS1 element string
	Link     Form = "link"     // a GS1 Digital Link URI
	Message  Form = "message"  // a message of ISO/IEC 15434
	Number   Form = "number"   // a GTIN, as EAN and UPC symbols have it
)

// Reading is one interpretation of a code. Fields that are not listed for its kind are empty.
type Reading struct {
	Kind   Kind
	Form   Form
	Record ident.RecordKind
	ID     string // in the form in which Routecard writes it; the record may not exist
	Text   string
	Mark   Mark
}

// Unit reports whether the reading names a unit by an identifier of Routecard's.
func (r Reading) Unit() bool { return r.Kind == Ours && r.Record == shop.RecordSerial }

// Parse interprets the text that a scanner typed. It returns the possible readings, the most certain first, or nil if the code identifies
// nothing. It is a pure function and never panics. Its time is limited, because it rejects codes above Longest bytes.
func Parse(prefix ident.Prefix, scanned string) []Reading {
	if len(scanned) > Longest || !utf8.ValidString(scanned) {
		return nil
	}
	typed, content := shop.Unscanned(scanned)
	symbology := symbol(typed)
	var read []Reading
	switch {
	case content == "":
		return nil
	case symbology.elements():
		read = ofElements(prefix, content, true)
	case symbology.number():
		if gtin, ok := asGTIN(content); ok {
			read = []Reading{marked(Number, gtin)}
		}
	}
	if len(read) == 0 {
		read = plain(prefix, content)
	}
	return read[:min(len(read), mostReadings)]
}

// Names returns the readings of a code. Unless the code is a badge, the last reading is the typed text itself, so that every accepted
// identifier can be found by typing or scanning it.
func Names(prefix ident.Prefix, scanned string) []Reading {
	read := Parse(prefix, scanned)
	raw := strings.TrimSpace(scanned)
	if raw == "" || len(raw) > Longest || !utf8.ValidString(raw) {
		return read
	}
	for _, known := range read {
		if known.Kind == Badge || known.Kind == Text && known.Text == raw {
			return read
		}
	}
	return append(read, Reading{Kind: Text, Form: Plain, Text: raw})
}

// Content returns a code without what the scanner added to it.
func Content(scanned string) string {
	_, content := shop.Unscanned(scanned)
	return content
}

// Unit returns the unit that a code identifies. ok is true if the most certain reading is a unit of Routecard and no other reading is a
// different record.
func Unit(prefix ident.Prefix, scanned string) (id string, ok bool) {
	read := Parse(prefix, scanned)
	if len(read) == 0 || !read[0].Unit() {
		return "", false
	}
	for _, other := range read[1:] {
		if other.Kind == Ours && other.ID != read[0].ID {
			return "", false
		}
	}
	return read[0].ID, true
}

// OtherPlant reports whether a code identifies a unit by the default prefix, in a shop whose units have another one. The code can still be
// the own number or the external id of a unit.
func OtherPlant(prefix ident.Prefix, scanned string) bool {
	if prefix == ident.DefaultPrefix {
		return false
	}
	_, is := Unit(ident.DefaultPrefix, scanned)
	return is && !digitsOnly(strings.TrimSpace(Content(scanned)))
}

// plain reads a code whose symbology does not define its content.
func plain(prefix ident.Prefix, content string) []Reading {
	bare := strings.Trim(content, gs+rs+eot)
	if control, ok := controlOf(bare); ok {
		return []Reading{control}
	}
	if record, id, ok := shop.ParseID(prefix, bare); ok {
		return []Reading{{Kind: Ours, Form: Plain, Record: record, ID: id}}
	}
	if read, whole := ofMessage(prefix, content); len(read) > 0 {
		if !whole {
			read = append(read, ofText(bare, Plain)...)
		}
		return read
	}
	if strings.HasPrefix(bare, "(") {
		if read := ofParentheses(prefix, bare); len(read) > 0 {
			return read
		}
	}
	if read := ofAddress(prefix, bare); len(read) > 0 {
		return read
	}
	read := append(ofNumber(prefix, bare), ofElements(prefix, content, false)...)
	return append(read[:min(len(read), mostReadings-1)], ofText(bare, Plain)...)
}

// Control returns the reading of a command or of a badge, and false for every other code.
func Control(scanned string) (Reading, bool) {
	if len(scanned) > Longest || !utf8.ValidString(scanned) {
		return Reading{}, false
	}
	return controlOf(strings.Trim(Content(scanned), gs+rs+eot))
}

func controlOf(bare string) (Reading, bool) {
	code, ok := shop.CutPrefixFold(bare, shop.CommandPrefix)
	if !ok || strings.ContainsFunc(code, unicode.IsSpace) {
		return Reading{}, false
	}
	if _, badge := shop.CutPrefixFold(bare, shop.BadgePrefix); badge {
		return Reading{Kind: Badge, Form: Plain, Text: bare}, true
	}
	return Reading{Kind: Command, Form: Plain, Text: strings.ToUpper(bare)}, true
}

// ofNumber reads digits: first as the number of a unit, as people type it, then as a GTIN.
func ofNumber(prefix ident.Prefix, text string) []Reading {
	var read []Reading
	if record, id, ok := shortIdentifier(prefix, text); ok {
		read = append(read, Reading{Kind: Ours, Form: Short, Record: record, ID: id})
	}
	if gtin, ok := asGTIN(text); ok {
		read = append(read, marked(Number, gtin))
	}
	return read
}

// ofText returns a text as a foreign name, if it can be one.
func ofText(text string, form Form) []Reading {
	if text == "" || utf8.RuneCountInString(text) > longestText ||
		strings.ContainsFunc(text, func(c rune) bool { return !unicode.IsPrint(c) }) {
		return nil
	}
	return []Reading{{Kind: Text, Form: form, Text: text}}
}

// marked returns the reading of an item by its mark alone.
func marked(form Form, elements ...Element) Reading {
	return Reading{Kind: Marked, Form: form, Mark: markOf(elements)}
}

// ofMark returns the readings of a mark. If a mark identifies neither the part nor who numbered it, a Routecard identifier in place of its
// serial number, or in an element that is left to companies, identifies a Routecard unit: that reading comes first. If the mark has a part,
// such an identifier is a number among the units of that part, and may be another shop's. A mark with two parts or two serial numbers has
// no reading: it may be two codes that were scanned into one.
func ofMark(prefix ident.Prefix, form Form, elements []Element) []Reading {
	if contradictory(elements) {
		return nil
	}
	read := marked(form, elements...)
	if read.Mark.Part() || read.Mark.Enterprise != "" || read.Mark.UII != "" {
		return []Reading{read}
	}
	var named []Reading
	for _, element := range elements {
		if !element.namesUnits() {
			continue
		}
		if record, id, ok := shop.ParseID(prefix, element.Value); ok && record == shop.RecordSerial {
			named = append(named, Reading{Kind: Ours, Form: form, Record: record, ID: id})
		}
	}
	if len(named) != 1 {
		return []Reading{read}
	}
	return append(named, read)
}
