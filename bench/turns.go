package main

import (
	"cmp"
	"context"
	"fmt"
	"net/http"
	"slices"
	"time"

	"github.com/routecard/routecard/bench/internal/shop"
)

// turns is the number of turns in which the variants are measured alternately. A turn takes a fourth of the time of a case.
const turns, turnShare = 12, 4

// way is one of the variants that are measured in turns.
type way struct {
	name  string
	begin func() error // restores the initial state of the database
	next  func() shop.Next
}

// turn is what a row measured in one turn.
type turn struct {
	PerSecond float64       `json:"perSecond"`
	CPU       time.Duration `json:"cpuPerRequest,omitempty"`
}

// inTurns measures 64 callers with each of the variants in turns, so that other load on the machine affects all variants equally. The
// order of the variants changes from turn to turn, so that none of them always comes first.
func (r *rig) inTurns(ways ...way) ([]row, error) {
	during := r.during
	defer func() { r.during = during }()
	r.during /= turnShare
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

// join adds a turn to the earlier turns, which have the same length. It keeps the longest of the latencies.
func (r *row) join(next *row) {
	next.Turns = append(r.Turns, turn{next.PerSecond, next.CPU})
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
// measured in turns both are medians over the turns, because a moment of other load distorts single turns.
func (r *row) ratios(other *row) (rate, processor float64) {
	if len(r.Turns) == 0 || len(r.Turns) != len(other.Turns) {
		return r.PerSecond / other.PerSecond, float64(r.CPU) / float64(other.CPU)
	}
	rates, processors := make([]float64, len(r.Turns)), make([]float64, len(r.Turns))
	for i := range r.Turns {
		rates[i] = r.Turns[i].PerSecond / other.Turns[i].PerSecond
		processors[i] = float64(r.Turns[i].CPU) / float64(other.Turns[i].CPU)
	}
	return median(rates), median(processors)
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
