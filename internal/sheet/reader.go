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

// RecordLimit is how many bytes a row of a file has at most. A quote that nothing closes makes one row of the rest of the file.
const RecordLimit = 1 << 20

// ErrRecordTooLong is returned by Next for a row of more than RecordLimit bytes.
var ErrRecordTooLong = errors.New("a row of the file is too long")

// Reader reads a file of comma-separated values as people save it: with commas, semicolons or tabs between the cells, with quotes
// or without, with any line end, with or without a byte order mark. It keeps one row at a time. It is not safe for concurrent use.
type Reader struct {
	from        *bufio.Reader
	separator   byte
	begin       []byte // what stands before the first row: a byte order mark, and the row that names the separator
	windows1252 bool
	rows        int
	record      Record
}

// Record is a row of a file. The next call of Next uses its memory again, but for the texts of its cells.
type Record struct {
	Row   int      // counted from 1, as a spreadsheet counts: rows with nothing in them count as well
	Cells []string // what they have, without the quotes; not UTF-8 where the file is not, or has bytes that its encoding does not have
	Open  bool     // whether a quote begins in it that nothing closes

	raw  []byte // as it stands, with the line end
	ends []int  // where each cell ends in raw, without the separator
}

// ByteOrderMark is the text with which a CSV file may begin. Without it Excel does not read the file as UTF-8.
const ByteOrderMark = "\uFEFF"

// NewReader begins to read a file. Its text is UTF-8, or Windows-1252 when the caller says so. The separator is the one of which the
// first row with something in it has most, outside quotes; a comma where it has none.
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

// separatorRow matches the first row of a file that names the separator, as spreadsheet programs write and read it.
var separatorRow = regexp.MustCompile(`^"?(?i:sep)=([,;\t|])"?[,;\t|]*(\r\n|\r|\n|$)`)

// NewReaderWith begins to read a file of which the separator is known: a comma, a semicolon, a tab, or WholeLines.
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

// begun is a reader after the byte order mark, with the beginning of the file.
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

// separatorOf is the separator of a file that begins so.
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

// Separator is the separator of cells: a comma, a semicolon, a tab, a vertical line that the file names, or WholeLines.
func (r *Reader) Separator() byte { return r.separator }

// Begin is the part of the file before its first row.
func (r *Reader) Begin() []byte { return r.begin }

// Next reads the next row; io.EOF after the last one, and ErrRecordTooLong for one that is too long.
func (r *Reader) Next() (*Record, error) {
	rec := &r.record
	rec.raw, rec.ends, rec.Cells, rec.Open = rec.raw[:0], rec.ends[:0], rec.Cells[:0], false
	r.rows++
	rec.Row = r.rows
	cell := make([]byte, 0, 64)
	begins, quoted := true, false // of the cell; whether quotes are open
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

// WasUTF8 reports whether a text that was read as Windows-1252 is in UTF-8: then its bytes are characters of that, which those of other
// texts are not.
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

// Blank reports whether nothing but white space stands in a row, whatever is in one of its cells; -1 for none.
func (rec *Record) Blank(but int) bool {
	for i, cell := range rec.Cells {
		if i != but && strings.TrimSpace(cell) != "" {
			return false
		}
	}
	return true
}

// AppendWith appends the last row that was read, unchanged, with a text in one of its cells: in place of the former text, or in a new last
// cell. A text that a spreadsheet would take for a formula is made harmless. With WholeLines it comes after the last tab, in place of the
// former text when at is not negative.
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

// AppendAsItIs appends the row of the file that was read last as it stands.
func (r *Reader) AppendAsItIs(b []byte) []byte { return append(b, r.record.raw...) }

// lineEnd is the end of the row, or the one it would have if more came.
func (r *Reader) lineEnd() []byte {
	rec := &r.record
	if end := rec.raw[rec.ends[len(rec.ends)-1]:]; len(end) > 0 {
		return end
	}
	return []byte("\r\n")
}

// encoded is a text in the encoding of the file. A character that this does not have becomes a question mark.
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
