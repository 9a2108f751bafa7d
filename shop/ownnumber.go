package shop

import (
	"context"
	"fmt"
	"iter"
	"strconv"
	"strings"
	"unicode"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// A unit may have its own number, engraved on it or written in its papers, in addition to the identifier from Routecard. Both identify the
// unit. Within a scope, two units cannot have the same own number at the same time. The scope is all jobs with the unit's part number, or
// the unit's job if the job has no part number. An earlier number of a unit still finds the unit.

// OwnNumberLimit is the maximum length of an own number in characters.
const OwnNumberLimit = 64

// digitsLimit is the maximum number of digits in consecutive own numbers.
const digitsLimit = 15

// OwnNumber is a number that a serial has or had.
type OwnNumber struct {
	SerialID string
	Number   string
	JobID    string
	Scope    string          // no two serials in it have the same number: see Job.NumberScope
	GivenAt  ident.Timestamp // when the serial got it
	Earlier  bool            // whether the serial has another number now
}

// NumberScope returns the scope of the own numbers of a job's serials: the part number as displayed, or the job if there is none.
func (j *Job) NumberScope() string {
	if part := j.Part(); part != "" {
		return scopeOfPart + part
	}
	return "job " + j.ID
}

// scopeOfPart is the prefix of a scope that is a part number.
const scopeOfPart = "part "

// Part is the part number of the unit's job as displayed; "" if there is none.
func (n *OwnNumber) Part() string {
	part, of := strings.CutPrefix(n.Scope, scopeOfPart)
	if !of {
		return ""
	}
	return part
}

// ownNumber trims and validates an own number.
func ownNumber(field string, in input.TextInput) (string, error) {
	in.Value = strings.TrimSpace(in.Value)
	number, err := input.RequiredWithin(field, in, OwnNumberLimit, refusal.Required)
	if err == nil && strings.ContainsFunc(number, invisible) {
		err = refusal.RefuseField(NotVisible, field)
	}
	return number, err
}

func invisible(c rune) bool { return !unicode.IsPrint(c) }

// refuseNumber refuses a number with invisible characters, and a number that is a reserved code.
func refuseNumber(prefix ident.Prefix, field, number string) error {
	if strings.ContainsFunc(number, invisible) {
		return refusal.RefuseField(NotVisible, field)
	}
	return RefuseReserved(prefix, field, number, "")
}

// NumberingInput describes consecutive own numbers for new serials.
type NumberingInput struct {
	Prefix input.TextInput   `field:"prefix"`
	First  input.NumberInput `field:"first"`
	Digits input.NumberInput `field:"digits"`
}

// numbers returns an own number for each new serial. Digits is the exact number of digits of each number; without it the numbers have no
// leading zeros.
func (in NumberingInput) numbers(prefix ident.Prefix, quantity int64) ([]string, error) {
	in.Prefix.Value = strings.TrimLeftFunc(in.Prefix.Value, unicode.IsSpace)
	begins, err := input.OptionalWithin("numbering.prefix", in.Prefix, OwnNumberLimit)
	if err != nil {
		return nil, err
	}
	first, err := input.RequiredQuantity("numbering.first", in.First)
	if err != nil {
		return nil, err
	}
	digits := int64(1)
	if !in.Digits.Missing() {
		if digits, err = input.ChangedQuantity("numbering.digits", in.Digits); err != nil {
			return nil, err
		}
		if digits > digitsLimit {
			return nil, refusal.RefuseField(refusal.NumberTooLarge, "numbering.digits", digitsLimit)
		}
	}
	last := fmt.Sprintf("%0*d", digits, first+quantity-1)
	if !in.Digits.Missing() && int64(len(last)) > digits {
		return nil, refusal.RefuseField(NumberingFull, "numbering.digits", last)
	}
	if len([]rune(begins))+len(last) > OwnNumberLimit {
		return nil, refusal.RefuseField(refusal.TooLong, "numbering.prefix")
	}
	numbers, length := make([]string, quantity), 0
	for i := range numbers {
		numbers[i] = fmt.Sprintf("%s%0*d", begins, digits, first+int64(i))
		if len(numbers[i]) != length { // either all numbers of one length are reserved, or none is
			length = len(numbers[i])
			if err := refuseNumber(prefix, "numbering.prefix", numbers[i]); err != nil {
				return nil, err
			}
		}
	}
	return numbers, nil
}

// ListedNumbers validates the own numbers that a request lists. It does not refuse reserved numbers: units may have such numbers already.
func ListedNumbers(in input.TextsInput) ([]string, error) {
	const field = "serialNumbers"
	if err := in.Typed(field); err != nil {
		return nil, err
	}
	if len(in.Value) == 0 {
		return nil, refusal.RefuseField(refusal.ListEmpty, field)
	}
	if err := input.CheckItems(field, len(in.Value)); err != nil {
		return nil, err
	}
	numbers, seen := make([]string, len(in.Value)), make(map[string]bool, len(in.Value))
	for i, item := range in.Value {
		name := fmt.Sprintf("%s[%d]", field, i)
		if err := item.Typed(name); err != nil {
			return nil, err
		}
		number, err := ownNumber(name, item)
		if err != nil {
			return nil, err
		}
		if seen[number] {
			return nil, refusal.RefuseField(NumberTwice, name)
		}
		numbers[i], seen[number] = number, true
	}
	return numbers, nil
}

// quantityAndNumbers validates the number of new serials and their own numbers. numbers is nil if the request specifies none.
func (in *CreateSerialsInput) quantityAndNumbers(prefix ident.Prefix) (quantity int64, numbers []string, err error) {
	listed, numbered := !in.SerialNumbers.Missing(), !in.Numbering.Missing()
	if !listed || !in.Quantity.Missing() {
		in.Quantity.Value = min(in.Quantity.Value, BatchLimit+1) // any quantity above the limit gets the same refusal
		if quantity, err = input.RequiredQuantity("quantity", in.Quantity); err != nil {
			return 0, nil, err
		}
		if quantity > BatchLimit {
			return 0, nil, refusal.RefuseField(refusal.NumberTooLarge, "quantity", BatchLimit)
		}
	}
	switch {
	case listed && numbered:
		return 0, nil, refusal.RefuseField(TwoNumberings, "numbering")
	case numbered:
		if err = in.Numbering.Typed("numbering"); err == nil {
			numbers, err = in.Numbering.Value.numbers(prefix, quantity)
		}
	case listed:
		if numbers, err = ListedNumbers(in.SerialNumbers); err != nil {
			return 0, nil, err
		}
		for i, number := range numbers {
			if err := RefuseReserved(prefix, fmt.Sprintf("serialNumbers[%d]", i), number, ""); err != nil {
				return 0, nil, err
			}
		}
		if in.Quantity.Missing() {
			quantity = int64(len(numbers))
		}
		if quantity != int64(len(numbers)) {
			err = refusal.RefuseField(QuantityDiffers, "quantity", len(numbers))
		}
	}
	return quantity, numbers, err
}

// numberBatch assigns own numbers to the serials of a new batch, in order, and adds an audit entry for each. It refuses the batch at the
// first number that is taken. It locks the job, whose part number is the scope, and then the scope.
func numberBatch(tx Tx, batch *SerialBatch, numbers []string, userID string) error {
	if len(numbers) == 0 {
		return nil
	}
	job, err := FindJob(tx, batch.JobID)
	if err != nil {
		return err
	}
	batch.Numbers = numbers
	given, entries := make([]OwnNumber, len(numbers)), make([]trail.Entry, len(numbers))
	for i, number := range numbers {
		serial := batch.Serial(tx.SerialPrefix(), batch.First+int64(i))
		given[i] = OwnNumber{SerialID: serial.ID, Number: number, JobID: job.ID, Scope: job.NumberScope(), GivenAt: batch.At}
		entries[i] = numberEntry(serial, "", number, "", userID, batch.At)
	}
	if err := giveNumbers(tx, given); err != nil {
		return err
	}
	return tx.AppendAudit(entries...)
}

// giveNumbers assigns numbers to serials of one scope. It refuses the first number that another serial has.
func giveNumbers(tx OwnNumberStore, given []OwnNumber) error {
	numbers := make([]string, len(given))
	for i := range given {
		numbers[i] = given[i].Number
	}
	taken, err := tx.OwnNumbersTaken(given[0].Scope, numbers)
	if err != nil {
		return err
	}
	for i := range given {
		if owner := taken[given[i].Number]; owner != "" && owner != given[i].SerialID {
			return refusal.Refuse(OwnNumberTaken, given[i].Number, owner)
		}
	}
	return tx.GiveOwnNumbers(given)
}

// numberEntry returns the audit entry about an own number.
func numberEntry(serial card.Serial, before, after, reason, userID string, at ident.Timestamp) trail.Entry {
	entry := card.EntryAbout(serial, card.ActionSerialNumberSet, "", userID, at)
	entry.Metadata = trail.Metadata(replay.NumberMetadata{Before: OrNull(before), After: after, Reason: reason})
	return entry
}

// SetSerialNumberInput is the body of Set Serial Number.
type SetSerialNumberInput struct {
	SerialNumber input.TextInput `field:"serialNumber"`
	Reason       input.TextInput `field:"reason"`
	UserID       input.TextInput `field:"userId"`
}

// SetSerialNumber sets or corrects the own number of a serial, whatever its status. A correction requires a reason and the permission
// Decide. Setting the current number again changes nothing and adds no audit entry.
func (s *Service) SetSerialNumber(ctx context.Context, id string, in SetSerialNumberInput) (card.Serial, error) {
	var serial card.Serial
	err := s.Commit(ctx, &serial, func(tx Tx) error {
		card, err := tx.RouteCard(id)
		if err != nil {
			return OrNotFound(err, NameSerial, id)
		}
		serial = card.Serial
		number, err := ownNumber("serialNumber", in.SerialNumber)
		if err != nil {
			return err
		}
		reason, err := input.OptionalWithin("reason", in.Reason, input.TextLimit)
		if err != nil {
			return err
		}
		before := serial.SerialNumber
		if number != before {
			if err := RefuseReserved(tx.SerialPrefix(), "serialNumber", number, ""); err != nil {
				return err
			}
		}
		if before != "" && number != before && reason == "" {
			return refusal.RefuseField(refusal.Required, "reason")
		}
		userID, err := requiredUser(CallerOf(ctx), in.UserID)
		if err != nil || number == before {
			return err
		}
		if err := refuseRenumber(CallerOf(ctx), before); err != nil {
			return err
		}
		job, err := FindJob(tx, serial.JobID)
		if err != nil {
			return err
		}
		now := s.Now()
		if err := giveNumbers(tx, []OwnNumber{
			{SerialID: id, Number: number, JobID: job.ID, Scope: job.NumberScope(), GivenAt: now},
		}); err != nil {
			return err
		}
		serial.SerialNumber = number
		return tx.AppendAudit(numberEntry(serial, before, number, reason, userID, now))
	})
	return serial, err
}

// refuseRenumber refuses a caller who may not correct a serial's number.
func refuseRenumber(caller Caller, before string) error {
	if before == "" {
		return nil
	}
	return caller.Require(Decide)
}

// rescopeNumbers updates the scope of the own numbers of a job's serials when its part number changes. It refuses a part number with
// which two units of the part would have the same number.
func rescopeNumbers(tx OwnNumberStore, before, after *Job) error {
	scope := after.NumberScope()
	if before.NumberScope() == scope {
		return nil
	}
	number, owner, err := tx.OwnNumberAmong(after.ID, scope)
	if err == nil {
		return refusal.RefuseField(OwnNumberTaken, "partNumber", number, owner)
	}
	if err := IgnoreNoRecord(err); err != nil {
		return err
	}
	return tx.RescopeOwnNumbers(after.ID, scope)
}

// OwnNumberStore lists the database operations for own numbers.
type OwnNumberStore interface {
	// GiveOwnNumbers sets the numbers of serials. The previous number of a serial is stored as an earlier number. It fails if another
	// serial has one of the numbers within the scope.
	GiveOwnNumbers(numbers []OwnNumber) error
	// OwnNumbersTaken returns the given numbers that serials of a scope have, each with its serial. Until the transaction ends, no other
	// transaction can assign a number of the scope.
	OwnNumbersTaken(scope string, numbers []string) (map[string]string, error)
	// OwnNumbersOfJob returns the given numbers that serials of a job have or had.
	OwnNumbersOfJob(jobID string, numbers []string) ([]OwnNumber, error)
	// OwnNumberAmong looks within a scope for a serial of another job with the same number as a serial of the given job. It returns the
	// number of the first such serial of the given job, and the other serial; ErrNoRecord if there is none. Until the transaction ends,
	// no other transaction can assign a number of the scope.
	OwnNumberAmong(jobID, scope string) (number, serialID string, err error)
	// RescopeOwnNumbers moves the numbers of a job's serials, including earlier ones, to a scope.
	RescopeOwnNumbers(jobID, scope string) error
	// SerialsNumbered returns up to limit own numbers equal to number, ignoring the case of the letters A to Z. Current numbers precede
	// earlier ones; within each group, the newest serial is first.
	SerialsNumbered(number string, limit int) ([]OwnNumber, error)
	// OwnNumbersOf returns the current and earlier numbers of a serial, oldest first.
	OwnNumbersOf(serialID string) ([]OwnNumber, error)
	// OwnNumbers yields all numbers of all serials, by serial and oldest first.
	OwnNumbers() iter.Seq2[OwnNumber, error]
}

// Names of own numbers in the tables of records, operations and actions.
const (
	OpSetSerialNumber Operation = "set-serial-number"
)

// Reasons to refuse an own number.
var (
	NotVisible      = refusal.NewReason(refusal.Invalid, "must_be_visible", "{field} must have visible characters only")
	NumberIsID      = refusal.NewReason(refusal.Invalid, "must_not_be_serial_id", "{field} must not look like the id of a serial")
	NumberTwice     = refusal.NewReason(refusal.Invalid, "listed_twice", "{field} is listed twice")
	NumberingFull   = refusal.NewReason(refusal.Invalid, "numbering_too_short", "{field} must have room for {last}")
	TwoNumberings   = refusal.NewReason(refusal.Invalid, "one_numbering", "Only one of serialNumbers, numbering is allowed")
	QuantityDiffers = refusal.NewReason(refusal.Invalid, "quantity_differs", "{field} must be {count}, the number of serialNumbers")
	OwnNumberTaken  = refusal.NewReason(refusal.Conflict, "serial_number_taken", "Serial number {number} exists already: {serialId}")
)

// RangeEnd reports how one end of a range of units can identify a unit.
type RangeEnd struct {
	ID     bool // by the full id from Routecard
	Short  bool // by the digits of the id alone, such as 417
	Number bool // by the unit's own number
}

// RangeKind is the kind of numbers in a range of units.
type RangeKind string

// Values of RangeKind.
const (
	IDRange      RangeKind = "ids"     // all units between two ids
	NumberRanges RangeKind = "numbers" // the units with the own numbers from the first to the last
	EitherRange  RangeKind = "either"  // both readings are possible and must give the same units
	UnclearRange RangeKind = "unclear" // the ends do not show which reading is meant
)

// RangeOf returns the kind of a range with two ends. A range with an own number at an end is a range of own numbers: units with ids
// between its ends may belong to other jobs. Digits next to an own number may mean another own number or an id, so that range is unclear.
func RangeOf(first, last RangeEnd) RangeKind {
	ids, numbers := (first.ID || first.Short) && (last.ID || last.Short), first.Number && last.Number
	switch {
	case ids && numbers:
		return EitherRange
	case ids:
		return IDRange
	case numbers, first.Number && last.ID, first.ID && last.Number:
		return NumberRanges
	}
	return UnclearRange
}

// CountedRange is a range of own numbers: a prefix, and digits that are counted.
type CountedRange struct {
	prefix      string
	first, last int64
	digits      int // minimum number of digits
}

// CountRange returns the range of own numbers from first to last. It returns false unless both have the same prefix and end in digits
// that are zero-padded to the same minimum width.
func CountRange(first, last string) (CountedRange, bool) {
	prefix, from := cutDigits(first)
	other, until := cutDigits(last)
	if prefix != other || from == "" || until == "" {
		return CountedRange{}, false
	}
	counted := CountedRange{prefix: prefix, digits: len(from)}
	var err error
	if counted.first, err = strconv.ParseInt(from, 10, 64); err != nil {
		return CountedRange{}, false
	}
	if counted.last, err = strconv.ParseInt(until, 10, 64); err != nil {
		return CountedRange{}, false
	}
	if until[0] == '0' || counted.Backwards() {
		counted.digits = len(until)
	}
	return counted, counted.number(counted.first) == first && counted.number(counted.last) == last
}

// cutDigits splits a number before the digits at its end, at most 15.
func cutDigits(number string) (prefix, digits string) {
	prefix = strings.TrimRight(number, "0123456789")
	if len(number)-len(prefix) > digitsLimit {
		prefix = number[:len(number)-digitsLimit]
	}
	return prefix, number[len(prefix):]
}

// number formats one number of the range.
func (r CountedRange) number(at int64) string {
	digits := strconv.FormatInt(at, 10)
	return r.prefix + strings.Repeat("0", max(0, r.digits-len(digits))) + digits
}

// Backwards reports whether the range ends before it begins.
func (r CountedRange) Backwards() bool { return r.last < r.first }

// Numbers returns the numbers of the range in order. It returns false if there are more than one operation accepts.
func (r CountedRange) Numbers() ([]string, bool) {
	if r.Backwards() || r.last-r.first >= selectionLimit {
		return nil, false
	}
	numbers := make([]string, 0, r.last-r.first+1)
	for at := r.first; at <= r.last; at++ {
		numbers = append(numbers, r.number(at))
	}
	return numbers, true
}
