package sqlstore

import (
	"fmt"
	"iter"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

func (t *transaction) SearchAudit(query views.AuditQuery, after, before, limit int64) (
	entries []trail.Entry, cut bool, err error,
) {
	var c conditions
	c.add(`sequence > ? AND sequence < ?`, after, before)
	if query.SerialID != "" {
		number, ok := ident.ParseSerialID(query.SerialID)
		if !ok {
			return []trail.Entry{}, false, nil
		}
		c.add(`serial_number <> 0 AND serial_number = ?`, number)
	}
	if query.JobID != "" {
		c.add(`job_id <> '' AND job_id = ?`, query.JobID)
	}
	if query.Action != "" {
		c.addTelling(shop.TellingOf(query.Action))
	}
	if query.UserID != "" {
		c.add(`user_id = ?`, query.UserID)
	}
	if query.From != 0 {
		c.add(`at >= ?`, int64(query.From))
	}
	if query.Until != 0 {
		c.add(`at < ?`, int64(query.Until))
	}
	found, cut, err := page(t, scanEntries(), selectAudit+c.where()+
		fmt.Sprintf(` ORDER BY sequence DESC LIMIT $%d`, len(c.args)+1), append(c.args, limit)...)
	entries, err = entriesOf(found, err)
	return entries, cut, err
}

// SequencesOfSerial reads nothing but the index.
func (t *transaction) SequencesOfSerial(serialID string, limit int) ([]int64, error) {
	number, ok := ident.ParseSerialID(serialID)
	if !ok {
		return nil, nil
	}
	return all(t, scalar[int64], `SELECT sequence FROM audit
		WHERE serial_number = $1 AND serial_number <> 0 ORDER BY sequence LIMIT $2`, number, limit)
}

// addTelling adds that an entry is of one of some kinds.
func (c *conditions) addTelling(kinds []shop.Telling) {
	texts, args := make([]string, len(kinds)), make([]any, len(kinds))
	for i, kind := range kinds {
		texts[i], args[i] = `action = ?`, string(kind.Action)
		if kind.ToNone {
			texts[i] = `action = ? AND to_step_id = ''`
		}
	}
	c.add(`(`+strings.Join(texts, ` OR `)+`)`, args...)
}

// What the trail tells of names and beginnings is found by an index of its own, audit_told, which has only these
// actions. SQLite takes it for statements that say so in its own words.
const told = `(action = 'serial_created' OR action = 'path_updated' OR action = 'path_deleted' OR action = 'user_changed')`

func (t *transaction) CreationsAt(pathID string, at ident.Timestamp) ([]trail.Entry, error) {
	return entriesOf(all(t, scanEntries(), selectAudit+`
		WHERE `+told+` AND action = 'serial_created' AND path_id = $1 AND at = $2 ORDER BY sequence`, pathID, int64(at)))
}

func (t *transaction) ChangesOfPath(pathID string) iter.Seq2[trail.Entry, error] {
	return auditEntries(pages(func(last auditRow, _ bool, limit int) ([]auditRow, bool, error) {
		return page(t, scanEntries(), selectAudit+`
			WHERE `+told+` AND action IN ('path_updated', 'path_deleted') AND path_id = $1 AND sequence > $2
			ORDER BY sequence LIMIT $3`, pathID, last.sequence, limit)
	}))
}

func (t *transaction) ChangesOfUsers() iter.Seq2[trail.Entry, error] {
	return auditEntries(pages(func(last auditRow, _ bool, limit int) ([]auditRow, bool, error) {
		return page(t, scanEntries(), selectAudit+`
			WHERE `+told+` AND action = 'user_changed' AND sequence > $1 ORDER BY sequence LIMIT $2`, last.sequence, limit)
	}))
}
