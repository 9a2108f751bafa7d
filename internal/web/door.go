package web

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

// admit lets a visitor through to where a permission is needed; route.needs names that of a form.
func (v *visit) admit(needs shop.Permission) error {
	if v.access == nil {
		return nil
	}
	r, err := v.access.Admit(v.r, needs)
	v.turnedAway = err != nil
	v.r, v.identity, v.operator = r, access.IdentityOf(r.Context()), ""
	if v.identity != nil {
		v.operator = v.identity.User.Login
	}
	return err
}

// tellRefused tells the security log of a visitor whom an operation refused for who they are. The door tells of its own.
func (v *visit) tellRefused(err error) {
	if v.access != nil && !v.turnedAway {
		v.access.TurnedAway(v.r, err)
	}
}

// askedToSignIn redirects a refused visitor to the sign-in page, or to /me when the password must be changed. It is false for
// refusals that signing in does not mend.
func (v *visit) askedToSignIn(err error) bool {
	refused, ok := asRefusal(err)
	switch {
	case !v.turnedAway || !ok:
		return false
	case access.MustReplace(err):
		http.Redirect(v.w, v.r, "/me", http.StatusSeeOther)
		return true
	case errors.Is(err, access.ErrGiveSecond), errors.Is(err, access.ErrSetUpSecond):
		next := "/"
		if v.r.Method == http.MethodGet && len(v.r.URL.RequestURI()) <= nextMost {
			next = ownPath(v.r.URL.RequestURI())
		}
		http.Redirect(v.w, v.r, secondStepPage(v.identity.Second, next), http.StatusSeeOther)
		return true
	case refused.Kind != refusal.Unauthenticated:
		return false
	}
	if v.r.Header.Get(liveHeader) != "" { // an open page that asks by itself: app.js loads it anew
		v.w.WriteHeader(http.StatusUnauthorized)
		return true
	}
	if badge := badgeOf(v.form.Get("code")); badge != "" { // the next person's, scanned after the previous session ended
		keepBadge(v, badge)
	}
	posted := v.r.Method == http.MethodPost && v.r.URL.Path != "/scan"
	if posted && v.r.Header.Get("Hx-Request") != "" { // app.js leaves the form as it is, and says so
		v.w.Header().Set(signedOutHeader, "yes")
		v.w.WriteHeader(http.StatusUnauthorized)
		return true
	}
	next := v.r.URL.RequestURI()
	if v.r.Method != http.MethodGet { // what was posted is not kept; the page it came from is
		next = "/"
		if from, err := url.Parse(v.r.Referer()); err == nil && from.Host == v.r.Host {
			next = from.RequestURI()
		}
	}
	if len(next) > nextMost {
		next = "/"
	}
	to := "/sign-in?next=" + url.QueryEscape(ownPath(next))
	if posted {
		to += "&out=form"
	}
	if v.r.URL.Path == "/scan" && v.r.Method == http.MethodPost {
		to = signedOutAtStation(v)
	}
	http.Redirect(v.w, v.r, to, http.StatusSeeOther)
	return true
}

// signedOutAtStation is where somebody signs in who scanned after the session had ended. The page tells what was scanned, and that
// it was not done; a unit is shown afterwards.
func signedOutAtStation(v *visit) string {
	typed := strings.TrimSpace(v.form.Get("code"))
	if do := v.form.Get("do"); do != "" {
		typed = do
	}
	next := "/scan"
	if code := station.Understood(typed); strings.HasPrefix(code, ident.SerialPrefix) {
		next += "?unit=" + code
	}
	query := url.Values{"next": {next}, "out": {"ended"}}
	if unit := v.form.Get("unit"); typed == "" && v.form.Get("state") == string(station.Shown) && unit != "" {
		typed = unit + ", " + station.CodeDone // by Enter
	}
	if typed != "" && !isBadge(typed) {
		if shown, hides := hidesBadge(v, typed); hides {
			typed = shown
		}
		query.Set("typed", cut(typed, 200))
	}
	return "/sign-in?" + query.Encode()
}

// signedOutHeader tells a page that its form was not sent on, since nobody is signed in any more.
const signedOutHeader = "Routecard-Signed-Out"

// nextMost is how long an address may be to come back to after signing in: as long as any parameter.
const nextMost = 500

// At a station a badge and a code are scanned into the same field as units. Where nobody signs in they are no codes.
const (
	codeOut      = shop.CodeSignOut
	badgeCookie  = "badge" // what was scanned, until the PIN is there
	badgeSeconds = 60
)

func isOut(typed string) bool {
	read := scancode.Parse(typed)
	return len(read) == 1 && read[0].Kind == scancode.Command && read[0].Text == codeOut
}

