package site

import (
	"reflect"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// TypedDecimal converts a typed number to the form that operations take, with a decimal point. It refuses a number whose point or comma may
// separate thousands in the language of the page. It returns any other text unchanged, so that the operation refuses it.
func (v *Visit) TypedDecimal(field, typed string) (string, error) {
	typed = strings.TrimSpace(typed)
	if decimal, whole, unclear := card.UnclearNumber(typed, v.DecimalComma()); unclear {
		return "", refusal.RefuseField(wording.NumberUnclear, field, typed, v.Decimal(decimal), whole)
	}
	if read, ok := card.ReadTypedNumber(typed); ok && read.Unit == "" {
		return read.Number, nil
	}
	return typed, nil
}

// DecimalForm is a Form with decimal numbers, which it reads in the language of the page.
type DecimalForm[In any] struct{ form Form[In] }

// DecimalFormOf panics if In is not an input type: see FormOf.
func DecimalFormOf[In any]() DecimalForm[In] {
	return DecimalForm[In]{Form[In]{input.FieldsOf(reflect.TypeFor[In](), shop.Identifies, "form", "field")}}
}

// Read converts the posted form. It refuses an unclear number: see TypedDecimal.
func (f DecimalForm[In]) Read(v *Visit) (in In, err error) {
	in = f.form.Read(v.Form)
	into := reflect.ValueOf(&in).Elem()
	for _, field := range f.form.fields {
		written, ok := reflect.TypeAssert[*input.WrittenInput](into.FieldByIndex(field.Index).Addr())
		if !ok || !written.Supplied() {
			continue
		}
		number, err := v.TypedDecimal(field.Name, v.Form.Get(field.Name))
		if err != nil {
			return in, err
		}
		*written = input.Given(input.Written(number))
	}
	return in, nil
}
