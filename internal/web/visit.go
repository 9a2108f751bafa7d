package web

import (
	"context"
	"errors"
	"io"
	"log/slog"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"time"
	_ "time/tzdata" // so that the viewer's zone is known where the system has no list of zones
	"unicode/utf8"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/spool"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// visit is one request on its way through a page.
type visit struct {
	*pages
	w http.ResponseWriter
	r *http.Request
	postedForm
	visitor
	signing
	about ident.RecordKind // the noun of the operation that the visit asks for
	last  string           // the newest audit entry when the visit began
	did   outcome          // of the visit before this one
	next  step             // what can be done about what this one does; none when To is ""
}

// postedForm is what was posted; it has nothing where nothing was.
type postedForm struct {
	form      url.Values    // its fields
	sent      url.Values    // the same as it came, when it has a key
	mark      string        // of the form as it was filled in, "" for one without a key
	unlimited io.ReadCloser // the body, for routes that set a limit of their own
	brought   *spool.File   // that came with the form; nil for none
}

// visitor is who asks, and who works on the device.
type visitor struct {
	turnedAway bool             // at the door
	identity   *access.Identity // nil where nobody has to prove who they are, and for a visitor who has not
	people     people           // every operator
	operator   string           // who works on this device: the identifier of an active operator, or ""
	gone       string           // the name of the operator who was chosen here and may not act any more
	recent     []string         // who worked on this device lately, by identifier, the last one first
	nobody     error            // why what was typed in the form for a person stands for nobody
	zone       *time.Location
}

// signing is what was typed to confirm who it is, and to sign.
type signing struct {
	confirming *string      // the secret that was typed to confirm who it is, nil for none
	signature  *signPart    // what was typed to sign the form, nil for nothing
	question   *confirmPage // what a page asks about the form that has to be signed, nil for nothing
}

// step is a link to what a person may want to do next.
type step struct{ To, Label string }

func (v *visit) begin(route route) error {
	if !utf8.ValidString(v.r.URL.Path) {
		return input.CheckParameter("address", v.r.URL.Path)
	}
	if route.pattern != "GET "+returnPath { // that address is others' work, and longer than ours
		if err := input.CheckParameters(v.r.URL.Query()); err != nil {
			return err
		}
	}
	if err := v.enterWith(route); err != nil {
		return err
	}
	if err := v.meet(); err != nil {
		return err
	}
	sequence, err := v.views.LastAuditSequence(v.r.Context())
	v.last = ident.AuditID(sequence)
	if v.r.Method == http.MethodGet && v.r.Header.Get(liveHeader) == "" {
		v.hear()
	}
	return err
}

var errFormTooLarge = refusal.Refuse(wording.FormTooLarge)

// checkForm refuses a form with a field that is not valid text.
func checkForm(form url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, value := range form[name] {
			if !utf8.ValidString(value) {
				return refusal.RefuseField(refusal.NotUTF8, strings.ToValidUTF8(name, "\uFFFD"))
			}
		}
	}
	return nil
}

// liveHeader marks a request that fetches fresh parts for an open page: it must not use up what the person at that page
// is to be told.
const liveHeader = "Routecard-Live"

// titles are what failures are called on the page that tells of them.
var titles = map[int]string{
	http.StatusBadRequest:            "Not possible",
	http.StatusUnauthorized:          "Not signed in",
	http.StatusForbidden:             "Not allowed",
	http.StatusNotFound:              "Not found",
	http.StatusConflict:              "Changed meanwhile",
	http.StatusPreconditionFailed:    "Changed meanwhile",
	http.StatusTooManyRequests:       "Too many attempts",
	http.StatusRequestEntityTooLarge: "Not possible",
	http.StatusServiceUnavailable:    "Not available just now",
	http.StatusInternalServerError:   "Something went wrong",
}

