package sealer

import (
	"context"
	"errors"
	"math"
	"slices"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// check compares the whole trail with the last signature, and reports whether the sealer may continue.
func (s *Sealer) check(ctx context.Context) bool {
	err := s.compareAll(ctx)
	if found, wrong := errors.AsType[*troubleError](err); wrong {
		s.refuse(found.what)
		return false
	}
	if ctx.Err() == nil {
		s.fails(err)
	}
	return err == nil
}

func (s *Sealer) compareAll(ctx context.Context) error {
	log := s.current()
	var last []ledger.Checkpoint
	newest, err := s.newestCheckpoint(ctx, log)
	if err != nil {
		return err
	}
	if newest.Size > 0 {
		last = append(last, newest)
	}
	for _, file := range s.config.KeyFiles {
		state, err := readState(file)
		switch {
		case err != nil:
			return err
		case state == nil:
		case state.Origin != log.Origin:
			return trouble("%s is of the ledger %s, and the database has %s", StateFile(file), state.Origin, log.Origin)
		default:
			last = append(last, *state)
		}
	}
	report, err := s.compareWith(ctx, log, newest.Size, last)
	if err != nil {
		return err
	}
	s.record(report)
	for _, finding := range report.Findings {
		if finding.Kind != ledger.WrongTile {
			return trouble("%s", finding.Text)
		}
	}
	tree, err := ledger.TreeFromTiles(newest.Size, s.tiles(ctx, log))
	if err != nil || tree.Root() != newest.Root && newest.Size > 0 {
		return trouble("the stored tiles do not fit the checkpoint of %d entries", newest.Size)
	}
	s.base, s.tree = tree, tree.Clone()
	s.mu.Lock()
	s.checked, s.started = true, report.Started
	s.mu.Unlock()
	if err := s.tellUnwitnessed(ctx); err != nil {
		return err
	}
	return s.publish(ctx, newest.Size)
}

// compareWith compares the trail with the last signature. Without a signature it reads only the first entry, because sealing will read the
// whole trail anyway.
func (s *Sealer) compareWith(ctx context.Context, log shop.LedgerTree, sealed int64, last []ledger.Checkpoint,
) (*ledger.Report, error) {
	read := viewing(ctx, s.config.Store)
	if slices.ContainsFunc(last, func(checkpoint ledger.Checkpoint) bool { return checkpoint.Size > 0 }) {
		var found foundEntries
		report, err := ledger.Verify(s.trail(ctx, func(after int64, limit int) ([]trail.Entry, error) {
			entries, err := read(after, limit)
			for i := range entries {
				found.add(&entries[i])
			}
			return entries, err
		}, log, sealed, last))
		s.mu.Lock()
		s.accused = append(found.findings(), s.unmarked...)
		s.mu.Unlock()
		return report, err
	}
	first, err := read(math.MinInt64, 1)
	if err == nil && len(first) > 0 && indexOf(&first[0]) < 0 {
		err = trouble("an entry with the number %d stands before the first", indexOf(&first[0])+1)
	}
	return &ledger.Report{}, err
}

// trail returns the input of Verify.
func (s *Sealer) trail(ctx context.Context, read func(int64, int) ([]trail.Entry, error), log shop.LedgerTree,
	sealed int64, checkpoints []ledger.Checkpoint,
) ledger.Trail {
	tiles := s.tiles(ctx, log)
	return ledger.Trail{
		Entries: Entries(read), Checkpoints: checkpoints, Sealed: sealed,
		Tile: func(level int, number int64) ([]ledger.Hash, error) { return tiles(level, number, 0) },
	}
}
