package demo

import (
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// goods is the material of an order that the demo records as a lot.
type goods struct {
	heat, material, supplierLot, orderNumber string
	category                                 shop.LotCategory
	quantity                                 input.Written
	unit                                     shop.LotUnit
	each                                     input.Written // the amount in each unit of the order, "" for none
}

// received are the goods that the demo records as lots: bars and castings.
func received() []goods {
	return []goods{
		{"H48213", "316L bar 90 mm", "NS-55012", "PO-20881", shop.RawMaterial, "36.5", "m", "0.105"},
		{"G7719", "Castings EN-GJS-400", "GB-7719-2", "PO-20894", shop.LotDetail, "120", shop.Pieces, ""},
	}
}

// material is the material of the units of an order.
type material struct {
	certificateID string // "" for none
	lotID         string // "" for none
	each          input.Written
}

// receiveLot records the material of an order as a lot with its certificate, if it is one of the goods.
func (s *simulation) receiveLot(ctx context.Context, o order, of *material) error {
	all := received()
	at := slices.IndexFunc(all, func(g goods) bool { return g.heat == o.heat })
	if at < 0 {
		return nil
	}
	g := all[at]
	made, err := s.service.CreateLot(ctx, shop.CreateLotInput{
		LotFieldsInput: shop.LotFieldsInput{
			Material: input.Given(g.material), Category: input.Given(string(g.category)), HeatNumber: input.Given(g.heat),
			Supplier: input.Given(o.supplier), SupplierLot: input.Given(g.supplierLot), OrderNumber: input.Given(g.orderNumber),
			CertificateRequired: input.Given(true),
		},
		Quantity: input.Given(g.quantity), Unit: input.Given(string(g.unit)), CertIDs: input.GivenTexts(of.certificateID),
		UserID: s.who(quality),
	})
	if g.each != "" {
		of.lotID, of.each = made.ID, g.each
	}
	return err
}

// installComponents installs bearing carriers that are completed, and one casting of the lot, in two gearbox housings that are in progress.
// The casting of the second housing is removed and returned to the lot. Units for which this is refused, such as those on hold, are
// skipped.
func (s *simulation) installComponents(ctx context.Context) error {
	lots, err := s.service.Lots(ctx, shop.LotQuery{HeatNumber: received()[1].heat})
	if err != nil {
		return err
	}
	housings, err := s.unitsOf(ctx, "Gearbox housing", card.InProgress)
	if err != nil {
		return err
	}
	carriers, err := s.unitsOf(ctx, "Bearing carrier", card.Completed)
	if err != nil {
		return err
	}
	for i, housing := range housings[:min(len(housings), 2)] {
		by := s.operator(i)
		for j, place := range []string{"input side", "output side"} {
			if at := 2*i + j; at < len(carriers) {
				_, err := s.service.InstallComponent(ctx, housing, shop.InstallComponentInput{
					ComponentSerialID: input.Given(carriers[at]), Place: input.Given(place), UserID: by,
				})
				if err := unlessRefused(err); err != nil {
					return err
				}
			}
		}
		if len(lots.Items) == 0 {
			continue
		}
		made, err := s.service.InstallComponent(ctx, housing, shop.InstallComponentInput{
			LotID: input.Given(lots.Items[0].ID), Quantity: input.Given[input.Written]("1"), Place: input.Given("cover"), UserID: by,
		})
		if err == nil && i == 1 {
			_, err = s.service.RemoveComponent(ctx, housing, made.ID, shop.RemoveComponentInput{
				Reason: input.Given("The cover of this order is of aluminium"), Returned: input.Given(true), UserID: by,
			})
		}
		if err := unlessRefused(err); err != nil {
			return err
		}
	}
	return nil
}

// unitsOf returns units of jobs with a name, newest first.
func (s *simulation) unitsOf(ctx context.Context, job string, status card.SerialStatus) (ids []string, err error) {
	found, err := s.views.SearchSerials(ctx, views.SerialQuery{Text: job, Status: status, Limit: 10})
	for i := range found.Items {
		ids = append(ids, found.Items[i].ID)
	}
	return ids, err
}

// unlessRefused returns an error unless it is a refusal.
func unlessRefused(err error) error {
	if _, refused := errors.AsType[*refusal.Error](err); refused {
		return nil
	}
	return err
}
