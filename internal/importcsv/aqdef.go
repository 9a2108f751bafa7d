package importcsv

import (
	"bytes"
	"cmp"
	"errors"
	"io"
	"iter"
	"maps"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/aqdef"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/importing"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// AQDEFLimit is the maximum size in bytes of a file in the Q-DAS transfer format.
const AQDEFLimit = 16 << 20

var aqdefLine = regexp.MustCompile(`^(?:\x{FEFF})?\s*K\d{4}(?:/\d+)*[ \t\r\n]`)

// IsAQDEF reports whether a file begins like a file in the Q-DAS transfer format.
func IsAQDEF(file io.ReaderAt) bool {
	begin := make([]byte, 1<<10)
	n, _ := file.ReadAt(begin, 0)
	return aqdefLine.Match(begin[:n])
}

// The keys of values, and of their part, that have a column of their own. Further keys of values become the note.
const (
	partKey     = "K1001"
	revisionKey = "K1004"
	timeKey     = "K0004"
	operatorKey = "K0008"
	noteKey     = "K0009"
	gageKey     = "K0012"
	serialKey   = "K0014"
	guidKey     = "K0097"
)

var aqdefColumns = map[string]string{
	partKey: "partNumber", revisionKey: "partRevision",
	timeKey: "measuredAt", noteKey: "note", gageKey: "instrumentNumber", serialKey: "serialNumber", guidKey: "id",
}

// openAQDEF reads a file in the Q-DAS transfer format. Its columns are the keys of its values.
func (f *File) openAQDEF() error {
	if f.size > AQDEFLimit {
		return refusal.Refuse(AQDEFTooLong, AQDEFLimit)
	}
	const copies = 2 // copies of the text in memory
	if err := f.options.Memory.Take(copies * int(f.size)); err != nil {
		return err
	}
	text, err := io.ReadAll(io.NewSectionReader(f.from, 0, f.size))
	if err != nil {
		return err
	}
	f.aqdef, err = aqdef.Parse(text, f.options.Memory.Take)
	if wrong, ok := errors.AsType[*aqdef.LineError](err); ok {
		return refusal.Refuse(AQDEFUnread, wrong.Line, wrong.Why)
	}
	if errors.Is(err, aqdef.ErrTooManyValues) {
		return refusal.Refuse(importing.TooManyRows, importing.RowLimit)
	}
	if err != nil {
		return err
	}
	keys := map[string]bool{partKey: f.aqdef.Number != "", revisionKey: f.aqdef.Revision != ""}
	for i := range f.aqdef.Values {
		v := &f.aqdef.Values[i]
		keys[timeKey] = keys[timeKey] || v.Time != ""
		keys[noteKey] = keys[noteKey] || v.Note != ""
		keys[serialKey] = keys[serialKey] || v.Serial != ""
		for _, other := range v.Others {
			keys[other.Key] = true
		}
	}
	for _, key := range slices.Sorted(maps.Keys(keys)) {
		if keys[key] {
			f.columns = append(f.columns, f.matchOr(key, cmp.Or(aqdefColumns[key], "note")))
		}
	}
	f.errorAt = len(f.columns)
	return nil
}

var aqdefValueKey = regexp.MustCompile(`^K0\d{3}$`)

// aqdefKey reports whether options may assign a key to a column: a key of a value other than the value itself, or a key that identifies the
// part.
func aqdefKey(name string) bool {
	return name == partKey || name == revisionKey ||
		aqdefValueKey.MatchString(name) && !slices.Contains([]string{"K0001", "K0002", "K0020", "K0021", "K0100", "K0101"}, name)
}

// AQDEF reports whether the file is in the Q-DAS transfer format.
func (f *File) AQDEF() bool { return f.aqdef != nil }

// aqdefFeature returns the name of a characteristic among the features of the options.
func (f *File) aqdefFeature(v *aqdef.Value) string {
	c := &f.aqdef.Characteristics[v.Characteristic]
	return cmp.Or(c.Number, c.Name)
}

// catalog returns the catalog whose numbers a key contains, or nil for a key without a catalog.
func (f *File) catalog(key string) []aqdef.Entry {
	switch key {
	case operatorKey:
		return f.aqdef.Operators
	case gageKey:
		return f.aqdef.Gages
	}
	return nil
}

// aqdefText returns the text of a key of a value. For a key that refers to a catalog, it returns the text of the catalog entry.
func (f *File) aqdefText(v *aqdef.Value, key string) string {
	switch key {
	case partKey:
		return f.aqdef.Number
	case revisionKey:
		return f.aqdef.Revision
	case timeKey:
		return v.Time
	case noteKey:
		return v.Note
	case serialKey:
		return v.Serial
	}
	text, catalog := v.Other(key), f.catalog(key)
	if at, err := strconv.Atoi(text); err == nil && at >= 1 && at <= len(catalog) {
		text = cmp.Or(catalog[at-1].Number, catalog[at-1].Name, text)
	}
	return text
}

// aqdefLacks reports whether a value refers to an entry that is missing in the file's catalog.
func (f *File) aqdefLacks(v *aqdef.Value, key string) bool {
	catalog := f.catalog(key)
	at, err := strconv.Atoi(v.Other(key))
	return err == nil && len(catalog) > 0 && (at < 1 || at > len(catalog) || catalog[at-1] == aqdef.Entry{})
}

// aqdefFirst returns the first values, up to a maximum number.
func (f *File) aqdefFirst(count int) [][]string {
	rows := [][]string{}
	for i := range f.aqdef.Values[:min(count, len(f.aqdef.Values))] {
		cells := make([]string, len(f.columns))
		for at := range f.columns {
			cells[at] = f.aqdefText(&f.aqdef.Values[i], f.columns[at].Name)
		}
		rows = append(rows, cells)
	}
	return rows
}

// aqdefFeatures returns the features in the order of the file, at most limit, and whether the file has more.
func (f *File) aqdefFeatures(limit int) (features []string, more bool) {
	seen := map[string]bool{}
	for i := range f.aqdef.Values {
		feature := f.aqdefFeature(&f.aqdef.Values[i])
		if feature == "" || seen[feature] {
			continue
		}
		if len(features) == limit {
			return features, true
		}
		seen[feature] = true
		features = append(features, feature)
	}
	return features, false
}

// aqdefRows yields the values as rows.
func (f *File) aqdefRows() iter.Seq2[importing.Row, error] {
	return func(yield func(importing.Row, error) bool) {
		for i := range f.aqdef.Values {
			number, said := f.options.Features[f.aqdefFeature(&f.aqdef.Values[i])]
			if said && strings.TrimSpace(number) == "" {
				continue // left out
			}
			if !yield(f.aqdefRow(i), nil) {
				return
			}
		}
	}
}

// aqdefRow makes the row of the value at an index. A line can have several values, so that rows are counted by values.
func (f *File) aqdefRow(at int) importing.Row {
	v := &f.aqdef.Values[at]
	in := f.kind.New().(*importing.MeasurementInput) //nolint:errcheck,forcetypeassert // only measurements can come from a machine
	row := aqdefFilling{
		File: f, value: v, in: in, set: map[string]bool{}, row: importing.Row{Row: at + 1, In: in, Decimals: input.DecimalEither},
	}
	row.characteristic()
	for i := range f.columns {
		row.key(&f.columns[i])
	}
	row.fill("note", strings.Join(row.notes, ", "))
	for i := range f.constants {
		if c := &f.constants[i]; !row.set[c.Is] && !row.set[alternative[c.Is]] {
			row.fill(c.Is, c.constant)
		}
	}
	in.Transferred.Step = f.aqdef.Characteristics[v.Characteristic].Step
	in.Transferred.Note, in.Transferred.MeasuredBy = v.Note, f.aqdefText(v, operatorKey)
	if v.Attribute != "" && v.Attribute != "0" {
		row.row.Column, row.row.Err = "value", refusal.RefuseField(AQDEFInvalid, "value", v.Attribute, v.Line)
	}
	return row.row
}

// alternative maps a field to the field that gives the same information in another form.
var alternative = map[string]string{
	"serialId": "serialNumber", "serialNumber": "serialId", "instrumentId": "instrumentNumber", "instrumentNumber": "instrumentId",
}

// aqdefFilling fills the row of a value.
type aqdefFilling struct {
	*File

	value *aqdef.Value
	in    *importing.MeasurementInput
	row   importing.Row
	set   map[string]bool // the fields that were filled
	notes []string
}

func (r *aqdefFilling) fill(name, text string) {
	switch {
	case text == "" || r.row.Err != nil:
	case strings.ContainsRune(text, 0): // PostgreSQL cannot even look it up
		r.row.Column, r.row.Err = name, refusal.RefuseField(refusal.WithNUL, name)
	default:
		column := r.matchAs(name, name)
		r.set[name] = true
		r.File.fill(&r.row, &column, text)
	}
}

// characteristic fills in the file's description of the characteristic, and the value.
func (r *aqdefFilling) characteristic() {
	v, c := r.value, &r.aqdef.Characteristics[r.value.Characteristic]
	number := r.aqdefFeature(v)
	unit := cmp.Or(c.Unit, r.options.Units[number])
	if said, ok := r.options.Features[number]; ok {
		number = strings.TrimSpace(said)
	}
	r.fill("number", number)
	if c.Counted {
		r.counted()
		return
	}
	for _, of := range [][2]string{
		{"value", v.Text}, {"unit", unit}, {"nominal", c.Nominal}, {"lower", c.Lower}, {"upper", c.Upper},
		{"lowerTolerance", c.LowerTolerance}, {"upperTolerance", c.UpperTolerance},
	} {
		r.fill(of[0], of[1])
	}
}

// counted fills in pass or fail: a reading is of one unit.
func (r *aqdefFilling) counted() {
	switch v := r.value; {
	case v.Size != "1" || v.Defects != "0" && v.Defects != "1":
		r.row.Column, r.row.Err = "value", refusal.RefuseField(AQDEFCount, "value", v.Defects, v.Size, v.Line)
	case v.Defects == "0":
		r.fill("value", string(card.VerdictPass))
	default:
		r.fill("value", string(card.VerdictFail))
	}
}

// key fills in a key of the value.
func (r *aqdefFilling) key(column *Column) {
	text, is := r.aqdefText(r.value, column.Name), column.Is
	if text == "" {
		return
	}
	switch {
	case is != "" && is != "note" && r.aqdefLacks(r.value, column.Name):
		r.row.Column, r.row.Err = column.Name, refusal.Refuse(AQDEFCatalog, column.Name, text, r.value.Line)
	case is != "note" && (r.set[is] || r.set[alternative[is]]):
		r.row.Column, r.row.Err = column.Name, refusal.Refuse(ColumnTwice, is)
	case column.Name == timeKey && is == "measuredAt":
		r.time()
	case column.Name == guidKey && is == "id":
		r.in.Transferred.ID = shop.MeasurementOfUUID(text)
	case is == "serialNumber":
		if _, ours := r.options.Prefix.ParseSerialID(text); ours {
			is = "serialId"
		}
		r.fill(is, text)
	case is == "instrumentNumber":
		r.fill(is, strings.TrimPrefix(text, "#")) // # marks a text in place of the number of a catalog entry
	case is == "note" && column.Name == noteKey:
		r.notes = slices.Insert(r.notes, 0, text)
	case is == "note":
		r.notes = append(r.notes, column.Name+" "+text)
	case is != "":
		r.fill(is, text)
	}
}

// time fills in the time of the measurement. An ambiguous time is refused only if the row records a reading.
func (r *aqdefFilling) time() {
	clock, err := r.value.Clock()
	if err != nil {
		r.row.Column, r.row.Err = "measuredAt", refusal.RefuseField(input.NotTime, "measuredAt")
		return
	}
	r.in.Transferred.Clock = clock
	measured, err := r.value.Measured(r.options.Zone)
	if wrong, ok := errors.AsType[*aqdef.LineError](err); ok {
		r.in.Transferred.TimeErr = refusal.RefuseField(AQDEFTime, "measuredAt", wrong.Line, wrong.Why)
		return
	}
	r.fill("measuredAt", measured.Format(time.RFC3339Nano))
}

// The file name extensions of the Q-DAS transfer format with two files, one of descriptions and one of values.
const (
	DescriptionsEnd = ".dfd"
	ValuesEnd       = ".dfx"
)

// PairAQDEF reports whether two files belong together by their names: a .dfd and the .dfx of the same name, in letters of any case. With
// another pair, values would be read with the wrong descriptions.
func PairAQDEF(descriptions, values string) bool {
	name, describes := strings.CutSuffix(strings.ToLower(descriptions), DescriptionsEnd)
	other, measures := strings.CutSuffix(strings.ToLower(values), ValuesEnd)
	return describes && measures && name == other
}

// JoinAQDEF joins a file of descriptions (.dfd) with a file of values (.dfx).
func JoinAQDEF(descriptions, values io.Reader) io.Reader {
	return io.MultiReader(descriptions, bytes.NewReader([]byte("\r\n")), values)
}

// The reasons to refuse a file in the Q-DAS transfer format, or a value in it.
var (
	AQDEFUnread  = refusal.NewReason(refusal.Invalid, "aqdef_unread", "Line {line} of the Q-DAS file is not understood: {why}")
	AQDEFInvalid = refusal.NewReason(refusal.Invalid, "value_does_not_count", "{field} does not count: K0002 is {attribute} in line {line}")
	AQDEFCount   = refusal.NewReason(refusal.Invalid, "not_of_one_unit",
		"{field} is {defects} of {size} in line {line}: a reading is of one unit, so K0020 has to be 1 and K0021 0 or 1")
	AQDEFCatalog = refusal.NewReason(refusal.Invalid, "not_in_catalog",
		"{key} is {value} in line {line}, and the catalog of the file has no such entry")
	AQDEFTime    = refusal.NewReason(refusal.Invalid, "time_unclear", "{field} is not clear in line {line}: {why}")
	AQDEFTooLong = refusal.NewReason(refusal.Invalid, "aqdef_too_long", "A Q-DAS file may have at most {limit} bytes")
)
