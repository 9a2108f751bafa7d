package web

import (
	"cmp"
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// A form that has to be signed is asked for again, whole, with what is signed and the signatures below it. No form knows of
// that: whoever changes something without the signatures that it needs is refused last of all, with what the operation was
// asked for, and the page that asks stands where the refusal would. What was typed in the fields below belongs to no form, and
// is taken out before anybody looks at it.
//
// A form that comes back signed is first carried out only so far that it is known what it asks for now. When that is not
// what the page has shown, the page is shown again. Tickets are made for what was shown, and are good for nothing else.

// The fields of a signature. The values of all but the first three are neither kept nor shown again.
const (
	signField          = "sign" // the operation
	signSecondField    = "sign-second"
	signShownField     = "sign-shown" // the hash of what is signed
	signMeaningField   = "sign-meaning"
	signSecretField    = "sign-secret"
	signPasskeyField   = "sign-passkey"
	cosignMeaningField = "cosign-meaning"
	cosignLoginField   = "cosign-login"
	cosignSecretField  = "cosign-secret"
	cosignPasskeyField = "cosign-passkey"
)

// signPart is the part of a page that asks for signatures.
type signPart struct {
	Operation     shop.SignedOperation
	Name          string // of whoever signs
	First         bool   // whether whoever asks has to
	Second        bool   // whether a second person has to
	Signed        []signedRow
	Shown         string // the hash of what is signed
	Meanings      []shop.SignatureMeaning
	Meaning       string // that was chosen before, "" for none: nobody states a meaning by leaving a field alone
	SecondLogin   string
	SecondMeans   string
	Origin        string // at which passkeys work, "" for nowhere
	contents      []shop.SignedContent
	typed         bool
	secret        string
	secondSecret  string
	passkey       string // what an authenticator answered
	secondPasskey string
}

func newSignPart() *signPart {
	return &signPart{Meanings: shop.SignatureMeanings()}
}

// wants makes the part ask for the signatures that are wanting.
func (p *signPart) wants(wanting *shop.SignatureError) {
	p.Operation, p.Second, p.contents = wanting.Operation, wanting.Demand == shop.SignedBySecond, wanting.Contents
	p.First = !p.Operation.SecondOnly()
	p.Shown = access.ContentsSHA256(p.contents)
}

// takeSignatures takes what was typed to sign out of the form.
func takeSignatures(v *visit) {
	if v.access == nil || !v.form.Has(signField) {
		return
	}
	take := func(field string) string {
		value := v.form.Get(field)
		v.form.Del(field)
		return value
	}
	part := newSignPart()
	take(signField)
	take(signSecondField)
	part.Shown, part.Meaning, part.secret = take(signShownField), take(signMeaningField), take(signSecretField)
	part.SecondMeans, part.SecondLogin, part.secondSecret = take(cosignMeaningField), take(cosignLoginField), take(cosignSecretField)
	part.passkey, part.secondPasskey = take(signPasskeyField), take(cosignPasskeyField)
	part.typed = true
	v.signature = part
}

// signTyped makes tickets of what was typed, for what the form asks for.
func signTyped(v *visit, part *signPart) error {
	from, err := v.access.Visitor(v.r)
	if err != nil {
		return err
	}
	ctx, target := v.r.Context(), v.r.URL.Path
	var ticket access.Ticket
	var tickets []access.Ticket
	if part.First {
		ticket, err = v.access.SignForm(ctx, from, part.Operation, target, part.contents, access.PageSignature{
			Secret: part.secret, Passkey: passkeyIn(part.passkey), Meaning: input.Given(part.Meaning),
		})
		tickets = append(tickets, ticket)
	}
	if err == nil && part.Second {
		if strings.TrimSpace(part.SecondLogin) == "" {
			return refusal.Refuse(wording.NoSecond)
		}
		if !part.First && strings.EqualFold(strings.TrimSpace(part.SecondLogin), v.identity.User.Login) {
			return refusal.Refuse(shop.TicketNotValid)
		}
		ticket, err = v.access.SignForm(ctx, from, part.Operation, target, part.contents, access.PageSignature{
			Login: part.SecondLogin, Secret: part.secondSecret, Passkey: passkeyIn(part.secondPasskey),
			Meaning: input.Given(part.SecondMeans),
		})
		tickets = append(tickets, ticket)
	}
	if err != nil {
		return err
	}
	v.r = v.r.WithContext(v.access.SignedBy(ctx, target, part.contents, tickets...))
	return nil
}

// errToBeSigned ends the first look at a form that a page asks about and that has to be signed: the page asks for both at once.
var errToBeSigned = errors.New("to be signed")

// carryOut carries out what was posted, signed or not, and asks for what is missing: that the visitor is still who they were,
// or signatures.
func (v *visit) carryOut(route route) error {
	err := confirmSelf(v)
	if _, told := asRefusal(err); told {
		return askWhoItIs(v, err)
	}
	if err != nil {
		return err
	}
	if v.signature != nil && v.identity != nil {
		return carryOutSigned(v, route)
	}
	err = v.once(route)
	if errors.Is(err, errToBeSigned) {
		v.form.Set(sureField, "yes")
		err = toSign(v, route)
		v.form.Del(sureField)
	}
	if err = orAskToSign(v, newSignPart(), err); asksWhoItIs(v, err) {
		return askWhoItIs(v, nil)
	}
	return err
}

// toSign carries out what was posted up to where it would have to be signed. What need not be signed is done.
func toSign(v *visit, route route) error {
	r := v.r
	v.r = r.WithContext(shop.ToSign(r.Context()))
	err := v.once(route)
	v.r = r
	return err
}

// carryOutSigned carries out a form that comes with signatures.
func carryOutSigned(v *visit, route route) error {
	v.form.Set(sureField, "yes") // whoever signs says that
	part, posted := v.signature, maps.Clone(v.form)
	err := toSign(v, route)
	wanting, ok := errors.AsType[*shop.SignatureError](err)
	if !ok {
		return err
	}
	shown := part.Shown
	part.wants(wanting)
	if part.Shown != shown {
		return askToSign(v, part, refusal.Refuse(wording.NotAsShown))
	}
	if err := signTyped(v, part); err != nil {
		if _, told := asRefusal(err); !told {
			return err
		}
		return askToSign(v, part, err)
	}
	v.form = posted
	return orAskToSign(v, part, v.once(route))
}

// orAskToSign asks for the signatures for whose want a form was refused. Other errors are returned.
func orAskToSign(v *visit, part *signPart, err error) error {
	wanting, ok := errors.AsType[*shop.SignatureError](err)
	if !ok || v.identity == nil {
		return err
	}
	part.wants(wanting)
	return askToSign(v, part, err)
}

// askToSign shows the page that asks for signatures, with the form that is to be signed. What was wrong with those that
// were there is said.
func askToSign(v *visit, part *signPart, refusal error) error {
	page := v.question
	if page == nil {
		page = &confirmPage{
			frame: v.frame("Signature", ""), Question: signedWords[part.Operation], Yes: "Sign", To: v.r.URL.Path,
			Back: v.r.URL.Path,
		}
		if from, err := url.Parse(v.r.Referer()); err == nil && from.Host == v.r.Host && ownPath(from.RequestURI()) == from.RequestURI() {
			page.Back = from.RequestURI()
		}
	}
	if page.Question == "" {
		return refusal
	}
	var err error
	if part.Signed, err = signedRows(v, part); err != nil {
		return err
	}
	page.Sign, page.Fields, part.Name, part.Origin = part, carriedFields(v), v.identity.User.Name, v.access.PasskeyOrigin()
	status, told := httpstatus.Of(refusal)
	if !part.typed {
		return v.show(http.StatusOK, "confirm", page)
	}
	page.problem = &problem{form: "confirm", advice: wording.AdviseOn(v.about, told), values: v.form}
	return v.show(status, "confirm", page)
}

// signedWords ask for the signature of an operation.
var signedWords = map[shop.SignedOperation]string{
	shop.SignScrap: "Sign the scrapping", shop.SignForceComplete: "Sign the closing with steps open",
	shop.SignWaive: "Sign the waiver", shop.SignOverride: "Sign the override",
	shop.SignRelease: "Sign the release", shop.SignDisposition: "Sign the decision",
	shop.SignUndo: "Sign that the change is taken back", shop.SignRework: "Sign the rework",
	shop.SignBOMEdit: "Sign the change of the bill", shop.SignPathUpdate: "Sign the change of the route",
	shop.SignAccounts: "A second administrator signs this",
}

// signatureDemanded reports whether somebody has to sign an operation.
func signatureDemanded(v *visit, operation shop.SignedOperation) (bool, error) {
	if v.access == nil || v.identity == nil || operation == "" {
		return false, nil
	}
	policy, err := v.service.SignaturePolicy(v.r.Context())
	return policy.Demand(operation) != shop.SignedByNobody, err
}

// policyPage is the page on which an administrator says what has to be signed.
type policyPage struct {
	frame
	Operations []signedOperation
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
	Demands   []demandChoice // what can be demanded
}

// operationWords are what operations are called on the page of the policy.
var operationWords = map[shop.SignedOperation]string{
	shop.SignScrap: "Scrap", shop.SignForceComplete: "Close with steps open", shop.SignWaive: "Waive a step",
	shop.SignOverride: "Make a step optional for a unit, or take that back", shop.SignRelease: "Release a hold",
	shop.SignDisposition: "Decide about units of a nonconformance", shop.SignUndo: "Take a change back",
	shop.SignRework: "Send back for rework", shop.SignBOMEdit: "Edit a bill of material",
	shop.SignPathUpdate: "Change a route that has units", shop.SignAccounts: "Change who may do what",
}

func demandChoices(operation shop.SignedOperation) []demandChoice {
	if operation.SecondOnly() {
		return []demandChoice{{shop.SignedByNobody, "nobody"}, {shop.SignedBySecond, "a second administrator"}}
	}
	return []demandChoice{
		{shop.SignedByNobody, "nobody"}, {shop.SignedBySelf, "whoever does it"},
		{shop.SignedBySecond, "whoever does it, and a second person"},
	}
}

func showPolicy(v *visit) error { return renderPolicy(v, http.StatusOK, nil) }

func renderPolicy(v *visit, status int, refused *problem) error {
	page := &policyPage{frame: v.frame("Signatures", "signatures")}
	page.problem = refused
	policy, err := v.service.SignaturePolicy(v.r.Context())
	page.Read = readPolicy(policy)
	for _, operation := range shop.SignedOperations() {
		page.Operations = append(page.Operations, signedOperation{
			operation, operationWords[operation], policy.Demand(operation), demandChoices(operation),
		})
	}
	return v.shown(err, status, "signatures", page)
}

func changePolicy(v *visit) error {
	in := make(map[shop.SignedOperation]input.TextInput)
	for _, operation := range shop.SignedOperations() {
		in[operation] = v.text(string(operation))
	}
	_, err := v.service.SetSignaturePolicy(ifRead(v, v.form.Get(readField), readPolicy), in)
	if wasChanged(err) {
		return policyChanged(v)
	}
	if err != nil {
		return v.again("policy", err, renderPolicy)
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
func policyChanged(v *visit) error {
	policy, err := v.service.SignaturePolicy(v.r.Context())
	if err != nil {
		return err
	}
	var values []compared
	for _, operation := range shop.SignedOperations() {
		in := map[string]string{}
		for _, choice := range demandChoices(operation) {
			in[string(choice.Demand)] = choice.Words
		}
		now := string(policy.Demand(operation))
		values = append(values, compared{operationWords[operation], in[cmp.Or(v.form.Get(string(operation)), now)], in[now]})
	}
	return v.again("policy", errChanged("what has to be signed", values), renderPolicy)
}
