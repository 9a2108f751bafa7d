package storetest

import (
	"errors"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

func (suite) Providers() []promise { return providers }

// providers are the cases for the users of an OpenID Connect provider.
var providers = []promise{
	{"tokens and sessions know when a provider last said who their user is", func(s *testedStore) {
		store := s.Store.(access.Store)
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertUser(shop.User{ID: "user_1", Active: true}),
				tx.InsertSession(access.Session{ID: "sess_1", Hash: "session", UserID: "user_1"}),
				tx.InsertToken(access.Token{ID: "tok_1", Hash: "token", UserID: "user_1"}))
		}))
		look := func(want ident.Timestamp) {
			s.Helper()
			session, _, err := store.SessionByHash(s.Context(), "session")
			s.must(err)
			token, _, err := store.TokenByHash(s.Context(), "token")
			s.must(err)
			s.same([]ident.Timestamp{session.OwnerSeenAt, token.OwnerSeenAt}, []ident.Timestamp{want, want})
		}
		change := func(change func(access.Tx) error) { s.Helper(); s.must(s.updateAccess(change)) }
		look(0)
		change(func(tx access.Tx) error {
			return tx.InsertIdentity("user_1", access.ForeignIdentity{Issuer: "here", Subject: "sub", SeenAt: 5})
		})
		look(5)
		change(func(tx access.Tx) error {
			return tx.InsertIdentity("user_1", access.ForeignIdentity{Issuer: "there", Subject: "sub", SeenAt: 3})
		})
		look(5)
		change(func(tx access.Tx) error { return tx.SeeIdentity("there", "sub", farOff) })
		look(farOff)
		s.refused(s.updateAccess(func(tx access.Tx) error { return tx.SeeIdentity("there", "other", 1) }), shop.ErrNoRecord)
		known, err := viewAccess(s, func(tx access.Reader) ([]access.ForeignIdentity, error) { return tx.IdentitiesOfUser("user_1") })
		s.must(err)
		s.same(known, []access.ForeignIdentity{{Issuer: "here", Subject: "sub", SeenAt: 5}, {Issuer: "there", Subject: "sub", SeenAt: farOff}})
		change(func(tx access.Tx) error { return tx.DeleteIdentity("there", "sub") })
		look(5)
	}},
	{"sessions are found by that at the provider, and end by the way in which they began", func(s *testedStore) {
		made := access.Session{ID: "sess_1", Hash: "h1", UserID: "user_1", Method: "oidc", ProviderSession: strange, CreatedAt: 5, SeenAt: 6}
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertUser(shop.User{ID: "user_1", Active: true}), tx.InsertUser(shop.User{ID: "user_2", Active: true}),
				tx.InsertSession(made),
				tx.InsertSession(access.Session{ID: "sess_2", Hash: "h2", UserID: "user_1", Method: "oidc", ProviderSession: "other"}),
				tx.InsertSession(access.Session{ID: "sess_3", Hash: "h3", UserID: "user_1", Method: "password"}),
				tx.InsertSession(access.Session{ID: "sess_4", Hash: "h4", UserID: "user_2", Method: "oidc"}))
		}))
		found := func(name string) []access.Session {
			s.Helper()
			var found []access.Session
			s.must(s.updateAccess(func(tx access.Tx) (err error) {
				found, err = tx.SessionsOfProvider(name)
				return err
			}))
			return found
		}
		s.same(found(strange), []access.Session{made})
		s.same(len(found("nobody's")), 0)
		s.must(s.updateAccess(func(tx access.Tx) error { return tx.DeleteSessionsOfMethod("user_1", "oidc") }))
		for user, want := range map[string]int{"user_1": 1, "user_2": 1} {
			left, err := viewAccess(s, func(tx access.Reader) ([]access.Session, error) { return tx.SessionsOfUser(user) })
			s.must(err)
			s.same(len(left), want)
		}
	}},
}
