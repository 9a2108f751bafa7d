package shop

import (
	"cmp"
	"context"
	"errors"
	"slices"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
)

// defaultUndoWindow is the default of WithUndoWindow.
const defaultUndoWindow = 15 * time.Minute

// WithUndoWindow sets how long users may undo their own changes without the permission Decide.
func WithUndoWindow(window time.Duration) Option {
	return func(s *Service) { s.undoWindow = window }
}

// UndoInput is the body of Undo.
type UndoInput struct {
	EntryID input.TextInput `field:"entryId"`
	Reason  input.TextInput `field:"reason"`
	UserID  input.TextInput `field:"userId"`
}

// undoing is a validated request to undo a change.
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

// Undo reverts the last change of a serial's card that has not been undone: a move with all bypassed steps, a scrap, a force-completion,
// a completed or waived deferred step, a rework. Afterwards the card follows from the trail without that change.
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
		told, entries, err := replayOf(tx, unit)
		if err != nil {
			return err
		}
		if _, ok := told.Last(); !ok {
			return refusal.Refuse(NothingToUndo)
		}
		decided, err := in.check(CallerOf(ctx))
		if err != nil {
			return err
		}
		back, err := takeBack(&told, entries, unit, decided, CallerOf(ctx), s.Now(), s.undoWindow)
		if err != nil {
			return err
		}
		serial = back.Serial
		return tx.ChangeCards([]card.Change{back})
	})
	return serial, err
}

// errNotTold reports a card that does not follow from its audit trail.
var errNotTold = errors.New("the card does not follow from the audit trail")

// replayOf replays the trail of a serial, and returns the entries about it. It returns errNotTold if the card does not follow from the
// entries: then no change can be undone.
func replayOf(tx AuditStore, card card.Card) (told replay.Replayed, entries []trail.Entry, err error) {
	history, err := replay.ReadHistory(tx, card.Path)
	if err != nil {
		return replay.Replayed{}, nil, err
	}
	trail := []trail.Entry{}
	if history.Rerouted() { // only entries after the creation count
		if created, known, err := Creation(tx, card.Serial); err != nil {
			return replay.Replayed{}, nil, err
		} else if known {
			trail = append(trail, created)
		}
	}
	created := len(trail)
	if trail, err = CollectAudit(trail, tx.AuditOfSerial(card.Serial.ID)); err != nil {
		return replay.Replayed{}, nil, err
	}
	if told, err = history.Replay(card.Serial, trail); err != nil {
		return replay.Replayed{}, nil, err
	}
	if len(told.Differs(card)) > 0 {
		return replay.Replayed{}, nil, errNotTold
	}
	return told, trail[created:], nil
}

// refuseUndo refuses to undo the change of an entry unless it is the last change.
func refuseUndo(told *replay.Replayed, entries []trail.Entry, entryID string) error {
	is := func(entry trail.Entry) bool { return entry.ID == entryID }
	if !slices.ContainsFunc(entries, is) {
		return NameEntry.NotFound(entryID)
	}
	last, ok := told.Last()
	switch {
	case !ok || !slices.ContainsFunc(last.Entries, is):
		return refusal.Refuse(NotLastChange, entryID)
	case last.Rerouted:
		return refusal.Refuse(UndoRerouted, entryID)
	}
	return nil
}

// takeBack undoes the requested change if the caller may undo it. The change must be the last change of the serial. entries are the entries
// about the serial.
func takeBack(
	told *replay.Replayed, entries []trail.Entry, unit card.Card, decided undoing, caller Caller, now ident.Timestamp, window time.Duration,
) (card.Change, error) {
	last, ok := told.Last()
	if !ok {
		return card.Change{}, refusal.Refuse(NothingToUndo)
	}
	if err := refuseUndo(told, entries, decided.entryID); err != nil {
		return card.Change{}, err
	}
	change := LastChange{last.Entries[0], mayUndo(&last.Entries[0], caller, now, window), last.Before.Status}
	if err := cmp.Or(change.refuse(caller), card.RefuseAway(unit), card.RefuseRestart(unit, change.Before)); err != nil {
		return card.Change{}, err
	}
	return told.TakeBack(&last, unit, decided.reason, decided.by, now), nil
}

// mayUndo reports whether a caller may undo an entry's change without the permission Decide: only the user who made it, within window.
func mayUndo(done *trail.Entry, caller Caller, now ident.Timestamp, window time.Duration) bool {
	own := caller.Login == done.UserID || caller.Login == done.Actor
	return own && within(window, done.Timestamp, now)
}

// LastChange is the last change of a serial's card that has not been undone.
type LastChange struct {
	Entry trail.Entry // identifies the change
	// Free reports whether the caller may undo the change without the permission Decide; see mayUndo.
	Free bool
	// Before is the status of the serial before the change, which undo restores.
	Before card.SerialStatus
}

