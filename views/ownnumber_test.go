package views_test

import (
	"context"
	"fmt"
	"testing"

	"github.com/google/go-cmp/cmp"

	"github.com/routecard/routecard/internal/shoptest"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/workorder"
	"github.com/routecard/routecard/views"
)

// numbered creates a unit with an own number, in a separate job for a part.
func numbered(t *testing.T, s *shoptest.Shop, part, number string) string {
	t.Helper()
	path := s.Route(t, card.Flexible, "Turn")
	if part != "" {
		shoptest.Must(s.UpdateJob(t.Context(), path.JobID, shop.UpdateJobInput{OrderInput: workorder.OrderInput{PartNumber: shoptest.Given(part)}}))
	}
	unit := s.Units(t, path, 1)[0]
	shoptest.Must(s.SetSerialNumber(t.Context(), unit,
		shop.SetSerialNumberInput{SerialNumber: shoptest.Given(number), UserID: shoptest.Given("ann")}))
	return unit
}

// docs/api/identifiers.md, "Serial numbers of your own": A code with a part finds the unit of that part, however many newer units of other
// parts have the same number.
func TestPartIsFoundAmongManyWithTheNumber(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	unit := numbered(t, s, "VB-210", "7")
	for i := range 60 {
		numbered(t, s, fmt.Sprint("P-", i), "7")
	}
	numbered(t, s, "", "7")
	found := shoptest.Must(s.Resolve(t.Context(), views.ResolveQuery{Code: "[)>\x1e06\x1d1PVB-210\x1dS7\x1e\x04"})).Found
	if diff := cmp.Diff([]views.FoundRecord{{Kind: "serial", ID: unit, Name: "7"}}, found); diff != "" {
		t.Error("-want +got:\n" + diff)
	}
}

// counting counts the reads of units by their numbers.
type counting struct {
	views.Store
	asked *int
}

type countingReader struct {
	views.Reader
	asked *int
}

func (c counting) Look(ctx context.Context, read func(views.Reader) error, options ...shop.ViewOption) error {
	return c.Store.Look(ctx, func(tx views.Reader) error { return read(countingReader{tx, c.asked}) }, options...)
}

func (r countingReader) UnitsNumbered(numbers []int64) ([]views.ListedUnit, error) {
	*r.asked++
	return r.Reader.UnitsNumbered(numbers)
}

// The search reads all units that it found by own number at once, and keeps the order in which they were found.
func TestSearchReadsNumberedUnitsAtOnce(t *testing.T) {
	t.Parallel()
	s := shoptest.Open(t)
	last := numbered(t, s, "", "VB-9")
	first := numbered(t, s, "", "VB")
	middle := numbered(t, s, "", "VB-10")
	asked := 0
	searched := views.New(counting{s.Store, &asked}, s.Service)
	units, exact, err := searched.SearchUnits(t.Context(), "vb", 9)
	if err != nil || exact != 1 {
		t.Fatal(exact, err)
	}
	var ids []string
	for i := range units {
		ids = append(ids, units[i].ID)
	}
	if diff := cmp.Diff([]string{first, middle, last}, ids); diff != "" {
		t.Error("-want +got:\n" + diff)
	}
	if asked != 1 {
		t.Errorf("asked %d times for units", asked)
	}
}

// Of several units with one number, the only one that is not scrapped is meant, unless it has another number by now.
func TestMeantUnit(t *testing.T) {
	t.Parallel()
	unit := func(id string, status card.SerialStatus, earlier bool) views.CalledUnit {
		return views.CalledUnit{SerialListItem: shop.SerialListItem{ID: id, Status: status}, ByEarlier: earlier}
	}
	for name, row := range map[string]struct {
		units    []views.CalledUnit
		meant    string
		scrapped int
	}{
		"no unit":                   {nil, "", 0},
		"one":                       {[]views.CalledUnit{unit("SN-00001", card.InProgress, false)}, "SN-00001", 0},
		"one that is scrapped":      {[]views.CalledUnit{unit("SN-00001", card.Scrapped, false)}, "SN-00001", 0},
		"one that had it":           {[]views.CalledUnit{unit("SN-00001", card.InProgress, true)}, "SN-00001", 0},
		"a replacement":             {[]views.CalledUnit{unit("SN-00002", card.InProgress, false), unit("SN-00001", card.Scrapped, false)}, "SN-00002", 1},
		"a finished replacement":    {[]views.CalledUnit{unit("SN-00001", card.Scrapped, false), unit("SN-00002", card.Completed, false)}, "SN-00002", 1},
		"the third":                 {[]views.CalledUnit{unit("SN-00001", card.Scrapped, false), unit("SN-00002", card.Scrapped, true), unit("SN-00003", card.InProgress, false)}, "SN-00003", 2},
		"two in progress":           {[]views.CalledUnit{unit("SN-00001", card.InProgress, false), unit("SN-00002", card.InProgress, false)}, "", 0},
		"two beside a scrapped one": {[]views.CalledUnit{unit("SN-00001", card.InProgress, false), unit("SN-00002", card.Completed, false), unit("SN-00003", card.Scrapped, false)}, "", 0},
		"all scrapped":              {[]views.CalledUnit{unit("SN-00001", card.Scrapped, false), unit("SN-00002", card.Scrapped, false)}, "", 0},
		"the other one had it":      {[]views.CalledUnit{unit("SN-00001", card.Scrapped, false), unit("SN-00002", card.InProgress, true)}, "", 0},
	} {
		meant, scrapped, only := views.MeantUnit(row.units)
		if meant.ID != row.meant || len(scrapped) != row.scrapped || only != (row.meant != "") {
			t.Errorf("%s: %q, %d scrapped, %v", name, meant.ID, len(scrapped), only)
		}
	}
}
