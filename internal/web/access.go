package web

import (
	"cmp"
	"errors"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// accessRoutes lists the pages by which people sign in and administrators say who may. They are there with --auth.
func accessRoutes() []route {
	return append([]route{
		get("/setup", always(shop.OpEnter), showSetup),
		postSecret("/setup", always(shop.OpEnter), setUp),
		get("/sign-in", always(shop.OpEnter), showSignIn),
		postSecret("/sign-in", always(shop.OpEnter), signIn),
		get("/sign-in/provider", always(shop.OpEnter), whenVisited(leaveForProvider)),
		get(returnPath, always(shop.OpEnter), whenVisited(returnFromProvider)),
		postSecret("/oidc/logout", always(shop.OpEnter), providerLogout),
		postSecret("/sign-out", always(shop.OpEnter), signOut),
		get("/me", always(shop.OpReplaceSecret), showMe),
		post("/me", byForm(shop.OpChangeOwnAccount, map[string]shop.Operation{
			"password": shop.OpReplaceSecret, "pin": shop.OpReplaceSecret,
		}), changeMe),
		get("/users/{id}", always(shop.OpChangeAccount), showAccount),
		post("/users/{id}", always(shop.OpChangeAccount), changeAccount),
		get("/settings/signatures", always(shop.OpSetPolicy), showPolicy),
		post("/settings/signatures", always(shop.OpSetPolicy), changePolicy),
		get("/stations", always(shop.OpSeeStations), showStations),
		post("/stations", byForm(shop.OpRevokeStation, map[string]shop.Operation{"make": shop.OpMakeStation}), changeStations),
	}, factorRoutes()...)
}

// returnPath is where a provider of OpenID Connect sends people back to.
const returnPath = "/sign-in/return"

type setupPage struct {
	frame
	Code  string
	Valid bool
}

func showSetup(v *visit) error { return renderSetup(v, http.StatusOK, nil) }

func renderSetup(v *visit, status int, refused *problem) error {
	page := &setupPage{frame: v.frame("First sign-in", ""), Code: v.r.URL.Query().Get("code")}
	if v.form.Has("code") {
		page.Code = v.form.Get("code")
	}
	page.problem = refused
	var err error
	page.Valid, err = v.access.SetupCodeValid(v.r.Context(), page.Code)
	if err == nil && !page.Valid {
		status = http.StatusForbidden
	}
	return v.shown(err, status, "setup", page)
}

var setUpForm = formOf[access.SetUpInput]()

// setUp makes the first administrator and signs them in.
func setUp(v *visit) error {
	if _, err := v.access.SetUp(v.r.Context(), setUpForm.read(v.form)); err != nil {
		return v.again("setup", err, renderSetup)
	}
	return signInPosted(v, "/me", "Welcome. Now give the others a login: the page Operators.")
}

type signInPage struct {
	frame
	Next     string
	Station  string // the name of the station that this device is, "" for none
	Scanned  bool   // whether a badge was scanned just before, whose PIN is awaited; it stands in a cookie, and in no page
	Provider string // of OpenID Connect, "" for none
	Origin   string // at which passkeys work, "" for nowhere
	// Out says why nobody is signed in at the station any more: idle, ended, or badge when a code was scanned that is none; or form,
	// anywhere, when a form was sent after the session had ended; "" for nothing.
	Out     string
	NotDone string // what was scanned after the session had ended, "" for nothing
}

func showSignIn(v *visit) error { return renderSignIn(v, http.StatusOK, nil) }

func renderSignIn(v *visit, status int, refused *problem) error {
	from, err := v.access.Visitor(v.r)
	page := &signInPage{frame: v.frame("Sign in", ""), Next: ownPath(v.r.URL.Query().Get("next")), Station: from.Station.Name}
	page.Out, page.NotDone = v.r.URL.Query().Get("out"), v.r.URL.Query().Get("typed")
	page.Provider, page.Origin = v.access.ProviderName(), v.access.PasskeyOrigin()
	if v.form.Has("next") {
		page.Next = ownPath(v.form.Get("next"))
	}
	if page.Station != "" && page.Next == "/" {
		page.Next = "/scan" // where people work at a station
	}
	page.problem = refused
	if refused != nil && status == http.StatusUnauthorized { // what is typed again
		refused.advice.Field = map[string]string{"signin": "password", "badge": "pin"}[refused.form]
	}
	page.Scanned = badgeAwaiting(v) != ""
	return v.shown(err, status, "signin", page)
}

var signInForm = formOf[access.SignInInput]()

func signIn(v *visit) error {
	typed := strings.TrimSpace(v.form.Get("badge"))
	badge := badgeOf(typed)
	if typed != "" && badge == "" && v.form.Get("pin") == "" {
		return scannedAtDoor(v, typed)
	}
	if next := badgeOf(v.form.Get("pin")); next != "" { // somebody else's, scanned where the PIN was awaited
		keepBadge(v, next)
		return v.back("/sign-in?"+url.Values{"next": {ownPath(v.form.Get("next"))}}.Encode(), "")
	}
	if v.form.Has("badge") && typed == "" {
		if badge = badgeAwaiting(v); badge == "" {
			return v.again("badge", refusal.RefuseField(refusal.Required, "badge"), renderSignIn)
		}
	}
	if badge != "" {
		v.form.Set("badge", badge)
		keepBadge(v, badge) // for another attempt
	}
	return signInPosted(v, ownPath(v.form.Get("next")), "")
}

// keepBadge keeps a badge that was scanned until its PIN is there, or a minute has passed.
func keepBadge(v *visit, badge string) { v.setCookie(badgeCookie, badge, badgeSeconds) }

// badgeAwaiting is the badge whose PIN is awaited, "" for none.
func badgeAwaiting(v *visit) string {
	return cmp.Or(badgeOf(v.form.Get("badge")), badgeOf(readCookie(v.r, badgeCookie)))
}

// scannedAtDoor answers a code that was scanned where a badge belongs: it is no attempt to sign in, and a unit is shown afterwards.
func scannedAtDoor(v *visit, typed string) error {
	query := url.Values{"next": {ownPath(v.form.Get("next"))}, "out": {"badge"}, "typed": {cut(withoutBadges(typed), 200)}}
	if code := station.Understood(typed); strings.HasPrefix(code, ident.SerialPrefix) {
		query.Set("next", "/scan?unit="+code)
	}
	return v.back("/sign-in?"+query.Encode(), "")
}

// signInPosted signs a visitor in with what they posted and leads them on.
func signInPosted(v *visit, to, done string) error {
	from, err := v.access.Visitor(v.r)
	if err != nil {
		return err
	}
	signed, cookie, err := v.access.SignIn(v.r.Context(), from, signInForm.read(v.form))
	if err != nil {
		form := "signin"
		if v.form.Has("badge") {
			form = "badge"
			if refused, ok := asRefusal(err); ok && refused.Reason == access.WrongSecret {
				err = refusal.Refuse(wording.WrongBadge) // nobody typed a login or a password
			}
		}
		return v.again(form, err, renderSignIn)
	}
	http.SetCookie(v.w, cookie)
	v.setCookie(badgeCookie, "", -1)
	return v.back(firstPage(signed, to), done)
}

// whenVisited does what the visit of an address does only when a person visits it. A page at such an address that asks for its
// own fresh parts would begin another sign-in in place of the one that is under way; it is shown the page to sign in.
func whenVisited(do func(*visit) error) func(*visit) error {
	return func(v *visit) error {
		if v.r.Header.Get(liveHeader) != "" {
			return renderSignIn(v, http.StatusOK, nil)
		}
		return do(v)
	}
}

// leaveForProvider leads to the provider of OpenID Connect.
func leaveForProvider(v *visit) error {
	from, err := v.access.Visitor(v.r)
	if err != nil {
		return err
	}
	next := ownPath(v.r.URL.Query().Get("next"))
	address, cookie, err := v.access.LeaveForProvider(v.r.Context(), from, next)
	if err != nil {
		v.form = url.Values{"next": {next}}
		return v.again("provider", err, renderSignIn)
	}
	http.SetCookie(v.w, cookie)
	http.Redirect(v.w, v.r, address, http.StatusSeeOther)
	return nil
}

// returnFromProvider signs in whoever comes back from there, and leads them on.
func returnFromProvider(v *visit) error {
	from, err := v.access.Visitor(v.r)
	if err != nil {
		return err
	}
	back, err := v.access.ReturnFromProvider(v.r, from)
	for _, cookie := range back.Cookies {
		http.SetCookie(v.w, cookie)
	}
	next := ownPath(back.Next)
	if err != nil {
		v.form = url.Values{"next": {next}}
		return v.again("provider", err, renderSignIn)
	}
	v.setCookie(badgeCookie, "", -1)
	return v.back(firstPage(back.SignedInAs, next), "")
}

// firstPage is where somebody begins: where they wanted to go, but for what has to be done before, and for those who may
// not see anything yet.
func firstPage(who access.SignedInAs, wanted string) string {
	if step := who.SecondFactor; step == access.GiveSecond || step != "" && !who.MustChange {
		return secondStepPage(step, wanted)
	}
	if who.MustChange || len(who.Permissions) == 0 {
		return "/me"
	}
	return wanted
}

func signOut(v *visit) error {
	cookie, err := v.access.SignOut(v.r.Context())
	if err != nil {
		return err
	}
	http.SetCookie(v.w, cookie)
	return v.back("/sign-in", "Signed out.")
}

type mePage struct {
	frame
	access.Account
	Sessions []access.Session
	tokens
	Permissions []shop.Permission
	Provider    string            // of OpenID Connect, "" for none
	Ended       []shop.Permission // that roles from its groups gave until they ended
	Taken       *rolesEnded       // roles that were taken away lately, nil for none
}

// tokens is the part of a page about somebody's tokens.
type tokens struct {
	Tokens    []access.Token
	NewToken  string // just made, and shown this once
	MayTokens []shop.Permission
	NewBadge  string
	BadgeName string
	TokensAt  string // where the forms go
	Current   string // the session of this page
}

func (t *tokens) live(all []access.Token, now ident.Timestamp) {
	t.Tokens = slices.DeleteFunc(all, func(token access.Token) bool { return token.RevokedAt != 0 || token.ExpiresAt <= now })
}

// showMe shows a user their own account. Before the second step of signing in it leads there: a password alone shows nothing.
func showMe(v *visit) error {
	if step := v.identity.Second; step == access.GiveSecond || step == access.SetUpSecond && v.identity.MustChange == "" {
		http.Redirect(v.w, v.r, secondStepPage(step, "/me"), http.StatusSeeOther)
		return nil
	}
	return renderMe(v, http.StatusOK, nil, tokens{})
}

func renderMe(v *visit, status int, refused *problem, made tokens) error {
	ctx, id := v.r.Context(), v.identity.User.ID
	page := &mePage{
		frame: v.frame("You", "me"), tokens: made, Permissions: v.identity.Permissions,
		Provider: v.access.ProviderName(), Ended: v.identity.Ended,
	}
	page.problem, page.MayTokens = refused, v.identity.Permissions
	page.TokensAt, page.BadgeName, page.Current = "/me", v.identity.User.Name, v.identity.Session.ID
	accounts, err := v.access.Accounts(ctx, []string{id})
	if err != nil {
		return err
	}
	page.Account = accounts[id]
	page.Account.MustChange = v.identity.MustChange
	if page.Sessions, err = v.access.Sessions(ctx, id); err != nil {
		return err
	}
	if page.Taken, err = rolesEndedLately(v); err != nil {
		return err
	}
	all, err := v.access.Tokens(ctx, id)
	page.live(all, ident.TimestampOf(v.clock()))
	return v.shown(err, status, "me", page)
}

var (
	passwordForm = formOf[access.ChangePasswordInput]()
	pinForm      = formOf[access.ChangePINInput]()
	tokenForm    = formOf[access.CreateTokenInput]()
	accountForm  = formOf[access.ChangeAccountInput]()
)

func changeMe(v *visit) error {
	ctx, id := v.r.Context(), v.identity.User.ID
	again := func(form string, err error) error {
		return v.again(form, err, func(v *visit, status int, refused *problem) error { return renderMe(v, status, refused, tokens{}) })
	}
	from, err := v.access.Visitor(v.r)
	if err != nil {
		return err
	}
	switch do := v.form.Get("do"); do {
	case "password":
		cookie, err := v.access.ChangePassword(ctx, from, id, passwordForm.read(v.form))
		if err != nil {
			return again(do, err)
		}
		keepSession(v, cookie)
		return v.back("/me", "Password changed.")
	case "pin":
		cookie, err := v.access.ChangePIN(ctx, from, id, pinForm.read(v.form))
		if err != nil {
			return again(do, err)
		}
		keepSession(v, cookie)
		return v.back("/me", "PIN changed.")
	case "session":
		if err := v.access.EndSession(ctx, id, v.form.Get("id")); err != nil {
			return again(do, err)
		}
		return v.back("/me", "Signed out there.")
	case "token", "revoke", "badge":
		made, done, err := changeTokens(v, id, do)
		if err != nil {
			return again(do, err)
		}
		if done != "" {
			return v.back("/me", done)
		}
		return renderMe(v, http.StatusOK, nil, made)
	}
	return v.back("/me", "")
}

// keepSession keeps somebody signed in who ended all their sessions, this one among them. A program with a token has none.
func keepSession(v *visit, cookie *http.Cookie) {
	if cookie != nil {
		http.SetCookie(v.w, cookie)
	}
}

// changeTokens makes or revokes a token, or makes a badge. What is new is shown this once, so the page is not left; when
// the form comes again, it is told what to do.
func changeTokens(v *visit, userID, do string) (made tokens, done string, err error) {
	ctx := v.r.Context()
	switch do {
	case "revoke":
		return made, "Token revoked.", doneAlready(v.access.RevokeToken(ctx, userID, v.form.Get("id")))
	case "badge":
		made.NewBadge, err = v.access.NewBadge(ifRead(v, v.form.Get(readField), readBadge), userID)
		if wasChanged(err) {
			user, _ := v.people.find(userID)
			err = refusal.Refuse(wording.BadgeMeanwhile, user.Name)
		}
		if errors.Is(err, shop.ErrRemembered) {
			return tokens{}, "This badge was made already, and is not shown again. If nobody has printed it, make another one.", nil
		}
		return made, "", err
	}
	in := tokenForm.read(v.form)
	if until := v.form.Get("expiresAt"); until != "" {
		in.ExpiresAt = input.Given(until + "T00:00:00Z")
	}
	token, err := v.access.CreateToken(ctx, userID, in)
	if errors.Is(err, shop.ErrRemembered) {
		return tokens{}, "This token was made already, and is not shown again. If nobody has copied it, revoke it and make another " +
			"one.", nil
	}
	made.NewToken = token.Text
	return made, "", err
}

type accountPage struct {
	frame
	access.Account
	User     shop.User
	Roles    []access.Role
	Sessions []access.Session
	Own      bool
	Provider string // of OpenID Connect, "" for none
	Factors  access.SecondFactors
	Confirm  bool // whether the visitor has to give their own secret once more
	tokens
}

// IsProgram reports whether the account is a program's.
func (p *accountPage) IsProgram() bool { return p.User.Kind == shop.Program }

// Has reports whether the user has a role.
func (p *accountPage) Has(role string) bool { return slices.Contains(p.User.Roles, role) }

func showAccount(v *visit) error { return renderAccount(v, http.StatusOK, nil, tokens{}) }

func renderAccount(v *visit, status int, refused *problem, made tokens) error {
	ctx, id := v.r.Context(), v.r.PathValue("id")
	user, known := v.people.find(id)
	if !known {
		return shop.NameUser.NotFound(id)
	}
	page := &accountPage{
		frame: v.frame(user.Name, "users"), User: user, Roles: access.Roles(), tokens: made, Own: id == v.identity.User.ID,
		Provider: v.access.ProviderName(),
	}
	page.problem = refused
	if user.Kind == shop.Program { // a person makes their own
		page.MayTokens = access.PermissionsOf(user.Roles)
	}
	page.TokensAt, page.BadgeName, page.Current = "/users/"+id, user.Name, v.identity.Session.ID
	accounts, err := v.access.Accounts(ctx, []string{id})
	if err != nil {
		return err
	}
	page.Account, page.Confirm = accounts[id], v.access.NeedsConfirmation(ctx)
	if page.Factors, err = v.access.SecondFactorsOf(ctx, id); err != nil {
		return err
	}
	if page.Sessions, err = v.access.Sessions(ctx, id); err != nil {
		return err
	}
	all, err := v.access.Tokens(ctx, id)
	page.live(all, ident.TimestampOf(v.clock()))
	return v.shown(err, status, "account", page)
}

func changeAccount(v *visit) error {
	ctx, id := v.r.Context(), v.r.PathValue("id")
	here, do := "/users/"+id, v.form.Get("do")
	again := func(err error) error {
		return v.again(do, err, func(v *visit, status int, refused *problem) error { return renderAccount(v, status, refused, tokens{}) })
	}
	from, err := v.access.Visitor(v.r)
	if err != nil {
		return err
	}
	var done string
	switch do {
	case "account":
		_, err = v.access.ChangeAccount(ifRead(v, v.form.Get(readField), readAccount), id, accountForm.read(v.form))
		err, done = doneAlready(err), "Account saved."
	case "password":
		_, err = v.access.ChangePassword(ctx, from, id, access.ChangePasswordInput{Password: v.text("password")})
		done = "Password set. It has to be changed at the next sign-in."
	case "pin":
		_, err = v.access.ChangePIN(ctx, from, id, access.ChangePINInput{PIN: v.text("pin")})
		done = "PIN set."
	case "unlock":
		err = v.access.Unlock(ctx, id)
		done = "Wrong attempts forgotten."
	case "connect":
		err = doneAlready(v.access.Connect(ifRead(v, v.form.Get(readField), readSubject), id, v.text("subject")))
		done = "Account saved."
	case "session":
		err = v.access.EndSession(ctx, id, v.form.Get("id"))
		done = "Signed out there."
	case "token", "revoke", "badge":
		var made tokens
		made, done, err = changeTokens(v, id, do)
		if err == nil && done == "" {
			return renderAccount(v, http.StatusOK, nil, made)
		}
	}
	if wasChanged(err) && (do == "account" || do == "connect") {
		err = accountChanged(v, id, do)
	}
	if err != nil {
		return again(err)
	}
	return v.back(here, done)
}

// readAccount is what the form for a user's account carries of what was read, and readSubject what the form does for the
// name by which the provider knows them.
func readAccount(user shop.User) string {
	return asRead(user.Login, strings.Join(user.Roles, " "), user.Kind)
}

func readSubject(subject string) string { return asRead(subject) }

// readBadge is what the form for a badge carries of what was read: the one that a new one ends.
func readBadge(badge string) string { return asRead(badge) }

// ReadBadge is what the form carries of what was read.
func (p *accountPage) ReadBadge() string { return readBadge(p.Badge) }

// ReadBadge is what the form carries of what was read.
func (p *mePage) ReadBadge() string { return readBadge(p.Badge) }

// ReadAccount and ReadSubject are what the forms carry of what was read.
func (p *accountPage) ReadAccount() string { return readAccount(p.User) }

// ReadSubject is like ReadAccount.
func (p *accountPage) ReadSubject() string { return readSubject(p.Subject) }

// accountChanged says what is refused because somebody changed the account since it was read. The form is what is there now.
func accountChanged(v *visit, id, form string) error {
	if err := v.meet(); err != nil { // what is shown is read anew
		return err
	}
	if form == "connect" {
		accounts, err := v.access.Accounts(v.r.Context(), []string{id})
		if err != nil {
			return err
		}
		typed, now := strings.TrimSpace(v.form.Get("subject")), accounts[id].Subject
		v.form = url.Values{"subject": {now}}
		return errChanged("the account", []compared{{"Known there as", typed, now}})
	}
	user, _ := v.people.find(id)
	login, roles := cmp.Or(v.form.Get("login"), user.Login), rolesInWords(v.form["role"])
	v.form = url.Values{}
	return errChanged("the account", []compared{{"Login", login, user.Login}, {"Roles", roles, rolesInWords(user.Roles)}})
}

// rolesInWords lists roles in the order in which the form does.
func rolesInWords(roles []string) string {
	var list []string
	for _, role := range access.Roles() {
		if slices.Contains(roles, role.Name) {
			list = append(list, role.Name)
		}
	}
	return strings.Join(list, ", ")
}

// doneAlready takes it for done what the same form did before.
func doneAlready(err error) error {
	if errors.Is(err, shop.ErrRemembered) {
		return nil
	}
	return err
}

type stationsPage struct {
	frame
	Stations []access.Station
	This     access.Station // the station that this device is
}

func showStations(v *visit) error { return renderStations(v, http.StatusOK, nil) }

func renderStations(v *visit, status int, refused *problem) error {
	page := &stationsPage{frame: v.frame("Stations", "stations")}
	page.problem = refused
	var err error
	if page.This, err = v.access.StationOf(v.r); err != nil {
		return err
	}
	page.Stations, err = v.access.Stations(v.r.Context())
	return v.shown(err, status, "stations", page)
}

// noStation refuses to make this device a station when it is one, unless the same form made it.
func noStation(v *visit) error {
	made, err := v.service.Repeated(v.r.Context())
	if made || err != nil {
		return err
	}
	this, err := v.access.StationOf(v.r)
	if err == nil && this.ID != "" {
		err = refusal.Refuse(wording.StationBefore, this.Name)
	}
	return err
}

func changeStations(v *visit) error {
	do := v.form.Get("do")
	if do == "make" {
		if err := noStation(v); err != nil {
			return v.again(do, err, renderStations)
		}
		_, cookie, err := v.access.MakeStation(v.r.Context(), access.MakeStationInput{
			Name: v.text("name"), Places: v.text("places"), OneScan: v.form.Has("oneScan"),
		})
		if errors.Is(err, shop.ErrRemembered) {
			return v.back("/stations", "This station was made already. When this device does not say below that it is one, "+
				"make that station an ordinary device, and then this device a station.")
		}
		if err != nil {
			return v.again(do, err, renderStations)
		}
		http.SetCookie(v.w, cookie)
		return v.back("/stations", "This device is a station now. Sign out, and the next person signs in with badge and PIN.")
	}
	if err := doneAlready(v.access.RevokeStation(v.r.Context(), v.form.Get("id"))); err != nil {
		return v.again(do, err, renderStations)
	}
	return v.back("/stations", "The device is no station any more.")
}
