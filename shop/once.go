package shop

import (
	"context"
	"errors"
	"strconv"
	"sync"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// A client that heard no answer does not know whether its request was carried out. So it may give a request a key and
// repeat it with the same key until it hears: the effect happens once. How it works:
//
//   - A face runs a request that has a key with Service.Once, which puts the key into the context.
//   - Operations commit with Service.Commit and Service.changeCard. Those write the key and the operation's result in the
//     transaction of its effect. When the key is there already, nothing of the transaction remains, and the operation
//     returns the result that was written down the first time. An operation does not know of keys.
//   - The face makes its answer from the result, as it did the first time.

// Memory is what operations under a key need of a transaction.
type Memory interface {
	// Remember writes down what was done under a key, with everything else that the transaction changes. When the
	// caller has used the key already, the transaction fails with ErrRemembered, now or when it commits.
	Remember(done card.Remembered) error
	// Remembered returns what was done under a caller's key.
	Remembered(caller, key string) (card.Remembered, error)
	// Forget removes up to limit of what was done before a time, the oldest first, and returns how many.
	Forget(before ident.Timestamp, limit int) (int64, error)
}

// What a Store answers to an operation under a key.
var (
	// ErrRemembered: it was done already.
	ErrRemembered = errors.New("done already under this key")
	// ErrKeyRunning: another instance of the service still does it, and did not end while the Store waited for it.
	ErrKeyRunning = errors.New("still being done under this key")
)

// What a caller hears of its key.
var (
	errKeyReused  = refusal.Refuse(refusal.KeyOfOther)
	errKeyRunning = refusal.Refuse(refusal.KeyIsRunning)
)

// oncePatience is how long a request waits for another one with the same key.
const oncePatience = 10 * time.Second

// onceRun is a request that runs under a key.
type onceRun struct {
	once       card.Once
	operations int    // that were begun
	replayed   int    // of those, how many were done before
	leave      func() // lets the next request with the key begin

	replay *settling // nil for a run whose operations are carried out
}

// Both stay in the context. The key of a request belongs to all its operations, in whichever package they are. A Store
// that several processes share reads the operation's key in Update, ChangeCard and UpdateAccess, so that two requests
// under one key wait for each other before either locks a row.
type (
	onceRunKey struct{} // of the request: *onceRun
	keyKey     struct{} // of one operation: Once
)

// KeyOf returns the key of the operation that a Store is asked to commit.
func KeyOf(ctx context.Context) (card.Once, bool) {
	once, ok := ctx.Value(keyKey{}).(card.Once)
	return once, ok
}

func onceRunOf(ctx context.Context) *onceRun {
	run, _ := ctx.Value(onceRunKey{}).(*onceRun)
	return run
}

// next is the key of the request's next operation: its own key for the first, and for each further one a key that no
// client can send, since keys have no spaces. A request that is repeated after it was interrupted goes on where it was.
func (run *onceRun) next() card.Once {
	run.operations++
	once := run.once
	if run.operations > 1 {
		once.Key += " " + strconv.Itoa(run.operations)
	}
	return once
}

// again takes back that the last operation was begun, so that the next one has its key.
func (run *onceRun) again() {
	if run != nil {
		run.operations--
	}
}

// Again takes back that the last operation of a request was begun, so that the next one has its key. It reports whether the request has
// a key.
func Again(ctx context.Context) bool {
	run := onceRunOf(ctx)
	run.again()
	return run != nil
}

// Once runs the operations of one request under a key. While another request with the key runs, it waits.
// It returns run's error, or an error about the key if there is one.
func (s *Service) Once(ctx context.Context, once card.Once, run func(context.Context) error) error {
	once.Caller = CallerOf(ctx).Login
	leave, err := s.running.enter(ctx, once)
	if err != nil {
		return err
	}
	defer leave()
	state := &onceRun{once: once, leave: leave}
	err = run(context.WithValue(ctx, onceRunKey{}, state))
	if err == nil {
		return nil
	}
	if failure, ok := errors.AsType[*refusal.Error](err); ok && failure.Kind == refusal.Uncertain {
		return errors.Join(failure.OfKey(), err)
	}
	if state.operations == 0 && refused(err) { // it was refused before anybody looked at the key
		if _, found := s.before(ctx, state); found != nil {
			return found
		}
	}
	return err
}

// Answering is called when a face begins to answer a request: its operations are done, and the next request with its key
// need not wait until the client has read everything. It reports whether all of them were done before.
func Answering(ctx context.Context) (replayed bool) {
	run := onceRunOf(ctx)
	if run == nil {
		return false
	}
	run.leave()
	return run.operations > 0 && run.replayed == run.operations
}

// refused reports whether an operation failed for a reason that another look at the key may overrule.
func refused(err error) bool {
	if errors.Is(err, ErrRemembered) || errors.Is(err, ErrKeyRunning) {
		return true
	}
	failure, ok := errors.AsType[*refusal.Error](err)
	return ok && failure.Kind != refusal.Unavailable && failure.Kind != refusal.Uncertain
}

// Commit commits an operation in one Update; result points to what the operation returns, and is nil when it returns
// nothing. Under a key the two are committed together, and result is set to what it was when change was done first.
func (s *Service) Commit(ctx context.Context, result any, change func(Tx) error, options ...UpdateOption) error {
	s.begun.Add(1)
	run := onceRunOf(ctx)
	if run == nil {
		return s.store.Update(ctx, change, options...)
	}
	once := run.next()
	if run.replay != nil {
		return s.replay(ctx, run, once, result)
	}
	err := s.store.Update(context.WithValue(ctx, keyKey{}, once), func(tx Tx) error {
		if err := change(tx); err != nil {
			return err
		}
		done, err := s.receipt(once, result)
		if err != nil {
			return err
		}
		return tx.Remember(*done)
	}, options...)
	return s.recall(ctx, run, once, result, err)
}

// DoneBefore looks whether the next operation was done before under its key; then result is what it was. It is for
// operations that ask somebody else before their transaction begins: who repeats a request need not ask again.
func (s *Service) DoneBefore(ctx context.Context, result any) (bool, error) {
	run := onceRunOf(ctx)
	done, err := s.before(ctx, run)
	if done == nil || err != nil {
		return false, err
	}
	run.next()
	run.replayed++
	return true, decodeResult(done.Result, result)
}

// Repeated reports whether the request's next operation was done before under its key. It is for faces that judge for
// themselves whether an operation may begin: they let a repeat of one that was done through.
func (s *Service) Repeated(ctx context.Context) (bool, error) {
	done, err := s.before(ctx, onceRunOf(ctx))
	return done != nil, err
}

// repeatedSecond is Repeated for the operation behind the next one.
func (s *Service) repeatedSecond(ctx context.Context) (bool, error) {
	run := onceRunOf(ctx)
	if run == nil {
		return false, nil
	}
	behind := *run
	behind.next()
	done, err := s.before(ctx, &behind)
	return done != nil, err
}

// KeyIsFree refuses a request that changes nothing, and so is not remembered, when its key belongs to another one.
func (s *Service) KeyIsFree(ctx context.Context) error {
	done, err := s.before(ctx, onceRunOf(ctx))
	if done != nil {
		return errKeyReused
	}
	return err
}

// before returns what was done under the key of a run's next operation, nil when that is nothing or there is no run. A key
// that belongs to another request is refused.
func (s *Service) before(ctx context.Context, run *onceRun) (*card.Remembered, error) {
	if run == nil {
		return nil, nil //nolint:nilnil // nothing was done before
	}
	peek := *run
	done, err := s.remembered(ctx, peek.next())
	switch {
	case errors.Is(err, ErrNoRecord):
		return nil, nil //nolint:nilnil // likewise
	case err != nil:
		return nil, err
	case done.Fingerprint != run.once.Fingerprint:
		return nil, errKeyReused
	}
	return &done, nil
}

// Outside runs an operation whose effect is not in the database, where no transaction can take it back. The result is
// written down when it is known. act gets a name of the request that is the same in every repeat, with which it can find
// an earlier effect; "" when the request has no key.
func (s *Service) Outside(ctx context.Context, result any, act func(name string) error) error {
	run := onceRunOf(ctx)
	if run == nil {
		return act("")
	}
	if done, err := s.DoneBefore(ctx, result); done || err != nil {
		return err
	}
	if run.replay != nil {
		return run.replay.fail(errNotReplayed)
	}
	once := run.next()
	if err := act(once.Name()); err != nil {
		return err
	}
	ctx = context.WithValue(context.WithoutCancel(ctx), keyKey{}, once) // it is done, whoever still waits for it
	err := s.store.Update(ctx, func(tx Tx) error {
		done, err := s.receipt(once, result)
		if err != nil {
			return err
		}
		return tx.Remember(*done)
	}, Aside)
	return s.recall(ctx, run, once, result, err)
}

// CarryOut does something whose effect is not in the database. Under a key it is done once: a repeat does nothing. When
// the process ends between the two, a repeat does it again.
func (s *Service) CarryOut(ctx context.Context, act func()) error {
	return s.Outside(ctx, nil, func(string) error {
		act()
		return nil
	})
}

// CommitOnce commits an operation of another service in the same database, whose result must not be written down, as a
// password or a token must not. commit runs it in one transaction, which begins with first. Under a key it happens once:
// a repeat changes nothing and fails with ErrRemembered.
func CommitOnce(ctx context.Context, at ident.Timestamp, commit func(ctx context.Context, first func(Memory) error) error) error {
	run := onceRunOf(ctx)
	if run == nil {
		return commit(ctx, func(Memory) error { return nil })
	}
	once := run.next()
	err := commit(context.WithValue(ctx, keyKey{}, once), func(memory Memory) error {
		done, err := memory.Remembered(once.Caller, once.Key)
		switch {
		case err == nil && done.Fingerprint != once.Fingerprint:
			return errKeyReused
		case err == nil:
			run.replay.found(done)
			return ErrRemembered
		case !errors.Is(err, ErrNoRecord):
			return err
		case run.replay != nil:
			return run.replay.fail(errNotReplayed)
		}
		return memory.Remember(card.Remembered{Once: once, At: at})
	})
	if errors.Is(err, ErrRemembered) {
		run.replayed++
	}
	return err
}

// recall returns the stored result of an operation that failed because it was done before. A stored result also replaces a
// refusal: the records may have changed since the operation was done.
func (s *Service) recall(ctx context.Context, run *onceRun, once card.Once, result any, err error) error {
	if err == nil || !refused(err) {
		return err
	}
	done, found := s.remembered(ctx, once)
	switch {
	case errors.Is(found, ErrNoRecord) && (errors.Is(err, ErrRemembered) || errors.Is(err, ErrKeyRunning)):
		return errKeyRunning // or it has been forgotten this very moment
	case errors.Is(found, ErrNoRecord):
		return err
	case found != nil:
		return found
	case done.Fingerprint != once.Fingerprint:
		return errKeyReused
	}
	run.replayed++
	return decodeResult(done.Result, result)
}

func (s *Service) remembered(ctx context.Context, once card.Once) (done card.Remembered, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		done, err = tx.Remembered(once.Caller, once.Key)
		return err
	})
	return done, err
}

