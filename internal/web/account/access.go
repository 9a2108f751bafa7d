package account

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Routes lists the pages for signing in and for managing access. They exist only with --auth.
func Routes() []site.Route {
	return append([]site.Route{
		site.Get("/setup", site.Always(shop.OpEnter), showSetup),
		site.PostSecret("/setup", site.Always(shop.OpEnter), setUp),
		site.Get("/sign-in", site.Always(shop.OpEnter), showSignIn),
		site.PostSecret("/sign-in", site.Always(shop.OpEnter), signIn),
		site.Get("/sign-in/provider", site.Always(shop.OpEnter), whenVisited(leaveForProvider)),
		site.Get(site.ReturnPath, site.Always(shop.OpEnter), whenVisited(returnFromProvider)),
		site.PostSecret("/oidc/logout", site.Always(shop.OpEnter), providerLogout),
		site.PostSecret("/sign-out", site.Always(shop.OpEnter), signOut),
		site.Get("/me", site.Always(shop.OpReplaceSecret), showMe),
		site.Post("/me", site.ByForm(shop.OpChangeOwnAccount, map[string]shop.Operation{
			"password": shop.OpReplaceSecret, "pin": shop.OpReplaceSecret,
		}), changeMe),
		site.Get("/users/{id}", site.Always(shop.OpChangeAccount), showAccount),
		site.Post("/users/{id}", site.Always(shop.OpChangeAccount), changeAccount),
		site.Get("/settings/signatures", site.Always(shop.OpSetPolicy), showPolicy),
		site.Post("/settings/signatures", site.Always(shop.OpSetPolicy), changePolicy),
		site.Get("/stations", site.Always(shop.OpSeeStations), showStations),
		site.Post("/stations", site.ByForm(shop.OpRevokeStation, map[string]shop.Operation{"make": shop.OpMakeStation}), changeStations),
	}, factorRoutes()...)
}

// SetupPage creates the first account.
type SetupPage struct {
	site.Frame
	Code  string
	Valid bool
}

func showSetup(v *site.Visit) error { return renderSetup(v, http.StatusOK, nil) }

func renderSetup(v *site.Visit, status int, refused *site.Problem) error {
	page := &SetupPage{Frame: v.Frame("First sign-in", ""), Code: v.R.URL.Query().Get("code")}
	if v.Form.Has("code") {
		page.Code = v.Form.Get("code")
	}
	page.Rejected = refused
	var err error
	page.Valid, err = v.Access.SetupCodeValid(v.R.Context(), page.Code)
	if err == nil && !page.Valid {
		status = http.StatusForbidden
	}
	return v.Shown(err, status, "setup", page)
}

var setUpForm = site.FormOf[access.SetUpInput]()

// setUp creates the first administrator and signs them in.
func setUp(v *site.Visit) error {
	if _, err := v.Access.SetUp(v.R.Context(), setUpForm.Read(v.Form)); err != nil {
		return v.Again("setup", err, renderSetup)
	}
	return signInPosted(v, "/me", v.T("Welcome. Next: create logins for the others on the page Operators."))
}

// SignInPage is the sign-in page.
type SignInPage struct {
	site.Frame
	Next     string
	Station  string // the name of this device's station, "" for none
	Scanned  bool   // whether a badge was just scanned and its PIN is awaited; the badge is in a cookie, never in a page
	Provider string // name of the OpenID Connect provider, "" for none
	Origin   string // the origin at which passkeys work, "" if they do not
	// Out is the reason for which the visitor sees the page. It is "idle" or "ended" if the station signed its user out, "badge" if a
	// scanned code is not a badge, "form" if a form arrived after its session had ended, and "" for no reason.
	Out     string
	NotDone string // the scan that arrived after the session had ended, "" for none
}

func showSignIn(v *site.Visit) error { return renderSignIn(v, http.StatusOK, nil) }

