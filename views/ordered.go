package views

import (
	"cmp"
	"context"
	"fmt"
	"math"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// Ordering is the requested order of a list whose default order is newest first, and the time from which changes are read. The zero
// Ordering requests the default. In a requested order, the field Before of a query is Next of the previous page.
type Ordering struct {
	// UpdatedSince narrows the list as ListQuery.UpdatedSince does.
	UpdatedSince ident.Timestamp `query:"updatedSince"`
	Sort         string          `query:"sort"` // one of the list's Orders; "" for the default, or the order of changes with UpdatedSince
}

// listQuery moves the cursor and the limit out of a search query.
func (o Ordering) listQuery(before *string, limit *int) ListQuery {
	query := ListQuery{Limit: input.PageLimit(*limit), After: *before, UpdatedSince: o.UpdatedSince, Sort: o.Sort}
	*before, *limit = "", 0
	return query
}

// holdsInOrder reads a page of holds in an order, as readList does.
func holdsInOrder(ctx context.Context, v *Views, list *List, _ string, query shop.HoldQuery, ordering Ordering) (ListPage, error) {
	asked := ordering.listQuery(&query.Before, &query.Limit)
	return v.listPage(ctx, list, "", beforeName, asked, query)
}

// measurementsInOrder reads a page of readings in an order, as readList does.
func measurementsInOrder(
	ctx context.Context, v *Views, list *List, _ string, query shop.MeasurementQuery, ordering Ordering,
) (page ListPage, err error) {
	if err := query.Check(); err != nil {
		return page, err
	}
	asked := ordering.listQuery(&query.Before, &query.Limit)
	return v.listPage(ctx, list, "", beforeName, asked, query)
}

// readingsInOrder is measurementsInOrder for the readings taken with an instrument.
func readingsInOrder(
	ctx context.Context, v *Views, _ *List, id string, query shop.InstrumentReadingsQuery, ordering Ordering,
) (page ListPage, err error) {
	found := exists(shop.NameInstrument, Reader.Instrument)
	if err := v.store.Look(ctx, func(tx Reader) error { return found(tx, id) }); err != nil {
		return page, err
	}
	measurements := listOfMeasurements()
	return measurementsInOrder(ctx, v, &measurements, "", shop.MeasurementQuery{
		InstrumentID: id, From: query.Since, Before: query.Before, Limit: query.Limit,
	}, ordering)
}

// beforeName is the parameter with the cursor of lists whose default order is newest first.
const beforeName = "before"

// instrumentsInOrder reads a page of instruments in an order, as readList does. It reads all instruments until the page is full, because
// their states depend on the day.
func instrumentsInOrder(
	ctx context.Context, v *Views, list *List, _ string, query shop.InstrumentQuery, ordering Ordering,
) (page ListPage, err error) {
	if err := query.Check(); err != nil {
		return page, err
	}
	asked := ordering.listQuery(&query.Before, &query.Limit)
	reading, err := newListReading(list, "", beforeName, asked, query)
	if err != nil {
		return page, err
	}
	now := v.shop.Now()
	reading.shown = func(record any) any {
		found, _ := record.(shop.Instrument)
		if found = found.At(now); !query.Finds(found) {
			return nil
		}
		return found
	}
	return v.readPage(ctx, &reading)
}

// lotsInOrder reads a page of lots in an order, as readList does.
func lotsInOrder(ctx context.Context, v *Views, list *List, _ string, query shop.LotQuery, ordering Ordering) (page ListPage, err error) {
	asked := ordering.listQuery(&query.Before, &query.Limit)
	reading, err := newListReading(list, "", beforeName, asked, query)
	if err != nil {
		return page, err
	}
	today := v.shop.Today()
	reading.shown = func(record any) any {
		found, _ := record.(shop.Lot)
		return found.At(today)
	}
	return v.readPage(ctx, &reading)
}

// shipmentsInOrder reads a page of shipments with their receipts in an order, as readList does. It reads until the page is full, because
// their statuses depend on the day.
func shipmentsInOrder(
	ctx context.Context, v *Views, list *List, _ string, query shop.ShipmentQuery, ordering Ordering,
) (page ListPage, err error) {
	if err := query.Check(); err != nil {
		return page, err
	}
	asked := ordering.listQuery(&query.Before, &query.Limit)
	reading, err := newListReading(list, "", beforeName, asked, query)
	if err != nil {
		return page, err
	}
	today := v.shop.Today()
	reading.shown = func(record any) any {
		found, _ := record.(shop.Shipment)
		if found = found.At(today); !query.Finds(found) {
			return nil
		}
		return found
	}
	return completedPage(ctx, v, &reading, func(tx Reader, found []shop.Shipment) error { return shop.AddReceipts(tx, found) })
}

// firstArticlesInOrder reads a page of first article inspections in an order, as readList does.
func firstArticlesInOrder(
	ctx context.Context, v *Views, list *List, _ string, query shop.FirstArticleQuery, ordering Ordering,
) (page ListPage, err error) {
	if err := query.Check(); err != nil {
		return page, err
	}
	asked := ordering.listQuery(&query.Before, &query.Limit)
	return v.listPage(ctx, list, "", beforeName, asked, query)
}

// conformancesInOrder reads a page of certificates of conformance with their revisions in an order, as readList does.
func conformancesInOrder(
	ctx context.Context, v *Views, list *List, _ string, query shop.ConformanceQuery, ordering Ordering,
) (page ListPage, err error) {
	if err := query.Check(); err != nil {
		return page, err
	}
	asked := ordering.listQuery(&query.Before, &query.Limit)
	reading, err := newListReading(list, "", beforeName, asked, query)
	if err != nil {
		return page, err
	}
	reading.shown = func(record any) any { return record }
	return completedPage(ctx, v, &reading, func(tx Reader, found []shop.Conformance) error {
		return shop.AddConformanceRevisions(tx, found)
	})
}

// completedPage reads a page whose records all have one type, and completes them in the same transaction.
func completedPage[T any](
	ctx context.Context, v *Views, reading *listReading, complete func(tx Reader, found []T) error,
) (page ListPage, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		if page, err = reading.page(tx); err != nil {
			return err
		}
		found := make([]T, len(page.Items))
		for i := range page.Items {
			found[i], _ = page.Items[i].(T)
		}
		if err := complete(tx, found); err != nil {
			return err
		}
		for i := range found {
			page.Items[i] = found[i]
		}
		return nil
	})
	return page, err
}

