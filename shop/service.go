package shop

import (
	"context"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/url"
	"slices"
	"sync/atomic"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Service is the business logic: each operation of the interface is one method. It is safe for concurrent use.
//
// Methods return a *refusal.Error with the contract's message for mistakes of the caller. Any other error is internal. If a method
// returns no error, its change and audit entries are on disk. If it returns an error, nothing has changed.
type Service struct {
	store Store
	clock ident.Clock
	ids   ident.Identifiers

	counter counter
	running runningKeys
	begun   atomic.Int64 // number of operations begun that change something

	undoWindow time.Duration
	zone       *time.Location // the shop's time zone
	signing    *Signing       // nil if signatures are disabled
	papers     Papers         // nil if the service prints no documents

	hookAllowed func(*url.URL) bool // see WithHooks

	keepBytes func(ctx context.Context, bytes io.Reader) (File, error) // see KeepBytesWith
}

// Option configures an optional part of a Service.
type Option func(*Service)

// New returns a Service on a store. The caller owns the store and must close it.
func New(store Store, clock ident.Clock, ids ident.Identifiers, options ...Option) *Service {
	s := &Service{
		clock: clock, ids: ids, counter: counter{clock: clock},
		undoWindow: defaultUndoWindow, zone: time.UTC, keepBytes: keepNothing, hookAllowed: anyEncrypted,
	}
	for _, option := range options {
		option(s)
	}
	if s.signing != nil {
		store = signing{store, *s.signing, clock, ids}
	}
	s.store = punctual{matching{attributing{store}}, clock}
	return s
}

// Store returns the service's store with the checks that every change passes: the clock, the caller's name, signatures. Packages with
// operations of their own on the shop's records use it.
func (s *Service) Store() Store { return s.store }

// SerialPrefix returns the prefix of the serials of the service's database.
func (s *Service) SerialPrefix() ident.Prefix { return s.store.SerialPrefix() }

// Now returns the time of the service's clock.
func (s *Service) Now() ident.Timestamp { return ident.TimestampOf(s.clock()) }

// NewID returns a new identifier with a prefix.
func (s *Service) NewID(prefix string) string { return prefix + s.ids.Next() }

// Version identifies the state of all jobs or of all units, so that a reader can check whether any of them has changed since.
func (s *Service) Version(ctx context.Context, of ident.RecordKind) (string, error) {
	return s.store.Version(ctx, of)
}

// ChunkSize is the number of serials that a large operation processes with one set of statements.
const ChunkSize = 1000

// cardRule computes the change of one serial's card. It depends only on its arguments, so that an operation on one serial and the same
// operation on many can share it.
type cardRule func(card card.Card, now ident.Timestamp) (card.Change, error)

// changeCard runs a rule on one serial's route card and commits the returned change. The rule runs inside the transaction, with the card
// as it is there. missing is the name of the serial in the refusal if it does not exist. result points to the operation's result, which
// the rule sets; it is nil if the operation returns none, as for Commit.
func (s *Service) changeCard(ctx context.Context, id string, missing refusal.RecordName, result any, rule cardRule) error {
	s.begun.Add(1)
	run := onceRunOf(ctx)
	var once card.Once
	if run != nil {
		once = run.next()
		if run.replay != nil {
			return s.replay(ctx, run, once, result)
		}
		ctx = context.WithValue(ctx, keyKey{}, once)
	}
	err := s.store.ChangeCard(ctx, id, func(unit card.Card) (card.Change, error) {
		if err := card.CheckCard(unit); err != nil {
			return card.Change{}, err
		}
		change, err := rule(unit, s.Now())
		if err == nil && run != nil {
			change.Remember, err = s.receipt(once, result)
		}
		return change, err
	})
	err = OrNotFound(err, missing, id)
	if run != nil {
		err = s.recall(ctx, run, once, result, err)
	}
	return err
}

// changeSerial is changeCard for operations that return the serial.
func (s *Service) changeSerial(ctx context.Context, id string, missing refusal.RecordName, rule cardRule) (card.Serial, error) {
	var serial card.Serial
	err := s.changeCard(ctx, id, missing, &serial, func(card card.Card, now ident.Timestamp) (card.Change, error) {
		change, err := rule(card, now)
		serial = change.Serial
		return change, err
	})
	return serial, err
}

// Page is one page of a list.
type Page[T any] struct {
	Items []T
	Next  string // query value for the next page; "" if there is none
}

// pageOf returns the first limit items as a page. A further item shows that there is a next page, which begins after the last item of this
// one.
func pageOf[T any](items []T, limit int, id func(*T) string) Page[T] {
	if len(items) <= limit {
		return Page[T]{Items: items}
	}
	return Page[T]{Items: slices.Clip(items[:limit]), Next: id(&items[limit-1])}
}

// Stream yields each row once. It reads the rows in pages with a View that browses, so that a slow caller delays no other request. A row
// is as it was when its page was read. The last element may be an error.
func Stream[T, R any](
	ctx context.Context, view func(context.Context, func(R) error, ...ViewOption) error, rows func(R) iter.Seq2[T, error],
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		errStopped := errors.New("the caller has seen enough")
		err := view(ctx, func(tx R) error {
			for row, err := range rows(tx) {
				if err != nil {
					return err
				}
				if !yield(row, nil) {
					return errStopped
				}
			}
			return nil
		}, Browse)
		if err != nil && !errors.Is(err, errStopped) {
			var zero T
			yield(zero, err)
		}
	}
}

