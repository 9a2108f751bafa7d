package shop

import (
	"context"
	"errors"
	"iter"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/units"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Instrument is a measuring instrument, such as a micrometer.
type Instrument struct {
	ID         string          `json:"id"`
	Number     string          `json:"number"` // the number on its label; unique
	Name       string          `json:"name"`
	DueDate    string          `json:"dueDate,omitempty"` // last day of use before the next calibration; "" if it needs no calibration
	ExternalID string          `json:"externalId,omitempty"`
	State      InstrumentState `json:"state"` // current state; not stored
	CreatedAt  ident.Timestamp `json:"createdAt"`
	UpdatedAt  ident.Timestamp `json:"updatedAt"`
	MeasuringRange

	Result CalibrationResult `json:"-"` // result of the last calibration; "" before the first calibration
}

// InstrumentState is whether an instrument may be used.
type InstrumentState string

// The states of an instrument.
const (
	InstrumentReady  InstrumentState = "ready"
	InstrumentDue    InstrumentState = "due"    // its due date is over
	InstrumentFailed InstrumentState = "failed" // its last calibration failed
)

// InstrumentStates lists the states.
func InstrumentStates() []InstrumentState {
	return []InstrumentState{InstrumentReady, InstrumentDue, InstrumentFailed}
}

// CalibrationResult is the result of a calibration.
type CalibrationResult string

// The results of calibrations.
const (
	CalibrationPass CalibrationResult = "pass"
	CalibrationFail CalibrationResult = "fail"
)

var calibrationResults = []CalibrationResult{CalibrationPass, CalibrationFail}

// CalibrationResults returns all results in the order in which the HTTP API lists them.
func CalibrationResults() []CalibrationResult {
	return []CalibrationResult{CalibrationPass, CalibrationFail}
}

// Calibration is one calibration of an instrument. It never changes; the latest calibration counts.
type Calibration struct {
	ID           string            `json:"id"`
	InstrumentID string            `json:"instrumentId"`
	Result       CalibrationResult `json:"result"`            // after adjustment
	AsFound      CalibrationResult `json:"asFound,omitempty"` // before adjustment; a failure puts units in doubt, see UnitsInDoubt
	DueDate      string            `json:"dueDate"`
	CalibratedBy string            `json:"calibratedBy"`
	CalibratedAt ident.Timestamp   `json:"calibratedAt"`
}

// At returns the instrument with its state at a time. It can still be used on its due date, in UTC.
func (i Instrument) At(now ident.Timestamp) Instrument {
	switch {
	case i.Result == CalibrationFail:
		i.State = InstrumentFailed
	case i.DueDate != "" && now.Time().Format(input.DateLayout) > i.DueDate:
		i.State = InstrumentDue
	default:
		i.State = InstrumentReady
	}
	return i
}

// calibrated returns the instrument after a calibration.
func (i Instrument) calibrated(c Calibration) Instrument {
	i.Result, i.DueDate, i.UpdatedAt = c.Result, c.DueDate, c.CalibratedAt
	return i
}

// MeasuringRange is the range of values that an instrument can read. Without From and To it is unlimited.
type MeasuringRange struct {
	From input.Decimal `json:"rangeFrom,omitempty"` // the lowest value; "" for no limit
	To   input.Decimal `json:"rangeTo,omitempty"`   // the highest value; "" for no limit
	Unit string        `json:"unit,omitempty"`      // unit of From and To
}

// MeasuringRangeInput has the request fields of a measuring range.
type MeasuringRangeInput struct {
	From input.WrittenInput `field:"rangeFrom"`
	To   input.WrittenInput `field:"rangeTo"`
	Unit input.TextInput    `field:"unit"`
}

// change applies the fields that are present, and checks the resulting range.
func (in MeasuringRangeInput) change(r *MeasuringRange) (err error) {
	if in.From.Present() {
		if r.From, err = input.OptionalDecimal("rangeFrom", in.From); err != nil {
			return err
		}
	}
	if in.To.Present() {
		if r.To, err = input.OptionalDecimal("rangeTo", in.To); err != nil {
			return err
		}
	}
	if r.From != "" && r.To != "" && r.From.Compare(r.To) > 0 {
		return refusal.RefuseField(LimitsBackwards, "rangeTo", string(r.From))
	}
	if in.Unit.Present() {
		if r.Unit, err = input.OptionalWithin("unit", in.Unit, input.NameLimit); err != nil {
			return err
		}
		r.Unit = strings.TrimSpace(r.Unit)
	}
	if r.limited() && r.Unit == "" {
		return refusal.RefuseField(refusal.Required, "unit")
	}
	return nil
}

func (r MeasuringRange) limited() bool { return r.From != "" || r.To != "" }

// Limits returns the range as limits of a value.
func (r MeasuringRange) Limits() card.Limits { return card.Limits{Lower: r.From, Upper: r.To} }

// text formats the range for a message.
func (r MeasuringRange) text() string {
	switch {
	case r.To == "":
		return "from " + string(r.From) + " " + r.Unit
	case r.From == "":
		return "up to " + string(r.To) + " " + r.Unit
	}
	return string(r.From) + " to " + string(r.To) + " " + r.Unit
}

// CheckReading refuses a number outside the instrument's range. It does not compare numbers in another unit.
func (i Instrument) CheckReading(kind card.CharacteristicType, value, unit string) error {
	if kind != card.NumberReading || !i.limited() || !units.Same(unit, i.Unit) {
		return nil
	}
	if below, above := i.Limits().Outside(input.Decimal(value)); !below && !above {
		return nil
	}
	return refusal.Refuse(OutsideRange, i.Number, i.text(), value)
}

// InstrumentInput is the body of Create Instrument and of Update Instrument.
type InstrumentInput struct {
	Number     input.TextInput `field:"number"`
	Name       input.TextInput `field:"name"`
	DueDate    input.TextInput `field:"dueDate"`
	ExternalID input.TextInput `field:"externalId"`
	ChangedBy  input.TextInput `field:"changedBy"` // only for the audit trail
	MeasuringRangeInput
}

// change validates and applies the fields that are present. A new instrument requires number and name.
func (in InstrumentInput) change(prefix ident.Prefix, i *Instrument) (err error) {
	anew := i.ID == ""
	if anew || in.Number.Present() {
		before := i.Number
		if i.Number, err = input.RequiredName("number", in.Number); err != nil {
			return err
		}
		if i.Number = strings.TrimSpace(i.Number); i.Number != before {
			if err := RefuseReserved(prefix, "number", i.Number, i.ID); err != nil {
				return err
			}
		}
	}
	if anew || in.Name.Present() {
		if i.Name, err = input.RequiredTrimmed(in.Name); err != nil {
			return err
		}
	}
	if in.DueDate.Present() {
		if i.DueDate, err = input.OptionalWithin("dueDate", in.DueDate, input.NameLimit); err != nil {
			return err
		}
		if err := input.CheckDate("dueDate", i.DueDate); err != nil {
			return err
		}
	}
	if in.ExternalID.Present() {
		before := i.ExternalID
		if i.ExternalID, err = input.OptionalWithin("externalId", in.ExternalID, input.NameLimit); err != nil {
			return err
		}
		if i.ExternalID = strings.TrimSpace(i.ExternalID); i.ExternalID != before {
			if err := RefuseReserved(prefix, "externalId", i.ExternalID, i.ID); err != nil {
				return err
			}
		}
	}
	return in.MeasuringRangeInput.change(&i.MeasuringRange)
}

// CreateInstrument creates an instrument.
func (s *Service) CreateInstrument(ctx context.Context, in InstrumentInput) (Instrument, error) {
	var made Instrument
	if err := in.change(s.SerialPrefix(), &made); err != nil {
		return made, err
	}
	userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
	if err != nil {
		return made, err
	}
	err = s.Commit(ctx, &made, func(tx Tx) error {
		if err := refuseTaken(tx, made); err != nil {
			return err
		}
		now := s.Now()
		made.ID, made.CreatedAt, made.UpdatedAt = s.NewID(prefixInstrument), now, now
		made = made.At(now)
		if err := tx.InsertInstrument(made); err != nil {
			if errors.Is(err, ErrDuplicate) {
				return refusal.RefuseField(InstrumentNumberTaken, "number")
			}
			return err
		}
		after := made.facts()
		return tx.AppendAudit(trail.Entry{
			Action: ActionInstrumentCreated, UserID: userID, Timestamp: now,
			Metadata: trail.Metadata(instrumentEvent{InstrumentID: made.ID, Number: made.Number, After: &after, Contents: made.Contents()}),
		})
	})
	return made, err
}

// UpdateInstrument changes the fields that the request contains.
func (s *Service) UpdateInstrument(ctx context.Context, id string, in InstrumentInput) (Instrument, error) {
	var changed Instrument
	err := s.Commit(ctx, &changed, func(tx Tx) (err error) {
		now := s.Now()
		before, err := findInstrument(tx, id, now)
		if err != nil {
			return err
		}
		if err := RefuseUnread(ctx, NameInstrument, id, func() (any, error) { return before, nil }); err != nil {
			return err
		}
		changed = before
		if err := in.change(tx.SerialPrefix(), &changed); err != nil {
			return err
		}
		userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
		if err != nil {
			return err
		}
		if err := refuseTaken(tx, changed); err != nil {
			return err
		}
		changed.UpdatedAt = now
		changed = changed.At(now)
		if err := tx.UpdateInstrument(changed); err != nil {
			return err
		}
		was, is := before.facts(), changed.facts()
		if was == is {
			return nil
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionInstrumentChanged, UserID: userID, Timestamp: now,
			Metadata: trail.Metadata(instrumentEvent{
				InstrumentID: id, Number: before.Number, Before: &was, After: &is, Contents: changed.Contents(),
			}),
		})
	})
	return changed, err
}

