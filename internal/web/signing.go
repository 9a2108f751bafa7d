package web

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/shop"
)

// A form that has to be signed is asked for again, whole, with the signatures below it. No form knows of that: whoever
// changes something without the signatures that it needs is refused last of all, and the page that asks stands where the
// refusal would. What was typed in the fields below belongs to no form, and is taken out before anybody looks at it.

// The fields of a signature. Their values are neither kept nor shown again.
const (
	signField          = "sign" // the operation
	signSecondField    = "sign-second"
	signMeaningField   = "sign-meaning"
	signSecretField    = "sign-secret"
	cosignMeaningField = "cosign-meaning"
	cosignLoginField   = "cosign-login"
	cosignSecretField  = "cosign-secret"
)

// signPart is the part of a page that asks for signatures.
type signPart struct {
	Operation    shop.SignedOperation
	Name         string // of whoever signs
	Second       bool   // whether a second person has to
	Meanings     []shop.SignatureMeaning
	Meaning      string // that was chosen before
	SecondLogin  string
	SecondMeans  string
	typed        bool
	secret       string
	secondSecret string
}

func newSignPart(operation shop.SignedOperation, second bool) *signPart {
	return &signPart{
		Operation: operation, Second: second, Meanings: shop.SignatureMeanings(),
		Meaning: string(shop.Approval), SecondMeans: string(shop.Approval),
	}
}

// takeSignatures takes what was typed to sign out of the form.
func (v *visit) takeSignatures() {
	if v.access == nil || !v.form.Has(signField) {
		return
	}
	take := func(field string) string {
		value := v.form.Get(field)
		v.form.Del(field)
		return value
	}
	part := newSignPart(shop.SignedOperation(take(signField)), take(signSecondField) != "")
	part.Meaning, part.secret = take(signMeaningField), take(signSecretField)
	part.SecondMeans, part.SecondLogin, part.secondSecret = take(cosignMeaningField), take(cosignLoginField), take(cosignSecretField)
	part.typed = true
	v.signature = part
}

// sign makes tickets of what was typed, for what the form does.
func (v *visit) sign() error {
	part := v.signature
	if part == nil {
		return nil
	}
	from, err := v.access.Visitor(v.r)
	if err != nil {
		return err
	}
	ctx, target := v.r.Context(), v.r.URL.Path
	ticket, err := v.access.SignForm(ctx, from, part.Operation, target, access.PageSignature{
		Secret: part.secret, Meaning: shop.Given(part.Meaning),
	})
	tickets := []access.Ticket{ticket}
	if err == nil && part.Second {
		if strings.TrimSpace(part.SecondLogin) == "" {
			return shop.Refuse(noSecond)
		}
		ticket, err = v.access.SignForm(ctx, from, part.Operation, target, access.PageSignature{
			Login: part.SecondLogin, Secret: part.secondSecret, Meaning: shop.Given(part.SecondMeans),
		})
		tickets = append(tickets, ticket)
	}
	if err != nil {
		return err
	}
	v.r = v.r.WithContext(access.SignedBy(ctx, target, tickets...))
	return nil
}

// carryOut signs and carries out what was posted, and asks for what is missing of signatures.
func (v *visit) carryOut(route route) error {
	err := v.sign()
	wrong := err != nil
	if err == nil {
		err = v.once(route)
	}
	if part, ok := v.unsigned(err, wrong); ok {
		return v.askToSign(part, err)
	}
	return err
}

// unsigned reports whether a form was refused for want of signatures, or because what was typed to sign is wrong, and
// which part of a page asks for them.
func (v *visit) unsigned(err error, wrong bool) (*signPart, bool) {
	if v.identity == nil {
		return nil, false
	}
	if refusal, ok := errors.AsType[*shop.SignatureError](err); ok {
		part := v.signature
		if part == nil {
			part = newSignPart(refusal.Operation, false)
		}
		part.Operation, part.Second = refusal.Operation, refusal.Demand == shop.SignedBySecond
		return part, true
	}
	_, told := asRefusal(err)
	return v.signature, wrong && told
}

// askToSign shows the page that asks for signatures, with the form that is to be signed. What was wrong with those that
// were there is said.
func (v *visit) askToSign(part *signPart, refusal error) error {
	page := &confirmPage{
		frame: v.frame("Signature", ""), Question: signedWords[part.Operation], Yes: "Sign", To: v.r.URL.Path,
		Back: v.r.URL.Path, Sign: part, Fields: v.carried(),
	}
	if page.Question == "" {
		return refusal
	}
	if from, err := url.Parse(v.r.Referer()); err == nil && from.Host == v.r.Host && ownPath(from.RequestURI()) == from.RequestURI() {
		page.Back = from.RequestURI()
	}
	page.Facts, part.Name = v.signedFacts(), v.identity.User.Name
	status, told := httpstatus.Of(refusal)
	if !part.typed {
		return v.show(http.StatusOK, "confirm", page)
	}
	page.problem = &problem{form: "confirm", advice: adviseOn(told), values: v.form}
	return v.show(status, "confirm", page)
}

