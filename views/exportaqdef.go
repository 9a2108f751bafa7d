package views

import (
	"context"
	"errors"
	"iter"
	"strconv"

	"github.com/routecard/routecard/internal/aqdef"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// AQDEF is a set of readings in the Q-DAS transfer format.
type AQDEF struct {
	Part aqdef.Part
	// Values yields the values, oldest first. The last thing yielded may be an error.
	Values iter.Seq2[aqdef.Value, error]
}

// ExportAQDEF exports the readings of a job that a search finds. It leaves out voided readings and text readings; the format has no value
// for a text. The descriptions come before the values, so the readings are read twice; readings that are recorded meanwhile are left out.
func (v *Views) ExportAQDEF(ctx context.Context, query shop.MeasurementQuery) (AQDEF, error) {
	if query.JobID == "" {
		return AQDEF{}, refusal.RefuseField(refusal.Required, "jobId")
	}
	query.Limit = input.SearchLimit
	export := aqdefExport{query: query, zone: v.shop, index: aqdefIndex{
		characteristics: map[aqdefCharacteristic]int{}, gages: map[string]int{}, operators: map[string]int{},
		types: map[string]card.CharacteristicType{}, names: map[string]string{}, steps: map[string]string{},
	}}
	err := v.store.Look(ctx, func(tx Reader) error { return export.describe(ctx, tx) }, shop.Browse)
	if err != nil {
		return AQDEF{}, err
	}
	return AQDEF{export.part, shop.Stream(ctx, v.store.Look, export.values)}, nil
}

type aqdefExport struct {
	query shop.MeasurementQuery
	zone  *shop.Service
	part  aqdef.Part
	order string
	last  string // the identifier of the last reading
	index aqdefIndex
}

// aqdefIndex holds the positions of the descriptions, counted from 0.
type aqdefIndex struct {
	characteristics  map[aqdefCharacteristic]int
	gages, operators map[string]int

	types        map[string]card.CharacteristicType // by the identifiers of characteristics
	names, steps map[string]string
}

// aqdefCharacteristic identifies a characteristic of the format: another revision of the plan has other limits.
type aqdefCharacteristic struct {
	id, number, place, unit string
	limits                  card.Limits
	counted                 bool
}

// each calls do for the exported readings, oldest first.
func (e *aqdefExport) each(tx Reader, do func(*card.Measurement, bool) error) error {
	if err := e.query.Check(); err != nil {
		return err
	}
	for after := ""; ; {
		found, err := tx.MeasurementsAfter(e.query, after)
		if err != nil {
			return err
		}
		for i := range found {
			m := &found[i]
			counted, has, err := e.kind(tx, m)
			if err != nil {
				return err
			}
			if after = m.ID; has && !m.Voided() {
				if err := do(m, counted); err != nil {
					return err
				}
			}
		}
		if len(found) < e.query.Limit {
			return nil
		}
	}
}

// kind reports whether a reading is counted (pass or fail), and whether the format has a value for it.
func (e *aqdefExport) kind(tx Reader, m *card.Measurement) (counted, has bool, err error) {
	kind, known := e.index.types[m.CharacteristicID]
	if !known {
		set, err := tx.SetWith(m.CharacteristicID)
		if err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return false, false, err
		}
		for i := range set.Characteristics {
			if c := &set.Characteristics[i]; c.ID == m.CharacteristicID {
				kind = c.Type
				e.index.names[c.ID] = c.Name
			}
		}
		e.index.types[m.CharacteristicID] = kind
	}
	switch kind {
	case card.PassFailReading:
		return true, m.Value == string(card.VerdictPass) || m.Value == string(card.VerdictFail), nil
	case card.NumberReading:
		_, has = input.ParseDecimal(m.Value)
	case card.TextReading:
	}
	return false, has, nil
}

func (e *aqdefExport) keyOf(m *card.Measurement, counted bool) aqdefCharacteristic {
	return aqdefCharacteristic{m.CharacteristicID, m.Number, m.Place, m.Unit, m.Limits, counted}
}

// describe creates the descriptions of the readings.
func (e *aqdefExport) describe(ctx context.Context, tx Reader) error {
	job, err := shop.FindJob(tx, e.query.JobID)
	if err != nil {
		return err
	}
	e.query.JobID, e.order = job.ID, job.OrderNumber
	e.part.Number, e.part.Name, e.part.Revision = job.PartNumber, job.Name, job.PartRevision
	paths, err := tx.PathsOfJob(job.ID)
	if err != nil {
		return err
	}
	for i := range paths {
		for j := range paths[i].Steps {
			e.index.steps[paths[i].Steps[j].ID] = paths[i].Steps[j].Name
		}
	}
	memory := shop.MemoryBudgetOf(ctx)
	return e.each(tx, func(m *card.Measurement, counted bool) error {
		e.last = m.ID
		return e.take(tx, memory, m, counted)
	})
}