// refuseTaken refuses an instrument with the number or external id of another instrument.
func refuseTaken(tx InstrumentStore, i Instrument) error {
	other, err := tx.InstrumentNumbered(i.Number)
	if err == nil && other.ID != i.ID {
		return refusal.RefuseField(InstrumentNumberTaken, "number")
	}
	if err != nil && !errors.Is(err, ErrNoRecord) || i.ExternalID == "" {
		return IgnoreNoRecord(err)
	}
	other, err = tx.InstrumentOutside(i.ExternalID)
	if err == nil && other.ID != i.ID {
		return refusal.RefuseField(ExternalIDTaken, "externalId", i.ExternalID, other.ID)
	}
	return IgnoreNoRecord(err)
}

// IgnoreNoRecord returns nil for ErrNoRecord, and every other error unchanged.
func IgnoreNoRecord(err error) error {
	if errors.Is(err, ErrNoRecord) {
		return nil
	}
	return err
}

func findInstrument(tx InstrumentStore, id string, now ident.Timestamp) (Instrument, error) {
	found, err := tx.Instrument(id)
	return found.At(now), OrNotFound(err, NameInstrument, id)
}

// Instrument returns an instrument.
func (s *Service) Instrument(ctx context.Context, id string) (found Instrument, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		found, err = findInstrument(tx, id, s.Now())
		return err
	})
	return found, err
}

