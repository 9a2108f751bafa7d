package views

import (
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// BoardColumn is one step of a path with the units at it, oldest first.
type BoardColumn struct {
	shop.StepDistribution
	Serials []string // at most the requested number: first units that can be worked on, then units on hold, each oldest first
	Held    int64    // number of units on hold at the step, also those not in Serials
	HoldsUp bool     // whether the step is a bottleneck: see holdsUp
}

// Board is a path with the units at each of its steps.
type Board struct {
	Path    card.Path
	Order   WorkOrder
	Columns []BoardColumn
	Held    int64 // number of its units in progress that are on hold
	Counts  shop.SerialCounts
	OnHold  map[string]string          // by serial: the reason of the hold of units in the columns
	Since   map[string]ident.Timestamp // by serial: the time of the last change of units in the columns
}

// Boards returns the boards of a job's paths, oldest first, with at most limit units per step.
func (v *Views) Boards(ctx context.Context, jobID string, limit int) ([]Board, error) {
	boards := []Board{}
	err := v.store.Look(ctx, func(tx Reader) error {
		job, err := tx.Job(jobID)
		if err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return err
		}
		paths, err := tx.PathsOfJob(jobID)
		if err != nil {
			return err
		}
		boards = make([]Board, len(paths))
		counted, err := tx.HeldWaiting()
		if err != nil {
			return err
		}
		held := heldUnits(counted)
		for i, path := range paths {
			if boards[i], err = v.board(tx, path, held, limit); err != nil {
				return err
			}
			if boards[i].Order, err = v.orderOfPath(tx, path, &job); err != nil {
				return err
			}
		}
		return nil
	})
	return boards, err
}

// board returns the board of one path, without its Order.
func (v *Views) board(tx Reader, path card.Path, held heldUnits, limit int) (Board, error) {
	board := Board{Path: path}
	counts, err := v.shop.CountPath(tx, path.ID)
	if err != nil {
		return board, err
	}
	var shown []string
	for _, standing := range counts.Standing {
		board.Counts.Add(standing.Status, standing.Count)
	}
	steps := shop.DistributionOf(path, counts)
	for i, at := range steps {
		column := BoardColumn{StepDistribution: at, Held: held.at(path.ID, at.StepOrder)}
		column.HoldsUp = holdsUp(steps, i, column.Held)
		board.Held += column.Held
		if at.SerialCount > 0 {
			if column.Serials, err = tx.SerialsStanding(path.ID, at.StepOrder, limit); err != nil {
				return board, err
			}
		}
		board.Columns = append(board.Columns, column)
		shown = append(shown, column.Serials...)
	}
	if board.OnHold, err = holdReasons(tx, shown); err != nil {
		return board, err
	}
	if board.Since, err = standingSince(tx, shown); err != nil {
		return board, err
	}
	for i := range board.Columns {
		slices.SortStableFunc(board.Columns[i].Serials, func(a, b string) int {
			return compareFlags(board.OnHold[a] != "", board.OnHold[b] != "")
		})
	}
	return board, nil
}

// standingSince returns the time of the last change of serials in progress.
func standingSince(tx Reader, serials []string) (map[string]ident.Timestamp, error) {
	since := make(map[string]ident.Timestamp, len(serials))
	for some := range slices.Chunk(serials, lookStandstill) {
		numbers := make([]int64, len(some))
		for i, id := range some {
			numbers[i], _ = tx.SerialPrefix().ParseSerialID(id)
		}
		rows, err := tx.StandingStill(numbers)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			since[tx.SerialPrefix().SerialID(row.Number)] = row.Since
		}
	}
	return since, nil
}

// Oldest returns the earliest time of the last change among the units shown in a column; 0 when the column is empty.
func (b Board) Oldest(column BoardColumn) (oldest ident.Timestamp) {
	for _, id := range column.Serials {
		if at := b.Since[id]; at != 0 && (oldest == 0 || at < oldest) {
			oldest = at
		}
	}
	return oldest
}

// compareFlags sorts false before true.
func compareFlags(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// BoardReader is the database access of the board of a job.
type BoardReader interface {
	// SerialsStanding returns the serials in progress at a position of a path, oldest first.
	SerialsStanding(pathID string, position, limit int) ([]string, error)
}
