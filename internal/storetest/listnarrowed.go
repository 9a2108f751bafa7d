package storetest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// addListed adds a record to a list, with a text or a number that is in no other record.
func (s *testedStore) addListed(name views.ListName, text string, number int64, at ident.Timestamp) {
	s.Helper()
	if name == views.ListHolds {
		s.changeCard("SN-00001", func(unit card.Card) (card.Change, error) {
			hold := card.Hold{ID: "hold_" + text, SerialID: "SN-00001", Reason: "r", PlacedBy: "u", PlacedAt: at}
			return card.Change{Serial: unit.Serial, Held: []card.Hold{hold}}, nil
		})
		return
	}
	s.update(func(tx shop.Tx) error {
		switch name {
		case views.ListMeasurements:
			return tx.InsertMeasurements([]card.Measurement{{ID: "meas_" + text, SerialID: "SN-00001", MeasuredAt: at}})
		case views.ListInstruments:
			return tx.InsertInstrument(shop.Instrument{ID: "inst_" + text, Number: text, Name: "n", UpdatedAt: at})
		case views.ListLots:
			return tx.InsertLot(shop.Lot{ID: "lot_" + text, LotFields: shop.LotFields{LotNumber: text, Material: "n"}, UpdatedAt: at})
		case views.ListShipments:
			return tx.InsertShipment(shop.Shipment{ID: shop.ShipmentID(number), Kind: card.ToSupplier, UpdatedAt: at})
		case views.ListConformances:
			return tx.InsertConformance(listedConformance(number, at))
		case views.ListFirstArticles:
			return tx.InsertFirstArticle(shop.FirstArticle{
				ID: shop.FirstArticleID(number), JobID: aJob(1).ID, PathID: numbered("path", 1), UpdatedAt: at,
			})
		case views.ListReports:
			return tx.InsertNonconformance(shop.Nonconformance{ID: shop.NonconformanceID(number), Severity: shop.Minor, OpenedAt: at})
		case views.ListJobs:
			return tx.InsertJob(shop.Job{ID: "job_" + text, Name: "n", GoalQuantity: 1, UpdatedAt: at})
		case views.ListCertificates:
			return tx.InsertCertificate(shop.Certificate{ID: "cert_" + text, Type: "material", Name: "n", CreatedAt: at})
		default:
			return fmt.Errorf("nobody says how records are added to %s", name)
		}
	})
}

// narrowLists reads lists with each of their filters, page by page, in each order.
func narrowLists(s *testedStore) {
	s.stock(3)
	released := card.Hold{ID: "hold_1", SerialID: "SN-00001", Reason: "r", PlacedBy: "u", PlacedAt: 1, ReleasedBy: "u", ReleasedAt: 2}
	for _, hold := range []card.Hold{released, {ID: "hold_2", SerialID: "SN-00001", Reason: "r", PlacedBy: "u", PlacedAt: 3}} {
		s.changeCard("SN-00001", func(unit card.Card) (card.Change, error) {
			return card.Change{Serial: unit.Serial, Held: []card.Hold{hold}}, nil
		})
	}
	first, second := aReading(1, "SN-00001"), aReading(2, "SN-00002")
	first.MeasuredAt, second.MeasuredAt = 10, 20
	second.JobID, second.StepID, second.CharacteristicID, second.InstrumentID, second.Verdict = "job_2", "step_2", "char_2", "", card.VerdictFail
	s.update(func(tx shop.Tx) error { return tx.InsertMeasurements([]card.Measurement{first, second}) })
	s.openReport("NCR-00001", "SN-00001", "SN-00002")
	s.openReport("NCR-00002", "SN-00002")
	s.update(func(tx shop.Tx) error {
		return errors.Join(tx.CloseNonconformance(shop.Nonconformance{ID: "NCR-00002", ClosedAt: 5}))
	})
	job := s.card("SN-00001").Serial.JobID
	one, two := first.ID, second.ID
	for _, test := range []struct {
		list     views.ListName
		narrowed any
		want     []any
	}{
		{views.ListHolds, nil, []any{"hold_1", "hold_2"}},
		{views.ListHolds, shop.HoldQuery{}, []any{"hold_1", "hold_2"}},
		{views.ListHolds, shop.HoldQuery{Open: true}, []any{"hold_2"}},
		{views.ListMeasurements, shop.MeasurementQuery{}, []any{one, two}},
		{views.ListMeasurements, shop.MeasurementQuery{JobID: "job_2"}, []any{two}},
		{views.ListMeasurements, shop.MeasurementQuery{StepID: "step_1"}, []any{one}},
		{views.ListMeasurements, shop.MeasurementQuery{CharacteristicID: "char_2"}, []any{two}},
		{views.ListMeasurements, shop.MeasurementQuery{SerialID: "SN-00001"}, []any{one}},
		{views.ListMeasurements, shop.MeasurementQuery{SerialID: "SN-00003"}, []any{}},
		{views.ListMeasurements, shop.MeasurementQuery{InstrumentID: "inst_1"}, []any{one}},
		{views.ListMeasurements, shop.MeasurementQuery{Verdict: card.VerdictFail}, []any{two}},
		{views.ListMeasurements, shop.MeasurementQuery{From: 11}, []any{two}},
		{views.ListMeasurements, shop.MeasurementQuery{To: 10}, []any{one}},
		{views.ListReports, shop.NonconformanceQuery{}, []any{int64(1), int64(2)}},
		{views.ListReports, shop.NonconformanceQuery{Status: shop.ReportOpen}, []any{int64(1)}},
		{views.ListReports, shop.NonconformanceQuery{Status: shop.ReportClosed}, []any{int64(2)}},
		{views.ListReports, shop.NonconformanceQuery{SerialID: "SN-00001"}, []any{int64(1)}},
		{views.ListReports, shop.NonconformanceQuery{JobID: job, SerialID: "SN-00002"}, []any{int64(1), int64(2)}},
		{views.ListReports, shop.NonconformanceQuery{JobID: "job_none"}, []any{}},
	} {
		list := listNamed(test.list)
		for _, order := range list.Orders() {
			found := []any{}
			for _, row := range s.follow(&list, views.ListWindow{Order: order, Narrowed: test.narrowed, Limit: 1}) {
				found = append(found, row.Place)
			}
			if order.Descending {
				slices.Reverse(found)
			}
			s.same(found, test.want)
		}
	}
}