// UsableInstrument returns the instrument with a number. It refuses an instrument that may not be used now.
func (s *Service) UsableInstrument(ctx context.Context, number string) (found Instrument, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		found, err = tx.InstrumentNumbered(strings.TrimSpace(number))
		found = found.At(s.Now())
		if err != nil {
			return OrNotFound(err, NameInstrument, number)
		}
		return found.usable()
	})
	return found, err
}

// InstrumentQuery selects instruments.
type InstrumentQuery struct {
	Text   string          `query:"q"`      // text in the number, the name or the external id; "" for all
	State  InstrumentState `query:"state"`  // "" for all
	Before string          `query:"before"` // the id of the last instrument on the previous page; "" for the first page
	Limit  int             `query:"limit"`  // 1 to SearchLimit; 0 for SearchDefault
}

// InstrumentPage is one page of instruments, newest first. Next is the value of Before for the next page.
type InstrumentPage = Page[Instrument]

// Instruments returns one page of instruments, newest first.
func (s *Service) Instruments(ctx context.Context, query InstrumentQuery) (InstrumentPage, error) {
	page := InstrumentPage{Items: []Instrument{}}
	if err := query.Check(); err != nil {
		return page, err
	}
	if err := input.CheckBefore(query.Before, prefixInstrument); err != nil {
		return page, err
	}
	err := s.store.View(ctx, func(tx Reader) error {
		page = InstrumentPage{Items: []Instrument{}}
		now := s.Now()
		for found, err := range tx.Instruments(query.Before) {
			if err != nil {
				return err
			}
			if found = found.At(now); !query.Finds(found) {
				continue
			}
			if len(page.Items) == input.PageLimit(query.Limit) {
				page.Next = page.Items[len(page.Items)-1].ID
				return nil
			}
			page.Items = append(page.Items, found)
		}
		return nil
	})
	return page, err
}

