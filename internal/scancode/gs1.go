package scancode

import (
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/workorder"
)

// identifierRow is a row of the table of application identifiers of the GS1 General Specifications (release 25). It covers the identifiers
// from first to last, whose values have least to most characters.
type identifierRow struct {
	first, last string
	least, most int
	what        content
}

// content is the set of characters of a value.
type content uint8

const (
	characters content = iota // characters of GS1's character set 82
	digits
	date       // YYMMDD, where day 00 stands for the month
	checked    // digits, the last of which is a check digit
	checked13  // thirteen digits, the last of which is a check digit, and more characters
	checked014 // fourteen digits, the last of which is a check digit, and more characters
)

// applicationIdentifiers lists all application identifiers in ascending order.
var applicationIdentifiers = []identifierRow{
	{"00", "00", 18, 18, checked}, {"01", "03", 14, 14, checked}, {"10", "10", 1, 20, characters},
	{"11", "13", 6, 6, date}, {"15", "17", 6, 6, date}, {"20", "20", 2, 2, digits},
	{"21", "22", 1, 20, characters}, {"235", "235", 1, 28, characters}, {"240", "241", 1, 30, characters},
	{"242", "242", 1, 6, digits}, {"243", "243", 1, 20, characters}, {"250", "251", 1, 30, characters},
	{"253", "253", 13, 30, checked13}, {"254", "254", 1, 20, characters}, {"255", "255", 13, 25, checked13},
	{"30", "30", 1, 8, digits}, {"3100", "3695", 6, 6, digits}, {"37", "37", 1, 8, digits},
	{"3900", "3939", 1, 18, digits}, {"3940", "3943", 4, 4, digits}, {"3950", "3955", 6, 6, digits},
	{"400", "401", 1, 30, characters}, {"402", "402", 17, 17, checked}, {"403", "403", 1, 30, characters},
	{"410", "417", 13, 13, checked}, {"420", "420", 1, 20, characters}, {"421", "421", 4, 12, characters},
	{"422", "422", 3, 3, digits}, {"423", "423", 3, 15, digits}, {"424", "424", 3, 3, digits}, {"425", "425", 3, 15, digits},
	{"426", "426", 3, 3, digits}, {"427", "427", 1, 3, characters}, {"4300", "4333", 1, 70, characters},
	{"7001", "7001", 13, 13, digits}, {"7002", "7002", 1, 30, characters}, {"7003", "7003", 10, 10, digits},
	{"7004", "7011", 1, 12, characters}, {"7020", "7023", 1, 30, characters}, {"7030", "7039", 4, 30, characters},
	{"7040", "7040", 4, 4, characters}, {"710", "717", 1, 20, characters}, {"7230", "7239", 3, 30, characters},
	{"7240", "7242", 1, 25, characters}, {"7250", "7259", 1, 90, characters}, {"8001", "8001", 14, 14, digits},
	{"8002", "8002", 1, 20, characters}, {"8003", "8003", 14, 30, checked014}, {"8004", "8004", 1, 30, characters},
	{"8005", "8005", 6, 6, digits}, {"8006", "8006", 18, 18, checked014}, {"8007", "8007", 1, 34, characters},
	{"8008", "8008", 8, 12, digits}, {"8009", "8010", 1, 50, characters}, {"8011", "8011", 1, 12, digits},
	{"8012", "8014", 1, 25, characters}, {"8017", "8018", 18, 18, checked}, {"8019", "8019", 1, 10, digits},
	{"8020", "8020", 1, 25, characters}, {"8026", "8026", 18, 18, checked014}, {"8030", "8030", 1, 90, characters},
	{"8110", "8112", 1, 70, characters}, {"8200", "8200", 1, 70, characters}, {"90", "90", 1, 30, characters},
	{"91", "99", 1, 90, characters},
}

// applicationIdentifier returns the GS1 application identifier at the beginning of a text, and the rule for its value.
func applicationIdentifier(text string) (qualifier string, value rule, ok bool) {
	for length := 2; length <= min(4, len(text)); length++ {
		if qualifier = text[:length]; !digitsOnly(qualifier) {
			return "", rule{}, false
		}
		for _, row := range applicationIdentifiers {
			if len(row.first) == length && row.first <= qualifier && qualifier <= row.last {
				return qualifier, row.rule(), true
			}
		}
	}
	return "", rule{}, false
}

func (r identifierRow) rule() rule {
	return rule{least: r.least, most: r.most, ends: r.predefined(), valid: r.what.valid}
}

