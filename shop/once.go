package shop

import (
	"bytes"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"reflect"
	"strconv"
	"sync"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/compact"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// A client that received no response does not know whether its request was carried out. It may therefore send the request with a key, and
// repeat it with the same key until it receives a response: the effect happens once.
//
//   - The HTTP interface and the pages run a request with a key through Service.Once, which puts the key into the context.
//   - Operations commit with Service.Commit and Service.changeCard, which store the key and the operation's result in the
//     transaction of the effect. If the key exists already, the transaction is rolled back, and the operation returns the
//     result that was stored the first time. The code of an operation does not deal with keys.
//   - The interface or the page creates its response from the result, as it did the first time.

// Memory lists the database operations for requests with a key.
type Memory interface {
	// Remember stores the result of an operation under its key, in the same transaction as the operation's changes. If the caller has
	// used the key already, the transaction fails with ErrRemembered, now or when it commits.
	Remember(done card.Remembered) error
	// Remembered returns the stored result of a caller's key.
	Remembered(caller, key string) (card.Remembered, error)
	// Forget removes up to limit results from before a time, oldest first, and returns the number removed.
	Forget(before ident.Timestamp, limit int) (int64, error)
}

// Errors of a Store for an operation with a key.
var (
	// ErrRemembered: the operation was carried out already.
	ErrRemembered = errors.New("done already under this key")
	// ErrKeyRunning: another instance of the service is still carrying out the operation. The Store waited, but the operation did not end
	// in time.
	ErrKeyRunning = errors.New("still being done under this key")
)

// Errors about a key that the caller sees.
var (
	errKeyReused  = refusal.Refuse(refusal.KeyOfOther)
	errKeyRunning = refusal.Refuse(refusal.KeyIsRunning)
)

// oncePatience is the maximum time that a request waits for another request with the same key.
const oncePatience = 10 * time.Second

// onceRun is a running request with a key.
type onceRun struct {
	once       card.Once
	operations int    // number of operations begun
	replayed   int    // of these, operations that had been carried out before
	leave      func() // allows the next request with the key to begin

	replay *settling // nil unless the run is a replay: see Settle
}

// The keys of the context. A request's key covers all its operations, in every package. A Store that several processes share reads the
// operation's key in Update, ChangeCard and UpdateAccess, so that two requests with one key wait for each other before either locks a
// row.
type (
	onceRunKey struct{} // of the request: *onceRun
	keyKey     struct{} // of one operation: Once
)

// KeyOf returns the key of the operation that a Store commits.
func KeyOf(ctx context.Context) (card.Once, bool) {
	once, ok := ctx.Value(keyKey{}).(card.Once)
	return once, ok
}

func onceRunOf(ctx context.Context) *onceRun {
	run, _ := ctx.Value(onceRunKey{}).(*onceRun)
	return run
}

// next returns the key of the request's next operation: the request's own key for the first operation, and a derived key for each further
// operation. Clients cannot send a derived key, since it contains a space. A request that is repeated after an interruption continues where
// it stopped.
func (run *onceRun) next() card.Once {
	run.operations++
	once := run.once
	if run.operations > 1 {
		once.Key += " " + strconv.Itoa(run.operations)
	}
	return once
}

// again uncounts the last operation, so that the next operation gets the same key.
func (run *onceRun) again() {
	if run != nil {
		run.operations--
	}
}

// Again uncounts the last operation of a request, so that the next operation gets the same key. It reports whether the request has a key.
func Again(ctx context.Context) bool {
	run := onceRunOf(ctx)
	run.again()
	return run != nil
}

// Once runs the operations of one request under a key. It waits while another request with the key runs. It returns an error about the key,
// or else the error of run.
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
	if state.operations == 0 && refused(err) { // refused before any operation looked up the key
		if _, found := s.before(ctx, state); found != nil {
			return found
		}
	}
	return err
}

// Answering is called when the interface or a page begins to send its response. The operations are finished, so the next request with the
// key need not wait until the client has read the whole response. Answering reports whether all operations had been carried out before.
func Answering(ctx context.Context) (replayed bool) {
	run := onceRunOf(ctx)
	if run == nil {
		return false
	}
	run.leave()
	return run.operations > 0 && run.replayed == run.operations
}

