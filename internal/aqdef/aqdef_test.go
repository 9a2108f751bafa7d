package aqdef

import (
	"bytes"
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
	"pgregory.net/rapid"
)

func unlimited(int) error { return nil }

func parsed(t *testing.T, name string) *File {
	t.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		t.Fatal(err)
	}
	file, err := Parse(text, unlimited)
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
		others := func(gage bool) []Field {
			of := []Field{{"K0006", "#H4711"}, {"K0008", "1"}}
			if gage {
				of = append(of, Field{"K0012", "3"})
			}
			return of
		}
		return []Value{
			{Line: n, Text: "0.001", Attribute: "0", Time: "26.11.2026/10:00:00", Others: others(true)},
			{Line: n, Characteristic: 1, Text: "16.004", Attribute: "0", Time: "26.11.2026/10:00:05", Others: others(true)},
			{Line: n, Characteristic: 2, Size: "1", Defects: "0", Attribute: "0", Time: "26.11.2026/10:00:09", Others: others(false)},
		}
	}
	want := &File{Part: Part{Number: "G-16", Name: "Gate", Characteristics: described()}, Values: append(line(20), line(21)...)}
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
		{Line: 21, Text: "0.001", Time: "26.11.2026/10:00:00", Serial: "SN-00038", Others: []Field{{"K0006", "#H4711"}}},
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
		head + "nonsense\x141\x0f2\n":                               "Line 4: it has values of 2 characteristics, and 1 are described",
		"hello\n":                                                   `Line 1: "hello" is neither a key nor a value`,
		head + "K0001/2 5\n":                                        "Line 4: K0001/2 is of a characteristic that is not described",
		head + "K0014/1 A-1\n":                                      "Line 4: K0014/1 comes before a value",
		head + "K2004/1 2\n":                                        `Line 4: K2004/1 is "2": only measured (0) and counted (1) characteristics are read`,
		head + "K1001/2 B\n":                                        "Line 4: K1001 describes a second part: send each part in a file of its own",
		head + "K2001/1 8\n":                                        `Line 4: K2001/1 is "8", and was "7"`,
		"K0100 2\nK2001/1 7\n":                                      "Line 3: K0100 announces 2 characteristics, and 1 are described",
		"K0100 x\n":                                                 `Line 1: K0100 is "x", and not a number of characteristics`,
		"K2001 7\n":                                                 "Line 1: K2001 does not say of which characteristic it is",
		head + strings.Repeat("1\x14", 11) + "1\n":                  "Line 4: the value of characteristic 1 has 12 fields, and at most 10 are known",
		"K0100 2\nK2001/1 7\nK2001/2 8\nK0004 5\n":                  "Line 4: K0004 does not say of which characteristic it is",
		head + "K0001/1 5\nK0001/1 6\nK0014/0 A\n":                  "Line 6: K0014/0 does not say of which value it is: characteristic 1 has several since the last one",
		head + "K0001/1 5\nK0014/0 A\nK0014/0 B\n":                  "Line 6: K0014/0 comes twice, with no value between",
		head + "K0001/1 5\nK0014/1 A\nK0014/1 B\n":                  `Line 6: K0014/1 is "B", and was "A"`,
		head + "K0001/1 5\nK0014/0/2 A\n":                           "Line 6: K0014/0/2 is of a value that there is not",
		head + "K0001/1 5\nK0014/1/2 A\n":                           "Line 5: K0014/1 comes before a value",
		head + "K2002/1/1 A\n":                                      "Line 4: K2002/1/1 does not say of which value it is",
		head + "K0001/1 5\nK2004/1 1\n":                             "Line 5: K2004/1 comes after a value",
		head + "K0001/1 5\nK2004/0 1\n":                             "Line 5: K2004/0 comes after a value",
		head + "K0009/1 \x81\xfc\n":                                 "Line 4: it has a byte that Windows-1252 does not have: save the file in UTF-8",
		head + "K4072 M-1\n":                                        "Line 4: K4072 does not say of which entry it is",
		"K0100 2\nK2001/1 7\nK2001/2 8\n1\x0f2\n\x0f3\nK0014/1 A\n": "Line 6: K0014/1 comes before a value",
		// A text, a value or a number never includes a part of another line.
		head + "K0001/1 5\r\nK0009/1 wet\rK0001/1 6\r\n": "Line 5: it has a CR inside: end each line with CRLF or LF",
		"K0100 1\rK2001/1 7\rK0001/1 5\r":                "Line 1: it has a CR inside: end each line with CRLF or LF",
		head + "K0014/1 A\x0f\n":                         "Line 4: K0014/1 has a separator of values in its text",
		head + "K0001/1 5\x140\n":                        "Line 4: K0001/1 has a separator of values in its text",
		head + "K0014/1\x0f\n":                           "Line 4: K0014/1 has a separator of values in its text",
		head + "5\nX0014/1 A\n":                          `Line 5: "X0014/1 A" is neither a key nor a value`,
		head + " K0001/1 5\n":                            `Line 4: " K0001/1 5" is neither a key nor a value`,
		head + "K0001/1 5\nK0009/1 wet\nand cold\n":      `Line 6: "and cold" is neither a key nor a value`,
		head + "K0002/0 256\nK0001/1 5\nK0001/1 6\n":     "Line 7: K0002/0 does not say of which value it is: characteristic 1 has several since then",
		head + "K0014/0 A\n5\n6\nK0014/0 B\n7\n":         "Line 7: K0014/0 does not say of which value it is: characteristic 1 has several since then",
	} {
		_, err := Parse([]byte(text), unlimited)
		if err == nil || err.Error() != want {
			t.Errorf("%q: %v, want %s", text, err, want)
		}
	}
}

