package sheet

import "strconv"

// Kind is the kind of a cell's content.
type Kind uint8

// The kinds of cells.
const (
	Nothing Kind = iota
	TextKind
	NumberKind
	JSONKind // an object or a list in JSON, or true or false
)

// Cell is one column of one row. The zero Cell is empty.
type Cell struct {
	Kind   Kind
	text   string
	number int64
}

// Text returns a cell with a text, which may be empty.
func Text[T ~string](text T) Cell { return Cell{Kind: TextKind, text: string(text)} }

// Given returns a cell with a text, or an empty cell for "".
func Given[T ~string](text T) Cell {
	if text == "" {
		return Cell{}
	}
	return Text(text)
}

// Number returns a cell with a whole number.
func Number[T ~int | ~int64](number T) Cell { return Cell{Kind: NumberKind, number: int64(number)} }

// GivenNumber returns a cell with a whole number, or an empty cell for 0.
func GivenNumber[T ~int | ~int64](number T) Cell {
	if number == 0 {
		return Cell{}
	}
	return Number(number)
}

// Flag returns a cell with true or false.
func Flag(flag bool) Cell { return Cell{Kind: JSONKind, text: strconv.FormatBool(flag)} }

// GivenFlag returns a cell with true, or an empty cell for false.
func GivenFlag(flag bool) Cell {
	if !flag {
		return Cell{}
	}
	return Flag(true)
}

// JSON returns a cell with a JSON value.
func JSON(text string) Cell { return Cell{Kind: JSONKind, text: text} }

// String returns the cell's text for people.
func (c Cell) String() string {
	if c.Kind == NumberKind {
		return strconv.FormatInt(c.number, 10)
	}
	return c.text
}

// Table is a table that is being written.
type Table interface {
	// Row writes one row, with a cell for every column.
	Row(cells []Cell) error
	// Close ends the table. It does not close the underlying writer.
	Close() error
}
