package importcsv

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Texts as machines write them. For each row the tests expect the feature, the value, the nominal and the tolerances.
const (
	blanks = `PART NAME  : HOUSING            REV NUMBER : C
DATE=11/24/2026   TIME=10:15:00 AM

 FEATURE   AX    NOMINAL     +TOL     -TOL     MEAS      DEV   OUTTOL
 CIR1      X     25.0000   0.0500   0.0500  25.0120   0.0120   0.0000 ----#----
 CIR1      D     12.5000   0.0100   0.0100  12.5030   0.0030   0.0000 -----#---
---------------------------------------------------------------------
 FEATURE   AX    NOMINAL     +TOL     -TOL     MEAS      DEV   OUTTOL
 BORE NO 2 D     -12,5000  0,0100   0,0100 -12,5030   0,0030   0,0000

END
`
	tabs       = "planid\tid\tactual\tnominal\tuppertol\tlowertol\tdeviation\n1\tDurchmesser 7\t12,5030\t12,5\t0,01\t-0,01\t0,003\nEND\t\t\t\t\t\t\n"
	semicolons = "\uFEFFFeature;Actual;Nominal\r\n7;12.503;12.500\r\n"
)

func machineRows(t *testing.T, text string, options Options) (rows []string, file *File) {
	t.Helper()
	options.Machine = true
	read, file := readAll(t, text, "measurements", options)
	for _, row := range read {
		if row.Err != nil {
			rows = append(rows, fmt.Sprint(row.Row, " ", row.Err))
			continue
		}
		in := row.In.(*importing.MeasurementInput) //nolint:errcheck,forcetypeassert // it is
		cell := func(field any) string { return strings.Trim(strings.TrimPrefix(fmt.Sprint(field), "{4 "), "{}") }
		rows = append(rows, strings.Join([]string{
			fmt.Sprint(row.Row), cell(in.Number), cell(in.Value), cell(in.Nominal), cell(in.UpperTolerance), cell(in.LowerTolerance), cell(in.Unit),
		}, "|"))
		if row.Decimals != input.DecimalEither {
			t.Errorf("%q has decimals %v", text, row.Decimals)
		}
	}
	return rows, file
}

func TestMachineText(t *testing.T) {
	t.Parallel()
	mapped := Options{Features: map[string]string{"CIR1 D": "7", "CIR1 X": "", "BORE NO 2 D": "8 (A)"}, Constants: map[string]string{"unit": "mm"}}
	for name, c := range map[string]struct {
		text    string
		options Options
		want    []string
	}{
		"blanks": {blanks, mapped, []string{"6|7|12.5030|12.5000|0.0100|0.0100|mm", "9|8 (A)|-12,5030|-12,5000|0,0100|0,0100|mm"}},
		"blanks, nothing mapped": {blanks, Options{}, []string{
			"5|CIR1 X|25.0120|25.0000|0.0500|0.0500|0 ", "6|CIR1 D|12.5030|12.5000|0.0100|0.0100|0 ",
			"9|BORE NO 2 D|-12,5030|-12,5000|0,0100|0,0100|0 ",
		}},
		"tabs":       {tabs, Options{}, []string{"2|Durchmesser 7|12,5030|12,5|0,01|-0,01|0 "}},
		"semicolons": {semicolons, Options{}, []string{"2|7|12.503|12.500|0 |0 |0 "}},
		"other names": {"Merkmal;Istwert;MEAS\nB1;1,5;2\n", Options{Columns: map[string]string{"Merkmal": "feature", "Istwert": "value"}},
			[]string{"2|B1|1,5|0 |0 |0 |0 "}},
		"names with blanks": {"Feature name   Upper Tol   MEAS\nA 1   0.1 5\n",
			Options{Columns: map[string]string{"Feature name": "feature", "Upper Tol": "upperTolerance"}}, []string{"2|A 1|5|0 |0.1|0 |0 "}},
		"single blanks":           {"AX NOMINAL MEAS\nD 1 2\n", Options{}, []string{"2|D|2|1|0 |0 |0 "}},
		"cut short":               {"FEATURE  NOMINAL  MEAS\nA  1\nB  1  2\n", Options{}, []string{"2 The row has 2 cells, and the file has 3 columns", "3|B|2|1|0 |0 |0 "}},
		"a quote that is an inch": {"TITLE 5\" BORE\nID\tMEAS\n7\t5\n", Options{}, []string{"3|7|5|0 |0 |0 |0 "}},
		"carriage returns":        {"ID MEAS\r7 5\r", Options{}, []string{"2|7|5|0 |0 |0 |0 "}},
		"counted rows":            {"Number;Feature;Actual\n8;7;5\n", Options{}, []string{"2|7|5|0 |0 |0 |0 "}},
		"numbers of the drawing": {"Number;Feature;Actual\n8;7;5\n", Options{Columns: map[string]string{"Number": "number"}},
			[]string{"2|8|5|0 |0 |0 |0 "}},
		"no rows": {"ID MEAS\n", Options{}, nil},
	} {
		if rows, _ := machineRows(t, c.text, c.options); !reflect.DeepEqual(rows, c.want) {
			t.Errorf("%s:\n%q, want\n%q", name, rows, c.want)
		}
	}
}