// predefined reports whether the General Specifications give the identifier a predefined length, which needs no separator. Their table
// has the first two digits of such identifiers.
func (r identifierRow) predefined() bool {
	two := r.first[:2]
	return r.least == r.most && (two <= "04" || "11" <= two && two <= "20" || "31" <= two && two <= "36" || two == "41")
}

func (c content) valid(value string) bool {
	const gtin13, gtin14 = 13, 14
	switch c {
	case digits:
		return digitsOnly(value)
	case date:
		return digitsOnly(value) && "01" <= value[2:4] && value[2:4] <= "12" && value[4:] <= "31"
	case checked:
		return workorder.RightCheckDigit(value)
	case checked13:
		return workorder.RightCheckDigit(value[:gtin13])
	case checked014:
		return workorder.RightCheckDigit(value[:gtin14])
	case characters:
	}
	return !strings.ContainsFunc(value, outside82)
}

// outside82 reports whether a character is outside the character set 82 of the General Specifications (figure 7.11-1).
func outside82(c rune) bool {
	return c <= ' ' || c >= 0x7f || strings.ContainsRune("#$@[\\]^`{|}~", c)
}

// asGTIN reads a GTIN of 8, 12, 13 or 14 digits.
func asGTIN(text string) (Element, bool) {
	gtin, ok := workorder.GTIN14(text)
	return Element{"01", gtin}, ok
}

// ofElements reads a GS1 element string. A character outside GS1's set is a separator. Without any separator a value may continue to the
// end or end where another element can begin. Unless certain is set, the text must contain a GS or begin with an item's number that has the
// right check digit.
func ofElements(prefix ident.Prefix, text string, certain bool) []Reading {
	text = strings.Trim(named.Replace(text), rs+eot+" ")
	if !certain && !strings.Contains(text, gs) && !beginsChecked(text) {
		return nil
	}
	var read []Reading
	for _, elements := range elementStrings(text) {
		read = append(read, ofMark(prefix, Elements, elements)...)
	}
	return read
}

// beginsChecked reports whether a text begins with the number of a logistic unit or a trade item, and its right check digit.
func beginsChecked(text string) bool {
	qualifier, value, ok := applicationIdentifier(text)
	return ok && qualifier <= "02" && len(text) >= len(qualifier)+value.most &&
		workorder.RightCheckDigit(text[len(qualifier):][:value.most])
}

// elementStrings returns the ways to read an element string.
func elementStrings(text string) [][]Element {
	parts := strings.FieldsFunc(text, outside82)
	if len(parts) != 1 {
		elements, ok := separated(applicationIdentifier, parts)
		if !ok {
			return nil
		}
		return [][]Element{elements}
	}
	var all [][]Element
	if elements, ok := grammar(applicationIdentifier).exactly(parts[0]); ok {
		all = append(all, elements)
	}
	if !strings.ContainsFunc(text, outside82) {
		for _, way := range grammar(applicationIdentifier).ways(parts[0]) {
			if len(all) == 0 || !slices.Equal(way, all[0]) {
				all = append(all, way)
			}
		}
	}
	return all
}

// separated reads the parts between separators.
func separated(g grammar, parts []string) (elements []Element, ok bool) {
	for _, part := range parts {
		more, ok := g.exactly(part)
		if !ok {
			return nil, false
		}
		elements = append(elements, more...)
	}
	return elements, len(elements) > 0
}

// ofParentheses reads an element string as it is printed for people, each identifier in parentheses.
func ofParentheses(prefix ident.Prefix, text string) []Reading {
	var elements []Element
	for text != "" {
		identifier, rest, closed := strings.Cut(strings.TrimPrefix(text, "("), ")")
		qualifier, value, known := applicationIdentifier(identifier)
		if !closed || !known || qualifier != identifier || text[0] != '(' {
			return nil
		}
		end := nextIdentifier(rest)
		found := strings.TrimSpace(rest[:end])
		if !value.takes(found) {
			return nil
		}
		elements = append(elements, Element{qualifier, found})
		text = rest[end:]
	}
	return ofMark(prefix, Elements, elements)
}

// nextIdentifier returns where in a text the next identifier in parentheses begins, its end if there is none. A value may have
// parentheses too.
func nextIdentifier(text string) int {
	for i := range len(text) {
		if text[i] != '(' {
			continue
		}
		inside, _, closed := strings.Cut(text[i+1:], ")")
		if qualifier, _, known := applicationIdentifier(inside); closed && known && qualifier == inside {
			return i
		}
	}
	return len(text)
}
