package sqlstore

import (
	"context"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/sqlstore/account"
	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/lists"
	"github.com/routecard/routecard/shop"
)

var (
	_ access.Store = (*SQLite)(nil)
	_ access.Store = (*Postgres)(nil)
)

type reader interface {
	read(ctx context.Context, read func(*lists.Reader) error, options ...shop.ViewOption) error
}

// identityOf reads a token or a session without a transaction.
func identityOf[T any](ctx context.Context, store reader, hash string, find func(db.Querier, string) (T, shop.User, error)) (
	what T, user shop.User, err error,
) {
	err = store.read(ctx, func(t *lists.Reader) (err error) {
		what, user, err = find(t, hash)
		return err
	}, shop.Browse)
	return what, user, err
}

// loginsOf reads the logins of active users without a transaction.
func loginsOf(ctx context.Context, store reader) (logins map[string]bool, err error) {
	err = store.read(ctx, func(t *lists.Reader) (err error) {
		logins, err = account.ActiveLogins(t)
		return err
	}, shop.Browse)
	return logins, err
}
