package shop

import (
	"context"
	"errors"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// UndoManyInput says which changes of which serials are taken back. Only the pages have a form for it: the interface takes
// changes back one at a time.
type UndoManyInput struct {
	Changes []UnitChange    `field:"-"`
	Reason  input.TextInput `field:"reason"`
	UserID  input.TextInput `field:"userId"`
	DryRun  bool            `field:"-"` // judges, and changes nothing
	// Told is called now and then with how many of the serials have had their turn. Nil for nobody.
	Told func(done, selected int) `field:"-"`
}

// UnitChange is a change of a serial's card, named by the first entry of the trail that tells of it.
type UnitChange struct{ SerialID, EntryID string }

// UndoManyResult says what became of each change, as lists of serials in the order of the input.
type UndoManyResult struct {
	Changed []string  // taken back now; those that could be where nothing was to be changed
	Before  []string  // taken back earlier
	Refused []Refusal // the others
}

// undoManySize is how many serials are changed in one transaction: taking a change back reads the trail of its serial.
const undoManySize = 100

// undoPart is what became of the serials of one transaction.
type undoPart struct {
	Part   BatchPart `json:"part"`
	Before Places    `json:"before,omitempty"`
	Now    Places    `json:"now,omitempty"`
}

// UndoMany takes the last change of each of some serials back, by the rule and with the entry of Undo. Serials that refuse stay as
// they are. When the store fails on the way, what was taken back stays taken back; under a key, a repeat goes on with the rest.
func (s *Service) UndoMany(ctx context.Context, in UndoManyInput) (UndoManyResult, error) {
	result := UndoManyResult{}
	if limit, _ := input.ListLimit("serialIds"); len(in.Changes) > limit {
		return result, errTooMany()
	}
	if err := takeMemoryFor(ctx, len(in.Changes)); err != nil {
		return result, err
	}
	caller := CallerOf(ctx)
	undo := UndoInput{EntryID: input.Given("every"), Reason: in.Reason, UserID: in.UserID}
	decided, err := undo.check(caller)
	if err != nil && !in.DryRun {
		return result, err
	}
	done := 0
	for chunk := range slices.Chunk(in.Changes, undoManySize) {
		ids, part := serialsIn(chunk), undoPart{}
		judge := func(tx Tx) (changes []card.Change, err error) {
			part = undoPart{}
			var refused []Refusal
			if changes, refused, err = part.judge(tx, chunk, decided, s, caller); err != nil {
				return nil, err
			}
			part.Part = PartOf(ids, len(changes), refused)
			return changes, nil
		}
		if in.DryRun {
			err = s.store.View(ctx, func(tx Reader) error {
				_, err := judge(tx)
				return err
			})
		} else {
			err = s.Commit(ctx, &part, func(tx Tx) error {
				if err := tx.LockSerials(ids); err != nil {
					return err
				}
				changes, err := judge(tx)
				if err != nil || len(changes) == 0 {
					return err
				}
				return tx.ChangeCards(changes)
			})
		}
		if err != nil {
			if done > 0 && !in.DryRun {
				err = errors.Join(refusal.Refuse(refusal.BatchCutOff, done, len(in.Changes)), err)
			}
			return result, err
		}
		result.add(part, ids)
		if done += len(chunk); in.Told != nil {
			in.Told(done, len(in.Changes))
		}
	}
	return result, nil
}

// add adds what became of the serials of one transaction.
func (r *UndoManyResult) add(part undoPart, ids []string) {
	for _, at := range part.Now {
		r.Changed = append(r.Changed, ids[at])
	}
	for _, at := range part.Before {
		r.Before = append(r.Before, ids[at])
	}
	r.Refused = append(r.Refused, part.Part.Refusals(ids)...)
}

// serialsIn returns the serials that changes are of.
func serialsIn(changes []UnitChange) []string {
	ids := make([]string, len(changes))
	for i := range changes {
		ids[i] = changes[i].SerialID
	}
	return ids
}

// judge says what taking changes back does with their serials, and which of these refuse.
func (p *undoPart) judge(
	tx Tx, undone []UnitChange, decided undoing, s *Service, caller Caller,
) (changes []card.Change, refused []Refusal, err error) {
	cards, err := tx.RouteCards(serialsIn(undone))
	if err != nil {
		return nil, nil, err
	}
	now := s.Now()
	for i, one := range undone {
		card, exists := cards[one.SerialID]
		if !exists {
			refused = append(refused, Refusal{SerialID: one.SerialID, Err: NameSerial.NotFound(one.SerialID), unknown: true})
			continue
		}
		decided.entryID = one.EntryID
		change, before, err := decided.rule(tx, card, now, s, caller)
		refusal, isRefusal := errors.AsType[*refusal.Error](err)
		switch {
		case before:
			p.Before = append(p.Before, int64(i))
		case isRefusal:
			refused = append(refused, Refusal{SerialID: one.SerialID, Err: refusal})
		case err != nil:
			return nil, nil, err
		default:
			p.Now = append(p.Now, int64(i))
			changes = append(changes, change)
		}
	}
	return changes, refused, nil
}

// rule takes the change back that the decision names, as Undo does. before says that it was taken back earlier.
func (d undoing) rule(
	tx AuditStore, unit card.Card, now ident.Timestamp, s *Service, caller Caller,
) (back card.Change, before bool, err error) {
	if err := card.CheckCard(unit); err != nil {
		return back, false, err
	}
	told, err := replayOf(tx, unit)
	if err != nil {
		return back, false, err
	}
	if _, gone := told.gone[d.entryID]; gone {
		return back, true, nil
	}
	back, err = told.takeBack(unit, d, caller, now, s.undoWindow)
	return back, false, err
}
