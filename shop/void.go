package shop

import (
	"context"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

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

// mayVoid refuses a caller who neither made the record a short while ago nor may decide.
func mayVoid(caller Caller, by string, at, now ident.Timestamp, window time.Duration) error {
	if own := caller.Login == by && within(window, at, now); own {
		return nil
	}
	return caller.Require(Decide)
}

// FreeToVoid reports whether a caller may void a record without a decision: whoever made it, for a while. Where nobody signs in, callers
// have no login and only the time is judged.
func (s *Service) FreeToVoid(caller Caller, by string, at ident.Timestamp) bool {
	return (caller.Login == "" || caller.Login == by) && within(s.undoWindow, at, s.Now())
}

// within reports whether something is no longer ago than a while.
func within(window time.Duration, at, now ident.Timestamp) bool {
	return int64(now)-int64(at) <= window.Milliseconds()
}

// VoidedMetadata is what the trail tells of a record that was voided.
type VoidedMetadata struct {
	RecordID string `json:"recordId"`
	Reason   string `json:"reason"`
}

// VoidNote says of a note that it does not count. It stays where it is, with the reason.
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
			Metadata: trail.Metadata(VoidedMetadata{id, note.VoidReason}),
		})
	})
	return note, err
}

// VoidAttachment says of a certificate on a serial that it does not belong there. It does not count from then on, so the
// certificate can be attached again; the record stays, with the reason.
func (s *Service) VoidAttachment(ctx context.Context, id string, in VoidInput) (Attachment, error) {
	var attachment Attachment
	err := s.Commit(ctx, &attachment, func(tx Tx) (err error) {
		if attachment, err = tx.Attachment(id); err != nil {
			return OrNotFound(err, NameAttachment, id)
		}
		unit, err := tx.RouteCard(attachment.SerialID) // nobody attaches to it meanwhile
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
		entry.CertID, entry.Metadata = attachment.CertificateID, trail.Metadata(VoidedMetadata{id, attachment.VoidReason})
		return tx.AppendAudit(entry)
	})
	return attachment, err
}

// VoidStore is what voiding needs of a database. What is voided stays so.
type VoidStore interface {
	VoidNote(id string, voiding card.Voiding) error
	// Attachment returns an attachment, voided or not.
	Attachment(id string) (Attachment, error)
	VoidAttachment(id string, voiding card.Voiding) error
	// VoidedRecords returns the records behind an identifier that are voided, of every kind that can be, in the order of their
	// identifiers, at most limit of them. A record that is voided only in part, because somebody edited the database, is among
	// them without a time.
	VoidedRecords(after string, limit int) ([]VoidedRecord, error)
}

// VoidedRecord is a record that was voided.
type VoidedRecord struct {
	ID string
	card.Voiding
}

// What the tables of the business call voided records.
const (
	OpVoid Operation = "void"

	ActionRecordVoided trail.Action = "record_voided"
)

var voidNoun = noun{
	operations: []operationRow{
		{operation: OpVoid, permission: Work, subject: AboutUnit},
	},
	actions: []actionRow{
		{action: ActionRecordVoided}, // of the kinds of records that can be voided
	},
}
