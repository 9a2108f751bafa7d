package access

import (
	"net/http"
	"strconv"
	"time"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

// RefusalError is a *refusal.Error with header fields for its response.
type RefusalError struct {
	Refusal    *refusal.Error
	Challenge  string        // for the header WWW-Authenticate, or ""
	RetryAfter time.Duration // 0 for none
}

func (r *RefusalError) Error() string { return r.Refusal.Error() }

func (r *RefusalError) Unwrap() error { return r.Refusal }

// Tell writes those fields into the header of a response.
func (r *RefusalError) Tell(header http.Header) {
	if r.Challenge != "" {
		header.Set("WWW-Authenticate", r.Challenge)
	}
	if r.RetryAfter > 0 {
		header.Set("Retry-After", strconv.Itoa(int(r.RetryAfter/time.Second)))
	}
}

const realm = `Bearer realm="Routecard"`

func authenticationRequired() error {
	return &RefusalError{Refusal: refusal.Refuse(reasonUnknown), Challenge: realm}
}

func tokenNotValid() error {
	return &RefusalError{
		Refusal:   refusal.Refuse(reasonToken),
		Challenge: realm + `, error="invalid_token"`,
	}
}

// NotPermitted refuses a caller who lacks a permission.
func NotPermitted(needs shop.Permission) error {
	return &RefusalError{
		Refusal:   refusal.Refuse(refusal.NotPermitted, needs),
		Challenge: realm + `, error="insufficient_scope", scope="` + string(needs) + `"`,
	}
}

// errWrongSecret is the same refusal for an unknown login, a wrong password, an unknown badge and a wrong PIN.
func errWrongSecret() error {
	return &RefusalError{
		Refusal:   refusal.Refuse(WrongSecret),
		Challenge: realm,
	}
}

// tooManyAttempts refuses an attempt. The caller may try again after wait.
func tooManyAttempts(wait time.Duration) error {
	minutes := max(1, int((wait+time.Minute-1)/time.Minute))
	return &RefusalError{
		Refusal:    refusal.Refuse(reasonThrottled, minutes),
		RetryAfter: time.Duration(minutes) * time.Minute,
	}
}
