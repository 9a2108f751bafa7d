package sqlstore

import (
	"errors"

	sqlitelib "modernc.org/sqlite/lib"

	"github.com/routecard/routecard/shop/refusal"
)

// refusal is sqliteRefusal, and tells the log.
func (s *SQLite) refusal(err error) error {
	if code := sqliteCode(err); code == sqlitelib.SQLITE_CORRUPT || code == sqlitelib.SQLITE_NOTADB {
		err = errors.Join(s.lock.intact(), err) // which may be why
	}
	refused := sqliteRefusal(err)
	failure, ok := errors.AsType[*refusal.Error](refused)
	if ok && (failure.Kind == refusal.Unavailable || failure.Kind == refusal.Uncertain) && !errors.Is(refused, refusal.ErrBusy) {
		s.trouble.say(err)
	}
	return refused
}

// written is what the caller of a change hears.
func (s *SQLite) written(err error) error {
	if err == nil {
		s.trouble.over()
		return nil
	}
	return s.refusal(err)
}

// sqliteRefusal turns what the engine has against a transaction into what its caller hears. A fault of its environment
// is nobody's mistake and may pass; every other one stays what it is.
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
		if errors.Is(err, errCommit) { // what could not be written through may be there all the same
			reason = refusal.CommitUnsynced
		}
	case sqlitelib.SQLITE_READONLY, sqlitelib.SQLITE_CANTOPEN, sqlitelib.SQLITE_NOMEM, sqlitelib.SQLITE_PERM:
		reason = refusal.DatabaseUnwritable
	default:
		return err
	}
	return errors.Join(refusal.Refuse(reason), err)
}
