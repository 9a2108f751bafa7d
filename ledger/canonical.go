package ledger

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"unicode/utf16"
	"unicode/utf8"
)

// Canonical returns the canonical form of a JSON value, as RFC 8785 defines it. Two values with the same meaning have the same form,
// regardless of white space, order of members, and notation of numbers and characters. It refuses values without a canonical form: an
// object with two members of the same name, a number outside the range of a double, half of a surrogate pair, or invalid UTF-8.
func Canonical(text []byte) ([]byte, error) {
	c := &canonicaliser{text: text, out: make([]byte, 0, len(text))}
	if err := c.whole(); err != nil {
		return nil, err
	}
	return c.out, nil
}

// deepest is the maximum nesting depth of objects and lists.
const deepest = 1000

// canonicaliser reads a value and writes its canonical form.
type canonicaliser struct {
	text    []byte
	at      int
	out     []byte
	depth   int
	scratch []byte // buffer for sorting the members of an object
	// entry means that the value is an audit entry: the metadata of the outermost object is replaced by its digest.
	entry   bool
	members [][]member // for each depth, for reuse
}

// member is the name of an object's member and its position in the output.
type member struct {
	name       []byte // without quotes, with the escapes of the canonical form
	start, end int
}

func (c *canonicaliser) whole() error {
	if err := c.value(); err != nil {
		return err
	}
	c.space()
	if c.at != len(c.text) {
		return c.wrong("something stands behind the value")
	}
	return nil
}

func (c *canonicaliser) wrong(what string) error {
	return fmt.Errorf("not canonical JSON: %s at byte %d", what, c.at)
}

func (c *canonicaliser) space() {
	for c.at < len(c.text) {
		switch c.text[c.at] {
		case ' ', '\t', '\n', '\r':
			c.at++
		default:
			return
		}
	}
}

// next returns the next byte that is not white space, or 0 at the end.
func (c *canonicaliser) next() byte {
	c.space()
	if c.at == len(c.text) {
		return 0
	}
	return c.text[c.at]
}

func (c *canonicaliser) value() error {
	switch b := c.next(); {
	case b == '{':
		return c.nested(c.object)
	case b == '[':
		return c.nested(c.list)
	case b == '"':
		return c.string()
	case b == '-' || b >= '0' && b <= '9':
		return c.number()
	case b == 't':
		return c.word("true")
	case b == 'f':
		return c.word("false")
	case b == 'n':
		return c.word("null")
	default:
		return c.wrong("a value was expected")
	}
}

func (c *canonicaliser) nested(read func() error) error {
	if c.depth == deepest {
		return c.wrong("it is nested too deeply")
	}
	c.depth++
	defer func() { c.depth-- }()
	return read()
}

func (c *canonicaliser) word(word string) error {
	if len(c.text)-c.at < len(word) || string(c.text[c.at:c.at+len(word)]) != word {
		return c.wrong("a value was expected")
	}
	c.at += len(word)
	c.out = append(c.out, word...)
	return nil
}

func (c *canonicaliser) list() error {
	c.at++
	c.out = append(c.out, '[')
	if c.next() == ']' {
		c.at++
		c.out = append(c.out, ']')
		return nil
	}
	for {
		if err := c.value(); err != nil {
			return err
		}
		switch c.next() {
		case ',':
			c.at++
			c.out = append(c.out, ',')
		case ']':
			c.at++
			c.out = append(c.out, ']')
			return nil
		default:
			return c.wrong("a list was not closed")
		}
	}
}

func (c *canonicaliser) object() error {
	c.at++
	begin := len(c.out) + 1
	c.out = append(c.out, '{')
	for len(c.members) < c.depth {
		c.members = append(c.members, nil)
	}
	members := c.members[c.depth-1][:0]
	defer func() { c.members[c.depth-1] = members }()
	if c.next() == '}' {
		c.at++
		c.out = append(c.out, '}')
		return nil
	}
	for more := true; more; {
		made, err := c.member()
		if err != nil {
			return err
		}
		members = append(members, made)
		switch c.next() {
		case ',':
		case '}':
			more = false
		default:
			return c.wrong("an object was not closed")
		}
		c.at++
		c.out = append(c.out, ',')
	}
	if err := c.order(begin, members); err != nil {
		return err
	}
	c.out[len(c.out)-1] = '}'
	return nil
}

