package sheet

import (
	"bufio"
	"bytes"
	"errors"
	"io"
	"regexp"
	"strings"
	"unicode/utf8"

	"golang.org/x/text/encoding/charmap"
)

// RecordLimit is the maximum size of a row in bytes. An unclosed quote makes the rest of the file one row.
const RecordLimit = 1 << 20

// ErrRecordTooLong is the error of Next for a row of more than RecordLimit bytes.
var ErrRecordTooLong = errors.New("a row of the file is too long")

// Reader reads a file of comma-separated values in the forms that programs save: with commas, semicolons or tabs between the cells, with or
// without quotes, with any line end, with or without a byte order mark. It has one row in memory at a time. It is not safe for concurrent
// use.
type Reader struct {
	from        *bufio.Reader
	separator   byte
	begin       []byte // the bytes before the first row: a byte order mark, and the row that declares the separator
	windows1252 bool
	rows        int
	record      Record
}

// Record is a row of a file. It is valid until the next call of Next; the texts of its cells stay valid.
type Record struct {
	Row   int      // the row number in a spreadsheet: counted from 1, including empty rows
	Cells []string // the contents, without quotes; invalid UTF-8 if the file has bytes that are invalid in its encoding
	Open  bool     // whether the row has an unclosed quote

	raw  []byte // the bytes of the row, with the line end
	ends []int  // the end of each cell in raw, without the separator
}

// ByteOrderMark is the character with which a CSV file may begin. Without it, Excel does not read the file as UTF-8.
const ByteOrderMark = "\uFEFF"

// NewReader begins to read a file. Its text is UTF-8, or Windows-1252 if windows1252 is true. The separator is the one that occurs most
// often, outside quotes, in the first row that is not empty; a comma if none occurs.
func NewReader(from io.Reader, windows1252 bool) (*Reader, error) {
	r, begin, err := begun(from, windows1252)
	if err != nil {
		return nil, err
	}
	if said := separatorRow.FindSubmatch(begin); said != nil {
		r.separator, r.rows = said[1][0], 1
		r.begin = append(r.begin, said[0]...)
		_, err = r.from.Discard(len(said[0]))
		return r, err
	}
	r.separator = separatorOf(begin)
	return r, nil
}

// separatorRow matches a first row that declares the separator, in the form that spreadsheet programs write and read.
var separatorRow = regexp.MustCompile(`^"?(?i:sep)=([,;\t|])"?[,;\t|]*(\r\n|\r|\n|$)`)

// NewReaderWith begins to read a file with a known separator: a comma, a semicolon, a tab, or WholeLines.
func NewReaderWith(from io.Reader, windows1252 bool, separator byte) (*Reader, error) {
	r, _, err := begun(from, windows1252)
	if err != nil {
		return nil, err
	}
	r.separator = separator
	return r, nil
}

// WholeLines is the separator of a text in which each line is one cell. A further cell comes after a tab.
const WholeLines byte = 0

const sniffed = 64 << 10

// begun returns a reader after the byte order mark, with the beginning of the file.
func begun(from io.Reader, windows1252 bool) (*Reader, []byte, error) {
	r := &Reader{from: bufio.NewReaderSize(from, sniffed), windows1252: windows1252}
	begin, err := r.from.Peek(sniffed)
	if err != nil && !errors.Is(err, io.EOF) {
		return nil, nil, err
	}
	if !windows1252 && bytes.HasPrefix(begin, []byte(ByteOrderMark)) {
		r.begin = []byte(ByteOrderMark)
		begin = begin[len(ByteOrderMark):]
		if _, err := r.from.Discard(len(ByteOrderMark)); err != nil {
			return nil, nil, err
		}
	}
	return r, begin, nil
}

// separatorOf detects the separator of a file from its beginning.
func separatorOf(begin []byte) byte {
	var commas, semicolons, tabs int
	quoted, something := false, false
	for _, c := range begin {
		switch {
		case c == '"':
			quoted, something = !quoted, true
		case quoted:
		case c == '\r' || c == '\n':
			if something {
				return mostOf(commas, semicolons, tabs)
			}
		case c == ',':
			commas++
		case c == ';':
			semicolons++
		case c == '\t':
			tabs++
		default:
			something = true
		}
	}
	return mostOf(commas, semicolons, tabs)
}

func mostOf(commas, semicolons, tabs int) byte {
	switch {
	case semicolons > commas && semicolons >= tabs:
		return ';'
	case tabs > commas:
		return '\t'
	}
	return ','
}

// Separator returns the separator of cells: a comma, a semicolon, a tab, a vertical bar that the file declares, or WholeLines.
func (r *Reader) Separator() byte { return r.separator }

// Begin returns the part of the file before its first row.
func (r *Reader) Begin() []byte { return r.begin }

