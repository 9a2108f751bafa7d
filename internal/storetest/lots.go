package storetest

import (
	"errors"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/views"
)

// Lots returns the cases for lots, their holds and their certificates.
func (suite) Lots() []promise {
	return []promise{
		{"every field of a lot is kept and changed", func(s *testedStore) {
			lot := aLot(1)
			lot.LotFields = shop.LotFields{
				LotNumber: strange, Material: long(), Category: shop.COTS, PartNumber: "P", PartRevision: "R", SupplierLot: "SL", HeatNumber: "H",
				Supplier: strange, Manufacturer: "M", OrderNumber: "O", Specification: "S", Code: "C", CustomerApproval: shop.Approved, Owner: "W",
				ReceivedOn: "2026-01-31", CertificateRequired: true,
			}
			lot.LotBalance = shop.LotBalance{Quantity: "12.500", Unit: "kg", Remaining: "0.10", ExpiresOn: "2027-01-31"}
			s.update(func(tx shop.Tx) error { return errors.Join(tx.InsertLot(lot), tx.InsertLot(aLot(2))) })
			s.same(lotOf(s, lot.ID), lot)
			changed := aLot(3)
			changed.ID, changed.UpdatedAt = lot.ID, farOff
			s.update(func(tx shop.Tx) error { return tx.UpdateLot(changed) })
			s.same(lotOf(s, lot.ID), changed)
			_, err := tryLook(s, func(tx views.Reader) (shop.Lot, error) { return tx.Lot("lot_x") })
			s.refused(err, shop.ErrNoRecord)
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.UpdateLot(aLot(4)) }), nil)
		}},
		{"a number is unique with the part and the supplier among lots that are not voided", func(s *testedStore) {
			first := aLot(1)
			s.update(func(tx shop.Tx) error { return tx.InsertLot(first) })
			second := aLot(2)
			second.LotNumber = first.LotNumber
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.InsertLot(second) }), shop.ErrDuplicate)
			other := second
			other.Supplier = "elsewhere"
			part := aLot(3)
			part.LotNumber, part.PartNumber = first.LotNumber, "P-1"
			s.update(func(tx shop.Tx) error { return errors.Join(tx.InsertLot(other), tx.InsertLot(part)) })
			found := func(part, supplier string) (shop.Lot, error) {
				return tryLook(s, func(tx views.Reader) (shop.Lot, error) { return tx.LotNamed(first.LotNumber, part, supplier) })
			}
			for _, of := range []shop.Lot{first, other, part} {
				one, err := found(of.Part(), of.Supplier)
				s.same(one, of)
				s.same(err, nil)
			}
			_, err := found("P-1", "elsewhere")
			s.refused(err, shop.ErrNoRecord)
			first.Voiding, first.UpdatedAt = card.Voiding{VoidedAt: farOff, VoidedBy: strange, VoidReason: long()}, farOff
			s.update(func(tx shop.Tx) error { return tx.VoidLot(first.ID, first.Voiding) })
			s.same(lotOf(s, first.ID), first)
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.VoidLot(first.ID, first.Voiding) }), nil)
			second.ID = numbered("lot", 9)
			s.update(func(tx shop.Tx) error { return tx.InsertLot(second) })
			one, _ := found(second.Part(), second.Supplier)
			s.same(one, second)
		}},
		{"holds and certificates of a lot count for the lots that were split from it, at any depth", func(s *testedStore) {
			parent, child, grandchild := aLot(1), aLot(2), aLot(3)
			child.ParentID, grandchild.ParentID = parent.ID, child.ID
			certificate := aCertificate(1)
			hold := shop.LotHold{ID: "lhold_1", LotID: parent.ID, Reason: strange, NonconformanceID: "NCR-00001", PlacedBy: strange, PlacedAt: longAgo}
			own := shop.LotHold{ID: "lhold_2", LotID: grandchild.ID, Reason: long(), PlacedBy: "b", PlacedAt: farOff}
			attached := shop.LotCertificate{ID: "lcert_1", LotID: parent.ID, CertID: certificate.ID, AttachedBy: strange, AttachedAt: longAgo}
			again := shop.LotCertificate{ID: "lcert_2", LotID: child.ID, CertID: certificate.ID, AttachedBy: "b", AttachedAt: farOff}
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertLot(parent), tx.InsertLot(child), tx.InsertLot(grandchild), tx.InsertLot(aLot(4)),
					tx.InsertCertificate(certificate), tx.InsertLotHold(hold), tx.InsertLotHold(own),
					tx.InsertLotCertificate(attached), tx.InsertLotCertificate(again))
			})
			for _, lot := range []*shop.Lot{&parent, &child, &grandchild} {
				lot.Held, lot.HoldReason, lot.CertIDs = true, strange, []string{certificate.ID}
				s.same(lotOf(s, lot.ID), *lot)
			}
			s.same(lotOf(s, numbered("lot", 4)), aLot(4))
			s.same(look(s, func(tx views.Reader) ([]shop.LotHold, error) { return tx.LotHolds(grandchild.ID) }), []shop.LotHold{hold, own})
			s.same(look(s, func(tx views.Reader) ([]shop.LotHold, error) { return tx.LotHolds(child.ID) }), []shop.LotHold{hold})
			s.same(look(s, func(tx views.Reader) ([]shop.LotCertificate, error) { return tx.LotCertificates(grandchild.ID) }),
				[]shop.LotCertificate{attached, again})
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.LotHold, error] { return tx.EveryLotHold() }), []shop.LotHold{hold, own})
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.LotCertificate, error] { return tx.EveryLotCertificate() }),
				[]shop.LotCertificate{attached, again})
			held := func() (ids []string) {
				for _, lot := range look(s, func(tx views.Reader) ([]shop.Lot, error) { return tx.Lots(shop.LotQuery{Held: true, Limit: 9}) }) {
					ids = append(ids, lot.ID)
				}
				return ids
			}
			s.same(held(), []string{grandchild.ID, child.ID, parent.ID})
			hold.ReleasedBy, hold.ReleasedAt, hold.ReleaseReason = strange, farOff, long()
			s.update(func(tx shop.Tx) error { return tx.ReleaseLotHold(hold) })
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.ReleaseLotHold(hold) }), nil)
			s.same(held(), []string{grandchild.ID})
			s.same(lotOf(s, grandchild.ID).HoldReason, long())
			s.same(lotOf(s, parent.ID).Held, false)
			s.same(look(s, func(tx views.Reader) ([]shop.LotHold, error) { return tx.LotHolds(child.ID) }), []shop.LotHold{hold})
			used := func(id string) bool { return look(s, func(tx views.Reader) (bool, error) { return tx.LotUsed(id) }) }
			s.same([]bool{used(parent.ID), used(child.ID), used(grandchild.ID)}, []bool{true, true, false})
		}},
		{"lots are found newest first by each condition, behind any of them", func(s *testedStore) {
			s.each(many, func(tx shop.Tx, i int) error { return tx.InsertLot(aLot(i)) })
			one := aLot(many + 1)
			one.PartNumber, one.HeatNumber, one.Supplier, one.SupplierLot = "P-1", "Heat 88213", "Mill & Co", "50%_off"
			one.Code = "Code 7"
			s.update(func(tx shop.Tx) error { return tx.InsertLot(one) })
			all := list(s, func(tx views.Reader) iter.Seq2[shop.Lot, error] { return tx.EveryLot() })
			s.same([]any{len(all), all[0], all[many]}, []any{many + 1, aLot(1), one})
			found := func(query shop.LotQuery) []shop.Lot {
				query.Limit = 2
				return look(s, func(tx views.Reader) ([]shop.Lot, error) { return tx.Lots(query) })
			}
			s.same(found(shop.LotQuery{}), []shop.Lot{one, aLot(many)})
			s.same(found(shop.LotQuery{Before: aLot(3).ID}), []shop.Lot{aLot(2), aLot(1)})
			for _, query := range []shop.LotQuery{
				{PartNumber: "P-1"}, {HeatNumber: "heat 88213"}, {Supplier: "Mill & Co"}, {Text: "p-1"}, {Text: "88213"}, {Text: "L & c"},
				{Text: "50%_"}, {Text: one.LotNumber}, {Text: "ode 7"},
			} {
				s.same(found(query), []shop.Lot{one})
			}
			numbered := func(number string) []shop.Lot {
				return look(s, func(tx views.Reader) ([]shop.Lot, error) { return tx.LotsNumbered(number) })
			}
			s.same(numbered("l"+one.LotNumber[1:]), []shop.Lot{one})
			s.same(numbered("x"), []shop.Lot{})
			coded := func(code string) []shop.Lot {
				return look(s, func(tx views.Reader) ([]shop.Lot, error) { return tx.LotsCoded(code) })
			}
			s.same(coded("cODE 7"), []shop.Lot{one})
			s.same(coded("Code"), []shop.Lot{})
			s.same(coded(""), []shop.Lot{})
			s.same(found(shop.LotQuery{Text: "50_"}), []shop.Lot{})
			s.same(found(shop.LotQuery{Supplier: "Mill"}), []shop.Lot{})
		}},
		{"numbers of lots follow each other", func(s *testedStore) {
			for want := range int64(3) {
				var number int64
				s.update(func(tx shop.Tx) (err error) {
					number, err = tx.TakeLotNumber()
					return err
				})
				s.same(number, want+1)
			}
		}},
	}
}

func aLot(n int) shop.Lot {
	return shop.Lot{
		ID: numbered("lot", n), LotFields: shop.LotFields{
			LotNumber: numbered("L", n), Material: "steel", Category: shop.RawMaterial, CustomerApproval: shop.NotApplicable,
		},
		CreatedBy: "a", CreatedAt: 1, UpdatedAt: 2,
	}
}

func lotOf(s *testedStore, id string) shop.Lot {
	return look(s, func(tx views.Reader) (shop.Lot, error) { return tx.Lot(id) })
}
