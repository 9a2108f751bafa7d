package sqlstore

import "github.com/routecard/routecard/internal/sqlstore/db"

// ledgerTurn takes the advisory lock of the process that seals the trail.
const ledgerTurn = `SELECT pg_try_advisory_xact_lock(1380139588, 3)`

func (u *postgresUpdate) TakeLedgerTurn() (bool, error) {
	return db.One(u, db.Scalar[bool], ledgerTurn)
}

func (u *postgresUpdate) LockTrail() error {
	return db.Pipelined(u.Querier, turn(nil)...)
}