// receipt is what is written down of an operation that returns what result points to.
func (s *Service) receipt(once card.Once, result any) (*card.Remembered, error) {
	text, err := encodeResult(result)
	return &card.Remembered{Once: once, Result: text, At: s.Now()}, err
}

// How keys are forgotten: a few at a time, the next few soon while nobody waits for anything, and not so soon otherwise.
const (
	forgottenAtOnce         = 100
	pauseIdle, pauseBusy    = 50 * time.Millisecond, time.Second
	pauseBetweenForgettings = time.Minute
)

// ForgetKeys forgets what was done under keys longer than retention ago, until the context ends. It tells failed what
// went wrong, and tries again a minute later.
func (s *Service) ForgetKeys(ctx context.Context, retention time.Duration, pause Pause, failed func(error)) {
	for ctx.Err() == nil {
		begun := s.begun.Load()
		forgotten, err := s.forgetSome(ctx, retention)
		wait := pauseBetweenForgettings
		switch {
		case err != nil && ctx.Err() == nil:
			failed(err)
		case forgotten < forgottenAtOnce:
		case s.begun.Load() == begun:
			wait = pauseIdle
		default:
			wait = pauseBusy
		}
		_ = pause(ctx, wait)
	}
}

func (s *Service) forgetSome(ctx context.Context, retention time.Duration) (forgotten int64, err error) {
	before := s.Now() - ident.Timestamp(retention.Milliseconds())
	err = s.store.Update(ctx, func(tx Tx) (err error) {
		forgotten, err = tx.Forget(before, forgottenAtOnce)
		return err
	}, Aside)
	return forgotten, err
}

