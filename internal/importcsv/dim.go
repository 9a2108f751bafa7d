package importcsv

import (
	"errors"
	"io"
	"regexp"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/sheet"
	"github.com/routecard/routecard/shop/refusal"
)

// A DIM report of PC-DMIS has a block for each feature. The first line of a block has the feature and the unit, the second line has the
// column names, and each further line is the row of one axis:
//
//	DIM LOC1= LOCATION OF CIRCLE CIR1  UNITS=MM
//	AX    NOMINAL    MEAS    +TOL    -TOL    DEV    OUTTOL
//	D      16.000  16.004   0.010   0.000  0.004     0.000
//	END OF DIMENSION LOC1
//
// Blocks may have different columns. The columns of a File are dimColumn, dimUnitColumn, and then those of all blocks.

// The columns that a File adds for the contents of the first line of a block.
const (
	dimColumn     = "DIM"
	dimUnitColumn = "UNITS"
)

var (
	dimBegin = regexp.MustCompile(`(?i)^\s*DIM\s+([^=]*?)\s*=`)
	dimUnits = regexp.MustCompile(`(?i)[\s,=]UNITS\s*=\s*([^\s,$]+)`)
	dimEnd   = regexp.MustCompile(`(?i)^\s*END(?:\s+OF\s+DIMENSION(?:\s+(.*?))?)?\s*$`)
)

// angleAxes are the axes that PC-DMIS measures in degrees, even if the block has a unit of length: the angle and the polar angle.
var angleAxes = []string{"A", "PA"}

// degree is the unit of an angle in a block with a unit of length or without a unit.
const degree = "°"

// angleUnits are the possible units of an angle in a block.
var angleUnits = []string{degree, "DEG", "DEGREE", "DEGREES", "RAD", "GRAD", "GON"}

// findBlocks finds the headers of all DIM blocks. It reports whether it found one.
func (f *File) findBlocks() (bool, error) {
	f.separator, f.layouts, f.unitAt = sheet.WholeLines, map[string][]int{}, -1
	f.columns = []Column{f.matchOr(dimColumn, FeatureColumn)}
	reader, err := f.reader()
	if err != nil {
		return false, err
	}
	blocks, hasUnit, hasError := dimBlocks{file: f}, false, false
	for {
		record, err := reader.Next()
		if errors.Is(err, io.EOF) || errors.Is(err, sheet.ErrRecordTooLong) {
			break // the error is reported when the rows are read again
		}
		if err != nil {
			return false, err
		}
		line, reason := withoutReason(record.Cells[0])
		if blocks.open && !blocks.wrapped && !dimBegin.MatchString(line) && f.addLayout(line) && f.header == 0 {
			f.header, hasError = record.Row, reason == errorColumn
		}
		_, _ = blocks.read(record.Cells[0])
		hasUnit = hasUnit || blocks.unit != ""
	}
	if len(f.layouts) == 0 {
		f.layouts, f.columns = nil, nil
		return false, nil
	}
	if hasUnit {
		f.unitAt = len(f.columns)
		f.columns = append(f.columns, f.matchOr(dimUnitColumn, "unit"))
	}
	f.errorAt = len(f.columns)
	if hasError {
		f.columns = append(f.columns, Column{Name: errorColumn})
	}
	return true, nil
}

// matchOr matches a column. Unless the options say otherwise, it is the column is of the kind.
func (f *File) matchOr(name, is string) Column {
	if said, ok := f.options.Columns[name]; ok {
		is = said
	}
	return f.matchAs(name, is)
}

// addLayout adds the columns of a line to those of the file if the line is the header of a block: it has a column for the value, no column
// for the feature, and no column twice.
func (f *File) addLayout(line string) bool {
	names := strings.Fields(line)
	key := strings.Join(names, " ")
	if _, ok := f.layouts[key]; ok {
		return true
	}
	isValue := func(name string) bool { return f.names(name, "value") }
	if len(names) > headerWidth || len(f.layouts) == headerWithin || !slices.ContainsFunc(names, isValue) {
		return false // checked before the names are compared with those of all columns
	}
	columns, layout, hasValue := slices.Clone(f.columns), make([]int, len(names)), false
	defer func() { f.columns = columns }()
	for i, name := range names {
		at := slices.IndexFunc(f.columns, func(column Column) bool { return column.Name == name })
		if at < 0 {
			at = len(f.columns)
			f.columns = append(f.columns, f.match(name))
		}
		ofFeature := f.names(name, FeatureColumn) || f.names(name, "number") || f.names(name, "characteristicId")
		if at == 0 || ofFeature || slices.Contains(layout[:i], at) {
			return false
		}
		layout[i] = at
		hasValue = hasValue || f.columns[at].Is == "value"
	}
	if !hasValue || len(f.columns) > headerWidth || strings.ToValidUTF8(key, "") != key {
		return false
	}
	columns = f.columns
	f.layouts[key] = layout
	return true
}