// serialsInOrder finds units oldest first, or those that changed since a time in the order in which the trail records the changes, as
// serialList does. Its rows are those of serialList.
func serialsInOrder(
	ctx context.Context, v *Views, units *List, _ string, query SerialQuery, ordering Ordering,
) (page ListPage, err error) {
	before := query.Before
	query.Before = ""
	search, filter, err := query.check(v.SerialPrefix())
	if err != nil {
		return page, err
	}
	list := units.byTrail(ordering)
	order, err := list.order(ListQuery{UpdatedSince: ordering.UpdatedSince, Sort: ordering.Sort})
	if err != nil {
		return page, err
	}
	query.Limit = 0
	purpose := asked(list.Name, "", order.Name, ordering.UpdatedSince, fmt.Sprintf("%+v", query))
	entry, number, err := readPlace(beforeName, before, purpose)
	if err != nil {
		return page, err
	}
	if search.Numbers != nil && len(search.Numbers) == 0 {
		return ListPage{Items: []any{}}, nil
	}
	err = v.store.Look(ctx, func(tx Reader) error {
		reading := serialReading{
			tx: tx, query: SerialListQuery{Limit: search.Limit - 1, UpdatedSince: ordering.UpdatedSince},
			routes: map[string]*listedRoute{}, rows: []any{},
		}
		at, more, err := reading.search(search, filter, order, entry, number)
		page = ListPage{Items: reading.rows}
		if more {
			page.Next = cursor{For: purpose, By: at.By, Place: at.Place}.text()
		}
		return err
	})
	return page, err
}

