package sqlstore

import (
	"encoding/json"

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
