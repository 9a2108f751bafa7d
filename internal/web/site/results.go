package site

import (
	"net/http"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
)

// A form redirects to a page that reports the result. doneCookie carries the result to that next request. answeredCookie lists the
// submitted forms whose result this device has displayed. If a user goes back in the browser and presses a button again, the same form
// arrives a second time. Then nothing is done, and the page says so. If the first response was lost, or a double tap sent the form twice,
// the second request shows the first result as if it were new.
const (
	doneCookie     = "done"
	answeredCookie = "answered"

	formMarkLength = 10 // length of the mark that identifies a submitted form; long enough to be unique on a device
	answeredForms  = 20 // the number of displayed forms that a device remembers
)

// outcome is the result of a request, for the next page to report.
type outcome struct {
	done   string // what was done, "" for nothing
	before bool   // whether an earlier request did it, so that this one did nothing
	next   Step   // a link to a possible next step; none when To is ""
	form   string // the mark of the form, "" for none
}

// text encodes an outcome for its cookie.
func (o outcome) text() string {
	kind := ""
	if o.before {
		kind = "before"
	}
	return strings.Join([]string{o.done, o.next.To, o.next.Label, o.form, kind}, "\n")
}

// outcomeIn decodes an outcome from its cookie.
func outcomeIn(text string) (o outcome) {
	fields := append(strings.Split(text, "\n"), make([]string, 5)...)
	o.done, o.next.To, o.next.Label, o.form, o.before = fields[0], fields[1], fields[2], fields[3], fields[4] == "before"
	o.next.To = strings.TrimSuffix(OwnPath(o.next.To), "/")
	return o
}

// hear reads the result of the previous request, which this page reports, and removes the cookie with it.
func (v *Visit) hear() {
	told := ReadCookie(v.R, doneCookie)
	if told == "" {
		return
	}
	v.SetCookie(doneCookie, "", -1)
	v.did = outcomeIn(told)
	v.isAnswered(v.did.form)
}

// Back redirects to a page that reports what was done, with a link to the next step.
func (v *Visit) Back(to, done string) error {
	if done != "" {
		did := outcome{done: done, next: v.Next, form: v.mark}
		if v.wentBack() {
			did.done, did.before, did.next = v.DoneBefore(done, v.T("Nothing was done now.")), true, Step{}
		}
		v.SetCookie(doneCookie, did.text(), 60)
	}
	http.Redirect(v.W, v.R, to, http.StatusSeeOther)
	return nil
}

// DoneBefore returns the message that an earlier request has already done what the form asks for. now says what this request did.
func (v *Visit) DoneBefore(done, now string) string {
	return v.T("It was done before, from this page: {done} {now}", "done", done, "now", now)
}

// Tells returns the message of a page that reports the result of its own form, and whether an earlier request did what the message says.
func (v *Visit) Tells(done string) (text string, before bool) {
	if v.wentBack() {
		v.Next = Step{}
		return v.DoneBefore(done, v.T("Nothing was done now.")), true
	}
	v.isAnswered(v.mark)
	return done, false
}

// isAnswered records on the device that the result of a form was displayed.
func (v *Visit) isAnswered(form string) {
	if form == "" {
		return
	}
	forms := slices.DeleteFunc(strings.Fields(ReadCookie(v.R, answeredCookie)), func(other string) bool { return other == form })
	forms = slices.Insert(forms, 0, form)
	v.SetCookie(answeredCookie, strings.Join(forms[:min(len(forms), answeredForms)], " "), YearSeconds)
}

// wentBack reports whether an earlier request did everything that the form asks for and this device has displayed the result.
func (v *Visit) wentBack() bool {
	return v.mark != "" && slices.Contains(strings.Fields(ReadCookie(v.R, answeredCookie)), v.mark) && shop.Answering(v.R.Context())
}
