package main

import (
	"cmp"
	"context"
	"net/http"

	"github.com/routecard/routecard/bench/internal/shop"
)

// turns is the number of turns in which the variants are measured alternately.
const turns = 4

// way is one of the variants that are measured in turns.
type way struct {
	name  string
	begin func() error // restores the initial state of the database
	next  func() shop.Next
}

// inTurns measures 64 callers with each of the variants in turns, so that other load on the machine affects all variants equally.
func (r *rig) inTurns(ways ...way) ([]row, error) {
	during := r.during
	defer func() { r.during = during }()
	r.during /= turns
	rows := make([]row, len(ways))
	for range turns {
		for i, way := range ways {
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
