package input

import (
	"encoding/json"
	"fmt"
	"math"
	"reflect"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/routecard/routecard/shop/refusal"
)

// Input is what a caller supplied for one field of a request: nothing, null, a value of the wrong type, or a value.
//
// Lookups and states are judged before fields (docs/api/requests.md, "The order of checks"), so a face hands fields over
// unjudged and the operation that owns them judges them, inside its transaction and in the contract's order. The zero
// Input is an absent field.
type Input[T any] struct {
	State State
	Value T
}

// State says whether a field was given, and if not, why.
type State uint8

// The states of a field.
const (
	StateAbsent State = iota
	StateNull
	StateMistyped
	StateTooMany
	StateGiven
	StateNotDigits
)

// The kinds of field that requests have.
type (
	TextInput    = Input[string]
	NumberInput  = Input[float64]
	FlagInput    = Input[bool]
	ObjectInput  = Input[json.RawMessage] // a JSON object, kept as it was written
	WrittenInput = Input[Written]
	TextsInput   = Input[[]TextInput]
)

// Written is a text, or a number as it was written: 12.500 stays 12.500.
type Written string

// Given is a field with a value.
func Given[T any](value T) Input[T] { return Input[T]{State: StateGiven, Value: value} }

// Null is a field that was null.
func Null[T any]() Input[T] { return Input[T]{State: StateNull} }

// Mistyped is a field whose value was not of type T.
func Mistyped[T any]() Input[T] { return Input[T]{State: StateMistyped} }

// TooMany is a field whose list has more items than ListLimit allows, so that nobody has read it to its end.
func TooMany[T any]() Input[T] { return Input[T]{State: StateTooMany} }

// WholeNumber reads a text of a form or a file that means a whole number: digits only, with a minus sign where it is negative. Everything
// else becomes a field that operations refuse with NotDigits, because readers disagree about it: 1.000, 1,000 and 1 000 may be one or a
// thousand, 1e2 may be a part number, and 000815 a scanned code. Text around the number that is not visible is ignored.
func WholeNumber(text string) NumberInput {
	text = strings.TrimSpace(text)
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" || digits[0] == '0' && text != "0" {
		return NumberInput{State: StateNotDigits}
	}
	value, _ := strconv.ParseFloat(text, 64) // too many digits give an infinite value, which is refused as too large
	return Given(value)
}

// GivenTexts is a list of given texts.
func GivenTexts(values ...string) TextsInput {
	inputs := make([]TextInput, len(values))
	for i, value := range values {
		inputs[i] = Given(value)
	}
	return Given(inputs)
}

// Missing reports whether a creation treats the field as not supplied: there null counts as missing.
func (in Input[T]) Missing() bool { return in.State == StateAbsent || in.State == StateNull }

// Present reports whether an update has to look at the field: there null counts as present.
func (in Input[T]) Present() bool { return in.State != StateAbsent }

// Typed refuses a value of the wrong type; null counts as one. It must not be called on an absent field.
func (in Input[T]) Typed(field string) error {
	switch in.State {
	case StateGiven:
		return nil
	case StateTooMany:
		return TooManyItems(field)
	case StateNotDigits:
		return refusal.RefuseField(refusal.NotDigits, field)
	case StateAbsent, StateNull, StateMistyped:
	}
	return refusal.RefuseField(kindOf(reflect.TypeFor[T]()).mistyped(), field)
}

// Limits of what is stored, in characters, and of metadata in bytes (docs/api/requests.md, "Bodies").
const (
	NameLimit     = 500
	TextLimit     = 10_000
	MetadataLimit = 64 << 10
	MetadataDepth = 50        // answers put up to three levels around it, and many JSON readers stop at 64
	NumberLimit   = 1<<53 - 1 // the largest whole number that every JSON reader keeps exact
)

// checkText refuses what may not be stored in a field.
func checkText(field, value string, limit int) error {
	if len(value) > limit && utf8.RuneCountInString(value) > limit {
		return refusal.RefuseField(refusal.TooLong, field)
	}
	if !utf8.ValidString(value) {
		return refusal.RefuseField(refusal.NotUTF8, field)
	}
	if strings.IndexByte(value, 0) >= 0 {
		return refusal.RefuseField(refusal.WithNUL, field)
	}
	return nil
}