// fail answers an error with a page of its own, and nobody in particular with the page to sign in.
func (v *visit) fail(err error) {
	if v.askedToSignIn(err) {
		return
	}
	v.tellRefused(err)
	status, refused := httpstatus.Of(err)
	if errors.Is(err, errFormTooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	title := titles[status]
	if title == "" {
		title = titles[http.StatusInternalServerError]
	}
	if status == http.StatusInternalServerError {
		level := slog.LevelError
		if errors.Is(err, context.Canceled) && v.r.Context().Err() != nil {
			level = slog.LevelInfo // the person went away
		}
		v.logger.Log(v.r.Context(), level, "page failed", "error", err, "method", v.r.Method, "path", v.r.URL.Path)
	}
	if status == http.StatusServiceUnavailable {
		v.w.Header().Set("Retry-After", "1")
	}
	page := &failurePage{frame: v.frame(title, ""), Status: status, Message: wording.AdviseOn(v.about, refused).Text}
	switch {
	case refused.Kind == refusal.Uncertain || refused.Kind == refusal.Running:
		page.Title = "Not known whether it was done"
		page.offerAgain(v, "Send it once more")
	case refused.Reason == wording.OtherWorks && v.brought == nil:
		page.Title = "Somebody else works here"
		page.offerAgain(v, "Do it as "+page.OperatorName())
	}
	if err := v.show(status, "failure", page); err != nil {
		v.logger.Error("the page that tells of a failure failed", "error", err)
	}
}

// failurePage tells what went wrong.
type failurePage struct {
	frame
	Status  int
	Message string
	To      string         // where the form goes that can be sent once more, "" for none
	Button  string         // what its button says
	Fields  []confirmField // of that form
}

// offerAgain offers to send the form once more just as it was, with its key: what it does is done once. What would be
// filled in again would be another request.
func (p *failurePage) offerAgain(v *visit, button string) {
	if v.sent.Get(onceField) == "" {
		return
	}
	p.To, p.Button = v.r.URL.RequestURI(), button
	for _, name := range slices.Sorted(maps.Keys(v.sent)) {
		for _, value := range v.sent[name] {
			p.Fields = append(p.Fields, confirmField{name, value})
		}
	}
}

// refused keeps an error that the person can do something about, to be shown in the form it came from, with what was
// typed. Other errors are returned.
func (v *visit) refused(form string, err error) (*problem, int, error) {
	status, refused := httpstatus.Of(err)
	if status == http.StatusInternalServerError {
		return nil, 0, err
	}
	if refused.Kind == refusal.Uncertain { // which a form of its own is for
		return nil, 0, err
	}
	if _, unsigned := errors.AsType[*shop.SignatureError](err); unsigned { // which is asked for at one place
		return nil, 0, err
	}
	if asksWhoItIs(v, err) { // as well
		return nil, 0, err
	}
	if status == http.StatusServiceUnavailable {
		v.w.Header().Set("Retry-After", "1")
	}
	v.tellRefused(err)
	said := wording.AdviseOn(v.about, refused)
	if refused.Reason == wording.PartlyDone {
		said.Text, _ = v.tells(said.Text)
	}
	if nobody, ok := asRefusal(v.nobody); ok && (said.Field == "userId" || said.Field == "approverId") {
		said.Text = nobody.Error()
	}
	return &problem{form: form, advice: said, values: v.form}, status, nil
}

const (
	operatorCookie = "operator"
	recentCookie   = "recent"
	zoneCookie     = "zone"
	scansCookie    = "scans"
	yearSeconds    = 365 * 24 * 60 * 60
)

func readCookie(r *http.Request, name string) string {
	cookie, err := r.Cookie(name)
	if err != nil {
		return ""
	}
	value, err := url.QueryUnescape(cookie.Value)
	if err != nil {
		return ""
	}
	return strings.ToValidUTF8(value, "")
}

func (v *visit) setCookie(name, value string, seconds int) {
	http.SetCookie(v.w, &http.Cookie{ //nolint:gosec // Secure would lose it on a network without TLS
		Name: name, Value: url.QueryEscape(value), Path: "/", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: v.access != nil && v.access.Secure(),
	})
}

// zoneOf is the time zone that the browser named, UTC until it has.
func zoneOf(r *http.Request) *time.Location {
	name := readCookie(r, zoneCookie)
	if name == "" || len(name) > 64 || name == "Local" {
		return time.UTC
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return zone
}
