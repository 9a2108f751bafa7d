package account

import (
	"cmp"
	"net/http"

	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// When a form needs signatures, the whole form is shown again, with the operation to sign and the signature fields below it. The forms do
// not know about signatures. After all other checks, the operation refuses a change that lacks a required signature, and the refusal states
// what the operation would do. The page that asks for signatures replaces the page of the refusal. The signature fields belong to no form
// and are removed before anything reads the form.
//
// A signed form is first carried out only far enough to know what it would do now. If that differs from what the page showed, the page is
// shown again. Tickets are issued for what was shown and are not valid for anything else.

// PolicyPage is the page on which administrators choose which operations need signatures.
type PolicyPage struct {
	site.Frame
	Operations []site.SignedOperation
	Read       string // the policy that the page was rendered with; see site.ReadPolicy
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
	return v.Back("/settings/signatures", v.T("Saved."))
}

// policyChanged responds to a form for a policy that was changed after it was read.
func policyChanged(v *site.Visit) error {
	policy, err := v.Service.SignaturePolicy(v.R.Context())
	if err != nil {
		return err
	}
	var values []site.Compared
	for _, operation := range shop.SignedOperations() {
		in := map[string]lang.Text{}
		for _, choice := range site.DemandChoices(operation) {
			in[string(choice.Demand)] = choice.Words
		}
		now := string(policy.Demand(operation))
		values = append(values, site.Compared{
			Field: site.OperationWords[operation], Typed: v.T(in[cmp.Or(v.Form.Get(string(operation)), now)]), Now: v.T(in[now]),
		})
	}
	return v.Again("policy", site.ErrChanged(v, v.T("Somebody changed the operations to be signed meanwhile."), values), renderPolicy)
}