// Check refuses an unknown state. Instruments checks Before.
func (q InstrumentQuery) Check() error {
	if q.State != "" && !slices.Contains(InstrumentStates(), q.State) {
		return input.NotOneOf("state", InstrumentStates())
	}
	return nil
}

// Finds reports whether an instrument matches the query. Its State must be set.
func (q InstrumentQuery) Finds(i Instrument) bool {
	text := strings.ToLower(i.Number + "\n" + i.Name + "\n" + i.ExternalID)
	return strings.Contains(text, strings.ToLower(q.Text)) && (q.State == "" || q.State == i.State)
}

// CalibrateInput is the body of Calibrate Instrument.
type CalibrateInput struct {
	Result  input.TextInput `field:"result"`
	AsFound input.TextInput `field:"asFound"`
	DueDate input.TextInput `field:"dueDate"`
	UserID  input.TextInput `field:"userId"`
}

func (in CalibrateInput) check(caller Caller) (c Calibration, err error) {
	if c.Result, err = input.OneOf("result", in.Result, calibrationResults); err != nil || c.Result == "" {
		return c, input.NotOneOf("result", calibrationResults)
	}
	if !in.AsFound.Missing() && in.AsFound.Value != "" {
		if c.AsFound, err = input.OneOf("asFound", in.AsFound, calibrationResults); err != nil {
			return c, err
		}
	}
	if c.DueDate, err = input.RequiredWithin("dueDate", in.DueDate, input.NameLimit, refusal.Required); err != nil {
		return c, err
	}
	if err := input.CheckDate("dueDate", c.DueDate); err != nil {
		return c, err
	}
	c.CalibratedBy, err = requiredUser(caller, in.UserID)
	return c, err
}

// CalibrateInstrument records a calibration. The instrument gets the result and the due date of the calibration.
func (s *Service) CalibrateInstrument(ctx context.Context, id string, in CalibrateInput) (Calibration, error) {
	var made Calibration
	err := s.Commit(ctx, &made, func(tx Tx) error {
		now := s.Now()
		before, err := findInstrument(tx, id, now)
		if err != nil {
			return err
		}
		if err := RefuseUnread(ctx, NameInstrument, id, func() (any, error) { return before, nil }); err != nil {
			return err
		}
		if made, err = in.check(CallerOf(ctx)); err != nil {
			return err
		}
		made.ID, made.InstrumentID, made.CalibratedAt = s.NewID(prefixCalibration), id, now
		after := before.calibrated(made)
		if err := errors.Join(tx.InsertCalibration(made), tx.UpdateInstrument(after)); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionInstrumentCalibrated, UserID: made.CalibratedBy, Timestamp: now,
			Metadata: trail.Metadata(instrumentEvent{
				InstrumentID: id, Number: before.Number, CalibrationID: made.ID, After: &instrumentFacts{
					DueDate: made.DueDate, Result: made.Result, AsFound: made.AsFound,
				},
				Contents: after.Contents(), Calibration: made.Contents(),
			}),
		})
	})
	return made, err
}

// CalibrationsOf returns the calibrations of an instrument, oldest first.
func (s *Service) CalibrationsOf(ctx context.Context, id string) (found []Calibration, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		if _, err = findInstrument(tx, id, 0); err != nil {
			return err
		}
		found, err = tx.CalibrationsOf(id)
		return err
	})
	return found, err
}

// instrumentEvent is the metadata of an instrument's audit entry.
type instrumentEvent struct {
	InstrumentID  string               `json:"instrumentId"`
	Number        string               `json:"number"` // the number before the change
	CalibrationID string               `json:"calibrationId,omitempty"`
	Before        *instrumentFacts     `json:"before,omitempty"`
	After         *instrumentFacts     `json:"after"`
	Contents      trail.ContentsSHA256 `json:"contentsSha256"`
	Calibration   trail.ContentsSHA256 `json:"calibrationSha256,omitempty"`
}

// instrumentFacts has the fields of an instrument that can change, as the audit trail records them.
type instrumentFacts struct {
	Number     string            `json:"number,omitempty"`
	Name       string            `json:"name,omitempty"`
	DueDate    string            `json:"dueDate,omitempty"`
	ExternalID string            `json:"externalId,omitempty"`
	Result     CalibrationResult `json:"result,omitempty"`
	AsFound    CalibrationResult `json:"asFound,omitempty"`
	MeasuringRange
}