func renderSignIn(v *site.Visit, status int, refused *site.Problem) error {
	from, err := v.Access.Visitor(v.R)
	page := &SignInPage{Frame: v.Frame("Sign in", ""), Next: site.OwnPath(v.R.URL.Query().Get("next")), Station: from.Station.Name}
	page.Out, page.NotDone = v.R.URL.Query().Get("out"), v.R.URL.Query().Get("typed")
	page.Provider, page.Origin = v.Access.ProviderName(), v.Access.PasskeyOrigin()
	if v.Form.Has("next") {
		page.Next = site.OwnPath(v.Form.Get("next"))
	}
	if page.Station != "" && page.Next == "/" {
		page.Next = "/scan" // the start page of a station
	}
	page.Rejected = refused
	if refused != nil && status == http.StatusUnauthorized { // marks the field to fill in again
		refused.Advice.Field = map[string]string{"signin": "password", "badge": "pin"}[refused.Form]
	}
	page.Scanned = badgeAwaiting(v) != ""
	return v.Shown(err, status, "signin", page)
}

var signInForm = site.FormOf[access.SignInInput]()

func signIn(v *site.Visit) error {
	typed := strings.TrimSpace(v.Form.Get("badge"))
	badge := site.BadgeOf(typed)
	if typed != "" && badge == "" && v.Form.Get("pin") == "" {
		return scannedAtDoor(v, typed)
	}
	if next := site.BadgeOf(v.Form.Get("pin")); next != "" { // another person's badge, scanned into the PIN field
		site.KeepBadge(v, next)
		return v.Back("/sign-in?"+url.Values{"next": {site.OwnPath(v.Form.Get("next"))}}.Encode(), "")
	}
	if v.Form.Has("badge") && typed == "" {
		if badge = badgeAwaiting(v); badge == "" {
			return v.Again("badge", refusal.RefuseField(refusal.Required, "badge"), renderSignIn)
		}
	}
	if badge != "" {
		v.Form.Set("badge", badge)
		site.KeepBadge(v, badge) // for the next attempt
	}
	return signInPosted(v, site.OwnPath(v.Form.Get("next")), "")
}

// badgeAwaiting returns the badge whose PIN is awaited, "" for none.
func badgeAwaiting(v *site.Visit) string {
	return cmp.Or(site.BadgeOf(v.Form.Get("badge")), site.BadgeOf(site.ReadCookie(v.R, site.BadgeCookie)))
}

// scannedAtDoor handles a code that is not a badge and was scanned into the badge field. The code does not count as an attempt to sign in.
// If it is that of a unit, the unit is shown after the sign-in. A text that no station knows may be a PIN or a part of a badge, and is not
// shown.
func scannedAtDoor(v *site.Visit, typed string) error {
	query := url.Values{"next": {site.OwnPath(v.Form.Get("next"))}, "out": {"badge"}}
	code := station.Understood(v.SerialPrefix(), typed)
	if code != "" {
		query.Set("typed", code)
	}
	if strings.HasPrefix(code, v.SerialPrefix().Mark()) {
		query.Set("next", "/scan?unit="+code)
	}
	return v.Back("/sign-in?"+query.Encode(), "")
}

// signInPosted signs a visitor in with the posted form and redirects them.
func signInPosted(v *site.Visit, to, done string) error {
	from, err := v.Access.Visitor(v.R)
	if err != nil {
		return err
	}
	signed, cookie, err := v.Access.SignIn(v.R.Context(), from, signInForm.Read(v.Form))
	if err != nil {
		form := "signin"
		if v.Form.Has("badge") {
			form = "badge"
			if refused, ok := site.AsRefusal(err); ok && refused.Reason == access.WrongSecret {
				err = refusal.Refuse(wording.WrongBadge) // no login or password was typed
			}
		}
		return v.Again(form, err, renderSignIn)
	}
	http.SetCookie(v.W, cookie)
	v.SetCookie(site.BadgeCookie, "", -1)
	return v.Back(firstPage(signed, to), done)
}

// whenVisited calls do only if a person opens the address. If a page at such an address refreshes itself in the background, it gets the
// sign-in page, because do would start a second sign-in and replace the one in progress.
func whenVisited(do func(*site.Visit) error) func(*site.Visit) error {
	return func(v *site.Visit) error {
		if v.R.Header.Get(site.LiveHeader) != "" {
			return renderSignIn(v, http.StatusOK, nil)
		}
		return do(v)
	}
}

