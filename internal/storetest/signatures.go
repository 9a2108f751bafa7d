package storetest

import (
	"errors"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/views"
)

func aTicket(hash string) shop.SignatureTicket {
	return shop.SignatureTicket{
		Hash: hash, UserID: "user_1", Login: "ann", PrintedName: "Ann Ahr", Meaning: shop.Review, Method: "pin",
		Operation: shop.SignScrap, Target: "/api/serials/SN-00001/scrap", SignedAt: 1_000, ExpiresAt: 121_000,
		BodySHA256: "44136fa355b3678a1146ad16f7e8649e94fb4fc21fe77e8310c060f61caaff8a", Means: "token:t1",
	}
}

// signed inserts signature tickets of an existing user.
func (s *testedStore) signed(tickets ...shop.SignatureTicket) {
	s.Helper()
	s.update(func(tx shop.Tx) error {
		return tx.InsertUser(shop.User{ID: "user_1", Name: "Ann", Active: true})
	})
	s.access(func(tx access.Tx) error {
		var errs []error
		for _, ticket := range tickets {
			errs = append(errs, tx.InsertSignatureTicket(ticket))
		}
		return errors.Join(errs...)
	})
}

func (s *testedStore) access(change func(access.Tx) error) {
	s.Helper()
	store, ok := s.Store.(access.Store)
	if !ok {
		s.Fatal("the store keeps no accounts")
	}
	s.must(store.UpdateAccess(s.Context(), change))
}

func (s *testedStore) ticket(hash string) (shop.SignatureTicket, error) {
	return tryLook(s, func(tx views.Reader) (shop.SignatureTicket, error) { return tx.SignatureTicket(hash) })
}

func (suite) Signatures() []promise { return signatures }

var signatures = []promise{
	{"a policy that nobody made demands nothing, and what is put stays, after reopening too", func(s *testedStore) {
		policy := func() (shop.SignaturePolicy, error) {
			return tryLook(s, func(tx views.Reader) (shop.SignaturePolicy, error) { return tx.SignaturePolicy() })
		}
		got, err := policy()
		s.must(err)
		s.same(got, shop.SignaturePolicy{}, looseMaps)
		for _, changed := range []shop.SignaturePolicy{
			{shop.SignScrap: shop.SignedBySelf, shop.SignUndo: shop.SignedBySecond},
			{shop.SignUndo: shop.SignedByNobody},
		} {
			s.update(func(tx shop.Tx) error { return tx.PutSignaturePolicy(changed) })
		}
		s.reopen()
		got, err = policy()
		s.must(err)
		s.same(got, shop.SignaturePolicy{
			shop.SignScrap: shop.SignedBySelf, shop.SignUndo: shop.SignedByNobody,
		})
	}},
	{"a user signs with a secret or a passkey, and with a confirmed account", func(s *testedStore) {
		secret := func(user string, kind access.SecretKind, setBy string, mustChange bool) access.Secret {
			return access.Secret{UserID: user, Kind: kind, Hash: "h" + user + string(kind), MustChange: mustChange, ChangedAt: 1, SetBy: setBy}
		}
		var ids []string
		for _, name := range []string{"own", "pin", "set", "replaced", "both", "badge", "passkey", "connected"} {
			ids = append(ids, "user_"+name)
			s.update(func(tx shop.Tx) error { return tx.InsertUser(shop.User{ID: "user_" + name, Name: name, Active: true}) })
		}
		s.access(func(tx access.Tx) error {
			for _, kept := range []access.Secret{
				secret(ids[0], access.Password, "", false), secret(ids[1], access.PIN, "", false),
				secret(ids[2], access.Password, "user_own", true), secret(ids[3], access.Password, "user_own", false),
				secret(ids[4], access.Password, "", false), secret(ids[4], access.PIN, "user_own", true), secret(ids[5], access.Badge, "", false),
				secret(ids[7], access.Password, "", false),
			} {
				if err := tx.PutSecret(kept); err != nil {
					return err
				}
			}
			if err := tx.InsertIdentity(ids[7], access.ForeignIdentity{Issuer: "here", Subject: "sub", SetBy: ids[0]}); err != nil {
				return err
			}
			return tx.InsertPasskey(access.Passkey{ID: "pk", UserID: ids[6], CredentialID: "c1"})
		})
		var who []string
		for _, id := range ids {
			signs, err := tryLook(s, func(tx views.Reader) (bool, error) { return tx.UserSigns(id) })
			s.must(err)
			if signs {
				who = append(who, id)
			}
		}
		s.same(who, []string{ids[0], ids[1], ids[6]})
	}},
	{"a ticket is used once", func(s *testedStore) {
		s.signed(aTicket("a"), aTicket("b"))
		got, err := s.ticket("a")
		s.must(err)
		s.same(got, aTicket("a"))
		s.update(func(tx shop.Tx) error { return tx.UseSignatureTicket("a", "req_1", 2_000) })
		s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.UseSignatureTicket("a", "req_2", 3_000) }), shop.ErrNoRecord)
		s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.UseSignatureTicket("c", "req_2", 3_000) }), shop.ErrNoRecord)
		want := aTicket("a")
		want.UsedAt, want.UsedFor = 2_000, "req_1"
		got, err = s.ticket("a")
		s.must(err)
		s.same(got, want)
		for request, tickets := range map[string][]shop.SignatureTicket{"req_1": {want}, "req_2": {}, "": {}} {
			found, err := tryLook(s, func(tx views.Reader) ([]shop.SignatureTicket, error) {
				return tx.SignatureTicketsFor(request)
			})
			s.must(err)
			s.same(found, tickets)
		}
		_, err = s.ticket("c")
		s.refused(err, shop.ErrNoRecord)
	}},
	{"a ticket that was used in a change that came to nothing is not used", func(s *testedStore) {
		s.signed(aTicket("a"))
		stop := errors.New("stop")
		s.refused(s.tryUpdate(func(tx shop.Tx) error {
			if err := tx.UseSignatureTicket("a", "req_1", 2_000); err != nil {
				return err
			}
			return stop
		}), stop)
		got, err := s.ticket("a")
		s.must(err)
		s.same(got, aTicket("a"))
	}},
	{"old tickets are removed, others stay", func(s *testedStore) {
		young := aTicket("b")
		young.SignedAt = 5_000
		s.signed(aTicket("a"), young)
		s.access(func(tx access.Tx) error { return tx.DeleteSignatureTicketsBefore(5_000) })
		_, err := s.ticket("a")
		s.refused(err, shop.ErrNoRecord)
		_, err = s.ticket("b")
		s.must(err)
	}},
}