// withoutReason splits a line into the line before its last tab and the reason that WriteErrors wrote after it.
func withoutReason(line string) (rest, reason string) {
	if tab := strings.LastIndexByte(line, '\t'); tab >= 0 {
		if after := line[tab+1:]; after == "" || after == errorColumn || after[0] == '"' {
			return line[:tab], after
		}
	}
	return line, ""
}

// dimBlocks reads the lines of a report with DIM blocks one after the other.
type dimBlocks struct {
	file       *File
	above      map[string]bool // the lines above the first block, which a report repeats on each page
	begun      bool            // whether a block or a table has begun
	open       bool            // whether the last block has not ended
	wrapped    bool            // whether the first line of the block continues in the next line
	name, unit string          // of the block
	layout     []int           // the place of each column of the block among those of the file; nil before its header
}

// read returns the cells of a line that is a row. For a line that belongs to the layout of the report it returns nil and no error. For
// every other line it returns an error.
func (b *dimBlocks) read(text string) ([]string, error) {
	line, reason := withoutReason(text)
	if b.wrapped || dimBegin.MatchString(line) {
		return nil, b.begin(line)
	}
	if !wordy(line) || b.above[line] {
		return nil, nil
	}
	if end := dimEnd.FindStringSubmatch(line); end != nil {
		was, open := b.name, b.open
		b.open, b.layout = false, nil
		if open && end[1] != "" && !strings.EqualFold(end[1], was) {
			return nil, refusal.Refuse(OutsideTable, dimColumn)
		}
		return nil, nil
	}
	namesValue := func(name string) bool { return b.file.names(name, "value") }
	layout, header := b.file.layouts[strings.Join(strings.Fields(line), " ")]
	switch {
	case header && b.open:
		b.layout = layout
		return nil, nil
	case !b.begun && !header && !slices.ContainsFunc(strings.Fields(line), namesValue):
		if b.above == nil {
			b.above = map[string]bool{}
		}
		if len(b.above) < headerWithin {
			b.above[line] = true
		}
		return nil, nil
	case b.layout == nil:
		b.begun = true
		return nil, refusal.Refuse(OutsideTable, dimColumn)
	}
	return b.cells(line, reason)
}

// begin reads the first line of a block, or the continuation of that line.
func (b *dimBlocks) begin(line string) (err error) {
	if begin := dimBegin.FindStringSubmatch(line); begin != nil {
		b.begun, b.open, b.layout, b.name, b.unit = true, begin[1] != "", nil, begin[1], ""
		if !b.open {
			err = refusal.Refuse(OutsideTable, dimColumn)
		}
	}
	if unit := dimUnits.FindStringSubmatch(" " + line); unit != nil && b.unit == "" {
		b.unit = unit[1]
	}
	b.wrapped = strings.HasSuffix(strings.TrimSpace(line), "$")
	return err
}

// cells returns the cells of a row of the block in the columns of the file.
func (b *dimBlocks) cells(line, reason string) ([]string, error) {
	f := b.file
	words := strings.Fields(line)
	for len(words) > 0 && !wordy(words[len(words)-1]) {
		words = words[:len(words)-1] // a bar of characters that shows where the value lies
	}
	switch {
	case len(words) < len(b.layout):
		return nil, refusal.Refuse(RowTooShort, len(words), len(b.layout))
	case len(words) > len(b.layout):
		return nil, refusal.Refuse(RowTooWide)
	}
	cells := make([]string, len(f.columns))
	cells[0] = b.name
	for i, at := range b.layout {
		cells[at] = words[i]
	}
	if f.unitAt >= 0 {
		cells[f.unitAt] = b.unit
		ofAngles := slices.Contains(angleUnits, strings.ToUpper(b.unit))
		if at := f.at(AxisColumn); at >= 0 && !ofAngles && slices.Contains(angleAxes, strings.ToUpper(cells[at])) {
			cells[f.unitAt] = degree
		}
	}
	if f.errorAt < len(cells) {
		cells[f.errorAt] = reason
	}
	return cells, nil
}

// names reports whether a name in a header stands for the column is of the kind.
func (f *File) names(name, is string) bool {
	if said, ok := f.options.Columns[name]; ok {
		return said == is
	}
	return strings.EqualFold(name, is) || usualNames[strings.ToLower(name)] == is
}

// OutsideTable is the reason to refuse a line outside the tables of a report with DIM blocks.
var OutsideTable = refusal.NewReason(refusal.Invalid, "outside_table",
	"The line belongs to no table of a {column} block: correct the block, or remove the line")
