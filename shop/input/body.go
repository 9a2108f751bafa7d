package input

import (
	"errors"
	"reflect"
)

// errMistyped reports a field that had a value of another type, which the input does not contain.
var errMistyped = errors.New("a field of another type cannot be written")

// Absent represents a missing field.
var Absent any = new(struct{ byte }) //nolint:gochecknoglobals // a value that is compared, and never changes

// BodyOf returns the JSON object with the given and null fields of an input struct. It refuses an input with a field of another type.
func BodyOf(in reflect.Value) (map[string]any, error) {
	object := make(map[string]any)
	for _, field := range FieldsOf(in.Type(), nil, "field") {
		input, _ := reflect.TypeAssert[interface{ Written() (any, error) }](in.FieldByIndex(field.Index)) // every Input has this method
		value, err := input.Written()
		if err != nil {
			return nil, err
		}
		if value != Absent {
			object[field.Name] = value
		}
	}
	return object, nil
}

func writtenValue(value reflect.Value) (any, error) {
	switch {
	case value.Kind() == reflect.Struct:
		return BodyOf(value)
	case kindOf(value.Type()) != ListKind:
		return value.Interface(), nil
	}
	items := make([]any, value.Len())
	for i := range items {
		input, _ := reflect.TypeAssert[interface{ Written() (any, error) }](value.Index(i))
		var err error
		if items[i], err = input.Written(); err != nil {
			return nil, err
		}
	}
	return items, nil
}
