package views

import (
	"context"

	"github.com/routecard/routecard/shop"
)

// BoardColumn is one step of a path with the units that stand on it, oldest first.
type BoardColumn struct {
	shop.StepDistribution
	Serials []string // at most as many as were asked for
}

// Board is a path with the units at each of its steps.
type Board struct {
	Path    shop.Path
	Columns []BoardColumn
	Counts  shop.SerialCounts
	OnHold  map[string]string // by serial, of those in the columns: why it is
}

// Boards answers the boards of a job's paths, oldest first, with at most limit units per step.
func (v *Views) Boards(ctx context.Context, jobID string, limit int) ([]Board, error) {
	boards := []Board{}
	err := v.store.Look(ctx, func(tx Reader) error {
		paths, err := tx.PathsOfJob(jobID)
		if err != nil {
			return err
		}
		boards = make([]Board, len(paths))
		for i, path := range paths {
			counts, err := v.shop.CountPath(tx, path.ID)
			if err != nil {
				return err
			}
			board := Board{Path: path}
			var shown []string
			for _, standing := range counts.Standing {
				board.Counts.Add(standing.Status, standing.Count)
			}
			for _, at := range shop.DistributionOf(path, counts) {
				column := BoardColumn{StepDistribution: at}
				if at.SerialCount > 0 {
					if column.Serials, err = tx.SerialsStanding(path.ID, at.StepOrder, limit); err != nil {
						return err
					}
				}
				board.Columns = append(board.Columns, column)
				shown = append(shown, column.Serials...)
			}
			if board.OnHold, err = holdReasons(tx, shown); err != nil {
				return err
			}
			boards[i] = board
		}
		return nil
	})
	return boards, err
}

// BoardReader is what the board of a job needs of a database.
type BoardReader interface {
	// SerialsStanding returns which serials are in progress at a position of a path, oldest first.
	SerialsStanding(pathID string, position, limit int) ([]string, error)
}