// leaveForProvider redirects to the OpenID Connect provider.
func leaveForProvider(v *site.Visit) error {
	from, err := v.Access.Visitor(v.R)
	if err != nil {
		return err
	}
	next := site.OwnPath(v.R.URL.Query().Get("next"))
	address, cookie, err := v.Access.LeaveForProvider(v.R.Context(), from, next)
	if err != nil {
		v.Form = url.Values{"next": {next}}
		return v.Again("provider", err, renderSignIn)
	}
	http.SetCookie(v.W, cookie)
	http.Redirect(v.W, v.R, address, http.StatusSeeOther)
	return nil
}

// returnFromProvider signs in a visitor who returns from the provider, and redirects them.
func returnFromProvider(v *site.Visit) error {
	from, err := v.Access.Visitor(v.R)
	if err != nil {
		return err
	}
	back, err := v.Access.ReturnFromProvider(v.R, from)
	for _, cookie := range back.Cookies {
		http.SetCookie(v.W, cookie)
	}
	next := site.OwnPath(back.Next)
	if err != nil {
		v.Form = url.Values{"next": {next}}
		return v.Again("provider", err, renderSignIn)
	}
	v.SetCookie(site.BadgeCookie, "", -1)
	return v.Back(firstPage(back.SignedInAs, next), "")
}

// firstPage returns the page at which a user starts. This is the requested page, unless the user has no permissions yet, or must first give
// a second factor or change the password.
func firstPage(who access.SignedInAs, wanted string) string {
	if step := who.SecondFactor; step == access.GiveSecond || step != "" && !who.MustChange {
		return site.SecondStepPage(step, wanted)
	}
	if who.MustChange || len(who.Permissions) == 0 {
		return "/me"
	}
	return wanted
}

func signOut(v *site.Visit) error {
	cookie, err := v.Access.SignOut(v.R.Context())
	if err != nil {
		return err
	}
	http.SetCookie(v.W, cookie)
	return v.Back("/sign-in", v.T("Signed out."))
}

// MePage is the page of the user's own account.
type MePage struct {
	site.Frame
	access.Account
	Sessions []access.Session
	HeldTokens
	Permissions []shop.Permission
	Provider    string            // name of the OpenID Connect provider, "" for none
	Ended       []shop.Permission // permissions from groups at the provider, whose roles have expired
	Taken       *rolesEnded       // roles that were recently removed; nil for none
}

// HeldTokens is the part of an account page that lists tokens.
type HeldTokens struct {
	Tokens    []access.Token
	NewToken  string // the token that was just created; shown only now
	MayTokens []shop.Permission
	NewBadge  string
	BadgeName string
	TokensAt  string // the address to which the forms post
	Current   string // the session that views this page
}

func (t *HeldTokens) live(all []access.Token, now ident.Timestamp) {
	t.Tokens = slices.DeleteFunc(all, func(token access.Token) bool { return token.RevokedAt != 0 || token.ExpiresAt <= now })
}

// showMe shows users their own account. Before the second step of signing in it redirects to that step: a password alone gives no access to
// the account.
func showMe(v *site.Visit) error {
	if step := v.Identity.Second; step == access.GiveSecond || step == access.SetUpSecond && v.Identity.MustChange == "" {
		http.Redirect(v.W, v.R, site.SecondStepPage(step, "/me"), http.StatusSeeOther)
		return nil
	}
	return renderMe(v, http.StatusOK, nil, HeldTokens{})
}

func renderMe(v *site.Visit, status int, refused *site.Problem, made HeldTokens) error {
	ctx, id := v.R.Context(), v.Identity.User.ID
	page := &MePage{
		Frame: v.Frame("You", "me"), HeldTokens: made, Permissions: v.Identity.Permissions,
		Provider: v.Access.ProviderName(), Ended: v.Identity.Ended,
	}
	page.Rejected, page.MayTokens = refused, v.Identity.Permissions
	page.TokensAt, page.BadgeName, page.Current = "/me", v.Identity.User.Name, v.Identity.Session.ID
	accounts, err := v.Access.Accounts(ctx, []string{id})
	if err != nil {
		return err
	}
	page.Account = accounts[id]
	page.Account.MustChange = v.Identity.MustChange
	if page.Sessions, err = v.Access.Sessions(ctx, id); err != nil {
		return err
	}
	if page.Taken, err = rolesEndedLately(v); err != nil {
		return err
	}
	all, err := v.Access.Tokens(ctx, id)
	page.live(all, ident.TimestampOf(v.Clock()))
	return v.Shown(err, status, "me", page)
}

