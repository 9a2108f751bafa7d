package site

import (
	"bytes"
	"errors"
	"html"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/internal/station"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// Needs returns the permission of the operation that a form asks for.
func (r Route) Needs(form url.Values) shop.Permission { return r.Operation.In(form).Permission() }

// needsFirst returns the permission to check before the form is read. If the operation depends on the form, it requires only that the
// visitor is identified.
func (r Route) needsFirst() shop.Permission {
	if r.Operation.ByForm != nil {
		return shop.Arrived
	}
	return r.Operation.Always.Permission()
}

// admit checks that the visitor has a permission.
func (v *Visit) admit(needs shop.Permission) error {
	if v.Access == nil {
		return nil
	}
	r, err := v.Access.Admit(v.R, needs)
	v.turnedAway = err != nil
	v.R, v.Identity, v.Operator = r, access.IdentityOf(r.Context()), ""
	if v.Identity != nil {
		v.Operator = v.Identity.User.Login
	}
	return err
}

// AdmitAgain checks the visitor's permission again after an uploaded file has arrived, because the session may have expired during the
// upload.
func (v *Visit) AdmitAgain(needs shop.Permission) error { return v.admit(needs) }

// tellRefused writes refusals by operations to the security log. Access.Admit logs its own refusals.
func (v *Visit) tellRefused(err error) {
	if v.Access != nil && !v.turnedAway {
		v.Access.TurnedAway(v.R, err)
	}
}

// askedToSignIn redirects a refused visitor to the sign-in page, or to /me if the visitor must change the password. It returns false if
// signing in would not help.
func (v *Visit) askedToSignIn(err error) bool {
	refused, ok := AsRefusal(err)
	switch {
	case !v.turnedAway || !ok:
		return false
	case access.MustReplace(err):
		http.Redirect(v.W, v.R, "/me", http.StatusSeeOther)
		return true
	case errors.Is(err, access.ErrGiveSecond), errors.Is(err, access.ErrSetUpSecond):
		next := "/"
		if v.R.Method == http.MethodGet && len(v.R.URL.RequestURI()) <= nextMost {
			next = OwnPath(v.R.URL.RequestURI())
		}
		http.Redirect(v.W, v.R, SecondStepPage(v.Identity.Second, next), http.StatusSeeOther)
		return true
	case refused.Kind != refusal.Unauthenticated:
		return false
	}
	if v.R.Header.Get(LiveHeader) != "" { // a refresh by an open page: app.js reloads the page
		v.W.WriteHeader(http.StatusUnauthorized)
		return true
	}
	if badge := BadgeOf(v.Form.Get("code")); badge != "" { // the badge of the next user, scanned after the session had ended
		KeepBadge(v, badge)
	}
	posted := v.R.Method == http.MethodPost && v.R.URL.Path != "/scan"
	if posted && v.R.Header.Get("Hx-Request") != "" { // app.js keeps the form and shows a message
		v.W.Header().Set(signedOutHeader, "yes")
		v.W.WriteHeader(http.StatusUnauthorized)
		return true
	}
	next := v.R.URL.RequestURI()
	if v.R.Method != http.MethodGet { // a posted form is not stored, but the address of its page is
		next = "/"
		if from, err := url.Parse(v.R.Referer()); err == nil && from.Host == v.R.Host {
			next = from.RequestURI()
		}
	}
	if len(next) > nextMost {
		next = "/"
	}
	to := "/sign-in?next=" + url.QueryEscape(OwnPath(next))
	if posted {
		to += "&out=form"
	}
	if v.R.URL.Path == "/scan" && v.R.Method == http.MethodPost {
		to = signedOutAtStation(v)
	}
	http.Redirect(v.W, v.R, to, http.StatusSeeOther)
	return true
}

// signedOutAtStation returns the address of the sign-in page for a scan that arrived after the session had ended. That page shows the
// scanned code and says that it was not carried out. After signing in, the user sees the unit.
func signedOutAtStation(v *Visit) string {
	typed := strings.TrimSpace(v.Form.Get("code"))
	if do := v.Form.Get("do"); do != "" {
		typed = do
	}
	next := "/scan"
	if code := station.Understood(v.SerialPrefix(), typed); strings.HasPrefix(code, v.SerialPrefix().Mark()) {
		next += "?unit=" + code
	}
	query := url.Values{"next": {next}, "out": {"ended"}}
	if unit := v.Form.Get("unit"); typed == "" && v.Form.Get("state") == string(station.Shown) && unit != "" {
		typed = unit + ", " + station.CodeDone // this was Enter
	}
	if typed != "" && !IsBadge(typed) {
		if shown, hides := HidesBadge(v, typed); hides {
			typed = shown
		}
		query.Set("typed", Cut(typed, 200))
	}
	return "/sign-in?" + query.Encode()
}

// signedOutHeader reports to app.js that the form was not carried out because the session has ended.
const signedOutHeader = "Routecard-Signed-Out"

// nextMost is the maximum length of an address to return to after signing in. Parameters of all kinds have this limit.
const nextMost = 500

// At a station, users scan badges and command codes into the same field as units. Without sign-in, such codes have no special meaning.
const (
	CodeOut      = shop.CodeSignOut
	BadgeCookie  = "badge" // the scanned badge, until the PIN is entered
	badgeSeconds = 60
)

// IsOut reports whether the user scanned or typed the command code to sign out.
func IsOut(typed string) bool {
	read, _ := scancode.Control(typed)
	return read.Kind == scancode.Command && read.Text == CodeOut
}

// IsBadge reports whether the scanned text is a badge.
func IsBadge(typed string) bool { return BadgeOf(typed) != "" }

// BadgeOf returns the content of a scanned badge, without characters that the scanner added. It returns "" if the text is not a badge.
func BadgeOf(typed string) string {
	read, _ := scancode.Control(typed)
	if read.Kind != scancode.Badge || !strings.HasPrefix(read.Text, access.BadgePrefix) {
		return ""
	}
	return read.Text
}

// BadgeShown is displayed in place of a badge.
const BadgeShown = access.BadgePrefix + "…"

// WithoutBadges replaces the badges in a text.
func WithoutBadges(text string) string { return scancode.ReplaceBadges(text, BadgeShown) }

// HidesBadge reports whether the user scanned a badge or the sign-out code after typing something else, or scanned a badge with a wrong
// keyboard layout or without its first characters. shown is the part of the text that may be displayed: a badge must not end up in a note.
func HidesBadge(v *Visit, typed string) (shown string, hides bool) {
	if shown := WithoutBadges(typed); shown != typed {
		before, _, _ := strings.Cut(shown, BadgeShown)
		return before + BadgeShown, true
	}
	if v.Access == nil {
		return "", false
	}
	if scancode.IsCutBadge(typed) {
		return BadgeShown, true
	}
	const prefix = access.BadgePrefix
	for i := range typed {
		rest := typed[i:]
		if len(rest) >= len(prefix) && strings.EqualFold(rest[:len(prefix)], prefix) {
			return typed[:i] + BadgeShown, true
		}
		if i > 0 && strings.EqualFold(strings.TrimSpace(rest), CodeOut) {
			return typed, true
		}
	}
	return "", false
}

// leadsFromBadge redirects from an address that contains a badge to the same address without the badge. This happens, for example, if a
// badge is scanned into a list's search. A secret must not stay on the screen or in the browser's history. leadsFromBadge returns false if
// the address contains no badge.
func leadsFromBadge(v *Visit) bool {
	if v.R.Method != http.MethodGet {
		return false
	}
	query, badges := v.R.URL.Query(), false
	for name, values := range query {
		for i, value := range values {
			shown := WithoutBadges(value)
			if shown == value {
				continue
			}
			badges = true
			if values[i] = shown; IsBadge(value) {
				query.Del(name)
			}
		}
	}
	if !badges {
		return false
	}
	to := url.URL{Path: v.R.URL.Path, RawPath: v.R.URL.RawPath, RawQuery: query.Encode()}
	http.Redirect(v.W, v.R, to.RequestURI(), http.StatusSeeOther)
	return true
}

// RefuseBadges refuses a form that has a badge in a field whose content is displayed. The station handles badges itself. If the form's page
// already shows a text that looks like a badge, the text was not scanned into the form and is accepted.
func RefuseBadges(v *Visit, form url.Values) error {
	if v.R.URL.Path == "/scan" {
		return nil
	}
	var badges []string
	for name, values := range form {
		if name == "badge" || slices.Contains(secretFields(), name) || strings.HasSuffix(name, "-secret") {
			continue
		}
		for _, value := range values {
			badges = append(badges, scancode.Badges(value)...)
		}
	}
	if len(badges) > 0 && !shownAlready(v, badges) {
		return refusal.Refuse(wording.BadgeInField)
	}
	return nil
}

// shownAlready reports whether the form's page, as this visitor would see it now, contains all these texts.
func shownAlready(v *Visit, texts []string) bool {
	ask := v.R.Clone(v.R.Context())
	ask.Method, ask.Body, ask.ContentLength = http.MethodGet, http.NoBody, 0
	ask.Header.Set(LiveHeader, "1") // does not consume pending messages
	if from, err := url.Parse(v.R.Referer()); err == nil && from.Host == v.R.Host {
		ask.URL, err = url.Parse(OwnPath(from.RequestURI()))
		if err != nil {
			return false
		}
	}
	if len(scancode.Badges(ask.URL.Path+"?"+ask.URL.RawQuery)) > 0 { // the page repeats its address in a hidden field
		return false
	}
	page := &pageKept{header: http.Header{}}
	v.Pages.ServeHTTP(page, ask)
	shown := html.UnescapeString(page.String())
	return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(shown, text) })
}

