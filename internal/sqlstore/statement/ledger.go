package statement

import (
	"encoding/base64"
	"errors"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

type ledger struct{ *db.Core }

// TakeLedgerTurn always returns true on SQLite, where only one process has the file open and only one goroutine writes.
func (t ledger) TakeLedgerTurn() (bool, error) { return true, nil }

// LockTrail does nothing on SQLite, for the same reason.
func (t ledger) LockTrail() error { return nil }

func (t ledger) InsertLedgerTree(tree shop.LedgerTree) error {
	return db.Run(t, `INSERT INTO ledger_tree (number, origin, began_at) VALUES ($1, $2, $3)`,
		tree.Number, tree.Origin, int64(tree.BeganAt))
}

func (t ledger) LedgerTree() (shop.LedgerTree, error) {
	return db.One(t, func(r db.Rows) (tree shop.LedgerTree, err error) {
		err = r.Scan(&tree.Number, &tree.Origin, &tree.BeganAt)
		return tree, err
	}, `SELECT number, origin, began_at FROM ledger_tree ORDER BY number DESC LIMIT 1`)
}

func (t ledger) PutLedgerKey(key shop.LedgerKey) error {
	return db.Run(t, `INSERT INTO ledger_key (verifier_key, added_at, retired_at) VALUES ($1, $2, $3)
		ON CONFLICT (verifier_key) DO UPDATE SET added_at = excluded.added_at, retired_at = excluded.retired_at`,
		key.VerifierKey, int64(key.AddedAt), int64(key.RetiredAt))
}

func (t ledger) LedgerKeys() ([]shop.LedgerKey, error) {
	return db.All(t, func(r db.Rows) (key shop.LedgerKey, err error) {
		err = r.Scan(&key.VerifierKey, &key.AddedAt, &key.RetiredAt)
		return key, err
	}, `SELECT verifier_key, added_at, retired_at FROM ledger_key ORDER BY added_at, verifier_key`)
}

func (t ledger) PutLedgerTiles(tree int64, tiles []shop.LedgerTile) error {
	const width = 4
	args := make([]any, 0, width*len(tiles))
	for _, tile := range tiles {
		args = append(args, tree, int64(tile.Level), tile.Number, base64.StdEncoding.EncodeToString(tile.Hashes))
	}
	return db.InsertAll(t, `INSERT INTO ledger_tile (tree, level, number, hashes) VALUES`, width, args,
		` ON CONFLICT (tree, level, number) DO UPDATE SET hashes = excluded.hashes`)
}

func (t ledger) LedgerTile(tree int64, level int, number int64) (shop.LedgerTile, error) {
	tile := shop.LedgerTile{Level: level, Number: number}
	text, err := db.One(t, db.Scalar[string], `SELECT hashes FROM ledger_tile WHERE tree = $1 AND level = $2 AND number = $3`,
		tree, int64(level), number)
	if err != nil {
		return tile, err
	}
	tile.Hashes, err = base64.StdEncoding.DecodeString(text)
	if err != nil { // the row was edited, so its contents are worthless
		tile.Hashes = nil
		return tile, nil //nolint:nilerr // the hashes of the tile will not match
	}
	return tile, nil
}

func (t ledger) DeleteLedgerTiles(tree int64) error {
	return db.Run(t, `DELETE FROM ledger_tile WHERE tree = $1`, tree)
}

// hour returns the hour of a time. One checkpoint is stored for each hour: enough for looking back, and few enough to store permanently.
func hour(at ident.Timestamp) int64 { return int64(at) / (60 * 60 * 1000) }

func (t ledger) PutLedgerCheckpoint(tree int64, checkpoint shop.LedgerCheckpoint) error {
	return putCheckpoint(t, "ledger_checkpoint", tree, checkpoint)
}

func (t ledger) PutLedgerCosigned(tree int64, checkpoint shop.LedgerCheckpoint) error {
	return putCheckpoint(t, "ledger_cosigned", tree, checkpoint)
}

func putCheckpoint(q db.Querier, table string, tree int64, checkpoint shop.LedgerCheckpoint) error {
	return db.Run(q, `INSERT INTO `+table+` (tree, hour, size, signed, sealed_at) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (tree, hour) DO UPDATE SET size = excluded.size, signed = excluded.signed, sealed_at = excluded.sealed_at`,
		tree, hour(checkpoint.SealedAt), checkpoint.Size, string(checkpoint.Signed), int64(checkpoint.SealedAt))
}

func (t ledger) PutLedgerStop(stop shop.LedgerStop) error {
	const put = `INSERT INTO counter (name, value) VALUES ($1, $2) ON CONFLICT (name) DO UPDATE SET value = excluded.value`
	return errors.Join(db.Run(t, put, "stopped", stop.Marked), db.Run(t, put, "unmarked", stop.Missing))
}

func (t ledger) LedgerStop() (shop.LedgerStop, error) {
	return db.One(t, func(r db.Rows) (stop shop.LedgerStop, err error) {
		err = r.Scan(&stop.Marked, &stop.Missing)
		return stop, err
	}, `SELECT COALESCE((SELECT value FROM counter WHERE name = 'stopped'), 0),
		COALESCE((SELECT value FROM counter WHERE name = 'unmarked'), 0)`)
}

func scanCheckpoint(r db.Rows) (checkpoint shop.LedgerCheckpoint, err error) {
	var signed string
	err = r.Scan(&checkpoint.Size, &signed, &checkpoint.SealedAt)
	checkpoint.Signed = []byte(signed)
	return checkpoint, err
}

func (t ledger) LedgerCheckpoints(tree int64) ([]shop.LedgerCheckpoint, error) {
	return db.All(t, scanCheckpoint, `SELECT size, signed, sealed_at FROM ledger_checkpoint
		WHERE tree = $1 ORDER BY size, hour`, tree)
}

func (t ledger) LastLedgerCheckpoint(tree int64) (shop.LedgerCheckpoint, error) {
	return db.One(t, scanCheckpoint, `SELECT size, signed, sealed_at FROM ledger_checkpoint
		WHERE tree = $1 ORDER BY size DESC, hour DESC LIMIT 1`, tree)
}

func (t ledger) LastLedgerCosigned(tree int64) (shop.LedgerCheckpoint, error) {
	return db.One(t, scanCheckpoint, `SELECT size, signed, sealed_at FROM ledger_cosigned
		WHERE tree = $1 ORDER BY size DESC, hour DESC LIMIT 1`, tree)
}