// The text is UTF-8 or windows-1252, with either end of lines.
func TestParseEncodings(t *testing.T) {
	t.Parallel()
	for _, text := range []string{"\ufeffK1002 Gehäuse\r\n", "K1002 Geh\xe4use\n", "K1002 Gehäuse"} {
		if file, err := Parse([]byte(text+"\nK2001/1 7\n"), unlimited); err != nil || file.Name != "Gehäuse" {
			t.Errorf("%q: %+v, %v", text, file, err)
		}
	}
}

// Times are in the time zone of the shop. A time that the clock skipped or showed twice is refused.
func TestMeasured(t *testing.T) {
	t.Parallel()
	berlin, err := time.LoadLocation("Europe/Berlin")
	if err != nil {
		t.Fatal(err)
	}
	for text, want := range map[string]string{
		"26.11.2026/10:00:05":     "2026-11-26T09:00:05Z",
		"1.7.26/9:05":             "2026-07-01T07:05:00Z",
		"2026-07-01/10:00:05":     "2026-07-01T08:00:05Z",
		"26.11.2026 10:00:05.250": "2026-11-26T09:00:05.25Z",
		"25.10.2026/01:59:59":     "2026-10-24T23:59:59Z",
		"25.10.2026/02:30:00":     "Line 3: K0004 is 25.10.2026/02:30:00, which the clocks of Europe/Berlin showed 2 times",
		"29.03.2026/02:30:00":     "Line 3: K0004 is 29.03.2026/02:30:00, which the clocks of Europe/Berlin showed 0 times",
		"11/26/2026 10:00":        `Line 3: K0004 is "11/26/2026 10:00", and not a time such as 26.11.2026/10:00:00`,
	} {
		value := Value{Line: 3, Time: text}
		at, err := value.Measured(berlin)
		got := at.UTC().Format(time.RFC3339Nano)
		if err != nil {
			got = err.Error()
		}
		if got != want {
			t.Errorf("%s: %s, want %s", text, got, want)
		}
		if clock, err := value.Clock(); err == nil && !at.IsZero() && FormatTime(at) != clock {
			t.Errorf("%s: %s", text, clock)
		}
	}
}