func isBadge(typed string) bool { return badgeOf(typed) != "" }

// badgeOf is what a badge shows that was scanned, without what the scanner added to it; "" when it was none.
func badgeOf(typed string) string {
	read := scancode.Parse(typed)
	if len(read) != 1 || read[0].Kind != scancode.Badge || !strings.HasPrefix(read[0].Text, access.BadgePrefix) {
		return ""
	}
	return read[0].Text
}

const badgeShown = access.BadgePrefix + "…" // what stands in the place of a badge

// withoutBadges is a text without the badges in it.
func withoutBadges(text string) string { return scancode.ReplaceBadges(text, badgeShown) }

// hidesBadge reports whether a badge, or the code that signs out, was scanned behind something else that was typed, or a badge on
// another keyboard. It returns what may be shown of it: a badge is no text for a note.
func hidesBadge(v *visit, typed string) (shown string, hides bool) {
	if shown := withoutBadges(typed); shown != typed {
		before, _, _ := strings.Cut(shown, badgeShown)
		return before + badgeShown, true
	}
	if v.access == nil {
		return "", false
	}
	const prefix = access.BadgePrefix
	for i := range typed {
		rest := typed[i:]
		if len(rest) >= len(prefix) && strings.EqualFold(rest[:len(prefix)], prefix) {
			return typed[:i] + badgeShown, true
		}
		if i > 0 && strings.EqualFold(strings.TrimSpace(rest), codeOut) {
			return typed, true
		}
	}
	return "", false
}

// leadsFromBadge leads from an address with a badge in it, as of a list that was searched for one, to the same without it: a secret must
// not stay on the screen or in the browser's history. It is false for every other address.
func leadsFromBadge(v *visit) bool {
	if v.r.Method != http.MethodGet {
		return false
	}
	query, badges := v.r.URL.Query(), false
	for name, values := range query {
		for i, value := range values {
			shown := withoutBadges(value)
			if shown == value {
				continue
			}
			badges = true
			if values[i] = shown; isBadge(value) {
				query.Del(name)
			}
		}
	}
	if !badges {
		return false
	}
	to := url.URL{Path: v.r.URL.Path, RawPath: v.r.URL.RawPath, RawQuery: query.Encode()}
	http.Redirect(v.w, v.r, to.RequestURI(), http.StatusSeeOther)
	return true
}

// refuseBadges refuses a form in which a badge stands in a field that shows what is typed. The station answers badges itself. A text
// that only looks like a badge, and which the page of the form shows, was not scanned into the form.
func refuseBadges(v *visit, form url.Values) error {
	if v.r.URL.Path == "/scan" {
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
func shownAlready(v *visit, texts []string) bool {
	ask := v.r.Clone(v.r.Context())
	ask.Method, ask.Body, ask.ContentLength = http.MethodGet, http.NoBody, 0
	ask.Header.Set(liveHeader, "1") // which uses nothing up
	if from, err := url.Parse(v.r.Referer()); err == nil && from.Host == v.r.Host {
		ask.URL, err = url.Parse(ownPath(from.RequestURI()))
		if err != nil {
			return false
		}
	}
	if len(scancode.Badges(ask.URL.Path+"?"+ask.URL.RawQuery)) > 0 { // the page has its address in a field, and does not show that
		return false
	}
	page := &pageKept{header: http.Header{}}
	v.pages.ServeHTTP(page, ask)
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

// leaveStation signs out whoever works at a station. When it was the next person's badge, that one is asked for the PIN.
func leaveStation(v *visit, typed string) error {
	cookie, err := v.access.SignOut(v.r.Context())
	if err != nil {
		return err
	}
	http.SetCookie(v.w, cookie)
	done := "Signed out."
	if badge := badgeOf(typed); badge != "" {
		keepBadge(v, badge)
		done = ""
	}
	return v.back("/sign-in?next=/scan", done)
}

// may reports whether the visitor would be let through to where a permission is needed.
func (v *visit) may(permission shop.Permission) bool {
	switch {
	case v.access == nil, permission == shop.Anyone:
		return true
	case v.identity == nil:
		return permission == shop.Read && v.access.Mode() == access.Writes
	case permission == shop.Arrived:
		return true
	case permission == shop.Entering:
		return true
	case permission == shop.SignedIn:
		return v.identity.Second == ""
	}
	return slices.Contains(v.identity.Permissions, permission)
}

// idle is after how many seconds without doing anything somebody at a station is signed out; 0 anywhere else.
func (v *visit) idle() int {
	if v.identity == nil || !v.identity.AtStation() {
		return 0
	}
	return int(v.access.StationIdle().Seconds())
}
