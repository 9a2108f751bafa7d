package statement

import (
	"encoding/json"
	"iter"
	"slices"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
)

type notes struct{ *db.Core }

const noteColumns = `n.id, n.job_id, n.path_id, n.step_id, n.serial_ids, n.text, n.created_by, n.created_at,
	n.pushed_to_tracker, n.tracker_comment_id, n.salt, n.voided_at, n.voided_by, n.void_reason`

func scanNote(r db.Rows) (n shop.Note, err error) {
	var serialIDs string
	if err := r.Scan(&n.ID, &n.JobID, &n.PathID, &n.StepID, &serialIDs, &n.Text, &n.CreatedBy, &n.CreatedAt,
		&n.PushedToTracker, &n.TrackerCommentID, &n.Salt, &n.VoidedAt, &n.VoidedBy, &n.VoidReason); err != nil {
		return n, err
	}
	if wrong := json.Unmarshal([]byte(serialIDs), &n.SerialIDs); wrong != nil {
		err = &shop.UnreadableError{Table: "note", ID: n.ID, Err: wrong}
	}
	return n, err
}

func (t notes) InsertNote(n shop.Note) error {
	serialIDs, err := json.Marshal(n.SerialIDs)
	if err != nil {
		return err
	}
	if err := lockStep(t.Core, n.StepID); err != nil {
		return err
	}
	if err := db.Run(t, `INSERT INTO note (id, job_id, path_id, step_id, serial_ids, text, created_by, created_at,
		pushed_to_tracker, tracker_comment_id, salt) VALUES ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11)`,
		n.ID, n.JobID, n.PathID, n.StepID, string(serialIDs), n.Text, n.CreatedBy, int64(n.CreatedAt),
		n.PushedToTracker, n.TrackerCommentID, n.Salt); err != nil {
		return err
	}
	if len(n.SerialIDs) == 0 {
		return nil
	}
	// The list is sorted as the index is. With an unsorted long list, each item would modify another page of the index.
	names, err := json.Marshal(slices.Compact(slices.Sorted(slices.Values(n.SerialIDs))))
	if err != nil {
		return err
	}
	return db.Run(t, `INSERT INTO note_serial (serial_id, note_id) SELECT value, $2 FROM `+t.elements("$1"), string(names), n.ID)
}

// elements returns a table expression. Its column value has the texts of a JSON list.
func (t notes) elements(list string) string {
	if t.Lock != "" {
		return `json_array_elements_text(` + list + `) AS list (value)`
	}
	return `json_each(` + list + `)`
}

func (t notes) Note(id string) (shop.Note, error) {
	return db.One(t, scanNote, `SELECT `+noteColumns+` FROM note n WHERE n.id = $1`+t.Lock, id)
}

func (t notes) VoidNote(id string, v card.Voiding) error {
	return db.ExpectOne(t, `UPDATE note SET voided_at = $2, voided_by = $3, void_reason = $4 WHERE id = $1 AND voided_at = 0`,
		id, int64(v.VoidedAt), v.VoidedBy, v.VoidReason)
}

func (t notes) MarkNotePushed(id, commentID string, at ident.Timestamp) error {
	return db.ExpectOne(t, `UPDATE note SET pushed_to_tracker = $2, tracker_comment_id = $3, pushed_at = $4 WHERE id = $1`,
		id, true, commentID, int64(at))
}

func (t notes) NotesOfSerial(serialID string) iter.Seq2[shop.Note, error] {
	return db.Readable(t.Core, db.Pages(func(last db.Listed[shop.Note], _ bool, limit int) ([]db.Listed[shop.Note], bool, error) {
		return db.Page(t, db.Lenient(scanNote), `SELECT `+noteColumns+` FROM note_serial s JOIN note n ON n.id = s.note_id
			WHERE s.serial_id = $1 AND s.note_id > $2 ORDER BY s.note_id LIMIT $3`, serialID, last.Record.ID, limit)
	}))
}

func (t notes) Notes() iter.Seq2[shop.Note, error] {
	return db.Readable(t.Core, db.Pages(func(last db.Listed[shop.Note], _ bool, limit int) ([]db.Listed[shop.Note], bool, error) {
		return db.Page(t, db.Lenient(scanNote), `SELECT `+noteColumns+` FROM note n WHERE n.id > $1 ORDER BY n.id LIMIT $2`,
			last.Record.ID, limit)
	}))
}

func (t notes) NotesOfStep(stepID string) iter.Seq2[shop.Note, error] {
	return db.Readable(t.Core, db.Pages(func(last db.Listed[shop.Note], _ bool, limit int) ([]db.Listed[shop.Note], bool, error) {
		return db.Page(t, db.Lenient(scanNote), `SELECT `+noteColumns+` FROM note n
			WHERE n.step_id = $1 AND n.id > $2 ORDER BY n.id LIMIT $3`, stepID, last.Record.ID, limit)
	}))
}