// refuse refuses a caller who may not undo the change: changes outside the undo window, or by another user, require Decide.
func (c LastChange) refuse(caller Caller) error {
	if c.Free {
		return nil
	}
	return caller.Require(Decide)
}

// LastChangeOf returns the last change that Undo may revert, the entries still in force, and for each reverted entry, by its
// identifier, the entry that reverted it. When the card does not follow from the trail, there is no change to revert.
func (s *Service) LastChangeOf(
	caller Caller, card card.Card, history replay.PathHistory, entries []trail.Entry,
) (last *LastChange, standing []trail.Entry, undone map[string]trail.Entry) {
	told, err := history.Replay(card.Serial, entries)
	if err != nil || len(told.Differs(card)) > 0 {
		return nil, entries, nil
	}
	standing = make([]trail.Entry, 0, len(entries))
	for _, entry := range entries {
		if _, gone := told.Gone[entry.ID]; !gone && entry.Action != replay.ActionChangeUndone {
			standing = append(standing, entry)
		}
	}
	if change, ok := told.Last(); ok && !change.Rerouted {
		last = &LastChange{change.Entries[0], mayUndo(&change.Entries[0], caller, s.Now(), s.undoWindow), change.Before.Status}
	}
	return last, standing, told.Gone
}

// Names of undo in the tables of records, operations and actions.
const (
	OpUndo Operation = "undo"
)

// Reasons to refuse to undo a change.
var (
	NothingToUndo = refusal.NewReason(refusal.Invalid, "nothing_to_undo", "Nothing to undo")
	NotLastChange = refusal.NewReason(refusal.Invalid, "not_last_change", "Only the last change can be undone: {entryId}")
	UndoRerouted  = refusal.NewReason(refusal.Invalid, "steps_reordered", "Cannot undo {entryId}: the order of the steps has changed since. Send the unit back to a step instead")
)

var undoNoun = noun{
	operations: []operationRow{
		// Users may undo and void their own changes within the undo window. Otherwise undo and void check Decide themselves.
		{operation: OpUndo, permission: Work, subject: AboutUnit, signed: SignUndo, second: Decide},
	},
	actions: []actionRow{
		{
			action: replay.ActionChangeUndone, of: only(RecordSerial), moves: true,
			signed: SignUndo, whole: true,
		},
	},
}

// UndoManyInput lists the changes to undo. Only the pages have a form for it: the interface undoes one change at a time.
type UndoManyInput struct {
	Changes []UnitChange    `field:"-"`
	Reason  input.TextInput `field:"reason"`
	UserID  input.TextInput `field:"userId"`
	DryRun  bool            `field:"-"` // validate only
	// Told is called occasionally with the number of serials that have been processed. It may be nil.
	Told func(done, selected int) `field:"-"`
}

// UnitChange is a change of a serial's card, identified by its first audit entry.
type UnitChange struct{ SerialID, EntryID string }

// UndoManyResult lists the serials by outcome, in the order of the input.
type UndoManyResult struct {
	Changed []string  // undone now; in a dry run, the serials whose change could be undone
	Before  []string  // undone earlier
	Refused []Refusal // all other serials
}

// undoManySize is the number of serials per transaction: to undo a change, the trail of its serial is read.
const undoManySize = 100

// undoPart is the outcome for the serials of one transaction.
type undoPart struct {
	Part   BatchPart `json:"part"`
	Before Places    `json:"before,omitempty"`
	Now    Places    `json:"now,omitempty"`
}

// UndoMany undoes the last change of each of several serials, with the rule and the audit entry of Undo. Refused serials do not change.
// If the store fails in between, the changes undone so far stay undone; under a key, a repeat continues with the rest.
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

// add adds the outcome for the serials of one transaction.
func (r *UndoManyResult) add(part undoPart, ids []string) {
	for _, at := range part.Now {
		r.Changed = append(r.Changed, ids[at])
	}
	for _, at := range part.Before {
		r.Before = append(r.Before, ids[at])
	}
	r.Refused = append(r.Refused, part.Part.Refusals(ids)...)
}

// serialsIn returns the serials of changes.
func serialsIn(changes []UnitChange) []string {
	ids := make([]string, len(changes))
	for i := range changes {
		ids[i] = changes[i].SerialID
	}
	return ids
}

// judge computes the changes that undo the given changes, and the refusals.
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

// rule undoes the requested change as Undo does. before reports that the change was undone earlier.
func (d undoing) rule(
	tx AuditStore, unit card.Card, now ident.Timestamp, s *Service, caller Caller,
) (back card.Change, before bool, err error) {
	if err := card.CheckCard(unit); err != nil {
		return back, false, err
	}
	told, entries, err := replayOf(tx, unit)
	if err != nil {
		return back, false, err
	}
	if _, gone := told.Gone[d.entryID]; gone {
		return back, true, nil
	}
	back, err = takeBack(&told, entries, unit, d, caller, now, s.undoWindow)
	return back, false, err
}