// Blank reports whether a text has no visible character.
func Blank(value string) bool { return strings.TrimSpace(value) == "" }

// RequiredWithin returns the text as given. Missing and blank ones are refused for the reason absent.
func RequiredWithin(field string, in TextInput, limit int, absent *refusal.Reason) (string, error) {
	value, err := requiredString(field, in, limit, absent)
	if err != nil {
		return value, err
	}
	return value, checkControl(field, value, limit)
}

// requiredString is requiredText for what is not shown, such as a password: it may have every character but NUL.
func requiredString(field string, in TextInput, limit int, absent *refusal.Reason) (string, error) {
	if in.Missing() {
		return "", refusal.RefuseField(absent, field)
	}
	if err := in.Typed(field); err != nil {
		return "", err
	}
	if Blank(in.Value) {
		return "", refusal.RefuseField(absent, field)
	}
	return in.Value, checkText(field, in.Value, limit)
}

// RequiredName returns a name or an identifier as given; missing and blank answer "{field} is required".
func RequiredName(field string, in TextInput) (string, error) {
	return RequiredWithin(field, in, NameLimit, refusal.Required)
}

// RequiredTrimmed judges the name of something new; it is trimmed.
func RequiredTrimmed(in TextInput) (string, error) {
	return ChangedName(in, refusal.Required)
}

// ChangedName judges the name in an update, where null counts as empty; it is trimmed.
func ChangedName(in TextInput, empty *refusal.Reason) (string, error) {
	if in.State == StateGiven {
		in.Value = strings.TrimSpace(in.Value)
	}
	return RequiredWithin("name", in, NameLimit, empty)
}

// OptionalWithin returns the text, or "" when it is missing or blank.
func OptionalWithin(field string, in TextInput, limit int) (string, error) {
	value, err := optionalString(field, in, limit)
	if err != nil {
		return value, err
	}
	return value, checkControl(field, value, limit)
}

// optionalString is optionalText for what is not shown.
func optionalString(field string, in TextInput, limit int) (string, error) {
	if in.Missing() {
		return "", nil
	}
	if err := in.Typed(field); err != nil {
		return "", err
	}
	if Blank(in.Value) {
		return "", nil
	}
	return in.Value, checkText(field, in.Value, limit)
}

// RequiredWritten returns a text or a number as it was written; missing and blank ones are refused.
func RequiredWritten(field string, in WrittenInput) (string, error) {
	value, err := OptionalWritten(field, in, NameLimit)
	if err == nil && value == "" {
		err = refusal.RefuseField(refusal.Required, field)
	}
	return value, err
}

// OptionalWritten returns a text or a number as it was written, or "" when it is missing or blank.
func OptionalWritten(field string, in WrittenInput, limit int) (string, error) {
	if in.Missing() {
		return "", nil
	}
	if err := in.Typed(field); err != nil {
		return "", err
	}
	return OptionalWithin(field, Given(string(in.Value)), limit)
}

// OptionalDecimal returns a number, or "" when it is missing or blank.
func OptionalDecimal(field string, in WrittenInput) (Decimal, error) {
	value, err := OptionalWritten(field, in, NameLimit)
	if err != nil || value == "" {
		return "", err
	}
	number, ok := ParseDecimal(value)
	if !ok {
		return "", refusal.RefuseField(refusal.NotDecimal, field)
	}
	return number, nil
}

// OptionalFlag returns the flag, or false when it is missing.
func OptionalFlag(field string, in FlagInput) (bool, error) {
	if in.Missing() {
		return false, nil
	}
	return in.Value, in.Typed(field)
}

// OneOf returns the given text when it is one of the allowed words.
func OneOf[T ~string](field string, in TextInput, allowed []T) (T, error) {
	if err := in.Typed(field); err != nil {
		return "", err
	}
	for _, word := range allowed {
		if in.Value == string(word) {
			return word, nil
		}
	}
	return "", NotOneOf(field, allowed)
}

