package sheet

import (
	"io"
	"strings"
)

// CSV writes a table as comma-separated values (RFC 4180) with line feeds, in UTF-8. Texts cannot become formulas; see Harmless.
type CSV struct {
	to  io.Writer
	row []byte
}

// NewCSV begins a table with the names of its columns.
func NewCSV(to io.Writer, columns []string) (*CSV, error) {
	c := &CSV{to: to}
	err := c.Row(names(columns))
	return c, err
}

// Row writes one row.
func (c *CSV) Row(cells []Cell) error {
	c.row = c.row[:0]
	for i := range cells {
		if i > 0 {
			c.row = append(c.row, ',')
		}
		text := cells[i].String()
		if cells[i].Kind != NumberKind {
			text = Harmless(text)
		}
		c.row = appendQuoted(c.row, text)
	}
	c.row = append(c.row, '\n')
	_, err := c.to.Write(c.row)
	return err
}

// Close ends the table.
func (c *CSV) Close() error { return nil }

// appendQuoted appends a text, in quotes if any program might end the cell within the text or drop a part of it.
func appendQuoted(b []byte, text string) []byte {
	if text == "" || !strings.ContainsAny(text, "\",;|\t\r\n ") {
		return append(b, text...)
	}
	b = append(b, '"')
	b = append(b, strings.ReplaceAll(text, `"`, `""`)...)
	return append(b, '"')
}

// names returns the names of columns as a row.
func names(columns []string) []Cell {
	row := make([]Cell, len(columns))
	for i, name := range columns {
		row[i] = Text(name)
	}
	return row
}
