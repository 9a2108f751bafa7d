package storetest

import (
	"errors"
	"fmt"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

func (suite) Batches() []promise { return batches }

var batches = []promise{
	{"SerialsWhere finds what fits all of a filter, oldest first", func(s *testedStore) {
		s.stock(6) // 1 to 6 on path 1
		s.update(func(tx shop.Tx) error {
			other := aPath(3, 3)
			other.JobID = aJob(2).ID
			if err := errors.Join(tx.InsertJob(aJob(2)), tx.InsertPath(aPath(2, 3)), tx.InsertPath(other)); err != nil {
				return err
			}
			if err := insertSerials(tx, aPath(2, 0).ID, 2); err != nil { // 7 and 8
				return err
			}
			return insertSerials(tx, other.ID, 2) // 9 and 10
		})
		for id, becomes := range map[string]card.Serial{
			"SN-00002": {Status: card.InProgress, Position: 1},
			"SN-00003": {Status: card.InProgress, Position: 1},
			"SN-00004": {Status: card.Completed, Position: 3},
			"SN-00005": {Status: card.Scrapped, Position: 1, Scrap: &card.Scrap{Reason: "damaged", StepID: stepOf(1, 1), By: "u"}},
			"SN-00008": {Status: card.InProgress, Position: 1},
		} {
			becomes.ID = id
			s.changeCard(id, func(card.Card) (card.Change, error) {
				return card.Change{Serial: becomes, Moved: true}, nil
			})
		}
		for _, test := range []struct {
			filter shop.SerialFilter
			want   []int64
		}{
			{shop.SerialFilter{}, []int64{1, 2, 3, 4, 5, 6, 7, 8, 9, 10}},
			{shop.SerialFilter{JobID: aJob(1).ID}, []int64{1, 2, 3, 4, 5, 6, 7, 8}},
			{shop.SerialFilter{JobID: aJob(2).ID}, []int64{9, 10}},
			{shop.SerialFilter{JobID: "job_x"}, []int64{}},
			{shop.SerialFilter{PathID: aPath(2, 0).ID}, []int64{7, 8}},
			{shop.SerialFilter{PathID: aPath(2, 0).ID, JobID: aJob(2).ID}, []int64{}},
			{shop.SerialFilter{Status: card.InProgress}, []int64{1, 2, 3, 6, 7, 8, 9, 10}},
			{shop.SerialFilter{Status: card.Completed}, []int64{4}},
			{shop.SerialFilter{Status: card.Scrapped, JobID: aJob(1).ID}, []int64{5}},
			{shop.SerialFilter{Status: "in-progress"}, []int64{}},
			{shop.SerialFilter{StepID: stepOf(1, 1)}, []int64{2, 3}}, // the scrapped serial is at no step
			{shop.SerialFilter{StepID: stepOf(1, 1), Status: card.InProgress}, []int64{2, 3}},
			{shop.SerialFilter{StepID: stepOf(1, 1), Status: card.Scrapped}, []int64{}},
			{shop.SerialFilter{StepID: stepOf(1, 0), PathID: aPath(1, 0).ID, JobID: aJob(1).ID}, []int64{1, 6}},
			{shop.SerialFilter{StepID: stepOf(1, 0), PathID: aPath(2, 0).ID}, []int64{}},
			{shop.SerialFilter{StepID: "step_x"}, []int64{}},
		} {
			find := func(tx views.Reader) ([]int64, error) { return tx.SerialsWhere(test.filter, 100) }
			s.same(look(s, find), test.want)
			s.update(func(tx shop.Tx) error {
				found, err := tx.SerialsWhere(test.filter, 100)
				if err == nil && !slices.Equal(found, test.want) {
					err = fmt.Errorf("%+v: an Update finds %v, want %v", test.filter, found, test.want)
				}
				return err
			})
		}
		s.same(len(look(s, func(tx views.Reader) ([]int64, error) {
			return tx.SerialsWhere(shop.SerialFilter{Status: card.InProgress}, 3)
		})), 3)
	}},
	{"SerialsWithin finds which numbers of many ranges are serials'", func(s *testedStore) {
		s.stock(many)
		within := func(limit int, ranges ...ident.NumberRange) []int64 {
			s.Helper()
			return look(s, func(tx views.Reader) ([]int64, error) { return tx.SerialsWithin(ranges, limit) })
		}
		s.same(within(10, ident.NumberRange{First: 3, Last: 5}), []int64{3, 4, 5})
		s.same(within(2, ident.NumberRange{First: 3, Last: 5}), []int64{3, 4})
		s.same(within(10, ident.NumberRange{First: many - 1, Last: biggest}), []int64{many - 1, many})
		s.same(within(10, ident.NumberRange{First: many + 1, Last: biggest}), []int64{})
		s.same(within(10), []int64{})
		var ranges []ident.NumberRange
		var want []int64
		for number := int64(1); number <= many; number += 5 {
			ranges = append(ranges, ident.NumberRange{First: number, Last: number + 1})
			want = append(want, number, number+1)
		}
		s.same(within(many, ranges...), want)
		s.same(within(777, ranges...), want[:777])
	}},
	{"ChangeCards writes what ChangeCard writes", func(s *testedStore) {
		kinds := kindsOfChange()
		s.stock(int64(2 * len(kinds)))
		var ids []string
		for i, kind := range kinds {
			single, batched := ident.DefaultPrefix.SerialID(int64(i+1)), ident.DefaultPrefix.SerialID(int64(len(kinds)+i+1))
			for _, id := range []string{single, batched} {
				s.update(func(tx shop.Tx) error { return tx.InsertOverrides([]card.Override{overrideOf(id)}) })
			}
			s.changeCard(single, func(card card.Card) (card.Change, error) { return kind(card), nil })
			ids = append(ids, batched)
		}
		entries := len(list(s, allAudit))
		s.changeCards(ids, func(card card.Card, i int) card.Change { return kinds[i](card) })
		for i := range kinds {
			single, batched := s.card(ident.DefaultPrefix.SerialID(int64(i+1))), s.card(ident.DefaultPrefix.SerialID(int64(len(kinds)+i+1)))
			s.same(told(batched), told(single), looseMaps)
			s.same(len(list(s, auditOf(batched.Serial.ID))), len(list(s, auditOf(single.Serial.ID))))
		}
		s.same(len(list(s, allAudit)), 2*entries)
	}},
	{"ChangeCards places and releases holds, lifts statuses, and takes back what serials were closed with", func(s *testedStore) {
		s.stock(3)
		fresh := s.card("SN-00002").Serial
		held := func(i int) card.Hold {
			return card.Hold{ID: numbered("hold", i), SerialID: ident.DefaultPrefix.SerialID(int64(i)), Reason: strange, PlacedBy: "u", PlacedAt: farOff}
		}
		ids := []string{"SN-00001", "SN-00002"}
		s.changeCards(ids, func(unit card.Card, i int) card.Change {
			serial := unit.Serial
			serial.Status, serial.Reworks = card.Scrapped, 2
			serial.Scrap = &card.Scrap{Reason: card.Damaged, At: 7, By: "u"}
			return card.Change{
				Serial: serial, Moved: true, Rewritten: true, Held: []card.Hold{held(i + 1)},
				Exceptions: []card.StepException{
					{StepID: stepOf(1, 0), Status: card.StepSkipped, UpdatedAt: 5}, {StepID: stepOf(1, 1), Status: card.StepWaived, UpdatedAt: 6},
				},
			}
		})
		s.same(s.card("SN-00001").Serial.Reworks, 2)
		s.same(s.card("SN-00002").Holds, []card.Hold{held(2)})
		s.changeCards(ids[1:], func(unit card.Card, _ int) card.Change {
			released := unit.Holds[0]
			released.ReleasedBy, released.ReleasedAt, released.ReleaseReason = "v", 9, strange
			return card.Change{
				Serial: fresh, Moved: true, Rewritten: true, Released: []card.Hold{released}, Lifted: []string{stepOf(1, 0)},
			}
		})
		s.same(s.card("SN-00002").Serial, fresh)
		s.same(len(s.card("SN-00002").Exceptions), 1)
		s.same(len(s.card("SN-00002").Holds), 0)
		s.same(len(s.card("SN-00001").Exceptions), 2)
		s.same(s.card("SN-00001").Holds, []card.Hold{held(1)})
	}},
	{"ChangeCards writes a thousand serials that differ, and tells of them in order", func(s *testedStore) {
		const serials = 1000
		s.stock(serials)
		ids := make([]string, serials)
		var order []string
		for i := range ids {
			ids[i] = ident.DefaultPrefix.SerialID(int64((i*7)%serials + 1))
			order = append(order, ids[i], ids[i])
		}
		s.changeCards(ids, func(unit card.Card, i int) card.Change {
			unit.Serial.Position, unit.Serial.UpdatedAt = i%3, ident.Timestamp(3000+i)
			return card.Change{
				Moved: true, Serial: unit.Serial,
				Exceptions: []card.StepException{{StepID: stepOf(1, i%3), Status: card.StepSkipped, UpdatedAt: ident.Timestamp(i)}},
				Audit: []trail.Entry{
					{Action: "a", SerialID: ids[i], BatchQuantity: int64(i + 1)}, {Action: "b", SerialID: ids[i], BatchQuantity: int64(i + 1)},
				},
			}
		})
		for _, i := range []int{0, 1, 499, 998, 999} {
			card := s.card(ids[i])
			s.same(card.Serial.Position, i%3)
			s.same(card.Serial.UpdatedAt, ident.Timestamp(3000+i))
			s.same(len(card.Exceptions), 1)
		}
		var told []string
		for _, entry := range reversed(list(s, allAudit)) {
			told = append(told, entry.SerialID)
		}
		s.same(told, order)
	}},
	{"an Update that fails takes its ChangeCards back", func(s *testedStore) {
		s.stock(10)
		s.refused(s.tryUpdate(func(tx shop.Tx) error {
			cards, err := tx.RouteCards([]string{"SN-00001", "SN-00002"})
			if err != nil {
				return err
			}
			var changes []card.Change
			for _, card := range cards {
				change, _ := forward(card)
				change.Audit = []trail.Entry{{Action: "x", SerialID: card.Serial.ID}}
				changes = append(changes, change)
			}
			return errors.Join(tx.ChangeCards(changes), errRefused)
		}), errRefused)
		s.same(s.card("SN-00001").Serial.Position, 0)
		s.same(len(list(s, allAudit)), 0)
	}},
	{"ChangeCards of nothing writes nothing, and a View refuses it", func(s *testedStore) {
		s.stock(1)
		s.update(func(tx shop.Tx) error { return tx.ChangeCards(nil) })
		change, _ := forward(s.card("SN-00001"))
		s.refused(s.Store.Look(s.Context(), func(tx views.Reader) error {
			return tx.ChangeCards([]card.Change{change})
		}), nil)
		s.same(s.card("SN-00001").Serial.Position, 0)
	}},
	{"Updates that lock the same serials in opposite orders all come through", func(s *testedStore) {
		const serials, updates = 20, 16
		s.stock(serials)
		ids := make([]string, serials)
		for i := range ids {
			ids[i] = ident.DefaultPrefix.SerialID(int64(i + 1))
		}
		s.atOnce(updates, func(i int) error {
			mine := ids
			if i%2 == 1 {
				mine = reversed(ids)
			}
			return s.tryUpdate(func(tx shop.Tx) error {
				if err := tx.LockSerials(append([]string{"no serial", "SN-99999"}, mine...)); err != nil {
					return err
				}
				for _, id := range mine {
					unit, err := tx.RouteCard(id)
					if err != nil {
						return err
					}
					change, _ := forward(unit)
					if err := tx.ChangeCards([]card.Change{change}); err != nil {
						return err
					}
				}
				return nil
			})
		})
		for _, id := range ids {
			s.same(s.card(id).Serial.Position, updates)
		}
	}},
	{"ChangeCards beside ChangeCard on the same serials loses nothing", func(s *testedStore) {
		const changes = 60
		s.stock(2)
		s.atOnce(changes, func(i int) error {
			if i%2 == 0 {
				return s.Store.ChangeCard(s.Context(), "SN-00001", forward)
			}
			return s.tryUpdate(func(tx shop.Tx) error {
				cards, err := tx.RouteCards([]string{"SN-00001", "SN-00002"})
				if err != nil {
					return err
				}
				first, _ := forward(cards["SN-00001"])
				second, _ := forward(cards["SN-00002"])
				return tx.ChangeCards([]card.Change{first, second})
			})
		})
		s.same(s.card("SN-00001").Serial.Position, changes)
		s.same(s.card("SN-00002").Serial.Position, changes/2)
	}},
}

// changeCards changes serials in one Update, in the order of ids.
func (s *testedStore) changeCards(ids []string, change func(card card.Card, i int) card.Change) {
	s.Helper()
	s.update(func(tx shop.Tx) error {
		cards, err := tx.RouteCards(ids)
		if err != nil {
			return err
		}
		changes := make([]card.Change, len(ids))
		for i, id := range ids {
			changes[i] = change(cards[id], i)
		}
		return tx.ChangeCards(changes)
	})
}

func overrideOf(serialID string) card.Override {
	return card.Override{
		ID: "snso_" + serialID, SerialID: serialID, StepID: stepOf(1, 2), Active: true, Reason: "r", CreatedBy: "u", CreatedAt: 1,
	}
}

// kindsOfChange returns one change of every kind that operations make.
func kindsOfChange() []func(card.Card) card.Change {
	change := func(unit card.Card, edit func(*card.Change)) card.Change {
		c := card.Change{Serial: unit.Serial, Moved: true}
		c.Serial.UpdatedAt = farOff
		edit(&c)
		c.Audit = append(c.Audit, trail.Entry{
			Action: "x", SerialID: unit.Serial.ID, UserID: strange, Timestamp: longAgo, Metadata: []byte(`{"a":1}`),
		})
		return c
	}
	kinds := []func(*card.Change){
		func(c *card.Change) { c.Serial.Position = 1 },
		func(c *card.Change) { c.Serial.Position, c.Serial.Status = 3, card.Completed },
		func(c *card.Change) {
			c.Serial.Status = card.Scrapped
			c.Serial.Scrap = &card.Scrap{Reason: "other", Explanation: strange, StepID: stepOf(1, 0), At: farOff, By: strange}
		},
		func(c *card.Change) {
			c.Serial.Status = card.Completed
			c.Serial.Completion = &card.ForceCompletion{By: strange, At: farOff, Reason: strange}
		},
		func(c *card.Change) {
			c.Serial.Position = 2
			c.Exceptions = []card.StepException{
				{StepID: stepOf(1, 0), Status: card.StepSkipped, UpdatedAt: farOff},
				{StepID: stepOf(1, 1), Status: card.StepDeferred, UpdatedAt: longAgo},
			}
			c.Audit = []trail.Entry{{Action: "y", SerialID: c.Serial.ID}, {Action: "z", SerialID: c.Serial.ID}}
		},
		func(c *card.Change) {
			c.Moved = false
			c.Serial.UpdatedAt = 2000
			reversed := overrideOf(c.Serial.ID)
			reversed.Active, reversed.ReversedAt = false, ident.Timestamp(7000+len(c.Serial.ID))
			c.Reversed = []card.Override{reversed}
		},
	}
	for position := range 12 { // more different moves than have separate statements
		kinds = append(kinds, func(c *card.Change) {
			c.Serial.Position, c.Serial.UpdatedAt = position%3, ident.Timestamp(5000+position)
		})
	}
	made := make([]func(card.Card) card.Change, len(kinds))
	for i, edit := range kinds {
		made[i] = func(card card.Card) card.Change { return change(card, edit) }
	}
	return made
}

// told returns a card without the values that distinguish it from other cards in the same state.
func told(card card.Card) card.Card {
	card.Serial.ID = ""
	for id, override := range card.Overrides {
		override.ID, override.SerialID = "", ""
		card.Overrides[id] = override
	}
	return card
}