// WriteErrors writes the original text with the reasons why rows were refused. Reading that text gives the same rows.
func TestMachineTextComesBack(t *testing.T) {
	t.Parallel()
	for name, text := range map[string]string{"blanks": blanks, "tabs": tabs, "semicolons": semicolons} {
		rows, file := machineRows(t, text, Options{})
		var told strings.Builder
		if err := file.WriteErrors(&told, []importing.RefusedRow{{Row: 9, Err: errors.New("value is required")}}); err != nil {
			t.Fatal(err)
		}
		again, other := machineRows(t, told.String(), Options{})
		if !reflect.DeepEqual(again, rows) {
			t.Errorf("%s came back as %q: %q, want %q", name, told.String(), again, rows)
		}
		if name == "blanks" && !strings.Contains(told.String(), "0,0000\t\"value is required\"\n") {
			t.Error(told.String())
		}
		var twice strings.Builder
		if err := other.WriteErrors(&twice, []importing.RefusedRow{{Row: 9, Err: errors.New("value is required")}}); err != nil || twice.String() != told.String() {
			t.Errorf("%s: %q, then %q (%v)", name, told.String(), twice.String(), err)
		}
	}
}

func TestMachineTextRefused(t *testing.T) {
	t.Parallel()
	const noTable = "No line of the text names a column for the value and one for the feature: say with columns what they are called"
	for name, c := range map[string]struct {
		text    string
		options Options
		want    string
	}{
		"nothing":           {"", Options{}, noTable},
		"no value":          {"FEATURE NOMINAL\n7 5\n", Options{}, noTable},
		"no feature":        {"NOMINAL MEAS\n7 5\n", Options{}, noTable},
		"too wide":          {strings.Repeat("ID,MEAS,", 100_000), Options{}, noTable},
		"two bytes a sign":  {"\xff\xfeI\x00D\x00", Options{}, "The file is in UTF-16. Save it in UTF-8"},
		"without the mark":  {"I\x00D\x00", Options{}, "The file is in UTF-16. Save it in UTF-8"},
		"not of the file":   {"ID MEAS\n", Options{Columns: map[string]string{"Ist": "value"}}, noTable},
		"not of the kind":   {"ID;MEAS;x\n", Options{Columns: map[string]string{"x": "velue"}}, "Unknown column: x"},
		"twice":             {"ID;MEAS;x\n", Options{Columns: map[string]string{"x": "unit"}, Constants: map[string]string{"unit": "mm"}}, "The column unit is there twice"},
		"unknown constants": {"ID;MEAS\n", Options{Constants: map[string]string{"Value": "1"}}, "Unknown column: Value (is it value?)"},
	} {
		c.options.Machine = true
		file, err := open(t, c.text, "measurements", c.options)
		if err == nil {
			err = file.Check()
		}
		if err == nil || err.Error() != c.want {
			t.Errorf("%s: %v, want %s", name, err, c.want)
		}
	}
}

