package shop

import (
	"context"
	"encoding/hex"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/oklog/ulid/v2"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// MeasureInput is the body of Record Measurements.
type MeasureInput struct {
	StepID input.TextInput                           `field:"stepId"` // default: the unit's current step
	Values input.Input[[]input.Input[MeasuredInput]] `field:"values"`
	UserID input.TextInput                           `field:"userId"`
	// MeasuredAt is when the values were measured, if an imported file states it. 0 means now.
	MeasuredAt ident.Timestamp `field:"-"`
	// Shown is the revision of the characteristics that the user saw. With 0, the current revision applies.
	Shown int `field:"-"`
}

// MeasuredInput is one value of a MeasureInput.
type MeasuredInput struct {
	Characteristic input.WrittenInput `field:"characteristic"` // identifier or number
	Place          input.TextInput    `field:"place"`
	Value          input.WrittenInput `field:"value"`
	InstrumentID   input.TextInput    `field:"instrumentId"`
	Note           input.TextInput    `field:"note"`
}

// measuredValue is a value whose fields have been validated.
type measuredValue struct {
	field                                   string
	named, place, value, instrumentID, note string
}

func (in MeasuredInput) check(field string) (v measuredValue, err error) {
	v.field = field
	if v.named, err = input.RequiredWritten(field+".characteristic", in.Characteristic); err != nil {
		return v, err
	}
	if v.place, err = input.OptionalWithin(field+".place", in.Place, input.NameLimit); err != nil {
		return v, err
	}
	if v.value, err = input.OptionalWritten(field+".value", in.Value, input.TextLimit); err != nil {
		return v, err
	}
	if v.value == "" {
		return v, refusal.RefuseField(refusal.Required, field+".value")
	}
	if v.instrumentID, err = input.OptionalWithin(field+".instrumentId", in.InstrumentID, input.NameLimit); err != nil {
		return v, err
	}
	v.named, v.place = strings.TrimSpace(v.named), strings.TrimSpace(v.place)
	v.note, err = input.OptionalWithin(field+".note", in.Note, input.TextLimit)
	return v, err
}

func (in MeasureInput) check(caller Caller) (values []measuredValue, userID string, err error) {
	if in.Values.Missing() {
		return nil, "", refusal.RefuseField(refusal.ListEmpty, "values")
	}
	if err := in.Values.Typed("values"); err != nil {
		return nil, "", err
	}
	if len(in.Values.Value) == 0 {
		return nil, "", refusal.RefuseField(refusal.ListEmpty, "values")
	}
	if err := input.CheckItems("values", len(in.Values.Value)); err != nil {
		return nil, "", err
	}
	values = make([]measuredValue, len(in.Values.Value))
	for i, given := range in.Values.Value {
		field := fmt.Sprintf("values[%d]", i)
		if given.State != input.StateGiven {
			return nil, "", refusal.RefuseField(refusal.NotObject, field)
		}
		if values[i], err = given.Value.check(field); err != nil {
			return nil, "", err
		}
	}
	userID, err = requiredUser(caller, in.UserID)
	return values, userID, err
}

// Step returns the index of the measured step in the unit's path: the unit's current step or a step that the unit deferred.
func (in MeasureInput) Step(unit card.Card) (int, error) {
	stepID, err := input.OptionalWithin("stepId", in.StepID, input.NameLimit)
	if err != nil {
		return 0, err
	}
	if stepID == "" {
		if unit.Current() == nil {
			return 0, refusal.RefuseField(refusal.Required, "stepId")
		}
		return unit.Serial.Position, nil
	}
	i := unit.Path.StepIndex(stepID)
	if i < 0 {
		return 0, card.NameStep.NotFound(stepID)
	}
	if !unit.MeasurableAt(i) {
		return 0, refusal.RefuseField(NotAtStep, "stepId", unit.Serial.ID, unit.Path.Steps[i].Name)
	}
	return i, nil
}

// readings evaluates values measured at step i of a card. The returned readings have no identifiers yet.
func readings(unit card.Card, i int, values []measuredValue, by string, now ident.Timestamp) ([]card.Measurement, error) {
	set := unit.Path.CharacteristicsOf(unit.Path.Steps[i].ID)
	made := make([]card.Measurement, len(values))
	seen := map[string]bool{}
	for at, v := range values {
		c := set.Find(v.named, v.place)
		if c == nil {
			return nil, NameCharacteristic.NotFound(card.CalledAt(v.named, v.place))
		}
		if seen[c.ID] {
			return nil, refusal.RefuseField(MeasuredTwice, v.field, c.Called())
		}
		seen[c.ID] = true
		value, verdict, err := c.Judge(v.field+".value", v.value)
		if err != nil {
			return nil, err
		}
		if c.InstrumentRequired && v.instrumentID == "" {
			return nil, refusal.RefuseField(refusal.Required, v.field+".instrumentId")
		}
		made[at] = card.Measurement{
			SerialID: unit.Serial.ID, StepID: set.StepID, CharacteristicID: c.ID, Number: c.Number, Place: c.Place, Value: value,
			Unit: c.Unit, Verdict: verdict, Limits: c.Limits, Revision: set.Revision, InstrumentID: v.instrumentID, Note: v.note,
			Pass: unit.Serial.Pass(), MeasuredBy: by, MeasuredAt: now, JobID: unit.Serial.JobID,
		}
	}
	return made, nil
}

// takenAt sets the time of the readings. It refuses a future time. It also refuses a time before the reading that now counts for the same
// characteristic, because the new reading would replace a more recent one.
func takenAt(card card.Card, made []card.Measurement, at, now ident.Timestamp) error {
	if at == 0 || at == now {
		return nil
	}
	if at > now {
		return refusal.RefuseField(MeasuredLater, "measuredAt")
	}
	for i := range made {
		if latest := card.Reading(made[i].CharacteristicID); latest != nil && at < latest.MeasuredAt {
			return refusal.RefuseField(MeasuredBefore, "measuredAt", latest.MeasuredAt, made[i].Called())
		}
		made[i].MeasuredAt, made[i].EnteredAt = at, now
	}
	return nil
}

// usable refuses an instrument that is due for calibration or failed its last calibration.
func (i Instrument) usable() error {
	switch i.State {
	case InstrumentDue:
		return refusal.Refuse(InstrumentIsDue, i.Number, i.DueDate)
	case InstrumentFailed:
		return refusal.Refuse(InstrumentHasFailed, i.Number)
	case InstrumentReady:
	}
	return nil
}

// refuseInstruments looks up the instrument of each reading, each once. It refuses instruments that are not usable and readings outside
// an instrument's range. set contains the characteristics of the readings.
func refuseInstruments(tx InstrumentStore, set card.CharacteristicSet, made []card.Measurement, now ident.Timestamp) error {
	var ids []string
	for i := range made {
		if id := made[i].InstrumentID; id != "" && !slices.Contains(ids, id) {
			ids = append(ids, id)
		}
	}
	slices.Sort(ids) // every transaction looks up instruments in this order
	for _, id := range ids {
		instrument, err := findInstrument(tx, id, now)
		if err != nil {
			return err
		}
		if err := instrument.usable(); err != nil {
			return err
		}
		for i := range made {
			if made[i].InstrumentID != id {
				continue
			}
			if err := instrument.CheckReading(set.Find(made[i].CharacteristicID, "").Type, made[i].Value, made[i].Unit); err != nil {
				return err
			}
		}
	}
	return nil
}

// RecordMeasurements records all of the given values of a unit or none. If a characteristic is measured again, its last reading that is
// not voided counts; earlier readings are kept.
func (s *Service) RecordMeasurements(ctx context.Context, serialID string, in MeasureInput) ([]card.Measurement, error) {
	var made []card.Measurement
	err := s.Commit(ctx, &made, func(tx Tx) error {
		unit, err := tx.RouteCard(serialID)
		if err != nil {
			return OrNotFound(err, NameSerial, serialID)
		}
		if err := card.CheckCard(unit); err != nil {
			return err
		}
		step, err := in.Step(unit)
		if err != nil {
			return err
		}
		values, userID, err := in.check(CallerOf(ctx))
		if err != nil {
			return err
		}
		set := unit.Path.CharacteristicsOf(unit.Path.Steps[step].ID)
		if in.Shown != 0 && in.Shown != set.Revision {
			return refusal.Refuse(MeasuredOtherwise, unit.Path.Steps[step].Name)
		}
		now := s.Now()
		if made, err = readings(unit, step, values, userID, now); err != nil {
			return err
		}
		if err := takenAt(unit, made, in.MeasuredAt, now); err != nil {
			return err
		}
		if err := refuseInstruments(tx, set, made, now); err != nil {
			return err
		}
		for i := range made {
			made[i].ID = s.NewID(prefixMeasurement)
		}
		if err := tx.InsertMeasurements(made); err != nil {
			return err
		}
		unit.Readings = slices.Concat(unit.Readings, made)
		if err := followFirstPiece(tx, unit, step, false); err != nil {
			return err
		}
		entry := card.EntryAbout(unit.Serial, ActionMeasured, made[0].StepID, userID, now)
		entry.Metadata = trail.Metadata(measuredEvent(unit, made))
		return tx.AppendAudit(entry)
	})
	return made, err
}

// measuredMetadata is the metadata of an entry about readings. The entry itself has the user, the time, the unit and the step.
type measuredMetadata struct {
	Revision int             `json:"revision"`
	Pass     int             `json:"pass"`
	Arrival  int64           `json:"arrival,omitempty"` // number of the unit's arrival at a step where only a sample is measured
	Values   []measuredFacts `json:"values"`
}

type measuredFacts struct {
	ID               string       `json:"id"`
	CharacteristicID string       `json:"characteristicId"`
	Number           string       `json:"number"`
	Place            string       `json:"place,omitempty"`
	Value            string       `json:"value"`
	Unit             string       `json:"unit,omitempty"`
	Verdict          card.Verdict `json:"verdict"`
	Limits           card.Limits  `json:"limits"`
	InstrumentID     string       `json:"instrumentId,omitempty"`
	Note             string       `json:"note,omitempty"`

	MeasuredAt ident.Timestamp `json:"measuredAt,omitzero"` // 0 if it is the time of the entry
}

func measuredEvent(card card.Card, made []card.Measurement) measuredMetadata {
	told := measuredMetadata{
		Revision: made[0].Revision, Pass: made[0].Pass, Arrival: card.Arrivals[made[0].StepID].Ordinal,
		Values: make([]measuredFacts, len(made)),
	}
	for i := range made {
		m := &made[i]
		told.Values[i] = measuredFacts{
			m.ID, m.CharacteristicID, m.Number, m.Place, m.Value, m.Unit, m.Verdict, m.Limits, m.InstrumentID, m.Note, 0,
		}
		if m.EnteredAt != 0 {
			told.Values[i].MeasuredAt = m.MeasuredAt
		}
	}
	return told
}

// MeasurementsOf returns the readings that an entry with ActionMeasured records.
func MeasurementsOf(entry *trail.Entry) ([]card.Measurement, error) {
	var told measuredMetadata
	if err := trail.ReadMetadata(entry, &told); err != nil {
		return nil, err
	}
	made := make([]card.Measurement, len(told.Values))
	for i, v := range told.Values {
		made[i] = card.Measurement{
			ID: v.ID, SerialID: entry.SerialID, StepID: entry.StepID, CharacteristicID: v.CharacteristicID, Number: v.Number,
			Place: v.Place, Value: v.Value, Unit: v.Unit, Verdict: v.Verdict, Limits: v.Limits, Revision: told.Revision,
			InstrumentID: v.InstrumentID, Note: v.Note, Pass: told.Pass, MeasuredBy: entry.UserID, MeasuredAt: entry.Timestamp,
			JobID: entry.JobID,
		}
		if v.MeasuredAt != 0 {
			made[i].MeasuredAt, made[i].EnteredAt = v.MeasuredAt, entry.Timestamp
		}
	}
	return made, nil
}

// VoidMeasurement voids a reading: it no longer counts, but remains on record with the reason. The user who recorded the reading may void
// it within the undo window while the unit is at the step or has deferred it. Otherwise the caller needs the permission Decide.
func (s *Service) VoidMeasurement(ctx context.Context, id string, in VoidInput) (card.Measurement, error) {
	var reading card.Measurement
	err := s.Commit(ctx, &reading, func(tx Tx) (err error) {
		if reading, err = tx.Measurement(id); err != nil {
			return OrNotFound(err, NameMeasurement, id)
		}
		unit, err := tx.RouteCard(reading.SerialID) // prevents other measurements and moves of the unit
		if err != nil {
			return err
		}
		if reading, err = tx.Measurement(id); err != nil {
			return err
		}
		if reading.Voided() {
			return refusal.Refuse(MeasurementVoided)
		}
		now := s.Now()
		if reading.Voiding, err = in.check(CallerOf(ctx), now); err != nil {
			return err
		}
		if err := s.mayVoidReading(CallerOf(ctx), unit, reading, now); err != nil {
			return err
		}
		if err := tx.VoidMeasurement(id, reading.Voiding); err != nil {
			return err
		}
		unit.Readings = slices.DeleteFunc(slices.Clone(unit.Readings), func(m card.Measurement) bool { return m.ID == id })
		if step := unit.Path.StepIndex(reading.StepID); step >= 0 && reading.Pass == unit.Serial.Pass() {
			if err := followFirstPiece(tx, unit, step, true); err != nil {
				return err
			}
		}
		entry := card.EntryAbout(unit.Serial, ActionRecordVoided, reading.StepID, reading.VoidedBy, now)
		entry.Metadata = trail.Metadata(card.VoidedMetadata{RecordID: id, Reason: reading.VoidReason})
		return tx.AppendAudit(entry)
	})
	return reading, err
}

// mayVoidReading refuses a caller who may not void a reading.
func (s *Service) mayVoidReading(caller Caller, card card.Card, reading card.Measurement, now ident.Timestamp) error {
	if i := card.Path.StepIndex(reading.StepID); i < 0 || !Unresolved(card.StepStatus(i)) {
		return caller.Require(Decide)
	}
	return mayVoid(caller, reading.MeasuredBy, reading.Entered(), now, s.undoWindow)
}

// MeasurementsOfSerial returns all readings of a unit, including voided ones, oldest first.
func (s *Service) MeasurementsOfSerial(ctx context.Context, id string) (found []card.Measurement, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		if _, err := tx.RouteCard(id); err != nil {
			return OrNotFound(err, NameSerial, id)
		}
		found, err = tx.MeasurementsOfSerial(id)
		return err
	})
	return found, err
}

