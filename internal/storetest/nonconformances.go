package storetest

import (
	"errors"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/views"
)

func (suite) Nonconformances() []promise { return nonconformances }

var nonconformances = []promise{
	{"every field of a report and of its units is kept", func(s *testedStore) {
		s.stock(3)
		report := shop.Nonconformance{
			ID: "NCR-00001", Title: strange, Description: long(), Severity: shop.Critical, StepID: "a", Status: shop.ReportOpen,
			OpenedBy: strange, OpenedAt: farOff, Units: []shop.NonconformingUnit{
				{SerialID: "SN-00001", FoundAt: 2},
				{SerialID: "SN-00003", Disposition: shop.Repair, DecidedBy: strange, DecidedAt: farOff, Reason: long(), Concession: long()},
			},
		}
		s.update(func(tx shop.Tx) error {
			number, err := tx.TakeNonconformanceNumber()
			s.same(number, int64(1))
			return errors.Join(err, tx.InsertNonconformance(report), tx.InsertNonconformingUnits("NCR-00001",
				[]shop.NonconformingUnit{report.Units[1], report.Units[0]}))
		})
		s.same(s.report("NCR-00001"), report)

		decided := shop.NonconformingUnit{
			Disposition: shop.UseAsIs, DecidedBy: "u", DecidedAt: 7, Reason: strange, Concession: strange,
		}
		s.update(func(tx shop.Tx) error { return tx.DisposeUnits("NCR-00001", []string{"SN-00001"}, decided) })
		decided.SerialID, decided.FoundAt = "SN-00001", 2
		report.Units[0] = decided
		s.same(s.report("NCR-00001"), report)
		of := func(id string) map[string]shop.NonconformingUnit {
			return look(s, func(tx views.Reader) (map[string]shop.NonconformingUnit, error) {
				return tx.UnitOnReports(id)
			})
		}
		s.same(of("SN-00001"), map[string]shop.NonconformingUnit{"NCR-00001": decided})
		s.same(of("SN-00002"), map[string]shop.NonconformingUnit{})

		report.Status, report.ClosedBy, report.ClosedAt, report.Summary = shop.ReportClosed, strange, farOff, long()
		s.update(func(tx shop.Tx) error { return tx.CloseNonconformance(report) })
		s.same(s.report("NCR-00001"), report)
	}},
	{"a unit is on a report once, and a report and its units have to exist", func(s *testedStore) {
		s.stock(2)
		s.openReport("NCR-00001", "SN-00001")
		add := func(report, serial string) error {
			return s.tryUpdate(func(tx shop.Tx) error {
				return tx.InsertNonconformingUnits(report, []shop.NonconformingUnit{{SerialID: serial}})
			})
		}
		s.refused(add("NCR-00001", "SN-00001"), nil)
		s.refused(add("NCR-00001", "SN-00003"), nil)
		s.refused(add("NCR-00002", "SN-00001"), nil)
		s.must(add("NCR-00001", "SN-00002"))
		for _, id := range []string{"NCR-00002", "nonsense", "", "SN-00001"} {
			s.refused(s.tryUpdate(func(tx shop.Tx) error {
				_, err := tx.Nonconformance(id)
				return err
			}), shop.ErrNoRecord)
			s.refused(s.tryUpdate(func(tx shop.Tx) error {
				return tx.CloseNonconformance(shop.Nonconformance{ID: id})
			}), shop.ErrNoRecord)
		}
	}},
	{"numbers of reports follow each other, and one that was not used is given again", func(s *testedStore) {
		take := func() (number int64) {
			s.update(func(tx shop.Tx) (err error) {
				number, err = tx.TakeNonconformanceNumber()
				return err
			})
			return number
		}
		s.same(take(), int64(1))
		s.refused(s.tryUpdate(func(tx shop.Tx) error {
			_, err := tx.TakeNonconformanceNumber()
			return errors.Join(err, errRefused)
		}), errRefused)
		s.same(take(), int64(2))
	}},
	{"reports are found newest first by status, unit and job", func(s *testedStore) {
		s.stock(4)
		s.openReport("NCR-00001", "SN-00001", "SN-00002")
		s.openReport("NCR-00002", "SN-00002")
		s.openReport("NCR-00003")
		s.openReport("NCR-00004", "SN-00003")
		s.update(func(tx shop.Tx) error {
			return tx.CloseNonconformance(shop.Nonconformance{ID: "NCR-00002", ClosedAt: 5})
		})
		job := s.card("SN-00001").Serial.JobID
		found := func(query shop.NonconformanceQuery) []string {
			if query.Limit == 0 {
				query.Limit = 10
			}
			ids := []string{}
			for _, report := range look(s, func(tx views.Reader) ([]shop.Nonconformance, error) { return tx.Nonconformances(query) }) {
				s.same(len(report.Units), 0)
				ids = append(ids, report.ID)
			}
			return ids
		}
		s.same(found(shop.NonconformanceQuery{}), []string{"NCR-00004", "NCR-00003", "NCR-00002", "NCR-00001"})
		s.same(found(shop.NonconformanceQuery{Limit: 2}), []string{"NCR-00004", "NCR-00003"})
		s.same(found(shop.NonconformanceQuery{Before: "NCR-00003", Limit: 1}), []string{"NCR-00002"})
		s.same(found(shop.NonconformanceQuery{Before: "nonsense"}), []string{})
		s.same(found(shop.NonconformanceQuery{Status: shop.ReportOpen}), []string{"NCR-00004", "NCR-00003", "NCR-00001"})
		s.same(found(shop.NonconformanceQuery{Status: shop.ReportClosed}), []string{"NCR-00002"})
		s.same(found(shop.NonconformanceQuery{SerialID: "SN-00002"}), []string{"NCR-00002", "NCR-00001"})
		s.same(found(shop.NonconformanceQuery{SerialID: "SN-00002", Status: shop.ReportOpen}), []string{"NCR-00001"})
		s.same(found(shop.NonconformanceQuery{SerialID: "nonsense"}), []string{})
		s.same(found(shop.NonconformanceQuery{JobID: job}), []string{"NCR-00004", "NCR-00002", "NCR-00001"})
		s.same(found(shop.NonconformanceQuery{JobID: "job_none"}), []string{})
	}},
	{"the units of reports are counted", func(s *testedStore) {
		s.stock(3)
		s.openReport("NCR-00001", "SN-00001", "SN-00002", "SN-00003")
		s.openReport("NCR-00002")
		s.update(func(tx shop.Tx) error {
			return tx.DisposeUnits("NCR-00001", []string{"SN-00001", "SN-00003"}, shop.NonconformingUnit{Disposition: shop.UseAsIs})
		})
		counted := func() map[string]shop.UnitFigures {
			return look(s, func(tx views.Reader) (map[string]shop.UnitFigures, error) {
				return tx.UnitFigures([]string{"NCR-00001", "NCR-00002", "nonsense"})
			})
		}
		s.same(counted(), map[string]shop.UnitFigures{"NCR-00001": {Units: 3, Decided: 2, Waiting: 1}})
		s.update(func(tx shop.Tx) error {
			return tx.DisposeUnits("NCR-00001", []string{"SN-00002", "SN-00003"}, shop.NonconformingUnit{Disposition: shop.ScrapIt})
		})
		s.same(counted(), map[string]shop.UnitFigures{"NCR-00001": {Units: 3, Decided: 1, Waiting: 2}}) // neither is scrapped
		scrapped := s.card("SN-00003").Serial
		scrapped.Status, scrapped.Scrap = card.Scrapped, &card.Scrap{Reason: card.Damaged, At: 3, By: "ann"}
		s.update(func(tx shop.Tx) error {
			return tx.ChangeCards([]card.Change{{Serial: scrapped, Moved: true}})
		})
		s.same(counted(), map[string]shop.UnitFigures{"NCR-00001": {Units: 3, Decided: 2, Waiting: 1}})
		undecided := s.card("SN-00002").Serial
		undecided.Status, undecided.Scrap = card.Scrapped, &card.Scrap{Reason: card.Damaged, At: 3, By: "ann"}
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.DisposeUnits("NCR-00001", []string{"SN-00002"}, shop.NonconformingUnit{}),
				tx.ChangeCards([]card.Change{{Serial: undecided, Moved: true}}))
		})
		s.same(counted(), map[string]shop.UnitFigures{"NCR-00001": {Units: 3, Decided: 2}}) // a scrapped unit needs no decision
		s.same(len(look(s, func(tx views.Reader) (map[string]shop.UnitFigures, error) { return tx.UnitFigures(nil) })), 0)
	}},
	{"the units of a report stand where their cards say", func(s *testedStore) {
		s.stock(4)
		s.openReport("NCR-00001", "SN-00004", "SN-00002")
		s.changeCard("SN-00002", forward)
		s.same(look(s, func(tx views.Reader) ([]shop.UnitStanding, error) { return tx.UnitStandings("NCR-00001") }),
			[]shop.UnitStanding{
				{SerialID: "SN-00002", PathID: numbered("path", 1), Status: card.InProgress, Position: 1},
				{SerialID: "SN-00004", PathID: numbered("path", 1), Status: card.InProgress, Position: 0},
			})
		for _, id := range []string{"NCR-00002", "nonsense"} {
			s.same(len(look(s, func(tx views.Reader) ([]shop.UnitStanding, error) { return tx.UnitStandings(id) })), 0)
		}
	}},
	{"a step that a report names is referred to", func(s *testedStore) {
		s.stock(1)
		s.update(func(tx shop.Tx) error {
			return tx.InsertNonconformance(shop.Nonconformance{ID: "NCR-00001", StepID: "step_x"})
		})
		for step, want := range map[string]bool{"step_x": true, "step_y": false, "": false} {
			s.update(func(tx shop.Tx) error {
				referred, err := tx.StepReferred(step)
				s.same(referred, want)
				return err
			})
		}
	}},
}

// openReport inserts an open report about units.
func (s *testedStore) openReport(id string, serialIDs ...string) {
	units := make([]shop.NonconformingUnit, len(serialIDs))
	for i := range units {
		units[i].SerialID = serialIDs[i]
	}
	s.update(func(tx shop.Tx) error {
		return errors.Join(tx.InsertNonconformance(shop.Nonconformance{ID: id, Title: "t", Severity: shop.Minor, OpenedAt: 1}),
			tx.InsertNonconformingUnits(id, units))
	})
}

func (s *testedStore) report(id string) shop.Nonconformance {
	return look(s, func(tx views.Reader) (shop.Nonconformance, error) { return tx.Nonconformance(id) })
}