// byTrail returns the list with the order of changes if the query requests changes since a time, which the trail records.
func (l *List) byTrail(ordering Ordering) List {
	list := *l
	if ordering.UpdatedSince != 0 {
		list.sorts = []ListOrder{{Name: "updatedAt", By: ByChange}} // the number of an entry
	}
	return list
}

// search reads the units that a search finds in an order, after a position.
func (r *serialReading) search(
	search SerialSearch, filter PlaceFilter, order ListOrder, entry, number int64,
) (at ListPosition, more bool, err error) {
	if filter != (PlaceFilter{}) {
		if search.Places, err = r.tx.Places(filter, placeLimit); err != nil || len(search.Places) == 0 {
			return at, false, err
		}
	}
	if r.query.UpdatedSince != 0 {
		if r.only, err = search.finding(r.tx); err != nil {
			return at, false, err
		}
		return r.changed(entry, number)
	}
	if search.Oldest = !order.Descending; search.Oldest {
		search.After = number
	} else if number > 0 {
		search.Before = number
	}
	found, err := r.tx.SearchSerials(search)
	if err != nil {
		return at, false, err
	}
	if more = len(found) == search.Limit; more {
		found = found[:search.Limit-1]
		at = ListPosition{By: int64(0), Place: found[len(found)-1].Number}
	}
	numbers := make([]int64, len(found))
	for i := range found {
		numbers[i] = found[i].Number
	}
	err = r.takeNumbered(numbers)
	if order.Descending {
		slices.Reverse(r.rows)
	}
	return at, more, err
}

// finding returns a function that reports whether a unit matches a search made from a SerialQuery.
func (s *SerialSearch) finding(tx Reader) (func(*ListedUnit) bool, error) {
	var numbered map[string]bool
	if s.OwnNumber != "" {
		own, err := tx.SerialsNumbered(s.OwnNumber, math.MaxInt32)
		if err != nil {
			return nil, err
		}
		numbered = make(map[string]bool, len(own))
		for i := range own {
			numbered[own[i].SerialID] = true
		}
	}
	places := make(map[Place]bool, len(s.Places))
	for _, place := range s.Places {
		places[place] = true
	}
	return func(unit *ListedUnit) bool {
		at := places[Place{unit.PathID, unit.Position}] || places[Place{unit.PathID, AnyPosition}]
		within := slices.ContainsFunc(s.Numbers, func(r ident.NumberRange) bool { return r.First <= unit.Number && unit.Number <= r.Last })
		return (s.Places == nil || at) && (s.Numbers == nil || within) && (s.Status == "" || s.Status == unit.Status) &&
			(s.OwnNumber == "" || numbered[tx.SerialPrefix().SerialID(unit.Number)])
	}, nil
}

// reportsInOrder reads a page of reports with their units in an order, as readList does. The page has fewer reports than the limit if they
// have many units. Reports that changed since a time come in the order in which the trail records the changes, each with the time of the
// last entry that was read. A report that changes meanwhile comes again.
func reportsInOrder(
	ctx context.Context, v *Views, reports *List, _ string, query shop.NonconformanceQuery, ordering Ordering,
) (page ListPage, err error) {
	if err := query.Check(); err != nil {
		return page, err
	}
	asking := ordering.listQuery(&query.Before, &query.Limit)
	list := reports.byTrail(ordering)
	reading, err := newListReading(&list, "", beforeName, asking, query)
	if err != nil {
		return page, err
	}
	reading.shown = func(head any) any { return head }
	err = v.store.Look(ctx, func(tx Reader) error {
		if ordering.UpdatedSince != 0 {
			page, err = reportsChanged(tx, &reading, query)
			return err
		}
		heads, err := reading.page(tx)
		if err != nil {
			return err
		}
		page = ListPage{Items: []any{}, Next: heads.Next}
		units := 0
		for _, head := range heads.Items {
			found, _ := head.(shop.Nonconformance)
			report, err := wholeReport(tx, found.ID)
			if err != nil {
				return err
			}
			if units += len(report.Units); len(page.Items) > 0 && units > shop.UnitsPerPage {
				last, _ := page.Items[len(page.Items)-1].(shop.Nonconformance)
				number, _ := shop.ParseNonconformanceID(last.ID)
				page.Next = reading.cursor(ListPosition{By: "", Place: number})
				return nil
			}
			page.Items = append(page.Items, report)
		}
		return nil
	})
	return page, err
}