// MeasurementQuery selects readings. Empty fields do not restrict the list.
type MeasurementQuery struct {
	CharacteristicID string          `query:"characteristicId"`
	StepID           string          `query:"stepId"`
	JobID            string          `query:"jobId"`
	SerialID         string          `query:"serialId"`
	InstrumentID     string          `query:"instrumentId"`
	Verdict          card.Verdict    `query:"verdict"`
	From             ident.Timestamp `query:"from"`
	To               ident.Timestamp `query:"to"`
	Before           string          `query:"before"` // identifier of the last reading on the previous page; "" for the first page
	Limit            int             `query:"limit"`  // 1 to SearchLimit; 0 for SearchDefault
}

// Check refuses an unknown verdict, and a period that ends before it begins. It does not check Before: the list does.
func (q MeasurementQuery) Check() error {
	if q.Verdict != "" && !slices.Contains(card.Verdicts(), q.Verdict) {
		return input.NotOneOf("verdict", card.Verdicts())
	}
	if q.To != 0 && q.To < q.From {
		return refusal.RefuseField(refusal.RangeBackwards, "to")
	}
	return nil
}

// MeasurementPage is one page of readings, newest first. Next is the value of Before for the next page.
type MeasurementPage = Page[card.Measurement]

// Measurements returns a page of readings, including voided ones, newest first.
func (s *Service) Measurements(ctx context.Context, query MeasurementQuery) (page MeasurementPage, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		page, err = pageOfMeasurements(tx, query)
		return err
	})
	return page, err
}

