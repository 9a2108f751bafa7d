package site

import (
	"context"
	"crypto/rand"
	"crypto/sha256"
	"encoding/base64"
	"encoding/hex"
	"fmt"
	"html/template"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/refusal"
)

// A form that is sent twice is carried out once, whether the cause is a double tap, a browser that repeats it, or a user who goes back.
// Each form without a secret has its own key, which is created when the form is rendered.

// onceField is the hidden field with the key of a form.
const onceField = "once"

// A key ends with a mark, which is a short digest of the operator who was working on the device when the form was rendered. It ensures that
// an operation is never recorded under a name that the page did not show. nobodysMark stands for no operator.
const (
	markLength  = 6
	nobodysMark = "000000"
)

// onceInput renders the hidden field with the form's key. given is the page, or a map whose entry Page is the page. Forms with secrets may
// have the field too, but Once ignores it in them.
func onceInput(given any) (template.HTML, error) {
	if parts, ok := given.(map[string]any); ok {
		given = parts["Page"] // not a text: a name
	}
	page, ok := given.(interface{ Works() string })
	if !ok {
		return "", fmt.Errorf("once is given a %T, which is no page", given)
	}
	key := rand.Text() + "-" + markOf(page.Works())
	return template.HTML(`<input type="hidden" name="` + onceField + `" value="` + key + `">`), nil //nolint:gosec // letters and digits
}

// Works returns the operator that the page shows.
func (f *Frame) Works() string { return f.Operator }

// markOf returns the mark with which the key of a form identifies an operator: the beginning of a digest.
func markOf(operator string) string {
	if operator == "" {
		return nobodysMark
	}
	digest := sha256.Sum256([]byte(operator))
	return hex.EncodeToString(digest[:])[:markLength]
}

// otherThanShown refuses a form if the operator of the device is no longer the one that the page showed, for example because another window
// of the browser switched the operator or signed in. It skips this check for the station, which makes the check itself, and for a form that
// states the acting user. The refusal puts the mark of the current operator into v.Sent, so that the failure page can offer to send the
// form again.
func otherThanShown(v *Visit, key, shown string) error {
	said := v.Access == nil && v.Form.Get("userId") != ""
	if shown == nobodysMark || v.Operator == "" || shown == markOf(v.Operator) || said || v.R.URL.Path == "/scan" {
		return nil
	}
	v.Sent.Set(onceField, key+"-"+markOf(v.Operator))
	return refusal.Refuse(wording.OtherWorks, v.People.Names()[v.Operator])
}

func secretFields() []string { return []string{"password", "oldPassword", "pin"} }

// carriesSecret reports whether a form has a field for a password or a PIN.
func carriesSecret(form url.Values) bool { return slices.ContainsFunc(secretFields(), form.Has) }

// Once carries out a posted form once for each key. The key is combined with the content of the form: if a user goes back, changes
// something and sends the form again, this counts as a new request. If a form contains secrets, its key is ignored, because nothing that is
// derived from a secret is stored. A new token or code is not stored either: if the form is sent again, the response only says that it was
// created.
func (v *Visit) Once(route Route) error {
	ask := askOf(v.R.Context())
	if route.secret || carriesSecret(v.Form) || v.R.Method != http.MethodPost || v.Form.Get(onceField) == "" {
		if ask != nil {
			return nil // a form without a key leaves no record
		}
		return route.Answer(v)
	}
	v.Sent = maps.Clone(v.Form) // the page that is shown may change the form
	key, shown, marked := strings.Cut(v.Form.Get(onceField), "-")
	if marked && ask == nil {
		if err := otherThanShown(v, key, shown); err != nil {
			return err
		}
	}
	unmarked := maps.Clone(v.Form)
	unmarked.Set(onceField, key)
	digest := sha256.Sum256([]byte(v.R.URL.Path + "\n" + unmarked.Encode()))
	name := base64.RawStdEncoding.EncodeToString(digest[:])
	v.mark = name[:formMarkLength]
	once := card.Once{Key: name, Fingerprint: name}
	answer := func(ctx context.Context) error {
		v.R = v.R.WithContext(ctx)
		return route.Answer(v)
	}
	if ask != nil {
		settleForm(v, ask, once, shown, answer)
		return nil
	}
	return v.Service.Once(v.R.Context(), once, answer)
}
