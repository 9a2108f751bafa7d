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

// The fields of a signature. The values are neither stored nor displayed again, except those of the first three.
const (
	signField          = "sign" // the operation
	signSecondField    = "sign-second"
	signShownField     = "sign-shown" // the hash of the signed content
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
	Name          string // the signer's name
	First         bool   // whether the current user has to sign
	Second        bool   // whether a second person has to sign
	Signed        []signedRow
	Shown         string // the hash of the signed content
	Meanings      []shop.SignatureMeaning
	Meaning       string // the preselected meaning, "" for none: an untouched field must not state a meaning
	SecondLogin   string
	SecondMeans   string
	Origin        string // the origin for passkeys, "" if there is none
	contents      []shop.SignedContent
	typed         bool
	secret        string
	secondSecret  string
	passkey       string // the response of an authenticator
	secondPasskey string
}

// errToBeSigned ends the first run of a form that needs both confirmation and a signature: the page then asks for both at once.
var errToBeSigned = errors.New("to be signed")

// SignedWords are the headings that ask for the signature of an operation.
var SignedWords = map[shop.SignedOperation]string{
	shop.SignScrap: "Sign the scrapping", shop.SignForceComplete: "Sign the closing with steps open",
	shop.SignWaive: "Sign the waiver", shop.SignOverride: "Sign the override",
	shop.SignRelease: "Sign the release", shop.SignDisposition: "Sign the decision",
	shop.SignUndo: "Sign that the change is undone", shop.SignRework: "Sign the rework",
	shop.SignBOMEdit: "Sign the change of the bill", shop.SignPathUpdate: "Sign the change of the route",
	shop.SignAccounts: "A second administrator signs this",
}

// DemandChoice is an option for the signatures that an operation needs, for a select.
type DemandChoice struct {
	Demand shop.SignatureDemand
	Words  string
}

// SignedOperation is an operation with the options for its signatures.
type SignedOperation struct {
	Operation shop.SignedOperation
	Words     string
	Demand    shop.SignatureDemand
	Demands   []DemandChoice // the available options
}

// OperationWords are the labels of operations on the policy page.
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

// wants makes the part ask for the missing signatures.
func (p *SignPart) wants(wanting *shop.SignatureError) {
	p.Operation, p.Second, p.contents = wanting.Operation, wanting.Demand == shop.SignedBySecond, wanting.Contents
	p.First = !p.Operation.SecondOnly()
	p.Shown = access.ContentsSHA256(p.contents)
}

// takeSignatures moves the typed signatures out of the form.
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

// signTyped creates tickets from the typed signatures.
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

// carryOut carries out a posted form, with or without signatures. If a confirmation of the visitor's identity or a signature is missing,
// it shows the page that asks for it.
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

// toSign carries out a form up to the point where a signature is required. A form that needs none is carried out completely.
func toSign(v *Visit, route Route) error {
	r := v.R
	v.R = r.WithContext(shop.ToSign(r.Context()))
	err := v.Once(route)
	v.R = r
	return err
}

// carryOutSigned carries out a form that comes with signatures.
func carryOutSigned(v *Visit, route Route) error {
	v.Form.Set(sureField, "yes") // the signature confirms as well
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

// orAskToSign asks for the signatures whose absence caused an error. It returns other errors.
func orAskToSign(v *Visit, part *SignPart, err error) error {
	wanting, ok := errors.AsType[*shop.SignatureError](err)
	if !ok || v.Identity == nil {
		return err
	}
	part.wants(wanting)
	return askToSign(v, part, err)
}

// askToSign shows the page that asks for signatures, together with the form. It reports what was wrong with rejected signatures.
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

// SignatureDemanded reports whether an operation has to be signed.
func SignatureDemanded(v *Visit, operation shop.SignedOperation) (bool, error) {
	if v.Access == nil || v.Identity == nil || operation == "" {
		return false, nil
	}
	policy, err := v.Service.SignaturePolicy(v.R.Context())
	return policy.Demand(operation) != shop.SignedByNobody, err
}

// DemandChoices returns the options for the signatures of an operation.
func DemandChoices(operation shop.SignedOperation) []DemandChoice {
	if operation.SecondOnly() {
		return []DemandChoice{{shop.SignedByNobody, "nobody"}, {shop.SignedBySecond, "a second administrator"}}
	}
	return []DemandChoice{
		{shop.SignedByNobody, "nobody"}, {shop.SignedBySelf, "whoever does it"},
		{shop.SignedBySecond, "whoever does it, and a second person"},
	}
}

// ReadPolicy returns the digest of the policy, for the field of its form that detects concurrent changes.
func ReadPolicy(policy shop.SignaturePolicy) string {
	values := []any{}
	for _, operation := range shop.SignedOperations() {
		values = append(values, policy.Demand(operation))
	}
	return AsRead(values...)
}
