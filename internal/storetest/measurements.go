package storetest

import (
	"errors"
	"iter"
	"strconv"

	"github.com/routecard/routecard/internal/spc"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// Measurements returns the cases for characteristics, readings, and units that are counted at steps.
func (suite) Measurements() []promise {
	return []promise{
		{"every field of a set of characteristics is kept, and a path has the newest of each step", func(s *testedStore) {
			s.stock(1)
			before := s.card("SN-00001")
			path := aPath(1, 2)
			first, second := aSet(1, path.Steps[1].ID, 1), aSet(2, path.Steps[1].ID, 2)
			second.Characteristics = second.Characteristics[:1]
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.UpdatePath(before.Path, before.Path), tx.InsertCharacteristics(first), tx.InsertCharacteristics(second))
			})
			want := map[string]card.CharacteristicSet{path.Steps[1].ID: second}
			s.same(s.card("SN-00001").Path.Characteristics, want)
			for _, read := range []func(views.Reader) (card.Path, error){
				func(tx views.Reader) (card.Path, error) { return tx.Path(path.ID) },
				func(tx views.Reader) (card.Path, error) { return tx.PathOfStep(path.Steps[0].ID) },
			} {
				s.same(look(s, read).Characteristics, want)
			}
			s.same(list(s, func(tx views.Reader) iter.Seq2[card.CharacteristicSet, error] { return tx.AllCharacteristics() }),
				[]card.CharacteristicSet{first, second})
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.InsertCharacteristics(aSet(3, path.Steps[1].ID, 2)) }), nil)
		}},
		{"every field of a step's requirements is kept, and a path has the newest of each step", func(s *testedStore) {
			s.stock(1)
			before := s.card("SN-00001")
			path := aPath(1, 2)
			first, second := aDemand(1, path.Steps[1].ID, 1), aDemand(2, path.Steps[1].ID, 2)
			second.Components, second.FunctionalTest = []string{}, nil
			after := before.Path
			after.BOMID = strange
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.UpdatePath(before.Path, after), tx.InsertRequirements(first), tx.InsertRequirements(second))
			})
			want := map[string]card.RequirementSet{path.Steps[1].ID: second}
			s.same(s.card("SN-00001").Path.Requirements, want)
			s.same(s.card("SN-00001").Path.BOMID, strange)
			found := look(s, func(tx views.Reader) (card.Path, error) { return tx.PathOfStep(path.Steps[0].ID) })
			s.same(found.Requirements, want)
			s.same(found.BOMID, strange)
			s.same(list(s, func(tx views.Reader) iter.Seq2[card.RequirementSet, error] { return tx.AllRequirements() }),
				[]card.RequirementSet{first, second})
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.InsertRequirements(aDemand(3, path.Steps[1].ID, 2)) }), nil)
		}},
		{"units keep their bill, and a bill that it is used", func(s *testedStore) {
			s.stock(1)
			kept := card.KeptBOM{BOMID: "bom_1", BOMVersion: 2}
			bill := shop.BOM{ID: "bom_1", Name: strange, Entries: []shop.BOMEntry{{PartType: strange, RequiredQuantityPerBuild: 0.1}}, Used: true}
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertBOM(bill), tx.InsertSerials(shop.SerialBatch{First: 8, Quantity: 1, PathID: aPath(1, 2).ID, BOM: kept}))
			})
			s.same(s.card("SN-00008").Serial.BOM, kept)
			s.same(s.card("SN-00008").Bill, []card.BillEntry{{PartType: strange, RequiredQuantityPerBuild: 0.1}})
			s.same(s.card("SN-00001").Serial.BOM, card.KeptBOM{})
			s.update(func(tx shop.Tx) error {
				return tx.ChangeCards([]card.Change{{Serial: card.Serial{ID: "SN-00001"}, BOM: &kept}, {Serial: card.Serial{ID: "SN-00008"}, BOM: &card.KeptBOM{}}})
			})
			s.same(s.card("SN-00001").Serial.BOM, kept)
			s.same(s.card("SN-00008").Serial.BOM, card.KeptBOM{})
			s.same(len(s.card("SN-00001").Bill)+len(s.card("SN-00008").Bill), 1)
			s.same(look(s, func(tx views.Reader) (shop.BOM, error) { return tx.BOM("bom_1") }), bill)
			bill.Used = false
			s.update(func(tx shop.Tx) error { return tx.UpdateBOM(bill) })
			s.same(look(s, func(tx views.Reader) (shop.BOM, error) { return tx.BOM("bom_1") }), bill)
		}},
		{"every field of a reading is kept until it is voided, and a card has those that are not", func(s *testedStore) {
			s.stock(2)
			path := aPath(1, 2)
			first, second := aReading(1, "SN-00001"), aReading(2, "SN-00001")
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.UpdatePath(path, path), tx.InsertCharacteristics(aSet(1, path.Steps[0].ID, 1)),
					tx.InsertMeasurements([]card.Measurement{first, second, aReading(3, "SN-00002")}))
			})
			of := func() []card.Measurement {
				return look(s, func(tx views.Reader) ([]card.Measurement, error) { return tx.MeasurementsOfSerial("SN-00001") })
			}
			s.same(of(), []card.Measurement{first, second})
			s.same(s.card("SN-00001").Readings, []card.Measurement{first, second})
			first.Voiding = card.Voiding{VoidedAt: farOff, VoidedBy: strange, VoidReason: strange}
			s.update(func(tx shop.Tx) error { return tx.VoidMeasurement(first.ID, first.Voiding) })
			s.same(of(), []card.Measurement{first, second})
			s.same(s.card("SN-00001").Readings, []card.Measurement{second})
			s.same(look(s, func(tx views.Reader) (card.Measurement, error) { return tx.Measurement(first.ID) }), first)
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.VoidMeasurement(first.ID, first.Voiding) }), shop.ErrNoRecord)
			_, err := tryLook(s, func(tx views.Reader) (card.Measurement, error) { return tx.Measurement("meas_x") })
			s.refused(err, shop.ErrNoRecord)
			s.same(len(list(s, func(tx views.Reader) iter.Seq2[card.Measurement, error] { return tx.AllMeasurements() })), 3)
		}},
		{"readings are listed newest first by whatever is asked for, and units by what they were measured with", func(s *testedStore) {
			s.stock(3)
			var all []card.Measurement
			for n, unit := range []string{"SN-00003", "SN-00001", "SN-00002", "SN-00001"} {
				m := aReading(n+1, unit)
				m.MeasuredAt = ident.Timestamp(10 * (n + 1))
				if n == 3 {
					m.EnteredAt = 1000
				}
				all = append(all, m)
			}
			all[1].CharacteristicID, all[1].StepID, all[1].JobID, all[1].InstrumentID, all[1].Verdict = "c", "s", "j", "i", card.VerdictFail
			s.update(func(tx shop.Tx) error { return tx.InsertMeasurements(all) })
			for _, row := range []struct {
				query shop.MeasurementQuery
				want  []int
			}{
				{shop.MeasurementQuery{}, []int{4, 3, 2, 1}},
				{shop.MeasurementQuery{Before: all[2].ID}, []int{2, 1}},
				{shop.MeasurementQuery{CharacteristicID: "c"}, []int{2}},
				{shop.MeasurementQuery{StepID: "s"}, []int{2}},
				{shop.MeasurementQuery{JobID: "j"}, []int{2}},
				{shop.MeasurementQuery{InstrumentID: "i"}, []int{2}},
				{shop.MeasurementQuery{Verdict: card.VerdictFail}, []int{2}},
				{shop.MeasurementQuery{SerialID: "SN-00001"}, []int{4, 2}},
				{shop.MeasurementQuery{From: 20, To: 30}, []int{3, 2}},
				{shop.MeasurementQuery{From: 40, To: 40}, []int{4}},
				{shop.MeasurementQuery{SerialID: "SN-00001", CharacteristicID: "x"}, nil},
			} {
				row.query.Limit = 10
				want := []card.Measurement{}
				for _, n := range row.want {
					want = append(want, all[n-1])
				}
				s.same(look(s, func(tx views.Reader) ([]card.Measurement, error) { return tx.Measurements(row.query) }), want)
			}
			measured := func(since, until ident.Timestamp) []string {
				return look(s, func(tx views.Reader) ([]string, error) { return tx.SerialsMeasuredWith("inst_1", since, until) })
			}
			s.same(measured(0, farOff), []string{"SN-00001", "SN-00002", "SN-00003"})
			s.same(measured(10, 10), []string{"SN-00003"})
			s.update(func(tx shop.Tx) error {
				return tx.VoidMeasurement(all[0].ID, card.Voiding{VoidedAt: 1, VoidedBy: "a", VoidReason: "b"})
			})
			s.same(measured(10, 10), []string{})
		}},
		{"what is measured in a job is the newest set of each of its steps, and a chart has readings newest first that are not voided", func(s *testedStore) {
			s.stock(2)
			path := aPath(1, 2)
			old, first, second := aSet(1, path.Steps[0].ID, 1), aSet(2, path.Steps[0].ID, 2), aSet(3, path.Steps[1].ID, 1)
			var all []card.Measurement
			for n := 1; n <= 5; n++ {
				m := aReading(n, "SN-0000"+strconv.Itoa(1+n%2))
				m.CharacteristicID, m.MeasuredAt = "c", ident.Timestamp(10*n)
				all = append(all, m)
			}
			all[3].CharacteristicID = "d"
			late := aReading(6, "SN-00002") // entered last, but taken earlier
			late.CharacteristicID, late.MeasuredAt, late.EnteredAt = "c", 20, 60
			all = append(all, late)
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertCharacteristics(old), tx.InsertCharacteristics(first), tx.InsertCharacteristics(second),
					tx.InsertMeasurements(all),
					tx.VoidMeasurement(all[1].ID, card.Voiding{VoidedAt: 1, VoidedBy: "a", VoidReason: "b"}))
			})
			measured := func(jobID string) []card.CharacteristicSet {
				return look(s, func(tx views.Reader) ([]card.CharacteristicSet, error) { return tx.CharacteristicsOfJob(jobID) })
			}
			s.same(measured(path.JobID), []card.CharacteristicSet{first, second})
			s.same(measured("job_x"), []card.CharacteristicSet{})
			with := func(id string) card.CharacteristicSet {
				return look(s, func(tx views.Reader) (card.CharacteristicSet, error) { return tx.SetWith(id) })
			}
			less := aSet(4, path.Steps[1].ID, 2)
			less.Characteristics = less.Characteristics[:1]
			s.update(func(tx shop.Tx) error { return tx.InsertCharacteristics(less) })
			s.same([]card.CharacteristicSet{with("char_1"), with("char_2")}, []card.CharacteristicSet{less, second})
			_, err := tryLook(s, func(tx views.Reader) (card.CharacteristicSet, error) { return tx.SetWith("char_x") })
			s.refused(err, shop.ErrNoRecord)
			for _, row := range []struct {
				query shop.ChartedQuery
				want  []int
			}{
				{shop.ChartedQuery{Limit: 10}, []int{5, 3, 6, 1}},
				{shop.ChartedQuery{Limit: 2}, []int{5, 3}},
				{shop.ChartedQuery{From: 30, Limit: 10}, []int{5, 3}},
				{shop.ChartedQuery{To: 30, Limit: 10}, []int{3, 6, 1}},
				{shop.ChartedQuery{From: 31, To: 49, Limit: 10}, nil},
			} {
				row.query.CharacteristicID = "c"
				want := []shop.ChartedReading{}
				for _, n := range row.want {
					m := all[n-1]
					want = append(want, shop.ChartedReading{ID: m.ID, SerialID: m.SerialID, Value: m.Value, Pass: m.Pass, MeasuredAt: m.MeasuredAt})
				}
				s.same(look(s, func(tx views.Reader) ([]shop.ChartedReading, error) { return tx.ChartedReadings(row.query) }), want)
			}
		}},
		{"every field of a baseline is kept, and those of a characteristic come oldest first", func(s *testedStore) {
			baseline := func(n int, of string) shop.Baseline {
				return shop.Baseline{
					ID: numbered("base", n), CharacteristicID: of, StepID: strange, From: longAgo, To: farOff, Subgroup: 10, Rules: spc.Nelson,
					N: 10_000, FirstReadingID: "meas_1", LastReadingID: "meas_2", Limits: spc.Limits{Lower: -1e-17, Centre: 0.1, Upper: 1e22},
					Spread: spc.Limits{Upper: 1.0 / 3}, Reason: long(), FrozenBy: strange, FrozenAt: farOff,
				}
			}
			first, second, other := baseline(1, "char_1"), baseline(2, "char_1"), baseline(3, "char_2")
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertBaseline(second), tx.InsertBaseline(first), tx.InsertBaseline(other))
			})
			of := func(id string) []shop.Baseline {
				return look(s, func(tx views.Reader) ([]shop.Baseline, error) { return tx.BaselinesOf(id) })
			}
			s.same(of("char_1"), []shop.Baseline{first, second})
			s.same(of("char_x"), []shop.Baseline{})
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.Baseline, error] { return tx.AllBaselines() }),
				[]shop.Baseline{first, second, other})
		}},
		{"units are counted once as they come to a step, and a card says who stands before it", func(s *testedStore) {
			s.stock(4)
			path := aPath(1, 2)
			set := aSet(1, path.Steps[1].ID, 1)
			set.Characteristics[0].Sample, set.Characteristics[0].Required = card.SampleFirst, true
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.UpdatePath(path, path), tx.InsertCharacteristics(set), tx.CountStandingAt(set.StepID))
			})
			come := func(card card.Card) (card.Change, error) {
				change, err := forward(card)
				change.Arrived = []string{set.StepID}
				return change, err
			}
			stay := func(unit card.Card) (card.Change, error) {
				return card.Change{Serial: unit.Serial, Arrived: []string{set.StepID}}, nil
			}
			for _, id := range []string{"SN-00003", "SN-00001"} {
				s.changeCard(id, come)
				s.changeCard(id, stay)
			}
			s.update(func(tx shop.Tx) error {
				unit, err := tx.RouteCard("SN-00002")
				change, _ := come(unit)
				return errors.Join(err, tx.ChangeCards([]card.Change{change}))
			})
			arrived := func(id string) card.Arrival { return s.card(id).Arrivals[set.StepID] }
			s.same([]card.Arrival{arrived("SN-00003"), arrived("SN-00001"), arrived("SN-00002"), arrived("SN-00004")},
				[]card.Arrival{{Ordinal: 1}, {Ordinal: 2, Behind: true}, {Ordinal: 3, Behind: true}, {Behind: true}})
			piece := func(id string) func(shop.Tx) error {
				return func(tx shop.Tx) error {
					return errors.Join(tx.SetFirstPiece(set.StepID, id), tx.UpdatePath(path, path))
				}
			}
			s.update(piece("SN-00001"))
			s.update(piece("SN-00003"))
			s.same(s.card("SN-00001").Path.FirstPieces, map[string]string{set.StepID: "SN-00003"})
			s.same(arrived("SN-00002"), card.Arrival{Ordinal: 3})
			s.update(piece(""))
			s.same(arrived("SN-00002"), card.Arrival{Ordinal: 3, Behind: true})
			s.update(func(tx shop.Tx) error {
				return tx.CountBatch(path.Steps[0].ID, shop.SerialBatch{First: 2, Quantity: 2})
			})
			s.same(s.card("SN-00003").Arrivals[path.Steps[0].ID], card.Arrival{Ordinal: 2})
			s.update(func(tx shop.Tx) error { return tx.CountStandingAt(path.Steps[0].ID) }) // counts SN-00004 among others
			s.same(arrived("SN-00004").Ordinal, int64(0))
			s.same(s.card("SN-00004").Arrivals[path.Steps[0].ID], card.Arrival{Ordinal: 3})
			counted := map[string][]string{}
			for _, unit := range list(s, func(tx views.Reader) iter.Seq2[shop.CountedUnit, error] { return tx.CountedUnits() }) {
				counted[unit.StepID] = append(counted[unit.StepID], unit.SerialID)
				s.same(unit.Ordinal, int64(len(counted[unit.StepID])))
			}
			s.same(counted, map[string][]string{
				path.Steps[0].ID: {"SN-00002", "SN-00003", "SN-00004"}, path.Steps[1].ID: {"SN-00003", "SN-00001", "SN-00002"},
			})
		}},
	}
}

