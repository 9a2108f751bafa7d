package importcsv

import (
	"errors"
	"io"
	"reflect"
	"regexp"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// A coordinate measuring machine writes a table with a row for each dimension: the feature, perhaps an axis, the nominal, the value
// and the tolerances, with semicolons, tabs, commas or blanks between. Lines stand above the table, its header may be repeated, a line of
// dashes may stand in it, and END below. Of many columns only a few are read. Reports with DIM blocks are in dim.go.

// The columns of a feature and of its axis, which together identify the measured feature.
const (
	FeatureColumn = "feature"
	AxisColumn    = "axis"
)

// usualNames are the names of columns in files of machines, in lower case.
var usualNames = map[string]string{
	"id": FeatureColumn, "ax": AxisColumn,
	"meas": "value", "measured": "value", "actual": "value",
	"nom": "nominal", "+tol": "upperTolerance", "uppertol": "upperTolerance", "-tol": "lowerTolerance", "lowertol": "lowerTolerance",
}

const (
	headerWithin = 500 // lines from the beginning of a text
	headerWidth  = 500 // columns of it
	lastLine     = "END"
)

// usual is the column of the kind that is usually called so.
func (f *File) usual(name string) string {
	if !f.options.Machine {
		return name
	}
	name = strings.TrimSpace(name)
	is, ok := usualNames[strings.ToLower(name)]
	if !ok {
		at := slices.IndexFunc(f.known, func(known string) bool { return strings.EqualFold(name, known) })
		if at < 0 {
			return name // a column that is not known
		}
		is = f.known[at]
	}
	for said, of := range f.options.Columns {
		if of == is && said != name {
			return "" // the caller says that another column is that
		}
	}
	if f.at(is) >= 0 {
		return "" // an earlier column is that
	}
	return is
}

// knownNames are the names of the columns that the text of a machine may have.
func knownNames(kind *importing.Kind) []string {
	names := []string{FeatureColumn, AxisColumn}
	for i := range kind.Fields {
		names = append(names, kind.Fields[i].Name)
	}
	return names
}

// takeConstants matches what every row has.
func (f *File) takeConstants() error {
	for name, text := range f.options.Constants {
		field := field(f.kind, name)
		if field == nil {
			return unknown(name, f.kind)
		}
		f.constants = append(f.constants, Column{
			Name: name, Is: name, field: field, constant: text, identifier: slices.Contains(f.kind.Identifiers, name),
		})
	}
	return nil
}

// findTable finds the row with the names of the columns, and what separates cells: with which most of the columns are known.
func (f *File) findTable() error {
	if found, err := f.findBlocks(); found || err != nil {
		return err
	}
	type table struct {
		separator byte
		header    int
		names     []string
		known     int
	}
	var best table
	for _, separator := range []byte{'\t', ';', ',', sheet.WholeLines} {
		f.separator = separator
		reader, err := f.reader()
		if err != nil {
			return err
		}
		for range headerWithin {
			record, err := reader.Next()
			if errors.Is(err, io.EOF) || errors.Is(err, sheet.ErrRecordTooLong) {
				break // a quote of this text may be none
			}
			if err != nil {
				return err
			}
			names := record.Cells
			if separator == sheet.WholeLines {
				names = blankNames(record.Cells[0])
			}
			if len(names) > headerWidth || f.takeHeader(record.Row, names) != nil {
				continue // a line that is not in UTF-8 names nothing
			}
			if known := f.knownColumns(); known > best.known {
				best = table{separator, record.Row, slices.Clone(names), known}
			}
			if best.header == record.Row {
				break
			}
		}
	}
	if best.known == 0 {
		return refusal.Refuse(NoTable)
	}
	f.separator = best.separator
	if err := f.takeHeader(best.header, best.names); err != nil {
		return err
	}
	f.leaveOutCounting()
	return nil
}

// leaveOutCounting omits a column number next to that of the feature, unless it is mapped as the number on the drawing: machines count rows
// so.
func (f *File) leaveOutCounting() {
	if f.at(FeatureColumn) < 0 {
		return
	}
	for i := range f.columns {
		if column := &f.columns[i]; column.Is == "number" && f.options.Columns[column.Name] == "" {
			column.Is, column.field = "", nil
		}
	}
}

// knownColumns is how many columns of a header are known; 0 when it lacks the value or the feature.
func (f *File) knownColumns() (known int) {
	has := map[string]bool{}
	for i := range f.columns {
		if is := f.columns[i].Is; is != "" {
			has[is] = true
			known++
		}
	}
	for i := range f.constants {
		has[f.constants[i].Is] = true
	}
	if !has["value"] || !has[FeatureColumn] && !has[AxisColumn] && !has["number"] && !has["characteristicId"] {
		return 0
	}
	return known
}

// wideBlanks separate names in which a single blank may stand.
var wideBlanks = regexp.MustCompile(`\t| {2,}`)

// blankNames are the names of columns with blanks between: two or more, where they stand so anywhere.
func blankNames(line string) []string {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutSuffix(line, "\t"+errorColumn); ok {
		return append(blankNames(rest), errorColumn) // WriteErrors has added the tab, whatever separates the other names
	}
	if !wideBlanks.MatchString(line) {
		return strings.Fields(line)
	}
	return slices.DeleteFunc(wideBlanks.Split(line, -1), func(name string) bool { return strings.TrimSpace(name) == "" })
}

// cells are the cells of a row. Where only blanks are between them, those of the name of a feature are put together again.
func (f *File) cells(record *sheet.Record) []string {
	if !f.options.Machine || f.separator != sheet.WholeLines || len(record.Cells) != 1 {
		return record.Cells
	}
	line, told, columns := record.Cells[0], "", len(f.columns)
	if f.errorAt < columns {
		columns--
		if tab := strings.LastIndexByte(line, '\t'); tab >= 0 {
			line, told = line[:tab], line[tab+1:]
		}
	}
	cells := strings.Fields(line)
	for len(cells) > columns && !wordy(cells[len(cells)-1]) {
		cells = cells[:len(cells)-1] // the small picture of where the value is
	}
	if more := len(cells) - columns; more > 0 {
		at := max(0, f.at(FeatureColumn))
		cells = slices.Replace(cells, at, at+more+1, strings.Join(cells[at:at+more+1], " "))
	}
	if f.errorAt < len(f.columns) && len(cells) == columns {
		cells = append(cells, told)
	}
	return cells
}

// wordy reports whether a text has letters or digits.
func wordy(text string) bool {
	return strings.ContainsFunc(text, func(r rune) bool { return unicode.IsLetter(r) || unicode.IsDigit(r) || r == utf8.RuneError })
}

// blankBut is the place of the cell that may have something in a row with nothing in it.
func (f *File) blankBut() int {
	if f.options.Machine && f.separator == sheet.WholeLines {
		return -1
	}
	return f.errorAt
}

// leftOut reports whether a row of a machine's text is no row of the table, or of a feature that is left out.
func (f *File) leftOut(cells []string) bool {
	if feature := f.feature(cells); feature != "" {
		if number, said := f.options.Features[feature]; said && strings.TrimSpace(number) == "" {
			return true
		}
	}
	if !f.options.Machine {
		return false
	}
	var words []string
	for i, cell := range cells {
		if cell = strings.TrimSpace(cell); i != f.errorAt && wordy(cell) {
			words = append(words, cell)
		}
	}
	if len(words) == 0 || len(words) == 1 && words[0] == lastLine {
		return true
	}
	for i := range f.columns { // the header again
		if i != f.errorAt && (i >= len(cells) || strings.TrimSpace(cells[i]) != f.columns[i].Name) {
			return false
		}
	}
	return true
}

// feature returns what a row measures, as the machine calls it: its feature and its axis, with a blank between, or with a point in a report
// with DIM blocks. It returns "" where no column has one.
func (f *File) feature(cells []string) string {
	var words []string
	for _, part := range []string{FeatureColumn, AxisColumn} {
		if at := f.at(part); at >= 0 && at < len(cells) {
			if part := strings.Join(strings.Fields(sheet.Original(cells[at])), " "); part != "" {
				words = append(words, part)
			}
		}
	}
	if f.layouts != nil {
		return strings.Join(words, ".")
	}
	return strings.Join(words, " ")
}

// fillFeature fills in the number of what a row measures, and its unit.
func (f *File) fillFeature(row *importing.Row, cells []string) {
	feature := f.feature(cells)
	if unit, said := f.options.Units[feature]; said && f.unitMissing(cells) {
		fill(row.In, field(f.kind, "unit"), unit)
	}
	field := field(f.kind, "number")
	if feature == "" || field == nil {
		return
	}
	if number, said := f.options.Features[feature]; said {
		feature = strings.TrimSpace(number)
	}
	number, ok := reflect.TypeAssert[*input.WrittenInput](reflect.ValueOf(row.In).Elem().FieldByIndex(field.Index).Addr())
	if ok && !number.Supplied() {
		*number = input.Given(input.Written(feature))
	}
}

// unitMissing reports whether a row has no unit.
func (f *File) unitMissing(cells []string) bool {
	at := f.at("unit")
	return at < 0 || at < len(cells) && strings.TrimSpace(cells[at]) == ""
}

// FeaturesOf are the features of the file in the order in which they come, at most so many, and whether there are more.
func (f *File) FeaturesOf(limit int) (features []string, more bool, err error) {
	if f.aqdef != nil {
		features, more = f.aqdefFeatures(limit)
		return features, more, nil
	}
	if f.at(FeatureColumn) < 0 && f.at(AxisColumn) < 0 {
		return nil, false, nil
	}
	seen := map[string]bool{}
	whole := f.options.Features
	f.options.Features = nil
	defer func() { f.options.Features = whole }()
	for _, err := range f.records(func(_ *sheet.Reader, _ *sheet.Record, cells []string, refused error) bool {
		if refused != nil {
			return true
		}
		feature := strings.ToValidUTF8(f.feature(cells), "\uFFFD")
		if feature == "" || seen[feature] {
			return true
		}
		if more = len(features) == limit; !more {
			seen[feature] = true
			features = append(features, feature)
		}
		return !more
	}) {
		return features, more, err
	}
	return features, more, nil
}

// NoTable is why the text of a measuring machine is refused.
var NoTable = refusal.NewReason(refusal.Invalid, "no_table",
	"No line of the text names a column for the value and one for the feature: say with columns what they are called")
