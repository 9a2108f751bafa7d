package importcsv

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// caseFile reads a file like those of real users.
func caseFile(t *testing.T, name string) string {
	t.Helper()
	file, err := os.ReadFile(filepath.Join("testdata", name))
	if err != nil {
		t.Fatal(err)
	}
	return string(file)
}

// TestMadeNumbers imports long numbers in the form that spreadsheet programs change them to, as every identifier of every kind.
func TestMadeNumbers(t *testing.T) {
	t.Parallel()
	for _, kind := range importing.Kinds() {
		for _, column := range kind.Identifiers {
			for text, doubtful := range map[string]bool{
				"1.2E+05": true, "1,2E+05": true, "1E+15": true, "-4E+10": true, "1.5e+11": true, "1.5E11": true, "150.0E+9": true, "1E-05": true,
				"1,50E+11": true, "1.5x10^11": true, "1,5 × 10¹¹": true, "1.5D+11": true, "4500123.0": !slices.Contains(kind.Decimals, column),
				"4500123,00": !slices.Contains(kind.Decimals, column), "12E05": false, "A1E+05": false, "4500123": false, "007": false, "1.5": false,
				"E5": false, "12.05": false,
			} {
				rows, _ := readAll(t, column+";\n\""+text+"\";\n", kind.Name, Options{})
				if got := len(rows) == 1 && (rows[0].Doubtful != nil || rows[0].Err != nil); got != doubtful {
					t.Errorf("%s.%s %q: %+v", kind.Name, column, text, rows)
				}
			}
		}
	}
}

// TestNumbersOfUnits reads lists and ranges of own numbers.
func TestNumbersOfUnits(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"MB-1, MB-2, MB-3": "MB-1 MB-2 MB-3", "MAC-A1,MAC-A2": "MAC-A1 MAC-A2", "MD-1;MD-2;": "MD-1 MD-2", " a\u00a0b\tc\nd ": "a b c d", "a，b": "a b",
		"ME-1..ME-3": "ME-1 ME-2 ME-3", "008..011": "008 009 010 011", "9..11,20": "9 10 11 20", "ME-9…ME-10": "ME-9 ME-10", "SN-2024-0001": "SN-2024-0001",
		"2611-0001 2611-0002": "2611-0001 2611-0002", `["A" , "B"]`: "A B", "A/8004/77": "A/8004/77", "(10)55": "(10)55",
		"ME-1-ME-3": "!ME-1-ME-3", "A1–A3": "!A1–A3", "A1–3": "!A1–3", "ME-1 to ME-3": "!to", "ME-1 and ME-2": "!and", "ME-1 - ME-3": "!-", "3..1": "!3..1",
		"ME-1..MF-3": "!ME-1..MF-3", "1..100001": "!1..100001", "ME-1 .. ME-3": "!..", "A..": "!A..", `["A, B"]`: "!A, B", "01..100": "!01..100",
		"1..99999999999999999999": "!1..99999999999999999999",
	} {
		rows, _ := readAll(t, "serialNumbers\t\n\""+strings.ReplaceAll(text, `"`, `""`)+"\"\t\n", "jobs", Options{})
		var got string
		if err := rows[0].Err; err != nil {
			refused, _ := errors.AsType[*refusal.Error](err)
			got = "!" + refused.Arg("value")
		} else if in, ok := rows[0].In.(*importing.JobInput); ok {
			got = strings.Join(textsIn(t, in.SerialNumbers), " ")
		}
		if got != want {
			t.Errorf("%q is %q, want %q", text, got, want)
		}
	}
	for name, want := range map[string]string{
		"serials-comma.csv": "MAC-A1 MAC-A2 MAC-A3", "serials-comma-space.csv": "MB-1 MB-2 MB-3", "serials-semicolon.csv": "MD-1 MD-2 MD-3",
	} {
		in, _ := jobs(t, caseFile(t, name))[0].In.(*importing.JobInput)
		if got := strings.Join(textsIn(t, in.SerialNumbers), " "); got != want {
			t.Errorf("%s is %q, want %q", name, got, want)
		}
	}
	if rows := jobs(t, caseFile(t, "serials-range.csv")); rows[0].Err == nil || rows[0].Column != "serialNumbers" {
		t.Errorf("%+v", rows)
	}
}

