package station

import (
	"slices"
	"strconv"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// The command codes of a station. A scrap code goes on with a reason, in capitals with hyphens; the code of a deferred
// step may go on with a hyphen and the step's place, counted from 1.
const (
	CodeDone     = "RC-DONE"
	CodeAdvance  = "RC-ADVANCE" // on older sheets; it means CodeDone
	CodeNote     = "RC-NOTE"
	CodeDeferred = "RC-DEFERRED"
	CodeHold     = "RC-HOLD"
	CodeUndo     = "RC-UNDO"
	CodeScrap    = "RC-SCRAP-"
	CodeYes      = "RC-YES"
	CodeNo       = "RC-NO"

	hyphen = "-"
)

// ScrapCode is the command code that scraps for a reason.
func ScrapCode(reason card.ScrapReason) string {
	return CodeScrap + strings.ToUpper(strings.ReplaceAll(string(reason), "_", hyphen))
}

// ScrapReason is the reason that a scrap code names, "" for every other code.
func ScrapReason(code string) card.ScrapReason {
	for _, reason := range shop.ScrapReasons() {
		if code == ScrapCode(reason) {
			return reason
		}
	}
	return ""
}

// DeferredCode is the command code that completes the deferred step at a place of the path, counted from 1.
func DeferredCode(place int) string { return CodeDeferred + hyphen + strconv.Itoa(place) }

// DeferredPlace is the place that the code of a deferred step names, counted from 1; 0 when it names none. It reports whether
// the code is one.
func DeferredPlace(code string) (place int, ok bool) {
	return placed(CodeDeferred, code)
}

// AsksText reports whether a command needs a text.
func AsksText(code string) bool {
	return code == CodeNote || code == CodeHold || code == CodeInstrument || ScrapReason(code) == card.OtherReason
}

// Understood returns the code that was typed: the identifier of a unit, however its code names it, or a command. It is "" for
// anything else: a damaged code of ours, the code of something that is no unit of ours, words, or a bare number. Package scancode
// reads the codes.
func Understood(typed string) string {
	read := scancode.Parse(typed)
	if len(read) == 0 {
		return ""
	}
	if unit, ok := scancode.Unit(typed); ok && read[0].Form != scancode.Short {
		return unit
	}
	if read[0].Kind != scancode.Command {
		return ""
	}
	return command(read[0].Text)
}

// plain returns the code that a text is to the letter, "" for anything else. Scanners and keyboards differ in their capitals.
func plain(text string) string {
	code := strings.ToUpper(text)
	if _, ok := ident.ParseSerialID(code); ok {
		return code
	}
	return command(code)
}

// command returns the command that a text in capitals stands for, "" for none. shop.IsCommand has to be true for it, so that nothing is
// called like a command.
func command(code string) string {
	if !shop.IsCommand(code) {
		return ""
	}
	switch code {
	case CodeAdvance:
		return CodeDone
	case CodeDone, CodeNote, CodeHold, CodeUndo, CodeYes, CodeNo, CodePass, CodeFail, CodeInstrument:
		return code
	}
	if _, ok := MeasurePlace(code); ok {
		return code
	}
	if _, ok := DeferredPlace(code); ok || ScrapReason(code) != "" {
		return code
	}
	return ""
}

// canNumber reports whether a code can name a unit otherwise than by its identifier: by the number alone, as 417 or SN-417, or by a
// number that is engraved on it, with or without its part. An own number may look like any other code.
func canNumber(typed string) bool {
	for _, read := range scancode.Names(typed) {
		switch read.Kind {
		case scancode.Ours:
			if read.Unit() && read.Form == scancode.Short {
				return true
			}
		case scancode.Marked:
			if read.Mark.SerialNumber != "" {
				return true
			}
		case scancode.Text, scancode.Command: // of no station
			if utf8.RuneCountInString(read.Text) <= shop.OwnNumberLimit {
				return true
			}
		case scancode.Badge:
		}
	}
	return false
}

// Numbered returns the identifier of a unit of which the number alone was typed, as 417 or SN-417, "" for everything else.
func Numbered(typed string) string {
	if unit, ok := scancode.Unit(typed); ok && scancode.Parse(typed)[0].Form == scancode.Short {
		return unit
	}
	return ""
}

// namesNone is the band for a code that names no unit; "" is an identifier.
func namesNone(typed string) Say {
	switch {
	case marks(typed):
		return SayNotHere
	case typed == "" || Numbered(typed) != "":
		return SayMissing
	case namesElse(typed):
		return SayNotHere
	}
	return SayUnknown
}

// namesElse reports whether a code names something that is no unit by our identifier: another record, or an item by its part or the
// number that is engraved on it.
func namesElse(typed string) bool {
	read := scancode.Parse(typed)
	return len(read) > 0 && (read[0].Kind == scancode.Ours || read[0].Kind == scancode.Marked)
}

// marks reports whether a code can be that of an item by some standard, such as an EAN, which can be the number of a unit as well.
func marks(typed string) bool {
	return slices.ContainsFunc(scancode.Parse(typed), func(read scancode.Reading) bool { return read.Kind == scancode.Marked })
}

// prefixes begin what Routecard prints as a code or shows as a number, without the hyphen: a scanner that is set to another
// keyboard than the computer types something else for that.
func prefixes() []string { return []string{"RC", "SN", "NCR"} }

// looksLikeCode reports whether a text was scanned rather than written: one word of digits, such as the number of a unit or an EAN; the
// digits of a barcode in groups, as they are printed below it; one that begins as our codes do; one with the symbol that scanners put
// before a code (ISO 15424); or any that package scancode reads as more than a text.
func looksLikeCode(typed string) bool {
	if namesElse(typed) {
		return true
	}
	typed = narrow(typed)
	if grouped(typed) {
		return true
	}
	if typed == "" || strings.ContainsFunc(typed, unicode.IsSpace) {
		return false
	}
	if digitsOnly(typed) || typed[0] == ']' {
		return true
	}
	upper := strings.ToUpper(typed)
	for _, prefix := range prefixes() {
		rest, ok := strings.CutPrefix(upper, prefix)
		if !ok || rest == "" {
			continue
		}
		first, _ := utf8.DecodeRuneInString(rest)
		if first > unicode.MaxASCII || !unicode.IsLetter(first) {
			return true
		}
	}
	return false
}

// grouped reports whether a text is digits in groups and nothing else: as many as a barcode has, or after the beginning of our codes.
// Values with a point, such as 12.503 12.498, are measures.
func grouped(typed string) bool {
	joined := strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || unicode.In(c, unicode.Pd, unicode.Cf) || strings.ContainsRune(".,_", c) {
			return -1
		}
		return c
	}, typed)
	for _, prefix := range prefixes() {
		if digits, ok := strings.CutPrefix(strings.ToUpper(joined), prefix); ok && digits != "" && digitsOnly(digits) {
			return true
		}
	}
	return likeBarcode(joined) && slices.ContainsFunc(strings.Fields(typed), func(group string) bool {
		points := strings.Count(group, ".") + strings.Count(group, ",")
		return points != 1 && strings.Trim(group, "-") != "" || len(group) > barcodeDigits
	})
}

