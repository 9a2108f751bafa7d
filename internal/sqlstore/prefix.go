package sqlstore

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/replay"
)

// ErrOtherPrefix reports that a database has another prefix of serials than Options ask for.
var ErrOtherPrefix = errors.New("identifiers never change: leave the setting out, or start with a new database")

// errUnusedPrefix reports that someone has altered the stored prefix.
var errUnusedPrefix = errors.New("which Routecard does not use")

// selectPrefix reads the row that the first start of a database has added.
const selectPrefix = `SELECT prefix FROM serial_prefix`

// addPrefix adds the row, unless another instance has added it. Nothing ever changes the row.
const addPrefix = `INSERT INTO serial_prefix (number, prefix) VALUES (1, $1) ON CONFLICT DO NOTHING`

// claimPrefix returns the prefix of the serials of a database, and refuses another prefix than the wanted one, unless that is "". The first
// start of a database stores the wanted prefix, or the default one. Older programs would write entries with the default prefix: raise
// refuses them.
func claimPrefix(q db.Querier, wanted ident.Prefix, name, raise string) (ident.Prefix, error) {
	chosen := cmp.Or(wanted, ident.DefaultPrefix)
	added, err := db.Affecting(q, addPrefix, string(chosen))
	if err == nil && added > 0 && chosen != ident.DefaultPrefix {
		err = db.Run(q, raise)
	}
	if err != nil {
		return "", fmt.Errorf("open %s: %w", name, err)
	}
	prefix, err := storedPrefix(q, name)
	if err == nil && wanted != "" && wanted != prefix {
		return "", fmt.Errorf("--serial-prefix is %s, and the units of %s have had the prefix %s since its first start; %w",
			wanted, name, prefix, ErrOtherPrefix)
	}
	return prefix, err
}

// storedPrefix returns the prefix of a database that is only read. A database that no service has started with has no serials.
func storedPrefix(q db.Querier, name string) (ident.Prefix, error) {
	text, err := db.One(q, db.Scalar[string], selectPrefix)
	if errors.Is(err, shop.ErrNoRecord) {
		return ident.DefaultPrefix, nil
	}
	if err != nil {
		return "", fmt.Errorf("open %s: %w", name, err)
	}
	prefix := ident.Prefix(text)
	if !prefix.Valid() || shop.ReservedPrefix(prefix) {
		return "", fmt.Errorf("%s has the prefix %q for units, %w", name, text, errUnusedPrefix)
	}
	return prefix, nil
}

// selectCreation reads the details of the oldest entry about new serials.
const selectCreation = `SELECT CAST(metadata AS TEXT) FROM audit WHERE action = $1 ORDER BY sequence LIMIT 1`

// prefixToRead is storedPrefix for databases that someone may have altered. If the stored prefix cannot be used, wrong says why, and the
// prefix is the one in the oldest entry about new serials, or else the default one.
func prefixToRead(q db.Querier, name string) (prefix ident.Prefix, wrong, err error) {
	prefix, wrong = storedPrefix(q, name)
	if !errors.Is(wrong, errUnusedPrefix) {
		return prefix, nil, wrong
	}
	metadata, err := db.One(q, db.Scalar[string], selectCreation, string(card.ActionSerialCreated))
	if err != nil && !errors.Is(err, shop.ErrNoRecord) {
		return "", nil, fmt.Errorf("open %s: %w", name, err)
	}
	var made replay.SerialRange
	if json.Unmarshal([]byte(metadata), &made) == nil && shop.IsSerialID(made.FirstSerialID) {
		prefix, _, _ = ident.SplitSerialID(made.FirstSerialID)
	}
	return cmp.Or(prefix, ident.DefaultPrefix), wrong, nil
}

// raiseWriter is the statement of each engine that refuses programs before the migration serial_prefix.
const (
	raiseSQLiteWriter   = `UPDATE counter SET value = 87 WHERE name = 'writer' AND value < 87`
	raisePostgresWriter = `SELECT raise_writer(87)`
)

// choosePrefix is claimPrefix for the connection that writes, before the store is used.
func (s *SQLite) choosePrefix(conn *sqliteConnection, name string) (err error) {
	if _, err := conn.Exec("BEGIN IMMEDIATE"); err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	if s.prefix, err = claimPrefix(conn, s.options.SerialPrefix, name, raiseSQLiteWriter); err != nil {
		return errors.Join(err, conn.rollback())
	}
	if _, err := conn.Exec("COMMIT"); err != nil {
		return fmt.Errorf("open %s: %w", name, err)
	}
	return nil
}

// choosePrefix is claimPrefix before the store is used. Of several instances with different prefixes, one adds the row.
func (s *Postgres) choosePrefix(ctx context.Context, name string) error {
	return s.again(ctx, func() error {
		conn, err := s.acquire(ctx)
		if err != nil {
			return err
		}
		defer conn.Release()
		tx := &postgresTransaction{ctx: ctx, conn: conn, begin: beginUpdate}
		defer tx.rollback()
		if s.prefix, err = claimPrefix(tx, s.options.SerialPrefix, name, raisePostgresWriter); err != nil {
			return err
		}
		return tx.commit(ctx, nil)
	})
}
