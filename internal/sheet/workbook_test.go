package sheet

import (
	"archive/zip"
	"bytes"
	"encoding/csv"
	"encoding/xml"
	"reflect"
	"strings"
	"testing"
	"unicode/utf16"
)

// awkward returns texts that spreadsheet programs change by default.
func awkward() []string {
	return []string{
		"", "00417", "1.2E+05", "3-4", "2026-12-01", "12345678901234567890", "TRUE", "=1+1", "-", "'=1", "'quoted'", " spaces ",
		"line\nbreak", "tab\there", `say "yes"`, "a,b;c|d", "<&>", "_x0041_", "Größe ±0,02 µm", "漢字", "👍", "1,5", "½",
	}
}

func workbookOf(t *testing.T, limit int, columns []string, rows [][]Cell) []byte {
	t.Helper()
	var file bytes.Buffer
	book, err := NewWorkbook(&file, columns)
	if err != nil {
		t.Fatal(err)
	}
	book.limit = limit
	for _, row := range rows {
		if err := book.Row(row); err != nil {
			t.Fatal(err)
		}
	}
	if err := book.Close(); err != nil {
		t.Fatal(err)
	}
	return file.Bytes()
}

// textsIn reads the texts and numbers of a sheet with encoding/xml.
func textsIn(t *testing.T, file []byte, name string) (rows [][]string) {
	t.Helper()
	archive, err := zip.NewReader(bytes.NewReader(file), int64(len(file)))
	if err != nil {
		t.Fatal(err)
	}
	part, err := archive.Open(name)
	if err != nil {
		t.Fatal(err)
	}
	var read struct {
		Rows []struct {
			Cells []struct {
				Value string `xml:"v"`
				Text  string `xml:"is>t"`
			} `xml:"c"`
		} `xml:"sheetData>row"`
	}
	if err := xml.NewDecoder(part).Decode(&read); err != nil {
		t.Fatal(err)
	}
	for _, row := range read.Rows {
		var texts []string
		for _, cell := range row.Cells {
			texts = append(texts, cell.Value+cell.Text)
		}
		rows = append(rows, texts)
	}
	return rows
}

func TestWorkbook(t *testing.T) {
	t.Parallel()
	file := workbookOf(t, sheetRows, []string{"id", "goalQuantity", "metadata", "dueDate"}, [][]Cell{
		{Text("00417"), Number(-1), JSON(`{"heat":"88213"}`), Given("")},
		{Text("bell \a, half \xff, _x0041_"), Number(int64(1 << 53)), {}, Flag(true)},
		{Text("=1"), {}, Text("'=1"), {}},
	})
	want := [][]string{
		{"id", "goalQuantity", "metadata", "dueDate"},
		{"00417", "-1", `{"heat":"88213"}`, ""},
		{"bell _x0007_, half \uFFFD, _x005F_x0041_", "9007199254740992", "", "true"},
		{"=1", "", "''=1", ""},
	}
	if got := textsIn(t, file, "xl/worksheets/sheet1.xml"); !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	if bytes.Contains(file, []byte("<f>")) {
		t.Error("a formula")
	}
}

// Rows that do not fit into a sheet continue in the next sheet, with the same column names.
func TestWorkbookOfManySheets(t *testing.T) {
	t.Parallel()
	file := workbookOf(t, 3, []string{"id"}, [][]Cell{{Text("1")}, {Text("2")}, {Text("3")}, {Text("4")}, {Text("5")}})
	for name, want := range map[string][][]string{
		"xl/worksheets/sheet1.xml": {{"id"}, {"1"}, {"2"}},
		"xl/worksheets/sheet2.xml": {{"id"}, {"3"}, {"4"}},
		"xl/worksheets/sheet3.xml": {{"id"}, {"5"}},
	} {
		if got := textsIn(t, file, name); !reflect.DeepEqual(got, want) {
			t.Errorf("%s: %q, want %q", name, got, want)
		}
	}
}

func TestLongTextInWorkbook(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{
		"that fits": strings.Repeat("x", cellChars), "one more": strings.Repeat("x", cellChars+1),
		"beyond the basic plane": strings.Repeat("👍", cellChars), "that fits in three bytes": strings.Repeat("漢", cellChars),
	} {
		got := fitting(text)
		units := len(utf16.Encode([]rune(got)))
		if units > cellChars || units < cellChars-2 || !strings.HasPrefix(text, strings.TrimSuffix(got, "…")) {
			t.Errorf("%s: %d units", name, units)
		}
		if fits := len(utf16.Encode([]rune(text))) <= cellChars; fits != (got == text) {
			t.Errorf("%s: changed %v", name, got != text)
		}
	}
}

func TestCSV(t *testing.T) {
	t.Parallel()
	var file bytes.Buffer
	table, err := NewCSV(&file, awkward())
	if err != nil {
		t.Fatal(err)
	}
	row := make([]Cell, len(awkward()))
	for i, text := range awkward() {
		row[i] = Text(text)
	}
	row[1] = Number(-1)
	if err := table.Row(row); err != nil {
		t.Fatal(err)
	}
	read, err := csv.NewReader(&file).ReadAll()
	if err != nil || len(read) != 2 {
		t.Fatal(read, err)
	}
	for i, text := range awkward() {
		if got := Original(read[0][i]); got != text {
			t.Errorf("%q came back as %q", text, got)
		}
		if i == 1 {
			text = "-1" // a number is not a formula
		}
		if got := Original(read[1][i]); got != text || i == 1 && read[1][i] != "-1" {
			t.Errorf("%q came back as %q", text, got)
		}
	}
}
