package sqlstore

import (
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

// Store is what both engines implement: what operations need of a database, and what views need.
type Store interface {
	shop.Store
	views.Store
}
