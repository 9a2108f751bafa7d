package scancode

import "slices"

// Mark is the description of an item in a standardized mark on the item. Missing fields are empty.
type Mark struct {
	GTIN         string // 14 digits, with the right check digit
	PartNumber   string // the supplier's
	CustomerPart string // the customer's part number
	Revision     string // the revision of the part
	SerialNumber string
	Secondary    string // a second serial number
	Lot          string
	Enterprise   string // who numbered it: a CAGE code, a DUNS number or another identifier without its issuing agency
	UII          string // the unique item identifier that MIL-STD-130 derives, or an equivalent
	Elements     []Element
}

// Element is one element of a mark: the qualifier of its standard, such as 21 or 1P, and its value.
type Element struct{ Qualifier, Value string }

// Part reports whether the mark says which part it is.
func (m Mark) Part() bool { return m.GTIN != "" || m.PartNumber != "" || m.CustomerPart != "" }

// namesUnits reports whether the value can be a Routecard identifier: elements for serial numbers can have one, and GS1 elements that are
// left to companies.
func (e Element) namesUnits() bool {
	switch e.Qualifier {
	case "21", "250", "S", "1S", "SER", "SEQ", "UCN":
		return true
	}
	return len(e.Qualifier) == 2 && e.Qualifier[0] == '9' && digit(e.Qualifier[1])
}

// markOf combines elements. Of two for the same field, the first counts.
func markOf(elements []Element) Mark {
	m := Mark{Elements: slices.Clone(elements)}
	for _, e := range elements {
		if field := fieldOf(&m, e.Qualifier); field != nil && *field == "" {
			*field = e.Value
		}
		agency, enterprise, serial := e.whose()
		if agency != "" && m.Enterprise == "" {
			m.Enterprise = enterprise
		}
		if serial != "" && m.SerialNumber == "" {
			m.SerialNumber = serial
		}
	}
	m.UII = uiiOf(elements)
	return m
}

// contradictory reports whether elements with the same qualifier give two parts, or two serial numbers.
func contradictory(elements []Element) bool {
	said := map[string]string{}
	for _, e := range elements {
		var m Mark
		switch fieldOf(&m, e.Qualifier) {
		case &m.GTIN, &m.PartNumber, &m.CustomerPart, &m.SerialNumber:
			if value, twice := said[e.Qualifier]; twice && value != e.Value {
				return true
			}
			said[e.Qualifier] = e.Value
		}
	}
	return false
}

// fieldOf returns the field of a mark that an element with a qualifier fills, nil for none. The qualifiers of the standards differ from
// each other: two or more digits are application identifiers of GS1, three letters are text element identifiers of ATA Spec 2000, and
// digits followed by one letter are data identifiers of ANSI MH10.8.2.
func fieldOf(m *Mark, qualifier string) *string {
	switch qualifier {
	case "01":
		return &m.GTIN
	case "240", "1P", "PNO", "PNR":
		return &m.PartNumber
	case "241", "P":
		return &m.CustomerPart
	case "2P":
		return &m.Revision
	case "21", "S", "SER", "SEQ", "UCN":
		return &m.SerialNumber
	case "250", "1S":
		return &m.Secondary
	case "10", "1T", "LOT", "LTN":
		return &m.Lot
	}
	return nil
}

// Lengths of identifiers of enterprises.
const (
	cageLength   = 5
	dunsLength   = 9
	dodaacLength = 6
)

// whose splits an element that says who numbered the item: into the issuing agency's code, the enterprise, and the serial number if the
// element has a serial number too.
func (e Element) whose() (agency, enterprise, serial string) {
	switch e.Qualifier {
	case "17V", "CAG", "MFR", "SPL":
		return "D", e.Value, ""
	case "12V", "DUN":
		return "UN", e.Value, ""
	case "7L":
		return "LD", e.Value, ""
	case "3V", "EUC":
		return "GS1", e.Value, ""
	case "18V":
		return "18V", e.Value, ""
	case "18S":
		if len(e.Value) > cageLength {
			return "D", e.Value[:cageLength], e.Value[cageLength:]
		}
	case "25S", "UID":
		for _, known := range []struct {
			agency string
			length int
		}{{"UN", dunsLength}, {"LD", dodaacLength}, {"D", cageLength}} {
			if begins := len(known.agency); len(e.Value) > begins+known.length && e.Value[:begins] == known.agency {
				return known.agency, e.Value[begins : begins+known.length], e.Value[begins+known.length:]
			}
		}
	}
	return "", "", ""
}

// uiiOf derives the unique item identifier of MIL-STD-130 (appendix A, tables A-I to A-III) from elements. It returns "" if the elements do
// not suffice.
func uiiOf(elements []Element) string {
	value := func(qualifiers ...string) string {
		for _, e := range elements {
			if slices.Contains(qualifiers, e.Qualifier) {
				return e.Value
			}
		}
		return ""
	}
	if whole := value("25S", "UID", "22S", "I", "8002", "8003", "8004"); whole != "" {
		return whole
	}
	if cage := value("18S"); cage != "" {
		return "D" + cage
	}
	issued := ""
	for _, e := range elements {
		agency, enterprise, serial := e.whose()
		if enterprise == "" || serial != "" || issued != "" {
			continue
		}
		switch agency {
		case "GS1", "18V": // the enterprise begins with the agency's code
			issued = enterprise
		default:
			issued = agency + enterprise
		}
	}
	if serial := value("SER", "UCN"); issued != "" && serial != "" {
		return issued + serial
	}
	within, serial := value("1P", "1T", "PNO", "LOT", "LTN"), value("S", "SEQ")
	if issued == "" || within == "" || serial == "" {
		return ""
	}
	return issued + within + serial
}
