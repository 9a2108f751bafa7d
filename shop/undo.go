package shop

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"maps"
	"slices"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// defaultUndoWindow is how long whoever did something may take it back without a decision.
const defaultUndoWindow = 15 * time.Minute

// WithUndoWindow sets how long whoever did something may take it back without the permission to decide.
func WithUndoWindow(window time.Duration) Option {
	return func(s *Service) { s.undoWindow = window }
}

// UndoInput is the body of Undo.
type UndoInput struct {
	EntryID input.TextInput `field:"entryId"`
	Reason  input.TextInput `field:"reason"`
	UserID  input.TextInput `field:"userId"`
}

// undoing is a decision to take a change back.
type undoing struct{ entryID, reason, by string }

func (in UndoInput) check(caller Caller) (decided undoing, err error) {
	if decided.entryID, err = input.RequiredName("entryId", in.EntryID); err != nil {
		return decided, err
	}
	if decided.reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return decided, err
	}
	decided.by, err = requiredUser(caller, in.UserID)
	return decided, err
}

// Undo takes the last change of a serial's card back that is not taken back yet: a move with all that it bypassed, a
// scrap, a force-completion, a deferred step that was completed or waived, a rework. The card is then what follows from
// the trail without that change.
func (s *Service) Undo(ctx context.Context, id string, in UndoInput) (card.Serial, error) {
	ctx = s.signable(ctx, in, id)
	var serial card.Serial
	err := s.Commit(ctx, &serial, func(tx Tx) error {
		unit, err := tx.RouteCard(id)
		if err != nil {
			return OrNotFound(err, NameSerial, id)
		}
		if err := card.CheckCard(unit); err != nil {
			return err
		}
		told, err := replayOf(tx, unit)
		if err != nil {
			return err
		}
		if _, ok := told.last(); !ok {
			return refusal.Refuse(NothingToUndo)
		}
		decided, err := in.check(CallerOf(ctx))
		if err != nil {
			return err
		}
		back, err := told.takeBack(unit, decided, CallerOf(ctx), s.Now(), s.undoWindow)
		if err != nil {
			return err
		}
		serial = back.Serial
		return tx.ChangeCards([]card.Change{back})
	})
	return serial, err
}

// errNotTold is a database whose card does not follow from its trail.
var errNotTold = errors.New("the card does not follow from the audit trail")

// replayOf replays what the trail tells of a serial. To take a change back, the card has to follow from it.
func replayOf(tx AuditStore, card card.Card) (Replayed, error) {
	history, err := ReadHistory(tx, card.Path)
	if err != nil {
		return Replayed{}, err
	}
	trail := []trail.Entry{}
	if len(history.changes) > 0 { // of which those count that came after the creation
		if created, known, err := Creation(tx, card.Serial); err != nil {
			return Replayed{}, err
		} else if known {
			trail = append(trail, created)
		}
	}
	created := len(trail)
	if trail, err = CollectAudit(trail, tx.AuditOfSerial(card.Serial.ID)); err != nil {
		return Replayed{}, err
	}
	told, err := history.Replay(card.Serial, trail)
	if err != nil {
		return Replayed{}, err
	}
	told.entries = trail[created:]
	if len(told.Differs(card)) > 0 {
		return Replayed{}, errNotTold
	}
	return told, nil
}

// last is the last change that is not taken back.
func (r *Replayed) last() (cardChangeTold, bool) {
	if len(r.changes) == 0 {
		return cardChangeTold{}, false
	}
	return r.changes[len(r.changes)-1], true
}

// refuseUndo says why an entry cannot be the one whose change is taken back: it has to be the last one.
func (r *Replayed) refuseUndo(entryID string) error {
	is := func(entry trail.Entry) bool { return entry.ID == entryID }
	if !slices.ContainsFunc(r.entries, is) {
		return NameEntry.NotFound(entryID)
	}
	last, ok := r.last()
	switch {
	case !ok || !slices.ContainsFunc(last.entries, is):
		return refusal.Refuse(NotLastChange, entryID)
	case last.rerouted:
		return refusal.Refuse(UndoRerouted, entryID)
	}
	return nil
}