// failed yields only an error.
func failed[T any](err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var zero T
		yield(zero, err)
	}
}

// WithTimeZone sets the time zone of the shop, which determines when a day ends. The default is UTC.
func WithTimeZone(zone *time.Location) Option {
	return func(s *Service) { s.zone = zone }
}

// Zone returns the time zone of the shop.
func (s *Service) Zone() *time.Location { return s.zone }

// Read calls a function with a transaction that sees one state of the database.
func (s *Service) Read(ctx context.Context, read func(Reader) error) error {
	return s.store.View(ctx, read)
}

// Today returns the current day in the time zone of the shop, in the format of due dates.
func (s *Service) Today() string { return s.Now().Time().In(s.zone).Format(input.DateLayout) }

// Within returns the service with a transaction in place of its store: its operations are parts of that transaction. A refused operation
// may have written something already, so the caller must roll back the whole transaction after a refusal. Operations need a context from
// Apart.
func (s *Service) Within(tx Tx) *Service {
	inner := &Service{
		store: joined{tx: tx}, clock: s.clock, ids: s.ids, undoWindow: s.undoWindow, zone: s.zone, signing: s.signing,
	}
	inner.counter.clock = s.clock
	return inner
}

// Apart returns a context for operations within a transaction. They do not see the request's key, which covers the whole transaction.
func Apart(ctx context.Context) context.Context {
	return context.WithValue(ctx, onceRunKey{}, (*onceRun)(nil))
}

// joined is a store whose changes are parts of one transaction.
type joined struct {
	Store // nil: only the methods below are called

	tx Tx
}

var errNoView = errors.New("an operation within a transaction asked for a View")

func (j joined) Update(_ context.Context, change func(Tx) error, _ ...UpdateOption) error {
	return change(j.tx)
}

func (j joined) ChangeCard(_ context.Context, serialID string, change func(card.Card) (card.Change, error)) error {
	return changeCardIn(j.tx, serialID, change)
}

func (j joined) SerialPrefix() ident.Prefix { return j.tx.SerialPrefix() }

func (j joined) View(context.Context, func(Reader) error, ...ViewOption) error { return errNoView }

// errWrongClock refuses to store an implausible time.
var errWrongClock = refusal.Refuse(refusal.WrongClock)

// punctual is a store that refuses changes while the clock is wrong, because their times and identifiers come from it. It checks the
// clock at every change, so that the service recovers by itself once the clock is right.
type punctual struct {
	Store
	clock ident.Clock
}

func (s punctual) Update(ctx context.Context, change func(Tx) error, options ...UpdateOption) error {
	if !ident.Plausible(s.clock()) {
		return errWrongClock
	}
	return s.Store.Update(ctx, change, options...)
}

