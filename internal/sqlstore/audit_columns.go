package sqlstore

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// auditColumns hands the columns of the audit table to a function for their kind, in their order: all but sequence, which is
// the identifier. It is the one place that has the order: every statement that writes or reads whole entries takes its columns
// from here. Conditions, and the sums of counts.go, name single columns.
func auditColumns(e *trail.Entry, to columnVisitor) {
	to.text("action", (*string)(&e.Action))
	to.text("user_id", &e.UserID)
	to.number("at", (*int64)(&e.Timestamp))
	to.serial("serial_number", &e.SerialID)
	to.text("certificate_id", &e.CertID)
	to.text("job_id", &e.JobID)
	to.text("path_id", &e.PathID)
	to.text("step_id", &e.StepID)
	to.text("from_step_id", &e.FromStepID)
	to.text("to_step_id", &e.ToStepID)
	to.number("batch_quantity", &e.BatchQuantity)
	to.json("metadata", &e.Metadata)
	to.text("actor", &e.Actor)
	to.text("means", &e.Means)
}

// auditWidth is how many columns there are.
const auditWidth = 14

// columnVisitor takes columns, each with the place of its value in an entry.
type columnVisitor interface {
	text(column string, value *string)
	number(column string, value *int64)
	serial(column string, id *string)           // a number in the database, 0 for none
	json(column string, value *json.RawMessage) // a text in the database, "" for none
}

// columnList builds the list of columns of a statement, calling onText or onNumber for each column.
type columnList struct { //nolint:recvcheck // String reads what the others write
	b          strings.Builder
	arguments  int // so far
	onText     func(column string, argument int) string
	onNumber   func(column string, argument int) string
	fromSerial string // what stands for the serial, which is no argument then; "" when it is one
}

func (l *columnList) add(text string) {
	if l.b.Len() > 0 {
		l.b.WriteString(", ")
	}
	l.b.WriteString(text)
}

func (l *columnList) text(column string, _ *string) {
	l.arguments++
	l.add(l.onText(column, l.arguments))
}

func (l *columnList) number(column string, _ *int64) {
	l.arguments++
	l.add(l.onNumber(column, l.arguments))
}

func (l *columnList) serial(column string, _ *string) {
	if l.fromSerial != "" {
		l.add(l.fromSerial)
		return
	}
	l.number(column, nil)
}

func (l *columnList) json(column string, _ *json.RawMessage) { l.text(column, nil) }

// listed is the list of all columns.
func (l columnList) listed() string {
	auditColumns(&trail.Entry{}, &l)
	return l.b.String()
}

func columnItself(column string, _ int) string { return column }

func argumentAs(format string) func(string, int) string {
	return func(_ string, argument int) string { return fmt.Sprintf(format, argument) }
}

// The lists of columns that statements have.
var (
	auditNames = columnList{onText: columnItself, onNumber: columnItself}.listed()
	// auditOfRun takes the numbers of the serials out of a table.
	auditOfRun = columnList{
		onText: argumentAs("$%d"), onNumber: argumentAs("CAST($%d AS bigint)"), fromSerial: "number",
	}.listed()
	auditArrays = columnList{onText: argumentAs("$%d::text[]"), onNumber: argumentAs("$%d::bigint[]")}.listed()
)

// The statements that are in use all day.
var (
	selectAudit      = `SELECT sequence, ` + auditNames + ` FROM audit`
	selectAuditAfter = selectAudit + ` WHERE sequence > $1 ORDER BY sequence LIMIT $2`
	insertAudit      = `INSERT INTO audit (` + auditNames + `) VALUES`
	insertOneAudit   = insertAudit + ` (` + placeholderList(1, auditWidth) + `)`
	insertNextAudit  = `INSERT INTO audit (sequence, ` + auditNames + `)
		VALUES (` + nextSequence + `1, ` + placeholderList(1, auditWidth) + `)`
	insertAuditRun = `INSERT INTO audit (` + auditNames + `) SELECT ` + auditOfRun + fmt.Sprintf(`
		FROM serial WHERE number BETWEEN $%d AND $%d ORDER BY number`, auditWidth, auditWidth+1)
	insertAuditArrays = `INSERT INTO audit (sequence, ` + auditNames + `) SELECT ` + nextSequence + `place, ` + auditNames + `
		FROM unnest(` + auditArrays + `) WITH ORDINALITY AS new (` + auditNames + `, place)`
)

// argumentList collects the values of entries as arguments of a statement.
type argumentList struct {
	args     []any
	noSerial bool // the statement reads serial numbers from a table: they are no arguments
}

func (l *argumentList) text(_ string, value *string)  { l.args = append(l.args, *value) }
func (l *argumentList) number(_ string, value *int64) { l.args = append(l.args, *value) }

func (l *argumentList) serial(_ string, id *string) {
	if !l.noSerial {
		l.args = append(l.args, numberOf(*id))
	}
}

func (l *argumentList) json(_ string, value *json.RawMessage) {
	l.args = append(l.args, string(*value))
}

// numberOf converts a serial id to the value of its column; 0 for none.
func numberOf(serialID string) int64 {
	if serialID == "" {
		return 0
	}
	number, _ := ident.ParseSerialID(serialID)
	return number
}

// auditArgs are the values of entries, column by column and entry by entry.
func auditArgs(entries []trail.Entry) []any {
	list := argumentList{args: make([]any, 0, auditWidth*len(entries))}
	for i := range entries {
		auditColumns(&entries[i], &list)
	}
	return list.args
}

// arrayList collects the values of entries as an array for each column.
type arrayList struct {
	texts   [auditWidth][]string
	numbers [auditWidth][]int64
	column  int
	rows    int
}

// auditArrayArgs are the values of entries as the arguments of insertAuditArrays.
func auditArrayArgs(entries []trail.Entry) []any {
	list := arrayList{rows: len(entries)}
	for i := range entries {
		list.column = 0
		auditColumns(&entries[i], &list)
	}
	args := make([]any, auditWidth)
	for i := range args {
		if args[i] = list.texts[i]; list.texts[i] == nil {
			args[i] = list.numbers[i]
		}
	}
	return args
}

func (l *arrayList) text(_ string, value *string)          { appendIn(&l.texts, l, *value) }
func (l *arrayList) number(_ string, value *int64)         { appendIn(&l.numbers, l, *value) }
func (l *arrayList) serial(_ string, id *string)           { appendIn(&l.numbers, l, numberOf(*id)) }
func (l *arrayList) json(_ string, value *json.RawMessage) { appendIn(&l.texts, l, string(*value)) }

func appendIn[T any](arrays *[auditWidth][]T, l *arrayList, value T) {
	if arrays[l.column] == nil {
		arrays[l.column] = make([]T, 0, l.rows)
	}
	arrays[l.column] = append(arrays[l.column], value)
	l.column++
}

// placeList collects where the values of a row are to be put.
type placeList struct {
	places       []any
	serialNumber *int64
	metadata     *string
}

func (l *placeList) text(_ string, value *string)  { l.places = append(l.places, value) }
func (l *placeList) number(_ string, value *int64) { l.places = append(l.places, value) }
func (l *placeList) serial(string, *string)        { l.places = append(l.places, l.serialNumber) }
func (l *placeList) json(string, *json.RawMessage) { l.places = append(l.places, l.metadata) }
