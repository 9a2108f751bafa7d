package statement

import (
	"iter"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
)

type instruments struct{ *db.Core }

const (
	instrumentColumns = `id, number, name, due_date, external_id, result, created_at, updated_at, range_from, range_to, unit`
	selectInstruments = `SELECT ` + instrumentColumns + ` FROM instrument`
)

func scanInstrument(r db.Rows) (i shop.Instrument, err error) {
	err = r.Scan(&i.ID, &i.Number, &i.Name, &i.DueDate, &i.ExternalID, &i.Result, &i.CreatedAt, &i.UpdatedAt,
		&i.From, &i.To, &i.Unit)
	return i, err
}

func (t instruments) InsertInstrument(i shop.Instrument) error {
	n, err := db.Affecting(t, `INSERT INTO instrument (`+instrumentColumns+`)
		VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11) ON CONFLICT DO NOTHING`,
		i.ID, i.Number, i.Name, i.DueDate, i.ExternalID, string(i.Result), int64(i.CreatedAt), int64(i.UpdatedAt),
		string(i.From), string(i.To), i.Unit)
	if err == nil && n == 0 {
		err = shop.ErrDuplicate
	}
	return err
}

func (t instruments) UpdateInstrument(i shop.Instrument) error {
	return db.ExpectOne(t, `UPDATE instrument SET number = $2, name = $3, due_date = $4, external_id = $5, result = $6, updated_at = $7,
		range_from = $8, range_to = $9, unit = $10 WHERE id = $1`,
		i.ID, i.Number, i.Name, i.DueDate, i.ExternalID, string(i.Result), int64(i.UpdatedAt), string(i.From), string(i.To), i.Unit)
}

func (t instruments) Instrument(id string) (shop.Instrument, error) {
	return db.One(t, scanInstrument, selectInstruments+` WHERE id = $1`+t.Lock, id)
}

func (t instruments) InstrumentNumbered(number string) (shop.Instrument, error) {
	return db.One(t, scanInstrument, selectInstruments+` WHERE number = $1`, number)
}

func (t instruments) InstrumentOutside(externalID string) (shop.Instrument, error) {
	return db.One(t, scanInstrument, selectInstruments+` WHERE external_id <> '' AND external_id = $1`, externalID)
}

func (t instruments) Instruments(before string) iter.Seq2[shop.Instrument, error] {
	if before == "" {
		before = db.BeforeAll
	}
	return db.Pages(func(last shop.Instrument, first bool, limit int) ([]shop.Instrument, bool, error) {
		if first {
			last.ID = before
		}
		return db.Page(t, scanInstrument, selectInstruments+` WHERE id < $1 ORDER BY id DESC LIMIT $2`, last.ID, limit)
	})
}

const (
	calibrationColumns = `id, instrument_id, result, as_found, due_date, calibrated_by, calibrated_at`
	selectCalibrations = `SELECT ` + calibrationColumns + ` FROM calibration`
)

func scanCalibration(r db.Rows) (c shop.Calibration, err error) {
	err = r.Scan(&c.ID, &c.InstrumentID, &c.Result, &c.AsFound, &c.DueDate, &c.CalibratedBy, &c.CalibratedAt)
	return c, err
}

func (t instruments) InsertCalibration(c shop.Calibration) error {
	return db.Run(t, `INSERT INTO calibration (id, instrument_id, result, as_found, due_date, calibrated_by, calibrated_at)
		VALUES ($1, $2, $3, $4, $5, $6, $7)`,
		c.ID, c.InstrumentID, string(c.Result), string(c.AsFound), c.DueDate, c.CalibratedBy, int64(c.CalibratedAt))
}

func (t instruments) CalibrationsOf(instrumentID string) ([]shop.Calibration, error) {
	return db.All(t, scanCalibration, selectCalibrations+` WHERE instrument_id = $1 ORDER BY id`, instrumentID)
}

func (t instruments) Calibrations() iter.Seq2[shop.Calibration, error] {
	return db.Pages(func(last shop.Calibration, _ bool, limit int) ([]shop.Calibration, bool, error) {
		return db.Page(t, scanCalibration, selectCalibrations+` WHERE id > $1 ORDER BY id LIMIT $2`, last.ID, limit)
	})
}