func (s punctual) ChangeCard(ctx context.Context, serialID string, change func(card.Card) (card.Change, error)) error {
	if !ident.Plausible(s.clock()) {
		return errWrongClock
	}
	return s.Store.ChangeCard(ctx, serialID, change)
}

// Ready returns an error while the clock is wrong: every change would be refused.
func (s punctual) Ready(ctx context.Context) error {
	if !ident.Plausible(s.clock()) {
		return errWrongClock
	}
	return s.Store.Ready(ctx)
}

// Pause waits, or returns the context's error if the context ends first. It is injected, like the Clock.
type Pause func(ctx context.Context, wait time.Duration) error

// A caller can make a change conditional on what it read: the operation is refused if the record has changed since. The HTTP interface and
// the pages identify states of a record in different ways. So each puts its own function into the context, which compares a response with
// what the caller read. internal/httpapi/precondition.go reads If-Match and compares ETags; internal/httpstatus maps the refusal to 412.

// The key of that function in the context. The function belongs to the request, from a header or a form, and applies to every operation
// of the request.
type matchKey struct{}

// WithMatch returns a context whose operation is refused unless same returns true. same receives the response about the record in the
// transaction of the change, and compares that response with what the caller read.
func WithMatch(ctx context.Context, same func(answer any) (bool, error)) context.Context {
	return context.WithValue(ctx, matchKey{}, same)
}

// unitMatchKey is the key of the unit's identifier in a context from WithMatchOfUnit.
type unitMatchKey struct{}

// WithMatchOfUnit returns a context in which every change is refused unless same, as in WithMatch, returns true for the unit's current
// response of Get Serial or Get Step Statuses. If the unit does not exist, the operation decides whether to refuse the change.
func WithMatchOfUnit(ctx context.Context, serialID string, same func(answer any) (bool, error)) context.Context {
	return context.WithValue(WithMatch(ctx, same), unitMatchKey{}, serialID)
}

// RefuseUnread refuses to change a record that differs from what the caller read. Each of the answers functions returns what the caller
// would read now at one address of the record. The caller's version must equal one of these results. Pass no functions for a record without
// an address.
func RefuseUnread(ctx context.Context, name refusal.RecordName, id string, answers ...func() (any, error)) error {
	same, _ := ctx.Value(matchKey{}).(func(any) (bool, error))
	if same == nil {
		return nil
	}
	if len(answers) == 0 {
		answers = []func() (any, error){func() (any, error) { return nil, nil }} //nolint:nilnil // no response to compare
	}
	for _, answer := range answers {
		value, err := answer()
		if err != nil {
			return err
		}
		if unchanged, err := same(value); unchanged || err != nil {
			return err
		}
	}
	return refusal.Refuse(refusal.RecordChanged, string(name), id)
}

// refuseUnreadUnit refuses to change a unit that differs from what the caller read. It returns ErrNoRecord if the unit does not exist.
func refuseUnreadUnit(ctx context.Context, tx Tx, serialID string) error {
	if ctx.Value(matchKey{}) == nil {
		return nil
	}
	card, err := tx.RouteCard(serialID)
	if err != nil {
		return err
	}
	return RefuseUnread(ctx, NameSerialNumber, serialID, func() (any, error) {
		certificates, err := tx.CertificatesOfSerial(serialID)
		return DetailOf(card, certificates), err
	}, func() (any, error) { return statusesOf(card), nil })
}

// matching is a store that, in each transaction under WithMatchOfUnit, first checks that the unit equals what the caller read.
type matching struct{ Store }

func (s matching) Update(ctx context.Context, change func(Tx) error, options ...UpdateOption) error {
	serialID, ok := ctx.Value(unitMatchKey{}).(string)
	if !ok || slices.Contains(options, Aside) {
		return s.Store.Update(ctx, change, options...)
	}
	return s.Store.Update(ctx, func(tx Tx) error {
		if err := refuseUnreadUnit(ctx, tx, serialID); err != nil && !errors.Is(err, ErrNoRecord) {
			return err
		}
		return change(tx)
	}, options...)
}

