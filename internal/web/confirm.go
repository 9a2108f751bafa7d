package web

import (
	"net/http"
	"slices"
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
}

type confirmField struct{ Name, Value string }

// sure reports whether the person was asked and said yes.
func (v *visit) sure() bool { return v.form.Get("sure") == "yes" }

// confirm asks. The form that was sent comes again with the answer, under a key of its own.
func (v *visit) confirm(section, question, yes, back string, facts ...string) error {
	page := &confirmPage{
		frame: v.frame(question, section), Question: question, Yes: yes, To: v.r.URL.Path, Back: back,
	}
	for _, fact := range facts {
		if fact != "" {
			page.Facts = append(page.Facts, fact)
		}
	}
	names := make([]string, 0, len(v.form))
	for name := range v.form {
		if name != onceField {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	for _, name := range names {
		for _, value := range v.form[name] {
			page.Fields = append(page.Fields, confirmField{name, value})
		}
	}
	return v.show(http.StatusOK, "confirm", page)
}
