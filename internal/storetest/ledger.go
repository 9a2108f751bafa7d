package storetest

import (
	"bytes"
	"errors"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

func (suite) Ledger() []promise { return ledger }

// ledger are the cases for the seals of the audit trail.
var ledger = []promise{
	{"the newest tree of the ledger is the one", func(s *testedStore) {
		newest := func(tx views.Reader) (shop.LedgerTree, error) { return tx.LedgerTree() }
		_, err := tryLook(s, newest)
		s.refused(err, shop.ErrNoRecord)
		for number := int64(1); number <= 11; number++ {
			tree := shop.LedgerTree{Number: number, Origin: strange, BeganAt: farOff - ident.Timestamp(number)}
			s.update(func(tx shop.Tx) error { return tx.InsertLedgerTree(tree) })
			s.same(look(s, newest), tree)
		}
	}},
	{"keys of the ledger are kept and may be changed", func(s *testedStore) {
		first := shop.LedgerKey{VerifierKey: "b", AddedAt: 1}
		second := shop.LedgerKey{VerifierKey: "a", AddedAt: farOff, RetiredAt: farOff}
		s.update(func(tx shop.Tx) error { return errors.Join(tx.PutLedgerKey(second), tx.PutLedgerKey(first)) })
		first.RetiredAt = 7
		s.update(func(tx shop.Tx) error { return tx.PutLedgerKey(first) })
		s.same(look(s, func(tx views.Reader) ([]shop.LedgerKey, error) { return tx.LedgerKeys() }),
			[]shop.LedgerKey{first, second})
	}},
	{"tiles of the ledger are replaced while they grow", func(s *testedStore) {
		var tiles []shop.LedgerTile
		for number := range int64(300) {
			tiles = append(tiles, shop.LedgerTile{Number: number, Hashes: bytes.Repeat([]byte{byte(number)}, 8192)})
		}
		tiles = append(tiles, shop.LedgerTile{Level: 1, Hashes: []byte{1}}, shop.LedgerTile{Level: 7, Number: 1 << 50, Hashes: []byte{2}})
		longer := shop.LedgerTile{Level: 1, Hashes: []byte{1, 2, 3}}
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.PutLedgerTiles(1, tiles), tx.PutLedgerTiles(2, tiles[:1]))
		})
		s.update(func(tx shop.Tx) error { return tx.PutLedgerTiles(1, []shop.LedgerTile{longer}) })
		read := func(tree int64, level int, number int64) func(views.Reader) (shop.LedgerTile, error) {
			return func(tx views.Reader) (shop.LedgerTile, error) { return tx.LedgerTile(tree, level, number) }
		}
		s.same(look(s, read(1, 1, 0)), longer)
		s.same(look(s, read(1, 7, 1<<50)), tiles[301])
		s.same(look(s, read(1, 0, 299)), tiles[299])
		s.update(func(tx shop.Tx) error { return tx.DeleteLedgerTiles(1) })
		_, err := tryLook(s, read(1, 0, 299))
		s.refused(err, shop.ErrNoRecord)
		s.same(look(s, read(2, 0, 0)), tiles[0])
	}},
	{"the stop of the ledger is stored", func(s *testedStore) {
		stop := func(tx views.Reader) (shop.LedgerStop, error) { return tx.LedgerStop() }
		s.same(look(s, stop), shop.LedgerStop{})
		for _, put := range []shop.LedgerStop{{Marked: 7}, {Marked: 9, Missing: 7}, {}} {
			s.update(func(tx shop.Tx) error { return tx.PutLedgerStop(put) })
			s.same(look(s, stop), put)
		}
	}},
	{"one checkpoint of each hour is kept, and the largest is the newest", func(s *testedStore) {
		const hour = 60 * 60 * 1000
		at := func(size int64, hours ident.Timestamp) shop.LedgerCheckpoint {
			return shop.LedgerCheckpoint{Size: size, Signed: []byte(strange + strings.Repeat("x", int(size))), SealedAt: hours*hour + 5}
		}
		newest := func(tx views.Reader) (shop.LedgerCheckpoint, error) { return tx.LastLedgerCheckpoint(1) }
		_, err := tryLook(s, newest)
		s.refused(err, shop.ErrNoRecord)
		// The clock was set back before the last checkpoint.
		for _, checkpoint := range []shop.LedgerCheckpoint{at(3, 10), at(9, 10), at(12, 11), at(20, 4)} {
			s.update(func(tx shop.Tx) error { return tx.PutLedgerCheckpoint(1, checkpoint) })
		}
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.PutLedgerCheckpoint(2, at(90, 1)), tx.PutLedgerCosigned(1, at(7, 10)))
		})
		s.same(look(s, newest), at(20, 4))
		s.same(look(s, func(tx views.Reader) ([]shop.LedgerCheckpoint, error) { return tx.LedgerCheckpoints(1) }),
			[]shop.LedgerCheckpoint{at(9, 10), at(12, 11), at(20, 4)})
		s.same(look(s, func(tx views.Reader) (shop.LedgerCheckpoint, error) { return tx.LastLedgerCosigned(1) }), at(7, 10))
	}},
	{"whoever holds the trail knows what its next number is", func(s *testedStore) {
		s.update(func(tx shop.Tx) error {
			if ours, err := tx.TakeLedgerTurn(); err != nil || !ours {
				return errors.Join(err, errors.New("somebody else has the turn"))
			}
			if err := tx.LockTrail(); err != nil {
				return err
			}
			last, err := tx.LastAuditSequence()
			if err != nil {
				return err
			}
			if err := tx.AppendAudit(shop.LedgerStarted("x", last, 1)); err != nil {
				return err
			}
			if now, err := tx.LastAuditSequence(); err != nil || now != last+1 {
				return errors.Join(err, errors.New("another entry came between"))
			}
			return nil
		})
	}},
}
