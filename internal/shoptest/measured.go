package shoptest

import (
	"strconv"

	"github.com/routecard/routecard/shop"
)

// Characteristics is a list of characteristics that are numbered from 1. One without a name gets one, and one without a type is a
// number.
func Characteristics(inputs ...shop.CharacteristicInput) shop.CharacteristicsInput {
	list := make([]shop.Input[shop.CharacteristicInput], len(inputs))
	for i, in := range inputs {
		if !in.Number.Supplied() {
			in.Number = shop.Given(shop.Written(strconv.Itoa(i + 1)))
		}
		if !in.Name.Supplied() {
			in.Name = Given("Feature")
		}
		if !in.Type.Supplied() {
			in.Type = Given("number")
		}
		list[i] = shop.Given(in)
	}
	return shop.Given(list)
}

// Between is a characteristic that is a number with two limits.
func Between(lower, upper shop.Written) shop.CharacteristicInput {
	return shop.CharacteristicInput{Lower: shop.Given(lower), Upper: shop.Given(upper)}
}

// Measured is what is recorded of a unit: pairs of a characteristic and a value.
func Measured(by shop.TextInput, pairs ...shop.Written) shop.MeasureInput {
	values := make([]shop.Input[shop.MeasuredInput], len(pairs)/2)
	for i := range values {
		values[i] = shop.Given(shop.MeasuredInput{Characteristic: shop.Given(pairs[2*i]), Value: shop.Given(pairs[2*i+1])})
	}
	return shop.MeasureInput{Values: shop.Given(values), UserID: by}
}
