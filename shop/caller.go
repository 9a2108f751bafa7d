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

// Permission is a kind of thing that somebody may do. Routes and pages name an Operation, and the noun of the operation
// declares which permission it needs.
type Permission string

// The permissions.
const (
	Read   Permission = "read"
	Work   Permission = "work"    // move units, attach certificates and files, take notes, calibrate
	Decide Permission = "decide"  // scrap, force-complete, waive, override, release, rework, dispose, close reports
	Plan   Permission = "plan"    // jobs, routes, new serials, certificates, bills, templates, library, instruments, tracker, stations
	Admin  Permission = "admin"   // users, tokens, revoking stations, settings, backups
	ActFor Permission = "act-for" // name somebody else as the acting user
)

// What a route can need beside the permissions that people have.
const (
	Anyone   Permission = "anyone"    // no identity at all
	Arrived  Permission = "arrived"   // an identity, also one that has to replace a secret before anything else
	SignedIn Permission = "signed-in" // an identity, whatever it may do
	Entering Permission = "entering"  // an identity, also one that has yet to give or to set up its second factor
)

// Permissions returns every permission.
func Permissions() []Permission { return []Permission{Read, Work, Decide, Plan, Admin, ActFor} }

// Caller is who a request comes from, once that is proved. The zero Caller is nobody in particular: where nobody has
// to prove who they are, names in requests are taken as given.
type Caller struct {
	Login       string
	Permissions []Permission
	// Means is what the caller proved to be somebody with: session, token:{id}, or station:{id} for a session at a station.
	// Every audit entry that the caller makes has it.
	Means string
	// Confirmed says that the caller has given a secret within the last minutes, and was not merely found signed in.
	Confirmed bool
	// Logins are those of active users, whom the caller may name when they may act for others. Nil for every name.
	Logins map[string]bool
}

// Known reports whether the caller proved to be somebody.
func (c Caller) Known() bool { return c.Login != "" }

// May reports whether the caller has a permission. The zero Caller has none.
func (c Caller) May(permission Permission) bool { return slices.Contains(c.Permissions, permission) }

// Require refuses a caller without a permission. It is for operations of which only some uses need another permission
// than the operation of their route needs. Where nobody has to prove who they are, everybody may.
func (c Caller) Require(permission Permission) error {
	if c.Known() && !c.May(permission) {
		return refusal.Refuse(refusal.NotPermitted, permission)
	}
	return nil
}

// RequireConfirmed refuses a caller who has not given a secret just now. It is for what outlives the visit of somebody who
// sits down at a machine that another person left.
func (c Caller) RequireConfirmed() error {
	if c.Known() && !c.Confirmed {
		return refusal.Refuse(refusal.ConfirmFirst)
	}
	return nil
}

type callerKey struct{}

// WithCaller returns a context whose operations are carried out by a caller.
func WithCaller(ctx context.Context, caller Caller) context.Context {
	return context.WithValue(ctx, callerKey{}, caller)
}

// CallerOf returns the caller of a context, the zero Caller when there is none.
func CallerOf(ctx context.Context) Caller {
	caller, _ := ctx.Value(callerKey{}).(Caller)
	return caller
}

// anonymous is the acting user of the operations that do not insist on one.
const anonymous = "anonymous"

// requiredUser judges userId where it says who acts.
func requiredUser(caller Caller, in input.TextInput) (string, error) {
	return actingUser(caller, "userId", in, refusal.Required)
}

// RequireNamed refuses an action of nobody in particular, for faces that want a name also where the interface would record
// an anonymous one.
func RequireNamed(caller Caller, userID input.TextInput) error {
	_, err := requiredUser(caller, userID)
	return err
}

// userOrAnonymous judges userId where it may be left out.
func userOrAnonymous(caller Caller, in input.TextInput) (string, error) {
	return actingOrAnonymous(caller, "userId", in)
}

// ChangedBy returns the acting user of the operations whose contract names none: changedBy, or else the caller's login;
// without both the user is anonymous. A caller who is known names somebody else only with ActFor.
func ChangedBy(caller Caller, in input.TextInput) (string, error) {
	return actingOrAnonymous(caller, "changedBy", in)
}

// actingUser judges a field that says who acts. A caller who is known acts under their own name, and under another one
// only with ActFor. Otherwise the name is taken as given, and a missing or blank one is refused for the reason absent.
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

// attributing is a store that writes into every audit entry by what means the caller came in, and the caller's login when the
// entry is in another name than the caller's. It refuses such an entry when the caller may not act for others.
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
