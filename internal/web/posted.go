package web

import (
	"errors"
	"net/http"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/refusal"
)

// What is posted is at most so large.
const (
	formLimit      = 4 << 20  // enough to tick every unit that a board shows
	anonymousLimit = 16 << 10 // where visitors prove who they are, and this one has not
)

// enterWith lets a visitor through to a route, and reads what they posted. That is read only when they are let through as
// far as one can say without it: whoever would be refused in any case takes neither memory nor time with a form. Of a
// visitor who is nobody yet, little is read: who was signed out at a station may have scanned a badge.
func (v *visit) enterWith(route route) error {
	v.about = route.operation.in(nil).Noun()
	if v.r.Method != http.MethodPost {
		return v.admit(route.needs(nil))
	}
	first := v.admit(route.needsFirst())
	switch {
	case first == nil && (v.access == nil || v.identity != nil):
		if err := v.readForm(formLimit); err != nil {
			return err
		}
	case v.identity == nil:
		if err := v.readForm(anonymousLimit); err != nil && first == nil {
			return err
		}
	}
	takeConfirmation(v)
	takeSignatures(v)
	if first != nil {
		return first
	}
	v.about = route.operation.in(v.form).Noun()
	return v.admit(route.needs(v.form))
}

func (v *visit) readForm(limit int64) error {
	v.unlimited = v.r.Body
	v.r.Body = http.MaxBytesReader(v.w, v.unlimited, limit)
	if err := v.r.ParseForm(); err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return errFormTooLarge
		}
		if busy, ok := errors.AsType[*refusal.Error](err); ok {
			return busy
		}
		return refusal.Refuse(wording.FormUnread)
	}
	if err := refuseBadges(v, v.r.PostForm); err != nil {
		return err
	}
	v.form = v.r.PostForm
	return checkForm(v.form)
}
