package storetest

import (
	"errors"
	"slices"
	"strings"

	"github.com/routecard/routecard"
)

// floor is what people on the shop floor ask for: who they are, templates, and what waits for them.
var floor = []promise{
	{"every field of a user is kept", func(s *shop) {
		user := routecard.User{ID: "user_1", Name: strings.Repeat("𝄞", 500), Department: strange, Active: true, CreatedAt: farOff}
		s.update(func(tx routecard.Tx) error { return tx.InsertUser(user) })
		find := func() routecard.User {
			return look(s, func(tx routecard.Reader) (routecard.User, error) { return tx.User("user_1") })
		}
		s.same(find(), user)
		user.Name, user.Department, user.Active = "u", "", false
		s.update(func(tx routecard.Tx) error { return tx.UpdateUser(user) })
		s.same(find(), user)
	}},
	{"every field of a template is kept until it is deleted", func(s *shop) {
		template := routecard.Template{ID: "tmpl_1", Name: strange, CreatedAt: longAgo, UpdatedAt: farOff, Steps: []routecard.TemplateStep{
			{Name: strings.Repeat("𝄞", 500), Location: strange, Optional: true, DependencyType: routecard.CompletionGate},
			{Name: "b", Order: 1, DependencyType: routecard.Physical},
		}}
		s.update(func(tx routecard.Tx) error { return tx.InsertTemplate(template) })
		find := func(tx routecard.Reader) (routecard.Template, error) { return tx.Template("tmpl_1") }
		s.same(look(s, find), template)
		template.Name, template.Steps, template.UpdatedAt = "t", template.Steps[:1], 7
		s.update(func(tx routecard.Tx) error { return tx.UpdateTemplate(template) })
		s.same(look(s, find), template)
		s.update(func(tx routecard.Tx) error { return tx.DeleteTemplate("tmpl_1") })
		_, err := tryLook(s, find)
		s.refused(err, routecard.ErrNoRecord)
	}},
	{"waiting serials are those in progress at an operator's steps, by path, position and number", func(s *shop) {
		s.stock(4)
		first, second, idle := aPath(1, 3), aPath(2, 2), aPath(3, 1)
		first.Steps[1].AssignedTo, second.Steps[0].AssignedTo, idle.Steps[0].AssignedTo = "ann", "ann", "bob"
		s.update(func(tx routecard.Tx) error {
			return errors.Join(tx.UpdatePath(aPath(1, 3), first), tx.InsertPath(second), tx.InsertPath(idle),
				insertSerials(tx, second.ID, 3))
		})
		for _, id := range []string{"SN-00004", "SN-00002"} {
			s.changeCard(id, forward)
		}
		s.changeCard("SN-00005", func(card routecard.RouteCard) (routecard.CardChange, error) {
			change, err := forward(card)
			change.Serial.Position, change.Serial.Status = 0, routecard.Scrapped
			return change, err
		})
		waiting := func(operator string) []routecard.WaitingSerial {
			return look(s, func(tx routecard.Reader) ([]routecard.WaitingSerial, error) { return tx.WaitingSerials(operator) })
		}
		at := func(path routecard.Path, position int, number int64) routecard.WaitingSerial {
			return routecard.WaitingSerial{PathID: path.ID, Position: position, Number: number}
		}
		s.same(waiting("ann"), []routecard.WaitingSerial{at(first, 1, 2), at(first, 1, 4), at(second, 0, 6), at(second, 0, 7)})
		s.same(waiting("bob"), []routecard.WaitingSerial{})
		s.same(waiting("nobody"), []routecard.WaitingSerial{})
		s.same(waiting(""), []routecard.WaitingSerial{
			at(first, 0, 1), at(first, 0, 3), at(first, 1, 2), at(first, 1, 4), at(second, 0, 6), at(second, 0, 7),
		})
		for _, place := range []struct {
			path     routecard.Path
			position int
			want     []int64
		}{{first, 0, []int64{1, 3}}, {first, 1, []int64{2, 4}}, {first, 2, []int64{}}, {second, 0, []int64{6, 7}}} {
			s.same(look(s, func(tx routecard.Reader) ([]int64, error) { return tx.WaitingAt(place.path.ID, place.position) }), place.want)
			s.same(look(s, func(tx routecard.Reader) (int64, error) { return tx.CountWaitingAt(place.path.ID, place.position) }), int64(len(place.want)))
		}
		for operator, wanted := range map[string][]routecard.Path{"ann": {first, second}, "": {first, second}, "nobody": {}} {
			routes := look(s, func(tx routecard.Reader) ([]routecard.Route, error) { return tx.RoutesWithWork(operator) })
			for _, path := range wanted {
				i := slices.IndexFunc(routes, func(route routecard.Route) bool { return route.Path.ID == path.ID })
				if i < 0 {
					s.Fatalf("no route %s for %q", path.ID, operator)
				}
				found := routes[i]
				s.same(found.JobName, aJob(1).Name)
				s.same([]any{found.Path.JobID, found.Path.Name, found.Path.Steps}, []any{path.JobID, path.Name, path.Steps})
			}
			if operator == "nobody" {
				s.same(len(routes), 0)
			}
		}
	}},
}
