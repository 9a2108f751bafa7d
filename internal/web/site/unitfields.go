package site

import (
	"cmp"
	"fmt"
	"iter"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// Fields for units accept typed and scanned text. A code is read as at the station (package scancode, views.UnitsCalled). A code that can
// mean several units is refused with a list of these units.

// UnitTyped returns the identifier of the unit that a user typed or scanned: the identifier, its number alone, or a number that is
// engraved on the unit, in any code, or its external identifier. A text that matches several units is refused with their names. A text that
// matches none is completed by SerialTyped.
func UnitTyped(v *Visit, typed string) (string, error) {
	unit, _, err := unitCalled(v, typed)
	return unit, err
}

// unitCalled is UnitTyped, and reports whether the unit exists.
func unitCalled(v *Visit, typed string) (id string, known bool, err error) {
	units, err := v.Views.UnitsCalled(v.R.Context(), strings.TrimSpace(typed))
	switch {
	case err != nil:
		return "", false, err
	case len(units) == 0:
		id, err := v.Views.UnitOutside(v.R.Context(), strings.TrimSpace(typed))
		if err != nil || id != "" {
			return id, true, err
		}
		if scancode.OtherPlant(v.SerialPrefix(), typed) {
			return "", false, refusal.Refuse(wording.OtherPlant, Visible(strings.TrimSpace(typed)), v.SerialPrefix().Mark())
		}
		return SerialTyped(v.SerialPrefix(), typed), false, nil
	}
	if err := unclearUnits(v, typed, units); err != nil {
		return "", false, err
	}
	return units[0].ID, true, nil
}

// unclearUnits refuses a code that can mean several units, or a unit whose part is unknown.
func unclearUnits(v *Visit, typed string, units []views.CalledUnit) error {
	switch {
	case len(units) > 0 && units[0].PartUnknown:
		return refusal.Refuse(wording.UnknownPart, Visible(typed), unitsToChoose(v, units), v.SerialPrefix())
	case len(units) > 1:
		return refusal.Refuse(wording.ManyUnits, Visible(typed), unitsToChoose(v, units), v.SerialPrefix())
	}
	return nil
}

// unitsToChoose lists the units that a code can mean, each with its job and position.
func unitsToChoose(v *Visit, units []views.CalledUnit) string {
	const shown = 5
	var listed []string
	for i := range units[:min(len(units), shown)] {
		unit := &units[i]
		at := cmp.Or(unit.CurrentStepName, lang.InSentence(v.Language, unit.Status))
		listed = append(listed, unit.ID+", "+unit.JobName+", "+at)
	}
	if more := len(units) - shown; more > 0 {
		listed = append(listed, v.TN(more, "{n} other", "{n} others"))
	}
	return strings.Join(listed, "; ")
}

var (
	// The words between units, and between the ends of a range, may be in each language of the pages, whatever the language of the page is.
	unitsBetween = regexp.MustCompile(`[,;\n]|\band\b|\s(?:und|y|et)\s`)
	unitsTo      = regexp.MustCompile(`^(.+?)\s+(?:(?i:to|bis|a|hasta|à)|–|—|-|\.\.)\s+(.+)$`)
)

// unitsPart returns the expression for a unit, or for a range of units whose ends are identifiers or their numbers.
func unitsPart(prefix ident.Prefix) *regexp.Regexp {
	const number = `((?:%[1]s)?\d{1,15})`
	return regexp.MustCompile(fmt.Sprintf(`^(?i)`+number+`(?:\s*(?:to|bis|a|hasta|à|–|—|-|\.\.)\s*`+number+`)?$`, prefix.Mark()))
}

// UnitSpans reads units as AllUnits writes them: SN-00401 to SN-00600, SN-00612.
func UnitSpans(prefix ident.Prefix, text string) (spans []ident.NumberRange, err error) {
	for _, part := range unitsBetween.Split(text, -1) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		found := unitsPart(prefix).FindStringSubmatch(part)
		if found == nil {
			return nil, refusal.Refuse(wording.NoUnits, part)
		}
		number := func(id string) int64 { // the expression allows digits only, and not too many
			number, _ := strconv.ParseInt(id[strings.LastIndex(id, "-")+1:], 10, 64)
			return number
		}
		first := number(found[1])
		last := first
		if found[2] != "" {
			last = number(found[2])
		}
		if last < first {
			return nil, refusal.Refuse(wording.UnitsBackwards, part)
		}
		spans = append(spans, ident.NumberRange{First: first, Last: last})
	}
	return spans, nil
}

// UnitsIn returns the units in spans, at most one more than a request may contain.
func UnitsIn(prefix ident.Prefix, spans []ident.NumberRange) (units []string) {
	limit, _ := input.ListLimit("serialIds")
	for _, span := range spans {
		for number := span.First; number <= span.Last && len(units) <= limit; number++ {
			units = append(units, prefix.SerialID(number))
		}
	}
	return units
}

