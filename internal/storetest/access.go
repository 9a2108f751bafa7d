package storetest

import (
	"cmp"
	"errors"
	"maps"
	"slices"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// updateAccess runs an UpdateAccess.
func (s *testedStore) updateAccess(change func(tx access.Tx) error) error {
	return s.Store.(access.Store).UpdateAccess(s.Context(), change)
}

// viewAccess reads one value in a separate ViewAccess.
func viewAccess[T any](s *testedStore, read func(tx access.Reader) (T, error)) (found T, err error) {
	err = s.Store.(access.Store).ViewAccess(s.Context(), func(tx access.Reader) (err error) {
		found, err = read(tx)
		return err
	})
	return found, err
}

func (suite) Accounts() []promise { return accounts }

// accounts are the test cases for secrets, sessions, tokens and stations.
var accounts = []promise{
	{"a login is found to the letter, and nobody has the empty one", func(s *testedStore) {
		user := shop.User{
			ID: "user_1", Name: "Ana", Login: "a.ruiz", Roles: []string{"operator", "quality"}, Kind: shop.Program, Active: true, CreatedAt: farOff,
			Salt: strange,
		}
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertUser(user), tx.InsertUser(shop.User{ID: "user_2", Name: "No login", Active: true}))
		}))
		find := func(login string) (shop.User, error) {
			return viewAccess(s, func(tx access.Reader) (shop.User, error) { return tx.UserByLogin(login) })
		}
		found, err := find("a.ruiz")
		s.must(err)
		s.same(found, user)
		for _, login := range []string{"", "A.RUIZ", "a.ruiz ", "a_ruiz"} {
			_, err := find(login)
			s.refused(err, shop.ErrNoRecord)
		}
		s.refused(s.updateAccess(func(tx access.Tx) error {
			return tx.InsertUser(shop.User{ID: "user_3", Name: "Another", Login: "a.ruiz"})
		}), nil)
	}},
	{"a user has one secret of each kind, and a badge is somebody's alone", func(s *testedStore) {
		first := access.Secret{UserID: "user_1", Kind: access.Password, Hash: strange, MustChange: true, ChangedAt: 1}
		second := access.Secret{UserID: "user_1", Kind: access.Password, Hash: "other", ChangedAt: farOff}
		badge := access.Secret{UserID: "user_1", Kind: access.Badge, Hash: "badge", ChangedAt: 2}
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertUser(shop.User{ID: "user_1"}), tx.InsertUser(shop.User{ID: "user_2"}),
				tx.PutSecret(first), tx.PutSecret(badge), tx.PutSecret(second))
		}))
		kept, err := viewAccess(s, func(tx access.Reader) (access.Secret, error) { return tx.Secret("user_1", access.Password) })
		s.must(err)
		s.same(kept, second)
		found, err := viewAccess(s, func(tx access.Reader) (access.Secret, error) { return tx.BadgeByHash("badge") })
		s.must(err)
		s.same(found, badge)
		_, err = viewAccess(s, func(tx access.Reader) (access.Secret, error) { return tx.BadgeByHash("other") }) // a password is not a badge
		s.refused(err, shop.ErrNoRecord)
		badge.UserID = "user_2"
		s.refused(s.updateAccess(func(tx access.Tx) error { return tx.PutSecret(badge) }), nil)
	}},
	{"a token and a session are found by their digest, with their user, until they end", func(s *testedStore) {
		token := access.Token{ID: "tok_1", UserID: "user_1", Name: strange, Permissions: []shop.Permission{shop.Read, shop.Work},
			CreatedBy: "boss", CreatedAt: 1, ExpiresAt: farOff, Hash: "token"}
		session := access.Session{ID: "sess_1", Hash: "session", UserID: "user_1", StationID: "stn_1", Method: "password", Address: "::1", CreatedAt: 5, SeenAt: 6}
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertUser(shop.User{ID: "user_1", Login: "ana", Active: true, Roles: []string{"lead"}}),
				tx.PutSecret(access.Secret{UserID: "user_1", Kind: access.Password, Hash: "x", MustChange: true}),
				tx.InsertStation(access.Station{ID: "stn_1", Hash: "device", Places: []string{"Lathe 1", "Lathe 2"}, OneScan: true}), tx.InsertToken(token), tx.InsertSession(session))
		}))
		store := s.Store.(access.Store)
		s.must(store.ViewAccess(s.Context(), func(tx access.Reader) error {
			here, err := tx.StationByHash("device")
			s.same([]any{here.Places, here.OneScan}, []any{[]string{"Lathe 1", "Lathe 2"}, true})
			return err
		}))
		found, user, err := store.TokenByHash(s.Context(), "token")
		s.must(err)
		s.same([]any{found.ID, found.Permissions, found.ExpiresAt, user.Login, user.Roles}, []any{"tok_1", token.Permissions, token.ExpiresAt, "ana", []string{"lead"}})
		in, user, err := store.SessionByHash(s.Context(), "session")
		s.must(err)
		session.MustChange, session.StationHash = access.Password, "device"
		s.same(in, session)
		s.same(user.Login, "ana")
		secret := func(kind access.SecretKind, mustChange bool) {
			s.must(s.updateAccess(func(tx access.Tx) error {
				return tx.PutSecret(access.Secret{UserID: "user_1", Kind: kind, Hash: string(kind), MustChange: mustChange})
			}))
		}
		replaces := func() (access.SecretKind, string) {
			in, _, err := store.SessionByHash(s.Context(), "session")
			s.must(err)
			return in.MustChange, in.StationHash
		}
		secret(access.PIN, true) // secrets of any kind count, and the PIN is changed after the password
		first, _ := replaces()
		s.same(first, access.Password)
		secret(access.Password, false)
		first, _ = replaces()
		s.same(first, access.PIN)
		secret(access.PIN, false)
		secret(access.Badge, true) // a badge does not count as a proof
		first, _ = replaces()
		s.same(first, access.SecretKind(""))
		languages := func(of, tag string) (ofSession, ofStation string) {
			s.update(func(tx shop.Tx) error { return tx.PutLanguage(of, tag) })
			in, _, err := store.SessionByHash(s.Context(), "session")
			s.must(err)
			here, err := viewAccess(s, func(tx access.Reader) (access.Station, error) { return tx.StationByHash("device") })
			s.must(err)
			return in.Language, here.Language
		}
		ofSession, ofStation := languages("stn_1", "es")
		s.same([]string{ofSession, ofStation}, []string{"es", "es"})
		ofSession, ofStation = languages("user_1", "de")
		s.same([]string{ofSession, ofStation}, []string{"de", "es"})
		ofSession, ofStation = languages("stn_1", "")
		s.same([]string{ofSession, ofStation}, []string{"de", ""})
		s.must(s.updateAccess(func(tx access.Tx) error { return tx.RevokeStation("stn_1", 8) }))
		_, device := replaces()
		s.same(device, "")
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.RevokeToken("user_1", "tok_1", 9), tx.DeleteSessionsOfUser("user_1", "another"))
		}))
		found, _, err = store.TokenByHash(s.Context(), "token")
		s.must(err)
		s.same(found.RevokedAt, ident.Timestamp(9))
		_, _, err = store.SessionByHash(s.Context(), "session")
		s.refused(err, shop.ErrNoRecord)
		s.refused(s.updateAccess(func(tx access.Tx) error { return tx.RevokeToken("user_1", "tok_1", 10) }), shop.ErrNoRecord)
		_, _, err = store.TokenByHash(s.Context(), "session")
		s.refused(err, shop.ErrNoRecord)
	}},
	{"who set a secret for somebody else is kept until it is confirmed, and when one was given in a session", func(s *testedStore) {
		given := access.Secret{UserID: "user_2", Kind: access.PIN, Hash: "x", SetBy: "user_1"}
		session := access.Session{ID: "sess_1", Hash: "session", UserID: "user_2", Method: "oidc"}
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertUser(shop.User{ID: "user_1", Login: "ana", Active: true}),
				tx.InsertUser(shop.User{ID: "user_2", Login: "bea", Active: true}), tx.InsertUser(shop.User{ID: "user_3", Login: "gone"}),
				tx.InsertUser(shop.User{ID: "user_4", Active: true}),
				tx.PutSecret(access.Secret{UserID: "user_1", Kind: access.PIN, Hash: "y"}), tx.PutSecret(given), tx.InsertSession(session))
		}))
		unconfirmed := func() []string {
			ids, err := viewAccess(s, func(tx access.Reader) ([]string, error) { return tx.UnconfirmedUsers() })
			s.must(err)
			return ids
		}
		s.same(unconfirmed(), []string{"user_2"})
		kept, err := viewAccess(s, func(tx access.Reader) (access.Secret, error) { return tx.Secret("user_2", access.PIN) })
		s.must(err)
		s.same(kept, given)
		active := func(want ...string) {
			logins, err := s.Store.(access.Store).ActiveLogins(s.Context())
			s.must(err)
			s.same(slices.Sorted(maps.Keys(logins)), want)
		}
		active("ana", "bea")
		active("ana", "bea") // even if the logins were read before
		s.must(s.updateAccess(func(tx access.Tx) error {
			return tx.UpdateUser(shop.User{ID: "user_3", Login: "gone", Active: true}, 1)
		}))
		active("ana", "bea", "gone")
		s.must(s.updateAccess(func(tx access.Tx) error { return tx.UpdateUser(shop.User{ID: "user_3", Login: "gone"}, 2) }))
		active("ana", "bea")
		given.SetBy = ""
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.PutSecret(given), tx.ConfirmSession("session", farOff))
		}))
		s.same(len(unconfirmed()), 0)
		in, _, err := s.Store.(access.Store).SessionByHash(s.Context(), "session")
		s.must(err)
		s.same(in.ConfirmedAt, farOff)
		s.refused(s.updateAccess(func(tx access.Tx) error { return tx.ConfirmSession("another", 1) }), shop.ErrNoRecord)
	}},
	{"a subject of a provider is one user's, letter by letter", func(s *testedStore) {
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertUser(shop.User{ID: "user_1"}), tx.InsertUser(shop.User{ID: "user_2"}),
				tx.InsertIdentity("user_1", access.ForeignIdentity{Issuer: "https://a", Subject: strange, SeenAt: 1}),
				tx.InsertIdentity("user_2", access.ForeignIdentity{Issuer: "https://b", Subject: strange, SeenAt: 1, SetBy: "user_1"}))
		}))
		whose := func(issuer, subject string) (string, error) {
			return viewAccess(s, func(tx access.Reader) (string, error) { return tx.UserOfIdentity(issuer, subject) })
		}
		id, err := whose("https://b", strange)
		s.must(err)
		s.same(id, "user_2")
		_, err = whose("https://A", strange)
		s.refused(err, shop.ErrNoRecord)
		s.refused(s.updateAccess(func(tx access.Tx) error {
			return tx.InsertIdentity("user_2", access.ForeignIdentity{Issuer: "https://a", Subject: strange, SeenAt: 1})
		}), nil)
		s.must(s.updateAccess(func(tx access.Tx) error { return tx.DeleteIdentity("https://a", strange) }))
		_, err = whose("https://a", strange)
		s.refused(err, shop.ErrNoRecord)
		left, err := viewAccess(s, func(tx access.Reader) ([]access.ForeignIdentity, error) { return tx.IdentitiesOfUser("user_2") })
		s.must(err)
		s.same(left, []access.ForeignIdentity{{Issuer: "https://b", Subject: strange, SeenAt: 1, SetBy: "user_1"}})
		unconfirmed := func() []string {
			ids, err := viewAccess(s, func(tx access.Reader) ([]string, error) { return tx.UnconfirmedUsers() })
			s.must(err)
			return ids
		}
		s.same(unconfirmed(), []string{"user_2"})
		s.must(s.updateAccess(func(tx access.Tx) error { return tx.ConfirmIdentities("user_2") }))
		s.same(len(unconfirmed()), 0)
	}},
	{"wrong attempts are counted since a time, and taken back one by one or all", func(s *testedStore) {
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertAttempt("user:1", "a", 10), tx.InsertAttempt("user:1", "b", 20), tx.InsertAttempt("user:1", "c", 30),
				tx.InsertAttempt("user:10", "a", 30), tx.DeleteAttempt("user:1", "c"))
		}))
		count := func(since ident.Timestamp) (got [2]int64) {
			_, err := viewAccess(s, func(tx access.Reader) (any, error) {
				found, err := tx.CountAttempts("user:1", since)
				got = [2]int64{found.Count, int64(found.Oldest)}
				return nil, err
			})
			s.must(err)
			return got
		}
		s.same(count(0), [2]int64{2, 10})
		s.same(count(10), [2]int64{1, 20})
		s.same(count(20), [2]int64{0, 0})
		s.must(s.updateAccess(func(tx access.Tx) error { return tx.DeleteAttemptsBefore(20) }))
		s.same(count(0), [2]int64{1, 20})
		s.must(s.updateAccess(func(tx access.Tx) error { return tx.DeleteAttemptsOf("user:1") }))
		s.same(count(0), [2]int64{0, 0})
	}},
	{"wrong attempts are counted, and taken back, for all subjects whose names begin alike", func(s *testedStore) {
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.InsertAttempt("user:1@a", "a", 10), tx.InsertAttempt("user:1@a", "b", 20), tx.InsertAttempt("user:1@b", "c", 30),
				tx.InsertAttempt("user:10@a", "a", 30), tx.InsertAttempt("user:1", "a", 30))
		}))
		under := func(since ident.Timestamp) []access.Attempts {
			found, err := viewAccess(s, func(tx access.Reader) ([]access.Attempts, error) { return tx.AttemptsUnder("user:1@", since) })
			s.must(err)
			slices.SortFunc(found, func(a, b access.Attempts) int { return cmp.Compare(a.Oldest, b.Oldest) })
			return found
		}
		s.same(under(0), []access.Attempts{{Count: 2, Oldest: 10, Newest: 20}, {Count: 1, Oldest: 30, Newest: 30}})
		s.same(under(10), []access.Attempts{{Count: 1, Oldest: 20, Newest: 20}, {Count: 1, Oldest: 30, Newest: 30}})
		s.must(s.updateAccess(func(tx access.Tx) error { return tx.DeleteAttemptsUnder("user:1@") }))
		s.same(len(under(0)), 0)
		found, err := viewAccess(s, func(tx access.Reader) (access.Attempts, error) { return tx.CountAttempts("user:10@a", 0) })
		s.must(err)
		s.same(found, access.Attempts{Count: 1, Oldest: 30, Newest: 30})
	}},
	{"a language is that of one user or station, until another one replaces it", func(s *testedStore) {
		chosen := func(of ...string) (tags []string) {
			s.view(func(tx views.Reader) error {
				for _, id := range of {
					tag, err := tx.Language(id)
					if err != nil {
						return err
					}
					tags = append(tags, tag)
				}
				return nil
			})
			return tags
		}
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.PutLanguage("user_1", "de"), tx.PutLanguage("stn_1", "es"))
		})
		s.update(func(tx shop.Tx) error { return tx.PutLanguage("user_1", "fr") })
		s.same(chosen("user_1", "stn_1", "user_2"), []string{"fr", "es", ""})
		s.update(func(tx shop.Tx) error { return errors.Join(tx.PutLanguage("user_1", ""), tx.PutLanguage("user_2", "")) })
		s.same(chosen("user_1", "stn_1"), []string{"", "es"})
	}},
	{"settings end by the beginning of their names, all or those of before", func(s *testedStore) {
		s.must(s.updateAccess(func(tx access.Tx) error {
			return errors.Join(tx.PutSetting("setup:a", "", 1), tx.PutSetting("openid:a", "", 1), tx.PutSetting("openid:b", "", 2),
				tx.PutSetting("openid", "kept", 1), tx.PutSetting("openid:a", "", 3), tx.DeleteSettings("setup:"), tx.DeleteSettingsBefore("openid:", 3))
		}))
		for name, there := range map[string]bool{"setup:a": false, "openid:a": true, "openid:b": false, "openid": true} {
			_, err := viewAccess(s, func(tx access.Reader) (any, error) { _, _, err := tx.Setting(name); return nil, err })
			if (err == nil) != there || err != nil && !errors.Is(err, shop.ErrNoRecord) {
				s.Errorf("%s: %v", name, err)
			}
		}
	}},
}
