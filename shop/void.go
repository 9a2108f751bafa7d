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

// VoidedMetadata is the metadata of an entry about a voided record.
type VoidedMetadata struct {
	RecordID string `json:"recordId"`
	Reason   string `json:"reason"`
}

// VoidNote voids a note: it no longer counts, and is kept with the reason.
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

// VoidAttachment voids a certificate's attachment to a serial: it no longer counts, so the certificate can be attached again. The record
// is kept with the reason.
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
		entry.CertID, entry.Metadata = attachment.CertificateID, trail.Metadata(VoidedMetadata{id, attachment.VoidReason})
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

	ActionRecordVoided trail.Action = "record_voided"
)

var voidNoun = noun{
	operations: []operationRow{
		{operation: OpVoid, permission: Work, subject: AboutUnit},
	},
	actions: []actionRow{
		{action: ActionRecordVoided}, // for all voidable kinds of records
	},
}
