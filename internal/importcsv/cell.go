package importcsv

import (
	"encoding/json"
	"fmt"
	"reflect"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf8"

	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// fill sets a field of an input from the text of a cell. An empty cell is null.
func fill(in any, field *input.Field, text string) {
	into, ok := reflect.TypeAssert[input.Fillable](reflect.ValueOf(in).Elem().FieldByIndex(field.Index).Addr())
	if !ok {
		return
	}
	if text == "" {
		into.FillNull()
		return
	}
	switch in := into.(type) {
	case *input.TextInput:
		*in = input.Given(text)
	case *input.WrittenInput:
		*in = input.Given(input.Written(text))
	case *input.NumberInput:
		*in = input.WholeNumber(zeroDecimals.ReplaceAllString(strings.TrimSpace(text), "$1"))
	case *input.FlagInput:
		*in = orMistyped(flag(strings.TrimSpace(text)))
	case *input.ObjectInput:
		*in = orMistyped(object(text))
	case *input.TextsInput:
		*in = input.GivenTexts(texts(text)...)
	default:
		into.FillMistyped()
	}
}

func orMistyped[T any](value T, ok bool) input.Input[T] {
	if !ok {
		return input.Mistyped[T]()
	}
	return input.Given(value)
}

// zeroDecimals matches whole numbers that a program wrote with zero decimals. It excludes three zeros, which may be thousands.
var zeroDecimals = regexp.MustCompile(`^(-?\d+)[.,](?:0{1,2}|0{4,})$`)

// flag reads true and false as spreadsheets and people write them, in English, German, French and Spanish.
func flag(text string) (is, ok bool) {
	switch strings.ToLower(text) {
	case "true", "wahr", "vrai", "verdadero", "1", "yes", "ja", "oui", "sí", "si":
		return true, true
	case "false", "falsch", "faux", "falso", "0", "no", "nein", "non":
		return false, true
	}
	return false, false
}

func object(text string) (json.RawMessage, bool) {
	text = strings.TrimSpace(text)
	return json.RawMessage(text), strings.HasPrefix(text, "{") && json.Valid([]byte(text))
}

// texts returns the items of a list: those of a JSON list, or those between commas, semicolons and blanks.
func texts(text string) []string {
	if items, ok := listed(text); ok {
		return items
	}
	items := strings.FieldsFunc(text, separates)
	expanded := make([]string, 0, len(items))
	for _, item := range items {
		numbers, _ := rangeOf(item)
		expanded = append(expanded, numbers...)
	}
	return expanded
}

// listed returns the items of a JSON list.
func listed(text string) (items []string, ok bool) {
	text = strings.TrimSpace(text)
	return items, strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &items) == nil
}

// separates reports whether a character separates the items of a list.
func separates(c rune) bool { return unicode.IsSpace(c) || strings.ContainsRune(",;，；、", c) }

// unclear returns the item of a list of numbers that may stand for several numbers; "" if there is none.
func unclear(text string) string {
	items, ok := listed(text)
	if !ok {
		items = strings.FieldsFunc(text, separates)
	}
	for _, item := range items {
		if strings.ContainsFunc(item, separates) || slices.Contains(joining, strings.ToLower(item)) || likeRange(item) {
			return item
		}
		if _, ok := rangeOf(item); !ok {
			return item
		}
	}
	return ""
}

// joining are the separators that people write between numbers in addition to commas and blanks.
var joining = []string{"to", "bis", "à", "until", "thru", "through", "and", "und", "et", "&", "+", "-", "–", "—"}

// likeRange reports whether a number looks like two numbers of one prefix with a dash between, such as ME-1-ME-3.
func likeRange(item string) bool {
	for at, c := range item {
		if c != '-' && c != '–' && c != '—' {
			continue
		}
		first, last := numbered.FindStringSubmatch(item[:at]), numbered.FindStringSubmatch(item[at+utf8.RuneLen(c):])
		if first != nil && last != nil && strings.ContainsFunc(first[1], unicode.IsLetter) &&
			(last[1] == first[1] || last[1] == "" && c != '-') {
			return true
		}
	}
	return false
}

// numbered matches a number that ends in digits.
var numbered = regexp.MustCompile(`^(.*?)(\d{1,15})$`)

