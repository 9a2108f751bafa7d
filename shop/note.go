package shop

import (
	"context"
	"errors"
	"iter"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// Note is the contract's StepNote: an observation about serials at a step. Its text never changes, not even when the note is voided.
type Note struct {
	ID               string          `json:"id"`
	JobID            string          `json:"jobId"`
	PathID           string          `json:"pathId"`
	StepID           string          `json:"stepId"`
	SerialIDs        []string        `json:"serialIds"`
	Text             string          `json:"text"`
	CreatedBy        string          `json:"createdBy"`
	CreatedAt        ident.Timestamp `json:"createdAt"`
	PushedToTracker  bool            `json:"pushedToTracker"`
	TrackerCommentID string          `json:"trackerCommentId,omitempty"`
	Salt             string          `json:"-"` // see Contents; "" for a note from before salts were introduced
	card.Voiding
}

// CreateNoteInput is the body of Create Note.
type CreateNoteInput struct {
	JobID     input.TextInput  `field:"jobId"`
	PathID    input.TextInput  `field:"pathId"`
	StepID    input.TextInput  `field:"stepId"`
	SerialIDs input.TextsInput `field:"serialIds"`
	Text      input.TextInput  `field:"text"`
	UserID    input.TextInput  `field:"userId"`
}

// check validates text and serialIds first, as the contract's error table lists them, then the other fields, then the user.
func (in CreateNoteInput) check(caller Caller) (note Note, err error) {
	if in.Text.State == input.StateGiven {
		in.Text.Value = strings.TrimSpace(in.Text.Value)
	}
	if note.Text, err = input.RequiredWithin("text", in.Text, input.TextLimit, refusal.Required); err != nil {
		return note, err
	}
	if note.SerialIDs, err = input.RequiredItems("serialIds", in.SerialIDs, refusal.Required); err != nil {
		return note, err
	}
	if note.JobID, err = input.RequiredName("jobId", in.JobID); err != nil {
		return note, err
	}
	if note.PathID, err = input.RequiredName("pathId", in.PathID); err != nil {
		return note, err
	}
	if note.StepID, err = input.RequiredName("stepId", in.StepID); err != nil {
		return note, err
	}
	note.CreatedBy, err = requiredUser(caller, in.UserID)
	return note, err
}

// CreateNote records an observation. The serials and the step to which it refers are stored as given and need not exist.
func (s *Service) CreateNote(ctx context.Context, in CreateNoteInput) (Note, error) {
	note, err := in.check(CallerOf(ctx))
	if err != nil {
		return Note{}, err
	}
	if err := takeMemoryFor(ctx, len(note.SerialIDs)); err != nil {
		return Note{}, err
	}
	err = s.Commit(ctx, &note, func(tx Tx) error {
		if err := refuseUnreadNoted(ctx, tx, note.SerialIDs); err != nil {
			return err
		}
		note.ID = s.NewID(prefixNote)
		note.CreatedAt = s.Now()
		note.Salt = trail.Salted("")
		if err := tx.InsertNote(note); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionNoteCreated, UserID: note.CreatedBy, Timestamp: note.CreatedAt,
			JobID: note.JobID, PathID: note.PathID, StepID: note.StepID,
			Metadata: trail.Metadata(NoteMetadata{note.ID, note.Contents()}),
		})
	}, aloneIf(len(note.SerialIDs))...)
	return note, err
}

// refuseUnreadNoted refuses a note on a unit that differs from what the caller read, and a note on several units if the caller read a
// single unit.
func refuseUnreadNoted(ctx context.Context, tx Tx, serialIDs []string) error {
	if ctx.Value(matchKey{}) == nil {
		return nil
	}
	if len(serialIDs) != 1 {
		return refusal.Refuse(refusal.MatchOfMany)
	}
	err := refuseUnreadUnit(ctx, tx, serialIDs[0])
	if errors.Is(err, ErrNoRecord) {
		err = refusal.Refuse(refusal.RecordChanged, string(NameSerialNumber), serialIDs[0])
	}
	return err
}

// NoteMetadata is the metadata of the entry about a new note.
type NoteMetadata struct {
	NoteID   string               `json:"noteId"`
	Contents trail.ContentsSHA256 `json:"contentsSha256"`
}

// NotesOfSerial yields the notes on a serial, oldest first. It yields nothing for an unknown serial.
func (s *Service) NotesOfSerial(ctx context.Context, serialID string) iter.Seq2[Note, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[Note, error] { return tx.NotesOfSerial(serialID) })
}

// NotesOfStep yields the notes on a step, oldest first. It yields nothing for an unknown step.
func (s *Service) NotesOfStep(ctx context.Context, stepID string) iter.Seq2[Note, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[Note, error] { return tx.NotesOfStep(stepID) })
}

// NoteStore lists the database operations for notes.
type NoteStore interface {
	InsertNote(note Note) error
	Note(id string) (Note, error)
	MarkNotePushed(id, commentID string, at ident.Timestamp) error
	NotesOfSerial(serialID string) iter.Seq2[Note, error] // oldest first
	NotesOfStep(stepID string) iter.Seq2[Note, error]     // oldest first
	Notes() iter.Seq2[Note, error]                        // oldest first
}

// Contents is the SHA-256 of the contents that the note's entry records. It is "" for a note without a salt: its entry has no hash.
func (n *Note) Contents() trail.ContentsSHA256 {
	if n.Salt == "" {
		return ""
	}
	return trail.ContentsOf(struct {
		ID        string          `json:"id"`
		JobID     string          `json:"jobId"`
		PathID    string          `json:"pathId"`
		StepID    string          `json:"stepId"`
		SerialIDs []string        `json:"serialIds"`
		Text      string          `json:"text"`
		CreatedBy string          `json:"createdBy"`
		CreatedAt ident.Timestamp `json:"createdAt"`
		Salt      string          `json:"salt"`
	}{n.ID, n.JobID, n.PathID, n.StepID, n.SerialIDs, n.Text, n.CreatedBy, n.CreatedAt, n.Salt})
}

// Names of notes in the tables of records, operations and actions.
const (
	RecordNote ident.RecordKind = "note"

	NameNote refusal.RecordName = "Note"

	prefixNote = "note_"

	OpNote Operation = "note"

	ActionNoteCreated trail.Action = "note_created"
)

// Reasons to refuse a note.
var (
	NoteVoided = refusal.NewReason(refusal.Invalid, "already_voided", "Note is already voided")
)

var noteNoun = noun{
	records: []Record{
		{
			Kind: RecordNote, Names: named(NameNote), Prefix: prefixNote, Table: "note",
			Voidable: true, StepColumn: "step_id", Compared: true,
		},
	},
	operations: []operationRow{
		{operation: OpNote, permission: Work, subject: AboutUnit, many: true},
	},
	actions: []actionRow{
		{action: ActionNoteCreated, of: only(RecordNote)},
	},
}
