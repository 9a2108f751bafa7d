package sealer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/routecard/routecard"
	"github.com/routecard/routecard/ledger"
)

// Rhythm of the verification beside the work.
const (
	lookEvery   = 2 * time.Second // for tiles that became whole
	verifyEvery = 24 * time.Hour  // everything again
	// share is which part of the time the verification of everything works, so that nobody notices.
	share = 10
)

// Watch verifies what is sealed until ctx ends: every tile once when it is whole, and everything once a day.
func (s *Sealer) Watch(ctx context.Context) {
	ticker := time.NewTicker(lookEvery)
	defer ticker.Stop()
	tree, next := int64(0), int64(0)
	for {
		select {
		case <-ticker.C:
		case <-ctx.Done():
			return
		}
		status := s.Status()
		if !status.Checked || status.Trouble != "" {
			continue
		}
		if status.Tree != tree { // the check of the start has seen what was sealed before
			tree, next = status.Tree, status.Size/ledger.TileWidth
		}
		for ; next < status.Size/ledger.TileWidth && ctx.Err() == nil; next++ {
			if err := s.verifyTile(ctx, next); err != nil {
				s.warn(ctx, err)
				break
			}
		}
		if s.config.Clock().Sub(status.VerifiedAt).Abs() >= verifyEvery {
			s.warn(ctx, s.VerifyAll(ctx))
		}
	}
}

func (s *Sealer) warn(ctx context.Context, err error) {
	if err != nil && ctx.Err() == nil {
		s.config.Logger.WarnContext(ctx, "cannot verify the ledger; it will be tried again", "error", err)
	}
}

// verifyTile reads the entries of one tile again and holds them against it.
func (s *Sealer) verifyTile(ctx context.Context, number int64) error {
	log := s.current()
	var wrong string
	err := s.config.Store.View(ctx, func(tx routecard.Reader) error {
		hashes, err := storedTile(tx, log.Number, 0, number)
		if err != nil {
			return err
		}
		data, err := bundle(tx, ledger.Place{Level: ledger.EntriesLevel, Number: number, Width: ledger.TileWidth})
		if err != nil {
			wrong = err.Error()
			return nil
		}
		leaves, err := ledger.ParseEntries(data)
		if err != nil {
			return err
		}
		for i, leaf := range leaves {
			if i >= len(hashes) || ledger.LeafHash(leaf) != hashes[i] {
				wrong = ledger.EntryID(number*ledger.TileWidth+int64(i)) + " is not what was sealed"
				return nil
			}
		}
		return nil
	})
	if err == nil && wrong != "" {
		s.found(wrong)
	}
	return err
}

// found records that something is wrong that was sealed a moment ago.
func (s *Sealer) found(what string) {
	s.config.Logger.Error("the audit trail is not what was sealed", "what", what)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.figures.failures++
	s.figures.findings = append(s.figures.findings, ledger.Finding{Kind: ledger.Changed, Text: what})
}

// VerifyAll verifies everything that is sealed, at leisure.
func (s *Sealer) VerifyAll(ctx context.Context) error {
	log := s.current()
	newest, err := s.newestCheckpoint(ctx, log)
	if err != nil {
		if found, wrong := errors.AsType[*troubleError](err); wrong {
			s.found(found.what)
			return nil
		}
		return err
	}
	read := viewing(ctx, s.config.Store)
	leisurely := func(after int64, limit int) ([]routecard.AuditEntry, error) {
		begun := s.config.Clock()
		entries, err := read(after, limit)
		pause := min(max(0, s.config.Clock().Sub(begun)*(share-1)), time.Second)
		select {
		case <-time.After(pause):
		case <-ctx.Done():
			return nil, ctx.Err()
		}
		return entries, err
	}
	report, err := ledger.Verify(s.trail(ctx, leisurely, log, newest.Size, []ledger.Checkpoint{newest}))
	if err != nil {
		return fmt.Errorf("verify everything: %w", err)
	}
	s.record(report)
	return nil
}