// refused reports whether an operation failed for a reason that a stored result may override.
func refused(err error) bool {
	if errors.Is(err, ErrRemembered) || errors.Is(err, ErrKeyRunning) {
		return true
	}
	failure, ok := errors.AsType[*refusal.Error](err)
	return ok && failure.Kind != refusal.Unavailable && failure.Kind != refusal.Uncertain
}

// Commit commits an operation in one Update. result points to the operation's result; it is nil if the operation returns none. Under a
// key, result and changes are committed together, and a repeat sets result to the stored value.
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

// DoneBefore reports whether the next operation was carried out before under its key, and if so sets result to the stored value.
// Operations that call another system before their transaction use it: a repeat need not call that system again.
func (s *Service) DoneBefore(ctx context.Context, result any) (bool, error) {
	run := onceRunOf(ctx)
	done, err := s.before(ctx, run)
	if done == nil || err != nil {
		return false, err
	}
	run.next()
	run.replayed++
	return true, decodeResult(s.SerialPrefix(), done.Result, result)
}

// Repeated reports whether the request's next operation was carried out before under its key. Callers that decide themselves whether an
// operation may begin use Repeated to admit repeats.
func (s *Service) Repeated(ctx context.Context) (bool, error) {
	done, err := s.before(ctx, onceRunOf(ctx))
	return done != nil, err
}

// repeatedSecond is Repeated for the operation after the next operation.
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

// KeyIsFree refuses a request that changes nothing if its key belongs to another request. Such a request is not remembered itself.
func (s *Service) KeyIsFree(ctx context.Context) error {
	done, err := s.before(ctx, onceRunOf(ctx))
	if done != nil {
		return errKeyReused
	}
	return err
}

// before returns the stored result of a run's next operation; nil if there is none or no run. It refuses a key that belongs to another
// request.
func (s *Service) before(ctx context.Context, run *onceRun) (*card.Remembered, error) {
	if run == nil {
		return nil, nil //nolint:nilnil // no stored result
	}
	peek := *run
	done, err := s.remembered(ctx, peek.next())
	switch {
	case errors.Is(err, ErrNoRecord):
		return nil, nil //nolint:nilnil // no stored result
	case err != nil:
		return nil, err
	case done.Fingerprint != run.once.Fingerprint:
		return nil, errKeyReused
	}
	return &done, nil
}

// Outside runs an operation whose effect is outside the database, where a transaction cannot roll it back. The result is stored once it is
// known. act receives a name of the request that is the same in every repeat, so that act can find an earlier effect. The name is "" if the
// request has no key.
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
	ctx = context.WithValue(context.WithoutCancel(ctx), keyKey{}, once) // store the result even if the client has gone
	err := s.store.Update(ctx, func(tx Tx) error {
		done, err := s.receipt(once, result)
		if err != nil {
			return err
		}
		return tx.Remember(*done)
	}, Aside)
	return s.recall(ctx, run, once, result, err)
}

// CarryOut runs act, whose effect is outside the database. Under a key it runs once: a repeat does nothing. If the process ends before
// the key is stored, a repeat runs act again.
func (s *Service) CarryOut(ctx context.Context, act func()) error {
	return s.Outside(ctx, nil, func(string) error {
		act()
		return nil
	})
}

// CommitOnce commits an operation of another service in the same database, whose result must not be stored, such as a password or a
// token. commit runs the operation in one transaction, which begins with first. Under a key it happens once: a repeat changes nothing and
// fails with ErrRemembered.
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

// recall returns the stored result of an operation that failed because it was carried out before. A stored result also replaces a
// refusal: the records may have changed since the operation was carried out.
func (s *Service) recall(ctx context.Context, run *onceRun, once card.Once, result any, err error) error {
	if err == nil || !refused(err) {
		return err
	}
	done, found := s.remembered(ctx, once)
	switch {
	case errors.Is(found, ErrNoRecord) && (errors.Is(err, ErrRemembered) || errors.Is(err, ErrKeyRunning)):
		return errKeyRunning // or the key was forgotten in between
	case errors.Is(found, ErrNoRecord):
		return err
	case found != nil:
		return found
	case done.Fingerprint != once.Fingerprint:
		return errKeyReused
	}
	run.replayed++
	return decodeResult(s.SerialPrefix(), done.Result, result)
}

