package wording

import (
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/web/lang"
)

// Ordinal returns the ordinal number of an index in a path, which counts from 1.
func Ordinal(i int) string { return strconv.Itoa(i + 1) }

// SizeInWords formats a number of bytes.
func SizeInWords(l *lang.Language, bytes int64) string {
	units := []string{l.T("bytes"), "kB", "MB", "GB"}
	size, unit := float64(bytes), 0
	for size >= 1000 && unit < len(units)-1 {
		size /= 1000
		unit++
	}
	return strings.TrimSuffix(strconv.FormatFloat(size, 'f', 1, 64), ".0") + " " + units[unit]
}

// Listed joins the texts that are not empty.
func Listed(texts ...string) string {
	return strings.Join(slices.DeleteFunc(slices.Clone(texts), func(text string) bool { return text == "" }), " · ")
}
