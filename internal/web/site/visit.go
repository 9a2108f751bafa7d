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
	_ "time/tzdata" // so that the viewer's zone is known on systems without a zone database
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
	about ident.RecordKind // the noun of the requested operation
	Last  string           // the newest audit entry when the request began
	did   outcome          // the result of the previous request
	Next  Step             // a possible next step after this request; none when To is ""
}

// postedForm is the posted form, zero if there is none.
type postedForm struct {
	Form      url.Values    // its fields
	Sent      url.Values    // a copy of the fields as they arrived, if the form has a key
	mark      string        // the mark of the submitted form, "" if it has no key
	Unlimited io.ReadCloser // the body, for routes with a limit of their own
	Brought   *spool.File   // the file uploaded with the form; nil for none
}

// visitor is the caller, and the operator of the device.
type visitor struct {
	turnedAway bool             // by admit
	Identity   *access.Identity // nil if no sign-in is required, and for visitors who have not signed in
	People     people           // all operators
	Operator   string           // of this device: the identifier of an active operator, or ""
	gone       string           // the name of this device's operator who became inactive
	recent     []string         // the identifiers of recent operators of this device, the most recent first
	nobody     error            // why the value in the form's field for a person was refused
	Zone       *time.Location
}

// signing is the input for confirming one's identity, and for signing.
type signing struct {
	confirming *string      // the secret that confirms the visitor's identity, nil for none
	signature  *SignPart    // the signatures of the form, nil for none
	question   *ConfirmPage // the page's question about a form that has to be signed, nil for none
}

// Step is a link to a possible next step.
type Step struct{ To, Label string }

func (v *Visit) begin(route Route) error {
	if !utf8.ValidString(v.R.URL.Path) {
		return input.CheckParameter("address", v.R.URL.Path)
	}
	if route.Pattern != "GET "+ReturnPath { // the identity provider chooses these parameters, and they are longer than ours
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

// LiveHeader marks a request that fetches fresh parts for an open page. It must not consume messages for the user of that page.
const LiveHeader = "Routecard-Live"

// titles are the titles of the failure page.
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

// fail responds to an error with a failure page, or with a redirect to the sign-in page if the visitor has to sign in.
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
			level = slog.LevelInfo // the client disconnected
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

// FailurePage reports an error.
type FailurePage struct {
	Frame
	Status  int
	Message string
	To      string         // the address of a form that can be sent again, "" for none
	Button  string         // the label of its button
	Fields  []ConfirmField // its fields
}

// offerAgain offers to send the same form again with its key, so that it is carried out only once. A form that the user fills in again
// would be a new request.
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

// refused returns an error that the user can correct as a Problem, to be shown in its form with the typed values. It returns other errors
// unchanged.
func (v *Visit) refused(form string, err error) (*Problem, int, error) {
	status, refused := httpstatus.Of(err)
	if status == http.StatusInternalServerError {
		return nil, 0, err
	}
	if refused.Kind == refusal.Uncertain { // has a form of its own: see offerAgain
		return nil, 0, err
	}
	if _, unsigned := errors.AsType[*shop.SignatureError](err); unsigned { // carryOut asks for the signature
		return nil, 0, err
	}
	if AsksWhoItIs(v, err) { // carryOut asks for it
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

// The cookies of a device, and their lifetimes.
const (
	operatorCookie = "operator"
	recentCookie   = "recent"
	zoneCookie     = "zone"
	ScansCookie    = "scans"
	YearSeconds    = 365 * 24 * 60 * 60
)

// ReadCookie returns the value of a cookie, "" if there is none.
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

// SetCookie stores a value on the device for a number of seconds; a negative number removes it.
func (v *Visit) SetCookie(name, value string, seconds int) {
	http.SetCookie(v.W, &http.Cookie{ //nolint:gosec // Secure would lose it on a network without TLS
		Name: name, Value: url.QueryEscape(value), Path: "/", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: v.Access != nil && v.Access.Secure(),
	})
}

// zoneOf returns the time zone that the browser reported, UTC if it has not.
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
