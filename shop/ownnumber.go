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

// A unit may have a number of its own, which is engraved on it or written in its papers, beside the identifier that Routecard gave
// it. Both name the unit. No two units of a part have the same own number at a time: of all jobs with that part number, and within
// one job where there is no part number. A number that was corrected still finds the unit.

// OwnNumberLimit is how many characters an own number has at most.
const OwnNumberLimit = 64

// digitsLimit is how many digits of numbers that follow on each other can be asked for.
const digitsLimit = 15

// OwnNumber is a number that a serial has, or had.
type OwnNumber struct {
	SerialID string
	Number   string
	JobID    string
	Scope    string          // within which no other serial has the number: see Job.NumberScope
	GivenAt  ident.Timestamp // when the serial got it
	Earlier  bool            // whether the serial has another one by now
}

// NumberScope is the scope of the own numbers of a job's serials: the part that people see, or the job.
func (j *Job) NumberScope() string {
	if part := j.Part(); part != "" {
		return scopeOfPart + part
	}
	return "job " + j.ID
}

// scopeOfPart is before the part number in the scope of own numbers.
const scopeOfPart = "part "

// Part is the part number of the unit's job, as people see it; "" for none.
func (n *OwnNumber) Part() string {
	part, of := strings.CutPrefix(n.Scope, scopeOfPart)
	if !of {
		return ""
	}
	return part
}

// ownNumber judges an own number. It is trimmed.
func ownNumber(field string, in input.TextInput) (string, error) {
	in.Value = strings.TrimSpace(in.Value)
	number, err := input.RequiredWithin(field, in, OwnNumberLimit, refusal.Required)
	if err == nil && strings.ContainsFunc(number, invisible) {
		err = refusal.RefuseField(NotVisible, field)
	}
	return number, err
}

func invisible(c rune) bool { return !unicode.IsPrint(c) }

// refuseNumber refuses a number that cannot be read on a part, and one whose scan means something else.
func refuseNumber(field, number string) error {
	if strings.ContainsFunc(number, invisible) {
		return refusal.RefuseField(NotVisible, field)
	}
	return RefuseReserved(field, number, "")
}

// NumberingInput says how the own numbers of new serials follow on each other.
type NumberingInput struct {
	Prefix input.TextInput   `field:"prefix"`
	First  input.NumberInput `field:"first"`
	Digits input.NumberInput `field:"digits"`
}

// numbers makes as many numbers as there are serials. Digits is how many digits each number has at least and at most; without it
// they are as long as they get.
func (in NumberingInput) numbers(quantity int64) ([]string, error) {
	in.Prefix.Value = strings.TrimLeftFunc(in.Prefix.Value, unicode.IsSpace)
	prefix, err := input.OptionalWithin("numbering.prefix", in.Prefix, OwnNumberLimit)
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
	if len([]rune(prefix))+len(last) > OwnNumberLimit {
		return nil, refusal.RefuseField(refusal.TooLong, "numbering.prefix")
	}
	numbers, length := make([]string, quantity), 0
	for i := range numbers {
		numbers[i] = fmt.Sprintf("%s%0*d", prefix, digits, first+int64(i))
		if len(numbers[i]) != length { // numbers of one length are reserved all or none
			length = len(numbers[i])
			if err := refuseNumber("numbering.prefix", numbers[i]); err != nil {
				return nil, err
			}
		}
	}
	return numbers, nil
}

// ListedNumbers validates the own numbers that a request lists. It does not refuse reserved ones: units may have them already.
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

