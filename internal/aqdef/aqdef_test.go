package aqdef

import (
	"errors"
	"os"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

func parsed(t *testing.T, name string) *File {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := Parse(text)
	if err != nil {
		t.Fatal(err)
	}
	return file
}

func described() []Characteristic {
	return []Characteristic{
		{Number: "1", Name: "Pos X", Nominal: "0.000", Lower: "-0.005", Upper: "0.005", Unit: "mm"},
		{Number: "3", Name: "Diameter", Nominal: "16.000", LowerTolerance: "0.000", UpperTolerance: "0.010", Unit: "mm"},
		{Number: "7", Name: "Free of burr", Counted: true},
	}
}

func TestParseValuesInLines(t *testing.T) {
	t.Parallel()
	line := func(n int) []Value {
		others := func(gage bool) map[string]string {
			of := map[string]string{"K0006": "#H4711", "K0008": "1"}
			if gage {
				of["K0012"] = "3"
			}
			return of
		}
		return []Value{
			{Line: n, Text: "0.001", Attribute: "0", Time: "26.11.2026/10:00:00", Others: others(true)},
			{Line: n, Characteristic: 1, Text: "16.004", Attribute: "0", Time: "26.11.2026/10:00:05", Others: others(true)},
			{Line: n, Characteristic: 2, Size: "1", Defects: "0", Attribute: "0", Time: "26.11.2026/10:00:09", Others: others(false)},
		}
	}
	want := &File{Part: "G-16", PartName: "Gate", Characteristics: described(), Values: append(line(20), line(21)...)}
	got := parsed(t, "qdas.dfq")
	for i := range got.Values {
		got.Values[i].Line = want.Values[i].Line
	}
	if diff := cmp.Diff(want, got); diff != "" {
		t.Error(diff)
	}
}

func TestParseValuesByKey(t *testing.T) {
	t.Parallel()
	want := []Value{
		{Line: 21, Text: "0.001", Time: "26.11.2026/10:00:00", Serial: "SN-00038", Others: map[string]string{"K0006": "#H4711"}},
		{Line: 25, Text: "0.002", Time: "26.11.2026/10:10:00", Serial: "SN-00039"},
		{Line: 28, Characteristic: 1, Text: "16.004", Time: "26.11.2026/10:00:05", Serial: "SN-00038"},
		{Line: 31, Characteristic: 1, Text: "16.011", Time: "26.11.2026/10:10:05", Serial: "SN-00039"},
	}
	if diff := cmp.Diff(want, parsed(t, "qdas-keys.dfq").Values); diff != "" {
		t.Error(diff)
	}
}

func TestParseRefuses(t *testing.T) {
	t.Parallel()
	const head = "K0100 1\nK2001/1 7\nK2002/1 Bore\n"
	for text, want := range map[string]string{
		head + "nonsense\x141\x0f2\n":             "Line 4: it has values of 2 characteristics, and 1 are described",
		"hello\n":                                 `Line 1: "hello" is neither a key nor a value`,
		head + "K0001/2 5\n":                      "Line 4: K0001/2 is of a characteristic that is not described",
		head + "K0014/1 A-1\n":                    "Line 4: K0014/1 comes before a value",
		head + "K2004/1 2\n":                      `Line 4: K2004/1 is "2": only measured (0) and counted (1) characteristics are read`,
		head + "K1001/2 B\n":                      "Line 4: K1001 describes a second part: send each part in a file of its own",
		head + "K2001/1 8\n":                      `Line 4: K2001/1 is "8", and was "7"`,
		"K0100 2\nK2001/1 7\n":                    "Line 3: K0100 announces 2 characteristics, and 1 are described",
		"K0100 x\n":                               `Line 1: K0100 is "x", and not a number of characteristics`,
		"K2001 7\n":                               "Line 1: K2001 does not say of which characteristic it is",
		head + strings.Repeat("1\x14", 11) + "\n": "Line 4: the value of characteristic 1 has 12 fields, and at most 10 are known",
	} {
		_, err := Parse([]byte(text))
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// The text is UTF-8 or windows-1252, with either end of lines.
func TestParseEncodings(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"\ufeffK1002 Gehäuse\r\n", "K1002 Geh\xe4use\n", "K1002 Gehäuse"} {
		if file, err := Parse([]byte(text + "\nK2001/1 7\n")); err != nil || file.PartName != "Gehäuse" {
			t.Errorf("%q: %+v, %v", text, file, err)
		}
	}
}

func TestMeasured(t *testing.T) {
	t.Parallel()
	zone := time.FixedZone("CET", 3600)
	value := Value{Line: 3, Time: "26.11.2026/10:00:05"}
	if at, err := value.Measured(zone); err != nil || at.UTC().Format(time.RFC3339) != "2026-11-26T09:00:05Z" {
		t.Errorf("%s, %v", at, err)
	}
	value.Time = "11/26/2026 10:00"
	if _, err := value.Measured(zone); err == nil {
		t.Error("a time in another order is read")
	}
}

// FuzzParse reads any text: it is refused by line, or what it has is written and read as it was.
func FuzzParse(f *testing.F) {
	for _, name := range []string{"qdas.dfq", "qdas-keys.dfq"} {
		text, err := os.ReadFile("testdata/" + name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("K0100 1\nK2001/1 7\n1,5\n\n2\x140\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := Parse(text)
		if _, ok := errors.AsType[*LineError](err); err != nil && !ok {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		for i := range file.Values {
			if v := &file.Values[i]; v.Characteristic >= len(file.Characteristics) || v.Line < 1 {
				t.Fatalf("%+v", v)
			}
		}
	})
}
