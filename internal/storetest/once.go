package storetest

import (
	"errors"
	"fmt"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// done returns a record of an operation under a key.
func done(caller, key string) card.Remembered {
	return card.Remembered{
		Once:   card.Once{Caller: caller, Key: key, Fingerprint: "f-" + key},
		Result: `{"key":"` + key + `"}`, At: 1_000,
	}
}

func (s *testedStore) remembered(caller, key string) (card.Remembered, error) {
	return tryLook(s, func(tx views.Reader) (card.Remembered, error) { return tx.Remembered(caller, key) })
}

// rememberedIs ends the test unless the record is stored under its key.
func (s *testedStore) rememberedIs(want card.Remembered) {
	s.Helper()
	got, err := s.remembered(want.Caller, want.Key)
	s.must(err)
	s.same(got, want)
}

// under returns a change of a card that stores a record.
func under(d card.Remembered) func(card.Card) (card.Change, error) {
	return func(card card.Card) (card.Change, error) {
		change, err := forward(card)
		change.Audit = []trail.Entry{{Action: "x", SerialID: card.Serial.ID}}
		change.Remember = &d
		return change, err
	}
}

func (suite) Once() []promise { return once }

var once = []promise{
	{"what is remembered is there with what it tells of, after reopening too", func(s *testedStore) {
		s.stock(1)
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.InsertJob(aJob(7)), tx.Remember(done("ann", "k1")))
		})
		s.changeCard("SN-00001", under(done("ann", "k2")))
		s.reopen()
		s.rememberedIs(done("ann", "k1"))
		s.rememberedIs(done("ann", "k2"))
	}},
	{"a key belongs to its caller", func(s *testedStore) {
		for _, caller := range []string{"", "ann", "bob"} {
			s.update(func(tx shop.Tx) error { return tx.Remember(done(caller, "k")) })
			s.rememberedIs(done(caller, "k"))
		}
		_, err := s.remembered("cem", "k")
		s.refused(err, shop.ErrNoRecord)
	}},
	{"an Update under a key that is there changes nothing", func(s *testedStore) {
		s.update(func(tx shop.Tx) error { return tx.Remember(done("", "k")) })
		second := done("", "k")
		second.Result = `{}`
		s.refused(s.tryUpdate(func(tx shop.Tx) error {
			return errors.Join(tx.InsertJob(aJob(7)), tx.AppendAudit(trail.Entry{Action: "x"}), tx.Remember(second))
		}), shop.ErrRemembered)
		s.same(len(list(s, views.Reader.Jobs)), 0)
		s.same(len(list(s, allAudit)), 0)
		s.rememberedIs(done("", "k"))
	}},
	{"a card is not changed under a key that is there", func(s *testedStore) {
		s.stock(2)
		s.changeCard("SN-00001", under(done("", "k")))
		for _, id := range []string{"SN-00001", "SN-00002"} {
			before := s.card(id)
			s.refused(s.Store.ChangeCard(s.Context(), id, under(done("", "k"))), shop.ErrRemembered)
			s.same(s.card(id), before)
		}
		s.same(len(list(s, allAudit)), 1)
		// It is also refused if the second change differs from the first.
		s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.Remember(done("", "k")) }), shop.ErrRemembered)
	}},
	{"nothing is remembered of what is refused or fails", func(s *testedStore) {
		s.stock(1)
		s.refused(s.tryUpdate(func(tx shop.Tx) error {
			return errors.Join(tx.Remember(done("", "k")), errRefused)
		}), errRefused)
		s.refused(s.Store.ChangeCard(s.Context(), "SN-00001", func(card.Card) (card.Change, error) {
			d := done("", "k")
			return card.Change{Remember: &d}, errRefused
		}), errRefused)
		s.refused(s.Store.ChangeCard(s.Context(), "SN-09999", under(done("", "k"))), shop.ErrNoRecord)
		_, err := s.remembered("", "k")
		s.refused(err, shop.ErrNoRecord)
		s.changeCard("SN-00001", under(done("", "k")))
	}},
	{"of many at once under one key one is done, among others that go on", onceAmongMany},
	{"the oldest are forgotten, as many as asked for and none that is younger", func(s *testedStore) {
		for i := range 10 {
			d := done("", fmt.Sprint("k", i))
			d.At = ident.Timestamp(1000 + i)
			s.update(func(tx shop.Tx) error { return tx.Remember(d) })
		}
		forget := func(before ident.Timestamp, limit int, want int64) {
			s.Helper()
			s.update(func(tx shop.Tx) error {
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
		s.refused(err, shop.ErrNoRecord)
		_, err = s.remembered("", "k4")
		s.must(err)
		forget(1006, 100, 2)
		_, err = s.remembered("", "k6")
		s.must(err)
		// An operation whose key was deleted can be done again.
		s.update(func(tx shop.Tx) error { return tx.Remember(done("", "k3")) })
	}},
}

// onceAmongMany makes three changes under each of a few keys, some of cards and some in Updates, and other changes without a key.
func onceAmongMany(s *testedStore) {
	const units, rounds = 8, 6
	s.stock(units)
	outcomes := make([]error, 4*units*rounds)
	s.atOnce(len(outcomes), func(i int) error {
		key := fmt.Sprint("k", i/4)
		id := ident.DefaultPrefix.SerialID(int64(1 + i/4%units))
		switch i % 4 {
		case 0, 1: // of the same card
			outcomes[i] = s.Store.ChangeCard(s.Context(), id, under(done("", key)))
		case 2: // of another card
			outcomes[i] = s.Store.ChangeCard(s.Context(), ident.DefaultPrefix.SerialID(int64(1+(i/4+1)%units)), under(done("", key)))
		case 3:
			outcomes[i] = s.tryUpdate(func(tx shop.Tx) error {
				if err := tx.AppendAudit(trail.Entry{Action: "x"}); err != nil {
					return err
				}
				return tx.Remember(done("", key))
			})
		}
		if errors.Is(outcomes[i], shop.ErrRemembered) {
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
