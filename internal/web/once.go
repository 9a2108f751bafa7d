package web

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"html/template"
	"maps"
	"net/http"
	"net/url"

	"github.com/routecard/routecard/shop"
)

// A form that is sent twice, by a double tap, a browser that repeats it or a reader who goes back, is carried out once.
// Each form without a secret has a key of its own, made when it was rendered.

// onceField is the hidden field with the key of a form.
const onceField = "once"

// onceInput is the hidden field. Forms with secrets may have it too; once ignores it there.
func onceInput() template.HTML {
	return template.HTML(`<input type="hidden" name="` + onceField + `" value="` + rand.Text() + `">`) //nolint:gosec // letters and digits
}

// carriesSecret reports whether a form has a field for a password or a PIN.
func carriesSecret(form url.Values) bool {
	return form.Has("password") || form.Has("oldPassword") || form.Has("pin")
}

// once answers what was posted under the key of its form. The key stands for the form together with what was filled in:
// who goes back, fills in something else and sends it again means something else. The key of a form with secrets is ignored:
// nothing that is made from a secret is kept. A new token or code is not stored either; a repeat only learns that it was made.
func (v *visit) once(route route) error {
	if route.secret || carriesSecret(v.form) || v.r.Method != http.MethodPost || v.form.Get(onceField) == "" {
		return route.answer(v)
	}
	v.sent = maps.Clone(v.form) // the page that is shown may change the form
	digest := sha256.Sum256([]byte(v.r.URL.Path + "\n" + v.form.Encode()))
	name := base64.RawStdEncoding.EncodeToString(digest[:])
	return v.service.Once(v.r.Context(), shop.Once{Key: name, Fingerprint: name}, func(ctx context.Context) error {
		v.r = v.r.WithContext(ctx)
		return route.answer(v)
	})
}
