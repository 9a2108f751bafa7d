package site

import (
	"net/http"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
)

// What a form did is told on the page to which it leads, which is another visit: doneCookie carries it there. answeredCookie has the
// forms, as they were filled in, whose answers this device has shown. Who goes back in the browser and presses a button again sends
// one of these: nothing is done, and the page says so. A repeat whose first answer was lost, or that a double tap made, has the first
// answer as if it was new.
const (
	doneCookie     = "done"
	answeredCookie = "answered"

	formMarkLength = 10 // of what stands for a form as it was filled in: no two of a device share so much of it
	answeredForms  = 20 // of which a device knows that their answers were shown
)

// outcome is what a visit did, as the next one tells it.
type outcome struct {
	done   string // "" for nothing
	before bool   // whether it was done before, so that nothing was done now
	next   Step   // what can be done about it; none when To is ""
	form   string // the mark of the form, "" for none
}

// text is an outcome as its cookie has it.
func (o outcome) text() string {
	kind := ""
	if o.before {
		kind = "before"
	}
	return strings.Join([]string{o.done, o.next.To, o.next.Label, o.form, kind}, "\n")
}

// outcomeIn is the outcome that a cookie has.
func outcomeIn(text string) (o outcome) {
	fields := append(strings.Split(text, "\n"), make([]string, 5)...)
	o.done, o.next.To, o.next.Label, o.form, o.before = fields[0], fields[1], fields[2], fields[3], fields[4] == "before"
	o.next.To = strings.TrimSuffix(OwnPath(o.next.To), "/")
	return o
}

// hear takes what the visit before this one did, which this one tells.
func (v *Visit) hear() {
	told := ReadCookie(v.R, doneCookie)
	if told == "" {
		return
	}
	v.SetCookie(doneCookie, "", -1)
	v.did = outcomeIn(told)
	v.isAnswered(v.did.form)
}

// Back leads to a page after something was done there, and tells it, with a link to what can be done next.
func (v *Visit) Back(to, done string) error {
	if done != "" {
		did := outcome{done: done, next: v.Next, form: v.mark}
		if v.wentBack() {
			did.done, did.before, did.next = DoneBefore(done, nothingNow), true, Step{}
		}
		v.SetCookie(doneCookie, did.text(), 60)
	}
	http.Redirect(v.W, v.R, to, http.StatusSeeOther)
	return nil
}

const nothingNow = "Nothing was done now."

// DoneBefore says that what a page asked for was done before, and what follows from that.
func DoneBefore(done, now string) string {
	return "It was done before, from this page: " + done + " " + now
}

// Tells is what a page says that answers a form itself: what was done, or that it was done before.
func (v *Visit) Tells(done string) (text string, before bool) {
	if v.wentBack() {
		v.Next = Step{}
		return DoneBefore(done, nothingNow), true
	}
	v.isAnswered(v.mark)
	return done, false
}

// isAnswered keeps that this device is shown the answer of a form.
func (v *Visit) isAnswered(form string) {
	if form == "" {
		return
	}
	forms := slices.DeleteFunc(strings.Fields(ReadCookie(v.R, answeredCookie)), func(other string) bool { return other == form })
	forms = slices.Insert(forms, 0, form)
	v.SetCookie(answeredCookie, strings.Join(forms[:min(len(forms), answeredForms)], " "), YearSeconds)
}

// wentBack reports whether all that the form asks for was done before, and this device was shown the answer.
func (v *Visit) wentBack() bool {
	return v.mark != "" && slices.Contains(strings.Fields(ReadCookie(v.R, answeredCookie)), v.mark) && shop.Answering(v.R.Context())
}
