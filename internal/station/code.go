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

// The command codes of a station. A scrap code is followed by a reason, in capitals with hyphens; the code of a deferred step may be
// followed by a hyphen and the step's place, counted from 1.
const (
	CodeDone     = "RC-DONE"
	CodeAdvance  = "RC-ADVANCE" // on older sheets; the same as CodeDone
	CodeNote     = "RC-NOTE"
	CodeDeferred = "RC-DEFERRED"
	CodeHold     = "RC-HOLD"
	CodeUndo     = "RC-UNDO"
	CodeScrap    = "RC-SCRAP-"
	CodeYes      = "RC-YES"
	CodeNo       = "RC-NO"

	hyphen = "-"
)

// ScrapCode returns the command code that scraps for a reason.
func ScrapCode(reason card.ScrapReason) string {
	return CodeScrap + strings.ToUpper(strings.ReplaceAll(string(reason), "_", hyphen))
}

// ScrapReason returns the reason in a scrap code, "" for every other code.
func ScrapReason(code string) card.ScrapReason {
	for _, reason := range shop.ScrapReasons() {
		if code == ScrapCode(reason) {
			return reason
		}
	}
	return ""
}

// DeferredCode returns the command code that completes the deferred step at a place of the path, counted from 1.
func DeferredCode(place int) string { return CodeDeferred + hyphen + strconv.Itoa(place) }

// DeferredPlace returns the place in the code of a deferred step, counted from 1; 0 if it has no place. ok reports whether the code is the
// code of a deferred step.
func DeferredPlace(code string) (place int, ok bool) {
	return placed(CodeDeferred, code)
}

// AsksText reports whether a command needs a text.
func AsksText(code string) bool {
	return code == CodeNote || code == CodeHold || code == CodeInstrument || ScrapReason(code) == card.OtherReason
}

// Understood returns the code that was typed: the identifier of a unit, however its code gives it, or a command. It is "" for anything
// else: a damaged Routecard code, the code of something other than a Routecard unit, words, or a bare number. Package scancode reads the
// codes.
func Understood(prefix ident.Prefix, typed string) string {
	read := scancode.Parse(prefix, typed)
	if len(read) == 0 {
		return ""
	}
	if unit, ok := scancode.Unit(prefix, typed); ok && read[0].Form != scancode.Short {
		return unit
	}
	if read[0].Kind != scancode.Command {
		return ""
	}
	return command(read[0].Text)
}

// plain returns the code that a text equals, ignoring case, and "" for anything else. Scanners and keyboards differ in their capitals.
func plain(prefix ident.Prefix, text string) string {
	code := strings.ToUpper(text)
	if _, ok := prefix.ParseSerialID(code); ok {
		return code
	}
	return command(code)
}

