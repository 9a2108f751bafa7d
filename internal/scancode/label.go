package scancode

import (
	"cmp"
	"strings"

	"github.com/routecard/routecard/shop/ident"
)

// Label is the content of a unit's code that is printed for other systems too.
type Label struct {
	Content string // the content as a scanner transmits it, without a symbology identifier
	GS1     bool   // whether the symbol begins with FNC1, since the content is an element string of GS1
}

// LabelOf returns the label of a unit with its identifier from Routecard, its own number and its part, if it has these. Parse reads the
// label as that unit and as nothing else. If the job has a GTIN, or the part number is a GTIN, the label has the part and the own number as
// GS1 elements 01 and 21. Otherwise it has both as 1P and S in a message of ISO/IEC 15434 with format 06. If the part and the own number
// cannot be written in this way, or there is no part, the label has the own number alone, or the identifier.
func LabelOf(prefix ident.Prefix, id, own, gtin, part string) Label {
	if gtin, ok := asGTIN(cmp.Or(gtin, part)); ok {
		label := Label{"01" + gtin.Value + "21" + own, true}
		if read := Parse(prefix, "]d2"+label.Content); len(read) == 1 && read[0].Mark.GTIN == gtin.Value && says(read[0], own) {
			return label
		}
	}
	for _, of := range []struct{ part, own string }{{part, own}, {"", own}} {
		label := messageOf(of.part, of.own)
		if read := Parse(prefix, label.Content); len(read) == 1 && read[0].Mark.PartNumber == of.part && says(read[0], own) {
			return label
		}
	}
	return messageOf("", id)
}

// says reports whether a reading is a mark with an own number, which is in ASCII: other characters are read differently by each scanner.
func says(read Reading, own string) bool {
	return read.Kind == Marked && own != "" && read.Mark.SerialNumber == own && !strings.ContainsFunc(own+read.Mark.PartNumber, noASCII)
}

func noASCII(c rune) bool { return c < ' ' || c > '~' }

// messageOf returns a message of ISO/IEC 15434 with a part number, unless that is "", and a serial number.
func messageOf(part, serial string) Label {
	elements := []string{"S" + serial}
	if part != "" {
		elements = []string{"1P" + part, "S" + serial}
	}
	return Label{Content: header + rs + formatDI + gs + strings.Join(elements, gs) + rs + eot}
}
