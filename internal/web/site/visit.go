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
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// Visit is one request on its way through a page.
type Visit struct {
	*Pages
	*lang.Language
	W http.ResponseWriter
	R *http.Request
	postedForm
	visitor
	signing
	about ident.RecordKind // the noun of the requested operation
	Last  string           // newest audit entry when the request began
	did   outcome          // the result of the previous request
	Next  Step             // a possible next step after this request; none when To is ""
}

// postedForm is the posted form, zero if there is none.
type postedForm struct {
	Form      url.Values    // its fields
	Sent      url.Values    // a copy of the fields as they arrived, if the form has a key
	mark      string        // the mark of the submitted form, "" if it has no key
	Unlimited io.ReadCloser // the unread body, for routes with their own limit
	Brought   *spool.File   // the file uploaded with the form; nil for none
}

// visitor is the caller, and the operator of the device.
type visitor struct {
	turnedAway bool              // whether admit refused the visitor
	Identity   *access.Identity  // nil if no sign-in is required, and for visitors who have not signed in
	People     people            // all operators
	shop       shop.Organization // unset for visitors who may not read
	Operator   string            // operator of this device: the identifier of an active operator, or ""
	gone       string            // the name of this device's operator who became inactive
	recent     []string          // the identifiers of recent operators of this device, the most recent first
	nobody     error             // why the value in the form's field for a person was refused
	Zone       *time.Location
}

// signing has the input with which visitors confirm their identity, and sign.
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
	if route.Pattern != "GET "+ReturnPath { // the identity provider chooses these parameters, and they are longer than Routecard's
		if err := input.CheckParameters(v.R.URL.Query()); err != nil {
			return err
		}
	}
	if err := v.enterWith(route); err != nil {
		return err
	}
	if route.Standby {
		v.R = v.R.WithContext(shop.FromStandbys(v.R.Context()))
	}
	if err := v.Meet(); err != nil {
		return err
	}
	if err := v.speak(); err != nil {
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

// LiveHeader marks a request that fetches updated parts for an open page. Such a request must not remove messages that the user has not
// seen yet.
const LiveHeader = "Routecard-Live"

// titles are the titles of the failure page.
var titles = map[int]lang.Text{
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
	page := &FailurePage{Frame: v.Frame(title, ""), Status: status, Message: wording.AdviseOn(v.Language, v.about, refused).Text}
	switch {
	case refused.Kind == refusal.Uncertain || refused.Kind == refusal.Running:
		page.Title = v.T("Not known whether it was done")
		page.offerAgain(v, v.T("Send it once more"))
	case refused.Reason == wording.OtherWorks && v.Brought == nil:
		page.Title = v.T("Somebody else works here")
		page.offerAgain(v, v.T("Do it as {name}", "name", page.OperatorName()))
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

// offerAgain offers to send the same form again with its key, so that it is carried out only once. If the user filled in the form again, it
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

// refused converts an error that the user can correct to a Problem, which is shown in its form with the typed values. It returns other
// errors unchanged.
func (v *Visit) refused(form string, err error) (*Problem, int, error) {
	status, refused := httpstatus.Of(err)
	if status == http.StatusInternalServerError {
		return nil, 0, err
	}
	if refused.Kind == refusal.Uncertain { // such a refusal has a separate form: see offerAgain
		return nil, 0, err
	}
	if _, unsigned := errors.AsType[*shop.SignatureError](err); unsigned { // carryOut asks for the signature
		return nil, 0, err
	}
	if AsksWhoItIs(v, err) { // carryOut asks for the confirmation
		return nil, 0, err
	}
	if status == http.StatusServiceUnavailable {
		v.W.Header().Set("Retry-After", "1")
	}
	v.tellRefused(err)
	said := wording.AdviseOn(v.Language, v.about, refused)
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

// ReadCookie returns the value of a cookie, or "" if there is none.
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

// SetCookie stores a value on the device for a number of seconds. A negative number removes the cookie.
func (v *Visit) SetCookie(name, value string, seconds int) {
	http.SetCookie(v.W, &http.Cookie{ //nolint:gosec // Secure would lose it on a network without TLS
		Name: name, Value: url.QueryEscape(value), Path: "/", MaxAge: seconds,
		HttpOnly: true, SameSite: http.SameSiteLaxMode, Secure: v.Access != nil && v.Access.Secure(),
	})
}

// zoneOf returns the time zone that the browser reported. If it reported none, it returns the time zone of the shop.
func (p *Pages) zoneOf(r *http.Request) *time.Location {
	name := ReadCookie(r, zoneCookie)
	if name == "" || len(name) > 64 || name == "Local" { // not a text: the name of a zone
		return p.Service.Zone()
	}
	zone, err := time.LoadLocation(name)
	if err != nil {
		return p.Service.Zone()
	}
	return zone
}

// Shown shows a page, unless loading the page failed.
func (v *Visit) Shown(err error, status int, name string, page any) error {
	if err != nil {
		return err
	}
	return v.Show(status, name, page)
}