var (
	passwordForm = site.FormOf[access.ChangePasswordInput]()
	pinForm      = site.FormOf[access.ChangePINInput]()
	tokenForm    = site.FormOf[access.CreateTokenInput]()
	accountForm  = site.FormOf[access.ChangeAccountInput]()
)

func changeMe(v *site.Visit) error {
	ctx, id := v.R.Context(), v.Identity.User.ID
	again := func(form string, err error) error {
		return v.Again(form, err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderMe(v, status, refused, HeldTokens{})
		})
	}
	from, err := v.Access.Visitor(v.R)
	if err != nil {
		return err
	}
	switch do := v.Form.Get("do"); do {
	case "password":
		cookie, err := v.Access.ChangePassword(ctx, from, id, passwordForm.Read(v.Form))
		if err != nil {
			return again(do, err)
		}
		keepSession(v, cookie)
		return v.Back("/me", v.T("Password changed."))
	case "pin":
		cookie, err := v.Access.ChangePIN(ctx, from, id, pinForm.Read(v.Form))
		if err != nil {
			return again(do, err)
		}
		keepSession(v, cookie)
		return v.Back("/me", v.T("PIN changed."))
	case "session":
		if err := v.Access.EndSession(ctx, id, v.Form.Get("id")); err != nil {
			return again(do, err)
		}
		return v.Back("/me", v.T("Signed out there."))
	case "token", "revoke", "badge":
		made, done, err := changeTokens(v, id, do)
		if err != nil {
			return again(do, err)
		}
		if done != "" {
			return v.Back("/me", done)
		}
		return renderMe(v, http.StatusOK, nil, made)
	}
	return v.Back("/me", "")
}

// keepSession keeps users signed in after they have ended all their sessions, including this one. A service account with a token has no
// session.
func keepSession(v *site.Visit, cookie *http.Cookie) {
	if cookie != nil {
		http.SetCookie(v.W, cookie)
	}
}

// changeTokens creates or revokes a token, or creates a badge. A new secret is shown only once, so the page is rendered without a redirect.
// If the form is sent again, the page shows a message instead of the secret.
func changeTokens(v *site.Visit, userID, do string) (made HeldTokens, done string, err error) {
	ctx := v.R.Context()
	switch do {
	case "revoke":
		return made, v.T("Token revoked."), doneAlready(v.Access.RevokeToken(ctx, userID, v.Form.Get("id")))
	case "badge":
		made.NewBadge, err = v.Access.NewBadge(site.IfRead(v, v.Form.Get(site.ReadField), readBadge), userID)
		if site.WasChanged(err) {
			user, _ := v.People.Find(userID)
			err = refusal.Refuse(wording.BadgeMeanwhile, user.Name)
		}
		if errors.Is(err, shop.ErrRemembered) {
			return HeldTokens{}, v.T(
				"This badge was created already, and is not shown again. If nobody has printed it, create another one."), nil
		}
		return made, "", err
	}
	in := tokenForm.Read(v.Form)
	if until := v.Form.Get("expiresAt"); until != "" {
		in.ExpiresAt = input.Given(until + "T00:00:00Z")
	}
	token, err := v.Access.CreateToken(ctx, userID, in)
	if errors.Is(err, shop.ErrRemembered) {
		return HeldTokens{}, v.T("This token was created already, and is not shown again. " +
			"If nobody has copied it, revoke it and create another one."), nil
	}
	made.NewToken = token.Text
	return made, "", err
}

// PersonPage is the account of an operator as administrators see it.
type PersonPage struct {
	site.Frame
	access.Account
	User     shop.User
	Roles    []access.Role
	Sessions []access.Session
	Own      bool
	Provider string // name of the OpenID Connect provider, "" for none
	Factors  access.SecondFactors
	Confirm  bool // whether the visitor has to confirm with their own secret
	HeldTokens
}

// IsProgram reports whether this is a service account.
func (p *PersonPage) IsProgram() bool { return p.User.Kind == shop.Program }

