package importcsv

import (
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/refusal"
)

// nearEnough is the maximum edit distance between a misspelled name and a suggestion.
const nearEnough = 2

// Known refuses a name that is not a column of the kind, in a row that has its own column names.
func Known(name string, kind *importing.Kind) error {
	if field(kind, name) != nil || name == errorColumn || slices.Contains(kind.ReadOver, name) {
		return nil
	}
	return unknown(name, kind)
}

// unknown refuses a column that the kind does not have, and suggests the most similar column.
func unknown(name string, kind *importing.Kind) error {
	const shown = 100
	if runes := []rune(name); len(runes) > shown {
		name = string(runes[:shown])
	}
	nearest := Nearest(name, kind)
	if nearest == "" {
		return refusal.Refuse(ColumnUnknown, name)
	}
	return refusal.Refuse(ColumnNear, name, nearest)
}

// Nearest returns the column of a kind whose name is most similar to a misspelled one, or "" if none is similar.
func Nearest(name string, kind *importing.Kind) (nearest string) {
	const longest = 100
	if len(name) > 4*longest {
		return ""
	}
	least := nearEnough + 1
	consider := func(known string) {
		if distance := apart(plain(name), plain(known)); distance < least && distance < len(known) {
			least, nearest = distance, known
		}
	}
	for i := range kind.Fields {
		consider(kind.Fields[i].Name)
	}
	for _, known := range kind.ReadOver {
		consider(known)
	}
	return nearest
}

// plain normalizes a name: lower case, without spaces, hyphens, underscores and dots.
func plain(name string) []rune {
	return []rune(strings.NewReplacer(" ", "", "-", "", "_", "", ".", "").Replace(strings.ToLower(name)))
}

// apart returns the edit distance of two texts.
func apart(one, other []rune) int {
	row := make([]int, len(other)+1)
	for i := range row {
		row[i] = i
	}
	for i, a := range one {
		before := row[0]
		row[0] = i + 1
		for j, b := range other {
			cost := before
			if a != b {
				cost = min(before, row[j], row[j+1]) + 1
			}
			before, row[j+1] = row[j+1], cost
		}
	}
	return row[len(other)]
}
