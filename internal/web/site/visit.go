package site

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

// Visit is one request on its way through a page.
type Visit struct {
	*Pages
	W http.ResponseWriter
	R *http.Request
	postedForm
	visitor
	signing
	about ident.RecordKind // the noun of the operation that the visit asks for
	Last  string           // the newest audit entry when the visit began
	did   outcome          // of the visit before this one
	Next  Step             // what can be done about what this one does; none when To is ""
}

// postedForm is what was posted; it has nothing where nothing was.
type postedForm struct {
	Form      url.Values    // its fields
	Sent      url.Values    // the same as it came, when it has a key
	mark      string        // of the form as it was filled in, "" for one without a key
	Unlimited io.ReadCloser // the body, for routes that set a limit of their own
	Brought   *spool.File   // that came with the form; nil for none
}

// visitor is who asks, and who works on the device.
type visitor struct {
	turnedAway bool             // at the door
	Identity   *access.Identity // nil where nobody has to prove who they are, and for a visitor who has not
	People     people           // every Operator
	Operator   string           // who works on this device: the identifier of an active Operator, or ""
	gone       string           // the name of the operator who was chosen here and may not act any more
	recent     []string         // who worked on this device lately, by identifier, the last one first
	nobody     error            // why what was typed in the form for a person stands for nobody
	Zone       *time.Location
}

// signing is what was typed to confirm who it is, and to sign.
type signing struct {
	confirming *string      // the secret that was typed to confirm who it is, nil for none
	signature  *SignPart    // what was typed to sign the form, nil for nothing
	question   *ConfirmPage // what a page asks about the form that has to be signed, nil for nothing
}

// Step is a link to what a person may want to do next.
type Step struct{ To, Label string }

func (v *Visit) begin(route Route) error {
	if !utf8.ValidString(v.R.URL.Path) {
		return input.CheckParameter("address", v.R.URL.Path)
	}
	if route.Pattern != "GET "+ReturnPath { // that address is others' work, and longer than ours
		if err := input.CheckParameters(v.R.URL.Query()); err != nil {
			return err
		}
	}
	if err := v.enterWith(route); err != nil {
		return err
	}
	if err := v.Meet(); err != nil {
		return err
	}
	sequence, err := v.Views.LastAuditSequence(v.R.Context())
	v.Last = ident.AuditID(sequence)
	if v.R.Method == http.MethodGet && v.R.Header.Get(LiveHeader) == "" {
		v.hear()
	}
	return err
}

// ErrFormTooLarge refuses a form that is larger than its limit.
var ErrFormTooLarge = refusal.Refuse(wording.FormTooLarge)

// CheckForm refuses a form with a field that is not valid text.
func CheckForm(form url.Values) error {
	for _, name := range slices.Sorted(maps.Keys(form)) {
		for _, value := range form[name] {
			if !utf8.ValidString(value) {
				return refusal.RefuseField(refusal.NotUTF8, strings.ToValidUTF8(name, "\uFFFD"))
			}
		}
	}
	return nil
}

// LiveHeader marks a request that fetches fresh parts for an open page: it must not use up what the person at that page
// is to be told.
const LiveHeader = "Routecard-Live"

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
func (v *Visit) fail(err error) {
	if v.askedToSignIn(err) {
		return
	}
	v.tellRefused(err)
	status, refused := httpstatus.Of(err)
	if errors.Is(err, ErrFormTooLarge) {
		status = http.StatusRequestEntityTooLarge
	}
	title := titles[status]
	if title == "" {
		title = titles[http.StatusInternalServerError]
	}
	if status == http.StatusInternalServerError {
		level := slog.LevelError
		if errors.Is(err, context.Canceled) && v.R.Context().Err() != nil {
			level = slog.LevelInfo // the person went away
		}
		v.Logger.Log(v.R.Context(), level, "page failed", "error", err, "method", v.R.Method, "path", v.R.URL.Path)
	}
	if status == http.StatusServiceUnavailable {
		v.W.Header().Set("Retry-After", "1")
	}
	page := &FailurePage{Frame: v.Frame(title, ""), Status: status, Message: wording.AdviseOn(v.about, refused).Text}
	switch {
	case refused.Kind == refusal.Uncertain || refused.Kind == refusal.Running:
		page.Title = "Not known whether it was done"
		page.offerAgain(v, "Send it once more")
	case refused.Reason == wording.OtherWorks && v.Brought == nil:
		page.Title = "Somebody else works here"
		page.offerAgain(v, "Do it as "+page.OperatorName())
	}
	if err := v.Show(status, "failure", page); err != nil {
		v.Logger.Error("the page that tells of a failure failed", "error", err)
	}
}

// FailurePage tells what went wrong.
type FailurePage struct {
	Frame
	Status  int
	Message string
	To      string         // where the form goes that can be sent once more, "" for none
	Button  string         // what its button says
	Fields  []ConfirmField // of that form
}

// offerAgain offers to send the form once more just as it was, with its key: what it does is done once. What would be
// filled in again would be another request.
func (p *FailurePage) offerAgain(v *Visit, button string) {
	if v.Sent.Get(onceField) == "" {
		return
	}
	p.To, p.Button = v.R.URL.RequestURI(), button
	for _, name := range slices.Sorted(maps.Keys(v.Sent)) {
		for _, value := range v.Sent[name] {
			p.Fields = append(p.Fields, ConfirmField{name, value})
		}
	}
}

// refused keeps an error that the person can do something about, to be shown in the form it came from, with what was
// typed. Other errors are returned.
func (v *Visit) refused(form string, err error) (*Problem, int, error) {
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
	if AsksWhoItIs(v, err) { // as well
		return nil, 0, err
	}
	if status == http.StatusServiceUnavailable {
		v.W.Header().Set("Retry-After", "1")
	}
	v.tellRefused(err)
	said := wording.AdviseOn(v.about, refused)
	if refused.Reason == wording.PartlyDone {
		said.Text, _ = v.Tells(said.Text)
	}
	if nobody, ok := AsRefusal(v.nobody); ok && (said.Field == "userId" || said.Field == "approverId") {
		said.Text = nobody.Error()
	}
	return &Problem{Form: form, Advice: said, Values: v.Form}, status, nil
}

// What a device keeps, and for how long.
const (
	operatorCookie = "operator"
	recentCookie   = "recent"
	zoneCookie     = "zone"
	ScansCookie    = "scans"
	YearSeconds    = 365 * 24 * 60 * 60
)

// ReadCookie is what a cookie has, "" for none.
func ReadCookie(r *http.Request, name string) string {
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

// SetCookie keeps a value on the device for so many seconds; a negative number removes it.
func (v *Visit) SetCookie(name, value string, seconds int) {
	http.SetCookie(v.W, &http.Cookie{ //nolint:gosec // Secure would lose it on a network without TLS
		Name: name, Value: url.QueryEscape(value), Path: "/", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: v.Access != nil && v.Access.Secure(),
	})
}

// zoneOf is the time zone that the browser named, UTC until it has.
func zoneOf(r *http.Request) *time.Location {
	name := ReadCookie(r, zoneCookie)
	if name == "" || len(name) > 64 || name == "Local" {
		return time.UTC
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return time.UTC
	}
	return zone
}

// Shown shows a page unless loading it failed.
func (v *Visit) Shown(err error, status int, name string, page any) error {
	if err != nil {
		return err
	}
	return v.Show(status, name, page)
}
