package httpapi

import (
	"encoding/json"
	"strconv"

	"github.com/routecard/routecard/shop/input"
)

// scanner checks the body of a request while it arrives: it must be one JSON object, and its lists must not exceed their limits. It refuses
// a body at the first byte that is wrong, so that the client need not send the rest.
//
// It does not check whether the text is UTF-8.
type scanner struct {
	state  scanState
	open   []bool        // the objects and lists that are open; true for an object
	lists  []limitedList // the open lists that have a limit
	inName bool          // whether the current string is the name of a member
	name   []byte        // the name of the current member, quoted, up to scanName bytes
	word   string        // the rest of true, false or null
	hex    int           // the number of remaining digits of an escape
}

// limitedList is an open list with a limit.
type limitedList struct {
	field string // the path of the field: entries[2].contributingJobIds
	depth int    // the number of objects and lists that were open when it began, including itself
	limit int
	items int
}

type scanState uint8

const (
	scanBegin      scanState = iota // before the object
	scanValue                       // expects a value
	scanFirstItem                   // expects a value or the end of a list
	scanFirstName                   // expects a name or the end of an object
	scanNextName                    // expects a name
	scanColon                       // expects a colon
	scanAfterValue                  // expects a comma or an end
	scanText                        // inside a string
	scanEscape                      // after a backslash
	scanHex                         // inside the four digits of an escape
	scanWord                        // inside true, false or null
	scanMinus                       // after a minus
	scanZero                        // after a leading zero
	scanDigits                      // in the whole part of a number
	scanPoint                       // after the decimal point
	scanFraction                    // in the fraction
	scanE                           // after the e
	scanSign                        // after the sign of the exponent
	scanExponent                    // in the exponent
	scanEnd                         // after the object
)

const (
	// scanDepth is the maximum nesting depth of objects and lists, as in encoding/json.
	scanDepth = 10_000
	// scanName is the length of the longest name that the scanner compares, escapes included.
	scanName = 128
)

// feed checks the next piece of the body.
func (s *scanner) feed(piece []byte) error {
	for i := 0; i < len(piece); i++ {
		c := piece[i]
		if s.state == scanText { // most of a body is strings
			for ; c != '"' && c != '\\' && c >= ' '; c = piece[i] {
				s.keepName(c)
				i++
				if i == len(piece) {
					return nil
				}
			}
		}
		again, err := s.step(c)
		if err != nil {
			return err
		}
		if again { // the byte that ended a number belongs to the next token
			i--
		}
	}
	return nil
}

// end returns an error if the body is not complete.
func (s *scanner) end() error {
	if s.state == scanBegin || s.state == scanEnd {
		return nil
	}
	return errNotObject
}

// step checks one byte. again asks for the same byte once more, in the new state.
func (s *scanner) step(c byte) (again bool, err error) {
	space := c == ' ' || c == '\t' || c == '\n' || c == '\r'
	switch s.state {
	case scanText:
		return false, s.text(c)
	case scanEscape, scanHex:
		return false, s.escape(c)
	case scanWord:
		if c != s.word[0] {
			return false, errNotObject
		}
		if s.word = s.word[1:]; s.word == "" {
			s.state = scanAfterValue
		}
		return false, nil
	case scanMinus, scanZero, scanDigits, scanPoint, scanFraction, scanE, scanSign, scanExponent:
		return s.number(c)
	case scanBegin, scanValue, scanFirstItem, scanFirstName, scanNextName, scanColon, scanAfterValue, scanEnd:
		if !space {
			return false, s.structure(c)
		}
	}
	return false, nil
}

// structure checks a byte between strings, numbers and words.
func (s *scanner) structure(c byte) error {
	switch s.state {
	case scanBegin:
		if c == '{' {
			return s.begin(true)
		}
	case scanFirstItem:
		if c == ']' {
			return s.close()
		}
		return s.value(c)
	case scanValue:
		return s.value(c)
	case scanFirstName, scanNextName:
		switch {
		case c == '"':
			s.state, s.inName, s.name = scanText, true, append(s.name[:0], c)
			return nil
		case c == '}' && s.state == scanFirstName:
			return s.close()
		}
	case scanColon:
		if c == ':' {
			s.state = scanValue
			return nil
		}
	case scanAfterValue:
		object := s.open[len(s.open)-1]
		switch {
		case c == ',' && object:
			s.state = scanNextName
			return nil
		case c == ',':
			s.state = scanValue
			return nil
		case c == '}' && object, c == ']' && !object:
			return s.close()
		}
	default: // after the object; strings, numbers and words have cases of their own in step
		return errNotObject
	}
	return errNotObject
}