// Has reports whether the user has a role.
func (p *PersonPage) Has(role string) bool { return slices.Contains(p.User.Roles, role) }

func showAccount(v *site.Visit) error { return renderAccount(v, http.StatusOK, nil, HeldTokens{}) }

func renderAccount(v *site.Visit, status int, refused *site.Problem, made HeldTokens) error {
	ctx, id := v.R.Context(), v.R.PathValue("id")
	user, known := v.People.Find(id)
	if !known {
		return shop.NameUser.NotFound(id)
	}
	page := &PersonPage{
		Frame: v.FrameOf(user.Name, "users"), User: user, Roles: access.Roles(), HeldTokens: made, Own: id == v.Identity.User.ID,
		Provider: v.Access.ProviderName(),
	}
	page.Rejected = refused
	if user.Kind == shop.Program { // people create their own tokens
		page.MayTokens = access.PermissionsOf(user.Roles)
	}
	page.TokensAt, page.BadgeName, page.Current = "/users/"+id, user.Name, v.Identity.Session.ID
	accounts, err := v.Access.Accounts(ctx, []string{id})
	if err != nil {
		return err
	}
	page.Account, page.Confirm = accounts[id], v.Access.NeedsConfirmation(ctx)
	if page.Factors, err = v.Access.SecondFactorsOf(ctx, id); err != nil {
		return err
	}
	if page.Sessions, err = v.Access.Sessions(ctx, id); err != nil {
		return err
	}
	all, err := v.Access.Tokens(ctx, id)
	page.live(all, ident.TimestampOf(v.Clock()))
	return v.Shown(err, status, "account", page)
}

func changeAccount(v *site.Visit) error {
	ctx, id := v.R.Context(), v.R.PathValue("id")
	here, do := "/users/"+id, v.Form.Get("do")
	again := func(err error) error {
		return v.Again(do, err, func(v *site.Visit, status int, refused *site.Problem) error {
			return renderAccount(v, status, refused, HeldTokens{})
		})
	}
	from, err := v.Access.Visitor(v.R)
	if err != nil {
		return err
	}
	var done string
	switch do {
	case "account":
		_, err = v.Access.ChangeAccount(site.IfRead(v, v.Form.Get(site.ReadField), readAccount), id, accountForm.Read(v.Form))
		err, done = doneAlready(err), v.T("Account saved.")
	case "password":
		_, err = v.Access.ChangePassword(ctx, from, id, access.ChangePasswordInput{Password: v.Text("password")})
		done = v.T("Password set. It has to be changed at the next sign-in.")
	case "pin":
		_, err = v.Access.ChangePIN(ctx, from, id, access.ChangePINInput{PIN: v.Text("pin")})
		done = v.T("PIN set.")
	case "unlock":
		err = v.Access.Unlock(ctx, id)
		done = v.T("Wrong attempts reset.")
	case "connect":
		err = doneAlready(v.Access.Connect(site.IfRead(v, v.Form.Get(site.ReadField), readSubject), id, v.Text("subject")))
		done = v.T("Account saved.")
	case "session":
		err = v.Access.EndSession(ctx, id, v.Form.Get("id"))
		done = v.T("Signed out there.")
	case "token", "revoke", "badge":
		var made HeldTokens
		made, done, err = changeTokens(v, id, do)
		if err == nil && done == "" {
			return renderAccount(v, http.StatusOK, nil, made)
		}
	}
	if site.WasChanged(err) && (do == "account" || do == "connect") {
		err = accountChanged(v, id, do)
	}
	if err != nil {
		return again(err)
	}
	return v.Back(here, done)
}

// readAccount returns the state of the account that its form was rendered with. readSubject does the same for the subject at the identity
// provider.
func readAccount(user shop.User) string {
	return site.AsRead(user.Login, strings.Join(user.Roles, " "), user.Kind)
}

func readSubject(subject string) string { return site.AsRead(subject) }

// readBadge returns the badge that the form was rendered with. Creating a new badge revokes that one.
func readBadge(badge string) string { return site.AsRead(badge) }

// ReadBadge is readBadge for the template.
func (p *PersonPage) ReadBadge() string { return readBadge(p.Badge) }