func aSet(n int, stepID string, revision int) card.CharacteristicSet {
	return card.CharacteristicSet{
		ID: numbered("chset", n), StepID: stepID, Revision: revision, ChangedBy: strange, ChangedAt: farOff,
		Characteristics: []card.Characteristic{
			{ID: "char_1", Number: "7", Place: strange, Name: strange, Type: card.NumberReading, Unit: "mm", Limits: card.Limits{Nominal: "12.500", Lower: "-1", Upper: "1e1"}, Sample: "1 of 5", Designator: card.KeyCharacteristic, Requirement: long(), InstrumentRequired: true},
			{ID: "char_2", Number: "8", Name: "b", Type: card.TextReading, Required: true, Sample: card.SampleEvery},
		},
	}
}

func aReading(n int, serialID string) card.Measurement {
	return card.Measurement{
		ID: numbered("meas", n), SerialID: serialID, JobID: "job_1", StepID: "step_1", CharacteristicID: "char_1", Number: strange, Place: strange,
		Value: long(), Unit: strange, Verdict: card.VerdictPass, Limits: card.Limits{Nominal: "12.500", Lower: "-1", Upper: "1e1"}, Revision: 7,
		InstrumentID: "inst_1", Note: long(), Pass: 3, MeasuredBy: strange, MeasuredAt: farOff,
	}
}

// aDemand returns the n-th revision of a step's requirements. All fields are set.
func aDemand(n int, stepID string, revision int) card.RequirementSet {
	return card.RequirementSet{
		ID: "reqs_" + strconv.Itoa(n), StepID: stepID, Revision: revision, ChangedBy: strange, ChangedAt: farOff,
		Requirements: card.Requirements{
			Components: []string{strange, "Seal"}, LotRequired: true, CertificateRequired: true,
			FunctionalTest: &card.FunctionalTest{Procedure: strange},
		},
	}
}
