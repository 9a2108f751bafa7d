package storetest

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/views"
)

func (suite) Floor() []promise { return floor }

// floor are the cases for users, templates, and waiting work.
var floor = []promise{
	{"every field of a user is kept", func(s *testedStore) {
		user := shop.User{ID: "user_1", Name: strings.Repeat("𝄞", 500), Department: strange, Active: true, CreatedAt: farOff}
		s.update(func(tx shop.Tx) error { return tx.InsertUser(user) })
		find := func() shop.User {
			return look(s, func(tx views.Reader) (shop.User, error) { return tx.User("user_1") })
		}
		s.same(find(), user)
		user.Name, user.Department, user.Active = "u", "", false
		s.update(func(tx shop.Tx) error { return tx.UpdateUser(user, 5) })
		s.same(find(), user)
	}},
	{"every field of a template is kept until it is deleted", func(s *testedStore) {
		template := shop.Template{ID: "tmpl_1", Name: strange, CreatedAt: longAgo, UpdatedAt: farOff, Steps: []shop.TemplateStep{
			{Name: strings.Repeat("𝄞", 500), Location: strange, Optional: true, DependencyType: card.CompletionGate},
			{Name: "b", Order: 1, DependencyType: card.Physical},
		}}
		s.update(func(tx shop.Tx) error { return tx.InsertTemplate(template) })
		find := func(tx views.Reader) (shop.Template, error) { return tx.Template("tmpl_1") }
		s.same(look(s, find), template)
		template.Name, template.Steps, template.UpdatedAt = "t", template.Steps[:1], 7
		s.update(func(tx shop.Tx) error { return tx.UpdateTemplate(template) })
		s.same(look(s, find), template)
		s.update(func(tx shop.Tx) error { return tx.DeleteTemplate("tmpl_1") })
		_, err := tryLook(s, find)
		s.refused(err, shop.ErrNoRecord)
	}},
	{"work waits at the steps of paths, in the order of the places that are asked about, oldest first", func(s *testedStore) {
		s.stock(4)
		first, second, idle := aPath(1, 3), aPath(2, 2), aPath(3, 1)
		first.Steps[1].AssignedTo, second.Steps[0].AssignedTo, idle.Steps[0].AssignedTo = "ann", "ann", "bob"
		s.update(func(tx shop.Tx) error {
			return errors.Join(tx.UpdatePath(aPath(1, 3), first), tx.InsertPath(second), tx.InsertPath(idle),
				insertSerials(tx, second.ID, 3))
		})
		for _, id := range []string{"SN-00004", "SN-00002"} {
			s.changeCard(id, forward)
		}
		s.changeCard("SN-00005", func(unit card.Card) (card.Change, error) {
			change, err := forward(unit)
			change.Serial.Position, change.Serial.Status = 0, card.Scrapped
			return change, err
		})
		at := func(path card.Path, position int) views.Place {
			return views.Place{PathID: path.ID, Position: position}
		}
		waiting := func(after int64, limit int, places ...views.Place) []views.WaitingSerial {
			return look(s, func(tx views.Reader) ([]views.WaitingSerial, error) {
				return tx.Waiting(places, after, limit)
			})
		}
		stand := func(pairs ...int64) []views.WaitingSerial { // pairs of a place and a number
			serials := []views.WaitingSerial{}
			for pair := range slices.Chunk(pairs, 2) {
				serials = append(serials, views.WaitingSerial{Place: int(pair[0]), Number: pair[1]})
			}
			return serials
		}
		every := []views.Place{at(second, 0), at(first, 2), at(first, 1), at(first, 0)}
		s.same(waiting(0, 10, every...), stand(0, 6, 0, 7, 2, 2, 2, 4, 3, 1, 3, 3))
		s.same(waiting(0, 3, every...), stand(0, 6, 0, 7, 2, 2))
		s.same(waiting(6, 2, every...), stand(0, 7, 2, 2))
		s.same(waiting(2, 2, every[2:]...), stand(0, 4, 1, 1))
		s.same(waiting(1, 10, at(first, 0)), stand(0, 3))
		s.same(waiting(0, 10, at(first, 2)), []views.WaitingSerial{})
		s.same(waiting(0, 10), []views.WaitingSerial{})
		s.same(look(s, func(tx views.Reader) (map[views.Place]int64, error) { return tx.OldestWaiting(every) }),
			map[views.Place]int64{at(second, 0): 6, at(first, 1): 2, at(first, 0): 1})
		// Each unit on hold is counted once at its step, and none of them is the oldest unit that can be worked on.
		for i, id := range []string{"SN-00001", "SN-00001", "SN-00002", "SN-00005", "SN-00007"} {
			s.changeCard(id, func(unit card.Card) (card.Change, error) {
				hold := card.Hold{ID: fmt.Sprintf("hold_%d", i), SerialID: id, Reason: strange, PlacedBy: "ann", PlacedAt: 5}
				return card.Change{Serial: unit.Serial, Held: []card.Hold{hold}}, nil
			})
		}
		s.same(look(s, func(tx views.Reader) (map[views.Place]int64, error) { return tx.OldestWaiting(every) }),
			map[views.Place]int64{at(second, 0): 6, at(first, 1): 4, at(first, 0): 3})
		s.same(look(s, func(tx views.Reader) ([]views.HeldCount, error) { return tx.HeldWaiting() }), []views.HeldCount{
			{JobID: first.JobID, PathID: first.ID, Position: 0, Count: 1}, {JobID: first.JobID, PathID: first.ID, Position: 1, Count: 1},
			{JobID: second.JobID, PathID: second.ID, Position: 0, Count: 1},
		})
		s.changeCard("SN-00002", func(unit card.Card) (card.Change, error) {
			hold := unit.Holds[0]
			hold.ReleasedBy, hold.ReleasedAt, hold.ReleaseReason = "ann", 6, "good"
			return card.Change{Serial: unit.Serial, Released: []card.Hold{hold}}, nil
		})
		s.same(look(s, func(tx views.Reader) (map[views.Place]int64, error) { return tx.OldestWaiting(every) })[at(first, 1)], int64(2))
		s.same(len(look(s, func(tx views.Reader) ([]views.HeldCount, error) { return tx.HeldWaiting() })), 2)
		routes := func(wanted []card.Path, find func(views.Reader) ([]shop.Route, error)) {
			s.Helper()
			found := look(s, find)
			s.same(len(found), len(wanted))
			for i, path := range wanted {
				s.same([]any{found[i].JobName, found[i].Path.ID, found[i].Path.JobID, found[i].Path.Name, found[i].Path.Steps},
					[]any{aJob(1).Name, path.ID, path.JobID, path.Name, path.Steps})
			}
		}
		routes([]card.Path{first, second}, func(tx views.Reader) ([]shop.Route, error) { return tx.RoutesOfOperator("ann") })
		routes([]card.Path{idle}, func(tx views.Reader) ([]shop.Route, error) { return tx.RoutesOfOperator("bob") })
		routes(nil, func(tx views.Reader) ([]shop.Route, error) { return tx.RoutesOfOperator("nobody") })
		routes(nil, func(tx views.Reader) ([]shop.Route, error) { return tx.RoutesOfOperator("") })
		routes([]card.Path{first, idle}, func(tx views.Reader) ([]shop.Route, error) {
			return tx.Routes([]string{idle.ID, first.ID, "x"})
		})
	}},
}
