package views

import (
	"context"

	"github.com/routecard/routecard/shop"
)

// Reader is one transaction of a Store: what the operations read, and what only views need, each declared in the
// file of its view.
type Reader interface {
	shop.Reader
	FloorReader
	BoardReader
	ChartReader
	WorkReader
	HeldReader
	QualityReader
	Finder
	JobReader
	Searcher
	NumberFinder
	UnitCounter
	AttentionReader
	TrailReader
	Lister
	UnitLister
}

// Store is all that views need of a database.
type Store interface {
	// Look runs read on one consistent snapshot, taken when it first reads, as Store.View does. The Reader refuses to
	// write, and must not be used after read returns.
	Look(ctx context.Context, read func(Reader) error, options ...shop.ViewOption) error
}

// Views answers what pages and lists show. It changes nothing. It is safe for concurrent use.
type Views struct {
	store   Store
	shop    *shop.Service
	longest longest
}

// New makes the views of a shop on the store that the shop has.
func New(store Store, shop *shop.Service) *Views {
	return &Views{store: store, shop: shop}
}
