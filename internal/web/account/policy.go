package account

import (
	"cmp"
	"net/http"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// A form that has to be signed is asked for again, whole, with what is signed and the signatures below it. No form knows of
// that: whoever changes something without the signatures that it needs is refused last of all, with what the operation was
// asked for, and the page that asks stands where the refusal would. What was typed in the fields below belongs to no form, and
// is taken out before anybody looks at it.
//
// A form that comes back signed is first carried out only so far that it is known what it asks for now. When that is not
// what the page has shown, the page is shown again. Tickets are made for what was shown, and are good for nothing else.

// PolicyPage is the page on which an administrator says what has to be signed.
type PolicyPage struct {
	site.Frame
	Operations []site.SignedOperation
	Read       string // what was read of the policy; see readPolicy
}

func showPolicy(v *site.Visit) error { return renderPolicy(v, http.StatusOK, nil) }

func renderPolicy(v *site.Visit, status int, refused *site.Problem) error {
	page := &PolicyPage{Frame: v.Frame("Signatures", "signatures")}
	page.Rejected = refused
	policy, err := v.Service.SignaturePolicy(v.R.Context())
	page.Read = site.ReadPolicy(policy)
	for _, operation := range shop.SignedOperations() {
		page.Operations = append(page.Operations, site.SignedOperation{
			Operation: operation, Words: site.OperationWords[operation], Demand: policy.Demand(operation),
			Demands: site.DemandChoices(operation),
		})
	}
	return v.Shown(err, status, "signatures", page)
}

func changePolicy(v *site.Visit) error {
	in := make(map[shop.SignedOperation]input.TextInput)
	for _, operation := range shop.SignedOperations() {
		in[operation] = v.Text(string(operation))
	}
	_, err := v.Service.SetSignaturePolicy(site.IfRead(v, v.Form.Get(site.ReadField), site.ReadPolicy), in)
	if site.WasChanged(err) {
		return policyChanged(v)
	}
	if err != nil {
		return v.Again("policy", err, renderPolicy)
	}
	return v.Back("/settings/signatures", "Saved.")
}

// policyChanged answers a form for a policy that somebody changed since it was read.
func policyChanged(v *site.Visit) error {
	policy, err := v.Service.SignaturePolicy(v.R.Context())
	if err != nil {
		return err
	}
	var values []site.Compared
	for _, operation := range shop.SignedOperations() {
		in := map[string]string{}
		for _, choice := range site.DemandChoices(operation) {
			in[string(choice.Demand)] = choice.Words
		}
		now := string(policy.Demand(operation))
		values = append(values, site.Compared{
			Field: site.OperationWords[operation], Typed: in[cmp.Or(v.Form.Get(string(operation)), now)], Now: in[now],
		})
	}
	return v.Again("policy", site.ErrChanged("what has to be signed", values), renderPolicy)
}
