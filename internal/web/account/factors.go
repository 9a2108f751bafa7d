package account

import (
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// factorRoutes lists the pages for second factors. For passkeys the script of these pages calls the API.
func factorRoutes() []site.Route {
	return []site.Route{
		site.Get("/sign-in/second", site.Always(shop.OpIdentify), showSecond),
		site.PostSecret("/sign-in/second", site.Always(shop.OpIdentify), giveSecond),
		site.Get("/me/second-factors", site.Always(shop.OpIdentify), showFactors),
		site.PostSecret("/me/second-factors", site.Always(shop.OpIdentify), changeFactors),
		site.Get("/users/{id}/second-factors", site.Always(shop.OpRead), site.LeadTo(accountAddress)),
		site.PostSecret("/users/{id}/second-factors", site.Always(shop.OpChangeAccount), removeFactors),
		site.Get("/settings/access", site.Always(shop.OpSetAccess), showAccessPolicy),
		site.Post("/settings/access", site.Always(shop.OpSetAccess), changeAccessPolicy),
	}
}

// SecondPage asks for a second factor.
type SecondPage struct {
	site.Frame
	access.SecondFactors
	Name   string
	Next   string
	Origin string // the origin at which passkeys work, "" if they do not
}

func showSecond(v *site.Visit) error { return renderSecond(v, http.StatusOK, nil) }

func renderSecond(v *site.Visit, status int, refused *site.Problem) error {
	page := &SecondPage{
		Frame: v.Frame("Second factor", ""), Name: v.Identity.User.Name, Next: site.OwnPath(v.R.URL.Query().Get("next")),
		Origin: v.Access.PasskeyOrigin(),
	}
	if v.Form.Has("next") {
		page.Next = site.OwnPath(v.Form.Get("next"))
	}
	page.Rejected = refused
	if v.Identity.Second != access.GiveSecond {
		return v.Back(page.Next, "")
	}
	var err error
	page.SecondFactors, err = v.Access.MySecondFactors(v.R.Context())
	return v.Shown(err, status, "second", page)
}

var giveSecondForm = site.FormOf[access.SecondFactorInput]()

func giveSecond(v *site.Visit) error {
	from, err := v.Access.Visitor(v.R)
	if err != nil {
		return err
	}
	signed, cookie, err := v.Access.GiveSecondFactor(v.R.Context(), from, giveSecondForm.Read(v.Form))
	if err != nil {
		return v.Again("second", err, renderSecond)
	}
	http.SetCookie(v.W, cookie)
	return v.Back(firstPage(signed, site.OwnPath(v.Form.Get("next"))), "")
}

// FactorsPage lists the second factors of an account.
type FactorsPage struct {
	site.Frame
	access.SecondFactors
	Missing    bool                   // whether the user must set up a second factor before anything else
	Confirm    bool                   // whether the user has to confirm with a secret
	Password   bool                   // whether the account has a password
	Origin     string                 // the origin at which passkeys work, "" if they do not
	NoPasskeys string                 // why passkeys do not work
	New        access.NewOneTimeCodes // just created; shown only now
	Begun      bool                   // whether the page asks for the first code
	Codes      []string               // new recovery codes; shown only now
}

// shownOnce has the secrets that a page of second factors shows only once.
type shownOnce struct {
	generator access.NewOneTimeCodes
	begun     bool
	codes     access.RecoveryCodes
}

func showFactors(v *site.Visit) error { return renderFactors(v, http.StatusOK, nil, shownOnce{}) }

func renderFactors(v *site.Visit, status int, refused *site.Problem, once shownOnce) error {
	ctx, id := v.R.Context(), v.Identity.User.ID
	if v.Identity.Second == access.GiveSecond {
		return v.Back(site.SecondStepPage(access.GiveSecond, "/me/second-factors"), "")
	}
	page := &FactorsPage{
		Frame: v.Frame("Second factor", "me"), Missing: v.Identity.Second == access.SetUpSecond,
		Confirm: v.Access.NeedsConfirmation(ctx), Origin: v.Access.PasskeyOrigin(),
		New: once.generator, Begun: once.begun, Codes: once.codes.RecoveryCodes,
	}
	page.Rejected = refused
	if page.Origin == "" {
		page.NoPasskeys = v.T("Passkeys need https and a host name.")
	}
	accounts, err := v.Access.Accounts(ctx, []string{id})
	if err != nil {
		return err
	}
	page.Password = accounts[id].Password
	page.SecondFactors, err = v.Access.MySecondFactors(ctx)
	if once.codes.RecoveryCodes != nil { // the user has just set up a second factor
		page.Missing = false
	}
	return v.Shown(err, status, "factors", page)
}

var (
	confirmationForm = site.FormOf[access.Confirmation]()
	firstCodeForm    = site.FormOf[access.CodeInput]()
)

func changeFactors(v *site.Visit) error {
	ctx, do := v.R.Context(), v.Form.Get("do")
	from, err := v.Access.Visitor(v.R)
	if err != nil {
		return err
	}
	proof := confirmationForm.Read(v.Form)
	var once shownOnce
	var done string
	form := do
	switch do {
	case "codes":
		once.generator, err = v.Access.SetUpOneTimeCodes(ctx, from, proof)
		once.begun = err == nil
	case "first-code":
		once.codes, err = v.Access.ConfirmOneTimeCodes(ctx, from, firstCodeForm.Read(v.Form))
		once.begun = err != nil
	case "recovery":
		once.codes, err = v.Access.NewRecoveryCodes(ctx, from, proof)
	case "remove-codes":
		err, done, form = v.Access.RemoveOneTimeCodes(ctx, from, proof), v.T("One-time codes removed."), "codes"
	case "remove":
		err, done = v.Access.RemovePasskey(ctx, from, v.Form.Get("id"), proof), v.T("Passkey removed.")
	}
	if err != nil {
		once.generator, once.codes = access.NewOneTimeCodes{}, access.RecoveryCodes{}
		return v.Again(form, err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderFactors(v, status, refused, once)
		})
	}
	if once.begun || once.codes.RecoveryCodes != nil {
		return renderFactors(v, http.StatusOK, nil, once)
	}
	return v.Back("/me/second-factors", done)
}