// quantityAndNumbers judges how many serials are made, and which own numbers they get: none when the request says nothing of any.
func (in *CreateSerialsInput) quantityAndNumbers() (quantity int64, numbers []string, err error) {
	listed, numbered := !in.SerialNumbers.Missing(), !in.Numbering.Missing()
	if !listed || !in.Quantity.Missing() {
		in.Quantity.Value = min(in.Quantity.Value, BatchLimit+1) // whatever is above has one answer
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
			numbers, err = in.Numbering.Value.numbers(quantity)
		}
	case listed:
		if numbers, err = ListedNumbers(in.SerialNumbers); err != nil {
			return 0, nil, err
		}
		for i, number := range numbers {
			if err := RefuseReserved(fmt.Sprintf("serialNumbers[%d]", i), number, ""); err != nil {
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

// numberBatch gives the serials of a new batch their own numbers, in their order, and tells of each. The first number that is
// taken decides. It locks the job, whose part number is the scope, and then the scope.
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
		serial := batch.Serial(batch.First + int64(i))
		given[i] = OwnNumber{SerialID: serial.ID, Number: number, JobID: job.ID, Scope: job.NumberScope(), GivenAt: batch.At}
		entries[i] = numberEntry(serial, "", number, "", userID, batch.At)
	}
	if err := giveNumbers(tx, given); err != nil {
		return err
	}
	return tx.AppendAudit(entries...)
}

// giveNumbers gives serials of one scope numbers, unless another serial has one of them: the first of these decides.
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

// numberEntry is the entry that tells of an own number.
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

// SetSerialNumber gives a serial its own number, whatever state it is in, or corrects the one that it has. A correction needs a
// reason and the permission to decide. To set the number that a serial has already changes nothing and tells nothing.
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
			if err := RefuseReserved("serialNumber", number, ""); err != nil {
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

// refuseRenumber refuses a caller who may not correct the number that a serial has.
func refuseRenumber(caller Caller, before string) error {
	if before == "" {
		return nil
	}
	return caller.Require(Decide)
}

// rescopeNumbers gives the own numbers of a job's serials their scope when its part number changes. It refuses a part number with
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

// OwnNumberStore is what the own numbers of serials need of a database.
type OwnNumberStore interface {
	// GiveOwnNumbers gives serials numbers, each in the place of the one that it has, which is kept as an earlier one. It fails
	// when another serial has one of them within the scope.
	GiveOwnNumbers(numbers []OwnNumber) error
	// OwnNumbersTaken returns, of numbers within a scope, those that serials have, with these serials. Nobody else gives one of the
	// scope before the transaction ends.
	OwnNumbersTaken(scope string, numbers []string) (map[string]string, error)
	// OwnNumbersOfJob returns, of numbers, those that serials of a job have or had.
	OwnNumbersOfJob(jobID string, numbers []string) ([]OwnNumber, error)
	// OwnNumberAmong returns the number of the first of a job's serials whose number a serial of another job has within a scope,
	// with that other serial; ErrNoRecord when there is none. Nobody else gives one of the scope before the transaction ends.
	OwnNumberAmong(jobID, scope string) (number, serialID string, err error)
	// RescopeOwnNumbers puts the numbers of a job's serials, the earlier ones too, into a scope.
	RescopeOwnNumbers(jobID, scope string) error
	// SerialsNumbered returns the numbers, at most limit, that are called just so whatever the case of the letters A to Z: those that a
	// serial has before those that one had, and the newest serial first of each.
	SerialsNumbered(number string, limit int) ([]OwnNumber, error)
	// OwnNumbersOf returns the numbers that a serial has and had, oldest first.
	OwnNumbersOf(serialID string) ([]OwnNumber, error)
	// OwnNumbers yields all numbers of all serials, by serial and oldest first.
	OwnNumbers() iter.Seq2[OwnNumber, error]
}

// What the tables of the business call own numbers.
const (
	OpSetSerialNumber Operation = "set-serial-number"
)

// Why an own number is refused.
var (
	NotVisible      = refusal.NewReason(refusal.Invalid, "must_be_visible", "{field} must have visible characters only")
	NumberIsID      = refusal.NewReason(refusal.Invalid, "must_not_be_serial_id", "{field} must not look like the id of a serial")
	NumberTwice     = refusal.NewReason(refusal.Invalid, "listed_twice", "{field} is listed twice")
	NumberingFull   = refusal.NewReason(refusal.Invalid, "numbering_too_short", "{field} must have room for {last}")
	TwoNumberings   = refusal.NewReason(refusal.Invalid, "one_numbering", "Only one of serialNumbers, numbering is allowed")
	QuantityDiffers = refusal.NewReason(refusal.Invalid, "quantity_differs", "{field} must be {count}, the number of serialNumbers")
	OwnNumberTaken  = refusal.NewReason(refusal.Conflict, "serial_number_taken", "Serial number {number} exists already: {serialId}")
)

// RangeEnd says how one end of a range of units identifies its unit.
type RangeEnd struct {
	ID     bool // by the id of Routecard, in full
	Short  bool // by the digits of the id alone, such as 417
	Number bool // by the unit's own number
}

// RangeKind says what a range of units counts.
type RangeKind string

// The kinds of ranges.
const (
	IDRange      RangeKind = "ids"     // all units between two ids
	NumberRanges RangeKind = "numbers" // the units with the own numbers from one to the other
	EitherRange  RangeKind = "either"  // both readings are possible: they have to agree
	UnclearRange RangeKind = "unclear" // nothing says which is meant
)

// RangeOf returns the kind of a range with two ends. A range with an own number at an end is a range of own numbers: the units with
// ids between its ends may belong to other jobs. Digits next to an own number may mean the next number or an id.
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
	digits      int // at least so many
}

// CountRange returns the range of own numbers from first to last. It is false when they cannot be counted: they have to begin alike and
// end in digits, with zeros in front in both or in none.
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

// cutDigits cuts a number before the digits at its end, of which it takes 15 at most.
func cutDigits(number string) (prefix, digits string) {
	prefix = strings.TrimRight(number, "0123456789")
	if len(number)-len(prefix) > digitsLimit {
		prefix = number[:len(number)-digitsLimit]
	}
	return prefix, number[len(prefix):]
}

// number returns a number of the range.
func (r CountedRange) number(at int64) string {
	digits := strconv.FormatInt(at, 10)
	return r.prefix + strings.Repeat("0", max(0, r.digits-len(digits))) + digits
}

// Backwards reports whether the range ends before it begins.
func (r CountedRange) Backwards() bool { return r.last < r.first }

// Numbers returns the numbers of the range in their order. It is false for more than one operation takes.
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
