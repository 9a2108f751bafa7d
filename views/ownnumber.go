package views

import (
	"cmp"
	"context"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// NumberFinder finds units by the numbers that are engraved on them, ignoring the case of the letters A to Z.
type NumberFinder interface {
	// SerialsNumberedFrom returns numbers that begin with a text, in their order, the newest serial first for equal numbers.
	SerialsNumberedFrom(beginning string, limit int) ([]shop.OwnNumber, error)
	// SerialsInScope returns the serials that have one of the numbers within a scope, by number.
	SerialsInScope(scope string, numbers []string) (map[string]string, error)
	// OwnNumbersNow returns the current own numbers of serials, by the serials' numbers; serials without an own number are left out.
	OwnNumbersNow(numbers []int64) (map[int64]string, error)
	// JobsWithGTIN returns at most limit jobs with a GTIN of 14 digits, newest first. It compares the job's own GTIN in any spelling, or
	// the part number of a job without a GTIN.
	JobsWithGTIN(gtin string, limit int) ([]string, error)
	// GTINsOfJobs returns the GTINs of jobs, with 14 digits; jobs without their own GTIN are left out.
	GTINsOfJobs(jobIDs []string) (map[string]string, error)
}

// OwnNumbers returns the current own numbers of units, by their identifiers, in one read; units without an own number are left out.
func (v *Views) OwnNumbers(ctx context.Context, ids []string) (own map[string]string, err error) {
	own = map[string]string{}
	numbers := make([]int64, 0, len(ids))
	for _, id := range ids {
		if number, ok := v.SerialPrefix().ParseSerialID(id); ok {
			numbers = append(numbers, number)
		}
	}
	if len(numbers) == 0 {
		return own, nil
	}
	err = v.store.Look(ctx, func(tx Reader) error {
		own = map[string]string{}
		found, err := tx.OwnNumbersNow(numbers)
		for number, engraved := range found {
			own[tx.SerialPrefix().SerialID(number)] = engraved
		}
		return err
	})
	return own, err
}

// numberedAtMost is the maximum number of units that a code can identify by own number, and of jobs that it can identify by GTIN.
const numberedAtMost = 50

// findMarked finds units by their own number, which may stand in a text, a command or a mark. If no job has the GTIN of the mark, the part
// of these units is unknown.
func findMarked(tx Reader, read *scancode.Reading) ([]FoundRecord, error) {
	number := read.Mark.SerialNumber
	if read.Kind == scancode.Text || read.Kind == scancode.Command {
		number = read.Text
	}
	if number == "" {
		return nil, nil
	}
	limit := numberedAtMost
	if read.Mark.Part() {
		limit = math.MaxInt32
	}
	numbers, err := tx.SerialsNumbered(number, limit)
	if err != nil || !read.Mark.Part() {
		return named(tx, numbers, false, err)
	}
	if read.Mark.GTIN == "" {
		return named(tx, slices.DeleteFunc(numbers, func(n shop.OwnNumber) bool { return !ofPart(&read.Mark, n.Part()) }), false, nil)
	}
	return findOfGTIN(tx, numbers, &read.Mark)
}

// named returns the units with the given own numbers, each once.
func named(tx Reader, numbers []shop.OwnNumber, partUnknown bool, err error) (found []FoundRecord, _ error) {
	if err != nil {
		return nil, err
	}
	known := map[string]bool{}
	for i := range numbers {
		n := &numbers[i]
		if len(found) == numberedAtMost {
			break
		}
		if known[n.SerialID] {
			continue
		}
		known[n.SerialID] = true
		record := FoundRecord{Kind: resolvable[shop.RecordSerial].called, ID: n.SerialID, Name: n.Number, PartUnknown: partUnknown}
		var err error
		if n.Earlier {
			if record.Name, err = serialNamed(tx, n.SerialID); err != nil {
				return nil, err
			}
			record.EarlierNumber = n.Number
		}
		found = append(found, record)
	}
	return found, nil
}

// CalledUnit is a unit that a code identifies.
type CalledUnit struct {
	shop.SerialListItem
	EarlierNumbers []string // former own numbers, oldest first
	PartUnknown    bool     // the code has a GTIN that no job has, so it may mean a unit of another part
	ByEarlier      bool     // the code matches only one of EarlierNumbers, and no current name
}

// UnitsCalled returns the units that a code identifies: by identifier, or by a present or former own number. Units in progress come first.
// If there are several units, callers must not pick the first: only a person can decide which unit is meant.
func (v *Views) UnitsCalled(ctx context.Context, code string) (units []CalledUnit, err error) {
	read := scancode.Names(v.SerialPrefix(), code)
	err = v.store.Look(ctx, func(tx Reader) error {
		var all []FoundRecord
		for i := range read {
			found, err := findUnits(tx, &read[i])
			if err != nil {
				return err
			}
			all = append(all, found...)
		}
		byEarlier, ids := map[string]bool{}, []string{}
		all, partUnknown := withKnownPart(all)
		for _, one := range all {
			earlier, known := byEarlier[one.ID]
			if !known {
				ids = append(ids, one.ID)
			}
			byEarlier[one.ID] = one.EarlierNumber != "" && (earlier || !known)
		}
		if units, err = calledUnits(tx, ids); err != nil {
			return err
		}
		for i := range units {
			units[i].ByEarlier, units[i].PartUnknown = byEarlier[units[i].ID], partUnknown
		}
		slices.SortStableFunc(units, func(a, b CalledUnit) int { return standing(a) - standing(b) })
		return nil
	})
	return units, err
}

// UnitOutside returns the unit with an external identifier, or "".
func (v *Views) UnitOutside(ctx context.Context, externalID string) (id string, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		id, err = shop.FindOutside(tx, shop.RecordSerial, strings.TrimPrefix(externalID, shop.ExternalMark))
		return shop.IgnoreNoRecord(err)
	})
	return id, err
}

