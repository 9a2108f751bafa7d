package wording

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
)

// Ordinal writes a place in a path as people count.
func Ordinal(i int) string { return strconv.Itoa(i + 1) }

// SizeInWords is a number of bytes as a person reads it.
func SizeInWords(bytes int64) string {
	units := []string{"bytes", "kB", "MB", "GB"}
	size, unit := float64(bytes), 0
	for size >= 1000 && unit < len(units)-1 {
		size /= 1000
		unit++
	}
	return strings.TrimSuffix(strconv.FormatFloat(size, 'f', 1, 64), ".0") + " " + units[unit]
}

// Words writes an identifier of the interface as words: out_of_tolerance becomes Out of tolerance.
func Words(value any) string {
	text := strings.NewReplacer("_", " ", "-", " ").Replace(fmt.Sprint(value))
	if text == "" {
		return ""
	}
	return strings.ToUpper(text[:1]) + text[1:]
}

// Number writes a whole number with thin gaps between thousands.
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

// Plural is a number of things: 1 unit, 2 units.
func Plural(count any, one, many string) string {
	text := Number(count)
	if text == "1" {
		return text + " " + one
	}
	return text + " " + many
}

// Listed are texts beside each other, without the empty ones.
func Listed(texts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" }), " · ")
}