// The features of a file are those of all its rows, including omitted rows.
func TestFeaturesOf(t *testing.T) {
	t.Parallel()
	_, file := machineRows(t, blanks, Options{Features: map[string]string{"CIR1 D": ""}})
	features, more, err := file.FeaturesOf(9)
	if want := []string{"CIR1 X", "CIR1 D", "BORE NO 2 D"}; err != nil || more || !reflect.DeepEqual(features, want) {
		t.Errorf("%q, %t, %v", features, more, err)
	}
	if features, more, err = file.FeaturesOf(2); err != nil || !more || len(features) != 2 {
		t.Errorf("%q, %t, %v", features, more, err)
	}
	rows := 0
	for range file.Rows() {
		rows++
	}
	if rows != 2 {
		t.Errorf("%d rows are left", rows)
	}
}

// A line with very many words in a block is not a header. It is refused without comparing each word with all others.
func TestBlockWithLongLine(t *testing.T) {
	t.Parallel()
	var text strings.Builder
	for _, last := range []string{"", " MEAS"} {
		text.WriteString("DIM LOC1= X\n")
		for i := range 120_000 {
			fmt.Fprintf(&text, "%d ", i)
		}
		text.WriteString(last + "\n")
	}
	text.WriteString("DIM LOC2= X\nAX MEAS\nD 5\n")
	file, err := Open(strings.NewReader(text.String()), int64(text.Len()), machineKind(), Options{Machine: true})
	if err != nil {
		t.Fatal(err)
	}
	taken := 0
	for row := range file.Rows() {
		if row.Err == nil {
			taken++
		}
	}
	if taken != 1 {
		t.Errorf("%d rows are read", taken)
	}
}

// machineKind returns the kind of records that measuring machines write.
func machineKind() *importing.Kind {
	kinds := importing.Kinds()
	return &kinds[slices.IndexFunc(kinds, func(kind importing.Kind) bool { return kind.Machine })]
}

// FuzzMachine reads a text as a machine's: every error is a refusal, every row has a cell for each column or a reason why not, and the text
// that is written with the reasons gives the same rows.
func FuzzMachine(f *testing.F) {
	for _, text := range []string{blanks, tabs, semicolons, dimBlocksText, "DIM A=\nAX MEAS\nD 5 --\n", "AX MEAS\nD 5\nDIM = $\nDIM B= $\nUNITS=MM\nMEAS AX\terror\n5 PA\t\"x\"\n", "ID MEAS\terror\n7 5\t\"x\"\n", "ID\tMEAS\n\"7\t5\n", "AX  MEAS\r\n\r\nEND\r\n-- --\n"} {
		f.Add([]byte(text), false)
	}
	f.Add([]byte("Merkmal;MEAS;ID\nL\xe4nge;1;2\n"), true)
	kind := machineKind()
	read := func(t *testing.T, text []byte, latin bool) (*File, []importing.Row) {
		file, err := Open(strings.NewReader(string(text)), int64(len(text)), kind, Options{Machine: true, Windows1252: latin})
		if err == nil {
			err = file.Check()
		}
		var rows []importing.Row
		if err == nil {
			for row, failed := range file.Rows() {
				if err = failed; err == nil {
					rows = append(rows, row)
				}
			}
		}
		if _, refused := errors.AsType[*refusal.Error](err); err != nil && !refused {
			t.Fatalf("%q: %v", text, err)
		}
		if err != nil {
			return nil, nil
		}
		return file, rows
	}
	f.Fuzz(func(t *testing.T, text []byte, latin bool) {
		file, rows := read(t, text, latin)
		if file == nil {
			return
		}
		if _, _, err := file.FeaturesOf(3); err != nil {
			t.Fatal(err)
		}
		last := 0
		for _, row := range rows {
			if row.Row <= last {
				t.Fatalf("%q: row %d comes after %d", text, row.Row, last)
			}
			last = row.Row
		}
		var told strings.Builder
		if err := file.WriteErrors(&told, nil); err != nil {
			t.Fatal(err)
		}
	})
}