// ReadBadge is readBadge for the template.
func (p *MePage) ReadBadge() string { return readBadge(p.Badge) }

// ReadAccount is readAccount for the template.
func (p *PersonPage) ReadAccount() string { return readAccount(p.User) }

// ReadSubject is readSubject for the template.
func (p *PersonPage) ReadSubject() string { return readSubject(p.Subject) }

// accountChanged returns the refusal of a form whose account was changed after the form was rendered, and resets the form to the current
// values.
func accountChanged(v *site.Visit, id, form string) error {
	if err := v.Meet(); err != nil { // reads the users again for the page
		return err
	}
	if form == "connect" {
		accounts, err := v.Access.Accounts(v.R.Context(), []string{id})
		if err != nil {
			return err
		}
		typed, now := strings.TrimSpace(v.Form.Get("subject")), accounts[id].Subject
		v.Form = url.Values{"subject": {now}}
		return site.ErrChanged(v, v.T("Somebody changed the account meanwhile."), []site.Compared{
			{Field: "Subject at the identity provider", Typed: typed, Now: now},
		})
	}
	user, _ := v.People.Find(id)
	login, roles := cmp.Or(v.Form.Get("login"), user.Login), rolesInWords(v.Form["role"])
	v.Form = url.Values{}
	return site.ErrChanged(v, v.T("Somebody changed the account meanwhile."), []site.Compared{
		{Field: "Login", Typed: login, Now: user.Login},
		{Field: "Roles", Typed: roles, Now: rolesInWords(user.Roles)},
	})
}

// rolesInWords lists roles in the order of the form.
func rolesInWords(roles []string) string {
	var list []string
	for _, role := range access.Roles() {
		if slices.Contains(roles, role.Name) {
			list = append(list, role.Name)
		}
	}
	return strings.Join(list, ", ")
}

// doneAlready ignores the error that a form was carried out before.
func doneAlready(err error) error {
	if errors.Is(err, shop.ErrRemembered) {
		return nil
	}
	return err
}

// StationsPage lists the stations.
type StationsPage struct {
	site.Frame
	Stations []access.Station
	This     access.Station // the station of this device
}

// PlacesOf lists the locations of a station.
func (*StationsPage) PlacesOf(station access.Station) string {
	return strings.Join(station.Places, ", ")
}

func showStations(v *site.Visit) error { return renderStations(v, http.StatusOK, nil) }

func renderStations(v *site.Visit, status int, refused *site.Problem) error {
	page := &StationsPage{Frame: v.Frame("Stations", "stations")}
	page.Rejected = refused
	var err error
	if page.This, err = v.Access.StationOf(v.R); err != nil {
		return err
	}
	page.Stations, err = v.Access.Stations(v.R.Context())
	return v.Shown(err, status, "stations", page)
}

// noStation refuses the form if this device is already a station, unless the same form made it one.
func noStation(v *site.Visit) error {
	made, err := v.Service.Repeated(v.R.Context())
	if made || err != nil {
		return err
	}
	this, err := v.Access.StationOf(v.R)
	if err == nil && this.ID != "" {
		err = refusal.Refuse(wording.StationBefore, this.Name)
	}
	return err
}

func changeStations(v *site.Visit) error {
	do := v.Form.Get("do")
	if do == "make" {
		if err := noStation(v); err != nil {
			return v.Again(do, err, renderStations)
		}
		_, cookie, err := v.Access.MakeStation(v.R.Context(), access.MakeStationInput{
			Name: v.Text("name"), Places: v.Text("places"), OneScan: v.Form.Has("oneScan"),
		})
		if errors.Is(err, shop.ErrRemembered) {
			return v.Back("/stations", v.T("This station was created already. "+
				"If this page does not say below that this device is a station, remove that station and create it again."))
		}
		if err != nil {
			return v.Again(do, err, renderStations)
		}
		http.SetCookie(v.W, cookie)
		return v.Back("/stations", v.T("This device is a station now. Sign out, and the next person signs in with badge and PIN."))
	}
	if err := doneAlready(v.Access.RevokeStation(v.R.Context(), v.Form.Get("id"))); err != nil {
		return v.Again(do, err, renderStations)
	}
	return v.Back("/stations", v.T("Station removed."))
}
