package sqlstore

import (
	"errors"
	"testing"
)

// TestFoldAhead checks that the file is synced, and the log folded, until little is left for the moment in which the writer stops.
func TestFoldAhead(t *testing.T) {
	failure := errors.New("no disk")
	for _, test := range []struct {
		name        string
		gains       []int64 // of the log, in each round
		syncFails   int     // the round in which it does, or 0
		foldFails   int
		rounds      int
		frames      int64
		wantFailure bool
	}{
		{name: "nobody writes", gains: []int64{0}, rounds: 1, frames: 5000},
		{name: "less each time", gains: []int64{2000, 700, 255, 9}, rounds: 3, frames: 7955},
		{name: "a disk that never gets there", gains: []int64{900, 900, 900, 900, 900, 900, 900, 900}, rounds: 6, frames: 10_400},
		{name: "a sync fails", gains: []int64{2000, 700}, syncFails: 2, rounds: 1, frames: 7000, wantFailure: true},
		{name: "a fold fails", gains: []int64{2000, 700, 20}, foldFails: 2, rounds: 2, wantFailure: true},
	} {
		t.Run(test.name, func(t *testing.T) {
			syncs, folds, frames := 0, 0, int64(5000)
			state, err := foldAhead(logState{frames: frames}, func() error {
				if syncs++; syncs == test.syncFails {
					return failure
				}
				return nil
			}, func() (logState, error) {
				if syncs != folds+1 {
					t.Errorf("%d syncs before fold %d", syncs, folds+1)
				}
				frames += test.gains[folds]
				if folds++; folds == test.foldFails {
					return logState{}, failure
				}
				return logState{frames: frames}, nil
			})
			if failed := errors.Is(err, failure); failed != test.wantFailure || folds != test.rounds || state.frames != test.frames {
				t.Errorf("%d rounds, %d frames, %v; want %d rounds, %d frames", folds, state.frames, err, test.rounds, test.frames)
			}
		})
	}
}