// dimBlocksText is a report with DIM blocks as PC-DMIS writes them: with a header on each page, a wrapped first line, columns in another
// order, a block without rows, a block without an end, and lines outside blocks.
const dimBlocksText = `PART NAME  : HOUSING
DATE=11/24/2026   TIME=10:15:00 AM

DIM LOC1= LOCATION OF CIRCLE CIR1  UNITS=MM
AX    NOMINAL       MEAS       +TOL       -TOL        DEV     OUTTOL
X       0.000      0.002      0.005      0.005      0.002      0.000 ----#----
PA     30.000     30.010      0.500      0.500      0.010      0.000
PART NAME  : HOUSING
AX    NOMINAL       MEAS       +TOL       -TOL        DEV     OUTTOL
D      16.000     16.004      0.010      0.000      0.004      0.000
END OF DIMENSION LOC1
DIM EMPTY= LOCATION OF LINE LIN1  UNITS=MM
END OF DIMENSION EMPTY
DIM DIST1= 2D DISTANCE FROM LINE LIN1 TO LINE LIN2 ,$
GRAPH=OFF  TEXT=OFF  UNITS=IN  OUTPUT=BOTH
AX       MEAS    NOMINAL       +TOL       -TOL      BONUS     OUTTOL
M       0.126      0.125      0.010      0.010      0.000      0.000 ---#-----
DIM ANGL1= 2D ANGLE FROM LINE LIN1 TO LINE LIN2
AX    NOMINAL       MEAS       +TOL       -TOL        DEV     OUTTOL
A          30       30.1        0.5        0.5        0.1      0.000
`

