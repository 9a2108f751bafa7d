package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// accessRoutes lists the operations for signing in and for administering accounts. They exist only with --auth.
func accessRoutes() []route {
	return append([]route{
		{"POST /api/setup", shop.OpEnter, secretBody, unmatched, create(http.StatusCreated, (*access.Service).SetUp)},
		{"POST /api/sign-in", shop.OpEnter, secretBody, unmatched, with(signIn)},
		{"POST /api/sign-out", shop.OpSignOut, secretBody, unmatched, signOut},
		{"GET /api/me", shop.OpIdentify, noBody, unmatched, getMe},
		{"POST /api/me/confirm", shop.OpChangeOwnAccount, secretBody, unmatched, with(confirmSelf)},

		{"PUT /api/users/{id}/account", shop.OpChangeAccount, secretBody, matchRecord,
			change(http.StatusOK, (*access.Service).ChangeAccount)},
		// The operation refuses callers who are neither the owner nor an administrator.
		{"PUT /api/users/{id}/password", shop.OpReplaceSecret, secretBody, matchRecord, with(changePassword)},
		{"PUT /api/users/{id}/pin", shop.OpReplaceSecret, secretBody, matchRecord, with(changePIN)},
		{"PUT /api/users/{id}/badge", shop.OpChangeOwnAccount, secretBody, matchRecord, newBadge},
		{"POST /api/users/{id}/confirm", shop.OpConfirmAccount, secretBody, unmatched, confirmAccount},
		{"GET /api/users/{id}/tokens", shop.OpChangeOwnAccount, asked, unmatched,
			listHandler(tokenListing())},
		{"POST /api/users/{id}/tokens", shop.OpChangeOwnAccount, secretBody, unmatched, with(createToken)},
		{"DELETE /api/users/{id}/tokens/{tokenId}", shop.OpChangeOwnAccount, secretBody, matchRecord, revokeToken},
	}, factorRoutes()...)
}

// admit lets a request through if its caller has the permission, and returns the request with its caller.
func (s *Server) admit(r *http.Request, needs shop.Permission) (*http.Request, error) {
	if s.config.Access == nil {
		return r, nil
	}
	return s.config.Access.Admit(r, needs)
}

// arrived repeats the admission of a call whose body took a while to arrive.
func (s *Server) arrived(c *call, needs shop.Permission) (err error) {
	if s.config.Access != nil {
		c.r, err = s.config.Access.Arrived(c.r, needs)
	}
	return err
}

// admitted wraps a handler so that it runs only for requests that admit lets through.
func (s *Server) admitted(needs shop.Permission, next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, err := s.admit(r, needs)
		if err != nil {
			s.fail(w, r, err)
			return
		}
		next.ServeHTTP(w, r)
	})
}

// unkept forbids caches to store the response, because it contains a secret.
func unkept(c *call) { c.w.Header().Set("Cache-Control", "no-store") }

func signIn(s *Server, c *call, in access.SignInInput) error {
	from, err := s.config.Access.Visitor(c.r)
	if err != nil {
		return err
	}
	signed, cookie, err := s.config.Access.SignIn(c.r.Context(), from, in)
	if err != nil {
		return err
	}
	unkept(c)
	http.SetCookie(c.w, cookie)
	return c.write(http.StatusOK, signed)
}

func signOut(s *Server, c *call) error {
	cookie, err := s.config.Access.SignOut(c.r.Context())
	if err != nil {
		return err
	}
	http.SetCookie(c.w, cookie)
	return done(c, nil)
}

func getMe(s *Server, c *call) error {
	me, err := s.config.Access.Me(c.r.Context())
	unkept(c)
	return answer(c, http.StatusOK, me, err)
}

func changePassword(s *Server, c *call, in access.ChangePasswordInput) error {
	from, err := s.config.Access.Visitor(c.r)
	if err != nil {
		return err
	}
	cookie, err := s.config.Access.ChangePassword(c.r.Context(), from, c.id(), in)
	return doneInSession(c, cookie, err)
}

func changePIN(s *Server, c *call, in access.ChangePINInput) error {
	from, err := s.config.Access.Visitor(c.r)
	if err != nil {
		return err
	}
	cookie, err := s.config.Access.ChangePIN(c.r.Context(), from, c.id(), in)
	return doneInSession(c, cookie, err)
}

// doneInSession responds to an operation that revoked all sessions of a user. It sets the cookie of a new session if the user is the
// caller.
func doneInSession(c *call, cookie *http.Cookie, err error) error {
	if cookie != nil {
		http.SetCookie(c.w, cookie)
	}
	return done(c, err)
}

func confirmSelf(s *Server, c *call, in access.ConfirmSelfInput) error {
	from, err := s.config.Access.Visitor(c.r)
	if err != nil {
		return err
	}
	return done(c, s.config.Access.ConfirmSelf(c.r.Context(), from, in))
}

func confirmAccount(s *Server, c *call) error {
	user, err := s.config.Access.ConfirmAccount(c.r.Context(), c.id())
	return answer(c, http.StatusOK, user, err)
}

func newBadge(s *Server, c *call) error {
	badge, err := s.config.Access.NewBadge(c.r.Context(), c.id())
	unkept(c)
	return answer(c, http.StatusOK, struct {
		Badge string `json:"badge"`
	}{badge}, err)
}

// tokenListing lists the tokens of a user.
func tokenListing() listing {
	return shortListing(views.WholeList[access.Token]{
		Name: "tokens", Place: func(t access.Token, _ int) string { return t.ID },
		Changed: func(t access.Token) ident.Timestamp { return max(t.CreatedAt, t.LastUsedAt, t.RevokedAt) },
	}, func(s *Server, c *call) ([]access.Token, string, error) {
		tokens, err := s.config.Access.Tokens(c.r.Context(), c.id())
		return tokens, "", err
	})
}

func createToken(s *Server, c *call, in access.CreateTokenInput) error {
	token, err := s.config.Access.CreateToken(c.r.Context(), c.id(), in)
	unkept(c)
	return answer(c, http.StatusCreated, token, err)
}

func revokeToken(s *Server, c *call) error {
	return done(c, s.config.Access.RevokeToken(c.r.Context(), c.id(), c.r.PathValue("tokenId")))
}
