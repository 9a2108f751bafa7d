package scanpages

import (
	"cmp"
	"slices"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/ident"
)

// notHere describes a code that matches no unit of this shop: a code on an item, with its part or an unknown number, or the code of another
// kind of record.
func notHere(prefix ident.Prefix, l *lang.Language, typed string) string {
	read := slices.DeleteFunc(scancode.Parse(prefix, typed), func(read scancode.Reading) bool {
		return read.Unit() && read.Form == scancode.Short // an EAN can be the own number of a unit that is not in this shop
	})
	if len(read) == 0 {
		return ""
	}
	if first := read[0]; first.Kind == scancode.Ours {
		return isAnother(l, first.ID, first.ID)
	}
	mark := read[0].Mark
	if ambiguous(read) {
		return l.T("This code can be read in several ways: its separators are lost. Set the scanner so that it sends them. " +
			"No unit is in hand now.")
	}
	part := cmp.Or(mark.PartNumber, mark.CustomerPart, mark.GTIN)
	if read[0].Form == scancode.Number {
		part = scancode.Content(typed) // as printed below the bar code
	}
	switch {
	case mark.SerialNumber != "" && part != "":
		return l.T("No unit with the own number {number} of part {part} is known here. No unit is in hand now.",
			"number", mark.SerialNumber, "part", part)
	case mark.SerialNumber != "":
		return l.T("No unit with the own number {number} is known here. No unit is in hand now.", "number", mark.SerialNumber)
	case mark.Lot != "":
		return l.T("Lot {lot} is not known here. Scan the code of a unit. No unit is in hand now.", "lot", mark.Lot)
	case part != "":
		return l.T("This is the code of part {part}, not of a unit. Scan the code of a unit. No unit is in hand now.", "part", part)
	}
	return l.T("Unknown code: no unit, job or order matches. No unit is in hand now.")
}

// isAnother says that a code is that of a record that is no unit.
func isAnother(l *lang.Language, code, id string) string {
	return l.T("{code} is not the code of a unit, but of another record: {kind}. Scan the code of a unit. No unit is in hand now.",
		"code", code, "kind", wording.ThingOf(l, id))
}

// ambiguous reports whether the possible readings of a code disagree about the item.
func ambiguous(read []scancode.Reading) bool {
	return slices.ContainsFunc(read, func(other scancode.Reading) bool {
		return other.Kind == scancode.Marked && (other.Mark.SerialNumber != read[0].Mark.SerialNumber ||
			other.Mark.PartNumber != read[0].Mark.PartNumber || other.Mark.Lot != read[0].Mark.Lot)
	})
}
