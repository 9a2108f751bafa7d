package scancode

import "strings"

// grammar returns the element at the beginning of a text. In every supported standard, at most one element can begin there.
type grammar func(text string) (qualifier string, value rule, ok bool)

// rule is a rule for the value of an element.
type rule struct {
	least, most int
	ends        bool // the element has a fixed length and no separator
	valid       func(value string) bool
}

func (r rule) takes(value string) bool {
	return len(value) >= r.least && len(value) <= r.most && (r.valid == nil || r.valid(value))
}

const (
	longestLost = 200    // maximum length in bytes of a text without separators that is split
	mostSteps   = 20_000 // maximum number of steps in the search for ways to split it
)

// exactly splits a text as the standard says: a value of fixed length ends after that length, any other value at the end of the text. The
// text has no separators.
func (g grammar) exactly(text string) (elements []Element, ok bool) {
	for text != "" {
		qualifier, value, begins := g(text)
		if !begins {
			return nil, false
		}
		text = text[len(qualifier):]
		length := len(text)
		if value.ends {
			length = min(length, value.most)
		}
		if !value.takes(text[:length]) {
			return nil, false
		}
		elements = append(elements, Element{qualifier, strings.TrimSpace(text[:length])})
		text = text[length:]
	}
	return elements, len(elements) > 0
}

// ways splits a text whose separators are lost. It returns all ways in which no element comes twice, the ways with long values first. It
// gives up on a text that is longer or more ambiguous than the constants above allow.
func (g grammar) ways(text string) [][]Element {
	if text == "" || len(text) > longestLost {
		return nil
	}
	s := splitting{grammar: g, text: text, ends: make([]bool, len(text)+1)}
	s.ends[len(text)] = true
	for at := len(text) - 1; at >= 0; at-- {
		qualifier, value, begins := g(text[at:])
		if !begins {
			continue
		}
		from := at + len(qualifier)
		for end := min(from+value.most, len(text)); end >= from+value.least && !s.ends[at]; end-- {
			s.ends[at] = s.ends[end] && value.takes(text[from:end])
		}
	}
	s.from(0)
	return s.found
}

// splitting is one search for the ways to split a text.
type splitting struct {
	grammar grammar
	text    string
	ends    []bool // by place: whether the text from there on can be split
	so      []Element
	found   [][]Element
	steps   int
}

func (s *splitting) from(at int) {
	s.steps++
	switch {
	case s.steps > mostSteps, len(s.found) == mostReadings, !s.ends[at]:
		return
	case at == len(s.text):
		s.found = append(s.found, append([]Element(nil), s.so...))
		return
	}
	qualifier, value, _ := s.grammar(s.text[at:])
	for _, before := range s.so {
		if before.Qualifier == qualifier {
			return
		}
	}
	from := at + len(qualifier)
	for end := min(from+value.most, len(s.text)); end >= from+value.least; end-- {
		if !s.ends[end] || !value.takes(s.text[from:end]) {
			continue
		}
		s.so = append(s.so, Element{qualifier, s.text[from:end]})
		s.from(end)
		s.so = s.so[:len(s.so)-1]
	}
}
