package scancode

import (
	"cmp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/routecard/routecard/shop/ident"
)

// The formats of ISO/IEC 15434 that are read. DD is the name of format 12 before it had a number.
const (
	formatAI   = "05" // application identifiers of GS1
	formatDI   = "06" // data identifiers of ANSI MH10.8.2
	formatTEI  = "12" // text element identifiers of ATA Spec 2000
	formatTEI0 = "DD"
)

// longestValue is the maximum number of characters of an element.
const longestValue = 100

// Some printed messages have the names of the separators in letters.
const (
	lettersRS = "RS"
	lettersGS = "GS"
)

// header is the beginning of a message. remains lists the parts of the header that a scanner may have left.
const header = "[)>"

var remains = []string{"[)", "[>", ")>", ">", ""}

// envelope is the data of one format in a message.
type envelope struct {
	format    string
	separator string // "" if it is lost
	data      string
}

// ofMessage reads a message of ISO/IEC 15434. It reports whether the message has its whole header.
func ofMessage(prefix ident.Prefix, text string) (read []Reading, whole bool) {
	text = named.Replace(text)
	rest, whole := strings.CutPrefix(text, header)
	envelopes := opened(rest, whole)
	for i := 0; i < len(remains) && !whole && envelopes == nil; i++ {
		if rest, ok := strings.CutPrefix(text, remains[i]); ok {
			envelopes = opened(rest, remains[i] != "")
		}
	}
	ways := [][]Element{nil}
	for _, e := range envelopes {
		var longer [][]Element
		further := e.ways()
		for _, way := range ways {
			for _, more := range further {
				longer = append(longer, slices.Concat(way, more))
			}
		}
		ways = longer[:min(len(longer), mostReadings)]
	}
	if len(envelopes) == 0 {
		return nil, whole
	}
	slices.SortStableFunc(ways, func(a, b []Element) int { return cmp.Compare(completeness(b), completeness(a)) })
	for _, way := range ways {
		read = append(read, ofMark(prefix, Message, way)...)
	}
	return read, whole
}

// completeness returns how completely the elements identify an item. A message without separators has several readings: the readings that
// make a unique item identifier are the most likely.
func completeness(elements []Element) int {
	mark, has := markOf(elements), 0
	if mark.UII != "" {
		has += 4
	}
	if mark.SerialNumber != "" {
		has += 2
	}
	if mark.Part() {
		has++
	}
	return has
}

// opened reads what follows the header: RS, the format, GS and the data, up to RS and EOT; in a message of several formats another format
// follows RS. Any character in the place of a separator counts as the separator, and separators may be lost. If no part of the header is
// left, the separators must be the correct characters.
func opened(text string, headed bool) []envelope {
	between, text := separatorBefore(text)
	var envelopes []envelope
	for first := true; ; first = false {
		e, rest := envelopeOf(text, between)
		if e.format == "" || !headed && first && between != rs && e.separator != gs {
			return envelopes
		}
		end := -1
		switch between {
		case "", e.separator:
		case lettersRS: // values may contain these letters, so only the letters at the end are a separator
			rest = strings.TrimSuffix(strings.TrimSuffix(rest, "EOT"), lettersRS)
		default:
			end = strings.Index(rest, between)
		}
		if end < 0 {
			e.data = rest
			return append(envelopes, e)
		}
		e.data, text = rest[:end], rest[end+len(between):]
		envelopes = append(envelopes, e)
	}
}

// separatorBefore cuts off the separator before the format: a character that is neither letter nor digit, the letters RS, or nothing.
func separatorBefore(text string) (separator, rest string) {
	if rest, ok := strings.CutPrefix(text, lettersRS); ok {
		return lettersRS, rest
	}
	if c, size := utf8.DecodeRuneInString(text); size > 0 && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
		return text[:size], text[size:]
	}
	return "", text
}

