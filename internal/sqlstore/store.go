package sqlstore

import (
	"context"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

// Store is the database access that both engines implement, for operations and for views.
type Store interface {
	shop.Store
	views.Store
	Sizes(ctx context.Context) (database, log int64, err error)
}
