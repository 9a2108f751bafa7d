package site

import (
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

// SignPart is the part of a page that asks for signatures.
type SignPart struct {
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

// errToBeSigned ends the first look at a form that a page asks about and that has to be signed: the page asks for both at once.
var errToBeSigned = errors.New("to be signed")

// SignedWords ask for the signature of an operation.
var SignedWords = map[shop.SignedOperation]string{
	shop.SignScrap: "Sign the scrapping", shop.SignForceComplete: "Sign the closing with steps open",
	shop.SignWaive: "Sign the waiver", shop.SignOverride: "Sign the override",
	shop.SignRelease: "Sign the release", shop.SignDisposition: "Sign the decision",
	shop.SignUndo: "Sign that the change is undone", shop.SignRework: "Sign the rework",
	shop.SignBOMEdit: "Sign the change of the bill", shop.SignPathUpdate: "Sign the change of the route",
	shop.SignAccounts: "A second administrator signs this",
}

// DemandChoice is a way in which an operation can be signed, for a select.
type DemandChoice struct {
	Demand shop.SignatureDemand
	Words  string
}

// SignedOperation is an operation with the choices of who has to sign it.
type SignedOperation struct {
	Operation shop.SignedOperation
	Words     string
	Demand    shop.SignatureDemand
	Demands   []DemandChoice // what can be demanded
}

// OperationWords are what operations are called on the page of the policy.
var OperationWords = map[shop.SignedOperation]string{
	shop.SignScrap: "Scrap", shop.SignForceComplete: "Complete with open steps", shop.SignWaive: "Waive a step",
	shop.SignOverride: "Make a step optional for a unit, or take that back", shop.SignRelease: "Release a hold",
	shop.SignDisposition: "Decide about units of a nonconformance", shop.SignUndo: "Take a change back",
	shop.SignRework: "Send back for rework", shop.SignBOMEdit: "Edit a bill of material",
	shop.SignPathUpdate: "Change a route that has units", shop.SignAccounts: "Change who may do what",
}

func newSignPart() *SignPart {
	return &SignPart{Meanings: shop.SignatureMeanings()}
}

// wants makes the part ask for the signatures that are wanting.
func (p *SignPart) wants(wanting *shop.SignatureError) {
	p.Operation, p.Second, p.contents = wanting.Operation, wanting.Demand == shop.SignedBySecond, wanting.Contents
	p.First = !p.Operation.SecondOnly()
	p.Shown = access.ContentsSHA256(p.contents)
}

// takeSignatures takes what was typed to sign out of the form.
func takeSignatures(v *Visit) {
	if v.Access == nil || !v.Form.Has(signField) {
		return
	}
	take := func(field string) string {
		value := v.Form.Get(field)
		v.Form.Del(field)
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
func signTyped(v *Visit, part *SignPart) error {
	from, err := v.Access.Visitor(v.R)
	if err != nil {
		return err
	}
	ctx, target := v.R.Context(), v.R.URL.Path
	var ticket access.Ticket
	var tickets []access.Ticket
	if part.First {
		ticket, err = v.Access.SignForm(ctx, from, part.Operation, target, part.contents, access.PageSignature{
			Secret: part.secret, Passkey: passkeyIn(part.passkey), Meaning: input.Given(part.Meaning),
		})
		tickets = append(tickets, ticket)
	}
	if err == nil && part.Second {
		if strings.TrimSpace(part.SecondLogin) == "" {
			return refusal.Refuse(wording.NoSecond)
		}
		if !part.First && strings.EqualFold(strings.TrimSpace(part.SecondLogin), v.Identity.User.Login) {
			return refusal.Refuse(shop.TicketNotValid)
		}
		ticket, err = v.Access.SignForm(ctx, from, part.Operation, target, part.contents, access.PageSignature{
			Login: part.SecondLogin, Secret: part.secondSecret, Passkey: passkeyIn(part.secondPasskey),
			Meaning: input.Given(part.SecondMeans),
		})
		tickets = append(tickets, ticket)
	}
	if err != nil {
		return err
	}
	v.R = v.R.WithContext(v.Access.SignedBy(ctx, target, part.contents, tickets...))
	return nil
}

// carryOut carries out what was posted, signed or not, and asks for what is missing: that the visitor is still who they were,
// or signatures.
func (v *Visit) carryOut(route Route) error {
	err := confirmSelf(v)
	if _, told := AsRefusal(err); told {
		return askWhoItIs(v, err)
	}
	if err != nil {
		return err
	}
	if v.signature != nil && v.Identity != nil {
		return carryOutSigned(v, route)
	}
	err = v.Once(route)
	if errors.Is(err, errToBeSigned) {
		v.Form.Set(sureField, "yes")
		err = toSign(v, route)
		v.Form.Del(sureField)
	}
	if err = orAskToSign(v, newSignPart(), err); AsksWhoItIs(v, err) {
		return askWhoItIs(v, nil)
	}
	return err
}

// toSign carries out what was posted up to where it would have to be signed. What need not be signed is done.
func toSign(v *Visit, route Route) error {
	r := v.R
	v.R = r.WithContext(shop.ToSign(r.Context()))
	err := v.Once(route)
	v.R = r
	return err
}

// carryOutSigned carries out a form that comes with signatures.
func carryOutSigned(v *Visit, route Route) error {
	v.Form.Set(sureField, "yes") // whoever signs says that
	part, posted := v.signature, maps.Clone(v.Form)
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
		if _, told := AsRefusal(err); !told {
			return err
		}
		return askToSign(v, part, err)
	}
	v.Form = posted
	return orAskToSign(v, part, v.Once(route))
}

// orAskToSign asks for the signatures for whose want a form was refused. Other errors are returned.
func orAskToSign(v *Visit, part *SignPart, err error) error {
	wanting, ok := errors.AsType[*shop.SignatureError](err)
	if !ok || v.Identity == nil {
		return err
	}
	part.wants(wanting)
	return askToSign(v, part, err)
}

// askToSign shows the page that asks for signatures, with the form that is to be signed. What was wrong with those that
// were there is said.
func askToSign(v *Visit, part *SignPart, refusal error) error {
	page := v.question
	if page == nil {
		page = &ConfirmPage{
			Frame: v.Frame("Signature", ""), Question: SignedWords[part.Operation], Yes: "Sign", To: v.R.URL.Path,
			Back: v.R.URL.Path,
		}
		if from, err := url.Parse(v.R.Referer()); err == nil && from.Host == v.R.Host && OwnPath(from.RequestURI()) == from.RequestURI() {
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
	page.Sign, page.Fields, part.Name, part.Origin = part, carriedFields(v), v.Identity.User.Name, v.Access.PasskeyOrigin()
	status, told := httpstatus.Of(refusal)
	if !part.typed {
		return v.Show(http.StatusOK, "confirm", page)
	}
	page.Rejected = &Problem{Form: "confirm", Advice: wording.AdviseOn(v.about, told), Values: v.Form}
	return v.Show(status, "confirm", page)
}

// SignatureDemanded reports whether somebody has to sign an operation.
func SignatureDemanded(v *Visit, operation shop.SignedOperation) (bool, error) {
	if v.Access == nil || v.Identity == nil || operation == "" {
		return false, nil
	}
	policy, err := v.Service.SignaturePolicy(v.R.Context())
	return policy.Demand(operation) != shop.SignedByNobody, err
}

// DemandChoices are the ways in which an operation can be signed.
func DemandChoices(operation shop.SignedOperation) []DemandChoice {
	if operation.SecondOnly() {
		return []DemandChoice{{shop.SignedByNobody, "nobody"}, {shop.SignedBySecond, "a second administrator"}}
	}
	return []DemandChoice{
		{shop.SignedByNobody, "nobody"}, {shop.SignedBySelf, "whoever does it"},
		{shop.SignedBySecond, "whoever does it, and a second person"},
	}
}

// ReadPolicy is what the form for the policy carries of what was read.
func ReadPolicy(policy shop.SignaturePolicy) string {
	values := []any{}
	for _, operation := range shop.SignedOperations() {
		values = append(values, policy.Demand(operation))
	}
	return AsRead(values...)
}
