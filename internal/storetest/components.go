package storetest

import (
	"errors"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// aComponent returns an installation of a unit in another unit. All fields that an installation can have are set.
func aComponent(n int, parent, unit string) card.Component {
	return card.Component{
		ID: "comp_" + ident.DefaultPrefix.SerialID(int64(n)), SerialID: parent, ComponentSerialID: unit, Quantity: "1.50", Unit: "kg",
		PartType: strange, Place: strange, SubstituteReason: strange, StepID: "step_1", Pass: 3,
		InstalledBy: strange, InstalledAt: farOff,
	}
}

// Components returns the cases for parts that are installed in units.
func (suite) Components() []promise {
	insert := func(made ...card.Component) func(shop.Tx) error {
		return func(tx shop.Tx) (err error) {
			for _, one := range made {
				err = errors.Join(err, tx.InsertComponents([]card.Component{one}, one.PartType))
			}
			return err
		}
	}
	of := func(s *testedStore, unit string) []card.Component {
		return look(s, func(tx views.Reader) ([]card.Component, error) { return tx.ComponentsOfSerial(unit) })
	}
	open := func(s *testedStore, unit string) int {
		return look(s, func(tx views.Reader) (map[string]int, error) { return tx.CountOpenComponents([]string{unit}) })[unit]
	}
	complete := func(tx shop.Tx) error {
		unit, err := tx.RouteCard("SN-00003")
		unit.Serial.Status = card.Completed
		return errors.Join(err, tx.ChangeCards([]card.Change{{Serial: unit.Serial, Moved: true}}))
	}
	removed := func(made card.Component) card.Component {
		made.RemovedBy, made.RemovedAt, made.RemoveReason, made.Returned = strange, farOff, strange, true
		return made
	}
	voiding := card.Voiding{VoidedAt: farOff, VoidedBy: strange, VoidReason: strange}
	return []promise{
		{"every field of a component is kept, and so are its removal and its voiding", func(s *testedStore) {
			s.stock(4)
			first, second, other := aComponent(1, "SN-00001", "SN-00003"), aComponent(2, "SN-00001", ""), aComponent(3, "SN-00002", "SN-00004")
			second.LotID, second.PartSerialNumber = strange, strange
			s.update(insert(first, second, other))
			s.same(of(s, "SN-00001"), []card.Component{first, second})
			s.same(open(s, "SN-00001"), 2)
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.RemoveComponent(removed(first)), tx.VoidComponent(second.ID, voiding))
			})
			first, second.Voiding = removed(first), voiding
			s.same(of(s, "SN-00001"), []card.Component{first, second})
			s.same(open(s, "SN-00001"), 0)
			s.same(look(s, func(tx views.Reader) (card.Component, error) { return tx.Component(second.ID) }), second)
			s.same(list(s, func(tx views.Reader) iter.Seq2[card.Component, error] { return tx.AllComponents() }),
				[]card.Component{first, second, other})
			s.same(look(s, func(tx views.Reader) ([]card.Component, error) { return tx.ComponentsOfLot(strange, 2) }), []card.Component{second})
			s.same(look(s, func(tx views.Reader) ([]card.Component, error) { return tx.ComponentsOfLot("", 2) }), []card.Component{})
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.RemoveComponent(first) }), shop.ErrNoRecord)
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.RemoveComponent(second) }), shop.ErrNoRecord)
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.VoidComponent(second.ID, voiding) }), shop.ErrNoRecord)
			s.update(func(tx shop.Tx) error { return tx.VoidComponent(first.ID, voiding) }) // a removed component can be voided
			_, err := tryLook(s, func(tx views.Reader) (card.Component, error) { return tx.Component("comp_x") })
			s.refused(err, shop.ErrNoRecord)
		}},
		{"many components are stored at once, or with the changes of cards", func(s *testedStore) {
			s.stock(4)
			var many []card.Component
			for n := range 2500 {
				made := aComponent(n+1, ident.DefaultPrefix.SerialID(int64(n%3+1)), "")
				made.LotID = strange
				many = append(many, made)
			}
			s.update(func(tx shop.Tx) error { return tx.InsertComponents(many, strange) })
			counts := func() map[string]int {
				return look(s, func(tx views.Reader) (map[string]int, error) {
					return tx.CountOpenComponents([]string{"SN-00004", "SN-00002", "SN-00001", "SN-99999"})
				})
			}
			s.same(counts(), map[string]int{"SN-00001": 834, "SN-00002": 833})
			more := aComponent(2501, "SN-00004", "")
			more.LotID = strange
			s.update(func(tx shop.Tx) error {
				unit, err := tx.RouteCard("SN-00004")
				return errors.Join(err, tx.ChangeCards([]card.Change{{Serial: unit.Serial, Installed: []card.Component{more}}}))
			})
			s.same(of(s, "SN-00004"), []card.Component{more})
			s.same(counts(), map[string]int{"SN-00001": 834, "SN-00002": 833, "SN-00004": 1})
			s.same(look(s, func(tx views.Reader) ([]card.Component, error) { return tx.ComponentsOfSerial("SN-00002") })[832], many[2497])
			other := aComponent(2502, "SN-00004", "")
			s.refused(s.tryUpdate(func(tx shop.Tx) error { return tx.InsertComponents([]card.Component{other, more}, "") }), shop.ErrDuplicate)
			s.same(counts()["SN-00004"], 1)
		}},
		{"a unit is inside one other unit at most, and the number of a part too", func(s *testedStore) {
			s.stock(4)
			inside := aComponent(1, "SN-00001", "SN-00003")
			part := aComponent(2, "SN-00001", "")
			part.PartSerialNumber = "S-17"
			s.update(insert(inside, part))
			again, same := aComponent(3, "SN-00002", "SN-00003"), part
			same.ID, same.SerialID = "comp_9", "SN-00002"
			s.refused(s.tryUpdate(insert(again)), shop.ErrDuplicate)
			s.refused(s.tryUpdate(insert(same)), shop.ErrDuplicate)
			s.update(func(tx shop.Tx) error {
				return errors.Join(tx.RemoveComponent(removed(inside)), tx.VoidComponent(part.ID, voiding), insert(again, same)(tx))
			})
			other := same
			other.ID, other.PartType = "comp_8", "another part"
			s.update(insert(other))
		}},
		{"the card of a completed unit has the unit that contains it", func(s *testedStore) {
			s.stock(4)
			s.update(complete)
			inside := aComponent(1, "SN-00001", "SN-00003")
			s.same(s.card("SN-00003").Inside, "")
			s.update(insert(inside))
			s.same(s.card("SN-00003").Inside, "SN-00001")
			for _, ids := range [][]string{{"SN-00003", "SN-00001"}, {"SN-00001", "SN-00002", "SN-00003", "SN-00004"}} {
				cards := look(s, func(tx views.Reader) (map[string]card.Card, error) { return tx.RouteCards(ids) })
				s.same(cards["SN-00003"].Inside, "SN-00001")
				s.same(cards["SN-00001"].Inside, "")
			}
			s.update(func(tx shop.Tx) error { return tx.RemoveComponent(removed(inside)) })
			s.same(s.card("SN-00003").Inside, "")
			again := aComponent(2, "SN-00002", "SN-00003")
			s.update(insert(again))
			s.same(s.card("SN-00003").Inside, "SN-00002")
			s.update(func(tx shop.Tx) error { return tx.VoidComponent(again.ID, voiding) })
			s.same(s.card("SN-00003").Inside, "")
		}},
		{"the units above a unit are those that contain it at any depth, also where direct edits have closed a circle", func(s *testedStore) {
			s.stock(5)
			above := func(unit string) []string {
				return look(s, func(tx views.Reader) ([]string, error) { return tx.UnitsAbove(unit) })
			}
			outermost := aComponent(3, "SN-00003", "SN-00002")
			s.update(insert(aComponent(1, "SN-00002", "SN-00001"), outermost, aComponent(4, "SN-00003", "SN-00005")))
			s.same(above("SN-00001"), []string{"SN-00002", "SN-00003"})
			s.same(above("SN-00003"), []string{})
			s.update(insert(aComponent(5, "SN-00001", "SN-00003")))
			s.same(above("SN-00001"), []string{"SN-00001", "SN-00002", "SN-00003"})
			s.update(func(tx shop.Tx) error { return tx.RemoveComponent(removed(outermost)) })
			s.same(above("SN-00001"), []string{"SN-00002"})
		}},
	}
}