// described is the approximate size of a description in bytes.
const described = 1000

// take adds the descriptions that a reading needs.
func (e *aqdefExport) take(tx Reader, memory shop.MemoryBudget, m *card.Measurement, counted bool) error {
	key := e.keyOf(m, counted)
	if _, known := e.index.characteristics[key]; !known {
		if err := memory.Take(described); err != nil {
			return err
		}
		e.index.characteristics[key] = len(e.part.Characteristics)
		e.part.Characteristics = append(e.part.Characteristics, aqdef.Characteristic{
			Number: m.Called(), Name: e.index.names[m.CharacteristicID], Counted: counted, Nominal: string(m.Limits.Nominal),
			Lower: string(m.Limits.Lower), Upper: string(m.Limits.Upper), Unit: m.Unit,
			Step: e.index.steps[m.StepID], ID: m.CharacteristicID,
		})
	}
	if _, known := e.index.operators[m.MeasuredBy]; !known {
		if err := memory.Take(described); err != nil {
			return err
		}
		e.index.operators[m.MeasuredBy] = len(e.part.Operators)
		e.part.Operators = append(e.part.Operators, aqdef.Entry{Name: m.MeasuredBy})
	}
	if _, known := e.index.gages[m.InstrumentID]; known || m.InstrumentID == "" {
		return nil
	}
	instrument, err := tx.Instrument(m.InstrumentID)
	if err != nil {
		return err
	}
	e.index.gages[m.InstrumentID] = len(e.part.Gages)
	e.part.Gages = append(e.part.Gages, aqdef.Entry{Number: instrument.Number, Name: instrument.Name})
	return memory.Take(described)
}

var errAQDEFEnd = errors.New("the readings that follow are not described")

// values yields the values of the described readings.
func (e *aqdefExport) values(tx Reader) iter.Seq2[aqdef.Value, error] {
	return func(yield func(aqdef.Value, error) bool) {
		serials := map[string]string{} // own numbers of the units of the last readings
		err := e.each(tx, func(m *card.Measurement, counted bool) error {
			if m.ID > e.last {
				return errAQDEFEnd
			}
			at, described := e.index.characteristics[e.keyOf(m, counted)]
			if !described {
				return nil // the type of the characteristic was changed meanwhile
			}
			if _, known := serials[m.SerialID]; !known {
				if len(serials) >= input.SearchLimit {
					clear(serials)
				}
				serial, err := serialOf(tx, m.SerialID)
				if err != nil {
					return err
				}
				serials[m.SerialID] = serial
			}
			if !yield(e.value(m, at, counted, serials[m.SerialID]), nil) {
				return errAQDEFEnd
			}
			return nil
		})
		if err != nil && !errors.Is(err, errAQDEFEnd) {
			yield(aqdef.Value{}, err)
		}
	}
}

// serialOf returns the number on a unit, or otherwise its identifier.
func serialOf(tx Reader, id string) (string, error) {
	numbers, err := tx.OwnNumbersOf(id)
	if err != nil {
		return "", err
	}
	for i := range numbers {
		if !numbers[i].Earlier {
			id = numbers[i].Number
		}
	}
	return id, nil
}

// value converts a reading to a value of the format.
func (e *aqdefExport) value(m *card.Measurement, at int, counted bool, serial string) aqdef.Value {
	v := aqdef.Value{
		Characteristic: at, Text: m.Value, Attribute: "0", Time: aqdef.FormatTime(m.MeasuredAt.Time().In(e.zone.Zone())),
		Serial: serial, Note: m.Note,
	}
	if counted {
		if v.Text, v.Size, v.Defects = "", "1", "0"; m.Verdict == card.VerdictFail {
			v.Defects = "1"
		}
	}
	v.Others = append(v.Others, aqdef.Field{Key: "K0008", Text: strconv.Itoa(e.index.operators[m.MeasuredBy] + 1)})
	if gage, has := e.index.gages[m.InstrumentID]; has {
		v.Others = append(v.Others, aqdef.Field{Key: "K0012", Text: strconv.Itoa(gage + 1)})
	}
	if e.order != "" {
		v.Others = append(v.Others, aqdef.Field{Key: "K0053", Text: e.order})
	}
	v.Others = append(v.Others, aqdef.Field{Key: "K0097", Text: shop.UUIDOfMeasurement(m.ID)})
	return v
}
