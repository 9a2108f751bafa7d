package importcsv

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strings"
	"time"

	"github.com/routecard/routecard/shop"
)

// fill fills a field of an input with what stands in a cell. An empty cell is null.
func fill(in any, field *shop.Field, text string) {
	into, ok := reflect.TypeAssert[shop.Fillable](reflect.ValueOf(in).Elem().FieldByIndex(field.Index).Addr())
	if !ok {
		return
	}
	if text == "" {
		into.FillNull()
		return
	}
	switch in := into.(type) {
	case *shop.TextInput:
		*in = shop.Given(text)
	case *shop.WrittenInput:
		*in = shop.Given(shop.Written(text))
	case *shop.NumberInput:
		*in = shop.WholeNumber(zeroDecimals.ReplaceAllString(strings.TrimSpace(text), "$1"))
	case *shop.FlagInput:
		*in = orMistyped(flag(strings.TrimSpace(text)))
	case *shop.ObjectInput:
		*in = orMistyped(object(text))
	case *shop.TextsInput:
		*in = shop.GivenTexts(texts(text)...)
	default:
		into.FillMistyped()
	}
}

func orMistyped[T any](value T, ok bool) shop.Input[T] {
	if !ok {
		return shop.Mistyped[T]()
	}
	return shop.Given(value)
}

// zeroDecimals matches whole numbers with decimals that are zero, as programs write them. Three zeros may be thousands.
var zeroDecimals = regexp.MustCompile(`^(-?\d+)[.,](?:0{1,2}|0{4,})$`)

// flag reads true and false as spreadsheets of several languages write them.
func flag(text string) (is, ok bool) {
	switch strings.ToLower(text) {
	case "true", "wahr", "vrai", "1":
		return true, true
	case "false", "falsch", "faux", "0":
		return false, true
	}
	return false, false
}

func object(text string) (json.RawMessage, bool) {
	text = strings.TrimSpace(text)
	return json.RawMessage(text), strings.HasPrefix(text, "{") && json.Valid([]byte(text))
}

// texts are the items of a list: those of a JSON list, or words with spaces between them.
func texts(text string) []string {
	var items []string
	if strings.HasPrefix(text, "[") && json.Unmarshal([]byte(text), &items) == nil {
		return items
	}
	return strings.Fields(text)
}

// shortened are numbers as spreadsheets write them when they have too many digits.
var shortened = regexp.MustCompile(`^[-+]?\d([.,]\d+)?E\+\d{2,}$`)

// madeNumber reports whether a spreadsheet seems to have made a number of an identifier, or of one among several.
func madeNumber(text string) bool {
	for word := range strings.FieldsSeq(text) {
		if shortened.MatchString(word) {
			return true
		}
	}
	return false
}

// DayOrder says how days are written with slashes, of which nobody can tell which part is the month.
type DayOrder string

// The orders of days with slashes. With any other they are no days.
const (
	DayFirst   DayOrder = "day-first"   // 31/12/2026
	MonthFirst DayOrder = "month-first" // 12/31/2026
)

// Valid reports whether it is one of the two, or nothing.
func (o DayOrder) Valid() bool { return o == "" || o == DayFirst || o == MonthFirst }

// isoDate is a day, as spreadsheets and programs write days, in the form of the interface. A text that is no day stays as it is, and so
// does one with slashes of which nobody said the order.
func isoDate(text string, order DayOrder) string {
	layouts := []string{"2.1.2006", "2.1.06", "2006/1/2", "2006-01-02 00:00:00", "2006-01-02T00:00:00"}
	switch order {
	case DayFirst:
		layouts = append(layouts, "2/1/2006", "2/1/06")
	case MonthFirst:
		layouts = append(layouts, "1/2/2006", "1/2/06")
	}
	trimmed := strings.TrimSpace(text)
	for _, layout := range layouts {
		if day, err := time.Parse(layout, trimmed); err == nil {
			return day.Format(time.DateOnly)
		}
	}
	return text
}

// slashed are days with slashes that need an order.
var slashed = regexp.MustCompile(`^\s*\d{1,2}/\d{1,2}/(\d{2}|\d{4})\s*$`)