// A key belongs to the value that it follows, to the value with its number or, with the index 0, to the values of a piece.
func TestParseAddedKeys(t *testing.T) {
	t.Parallel()
	const two = "K0100 2\nK2001/1 7\nK2001/2 8\nK2142/0 mm\nK2142/2 in\n"
	for text, want := range map[string]string{
		"K0100 1\nK2001 7\nK0001 5\nK0014 A\n":                                                                 "1=5 A",
		two + "1\x140\x0f2\x140\x0f\n3\n\x0f4\x14\x14\x0f\nK0014/2 D\n":                                        "1=1 ; 2=2 ; 1=3 ; 2=4 D",
		two + "1\x0f2\nK0014/0 A\n3\x0f4\nK0014/0 B\n":                                                         "1=1 A; 2=2 A; 1=3 B; 2=4 B",
		two + "K0014/0 A\nK0001/1 1\nK0001/2 2\nK0014/0 B\nK0001/1 3\nK0014/1 C\nK0001/2 4\n":                  "1=1 A; 2=2 A; 1=3 C; 2=4 B",
		two + "K0014/0 A\nK0001/1 1\nK0001/1 2\nK0014/1 B\nK0001/2 3\n":                                        "1=1 A; 1=2 B; 2=3 A",
		"K0100 1\nK2001 7\nK0002/0 0\n1\n2\n":                                                                  "1=1 ; 1=2 ",
		"K0100 1\r\r\nK2001 7\r\r\n 5,0\r\r\n-.5E-3\n":                                                         "1=5,0 ; 1=-.5E-3 ",
		two + "1\x0f2\n3\x0f4\nK0014/1/1 A\nK0014/0/2 B\nK0014/2/1 C\n":                                        "1=1 A; 2=2 C; 1=3 B; 2=4 B",
		two + "K0001/1/1 1\nK0014/1/1 A\nK0001/2/1 2\nK0001/1/2 3\nK0014/2/1 B\n":                              "1=1 A; 2=2 B; 1=3 ",
		two + "K0001/1 1\nK0014/1 A\nK0001/1 2\nK0001/1 3\nK0014/1 B\nK0014/0/2 C\nK0001/2 9\n":                "1=1 A; 1=2 C; 1=3 B; 2=9 ",
		"\ufeffK0100 1\r\nK2001/1 7\r\n\r\n" + "\ufeffK0001/1 5\r\nK0014/1 \xc4\r\nK0001/1 6\r\nK0014/1 Ö\r\n": "1=5 Ä; 1=6 Ö",
	} {
		file, err := Parse([]byte(text), unlimited)
		if err != nil {
			t.Errorf("%q: %v", text, err)
			continue
		}
		var got []string
		for _, v := range file.Values {
			got = append(got, fmt.Sprintf("%d=%s %s", v.Characteristic+1, v.Text, v.Serial))
		}
		if strings.Join(got, "; ") != want {
			t.Errorf("%q: %q, want %s", text, got, want)
		}
		if len(file.Characteristics) == 2 && (file.Characteristics[0].Unit != "mm" || file.Characteristics[1].Unit != "in") {
			t.Errorf("%q: %+v", text, file.Characteristics)
		}
	}
}

// Files in the forms in which programs write them.
func TestParseSamples(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"three-characteristics.dfq": "SH-40 Shaft: 11=40.001; 11=40.004; 12=25.02; 13=4.1; 13=4.2",
		"no-characteristics.dfq":    "SH-40 Shaft: ",
		"no-values.dfq":             "SH-40 : ",
		"counted.dfq":               "SH-40 : 21=1/1; 22=8/500",
		"error-list.dfq":            `Line 4: K2004/1 is "6": only measured (0) and counted (1) characteristics are read`,
		"three-parts.dfq":           "Line 5: K1001 describes a second part: send each part in a file of its own",
		"structure.dfq":             "SH-40 : 11=40.1; 12=25.1",
		"lines.dfq":                 "SH-40 : 11=40.001 W-1; 12=25.02 W-1; 21=0/1 W-1; 11=40.012 256 W-2; 12=25.05 W-2; 21=1/1 W-2",
		"split.dfd+split.dfx":       "SH-40 Welle über: 11=40.001 W-1; 12=25.02 W-1",
	} {
		var text []byte
		for part := range strings.SplitSeq(name, "+") {
			more, err := os.ReadFile("testdata/" + part)
			if err != nil {
				t.Fatal(err)
			}
			text = append(text, more...)
		}
		file, err := Parse(text, unlimited)
		if err != nil {
			if err.Error() != want {
				t.Errorf("%s: %v, want %s", name, err, want)
			}
			continue
		}
		var values []string
		for i := range file.Values {
			v, c := &file.Values[i], &file.Characteristics[file.Values[i].Characteristic]
			value := c.Number + "=" + v.Text
			if c.Counted {
				value += v.Defects + "/" + v.Size
			}
			for _, more := range []string{strings.Trim(v.Attribute, "0"), v.Serial} {
				if more != "" {
					value += " " + more
				}
			}
			values = append(values, value)
		}
		if got := file.Number + " " + file.Name + ": " + strings.Join(values, "; "); got != want {
			t.Errorf("%s: %s, want %s", name, got, want)
		}
	}
}

// A file that announces no characteristic has none.
func TestParseEmptyFile(t *testing.T) {
	t.Parallel()
	if file, err := Parse([]byte("K0100 0\r\nK1001/1 G-16\r\n"), unlimited); err != nil || len(file.Characteristics)+len(file.Values) != 0 {
		t.Errorf("%+v, %v", file, err)
	}
}

// The limits of a file are enforced, and take is called for the memory of its values.
func TestParseLimits(t *testing.T) {
	t.Parallel()
	const head = "K0100 1\nK2001/1 7\n"
	if _, err := Parse([]byte(head+strings.Repeat("1\n", ValueLimit+1)), unlimited); !errors.Is(err, ErrTooManyValues) {
		t.Error(err)
	}
	full := errors.New("no memory is left")
	if _, err := Parse([]byte(head+strings.Repeat("1\n", 1000)), func(int) error { return full }); !errors.Is(err, full) {
		t.Error(err)
	}
}

