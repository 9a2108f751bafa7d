package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"iter"
	"maps"
	"slices"
	"time"

	"github.com/jackc/pgx/v5"
	"github.com/jackc/pgx/v5/pgconn"
	"github.com/jackc/pgx/v5/pgxpool"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// beginUpdate begins a transaction in which every statement sees everything that was committed before the statement. An operation first
// locks the rows that it bases a decision on.
const beginUpdate = `BEGIN ISOLATION LEVEL READ COMMITTED, READ WRITE`

// postgresTransaction is one transaction on one connection. BEGIN is sent together with its first statement. After a failed statement it
// runs no other.
type postgresTransaction struct {
	ctx   context.Context
	conn  *pgxpool.Conn
	begin string // the statement that begins it; empty if each statement is a separate transaction
	begun bool
	heard bool // the server responded to the statement that begins the transaction
	ended bool
	lost  bool   // the connection is gone
	key   *int64 // the key to lock at the beginning, or nil; see lockKey
	err   error
}

func (s *postgresTransaction) check() error {
	if s.err != nil {
		return s.err
	}
	if s.ended {
		return db.ErrEnded
	}
	return s.ctx.Err()
}

// note stores the first failure, and whether the connection can still be used.
func (s *postgresTransaction) note(err error) error {
	if err == nil {
		return nil
	}
	if s.err == nil {
		s.lost = s.conn.Conn().IsClosed()
		switch {
		case !s.lost || s.ctx.Err() != nil:
		case s.heard:
			err = fmt.Errorf("%w: %w", errLost, err)
		default:
			err = fmt.Errorf("%w: %w", errStale, err)
		}
		s.err = err
	}
	return s.err
}

// start adds the statements that begin the transaction to a batch, unless the transaction has begun.
func (s *postgresTransaction) start(batch *pgx.Batch) {
	if !s.begun && s.begin != "" {
		s.begun = true
		batch.Queue(s.begin)
		if s.key != nil {
			batch.Queue(lockKey, *s.key)
		}
	}
}

// opened reads the server's responses to the statements of start.
func (s *postgresTransaction) opened(results pgx.BatchResults) error {
	_, err := results.Exec()
	if err != nil {
		return err
	}
	s.heard = true
	if s.key != nil {
		_, err = results.Exec()
	}
	return err
}

// unprepared marks long statements, so that they are not kept prepared: they insert many rows at once, and nearly every one has a different
// length.
func unprepared(text string, args []any) []any {
	if len(text) <= statementLimit {
		return args
	}
	return append([]any{pgx.QueryExecModeExec}, args...)
}

func (s *postgresTransaction) Query(text string, args ...any) (db.Rows, error) {
	if err := s.check(); err != nil {
		return nil, err
	}
	if s.begun || s.begin == "" {
		result, err := s.conn.Query(s.ctx, text, unprepared(text, args)...)
		if err != nil {
			return nil, s.note(err)
		}
		return &postgresRows{Rows: result, tx: s}, nil
	}
	batch := &pgx.Batch{}
	s.start(batch)
	batch.Queue(text, args...)
	results := s.conn.SendBatch(s.ctx, batch)
	if err := s.opened(results); err != nil {
		_ = results.Close()
		return nil, s.note(err)
	}
	result, err := results.Query()
	if err != nil {
		_ = results.Close()
		return nil, s.note(err)
	}
	return &postgresRows{Rows: result, tx: s, batch: results}, nil
}

func (s *postgresTransaction) Exec(text string, args ...any) (int64, error) {
	if err := s.check(); err != nil {
		return 0, err
	}
	if !s.begun && s.begin != "" {
		batch := &pgx.Batch{}
		s.start(batch)
		if len(text) <= statementLimit {
			var affected int64
			batch.Queue(text, args...)
			results := s.conn.SendBatch(s.ctx, batch)
			err := s.opened(results)
			if err == nil {
				tag, execErr := results.Exec()
				affected, err = tag.RowsAffected(), execErr
			}
			return affected, s.note(errors.Join(err, results.Close()))
		}
		if err := s.conn.SendBatch(s.ctx, batch).Close(); err != nil {
			return 0, s.note(err)
		}
		s.heard = true
	}
	tag, err := s.conn.Exec(s.ctx, text, unprepared(text, args)...)
	return tag.RowsAffected(), s.note(err)
}

// Pipelined sends all statements at once and then waits for the results.
func (s *postgresTransaction) Pipelined(statements []db.Statement) error {
	if err := s.check(); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	s.start(batch)
	for _, statement := range statements {
		batch.Queue(statement.SQL, statement.Args...).Query(func(result pgx.Rows) error {
			for result.Next() {
				if statement.Row == nil {
					continue
				}
				if err := statement.Row(&postgresRows{Rows: result, tx: s}); err != nil {
					return fmt.Errorf("scan %s: %w", db.FirstLine(statement.SQL), err)
				}
			}
			return nil
		})
	}
	err := s.conn.SendBatch(s.ctx, batch).Close()
	s.heard = s.heard || err == nil
	return s.note(err)
}

