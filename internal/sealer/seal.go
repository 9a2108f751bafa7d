package sealer

import (
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// batch is the number of existing entries that one transaction adds to the tree.
const batch = 20_000

// sealAll seals all committed entries, or fails with errNotOurs if it is another instance's turn.
func (s *Sealer) sealAll(ctx context.Context) error {
	for {
		more, err := s.seal(ctx)
		if err != nil || !more {
			return err
		}
	}
}

// seal adds the next entries to the tree, and signs the tree if these are the last. It reports whether there are more.
func (s *Sealer) seal(ctx context.Context) (more bool, err error) {
	log := s.current()
	if err := s.catchUp(ctx, log); err != nil {
		return false, err
	}
	tree := s.tree.Clone()
	if err := s.takeIn(ctx, tree, batch); err != nil {
		return false, err
	}
	more = tree.Size()-s.tree.Size() == batch
	if tree.Size() == s.tree.Size() && tree.Size() == s.base.Size() {
		return false, nil
	}
	tiles := tilesSince(s.tree, tree)
	err = s.config.Store.Update(ctx, func(tx shop.Tx) error {
		return s.put(tx, log, tree, tiles, !more)
	}, shop.Aside)
	switch {
	case errors.Is(err, errOvertaken):
		return true, nil // the next call continues from there
	case errors.Is(err, errReplaced):
		return false, trouble("the ledger began anew; this instance goes on with it soon")
	case err != nil:
		return false, err
	}
	s.tree = tree
	if more {
		return true, nil
	}
	s.base = tree.Clone()
	return false, s.publish(ctx, tree.Size())
}

// takeIn adds the next entries to a tree.
func (s *Sealer) takeIn(ctx context.Context, tree *ledger.Tree, limit int64) error {
	read := viewing(ctx, s.config.Store)
	var maker leafMaker
	for limit > 0 {
		entries, err := read(tree.Size(), int(min(limit, pageSize)))
		if err != nil || len(entries) == 0 {
			return err
		}
		for i := range entries {
			if indexOf(&entries[i]) != tree.Size() {
				return trouble("%s is missing", ledger.EntryID(tree.Size()))
			}
			leaf, wrong := maker.leaf(&entries[i])
			if wrong != "" {
				return trouble("%s cannot be sealed: %s", entries[i].ID, wrong)
			}
			tree.Add(ledger.LeafHash(leaf))
			if entries[i].Action == shop.ActionLedgerStarted {
				s.begunWith(tree.Size() - 1)
			}
		}
		limit -= int64(len(entries))
	}
	return nil
}

// begunWith records the number of entries that existed before the ledger began.
func (s *Sealer) begunWith(entries int64) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.started == 0 {
		s.started = entries
	}
}

// put stores the tiles that a tree has added, and, if sign is true, signs the tree as the newest checkpoint.
func (s *Sealer) put(tx shop.Tx, log shop.LedgerTree, tree *ledger.Tree, tiles []shop.LedgerTile, sign bool) error {
	ours, err := tx.TakeLedgerTurn()
	if err != nil {
		return err
	}
	if !ours {
		return errNotOurs
	}
	if now, err := tx.LedgerTree(); err != nil || now.Number != log.Number {
		return errors.Join(errReplaced, err)
	}
	last, err := newestOf(tx, log)
	if err != nil {
		return err
	}
	if last.Size != s.base.Size() {
		return errOvertaken
	}
	if err := tx.PutLedgerTiles(log.Number, tiles); err != nil || !sign {
		return err
	}
	checkpoint := ledger.Checkpoint{Origin: log.Origin, Size: tree.Size(), Root: tree.Root()}
	signed, err := checkpoint.Sign(s.signers...)
	if err != nil {
		return err
	}
	if err := writeStates(s.config.KeyFiles, signed); err != nil {
		return err
	}
	return tx.PutLedgerCheckpoint(log.Number, shop.LedgerCheckpoint{
		Size: tree.Size(), Signed: signed, SealedAt: ident.TimestampOf(s.config.Clock()),
	})
}

// tilesSince returns the tiles that are new or longer than in the earlier tree.
func tilesSince(before, now *ledger.Tree) []shop.LedgerTile {
	var tiles []shop.LedgerTile
	for _, tile := range slices.Concat(now.Completed(), now.Unfinished()) {
		if tile.Level > 0 && before.Size()>>(8*tile.Level) == now.Size()>>(8*tile.Level) {
			continue // no hash was added at this level
		}
		tiles = append(tiles, shop.LedgerTile{Level: tile.Level, Number: tile.Number, Hashes: tile.Data()})
	}
	return tiles
}

// catchUp adds the entries that another instance has sealed, and checks their seal.
func (s *Sealer) catchUp(ctx context.Context, log shop.LedgerTree) error {
	last, err := s.newestCheckpoint(ctx, log)
	if err != nil || last.Size == s.base.Size() {
		return err
	}
	if last.Size < s.base.Size() {
		return trouble("the database has a checkpoint of %d entries, and %d were signed", last.Size, s.base.Size())
	}
	tree := s.base.Clone()
	if err := s.takeIn(ctx, tree, last.Size-tree.Size()); err != nil {
		return err
	}
	if tree.Size() != last.Size || tree.Root() != last.Root {
		return trouble("the checkpoint of %d entries does not fit the trail", last.Size)
	}
	tree.Completed() // the completed tiles are stored already
	s.base, s.tree = tree, tree.Clone()
	return s.publish(ctx, last.Size)
}

// publish reports how far the trail is sealed.
func (s *Sealer) publish(ctx context.Context, size int64) error {
	until := ident.Timestamp(0)
	if size > 0 {
		entries, err := viewing(ctx, s.config.Store)(size-1, 1)
		if err != nil {
			return err
		}
		if len(entries) > 0 {
			until = entries[0].Timestamp
		}
	}
	s.mu.Lock()
	defer s.mu.Unlock()
	s.sealed, s.until = size, until
	s.announce()
	return nil
}