func pageOfMeasurements(tx MeasurementStore, query MeasurementQuery) (page MeasurementPage, err error) {
	if err := query.Check(); err != nil {
		return page, err
	}
	if err := input.CheckBefore(query.Before, prefixMeasurement); err != nil {
		return page, err
	}
	limit := input.PageLimit(query.Limit)
	query.Limit = limit + 1
	found, err := tx.Measurements(query)
	return pageOf(found, limit, func(m *card.Measurement) string { return m.ID }), err
}

// FindMeasurements yields all readings that match a query, newest first.
func (s *Service) FindMeasurements(ctx context.Context, query MeasurementQuery) iter.Seq2[card.Measurement, error] {
	query.Before, query.Limit = "", input.SearchLimit
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[card.Measurement, error] {
		return func(yield func(card.Measurement, error) bool) {
			for {
				page, err := pageOfMeasurements(tx, query)
				if err != nil {
					yield(card.Measurement{}, err)
					return
				}
				for i := range page.Items {
					if !yield(page.Items[i], nil) {
						return
					}
				}
				if query.Before = page.Next; page.Next == "" {
					return
				}
			}
		}
	})
}

// MeasurementStore lists the database operations for readings.
type MeasurementStore interface {
	InsertMeasurements(made []card.Measurement) error
	Measurement(id string) (card.Measurement, error)
	MeasurementsOfSerial(serialID string) ([]card.Measurement, error) // including voided ones, oldest first
	// Measurements returns readings newest first, at most query.Limit.
	Measurements(query MeasurementQuery) ([]card.Measurement, error)
	// MeasurementsAfter returns readings whose identifier sorts after a text, oldest first, at most query.Limit.
	MeasurementsAfter(query MeasurementQuery, after string) ([]card.Measurement, error)
	AllMeasurements() iter.Seq2[card.Measurement, error] // including voided ones, oldest first
	VoidMeasurement(id string, voiding card.Voiding) error
	// SerialsMeasuredWith returns the units that have a reading taken with an instrument in a period, both ends included. Voided readings
	// do not count. The units are in the order of their numbers.
	SerialsMeasuredWith(instrumentID string, since, until ident.Timestamp) ([]string, error)
}