// NotOneOf refuses a word that is none of the allowed ones.
func NotOneOf[T ~string](field string, allowed []T) error {
	words := make([]string, len(allowed))
	for i, word := range allowed {
		words[i] = string(word)
	}
	return refusal.RefuseField(refusal.NotAmong, field, strings.Join(words, ", "))
}

// Whole returns a given whole number between -(2^53-1) and 2^53-1.
func Whole(field string, in NumberInput) (int64, error) {
	if err := in.Typed(field); err != nil {
		return 0, err
	}
	switch {
	case in.Value > NumberLimit:
		return 0, refusal.RefuseField(refusal.NumberTooLarge, field, int64(NumberLimit))
	case in.Value != math.Trunc(in.Value):
		return 0, refusal.RefuseField(refusal.NotInteger, field)
	case in.Value < -NumberLimit:
		return -NumberLimit, nil
	}
	return int64(in.Value), nil
}

// RequiredQuantity returns a whole number from 1 to 2^53-1; a missing one answers "{field} is required".
func RequiredQuantity(field string, in NumberInput) (int64, error) {
	if in.Missing() {
		return 0, refusal.RefuseField(refusal.Required, field)
	}
	return ChangedQuantity(field, in)
}

// ChangedQuantity judges a quantity in an update, where it is present and null is no number.
func ChangedQuantity(field string, in NumberInput) (int64, error) {
	if err := in.Typed(field); err != nil {
		return 0, err
	}
	if in.Value <= 0 {
		return 0, refusal.RefuseField(refusal.NotAboveZero, field)
	}
	return Whole(field, in)
}

// RequiredItems returns a list of at least one text; a missing or empty one is refused for the reason empty.
func RequiredItems(field string, in TextsInput, empty *refusal.Reason) ([]string, error) {
	if in.Missing() {
		return nil, refusal.RefuseField(empty, field)
	}
	if err := in.Typed(field); err != nil {
		return nil, err
	}
	if len(in.Value) == 0 {
		return nil, refusal.RefuseField(empty, field)
	}
	return ItemsOf(field, in.Value)
}

// ItemsOf judges the elements of a list.
func ItemsOf(field string, inputs []TextInput) ([]string, error) {
	if err := CheckItems(field, len(inputs)); err != nil {
		return nil, err
	}
	values := make([]string, len(inputs))
	for i, input := range inputs {
		if input.State == StateGiven && len(input.Value) <= NameLimit && !Blank(input.Value) &&
			!strings.ContainsFunc(input.Value, misleading) && utf8.ValidString(input.Value) {
			values[i] = input.Value // the usual case, without a name for the field
			continue
		}
		name := fmt.Sprintf("%s[%d]", field, i)
		if err := input.Typed(name); err != nil {
			return nil, err
		}
		value, err := RequiredName(name, input)
		if err != nil {
			return nil, err
		}
		values[i] = value
	}
	return values, nil
}

// Judged for packages whose operations are not of the business, with the same words.

// Supplied reports whether a field was there and not null.
func (in Input[T]) Supplied() bool { return !in.Missing() }

// RequiredText judges a short text that has to be there and is never shown, such as a password. RequiredName is for what
// people read.
func RequiredText(field string, in TextInput) (string, error) {
	return requiredString(field, in, NameLimit, refusal.Required)
}

// OptionalText judges a short text that may be missing; then, and when it is blank, it is "". It is never shown.
func OptionalText(field string, in TextInput) (string, error) {
	return optionalString(field, in, NameLimit)
}

// OptionalObject judges an object that may be missing; then it is nil.
func OptionalObject(field string, in ObjectInput) (json.RawMessage, error) {
	if in.Missing() {
		return nil, nil
	}
	return in.Value, in.Typed(field)
}

// RequiredTexts judges a list of at least one short text; a missing or empty one is refused for the reason empty.
func RequiredTexts(field string, in TextsInput, empty *refusal.Reason) ([]string, error) {
	return RequiredItems(field, in, empty)
}

// Texts judges a list of short texts that may be empty, but not missing.
func Texts(field string, in TextsInput) ([]string, error) {
	if err := in.Typed(field); err != nil {
		return nil, err
	}
	return ItemsOf(field, in.Value)
}