// envelopeOf reads a format and the separator after it; the format is "" when there is none.
func envelopeOf(text, between string) (e envelope, rest string) {
	const length = 2
	if len(text) < length {
		return e, ""
	}
	switch text[:length] {
	case formatAI, formatDI, formatTEI, formatTEI0:
		e.format = text[:length]
	default:
		return e, ""
	}
	text = text[length:]
	if rest, ok := strings.CutPrefix(text, lettersGS); ok && between == lettersRS {
		e.separator = lettersGS
		return e, rest
	}
	if c, size := utf8.DecodeRuneInString(text); size > 0 && !unicode.IsLetter(c) && !unicode.IsDigit(c) {
		e.separator = text[:size]
		return e, text[size:]
	}
	return e, text
}

// ways returns the ways to read the data.
func (e envelope) ways() [][]Element {
	data := strings.TrimRight(e.data, gs+rs+eot+" ")
	g, strict := grammar(dataIdentifier), grammar(knownDataIdentifier)
	switch e.format {
	case formatAI:
		g, strict = applicationIdentifier, applicationIdentifier
	case formatTEI, formatTEI0:
		g, strict = textElementIdentifier, knownTextElementIdentifier
	}
	if e.separator == "" {
		return strict.ways(data)
	}
	var parts []string
	for part := range strings.SplitSeq(data, e.separator) {
		if part = strings.TrimSpace(part); part != "" {
			parts = append(parts, part)
		}
	}
	elements, ok := separated(g, parts)
	if !ok {
		return nil
	}
	return [][]Element{elements}
}

// dataIdentifier returns the data identifier at the beginning of a text in format 06: up to three digits and a letter.
func dataIdentifier(text string) (qualifier string, value rule, ok bool) {
	for i := range min(4, len(text)) {
		switch c := text[i]; {
		case c >= 'A' && c <= 'Z':
			return text[:i+1], anything(), true
		case !digit(c):
			return "", rule{}, false
		}
	}
	return "", rule{}, false
}

// knownDataIdentifier is dataIdentifier for messages that have lost their separators. It accepts only identifiers of items.
func knownDataIdentifier(text string) (qualifier string, value rule, ok bool) {
	qualifier, _, ok = dataIdentifier(text)
	switch qualifier {
	case "S", "1S", "18S", "25S", "1P", "P", "2P", "30P", "17V", "12V", "18V", "3V", "7L", "1T":
		return qualifier, ruleOf(qualifier), ok
	}
	return "", rule{}, false
}

// textElementIdentifier returns the text element identifier at the beginning of a text in format 12: three capitals.
func textElementIdentifier(text string) (qualifier string, value rule, ok bool) {
	const length = 3
	if len(text) < length || strings.Trim(text[:length], "ABCDEFGHIJKLMNOPQRSTUVWXYZ") != "" {
		return "", rule{}, false
	}
	return text[:length], anything(), true
}

// knownTextElementIdentifier is textElementIdentifier for messages that have lost their separators.
func knownTextElementIdentifier(text string) (qualifier string, value rule, ok bool) {
	qualifier, _, ok = textElementIdentifier(text)
	switch qualifier {
	case "CAG", "MFR", "SPL", "DUN", "EUC", "SER", "UCN", "PNO", "PNR", "SEQ", "LOT", "LTN", "UID":
		return qualifier, ruleOf(qualifier), ok
	}
	return "", rule{}, false
}

// anything returns the rule for the value of an element of a message between separators.
func anything() rule { return rule{least: 1, most: longestValue, valid: printable} }

// ruleOf returns the rule for a value in a message that has lost its separators: enterprise codes have known lengths.
func ruleOf(qualifier string) rule {
	switch qualifier {
	case "17V", "CAG", "MFR", "SPL":
		return rule{least: cageLength, most: cageLength, valid: isWord}
	case "12V", "DUN":
		return rule{least: dunsLength, most: dunsLength, valid: digitsOnly}
	case "7L":
		return rule{least: dodaacLength, most: dodaacLength, valid: isWord}
	case "18S":
		return rule{least: cageLength + 1, most: longestValue, valid: printable}
	}
	return anything()
}

func printable(value string) bool {
	return !strings.ContainsFunc(value, func(c rune) bool { return !unicode.IsPrint(c) })
}

func isWord(value string) bool {
	return strings.Trim(value, "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ") == ""
}
