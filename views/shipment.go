package views

import (
	"context"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

// ShippedUnit is a unit on a shipment, with the fields of the shipment.
type ShippedUnit struct {
	ID             string              `json:"id"` // of the shipment
	Kind           card.ShipmentKind   `json:"kind"`
	Supplier       string              `json:"supplier,omitempty"`
	Customer       string              `json:"customer,omitempty"`
	OrderNumber    string              `json:"orderNumber,omitempty"`
	SentOn         string              `json:"sentOn"`
	ExpectedBack   string              `json:"expectedBack,omitempty"`
	ExternalID     string              `json:"externalId,omitempty"` // of the shipment
	ShipmentStatus shop.ShipmentStatus `json:"shipmentStatus"`
	shop.ListedLine
	CreatedBy string          `json:"createdBy"`
	CreatedAt ident.Timestamp `json:"createdAt"`
	UpdatedAt ident.Timestamp `json:"updatedAt"`
}

// exportShipments yields the units of the shipments that a search finds: the newest shipment first, its units by number.
func (v *Views) exportShipments(ctx context.Context, query shop.ShipmentQuery) iter.Seq2[ShippedUnit, error] {
	return shop.Stream(ctx, v.store.Look, func(tx Reader) iter.Seq2[ShippedUnit, error] {
		return func(yield func(ShippedUnit, error) bool) {
			if err := eachShipment(tx, query, v.shop.Today(), func(s *shop.Shipment) (bool, error) {
				row := ShippedUnit{
					ID: s.ID, Kind: s.Kind, Supplier: s.Supplier, Customer: s.Customer, OrderNumber: s.OrderNumber, SentOn: s.SentOn,
					ExpectedBack: s.ExpectedBack, ExternalID: s.ExternalID, ShipmentStatus: s.Status,
					CreatedBy: s.CreatedBy, CreatedAt: s.CreatedAt, UpdatedAt: s.UpdatedAt,
				}
				for line, err := range tx.LinesOfShipment(s.ID) {
					if row.ListedLine = line; err != nil || !yield(row, nil) {
						return false, err
					}
				}
				return true, nil
			}); err != nil {
				yield(ShippedUnit{}, err)
			}
		}
	})
}

// eachShipment passes the shipments that a search finds to a function, newest first, until it returns false or an error.
func eachShipment(tx Reader, query shop.ShipmentQuery, today string, pass func(*shop.Shipment) (bool, error)) error {
	if err := query.Check(); err != nil {
		return err
	}
	for query.Before, query.Limit = "", ListPageLimit; ; {
		found, err := tx.Shipments(query)
		if err != nil {
			return err
		}
		for i := range found {
			one := found[i].At(today)
			if query.Before = one.ID; !query.Finds(one) {
				continue
			}
			if goOn, err := pass(&one); err != nil || !goOn {
				return err
			}
		}
		if len(found) < query.Limit {
			return nil
		}
	}
}
