package site

import (
	"errors"
	"maps"
	"net/http"
	"net/url"
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// These are the fields of a signature. Only the values of the first three are displayed again, and none is stored.
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
	Meaning       string // preselected meaning; "" for none, because a field that the user leaves unchanged must not state a meaning
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

// errToBeSigned ends the first run of a form that needs both a confirmation and a signature. The page then asks for both at the same time.
var errToBeSigned = errors.New("to be signed")

// SignedWords are the headings with which pages ask for the signature of an operation.
var SignedWords = map[shop.SignedOperation]lang.Text{
	shop.SignScrap: "Sign the scrapping", shop.SignForceComplete: "Sign the closing with steps open",
	shop.SignWaive: "Sign the waiver", shop.SignOverride: "Sign the override",
	shop.SignRelease: "Sign the release", shop.SignDisposition: "Sign the decision",
	shop.SignUndo: "Sign that the change is undone", shop.SignRework: "Sign the rework",
	shop.SignBOMEdit: "Sign the change of the bill", shop.SignPathUpdate: "Sign the change of the route",
	shop.SignLotExpiry: "Sign the expiry", shop.SignSubstitute: "Sign the substitute", shop.SignConformance: "Sign the certificate",
	shop.SignFirstArticle: "Sign the first article",
	shop.SignAccounts:     "A second administrator signs this",
}

// DemandChoice is an option of a select: the signatures that an operation needs.
type DemandChoice struct {
	Demand shop.SignatureDemand
	Words  lang.Text
}

// SignedOperation is an operation with the options for its signatures.
type SignedOperation struct {
	Operation shop.SignedOperation
	Words     lang.Text
	Demand    shop.SignatureDemand
	Demands   []DemandChoice // the available options
}

// OperationWords are the labels of operations on the policy page.
var OperationWords = map[shop.SignedOperation]lang.Text{
	shop.SignScrap: "Scrap", shop.SignForceComplete: "Complete with open steps", shop.SignWaive: "Waive a step",
	shop.SignOverride: "Make a step optional for a unit, or undo that", shop.SignRelease: "Release a hold",
	shop.SignDisposition: "Decide about units of a nonconformance", shop.SignUndo: "Undo a change",
	shop.SignRework: "Send back for rework", shop.SignBOMEdit: "Edit a bill of material",
	shop.SignLotExpiry: "Set the expiry of a lot", shop.SignPathUpdate: "Change a route that has units",
	shop.SignSubstitute:   "Install a substitute for a part of the bill",
	shop.SignConformance:  "Issue or withdraw a certificate of conformance",
	shop.SignFirstArticle: "Verify or approve a first article",
	shop.SignAccounts:     "Change who may do what",
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

// takeSignatures moves the typed signatures from the form to v.
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

// signTyped creates signature tickets from the typed signatures.
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
	v.R = v.R.WithContext(v.Access.SignedBy(ctx, target, part.contents, shownMeanings(v), tickets...))
	return nil
}

// shownMeanings returns the meanings in the words in which the page that asks for signatures shows them.
func shownMeanings(v *Visit) shop.ShownMeanings {
	shown := shop.ShownMeanings{Language: v.Tag(), Words: make(map[shop.SignatureMeaning]string)}
	for _, meaning := range shop.SignatureMeanings() {
		shown.Words[meaning] = lang.Words(v.Language, meaning)
	}
	return shown
}

// carryOut carries out a posted form, with or without signatures. If the visitor must first confirm their identity or sign, it shows the
// page that asks for this.
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

// toSign carries out a form up to the point where a signature is required. A form that needs no signature is carried out completely.
func toSign(v *Visit, route Route) error {
	r := v.R
	v.R = r.WithContext(shop.ToSign(r.Context()))
	err := v.Once(route)
	v.R = r
	return err
}

// carryOutSigned carries out a form that was posted with signatures.
func carryOutSigned(v *Visit, route Route) error {
	v.Form.Set(sureField, "yes") // the signature also serves as the confirmation
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

// orAskToSign asks for the signatures that an operation lacked, according to an error. It returns other errors.
func orAskToSign(v *Visit, part *SignPart, err error) error {
	wanting, ok := errors.AsType[*shop.SignatureError](err)
	if !ok || v.Identity == nil {
		return err
	}
	part.wants(wanting)
	return askToSign(v, part, err)
}

// askToSign shows the page that asks for signatures, together with the form. If signatures were rejected, the page says why.
func askToSign(v *Visit, part *SignPart, refusal error) error {
	page := v.question
	if page == nil {
		page = &ConfirmPage{
			Frame: v.Frame("Signature", ""), Question: v.Lookup(SignedWords[part.Operation]), Yes: v.T("as a verb|Sign"), To: v.R.URL.Path,
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
	page.Rejected = &Problem{Form: "confirm", Advice: wording.AdviseOn(v.Language, v.about, told), Values: v.Form}
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

// ReadPolicy returns the digest of the policy, for the form field that detects concurrent changes.
func ReadPolicy(policy shop.SignaturePolicy) string {
	values := []any{}
	for _, operation := range shop.SignedOperations() {
		values = append(values, policy.Demand(operation))
	}
	return AsRead(values...)
}