// wholeReport returns a report with its units as the interface shows it.
func wholeReport(tx Reader, id string) (shop.Nonconformance, error) {
	report, err := tx.Nonconformance(id)
	if err == nil {
		err = shop.TellTakenBack(tx, &report)
	}
	return report, err
}

// reportsChanged reads the reports that changed since a time and match a query.
func reportsChanged(tx Reader, reading *listReading, query shop.NonconformanceQuery) (page ListPage, err error) {
	behind := ListPosition{By: int64(beginning), Place: int64(0)}
	if reading.window.After != nil {
		behind = *reading.window.After
	}
	entry, _ := behind.By.(int64)
	place, _ := behind.Place.(int64)
	read := changes[int64]{
		tx: tx, since: reading.query.UpdatedSince, limit: reading.query.Limit,
		told: func(entry *trail.Entry, behind int64, _ int) ([]telling[int64], error) {
			return reportsTold(tx, entry, behind)
		},
	}
	found, at, more, err := read.behind(entry, place)
	if err != nil {
		return page, err
	}
	page.Items = []any{}
	units := 0
	for i := range found {
		report, err := wholeReport(tx, shop.NonconformanceID(found[i].what))
		if err != nil {
			return page, err
		}
		if units += len(report.Units); i > 0 && units > shop.UnitsPerPage {
			at, more = found[i-1].position(), true
			break
		}
		if shown, err := asksFor(tx, &query, &report); err != nil {
			return page, err
		} else if shown {
			page.Items = append(page.Items, DatedRow{report, found[i].at})
		}
	}
	if more {
		page.Next = reading.cursor(at)
	}
	return page, nil
}

// reportsTold returns the reports that an entry changed, if the numbers of the reports are above the given number. These are the reports
// that the entry concerns. If the entry scraps a unit or undoes a change, they include the reports with a conditional disposition of that
// unit.
func reportsTold(tx Reader, entry *trail.Entry, behind int64) (told []telling[int64], err error) {
	var numbers []int64
	switch {
	case slices.Contains(shop.ActionsOf(shop.RecordNonconformance), entry.Action):
		var about struct{ NonconformanceID string }
		if trail.ReadMetadata(entry, &about) == nil { // verification reports an entry that cannot be read
			number, _ := shop.ParseNonconformanceID(about.NonconformanceID)
			numbers = append(numbers, number)
		}
	case entry.Action == card.ActionSerialScrapped, entry.Action == replay.ActionChangeUndone:
		on, err := tx.UnitOnReports(entry.SerialID)
		if err != nil {
			return nil, err
		}
		for id, unit := range on {
			if unit.Disposition.Conditional() {
				number, _ := shop.ParseNonconformanceID(id)
				numbers = append(numbers, number)
			}
		}
		slices.Sort(numbers)
	}
	for _, number := range numbers {
		if number > behind {
			told = append(told, telling[int64]{what: number, place: number})
		}
	}
	return told, nil
}

