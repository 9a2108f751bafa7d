package shop

import (
	"context"
	"errors"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// A client that lost an answer and does not want to repeat its request asks what became of it. A request that was not carried out by then
// is refused if it arrives later, so that the answer "not done" stays true.

// Settled says what became of a request with a key.
type Settled struct {
	Done bool            // whether it was carried out, at least in part
	Part bool            // whether it was interrupted: a repeat carries out the rest
	At   ident.Timestamp // when its last operation was carried out; 0 for a request that was not
}

// voided is the fingerprint of a key whose request was not carried out when its client asked. No request has it, so every request with the
// key is refused from then on.
const voided = "not done"

// errNotReplayed ends a replay at an operation that was not carried out.
var errNotReplayed = errors.New("this operation was not carried out under its key")

// Settle reports what became of the request with a key, and voids the key when the request was not carried out. While the request runs,
// Settle waits for it. When its first operation was carried out, Settle calls carryOut: the operations in it
// return their stored results and change nothing.
func (s *Service) Settle(ctx context.Context, once card.Once, carryOut func(context.Context) error) (Settled, error) {
	once.Caller = CallerOf(ctx).Login
	leave, err := s.running.enter(ctx, once)
	if err != nil {
		return Settled{}, err
	}
	defer leave()
	done, err := s.doneOrVoided(ctx, once)
	if err != nil || done == nil {
		return Settled{}, err
	}
	again := &replay{at: done.At}
	run := &onceRun{once: once, leave: leave, replay: again}
	err = carryOut(context.WithValue(ctx, onceRunKey{}, run))
	switch {
	case errors.Is(again.failed, errNotReplayed):
		return Settled{Done: true, Part: true, At: again.at}, nil
	case again.failed != nil:
		return Settled{}, again.failed
	case err != nil && !refused(err):
		return Settled{}, err
	}
	return Settled{Done: true, At: again.at}, nil
}

// replay is a run of a request that was carried out before, and changes nothing. A nil replay finds nothing.
type replay struct {
	at     ident.Timestamp // when the last operation was carried out
	failed error           // why an operation did not return its stored result
}

func (r *replay) found(done card.Remembered) {
	if r != nil {
		r.at = max(r.at, done.At)
	}
}

// fail keeps the error: a page may show it and return none.
func (r *replay) fail(err error) error {
	r.failed = err
	return err
}

// doneOrVoided returns what was done under a key. It voids the key and returns nil when nothing was.
func (s *Service) doneOrVoided(ctx context.Context, once card.Once) (*card.Remembered, error) {
	void := once
	void.Fingerprint = voided
	err := s.store.Update(context.WithValue(ctx, keyKey{}, void), func(tx Tx) error {
		return tx.Remember(card.Remembered{Once: void, At: s.Now()})
	}, Aside)
	switch {
	case err == nil:
		return nil, nil //nolint:nilnil // nothing was done
	case errors.Is(err, ErrKeyRunning):
		return nil, errKeyRunning
	case !errors.Is(err, ErrRemembered):
		return nil, err
	}
	done, err := s.remembered(ctx, once)
	switch {
	case errors.Is(err, ErrNoRecord):
		return nil, errKeyRunning // it was forgotten at this moment
	case err != nil:
		return nil, err
	case done.Fingerprint == voided:
		return nil, nil //nolint:nilnil // likewise
	case done.Fingerprint != once.Fingerprint:
		return nil, errKeyReused
	}
	return &done, nil
}

// replay puts the stored result of an operation where result points to.
func (s *Service) replay(ctx context.Context, run *onceRun, once card.Once, result any) error {
	done, err := s.remembered(ctx, once)
	switch {
	case errors.Is(err, ErrNoRecord):
		return run.replay.fail(errNotReplayed)
	case err != nil:
		return run.replay.fail(err)
	case done.Fingerprint != once.Fingerprint:
		return run.replay.fail(errKeyReused)
	}
	run.replayed++
	run.replay.found(done)
	return decodeResult(done.Result, result)
}