// rangeOf returns the numbers of a range such as ME-1..ME-3, or the item itself. ok is false for a range that goes down, is too long, or
// has two prefixes.
func rangeOf(item string) (numbers []string, ok bool) {
	from, to, is := strings.Cut(strings.ReplaceAll(item, "…", ".."), "..")
	if !is {
		return []string{item}, true
	}
	first, last := numbered.FindStringSubmatch(from), numbered.FindStringSubmatch(to)
	if first == nil || last == nil || first[1] != last[1] || len(first[2]) != len(last[2]) && first[2][0] == '0' {
		return []string{item}, false
	}
	begin, _ := strconv.ParseInt(first[2], 10, 64) // the expression allows at most 15 digits and nothing else
	end, _ := strconv.ParseInt(last[2], 10, 64)
	limit, _ := input.ListLimit("serialNumbers")
	if end < begin || end-begin >= int64(limit) || len(last[2]) < len(first[2]) {
		return []string{item}, false
	}
	for number := begin; number <= end; number++ {
		numbers = append(numbers, fmt.Sprintf("%s%0*d", first[1], len(first[2]), number))
	}
	return numbers, true
}

// shortened matches numbers that a program shortened because they had too many digits: with a signed exponent, with decimals before the
// exponent, or as a power of ten. It does not match 12E05, because programs write a sign or decimals.
var shortened = regexp.MustCompile(
	`^[-+]?\d+([.,]\d*[eEdD][-+]?\d+|[eEdD][-+]\d+|([.,]\d+)?\s*[x×*·]\s*10(\^|\*\*)?[-+]?[\d⁰¹²³⁴⁵⁶⁷⁸⁹]+)$`)

// withDecimals matches whole numbers that a program wrote with decimals.
var withDecimals = regexp.MustCompile(`^[-+]?\d+[.,]0+$`)

// madeNumber returns a reason to refuse an identifier, or one of several, because a program seems to have turned it into a number. decimals
// says whether identifiers of this kind may have decimals.
func madeNumber(text string, decimals bool) *refusal.Reason {
	for _, word := range append(strings.FieldsFunc(text, separates), strings.TrimSpace(text)) {
		switch {
		case shortened.MatchString(word):
			return MadeNumber
		case !decimals && withDecimals.MatchString(word):
			return MadeDecimal
		}
	}
	return nil
}

// formulaError matches the error values that spreadsheets show, in English, German, French and Spanish.
var formulaError = regexp.MustCompile(`^\s*(#{3,}|#(N/A|N/D|NV|REF!|BEZUG!|REF|VALUE!|WERT!|VALEUR!|VALOR!|DIV/0!|NAME\?|NOM\?|NOMBRE\?|` +
	`¿NOMBRE\?|NULL!|NUL!|NUM!|ZAHL!|NOMBRE!|SPILL!|CALC!))\s*$`)

// lineBreaks matches line breaks with the blanks around them.
var lineBreaks = regexp.MustCompile(`\s*[\r\n\t\v\f\x{85}\x{2028}\x{2029}]\s*`)

// oneLine replaces line breaks and tabs with blanks, and removes white space at both ends.
func oneLine(text string) string {
	if !lineBreaks.MatchString(text) {
		return text
	}
	return strings.TrimSpace(lineBreaks.ReplaceAllString(text, " "))
}

// DayOrder is the order of day and month in dates with slashes, which do not show it.
type DayOrder string

// The orders of day and month in dates with slashes. Without one of them, a cell with slashes is not read as a date.
const (
	DayFirst   DayOrder = "day-first"   // 31/12/2026
	MonthFirst DayOrder = "month-first" // 12/31/2026
)

// Valid reports whether the order is one of the two or empty.
func (o DayOrder) Valid() bool { return o == "" || o == DayFirst || o == MonthFirst }

// midnight matches a date with a time of midnight, which some programs add.
var midnight = regexp.MustCompile(`(?i)^(\S+?)(?:[T ]0?0:00(?::00(?:\.0+)?)?\s*(?:Z|[-+]\d\d:?\d\d)?| 12:00(?::00)? ?AM)$`)

// withoutTime removes a time of midnight from a date.
func withoutTime(text string) string {
	return midnight.ReplaceAllString(strings.TrimSpace(text), "$1")
}

// isoDate converts a date from the forms of spreadsheets and other programs to the form of the interface. It returns a text that is not a
// date unchanged, and also a date with slashes if the order is not known.
func isoDate(text string, order DayOrder) string {
	layouts := []string{time.DateOnly, "2.1.2006", "2.1.06", "2006/1/2", "20060102"}
	switch order {
	case DayFirst:
		layouts = append(layouts, "2/1/2006", "2/1/06")
	case MonthFirst:
		layouts = append(layouts, "1/2/2006", "1/2/06")
	}
	trimmed := withoutTime(text)
	for _, layout := range layouts {
		if day, err := time.Parse(layout, trimmed); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return text
}

// slashed matches dates with slashes, which need an order.
var slashed = regexp.MustCompile(`^\d{1,2}/\d{1,2}/(\d{2}|\d{4})$`)
