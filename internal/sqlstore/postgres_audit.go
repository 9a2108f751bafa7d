package sqlstore

import (
	"encoding/json"
	"fmt"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/internal/sqlstore/statement"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// The statements that add entries to the trail.
var (
	insertNextAudit = `INSERT INTO audit (sequence, ` + statement.AuditNames + `)
		VALUES (` + nextSequence + `1, ` + db.PlaceholderList(1, statement.AuditWidth) + `)`
	insertAuditArrays = `INSERT INTO audit (sequence, ` + statement.AuditNames + `)
		SELECT ` + nextSequence + `place, ` + statement.AuditNames + `
		FROM unnest(` + statement.AuditArrays + `) WITH ORDINALITY AS new (` + statement.AuditNames + `, place)`
)

// The statements that add the entries of changes of expected cards. They fail if a path has changed since the rules ran, or if the card of
// a serial has more parts than its row. They run when the transaction has its turn and has locked the serials. Every transaction that adds
// to a card locks its serial.
var (
	insertExpectedAudit = `INSERT INTO audit (sequence, ` + statement.AuditNames + `)
		SELECT ` + nextSequence + `1, ` + db.PlaceholderList(1, statement.AuditWidth) + unlessChanged(
		`(SELECT revision FROM path WHERE id = $%d) IS DISTINCT FROM $%d`, `= $%d`)
	insertExpectedAudits = insertAuditArrays + unlessChanged(
		`EXISTS (SELECT 1 FROM unnest($%d::text[], $%d::text[])`+unequalPaths+`)`, `= ANY ($%d)`)
)

func unlessChanged(pathsChanged, ofSerials string) string {
	const last = statement.AuditWidth
	of := `serial_number ` + fmt.Sprintf(ofSerials, last+3)
	return ` WHERE (SELECT decide_again() WHERE ` + fmt.Sprintf(pathsChanged, last+1, last+2) + `
		OR EXISTS (SELECT 1 FROM step_exception WHERE ` + of + `)
		OR EXISTS (SELECT 1 FROM step_override WHERE ` + of + ` AND active)
		OR EXISTS (SELECT 1 FROM hold WHERE ` + of + ` AND released_at = 0)
		OR EXISTS (SELECT 1 FROM shipment_line WHERE ` + of + ` AND settled_at = 0)) IS NULL`
}

// arrayList collects the values of entries, with one array for each column.
type arrayList struct {
	prefix  ident.Prefix
	texts   [statement.AuditWidth][]string
	numbers [statement.AuditWidth][]int64
	column  int
	rows    int
}

// auditArrayArgs returns the values of entries as the arguments of insertAuditArrays.
func auditArrayArgs(prefix ident.Prefix, entries []trail.Entry) []any {
	list := arrayList{prefix: prefix, rows: len(entries)}
	for i := range entries {
		list.column = 0
		statement.AuditColumns(&entries[i], &list)
	}
	args := make([]any, statement.AuditWidth)
	for i := range args {
		if args[i] = list.texts[i]; list.texts[i] == nil {
			args[i] = list.numbers[i]
		}
	}
	return args
}

func (l *arrayList) Text(_ string, value *string)  { appendIn(&l.texts, l, *value) }
func (l *arrayList) Number(_ string, value *int64) { appendIn(&l.numbers, l, *value) }
func (l *arrayList) Serial(_ string, id *string) {
	appendIn(&l.numbers, l, statement.NumberOf(l.prefix, *id))
}
func (l *arrayList) JSON(_ string, value *json.RawMessage) { appendIn(&l.texts, l, string(*value)) }

func appendIn[T any](arrays *[statement.AuditWidth][]T, l *arrayList, value T) {
	if arrays[l.column] == nil {
		arrays[l.column] = make([]T, 0, l.rows)
	}
	arrays[l.column] = append(arrays[l.column], value)
	l.column++
}

// nextSequence is the number after the last committed entry, so that a failed transaction leaves no gap.
const nextSequence = `COALESCE((SELECT MAX(sequence) FROM audit), 0) + `
