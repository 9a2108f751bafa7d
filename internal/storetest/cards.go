package storetest

import (
	"errors"
	"fmt"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// rule is the type of the function that ChangeCard runs.
type rule = func(card.Card) (card.Change, error)

func (suite) Cards() []promise { return cards }

var cards = []promise{
	{"ChangeCard loads what is there", func(s *testedStore) {
		s.stock(2)
		s.changeCard("SN-00002", func(unit card.Card) (card.Change, error) {
			want := card.Serial{
				ID: "SN-00002", JobID: aJob(1).ID, PathID: aPath(1, 3).ID, Status: card.InProgress,
				CreatedAt: 2000, UpdatedAt: 2000,
			}
			if unit.Serial != want || len(unit.Path.Steps) != 3 || len(unit.Exceptions)+len(unit.Overrides) != 0 {
				return card.Change{}, fmt.Errorf("the rule sees %v", unit)
			}
			return forward(unit)
		})
		s.same(s.card("SN-00002").Serial.Position, 1)
		s.same(s.card("SN-00001").Serial.Position, 0)
		s.reopen()
		s.same(s.card("SN-00002").Serial.Position, 1)
	}},
	{"ChangeCard writes all of a change", func(s *testedStore) {
		s.stock(1)
		override := card.Override{
			ID: numbered("snso", 1), SerialID: "SN-00001", StepID: stepOf(1, 2), Active: true, Reason: "r", CreatedBy: "u", CreatedAt: 1,
		}
		s.update(func(tx shop.Tx) error { return tx.InsertOverrides([]card.Override{override}) })
		entry := trail.Entry{Action: card.ActionStepDeferred, UserID: "u", Timestamp: 9, SerialID: "SN-00001"}
		for _, status := range []card.StepStatus{
			card.StepDeferred, card.StepWaived, card.StepSkipped, card.StepCompleted,
		} {
			exceptions := []card.StepException{
				{StepID: stepOf(1, 0), Status: status, UpdatedAt: farOff},
				{StepID: stepOf(1, 1), Status: card.StepSkipped, UpdatedAt: longAgo},
			}
			s.changeCard("SN-00001", func(card card.Card) (card.Change, error) {
				change, err := forward(card)
				change.Exceptions = exceptions
				change.Audit = []trail.Entry{entry, entry}
				return change, err
			})
			unit := s.card("SN-00001")
			s.same(unit.Exceptions, map[string]card.StepException{stepOf(1, 0): exceptions[0], stepOf(1, 1): exceptions[1]})
			s.same(unit.Overrides, map[string]card.Override{override.StepID: override})
		}
		s.same(s.card("SN-00001").Serial.Position, 4)
		s.same(s.card("SN-00001").Serial.UpdatedAt, ident.Timestamp(2004))
		s.same(len(list(s, allAudit)), 8)

		override.Active, override.ReversedAt = false, farOff
		s.changeCard("SN-00001", func(unit card.Card) (card.Change, error) {
			return card.Change{Serial: unit.Serial, Reversed: []card.Override{override}}, nil
		})
		s.same(s.card("SN-00001").Overrides, map[string]card.Override{}, looseMaps)
		s.same(look(s, func(tx views.Reader) ([]card.Override, error) { return tx.OverridesOfSerial("SN-00001") }),
			[]card.Override{override})
	}},
	{"ChangeCard keeps every field of a closed serial", func(s *testedStore) {
		s.stock(4)
		for i, want := range []card.Serial{
			{Status: card.Scrapped, Position: 2, Scrap: &card.Scrap{
				Reason: "other", Explanation: long(), StepID: stepOf(1, 1), At: farOff, By: strange,
			}},
			{Status: card.Scrapped, Scrap: &card.Scrap{Reason: "damaged", StepID: stepOf(1, 0), At: longAgo, By: "u"}},
			{Status: card.Completed, Position: 1, Completion: &card.ForceCompletion{By: strange, At: farOff, Reason: long()}},
			{Status: card.Completed, Completion: &card.ForceCompletion{By: "u", At: longAgo}},
		} {
			want.ID, want.JobID, want.PathID = ident.DefaultPrefix.SerialID(int64(i+1)), aJob(1).ID, aPath(1, 3).ID
			want.CreatedAt, want.UpdatedAt = 2000, farOff
			s.changeCard(want.ID, func(card.Card) (card.Change, error) {
				return card.Change{Serial: want, Moved: true}, nil
			})
			s.same(s.card(want.ID).Serial, want)
		}
		listed := list(s, allSerials)
		s.same(listed[0], shop.ListedSerial{
			Number: 1, PathID: aPath(1, 3).ID, Position: 2, Status: card.Scrapped, ScrapReason: "other", CreatedAt: 2000,
		})
		s.same(listed[2], shop.ListedSerial{
			Number: 3, PathID: aPath(1, 3).ID, Position: 1, Status: card.Completed, Forced: true, CreatedAt: 2000,
		})
	}},
	{"a rule that refuses writes nothing and its error comes back as it is", func(s *testedStore) {
		s.stock(1)
		refused := refusal.Refuse(refusal.NothingToUpdate)
		err := s.Store.ChangeCard(s.Context(), "SN-00001", func(card card.Card) (card.Change, error) {
			change, _ := forward(card)
			change.Audit = []trail.Entry{{Action: "x"}}
			return change, refused
		})
		if got, ok := errors.AsType[*refusal.Error](err); !ok || got != refused {
			s.Fatalf("error is %v", err)
		}
		s.same(s.card("SN-00001").Serial.Position, 0)
		s.same(len(list(s, allAudit)), 0)
	}},
	{"ChangeCard of an unknown or malformed id returns ErrNoRecord and asks no rule", func(s *testedStore) {
		s.stock(1)
		for _, id := range []string{"SN-00002", "SN-99999999", "SN-1", "SN-00000", "SN-000001", "sn-00001", "", "x", "SN-", "SN-999999999999999999999"} {
			s.refused(s.Store.ChangeCard(s.Context(), id, func(card.Card) (card.Change, error) {
				return card.Change{}, errRefused
			}), shop.ErrNoRecord)
			_, err := tryLook(s, func(tx views.Reader) (card.Card, error) { return tx.RouteCard(id) })
			s.refused(err, shop.ErrNoRecord)
		}
	}},
	{"ChangeCards on one serial at once see one another's result", func(s *testedStore) {
		s.stock(1)
		const changes = 100
		s.atOnce(changes, func(i int) error {
			err := s.Store.ChangeCard(s.Context(), "SN-00001", func(unit card.Card) (card.Change, error) {
				if got := len(unit.Exceptions); got != unit.Serial.Position {
					return card.Change{}, fmt.Errorf("%d exceptions at position %d", got, unit.Serial.Position)
				}
				if i%4 == 1 {
					return card.Change{}, errRefused
				}
				change, err := forward(unit)
				change.Exceptions = []card.StepException{{StepID: fmt.Sprint("step_", unit.Serial.Position), Status: card.StepSkipped}}
				change.Audit = []trail.Entry{{Action: "x", SerialID: "SN-00001", BatchQuantity: int64(unit.Serial.Position) + 1}}
				return change, err
			})
			if i%4 == 1 && errors.Is(err, errRefused) {
				err = nil
			}
			return err
		})
		s.same(s.card("SN-00001").Serial.Position, changes*3/4)
		for i, entry := range list(s, auditOf("SN-00001")) { // the trail has the changes in the order in which they were made
			s.same(entry.BatchQuantity, int64(i+1))
		}
	}},
	{"ChangeCards and Updates at once see one another's result", func(s *testedStore) {
		s.stock(1)
		s.atOnce(60, func(i int) error {
			if i%2 == 0 {
				return s.Store.ChangeCard(s.Context(), "SN-00001", func(card card.Card) (card.Change, error) {
					change, err := forward(card)
					change.Audit = []trail.Entry{{
						Action: "x", SerialID: "SN-00001", BatchQuantity: int64(len(card.Overrides)), JobID: card.Path.Name,
					}}
					return change, err
				})
			}
			return s.tryUpdate(func(tx shop.Tx) error {
				before, err := tx.Path(aPath(1, 3).ID)
				if err != nil {
					return err
				}
				unit, err := tx.RouteCard("SN-00001")
				if err != nil {
					return err
				}
				after := before
				after.Name = fmt.Sprint("Path ", len(unit.Overrides)+1)
				return errors.Join(tx.UpdatePath(before, after), tx.InsertOverrides([]card.Override{{
					ID: numbered("snso", i), SerialID: "SN-00001", StepID: fmt.Sprint("step_", i), Active: true, CreatedBy: "u",
				}}))
			})
		})
		card := s.card("SN-00001")
		s.same(card.Serial.Position, 30)
		s.same(len(card.Overrides), 30)
		s.same(card.Path.Name, "Path 30")
		last := int64(0)
		for _, entry := range list(s, auditOf("SN-00001")) {
			if entry.BatchQuantity < last {
				s.Fatalf("a rule saw %d overrides after another saw %d", entry.BatchQuantity, last)
			}
			last = entry.BatchQuantity
			if last > 0 {
				s.same(entry.JobID, fmt.Sprint("Path ", last))
			}
		}
	}},
	{"a rule that panics panics in its caller and leaves the others alone", func(s *testedStore) {
		s.stock(2)
		s.atOnce(60, func(i int) error {
			var err error
			panicked := recovered(func() {
				err = s.Store.ChangeCard(s.Context(), ident.DefaultPrefix.SerialID(int64(1+i%2)), func(card card.Card) (card.Change, error) {
					if i%3 == 0 {
						panic(fmt.Sprintf("rule %d panics", i))
					}
					return forward(card)
				})
			})
			if i%3 == 0 && strings.Contains(fmt.Sprint(panicked), fmt.Sprintf("rule %d panics", i)) {
				return nil
			}
			if panicked != nil {
				err = errors.Join(err, fmt.Errorf("rule %d: %v", i, panicked))
			}
			return err
		})
		s.same(s.card("SN-00001").Serial.Position+s.card("SN-00002").Serial.Position, 40)
	}},
	{"holds are placed, loaded while they are open, and released", func(s *testedStore) {
		s.stock(3)
		held := func(n int, serialID string) card.Hold {
			return card.Hold{
				ID: numbered("hold", n), SerialID: serialID, Reason: strange, NonconformanceID: long(), PlacedBy: strange,
				PlacedAt: farOff,
			}
		}
		first, second, other := held(1, "SN-00002"), held(2, "SN-00002"), held(3, "SN-00003")
		for _, hold := range []card.Hold{first, second, other} {
			s.changeCard(hold.SerialID, func(unit card.Card) (card.Change, error) {
				return card.Change{Serial: unit.Serial, Held: []card.Hold{hold}}, nil
			})
		}
		s.same(s.card("SN-00002").Holds, []card.Hold{first, second})
		s.same(s.card("SN-00001").Holds, []card.Hold(nil))
		s.same(look(s, func(tx views.Reader) ([]card.Hold, error) {
			return tx.OpenHolds([]string{"SN-00003", "SN-00002", "SN-00001", "nonsense"})
		}), []card.Hold{first, second, other})
		first.ReleasedBy, first.ReleasedAt, first.ReleaseReason = strange, longAgo, long()
		s.changeCard("SN-00002", func(unit card.Card) (card.Change, error) {
			s.same(unit.Holds[0].Open(), true)
			change, err := forward(unit)
			change.Released = []card.Hold{first}
			return change, err
		})
		s.reopen()
		s.same(s.card("SN-00002").Holds, []card.Hold{second})
		s.same(s.card("SN-00002").Serial.Position, 1)
		s.same(look(s, func(tx views.Reader) (card.Hold, error) { return tx.Hold(first.ID) }), first)
		s.same(look(s, func(tx views.Reader) ([]card.Hold, error) { return tx.HoldsOfSerial("SN-00002") }),
			[]card.Hold{first, second})
		ofReport := func(report string) []card.Hold {
			return look(s, func(tx views.Reader) ([]card.Hold, error) {
				return tx.ReleasedHolds(report, []string{"SN-00001", "SN-00002"})
			})
		}
		s.same(ofReport(first.NonconformanceID), []card.Hold{first})
		s.same(ofReport(first.NonconformanceID+"0"), []card.Hold{})
		page := func(open bool, before string, limit int) []card.Hold {
			return look(s, func(tx views.Reader) ([]card.Hold, error) { return tx.Holds(open, before, limit) })
		}
		s.same(page(false, "", 9), []card.Hold{other, second, first})
		s.same(page(true, "", 9), []card.Hold{other, second})
		s.same(page(true, other.ID, 9), []card.Hold{second})
		s.same(page(false, "", 1), []card.Hold{other})
		s.same(page(true, first.ID, 9), []card.Hold{})
		_, err := tryLook(s, func(tx views.Reader) (card.Hold, error) { return tx.Hold("hold_unknown") })
		s.refused(err, shop.ErrNoRecord)
	}},
	{"several changes to one serial that commit together see each other's holds", func(s *testedStore) {
		s.stock(1)
		const callers = 20
		s.atOnce(callers, func(i int) error {
			return s.Store.ChangeCard(s.Context(), "SN-00001", func(unit card.Card) (card.Change, error) {
				if len(unit.Holds) > 0 {
					hold := unit.Holds[0]
					hold.ReleasedBy, hold.ReleasedAt = "u", 9
					return card.Change{Serial: unit.Serial, Released: []card.Hold{hold}}, nil
				}
				hold := card.Hold{ID: numbered("hold", i), SerialID: "SN-00001", Reason: "r", PlacedBy: "u", PlacedAt: 1}
				return card.Change{Serial: unit.Serial, Held: []card.Hold{hold}}, nil
			})
		})
		s.same(len(s.card("SN-00001").Holds), 0)
		s.same(len(look(s, func(tx views.Reader) ([]card.Hold, error) { return tx.HoldsOfSerial("SN-00001") })), callers/2)
	}},
	{"a change can take back what a serial was closed with, its pass, and recorded statuses", func(s *testedStore) {
		s.stock(2)
		exceptions := []card.StepException{
			{StepID: stepOf(1, 0), Status: card.StepDeferred, UpdatedAt: 5}, {StepID: stepOf(1, 1), Status: card.StepWaived, UpdatedAt: 6},
		}
		fresh := s.card("SN-00001").Serial
		for _, id := range []string{"SN-00001", "SN-00002"} {
			s.changeCard(id, func(unit card.Card) (card.Change, error) {
				serial := unit.Serial
				serial.Status, serial.Position, serial.Reworks = card.Scrapped, 2, 3
				serial.Scrap = &card.Scrap{Reason: card.OtherReason, Explanation: "e", StepID: stepOf(1, 2), At: 5, By: "u"}
				serial.Completion = &card.ForceCompletion{By: "u", At: 6, Reason: "r"}
				return card.Change{Serial: serial, Moved: true, Rewritten: true, Exceptions: exceptions}, nil
			})
			s.same(s.card(id).Serial.Reworks, 3)
		}
		s.changeCard("SN-00001", func(card.Card) (card.Change, error) {
			return card.Change{Serial: fresh, Moved: true, Rewritten: true, Lifted: []string{stepOf(1, 0)}}, nil
		})
		s.same(s.card("SN-00001").Serial, fresh)
		s.same(s.card("SN-00001").Exceptions, map[string]card.StepException{stepOf(1, 1): exceptions[1]})
		s.same(len(s.card("SN-00002").Exceptions), 2)
		s.same(look(s, func(tx views.Reader) ([]shop.ExceptionCount, error) {
			return tx.CountAhead(aPath(1, 3).ID)
		}),
			[]shop.ExceptionCount{})
		s.changeCard("SN-00001", func(unit card.Card) (card.Change, error) {
			unit.Serial.Reworks++
			return card.Change{Serial: unit.Serial, Moved: true, Rewritten: true}, nil
		})
		s.same(look(s, func(tx views.Reader) ([]shop.ExceptionCount, error) {
			return tx.CountAhead(aPath(1, 3).ID)
		}),
			[]shop.ExceptionCount{{StepID: stepOf(1, 1), Status: card.StepWaived, Count: 1}})
		s.same(s.card("SN-00002").Serial.Status, card.Scrapped)
	}},
	{"a change that the database refuses leaves nothing of itself and nothing of others", func(s *testedStore) {
		s.stock(1)
		s.refused(s.Store.ChangeCard(s.Context(), "SN-00001", func(unit card.Card) (card.Change, error) {
			change, err := forward(unit)
			change.Exceptions = []card.StepException{{StepID: "step_x", Status: "no such status"}}
			change.Audit = []trail.Entry{{Action: "x"}}
			return change, err
		}), nil)
		s.same(s.card("SN-00001").Serial.Position, 0)
		s.same(s.card("SN-00001").Exceptions, map[string]card.StepException{}, looseMaps)
		s.same(len(list(s, allAudit)), 0)
		s.changeCard("SN-00001", forward)
	}},
	{"RouteCards loads up to a thousand, each once, and leaves unknown ones out", func(s *testedStore) {
		s.stock(1_100)
		override := card.Override{ID: "snso_1", SerialID: "SN-00007", StepID: stepOf(1, 1), Active: true, Reason: "r", CreatedBy: "u", CreatedAt: 3}
		s.update(func(tx shop.Tx) error { return tx.InsertOverrides([]card.Override{override}) })
		exception := card.StepException{StepID: stepOf(1, 1), Status: card.StepDeferred, UpdatedAt: 5}
		s.changeCard("SN-00008", func(unit card.Card) (card.Change, error) {
			return card.Change{Serial: unit.Serial, Exceptions: []card.StepException{exception}}, nil
		})
		for _, n := range []int{0, 1, 2, 4, 5, 999, 1_000} {
			ids := make([]string, n)
			for i := range ids {
				ids[i] = ident.DefaultPrefix.SerialID(int64(i + 5))
			}
			found := look(s, func(tx views.Reader) (map[string]card.Card, error) { return tx.RouteCards(ids) })
			s.same(len(found), n)
			for _, id := range ids {
				if found[id].Serial.ID != id || len(found[id].Path.Steps) != 3 {
					s.Fatalf("%s: %v", id, found[id])
				}
			}
			if n >= 4 {
				s.same(found["SN-00007"], s.card("SN-00007"), looseMaps)
				s.same(found["SN-00007"].Overrides, map[string]card.Override{override.StepID: override})
				s.same(found["SN-00008"].Exceptions, map[string]card.StepException{exception.StepID: exception})
			}
		}
		found := look(s, func(tx views.Reader) (map[string]card.Card, error) {
			return tx.RouteCards([]string{"SN-00003", "SN-00003", "SN-77777", "nonsense", "", "SN-00002", "SN-00003"})
		})
		s.same(len(found), 2)
		s.same(found["SN-00003"], s.card("SN-00003"), looseMaps)
		s.same(look(s, func(tx views.Reader) (map[string]card.Card, error) {
			return tx.RouteCards([]string{"nonsense"})
		}), map[string]card.Card{})
	}},
	{"SerialDetail tells what a card and its certificates do", func(s *testedStore) {
		s.stock(6)
		detail := func(id string) shop.SerialDetail {
			s.Helper()
			found, err := s.Store.SerialDetail(s.Context(), id)
			s.must(err)
			s.same(found, look(s, func(tx views.Reader) (shop.SerialDetail, error) {
				card, err := tx.RouteCard(id)
				if err != nil {
					return shop.SerialDetail{}, err
				}
				certificates, err := tx.CertificatesOfSerial(id)
				return shop.DetailOf(card, certificates), err
			}))
			return found
		}
		s.same(len(detail("SN-00001").Certificates), 0)
		s.each(3, func(tx shop.Tx, i int) error {
			return tx.InsertCertificate(shop.Certificate{
				ID: numbered("cert", i), Type: "material", Name: strange, Metadata: []byte(`{"heat":"7"}`), CreatedAt: longAgo,
			})
		})
		attach := func(n int, certificate int, step string) shop.Attachment {
			return shop.Attachment{
				ID: numbered("catt", n), SerialID: "SN-00002", CertificateID: numbered("cert", certificate), StepID: step, AttachedBy: "u",
			}
		}
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.InsertAttachments([]shop.Attachment{
				attach(1, 3, "a"), attach(2, 1, "a"), attach(3, 3, "b"), attach(4, 2, "a"),
			}), tx.VoidAttachment(numbered("catt", 1), card.Voiding{VoidedAt: 1, VoidedBy: "u"}),
				tx.VoidAttachment(numbered("catt", 4), card.Voiding{VoidedAt: 1, VoidedBy: "u"}))
		})
		s.same([]string{detail("SN-00002").Certificates[0].ID, detail("SN-00002").Certificates[1].ID},
			[]string{numbered("cert", 1), numbered("cert", 3)})
		s.changeCard("SN-00003", func(unit card.Card) (card.Change, error) {
			change, err := forward(unit)
			change.Exceptions = []card.StepException{{StepID: stepOf(1, 0), Status: card.StepDeferred, UpdatedAt: 5}}
			return change, err
		})
		s.same(detail("SN-00003").OpenDeferredStepIDs, []string{stepOf(1, 0)})
		hold := card.Hold{ID: "hold_1", SerialID: "SN-00004", Reason: "r", PlacedBy: "u", PlacedAt: 1}
		s.changeCard("SN-00004", func(unit card.Card) (card.Change, error) {
			return card.Change{Serial: unit.Serial, Held: []card.Hold{hold}}, nil
		})
		s.same(detail("SN-00004").Holds, []card.Hold{hold})
		released := hold
		released.ReleasedBy, released.ReleasedAt = "u", 2
		s.changeCard("SN-00004", func(unit card.Card) (card.Change, error) {
			return card.Change{Serial: unit.Serial, Released: []card.Hold{released}}, nil
		})
		s.same(len(detail("SN-00004").Holds), 0)
		s.changeCard("SN-00005", func(unit card.Card) (card.Change, error) {
			change, err := forward(unit)
			change.Serial.Status, change.Serial.Scrap = card.Scrapped, &card.Scrap{Reason: "damaged", At: 3, By: "u"}
			return change, err
		})
		s.same(detail("SN-00005").Serial.Status, card.Scrapped)
		s.refused(s.tryUpdate(func(tx shop.Tx) error {
			return errors.Join(tx.ChangeCards([]card.Change{{Serial: card.Serial{ID: "SN-00006", Position: 2}, Moved: true}}),
				errors.New("refused"))
		}), nil)
		s.same(detail("SN-00006").Serial.Position, 0)
		for _, id := range []string{"SN-00007", "nonsense", ""} {
			_, err := s.Store.SerialDetail(s.Context(), id)
			s.refused(err, shop.ErrNoRecord)
		}
	}},
}
