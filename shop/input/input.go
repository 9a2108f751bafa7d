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

// Input is the content of one field of a request: nothing, null, a value of the wrong type, or a value.
//
// Lookups and states are checked before fields (docs/api/requests.md, "The order of checks"). So the API and the pages pass fields
// unchecked, and the operation checks them inside its transaction, in the order of the contract. The zero Input is an absent field.
type Input[T any] struct {
	State State
	Value T
}

// State says whether a field was given and, if it was not, why.
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

// The kinds of fields in requests.
type (
	TextInput    = Input[string]
	NumberInput  = Input[float64]
	FlagInput    = Input[bool]
	ObjectInput  = Input[json.RawMessage] // a JSON object, stored as sent
	WrittenInput = Input[Written]
	TextsInput   = Input[[]TextInput]
)

// Written is a text, or a number exactly as it was sent: 12.500 stays 12.500.
type Written string

// Given returns a field with a value.
func Given[T any](value T) Input[T] { return Input[T]{State: StateGiven, Value: value} }

// Null returns a field that was null.
func Null[T any]() Input[T] { return Input[T]{State: StateNull} }

// Mistyped returns a field whose value was not of type T.
func Mistyped[T any]() Input[T] { return Input[T]{State: StateMistyped} }

// TooMany returns a field whose list has more items than ListLimit allows. The items were not read.
func TooMany[T any]() Input[T] { return Input[T]{State: StateTooMany} }

// WholeNumber reads a whole number from the text of a form or a file: digits only, with a minus sign if it is negative. Operations refuse
// every other text with NotDigits, because it is ambiguous: 1.000, 1,000 and 1 000 may be one or a thousand, 1e2 may be a part number, and
// 000815 a scanned code. White space around the number is ignored.
func WholeNumber(text string) NumberInput {
	text = strings.TrimSpace(text)
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" || digits[0] == '0' && text != "0" {
		return NumberInput{State: StateNotDigits}
	}
	value, _ := strconv.ParseFloat(text, 64) // too many digits give an infinite value, which is refused as too large
	return Given(value)
}

// GivenTexts returns a field with a list of texts.
func GivenTexts(values ...string) TextsInput {
	inputs := make([]TextInput, len(values))
	for i, value := range values {
		inputs[i] = Given(value)
	}
	return Given(inputs)
}

// Missing reports whether a create operation treats the field as not supplied. It treats null as missing.
func (in Input[T]) Missing() bool { return in.State == StateAbsent || in.State == StateNull }

// Present reports whether an update must check the field. It treats null as present.
func (in Input[T]) Present() bool { return in.State != StateAbsent }

// Typed refuses a value of the wrong type, including null. It must not be called on an absent field.
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

// checkText refuses a text that is too long or has characters that may not be stored.
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

// Trimmed returns a given text without blanks at its ends, and any other field unchanged.
func Trimmed(in TextInput) TextInput {
	if in.State == StateGiven {
		in.Value = strings.TrimSpace(in.Value)
	}
	return in
}

// Blank reports whether a text has no visible character.
func Blank(value string) bool { return strings.TrimSpace(value) == "" }

// Unfilled reports whether a request has no text in a field: it is absent, null or blank. A value of another type is not unfilled.
func Unfilled(in TextInput) bool { return in.Missing() || in.State == StateGiven && Blank(in.Value) }

// RequiredWithin returns the text as given. It refuses missing and blank texts for the reason absent.
func RequiredWithin(field string, in TextInput, limit int, absent *refusal.Reason) (string, error) {
	value, err := requiredString(field, in, limit, absent)
	if err != nil {
		return value, err
	}
	return value, checkControl(field, value, limit)
}

// requiredString is RequiredWithin for texts that are never displayed, such as passwords: all characters except NUL are allowed.
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

// RequiredName returns a name or an identifier as given. It refuses missing and blank texts with "{field} is required".
func RequiredName(field string, in TextInput) (string, error) {
	return RequiredWithin(field, in, NameLimit, refusal.Required)
}

// RequiredTrimmed checks and trims the name of a new record.
func RequiredTrimmed(in TextInput) (string, error) {
	return ChangedName(in, refusal.Required)
}