// asksFor reports whether a report matches a query.
func asksFor(tx Reader, query *shop.NonconformanceQuery, report *shop.Nonconformance) (bool, error) {
	if query.Status != "" && query.Status != report.Status ||
		query.SerialID != "" && report.UnitsByID()[query.SerialID] == nil {
		return false, nil
	}
	if query.JobID == "" {
		return true, nil
	}
	standings, err := tx.UnitStandings(report.ID)
	if err != nil {
		return false, err
	}
	paths, err := tx.PathsOfJobs([]string{query.JobID})
	return slices.ContainsFunc(standings, func(unit shop.UnitStanding) bool {
		return slices.ContainsFunc(paths, func(path shop.PathOfJob) bool { return path.PathID == unit.PathID })
	}), err
}

// jobsListed reads a page of the jobs that SearchJobs finds, or of the jobs that changed since a time.
func jobsListed(ctx context.Context, v *Views, _ *List, _ string, query JobsQuery) (Found, error) {
	if query.UpdatedSince == 0 {
		return FoundIn(v.SearchJobs(ctx, query.Query))
	}
	return FoundIn(v.jobsChanged(ctx, query.Query, query.UpdatedSince))
}

// JobsQuery is a JobQuery that may request the changes since a time.
type JobsQuery struct {
	Query JobQuery
	// UpdatedSince narrows the list as ListQuery.UpdatedSince does: to jobs with an entry in the trail about the job or its units.
	UpdatedSince ident.Timestamp `query:"updatedSince"`
}

// jobsChanged finds jobs that changed, or a unit of which changed, since a time, in the order in which the trail records the changes. A job
// that changes meanwhile comes again. A page may have fewer jobs than the limit, even none, although more jobs follow.
func (v *Views) jobsChanged(ctx context.Context, query JobQuery, since ident.Timestamp) (page JobPage, err error) {
	after, sort := query.After, query.Sort
	query.After, query.Sort = "", ""
	search, err := query.check()
	if err != nil {
		return page, err
	}
	if sort != "" && sort != JobsByChange {
		return page, input.NotOneOf("sort", []JobSort{JobsByChange})
	}
	limit := input.PageLimit(query.Limit)
	query.Limit = 0
	purpose := asked(ListJobs, "search", string(JobsByChange), since, fmt.Sprintf("%+v", query))
	entry, number, err := readPlace("after", after, purpose)
	if err != nil {
		return page, refusal.RefuseField(NotNext, "after")
	}
	err = v.store.Look(ctx, func(tx Reader) error {
		read := changes[string]{tx: tx, since: since, limit: limit, told: jobTold}
		found, at, more, err := read.behind(entry, number)
		if err != nil {
			return err
		}
		page = JobPage{Items: []JobOverview{}}
		if more {
			page.Next = cursor{For: purpose, By: at.By, Place: at.Place}.text()
		}
		page.Items, err = v.jobsAmong(tx, search, found)
		return err
	})
	return page, err
}

// jobTold returns the job that an entry concerns, directly or through one of its units.
func jobTold(entry *trail.Entry, behind int64, _ int) ([]telling[string], error) {
	if entry.JobID == "" || behind > 0 {
		return nil, nil
	}
	return []telling[string]{{what: entry.JobID, place: 1}}, nil
}

// jobsAmong reads the given jobs that a search finds, in the given order.
func (v *Views) jobsAmong(tx Reader, search jobSearch, among []telling[string]) ([]JobOverview, error) {
	found := []JobOverview{}
	ids, places := make([]string, len(among)), make(map[string]int, len(among))
	for i := range among {
		ids[i], places[among[i].what] = among[i].what, i
	}
	jobs, err := tx.JobsAmong(ids, search.filter())
	if err != nil {
		return found, err
	}
	for i := range jobs {
		if search.names(&jobs[i]) {
			found = append(found, JobOverview{Job: jobs[i]})
		}
	}
	if err := v.addProgress(tx, found); err != nil {
		return found, err
	}
	found = slices.DeleteFunc(found, func(job JobOverview) bool { return !search.has(&job) })
	slices.SortFunc(found, func(a, b JobOverview) int { return cmp.Compare(places[a.ID], places[b.ID]) })
	return found, nil
}
