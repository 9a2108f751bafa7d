package shoptest

import (
	"strconv"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// Characteristics returns a list of characteristics that are numbered from 1. A characteristic without a name gets a name, and one without
// a type becomes a number.
func Characteristics(inputs ...shop.CharacteristicInput) shop.CharacteristicsInput {
	list := make([]input.Input[shop.CharacteristicInput], len(inputs))
	for i, in := range inputs {
		if !in.Number.Supplied() {
			in.Number = input.Given(input.Written(strconv.Itoa(i + 1)))
		}
		if !in.Name.Supplied() {
			in.Name = Given("Feature")
		}
		if !in.Type.Supplied() {
			in.Type = Given("number")
		}
		list[i] = input.Given(in)
	}
	return input.Given(list)
}

// Between returns a characteristic that is a number with two limits.
func Between(lower, upper input.Written) shop.CharacteristicInput {
	return shop.CharacteristicInput{Lower: input.Given(lower), Upper: input.Given(upper)}
}

// Measured returns the input of readings of a unit: pairs of a characteristic and a value.
func Measured(by input.TextInput, pairs ...input.Written) shop.MeasureInput {
	values := make([]input.Input[shop.MeasuredInput], len(pairs)/2)
	for i := range values {
		values[i] = input.Given(shop.MeasuredInput{Characteristic: input.Given(pairs[2*i]), Value: input.Given(pairs[2*i+1])})
	}
	return shop.MeasureInput{Values: input.Given(values), UserID: by}
}
