package scanpages

import (
	"cmp"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/internal/web/wording"
)

const putAway = " No unit is in hand now."

// notHere describes a code that identifies no unit here: the mark of an item, by its part or by an unknown number, or the code of another
// record.
func notHere(typed string) string {
	read := slices.DeleteFunc(scancode.Parse(typed), func(read scancode.Reading) bool {
		return read.Unit() && read.Form == scancode.Short // an EAN can be the own number of a unit that is not here
	})
	if len(read) == 0 {
		return ""
	}
	if first := read[0]; first.Kind == scancode.Ours {
		return first.ID + " is " + withArticle(wording.ThingOf(first.ID)) + ", and no unit. Scan the code of a unit." + putAway
	}
	mark := read[0].Mark
	if ambiguous(read) {
		return "This code can be read in several ways: its separators are lost. Set the scanner so that it sends them." + putAway
	}
	part := cmp.Or(mark.PartNumber, mark.CustomerPart, mark.GTIN)
	if read[0].Form == scancode.Number {
		part = scancode.Content(typed) // as printed below the bars
	}
	switch {
	case mark.SerialNumber != "" && part != "":
		return "No unit with the own number " + mark.SerialNumber + " of part " + part + " is known here." + putAway
	case mark.SerialNumber != "":
		return "No unit with the own number " + mark.SerialNumber + " is known here." + putAway
	case mark.Lot != "":
		return "Lot " + mark.Lot + " is not known here. Scan the code of a unit." + putAway
	case part != "":
		return "This is the code of part " + part + ", and of no unit. Scan the code of a unit." + putAway
	}
	return "Unknown code: no unit, job or order matches." + putAway
}

// ambiguous reports whether the readings of a mark disagree about its item.
func ambiguous(read []scancode.Reading) bool {
	return slices.ContainsFunc(read, func(other scancode.Reading) bool {
		return other.Kind == scancode.Marked && (other.Mark.SerialNumber != read[0].Mark.SerialNumber ||
			other.Mark.PartNumber != read[0].Mark.PartNumber || other.Mark.Lot != read[0].Mark.Lot)
	})
}

func withArticle(thing string) string {
	if thing != "" && strings.ContainsRune("aeiou", rune(thing[0])) {
		return "an " + thing
	}
	return "a " + thing
}