// MeasurementOfUUID is the inverse of UUIDOfMeasurement. It returns "" for a text that is not a UUID.
func MeasurementOfUUID(text string) string {
	var id ulid.ULID
	digits := strings.ReplaceAll(strings.Trim(strings.TrimSpace(text), "{}"), "-", "")
	if n, err := hex.Decode(id[:], []byte(digits)[:min(len(digits), 2*len(id))]); err != nil || n != len(id) || len(digits) != 2*len(id) {
		return ""
	}
	return prefixMeasurement + id.String()
}

// UUIDOfMeasurement returns the identifier of a reading as a UUID.
func UUIDOfMeasurement(id string) string {
	made, err := ulid.ParseStrict(strings.TrimPrefix(id, prefixMeasurement))
	if err != nil {
		return ""
	}
	digits := hex.EncodeToString(made[:])
	return strings.Join([]string{digits[:8], digits[8:12], digits[12:16], digits[16:20], digits[20:]}, "-")
}

// Names of readings in the tables of records, operations and actions.
const (
	RecordMeasurement ident.RecordKind = "measurement"

	NameMeasurement refusal.RecordName = "Measurement"

	prefixMeasurement = "meas_"

	OpMeasure Operation = "measure"

	AboutMeasurement Subject = "measurement"

	ActionMeasured trail.Action = "measured"
)

