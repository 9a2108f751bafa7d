package statement

import (
	"fmt"
	"iter"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type measurements struct{ *db.Core }

const measurementColumns = `id, serial_number, job_id, step_id, characteristic_id, balloon, place, reading, unit, verdict, nominal,
	lower_limit, upper_limit, revision, instrument_id, note, pass, measured_by, measured_at, taken_at`

// measuredTime is the time at which a reading was taken. It is the time of entry if no other time was given.
const measuredTime = `(CASE WHEN taken_at > 0 THEN taken_at ELSE measured_at END)`

const (
	measurementRead    = measurementColumns + `, voided_at, voided_by, void_reason`
	selectMeasurements = `SELECT ` + measurementRead + ` FROM measurement`
)

func scanMeasurement(prefix ident.Prefix, r db.Rows) (m card.Measurement, err error) {
	var number int64
	err = r.Scan(&m.ID, &number, &m.JobID, &m.StepID, &m.CharacteristicID, &m.Number, &m.Place, &m.Value, &m.Unit, &m.Verdict,
		&m.Limits.Nominal, &m.Limits.Lower, &m.Limits.Upper, &m.Revision, &m.InstrumentID, &m.Note, &m.Pass, &m.MeasuredBy,
		&m.EnteredAt, &m.MeasuredAt, &m.VoidedAt, &m.VoidedBy, &m.VoidReason)
	m.SerialID = prefix.SerialID(number)
	if m.MeasuredAt == 0 {
		m.MeasuredAt, m.EnteredAt = m.EnteredAt, 0
	}
	return m, err
}

func (t measurements) InsertMeasurements(made []card.Measurement) error {
	const width = 20
	args := make([]any, 0, width*len(made))
	for i := range made {
		m := &made[i]
		number, _ := t.Prefix.ParseSerialID(m.SerialID)
		taken := m.MeasuredAt
		if m.EnteredAt == 0 {
			taken = 0
		}
		args = append(args, m.ID, number, m.JobID, m.StepID, m.CharacteristicID, m.Number, m.Place, m.Value, m.Unit, string(m.Verdict),
			string(m.Limits.Nominal), string(m.Limits.Lower), string(m.Limits.Upper), m.Revision, m.InstrumentID, m.Note, m.Pass,
			m.MeasuredBy, int64(m.Entered()), int64(taken))
	}
	return db.InsertAll(t, `INSERT INTO measurement (`+measurementColumns+`) VALUES`, width, args, "")
}

func (t measurements) Measurement(id string) (card.Measurement, error) {
	return db.One(t, db.Named(t.Prefix, scanMeasurement), selectMeasurements+` WHERE id = $1`, id)
}

func (t measurements) MeasurementsOfSerial(serialID string) ([]card.Measurement, error) {
	number, _ := t.Prefix.ParseSerialID(serialID)
	return db.All(t, db.Named(t.Prefix, scanMeasurement), selectMeasurements+` WHERE serial_number = $1 ORDER BY id`, number)
}

func (t measurements) Measurements(query shop.MeasurementQuery) ([]card.Measurement, error) {
	if query.Before == "" {
		query.Before = db.BeforeAll
	}
	var c db.Conditions
	c.Add(`id < ?`, query.Before)
	NarrowMeasurements(t.Prefix, &c, query)
	return db.All(t, db.Named(t.Prefix, scanMeasurement),
		selectMeasurements+c.Where()+fmt.Sprintf(` ORDER BY id DESC LIMIT $%d`, len(c.Args)+1),
		append(c.Args, query.Limit)...)
}

func (t measurements) MeasurementsAfter(query shop.MeasurementQuery, after string) ([]card.Measurement, error) {
	var c db.Conditions
	c.Add(`id > ?`, after)
	NarrowMeasurements(t.Prefix, &c, query)
	return db.All(t, db.Named(t.Prefix, scanMeasurement), selectMeasurements+c.Where()+fmt.Sprintf(` ORDER BY id LIMIT $%d`, len(c.Args)+1),
		append(c.Args, query.Limit)...)
}

// NarrowMeasurements adds the conditions of a query, except for the cursor.
func NarrowMeasurements(prefix ident.Prefix, c *db.Conditions, query shop.MeasurementQuery) {
	for _, equal := range []struct{ column, to string }{
		{"characteristic_id", query.CharacteristicID}, {"step_id", query.StepID}, {"job_id", query.JobID},
		{"verdict", string(query.Verdict)},
	} {
		if equal.to != "" {
			c.Add(equal.column+` = ?`, equal.to)
		}
	}
	if query.InstrumentID != "" {
		c.Add(`instrument_id <> '' AND instrument_id = ?`, query.InstrumentID)
	}
	if query.SerialID != "" {
		number, _ := prefix.ParseSerialID(query.SerialID)
		c.Add(`serial_number = ?`, number)
	}
	if query.From != 0 {
		c.Add(measuredTime+` >= ?`, int64(query.From))
	}
	if query.To != 0 {
		c.Add(measuredTime+` <= ?`, int64(query.To))
	}
}

func (t measurements) AllMeasurements() iter.Seq2[card.Measurement, error] {
	return db.Pages(func(last card.Measurement, _ bool, limit int) ([]card.Measurement, bool, error) {
		return db.Page(t, db.Named(t.Prefix, scanMeasurement), selectMeasurements+` WHERE id > $1 ORDER BY id LIMIT $2`, last.ID, limit)
	})
}

func (t measurements) VoidMeasurement(id string, v card.Voiding) error {
	return db.ExpectOne(t, `UPDATE measurement SET voided_at = $2, voided_by = $3, void_reason = $4 WHERE id = $1 AND voided_at = 0`,
		id, int64(v.VoidedAt), v.VoidedBy, v.VoidReason)
}

func (t measurements) SerialsMeasuredWith(instrumentID string, since, until ident.Timestamp) ([]string, error) {
	return db.All(t, func(r db.Rows) (string, error) {
		number, err := db.Scalar[int64](r)
		return t.Prefix.SerialID(number), err
	}, `SELECT DISTINCT serial_number FROM measurement WHERE instrument_id <> '' AND instrument_id = $1
		AND `+measuredTime+` BETWEEN $2 AND $3 AND voided_at = 0 ORDER BY serial_number`, instrumentID, int64(since), int64(until))
}
