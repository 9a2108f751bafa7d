package sqlstore

import (
	"context"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

// Store is what both engines implement: what operations need of a database, and what views need.
type Store interface {
	shop.Store
	views.Store
	Sizes(ctx context.Context) (database, log int64, err error)
}
