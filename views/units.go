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

// Values of a HoldFilter, in addition to "" for all units.
const (
	OnHold    HoldFilter = "on"  // with an open hold, and not scrapped: a scrapped unit keeps its holds, but needs no release
	NotOnHold HoldFilter = "off" // in progress without an open hold, and so ready to be worked on
)

// UnitQuery selects the units of a list for people.
type UnitQuery struct {
	SerialQuery
	Hold HoldFilter
	// Closed narrows to units that are completed or scrapped and were last moved in a span of time; the zero Span does not narrow.
	Closed Span
	Reason card.ScrapReason // the reason of scrap, "" for all; only with Closed
	// HeldFor and HeldBy narrow units on hold to a reason and a report, which must be equal; "" does not narrow.
	HeldFor, HeldBy string
	// First and Last are the identifiers at the ends of a range; both or none.
	First, Last string
}

// NoReport is the HeldBy of holds that were placed without a report.
const NoReport = "none"

// Span is the time from one instant until another; the zero Until is the end of time.
type Span struct{ From, Until ident.Timestamp }

// UnitsAtMost is the maximum number of units that one list reads at once, and that are counted one by one if the stored counts do not help.
const UnitsAtMost = 1000

// UnitTotals counts the units that match a query.
type UnitTotals struct {
	shop.SerialCounts
	Held    int64 // the number of units in progress that are on hold; always 0 if AtLeast is set or the query has a number
	AtLeast bool  // whether there are more units than counted
}

// All returns the sum.
func (t *UnitTotals) All() int64 { return t.InProgress + t.Completed + t.Scrapped }

func (q UnitQuery) check(prefix ident.Prefix) (search SerialSearch, filter PlaceFilter, err error) {
	if search, filter, err = q.SerialQuery.check(prefix); err != nil {
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
			if _, known := prefix.ParseSerialID(end[1]); !known {
				return search, filter, refusal.RefuseField(refusal.NotSerialID, end[0])
			}
		}
		search.Within.First, _ = prefix.ParseSerialID(q.First)
		search.Within.Last, _ = prefix.ParseSerialID(q.Last)
	}
	return search, filter, nil
}

// Units finds units newest first, a page at a time, at most UnitsAtMost. A page costs the same wherever it begins, unless Closed narrows
// it: then the cost grows with the number of units that were closed in that time.
func (v *Views) Units(ctx context.Context, query UnitQuery) (SerialPage, error) {
	search, filter, err := query.check(v.SerialPrefix())
	if err != nil {
		return SerialPage{Items: []shop.SerialListItem{}}, err
	}
	return v.searchSerials(ctx, search, filter, query.Text)
}

// nameOwn adds to a search the units whose own number is in a text or a code. They replace the units whose job or path has that name, and
// are added to the units whose identifier begins with the text. A text that is no unit's own number changes nothing.
func nameOwn(tx Reader, text string, search *SerialSearch, filter *PlaceFilter) error {
	if text = strings.TrimSpace(text); text == "" || filter.Name == "" && search.Numbers == nil {
		return nil
	}
	for _, read := range scancode.Names(tx.SerialPrefix(), text) {
		if read.Unit() {
			continue
		}
		found, err := findMarked(tx, &read)
		if err != nil {
			return err
		}
		for _, unit := range found {
			if unit.PartUnknown { // a list cannot ask a person whether the unit is meant
				continue
			}
			filter.Name = ""
			number, _ := tx.SerialPrefix().ParseSerialID(unit.ID)
			within := func(known ident.NumberRange) bool { return known.First <= number && number <= known.Last }
			if !slices.ContainsFunc(search.Numbers, within) {
				search.Numbers = append(search.Numbers, ident.NumberRange{First: number, Last: number})
			}
		}
	}
	return nil
}

// CountUnits counts the units that match a query, on all pages. It uses stored counts if possible, and then costs little however many units
// there are.
func (v *Views) CountUnits(ctx context.Context, query UnitQuery) (totals UnitTotals, err error) {
	query.Before, query.Limit = "", UnitsAtMost
	search, filter, err := query.check(v.SerialPrefix())
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

// byReading counts units by reading them.
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

// addStanding counts units by the stored counts of positions.
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

// placesSearched returns a function that reports whether a position of a path is among the places of a search.
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

// UnitCounter is the database access for the counts of a list of units.
type UnitCounter interface {
	// CountUnits counts, by status, the serials that a search finds by hold, by span of closing, or by range. It ignores Numbers and the
	// limits of a page.
	CountUnits(search SerialSearch) ([]shop.StandingCount, error)
}