// removeFactors removes the second factors of another user, on the page of that user's account.
func removeFactors(v *site.Visit) error {
	from, err := v.Access.Visitor(v.R)
	if err != nil {
		return err
	}
	id := v.R.PathValue("id")
	if err := v.Access.RemoveSecondFactors(v.R.Context(), from, id, confirmationForm.Read(v.Form)); err != nil {
		return v.Again("factors", err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderAccount(v, status, refused, HeldTokens{})
		})
	}
	return v.Back("/users/"+id, v.T("Second factors removed."))
}

// AccessPolicyPage shows the policy for signing in.
type AccessPolicyPage struct {
	site.Frame
	Roles  []access.Role
	Policy access.Policy
	Read   string // the policy that the page was rendered with; see readAccessPolicy
}

// Needs reports whether a role needs a second factor.
func (p *AccessPolicyPage) Needs(role string) bool {
	return slices.Contains(p.Policy.SecondFactor, role)
}

func showAccessPolicy(v *site.Visit) error { return renderAccessPolicy(v, http.StatusOK, nil) }

func renderAccessPolicy(v *site.Visit, status int, refused *site.Problem) error {
	page := &AccessPolicyPage{Frame: v.Frame("Access", "access"), Roles: access.Roles()}
	page.Rejected = refused
	var err error
	page.Policy, err = v.Access.AccessPolicy(v.R.Context())
	page.Read = readAccessPolicy(page.Policy)
	return v.Shown(err, status, "accesspolicy", page)
}

// readAccessPolicy returns the policy that its form was rendered with.
func readAccessPolicy(policy access.Policy) string {
	return site.AsRead(strings.Join(policy.SecondFactor, " "))
}

var accessPolicyForm = site.FormOf[access.PolicyInput]()

func changeAccessPolicy(v *site.Visit) error {
	_, err := v.Access.SetAccessPolicy(site.IfRead(v, v.Form.Get(site.ReadField), readAccessPolicy), accessPolicyForm.Read(v.Form))
	err = doneAlready(err)
	if site.WasChanged(err) {
		policy, readErr := v.Access.AccessPolicy(v.R.Context())
		if readErr != nil {
			return readErr
		}
		err = site.ErrChanged(v, v.T("Somebody changed the roles that need a second factor meanwhile."), []site.Compared{
			{Field: "Roles that require it", Typed: rolesInWords(v.Form["role"]), Now: rolesInWords(policy.SecondFactor)},
		})
	}
	if err != nil {
		return v.Again("policy", err, renderAccessPolicy)
	}
	return v.Back("/settings/access", v.T("Saved."))
}

// accountAddress returns the address of an account's page.
func accountAddress(id string) string { return "/users/" + url.PathEscape(id) }
