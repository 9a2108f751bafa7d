package sqlstore

import (
	"context"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/account"
	"github.com/routecard/routecard/internal/sqlstore/lists"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
)

// ViewAccess is View for package access.
func (s *SQLite) ViewAccess(ctx context.Context, read func(access.Reader) error) error {
	return s.read(ctx, func(t *lists.Reader) error { return read(t) })
}

// UpdateAccess is Update for package access.
func (s *SQLite) UpdateAccess(ctx context.Context, change func(access.Tx) error, options ...shop.UpdateOption) error {
	return s.write(ctx, func(tx statement.Update) error { return change(tx) }, options...)
}

// TokenByHash needs one read, or none if the token is cached.
func (s *SQLite) TokenByHash(ctx context.Context, hash string) (access.Token, shop.User, error) {
	return keptIdentity(ctx, s, s.identities.tokens, hash, account.TokenByHash)
}

// SessionByHash needs one read, or none if the session is cached.
func (s *SQLite) SessionByHash(ctx context.Context, hash string) (access.Session, shop.User, error) {
	return keptIdentity(ctx, s, s.identities.sessions, hash, account.SessionByHash)
}

// ActiveLogins needs one read, or none if the logins are cached.
func (s *SQLite) ActiveLogins(ctx context.Context) (map[string]bool, error) {
	return keptLogins(ctx, s)
}
