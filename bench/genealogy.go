package main

import (
	"fmt"
	"net/http"
	"time"

	"github.com/routecard/routecard/bench/internal/shop"
	"github.com/routecard/routecard/bench/internal/table"
)

const (
	caseRecallAlone    = "recall of a lot of 1,000 units, the only one"
	caseRecallSmall    = "recall of a lot of 1,000 units among 200,000"
	caseRecallLarge    = "recall of a lot of 34,000 units among 200,000"
	caseUnrequired     = "advance, 64 callers, no step requires anything, in turn"
	caseBesideRequired = "advance, 64 callers, beside a step with requirements, in turn"
	caseInstall        = "install from a lot, 64 callers, in turn"
)

// The numbers of units of the lots, and the numbers of calls that create them.
const (
	fewOfLot, manyOfLot, othersOfLot = 1000, 34_000, 15_000
	manyCalls, otherLots             = 2, 11
)

// genealogy measures recalls of lots, and the cost of an installation and of a step without requirements compared with advances. It uses
// small databases, to which it adds 200,000 units of lots.
func genealogy(r *rig, _ string) ([]row, error) {
	if r.data.size > smallSize {
		return nil, nil
	}
	rows, err := r.recalls()
	if err != nil {
		return nil, err
	}
	begin := func(required bool) func(*rig) error {
		return func(of *rig) error {
			lots, err := of.lots()
			if err != nil {
				return err
			}
			defer lots.Close()
			if required {
				err = lots.Require()
			}
			return err
		}
	}
	moves, err := r.sideBySide(side{caseUnrequired, begin(false)}, side{caseBesideRequired, begin(true)})
	if err != nil {
		return nil, err
	}
	none := &moves[0]
	moves[1].compare(none, "where nothing is required")
	lots, err := r.lots()
	if err != nil {
		return nil, err
	}
	defer lots.Close()
	lot, err := lots.Lot(1, 1)
	if err != nil {
		return nil, err
	}
	r.stock.Share(64, 0, nil)
	install, err := r.measure(caseInstall, 64, http.StatusCreated, r.stock.Install(lot))
	install.Note = fmt.Sprintf("%.2f times the time and %.2f times the processor time of an advance",
		none.PerSecond/install.PerSecond, float64(install.CPU)/float64(none.CPU))
	return append(append(rows, moves...), install), err
}

// lots starts the service on a new copy of the database, and makes a path for units of lots.
func (r *rig) lots() (*shop.Lots, error) {
	if err := r.renew(); err != nil {
		return nil, err
	}
	return shop.MakeLots(r.service.base)
}

// recalls measures the recall of a lot before there are others, and the recalls of two lots among many.
func (r *rig) recalls() (rows []row, err error) {
	lots, err := r.lots()
	if err != nil {
		return nil, err
	}
	defer lots.Close()
	recall := func(name, lot string) error {
		path := "/api/recall?lotId=" + lot
		measured, err := r.read(name, 1, path, shop.Get(path))
		rows = append(rows, measured...)
		return err
	}
	few, err := lots.Lot(fewOfLot, 1)
	if err != nil {
		return nil, err
	}
	if err := recall(caseRecallAlone, few); err != nil {
		return nil, err
	}
	many, err := lots.Lot(manyOfLot, manyCalls)
	if err != nil {
		return nil, err
	}
	for range otherLots {
		if _, err := lots.Lot(othersOfLot, 1); err != nil {
			return nil, err
		}
	}
	if err := recall(caseRecallSmall, few); err != nil {
		return nil, err
	}
	return rows, recall(caseRecallLarge, many)
}

func judgeGenealogy(o outcome, add addTarget, skip skipTarget) {
	for _, recall := range []struct {
		name  string
		limit time.Duration
	}{{caseRecallSmall, 10 * time.Millisecond}, {caseRecallLarge, 200 * time.Millisecond}} {
		wanted := "under " + table.Duration(recall.limit)
		if r := o.at(recall.name, 0); r != nil {
			add(recall.name, wanted, r.P50 < recall.limit, r.P50.Round(10*time.Microsecond).String()+at(r))
		} else {
			skip(recall.name, wanted)
		}
	}
	const grows, growsWanted = "recall of a lot among others, against the only one", "at most 1.5 times"
	const install, installWanted = "installation from a lot, against an advance", "at most 3 times"
	const without = "advance where nothing is required, beside a step with requirements"
	const withoutWanted = "at most 1.05 times the processor time"
	if alone, among := o.at(caseRecallAlone, 0), o.at(caseRecallSmall, 0); alone != nil && among != nil && alone.P50 > 0 {
		times := float64(among.P50) / float64(alone.P50)
		add(grows, growsWanted, times <= 1.5, fmt.Sprintf("%.2f times", times)+at(among))
	} else {
		skip(grows, growsWanted)
	}
	none, beside, one := o.at(caseUnrequired, 0), o.at(caseBesideRequired, 0), o.at(caseInstall, 0)
	if none == nil || beside == nil || one == nil || none.PerSecond == 0 || one.PerSecond == 0 {
		skip(install, installWanted)
		skip(without, withoutWanted)
		return
	}
	times := none.PerSecond / one.PerSecond
	add(install, installWanted, times <= 3, fmt.Sprintf("%.2f times", times)+at(one))
	if none.CPU == 0 {
		skip(without, withoutWanted)
		return
	}
	_, processor := beside.ratios(none)
	add(without, withoutWanted, processor <= 1.05, fmt.Sprintf("%.2f times", processor)+at(beside))
}
