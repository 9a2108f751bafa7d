package importcsv

import (
	"errors"
	"fmt"
	"reflect"
	"strings"
	"testing"

	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
)

// kindOf returns the kind with a name.
func kindOf(t *testing.T, name string) *importing.Kind {
	t.Helper()
	for _, kind := range importing.Kinds() {
		if kind.Name == name {
			return &kind
		}
	}
	t.Fatal("no kind is called " + name)
	return nil
}

func open(t *testing.T, text, kind string, options Options) (*File, error) {
	t.Helper()
	return Open(strings.NewReader(text), int64(len(text)), kindOf(t, kind), options)
}

// jobs reads a valid file of jobs.
func jobs(t *testing.T, text string) []importing.Row {
	t.Helper()
	rows, _ := readAll(t, text, "jobs", Options{})
	return rows
}

// readAll reads a file of a kind. The file must be valid.
func readAll(t *testing.T, text, kind string, options Options) (rows []importing.Row, file *File) {
	t.Helper()
	file, err := open(t, text, kind, options)
	if err == nil {
		err = file.Check()
	}
	if err != nil {
		t.Fatalf("%q: %v", text, err)
	}
	for row, err := range file.Rows() {
		if err != nil {
			t.Fatalf("%q: %v", text, err)
		}
		rows = append(rows, row)
	}
	return rows, file
}

func TestRows(t *testing.T) {
	t.Parallel()
	given := func(change func(*importing.JobInput)) importing.JobInput {
		var in importing.JobInput
		change(&in)
		return in
	}
	for name, c := range map[string]struct {
		text string
		want importing.JobInput
	}{
		"leading zeros":         {"partNumber\n00417", given(func(in *importing.JobInput) { in.PartNumber = input.Given("00417") })},
		"long numbers":          {"orderNumber\n12345678901234567890", given(func(in *importing.JobInput) { in.OrderNumber = input.Given("12345678901234567890") })},
		"an apostrophe":         {"customer\n'=1+1", given(func(in *importing.JobInput) { in.Customer = input.Given("=1+1") })},
		"an empty cell":         {"customer,name\n,x", given(func(in *importing.JobInput) { in.Customer, in.Name = input.Null[string](), input.Given("x") })},
		"a day":                 {"dueDate\n2026-12-01", given(func(in *importing.JobInput) { in.DueDate = input.Given("2026-12-01") })},
		"a German day":          {"dueDate\n1.12.2026", given(func(in *importing.JobInput) { in.DueDate = input.Given("2026-12-01") })},
		"a day of a program":    {"dueDate\n2026-12-01 00:00:00", given(func(in *importing.JobInput) { in.DueDate = input.Given("2026-12-01") })},
		"a day with two digits": {"dueDate\n01.12.26", given(func(in *importing.JobInput) { in.DueDate = input.Given("2026-12-01") })},
		"a year first":          {"dueDate\n2026/12/1", given(func(in *importing.JobInput) { in.DueDate = input.Given("2026-12-01") })},
		"an American day":       {"dueDate\n12/1/2026", given(func(in *importing.JobInput) { in.DueDate = input.Given("12/1/2026") })},
		"a number":              {"goalQuantity\n 5 ", given(func(in *importing.JobInput) { in.GoalQuantity = input.Given(5.0) })},
		"zero decimals":         {"goalQuantity\n25.0", given(func(in *importing.JobInput) { in.GoalQuantity = input.Given(25.0) })},
		"zeros after a comma":   {"name;goalQuantity\nx;25,00", given(func(in *importing.JobInput) { in.Name, in.GoalQuantity = input.Given("x"), input.Given(25.0) })},
		"numbers of units":      {"serialNumbers\n007  008", given(func(in *importing.JobInput) { in.SerialNumbers = input.GivenTexts("007", "008") })},
		"a list":                {"trackerLabels\n\"[\"\"a b\"\"]\"", given(func(in *importing.JobInput) { in.Labels = input.GivenTexts("a b") })},
		"what is read over":     {"totalSerials,error,name\nx,y,z", given(func(in *importing.JobInput) { in.Name = input.Given("z") })},
	} {
		rows := jobs(t, c.text)
		if len(rows) != 1 || rows[0].Err != nil || rows[0].Doubtful != nil || !reflect.DeepEqual(rows[0].In, &c.want) {
			t.Errorf("%s: %+v, want %+v", name, rows, c.want)
		}
	}
}

// TestWholeNumbersOfFiles writes numbers about which readers disagree into every column of whole numbers of every kind, with each
// separator.
func TestWholeNumbersOfFiles(t *testing.T) {
	t.Parallel()
	columns := 0
	for _, kind := range importing.Kinds() {
		for _, field := range kind.Fields {
			if field.Shape.Kind != input.NumberKind {
				continue
			}
			columns++
			for _, separator := range []string{",", ";", "\t"} {
				for _, text := range []string{
					"10.000", "1,000", "25,000", "1 000", "1'000", "1.000.000", "1,000.00", "1.000,00", "1e2", "1E+02", "000815", "5.5", "5,5", "five",
				} {
					rows, _ := readAll(t, field.Name+separator+"\n\""+text+"\""+separator+"\n", kind.Name, Options{})
					got := reflect.ValueOf(rows[0].In).Elem().FieldByIndex(field.Index).Interface()
					if want := input.WholeNumber("10.000"); len(rows) != 1 || rows[0].Err != nil || !reflect.DeepEqual(got, want) {
						t.Errorf("%s.%s %q: %+v", kind.Name, field.Name, text, got)
					}
				}
			}
		}
	}
	if columns < 4 {
		t.Errorf("%d columns of numbers", columns)
	}
}