// Next reads the next row. It returns io.EOF after the last row, and ErrRecordTooLong for a row that is too long.
func (r *Reader) Next() (*Record, error) {
	rec := &r.record
	rec.raw, rec.ends, rec.Cells, rec.Open = rec.raw[:0], rec.ends[:0], rec.Cells[:0], false
	r.rows++
	rec.Row = r.rows
	cell := make([]byte, 0, 64)
	begins, quoted := true, false // begins: at the beginning of a cell; quoted: inside quotes
	for {
		c, err := r.from.ReadByte()
		if errors.Is(err, io.EOF) {
			if len(rec.raw) == 0 {
				return nil, io.EOF
			}
			rec.Open = quoted
			r.end(rec, cell, len(rec.raw))
			return rec, nil
		}
		if err != nil {
			return nil, err
		}
		if rec.raw = append(rec.raw, c); len(rec.raw) > RecordLimit {
			return nil, ErrRecordTooLong
		}
		switch {
		case quoted && c == '"':
			if next, err := r.from.Peek(1); err != nil || next[0] != '"' {
				quoted = false
				continue
			}
			_, _ = r.from.ReadByte() // it was peeked at
			rec.raw = append(rec.raw, c)
			cell = append(cell, c)
		case quoted:
			cell = append(cell, c)
		case c == '"' && begins && r.separator != WholeLines:
			quoted = true
		case c == r.separator && r.separator != WholeLines:
			r.end(rec, cell, len(rec.raw)-1)
			cell, begins = cell[:0], true
			continue
		case c == '\r' || c == '\n':
			at := len(rec.raw) - 1
			if next, err := r.from.Peek(1); c == '\r' && err == nil && next[0] == '\n' {
				_, _ = r.from.ReadByte() // it was peeked at
				rec.raw = append(rec.raw, '\n')
			}
			r.end(rec, cell, at)
			return rec, nil
		default:
			cell = append(cell, c)
		}
		begins = false
	}
}

// end ends a cell at a place of the row.
func (r *Reader) end(rec *Record, cell []byte, at int) {
	text := string(cell)
	if r.windows1252 && !ascii(text) {
		if decoded, err := charmap.Windows1252.NewDecoder().String(text); err == nil && !strings.ContainsRune(decoded, utf8.RuneError) {
			text = decoded
		}
	}
	rec.Cells, rec.ends = append(rec.Cells, text), append(rec.ends, at)
}

// WasUTF8 reports whether a text that was read as Windows-1252 is really UTF-8: then its bytes are valid UTF-8, which is very unlikely for
// other texts.
func WasUTF8(text string) bool {
	if ascii(text) {
		return false
	}
	before, err := charmap.Windows1252.NewEncoder().String(text)
	return err == nil && utf8.ValidString(before)
}

func ascii(text string) bool {
	for i := range len(text) {
		if text[i] >= utf8.RuneSelf {
			return false
		}
	}
	return true
}

// Blank reports whether a row has only white space. It ignores the cell at index but; -1 ignores none.
func (rec *Record) Blank(but int) bool {
	for i, cell := range rec.Cells {
		if i != but && strings.TrimSpace(cell) != "" {
			return false
		}
	}
	return true
}

// AppendWith appends the last row that was read, unchanged except for one cell, which gets a text: it replaces the text of that cell, or is
// added as a new last cell. Harmless is applied to the text. With WholeLines the text follows the last tab, and replaces the former text
// there if at is not negative.
func (r *Reader) AppendWith(b []byte, at int, text string) []byte {
	rec := &r.record
	if r.separator == WholeLines {
		line := rec.raw[:rec.ends[0]]
		if tab := bytes.LastIndexByte(line, '\t'); at >= 0 && tab >= 0 {
			line = line[:tab]
		}
		b = append(append(b, line...), '\t')
		return append(appendQuoted(b, r.encoded(Harmless(text))), r.lineEnd()...)
	}
	begin := 0
	for i := range max(len(rec.ends), at+1) {
		if i > 0 {
			b = append(b, r.separator)
		}
		if i < len(rec.ends) {
			if i != at {
				b = append(b, rec.raw[begin:rec.ends[i]]...)
			}
			begin = min(rec.ends[i]+1, len(rec.raw))
		}
		if i == at {
			b = appendQuoted(b, r.encoded(Harmless(text)))
		}
	}
	return append(b, r.lineEnd()...)
}

// AppendAsItIs appends the last row that was read, unchanged.
func (r *Reader) AppendAsItIs(b []byte) []byte { return append(b, r.record.raw...) }

// lineEnd returns the line end of the row; CRLF for a last row without one.
func (r *Reader) lineEnd() []byte {
	rec := &r.record
	if end := rec.raw[rec.ends[len(rec.ends)-1]:]; len(end) > 0 {
		return end
	}
	return []byte("\r\n")
}

// encoded converts a text to the encoding of the file. Characters that the encoding does not have become question marks.
func (r *Reader) encoded(text string) string {
	if !r.windows1252 || ascii(text) {
		return text
	}
	b := make([]byte, 0, len(text))
	for _, char := range text {
		if c, ok := charmap.Windows1252.EncodeRune(char); ok {
			b = append(b, c)
		} else {
			b = append(b, '?')
		}
	}
	return string(b)
}