// TestDimBlocks reads reports in which a line above each table has the feature.
func TestDimBlocks(t *testing.T) {
	t.Parallel()
	const outside = " The line belongs to no table of a DIM block: correct the block, or remove the line"
	whole := []string{
		"6|LOC1.X|0.002|0.000|0.005|0.005|MM", "7|LOC1.PA|30.010|30.000|0.500|0.500|°", "10|LOC1.D|16.004|16.000|0.010|0.000|MM",
		"17|DIST1.M|0.126|0.125|0.010|0.010|IN", "20|ANGL1.A|30.1|30|0.5|0.5|°",
	}
	for name, c := range map[string]struct {
		text    string
		options Options
		want    []string
	}{
		"the report of a user": {caseFile(t, "pcdmis_dim.txt"), Options{}, []string{"3|LOC1.X|0.002|0.000|0.005|0.005|MM", "4|LOC1.D|16.004|16.000|0.010|0.000|MM"}},
		"several blocks":       {dimBlocksText, Options{}, whole},
		"CRLF":                 {strings.ReplaceAll(dimBlocksText, "\n", "\r\n"), Options{}, whole},
		"mapped": {dimBlocksText, Options{Features: map[string]string{"LOC1.X": "", "LOC1.PA": "", "LOC1.D": "7", "DIST1.M": "8 (A)", "ANGL1.A": ""}, Columns: map[string]string{"UNITS": ""}},
			[]string{"10|7|16.004|16.000|0.010|0.000|0 ", "17|8 (A)|0.126|0.125|0.010|0.010|0 "}},
		"no unit": {"DIM A=\nAX MEAS\nD 5\n", Options{Constants: map[string]string{"unit": "mm"}}, []string{"3|A.D|5|0 |0 |0 |mm"}},
		"one block without a unit": {"DIM A=\nAX MEAS\nD 5\nDIM B= UNITS=MM\nAX MEAS\nD 5\n", Options{Units: map[string]string{"A.D": "in", "B.D": "in"}},
			[]string{"3|A.D|5|0 |0 |0 |in", "6|B.D|5|0 |0 |0 |MM"}},
		"an angle in radians": {"DIM A= UNITS=RAD\nAX MEAS\nA 0.5\n", Options{}, []string{"3|A.A|0.5|0 |0 |0 |RAD"}},
		"no axis":             {"DIM A= FLATNESS\nMEAS OUTTOL\n0.01 0\n", Options{}, []string{"3|A|0.01|0 |0 |0 |0 "}},
		"a name with a blank": {"DIM A 1= FLATNESS\nAX MEAS\nM 0.01\n", Options{}, []string{"3|A 1.M|0.01|0 |0 |0 |0 "}},
		"no rows":             {"DIM A= UNITS=MM\nAX MEAS\nEND OF DIMENSION A\n", Options{}, nil},
		"rows with lost, further and wrong cells": {"DIM A= UNITS=MM\nAX NOMINAL MEAS\nD 5 ----#----\nD 5 5 5\nTP RFS 5\n", Options{}, []string{
			"3 The row has 2 cells, and the file has 3 columns", "4 The row has something where no column has a name", "5|A.TP|5|RFS|0 |0 |MM",
		}},
		"lines outside of a block":                    {"DIM A=\nAX MEAS\nD 5\nEND OF DIMENSION A\nX 6\nAX MEAS\nD 7\n", Options{}, []string{"3|A.D|5|0 |0 |0 |0 ", "5" + outside, "6" + outside, "7" + outside}},
		"a table above the blocks":                    {"FEATURE AX MEAS\nA X 6\nDIM B=\nAX MEAS\nD 5\n", Options{}, []string{"1" + outside, "2" + outside, "5|B.D|5|0 |0 |0 |0 "}},
		"the end of another block":                    {"DIM A=\nAX MEAS\nD 5\nEND OF DIMENSION B\n", Options{}, []string{"3|A.D|5|0 |0 |0 |0 ", "4" + outside}},
		"a block without a name":                      {"DIM A=\nAX MEAS\nDIM = X\nAX MEAS\nD 5\n", Options{}, []string{"3" + outside, "4" + outside, "5" + outside}},
		"a header that is not understood":             {"DIM A=\nAX MEAS\nD 5\nDIM B=\nAX IST\nD 6\n", Options{}, []string{"3|A.D|5|0 |0 |0 |0 ", "5" + outside, "6" + outside}},
		"a table with a line that looks like a block": {"DIM UNITS=MM\nFEATURE AX MEAS\nA X 6\n", Options{}, []string{"3|A X|6|0 |0 |0 |0 "}},
	} {
		rows, file := machineRows(t, c.text, c.options)
		if !reflect.DeepEqual(rows, c.want) {
			t.Errorf("%s:\n%q, want\n%q", name, rows, c.want)
		}
		var refused []importing.RefusedRow
		for row := range file.Rows() {
			if row.Err != nil {
				refused = append(refused, importing.RefusedRow{Row: row.Row, Err: row.Err})
			}
		}
		var written strings.Builder
		if err := file.WriteErrors(&written, refused); err != nil {
			t.Fatal(err)
		}
		again, other := machineRows(t, written.String(), c.options)
		var twice strings.Builder
		if err := other.WriteErrors(&twice, refused); err != nil || !reflect.DeepEqual(again, c.want) || twice.String() != written.String() {
			t.Errorf("%s came back as %q: %q, then %q (%v)", name, written.String(), again, twice.String(), err)
		}
	}
	_, file := machineRows(t, dimBlocksText, Options{Features: map[string]string{"LOC1.X": ""}})
	if features, more, err := file.FeaturesOf(9); err != nil || more || !reflect.DeepEqual(features, []string{"LOC1.X", "LOC1.PA", "LOC1.D", "DIST1.M", "ANGL1.A"}) {
		t.Errorf("%q, %t, %v", features, more, err)
	}
}