// takeBack takes the change back that a decision names: the last one, by whoever may.
func (r *Replayed) takeBack(
	unit card.Card, decided undoing, caller Caller, now ident.Timestamp, window time.Duration,
) (card.Change, error) {
	last, ok := r.last()
	if !ok {
		return card.Change{}, refusal.Refuse(NothingToUndo)
	}
	if err := r.refuseUndo(decided.entryID); err != nil {
		return card.Change{}, err
	}
	change := LastChange{last.entries[0], last.mayUndo(caller, now, window), last.before.Status}
	if err := cmp.Or(change.refuse(caller), card.RefuseRestart(unit, change.Before)); err != nil {
		return card.Change{}, err
	}
	return r.takenBack(&last, unit, decided, now), nil
}

// mayUndo reports whether a caller may take the change back without a decision: whoever did it, for a while.
func (c *cardChangeTold) mayUndo(caller Caller, now ident.Timestamp, window time.Duration) bool {
	done := &c.entries[0]
	own := caller.Login == done.UserID || caller.Login == done.Actor
	return own && within(window, done.Timestamp, now)
}

// moved reports whether the change was one of where the serial stands, and not only of one step's status.
func (c *cardChangeTold) moved() bool { return !c.resolved }

// walked reports whether the serial came to another step with the change.
func (c *cardChangeTold) walked() bool {
	switch c.entries[0].Action { //nolint:exhaustive // the other changes leave a serial at its step
	case card.ActionSerialAdvanced, card.ActionSerialCompleted, card.ActionSerialReworked:
		return true
	}
	return false
}

// restore returns the card as it was before the change. It restores only the fields and exceptions that the change
// replaced, and edits the map of exceptions in place.
func (c *cardChangeTold) restore(card card.Card, now ident.Timestamp) card.Card {
	serial := c.before
	serial.JobID, serial.CreatedAt, serial.UpdatedAt = card.Serial.JobID, card.Serial.CreatedAt, card.Serial.UpdatedAt
	serial.SerialNumber = card.Serial.SerialNumber // which it may have got since
	if c.moved() {
		serial.UpdatedAt = now
	}
	card.Serial = serial
	for stepID, before := range c.replaced {
		if before == nil {
			delete(card.Exceptions, stepID)
		} else {
			card.Exceptions[stepID] = *before
		}
	}
	return card
}

// restore returns the card as it was before the last change, and the indexes of the late steps that a serial missed which is open
// again: required steps that came into its path while it was closed. They are deferred now.
func (r *Replayed) restore(last *cardChangeTold, unit card.Card, now ident.Timestamp) (restored card.Card, missed []int) {
	restored = last.restore(unit, now)
	if restored.Serial.Status != card.InProgress {
		return restored, nil
	}
	for i := range r.late {
		late := &r.late[i]
		exception := restored.Exceptions[late.stepID]
		skipped := card.StepException{StepID: late.stepID, Status: card.StepSkipped, UpdatedAt: late.at}
		if late.required && late.changes == len(r.changes) && exception == skipped {
			exception.Status, exception.UpdatedAt = card.StepDeferred, now
			restored.Exceptions[late.stepID] = exception
			missed = append(missed, i)
		}
	}
	return restored, missed
}

// takenBack is the change that takes the last one back, and tells of it.
func (r *Replayed) takenBack(last *cardChangeTold, unit card.Card, decided undoing, now ident.Timestamp) card.Change {
	kept := unit
	if kept.Exceptions = maps.Clone(unit.Exceptions); kept.Exceptions == nil {
		kept.Exceptions = map[string]card.StepException{}
	}
	after, missed := r.restore(last, kept, now)
	change := card.Change{Serial: after.Serial, Moved: last.moved(), Rewritten: last.moved()}
	for _, i := range missed {
		change.Arrive(unit, r.place(r.late[i].stepID))
	}
	for stepID := range unit.Exceptions {
		if _, stays := after.Exceptions[stepID]; !stays {
			change.Lifted = append(change.Lifted, stepID)
		}
	}
	slices.Sort(change.Lifted)
	for _, step := range unit.Path.Steps {
		if exception, was := after.Exceptions[step.ID]; was && exception != unit.Exceptions[step.ID] {
			change.Exceptions = append(change.Exceptions, exception)
		}
	}
	entry := card.EntryAbout(unit.Serial, ActionChangeUndone, "", decided.by, now)
	entry.Metadata = trail.Metadata(undoneMetadata{last.entries[0].ID, decided.reason, placeOf(unit.Serial), placeOf(after.Serial)})
	change.Audit = []trail.Entry{entry}
	return change
}