// runningKeys are the keys of the requests that run just now. It is safe for concurrent use.
type runningKeys struct {
	mu   sync.Mutex
	keys map[runningKey]*runningRequest
}

type runningKey struct{ caller, key string }

type runningRequest struct {
	fingerprint string
	done        chan struct{}
}

// enter waits until no other request runs under the key, as long as patience lasts.
func (k *runningKeys) enter(ctx context.Context, once card.Once) (leave func(), err error) {
	key, mine := runningKey{once.Caller, once.Key}, &runningRequest{once.Fingerprint, make(chan struct{})}
	if other := k.put(key, mine); other != nil {
		if err := k.await(ctx, key, mine, other); err != nil {
			return nil, err
		}
	}
	return sync.OnceFunc(func() { k.remove(key, mine) }), nil
}

// await waits for the other request, and for those that come in between, until mine has the key.
func (k *runningKeys) await(ctx context.Context, key runningKey, mine, other *runningRequest) error {
	patient, cancel := context.WithTimeout(ctx, oncePatience)
	defer cancel()
	for ; other != nil; other = k.put(key, mine) {
		select {
		case <-other.done:
		case <-patient.Done():
			switch {
			case ctx.Err() != nil:
				return ctx.Err()
			case other.fingerprint != mine.fingerprint:
				return errKeyReused
			}
			return errKeyRunning
		}
	}
	return nil
}

// put enters a request unless another one is there, which it returns.
func (k *runningKeys) put(key runningKey, mine *runningRequest) *runningRequest {
	k.mu.Lock()
	defer k.mu.Unlock()
	if running, ok := k.keys[key]; ok {
		return running
	}
	if k.keys == nil {
		k.keys = map[runningKey]*runningRequest{}
	}
	k.keys[key] = mine
	return nil
}

func (k *runningKeys) remove(key runningKey, mine *runningRequest) {
	k.mu.Lock()
	defer k.mu.Unlock()
	delete(k.keys, key)
	close(mine.done)
}

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
	again := &settling{at: done.At}
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

// settling is a run of a request that was carried out before, and changes nothing. A nil one finds nothing.
type settling struct {
	at     ident.Timestamp // when the last operation was carried out
	failed error           // why an operation did not return its stored result
}

func (r *settling) found(done card.Remembered) {
	if r != nil {
		r.at = max(r.at, done.At)
	}
}

// fail keeps the error: a page may show it and return none.
func (r *settling) fail(err error) error {
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
