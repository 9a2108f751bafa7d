package lists

import (
	"fmt"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/replay"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

type trailReader struct{ *db.Core }

func (t trailReader) SearchAudit(query views.AuditQuery, after, before, limit int64) (
	entries []trail.Entry, cut bool, err error,
) {
	var c db.Conditions
	c.Add(`sequence > ? AND sequence < ?`, after, before)
	if query.SerialID != "" {
		number, ok := t.Prefix.ParseSerialID(query.SerialID)
		if !ok {
			return []trail.Entry{}, false, nil
		}
		c.Add(`serial_number <> 0 AND serial_number = ?`, number)
	}
	if query.JobID != "" {
		c.Add(`job_id <> '' AND job_id = ?`, query.JobID)
	}
	if query.Action != "" {
		narrowTelling(&c, shop.TellingOf(query.Action))
	}
	if query.UserID != "" {
		c.Add(`user_id = ?`, query.UserID)
	}
	if query.From != 0 {
		c.Add(`at >= ?`, int64(query.From))
	}
	if query.Until != 0 {
		c.Add(`at < ?`, int64(query.Until))
	}
	found, cut, err := db.Page(t, statement.ScanEntries(t.Prefix), statement.SelectAudit+c.Where()+
		fmt.Sprintf(` ORDER BY sequence DESC LIMIT $%d`, len(c.Args)+1), append(c.Args, limit)...)
	entries, err = statement.EntriesOf(found, err)
	return entries, cut, err
}

// SequencesOfSerial reads only the index.
func (t trailReader) SequencesOfSerial(serialID string, limit int) ([]int64, error) {
	number, ok := t.Prefix.ParseSerialID(serialID)
	if !ok {
		return nil, nil
	}
	return db.All(t, db.Scalar[int64], `SELECT sequence FROM audit
		WHERE serial_number = $1 AND serial_number <> 0 ORDER BY sequence LIMIT $2`, number, limit)
}

// narrowTelling adds the condition that an entry is of one of the given kinds.
func narrowTelling(c *db.Conditions, kinds []shop.Telling) {
	texts, args := make([]string, len(kinds)), make([]any, len(kinds))
	for i, kind := range kinds {
		texts[i], args[i] = `action = ?`, string(kind.Action)
		if kind.ToNone {
			texts[i] = `action = ? AND to_step_id = ''`
		}
	}
	c.Add(`(`+strings.Join(texts, ` OR `)+`)`, args...)
}

func (t trailReader) UndoneOf(serialIDs []string) ([]trail.Entry, error) {
	numbers := make([]int64, 0, len(serialIDs))
	for _, id := range serialIDs {
		if number, ok := t.Prefix.ParseSerialID(id); ok {
			numbers = append(numbers, number)
		}
	}
	undone := []trail.Entry{}
	for chunk := range db.Chunks(numbers) {
		placeholders, args := db.InList(2, chunk)
		found, err := db.All(t, statement.ScanEntries(t.Prefix), statement.SelectAudit+`
			WHERE serial_number IN (`+placeholders+`) AND serial_number <> 0 AND action = $1`,
			append([]any{string(replay.ActionChangeUndone)}, args...)...)
		if err != nil {
			return nil, err
		}
		for _, row := range found {
			undone = append(undone, row.Entry)
		}
	}
	return undone, nil
}