// commit sends the last statements together with the commit. An error other than errUnknown means that nothing was changed.
func (s *postgresTransaction) commit(ctx context.Context, statements []db.Statement) error {
	if err := s.check(); err != nil {
		return err
	}
	batch := &pgx.Batch{}
	s.start(batch)
	for _, statement := range statements {
		batch.Queue(statement.SQL, statement.Args...)
	}
	batch.Queue(`COMMIT`)
	delete(s.conn.Conn().PgConn().CustomData(), warned)
	// From here on the transaction continues even if its caller's context ends.
	s.ctx = ctx
	results := s.conn.SendBatch(ctx, batch)
	var done string
	answered := 0
	err := func() error {
		for ; answered < batch.Len()-1; answered++ {
			if _, err := results.Exec(); err != nil {
				return err
			}
		}
		tag, err := results.Exec()
		done = tag.String()
		return err
	}()
	refused := sqlState(err) != "" && answered < batch.Len()-1
	unsent := answered == 0 && pgconn.SafeToRetry(err)
	err = errors.Join(err, results.Close())
	s.ended = true
	if s.conn.Conn().IsClosed() {
		s.lost = true
		switch {
		case unsent && !s.heard:
			return fmt.Errorf("%w: %w", errStale, err)
		case refused || unsent: // the server did not reach the commit
			return fmt.Errorf("%w: %w", errLost, err)
		}
		return fmt.Errorf("%w: %w", errUnknown, err)
	}
	if err != nil {
		s.begun = s.conn.Conn().PgConn().TxStatus() != 'I'
		return err
	}
	s.begun = false
	if done != "COMMIT" {
		return fmt.Errorf("the server answered %s to a commit", done)
	}
	// The server sends a warning when it stopped waiting for a standby. The transaction is then committed here, but not on the standby.
	if warning, ok := s.conn.Conn().PgConn().CustomData()[warned]; ok {
		return fmt.Errorf("%w: the server warned: %v", errUnknown, warning)
	}
	return nil
}

// rollback ends a transaction that was not committed. It may be called after a commit.
func (s *postgresTransaction) rollback() {
	s.ended = true
	if !s.begun || s.conn.Conn().IsClosed() {
		return
	}
	ctx, cancel := context.WithTimeout(context.WithoutCancel(s.ctx), time.Second)
	defer cancel()
	if _, err := s.conn.Exec(ctx, `ROLLBACK`); err != nil {
		_ = s.conn.Conn().Close(ctx) // the pool replaces it
	}
}

// postgresRows is a result, with the batch to which it belongs, if any.
type postgresRows struct {
	pgx.Rows
	tx    *postgresTransaction
	batch pgx.BatchResults
}

func (r *postgresRows) Err() error { return r.tx.note(r.Rows.Err()) }

func (r *postgresRows) Close() error {
	r.Rows.Close()
	err := r.Rows.Err()
	if r.batch != nil {
		err = errors.Join(err, r.batch.Close())
		r.batch = nil
	}
	return r.tx.note(err)
}

// postgresUpdate is the Tx of an Update. It writes audit entries at its end. A transaction that adds to the trail makes all others wait
// until it has committed, so it must not itself wait for anything after that.
type postgresUpdate struct {
	statement.Tx
	pending    []trail.Entry
	remembered []card.Remembered // keys to write at the end, like the entries; see Remember
	decidedBy  map[string]string // revisions of the paths that changes of cards are based on
	jobs       bool              // whether jobs were written
	paths      bool              // whether paths were written
	aside      bool              // see shop.Aside
	probes     bool              // the caller's context limits the commit as well: afterwards its outcome is not needed
}

func (u *postgresUpdate) InsertJob(job shop.Job) error {
	u.jobs = true
	return u.Tx.InsertJob(job)
}

func (u *postgresUpdate) UpdateJob(job shop.Job) error {
	u.jobs = true
	return u.Tx.UpdateJob(job)
}

func (u *postgresUpdate) SetExternalID(external shop.ExternalID) error {
	u.jobs = u.jobs || external.Of == shop.RecordJob
	return u.Tx.SetExternalID(external)
}

func (u *postgresUpdate) InsertPath(path card.Path) error {
	u.paths = true
	return u.Tx.InsertPath(path)
}

func (u *postgresUpdate) UpdatePath(before, after card.Path) error {
	u.paths = true
	return u.Tx.UpdatePath(before, after)
}

func (u *postgresUpdate) DeletePath(path card.Path) error {
	u.paths = true
	return u.Tx.DeletePath(path)
}

func (u *postgresUpdate) AppendAudit(entries ...trail.Entry) error {
	return u.pend(entries)
}

// pend stores entries in memory, to be written at the end of the transaction.
func (u *postgresUpdate) pend(entries []trail.Entry) error {
	u.pending = append(u.pending, entries...)
	if weighing, ok := u.Querier.(*db.Metered); ok {
		return weighing.Spend(int64(len(entries)) * (db.WrittenWork + db.ArgumentWork*statement.AuditWidth))
	}
	return nil
}