func (s *Service) remembered(ctx context.Context, once card.Once) (done card.Remembered, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		done, err = tx.Remembered(once.Caller, once.Key)
		return err
	})
	return done, err
}

// receipt returns the stored form of an operation's result.
func (s *Service) receipt(once card.Once, result any) (*card.Remembered, error) {
	text, err := encodeResult(s.SerialPrefix(), result)
	return &card.Remembered{Once: once, Result: text, At: s.Now()}, err
}

// Batch size and pauses of ForgetKeys. The pause between batches is short while the service is idle, and longer otherwise.
const (
	forgottenAtOnce         = 100
	pauseIdle, pauseBusy    = 50 * time.Millisecond, time.Second
	pauseBetweenForgettings = time.Minute
)

// ForgetKeys removes the results of keys older than retention, until the context ends. It passes errors to failed and tries again a
// minute later.
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

// runningKeys are the keys of the requests that are running. It is safe for concurrent use.
type runningKeys struct {
	mu   sync.Mutex
	keys map[runningKey]*runningRequest
}

type runningKey struct{ caller, key string }

type runningRequest struct {
	fingerprint string
	done        chan struct{}
}

// enter waits until no other request with the key runs, at most oncePatience.
func (k *runningKeys) enter(ctx context.Context, once card.Once) (leave func(), err error) {
	key, mine := runningKey{once.Caller, once.Key}, &runningRequest{once.Fingerprint, make(chan struct{})}
	if other := k.put(key, mine); other != nil {
		if err := k.await(ctx, key, mine, other); err != nil {
			return nil, err
		}
	}
	return sync.OnceFunc(func() { k.remove(key, mine) }), nil
}

// await waits for other, and for requests that enter before mine, until mine holds the key.
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

// put registers a request as the holder of its key and returns nil. If another request holds the key, put returns that request.
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

// A client that received no response and does not want to repeat its request can ask whether it was carried out. If it was not, the
// request is refused when it arrives later, so that the response "not done" remains true.

// Settled is the outcome of a request with a key.
type Settled struct {
	Done bool            // carried out, at least in part
	Part bool            // interrupted: a repeat carries out the rest
	At   ident.Timestamp // when the last operation was carried out; 0 if none was
}

// voided is the fingerprint of a key whose request had not been carried out when its client asked. No request has this fingerprint, so
// every later request with the key is refused.
const voided = "not done"

// errNotReplayed ends a replay at an operation that was not carried out.
var errNotReplayed = errors.New("this operation was not carried out under its key")

// Settle returns the outcome of the request with a key, and voids the key if the request was not carried out. While the request runs,
// Settle waits for it. If the request's first operation was carried out, Settle calls carryOut: the operations in it return their stored
// results and change nothing.
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

// settling collects the stored results of a request that was carried out before; the run changes nothing. Methods accept nil.
type settling struct {
	at     ident.Timestamp // when the last operation was carried out
	failed error           // why an operation did not return its stored result
}

func (r *settling) found(done card.Remembered) {
	if r != nil {
		r.at = max(r.at, done.At)
	}
}

// fail stores the error, because a page may display the error without returning it.
func (r *settling) fail(err error) error {
	r.failed = err
	return err
}

// doneOrVoided returns the stored result of a key. If there is none, it voids the key and returns nil.
func (s *Service) doneOrVoided(ctx context.Context, once card.Once) (*card.Remembered, error) {
	void := once
	void.Fingerprint = voided
	err := s.store.Update(context.WithValue(ctx, keyKey{}, void), func(tx Tx) error {
		return tx.Remember(card.Remembered{Once: void, At: s.Now()})
	}, Aside)
	switch {
	case err == nil:
		return nil, nil //nolint:nilnil // not carried out: the key is voided now
	case errors.Is(err, ErrKeyRunning):
		return nil, errKeyRunning
	case !errors.Is(err, ErrRemembered):
		return nil, err
	}
	done, err := s.remembered(ctx, once)
	switch {
	case errors.Is(err, ErrNoRecord):
		return nil, errKeyRunning // the key was forgotten in between
	case err != nil:
		return nil, err
	case done.Fingerprint == voided:
		return nil, nil //nolint:nilnil // not carried out: the key was voided before
	case done.Fingerprint != once.Fingerprint:
		return nil, errKeyReused
	}
	return &done, nil
}

