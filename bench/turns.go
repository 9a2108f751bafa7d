package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"net/http"
	"os"
	"path/filepath"
	"slices"
	"time"

	"github.com/routecard/routecard/bench/internal/shop"
)

// turns is the number of turns in which the variants are measured alternately. sideStarts is how often variants that run side by side are
// started, and shortTurns the number of turns after each start.
const turns, sideStarts, shortTurns = 4, 8, 6

// way is one of the variants that are measured in turns.
type way struct {
	name  string
	begin func() error // restores the initial state of the database
	next  func() shop.Next
}

// inTurns measures 64 callers with each of the variants in turns, so that other load on the machine affects all variants equally. The
// order of the variants changes from turn to turn, so that none of them always comes first.
func (r *rig) inTurns(ways ...way) ([]row, error) {
	during := r.during
	defer func() { r.during = during }()
	r.during /= turns
	rows := make([]row, len(ways))
	for n := range turns {
		for i := range ways {
			if n%2 == 1 {
				i = len(ways) - 1 - i
			}
			way := ways[i]
			if err := way.begin(); err != nil {
				return nil, err
			}
			r.stock.Share(64, 0, nil)
			measured, err := r.measure(way.name, 64, http.StatusOK, way.next())
			if err != nil {
				return nil, err
			}
			rows[i].join(&measured)
		}
	}
	return rows, nil
}

// side is a variant of a database that is measured side by side with another one.
type side struct {
	name  string
	begin func(*rig) error // starts the service on a new copy of the database, and changes it
}

// sideBySide measures 64 callers that advance serials with each of the variants, which all run at the same time. Short turns follow each
// other closely, so that a moment of other load affects all variants. The variants start again before their serials are used up.
func (r *rig) sideBySide(sides ...side) (rows []row, err error) {
	rigs := make([]rig, len(sides))
	defer func() {
		for i := range rigs {
			err = errors.Join(err, rigs[i].close())
		}
	}()
	for i := range rigs {
		rigs[i] = *r
		rigs[i].service, rigs[i].folder, rigs[i].during = nil, filepath.Join(r.folder, fmt.Sprint("side", i)), r.during/(turns*shortTurns)
		if err := os.MkdirAll(rigs[i].folder, 0o700); err != nil {
			return nil, err
		}
	}
	rows = make([]row, len(sides))
	for n := range sideStarts * shortTurns {
		if n%shortTurns == 0 {
			for i := range rigs {
				if err := sides[i].begin(&rigs[i]); err != nil {
					return nil, err
				}
				rigs[i].stock.Share(64, 0, nil)
			}
		}
		for i := range sides {
			if n%2 == 1 {
				i = len(sides) - 1 - i
			}
			measured, err := rigs[i].measure(sides[i].name, 64, http.StatusOK, rigs[i].stock.Advance())
			if err != nil {
				return nil, err
			}
			if measured.Requests == 0 {
				return nil, fmt.Errorf("%s: the serials are used up", sides[i].name)
			}
			rows[i].join(&measured)
		}
	}
	return rows, nil
}

// join adds a turn to the earlier turns, which have the same length. It keeps the longest of the latencies.
func (r *row) join(next *row) {
	r.Turns = append(r.Turns, next.PerSecond)
	next.Turns = r.Turns
	requests := next.Requests
	next.Requests += r.Requests
	if r.Requests > 0 {
		share := float64(requests) / float64(next.Requests)
		next.PerSecond = float64(next.Requests) / (float64(r.Requests)/r.PerSecond + float64(requests)/next.PerSecond)
		next.CPU = time.Duration(share*float64(next.CPU) + (1-share)*float64(r.CPU))
		next.P50, next.P99, next.P999 = max(next.P50, r.P50), max(next.P99, r.P99), max(next.P999, r.P999)
		next.Longest = max(next.Longest, r.Longest)
	}
	*r = *next
}

// ratios returns how many times as fast as another row the row is, and how many times as much processor time it takes. For rows that were
// measured in turns the first is the median over the turns, because a moment of other load distorts single turns.
func (r *row) ratios(other *row) (rate, processor float64) {
	processor = float64(r.CPU) / float64(other.CPU)
	if len(r.Turns) == 0 || len(r.Turns) != len(other.Turns) {
		return r.PerSecond / other.PerSecond, processor
	}
	rates := make([]float64, len(r.Turns))
	for i := range r.Turns {
		rates[i] = r.Turns[i] / other.Turns[i]
	}
	return median(rates), processor
}

// median sorts the numbers.
func median(numbers []float64) float64 {
	slices.Sort(numbers)
	half := len(numbers) / 2
	if len(numbers)%2 == 1 {
		return numbers[half]
	}
	return (numbers[half-1] + numbers[half]) / 2
}

// compare notes how the row compares with another one. than describes the other one.
func (r *row) compare(other *row, than string) {
	rate, processor := r.ratios(other)
	r.Note = fmt.Sprintf("%.3f of the rate and %.3f times the processor time %s", rate, processor, than)
}

// beside measures 64 callers that advance serials, first alone and then during another activity. prepare sets up this activity; run must
// return when its context ends.
func (r *rig) beside(aloneName, besideName string, prepare func() (run func(context.Context) error, err error),
) (alone, with row, err error) {
	if err := r.prepareMoves(); err != nil {
		return alone, with, err
	}
	r.stock.Share(64, newestSerials, nil)
	if alone, err = r.measure(aloneName, 64, http.StatusOK, r.stock.Advance()); err != nil {
		return alone, with, err
	}
	if err := r.prepareMoves(); err != nil {
		return alone, with, err
	}
	run, err := prepare()
	if err != nil {
		return alone, with, err
	}
	r.stock.Share(64, newestSerials, nil)
	ctx, cancel := context.WithCancel(r.ctx)
	defer cancel()
	done := make(chan error, 1)
	go func() { done <- run(ctx) }()
	with, err = r.measure(besideName, 64, http.StatusOK, r.stock.Advance())
	cancel()
	return alone, with, cmp.Or(err, <-done)
}
