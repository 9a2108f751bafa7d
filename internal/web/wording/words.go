package wording

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Ordinal formats an index in a path, counted from 1.
func Ordinal(i int) string { return strconv.Itoa(i + 1) }

// SizeInWords formats a number of bytes.
func SizeInWords(bytes int64) string {
	units := []string{"bytes", "kB", "MB", "GB"}
	size, unit := float64(bytes), 0
	for size >= 1000 && unit < len(units)-1 {
		size /= 1000
		unit++
	}
	return strings.TrimSuffix(strconv.FormatFloat(size, 'f', 1, 64), ".0") + " " + units[unit]
}

// Words formats an identifier of the API as words: out_of_tolerance becomes Out of tolerance.
func Words(value any) string {
	text := strings.NewReplacer("_", " ", "-", " ").Replace(fmt.Sprint(value))
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Number formats a whole number with thin spaces between thousands.
func Number(value any) string {
	digits := fmt.Sprint(value)
	var b strings.Builder
	for i, c := range digits {
		if i > 0 && c != '-' && (len(digits)-i)%3 == 0 && digits[i-1] != '-' {
			b.WriteRune('\u202f')
		}
		b.WriteRune(c)
	}
	return b.String()
}

// Plural formats a number with its noun: 1 unit, 2 units.
func Plural(count any, one, many string) string {
	text := Number(count)
	if text == "1" {
		return text + " " + one
	}
	return text + " " + many
}

// Listed joins the texts that are not empty.
func Listed(texts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" }), " · ")
}