// replay sets result to the stored result of an operation.
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
	return decodeResult(s.SerialPrefix(), done.Result, result)
}

// Results of operations are stored as JSON; package compact shortens a result that lists many records.

// encodeResult returns the stored form of the result.
func encodeResult(prefix ident.Prefix, result any) (string, error) {
	switch r := result.(type) {
	case nil:
		return "", nil
	case *[]Attachment:
		result = columnsOfAttachments(prefix, *r)
	case *[]card.Override:
		result = columnsOfOverrides(prefix, *r)
	}
	var b bytes.Buffer
	encoder := json.NewEncoder(&b)
	encoder.SetEscapeHTML(false) // metadata is stored as given
	if err := encoder.Encode(result); err != nil {
		return "", fmt.Errorf("remember the result: %w", err)
	}
	text := bytes.TrimSuffix(b.Bytes(), []byte{'\n'})
	if len(text) < compact.From {
		return string(text), nil
	}
	return compact.Compress(text)
}

// decodeResult sets result to a stored value. It overwrites what an earlier attempt left there.
func decodeResult(prefix ident.Prefix, text string, result any) error {
	if result == nil {
		return nil
	}
	plain, err := compact.Expand(text)
	if err != nil {
		return fmt.Errorf("read what is remembered under a key: %w", err)
	}
	switch r := result.(type) {
	case *[]Attachment:
		var columns attachmentColumns
		if err = json.Unmarshal(plain, &columns); err == nil {
			*r = columns.records(prefix)
		}
	case *[]card.Override:
		var columns overrideColumns
		if err = json.Unmarshal(plain, &columns); err == nil {
			*r = columns.records(prefix)
		}
	default:
		reflect.ValueOf(result).Elem().SetZero()
		err = json.Unmarshal(plain, result)
	}
	if err != nil {
		return fmt.Errorf("read what is remembered under a key: %w", err)
	}
	return nil
}

type attachmentColumns struct {
	compact.Columns
	Certificates []string `json:"certificates"`
}

func columnsOfAttachments(prefix ident.Prefix, list []Attachment) (c attachmentColumns) {
	c.Add(prefix, prefixAttachment, func(yield func(compact.Record) bool) {
		for i := range list {
			a := &list[i]
			c.Certificates = append(c.Certificates, a.CertificateID)
			if !yield(compact.Record{ID: a.ID, SerialID: a.SerialID, StepID: a.StepID, At: a.AttachedAt, By: a.AttachedBy}) {
				return
			}
		}
	})
	return c
}

func (c *attachmentColumns) records(prefix ident.Prefix) []Attachment {
	list := make([]Attachment, len(c.IDs))
	for i, r := range c.All(prefix, prefixAttachment) {
		list[i] = Attachment{
			ID: r.ID, SerialID: r.SerialID, StepID: r.StepID, AttachedAt: r.At, AttachedBy: r.By, CertificateID: c.Certificates[i],
		}
	}
	return list
}

type overrideColumns struct {
	compact.Columns
	Active  []bool   `json:"active"`
	Reasons []string `json:"reasons"`
}

func columnsOfOverrides(prefix ident.Prefix, list []card.Override) (c overrideColumns) {
	c.Add(prefix, prefixOverride, func(yield func(compact.Record) bool) {
		for i := range list {
			o := &list[i]
			c.Active, c.Reasons = append(c.Active, o.Active), append(c.Reasons, o.Reason)
			if !yield(compact.Record{ID: o.ID, SerialID: o.SerialID, StepID: o.StepID, At: o.CreatedAt, By: o.CreatedBy}) {
				return
			}
		}
	})
	return c
}

func (c *overrideColumns) records(prefix ident.Prefix) []card.Override {
	list := make([]card.Override, len(c.IDs))
	for i, r := range c.All(prefix, prefixOverride) {
		list[i] = card.Override{
			ID: r.ID, SerialID: r.SerialID, StepID: r.StepID, CreatedAt: r.At, CreatedBy: r.By, Active: c.Active[i], Reason: c.Reasons[i],
		}
	}
	return list
}
