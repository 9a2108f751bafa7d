package site

import (
	"encoding/json"
	"net/http"
	"net/url"

	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/refusal"
)

// What needs a secret that was given just now asks for it here, with the form that was sent, and goes on with that form. No
// form knows of it, as with signatures.

// whoField is the secret. Its value is neither kept nor shown again.
const whoField = "confirm-secret"

// takeConfirmation takes what was typed to confirm who it is out of the form.
func takeConfirmation(v *Visit) {
	if v.Access == nil || !v.Form.Has(whoField) {
		return
	}
	typed := v.Form.Get(whoField)
	v.Form.Del(whoField)
	v.confirming = &typed
}

// confirmSelf confirms the session with what was typed.
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

// AsksWhoItIs reports whether a visitor was refused because they have to confirm who they are, and can: whoever came with a
// badge cannot.
func AsksWhoItIs(v *Visit, err error) bool {
	refused, ok := AsRefusal(err)
	return ok && refused.Reason == refusal.ConfirmFirst && v.Identity != nil && v.Identity.CanConfirm()
}

// askWhoItIs shows the page that asks for the secret, with the form that goes on with it.
func askWhoItIs(v *Visit, refusal error) error {
	page := &ConfirmPage{
		Frame: v.Frame("Confirm that it is you", ""), Question: "Confirm that it is you", Yes: "Go on", To: v.R.URL.Path,
		Back: v.R.URL.Path, Who: true, Fields: carriedFields(v),
		Facts: []string{"You have not typed your password or your PIN for a while. Then what you did goes on."},
	}
	if from, err := url.Parse(v.R.Referer()); err == nil && from.Host == v.R.Host && OwnPath(from.RequestURI()) == from.RequestURI() {
		page.Back = from.RequestURI()
	}
	if refusal == nil {
		return v.Show(http.StatusOK, "confirm", page)
	}
	status, told := httpstatus.Of(refusal)
	page.Rejected = &Problem{Form: "confirm", Advice: wording.AdviseOn(v.about, told), Values: v.Form}
	return v.Show(status, "confirm", page)
}

// passkeyIn is what the script of a page put into a field, nil for nothing.
func passkeyIn(text string) json.RawMessage {
	if text == "" || !json.Valid([]byte(text)) {
		return nil
	}
	return json.RawMessage(text)
}
