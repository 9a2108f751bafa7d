package web

import (
	"maps"
	"net/http"
	"slices"

	"github.com/routecard/routecard/shop"
)

// confirmPage asks before a unit is closed. It carries the whole form on, with "sure" added.
type confirmPage struct {
	frame
	Question string
	Facts    []string
	Yes      string // the button
	To       string // where the form goes
	Back     string
	Fields   []confirmField
	Sign     *signPart // nil when it needs no signature
	Who      bool      // whether a secret is asked for that confirms who it is
}

type confirmField struct{ Name, Value string }

// sureField is the button that says yes.
const sureField = "sure"

// sure reports whether the person was asked and said yes.
func (v *visit) sure() bool { return v.form.Get(sureField) == "yes" }

// confirm asks. The form that was sent comes again with the answer, under a key of its own. Where the operation has to be
// signed, carryOut asks this and for the signatures at once.
func (v *visit) confirm(section, question, yes, back string, operation shop.SignedOperation, facts ...string) error {
	page := &confirmPage{
		frame: v.frame(question, section), Question: question, Yes: yes, To: v.r.URL.Path, Back: back,
	}
	for _, fact := range facts {
		if fact != "" {
			page.Facts = append(page.Facts, fact)
		}
	}
	signed, err := signatureDemanded(v, operation)
	if err != nil {
		return err
	}
	if signed {
		v.question = page
		return errToBeSigned
	}
	page.Fields = carriedFields(v)
	return v.show(http.StatusOK, "confirm", page)
}

// carriedFields is the form that was sent, without its key and without the answer.
func carriedFields(v *visit) (fields []confirmField) {
	for _, name := range slices.Sorted(maps.Keys(v.form)) {
		if name == onceField || name == sureField {
			continue
		}
		for _, value := range v.form[name] {
			fields = append(fields, confirmField{name, value})
		}
	}
	return fields
}
