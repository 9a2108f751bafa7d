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

// A form that is sent twice, by a double tap, a browser that repeats it or a reader who goes back, is carried out once.
// Each form without a secret has a key of its own, made when it was rendered.

// onceField is the hidden field with the key of a form.
const onceField = "once"

// A key ends with a mark of who worked on the device when the form was rendered, so that another person's act is not recorded
// under a name that the page did not show. nobodysMark is the mark of nobody.
const (
	markLength  = 6
	nobodysMark = "000000"
)

// onceInput is the hidden field of a form of a page: what a template was given, the page itself or a record that has it as its Page.
// Forms with secrets may have it too; once ignores it there.
func onceInput(given any) (template.HTML, error) {
	if parts, ok := given.(map[string]any); ok {
		given = parts["Page"]
	}
	page, ok := given.(interface{ Works() string })
	if !ok {
		return "", fmt.Errorf("once is given a %T, which is no page", given)
	}
	key := rand.Text() + "-" + markOf(page.Works())
	return template.HTML(`<input type="hidden" name="` + onceField + `" value="` + key + `">`), nil //nolint:gosec // letters and digits
}

// Works is who works on the device, as the page shows.
func (f *Frame) Works() string { return f.Operator }

// markOf is the mark of an operator.
func markOf(operator string) string {
	if operator == "" {
		return nobodysMark
	}
	digest := sha256.Sum256([]byte(operator))
	return hex.EncodeToString(digest[:])[:markLength]
}

// otherThanShown refuses a form whose page showed somebody else at work than who works there now, as when another window of the
// same browser chose or signed in another person. The station judges that itself, and who says in the form who acts was asked there.
// The refusal puts the mark of who works there now into what was sent: the page that tells of it offers to send that.
func otherThanShown(v *Visit, key, shown string) error {
	said := v.Access == nil && v.Form.Get("userId") != ""
	if shown == nobodysMark || v.Operator == "" || shown == markOf(v.Operator) || said || v.R.URL.Path == "/scan" {
		return nil
	}
	v.Sent.Set(onceField, key+"-"+markOf(v.Operator))
	return refusal.Refuse(wording.OtherWorks, v.People.Names()[v.Operator])
}

// secretFields are the fields for a password or a PIN.
func secretFields() []string { return []string{"password", "oldPassword", "pin"} }

// carriesSecret reports whether a form has a field for a password or a PIN.
func carriesSecret(form url.Values) bool { return slices.ContainsFunc(secretFields(), form.Has) }

// Once answers what was posted under the key of its form. The key stands for the form together with what was filled in:
// who goes back, fills in something else and sends it again means something else. The key of a form with secrets is ignored:
// nothing that is made from a secret is kept. A new token or code is not stored either; a repeat only learns that it was made.
func (v *Visit) Once(route Route) error {
	ask := askOf(v.R.Context())
	if route.secret || carriesSecret(v.Form) || v.R.Method != http.MethodPost || v.Form.Get(onceField) == "" {
		if ask != nil {
			return nil // nothing is known of a form without a key
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