// value checks the first byte of a value.
func (s *scanner) value(c byte) error {
	if err := s.count(); err != nil {
		return err
	}
	switch {
	case c == '{' || c == '[':
		return s.begin(c == '{')
	case c == '"':
		s.state, s.inName = scanText, false
	case c == '-':
		s.state = scanMinus
	case c == '0':
		s.state = scanZero
	case '1' <= c && c <= '9':
		s.state = scanDigits
	case c == 't':
		s.state, s.word = scanWord, "rue"
	case c == 'f':
		s.state, s.word = scanWord, "false"[1:]
	case c == 'n':
		s.state, s.word = scanWord, "ull"
	default:
		return errNotObject
	}
	return nil
}

// count counts a value if it is an item of a list with a limit.
func (s *scanner) count() error {
	if len(s.lists) == 0 {
		return nil
	}
	list := &s.lists[len(s.lists)-1]
	if list.depth != len(s.open) {
		return nil
	}
	list.items++
	if list.items > list.limit {
		return input.TooManyItems(list.field)
	}
	return nil
}

// named reports whether the scanner tracks the names in the innermost object, and returns their prefix. It tracks those of the body itself,
// and of objects that are items of a list with a limit.
func (s *scanner) named() (prefix string, ok bool) {
	if len(s.open) == 1 {
		return "", true
	}
	if len(s.lists) == 0 {
		return "", false
	}
	list := &s.lists[len(s.lists)-1]
	return list.field + "[" + strconv.Itoa(list.items-1) + "].", list.depth == len(s.open)-1
}

func (s *scanner) begin(object bool) error {
	if len(s.open) == scanDepth {
		return errNotObject
	}
	if !object && s.open[len(s.open)-1] { // the outermost value is never a list
		s.beginList()
	}
	s.open = append(s.open, object)
	s.state = scanFirstItem
	if object {
		s.state = scanFirstName
	}
	return nil
}

// beginList starts to count a list if its name has a limit.
func (s *scanner) beginList() {
	if len(s.name) > scanName {
		return
	}
	var name string
	if json.Unmarshal(s.name, &name) != nil {
		return
	}
	limit, limited := input.ListLimit(name)
	if !limited {
		return
	}
	if prefix, ok := s.named(); ok {
		s.lists = append(s.lists, limitedList{field: prefix + name, depth: len(s.open) + 1, limit: limit})
	}
}

func (s *scanner) close() error {
	if last := len(s.lists) - 1; last >= 0 && s.lists[last].depth == len(s.open) {
		s.lists = s.lists[:last]
	}
	s.open = s.open[:len(s.open)-1]
	s.state = scanAfterValue
	if len(s.open) == 0 {
		s.state = scanEnd
	}
	return nil
}

// keepName stores a byte of the name of a member, up to scanName bytes.
func (s *scanner) keepName(c byte) {
	if s.inName && len(s.name) <= scanName {
		s.name = append(s.name, c)
	}
}

func (s *scanner) text(c byte) error {
	switch {
	case c < ' ':
		return errNotObject
	case c == '\\':
		s.state = scanEscape
	case c == '"' && s.inName:
		s.state = scanColon
	case c == '"':
		s.state = scanAfterValue
	}
	s.keepName(c)
	return nil
}

func (s *scanner) escape(c byte) error {
	s.keepName(c)
	if s.state == scanHex {
		if (c < '0' || c > '9') && (c < 'a' || c > 'f') && (c < 'A' || c > 'F') {
			return errNotObject
		}
		s.hex--
		if s.hex == 0 {
			s.state = scanText
		}
		return nil
	}
	switch c {
	case '"', '\\', '/', 'b', 'f', 'n', 'r', 't':
		s.state = scanText
	case 'u':
		s.state, s.hex = scanHex, 4
	default:
		return errNotObject
	}
	return nil
}

// number checks a byte in a number, or the first byte after it.
func (s *scanner) number(c byte) (again bool, err error) {
	digit := '0' <= c && c <= '9'
	whole := s.state == scanZero || s.state == scanDigits
	ended := whole || s.state == scanFraction || s.state == scanExponent // whether the number may end here
	switch {
	case s.state == scanMinus && c == '0':
		s.state = scanZero
	case s.state == scanMinus && digit:
		s.state = scanDigits
	case s.state == scanDigits && digit, s.state == scanFraction && digit, s.state == scanExponent && digit:
	case s.state == scanPoint && digit:
		s.state = scanFraction
	case (s.state == scanE || s.state == scanSign) && digit:
		s.state = scanExponent
	case s.state == scanE && (c == '+' || c == '-'):
		s.state = scanSign
	case whole && c == '.':
		s.state = scanPoint
	case (whole || s.state == scanFraction) && (c == 'e' || c == 'E'):
		s.state = scanE
	case ended:
		s.state = scanAfterValue
		return true, nil
	default:
		return false, errNotObject
	}
	return false, nil
}