// pageKept records a page in memory instead of sending it.
type pageKept struct {
	bytes.Buffer
	header http.Header
	status int // 0 if no status was set
}

func (p *pageKept) Header() http.Header    { return p.header }
func (p *pageKept) WriteHeader(status int) { p.status = status }

// LeaveStation signs out the current user of a station. If the badge of the next user was scanned, the sign-in page asks for that user's
// PIN.
func LeaveStation(v *Visit, typed string) error {
	cookie, err := v.Access.SignOut(v.R.Context())
	if err != nil {
		return err
	}
	http.SetCookie(v.W, cookie)
	done := v.T("Signed out.")
	if badge := BadgeOf(typed); badge != "" {
		KeepBadge(v, badge)
		done = ""
	}
	return v.Back("/sign-in?next=/scan", done)
}

// May reports whether the visitor has a permission.
func (v *Visit) May(permission shop.Permission) bool {
	switch {
	case v.Access == nil, permission == shop.Anyone:
		return true
	case v.Identity == nil:
		return permission == shop.Read && v.Access.Mode() == access.Writes
	case permission == shop.Arrived:
		return true
	case permission == shop.Entering:
		return true
	case permission == shop.SignedIn:
		return v.Identity.Second == ""
	}
	return slices.Contains(v.Identity.Permissions, permission)
}

// idle is the number of seconds without input after which a station signs its user out. It is 0 on other devices.
func (v *Visit) idle() int {
	if v.Identity == nil || !v.Identity.AtStation() {
		return 0
	}
	return int(v.Access.StationIdle().Seconds())
}

// ReturnPath is the address to which an OpenID Connect provider redirects users after their sign-in.
const ReturnPath = "/sign-in/return"

// KeepBadge stores a scanned badge on the device until the PIN is entered, but at most for a minute.
func KeepBadge(v *Visit, badge string) { v.SetCookie(BadgeCookie, badge, badgeSeconds) }

// SecondStepPage returns the page on which the user completes the second factor, or "" if nothing is missing.
func SecondStepPage(step access.SecondStep, next string) string {
	switch step {
	case access.GiveSecond:
		return "/sign-in/second?next=" + url.QueryEscape(next)
	case access.SetUpSecond:
		return "/me/second-factors"
	}
	return ""
}
