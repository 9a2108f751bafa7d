package httpapi

import (
	"encoding/json"
	"strconv"

	"github.com/routecard/routecard/shop/input"
)

// scanner checks a request's body while it arrives: it has to be one JSON object, and lists that have a limit of their
// own must not be longer. What is refused is refused at the byte that shows it, so that nobody waits for the rest.
//
// Whether the text is UTF-8 is not looked at here.
type scanner struct {
	state  scanState
	open   []bool        // the objects and lists that have begun and not ended; true for an object
	lists  []limitedList // those of the lists that have a limit
	inName bool          // whether the string that is being read is the name of a member
	name   []byte        // of the member that is being read, while it may matter; quoted
	word   string        // what is left of true, false or null
	hex    int           // how many digits of an escape are to come
}

// limitedList is an open list with a limit.
type limitedList struct {
	field string // where it is: entries[2].contributingJobIds
	depth int    // how many objects and lists were open when it began, itself included
	limit int
	items int
}

type scanState uint8

const (
	scanBegin      scanState = iota // before the object
	scanValue                       // a value comes
	scanFirstItem                   // a value or the end of a list comes
	scanFirstName                   // a name or the end of an object comes
	scanNextName                    // a name comes
	scanColon                       // a colon comes
	scanAfterValue                  // a comma or an end comes
	scanText                        // inside a string
	scanEscape                      // behind a backslash
	scanHex                         // inside the four digits of an escape
	scanWord                        // inside true, false or null
	scanMinus                       // behind a minus
	scanZero                        // behind a leading zero
	scanDigits                      // in the whole part of a number
	scanPoint                       // behind the decimal point
	scanFraction                    // in the fraction
	scanE                           // behind the e
	scanSign                        // behind the sign of the exponent
	scanExponent                    // in the exponent
	scanEnd                         // behind the object
)

const (
	// scanDepth is how many objects and lists may be inside each other, as for encoding/json.
	scanDepth = 10_000
	// scanName is the longest name that can matter, escapes included.
	scanName = 128
)

// feed takes the next piece of the body.
func (s *scanner) feed(piece []byte) error {
	for i := 0; i < len(piece); i++ {
		c := piece[i]
		if s.state == scanText { // most of a body is texts
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
		if again { // what ended a number belongs to what comes behind it
			i--
		}
	}
	return nil
}

// end says whether the body is whole.
func (s *scanner) end() error {
	if s.state == scanBegin || s.state == scanEnd {
		return nil
	}
	return errNotObject
}

// step takes one byte; again asks for the same byte once more, in the state that it has led to.
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

// structure takes a byte between texts, numbers and words.
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
	default: // behind the object; bytes of texts, numbers and words do not come here
		return errNotObject
	}
	return errNotObject
}

// value takes the first byte of a value.
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

// named says whether the members of the innermost object matter, and what goes in front of their names: those of the
// body itself, and of the objects that are the items of a list with a limit.
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
	if !object && s.open[len(s.open)-1] { // a list is never the outermost
		s.beginList()
	}
	s.open = append(s.open, object)
	s.state = scanFirstItem
	if object {
		s.state = scanFirstName
	}
	return nil
}

// beginList remembers the list that begins if its name has a limit.
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

// keepName gathers the name of a member, as long as it may be one that matters.
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

// number takes a byte inside a number, or the one behind it.
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