// textsIn returns the texts of a list.
func textsIn(t *testing.T, in input.TextsInput) []string {
	t.Helper()
	if !in.Supplied() {
		return nil
	}
	got, err := input.Texts("list", in)
	if err != nil {
		t.Fatal(err)
	}
	return got
}

// TestNoNumberHasASeparator draws lists of numbers: no number that is read from them contains a separator.
func TestNoNumberHasASeparator(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.StringMatching(`[AB1-3 .,;\[\]"…\x{a0}–-]{0,20}`).Draw(t, "text")
		if unclear(text) != "" {
			return
		}
		for _, number := range texts(text) {
			if strings.ContainsFunc(number, separates) || strings.Contains(number, "..") {
				t.Fatalf("%q became %q", text, texts(text))
			}
		}
	})
}

// TestBytesOfNoCharacter imports each byte that is invalid in Windows-1252 in every text column of every kind.
func TestBytesOfNoCharacter(t *testing.T) {
	t.Parallel()
	for _, kind := range importing.Kinds() {
		for _, field := range kind.Fields {
			for _, undefined := range []string{"\x81", "\x8d", "\x8f", "\x90", "\x9d"} {
				rows, _ := readAll(t, field.Name+";\nM"+undefined+"ller;\n", kind.Name, Options{Windows1252: true})
				if refused, _ := errors.AsType[*refusal.Error](rows[0].Err); refused == nil || refused.Reason != NotWindows1252 {
					t.Errorf("%s.%s %q: %v", kind.Name, field.Name, undefined, rows[0].Err)
				}
			}
		}
	}
	rows, file := readAll(t, caseFile(t, "cp850.csv"), "jobs", Options{Windows1252: true})
	if rows[0].Err == nil || rows[0].Column != "customer" {
		t.Errorf("%+v", rows)
	}
	var back bytes.Buffer
	if err := file.WriteErrors(&back, []importing.RefusedRow{{Row: 2, Err: rows[0].Err}}); err != nil || !strings.Contains(back.String(), "M\x81ller") {
		t.Errorf("%q %v", back.String(), err)
	}
}

// TestMissingLastCells leaves out the last cells of a row of every kind, with each separator, and ends the header with a separator.
func TestMissingLastCells(t *testing.T) {
	t.Parallel()
	for _, kind := range importing.Kinds() {
		for _, separator := range []string{",", ";", "\t"} {
			names := []string{}
			for _, field := range kind.Fields {
				names = append(names, field.Name)
			}
			head := strings.Join(names, separator)
			options := []Options{{}}
			if kind.Machine {
				options = append(options, Options{Machine: true})
			}
			for _, options := range options {
				full, _ := readAll(t, head+"\nx"+strings.Repeat(separator, len(names)-1)+"\n", kind.Name, options)
				for _, file := range []string{head + "\nx\n", head + "\nx" + separator, head + separator + separator + "\nx" + separator + separator + "\n"} {
					rows, _ := readAll(t, file, kind.Name, options)
					if len(rows) != 1 || rows[0].Err != nil || !reflect.DeepEqual(rows[0].In, full[0].In) {
						t.Errorf("%s %q: %+v", kind.Name, file, rows)
					}
				}
			}
		}
	}
	for name, rows := range map[string]int{"excel_trailing.csv": 3, "trailing_head.csv": 2} {
		got := jobs(t, caseFile(t, name))
		if len(got) != rows || slices.ContainsFunc(got, func(row importing.Row) bool { return row.Err != nil }) {
			t.Errorf("%s: %+v", name, got)
		}
	}
}