// ChangeCard uses a transaction of its own under WithMatchOfUnit: the caller read more than the card.
func (s matching) ChangeCard(ctx context.Context, serialID string, change func(card.Card) (card.Change, error)) error {
	if _, ok := ctx.Value(unitMatchKey{}).(string); !ok {
		return s.Store.ChangeCard(ctx, serialID, change)
	}
	return s.Update(ctx, func(tx Tx) error { return changeCardIn(tx, serialID, change) })
}

// changeCardIn does what Store.ChangeCard does, as part of a larger transaction.
func changeCardIn(tx Tx, serialID string, change func(card.Card) (card.Change, error)) error {
	unit, err := tx.RouteCard(serialID)
	if err != nil {
		return err
	}
	changed, err := change(unit)
	if err != nil {
		return err
	}
	if err := tx.ChangeCards([]card.Change{changed}); err != nil || changed.Remember == nil {
		return err
	}
	return tx.Remember(*changed.Remember)
}

// Permission is a permission that a role grants. Routes and pages refer to an Operation; the operation's noun declares the
// permission that it requires.
type Permission string

// The permissions.
const (
	Read   Permission = "read"
	Work   Permission = "work"    // move units, attach certificates and files, take notes, calibrate
	Decide Permission = "decide"  // scrap, force-complete, waive, override, release, rework, dispose, close reports
	Plan   Permission = "plan"    // jobs, routes, new serials, certificates, bills, templates, library, instruments, tracker, stations
	Admin  Permission = "admin"   // users, tokens, revoking stations, settings, backups
	ActFor Permission = "act-for" // name another user as the acting user
)

// Requirements of routes other than the permissions that roles grant.
const (
	Anyone   Permission = "anyone"    // no authentication
	Arrived  Permission = "arrived"   // authenticated, even if the caller must replace a secret first
	SignedIn Permission = "signed-in" // authenticated, with any permissions
	Entering Permission = "entering"  // authenticated, even if the second factor is still missing or must be set up
)

// Permissions returns all permissions.
func Permissions() []Permission { return []Permission{Read, Work, Decide, Plan, Admin, ActFor} }

// Caller is the authenticated sender of a request. The zero Caller is unauthenticated: where requests need no sign-in, names in
// requests are taken as given.
type Caller struct {
	Login       string
	Permissions []Permission
	// Means records how the caller authenticated: session, token:{id}, or station:{id} for a session at a station. All audit entries
	// of the caller record it.
	Means string
	// Confirmed reports whether the caller has entered a secret within the last minutes, rather than only having a session.
	Confirmed bool
	// Logins are the logins of active users, which a caller with ActFor may act for. Nil allows every name.
	Logins map[string]bool
}

// Known reports whether the caller is authenticated.
func (c Caller) Known() bool { return c.Login != "" }

// May reports whether the caller has a permission. The zero Caller has none.
func (c Caller) May(permission Permission) bool { return slices.Contains(c.Permissions, permission) }

// Require refuses a caller without a permission. It is for operations that need an additional permission only for some uses.
// Where requests need no sign-in, it refuses nothing.
func (c Caller) Require(permission Permission) error {
	if c.Known() && !c.May(permission) {
		return refusal.Refuse(refusal.NotPermitted, permission)
	}
	return nil
}

// RequireConfirmed refuses a caller who has not just entered a secret. It protects operations whose effect lasts beyond the
// session, in case another person uses a machine that the user left signed in.
func (c Caller) RequireConfirmed() error {
	if c.Known() && !c.Confirmed {
		return refusal.Refuse(refusal.ConfirmFirst)
	}
	return nil
}

type callerKey struct{}