// ChangedName checks and trims the name in an update, which treats null as empty.
func ChangedName(in TextInput, empty *refusal.Reason) (string, error) {
	if in.State == StateGiven {
		in.Value = strings.TrimSpace(in.Value)
	}
	return RequiredWithin("name", in, NameLimit, empty)
}

// OptionalWithin returns the text, or "" if it is missing or blank.
func OptionalWithin(field string, in TextInput, limit int) (string, error) {
	value, err := optionalString(field, in, limit)
	if err != nil {
		return value, err
	}
	return value, checkControl(field, value, limit)
}

// optionalString is OptionalWithin for texts that are never displayed.
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

// RequiredWritten returns a text or a number as it was sent. It refuses missing and blank values.
func RequiredWritten(field string, in WrittenInput) (string, error) {
	value, err := OptionalWritten(field, in, NameLimit)
	if err == nil && value == "" {
		err = refusal.RefuseField(refusal.Required, field)
	}
	return value, err
}

// OptionalWritten returns a text or a number as it was sent, or "" if it is missing or blank.
func OptionalWritten(field string, in WrittenInput, limit int) (string, error) {
	if in.Missing() {
		return "", nil
	}
	if err := in.Typed(field); err != nil {
		return "", err
	}
	return OptionalWithin(field, Given(string(in.Value)), limit)
}

// OptionalDecimal returns a number, or "" if it is missing or blank.
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

// OptionalFlag returns the flag, or false if it is missing.
func OptionalFlag(field string, in FlagInput) (bool, error) {
	if in.Missing() {
		return false, nil
	}
	return in.Value, in.Typed(field)
}

// OneOf returns the given text if it is one of the allowed words.
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

// NotOneOf refuses a word that is not allowed, listing the allowed words.
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

// RequiredQuantity returns a whole number from 1 to 2^53-1. It refuses a missing number with "{field} is required".
func RequiredQuantity(field string, in NumberInput) (int64, error) {
	if in.Missing() {
		return 0, refusal.RefuseField(refusal.Required, field)
	}
	return ChangedQuantity(field, in)
}

// ChangedQuantity checks a present quantity in an update. It refuses null as not a number.
func ChangedQuantity(field string, in NumberInput) (int64, error) {
	if err := in.Typed(field); err != nil {
		return 0, err
	}
	if in.Value <= 0 {
		return 0, refusal.RefuseField(refusal.NotAboveZero, field)
	}
	return Whole(field, in)
}

// RequiredItems returns a list of at least one text. It refuses a missing or empty list for the reason empty.
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

// ItemsOf checks the items of a list.
func ItemsOf(field string, inputs []TextInput) ([]string, error) {
	if err := CheckItems(field, len(inputs)); err != nil {
		return nil, err
	}
	values := make([]string, len(inputs))
	for i, input := range inputs {
		if input.State == StateGiven && len(input.Value) <= NameLimit && !Blank(input.Value) &&
			!strings.ContainsFunc(input.Value, misleading) && utf8.ValidString(input.Value) {
			values[i] = input.Value // the usual case, which needs no field name
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

// Functions for packages other than shop, with the same messages.

// Supplied reports whether the field was present and not null.
func (in Input[T]) Supplied() bool { return !in.Missing() }

// RequiredText returns a required short text that is never displayed, such as a password. Use RequiredName for texts that are displayed.
func RequiredText(field string, in TextInput) (string, error) {
	return requiredString(field, in, NameLimit, refusal.Required)
}

// OptionalText returns a short text that is never displayed, or "" if it is missing or blank.
func OptionalText(field string, in TextInput) (string, error) {
	return optionalString(field, in, NameLimit)
}

// OptionalObject returns an object, or nil if it is missing.
func OptionalObject(field string, in ObjectInput) (json.RawMessage, error) {
	if in.Missing() {
		return nil, nil
	}
	return in.Value, in.Typed(field)
}

// RequiredTexts returns a list of at least one short text. It refuses a missing or empty list for the reason empty.
func RequiredTexts(field string, in TextsInput, empty *refusal.Reason) ([]string, error) {
	return RequiredItems(field, in, empty)
}

// Texts returns a list of short texts that may be empty, but not missing.
func Texts(field string, in TextsInput) ([]string, error) {
	if err := in.Typed(field); err != nil {
		return nil, err
	}
	return ItemsOf(field, in.Value)
}
