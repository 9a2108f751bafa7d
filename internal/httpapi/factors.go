package httpapi

import (
	"context"
	"net/http"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
)

// factorRoutes lists the operations on passkeys, one-time codes and the requirement of a second factor.
func factorRoutes() []route {
	return []route{
		{"POST /api/sign-in/passkey/options", shop.OpEnter, secretBody, unmatched, beginPasskeySignIn},
		{"POST /api/sign-in/passkey", shop.OpEnter, secretBody, unmatched, with(signInWithPasskey)},
		{"POST /api/sign-in/second/options", shop.OpIdentify, secretBody, unmatched, secretly(show((*access.Service).SecondFactorOptions))},
		{"POST /api/sign-in/second", shop.OpIdentify, secretBody, unmatched, with(giveSecondFactor)},

		{"GET /api/me/second-factors", shop.OpIdentify, noBody, unmatched, secretly(show((*access.Service).MySecondFactors))},
		{"POST /api/me/passkeys/options", shop.OpIdentify, secretBody, unmatched,
			secretly(visiting(http.StatusOK, (*access.Service).PasskeyRegistration))},
		{"POST /api/me/passkeys", shop.OpIdentify, secretBody, unmatched,
			secretly(create(http.StatusCreated, (*access.Service).RegisterPasskey))},
		{"DELETE /api/me/passkeys/{passkeyId}", shop.OpChangeOwnAccount, secretBody, matchRecord,
			visitingOne((*access.Service).RemovePasskey)},
		{"POST /api/me/one-time-codes", shop.OpIdentify, secretBody, unmatched,
			secretly(visiting(http.StatusCreated, (*access.Service).SetUpOneTimeCodes))},
		{"POST /api/me/one-time-codes/confirm", shop.OpIdentify, secretBody, unmatched,
			secretly(visiting(http.StatusOK, (*access.Service).ConfirmOneTimeCodes))},
		{"DELETE /api/me/one-time-codes", shop.OpChangeOwnAccount, secretBody, matchRecord, with(removeOneTimeCodes)},
		{"POST /api/me/recovery-codes", shop.OpChangeOwnAccount, secretBody, unmatched,
			secretly(visiting(http.StatusCreated, (*access.Service).NewRecoveryCodes))},
		{"GET /api/users/{id}/second-factors", shop.OpChangeAccount, noBody, unmatched,
			secretly(read((*access.Service).SecondFactorsOf))},
		{"DELETE /api/users/{id}/second-factors", shop.OpChangeAccount, secretBody, matchRecord,
			visitingOne((*access.Service).RemoveSecondFactors)},

		{"GET /api/settings/access", shop.OpSetAccess, noBody, unmatched, singleton((*access.Service).AccessPolicy)},
		{"PUT /api/settings/access", shop.OpSetAccess, secretBody, matchRecord, create(http.StatusOK, (*access.Service).SetAccessPolicy)},
		{"POST /api/signatures/options", shop.OpSign, secretBody, unmatched,
			secretly(with(signingOptions))},
	}
}

// secretly wraps a handler so that caches do not store its response.
func secretly(handle handler) handler {
	return func(s *Server, c *call) error {
		unkept(c)
		return handle(s, c)
	}
}

// visiting makes a handler from an operation that depends on where the request comes from.
func visiting[In, Out any](status int, operation func(*access.Service, context.Context, access.Visitor, In) (Out, error)) handler {
	return with(func(s *Server, c *call, in In) error {
		from, err := s.config.Access.Visitor(c.r)
		if err != nil {
			return err
		}
		made, err := operation(s.config.Access, c.r.Context(), from, in)
		return answer(c, status, made, err)
	})
}

// visitingOne is visiting for an operation on the record that the path identifies.
func visitingOne[In any](operation func(*access.Service, context.Context, access.Visitor, string, In) error) handler {
	return with(func(s *Server, c *call, in In) error {
		from, err := s.config.Access.Visitor(c.r)
		if err != nil {
			return err
		}
		return done(c, operation(s.config.Access, c.r.Context(), from, c.id(), in))
	})
}

// entered responds to a step of signing in, and sets its cookies.
func entered[T any](c *call, value T, err error, cookies ...*http.Cookie) error {
	if err != nil {
		return err
	}
	unkept(c)
	for _, cookie := range cookies {
		http.SetCookie(c.w, cookie)
	}
	return c.write(http.StatusOK, value)
}

func beginPasskeySignIn(s *Server, c *call) error {
	from, err := s.config.Access.Visitor(c.r)
	if err != nil {
		return err
	}
	options, cookie, err := s.config.Access.PasskeySignIn(c.r.Context(), from)
	return entered(c, options, err, cookie)
}

// passkeyInput is the body of Sign In With Passkey.
type passkeyInput struct {
	Passkey input.ObjectInput `field:"passkey"`
}

func signInWithPasskey(s *Server, c *call, in passkeyInput) error {
	from, err := s.config.Access.Visitor(c.r)
	if err != nil {
		return err
	}
	signed, cookies, err := s.config.Access.SignInWithPasskey(c.r, from, in.Passkey)
	return entered(c, signed, err, cookies...)
}

func giveSecondFactor(s *Server, c *call, in access.SecondFactorInput) error {
	from, err := s.config.Access.Visitor(c.r)
	if err != nil {
		return err
	}
	signed, cookie, err := s.config.Access.GiveSecondFactor(c.r.Context(), from, in)
	return entered(c, signed, err, cookie)
}

func removeOneTimeCodes(s *Server, c *call, in access.Confirmation) error {
	from, err := s.config.Access.Visitor(c.r)
	if err != nil {
		return err
	}
	return done(c, s.config.Access.RemoveOneTimeCodes(c.r.Context(), from, in))
}
