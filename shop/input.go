package shop

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
// Lookups and states are judged before fields (docs/decisions.md, "The order of checks"), so a face hands fields over
// unjudged and the operation that owns them judges them, inside its transaction and in the contract's order. The zero
// Input is an absent field.
type Input[T any] struct {
	state inputState
	value T
}

type inputState uint8

const (
	inputAbsent inputState = iota
	inputNull
	inputMistyped
	inputTooMany
	inputGiven
	inputNotDigits
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
func Given[T any](value T) Input[T] { return Input[T]{state: inputGiven, value: value} }

// Null is a field that was null.
func Null[T any]() Input[T] { return Input[T]{state: inputNull} }

// Mistyped is a field whose value was not of type T.
func Mistyped[T any]() Input[T] { return Input[T]{state: inputMistyped} }

// TooMany is a field whose list has more items than ListLimit allows, so that nobody has read it to its end.
func TooMany[T any]() Input[T] { return Input[T]{state: inputTooMany} }

// WholeNumber reads a text of a form or a file that means a whole number: digits only, with a minus sign where it is negative. Everything
// else becomes a field that operations refuse with NotDigits, because readers disagree about it: 1.000, 1,000 and 1 000 may be one or a
// thousand, 1e2 may be a part number, and 000815 a scanned code. Text around the number that is not visible is ignored.
func WholeNumber(text string) NumberInput {
	text = strings.TrimSpace(text)
	digits := strings.TrimPrefix(text, "-")
	if digits == "" || strings.Trim(digits, "0123456789") != "" || digits[0] == '0' && text != "0" {
		return NumberInput{state: inputNotDigits}
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
func (in Input[T]) Missing() bool { return in.state == inputAbsent || in.state == inputNull }

// present reports whether an update has to look at the field: there null counts as present.
func (in Input[T]) present() bool { return in.state != inputAbsent }

// typed refuses a value of the wrong type; null counts as one. It must not be called on an absent field.
func (in Input[T]) typed(field string) error {
	switch in.state {
	case inputGiven:
		return nil
	case inputTooMany:
		return TooManyItems(field)
	case inputNotDigits:
		return refusal.RefuseField(refusal.NotDigits, field)
	case inputAbsent, inputNull, inputMistyped:
	}
	return refusal.RefuseField(kindOf(reflect.TypeFor[T]()).mistyped(), field)
}

// Limits of what is stored, in characters, and of metadata in bytes (docs/decisions.md, "Bodies and errors").
const (
	NameLimit     = 500
	TextLimit     = 10_000
	metadataLimit = 64 << 10
	metadataDepth = 50        // answers put up to three levels around it, and many JSON readers stop at 64
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

func blank(value string) bool { return strings.TrimSpace(value) == "" }

// requiredText returns the text as given. Missing and blank ones are refused for the reason absent.
func requiredText(field string, in TextInput, limit int, absent *refusal.Reason) (string, error) {
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
	if err := in.typed(field); err != nil {
		return "", err
	}
	if blank(in.value) {
		return "", refusal.RefuseField(absent, field)
	}
	return in.value, checkText(field, in.value, limit)
}

// RequiredName returns a name or an identifier as given; missing and blank answer "{field} is required".
func RequiredName(field string, in TextInput) (string, error) {
	return requiredText(field, in, NameLimit, refusal.Required)
}

// requiredTrimmed judges the name of something new; it is trimmed.
func requiredTrimmed(in TextInput) (string, error) {
	return changedName(in, refusal.Required)
}

// changedName judges the name in an update, where null counts as empty; it is trimmed.
func changedName(in TextInput, empty *refusal.Reason) (string, error) {
	if in.state == inputGiven {
		in.value = strings.TrimSpace(in.value)
	}
	return requiredText("name", in, NameLimit, empty)
}

// optionalText returns the text, or "" when it is missing or blank.
func optionalText(field string, in TextInput, limit int) (string, error) {
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
	if err := in.typed(field); err != nil {
		return "", err
	}
	if blank(in.value) {
		return "", nil
	}
	return in.value, checkText(field, in.value, limit)
}

// requiredWritten returns a text or a number as it was written; missing and blank ones are refused.
func requiredWritten(field string, in WrittenInput) (string, error) {
	value, err := optionalWritten(field, in, NameLimit)
	if err == nil && value == "" {
		err = refusal.RefuseField(refusal.Required, field)
	}
	return value, err
}

// optionalWritten returns a text or a number as it was written, or "" when it is missing or blank.
func optionalWritten(field string, in WrittenInput, limit int) (string, error) {
	if in.Missing() {
		return "", nil
	}
	if err := in.typed(field); err != nil {
		return "", err
	}
	return optionalText(field, Given(string(in.value)), limit)
}

// optionalDecimal returns a number, or "" when it is missing or blank.
func optionalDecimal(field string, in WrittenInput) (Decimal, error) {
	value, err := optionalWritten(field, in, NameLimit)
	if err != nil || value == "" {
		return "", err
	}
	number, ok := ParseDecimal(value)
	if !ok {
		return "", refusal.RefuseField(refusal.NotDecimal, field)
	}
	return number, nil
}

// optionalFlag returns the flag, or false when it is missing.
func optionalFlag(field string, in FlagInput) (bool, error) {
	if in.Missing() {
		return false, nil
	}
	return in.value, in.typed(field)
}

// oneOf returns the given text when it is one of the allowed words.
func oneOf[T ~string](field string, in TextInput, allowed []T) (T, error) {
	if err := in.typed(field); err != nil {
		return "", err
	}
	for _, word := range allowed {
		if in.value == string(word) {
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

// wholeNumber returns a given whole number between -(2^53-1) and 2^53-1.
func wholeNumber(field string, in NumberInput) (int64, error) {
	if err := in.typed(field); err != nil {
		return 0, err
	}
	switch {
	case in.value > NumberLimit:
		return 0, refusal.RefuseField(refusal.NumberTooLarge, field, int64(NumberLimit))
	case in.value != math.Trunc(in.value):
		return 0, refusal.RefuseField(refusal.NotInteger, field)
	case in.value < -NumberLimit:
		return -NumberLimit, nil
	}
	return int64(in.value), nil
}

// requiredQuantity returns a whole number from 1 to 2^53-1; a missing one answers "{field} is required".
func requiredQuantity(field string, in NumberInput) (int64, error) {
	if in.Missing() {
		return 0, refusal.RefuseField(refusal.Required, field)
	}
	return ChangedQuantity(field, in)
}

// ChangedQuantity judges a quantity in an update, where it is present and null is no number.
func ChangedQuantity(field string, in NumberInput) (int64, error) {
	if err := in.typed(field); err != nil {
		return 0, err
	}
	if in.value <= 0 {
		return 0, refusal.RefuseField(refusal.NotAboveZero, field)
	}
	return wholeNumber(field, in)
}

// requiredTexts returns a list of at least one text; a missing or empty one is refused for the reason empty.
func requiredTexts(field string, in TextsInput, empty *refusal.Reason) ([]string, error) {
	if in.Missing() {
		return nil, refusal.RefuseField(empty, field)
	}
	if err := in.typed(field); err != nil {
		return nil, err
	}
	if len(in.value) == 0 {
		return nil, refusal.RefuseField(empty, field)
	}
	return texts(field, in.value)
}

// texts judges the elements of a list.
func texts(field string, inputs []TextInput) ([]string, error) {
	if err := checkItems(field, len(inputs)); err != nil {
		return nil, err
	}
	values := make([]string, len(inputs))
	for i, input := range inputs {
		if input.state == inputGiven && len(input.value) <= NameLimit && !blank(input.value) &&
			!strings.ContainsFunc(input.value, misleading) && utf8.ValidString(input.value) {
			values[i] = input.value // the usual case, without a name for the field
			continue
		}
		name := fmt.Sprintf("%s[%d]", field, i)
		if err := input.typed(name); err != nil {
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
	return in.value, in.typed(field)
}

// RequiredTexts judges a list of at least one short text; a missing or empty one is refused for the reason empty.
func RequiredTexts(field string, in TextsInput, empty *refusal.Reason) ([]string, error) {
	return requiredTexts(field, in, empty)
}

// Texts judges a list of short texts that may be empty, but not missing.
func Texts(field string, in TextsInput) ([]string, error) {
	if err := in.typed(field); err != nil {
		return nil, err
	}
	return texts(field, in.value)
}