// TestAroundTables reads tables with the extra rows and cells that spreadsheet programs write around and into them.
func TestAroundTables(t *testing.T) {
	t.Parallel()
	for _, begin := range []string{"sep=;\n", "SEP=;\r\n", "\"sep=;\"\n", "\uFEFFsep=;\r", "sep=;;;\n"} {
		rows, file := readAll(t, begin+"name;customer\nA,B;C\n", "jobs", Options{})
		var back bytes.Buffer
		if err := file.WriteErrors(&back, nil); err != nil || !strings.HasPrefix(back.String(), begin+"name;customer;") {
			t.Errorf("%q came back as %q: %v", begin, back.String(), err)
		}
		if in, _ := rows[0].In.(*importing.JobInput); len(rows) != 1 || rows[0].Row != 3 || in.Name != input.Given("A,B") {
			t.Errorf("%q: %+v", begin, rows)
		}
	}
	for separator, comma := range map[string]bool{",": false, "\t": false, "|": false, ";": true} {
		rows, _ := readAll(t, "sep="+separator+"\nname"+separator+"customer\nA"+separator+"B\n", "jobs", Options{})
		if in, _ := rows[0].In.(*importing.JobInput); in.Customer != input.Given("B") || (rows[0].Decimals == input.DecimalComma) != comma {
			t.Errorf("%q: %+v", separator, rows)
		}
	}
	if rows := jobs(t, caseFile(t, "sep.csv")); len(rows) != 1 || rows[0].Row != 3 || rows[0].Err != nil {
		t.Errorf("%+v", rows)
	}
	for _, of := range []struct {
		text, want string
		order      DayOrder
	}{
		{"2026-12-01T00:00:00Z", "2026-12-01", ""}, {"2026-12-01T00:00:00.000Z", "2026-12-01", ""}, {"2026-12-01T00:00:00+01:00", "2026-12-01", ""},
		{"01.12.2026 00:00", "2026-12-01", ""}, {"1.12.2026 0:00:00", "2026-12-01", ""}, {"2026-12-01 00:00", "2026-12-01", ""}, {"20261201", "2026-12-01", ""},
		{"12/1/2026 12:00:00 AM", "2026-12-01", MonthFirst}, {"1/12/2026 0:00", "2026-12-01", DayFirst}, {" 2026/12/1 ", "2026-12-01", ""},
		{"2026-12-01T23:00:00Z", "2026-12-01T23:00:00Z", ""}, {"01.12.2026 14:30", "01.12.2026 14:30", ""}, {"12/1/2026 0:00", "12/1/2026 0:00", ""},
		{"12/1/2026 12:00 PM", "12/1/2026 12:00 PM", MonthFirst}, {"01122026", "01122026", ""}, {"46357", "46357", ""},
	} {
		if got := isoDate(of.text, of.order); got != of.want {
			t.Errorf("%q is %q, want %q", of.text, got, of.want)
		}
	}
	if file, err := open(t, "dueDate\n12/1/2026 12:00:00 AM\n", "jobs", Options{}); err != nil {
		t.Error(err)
	} else if asked, err := file.Slashed(5); !asked || err != nil {
		t.Errorf("the order of days is not asked: %v", err)
	}
}

// TestLineBreaks imports line breaks in every text column of every kind. They become blanks, except in multi-line texts.
func TestLineBreaks(t *testing.T) {
	t.Parallel()
	for _, kind := range importing.Kinds() {
		for _, field := range kind.Fields {
			if field.Shape.Kind != input.TextKind || slices.Contains(kind.Dates, field.Name) {
				continue
			}
			rows, _ := readAll(t, field.Name+";\n\"a \r\nb\tc\n\";\n", kind.Name, Options{})
			want := "a b c"
			if slices.Contains(kind.Lines, field.Name) {
				want = "a \r\nb\tc\n"
			}
			if got := reflect.ValueOf(rows[0].In).Elem().FieldByIndex(field.Index).Interface(); got != input.Given(want) {
				t.Errorf("%s.%s: %+v", kind.Name, field.Name, got)
			}
		}
		for _, column := range kind.Lines {
			if field(&kind, column) == nil {
				t.Errorf("%s has no column %s", kind.Name, column)
			}
		}
	}
	for i, row := range jobs(t, caseFile(t, "newline_name.csv")) {
		in, _ := row.In.(*importing.JobInput)
		want := []string{"Shaft with keyway", "Shaft  double", "Tab here", " Shaft "}[i] // the operation trims the last one
		if row.Err != nil || in.Name != input.Given(want) || i == 3 && in.PartNumber != input.Given("P 1") {
			t.Errorf("row %d: %+v", row.Row, in)
		}
	}
}

