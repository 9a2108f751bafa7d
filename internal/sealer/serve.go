package sealer

import (
	"context"
	"errors"
	"fmt"
	"time"

	"github.com/routecard/routecard/ledger"
	"github.com/routecard/routecard/shop"
)

// The errors of requests for parts of the log.
var (
	ErrNotSealed = errors.New("nothing is sealed there yet")
	ErrUnknown   = errors.New("there is no such entry")
)

// Checkpoint returns the newest signed checkpoint.
func (s *Sealer) Checkpoint(ctx context.Context) (signed []byte, err error) {
	log := s.current()
	err = s.config.Store.View(ctx, func(tx shop.Reader) error {
		signed, err = lastSigned(tx.LastLedgerCheckpoint(log.Number))
		return err
	})
	return signed, err
}

// Witnessed reports whether there is a policy of witnesses.
func (s *Sealer) Witnessed() bool { return s.config.Policy != nil }

// Cosigned returns the newest checkpoint whose cosignatures satisfy the policy.
func (s *Sealer) Cosigned(ctx context.Context) (signed []byte, err error) {
	log := s.current()
	err = s.config.Store.View(ctx, func(tx shop.Reader) error {
		signed, err = lastSigned(tx.LastLedgerCosigned(log.Number))
		return err
	})
	return signed, err
}

func lastSigned(checkpoint shop.LedgerCheckpoint, err error) ([]byte, error) {
	if errors.Is(err, shop.ErrNoRecord) {
		return nil, ErrNotSealed
	}
	return checkpoint.Signed, err
}

// Tile returns a tile, or a bundle of entries, of the sealed log.
func (s *Sealer) Tile(ctx context.Context, place ledger.Place) (data []byte, err error) {
	log := s.current()
	err = s.config.Store.View(ctx, func(tx shop.Reader) error {
		newest, err := newestOf(tx, log)
		if err != nil {
			return err
		}
		if place.WidthAt(newest.Size) < place.Width {
			return ErrNotSealed
		}
		if place.Level == ledger.EntriesLevel {
			data, err = bundle(tx, place)
			return err
		}
		hashes, err := storedTile(tx, log.Number, place.Level, place.Number)
		if err != nil {
			return err
		}
		if len(hashes) < place.Width {
			return errors.New("the stored tile is too short")
		}
		data = ledger.Tile{Hashes: hashes[:place.Width]}.Data()
		return nil
	})
	return data, err
}

func bundle(tx shop.Reader, place ledger.Place) ([]byte, error) {
	next := place.Number * ledger.TileWidth
	end := next + int64(place.Width)
	var data []byte
	var maker leafMaker
	for next < end {
		entries, err := tx.AuditAfter(next, int(end-next))
		if err != nil {
			return nil, err
		}
		if len(entries) == 0 {
			return nil, errors.New("entries that were sealed are missing")
		}
		for i := range entries {
			leaf, wrong := maker.leaf(&entries[i])
			if wrong != "" || indexOf(&entries[i]) != next {
				return nil, errors.New(entries[i].ID + " is not what was sealed: " + wrong)
			}
			data = ledger.AppendEntry(data, leaf)
			next++
		}
	}
	return data, nil
}

// Proof proves an entry. If the entry is committed and not sealed yet, it waits until ctx ends, and then returns ErrNotSealed. If the entry
// differs from the sealed one, it returns ledger.ErrNotProved.
func (s *Sealer) Proof(ctx context.Context, auditID string, patience time.Duration) (proof ledger.Proof, err error) {
	index, ok := ledger.EntryIndex(auditID)
	if !ok {
		return proof, ErrUnknown
	}
	waiting, cancel := context.WithTimeout(ctx, patience)
	defer cancel()
	for {
		s.mu.Lock()
		news := s.news
		s.mu.Unlock()
		proof, err = s.prove(ctx, index)
		if !errors.Is(err, ErrNotSealed) {
			return proof, err
		}
		select {
		case <-news:
		case <-waiting.Done():
			return proof, errors.Join(err, ctx.Err())
		}
	}
}

func (s *Sealer) prove(ctx context.Context, index int64) (proof ledger.Proof, err error) {
	log := s.current()
	err = s.config.Store.View(ctx, func(tx shop.Reader) error {
		last, err := tx.LastAuditSequence()
		if err != nil {
			return err
		}
		if index >= last {
			return ErrUnknown
		}
		signed, err := lastSigned(tx.LastLedgerCheckpoint(log.Number))
		if err != nil {
			return err
		}
		checkpoint, err := ledger.UnverifiedCheckpoint(signed)
		if err != nil {
			return err
		}
		if index >= checkpoint.Size {
			return ErrNotSealed
		}
		entries, err := tx.AuditAfter(index, 1)
		if err != nil {
			return err
		}
		if len(entries) == 0 || indexOf(&entries[0]) != index {
			return ErrUnknown
		}
		leaf, wrong := new(leafMaker).leaf(&entries[0])
		if wrong != "" {
			return fmt.Errorf("%w: %s is not what was sealed: %s", ledger.ErrNotProved, entries[0].ID, wrong)
		}
		proof, err = ledger.MakeProof(index, leaf, signed, func(level int, number int64, _ int) ([]ledger.Hash, error) {
			return storedTile(tx, log.Number, level, number)
		})
		return err
	})
	return proof, err
}
