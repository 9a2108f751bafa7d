package access

import (
	"cmp"
	"context"
	"errors"
	"log/slog"
	"net/http"

	"github.com/routecard/routecard/internal/remote"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// The security log records who signed in, by what means and from where, who was turned away, and changes of accounts. It contains only
// logins that exist, because people sometimes type a password into the field of the login.

// attempted logs an attempt to sign in.
func (s *Service) attempted(ctx context.Context, from Visitor, user shop.User, means string, err error, more ...slog.Attr) {
	s.secure(ctx, "sign_in", user.Login, means, from.Address,
		append(more, slog.String("outcome", outcome(err)), slog.String("station", from.Station.Name))...)
}

// unproved logs that a user in a session gave a wrong secret: to confirm their identity, to sign, or to change a secret.
func (s *Service) unproved(ctx context.Context, from Visitor, user shop.User, means SecretKind, err error) {
	if _, refused := errors.AsType[*RefusalError](err); refused {
		s.secure(ctx, "proof", user.Login, string(means), from.Address, slog.String("outcome", outcome(err)))
	}
}

// turnedAway logs a request with an identity that was refused at the door.
func (s *Service) turnedAway(r *http.Request, identity *Identity, err error) {
	login, means := "", "token"
	if identity != nil {
		login, means = identity.User.Login, identity.method()
	}
	s.secure(r.Context(), "refused", login, means, remote.Of(r).Address,
		slog.String("outcome", outcome(err)), slog.String("method", r.Method), slog.String("path", r.URL.Path))
}

// TurnedAway logs a request that an operation refused because of its caller, after the door let it through. A request for a secret or a
// signature is not logged as a refusal: the caller sends the request again with it.
func (s *Service) TurnedAway(r *http.Request, err error) {
	refused, ok := errors.AsType[*refusal.Error](err)
	if s == nil || !ok || refused.Kind != refusal.Forbidden || refused.Reason == refusal.ConfirmFirst {
		return
	}
	if _, unsigned := errors.AsType[*shop.SignatureError](err); unsigned {
		return
	}
	if identity := IdentityOf(r.Context()); identity != nil {
		s.turnedAway(r, identity, err)
	}
}

// committed logs the audit entries about accounts.
func (s *Service) committed(ctx context.Context, entry trail.Entry) {
	login, means := entry.UserID, ""
	if identity := IdentityOf(ctx); identity != nil {
		login, means = identity.User.Login, identity.method()
	}
	s.secure(ctx, string(entry.Action), login, means, remote.From(ctx).Address, slog.String("outcome", "done"),
		slog.Any("about", entry.Metadata))
}

func (s *Service) secure(ctx context.Context, event, login, means, address string, more ...slog.Attr) {
	line := []slog.Attr{slog.String("login", login), slog.String("means", means), slog.String("address", address)}
	s.options.Security.LogAttrs(ctx, slog.LevelInfo, event, append(line, more...)...) //nolint:sloglint // one of a few events
}

// method returns the method of authentication: password, pin, oidc, passkey or token.
func (i *Identity) method() string {
	if i.TokenID != "" {
		return "token"
	}
	return i.Session.Method
}

// outcome returns the code of a refusal; "right" if there is none.
func outcome(err error) string {
	if err == nil {
		return "right"
	}
	if refusal, ok := errors.AsType[*refusal.Error](err); ok {
		return cmp.Or(refusal.Reason.Code(), "refused")
	}
	return "failed"
}

// tellingStore writes each entry that a transaction about access adds to the trail to the security log, once it is committed.
type tellingStore struct {
	Store

	committed func(context.Context, trail.Entry)
}

func (t tellingStore) UpdateAccess(ctx context.Context, change func(Tx) error, options ...shop.UpdateOption) error {
	var told []trail.Entry
	err := t.Store.UpdateAccess(ctx, func(tx Tx) error {
		told = nil
		return change(tellingTx{tx, &told})
	}, options...)
	if err == nil {
		for _, entry := range told {
			t.committed(ctx, entry)
		}
	}
	return err
}

type tellingTx struct {
	Tx

	told *[]trail.Entry
}

func (t tellingTx) AppendAudit(entries ...trail.Entry) error {
	*t.told = append(*t.told, entries...)
	return t.Tx.AppendAudit(entries...)
}
