package site

import (
	"maps"
	"net/http"
	"slices"

	"github.com/routecard/routecard/shop"
)

// ConfirmPage asks for confirmation, for example before a unit is closed. It repeats the whole form, and its button adds the field "sure"
// to the form.
type ConfirmPage struct {
	Frame
	Question string
	Facts    []string
	Yes      string // the label of the button
	To       string // the address to which the form is sent
	Back     string
	Fields   []ConfirmField
	Sign     *SignPart // nil if no signature is needed
	Who      bool      // whether the page asks for a secret to confirm the visitor's identity
}

// ConfirmField is a field of a form that is sent again.
type ConfirmField struct{ Name, Value string }

// sureField is the button that confirms.
const sureField = "sure"

// Sure reports whether the user has confirmed.
func (v *Visit) Sure() bool { return v.Form.Get(sureField) == "yes" }

// Confirm asks for confirmation. The confirmed form arrives later, under another key. If the operation has to be signed, carryOut asks for
// confirmation and signatures on one page.
func (v *Visit) Confirm(section, question, yes, back string, operation shop.SignedOperation, facts ...string) error {
	page := &ConfirmPage{
		Frame: v.FrameOf(question, section), Question: question, Yes: yes, To: v.R.URL.Path, Back: back,
	}
	for _, fact := range facts {
		if fact != "" {
			page.Facts = append(page.Facts, fact)
		}
	}
	signed, err := SignatureDemanded(v, operation)
	if err != nil {
		return err
	}
	if signed {
		v.question = page
		return errToBeSigned
	}
	page.Fields = carriedFields(v)
	return v.Show(http.StatusOK, "confirm", page)
}

// carriedFields returns the fields of the form that was sent, except for its key and its confirmation.
func carriedFields(v *Visit) (fields []ConfirmField) {
	for _, name := range slices.Sorted(maps.Keys(v.Form)) {
		if name == onceField || name == sureField {
			continue
		}
		for _, value := range v.Form[name] {
			fields = append(fields, ConfirmField{name, value})
		}
	}
	return fields
}
