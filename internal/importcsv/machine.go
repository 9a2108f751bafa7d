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

// A coordinate measuring machine writes a table with a row for each dimension: the feature, perhaps an axis, the nominal, the value and the
// tolerances, separated by semicolons, tabs, commas or blanks. The file may have lines above the table, repeated headers, lines of dashes
// in the table, and END below it. Only a few of its columns are read. dim.go reads reports with DIM blocks.

// The columns of a feature and of its axis, which together identify the measured feature.
const (
	FeatureColumn = "feature"
	AxisColumn    = "axis"
)

// usualNames maps common column names in files of machines, in lower case, to columns of the kind.
var usualNames = map[string]string{
	"id": FeatureColumn, "ax": AxisColumn,
	"meas": "value", "measured": "value", "actual": "value",
	"nom": "nominal", "+tol": "upperTolerance", "uppertol": "upperTolerance", "-tol": "lowerTolerance", "lowertol": "lowerTolerance",
}

const (
	headerWithin = 500 // the header is among this many first lines
	headerWidth  = 500 // maximum number of columns in the header
	lastLine     = "END"
)

// usual returns the column of the kind for a common column name of measuring machines.
func (f *File) usual(name string) string {
	if !f.options.Machine {
		return name
	}
	name = strings.TrimSpace(name)
	is, ok := usualNames[strings.ToLower(name)]
	if !ok {
		at := slices.IndexFunc(f.known, func(known string) bool { return strings.EqualFold(name, known) })
		if at < 0 {
			return name // an unknown column
		}
		is = f.known[at]
	}
	for said, of := range f.options.Columns {
		if of == is && said != name {
			return "" // the options match another column to this one
		}
	}
	if f.at(is) >= 0 {
		return "" // an earlier column is matched already
	}
	return is
}

// knownNames returns the known column names in text files of measuring machines.
func knownNames(kind *importing.Kind) []string {
	names := []string{FeatureColumn, AxisColumn}
	for i := range kind.Fields {
		names = append(names, kind.Fields[i].Name)
	}
	return names
}

// takeConstants adds a column for each constant.
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

// findTable finds the row with the column names, and the separator: the one with which most column names are known.
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
				break // a quotation mark in this text may not begin a quoted cell
			}
			if err != nil {
				return err
			}
			names := record.Cells
			if separator == sheet.WholeLines {
				names = blankNames(record.Cells[0])
			}
			if len(names) > headerWidth || f.takeHeader(record.Row, names) != nil {
				continue // a line that is not in UTF-8 has no column names
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

// leaveOutCounting omits a column "number" if there is a column for the feature, because machines number rows in it. It stays if the
// options map it to the number on the drawing.
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

// knownColumns returns the number of known columns in a header, or 0 if the value or the feature is missing.
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

// wideBlanks separate column names that may contain single blanks.
var wideBlanks = regexp.MustCompile(`\t| {2,}`)

// blankNames splits a header into column names at blanks: at two or more blanks if the header has them, otherwise at every blank.
func blankNames(line string) []string {
	line = strings.TrimSpace(line)
	if rest, ok := strings.CutSuffix(line, "\t"+errorColumn); ok {
		return append(blankNames(rest), errorColumn) // WriteErrors added this column after a tab, even if blanks separate the other names
	}
	if !wideBlanks.MatchString(line) {
		return strings.Fields(line)
	}
	return slices.DeleteFunc(wideBlanks.Split(line, -1), func(name string) bool { return strings.TrimSpace(name) == "" })
}

// cells returns the cells of a row. If only blanks separate the cells, it joins the words of the feature's name again.
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
		cells = cells[:len(cells)-1] // a bar of characters that shows where the value lies
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

// blankBut returns the place of the only cell that a row may have if it counts as empty.
func (f *File) blankBut() int {
	if f.options.Machine && f.separator == sheet.WholeLines {
		return -1
	}
	return f.errorAt
}

// leftOut reports whether a row of a machine's text is outside the table or belongs to an omitted feature.
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
	for i := range f.columns { // a repeated header
		if i != f.errorAt && (i >= len(cells) || strings.TrimSpace(cells[i]) != f.columns[i].Name) {
			return false
		}
	}
	return true
}

// feature returns the machine's name of the measured feature: the feature and the axis, separated by a blank, or by a point in a report
// with DIM blocks. It returns "" if no column has a feature.
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

// fillFeature fills in the number of the measured feature, and its unit.
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

// FeaturesOf returns the features in the order of the file, up to a maximum number, and whether the file has more.
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

// NoTable is the reason to refuse a measuring machine's text without a table.
var NoTable = refusal.NewReason(refusal.Invalid, "no_table",
	"No line of the text names a column for the value and one for the feature: say with columns what they are called")
