// Package units compares the names of units of measurement in the spellings of drawings, people and machines.
package units

import (
	"slices"
	"strings"

	"golang.org/x/text/unicode/norm"
)

// synonyms maps other spellings of a unit, in lower case, to its symbol.
var synonyms = map[string]string{
	"deg": "°", "degree": "°", "degrees": "°", "º": "°",
	"inch": "in", "inches": "in", `"`: "in", "''": "in", "′′": "in",
	"um": "μm", "micron": "μm", "microns": "μm",
	"ohm": "Ω", "ohms": "Ω",
	"degc": "°C", "degf": "°F", "ºc": "°C", "ºf": "°F",
}

// caseDistinguishes has the names, in lower case, that stand for different units depending on case, such as nm and Nm.
const caseDistinguishes = "nm mn pa mpa mpas s ms ps ma mv mw mj mg mt mh mf mω mhz ω h t k f g a pf gs"

// known has the names of units that people write after a number, in lower case.
const known = "m mm cm dm km μm nm in ft mil ° °c °f k n kn mn nm ncm g kg mg t s ms min h pa kpa mpa hpa bar mbar psi v mv kv a ma " +
	"w kw mw j kj hz khz mhz ω kω mω % ppm l ml hv hrc hb db lux lx rpm rad mrad n·m"

// among reports whether a text is one of some words, without regard to case.
func among(words, text string) bool {
	return slices.Contains(strings.Fields(words), strings.ToLower(text))
}

// Same reports whether two texts are names of the same unit. It compares them after Unicode NFKC and, unless case distinguishes the units,
// without regard to case. Two empty texts are the same.
func Same(a, b string) bool {
	a, b = symbol(a), symbol(b)
	return a == b || strings.EqualFold(a, b) && !among(caseDistinguishes, a)
}

// Known reports whether a text is the name of a unit.
func Known(text string) bool { return among(known, symbol(text)) }

// symbol returns the symbol of a unit. It returns any other text without surplus blanks.
func symbol(text string) string {
	text = strings.Join(strings.Fields(strings.ReplaceAll(text, "º", "°")), " ")
	text = strings.Join(strings.Fields(norm.NFKC.String(text)), " ")
	if symbol, ok := synonyms[strings.ToLower(text)]; ok {
		return symbol
	}
	return text
}
