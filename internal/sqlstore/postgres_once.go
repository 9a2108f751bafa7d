package sqlstore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
)

// Remember stores the key in memory, to be written at the end of the transaction. Writing it may have to wait for another transaction that
// has just written the same key, and that transaction may itself be waiting for a lock of this one.
func (u *postgresUpdate) Remember(done card.Remembered) error {
	u.remembered = append(u.remembered, done)
	return nil
}

// rememberStatement writes keys. If a key is already stored, the transaction fails; see keyTaken.
func rememberStatement(all []card.Remembered) db.Statement {
	slices.SortFunc(all, func(a, b card.Remembered) int {
		return cmp.Or(cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.Key, b.Key))
	})
	n := len(all)
	callers, keys, fingerprints, results := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	at := make([]int64, n)
	for i, done := range all {
		callers[i], keys[i], fingerprints[i], results[i] = done.Caller, done.Key, done.Fingerprint, done.Result
		at[i] = int64(done.At)
	}
	return db.Statement{
		SQL: `INSERT INTO remembered (` + statement.RememberedColumns + `)
			SELECT ` + statement.RememberedColumns + `
			FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[]) AS made (` + statement.RememberedColumns + `)`,
		Args: []any{callers, keys, fingerprints, results, at},
	}
}

// keysStatement finds the given keys that are already stored.
func keysStatement(all []card.Remembered, taken *[]onceKey) db.Statement {
	callers, keys := make([]string, len(all)), make([]string, len(all))
	for i, done := range all {
		callers[i], keys[i] = done.Caller, done.Key
	}
	return db.Statement{SQL: `SELECT r.caller, r.once_key FROM unnest($1::text[], $2::text[]) AS asked (caller, once_key)
		JOIN remembered r ON r.caller = asked.caller AND r.once_key = asked.once_key`,
		Args: []any{callers, keys}, Row: db.Into(taken, func(r db.Rows) (key onceKey, err error) {
			err = r.Scan(&key.caller, &key.key)
			return key, err
		})}
}

type onceKey struct{ caller, key string }

func keyOf(done *card.Remembered) onceKey { return onceKey{done.Caller, done.Key} }

// keysOf returns the keys that the members of a group tried to write in the last attempt.
func keysOf(group []*request) []card.Remembered {
	var keys []card.Remembered
	for _, r := range group {
		if r.remember != nil {
			keys = append(keys, *r.remember)
		}
	}
	return keys
}

// keyTaken reports whether a transaction failed because one of its keys was already stored.
func keyTaken(err error) bool {
	failure, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failure.Code == codeUniqueViolation && failure.ConstraintName == "remembered_pkey"
}

// lockKey is the first statement of an Update under a key. If two instances receive the same request, one of them waits here until the
// other has finished. The waiting transaction has no locks yet, so no other transaction waits for it. Groups of card changes do not lock
// keys, because they are short.
const lockKey = `SELECT pg_advisory_xact_lock($1)`

// keyLock returns the number that lockKey locks for the key of an Update, or nil if the Update has no key.
func keyLock(ctx context.Context) *int64 {
	once, ok := shop.KeyOf(ctx)
	if !ok {
		return nil
	}
	digest := sha256.Sum256([]byte(once.Caller + "\n" + once.Key))
	name := int64(binary.BigEndian.Uint64(digest[:])) //nolint:gosec // any number
	return &name
}

// orKey adds ErrKeyRunning to the error of an operation that waited in vain for another instance with the same key. That instance has
// locked the key, or has written it without committing yet.
func (s *Postgres) orKey(ctx context.Context, err error) error {
	once, ok := shop.KeyOf(ctx)
	if !ok || !errors.Is(err, errInTheWay) {
		return err
	}
	conn, failure := s.acquire(ctx)
	if failure != nil {
		return err
	}
	defer conn.Release()
	looking := &postgresTransaction{ctx: ctx, conn: conn, begin: beginUpdate}
	defer looking.rollback()
	free, failure := db.One(looking, db.Scalar[bool], `SELECT pg_try_advisory_xact_lock($1)`, *keyLock(ctx))
	if failure == nil && free {
		failure = db.Pipelined(looking, rememberStatement([]card.Remembered{{Once: once}}))
		free = sqlState(failure) != codeLockTimeout
	}
	switch {
	case failure == nil && free, failure != nil && free && !keyTaken(failure):
		return err
	case free:
		return failure
	}
	return errors.Join(shop.ErrKeyRunning, err)
}
