package storetest

import (
	"bytes"
	"errors"
	"strings"

	"github.com/routecard/routecard"
)

// ledger is what is kept of the seals over the audit trail.
var ledger = []promise{
	{"the newest tree of the ledger is the one", func(s *shop) {
		newest := func(tx routecard.Reader) (routecard.LedgerTree, error) { return tx.LedgerTree() }
		_, err := tryLook(s, newest)
		s.refused(err, routecard.ErrNoRecord)
		for number := int64(1); number <= 11; number++ {
			tree := routecard.LedgerTree{Number: number, Origin: strange, BeganAt: farOff - routecard.Timestamp(number)}
			s.update(func(tx routecard.Tx) error { return tx.InsertLedgerTree(tree) })
			s.same(look(s, newest), tree)
		}
	}},
	{"keys of the ledger are kept and may be changed", func(s *shop) {
		first := routecard.LedgerKey{VerifierKey: "b", AddedAt: 1}
		second := routecard.LedgerKey{VerifierKey: "a", AddedAt: farOff, RetiredAt: farOff}
		s.update(func(tx routecard.Tx) error { return errors.Join(tx.PutLedgerKey(second), tx.PutLedgerKey(first)) })
		first.RetiredAt = 7
		s.update(func(tx routecard.Tx) error { return tx.PutLedgerKey(first) })
		s.same(look(s, func(tx routecard.Reader) ([]routecard.LedgerKey, error) { return tx.LedgerKeys() }),
			[]routecard.LedgerKey{first, second})
	}},
	{"tiles of the ledger are replaced while they grow", func(s *shop) {
		var tiles []routecard.LedgerTile
		for number := range int64(300) {
			tiles = append(tiles, routecard.LedgerTile{Number: number, Hashes: bytes.Repeat([]byte{byte(number)}, 8192)})
		}
		tiles = append(tiles, routecard.LedgerTile{Level: 1, Hashes: []byte{1}}, routecard.LedgerTile{Level: 7, Number: 1 << 50, Hashes: []byte{2}})
		longer := routecard.LedgerTile{Level: 1, Hashes: []byte{1, 2, 3}}
		s.update(func(tx routecard.Tx) error {
			return errors.Join(tx.PutLedgerTiles(1, tiles), tx.PutLedgerTiles(2, tiles[:1]))
		})
		s.update(func(tx routecard.Tx) error { return tx.PutLedgerTiles(1, []routecard.LedgerTile{longer}) })
		read := func(tree int64, level int, number int64) func(routecard.Reader) (routecard.LedgerTile, error) {
			return func(tx routecard.Reader) (routecard.LedgerTile, error) { return tx.LedgerTile(tree, level, number) }
		}
		s.same(look(s, read(1, 1, 0)), longer)
		s.same(look(s, read(1, 7, 1<<50)), tiles[301])
		s.same(look(s, read(1, 0, 299)), tiles[299])
		s.update(func(tx routecard.Tx) error { return tx.DeleteLedgerTiles(1) })
		_, err := tryLook(s, read(1, 0, 299))
		s.refused(err, routecard.ErrNoRecord)
		s.same(look(s, read(2, 0, 0)), tiles[0])
	}},
	{"one checkpoint of each hour is kept, and the largest is the newest", func(s *shop) {
		const hour = 60 * 60 * 1000
		at := func(size int64, hours routecard.Timestamp) routecard.LedgerCheckpoint {
			return routecard.LedgerCheckpoint{Size: size, Signed: []byte(strange + strings.Repeat("x", int(size))), SealedAt: hours*hour + 5}
		}
		newest := func(tx routecard.Reader) (routecard.LedgerCheckpoint, error) { return tx.LastLedgerCheckpoint(1) }
		_, err := tryLook(s, newest)
		s.refused(err, routecard.ErrNoRecord)
		// The clock was set back before the last one.
		for _, checkpoint := range []routecard.LedgerCheckpoint{at(3, 10), at(9, 10), at(12, 11), at(20, 4)} {
			s.update(func(tx routecard.Tx) error { return tx.PutLedgerCheckpoint(1, checkpoint) })
		}
		s.update(func(tx routecard.Tx) error {
			return errors.Join(tx.PutLedgerCheckpoint(2, at(90, 1)), tx.PutLedgerCosigned(1, at(7, 10)))
		})
		s.same(look(s, newest), at(20, 4))
		s.same(look(s, func(tx routecard.Reader) ([]routecard.LedgerCheckpoint, error) { return tx.LedgerCheckpoints(1) }),
			[]routecard.LedgerCheckpoint{at(9, 10), at(12, 11), at(20, 4)})
		s.same(look(s, func(tx routecard.Reader) (routecard.LedgerCheckpoint, error) { return tx.LastLedgerCosigned(1) }), at(7, 10))
	}},
	{"whoever holds the trail knows what its next number is", func(s *shop) {
		s.update(func(tx routecard.Tx) error {
			if ours, err := tx.TakeLedgerTurn(); err != nil || !ours {
				return errors.Join(err, errors.New("somebody else has the turn"))
			}
			if err := tx.HoldTrail(); err != nil {
				return err
			}
			last, err := tx.LastAuditSequence()
			if err != nil {
				return err
			}
			if err := tx.AppendAudit(routecard.LedgerStarted("x", last, 1)); err != nil {
				return err
			}
			if now, err := tx.LastAuditSequence(); err != nil || now != last+1 {
				return errors.Join(err, errors.New("another entry came between"))
			}
			return nil
		})
	}},
}
