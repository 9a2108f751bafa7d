package storetest

import (
	"errors"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

// Instruments returns the cases for instruments and their calibrations.
func (suite) Instruments() []promise {
	return []promise{
		{"every field of an instrument is kept and changed, and each is found by its number and its external identifier", func(s *testedStore) {
			gauge := anInstrument(1)
			gauge.DueDate, gauge.ExternalID, gauge.Result = "2026-01-31", strange, shop.CalibrationFail
			gauge.MeasuringRange = shop.MeasuringRange{From: "-0.40", To: "+1e2", Unit: strange}
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertInstrument(gauge), tx.InsertInstrument(anInstrument(2)))
			})
			found := func(read func(views.Reader) (shop.Instrument, error)) shop.Instrument { return look(s, read) }
			s.same(found(func(tx views.Reader) (shop.Instrument, error) { return tx.Instrument(gauge.ID) }), gauge)
			s.same(found(func(tx views.Reader) (shop.Instrument, error) { return tx.InstrumentNumbered(gauge.Number) }), gauge)
			s.same(found(func(tx views.Reader) (shop.Instrument, error) { return tx.InstrumentOutside(strange) }), gauge)
			gauge.Number, gauge.Name, gauge.DueDate, gauge.ExternalID, gauge.Result, gauge.UpdatedAt = long(), long(), "", "", "", farOff
			gauge.MeasuringRange = shop.MeasuringRange{To: "25.00", Unit: "mm"}
			s.update(func(tx shop.Tx) error { return tx.UpdateInstrument(gauge) })
			s.same(found(func(tx views.Reader) (shop.Instrument, error) { return tx.Instrument(gauge.ID) }), gauge)
			for _, read := range []func(views.Reader) (shop.Instrument, error){
				func(tx views.Reader) (shop.Instrument, error) { return tx.Instrument("inst_x") },
				func(tx views.Reader) (shop.Instrument, error) { return tx.InstrumentNumbered("x") },
				func(tx views.Reader) (shop.Instrument, error) { return tx.InstrumentOutside("") },
			} {
				_, err := tryLook(s, read)
				s.refused(err, shop.ErrNoRecord)
			}
		}},
		{"a number and an external identifier belong to one instrument, and many have no external identifier", func(s *testedStore) {
			first, second := anInstrument(1), anInstrument(2)
			s.update(func(tx shop.Tx) error { return errors.Join(tx.InsertInstrument(first), tx.InsertInstrument(second)) })
			third := anInstrument(3)
			third.Number = first.Number
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.InsertInstrument(third) }), shop.ErrDuplicate)
			third, first.ExternalID = anInstrument(3), "x"
			third.ExternalID = "x"
			s.update(func(tx shop.Tx) error { return tx.UpdateInstrument(first) })
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.InsertInstrument(third) }), shop.ErrDuplicate)
		}},
		{"instruments are listed newest first, behind any of them", func(s *testedStore) {
			s.each(many, func(tx shop.Tx, i int) error { return tx.InsertInstrument(anInstrument(i)) })
			all := list(s, func(tx views.Reader) iter.Seq2[shop.Instrument, error] { return tx.Instruments("") })
			s.same([]any{len(all), all[0], all[many-1]}, []any{many, anInstrument(many), anInstrument(1)})
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.Instrument, error] { return tx.Instruments(anInstrument(3).ID) }),
				[]shop.Instrument{anInstrument(2), anInstrument(1)})
		}},
		{"every field of a calibration is kept, and those of an instrument come oldest first", func(s *testedStore) {
			gauge := anInstrument(1)
			calibration := func(n int, of string) shop.Calibration {
				return shop.Calibration{
					ID: numbered("cali", n), InstrumentID: of, Result: shop.CalibrationPass, AsFound: shop.CalibrationFail,
					DueDate: "2027-01-31", CalibratedBy: strange, CalibratedAt: longAgo,
				}
			}
			of := func() []shop.Calibration {
				return look(s, func(tx views.Reader) ([]shop.Calibration, error) { return tx.CalibrationsOf(gauge.ID) })
			}
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.InsertCalibration(calibration(1, gauge.ID)) }), nil)
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertInstrument(gauge), tx.InsertInstrument(anInstrument(2)))
			})
			s.same(of(), []shop.Calibration{})
			first, second, other := calibration(1, gauge.ID), calibration(2, gauge.ID), calibration(3, anInstrument(2).ID)
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.InsertCalibration(second), tx.InsertCalibration(first), tx.InsertCalibration(other))
			})
			s.same(of(), []shop.Calibration{first, second})
			s.same(list(s, func(tx views.Reader) iter.Seq2[shop.Calibration, error] { return tx.Calibrations() }),
				[]shop.Calibration{first, second, other})
		}},
	}
}

func anInstrument(n int) shop.Instrument {
	return shop.Instrument{ID: numbered("inst", n), Number: numbered("M", n), Name: strange, CreatedAt: 1, UpdatedAt: 2}
}