// TestTitles refuses files with a title above the names of the columns, and no others.
func TestTitles(t *testing.T) {
	t.Parallel()
	for file, header := range map[string]int{
		caseFile(t, "title.csv"): 3, "Offene Aufträge;;\n\nAuftrag;Teil;Menge\n1;2;3\n": 3, "Report,Open orders\nname,customer\nA,B\n": 2,
		"Open orders\n\n\n\nname,customer\nA,B\n":                                   5,
		"Import Template\nTable:,Work Order\n\nname,customer,goalQuantity\nA,B,1\n": 4, "Liste\nStand:,heute\nAuftrag,Teil,Menge\n1,2,3\n": 3,
		"name\nA\n": 0, "Auftrag;Teil\n1;2\n": 0, "Auftrag\n1\n": 0, "name\nA,B\n": 0, "name,customer\nname,customer\n": 0, "": -1,
	} {
		_, err := open(t, file, "jobs", Options{})
		refused, _ := errors.AsType[*refusal.Error](err)
		switch {
		case header > 0:
			if refused == nil || refused.Reason != TitleAbove || refused.Arg("row") != "1" || refused.Arg("header") != fmt.Sprint(header) {
				t.Errorf("%q: %v", file, err)
			}
		case header == 0 && err != nil:
			t.Errorf("%q: %v", file, err)
		}
	}
}

// TestUTF8AsWindows1252 sends a file in UTF-8 as Windows-1252: no text is changed by that.
func TestUTF8AsWindows1252(t *testing.T) {
	t.Parallel()
	for _, kind := range importing.Kinds() {
		for _, field := range kind.Fields {
			for text, refused := range map[string]bool{"Müller": true, "日本": true, "M\xfcller": false, "Muller": false} {
				rows, _ := readAll(t, field.Name+";\n"+text+";\n", kind.Name, Options{Windows1252: true})
				if told, _ := errors.AsType[*refusal.Error](rows[0].Err); (told != nil && told.Reason == InUTF8) != refused {
					t.Errorf("%s.%s %q: %v", kind.Name, field.Name, text, rows[0].Err)
				}
			}
		}
	}
}

// TestFormulaErrors imports the error values of spreadsheets, such as #N/A, in every column of every kind.
func TestFormulaErrors(t *testing.T) {
	t.Parallel()
	for _, kind := range importing.Kinds() {
		for _, field := range kind.Fields {
			for text, refused := range map[string]bool{
				"#N/A": true, "#NV": true, "#REF!": true, "#BEZUG!": true, "#VALUE!": true, "#WERT!": true, "#DIV/0!": true, " #NAME? ": true, "#######": true,
				"#1": false, "##": false, "N/A": false, "#7 REF!": false,
			} {
				rows, _ := readAll(t, field.Name+";\n"+text+";\n", kind.Name, Options{})
				if told, _ := errors.AsType[*refusal.Error](rows[0].Err); (told != nil && told.Reason == FormulaError) != refused {
					t.Errorf("%s.%s %q: %v", kind.Name, field.Name, text, rows[0].Err)
				}
			}
		}
	}
	// A column that is not read may have any content.
	if rows, _ := readAll(t, "name,late\nA,#N/A\n", "jobs", Options{Columns: map[string]string{"late": ""}}); rows[0].Err != nil {
		t.Error(rows[0].Err)
	}
}
