package site

import (
	"net/url"
	"reflect"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// Form makes inputs of one type from what was posted, as people fill in forms: an empty number is absent, a box that is not
// ticked is false, and a list of boxes has those that are ticked. Objects, and lists of objects, are left absent: whoever
// draws rows for them reads them. So is who acts, unless the Form asks for a person.
//
// It is made when the program starts, and safe for concurrent use.
type Form[In any] struct{ fields []input.Field }

// FormOf panics when the type is no input: see shop.FieldsOf. The names in a form are those of the tags form, and of the tags
// field where there is none.
func FormOf[In any]() Form[In] {
	return Form[In]{input.FieldsOf(reflect.TypeFor[In](), shop.Identifies, "form", "field")}
}

// Read makes the input of what was posted.
func (f Form[In]) Read(posted url.Values) (in In) {
	into := reflect.ValueOf(&in).Elem()
	for _, field := range f.fields {
		switch in := into.FieldByIndex(field.Index).Addr().Interface().(type) {
		case *input.TextInput:
			*in = textOf(posted, field.Name)
		case *input.NumberInput:
			*in = NumberOf(posted.Get(field.Name))
		case *input.FlagInput:
			*in = input.Given(posted.Get(field.Name) != "")
		case *input.WrittenInput:
			if text := textOf(posted, field.Name); text.Supplied() {
				*in = input.Given(input.Written(posted.Get(field.Name)))
			}
		case *input.TextsInput:
			*in = input.GivenTexts(posted[field.Name]...)
		}
	}
	return in
}
