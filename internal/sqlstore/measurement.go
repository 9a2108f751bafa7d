package sqlstore

import (
	"encoding/json"
	"fmt"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

const setColumns = `id, step_id, revision, characteristics, changed_by, changed_at`

func scanSet(r rows) (set card.CharacteristicSet, err error) {
	var characteristics string
	if err := r.Scan(&set.ID, &set.StepID, &set.Revision, &characteristics, &set.ChangedBy, &set.ChangedAt); err != nil {
		return set, err
	}
	err = decodeSet(&set, characteristics)
	return set, err
}

func decodeSet(set *card.CharacteristicSet, characteristics string) error {
	if wrong := json.Unmarshal([]byte(characteristics), &set.Characteristics); wrong != nil {
		return &shop.UnreadableError{Table: "step_characteristics", ID: set.ID, Err: wrong}
	}
	return nil
}

func (t *transaction) InsertCharacteristics(set card.CharacteristicSet) error {
	characteristics, err := json.Marshal(set.Characteristics)
	if err != nil {
		return err
	}
	if err := run(t, `INSERT INTO step_characteristics (`+setColumns+`) VALUES ($1, $2, $3, $4, $5, $6)`,
		set.ID, set.StepID, set.Revision, string(characteristics), set.ChangedBy, int64(set.ChangedAt)); err != nil {
		return err
	}
	args := make([]any, 0, 2*len(set.Characteristics))
	for i := range set.Characteristics {
		args = append(args, set.Characteristics[i].ID, set.ID)
	}
	return insertAll(t, `INSERT INTO characteristic (id, set_id) VALUES`, 2, args,
		` ON CONFLICT (id) DO UPDATE SET set_id = excluded.set_id`)
}

func (t *transaction) SetWith(characteristicID string) (card.CharacteristicSet, error) {
	return one(t, scanSet, `SELECT s.id, s.step_id, s.revision, s.characteristics, s.changed_by, s.changed_at FROM characteristic c
		JOIN step_characteristics s ON s.id = c.set_id WHERE c.id = $1`, characteristicID)
}

func (t *transaction) AllCharacteristics() iter.Seq2[card.CharacteristicSet, error] {
	return readable(t, pages(func(last listed[card.CharacteristicSet], _ bool, limit int) ([]listed[card.CharacteristicSet], bool, error) {
		return page(t, lenient(scanSet), `SELECT `+setColumns+` FROM step_characteristics WHERE id > $1 ORDER BY id LIMIT $2`,
			last.record.ID, limit)
	}))
}

const measurementColumns = `id, serial_number, job_id, step_id, characteristic_id, balloon, place, reading, unit, verdict, nominal,
	lower_limit, upper_limit, revision, instrument_id, note, pass, measured_by, measured_at, taken_at`

// measuredTime is when a reading was taken. measured_at is when it was entered.
const measuredTime = `(CASE WHEN taken_at > 0 THEN taken_at ELSE measured_at END)`

const (
	measurementRead    = measurementColumns + `, voided_at, voided_by, void_reason`
	selectMeasurements = `SELECT ` + measurementRead + ` FROM measurement`
)

func scanMeasurement(r rows) (m card.Measurement, err error) {
	var number int64
	err = r.Scan(&m.ID, &number, &m.JobID, &m.StepID, &m.CharacteristicID, &m.Number, &m.Place, &m.Value, &m.Unit, &m.Verdict,
		&m.Limits.Nominal, &m.Limits.Lower, &m.Limits.Upper, &m.Revision, &m.InstrumentID, &m.Note, &m.Pass, &m.MeasuredBy,
		&m.EnteredAt, &m.MeasuredAt, &m.VoidedAt, &m.VoidedBy, &m.VoidReason)
	m.SerialID = ident.SerialID(number)
	if m.MeasuredAt == 0 {
		m.MeasuredAt, m.EnteredAt = m.EnteredAt, 0
	}
	return m, err
}

func (t *transaction) InsertMeasurements(made []card.Measurement) error {
	const width = 20
	args := make([]any, 0, width*len(made))
	for i := range made {
		m := &made[i]
		number, _ := ident.ParseSerialID(m.SerialID)
		taken := m.MeasuredAt
		if m.EnteredAt == 0 {
			taken = 0
		}
		args = append(args, m.ID, number, m.JobID, m.StepID, m.CharacteristicID, m.Number, m.Place, m.Value, m.Unit, string(m.Verdict),
			string(m.Limits.Nominal), string(m.Limits.Lower), string(m.Limits.Upper), m.Revision, m.InstrumentID, m.Note, m.Pass,
			m.MeasuredBy, int64(m.Entered()), int64(taken))
	}
	return insertAll(t, `INSERT INTO measurement (`+measurementColumns+`) VALUES`, width, args, "")
}

func (t *transaction) Measurement(id string) (card.Measurement, error) {
	return one(t, scanMeasurement, selectMeasurements+` WHERE id = $1`, id)
}

func (t *transaction) MeasurementsOfSerial(serialID string) ([]card.Measurement, error) {
	number, _ := ident.ParseSerialID(serialID)
	return all(t, scanMeasurement, selectMeasurements+` WHERE serial_number = $1 ORDER BY id`, number)
}

func (t *transaction) Measurements(query shop.MeasurementQuery) ([]card.Measurement, error) {
	if query.Before == "" {
		query.Before = beforeAll
	}
	var c conditions
	c.add(`id < ?`, query.Before)
	narrowMeasurements(&c, query)
	return all(t, scanMeasurement, selectMeasurements+c.where()+fmt.Sprintf(` ORDER BY id DESC LIMIT $%d`, len(c.args)+1),
		append(c.args, query.Limit)...)
}

func (t *transaction) MeasurementsAfter(query shop.MeasurementQuery, after string) ([]card.Measurement, error) {
	var c conditions
	c.add(`id > ?`, after)
	narrowMeasurements(&c, query)
	return all(t, scanMeasurement, selectMeasurements+c.where()+fmt.Sprintf(` ORDER BY id LIMIT $%d`, len(c.args)+1),
		append(c.args, query.Limit)...)
}

// narrowMeasurements adds the conditions of a query, but for where its page begins.
func narrowMeasurements(c *conditions, query shop.MeasurementQuery) {
	for _, equal := range []struct{ column, to string }{
		{"characteristic_id", query.CharacteristicID}, {"step_id", query.StepID}, {"job_id", query.JobID},
		{"verdict", string(query.Verdict)},
	} {
		if equal.to != "" {
			c.add(equal.column+` = ?`, equal.to)
		}
	}
	if query.InstrumentID != "" {
		c.add(`instrument_id <> '' AND instrument_id = ?`, query.InstrumentID)
	}
	if query.SerialID != "" {
		number, _ := ident.ParseSerialID(query.SerialID)
		c.add(`serial_number = ?`, number)
	}
	if query.From != 0 {
		c.add(measuredTime+` >= ?`, int64(query.From))
	}
	if query.To != 0 {
		c.add(measuredTime+` <= ?`, int64(query.To))
	}
}

func (t *transaction) AllMeasurements() iter.Seq2[card.Measurement, error] {
	return pages(func(last card.Measurement, _ bool, limit int) ([]card.Measurement, bool, error) {
		return page(t, scanMeasurement, selectMeasurements+` WHERE id > $1 ORDER BY id LIMIT $2`, last.ID, limit)
	})
}

func (t *transaction) VoidMeasurement(id string, v card.Voiding) error {
	return expectOne(t, `UPDATE measurement SET voided_at = $2, voided_by = $3, void_reason = $4 WHERE id = $1 AND voided_at = 0`,
		id, int64(v.VoidedAt), v.VoidedBy, v.VoidReason)
}

func (t *transaction) SerialsMeasuredWith(instrumentID string, since, until ident.Timestamp) ([]string, error) {
	return all(t, func(r rows) (string, error) {
		number, err := scalar[int64](r)
		return ident.SerialID(number), err
	}, `SELECT DISTINCT serial_number FROM measurement WHERE instrument_id <> '' AND instrument_id = $1
		AND `+measuredTime+` BETWEEN $2 AND $3 AND voided_at = 0 ORDER BY serial_number`, instrumentID, int64(since), int64(until))
}
