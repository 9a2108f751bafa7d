package sheet

import (
	"bytes"
	"encoding/csv"
	"errors"
	"io"
	"reflect"
	"strings"
	"testing"
)

// readAll reads a file. It returns its rows, and the text that AppendAsItIs gives for all rows.
func readAll(t *testing.T, text string, windows1252 bool) (rows [][]string, raw string) {
	t.Helper()
	reader, err := NewReader(strings.NewReader(text), windows1252)
	if err != nil {
		t.Fatal(err)
	}
	raw = string(reader.Begin())
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) {
			return rows, raw
		}
		if err != nil {
			t.Fatal(err)
		}
		if record.Row != len(rows)+1 {
			t.Errorf("%q: row %d is called %d", text, len(rows)+1, record.Row)
		}
		rows = append(rows, append([]string(nil), record.Cells...))
		raw += string(reader.AppendAsItIs(nil))
	}
}

func TestReader(t *testing.T) {
	t.Parallel()
	for text, want := range map[string][][]string{
		"":                             nil,
		"a,b\n1,2\n":                   {{"a", "b"}, {"1", "2"}},
		"a;b\r\n1,5;2":                 {{"a", "b"}, {"1,5", "2"}},
		"a\tb\r1;2\t\r":                {{"a", "b"}, {"1;2", ""}},
		"\uFEFF\"a;,;,\",b\n":          {{"a;,;,", "b"}},
		"a,b;c;d\n":                    {{"a,b", "c", "d"}},
		"one\n\n two \n":               {{"one"}, {""}, {" two "}},
		"\n\na;b\n":                    {{""}, {""}, {"a", "b"}},
		"a,\"x\r\ny\",\"\"\"q\"\"\"\n": {{"a", "x\r\ny", `"q"`}},
		"a,12\" pipe,\"12\"\" \"x\n":   {{"a", "12\" pipe", `12" x`}},
		"a,\"open\nb,c":                {{"a", "open\nb,c"}},
		"a,b\n\xff,2\n":                {{"a", "b"}, {"\xff", "2"}},
	} {
		rows, raw := readAll(t, text, false)
		if !reflect.DeepEqual(rows, want) {
			t.Errorf("%q was read as %q, want %q", text, rows, want)
		}
		if raw != text {
			t.Errorf("%q came back as %q", text, raw)
		}
	}
	if rows, _ := readAll(t, "M\xfcller;\x80 5\n", true); !reflect.DeepEqual(rows, [][]string{{"Müller", "€ 5"}}) {
		t.Errorf("Windows-1252 was read as %q", rows)
	}
}

func TestReaderRefusesLongRow(t *testing.T) {
	t.Parallel()
	reader, err := NewReader(strings.NewReader("a,\""+strings.Repeat("x", RecordLimit)+"\n"), false)
	if err != nil {
		t.Fatal(err)
	}
	if _, err := reader.Next(); !errors.Is(err, ErrRecordTooLong) {
		t.Errorf("%v", err)
	}
}

func TestAppendWith(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		text        string
		at          int
		with, want  string
		windows1252 bool
	}{
		{text: "a;\"b\"\r\n", at: 2, with: "no", want: "a;\"b\";no\r\n"},
		{text: "a;old;c\n", at: 1, with: "a; b", want: "a;\"a; b\";c\n"},
		{text: "old,b", at: 0, with: "", want: ",b\r\n"},
		{text: "a\tb\r", at: 2, with: "=1", want: "a\tb\t'=1\r"},
		{text: "M\xfc;b\n", at: 2, with: "ü — 漢", want: "M\xfc;b;\"\xfc \x97 ?\"\n", windows1252: true},
		{text: "a,b\n", at: 3, with: "x", want: "a,b,,x\n"},
	} {
		reader, err := NewReader(strings.NewReader(c.text), c.windows1252)
		if err != nil {
			t.Fatal(err)
		}
		if _, err := reader.Next(); err != nil {
			t.Fatal(err)
		}
		if got := string(reader.AppendWith(nil, c.at, c.with)); got != c.want {
			t.Errorf("%q with %q is %q, want %q", c.text, c.with, got, c.want)
		}
	}
}

// FuzzReader reads arbitrary files. Rows are appended unchanged. A row to which a cell is added has that cell when it is read again. Files
// of encoding/csv are read with the same contents.
func FuzzReader(f *testing.F) {
	for _, seed := range []string{"", "a,b\n1,2", "a;b\r\n\"x\"\"\r\n;\";2\r", "\uFEFFa\tb\n", "\"", "\"a\"b,\"", "\xff;\n\n,", "'=1,-\n"} {
		f.Add([]byte(seed), false)
		f.Add([]byte(seed), true)
	}
	f.Fuzz(func(t *testing.T, text []byte, windows1252 bool) {
		reader, err := NewReader(bytes.NewReader(text), windows1252)
		if err != nil {
			t.Fatal(err)
		}
		all, rows := bytes.Clone(reader.Begin()), [][]string{}
		for {
			record, err := reader.Next()
			if err != nil {
				break
			}
			all = reader.AppendAsItIs(all)
			rows = append(rows, append([]string(nil), record.Cells...))
			if record.Open {
				continue
			}
			line := reader.AppendWith(nil, len(record.Cells), "seen")
			again, err := NewReader(bytes.NewReader(line), windows1252)
			if err != nil {
				t.Fatal(err)
			}
			again.separator = reader.separator
			if bytes.HasPrefix(line, []byte(ByteOrderMark)) {
				continue
			}
			if got, err := again.Next(); err != nil || !reflect.DeepEqual(got.Cells, append(append([]string(nil), record.Cells...), "seen")) {
				t.Fatalf("%q is read as %q, %v", line, got.Cells, err)
			}
		}
		if !bytes.Equal(all, text) {
			t.Fatalf("%q came back as %q", text, all)
		}
		var written bytes.Buffer
		writer := csv.NewWriter(&written)
		writer.Comma = rune(reader.separator)
		if windows1252 || writer.WriteAll(rows) != nil {
			return
		}
		again, err := NewReader(&written, false)
		if err != nil || len(again.begin) > 0 {
			return
		}
		again.separator = reader.separator
		for _, want := range rows {
			got, err := again.Next()
			if err != nil {
				t.Fatal(err)
			}
			for i, cell := range want { // encoding/csv writes every line end as a line feed
				plain := strings.ReplaceAll(cell, "\r\n", "\n")
				if read := strings.ReplaceAll(got.Cells[i], "\r\n", "\n"); read != plain {
					t.Fatalf("%q was read as %q", cell, read)
				}
			}
		}
	})
}
