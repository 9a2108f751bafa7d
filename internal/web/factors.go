package web

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
)

// factorRoutes lists the pages about second factors. With passkeys the script of these pages uses the interface.
func factorRoutes() []route {
	return []route{
		get("/sign-in/second", always(shop.OpIdentify), showSecond),
		postSecret("/sign-in/second", always(shop.OpIdentify), giveSecond),
		get("/me/second-factors", always(shop.OpIdentify), showFactors),
		postSecret("/me/second-factors", always(shop.OpIdentify), changeFactors),
		get("/users/{id}/second-factors", always(shop.OpRead), leadTo(accountAddress)),
		postSecret("/users/{id}/second-factors", always(shop.OpChangeAccount), removeFactors),
		get("/settings/access", always(shop.OpSetAccess), showAccessPolicy),
		post("/settings/access", always(shop.OpSetAccess), changeAccessPolicy),
	}
}

type secondPage struct {
	frame
	access.SecondFactors
	Name   string
	Next   string
	Origin string // at which passkeys work, "" for nowhere
}

func showSecond(v *visit) error { return renderSecond(v, http.StatusOK, nil) }

func renderSecond(v *visit, status int, refused *problem) error {
	page := &secondPage{
		frame: v.frame("Second factor", ""), Name: v.identity.User.Name, Next: ownPath(v.r.URL.Query().Get("next")),
		Origin: v.access.PasskeyOrigin(),
	}
	if v.form.Has("next") {
		page.Next = ownPath(v.form.Get("next"))
	}
	page.problem = refused
	if v.identity.Second != access.GiveSecond {
		return v.back(page.Next, "")
	}
	var err error
	page.SecondFactors, err = v.access.MySecondFactors(v.r.Context())
	return v.shown(err, status, "second", page)
}

var giveSecondForm = formOf[access.SecondFactorInput]()

func giveSecond(v *visit) error {
	from, err := v.access.Visitor(v.r)
	if err != nil {
		return err
	}
	signed, cookie, err := v.access.GiveSecondFactor(v.r.Context(), from, giveSecondForm.read(v.form))
	if err != nil {
		return v.again("second", err, renderSecond)
	}
	http.SetCookie(v.w, cookie)
	return v.back(firstPage(signed, ownPath(v.form.Get("next"))), "")
}

// secondStepPage is where somebody does what is missing of their second factor, "" when nothing is.
func secondStepPage(step access.SecondStep, next string) string {
	switch step {
	case access.GiveSecond:
		return "/sign-in/second?next=" + url.QueryEscape(next)
	case access.SetUpSecond:
		return "/me/second-factors"
	}
	return ""
}

type factorsPage struct {
	frame
	access.SecondFactors
	Missing    bool                   // whether nothing else can be done before one is set up
	Confirm    bool                   // whether a secret has to be given once more
	Password   bool                   // whether they have a password
	Origin     string                 // at which passkeys work, "" for nowhere
	NoPasskeys string                 // why there are none
	New        access.NewOneTimeCodes // just made, and shown this once
	Begun      bool                   // whether a first code is asked for
	Codes      []string               // recovery codes that were just made, shown this once
}

// shownOnce is what a page of second factors shows once.
type shownOnce struct {
	generator access.NewOneTimeCodes
	begun     bool
	codes     access.RecoveryCodes
}

func showFactors(v *visit) error { return renderFactors(v, http.StatusOK, nil, shownOnce{}) }

func renderFactors(v *visit, status int, refused *problem, once shownOnce) error {
	ctx, id := v.r.Context(), v.identity.User.ID
	if v.identity.Second == access.GiveSecond {
		return v.back(secondStepPage(access.GiveSecond, "/me/second-factors"), "")
	}
	page := &factorsPage{
		frame: v.frame("Second factor", "me"), Missing: v.identity.Second == access.SetUpSecond,
		Confirm: v.access.NeedsConfirmation(ctx), Origin: v.access.PasskeyOrigin(),
		New: once.generator, Begun: once.begun, Codes: once.codes.RecoveryCodes,
	}
	page.problem = refused
	if page.Origin == "" {
		page.NoPasskeys = "There are no passkeys here: they need https and a name."
	}
	accounts, err := v.access.Accounts(ctx, []string{id})
	if err != nil {
		return err
	}
	page.Password = accounts[id].Password
	page.SecondFactors, err = v.access.MySecondFactors(ctx)
	if once.codes.RecoveryCodes != nil { // they have just set it up
		page.Missing = false
	}
	return v.shown(err, status, "factors", page)
}

