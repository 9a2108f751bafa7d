package importcsv

import (
	"encoding/json"
	"reflect"
	"regexp"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/shop"
)

// fill fills a field of an input with what stands in a cell. An empty cell is null.
func fill(in any, field *shop.Field, text string, decimalComma bool) {
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
		*in = orMistyped(number(strings.TrimSpace(text), decimalComma))
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

// grouped are numbers in which a point is between thousands for some people, and before decimals for others.
var grouped = regexp.MustCompile(`^[-+]?\d{1,3}(\.\d{3})+$`)

func number(text string, decimalComma bool) (float64, bool) {
	if strings.Trim(text, "0123456789+-.,eE") != "" || decimalComma && grouped.MatchString(text) {
		return 0, false
	}
	if decimalComma && !strings.Contains(text, ".") {
		text = strings.Replace(text, ",", ".", 1)
	}
	value, err := strconv.ParseFloat(text, 64)
	return value, err == nil
}

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

// isoDate is a day with points between its parts, as it is written where people write days so, in the form of the interface. Every
// other text stays as it is: with slashes nobody knows which part is the month.
func isoDate(text string) string {
	if day, err := time.Parse("2.1.2006", strings.TrimSpace(text)); err == nil {
		return day.Format(time.DateOnly)
	}
	return text
}
