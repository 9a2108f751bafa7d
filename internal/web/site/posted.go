package site

import (
	"errors"
	"net/http"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/refusal"
)

// What is posted is at most so large.
const (
	FormLimit      = 4 << 20  // enough to tick every unit that a board shows
	AnonymousLimit = 16 << 10 // where visitors prove who they are, and this one has not
)

// enterWith lets a visitor through to a route, and reads what they posted. That is read only when they are let through as
// far as one can say without it: whoever would be refused in any case takes neither memory nor time with a form. Of a
// visitor who is nobody yet, little is read: who was signed out at a station may have scanned a badge.
func (v *Visit) enterWith(route Route) error {
	v.about = route.Operation.In(nil).Noun()
	if v.R.Method != http.MethodPost {
		return v.admit(route.Needs(nil))
	}
	first := v.admit(route.needsFirst())
	switch {
	case first == nil && (v.Access == nil || v.Identity != nil):
		if err := v.readForm(FormLimit); err != nil {
			return err
		}
	case v.Identity == nil:
		if err := v.readForm(AnonymousLimit); err != nil && first == nil {
			return err
		}
	}
	takeConfirmation(v)
	takeSignatures(v)
	if first != nil {
		return first
	}
	v.about = route.Operation.In(v.Form).Noun()
	return v.admit(route.Needs(v.Form))
}

func (v *Visit) readForm(limit int64) error {
	v.Unlimited = v.R.Body
	v.R.Body = http.MaxBytesReader(v.W, v.Unlimited, limit)
	if err := v.R.ParseForm(); err != nil {
		if _, ok := errors.AsType[*http.MaxBytesError](err); ok {
			return ErrFormTooLarge
		}
		if busy, ok := errors.AsType[*refusal.Error](err); ok {
			return busy
		}
		return refusal.Refuse(wording.FormUnread)
	}
	if err := RefuseBadges(v, v.R.PostForm); err != nil {
		return err
	}
	v.Form = v.R.PostForm
	return CheckForm(v.Form)
}

// AsRefusal finds the refusal in an error.
func AsRefusal(err error) (*refusal.Error, bool) {
	return errors.AsType[*refusal.Error](err)
}