func TestUnreadableRows(t *testing.T) {
	t.Parallel()
	for text, want := range map[string]string{
		"name,\nx,y":                 "The row has something where no column has a name",
		"name\nx,y":                  "The row has something where no column has a name",
		"name\n\"x":                  "The row has a quote that nothing closes",
		"name,customer\nx,M\xfcller": "customer must be valid UTF-8",
	} {
		if rows := jobs(t, text); len(rows) != 1 || rows[0].Err == nil || rows[0].Err.Error() != want || rows[0].Row != 2 {
			t.Errorf("%q: %+v, want %s", text, rows, want)
		}
	}
	if rows := jobs(t, "description\n1.2E+05"); rows[0].Doubtful != nil {
		t.Error("a description is no identifier")
	}
}

// docs/api/clients.md, "Imports": an unknown column is refused with a suggestion for the intended column.
func TestUnknownColumns(t *testing.T) {
	t.Parallel()
	for name, want := range map[string]string{
		"PartNumber": "Unknown column: PartNumber (is it partNumber?)", "due date": "Unknown column: due date (is it dueDate?)",
		"custmer": "Unknown column: custmer (is it customer?)", "Kunde": "Unknown column: Kunde",
		strings.Repeat("x", 200): "Unknown column: " + strings.Repeat("x", 100),
	} {
		file, err := open(t, "name,"+name+"\n", "jobs", Options{})
		if err == nil {
			err = file.Check()
		}
		if err == nil || err.Error() != want {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
}

// The functions that a page needs so that users can match columns.
func TestMatching(t *testing.T) {
	t.Parallel()
	const text = "Teil;Stück;Rest;name\n\n'=7;5;x;y\na;b;c;d\n"
	file, err := open(t, text, "jobs", Options{Columns: map[string]string{"Teil": "partNumber", "Rest": ""}})
	if err != nil {
		t.Fatal(err)
	}
	var got []string
	for _, column := range file.Columns() {
		got = append(got, fmt.Sprintf("%s=%s %t", column.Name, column.Is, column.Unknown))
	}
	if want := []string{"Teil=partNumber false", "Stück= true", "Rest= false", "name=name false"}; !reflect.DeepEqual(got, want) {
		t.Errorf("%q, want %q", got, want)
	}
	first, err := file.First(1)
	if want := [][]string{{"=7", "5", "x", "y"}}; err != nil || !reflect.DeepEqual(first, want) {
		t.Errorf("%q, %v, want %q", first, err, want)
	}
}

func TestWriteErrors(t *testing.T) {
	t.Parallel()
	refused := []importing.RefusedRow{{Row: 2, Err: errors.New("no; never")}, {Row: 5, Err: errors.New("=no")}}
	for text, want := range map[string]string{
		"\uFEFFname;\"x\"\r\na;1\r\n\r\nb;2\r\nc;3": "\uFEFFname;\"x\";error\r\na;1;\"no; never\"\r\n\r\nb;2;\r\nc;3;'=no\r\n",
		"name,error,x\na,old,1\nb,older,2\n":        "name,error,x\na,\"no; never\",1\nb,,2\n",
	} {
		file, err := open(t, text, "jobs", Options{})
		if err != nil {
			t.Fatal(err)
		}
		var written strings.Builder
		if err := file.WriteErrors(&written, refused); err != nil || written.String() != want {
			t.Errorf("%q became %q, %v, want %q", text, written.String(), err, want)
		}
	}
}

// FuzzFile reads arbitrary files as files of jobs, and writes them again.
func FuzzFile(f *testing.F) {
	for _, seed := range []string{"name,goalQuantity\nx,5\n", "name;error;dueDate\n\"x;1.1.2026", "trackerLabels\n\"[\"\"a\"\"]\"", "\xff", "id\n1E+05", "error\n0", "name,error\n,0\nx,\n", "name,\""} {
		f.Add(seed, false)
	}
	f.Fuzz(func(t *testing.T, text string, windows1252 bool) {
		file, err := open(t, text, "jobs", Options{Windows1252: windows1252})
		if err != nil || file.Check() != nil {
			return
		}
		rows := 0
		for row, err := range file.Rows() {
			if err != nil {
				return
			}
			rows++
			if row.In == nil {
				t.Fatal("a row without an input")
			}
		}
		var again strings.Builder
		if err := file.WriteErrors(&again, nil); err != nil {
			t.Fatal(err)
		}
		second, err := open(t, again.String(), "jobs", Options{Windows1252: windows1252})
		if err != nil || second.Check() != nil {
			t.Fatalf("%q became %q, which cannot be read: %v", text, again.String(), err)
		}
		for range second.Rows() {
			rows--
		}
		if rows != 0 {
			t.Fatalf("%q became %q, with %d rows less", text, again.String(), rows)
		}
	})
}

// The known column names must include all columns of the kind.
func TestKindsNameTheirColumns(t *testing.T) {
	t.Parallel()
	for _, kind := range importing.Kinds() {
		known := map[string]bool{}
		for i := range kind.Fields {
			known[kind.Fields[i].Name] = true
		}
		for _, name := range append(kind.Identifiers, kind.Dates...) {
			if !known[name] {
				t.Errorf("%s has no column %s", kind.Name, name)
			}
		}
		for _, name := range kind.ReadOver {
			if known[name] {
				t.Errorf("%s has the column %s and reads over it", kind.Name, name)
			}
		}
	}
}