// member reads one member.
func (c *canonicaliser) member() (made member, err error) {
	if c.next() != '"' {
		return made, c.wrong("a name was expected")
	}
	made.start = len(c.out)
	if err := c.string(); err != nil {
		return made, err
	}
	nameEnd := len(c.out) - 1
	if c.next() != ':' {
		return made, c.wrong("a colon was expected")
	}
	c.at++
	c.out = append(c.out, ':')
	if c.entry && c.depth == 1 && string(c.out[made.start+1:nameEnd]) == "metadata" {
		nameEnd, err = c.digest(made.start)
	} else {
		err = c.value()
	}
	// order computes the name again, because the output may have moved by then.
	made.name, made.end = c.out[made.start+1:nameEnd:nameEnd], len(c.out)
	return made, err
}

// order sorts the members of the object written at out[begin:] by name. Each member ends in a comma.
func (c *canonicaliser) order(begin int, members []member) error {
	for i := range members { // the names in the current output, which may have moved while it grew
		m := &members[i]
		length := len(m.name)
		m.name = c.out[m.start+1 : m.start+1+length]
	}
	sorted := slices.IsSortedFunc(members, byName)
	if !sorted {
		c.scratch = append(c.scratch[:0], c.out[begin:]...)
		for i := range members {
			m := &members[i]
			from := m.start - begin
			m.name = c.scratch[from+1 : from+1+len(m.name)]
		}
		slices.SortFunc(members, byName)
		c.out = c.out[:begin]
		for _, m := range members {
			c.out = append(append(c.out, c.scratch[m.start-begin:m.end-begin]...), ',')
		}
	}
	for i := 1; i < len(members); i++ {
		if byName(members[i-1], members[i]) == 0 {
			return c.wrong(fmt.Sprintf("two members are called %q", members[i].name))
		}
	}
	return nil
}

func byName(a, b member) int { return compareNames(a.name, b.name) }

// compareNames compares two names in canonical form by the UTF-16 code units of the unescaped names.
func compareNames(a, b []byte) int {
	for i := 0; i < len(a) && i < len(b); i++ {
		if a[i] >= utf8.RuneSelf || b[i] >= utf8.RuneSelf || a[i] == '\\' || b[i] == '\\' {
			return slices.Compare(units(a), units(b))
		}
		if a[i] != b[i] {
			return int(a[i]) - int(b[i])
		}
	}
	return len(a) - len(b)
}

// units decodes a text in canonical form into UTF-16.
func units(text []byte) []uint16 {
	var decoded []uint16
	for i := 0; i < len(text); {
		if text[i] == '\\' {
			r, size, _ := unescape(text[i:])
			decoded = utf16.AppendRune(decoded, r)
			i += size
			continue
		}
		r, size := utf8.DecodeRune(text[i:])
		decoded = utf16.AppendRune(decoded, r)
		i += size
	}
	return decoded
}

func (c *canonicaliser) string() error {
	start := c.at
	i := start + 1
	ascii := true
	for i < len(c.text) {
		b := c.text[i]
		if b == '"' {
			if !ascii && !utf8.Valid(c.text[start+1:i]) {
				return c.wrong("a text is not valid UTF-8")
			}
			c.at = i + 1
			c.out = append(c.out, c.text[start:c.at]...)
			return nil
		}
		if b == '\\' {
			return c.escaped(start, i)
		}
		if b < ' ' {
			return c.wrong("a text has a control character")
		}
		if b >= utf8.RuneSelf {
			ascii = false
		}
		i++
	}
	return c.wrong("a text was not closed")
}

// escaped reads the rest of a string from its first backslash.
func (c *canonicaliser) escaped(start, at int) error {
	out := c.out
	begun := len(out)
	out = append(out, c.text[start:at]...)
	for i := at; i < len(c.text); {
		switch b := c.text[i]; {
		case b == '"':
			if !utf8.Valid(out[begun:]) {
				return c.wrong("a text is not valid UTF-8")
			}
			out = append(out, '"')
			c.out, c.at = out, i+1
			return nil
		case b == '\\':
			r, size, ok := unescape(c.text[i:])
			if !ok {
				return c.wrong("a text has an escape that means nothing")
			}
			out = appendRune(out, r)
			i += size
		case b < ' ':
			return c.wrong("a text has a control character")
		default:
			out = append(out, b)
			i++
		}
	}
	return c.wrong("a text was not closed")
}

