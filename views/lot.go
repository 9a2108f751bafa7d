package views

import (
	"context"
	"iter"

	"github.com/routecard/routecard/shop"
)

// exportLots yields the lots that a search finds, newest first, also those that were voided.
func (v *Views) exportLots(ctx context.Context, query shop.LotQuery) iter.Seq2[shop.Lot, error] {
	today := v.shop.Today()
	query.Before, query.Limit = "", ListPageLimit
	return shop.Stream(ctx, v.store.Look, func(tx Reader) iter.Seq2[shop.Lot, error] {
		return func(yield func(shop.Lot, error) bool) {
			for asked := query; ; {
				found, err := tx.Lots(asked)
				if err != nil {
					yield(shop.Lot{}, err)
					return
				}
				for i := range found {
					if !yield(found[i].At(today), nil) {
						return
					}
				}
				if len(found) < asked.Limit {
					return
				}
				asked.Before = found[len(found)-1].ID
			}
		}
	})
}