func (i Instrument) facts() instrumentFacts {
	return instrumentFacts{
		Number: i.Number, Name: i.Name, DueDate: i.DueDate, ExternalID: i.ExternalID, MeasuringRange: i.MeasuringRange,
	}
}

// Contents returns the SHA-256 of the contents that an instrument's audit entries record.
func (i Instrument) Contents() trail.ContentsSHA256 {
	told := []any{i.ID, i.Number, i.Name, i.DueDate, i.ExternalID, i.Result, i.CreatedAt}
	if i.limited() || i.Unit != "" { // entries of earlier releases have no range
		told = append(told, i.MeasuringRange)
	}
	return trail.ContentsOf(told)
}

// Contents returns the SHA-256 of the contents that a calibration's audit entry records.
func (c Calibration) Contents() trail.ContentsSHA256 { return trail.ContentsOf(c) }

// InstrumentReadingsQuery selects readings of an instrument.
type InstrumentReadingsQuery struct {
	Since  ident.Timestamp `query:"since"`  // at or after this time; 0 for all
	Before string          `query:"before"` // the id of the last reading on the previous page; "" for the first page
	Limit  int             `query:"limit"`  // 1 to SearchLimit; 0 for SearchDefault
}

// ReadingsWith returns one page of the readings that were taken with an instrument, newest first.
func (s *Service) ReadingsWith(ctx context.Context, id string, query InstrumentReadingsQuery) (page MeasurementPage, err error) {
	err = s.store.View(ctx, func(tx Reader) (err error) {
		if _, err = findInstrument(tx, id, 0); err != nil {
			return err
		}
		page, err = pageOfMeasurements(tx, MeasurementQuery{
			InstrumentID: id, From: query.Since, Before: query.Before, Limit: query.Limit,
		})
		return err
	})
	return page, err
}

// Doubtful has the units that were measured with an instrument after its last good calibration and before the calibration that
// failed. An operation on many serials, such as Batch Hold, accepts Ranges and ExpectedCount as its selection.
type Doubtful struct {
	InstrumentID  string          `json:"instrumentId"`
	Since         ident.Timestamp `json:"since,omitzero"` // time of the last good calibration; 0 if there was none
	Until         ident.Timestamp `json:"until,omitzero"` // time of the failed calibration; 0 if none failed
	Ranges        []SerialSpan    `json:"ranges"`
	ExpectedCount int             `json:"expectedCount"`
	Next          string          `json:"-"` // the value of After for the next page; "" on the last page
}

// DoubtQuery selects a page of the units in doubt. The zero DoubtQuery selects all of them.
type DoubtQuery struct {
	After string `query:"after"` // the id of a unit: only units with larger numbers
	Limit int    `query:"limit"` // the maximum number of units; 0 for all
}

// cut returns a page of units, which are sorted by number, and the value of After for the next page.
func (q DoubtQuery) cut(prefix ident.Prefix, units []string) (page []string, next string) {
	after, _ := prefix.ParseSerialID(q.After)
	units = slices.DeleteFunc(units, func(id string) bool {
		number, _ := prefix.ParseSerialID(id)
		return number <= after
	})
	if q.Limit == 0 || len(units) <= q.Limit {
		return units, ""
	}
	return units[:q.Limit], units[q.Limit-1]
}

// doubt returns the period in which the readings of an instrument are in doubt. Calibrations are oldest first.
func doubt(calibrations []Calibration) (since, until ident.Timestamp) {
	for _, c := range slices.Backward(calibrations) {
		switch {
		case until == 0 && c.AsFound == CalibrationFail:
			until = c.CalibratedAt
		case until != 0 && c.Result == CalibrationPass:
			return c.CalibratedAt, until
		}
	}
	return 0, until
}

