package sqlstore

import (
	"errors"

	sqlitelib "modernc.org/sqlite/lib"

	"github.com/routecard/routecard/shop/refusal"
)

// refusal does the same as sqliteRefusal, and also logs faults of the database.
func (s *SQLite) refusal(err error) error {
	if code := sqliteCode(err); code == sqlitelib.SQLITE_CORRUPT || code == sqlitelib.SQLITE_NOTADB {
		err = errors.Join(s.lock.intact(), err) // a replaced file may be the cause
	}
	refused := sqliteRefusal(err)
	failure, ok := errors.AsType[*refusal.Error](refused)
	if ok && (failure.Kind == refusal.Unavailable || failure.Kind == refusal.Uncertain) && !errors.Is(refused, refusal.ErrBusy) {
		s.trouble.say(err)
	}
	return refused
}

// written returns the error for the caller of a change.
func (s *SQLite) written(err error) error {
	if err == nil {
		s.trouble.over()
		return nil
	}
	return s.refusal(err)
}

// sqliteRefusal converts an error of the engine to the error that the caller gets. A fault of the environment becomes an error that may
// pass. Any other error stays unchanged.
func sqliteRefusal(err error) error {
	if err == nil {
		return nil
	}
	var reason *refusal.Reason
	switch sqliteCode(err) {
	case sqlitelib.SQLITE_BUSY, sqlitelib.SQLITE_LOCKED, sqlitelib.SQLITE_PROTOCOL:
		reason = refusal.DatabaseLocked
	case sqlitelib.SQLITE_INTERRUPT:
		reason = refusal.DatabaseSlow
	case sqlitelib.SQLITE_FULL:
		reason = refusal.DatabaseFull
	case sqlitelib.SQLITE_IOERR:
		reason = refusal.DatabaseUnwritable
		if errors.Is(err, errCommit) { // the changes of a failed commit may still have reached the disk
			reason = refusal.CommitUnsynced
		}
	case sqlitelib.SQLITE_READONLY, sqlitelib.SQLITE_CANTOPEN, sqlitelib.SQLITE_NOMEM, sqlitelib.SQLITE_PERM:
		reason = refusal.DatabaseUnwritable
	default:
		return err
	}
	return errors.Join(refusal.Refuse(reason), err)
}
