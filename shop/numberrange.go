package shop

import (
	"strconv"
	"strings"
)

// RangeEnd says how one end of a range of units identifies its unit.
type RangeEnd struct {
	ID     bool // by the id of Routecard, in full
	Short  bool // by the digits of the id alone, such as 417
	Number bool // by the unit's own number
}

// RangeKind says what a range of units counts.
type RangeKind string

// The kinds of ranges.
const (
	IDRange      RangeKind = "ids"     // all units between two ids
	NumberRanges RangeKind = "numbers" // the units with the own numbers from one to the other
	EitherRange  RangeKind = "either"  // both readings are possible: they have to agree
	UnclearRange RangeKind = "unclear" // nothing says which is meant
)

// RangeOf returns the kind of a range with two ends. A range with an own number at an end is a range of own numbers: the units with
// ids between its ends may belong to other jobs. Digits next to an own number may mean the next number or an id.
func RangeOf(first, last RangeEnd) RangeKind {
	ids, numbers := (first.ID || first.Short) && (last.ID || last.Short), first.Number && last.Number
	switch {
	case ids && numbers:
		return EitherRange
	case ids:
		return IDRange
	case numbers, first.Number && last.ID, first.ID && last.Number:
		return NumberRanges
	}
	return UnclearRange
}

// CountedRange is a range of own numbers: a prefix, and digits that are counted.
type CountedRange struct {
	prefix      string
	first, last int64
	digits      int // at least so many
}

// CountRange returns the range of own numbers from first to last. It is false when they cannot be counted: they have to begin alike and
// end in digits, with zeros in front in both or in none.
func CountRange(first, last string) (CountedRange, bool) {
	prefix, from := cutDigits(first)
	other, until := cutDigits(last)
	if prefix != other || from == "" || until == "" {
		return CountedRange{}, false
	}
	counted := CountedRange{prefix: prefix, digits: len(from)}
	var err error
	if counted.first, err = strconv.ParseInt(from, 10, 64); err != nil {
		return CountedRange{}, false
	}
	if counted.last, err = strconv.ParseInt(until, 10, 64); err != nil {
		return CountedRange{}, false
	}
	if until[0] == '0' || counted.Backwards() {
		counted.digits = len(until)
	}
	return counted, counted.number(counted.first) == first && counted.number(counted.last) == last
}

// cutDigits cuts a number before the digits at its end, of which it takes 15 at most.
func cutDigits(number string) (prefix, digits string) {
	prefix = strings.TrimRight(number, "0123456789")
	if len(number)-len(prefix) > digitsLimit {
		prefix = number[:len(number)-digitsLimit]
	}
	return prefix, number[len(prefix):]
}

// number returns a number of the range.
func (r CountedRange) number(at int64) string {
	digits := strconv.FormatInt(at, 10)
	return r.prefix + strings.Repeat("0", max(0, r.digits-len(digits))) + digits
}

// Backwards reports whether the range ends before it begins.
func (r CountedRange) Backwards() bool { return r.last < r.first }

// Numbers returns the numbers of the range in their order. It is false for more than one operation takes.
func (r CountedRange) Numbers() ([]string, bool) {
	if r.Backwards() || r.last-r.first >= selectionLimit {
		return nil, false
	}
	numbers := make([]string, 0, r.last-r.first+1)
	for at := r.first; at <= r.last; at++ {
		numbers = append(numbers, r.number(at))
	}
	return numbers, true
}
