package importcsv

import (
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/refusal"
)

// nearEnough is by how many letters a name may differ from another one that is meant.
const nearEnough = 2

// Known refuses a name that no column of a kind has, of a row that names its columns itself.
func Known(name string, kind *importing.Kind) error {
	if field(kind, name) != nil || name == errorColumn || slices.Contains(kind.ReadOver, name) {
		return nil
	}
	return unknown(name, kind)
}

// unknown refuses a column that the kind does not have, with the one that may be meant.
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

// Nearest is the column of a kind that may be meant by another name; "" when none is near.
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

// plain is a name without what people write in another way: capitals, spaces, hyphens and underscores.
func plain(name string) []rune {
	return []rune(strings.NewReplacer(" ", "", "-", "", "_", "", ".", "").Replace(strings.ToLower(name)))
}

// apart is how many letters have to be changed, added or taken away to make one text of another.
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