// signedWords ask for the signature of an operation.
var signedWords = map[shop.SignedOperation]string{
	shop.SignScrap: "Sign the scrapping", shop.SignForceComplete: "Sign the closing with steps open",
	shop.SignWaive: "Sign the waiver", shop.SignOverride: "Sign the override",
	shop.SignRelease: "Sign the release", shop.SignDisposition: "Sign the disposition",
	shop.SignUndo: "Sign that the change is taken back", shop.SignRework: "Sign the rework",
	shop.SignBOMEdit: "Sign the change of the bill", shop.SignPathUpdate: "Sign the change of the route",
}

// signedFacts say what is to be signed: which record, and what was filled in.
func (v *visit) signedFacts() []string {
	var facts []string
	if id := v.r.PathValue("id"); id != "" {
		facts = append(facts, id)
	}
	if units := slices.Concat(v.form["serial"], v.form["serialId"]); len(units) > 0 {
		facts = append(facts, "Units: "+unitList(units))
	} else if step, count, ok := strings.Cut(v.form.Get("all"), "/"); ok {
		facts = append(facts, "All "+plural(count, "unit", "units")+" at place "+step+", counted from 0")
	}
	for _, name := range []string{"disposition", "reason", "scrapReason", "explanation", "concession", "changeDescription"} {
		if value := strings.TrimSpace(v.form.Get(name)); value != "" {
			facts = append(facts, spaced(name)+": "+words(value))
		}
	}
	return facts
}

// signs is the part of a page that asks for the signatures of an operation, nil when it needs none.
func (v *visit) signs(operation shop.SignedOperation) (*signPart, error) {
	if v.access == nil || v.identity == nil {
		return nil, nil //nolint:nilnil // nothing to sign is an answer like others
	}
	policy, err := v.service.SignaturePolicy(v.r.Context())
	if err != nil || policy.Demand(operation) == shop.SignedByNobody {
		return nil, err
	}
	part := newSignPart(operation, policy.Demand(operation) == shop.SignedBySecond)
	part.Name = v.identity.User.Name
	return part, nil
}

// policyPage is the page on which an administrator says what has to be signed.
type policyPage struct {
	frame
	Operations []signedOperation
	Demands    []demandChoice
	Read       string // what was read of the policy; see readPolicy
}

type demandChoice struct {
	Demand shop.SignatureDemand
	Words  string
}

type signedOperation struct {
	Operation shop.SignedOperation
	Words     string
	Demand    shop.SignatureDemand
}

// operationWords are what operations are called on the page of the policy.
var operationWords = map[shop.SignedOperation]string{
	shop.SignScrap: "Scrap", shop.SignForceComplete: "Close with steps open", shop.SignWaive: "Waive a step",
	shop.SignOverride: "Make a step optional for a unit, or take that back", shop.SignRelease: "Release a hold",
	shop.SignDisposition: "Decide about units of a nonconformance", shop.SignUndo: "Take a change back",
	shop.SignRework: "Send back for rework", shop.SignBOMEdit: "Edit a bill of material",
	shop.SignPathUpdate: "Change a route that has units",
}

func demandChoices() []demandChoice {
	return []demandChoice{
		{shop.SignedByNobody, "nobody"}, {shop.SignedBySelf, "whoever does it"},
		{shop.SignedBySecond, "whoever does it, and a second person"},
	}
}

func showPolicy(v *visit) error { return v.policy(http.StatusOK, nil) }

func (v *visit) policy(status int, refused *problem) error {
	page := &policyPage{frame: v.frame("Signatures", "signatures"), Demands: demandChoices()}
	page.problem = refused
	policy, err := v.service.SignaturePolicy(v.r.Context())
	page.Read = readPolicy(policy)
	for _, operation := range shop.SignedOperations() {
		page.Operations = append(page.Operations, signedOperation{operation, operationWords[operation], policy.Demand(operation)})
	}
	return v.shown(err, status, "signatures", page)
}

func changePolicy(v *visit) error {
	in := make(map[shop.SignedOperation]shop.TextInput)
	for _, operation := range shop.SignedOperations() {
		in[operation] = v.text(string(operation))
	}
	_, err := v.service.SetSignaturePolicy(ifRead(v, v.form.Get(readField), readPolicy), in)
	if wasChanged(err) {
		return v.policyChanged()
	}
	if err != nil {
		return v.again("policy", err, v.policy)
	}
	return v.back("/settings/signatures", "Saved.")
}

// readPolicy is what the form for the policy carries of what was read.
func readPolicy(policy shop.SignaturePolicy) string {
	values := []any{}
	for _, operation := range shop.SignedOperations() {
		values = append(values, policy.Demand(operation))
	}
	return asRead(values...)
}

// policyChanged answers a form for a policy that somebody changed since it was read.
func (v *visit) policyChanged() error {
	policy, err := v.service.SignaturePolicy(v.r.Context())
	if err != nil {
		return err
	}
	in := map[string]string{}
	for _, choice := range demandChoices() {
		in[string(choice.Demand)] = choice.Words
	}
	var values []compared
	for _, operation := range shop.SignedOperations() {
		now := string(policy.Demand(operation))
		values = append(values, compared{operationWords[operation], in[cmp.Or(v.form.Get(string(operation)), now)], in[now]})
	}
	return v.again("policy", errChanged("what has to be signed", values), v.policy)
}