// narrow is a text with the letters, digits and signs of Latin in the place of their wide forms, which keyboards for Chinese and Japanese
// type, and 0 in the place of every digit of another script.
func narrow(text string) string {
	const firstWide, lastWide, wide = '\uff01', '\uff5e', '\uff01' - '!'
	return strings.Map(func(c rune) rune {
		switch {
		case c >= firstWide && c <= lastWide:
			return c - wide
		case unicode.IsDigit(c) && c > unicode.MaxASCII:
			return '0'
		}
		return c
	}, text)
}

func digitsOnly(text string) bool { return strings.Trim(text, "0123456789") == "" }

// AnotherKeyboard reports whether a code looks as if the scanner was set to another keyboard layout than the computer: our codes with
// another character for the hyphen, such as ß, ) or ', and in some layouts other characters for the digits.
func AnotherKeyboard(typed string) bool {
	upper := strings.ToUpper(strings.TrimSpace(typed))
	if !looksLikeCode(upper) {
		return false
	}
	for _, prefix := range prefixes() {
		rest, ok := strings.CutPrefix(upper, prefix)
		first, size := utf8.DecodeRuneInString(rest)
		if number := rest[size:]; !ok || number == "" || first == '-' || unicode.IsSpace(first) {
			continue
		} else if unicode.IsDigit(first) { // a hyphen of a French scanner; without another sign of it the hyphen is missing
			return !digitsOnly(number) && likeDigits(number)
		} else if likeDigits(number) || prefix == "RC" {
			return true
		}
	}
	return false
}

// likeDigits reports whether a text is digits, or what another keyboard layout types for them.
func likeDigits(text string) bool {
	text = strings.ToLower(text)
	return slices.ContainsFunc([]string{
		"0123456789",
		"à&é\"'(-è_ç", // French without Shift
		"à&é\"'(§è!ç", // Belgian without Shift
		"é+ěščřžýáí",  // Czech without Shift
		"é+ľščťžýáí",  // Slovak without Shift
		"ö123456789",  // Hungarian
		")!@#$%^&*(",  // English with Shift, from a French scanner
	}, func(digits string) bool { return strings.Trim(text, digits) == "" })
}

// ranTogether reports whether a scanner typed into the words of a person who had not finished, or several times: at the
// very end stands a code without a blank before it or a command, or there are several codes and nothing else. A unit
// that is named among words, with a blank before it, is a mention.
func ranTogether(typed string) bool {
	pieces := strings.Fields(typed)
	if len(pieces) == 0 {
		return false
	}
	ours := func(piece string) bool {
		upper := strings.ToUpper(piece)
		return strings.HasPrefix(upper, shop.CommandPrefix) || strings.HasPrefix(upper, ident.SerialPrefix)
	}
	if len(pieces) > 1 && !slices.ContainsFunc(pieces, func(piece string) bool { return !ours(piece) }) {
		return true
	}
	last := pieces[len(pieces)-1]
	if len(pieces) == 1 && looksLikeCode(last) {
		return false // a code that is damaged, or not ours
	}
	if code := Understood(last); code != "" {
		_, mentioned := ident.ParseSerialID(code)
		return !mentioned
	}
	for i := range last {
		if plain(last[i:]) != "" {
			return true
		}
	}
	return false
}
