package statement

import (
	"encoding/json"
	"fmt"
	"strings"

	"github.com/routecard/routecard/internal/sqlstore/db"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// AuditColumns calls the method for each column's kind, in the order of the audit table, for all columns except sequence, which is the
// identifier. No other code defines this order: every statement that writes or reads whole entries takes its columns from here. Only
// conditions and the sums in counts.go use single columns by name.
func AuditColumns(e *trail.Entry, to columnVisitor) {
	to.Text("action", (*string)(&e.Action))
	to.Text("user_id", &e.UserID)
	to.Number("at", (*int64)(&e.Timestamp))
	to.Serial("serial_number", &e.SerialID)
	to.Text("certificate_id", &e.CertID)
	to.Text("job_id", &e.JobID)
	to.Text("path_id", &e.PathID)
	to.Text("step_id", &e.StepID)
	to.Text("from_step_id", &e.FromStepID)
	to.Text("to_step_id", &e.ToStepID)
	to.Number("batch_quantity", &e.BatchQuantity)
	to.JSON("metadata", &e.Metadata)
	to.Text("actor", &e.Actor)
	to.Text("means", &e.Means)
}

// AuditWidth is the number of columns.
const AuditWidth = 14

// columnVisitor receives columns, each with a pointer to its value in an entry.
type columnVisitor interface {
	Text(column string, value *string)
	Number(column string, value *int64)
	Serial(column string, id *string)           // a number in the database, 0 for none
	JSON(column string, value *json.RawMessage) // a text in the database, "" for none
}

// columnList builds the list of columns of a statement, calling onText or onNumber for each column.
type columnList struct { //nolint:recvcheck // String reads what the others write
	b          strings.Builder
	arguments  int // the number of arguments so far
	onText     func(column string, argument int) string
	onNumber   func(column string, argument int) string
	fromSerial string // expression for the serial; if it is "", the serial is an argument
}

func (l *columnList) add(text string) {
	if l.b.Len() > 0 {
		l.b.WriteString(", ")
	}
	l.b.WriteString(text)
}

func (l *columnList) Text(column string, _ *string) {
	l.arguments++
	l.add(l.onText(column, l.arguments))
}

func (l *columnList) Number(column string, _ *int64) {
	l.arguments++
	l.add(l.onNumber(column, l.arguments))
}

func (l *columnList) Serial(column string, _ *string) {
	if l.fromSerial != "" {
		l.add(l.fromSerial)
		return
	}
	l.Number(column, nil)
}

func (l *columnList) JSON(column string, _ *json.RawMessage) { l.Text(column, nil) }

// listed returns the list of all columns.
func (l columnList) listed() string {
	AuditColumns(&trail.Entry{}, &l)
	return l.b.String()
}

func columnItself(column string, _ int) string { return column }

func argumentAs(format string) func(string, int) string {
	return func(_ string, argument int) string { return fmt.Sprintf(format, argument) }
}

// The lists of columns in statements.
var (
	AuditNames = columnList{onText: columnItself, onNumber: columnItself}.listed()
	// auditOfRun reads the numbers of the serials from a table.
	auditOfRun = columnList{
		onText: argumentAs("$%d"), onNumber: argumentAs("CAST($%d AS bigint)"), fromSerial: "number",
	}.listed()
	AuditArrays = columnList{onText: argumentAs("$%d::text[]"), onNumber: argumentAs("$%d::bigint[]")}.listed()
)

// These are the most frequent statements.
var (
	SelectAudit      = `SELECT sequence, ` + AuditNames + ` FROM audit`
	SelectAuditAfter = SelectAudit + ` WHERE sequence > $1 ORDER BY sequence LIMIT $2`
	insertAudit      = `INSERT INTO audit (` + AuditNames + `) VALUES`
	insertOneAudit   = insertAudit + ` (` + db.PlaceholderList(1, AuditWidth) + `)`
	insertAuditRun   = `INSERT INTO audit (` + AuditNames + `) SELECT ` + auditOfRun + fmt.Sprintf(`
		FROM serial WHERE number BETWEEN $%d AND $%d ORDER BY number`, AuditWidth, AuditWidth+1)
)

// argumentList collects the values of entries as arguments of a statement.
type argumentList struct {
	args     []any
	prefix   ident.Prefix
	noSerial bool // serial numbers are no arguments, because the statement reads them from a table
}

func (l *argumentList) Text(_ string, value *string)  { l.args = append(l.args, *value) }
func (l *argumentList) Number(_ string, value *int64) { l.args = append(l.args, *value) }

func (l *argumentList) Serial(_ string, id *string) {
	if !l.noSerial {
		l.args = append(l.args, NumberOf(l.prefix, *id))
	}
}

func (l *argumentList) JSON(_ string, value *json.RawMessage) {
	l.args = append(l.args, string(*value))
}

// NumberOf converts a serial id to the value of its column; 0 for none.
func NumberOf(prefix ident.Prefix, serialID string) int64 {
	if serialID == "" {
		return 0
	}
	number, _ := prefix.ParseSerialID(serialID)
	return number
}

// AuditArgs returns the values of entries as arguments: all columns of the first entry, then those of the next.
func AuditArgs(prefix ident.Prefix, entries []trail.Entry) []any {
	list := argumentList{prefix: prefix, args: make([]any, 0, AuditWidth*len(entries))}
	for i := range entries {
		AuditColumns(&entries[i], &list)
	}
	return list.args
}

// placeList collects pointers to the variables for the values of a row.
type placeList struct {
	places       []any
	serialNumber *int64
	metadata     *string
}

func (l *placeList) Text(_ string, value *string)  { l.places = append(l.places, value) }
func (l *placeList) Number(_ string, value *int64) { l.places = append(l.places, value) }
func (l *placeList) Serial(string, *string)        { l.places = append(l.places, l.serialNumber) }
func (l *placeList) JSON(string, *json.RawMessage) { l.places = append(l.places, l.metadata) }
