package storetest

import (
	"errors"
	"fmt"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/views"
)

// aShipment returns a shipment of one unit without receipts.
func aShipment(n int64) shop.Shipment {
	return shop.Shipment{
		ID: shop.ShipmentID(n), Kind: card.ToSupplier, Supplier: strange, OrderNumber: strange, SentOn: "2026-01-31", ExpectedBack: "2026-02-28",
		Counts: shop.ShipmentCounts{Sent: 1, Away: 1}, CreatedBy: strange, CreatedAt: longAgo, UpdatedAt: farOff,
	}
}

// aLine returns an open line of a shipment.
func aLine(n int64, unit string) card.ShipmentLine {
	return card.ShipmentLine{ShipmentID: shop.ShipmentID(n), SerialID: unit, StepID: "step_1", Pass: 1, UpdatedAt: longAgo}
}

// settled returns a line with a result of a receipt.
func settled(line card.ShipmentLine, result card.LineResult, receiptID string) card.ShipmentLine {
	line.Result, line.ReceiptID, line.UpdatedAt = result, receiptID, farOff
	if line.SettledAt = farOff; result == card.LineMissing {
		line.SettledAt, line.Reason = 0, strange
	}
	return line
}

// stockLines adds as many lines to a shipment as the lists of a store have rows.
func (s *testedStore) stockLines(number int64) {
	s.Helper()
	s.update(func(tx shop.Tx) error {
		lines := make([]card.ShipmentLine, listed)
		for i := range lines {
			lines[i] = aLine(number, tx.SerialPrefix().SerialID(int64(2+i))) // after the unit of stock(1)
		}
		return errors.Join(insertSerials(tx, numbered("path", 1), listed), tx.InsertShipmentLines(lines))
	})
}

