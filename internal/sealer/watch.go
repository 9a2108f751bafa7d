package sealer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/trail"
)

// Intervals of the continuous verification.
const (
	lookEvery   = 2 * time.Second // the interval of checks for new full tiles
	verifyEvery = 24 * time.Hour  // the interval of verifications of everything
	// share limits the verification of everything to one tenth of the time, so that it does not slow down the service.
	share = 10
)

// Watch verifies the sealed log until ctx ends: every tile once when it is full, and everything once a day.
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
		if status.Tree != tree { // the check of the start has seen the earlier entries
			tree, next = status.Tree, status.Size/ledger.TileWidth
		}
		for whole := status.Size / ledger.TileWidth; next < whole && ctx.Err() == nil; {
			count := min(whole-next, tilesAtOnce)
			if err := s.verifyTiles(ctx, next, count); err != nil {
				s.warn(ctx, err)
				break
			}
			next += count
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

// tilesAtOnce is the number of tiles that one View verifies. Together they have about as many entries as one page.
const tilesAtOnce = 4

// verifyTiles reads the entries of full tiles again and compares them with the tiles.
func (s *Sealer) verifyTiles(ctx context.Context, first, count int64) error {
	log := s.current()
	var wrong string
	err := s.config.Store.View(ctx, func(tx shop.Reader) (err error) {
		wrong, err = compareTiles(tx, log.Number, first, count)
		return err
	})
	if err == nil && wrong != "" {
		s.found(wrong)
	}
	return err
}

// compareTiles describes the first entry that is missing or whose hash differs from its tile; "" if there is none.
func compareTiles(tx shop.Reader, tree, first, count int64) (wrong string, err error) {
	var maker leafMaker
	var hashes []ledger.Hash
	end := (first + count) * ledger.TileWidth
	for next := first * ledger.TileWidth; next < end; {
		entries, err := tx.AuditAfter(next, int(min(end-next, pageSize)))
		if err != nil {
			return "", err
		}
		if len(entries) == 0 {
			return ledger.EntryID(next) + " was sealed and is missing", nil
		}
		for i := range entries {
			at := int(next % ledger.TileWidth)
			if at == 0 {
				if hashes, err = storedTile(tx, tree, 0, next/ledger.TileWidth); err != nil {
					return "", err
				}
			}
			leaf, unsealable := maker.leaf(&entries[i])
			if unsealable != "" || indexOf(&entries[i]) != next || at >= len(hashes) || ledger.LeafHash(leaf) != hashes[at] {
				return ledger.EntryID(next) + " is not what was sealed", nil
			}
			next++
		}
	}
	return "", nil
}

// found records that entries differ from the sealed ones.
func (s *Sealer) found(what string) {
	s.config.Logger.Error("the audit trail is not what was sealed", "what", what)
	s.mu.Lock()
	defer s.mu.Unlock()
	s.figures.failures++
	s.figures.findings = append(s.figures.findings, ledger.Finding{Kind: ledger.Changed, Text: what})
}

// VerifyAll verifies everything that is sealed, with pauses.
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
	leisurely := func(after int64, limit int) ([]trail.Entry, error) {
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