// MeantUnit returns the unit that a code means: the only unit, or the only unit that is not scrapped. It also returns the scrapped units. A
// unit with a former number is not meant if another unit has that number now. only is false if there is no unit, or if a person has to
// choose. A person always has to choose between units whose part is unknown.
func MeantUnit(units []CalledUnit) (meant CalledUnit, scrapped []CalledUnit, only bool) {
	var others []CalledUnit
	for i := range units {
		if units[i].Status == card.Scrapped {
			scrapped = append(scrapped, units[i])
		} else {
			others = append(others, units[i])
		}
	}
	switch {
	case len(units) > 0 && units[0].PartUnknown:
	case len(units) == 1:
		return units[0], nil, true
	case len(others) == 1 && !others[0].ByEarlier:
		return others[0], scrapped, true
	}
	return CalledUnit{}, nil, false
}

// standing returns 0 for a unit in progress, which is most likely meant, and otherwise 1.
func standing(unit CalledUnit) int {
	if unit.Status == card.InProgress {
		return 0
	}
	return 1
}

// findUnits finds the units that a reading identifies.
func findUnits(tx Reader, read *scancode.Reading) ([]FoundRecord, error) {
	switch {
	case read.Unit():
		return findRead(tx, read)
	case read.Kind != scancode.Ours && read.Kind != scancode.Badge:
		return findMarked(tx, read)
	}
	return nil, nil
}

// CountedUnits returns the units that have one of the own numbers and the part of the given unit, in the order of the numbers, and the
// numbers that no unit has now. If the unit's job has no part number, it searches only that job.
func (v *Views) CountedUnits(ctx context.Context, id string, numbers []string) (units, missing []string, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		units, missing = nil, nil
		had, err := tx.OwnNumbersOf(id)
		if err != nil || len(had) == 0 {
			missing = numbers
			return err
		}
		found, err := tx.SerialsInScope(had[len(had)-1].Scope, numbers)
		for _, number := range numbers {
			if unit, there := found[number]; there {
				units = append(units, unit)
			} else {
				missing = append(missing, number)
			}
		}
		return err
	})
	return units, missing, err
}

// UnitsOf returns the units with the given identifiers, at most ListPageLimit, in their order. Units that do not exist are left out.
func (v *Views) UnitsOf(ctx context.Context, ids []string) (units []CalledUnit, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		units, err = calledUnits(tx, ids)
		return err
	})
	return units, err
}

func calledUnits(tx Reader, ids []string) ([]CalledUnit, error) {
	numbers := []int64{}
	for _, id := range ids {
		if number, ok := tx.SerialPrefix().ParseSerialID(id); ok && len(numbers) < ListPageLimit {
			numbers = append(numbers, number)
		}
	}
	listed, err := tx.UnitsNumbered(numbers)
	if err != nil {
		return nil, err
	}
	slices.SortFunc(listed, func(a, b ListedUnit) int {
		return slices.Index(numbers, a.Number) - slices.Index(numbers, b.Number)
	})
	units := make([]CalledUnit, len(listed))
	names := shop.RouteNames{}
	for i := range listed {
		if units[i].SerialListItem, err = names.Item(tx, &listed[i].ListedSerial); err != nil {
			return nil, err
		}
		had, err := tx.OwnNumbersOf(units[i].ID)
		if err != nil {
			return nil, err
		}
		for j := range had {
			if had[j].Earlier {
				units[i].EarlierNumbers = append(units[i].EarlierNumbers, had[j].Number)
			}
		}
	}
	return units, nil
}

// searchNumbered returns the units that have or had an own number equal to a text, then the units with an own number that begins with the
// text, at most limit units of each group. exact is the number of units in the first group.
func searchNumbered(tx Reader, text string, limit int) (found []shop.ListedSerial, exact int, err error) {
	just, err := tx.SerialsNumbered(text, limit)
	if err != nil {
		return nil, 0, err
	}
	begun, err := tx.SerialsNumberedFrom(text, limit)
	if err != nil {
		return nil, 0, err
	}
	known := map[int64]bool{}
	var numbers []int64
	for i, number := range append(just, begun...) {
		if at, _ := tx.SerialPrefix().ParseSerialID(number.SerialID); !known[at] {
			known[at] = true
			numbers = append(numbers, at)
		}
		if i < len(just) {
			exact = len(numbers)
		}
	}
	units, err := tx.UnitsNumbered(numbers)
	if err != nil {
		return nil, 0, err
	}
	by := make(map[int64]shop.ListedSerial, len(units))
	for i := range units {
		by[units[i].Number] = units[i].ListedSerial
	}
	found = make([]shop.ListedSerial, len(numbers))
	for i, number := range numbers {
		found[i] = by[number]
	}
	return found, exact, nil
}

// numberedWithin returns the numbers of the units within ranges that have or had an own number, sorted.
func numberedWithin(tx Reader, own string, ranges []ident.NumberRange) ([]ident.NumberRange, error) {
	numbers, err := tx.SerialsNumbered(own, math.MaxInt32)
	found := []ident.NumberRange{}
	for i := range numbers {
		at, _ := tx.SerialPrefix().ParseSerialID(numbers[i].SerialID)
		if slices.ContainsFunc(ranges, func(within ident.NumberRange) bool { return within.First <= at && at <= within.Last }) {
			found = append(found, ident.NumberRange{First: at, Last: at})
		}
	}
	slices.SortFunc(found, func(a, b ident.NumberRange) int { return cmp.Compare(a.First, b.First) })
	return slices.Compact(found), err
}