// unescape reads one escape sequence, or the two sequences of a surrogate pair.
func unescape(text []byte) (r rune, size int, ok bool) {
	if len(text) < 2 {
		return 0, 0, false
	}
	switch text[1] {
	case '"', '\\', '/':
		return rune(text[1]), 2, true
	case 'b':
		return '\b', 2, true
	case 'f':
		return '\f', 2, true
	case 'n':
		return '\n', 2, true
	case 'r':
		return '\r', 2, true
	case 't':
		return '\t', 2, true
	case 'u':
	default:
		return 0, 0, false
	}
	high, ok := hexUnit(text)
	if !ok || !utf16.IsSurrogate(high) {
		return high, 6, ok
	}
	low, ok := hexUnit(text[6:])
	if !ok {
		return 0, 0, false
	}
	r = utf16.DecodeRune(high, low)
	return r, 12, r != utf8.RuneError
}

// hexUnit reads \uXXXX.
func hexUnit(text []byte) (rune, bool) {
	if len(text) < 6 || text[0] != '\\' || text[1] != 'u' {
		return 0, false
	}
	unit := rune(0)
	for _, digit := range text[2:6] {
		switch {
		case digit >= '0' && digit <= '9':
			unit = unit<<4 | rune(digit-'0')
		case digit >= 'a' && digit <= 'f':
			unit = unit<<4 | rune(digit-'a'+10)
		case digit >= 'A' && digit <= 'F':
			unit = unit<<4 | rune(digit-'A'+10)
		default:
			return 0, false
		}
	}
	return unit, true
}

// appendRune appends a character in canonical form.
func appendRune(out []byte, r rune) []byte {
	switch r {
	case '"', '\\':
		return append(out, '\\', byte(r))
	case '\b':
		return append(out, `\b`...)
	case '\f':
		return append(out, `\f`...)
	case '\n':
		return append(out, `\n`...)
	case '\r':
		return append(out, `\r`...)
	case '\t':
		return append(out, `\t`...)
	}
	if r < ' ' {
		const digits = "0123456789abcdef"
		return append(out, '\\', 'u', '0', '0', digits[r>>4], digits[r&0xf])
	}
	return utf8.AppendRune(out, r)
}

// exact is a number of digits: every whole number with at most this many digits is exactly a double.
const exact = 15

func (c *canonicaliser) number() error {
	start, plain := c.at, true
	if c.text[c.at] == '-' {
		c.at++
	}
	whole := c.digits()
	if whole == 0 || whole > 1 && c.text[c.at-whole] == '0' {
		return c.wrong("a number is malformed")
	}
	if c.at < len(c.text) && c.text[c.at] == '.' {
		c.at++
		if plain = false; c.digits() == 0 {
			return c.wrong("a number is malformed")
		}
	}
	if c.at < len(c.text) && (c.text[c.at] == 'e' || c.text[c.at] == 'E') {
		c.at++
		if c.at < len(c.text) && (c.text[c.at] == '+' || c.text[c.at] == '-') {
			c.at++
		}
		if plain = false; c.digits() == 0 {
			return c.wrong("a number is malformed")
		}
	}
	text := c.text[start:c.at]
	if plain && whole <= exact && string(text) != "-0" {
		c.out = append(c.out, text...)
		return nil
	}
	value, err := strconv.ParseFloat(string(text), 64)
	if err != nil && (errors.Is(err, strconv.ErrSyntax) || math.IsInf(value, 0)) {
		return c.wrong("a number is beyond what a double can be")
	}
	c.out = appendDouble(c.out, value)
	return nil
}

func (c *canonicaliser) digits() (count int) {
	for c.at < len(c.text) && c.text[c.at] >= '0' && c.text[c.at] <= '9' {
		c.at++
		count++
	}
	return count
}

// appendDouble writes a number as ECMAScript does.
func appendDouble(out []byte, value float64) []byte {
	if value == 0 { // including negative zero
		return append(out, '0')
	}
	if size := math.Abs(value); size >= 1e-6 && size < 1e21 {
		return strconv.AppendFloat(out, value, 'f', -1, 64)
	}
	out = strconv.AppendFloat(out, value, 'e', -1, 64)
	if n := len(out); out[n-4] == 'e' && out[n-2] == '0' { // e-07 becomes e-7
		out = append(out[:n-2], out[n-1])
	}
	return out
}