// unitsWithin counts the units in spans, each once even if spans overlap.
func unitsWithin(spans []ident.NumberRange) (count int64) {
	reached := int64(0) // numbers begin at 1
	byFirst := func(a, b ident.NumberRange) int { return cmp.Compare(a.First, b.First) }
	for _, span := range slices.SortedFunc(slices.Values(spans), byFirst) {
		count += max(0, span.Last-max(span.First-1, reached))
		reached = max(reached, span.Last)
	}
	return count
}

// TypedUnits reads a selection of units, one or more in each line: SN-00401 to SN-00600, SN-00612; the units' own numbers in place of
// identifiers, as pages show them; or scanned codes. An empty text selects nothing.
func TypedUnits(v *Visit, text string) (selection shop.SelectionInput, err error) {
	spans, err := spansTyped(v, text)
	if err != nil {
		return selection, err
	}
	ranges := make([]input.Input[shop.RangeInput], len(spans))
	for i, span := range spans {
		ranges[i] = input.Given(shop.RangeInput{
			First: input.Given(v.SerialPrefix().SerialID(span.First)), Last: input.Given(v.SerialPrefix().SerialID(span.Last)),
		})
	}
	if len(ranges) > 0 {
		selection.Ranges, selection.ExpectedCount = input.Given(ranges), input.Given(float64(unitsWithin(spans)))
	}
	return selection, nil
}

// spansTyped reads the units of TypedUnits as spans.
func spansTyped(v *Visit, text string) (spans []ident.NumberRange, err error) {
	own, err := LoadOwnNumbers(v, text)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(own.out(text)) {
		found, is, err := spanTyped(v, line, own, text) // own numbers can contain the separators between units
		if err != nil {
			return nil, err
		}
		if is {
			spans = append(spans, found...)
			continue
		}
		for _, part := range unitsBetween.Split(line, -1) {
			if strings.TrimSpace(part) == "" {
				continue
			}
			if found, is, err = spanTyped(v, part, own, text); err != nil {
				return nil, err
			}
			if !is {
				return nil, refusal.Refuse(wording.NoUnits, Visible(strings.TrimSpace(part)))
			}
			spans = append(spans, found...)
		}
	}
	return spans, nil
}

// spanTyped reads a unit or a range of units, as spans of identifiers in ascending order. is is false for any other text.
func spanTyped(v *Visit, part string, own OwnNumbers, text string) (spans []ident.NumberRange, is bool, err error) {
	if part = strings.TrimSpace(part); part == "" || len(part) > scancode.Longest {
		return nil, false, nil
	}
	unit, known, err := unitCalled(v, part)
	if err != nil {
		return nil, false, err
	}
	ends := []string{unit, unit}
	if !known {
		if short := unitsPart(v.SerialPrefix()).FindStringSubmatch(part); len(short) > 2 && short[2] != "" {
			ends = short[1:]
		} else if long := unitsTo.FindStringSubmatch(part); long != nil {
			ends = long[1:]
		}
	}
	if ends[0] == unit && ends[1] == unit {
		number, isID := v.SerialPrefix().ParseSerialID(unit)
		return []ident.NumberRange{{First: number, Last: number}}, isID, nil
	}
	named := func(end *UnitEnd) { // copied from a page, with the own number before the identifier
		end.Number = end.Number || own[end.id] != "" && strings.Contains(text, UnitName{end.id, own[end.id]}.String())
	}
	return UnitRange(v, part, ends[0], ends[1], named)
}

// UnitEnd is one end of a typed range of units.
type UnitEnd struct {
	shop.RangeEnd
	id     string // the identifier of the unit, which may not exist
	number string // the own number of the unit
}

// typedUnitEnd reads one end of a range. A text that matches several units is refused.
func typedUnitEnd(v *Visit, typed string) (end UnitEnd, err error) {
	typed = strings.TrimSpace(typed)
	units, err := v.Views.UnitsCalled(v.R.Context(), typed)
	if err != nil {
		return end, err
	}
	if err := unclearUnits(v, typed, units); err != nil {
		return end, err
	}
	end.id = SerialTyped(v.SerialPrefix(), typed)
	if len(units) == 1 {
		end.id, end.number = units[0].ID, units[0].SerialNumber
	}
	for _, read := range scancode.Names(v.SerialPrefix(), typed) {
		number := cmp.Or(read.Mark.SerialNumber, read.Text)
		switch {
		case read.Unit() && read.ID == end.id:
			end.Short, end.ID = read.Form == scancode.Short, read.Form != scancode.Short
		case len(units) == 0 || number == "":
		case units[0].ByEarlier: // an earlier number, which may belong to no unit now
			end.Number, end.number = true, number
		case strings.EqualFold(number, end.number):
			end.Number = true
		}
	}
	return end, nil
}

