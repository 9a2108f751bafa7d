package web

import (
	"crypto/rand"
	"html/template"
)

// onceField is the hidden field with the key of a form.
const onceField = "once"

// onceInput is the hidden field; every form that is posted has one.
func onceInput() template.HTML {
	return template.HTML(`<input type="hidden" name="` + onceField + `" value="` + rand.Text() + `">`) //nolint:gosec // letters and digits
}