// ChangeCards uses the statements of cardGroup, which take lists of any length.
func (u *postgresUpdate) ChangeCards(changes []card.Change) error {
	collected := newCardChanges(u.Prefix)
	collected.revisions = u.Revisions
	for i := range changes {
		change := &changes[i]
		number, ok := collected.prefix.ParseSerialID(change.Serial.ID)
		if !ok {
			return shop.ErrNoRecord
		}
		collected.add(number, change.Serial.PathID, change)
	}
	maps.Copy(u.decidedBy, collected.decidedBy)
	if err := u.pend(collected.audit); err != nil {
		return err
	}
	if err := u.WriteContents(changes); err != nil {
		return err
	}
	return db.Pipelined(u.Querier, collected.writing()...)
}

// ending returns the statements that come just before the commit.
func (u *postgresUpdate) ending() []db.Statement {
	var statements []db.Statement
	if len(u.remembered) > 0 {
		statements = append(statements, rememberStatement(u.remembered))
		u.remembered = nil
	}
	if len(u.pending) > 0 {
		statements = slices.Concat(statements, turn(u.decidedBy), auditStatements(u.Prefix, u.pending))
		u.pending = nil
	}
	return statements
}

// flushed writes the pending entries before the trail is read in the same Update.
func (u *postgresUpdate) flushed(read func() iter.Seq2[trail.Entry, error]) iter.Seq2[trail.Entry, error] {
	return func(yield func(trail.Entry, error) bool) {
		if err := db.Pipelined(u.Querier, u.ending()...); err != nil {
			yield(trail.Entry{}, err)
			return
		}
		read()(yield)
	}
}

func (u *postgresUpdate) AuditEntries(limit, offset int64) iter.Seq2[trail.Entry, error] {
	return u.flushed(func() iter.Seq2[trail.Entry, error] { return u.Tx.AuditEntries(limit, offset) })
}

func (u *postgresUpdate) AuditOfSerial(serialID string) iter.Seq2[trail.Entry, error] {
	return u.flushed(func() iter.Seq2[trail.Entry, error] { return u.Tx.AuditOfSerial(serialID) })
}

func (u *postgresUpdate) AuditOfRecord(id string) iter.Seq2[trail.Entry, error] {
	return u.flushed(func() iter.Seq2[trail.Entry, error] { return u.Tx.AuditOfRecord(id) })
}

func (u *postgresUpdate) AuditOfJob(jobID string) iter.Seq2[trail.Entry, error] {
	return u.flushed(func() iter.Seq2[trail.Entry, error] { return u.Tx.AuditOfJob(jobID) })
}

func (u *postgresUpdate) AuditAfter(sequence int64, limit int) ([]trail.Entry, error) {
	if err := db.Pipelined(u.Querier, u.ending()...); err != nil {
		return nil, err
	}
	return u.Tx.AuditAfter(sequence, limit)
}

func (u *postgresUpdate) LastAuditSequence() (int64, error) {
	if err := db.Pipelined(u.Querier, u.ending()...); err != nil {
		return 0, err
	}
	return u.Tx.LastAuditSequence()
}

func (u *postgresUpdate) commit(s *postgresTransaction) error {
	if !s.begun && len(u.pending) == 0 && len(u.remembered) == 0 {
		return s.check()
	}
	ctx := context.WithoutCancel(s.ctx)
	if u.probes {
		ctx = s.ctx
	}
	ctx, cancel := context.WithTimeout(ctx, commitTimeout)
	defer cancel()
	told := len(u.pending) > 0
	unnamed := u.unnamed()
	ending := u.ending()
	switch {
	case u.aside:
	case unnamed: // before the entries, because all other transactions wait from the first entry to the commit
		ending = slices.Insert(ending, 0, db.Statement{SQL: countUntold})
	case !told:
		ending = append(ending, db.Statement{SQL: countBeside})
	}
	return s.commit(ctx, ending)
}

// unnamed reports whether the transaction writes data of a list without adding an entry that Postgres.Version reads.
func (u *postgresUpdate) unnamed() bool {
	has := func(named func(trail.Action) bool) bool {
		return slices.ContainsFunc(u.pending, func(e trail.Entry) bool { return named(e.Action) })
	}
	return u.jobs && !has(func(a trail.Action) bool { return a == shop.ActionJobCreated || a == shop.ActionJobChanged }) ||
		u.paths && !has(shop.MovesUnits)
}

// Every change adds to the trail or to one of these counters. Their triggers thus stop every change by an older program; see
// refuse_older_writer.
const (
	// countUntold counts a change that unnamed reports; see Postgres.Version.
	countUntold = `UPDATE counter SET value = value + 1 WHERE name = 'untold'`
	// countBeside counts any other change that adds nothing to the trail.
	countBeside = `UPDATE counter SET value = value + 1 WHERE name = 'beside'`
)

// ledgerTurn takes the advisory lock of the process that seals the trail.
const ledgerTurn = `SELECT pg_try_advisory_xact_lock(1380139588, 3)`

func (u *postgresUpdate) TakeLedgerTurn() (bool, error) {
	return db.One(u, db.Scalar[bool], ledgerTurn)
}

func (u *postgresUpdate) LockTrail() error {
	return db.Pipelined(u.Querier, turn(nil)...)
}
