package site

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/refusal"
)

// If an operation needs a recently entered secret, the page asks for it here, together with the posted form, and then continues with that
// form. As with signatures, forms need not handle this themselves.

// whoField is the field for the secret. Its value is neither stored nor displayed again.
const whoField = "confirm-secret"

// takeConfirmation moves the typed secret out of the form.
func takeConfirmation(v *Visit) {
	if v.Access == nil || !v.Form.Has(whoField) {
		return
	}
	typed := v.Form.Get(whoField)
	v.Form.Del(whoField)
	v.confirming = &typed
}

// confirmSelf confirms the session with the typed secret.
func confirmSelf(v *Visit) error {
	if v.confirming == nil {
		return nil
	}
	from, err := v.Access.Visitor(v.R)
	if err != nil {
		return err
	}
	ctx, err := v.Access.ConfirmForm(v.R.Context(), from, *v.confirming)
	if err == nil {
		v.R = v.R.WithContext(ctx)
	}
	return err
}

// AsksWhoItIs reports whether a visitor was refused because they must confirm their identity and are able to do so. Visitors who signed in
// with a badge are not able to.
func AsksWhoItIs(v *Visit, err error) bool {
	refused, ok := AsRefusal(err)
	return ok && refused.Reason == refusal.ConfirmFirst && v.Identity != nil && v.Identity.CanConfirm()
}

// askWhoItIs shows the page that asks for the secret, together with the form to continue with.
func askWhoItIs(v *Visit, refusal error) error {
	page := &ConfirmPage{
		Frame: v.Frame("Confirm that it is you", ""), Question: v.T("Confirm that it is you"), Yes: v.T("Go on"), To: v.R.URL.Path,
		Back: v.R.URL.Path, Who: true, Fields: carriedFields(v),
		Facts: []string{v.T("You have not typed your password or your PIN for a while. Then what you did goes on.")},
	}
	if from, err := url.Parse(v.R.Referer()); err == nil && from.Host == v.R.Host && OwnPath(from.RequestURI()) == from.RequestURI() {
		page.Back = from.RequestURI()
	}
	if refusal == nil {
		return v.Show(http.StatusOK, "confirm", page)
	}
	status, told := httpstatus.Of(refusal)
	page.Rejected = &Problem{Form: "confirm", Advice: wording.AdviseOn(v.Language, v.about, told), Values: v.Form}
	return v.Show(status, "confirm", page)
}

// passkeyIn returns the value that a page's script put into a field, nil for none.
func passkeyIn(text string) json.RawMessage {
	if text == "" || !json.Valid([]byte(text)) {
		return nil
	}
	return json.RawMessage(text)
}