// VoidInput is the body of Void Note and Void Certificate Attachment.
type VoidInput struct {
	Reason input.TextInput `field:"reason"`
	UserID input.TextInput `field:"userId"`
}

func (in VoidInput) check(caller Caller, now ident.Timestamp) (voiding card.Voiding, err error) {
	if voiding.VoidReason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return voiding, err
	}
	voiding.VoidedAt = now
	voiding.VoidedBy, err = requiredUser(caller, in.UserID)
	return voiding, err
}

// mayVoid refuses a caller unless the caller created the record within window or has the permission Decide.
func mayVoid(caller Caller, by string, at, now ident.Timestamp, window time.Duration) error {
	if own := caller.Login == by && within(window, at, now); own {
		return nil
	}
	return caller.Require(Decide)
}

// FreeToVoid reports whether a caller may void a record without the permission Decide: only its creator, within the undo window. If the
// service has no sign-in, callers have no login and only the time counts.
func (s *Service) FreeToVoid(caller Caller, by string, at ident.Timestamp) bool {
	return (caller.Login == "" || caller.Login == by) && within(s.undoWindow, at, s.Now())
}

// within reports whether at is no more than window before now.
func within(window time.Duration, at, now ident.Timestamp) bool {
	return int64(now)-int64(at) <= window.Milliseconds()
}

// VoidNote voids a note: it no longer counts, but remains on record with the reason.
func (s *Service) VoidNote(ctx context.Context, id string, in VoidInput) (Note, error) {
	var note Note
	err := s.Commit(ctx, &note, func(tx Tx) (err error) {
		if note, err = tx.Note(id); err != nil {
			return OrNotFound(err, NameNote, id)
		}
		if note.Voided() {
			return refusal.Refuse(NoteVoided)
		}
		now := s.Now()
		if note.Voiding, err = in.check(CallerOf(ctx), now); err != nil {
			return err
		}
		if err := mayVoid(CallerOf(ctx), note.CreatedBy, note.CreatedAt, now, s.undoWindow); err != nil {
			return err
		}
		if err := tx.VoidNote(id, note.Voiding); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionRecordVoided, UserID: note.VoidedBy, Timestamp: now,
			JobID: note.JobID, PathID: note.PathID, StepID: note.StepID,
			Metadata: trail.Metadata(card.VoidedMetadata{RecordID: id, Reason: note.VoidReason}),
		})
	})
	return note, err
}

// VoidAttachment voids a certificate's attachment to a serial: it no longer counts, so the certificate can be attached again. The
// attachment remains on record with the reason.
func (s *Service) VoidAttachment(ctx context.Context, id string, in VoidInput) (Attachment, error) {
	var attachment Attachment
	err := s.Commit(ctx, &attachment, func(tx Tx) (err error) {
		if attachment, err = tx.Attachment(id); err != nil {
			return OrNotFound(err, NameAttachment, id)
		}
		unit, err := tx.RouteCard(attachment.SerialID) // prevents other attachments to the unit
		if err != nil {
			return err
		}
		if attachment.Voided() {
			return refusal.Refuse(AttachmentVoided)
		}
		now := s.Now()
		if attachment.Voiding, err = in.check(CallerOf(ctx), now); err != nil {
			return err
		}
		if err := mayVoid(CallerOf(ctx), attachment.AttachedBy, attachment.AttachedAt, now, s.undoWindow); err != nil {
			return err
		}
		if err := tx.VoidAttachment(id, attachment.Voiding); err != nil {
			return err
		}
		entry := card.EntryAbout(unit.Serial, ActionRecordVoided, attachment.StepID, attachment.VoidedBy, now)
		entry.CertID = attachment.CertificateID
		entry.Metadata = trail.Metadata(card.VoidedMetadata{RecordID: id, Reason: attachment.VoidReason})
		return tx.AppendAudit(entry)
	})
	return attachment, err
}

// VoidStore lists the database operations for voiding. A voided record stays voided.
type VoidStore interface {
	VoidNote(id string, voiding card.Voiding) error
	// Attachment returns an attachment, voided or not.
	Attachment(id string) (Attachment, error)
	VoidAttachment(id string, voiding card.Voiding) error
	// VoidedRecords returns the voided records of all kinds whose identifiers sort after a text, in the order of their identifiers, at
	// most limit. If the database was edited directly and a record is voided only in part, its time is missing.
	VoidedRecords(after string, limit int) ([]VoidedRecord, error)
}

// VoidedRecord is a voided record.
type VoidedRecord struct {
	ID string
	card.Voiding
}

// Names of voiding in the tables of records, operations and actions.
const (
	OpVoid Operation = "void"

	ActionRecordVoided = card.ActionRecordVoided
)

var voidNoun = noun{
	operations: []operationRow{
		{operation: OpVoid, permission: Work, subject: AboutUnit},
	},
	actions: []actionRow{
		{action: ActionRecordVoided}, // for all voidable kinds of records
	},
}
