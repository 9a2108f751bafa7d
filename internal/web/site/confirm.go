package site

import (
	"maps"
	"net/http"
	"slices"

	"github.com/routecard/routecard/shop"
)

// ConfirmPage asks before a unit is closed. It carries the whole form on, with "sure" added.
type ConfirmPage struct {
	Frame
	Question string
	Facts    []string
	Yes      string // the button
	To       string // where the form goes
	Back     string
	Fields   []ConfirmField
	Sign     *SignPart // nil when it needs no signature
	Who      bool      // whether a secret is asked for that confirms who it is
}

// ConfirmField is a field of a form that is sent once more.
type ConfirmField struct{ Name, Value string }

// sureField is the button that says yes.
const sureField = "sure"

// Sure reports whether the person was asked and said yes.
func (v *Visit) Sure() bool { return v.Form.Get(sureField) == "yes" }

// Confirm asks. The form that was sent comes again with the answer, under a key of its own. Where the operation has to be
// signed, carryOut asks this and for the signatures at once.
func (v *Visit) Confirm(section, question, yes, back string, operation shop.SignedOperation, facts ...string) error {
	page := &ConfirmPage{
		Frame: v.Frame(question, section), Question: question, Yes: yes, To: v.R.URL.Path, Back: back,
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

// carriedFields is the form that was sent, without its key and without the answer.
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