// command returns the command for a text in capitals, "" for none. shop.IsCommand must be true for it, so that no record gets a command as
// its name.
func command(code string) string {
	if !shop.IsCommand(code) {
		return ""
	}
	switch code {
	case CodeAdvance:
		return CodeDone
	case CodeDone, CodeNote, CodeHold, CodeUndo, CodeYes, CodeNo, CodePass, CodeFail, CodeInstrument, CodeInstall:
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

// canNumber reports whether a code can identify a unit by other means than the full identifier. These means are the number alone, such as
// 417 or SN-417, and a number engraved on the unit, with or without the part number. An own number may look like any other code.
func canNumber(prefix ident.Prefix, typed string) bool {
	for _, read := range scancode.Names(prefix, typed) {
		switch read.Kind {
		case scancode.Ours:
			if read.Unit() && read.Form == scancode.Short {
				return true
			}
		case scancode.Marked:
			if read.Mark.SerialNumber != "" {
				return true
			}
		case scancode.Text, scancode.Command: // not a code of a station
			if utf8.RuneCountInString(read.Text) <= shop.OwnNumberLimit {
				return true
			}
		case scancode.Badge:
		}
	}
	return false
}

// Numbered returns the identifier of a unit whose number alone was typed, as 417 or SN-417, and "" for anything else.
func Numbered(prefix ident.Prefix, typed string) string {
	if unit, ok := scancode.Unit(prefix, typed); ok && scancode.Parse(prefix, typed)[0].Form == scancode.Short {
		return unit
	}
	return ""
}

// namesNone returns the text of the status band for a code that identifies no unit. A code of "" stands for an identifier.
func namesNone(prefix ident.Prefix, typed string) Say {
	switch {
	case marks(prefix, typed):
		return SayNotHere
	case typed == "" || Numbered(prefix, typed) != "":
		return SayMissing
	case namesElse(prefix, typed):
		return SayNotHere
	case ranTogether(prefix, typed), endsInCode(prefix, typed):
		return SayRanTogether
	case isReading(typed):
		return SayNotMeasuring
	}
	return SayUnknown
}

// isReading reports whether a text is a number as an instrument types it, with a decimal sign or a unit of measurement.
func isReading(typed string) bool {
	number, ok := card.ReadTypedNumber(typed)
	return ok && (number.Unit != "" || strings.ContainsAny(typed, ".,"))
}

// namesElse reports whether a code identifies something other than a unit with a Routecard identifier: another record, or an item by its
// part number or its engraved number.
func namesElse(prefix ident.Prefix, typed string) bool {
	read := scancode.Parse(prefix, typed)
	return len(read) > 0 && (read[0].Kind == scancode.Ours || read[0].Kind == scancode.Marked)
}

// marks reports whether a code may identify an item by some standard, such as an EAN, which may also be the number of a unit.
func marks(prefix ident.Prefix, typed string) bool {
	return slices.ContainsFunc(scancode.Parse(prefix, typed), func(read scancode.Reading) bool { return read.Kind == scancode.Marked })
}

// prefixes returns the beginnings of codes that Routecard prints and numbers that it shows, without the hyphen: a scanner that is set to
// another keyboard than the computer types something else for the hyphen.
func prefixes(prefix ident.Prefix) []string {
	return []string{"RC", string(prefix), string(ident.DefaultPrefix), "NCR"}
}

// looksLikeCode reports whether a text was probably scanned rather than written. Scanned texts are one word of digits, such as the number
// of a unit or an EAN, and the digits of a barcode in groups, as they are printed below the barcode. A text that begins as our codes do, or
// with the symbol that scanners put before a code (ISO 15424), also counts as scanned. So does any other text that package scancode reads
// as a code.
func looksLikeCode(prefix ident.Prefix, typed string) bool {
	if namesElse(prefix, typed) {
		return true
	}
	typed = narrow(typed)
	if grouped(prefix, typed) {
		return true
	}
	if typed == "" || strings.ContainsFunc(typed, unicode.IsSpace) {
		return false
	}
	if digitsOnly(typed) || typed[0] == ']' {
		return true
	}
	upper := strings.ToUpper(typed)
	for _, begins := range prefixes(prefix) {
		rest, ok := strings.CutPrefix(upper, begins)
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

// grouped reports whether a text is only digits in groups: as many as a barcode has, or after the beginning of our codes. Values with a
// point, such as 12.503 12.498, are measurements.
func grouped(prefix ident.Prefix, typed string) bool {
	joined := strings.Map(func(c rune) rune {
		if unicode.IsSpace(c) || unicode.In(c, unicode.Pd, unicode.Cf) || strings.ContainsRune(".,_", c) {
			return -1
		}
		return c
	}, typed)
	for _, begins := range prefixes(prefix) {
		if digits, ok := strings.CutPrefix(strings.ToUpper(joined), begins); ok && digits != "" && digitsOnly(digits) {
			return true
		}
	}
	return likeBarcode(joined) && slices.ContainsFunc(strings.Fields(typed), func(group string) bool {
		points := strings.Count(group, ".") + strings.Count(group, ",")
		return points != 1 && strings.Trim(group, "-") != "" || len(group) > barcodeDigits
	})
}

// narrow replaces the wide forms of Latin letters, digits and signs, which keyboards for Chinese and Japanese type, by the ordinary forms,
// and every digit of another script by 0.
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

// AnotherKeyboard reports whether a code looks as if the scanner was set to another keyboard layout than the computer. Our codes then have
// another character for the hyphen, such as ß, ) or ', and in some layouts other characters for the digits.
func AnotherKeyboard(prefix ident.Prefix, typed string) bool {
	upper := strings.ToUpper(strings.TrimSpace(typed))
	if !looksLikeCode(prefix, upper) {
		return false
	}
	for _, begins := range prefixes(prefix) {
		rest, ok := strings.CutPrefix(upper, begins)
		first, size := utf8.DecodeRuneInString(rest)
		if number := rest[size:]; !ok || number == "" || first == '-' || unicode.IsSpace(first) {
			continue
		} else if unicode.IsDigit(first) { // may be the hyphen of a French scanner; if only digits follow, the hyphen was left out
			return !digitsOnly(number) && likeDigits(number)
		} else if likeDigits(number) || begins == "RC" {
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

// ranTogether reports whether a scanner typed into a person's unfinished words, or several times. Such a text ends in a command or in a
// code without a blank before the code, or it consists only of several codes. A unit among words, with a blank before it, is a mention.
func ranTogether(prefix ident.Prefix, typed string) bool {
	pieces := strings.Fields(typed)
	if len(pieces) == 0 {
		return false
	}
	ours := func(piece string) bool {
		upper := strings.ToUpper(piece)
		return strings.HasPrefix(upper, shop.CommandPrefix) || strings.HasPrefix(upper, prefix.Mark())
	}
	if len(pieces) > 1 && !slices.ContainsFunc(pieces, func(piece string) bool { return !ours(piece) }) {
		return true
	}
	last := pieces[len(pieces)-1]
	if len(pieces) == 1 && looksLikeCode(prefix, last) {
		return false // a damaged code, or not ours
	}
	if code := Understood(prefix, last); code != "" {
		_, mentioned := prefix.ParseSerialID(code)
		return !mentioned
	}
	return endsInCode(prefix, last)
}

// endsInCode reports whether a text is a code or ends in one.
func endsInCode(prefix ident.Prefix, text string) bool {
	for i := range text {
		if plain(prefix, text[i:]) != "" {
			return true
		}
	}
	return false
}
