package views

import (
	"context"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// HoldFilter narrows units by whether they are on hold.
type HoldFilter string

// What a HoldFilter can be, beside "" for all units.
const (
	OnHold    HoldFilter = "on"  // with an open hold, and not scrapped: a scrapped unit keeps its holds, and waits for nothing
	NotOnHold HoldFilter = "off" // in progress without an open hold, so that they can be worked on
)

// UnitQuery says which units a list for people shows.
type UnitQuery struct {
	SerialQuery
	Hold HoldFilter
	// Closed narrows to units that are finished or scrapped and were last moved in a span of time; the zero Span does not narrow.
	Closed Span
	Reason card.ScrapReason // of those in Closed: why they were scrapped, "" for all
	// HeldFor and HeldBy narrow those on hold to a reason and a report, word for word; "" does not narrow.
	HeldFor, HeldBy string
	// First and Last are the identifiers of the ends of a range; both or none.
	First, Last string
}

// NoReport is the HeldBy of holds that no report placed.
const NoReport = "none"

// Span is the time from one instant until another; the zero Until is the end of time.
type Span struct{ From, Until ident.Timestamp }

// UnitsAtMost is how many units one list reads at once, and how many are counted where the counts that are kept do not help.
const UnitsAtMost = 1000

// UnitTotals is how many units match a query.
type UnitTotals struct {
	shop.SerialCounts
	Held    int64 // of those in progress; always 0 where AtLeast or a number was asked for
	AtLeast bool  // whether there are more
}

// All is how many they are together.
func (t *UnitTotals) All() int64 { return t.InProgress + t.Completed + t.Scrapped }

func (q UnitQuery) check() (search SerialSearch, filter PlaceFilter, err error) {
	if search, filter, err = q.SerialQuery.check(); err != nil {
		return search, filter, err
	}
	if q.Limit > 0 {
		search.Limit = min(q.Limit, UnitsAtMost) + 1
	}
	filters := []HoldFilter{"", OnHold, NotOnHold}
	if !slices.Contains(filters, q.Hold) {
		return search, filter, input.NotOneOf("hold", filters[1:])
	}
	if q.Reason != "" && !slices.Contains(shop.ScrapReasons(), q.Reason) {
		return search, filter, input.NotOneOf("reason", shop.ScrapReasons())
	}
	if q.Reason != "" && q.Closed == (Span{}) { // no index has them
		return search, filter, refusal.RefuseField(refusal.Required, "since")
	}
	search.Hold, search.Closed, search.Reason, search.HeldFor, search.HeldBy = q.Hold, q.Closed, q.Reason, q.HeldFor, q.HeldBy
	if q.First != "" || q.Last != "" {
		for _, end := range [][2]string{{"first", q.First}, {"last", q.Last}} {
			if _, known := ident.ParseSerialID(end[1]); !known {
				return search, filter, refusal.RefuseField(refusal.NotSerialID, end[0])
			}
		}
		search.Within.First, _ = ident.ParseSerialID(q.First)
		search.Within.Last, _ = ident.ParseSerialID(q.Last)
	}
	return search, filter, nil
}

// Units finds units newest first, a page at a time, at most UnitsAtMost. A page costs the same wherever it begins, except where
// Closed narrows it: then it costs what was closed in that time.
func (v *Views) Units(ctx context.Context, query UnitQuery) (SerialPage, error) {
	search, filter, err := query.check()
	if err != nil {
		return SerialPage{Items: []shop.SerialListItem{}}, err
	}
	return v.searchSerials(ctx, search, filter, query.Text)
}

// nameOwn narrows a search to the units of which a text is the own number, or which a code names by it: in the place of those whose
// job or route is called so, and beside those whose identifier begins so. A text that is no such number changes nothing.
func nameOwn(tx Reader, text string, search *SerialSearch, filter *PlaceFilter) error {
	if text = strings.TrimSpace(text); text == "" || filter.Name == "" && search.Numbers == nil {
		return nil
	}
	for _, read := range scancode.Names(text) {
		if read.Unit() {
			continue
		}
		found, err := findMarked(tx, &read)
		if err != nil {
			return err
		}
		for _, unit := range found {
			if unit.PartUnknown { // a list does not ask whether it is meant
				continue
			}
			filter.Name = ""
			number, _ := ident.ParseSerialID(unit.ID)
			within := func(known ident.NumberRange) bool { return known.First <= number && number <= known.Last }
			if !slices.ContainsFunc(search.Numbers, within) {
				search.Numbers = append(search.Numbers, ident.NumberRange{First: number, Last: number})
			}
		}
	}
	return nil
}

// CountUnits counts the units that a query matches, on whatever page. It uses the counts that are kept where they help, so that it
// costs little however many units there are.
func (v *Views) CountUnits(ctx context.Context, query UnitQuery) (totals UnitTotals, err error) {
	query.Before, query.Limit = "", UnitsAtMost
	search, filter, err := query.check()
	if err != nil {
		return totals, err
	}
	err = v.store.Look(ctx, func(tx Reader) (err error) {
		totals = UnitTotals{}
		if err := nameOwn(tx, query.Text, &search, &filter); err != nil {
			return err
		}
		if filter != (PlaceFilter{}) {
			if search.Places, err = tx.Places(filter, placeLimit); err != nil || len(search.Places) == 0 {
				return err
			}
		}
		switch {
		case search.Numbers != nil:
			return totals.byReading(tx, search)
		case search.Closed != (Span{}) || search.OwnNumber != "" || search.Hold == OnHold || search.Within != (ident.NumberRange{}):
			counted, err := tx.CountUnits(search)
			for _, at := range counted {
				totals.Add(at.Status, at.Count)
			}
			return err
		}
		return v.addStanding(tx, search, &totals)
	})
	return totals, err
}

// byReading counts units that are found by their numbers.
func (t *UnitTotals) byReading(tx Reader, search SerialSearch) error {
	found, err := tx.SearchSerials(search)
	if len(found) == search.Limit {
		found, t.AtLeast = found[:search.Limit-1], true
	}
	for i := range found {
		t.Add(found[i].Status, 1)
	}
	return err
}

// addStanding counts units by what stands where.
func (v *Views) addStanding(tx Reader, search SerialSearch, totals *UnitTotals) error {
	standing, err := v.shop.Standing(tx)
	if err != nil {
		return err
	}
	held, err := tx.HeldWaiting()
	if err != nil {
		return err
	}
	within := placesSearched(search.Places)
	for path, counts := range standing.All() {
		for _, at := range counts {
			if within(path, at.Position) && (search.Status == "" || search.Status == at.Status) {
				totals.Add(at.Status, at.Count)
			}
		}
	}
	if search.Status == "" || search.Status == card.InProgress {
		for _, at := range held {
			if within(at.PathID, at.Position) {
				totals.Held += at.Count
			}
		}
	}
	if search.Hold == NotOnHold {
		*totals = UnitTotals{SerialCounts: shop.SerialCounts{InProgress: totals.InProgress - totals.Held}}
	}
	return nil
}

// placesSearched reports of a position on a path whether it is among the places of a search.
func placesSearched(places []Place) func(pathID string, position int) bool {
	if places == nil {
		return func(string, int) bool { return true }
	}
	among := make(map[Place]bool, len(places))
	for _, place := range places {
		among[place] = true
	}
	return func(pathID string, position int) bool {
		return among[Place{pathID, AnyPosition}] || among[Place{pathID, position}]
	}
}

// UnitCounter is what the counts of a list of units need of a database.
type UnitCounter interface {
	// CountUnits counts the serials that a search finds for what is on hold, was closed in a span of time, or is within a range: by
	// status. It ignores Numbers, and where a page begins and ends.
	CountUnits(search SerialSearch) ([]shop.StandingCount, error)
}