// A written file is read with the same contents, except for characters that a line cannot have.
func TestWrittenIsRead(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(t *rapid.T) {
		text := rapid.Custom(func(t *rapid.T) string { return OneLine(rapid.String().Draw(t, "text")) })
		part := Part{Number: text.Draw(t, "part"), Name: text.Draw(t, "name"), Revision: text.Draw(t, "revision")}
		part.Characteristics = rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Characteristic {
			c := Characteristic{Counted: rapid.Bool().Draw(t, "counted")}
			for _, key := range characteristicKeys {
				*c.field(key) = text.Draw(t, key)
			}
			return c
		}), 1, 20).Draw(t, "characteristics")
		entry := rapid.Custom(func(t *rapid.T) Entry { return Entry{"n" + text.Draw(t, "number"), text.Draw(t, "name")} })
		part.Gages, part.Operators = rapid.SliceOfN(entry, 1, 3).Draw(t, "gages"), rapid.SliceOfN(entry, 1, 3).Draw(t, "operators")
		want := &File{Part: part, Values: rapid.SliceOfN(rapid.Custom(func(t *rapid.T) Value {
			v := Value{Characteristic: rapid.IntRange(0, len(part.Characteristics)-1).Draw(t, "characteristic")}
			for _, key := range []string{"K0001", "K0002", "K0004", "K0009", "K0014", "K0020", "K0021"} {
				*v.field(key) = text.Draw(t, key)
			}
			v.Others = rapid.SampledFrom([][]Field{nil, {{"K0008", "1"}}, {{"K0012", "2"}, {"K0053", "x"}}}).Draw(t, "others")
			return v
		}), 1, 50).Draw(t, "values")}
		got, err := Parse(want.append(nil), unlimited)
		if err != nil {
			t.Fatal(err)
		}
		for i := range got.Values {
			got.Values[i].Line = 0
		}
		if diff := cmp.Diff(want, got); diff != "" {
			t.Fatal(diff)
		}
	})
}

// append writes a whole file.
func (f *File) append(text []byte) []byte {
	text = AppendPart(text, &f.Part)
	for i := range f.Values {
		text = AppendValue(text, &f.Part, &f.Values[i])
	}
	return text
}

func TestOneLine(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		" a\r\nb\x0fc\x14d\t ": "a  b c d", "ä\u2028ö\u0085ü": "ä ö ü", "\ufeffx": "x", "\x00": "", "K0001/1 5": "K0001/1 5",
	} {
		if got := OneLine(text); got != want {
			t.Errorf("%q: %q, want %q", text, got, want)
		}
	}
}

// FuzzParse reads any text: the text is refused with a line number, or its contents are the same after writing and reading.
func FuzzParse(f *testing.F) {
	names, err := filepath.Glob("testdata/*.df*")
	if err != nil {
		f.Fatal(err)
	}
	for _, name := range names {
		text, err := os.ReadFile(name)
		if err != nil {
			f.Fatal(err)
		}
		f.Add(text)
	}
	f.Add([]byte("K0100 1\nK2001/1 7\n1,5\n\n2\x140\n"))
	f.Add([]byte("K0100 1\nK2001/1 7\nK0001/1 5\nK0005/1 \x000\n"))
	f.Add([]byte("K0100 2\nK2004/0 1\nK2001/2 8\nK0014/0 A\n1\x140\x0f\nK0014/0/1 B\nK0020/1/2 1\n"))
	f.Fuzz(func(t *testing.T, text []byte) {
		file, err := Parse(text, unlimited)
		if _, ok := errors.AsType[*LineError](err); err != nil && !ok && !errors.Is(err, ErrTooManyValues) {
			t.Fatal(err)
		}
		if err != nil {
			return
		}
		for i := range file.Values {
			v := &file.Values[i]
			if v.Characteristic >= len(file.Characteristics) || v.Line < 1 {
				t.Fatalf("%+v", v)
			}
			if _, err := v.Measured(time.UTC); err == nil && v.Time != "" {
				if _, err := v.Clock(); err != nil {
					t.Fatal(err)
				}
			}
		}
		written := file.append(nil)
		again, err := Parse(written, unlimited)
		if err != nil || len(again.Values) != len(file.Values) || len(again.Characteristics) != len(file.Characteristics) {
			t.Fatalf("%q is written as %q: %v", text, written, err)
		}
		if twice := again.append(nil); !bytes.Equal(twice, written) {
			t.Fatalf("%q is written as %q", written, twice)
		}
	})
}
