package importcsv

import (
	"errors"
	"fmt"
	"io"
	"iter"
	"slices"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/routecard/routecard/internal/aqdef"
	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// errorColumn is the column for the reasons why rows were refused. It is ignored when a file is read.
const errorColumn = "error"

// ColumnLimit is the maximum number of columns of a file.
const ColumnLimit = 1000

// Options are the settings for reading a file.
type Options struct {
	Prefix      ident.Prefix // of the identifiers of serials
	Windows1252 bool         // whether the text is in Windows-1252 and not in UTF-8
	// Columns maps columns of the file to columns of the kind, or to "" if the column is not read. Columns without an entry are matched by
	// name.
	Columns map[string]string
	// Days is the order of day and month in dates with slashes.
	Days DayOrder
	// Copies maps columns of the kind that the file does not have to the column of the kind from which they are filled.
	Copies map[string]string

	// The following options are for kinds whose file may come from a measuring machine.

	// Machine reports whether the file is the report of a measuring machine; see machine.go.
	Machine bool
	// AQDEF reports that the file is in the Q-DAS transfer format; see aqdef.go. Its times are in the time zone Zone. Columns then maps
	// keys of values, such as K0012, to columns of the kind.
	AQDEF  bool
	Zone   *time.Location
	Memory shop.MemoryBudget // the budget for a file that is read into memory

	// Features maps the names of features to their numbers, with the place in the form of messages, such as "7 (A)"; with "" the rows of
	// the feature are omitted. If a feature has no entry, its name is its number. The name of a feature with an axis is "CIR1 D", or
	// "CIR1.D" in a report with DIM blocks.
	Features map[string]string
	// Units maps features to the units in which they were measured. These override the constant unit.
	Units map[string]string
	// Constants maps columns that the file does not have to the value of all rows.
	Constants map[string]string
}

// File is a file whose columns were matched. It does not store rows.
type File struct {
	kind    *importing.Kind
	options Options
	known   []string // the names of columns in the text of a machine
	from    io.ReaderAt
	size    int64
	columns []Column
	header  int // the row with the names
	errorAt int // the place of errorColumn

	aqdef     *aqdef.File      // of a file in the Q-DAS transfer format
	separator byte             // for the text of a machine
	layouts   map[string][]int // for a report with DIM blocks: the places of the columns of each header
	unitAt    int              // for such a report: the place of dimUnitColumn; -1 for none
	constants []Column
}

// Column is a column of a file.
type Column struct {
	Name string // in the file
	Is   string // the column of the kind; "" for a column that is not read
	// Unknown reports that the column has no mapping, and the kind has no column of this name.
	Unknown bool

	field      *input.Field // nil if the column fills no field
	constant   string       // for a column that the file does not have
	identifier bool
	decimals   bool // whether an identifier may be a number with decimals
	date       bool
	lines      bool // whether a text may have several lines
}

// Open reads the names of the columns. It refuses workbooks, and files without column names. Check refuses a file whose columns cannot be
// imported.
func Open(from io.ReaderAt, size int64, kind *importing.Kind, options Options) (*File, error) {
	f := &File{kind: kind, options: options, from: from, size: size, known: knownNames(kind)}
	if err := f.refuseOthers(); err != nil {
		return nil, err
	}
	if err := f.takeConstants(); err != nil {
		return nil, err
	}
	if options.AQDEF {
		err := f.openAQDEF()
		return f, err
	}
	if options.Machine {
		err := f.findTable()
		return f, err
	}
	reader, err := f.reader()
	if err != nil {
		return nil, err
	}
	for {
		record, err := next(reader)
		if errors.Is(err, io.EOF) {
			return nil, refusal.Refuse(NoHeader)
		}
		if err != nil {
			return nil, err
		}
		if record.Blank(-1) {
			continue
		}
		if record.Open {
			return nil, refusal.Refuse(QuoteOpen)
		}
		if len(record.Cells) > ColumnLimit {
			return nil, refusal.Refuse(TooManyColumns, ColumnLimit)
		}
		if err := f.takeHeader(record.Row, record.Cells); err != nil {
			return nil, err
		}
		err = f.refuseTitle(reader)
		return f, err
	}
}

// titleRows is the number of rows after a title that are searched for column names.
const titleRows = 20

// refuseTitle refuses a file whose first row is a title: it contains no column name, and one of the next rows has several, or has several
// cells while the title has one.
func (f *File) refuseTitle(reader *sheet.Reader) error {
	named := 0
	for i := range f.columns {
		if f.columns[i].Name != "" {
			named++
		}
		if _, said := f.options.Columns[f.columns[i].Name]; said || f.columns[i].Is != "" {
			return nil
		}
	}
	header, most, width := 0, 1, named
	for range titleRows {
		record, err := next(reader)
		if err != nil {
			break // the error is reported when the rows are read again
		}
		cells, known := 0, 0
		for _, cell := range record.Cells {
			if strings.TrimSpace(cell) != "" {
				cells++
			}
		}
		// A title without a separator does not show which separator the file has.
		delimits := func(c rune) bool { return strings.ContainsRune(",;\t", c) }
		for cell := range strings.FieldsFuncSeq(strings.Join(record.Cells, ","), delimits) {
			cell = strings.TrimSpace(cell)
			if is, said := f.options.Columns[cell]; said && is != "" || field(f.kind, cell) != nil {
				known++
			}
		}
		if known > most {
			header, most = record.Row, known
		} else if named == 1 && most == 1 && cells > width {
			header, width = record.Row, cells
		}
	}
	if header == 0 {
		return nil
	}
	return refusal.Refuse(TitleAbove, f.header, header)
}

// takeHeader reads the row with the names of the columns.
func (f *File) takeHeader(row int, names []string) error {
	f.header, f.errorAt, f.columns = row, len(names), nil
	for i, name := range names {
		if !utf8.ValidString(name) {
			return refusal.Refuse(NoHeader)
		}
		column := f.match(strings.TrimSpace(sheet.Original(name)))
		if column.Name == errorColumn && column.Is == "" {
			f.errorAt, column.Unknown = i, false
		}
		f.columns = append(f.columns, column)
	}
	return nil
}

// at returns the index of the file's column that is matched to a column of the kind, or -1.
func (f *File) at(is string) int {
	return slices.IndexFunc(f.columns, func(column Column) bool { return column.Is == is })
}

// field returns the field of a kind by name, or nil.
func field(kind *importing.Kind, name string) *input.Field {
	at := slices.IndexFunc(kind.Fields, func(field input.Field) bool { return field.Name == name })
	if at < 0 {
		return nil
	}
	return &kind.Fields[at]
}

// copies returns the fields that have no column in the file and are filled from another column, by the index of this column.
func (f *File) copies() map[int][]*input.Field {
	copies := map[int][]*input.Field{}
	for to, from := range f.options.Copies {
		if source, field := f.at(from), field(f.kind, to); source >= 0 && field != nil && f.at(to) < 0 {
			copies[source] = append(copies[source], field)
		}
	}
	return copies
}

// refuseOthers refuses workbooks, which it recognizes by the signature of an archive or of the older format, and files in UTF-16, whose
// bytes would be misread.
func (f *File) refuseOthers() error {
	begin := make([]byte, 4)
	n, err := f.from.ReadAt(begin, 0)
	if err != nil && !errors.Is(err, io.EOF) {
		return err
	}
	if slices.Contains([]string{"PK\x03\x04", "\xD0\xCF\x11\xE0"}, string(begin)) {
		return refusal.Refuse(Workbook)
	}
	if n >= 2 && (begin[0] == 0xFF && begin[1] == 0xFE || begin[0] == 0xFE && begin[1] == 0xFF || begin[0] == 0 || begin[1] == 0) {
		return refusal.Refuse(InUTF16)
	}
	return nil
}

func (f *File) reader() (*sheet.Reader, error) {
	if f.options.Machine {
		return sheet.NewReaderWith(io.NewSectionReader(f.from, 0, f.size), f.options.Windows1252, f.separator)
	}
	return sheet.NewReader(io.NewSectionReader(f.from, 0, f.size), f.options.Windows1252)
}

// next returns the next row of a file.
func next(reader *sheet.Reader) (*sheet.Record, error) {
	record, err := reader.Next()
	if errors.Is(err, sheet.ErrRecordTooLong) {
		return nil, refusal.Refuse(RowTooLong, sheet.RecordLimit)
	}
	return record, err
}

// Match assigns the column at an index to a column of the kind, or to "" so that it is not read. It overrides the assignment by name. The
// column with error messages is never read.
func (f *File) Match(at int, is string) {
	if at != f.errorAt {
		f.columns[at] = f.matchAs(f.columns[at].Name, is)
	}
}

// match finds the column of the kind for a column with this name.
func (f *File) match(name string) Column {
	is, ok := f.options.Columns[name]
	if !ok {
		is = f.usual(name)
	}
	return f.matchAs(name, is)
}

func (f *File) matchAs(name, is string) Column {
	column := Column{Name: name, Is: is}
	if is == "" {
		return column
	}
	column.field = field(f.kind, is)
	switch {
	case column.field != nil:
		column.identifier = slices.Contains(f.kind.Identifiers, column.Is)
		column.decimals = slices.Contains(f.kind.Decimals, column.Is)
		column.date = slices.Contains(f.kind.Dates, column.Is)
		column.lines = slices.Contains(f.kind.Lines, column.Is)
	case f.kind.Machine && (column.Is == FeatureColumn || column.Is == AxisColumn), slices.Contains(f.kind.ReadOver, column.Is):
	default:
		_, said := f.options.Columns[name]
		column.Is, column.Unknown = "", name != "" && (said || !f.options.Machine)
	}
	return column
}

// Columns returns the columns of the file, in their order.
func (f *File) Columns() []Column { return slices.Clone(f.columns) }

// Check refuses a file with a column that is unknown or matched twice, and options for a column that the file or the kind does not have.
func (f *File) Check() error {
	seen := map[string]bool{}
	for i := range f.columns {
		column := &f.columns[i]
		if column.Unknown {
			return unknown(column.Name, f.kind)
		}
		if column.Is != "" && seen[column.Is] && f.aqdef == nil {
			return refusal.Refuse(ColumnTwice, column.Is)
		}
		seen[column.Is] = true
	}
	for i := range f.constants { // in a Q-DAS file, constants are for values without the key
		if seen[f.constants[i].Is] && f.aqdef == nil {
			return refusal.Refuse(ColumnTwice, f.constants[i].Is)
		}
	}
	for name := range f.options.Columns {
		if f.aqdef != nil && aqdefKey(name) {
			continue // a Q-DAS file may have no value with the key
		}
		if !slices.ContainsFunc(f.columns, func(column Column) bool { return column.Name == name }) {
			return unknown(name, f.kind)
		}
	}
	return nil
}

// Slashed reports whether the first count rows have a date with slashes in a column of dates.
func (f *File) Slashed(count int) (bool, error) {
	rows, err := f.First(count)
	return slices.ContainsFunc(rows, func(cells []string) bool {
		for i := range min(len(cells), len(f.columns)) {
			if f.columns[i].date && slashed.MatchString(withoutTime(cells[i])) {
				return true
			}
		}
		return false
	}), err
}

// Charset returns the encoding of the file, as content types name it.
func (f *File) Charset() string {
	if f.options.Windows1252 {
		return "windows-1252"
	}
	return "utf-8"
}

// Machine reports whether the file is the text of a measuring machine.
func (f *File) Machine() bool { return f.options.Machine }

// Number sets the numbers of features for later reads: see Options.
func (f *File) Number(features map[string]string) { f.options.Features = features }

// Reading describes how the file is read, apart from its columns. Equal settings have equal descriptions.
func (f *File) Reading() string {
	o := f.options
	return fmt.Sprintf("%t %t %q %q %q %q %q", o.AQDEF, o.Machine, o.Features, o.Units, o.Constants, o.Days, o.Copies)
}

// First returns the first rows that are not empty, up to a maximum number, as text for people.
func (f *File) First(count int) ([][]string, error) {
	if f.aqdef != nil {
		return f.aqdefFirst(count), nil
	}
	rows := [][]string{}
	for _, err := range f.records(func(_ *sheet.Reader, _ *sheet.Record, read []string, _ error) bool {
		cells := make([]string, len(read))
		for i, cell := range read {
			cells[i] = strings.ToValidUTF8(sheet.Original(cell), "\uFFFD")
		}
		if len(rows) < count {
			rows = append(rows, cells)
		}
		return len(rows) < count
	}) {
		return rows, err
	}
	return rows, nil
}

// lines returns a function that reads the rows of the file in their order. That function returns the cells of a row, the reason why the row
// is refused, or neither for an omitted row.
func (f *File) lines() func(*sheet.Record) ([]string, error) {
	if f.layouts == nil {
		return func(record *sheet.Record) ([]string, error) {
			if record.Row <= f.header || record.Blank(f.blankBut()) {
				return nil, nil
			}
			cells := f.cells(record)
			if f.leftOut(cells) {
				return nil, nil
			}
			return cells, nil
		}
	}
	blocks := dimBlocks{file: f}
	return func(record *sheet.Record) ([]string, error) {
		cells, err := blocks.read(record.Cells[0])
		if err == nil && cells != nil && f.leftOut(cells) {
			return nil, nil
		}
		return cells, err
	}
}

// records passes the rows after the header to the function each, until each returns false, and yields the error that ended reading. For a
// refused row it passes the reason, and the line as the only cell.
func (f *File) records(each func(*sheet.Reader, *sheet.Record, []string, error) bool) iter.Seq2[struct{}, error] {
	return func(yield func(struct{}, error) bool) {
		reader, err := f.reader()
		read := f.lines()
		for err == nil {
			var record *sheet.Record
			if record, err = next(reader); err != nil {
				continue
			}
			cells, refused := read(record)
			if refused != nil {
				cells = record.Cells[:1]
			}
			if cells != nil && !each(reader, record, cells, refused) {
				return
			}
		}
		if !errors.Is(err, io.EOF) {
			yield(struct{}{}, err)
		}
	}
}

// Rows yields the rows of the file after its header, as often as it is called. Empty rows are omitted.
func (f *File) Rows() iter.Seq2[importing.Row, error] {
	if f.aqdef != nil {
		return f.aqdefRows()
	}
	copies := f.copies()
	return func(yield func(importing.Row, error) bool) {
		for _, err := range f.records(func(reader *sheet.Reader, record *sheet.Record, cells []string, refused error) bool {
			if refused != nil {
				return yield(importing.Row{Row: record.Row, In: f.kind.New(), Err: refused}, nil)
			}
			return yield(f.row(record, cells, reader.Separator() == ';', copies), nil)
		}) {
			yield(importing.Row{}, err)
		}
	}
}

// row makes a row of an import.
func (f *File) row(record *sheet.Record, cells []string, decimalComma bool, copies map[int][]*input.Field) importing.Row {
	row := importing.Row{Row: record.Row, In: f.kind.New()}
	switch {
	case f.options.Machine:
		row.Decimals = input.DecimalEither
	case decimalComma:
		row.Decimals = input.DecimalComma
	}
	switch {
	case record.Open:
		row.Err = refusal.Refuse(QuoteOpen)
	case len(cells) < len(f.columns) && f.options.Machine && f.separator == sheet.WholeLines: // any cell of the row may be the missing one
		row.Err = refusal.Refuse(RowTooShort, len(cells), len(f.columns))
	}
	for i := 0; row.Err == nil && i < max(len(cells), len(f.columns)); i++ {
		text := "" // programs omit empty cells at the end of a row
		if i < len(cells) {
			text = sheet.Original(cells[i])
		}
		if i >= len(f.columns) || f.columns[i].Name == "" {
			if strings.TrimSpace(text) != "" {
				row.Err = refusal.Refuse(RowTooWide)
			}
			continue
		}
		column := &f.columns[i]
		switch {
		case i == f.errorAt:
		case formulaError.MatchString(text) && column.Is != "":
			row.Column, row.Err = column.Name, refusal.RefuseField(FormulaError, column.Name, text)
		case f.options.Windows1252 && sheet.WasUTF8(text):
			row.Column, row.Err = column.Name, refusal.RefuseField(InUTF8, column.Name)
		case strings.ContainsRune(text, 0): // PostgreSQL cannot even look it up
			row.Column, row.Err = column.Name, refusal.RefuseField(refusal.WithNUL, column.Name)
		case !utf8.ValidString(text):
			reason := refusal.NotUTF8
			if f.options.Windows1252 {
				reason = NotWindows1252
			}
			row.Column, row.Err = column.Name, refusal.RefuseField(reason, column.Name)
		default:
			f.fill(&row, column, text)
			for _, copied := range copies[i] {
				fill(row.In, copied, text)
			}
		}
	}
	if row.Err == nil {
		for i := range f.constants {
			f.fill(&row, &f.constants[i], f.constants[i].constant)
		}
		f.fillFeature(&row, cells)
	}
	return row
}

// fill fills the field of a column.
func (f *File) fill(row *importing.Row, column *Column, text string) {
	if column.field == nil {
		return
	}
	if column.identifier {
		if reason := madeNumber(text, column.decimals); reason != nil {
			row.Doubtful = refusal.RefuseField(reason, column.Is, text)
		}
	}
	switch kind := column.field.Shape.Kind; {
	case column.date:
		text = isoDate(text, f.options.Days)
	case kind == input.TextKind && !column.lines:
		text = oneLine(text)
	case kind == input.ListKind && column.identifier:
		if item := unclear(text); item != "" {
			row.Column, row.Err = column.Name, refusal.RefuseField(ListUnclear, column.Is, item)
			return
		}
	}
	fill(row.In, column.field, text)
}

// WriteErrors writes the file unchanged, in its encoding and with its separators, and adds a column with the reasons why rows were refused.
// A file in the Q-DAS transfer format has no columns, and is not written.
func (f *File) WriteErrors(to io.Writer, refused []importing.RefusedRow) error {
	reader, err := f.reader()
	if err != nil {
		return err
	}
	why := make(map[int]error, len(refused))
	for _, row := range refused {
		why[row.Row] = row.Err
	}
	line, read := slices.Clone(reader.Begin()), f.lines()
	for {
		record, err := next(reader)
		if errors.Is(err, io.EOF) {
			_, err = to.Write(line) // the file has only the rows before the table
			return err
		}
		if err != nil {
			return err
		}
		at := f.errorAt
		if f.separator == sheet.WholeLines && f.options.Machine && at == len(f.columns) {
			at = -1
		}
		cells, refused := read(record)
		switch err := why[record.Row]; {
		case record.Row == f.header:
			line = reader.AppendWith(line, at, errorColumn)
		case err != nil:
			line = reader.AppendWith(line, at, err.Error())
		case cells == nil && refused == nil:
			line = reader.AppendAsItIs(line)
		default:
			line = reader.AppendWith(line, at, "")
		}
		if _, err := to.Write(line); err != nil {
			return err
		}
		line = line[:0]
	}
}

// The reasons why a file or a row cannot be read.
var (
	NoHeader = refusal.NewReason(refusal.Invalid, "no_header",
		"The first row must have the names of the columns, in UTF-8, or with charset=windows-1252 in the content type")
	Workbook = refusal.NewReason(refusal.Invalid, "workbook",
		"The file is a workbook. Save it as CSV, as UTF-8 if the program asks, and send that")
	InUTF16        = refusal.NewReason(refusal.Invalid, "in_utf16", "The file is in UTF-16. Save it in UTF-8")
	TooManyColumns = refusal.NewReason(refusal.Invalid, "too_many_columns", "A file may have at most {limit} columns")
	RowTooLong     = refusal.NewReason(refusal.Invalid, "row_too_long", "A row has more than {limit} bytes: a quote may be missing")
	ColumnUnknown  = refusal.NewReason(refusal.Invalid, "unknown_column", "Unknown column: {name}")
	ColumnNear     = refusal.NewReason(refusal.Invalid, "unknown_column", "Unknown column: {name} (is it {nearest}?)")
	ColumnTwice    = refusal.NewReason(refusal.Invalid, "column_twice", "The column {name} is there twice")
	QuoteOpen      = refusal.NewReason(refusal.Invalid, "quote_open", "The row has a quote that nothing closes")
	RowTooShort    = refusal.NewReason(refusal.Invalid, "row_too_short", "The row has {cells} cells, and the file has {columns} columns")
	RowTooWide     = refusal.NewReason(refusal.Invalid, "row_too_wide", "The row has something where no column has a name")
	NotWindows1252 = refusal.NewReason(refusal.Invalid, "must_be_windows_1252",
		"{field} has a byte that Windows-1252 does not have: save the file in UTF-8")
	InUTF8 = refusal.NewReason(refusal.Invalid, "in_utf8",
		"{field} is in UTF-8, and the file was sent as Windows-1252: send it as UTF-8")
	FormulaError = refusal.NewReason(refusal.Invalid, "formula_error",
		"{field} is {value}, which a spreadsheet shows for an error or a narrow column: correct the cell")
	ListUnclear = refusal.NewReason(refusal.Invalid, "list_unclear",
		"{field} has {value}: separate numbers with commas, semicolons or blanks, and write a range as ME-1..ME-3")
	MadeDecimal = refusal.NewReason(refusal.Invalid, "made_number",
		"{field} is {value}: a program has added decimals to it. Give the column the format Text and enter it again")
	TitleAbove = refusal.NewReason(refusal.Invalid, "title_above",
		"Row {row} has no name of a column and looks like a title; row {header} looks like the names. Remove the rows above the names")
	MadeNumber = refusal.NewReason(refusal.Invalid, "made_number",
		"{field} is {value}: a spreadsheet has made a number of it and lost its last digits. "+
			"Give the column the format Text and enter it again")
)