// UnitsInDoubt returns the units that the last failed calibration of an instrument puts in doubt: none if no calibration failed. A client
// that follows Next gets every unit that remains in doubt exactly once, and can send each page to Batch Hold separately.
func (s *Service) UnitsInDoubt(ctx context.Context, instrumentID string, query DoubtQuery) (Doubtful, error) {
	found := Doubtful{InstrumentID: instrumentID, Ranges: []SerialSpan{}}
	if _, ok := s.SerialPrefix().ParseSerialID(query.After); !ok && query.After != "" {
		return found, refusal.RefuseField(refusal.NotSerialID, "after")
	}
	err := s.store.View(ctx, func(tx Reader) error {
		if _, err := findInstrument(tx, instrumentID, 0); err != nil {
			return err
		}
		calibrations, err := tx.CalibrationsOf(instrumentID)
		if err != nil {
			return err
		}
		found.Since, found.Until = doubt(calibrations)
		if found.Until == 0 {
			return nil
		}
		units, err := tx.SerialsMeasuredWith(instrumentID, found.Since, found.Until)
		units, found.Next = query.cut(tx.SerialPrefix(), units)
		found.Ranges, found.ExpectedCount = SpansOf(tx.SerialPrefix(), units), len(units)
		return err
	})
	return found, err
}

// InstrumentStore has the database functions for instruments.
type InstrumentStore interface {
	// InsertInstrument returns ErrDuplicate if another instrument has the number or the external id.
	InsertInstrument(instrument Instrument) error
	UpdateInstrument(instrument Instrument) error
	Instrument(id string) (Instrument, error)
	InstrumentNumbered(number string) (Instrument, error)
	InstrumentOutside(externalID string) (Instrument, error)
	// Instruments yields the instruments whose id sorts before the given text, newest first; "" for all.
	Instruments(before string) iter.Seq2[Instrument, error]
	InsertCalibration(calibration Calibration) error
	CalibrationsOf(instrumentID string) ([]Calibration, error) // oldest first
	Calibrations() iter.Seq2[Calibration, error]               // of all instruments, oldest first
}

// Names of instruments and calibrations in the tables of nouns.go.
const (
	RecordInstrument  ident.RecordKind = "instrument"
	RecordCalibration ident.RecordKind = "calibration"

	NameInstrument refusal.RecordName = "Instrument"

	prefixInstrument  = "inst_"
	prefixCalibration = "cali_"

	OpCreateInstrument Operation = "create-instrument"
	OpUpdateInstrument Operation = "update-instrument"
	OpCalibrate        Operation = "calibrate"

	AboutInstrument Subject = "instrument"

	ActionInstrumentCreated    trail.Action = "instrument_created"
	ActionInstrumentChanged    trail.Action = "instrument_changed"
	ActionInstrumentCalibrated trail.Action = "instrument_calibrated"
)

// Reasons for refusing to change or use instruments.
var (
	InstrumentNumberTaken = refusal.NewReason(refusal.Invalid, "name_taken", "Instrument number already exists")
	OutsideRange          = refusal.NewReason(refusal.Invalid, "outside_range", "Instrument {number} measures {limits}, and the value is {value}")
	ExternalIDTaken       = refusal.NewReason(refusal.Conflict, "external_id_taken", "externalId is already used: {externalId} ({id})")
)

var instrumentNoun = noun{
	records: []Record{
		{
			Kind: RecordInstrument, Names: named(NameInstrument), Prefix: prefixInstrument, Table: "instrument",
			Called: []string{"name", "number", "external_id"}, Tagged: true, Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told instrumentEvent
				err := trail.ReadMetadata(entry, &told)
				return told.InstrumentID, told.Contents, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.Instruments(""), func(i Instrument) Kept { return Kept{i.ID, i.Contents()} })
			},
		},
		{
			Kind: RecordCalibration, Prefix: prefixCalibration, Table: "calibration", Compared: true,
			Told: func(entry *trail.Entry) (string, trail.ContentsSHA256, error) {
				var told instrumentEvent
				err := trail.ReadMetadata(entry, &told)
				return told.CalibrationID, told.Calibration, err
			},
			Kept: func(tx Tx) iter.Seq2[Kept, error] {
				return keptOf(tx.Calibrations(), func(c Calibration) Kept { return Kept{c.ID, c.Contents()} })
			},
		},
	},
	operations: []operationRow{
		{operation: OpCreateInstrument, permission: Plan, subject: AboutInstrument},
		{operation: OpUpdateInstrument, permission: Plan, subject: AboutInstrument},
		{operation: OpCalibrate, permission: Decide, subject: AboutInstrument},
	},
	actions: []actionRow{
		{action: ActionInstrumentCreated, of: only(RecordInstrument)},
		{action: ActionInstrumentChanged, of: only(RecordInstrument)},
		{action: ActionInstrumentCalibrated, of: []ident.RecordKind{RecordInstrument, RecordCalibration}},
	},
}
