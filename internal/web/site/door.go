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
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// admit lets a visitor through to where a permission is needed; Route.Needs names that of a form.
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

// AdmitAgain admits a visitor again when a file has arrived: the session may have ended since it began.
func (v *Visit) AdmitAgain(needs shop.Permission) error { return v.admit(needs) }

// tellRefused tells the security log of a visitor whom an operation refused for who they are. The door tells of its own.
func (v *Visit) tellRefused(err error) {
	if v.Access != nil && !v.turnedAway {
		v.Access.TurnedAway(v.R, err)
	}
}

// askedToSignIn redirects a refused visitor to the sign-in page, or to /me when the password must be changed. It is false for
// refusals that signing in does not mend.
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
	if v.R.Header.Get(LiveHeader) != "" { // an open page that asks by itself: app.js loads it anew
		v.W.WriteHeader(http.StatusUnauthorized)
		return true
	}
	if badge := BadgeOf(v.Form.Get("code")); badge != "" { // the next person's, scanned after the previous session ended
		KeepBadge(v, badge)
	}
	posted := v.R.Method == http.MethodPost && v.R.URL.Path != "/scan"
	if posted && v.R.Header.Get("Hx-Request") != "" { // app.js leaves the form as it is, and says so
		v.W.Header().Set(signedOutHeader, "yes")
		v.W.WriteHeader(http.StatusUnauthorized)
		return true
	}
	next := v.R.URL.RequestURI()
	if v.R.Method != http.MethodGet { // what was posted is not kept; the page it came from is
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

// signedOutAtStation is where somebody signs in who scanned after the session had ended. The page tells what was scanned, and that
// it was not done; a unit is shown afterwards.
func signedOutAtStation(v *Visit) string {
	typed := strings.TrimSpace(v.Form.Get("code"))
	if do := v.Form.Get("do"); do != "" {
		typed = do
	}
	next := "/scan"
	if code := station.Understood(typed); strings.HasPrefix(code, ident.SerialPrefix) {
		next += "?unit=" + code
	}
	query := url.Values{"next": {next}, "out": {"ended"}}
	if unit := v.Form.Get("unit"); typed == "" && v.Form.Get("state") == string(station.Shown) && unit != "" {
		typed = unit + ", " + station.CodeDone // by Enter
	}
	if typed != "" && !IsBadge(typed) {
		if shown, hides := HidesBadge(v, typed); hides {
			typed = shown
		}
		query.Set("typed", Cut(typed, 200))
	}
	return "/sign-in?" + query.Encode()
}

// signedOutHeader tells a page that its form was not sent on, since nobody is signed in any more.
const signedOutHeader = "Routecard-Signed-Out"

// nextMost is how long an address may be to come back to after signing in: as long as any parameter.
const nextMost = 500

// At a station a badge and a code are scanned into the same field as units. Where nobody signs in they are no codes.
const (
	CodeOut      = shop.CodeSignOut
	BadgeCookie  = "badge" // what was scanned, until the PIN is there
	badgeSeconds = 60
)

// IsOut reports whether the command code to sign out was scanned or typed.
func IsOut(typed string) bool {
	read := scancode.Parse(typed)
	return len(read) == 1 && read[0].Kind == scancode.Command && read[0].Text == CodeOut
}

// IsBadge reports whether a badge was scanned.
func IsBadge(typed string) bool { return BadgeOf(typed) != "" }

// BadgeOf is what a badge shows that was scanned, without what the scanner added to it; "" when it was none.
func BadgeOf(typed string) string {
	read := scancode.Parse(typed)
	if len(read) != 1 || read[0].Kind != scancode.Badge || !strings.HasPrefix(read[0].Text, access.BadgePrefix) {
		return ""
	}
	return read[0].Text
}

// BadgeShown stands in the place of a badge.
const BadgeShown = access.BadgePrefix + "…"

// WithoutBadges is a text without the badges in it.
func WithoutBadges(text string) string { return scancode.ReplaceBadges(text, BadgeShown) }

// HidesBadge reports whether a badge, or the code that signs out, was scanned behind something else that was typed, or a badge on
// another keyboard. It returns what may be shown of it: a badge is no text for a note.
func HidesBadge(v *Visit, typed string) (shown string, hides bool) {
	if shown := WithoutBadges(typed); shown != typed {
		before, _, _ := strings.Cut(shown, BadgeShown)
		return before + BadgeShown, true
	}
	if v.Access == nil {
		return "", false
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

// leadsFromBadge leads from an address with a badge in it, as of a list that was searched for one, to the same without it: a secret must
// not stay on the screen or in the browser's history. It is false for every other address.
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

// RefuseBadges refuses a form in which a badge stands in a field that shows what is typed. The station answers badges itself. A text
// that only looks like a badge, and which the page of the form shows, was not scanned into the form.
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

// shownAlready reports whether all these texts stand in the page on which the form stands, as the visitor sees that page now.
func shownAlready(v *Visit, texts []string) bool {
	ask := v.R.Clone(v.R.Context())
	ask.Method, ask.Body, ask.ContentLength = http.MethodGet, http.NoBody, 0
	ask.Header.Set(LiveHeader, "1") // which uses nothing up
	if from, err := url.Parse(v.R.Referer()); err == nil && from.Host == v.R.Host {
		ask.URL, err = url.Parse(OwnPath(from.RequestURI()))
		if err != nil {
			return false
		}
	}
	if len(scancode.Badges(ask.URL.Path+"?"+ask.URL.RawQuery)) > 0 { // the page has its address in a field, and does not show that
		return false
	}
	page := &pageKept{header: http.Header{}}
	v.Pages.ServeHTTP(page, ask)
	shown := html.UnescapeString(page.String())
	return !slices.ContainsFunc(texts, func(text string) bool { return !strings.Contains(shown, text) })
}

// pageKept is a page that is not sent.
type pageKept struct {
	bytes.Buffer
	header http.Header
	status int // 0 for a page that is sent without one
}

func (p *pageKept) Header() http.Header    { return p.header }
func (p *pageKept) WriteHeader(status int) { p.status = status }

// LeaveStation signs out whoever works at a station. When it was the next person's badge, that one is asked for the PIN.
func LeaveStation(v *Visit, typed string) error {
	cookie, err := v.Access.SignOut(v.R.Context())
	if err != nil {
		return err
	}
	http.SetCookie(v.W, cookie)
	done := "Signed out."
	if badge := BadgeOf(typed); badge != "" {
		KeepBadge(v, badge)
		done = ""
	}
	return v.Back("/sign-in?next=/scan", done)
}

// May reports whether the visitor would be let through to where a permission is needed.
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

// idle is after how many seconds without doing anything somebody at a station is signed out; 0 anywhere else.
func (v *Visit) idle() int {
	if v.Identity == nil || !v.Identity.AtStation() {
		return 0
	}
	return int(v.Access.StationIdle().Seconds())
}

// ReturnPath is where a provider of OpenID Connect sends people back to.
const ReturnPath = "/sign-in/return"

// KeepBadge keeps a badge that was scanned until its PIN is there, or a minute has passed.
func KeepBadge(v *Visit, badge string) { v.SetCookie(BadgeCookie, badge, badgeSeconds) }

// SecondStepPage is where somebody does what is missing of their second factor, "" when nothing is.
func SecondStepPage(step access.SecondStep, next string) string {
	switch step {
	case access.GiveSecond:
		return "/sign-in/second?next=" + url.QueryEscape(next)
	case access.SetUpSecond:
		return "/me/second-factors"
	}
	return ""
}