// WithCaller returns a context with a caller.
func WithCaller(ctx context.Context, caller Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// CallerOf returns the caller of a context, or the zero Caller if it has none.
func CallerOf(ctx context.Context) Caller {
	caller, _ := ctx.Value(callerKey{}).(Caller)
	return caller
}

// anonymous is the acting user of operations that do not require one.
const anonymous = "anonymous"

// requiredUser validates userId for operations that require an acting user.
func requiredUser(caller Caller, in input.TextInput) (string, error) {
	return actingUser(caller, "userId", in, refusal.Required)
}

// RequireNamed refuses a request without an acting user. Clients call it where they require a name and the interface would record
// an anonymous user.
func RequireNamed(caller Caller, userID input.TextInput) error {
	_, err := requiredUser(caller, userID)
	return err
}

// userOrAnonymous validates userId for operations that do not require an acting user.
func userOrAnonymous(caller Caller, in input.TextInput) (string, error) {
	return actingOrAnonymous(caller, "userId", in)
}

// ChangedBy returns the acting user of operations without userId: changedBy if given, otherwise the caller's login, otherwise
// anonymous. A known caller may give another user only with ActFor.
func ChangedBy(caller Caller, in input.TextInput) (string, error) {
	return actingOrAnonymous(caller, "changedBy", in)
}

// actingUser validates a field with the acting user. A known caller acts under the own login, and under another login only with ActFor. For
// other callers the name is taken as given; if it is missing or blank, the refusal has the reason absent.
func actingUser(caller Caller, field string, in input.TextInput, absent *refusal.Reason) (string, error) {
	if !caller.Known() {
		return input.RequiredWithin(field, in, input.NameLimit, absent)
	}
	user, err := input.OptionalWithin(field, in, input.NameLimit)
	switch {
	case err != nil:
		return "", err
	case user == "":
		return caller.Login, nil
	case user != caller.Login && !caller.May(ActFor):
		return "", refusal.RefuseField(refusal.ActsForOther, field, caller.Login)
	case user != caller.Login && caller.Logins != nil && !caller.Logins[user]:
		return "", refusal.RefuseField(refusal.NobodysLogin, field, user)
	}
	return user, nil
}

func actingOrAnonymous(caller Caller, field string, in input.TextInput) (string, error) {
	if caller.Known() {
		return actingUser(caller, field, in, refusal.Required)
	}
	user, err := input.OptionalWithin(field, in, input.NameLimit)
	if user == "" {
		user = anonymous
	}
	return user, err
}

// attributing is a store that adds the caller's Means to every audit entry, and the caller's login if the entry is in another
// user's name. It returns an error for such an entry if the caller lacks ActFor.
type attributing struct{ Store }

func (s attributing) Update(ctx context.Context, change func(Tx) error, options ...UpdateOption) error {
	caller := CallerOf(ctx)
	if !caller.Known() {
		return s.Store.Update(ctx, change, options...)
	}
	return s.Store.Update(ctx, func(tx Tx) error { return change(attributingTx{tx, caller}) }, options...)
}

func (s attributing) ChangeCard(ctx context.Context, serialID string, change func(card.Card) (card.Change, error)) error {
	caller := CallerOf(ctx)
	if !caller.Known() {
		return s.Store.ChangeCard(ctx, serialID, change)
	}
	return s.Store.ChangeCard(ctx, serialID, func(card card.Card) (card.Change, error) {
		changed, err := change(card)
		if err == nil {
			err = attribute(caller, changed.Audit)
		}
		return changed, err
	})
}

type attributingTx struct {
	Tx
	caller Caller
}

func (tx attributingTx) AppendAudit(entries ...trail.Entry) error {
	if err := attribute(tx.caller, entries); err != nil {
		return err
	}
	return tx.Tx.AppendAudit(entries...)
}

func (tx attributingTx) ChangeCards(changes []card.Change) error {
	for i := range changes {
		if err := attribute(tx.caller, changes[i].Audit); err != nil {
			return err
		}
	}
	return tx.Tx.ChangeCards(changes)
}

func attribute(caller Caller, entries []trail.Entry) error {
	for i := range entries {
		entries[i].Means = caller.Means
		if entries[i].UserID == caller.Login {
			continue
		}
		if !caller.May(ActFor) {
			return fmt.Errorf("%s is about to be recorded in the name of %q by %q", entries[i].Action, entries[i].UserID, caller.Login)
		}
		entries[i].Actor = caller.Login
	}
	return nil
}
