package storetest

import (
	"errors"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
)

func (suite) SecondFactors() []promise { return factors }

// factors are the cases for passkeys, one-time codes and recovery codes.
var factors = []promise{
	{"a passkey is found by its credential, counts on, and is somebody's alone", func(s *testedStore) {
		made := access.Passkey{ID: "pky_1", UserID: "user_1", Name: strange, CredentialID: "c1", Credential: strange, SignCount: 0, CreatedAt: farOff}
		other := access.Passkey{ID: "pky_2", UserID: "user_2", CredentialID: "c2", SignCount: 0}
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertUser(shop.User{ID: "user_1"}), tx.InsertUser(shop.User{ID: "user_2"}), tx.InsertPasskey(made), tx.InsertPasskey(other))
		}))
		find := func(credential string) (access.Passkey, error) {
			return viewAccess(s, func(tx access.Reader) (access.Passkey, error) { return tx.PasskeyByCredential(credential) })
		}
		use := func(id string, count int64) error {
			return s.updateAccess(func(tx access.Tx) error {
				return tx.UsePasskey(access.Passkey{ID: id, Credential: "used", SignCount: count, LastUsedAt: ident.Timestamp(count)})
			})
		}
		found, err := find("c1")
		s.must(err)
		s.same(found, made)
		_, err = find("C1")
		s.refused(err, shop.ErrNoRecord)
		s.must(use("pky_1", 0)) // an authenticator without a counter
		s.must(use("pky_1", 0))
		s.must(use("pky_1", 1<<32-1))
		for _, count := range []int64{1<<32 - 1, 7, 0} {
			s.refused(use("pky_1", count), shop.ErrNoRecord)
		}
		s.refused(use("pky_3", 1), shop.ErrNoRecord)
		made.Credential, made.SignCount, made.LastUsedAt = "used", 1<<32-1, 1<<32-1
		all, err := viewAccess(s, func(tx access.Reader) ([]access.Passkey, error) { return tx.PasskeysOfUser("user_1") })
		s.must(err)
		s.same(all, []access.Passkey{made})
		s.refused(s.updateAccess(func(tx access.Tx) error {
			return tx.InsertPasskey(access.Passkey{ID: "pky_3", UserID: "user_2", CredentialID: "c1"})
		}), nil)
		s.refused(s.updateAccess(func(tx access.Tx) error { return tx.DeletePasskey("user_2", "pky_1") }), shop.ErrNoRecord)
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.DeletePasskey("user_1", "pky_1"), tx.DeletePasskeysOfUser("user_1"))
		}))
		_, err = find("c1")
		s.refused(err, shop.ErrNoRecord)
		_, err = find("c2")
		s.must(err)
	}},
	{"a one-time code is used once and never after a later one, and a recovery code once", func(s *testedStore) {
		made := access.OneTimeCode{UserID: "user_1", Secret: strange, CreatedAt: farOff}
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertUser(shop.User{ID: "user_1"}), tx.InsertUser(shop.User{ID: "user_2"}),
				tx.PutOneTimeCode(access.OneTimeCode{UserID: "user_1", Secret: "before", ConfirmedAt: 5, LastStep: 9}), tx.PutOneTimeCode(made))
		}))
		kept, err := viewAccess(s, func(tx access.Reader) (access.OneTimeCode, error) { return tx.OneTimeCode("user_1") })
		s.must(err)
		s.same(kept, made)
		use := func(secret string, step int64) error {
			return s.updateAccess(func(tx access.Tx) error {
				return tx.UseOneTimeCode(access.OneTimeCode{UserID: "user_1", Secret: secret, ConfirmedAt: 7, LastStep: step})
			})
		}
		s.must(use(strange, 58_000_000))
		s.refused(use(strange, 58_000_000), shop.ErrNoRecord)
		s.refused(use(strange, 57_999_999), shop.ErrNoRecord)
		s.refused(use("before", 58_000_001), shop.ErrNoRecord)
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.PutRecoveryCodes("user_1", []string{"old"}, 1), tx.PutRecoveryCodes("user_1", []string{"a", "b"}, 2),
				tx.PutRecoveryCodes("user_2", []string{"a"}, 2), tx.UseRecoveryCode("user_1", "a", 3))
		}))
		for _, code := range []string{"a", "old", "A"} {
			s.refused(s.updateAccess(func(tx access.Tx) error { return tx.UseRecoveryCode("user_1", code, 4) }), shop.ErrNoRecord)
		}
		left := func(user string) int64 {
			count, err := viewAccess(s, func(tx access.Reader) (int64, error) { return tx.CountRecoveryCodes(user) })
			s.must(err)
			return count
		}
		s.same([]int64{left("user_1"), left("user_2")}, []int64{1, 1})
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.DeleteRecoveryCodes("user_1"), tx.DeleteOneTimeCode("user_1"))
		}))
		s.same([]int64{left("user_1"), left("user_2")}, []int64{0, 1})
		_, err = viewAccess(s, func(tx access.Reader) (access.OneTimeCode, error) { return tx.OneTimeCode("user_1") })
		s.refused(err, shop.ErrNoRecord)
	}},
	{"a challenge is there until it is answered or too old", func(s *testedStore) {
		made := access.Challenge{Hash: "h1", Purpose: "sign", BoundTo: strange, Data: strange, CreatedAt: farOff}
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertChallenge(made), tx.InsertChallenge(access.Challenge{Hash: "h2", CreatedAt: 5}),
				tx.InsertChallenge(access.Challenge{Hash: "h3", CreatedAt: 6}), tx.DeleteChallengesBefore(6))
		}))
		find := func(hash string) (access.Challenge, error) {
			return viewAccess(s, func(tx access.Reader) (access.Challenge, error) { return tx.Challenge(hash) })
		}
		found, err := find("h1")
		s.must(err)
		s.same(found, made)
		_, err = find("h2")
		s.refused(err, shop.ErrNoRecord)
		_, err = find("h3")
		s.must(err)
		s.must(s.updateAccess(func(tx access.Tx) error { return tx.DeleteChallenge("h1") }))
		s.refused(s.updateAccess(func(tx access.Tx) error { return tx.DeleteChallenge("h1") }), shop.ErrNoRecord)
	}},
	{"a session knows its second factor, whether there is one, and which roles need one", func(s *testedStore) {
		store := s.Store.(access.Store)
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertUser(shop.User{ID: "user_1", Active: true}),
				tx.InsertSession(access.Session{ID: "sess_1", Hash: "session", UserID: "user_1", Method: "password", CreatedAt: 5, SeenAt: 6}))
		}))
		look := func(second string, has bool, needs ...string) {
			s.Helper()
			session, _, err := store.SessionByHash(s.Context(), "session")
			s.must(err)
			s.same([]any{session.Second, session.HasSecond, len(session.NeedsSecond)}, []any{second, has, len(needs)})
			for i := range needs {
				s.same(session.NeedsSecond[i], needs[i])
			}
		}
		look("", false)
		change := func(change func(access.Tx) error) { s.Helper(); s.must(s.updateAccess(change)) }
		change(func(tx access.Tx) error { return tx.PutSecondFactorRoles([]string{"admin"}) })
		look("", false, "admin")
		change(func(tx access.Tx) error { return tx.PutOneTimeCode(access.OneTimeCode{UserID: "user_1", Secret: "s"}) })
		look("", false, "admin") // the one-time code is not confirmed yet
		change(func(tx access.Tx) error {
			return tx.UseOneTimeCode(access.OneTimeCode{UserID: "user_1", Secret: "s", ConfirmedAt: 1, LastStep: 1})
		})
		look("", true, "admin")
		change(func(tx access.Tx) error { return tx.DeleteOneTimeCode("user_1") })
		look("", false, "admin")
		change(func(tx access.Tx) error {
			return errors.Join(tx.InsertPasskey(access.Passkey{ID: "pky_1", UserID: "user_1", CredentialID: "c1"}), tx.PutSecondFactorRoles(nil))
		})
		look("", true)
		change(func(tx access.Tx) error { return tx.SetSessionSecond("sess_1", "passkey") })
		look("passkey", true)
		change(func(tx access.Tx) error { return tx.PutSecondFactorRoles([]string{"lead", "admin"}) })
		roles, err := viewAccess(s, func(tx access.Reader) ([]string, error) { return tx.SecondFactorRoles() })
		s.must(err)
		s.same(roles, []string{"admin", "lead"})
		s.refused(s.updateAccess(func(tx access.Tx) error { return tx.SetSessionSecond("sess_2", "passkey") }), shop.ErrNoRecord)
	}},
}
