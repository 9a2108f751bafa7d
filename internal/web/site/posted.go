package site

import (
	"errors"
	"net/http"

	"github.com/routecard/routecard/internal/web/wording"
	"github.com/routecard/routecard/shop/refusal"
)

// Limits for the size of a posted form, in bytes.
const (
	FormLimit      = 4 << 20  // enough to tick every unit of a board
	AnonymousLimit = 16 << 10 // for visitors who have not signed in
)

// enterWith checks the visitor's permission for a route and reads the posted form. It checks as many permissions as possible before it
// reads the form, so that a refused visitor costs neither memory nor time. If the visitor has not signed in, it still reads a small form: a
// user who was signed out at a station may have scanned a badge.
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