// undoneMetadata is what the trail tells of a change that was taken back.
type undoneMetadata struct {
	EntryID string `json:"entryId"`
	Reason  string `json:"reason"`
	Before  place  `json:"before"`
	After   place  `json:"after"`
}

// EntryUndoneBy is the identifier of the entry whose change this entry took back, "" for none.
func EntryUndoneBy(e trail.Entry) string {
	var told undoneMetadata
	if e.Action != ActionChangeUndone || json.Unmarshal(e.Metadata, &told) != nil {
		return ""
	}
	return told.EntryID
}

// place is where a serial stands, as the interface says it.
type place struct {
	CurrentStepIndex int               `json:"currentStepIndex"`
	Status           card.SerialStatus `json:"status"`
}

func placeOf(serial card.Serial) place { return place{serial.CurrentStepIndex(), serial.Status} }

// LastChange is the last change of a serial's card that is not taken back.
type LastChange struct {
	Entry trail.Entry // which names it
	// Free reports whether the caller may take it back without a decision, as whoever did it may for a while.
	Free bool
	// Before is the status that its serial had before, and has again when it is taken back.
	Before card.SerialStatus
}

// refuse refuses a caller who may not take the change back: what was done long ago, or by somebody else, needs a decision.
func (c LastChange) refuse(caller Caller) error {
	if c.Free {
		return nil
	}
	return caller.Require(Decide)
}

// LastChangeOf returns the last change that Undo may revert, the entries still in force, and for each reverted entry, by its
// identifier, the entry that reverted it. When the card does not follow from the trail, there is no change to revert.
func (s *Service) LastChangeOf(
	caller Caller, card card.Card, history PathHistory, entries []trail.Entry,
) (last *LastChange, standing []trail.Entry, undone map[string]trail.Entry) {
	told, err := history.Replay(card.Serial, entries)
	if err != nil || len(told.Differs(card)) > 0 {
		return nil, entries, nil
	}
	standing = make([]trail.Entry, 0, len(entries))
	for _, entry := range entries {
		if _, gone := told.gone[entry.ID]; !gone && entry.Action != ActionChangeUndone {
			standing = append(standing, entry)
		}
	}
	if change, ok := told.last(); ok && !change.rerouted {
		last = &LastChange{change.entries[0], change.mayUndo(caller, s.Now(), s.undoWindow), change.before.Status}
	}
	return last, standing, told.gone
}

// What the tables of the business call undone changes.
const (
	OpUndo Operation = "undo"

	ActionChangeUndone trail.Action = "change_undone"
)

// Why it is refused.
var (
	NothingToUndo = refusal.NewReason(refusal.Invalid, "nothing_to_undo", "Nothing to undo")
	NotLastChange = refusal.NewReason(refusal.Invalid, "not_last_change", "Only the last change can be undone: {entryId}")
	UndoRerouted  = refusal.NewReason(refusal.Invalid, "steps_reordered", "Cannot undo {entryId}: the order of the steps has changed since. Send the unit back to a step instead")
)

var undoNoun = noun{
	operations: []operationRow{
		// Whoever did something may undo and void it for a while. Undo and void ask for Decide themselves otherwise.
		{operation: OpUndo, permission: Work, subject: AboutUnit, signed: SignUndo, second: Decide},
	},
	actions: []actionRow{
		{
			action: ActionChangeUndone, of: only(RecordSerial), moves: true, replay: (*Replayed).undone,
			signed: SignUndo, whole: true,
		},
	},
}

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
