package sqlstore

import (
	"errors"
	"slices"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/trail"
)

// groupedCards are consecutive changes of single cards in a group. One statement loads all cards that are not cached. Another writes the
// audit entries of all changes.
type groupedCards struct {
	tx      *db.Core
	cache   *cardCache
	kept    map[int64]keptCard  // the cards before the group
	cards   map[int64]card.Card // the cards as the transaction leaves them
	numbers []int64             // the serials with changes that are not written yet, each listed once
	changes []card.Change
}

func newGroupedCards(tx *db.Core, cache *cardCache) *groupedCards {
	return &groupedCards{tx: tx, cache: cache, kept: map[int64]keptCard{}, cards: map[int64]card.Card{}}
}

// change runs the rule of one member. waiting are the members from this one to the last. The rule needs no savepoint, because a rule that
// refuses has written nothing. change returns only failures of the database. It stores the refusal of a rule in the request.
func (c *groupedCards) change(r *request, waiting []*request) error {
	unit, ok := c.cards[r.serial]
	if !ok {
		if err := c.load(waiting); err != nil {
			return err
		}
		if unit, ok = c.cards[r.serial]; !ok {
			r.err = shop.ErrNoRecord
			return nil
		}
	}
	var change card.Change
	r.panicked, r.err = guard(func() (err error) {
		change, err = r.card(unit)
		return err
	})
	if r.fell() {
		return nil
	}
	if change.Remember != nil {
		err := statement.Keys{Core: c.tx}.Remember(*change.Remember)
		if errors.Is(err, shop.ErrRemembered) {
			r.err = err
			return nil
		}
		if err != nil {
			return err
		}
	}
	if slices.Contains(c.numbers, r.serial) {
		if err := c.write(); err != nil {
			return err
		}
	}
	c.numbers, c.changes = append(c.numbers, r.serial), append(c.changes, change)
	c.cards[r.serial] = unit.Apply(change)
	if len(change.Arrived) > 0 { // only the database knows the ordinal of the unit
		delete(c.cards, r.serial)
		delete(c.kept, r.serial)
		return c.write()
	}
	return nil
}

// load loads the cards of the waiting members, up to the next member that is not a change of a card.
func (c *groupedCards) load(waiting []*request) error {
	var numbers []int64
	for _, r := range waiting {
		if r.card == nil {
			break
		}
		if _, ok := c.cards[r.serial]; ok {
			continue
		}
		if kept, ok := c.cache.get(r.serial); ok {
			c.kept[r.serial], c.cards[r.serial] = kept, kept.card
			continue
		}
		numbers = append(numbers, r.serial)
	}
	if len(numbers) == 0 {
		return nil
	}
	slices.Sort(numbers)
	found, err := statement.Cards{Core: c.tx}.Load(slices.Compact(numbers))
	if err != nil {
		return err
	}
	for _, number := range numbers {
		if card, ok := found[c.tx.SerialPrefix().SerialID(number)]; ok {
			c.cards[number] = card
			c.kept[number] = keptCard{revision: c.tx.Revisions[card.Serial.PathID]}
		}
	}
	return nil
}

// write writes the changes that are not written yet.
func (c *groupedCards) write() error {
	var told []trail.Entry
	writing := statement.Cards{Core: c.tx}
	for i := range c.changes {
		if err := writing.WriteCard(c.numbers[i], &c.changes[i]); err != nil {
			return err
		}
		told = append(told, c.changes[i].Audit...)
	}
	c.numbers, c.changes = c.numbers[:0], c.changes[:0]
	return statement.Trail{Core: c.tx}.AppendAudit(told...)
}

// end writes the changes that are not written yet, and forgets the cards, because the next Update may change anything.
func (c *groupedCards) end() error {
	clear(c.cards)
	clear(c.kept)
	clear(c.tx.Revisions)
	return c.write()
}

// committed caches the changed cards after the commit.
func (c *groupedCards) committed() {
	for number, kept := range c.kept {
		kept.card = c.cards[number]
		c.cache.committed(number, kept)
	}
}
