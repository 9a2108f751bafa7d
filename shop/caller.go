package shop

import (
	"context"
	"fmt"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

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
