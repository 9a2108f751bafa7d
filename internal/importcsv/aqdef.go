package importcsv

import (
	"errors"
	"iter"
	"maps"
	"slices"
	"strings"
	"time"

	"github.com/routecard/routecard/internal/aqdef"
	"github.com/routecard/routecard/shop"
)

// AQDEFLimit is how many bytes a file in the Q-DAS transfer format has at most.
const AQDEFLimit = 16 << 20

// AQDEFRows returns the values of a file in the Q-DAS transfer format as rows of an import of readings. Its times are in a zone. Of the
// options it takes features, by K2001, and constants.
func AQDEFRows(text []byte, kind *shop.ImportKind, zone *time.Location, options Options) (iter.Seq2[shop.ImportRow, error], error) {
	file, err := aqdef.Parse(text)
	if wrong, ok := errors.AsType[*aqdef.LineError](err); ok {
		return nil, shop.Refuse(AQDEFUnread, wrong.Line, wrong.Why)
	}
	if err != nil {
		return nil, err
	}
	for name := range options.Constants {
		if field(kind, name) == nil {
			return nil, unknown(name, kind)
		}
	}
	return func(yield func(shop.ImportRow, error) bool) {
		for i := range file.Values {
			v := &file.Values[i]
			number, said := options.Features[file.Characteristics[v.Characteristic].Number]
			if said && strings.TrimSpace(number) == "" {
				continue // left out
			}
			if !yield(aqdefRow(file, i, kind, zone, options), nil) {
				return
			}
		}
	}, nil
}

// aqdefRow makes the row of the value at an index. A line can have several values, so that rows are counted by values.
func aqdefRow(file *aqdef.File, at int, kind *shop.ImportKind, zone *time.Location, options Options) shop.ImportRow {
	v := &file.Values[at]
	row := shop.ImportRow{Row: at + 1, In: kind.New(), Decimals: shop.DecimalEither}
	set := func(name, text string) {
		if text != "" {
			fill(row.In, field(kind, name), text)
		}
	}
	c := &file.Characteristics[v.Characteristic]
	for name, text := range options.Constants {
		set(name, text)
	}
	number := c.Number
	if said, ok := options.Features[number]; ok {
		number = strings.TrimSpace(said)
	}
	set("number", number)
	serial := "serialNumber"
	if _, ours := shop.ParseSerialID(v.Serial); ours {
		serial = "serialId"
	}
	set(serial, v.Serial)
	var told []string
	for _, key := range slices.Sorted(maps.Keys(v.Others)) {
		told = append(told, key+" "+v.Others[key])
	}
	set("note", strings.Join(told, ", "))
	measured, err := v.Measured(zone)
	switch {
	case err != nil:
		row.Column, row.Err = "measuredAt", shop.RefuseField(shop.NotTime, "measuredAt")
	case !measured.IsZero():
		set("measuredAt", measured.Format(time.RFC3339))
	}
	if v.Attribute != "" && v.Attribute != "0" {
		row.Column, row.Err = "value", shop.RefuseField(AQDEFInvalid, "value", v.Attribute, v.Line)
		return row
	}
	if c.Counted {
		fillCounted(&row, v, set)
		return row
	}
	for _, of := range [][2]string{
		{"value", v.Text}, {"unit", c.Unit}, {"nominal", c.Nominal}, {"lower", c.Lower}, {"upper", c.Upper},
		{"lowerTolerance", c.LowerTolerance}, {"upperTolerance", c.UpperTolerance},
	} {
		set(of[0], of[1])
	}
	return row
}

// fillCounted fills in pass or fail: a reading is of one unit.
func fillCounted(row *shop.ImportRow, v *aqdef.Value, set func(name, text string)) {
	switch {
	case v.Size != "1" || v.Defects != "0" && v.Defects != "1":
		row.Column, row.Err = "value", shop.RefuseField(AQDEFCount, "value", v.Defects, v.Size, v.Line)
	case v.Defects == "0":
		set("value", string(shop.VerdictPass))
	default:
		set("value", string(shop.VerdictFail))
	}
}

// Why a file in the Q-DAS transfer format, or a value of it, is refused.
var (
	AQDEFUnread  = shop.NewReason(shop.Invalid, "aqdef_unread", "Line {line} of the Q-DAS file is not understood: {why}")
	AQDEFInvalid = shop.NewReason(shop.Invalid, "value_does_not_count", "{field} does not count: K0002 is {attribute} in line {line}")
	AQDEFCount   = shop.NewReason(shop.Invalid, "not_of_one_unit",
		"{field} is {defects} of {size} in line {line}: a reading is of one unit, so K0020 has to be 1 and K0021 0 or 1")
	AQDEFTooLong = shop.NewReason(shop.Invalid, "aqdef_too_long", "A Q-DAS file may have at most {limit} bytes")
)
