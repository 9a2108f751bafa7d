package scancode

import (
	"maps"
	"net/url"
	"slices"
	"strings"
)

// linkKeys are the application identifiers that can be the key of a Digital Link.
var linkKeys = []string{
	"00", "01", "253", "255", "401", "402", "414", "417", "8003", "8004", "8006", "8010", "8013", "8017", "8018",
}

// linkWords are the words that releases before 1.2 allowed for identifiers in the path.
var linkWords = map[string]string{"gtin": "01", "cpv": "22", "lot": "10", "ser": "21", "giai": "8004", "grai": "8003", "sscc": "00"}

// ofLink reads the path and the query of a GS1 Digital Link URI (1.2, not compressed), nil for any other address. The key is the last key
// in the path that is followed only by pairs of identifiers and values.
func ofLink(segments []string, query url.Values) []Element {
	for at := len(segments) - 2; at >= 0; at -= 2 {
		if !slices.Contains(linkKeys, linkIdentifier(segments[at])) {
			continue
		}
		var elements []Element
		for pair := range slices.Chunk(segments[at:], 2) {
			element, ok := linkElement(linkIdentifier(pair[0]), pair[1])
			if !ok {
				return nil
			}
			elements = append(elements, element)
		}
		for _, name := range slices.Sorted(maps.Keys(query)) {
			if element, ok := linkElement(name, query.Get(name)); ok {
				elements = append(elements, element)
			}
		}
		return elements
	}
	return nil
}

func linkIdentifier(segment string) string {
	if identifier, ok := linkWords[strings.ToLower(segment)]; ok {
		return identifier
	}
	return segment
}

// linkElement returns an element of a GS1 Digital Link. There a GTIN may have fewer than 14 digits.
func linkElement(identifier, value string) (Element, bool) {
	qualifier, wanted, ok := applicationIdentifier(identifier)
	if !ok || qualifier != identifier {
		return Element{}, false
	}
	if identifier == "01" {
		return asGTIN(value)
	}
	return Element{identifier, value}, wanted.takes(value)
}
