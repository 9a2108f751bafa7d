package site

import (
	"net/url"
	"reflect"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// Form converts a posted form to an input of type In. An empty number becomes absent, an unticked checkbox false, and a group of checkboxes
// the list of the ticked ones. Objects and lists of objects stay absent, because the page that has rows for them reads them itself. The
// acting user also stays absent, unless the Form asks for a person.
//
// A Form is created when the program starts, and is safe for concurrent use.
type Form[In any] struct{ fields []input.Field }

// FormOf panics if In is not an input type, see shop.FieldsOf, or has decimal numbers, which only a DecimalForm can read. The names of form
// fields come from the struct tag "form", or from the tag "field" if there is no such tag.
func FormOf[In any]() Form[In] {
	fields := input.FieldsOf(reflect.TypeFor[In](), shop.Identifies, "form", "field")
	for _, field := range fields {
		if reflect.TypeFor[In]().FieldByIndex(field.Index).Type == reflect.TypeFor[input.WrittenInput]() {
			panic(field.Name + " is a decimal number: the form has to be a DecimalForm")
		}
	}
	return Form[In]{fields}
}

// Read converts a posted form.
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
