package views

import (
	"context"
	"fmt"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/genealogy"
)

// AsBuilt returns what a unit contains, or contained at a time.
func (v *Views) AsBuilt(ctx context.Context, serialID string, query genealogy.TimeQuery) (genealogy.AsBuilt, error) {
	built := genealogy.AsBuilt{SerialID: serialID, At: query.At}
	err := v.store.Look(ctx, func(tx Reader) error {
		if _, err := tx.RouteCard(serialID); err != nil {
			return shop.OrNotFound(err, shop.NameSerial, serialID)
		}
		rows, err := tx.PartsWithin(serialID, query.At)
		built.Components = append([]genealogy.Part{}, genealogy.Tree(serialID, rows)...)
		return err
	})
	return built, err
}

// UseQuery selects a page of the units that contain something, or contained it at a time.
type UseQuery struct {
	genealogy.TimeQuery
	ListQuery
}

// UsesOfUnit returns the units that contain a unit at any depth, by number.
func (v *Views) UsesOfUnit(ctx context.Context, serialID string, query genealogy.TimeQuery) ([]genealogy.Use, error) {
	return v.uses(ctx, serialID, func(tx Reader) ([]genealogy.Link, error) {
		if _, err := tx.RouteCard(serialID); err != nil {
			return nil, shop.OrNotFound(err, shop.NameSerial, serialID)
		}
		return tx.LinksFrom(serialID, "", query.At)
	})
}

// UsesOfLot returns the lots that were split from a lot, and the units that contain any of them at any depth: lots by number, then units by
// number.
func (v *Views) UsesOfLot(ctx context.Context, lotID string, query genealogy.TimeQuery) ([]genealogy.Use, error) {
	return v.uses(ctx, lotID, func(tx Reader) ([]genealogy.Link, error) {
		if _, err := tx.Lot(lotID); err != nil {
			return nil, shop.OrNotFound(err, shop.NameLot, lotID)
		}
		return tx.LinksFrom("", lotID, query.At)
	})
}

func (v *Views) uses(ctx context.Context, id string, read func(Reader) ([]genealogy.Link, error)) (uses []genealogy.Use, err error) {
	err = v.store.Look(ctx, func(tx Reader) error {
		links, err := read(tx)
		if err != nil {
			return err
		}
		uses = genealogy.Uses(id, links)
		states := make([]*genealogy.State, len(uses))
		for i := range uses {
			states[i] = &uses[i].State
		}
		return shop.CompleteStates(ctx, tx, states)
	})
	genealogy.SortStates(uses, func(u *genealogy.Use) *genealogy.State { return &u.State })
	return uses, err
}

// Recall returns what the cause of a query affects.
func (v *Views) Recall(ctx context.Context, query genealogy.Query) (recall genealogy.Recall, err error) {
	if err := query.Check(); err != nil {
		return recall, err
	}
	err = v.store.Look(ctx, func(tx Reader) error {
		recall, err = shop.RecallOf(ctx, tx, query)
		return err
	})
	return recall, err
}

// exportRecall yields what the cause of a query affects.
func (v *Views) exportRecall(ctx context.Context, query genealogy.Query) iter.Seq2[genealogy.Item, error] {
	return func(yield func(genealogy.Item, error) bool) {
		recall, err := v.Recall(ctx, query)
		if err != nil {
			yield(genealogy.Item{}, err)
			return
		}
		for _, item := range recall.Items {
			if !yield(item, nil) {
				return
			}
		}
	}
}

// listOfUses returns the list of what contains a unit or a lot.
func listOfUses(
	name ListName, ofUnit bool, read func(*Views, context.Context, string, genealogy.TimeQuery) ([]genealogy.Use, error),
) List {
	cut := WholeList[genealogy.Use]{Name: name, Place: func(_ genealogy.Use, at int) string { return fmt.Sprintf("%09d", at) }}
	return List{
		Name: name, Owned: true, OfUnit: ofUnit, Undated: true,
		Whole: shortOf(func(v *Views, ctx context.Context, of string) ([]genealogy.Use, error) {
			return read(v, ctx, of, genealogy.TimeQuery{})
		}),
		Pages: pagesOf(UseQuery{ListQuery: ListQuery{Limit: ListPageLimit}},
			func(ctx context.Context, v *Views, _ *List, of string, query UseQuery) (page ListPage, err error) {
				rows, err := read(v, ctx, of, query.TimeQuery)
				if err != nil {
					return page, err
				}
				return cut.Page(rows, fmt.Sprintf("%s %d", of, query.At), query.ListQuery)
			}),
	}
}