var (
	confirmationForm = formOf[access.Confirmation]()
	firstCodeForm    = formOf[access.CodeInput]()
)

func changeFactors(v *visit) error {
	ctx, do := v.r.Context(), v.form.Get("do")
	from, err := v.access.Visitor(v.r)
	if err != nil {
		return err
	}
	proof := confirmationForm.read(v.form)
	var once shownOnce
	var done string
	form := do
	switch do {
	case "codes":
		once.generator, err = v.access.SetUpOneTimeCodes(ctx, from, proof)
		once.begun = err == nil
	case "first-code":
		once.codes, err = v.access.ConfirmOneTimeCodes(ctx, from, firstCodeForm.read(v.form))
		once.begun = err != nil
	case "recovery":
		once.codes, err = v.access.NewRecoveryCodes(ctx, from, proof)
	case "remove-codes":
		err, done, form = v.access.RemoveOneTimeCodes(ctx, from, proof), "One-time codes removed.", "codes"
	case "remove":
		err, done = v.access.RemovePasskey(ctx, from, v.form.Get("id"), proof), "Passkey removed."
	}
	if err != nil {
		once.generator, once.codes = access.NewOneTimeCodes{}, access.RecoveryCodes{}
		return v.again(form, err, func(v *visit, status int, refused *problem) error { return renderFactors(v, status, refused, once) })
	}
	if once.begun || once.codes.RecoveryCodes != nil {
		return renderFactors(v, http.StatusOK, nil, once)
	}
	return v.back("/me/second-factors", done)
}

// removeFactors takes somebody else's second factors away, from the page of their account.
func removeFactors(v *visit) error {
	from, err := v.access.Visitor(v.r)
	if err != nil {
		return err
	}
	id := v.r.PathValue("id")
	if err := v.access.RemoveSecondFactors(v.r.Context(), from, id, confirmationForm.read(v.form)); err != nil {
		return v.again("factors", err, func(v *visit, status int, refused *problem) error { return renderAccount(v, status, refused, tokens{}) })
	}
	return v.back("/users/"+id, "Second factors removed.")
}

type accessPolicyPage struct {
	frame
	Roles  []access.Role
	Policy access.Policy
	Read   string // what was read of the policy; see readAccessPolicy
}

// Needs reports whether a role needs a second factor.
func (p *accessPolicyPage) Needs(role string) bool {
	return slices.Contains(p.Policy.SecondFactor, role)
}

func showAccessPolicy(v *visit) error { return renderAccessPolicy(v, http.StatusOK, nil) }

func renderAccessPolicy(v *visit, status int, refused *problem) error {
	page := &accessPolicyPage{frame: v.frame("Access", "access"), Roles: access.Roles()}
	page.problem = refused
	var err error
	page.Policy, err = v.access.AccessPolicy(v.r.Context())
	page.Read = readAccessPolicy(page.Policy)
	return v.shown(err, status, "accesspolicy", page)
}

// readAccessPolicy is what the form for the policy carries of what was read.
func readAccessPolicy(policy access.Policy) string {
	return asRead(strings.Join(policy.SecondFactor, " "))
}

var accessPolicyForm = formOf[access.PolicyInput]()

func changeAccessPolicy(v *visit) error {
	_, err := v.access.SetAccessPolicy(ifRead(v, v.form.Get(readField), readAccessPolicy), accessPolicyForm.read(v.form))
	err = doneAlready(err)
	if wasChanged(err) {
		policy, readErr := v.access.AccessPolicy(v.r.Context())
		if readErr != nil {
			return readErr
		}
		err = errChanged("who needs a second factor", []compared{
			{"Roles that need one", rolesInWords(v.form["role"]), rolesInWords(policy.SecondFactor)},
		})
	}
	if err != nil {
		return v.again("policy", err, renderAccessPolicy)
	}
	return v.back("/settings/access", "Saved.")
}

// passkeyIn is what the script of a page put into a field, nil for nothing.
func passkeyIn(text string) json.RawMessage {
	if text == "" || !json.Valid([]byte(text)) {
		return nil
	}
	return json.RawMessage(text)
}

// accountAddress is the address of the page of an account.
func accountAddress(id string) string { return "/users/" + url.PathEscape(id) }
