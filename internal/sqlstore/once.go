package sqlstore

import (
	"cmp"
	"context"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"slices"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/routecard/routecard/shop"
)

// Keys are written in the transaction of what is done under them, behind everything that it locks and before the turn of
// the audit trail, and several in the order of their names: one order for everybody, so that nobody waits in a circle.

const rememberedColumns = `caller, once_key, fingerprint, result, made_at`

// Remember refuses a key that is there already. Within a group of callers the first one of two wins.
func (t *transaction) Remember(done shop.Remembered) error {
	n, err := affecting(t, `INSERT INTO remembered (`+rememberedColumns+`) VALUES ($1, $2, $3, $4, $5)
		ON CONFLICT (caller, once_key) DO NOTHING`, done.Caller, done.Key, done.Fingerprint, done.Result, int64(done.At))
	if err == nil && n == 0 {
		err = shop.ErrRemembered
	}
	return err
}

func scanRemembered(r rows) (done shop.Remembered, err error) {
	err = r.Scan(&done.Caller, &done.Key, &done.Fingerprint, &done.Result, &done.At)
	return done, err
}

func (t *transaction) Remembered(caller, key string) (shop.Remembered, error) {
	return one(t, scanRemembered, `SELECT `+rememberedColumns+` FROM remembered WHERE caller = $1 AND once_key = $2`,
		caller, key)
}

func (t *transaction) Forget(before shop.Timestamp, limit int) (int64, error) {
	return affecting(t, `DELETE FROM remembered WHERE (caller, once_key) IN (
		SELECT caller, once_key FROM remembered WHERE made_at < $1 ORDER BY made_at LIMIT $2)`, int64(before), limit)
}

// Remember keeps the key to the end: a key that another transaction has just written has to be waited for, and that
// transaction may wait for something of this one.
func (u *postgresUpdate) Remember(done shop.Remembered) error {
	u.remembered = append(u.remembered, done)
	return nil
}

// rememberStatement writes keys. One that is there already fails the transaction; see keyTaken.
func rememberStatement(all []shop.Remembered) statement {
	slices.SortFunc(all, func(a, b shop.Remembered) int {
		return cmp.Or(cmp.Compare(a.Caller, b.Caller), cmp.Compare(a.Key, b.Key))
	})
	n := len(all)
	callers, keys, fingerprints, results := make([]string, n), make([]string, n), make([]string, n), make([]string, n)
	at := make([]int64, n)
	for i, done := range all {
		callers[i], keys[i], fingerprints[i], results[i] = done.Caller, done.Key, done.Fingerprint, done.Result
		at[i] = int64(done.At)
	}
	return statement{
		sql: `INSERT INTO remembered (` + rememberedColumns + `)
			SELECT ` + rememberedColumns + `
			FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::bigint[]) AS made (` + rememberedColumns + `)`,
		args: []any{callers, keys, fingerprints, results, at},
	}
}

// keysStatement finds which of some keys are there.
func keysStatement(all []shop.Remembered, taken *[]onceKey) statement {
	callers, keys := make([]string, len(all)), make([]string, len(all))
	for i, done := range all {
		callers[i], keys[i] = done.Caller, done.Key
	}
	return statement{`SELECT r.caller, r.once_key FROM unnest($1::text[], $2::text[]) AS asked (caller, once_key)
		JOIN remembered r ON r.caller = asked.caller AND r.once_key = asked.once_key`,
		[]any{callers, keys}, into(taken, func(r rows) (key onceKey, err error) {
			err = r.Scan(&key.caller, &key.key)
			return key, err
		})}
}

type onceKey struct{ caller, key string }

func keyOf(done *shop.Remembered) onceKey { return onceKey{done.Caller, done.Key} }

// keysOf are the keys that the members of a group wanted to write when they were tried last.
func keysOf(group []*request) []shop.Remembered {
	var keys []shop.Remembered
	for _, r := range group {
		if r.remember != nil {
			keys = append(keys, *r.remember)
		}
	}
	return keys
}

// keyTaken reports whether a transaction failed because a key of it was there already.
func keyTaken(err error) bool {
	failure, ok := errors.AsType[*pgconn.PgError](err)
	return ok && failure.Code == codeUniqueViolation && failure.ConstraintName == "remembered_pkey"
}

// lockKey comes first in an Update under a key, so that one of two instances that are asked for the same waits until the
// other has ended, and not for what the other locks. Who waits for it holds nothing yet. The groups of cards do without:
// theirs end soon.
const lockKey = `SELECT pg_advisory_xact_lock($1)`

// keyLock is what lockKey locks for the key of an Update; nil when there is none.
func keyLock(ctx context.Context) *int64 {
	once, ok := shop.KeyOf(ctx)
	if !ok {
		return nil
	}
	digest := sha256.Sum256([]byte(once.Caller + "\n" + once.Key))
	name := int64(binary.BigEndian.Uint64(digest[:])) //nolint:gosec // any number
	return &name
}

// orKey looks whether it was the same key in another instance that an operation waited for in vain. That instance has
// the lock of the key, or has written the key and not committed yet.
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
	looking := &session{ctx: ctx, conn: conn, begin: beginUpdate}
	defer looking.rollback()
	tx := &transaction{querier: looking}
	free, failure := one(tx, scalar[bool], `SELECT pg_try_advisory_xact_lock($1)`, *keyLock(ctx))
	if failure == nil && free {
		failure = pipelined(looking, rememberStatement([]shop.Remembered{{Once: once}}))
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