// Shipments are the cases for shipments, their lines and receipts.
func (suite) Shipments() []promise {
	lines := func(s *testedStore, n int64, units ...string) []card.ShipmentLine {
		return look(s, func(tx views.Reader) ([]card.ShipmentLine, error) { return tx.LinesAmong(shop.ShipmentID(n), units) })
	}
	of := func(s *testedStore, n int64) shop.Shipment {
		return look(s, func(tx views.Reader) (shop.Shipment, error) { return tx.Shipment(shop.ShipmentID(n)) })
	}
	receipt := func(n int64, id string) shop.Receipt {
		return shop.Receipt{
			ID: id, ShipmentID: shop.ShipmentID(n), Received: 1, Missing: []shop.MissingUnit{{SerialID: strange, Reason: strange}},
			NonconformanceID: "NCR-00007", PackingSlip: strange, CertIDs: []string{}, ReceivedBy: strange, ReceivedAt: farOff,
		}
	}
	voiding := card.Voiding{VoidedAt: farOff, VoidedBy: strange, VoidReason: strange}
	return []promise{
		{"every field of a shipment, a line and a receipt is kept", func(s *testedStore) {
			s.stock(3)
			made, line := aShipment(1), aLine(1, "SN-00002")
			got := receipt(1, "rcpt_1")
			attached := shop.ReceiptCertificate{ID: "rcert_1", ReceiptID: got.ID, CertID: aCertificate(1).ID, AttachedBy: strange, AttachedAt: farOff}
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertCertificate(aCertificate(1)), tx.InsertShipment(made), tx.InsertShipmentLines([]card.ShipmentLine{line}))
			})
			s.same(of(s, 1), made)
			s.same(lines(s, 1, "SN-00001", "SN-00002"), []card.ShipmentLine{line})
			missing := settled(line, card.LineMissing, "rcpt_0")
			s.update(func(tx shop.Tx) error { return tx.SettleLines([]card.ShipmentLine{missing}) })
			s.same(lines(s, 1, "SN-00002"), []card.ShipmentLine{missing})
			s.same(of(s, 1).Counts, shop.ShipmentCounts{Sent: 1, Away: 1, Missing: 1})
			back := settled(line, card.LineReceived, got.ID)
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertReceipt(got), tx.SettleLines([]card.ShipmentLine{back}), tx.InsertReceiptCertificate(attached),
					tx.NoteShipmentChanged(made.ID, 7))
			})
			got.CertIDs = []string{attached.CertID}
			made.Counts, made.UpdatedAt = shop.ShipmentCounts{Sent: 1, Received: 1}, 7
			s.same(of(s, 1), made)
			s.same(look(s, func(tx views.Reader) (shop.Receipt, error) { return tx.Receipt(got.ID) }), got)
			s.same(look(s, func(tx views.Reader) ([]shop.Receipt, error) { return tx.ReceiptsOfShipments([]string{made.ID, "x"}) }),
				[]shop.Receipt{got})
			s.same(look(s, func(tx views.Reader) ([]card.ShipmentLine, error) { return tx.LinesOfReceipt(got.ID) }), []card.ShipmentLine{back})
			s.same(look(s, func(tx views.Reader) ([]shop.ReceiptCertificate, error) { return tx.ReceiptCertificates(got.ID) }),
				[]shop.ReceiptCertificate{attached})
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.Shipment, error] { return tx.AllShipments() }), []shop.Shipment{made})
			s.same(list(s, func(tx views.Reader) iter.Seq2[card.ShipmentLine, error] { return tx.AllShipmentLines() }), []card.ShipmentLine{back})
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.Receipt, error] { return tx.AllReceipts() }), []shop.Receipt{got})
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.ReceiptCertificate, error] { return tx.AllReceiptCertificates() }),
				[]shop.ReceiptCertificate{attached})
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.ListedLine, error] { return tx.LinesOfShipment(made.ID) }),
				[]shop.ListedLine{shop.ListedLineOf(back, "", card.InProgress)})
			certified := look(s, func(tx views.Reader) ([]shop.Certificate, error) { return tx.CertificatesOfSerial("SN-00002") })
			s.same([]any{len(certified), certified[0].ID, certified[0].Via}, []any{1, attached.CertID, got.ID})
			s.update(func(tx shop.Tx) error { return errors.Join(tx.ReopenLines(got.ID, 8), tx.VoidReceipt(got.ID, voiding)) })
			got.Voiding = voiding
			s.same(look(s, func(tx views.Reader) (shop.Receipt, error) { return tx.Receipt(got.ID) }), got)
			reopened := line
			reopened.UpdatedAt = 8
			s.same(lines(s, 1, "SN-00002"), []card.ShipmentLine{reopened})
			s.same(of(s, 1).Counts, shop.ShipmentCounts{Sent: 1, Away: 1})
			s.same(look(s, func(tx views.Reader) ([]shop.Certificate, error) { return tx.CertificatesOfSerial("SN-00002") }), []shop.Certificate{})
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.VoidReceipt(got.ID, voiding) }), shop.ErrNoRecord)
			_, err := tryLook(s, func(tx views.Reader) (shop.Shipment, error) { return tx.Shipment("SHP-00009") })
			s.refused(err, shop.ErrNoRecord)
		}},
		{"a unit is away once at most, and a line is settled once", func(s *testedStore) {
			s.stock(3)
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertShipment(aShipment(1)), tx.InsertShipment(aShipment(2)),
					tx.InsertShipmentLines([]card.ShipmentLine{aLine(1, "SN-00001"), aLine(1, "SN-00002")}))
			})
			again := func(tx shop.Tx) error {
				return tx.InsertShipmentLines([]card.ShipmentLine{aLine(2, "SN-00003"), aLine(2, "SN-00001")})
			}
			s.refused(s.tryUpdate(again), shop.ErrDuplicate)
			s.same(lines(s, 2, "SN-00003"), []card.ShipmentLine{})
			back := settled(aLine(1, "SN-00001"), card.LineReceived, "rcpt_1")
			settle := func(tx shop.Tx) error { return tx.SettleLines([]card.ShipmentLine{back}) }
			s.update(settle)
			s.refused(s.tryUpdate(settle), shop.ErrNoRecord)
			s.update(again)
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.ReopenLines("rcpt_1", 1) }), nil)
		}},
		{"the card of a unit has the shipment with which it is away, however the card is read", func(s *testedStore) {
			s.stock(4)
			away := card.Away{ShipmentID: shop.ShipmentID(1), Kind: card.ToSupplier, Party: strange, SentOn: "2026-01-31"}
			s.same(s.card("SN-00002").Away, card.Away{})
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertShipment(aShipment(1)), tx.InsertShipmentLines([]card.ShipmentLine{aLine(1, "SN-00002")}))
			})
			s.same(s.card("SN-00002").Away, away)
			for _, ids := range [][]string{{"SN-00002", "SN-00004"}, {"SN-00001", "SN-00002", "SN-00003", "SN-00004"}} {
				cards := look(s, func(tx views.Reader) (map[string]card.Card, error) { return tx.RouteCards(ids) })
				s.same(cards["SN-00002"].Away, away)
				s.same(cards["SN-00004"].Away, card.Away{})
			}
			s.changeCard("SN-00002", func(unit card.Card) (card.Change, error) {
				s.same(unit.Away, away)
				return card.Change{Serial: unit.Serial}, nil
			})
			s.update(func(tx shop.Tx) error {
				return tx.SettleLines([]card.ShipmentLine{settled(aLine(1, "SN-00002"), card.LineReceived, "rcpt_1")})
			})
			s.same(s.card("SN-00002").Away, card.Away{})
		}},
		{"shipments are found newest first by each condition", func(s *testedStore) {
			s.stock(3)
			customer := aShipment(2)
			customer.Kind, customer.Supplier, customer.Customer, customer.OrderNumber = card.ToCustomer, "", "Meyer & Co", "50%_off"
			customer.ExpectedBack = ""
			closed := aShipment(3)
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertShipment(aShipment(1)), tx.InsertShipment(customer), tx.InsertShipment(closed),
					tx.InsertShipmentLines([]card.ShipmentLine{aLine(1, "SN-00001"), aLine(2, "SN-00002"), aLine(3, "SN-00003")}),
					tx.SettleLines([]card.ShipmentLine{settled(aLine(3, "SN-00003"), card.LineRejected, "rcpt_1")}))
			})
			for _, test := range []struct {
				query shop.ShipmentQuery
				want  []int64
			}{
				{shop.ShipmentQuery{}, []int64{3, 2, 1}}, {shop.ShipmentQuery{Before: shop.ShipmentID(3)}, []int64{2, 1}},
				{shop.ShipmentQuery{Kind: card.ToCustomer}, []int64{2}}, {shop.ShipmentQuery{Customer: "Meyer & Co"}, []int64{2}},
				{shop.ShipmentQuery{Supplier: strange}, []int64{3, 1}}, {shop.ShipmentQuery{Text: "50%_"}, []int64{2}},
				{shop.ShipmentQuery{Text: "shp-00001"}, []int64{1}}, {shop.ShipmentQuery{SerialID: "SN-00003"}, []int64{3}},
				{shop.ShipmentQuery{Status: shop.ShipmentOpen}, []int64{1}}, {shop.ShipmentQuery{Status: shop.ShipmentOverdue}, []int64{1}},
				{shop.ShipmentQuery{Status: shop.ShipmentClosed}, []int64{3}}, {shop.ShipmentQuery{Status: shop.ShipmentShipped}, []int64{2}},
			} {
				test.query.Limit = 9
				found := []int64{}
				for _, one := range look(s, func(tx views.Reader) ([]shop.Shipment, error) { return tx.Shipments(test.query) }) {
					number, _ := shop.ParseShipmentID(one.ID)
					found = append(found, number)
				}
				s.same([]any{fmt.Sprintf("%+v", test.query), found}, []any{fmt.Sprintf("%+v", test.query), test.want})
			}
		}},
		{"reports and parts of units are found for several at once", func(s *testedStore) {
			s.stock(4)
			s.openReport("NCR-00001", "SN-00001", "SN-00002")
			s.update(func(tx shop.Tx) error {
				return tx.InsertComponents([]card.Component{aComponent(1, "SN-00003", "")}, "p")
			})
			on := look(s, func(tx views.Reader) ([]shop.ReportOfUnit, error) {
				return tx.ReportsOfUnits([]string{"SN-00002", "SN-00004"})
			})
			s.same([]any{len(on), on[0].ReportID, on[0].Closed, on[0].Unit.SerialID}, []any{1, "NCR-00001", false, "SN-00002"})
			s.same(look(s, func(tx views.Reader) (map[string]bool, error) {
				return tx.UnitsWithParts([]string{"SN-00003", "SN-00004"})
			}),
				map[string]bool{"SN-00003": true})
		}},
		{"numbers of shipments count up", func(s *testedStore) {
			for want := range int64(3) {
				var number int64
				s.update(func(tx shop.Tx) (err error) {
					number, err = tx.TakeShipmentNumber()
					return err
				})
				s.same(number, want+1)
			}
		}},
	}
}
