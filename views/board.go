package views

import (
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// BoardColumn is one step of a path with the units that stand on it, oldest first.
type BoardColumn struct {
	shop.StepDistribution
	Serials []string // at most as many as were asked for: those that can be worked on before those on hold, each oldest first
	Held    int64    // how many of all that stand there are on hold
	HoldsUp bool     // whether to call it a bottleneck: see holdsUp
}

// Board is a path with the units at each of its steps.
type Board struct {
	Path    card.Path
	Order   WorkOrder // what it is for
	Columns []BoardColumn
	Held    int64 // how many of its units in progress are on hold
	Counts  shop.SerialCounts
	OnHold  map[string]string          // by serial, of those in the columns: why it is
	Since   map[string]ident.Timestamp // by serial, of those in the columns: when it was changed last
}

// Boards answers the boards of a job's paths, oldest first, with at most limit units per step.
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

// board is the board of one path, without what it is for.
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

// standingSince reads when serials in progress were changed last.
func standingSince(tx Reader, serials []string) (map[string]ident.Timestamp, error) {
	since := make(map[string]ident.Timestamp, len(serials))
	for some := range slices.Chunk(serials, lookStandstill) {
		numbers := make([]int64, len(some))
		for i, id := range some {
			numbers[i], _ = ident.ParseSerialID(id)
		}
		rows, err := tx.StandingStill(numbers)
		if err != nil {
			return nil, err
		}
		for _, row := range rows {
			since[ident.SerialID(row.Number)] = row.Since
		}
	}
	return since, nil
}

// Oldest is when the unit was changed that stands longest in a column, of those that are shown; 0 for none.
func (b Board) Oldest(column BoardColumn) (oldest ident.Timestamp) {
	for _, id := range column.Serials {
		if at := b.Since[id]; at != 0 && (oldest == 0 || at < oldest) {
			oldest = at
		}
	}
	return oldest
}

// compareFlags puts what is not so before what is.
func compareFlags(a, b bool) int {
	switch {
	case a == b:
		return 0
	case b:
		return -1
	}
	return 1
}

// BoardReader is what the board of a job needs of a database.
type BoardReader interface {
	// SerialsStanding returns which serials are in progress at a position of a path, oldest first.
	SerialsStanding(pathID string, position, limit int) ([]string, error)
}
