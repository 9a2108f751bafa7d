package sqlstore

import (
	"context"
	"errors"
	"fmt"
	"math/rand/v2"
	"time"

	"github.com/jackc/pgx/v5/pgconn"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// These are failures of a transaction other than errors of its statements.
var (
	errUnreachable = errors.New("the database cannot be reached")
	errLost        = errors.New("the connection was lost before the commit")
	errStale       = fmt.Errorf("%w and before anything was read", errLost)
	errUnknown     = errors.New("the connection was lost in the commit")
	errInTheWay    = errors.New("other transactions were in the way")
	errLocked      = errors.New("another transaction has the serial")
)

// The SQLSTATE codes that the store handles.
const (
	codeSerializationFailure = "40001"
	codeDeadlock             = "40P01"
	codeUniqueViolation      = "23505"
	codeLockTimeout          = "55P03"
	codeReadOnly             = "25006" // the server has become a standby
	codeNotInRepertoire      = "22021"
	codeUntranslatable       = "22P05"
	codeOlderWriter          = "RC001" // raised by refuse_older_writer
)

// sqlState returns the server's code for an error; "" when the error is not from the server.
func sqlState(err error) string {
	if failure, ok := errors.AsType[*pgconn.PgError](err); ok {
		return failure.Code
	}
	return ""
}

// retryable reports whether a transaction failed only because it conflicted with others.
func retryable(err error) bool {
	switch sqlState(err) {
	case codeSerializationFailure, codeDeadlock, codeLockTimeout:
		return !errors.Is(err, errUnknown)
	}
	return false
}

// passing reports whether a statement failed because of a state of the server that may pass: the statement was cancelled, or the server is
// shutting down, is read-only, or has run out of space, memory or connections.
func passing(err error) bool {
	state := sqlState(err)
	if len(state) != 5 {
		return false
	}
	switch state[:2] {
	case "08", "53", "57", "58": // connection, resources, intervention, system
		return true
	}
	return state == codeReadOnly || retryable(err)
}

// again repeats a transaction until it succeeds or fails permanently. After a conflict with other transactions it waits for a random time
// that grows with each attempt, until the caller's context ends or patience expires. It replaces, once, a connection that was lost before
// the commit.
func (s *Postgres) again(ctx context.Context, attempt func() error) error {
	deadline := time.Now().Add(s.patient)
	replaced := false
	for pause := time.Millisecond; ; pause = min(2*pause, 200*time.Millisecond) {
		err := attempt()
		switch {
		case err == nil:
			s.trouble.over()
			return nil
		case errors.Is(err, errLost) && !replaced:
			replaced = true
			s.pool.Reset() // the other connections may be lost as well
			continue
		case !retryable(err):
			return err
		case time.Now().After(deadline):
			return fmt.Errorf("%w: %w", errInTheWay, err)
		}
		timer := time.NewTimer(rand.N(pause) + pause/2) //nolint:gosec // jitter, not a secret
		select {
		case <-timer.C:
		case <-ctx.Done():
			timer.Stop()
			return ctx.Err()
		case <-s.closing.Done():
			timer.Stop()
			return errClosed
		}
	}
}

// refusal converts the error of a transaction to the error that its caller gets.
func (s *Postgres) refusal(ctx context.Context, err error) error {
	var reason *refusal.Reason
	switch {
	case err == nil:
		return nil
	case errors.Is(err, errUnknown):
		reason = refusal.CommitUnknown
	case ctx.Err() != nil:
		return errors.Join(ctx.Err(), err)
	case keyTaken(err):
		return errors.Join(shop.ErrRemembered, err)
	case errors.Is(err, shop.ErrKeyRunning):
		return err
	case errors.Is(err, errUnreachable), errors.Is(err, errLost):
		reason = refusal.DatabaseUnreachable
	case errors.Is(err, context.DeadlineExceeded): // of the store, not of the caller: the server accepts connections but does not respond
		s.pool.Reset()
		reason = refusal.DatabaseUnreachable
	case sqlState(err) == codeOlderWriter:
		reason = refusal.ProgramTooOld
	case errors.Is(err, errInTheWay):
		reason = refusal.DatabaseBusy
	case passing(err):
		reason = refusal.DatabaseUnreachable
	default:
		if state := sqlState(err); state == codeNotInRepertoire || state == codeUntranslatable {
			return errors.Join(refusal.Refuse(refusal.TextUnstorable), err)
		}
		return err
	}
	s.trouble.say(err)
	return errors.Join(refusal.Refuse(reason), err)
}