// Reasons to refuse a measurement.
var (
	NotAtStep           = refusal.NewReason(refusal.Invalid, "not_at_step", "{serialId} is not at {step}, and has not deferred it")
	MeasuredOtherwise   = refusal.NewReason(refusal.Conflict, "measured_otherwise", "What is measured at {step} was changed meanwhile")
	MeasuredTwice       = refusal.NewReason(refusal.Invalid, "measured_twice", "{field} measures {number} a second time")
	MeasuredLater       = refusal.NewReason(refusal.Invalid, "measured_later", "{field} must not be later than now")
	MeasuredBefore      = refusal.NewReason(refusal.Invalid, "measured_before", "{field} is before {time}, when the reading of {number} that counts was taken")
	MeasurementVoided   = refusal.NewReason(refusal.Invalid, "already_voided", "Measurement is already voided")
	InstrumentIsDue     = refusal.NewReason(refusal.Invalid, "instrument_due", "Instrument {number} is due for calibration since {date}")
	InstrumentHasFailed = refusal.NewReason(refusal.Invalid, "instrument_failed", "Instrument {number} failed its last calibration")
)

var measurementNoun = noun{
	records: []Record{
		{
			Kind: RecordMeasurement, Names: named(NameMeasurement), Prefix: prefixMeasurement, Table: "measurement",
			Voidable: true, StepColumn: "step_id", Compared: true,
		},
	},
	operations: []operationRow{
		{operation: OpMeasure, permission: Work, subject: AboutMeasurement},
	},
	actions: []actionRow{
		{action: ActionMeasured, of: only(RecordMeasurement)},
	},
}
