package web

import (
	"cmp"
	"regexp"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

// What people type or scan into the fields that take units. A code is read as at the station (package scancode, views.UnitsCalled);
// one that can mean several units is refused with all that can be meant, and none of them is taken.

// unitTyped is the identifier of the unit that somebody typed or scanned into a field: the identifier, its number alone, or a number
// that is engraved on it, in whatever code. Several units are refused, by name. What names no unit stays as serialTyped has it.
func (v *visit) unitTyped(typed string) (string, error) {
	unit, _, err := v.unitCalled(typed)
	return unit, err
}

// unitCalled is unitTyped, and reports whether there is such a unit.
func (v *visit) unitCalled(typed string) (id string, known bool, err error) {
	units, err := v.views.UnitsCalled(v.r.Context(), strings.TrimSpace(typed))
	switch {
	case err != nil:
		return "", false, err
	case len(units) == 1:
		return units[0].ID, true, nil
	case len(units) == 0:
		return serialTyped(typed), false, nil
	}
	return "", false, shop.Refuse(manyUnits, visible(typed), unitsToChoose(units))
}

// unitsToChoose lists units that a code can mean, each with its job and where it is.
func unitsToChoose(units []views.CalledUnit) string {
	const shown = 5
	var listed []string
	for i := range units[:min(len(units), shown)] {
		unit := &units[i]
		at := cmp.Or(unit.CurrentStepName, strings.ToLower(words(unit.Status)))
		listed = append(listed, unit.ID+", "+unit.JobName+", "+at)
	}
	if more := len(units) - shown; more > 0 {
		listed = append(listed, plural(more, "other", "others"))
	}
	return strings.Join(listed, "; ")
}

var (
	unitsBetween = regexp.MustCompile(`[,;\n]|\band\b`)
	unitsTo      = regexp.MustCompile(`^(.+?)\s+(?:to|–|—|-|\.\.)\s+(.+)$`)
	unitsPart    = regexp.MustCompile(`^(?i)(?:SN-)?(\d{1,15})(?:\s*(?:to|–|—|-|\.\.)\s*(?:SN-)?(\d{1,15}))?$`)
)

// unitSpans reads units as allUnits writes them: SN-00401 to SN-00600, SN-00612.
func unitSpans(text string) (spans []shop.NumberRange, err error) {
	for _, part := range unitsBetween.Split(text, -1) {
		if part = strings.TrimSpace(part); part == "" {
			continue
		}
		found := unitsPart.FindStringSubmatch(part)
		if found == nil {
			return nil, shop.Refuse(noUnits, part)
		}
		first, _ := strconv.ParseInt(found[1], 10, 64) // the expression allows digits only, and not too many
		last := first
		if found[2] != "" {
			last, _ = strconv.ParseInt(found[2], 10, 64)
		}
		if last < first {
			return nil, shop.Refuse(unitsBackwards, part)
		}
		spans = append(spans, shop.NumberRange{First: first, Last: last})
	}
	return spans, nil
}

// unitsIn names the units in spans, no more than a request may name and one.
func unitsIn(spans []shop.NumberRange) (units []string) {
	limit, _ := shop.ListLimit("serialIds")
	for _, span := range spans {
		for number := span.First; number <= span.Last && len(units) <= limit; number++ {
			units = append(units, shop.SerialID(number))
		}
	}
	return units
}

// unitsWithin counts the units in spans, each once, also when it is named several times.
func unitsWithin(spans []shop.NumberRange) (count int64) {
	reached := int64(0) // numbers begin at 1
	byFirst := func(a, b shop.NumberRange) int { return cmp.Compare(a.First, b.First) }
	for _, span := range slices.SortedFunc(slices.Values(spans), byFirst) {
		count += max(0, span.Last-max(span.First-1, reached))
		reached = max(reached, span.Last)
	}
	return count
}

// typedUnits selects units as people write and scan them: SN-00401 to SN-00600, SN-00612, their own numbers in the place of any of
// these, as the pages call them, and codes, one in a line. Nothing at all selects nothing.
func (v *visit) typedUnits(text string) (selection shop.SelectionInput, err error) {
	spans, err := v.spansTyped(text)
	if err != nil {
		return selection, err
	}
	ranges := make([]shop.Input[shop.RangeInput], len(spans))
	for i, span := range spans {
		ranges[i] = shop.Given(shop.RangeInput{
			First: shop.Given(shop.SerialID(span.First)), Last: shop.Given(shop.SerialID(span.Last)),
		})
	}
	if len(ranges) > 0 {
		selection.Ranges, selection.ExpectedCount = shop.Given(ranges), shop.Given(float64(unitsWithin(spans)))
	}
	return selection, nil
}

// spansTyped reads them.
func (v *visit) spansTyped(text string) (spans []shop.NumberRange, err error) {
	own, err := v.ownNumbers(text)
	if err != nil {
		return nil, err
	}
	for line := range strings.Lines(own.out(text)) {
		span, is, err := v.spanTyped(line) // an own number can have any of the characters that stand between units
		if err != nil {
			return nil, err
		}
		if is {
			spans = append(spans, span)
			continue
		}
		for _, part := range unitsBetween.Split(line, -1) {
			if strings.TrimSpace(part) == "" {
				continue
			}
			if span, is, err = v.spanTyped(part); err != nil {
				return nil, err
			}
			if !is {
				return nil, shop.Refuse(noUnits, visible(strings.TrimSpace(part)))
			}
			spans = append(spans, span)
		}
	}
	return spans, nil
}

// spanTyped reads a unit or a range of units. It is false for everything else. The ends of a range are the identifiers of its units,
// also where own numbers name them.
func (v *visit) spanTyped(part string) (span shop.NumberRange, is bool, err error) {
	if part = strings.TrimSpace(part); part == "" || len(part) > scancode.Longest {
		return span, false, nil
	}
	unit, known, err := v.unitCalled(part)
	if err != nil {
		return span, false, err
	}
	ends := []string{unit, unit}
	if !known {
		if short := unitsPart.FindStringSubmatch(part); len(short) > 2 && short[2] != "" {
			ends = short[1:]
		} else if long := unitsTo.FindStringSubmatch(part); long != nil {
			ends = long[1:]
		}
		for i, end := range ends {
			if end == unit {
				continue
			}
			if ends[i], err = v.unitTyped(end); err != nil {
				return span, false, err
			}
		}
	}
	first, isFirst := shop.ParseSerialID(ends[0])
	last, isLast := shop.ParseSerialID(ends[1])
	if !isFirst || !isLast {
		return span, false, nil
	}
	if last < first {
		return span, false, shop.Refuse(unitsBackwards, visible(part))
	}
	return shop.NumberRange{First: first, Last: last}, true, nil
}

// allUnits names units as unitSpans reads them; neighbours become a range, and none is left out.
func allUnits(units []string) string {
	var parts []string
	for i := 0; i < len(units); {
		end := i
		for end+1 < len(units) && follows(units[end], units[end+1]) {
			end++
		}
		if end == i {
			parts = append(parts, units[i])
		} else {
			parts = append(parts, units[i]+" to "+units[end])
		}
		i = end + 1
	}
	return strings.Join(parts, ", ")
}
