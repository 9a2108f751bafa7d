package web

import (
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
func takeConfirmation(v *visit) {
	if v.access == nil || !v.form.Has(whoField) {
		return
	}
	typed := v.form.Get(whoField)
	v.form.Del(whoField)
	v.confirming = &typed
}

// confirmSelf confirms the session with what was typed.
func confirmSelf(v *visit) error {
	if v.confirming == nil {
		return nil
	}
	from, err := v.access.Visitor(v.r)
	if err != nil {
		return err
	}
	ctx, err := v.access.ConfirmForm(v.r.Context(), from, *v.confirming)
	if err == nil {
		v.r = v.r.WithContext(ctx)
	}
	return err
}

// asksWhoItIs reports whether a visitor was refused because they have to confirm who they are, and can: whoever came with a
// badge cannot.
func asksWhoItIs(v *visit, err error) bool {
	refused, ok := asRefusal(err)
	return ok && refused.Reason == refusal.ConfirmFirst && v.identity != nil && v.identity.CanConfirm()
}

// askWhoItIs shows the page that asks for the secret, with the form that goes on with it.
func askWhoItIs(v *visit, refusal error) error {
	page := &confirmPage{
		frame: v.frame("Confirm that it is you", ""), Question: "Confirm that it is you", Yes: "Go on", To: v.r.URL.Path,
		Back: v.r.URL.Path, Who: true, Fields: carriedFields(v),
		Facts: []string{"You have not typed your password or your PIN for a while. Then what you did goes on."},
	}
	if from, err := url.Parse(v.r.Referer()); err == nil && from.Host == v.r.Host && ownPath(from.RequestURI()) == from.RequestURI() {
		page.Back = from.RequestURI()
	}
	if refusal == nil {
		return v.show(http.StatusOK, "confirm", page)
	}
	status, told := httpstatus.Of(refusal)
	page.problem = &problem{form: "confirm", advice: wording.AdviseOn(v.about, told), values: v.form}
	return v.show(status, "confirm", page)
}
