package input

import "reflect"

// Written returns the value for encoding/json, or Absent.
func (in Input[T]) Written() (any, error) {
	switch in.State {
	case StateAbsent:
		return Absent, nil
	case StateNull:
		return nil, nil //nolint:nilnil // which stands for null
	case StateGiven:
		return writtenValue(reflect.ValueOf(&in.Value).Elem())
	case StateMistyped, StateTooMany, StateNotDigits:
	}
	return nil, errMistyped
}
