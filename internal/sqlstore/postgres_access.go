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
func (s *Postgres) ViewAccess(ctx context.Context, read func(access.Reader) error) error {
	return s.read(ctx, func(t *lists.Reader) error { return read(t) })
}

// UpdateAccess is Update for package access.
func (s *Postgres) UpdateAccess(ctx context.Context, change func(access.Tx) error, options ...shop.UpdateOption) error {
	return s.write(ctx, func(tx statement.Update) error { return change(tx) }, options...)
}

// TokenByHash needs one read.
func (s *Postgres) TokenByHash(ctx context.Context, hash string) (access.Token, shop.User, error) {
	return identityOf(ctx, s, hash, account.TokenByHash)
}

// SessionByHash needs one read.
func (s *Postgres) SessionByHash(ctx context.Context, hash string) (access.Session, shop.User, error) {
	return identityOf(ctx, s, hash, account.SessionByHash)
}

// ActiveLogins needs one read.
func (s *Postgres) ActiveLogins(ctx context.Context) (map[string]bool, error) {
	return loginsOf(ctx, s)
}
