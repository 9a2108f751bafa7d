package views

import (
	"context"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

// Reader is one transaction of a Store: it reads the data of the operations, and the data that only views use, which the file of each view
// declares.
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
	ComponentReader
	UnitCounter
	AttentionReader
	TrailReader
	Lister
	UnitLister
}

// Store is the database access of views.
type Store interface {
	// Look runs read on one consistent snapshot, taken when it first reads, as Store.View does. The Reader refuses to write, and must not
	// be used after read returns.
	Look(ctx context.Context, read func(Reader) error, options ...shop.ViewOption) error
}

// Views reads the data of pages and lists. It changes nothing. It is safe for concurrent use.
type Views struct {
	store   Store
	shop    *shop.Service
	longest longest
}

// New returns the views of a shop on the shop's store.
func New(store Store, shop *shop.Service) *Views {
	return &Views{store: store, shop: shop}
}

// SerialPrefix returns the prefix of the serials of the shop's database.
func (v *Views) SerialPrefix() ident.Prefix { return v.shop.SerialPrefix() }