// UnitRange reads the range between two ends, as spans of identifiers. is is false if one of the ends is no unit. shop.RangeOf decides
// whether the range counts identifiers or own numbers.
func UnitRange(v *Visit, part, first, last string, named func(*UnitEnd)) (spans []ident.NumberRange, is bool, err error) {
	var ends [2]UnitEnd
	var numbers [2]int64
	for i, typed := range []string{first, last} {
		if ends[i], err = typedUnitEnd(v, typed); err != nil {
			return nil, false, err
		}
		if numbers[i], is = v.SerialPrefix().ParseSerialID(ends[i].id); !is {
			return nil, false, nil
		}
		named(&ends[i])
	}
	kind := shop.RangeOf(ends[0].RangeEnd, ends[1].RangeEnd)
	if kind == shop.UnclearRange {
		return nil, false, refusal.Refuse(wording.UnitsUnclear, Visible(part), v.SerialPrefix().SerialID(1))
	}
	byID := []ident.NumberRange{{First: numbers[0], Last: numbers[1]}}
	if kind == shop.IDRange {
		if numbers[1] < numbers[0] {
			return nil, false, refusal.Refuse(wording.UnitsBackwards, Visible(part))
		}
		return byID, true, nil
	}
	counted, err := unitsCounted(v, part, ends[0], ends[1])
	if kind == shop.EitherRange && (err != nil || !slices.Equal(counted, byID)) {
		return nil, false, refusal.Refuse(wording.UnitsUnclear, Visible(part), v.SerialPrefix().SerialID(1))
	}
	return counted, err == nil, err
}

// unitsCounted returns the units with the own numbers between two ends. All must be of one part, and all numbers must exist.
func unitsCounted(v *Visit, part string, first, last UnitEnd) (spans []ident.NumberRange, err error) {
	counted, can := shop.CountRange(first.number, last.number)
	if !can {
		return nil, refusal.Refuse(wording.UnitsUncounted, Visible(part))
	}
	if counted.Backwards() {
		return nil, refusal.Refuse(wording.UnitsBackwards, Visible(part))
	}
	numbers, few := counted.Numbers()
	if !few {
		return nil, refusal.Refuse(wording.UnitsUncounted, Visible(part))
	}
	ids, missing, err := v.Views.CountedUnits(v.R.Context(), first.id, numbers)
	if err != nil {
		return nil, err
	}
	if len(missing) > 0 {
		const shown = 10
		named := strings.Join(missing[:min(len(missing), shown)], ", ")
		if more := len(missing) - shown; more > 0 {
			named += ", " + v.TN(more, "{n} other", "{n} others")
		}
		return nil, refusal.Refuse(wording.UnitsMissing, Visible(part), named)
	}
	if ids[len(ids)-1] != last.id { // the last unit is of another part
		return nil, refusal.Refuse(wording.UnitsOfParts, Visible(part))
	}
	for _, id := range ids {
		number, _ := v.SerialPrefix().ParseSerialID(id)
		if n := len(spans); n > 0 && spans[n-1].Last == number-1 {
			spans[n-1].Last = number
			continue
		}
		spans = append(spans, ident.NumberRange{First: number, Last: number})
	}
	return spans, nil
}

// AllUnits lists units as UnitSpans reads them. Consecutive units become a range; none is left out.
func AllUnits(units []string) string {
	var parts []string
	for i := 0; i < len(units); {
		end := i
		for end+1 < len(units) && Follows(units[end], units[end+1]) {
			end++
		}
		if end == i {
			parts = append(parts, units[i])
		} else {
			parts = append(parts, units[i]+" to "+units[end]) // not a text: fields for units read it
		}
		i = end + 1
	}
	return strings.Join(parts, ", ")
}

// UnitGroup is a group of units with something in common: their step, or why they refuse an operation.
type UnitGroup struct {
	What  string
	Units string
}

// SerialTyped completes a unit's identifier if only its number was typed.
func SerialTyped(prefix ident.Prefix, typed string) string {
	if unit, ok := scancode.Unit(prefix, typed); ok {
		return unit
	}
	return strings.ToUpper(strings.TrimSpace(typed))
}

// Follows reports whether the number of the unit next is one more than that of one.
func Follows(one, next string) bool {
	prefix, a, isUnit := ident.SplitSerialID(one)
	b, also := prefix.ParseSerialID(next)
	return isUnit && also && b == a+1
}

// UnitsWithin yields the units of a selection that TypedUnits returned, range by range.
func UnitsWithin(prefix ident.Prefix, selection shop.SelectionInput) iter.Seq[string] {
	return func(yield func(string) bool) {
		for _, within := range selection.Ranges.Value {
			first, _ := prefix.ParseSerialID(within.Value.First.Value)
			last, _ := prefix.ParseSerialID(within.Value.Last.Value)
			for number := first; number <= last; number++ {
				if !yield(prefix.SerialID(number)) {
					return
				}
			}
		}
	}
}
