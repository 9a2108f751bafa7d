package storetest

import (
	"errors"
	"fmt"

	"github.com/routecard/routecard"
)

// done is what is remembered under a key.
func done(caller, key string) routecard.Remembered {
	return routecard.Remembered{
		Once:   routecard.Once{Caller: caller, Key: key, Fingerprint: "f-" + key},
		Result: `{"key":"` + key + `"}`, At: 1_000,
	}
}

func (s *shop) remembered(caller, key string) (routecard.Remembered, error) {
	return tryLook(s, func(tx routecard.Reader) (routecard.Remembered, error) { return tx.Remembered(caller, key) })
}

// rememberedIs ends the test unless this is remembered under its key.
func (s *shop) rememberedIs(want routecard.Remembered) {
	s.Helper()
	got, err := s.remembered(want.Caller, want.Key)
	s.must(err)
	s.same(got, want)
}

// under is a change of a card that is to be remembered.
func under(d routecard.Remembered) func(routecard.RouteCard) (routecard.CardChange, error) {
	return func(card routecard.RouteCard) (routecard.CardChange, error) {
		change, err := forward(card)
		change.Audit = []routecard.AuditEntry{{Action: "x", SerialID: card.Serial.ID}}
		change.Remember = &d
		return change, err
	}
}

var once = []promise{
	{"what is remembered is there with what it tells of, after reopening too", func(s *shop) {
		s.stock(1)
		s.update(func(tx routecard.Tx) error {
			return errors.Join(tx.InsertJob(aJob(7)), tx.Remember(done("ann", "k1")))
		})
		s.changeCard("SN-00001", under(done("ann", "k2")))
		s.reopen()
		s.rememberedIs(done("ann", "k1"))
		s.rememberedIs(done("ann", "k2"))
	}},
	{"a key belongs to its caller", func(s *shop) {
		for _, caller := range []string{"", "ann", "bob"} {
			s.update(func(tx routecard.Tx) error { return tx.Remember(done(caller, "k")) })
			s.rememberedIs(done(caller, "k"))
		}
		_, err := s.remembered("cem", "k")
		s.refused(err, routecard.ErrNoRecord)
	}},
	{"an Update under a key that is there changes nothing", func(s *shop) {
		s.update(func(tx routecard.Tx) error { return tx.Remember(done("", "k")) })
		second := done("", "k")
		second.Result = `{}`
		s.refused(s.tryUpdate(func(tx routecard.Tx) error {
			return errors.Join(tx.InsertJob(aJob(7)), tx.AppendAudit(routecard.AuditEntry{Action: "x"}), tx.Remember(second))
		}), routecard.ErrRemembered)
		s.same(len(list(s, routecard.Reader.Jobs)), 0)
		s.same(len(list(s, allAudit)), 0)
		s.rememberedIs(done("", "k"))
	}},
	{"a card is not changed under a key that is there", func(s *shop) {
		s.stock(2)
		s.changeCard("SN-00001", under(done("", "k")))
		for _, id := range []string{"SN-00001", "SN-00002"} {
			before := s.card(id)
			s.refused(s.Store.ChangeCard(s.Context(), id, under(done("", "k"))), routecard.ErrRemembered)
			s.same(s.card(id), before)
		}
		s.same(len(list(s, allAudit)), 1)
		// Not when the change that found the key would have been another one either.
		s.refused(s.tryUpdate(func(tx routecard.Tx) error { return tx.Remember(done("", "k")) }), routecard.ErrRemembered)
	}},
	{"nothing is remembered of what is refused or fails", func(s *shop) {
		s.stock(1)
		s.refused(s.tryUpdate(func(tx routecard.Tx) error {
			return errors.Join(tx.Remember(done("", "k")), errRefused)
		}), errRefused)
		s.refused(s.Store.ChangeCard(s.Context(), "SN-00001", func(routecard.RouteCard) (routecard.CardChange, error) {
			d := done("", "k")
			return routecard.CardChange{Remember: &d}, errRefused
		}), errRefused)
		s.refused(s.Store.ChangeCard(s.Context(), "SN-09999", under(done("", "k"))), routecard.ErrNoRecord)
		_, err := s.remembered("", "k")
		s.refused(err, routecard.ErrNoRecord)
		s.changeCard("SN-00001", under(done("", "k")))
	}},
	{"of many at once under one key one is done, among others that go on", onceAmongMany},
	{"the oldest are forgotten, as many as asked for and none that is younger", func(s *shop) {
		for i := range 10 {
			d := done("", fmt.Sprint("k", i))
			d.At = routecard.Timestamp(1000 + i)
			s.update(func(tx routecard.Tx) error { return tx.Remember(d) })
		}
		forget := func(before routecard.Timestamp, limit int, want int64) {
			s.Helper()
			s.update(func(tx routecard.Tx) error {
				forgotten, err := tx.Forget(before, limit)
				if err == nil && forgotten != want {
					err = fmt.Errorf("%d were forgotten, want %d", forgotten, want)
				}
				return err
			})
		}
		forget(1000, 100, 0)
		forget(1006, 4, 4)
		_, err := s.remembered("", "k3")
		s.refused(err, routecard.ErrNoRecord)
		_, err = s.remembered("", "k4")
		s.must(err)
		forget(1006, 100, 2)
		_, err = s.remembered("", "k6")
		s.must(err)
		// What is forgotten can be done again.
		s.update(func(tx routecard.Tx) error { return tx.Remember(done("", "k3")) })
	}},
}

// onceAmongMany sends three changes under each of a few keys, of cards and in Updates, and others without a key.
func onceAmongMany(s *shop) {
	const units, rounds = 8, 6
	s.stock(units)
	outcomes := make([]error, 4*units*rounds)
	s.atOnce(len(outcomes), func(i int) error {
		key := fmt.Sprint("k", i/4)
		id := routecard.SerialID(int64(1 + i/4%units))
		switch i % 4 {
		case 0, 1: // of the same card
			outcomes[i] = s.Store.ChangeCard(s.Context(), id, under(done("", key)))
		case 2: // of another one
			outcomes[i] = s.Store.ChangeCard(s.Context(), routecard.SerialID(int64(1+(i/4+1)%units)), under(done("", key)))
		case 3:
			outcomes[i] = s.tryUpdate(func(tx routecard.Tx) error {
				if err := tx.AppendAudit(routecard.AuditEntry{Action: "x"}); err != nil {
					return err
				}
				return tx.Remember(done("", key))
			})
		}
		if errors.Is(outcomes[i], routecard.ErrRemembered) {
			return nil
		}
		return outcomes[i]
	})
	for key := range units * rounds {
		did := 0
		for _, err := range outcomes[4*key : 4*key+4] {
			if err == nil {
				did++
			}
		}
		s.same(did, 1)
		s.rememberedIs(done("", fmt.Sprint("k", key)))
	}
	s.same(len(list(s, allAudit)), units*rounds)
}
