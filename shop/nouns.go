package shop

import (
	"fmt"
	"iter"
	"slices"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// noun is what a noun of the shop declares of itself, in its own file: its kinds of records, what a caller can ask of it, and
// which audit actions tell of it. The tables of records, operations and actions are made of the nouns when the program starts.
// What it needs of a database is an interface beside that, which Tx names. A noun that is only an operation on the records of
// others declares no record.
type noun struct {
	records    []Record
	operations []operationRow
	actions    []actionRow
}

// nouns are all of them. Their order is that of the tables, so of the list of what can be signed: decisions about units come
// first. A noun with a plain table (internal/sqlstore/migrations/table.go) comes behind those that the table refers to.
var nouns = checked([]noun{
	serialNoun, stepStatusNoun, overrideNoun, certificateNoun, noteNoun, fileNoun, holdNoun, nonconformanceNoun, undoNoun,
	reworkNoun, voidNoun, bomNoun, instrumentNoun, externalNoun, pathNoun, characteristicNoun, measurementNoun, baselineNoun,
	jobNoun, ticketNoun, libraryNoun, templateNoun, userNoun, accessNoun,
	signatureNoun, entryNoun, ledgerNoun,
})

// Tx is one transaction: what the operations need of a database, declared noun by noun in the file of each noun. It is
// not safe for concurrent use.
//
// Methods that look one record up return ErrNoRecord when it does not exist. Within Update, what a lookup returned
// stays as it is until the transaction ends. A sequence occupies the transaction until it ends; while one is being read,
// a View may be asked for further records and an Update may not. Slices are empty rather than nil.
type Tx interface {
	Memory
	Counting
	WorkStore

	JobStore
	TicketStore
	PathStore
	SerialStore
	OwnNumberStore
	CardStore
	SelectionStore
	BatchStore
	OverrideStore
	HoldStore
	CertificateStore
	NoteStore
	FileStore
	UploadStore
	VoidStore
	NonconformanceStore
	CommentStore
	BOMStore
	InstrumentStore
	ExternalStore
	CharacteristicStore
	MeasurementStore
	ChartedStore
	BaselineStore
	SamplingStore
	LibraryStore
	UserStore
	SignatureStore
	TemplateStore
	AuditStore
	LedgerStore
}

// rowsOf are the rows that all nouns have in one of the tables.
func rowsOf[Row any](of func(noun) []Row) (rows []Row) {
	for _, n := range nouns {
		rows = append(rows, of(n)...)
	}
	return rows
}

// checked panics, while the program starts, when two nouns declare the same record, prefix, operation or action, or when a row
// names something that no noun declares.
func checked(nouns []noun) []noun {
	declared := map[string]bool{}
	for _, n := range nouns {
		n.declareIn(declared)
	}
	for _, n := range nouns {
		n.refersTo(declared)
	}
	return nouns
}

// declareIn adds what the noun declares, and panics at what is declared already.
func (n noun) declareIn(declared map[string]bool) {
	declare := func(what, name string) {
		if name != "" && declared[what+name] {
			panic(fmt.Sprintf("two nouns declare the %s%s", what, name))
		}
		declared[what+name] = true
	}
	for i := range n.records {
		declare("record ", string(n.records[i].Kind))
		declare("prefix ", n.records[i].Prefix)
		for _, name := range n.records[i].Names {
			declare("name ", string(name))
		}
	}
	for _, row := range n.operations {
		declare("operation ", string(row.operation))
		declared["signed "+string(row.signed)] = true
		if row.permission == "" || row.subject == "" {
			panic(fmt.Sprintf("the operation %s has no permission or no subject", row.operation))
		}
	}
	for i := range n.actions {
		declare("action ", string(n.actions[i].action))
	}
}

// refersTo panics when an action of the noun names what is not declared.
func (n noun) refersTo(declared map[string]bool) {
	for i := range n.actions {
		row := &n.actions[i]
		for _, kind := range row.of {
			if !declared["record "+string(kind)] {
				panic(fmt.Sprintf("%s tells of a %s, which no noun declares", row.action, kind))
			}
		}
		if row.signed != "" && !declared["signed "+string(row.signed)] {
			panic(fmt.Sprintf("%s is signed as %s, and no operation is", row.action, row.signed))
		}
	}
}

// Record is what holds of a kind of record.
type Record struct {
	Kind ident.RecordKind
	// Names are what messages call such a record, the usual name first; none when no message names one.
	Names []refusal.RecordName
	// Prefix begins the identifiers of such records; "" when they have none that Routecard makes here.
	Prefix string
	// Table is where a database keeps them: one row each. It is "" for those that are part of another record.
	Table string
	// Called are the columns of its table with what people call one of them, its name first; none for records that the search does not
	// find. Each has an index by lower(column), from which the newest comes first; empty texts may be left out of it.
	Called []string
	// Detailed is a column of its table with further text that the search looks through, "" for none.
	Detailed string
	// Tagged says that the answer with one of them has an ETag.
	Tagged bool
	// Voidable says that one of them can be struck through. Its table has the columns voided_at, voided_by and void_reason.
	Voidable bool
	// StepColumn is the column of its table that names the step which it is about; "" when it is about none. A step that one of
	// them names stays on its path.
	StepColumn string
	// External says that one of them can have an external identifier in the table of those.
	External bool
	// Compared says that entries of the trail tell what such a record has, and that verification compares it with them. Of a
	// record that is only Voidable it compares whether it is voided.
	Compared bool
	// Told reads what an entry tells of the contents of such a record: its identifier, and the hash of all that it has then. With
	// Kept that is all that verification needs to compare the kind. Both are nil for those that internal/verify compares field by
	// field.
	Told func(*trail.Entry) (id string, contents trail.ContentsSHA256, err error)
	// Kept lists those that a database has.
	Kept func(Tx) iter.Seq2[Kept, error]
}

// Kept is a record that a database has, and the hash of all that it has.
type Kept struct {
	ID       string
	Contents trail.ContentsSHA256
}

// keptOf makes what Kept of a record yields of a list of such records.
func keptOf[T any](listed iter.Seq2[T, error], of func(T) Kept) iter.Seq2[Kept, error] {
	return func(yield func(Kept, error) bool) {
		for record, err := range listed {
			if !yield(of(record), err) {
				return
			}
		}
	}
}

// records has a row for every kind of record: those that the nouns declare, in the order of nouns.
var records = rowsOf(func(n noun) []Record { return n.records })

func named(names ...refusal.RecordName) []refusal.RecordName { return names }

// Records returns what holds of every kind of record. The caller must not change what the rows refer to.
func Records() []Record { return slices.Clone(records) }

// ActionsOf returns the actions of the trail that tell of records of a kind, in the order of the table of actions.
func ActionsOf(k ident.RecordKind) (actions []trail.Action) {
	for i := range actionTable {
		if slices.Contains(actionTable[i].of, k) {
			actions = append(actions, actionTable[i].action)
		}
	}
	return actions
}

// Operation is something that a caller can ask for, by the name that it has in forms and in the addresses of the pages.
// What an operation needs stands in a row that its noun declares, which routes, pages, signatures and Actions read. Those
// that are about a unit (AboutUnit) are judged by Actions.
type Operation string

// OpRead is to read jobs, units, records and the trail. It needs only Read.
const OpRead Operation = "read"

// Subject is a kind of thing that operations are about.
type Subject string

// operationRow is what there is to know about one operation.
type operationRow struct {
	operation  Operation
	permission Permission
	subject    Subject
	signed     SignedOperation // what the signature policy calls it; "" when nobody signs it
	many       bool            // whether a page has a form that does it with many units
	second     Permission      // what a second signer needs; "" when that is what the first one needs
}

// operations is the table of operations: the rows that the nouns declare, in the order of nouns. The signature policy lists
// what can be signed in the order of the table.
var operations = rowsOf(func(n noun) []operationRow { return n.operations })

// Operations returns every operation, in the order of the table.
func Operations() []Operation {
	all := make([]Operation, len(operations))
	for i := range operations {
		all[i] = operations[i].operation
	}
	return all
}

// row is what the table says of an operation. An operation that the table does not have needs a permission that nobody
// has.
func (o Operation) row() operationRow {
	at := slices.IndexFunc(operations, func(row operationRow) bool { return row.operation == o })
	if at < 0 {
		return operationRow{operation: o}
	}
	return operations[at]
}

// Known reports whether there is such an operation.
func (o Operation) Known() bool { return o.row().subject != "" }

// Permission is what a caller needs to ask for the operation. It is "" for an operation that does not exist, which nobody
// may do.
func (o Operation) Permission() Permission { return o.row().permission }

// Signed is what the signature policy calls the operation, "" for one that nobody signs.
func (o Operation) Signed() SignedOperation { return o.row().signed }

// Subject is what the operation is about.
func (o Operation) Subject() Subject { return o.row().subject }

// Noun is the kind of record of the noun that declares the operation, its first one; "" for a noun without records.
func (o Operation) Noun() ident.RecordKind {
	for _, n := range nouns {
		if slices.ContainsFunc(n.operations, func(row operationRow) bool { return row.operation == o }) && len(n.records) > 0 {
			return n.records[0].Kind
		}
	}
	return ""
}

// Many reports whether a page has a form that does the operation with many units.
func (o Operation) Many() bool { return o.row().many }

// actionRow is what holds of an audit action. Whoever needs to know it reads it here.
type actionRow struct {
	action trail.Action
	// of are the kinds of records that the action tells of; none for what happens to the database as a whole.
	of []ident.RecordKind
	// moves says that the action may change where units stand, or what their positions mean.
	moves bool
	// closes says that a unit is no longer in progress after it.
	closes bool
	// signed is the operation that signs the action; "" when nobody has to sign it.
	signed SignedOperation
	// whole says that a change which tells of this action and of others is signed as this one: a disposition also scraps,
	// releases and sends back.
	whole bool
	// access says that the action is about who may do what.
	access bool
}

// actionTable has a row for every audit action: those that the nouns declare, in the order of nouns. The one of a voiding tells
// of every kind of record that can be voided.
var actionTable = func() []actionRow {
	rows := rowsOf(func(n noun) []actionRow { return n.actions })
	at := slices.IndexFunc(rows, func(row actionRow) bool { return row.action == ActionRecordVoided })
	for _, record := range records {
		if record.Voidable {
			rows[at].of = append(rows[at].of, record.Kind)
		}
	}
	return rows
}()

func only(kind ident.RecordKind) []ident.RecordKind { return []ident.RecordKind{kind} }

// actionRows finds the row of an action.
var actionRows = func() map[trail.Action]*actionRow {
	rows := make(map[trail.Action]*actionRow, len(actionTable))
	for i := range actionTable {
		rows[actionTable[i].action] = &actionTable[i]
	}
	return rows
}()

// rowOfAction is what holds of an action. An action that the table does not have, such as one of a later version, tells of no record,
// leaves cards as they are, is not signed, and may have moved anything.
func rowOfAction(a trail.Action) *actionRow {
	if row, known := actionRows[a]; known {
		return row
	}
	return &actionRow{action: a, moves: true}
}

// KindsOf returns the kinds of records that an action tells of, and nothing for an action that is not known. The caller must not
// change the list.
func KindsOf(a trail.Action) []ident.RecordKind { return rowOfAction(a).of }

// TellsOf reports whether an action tells of records of a kind.
func TellsOf(a trail.Action, kind ident.RecordKind) bool {
	return slices.Contains(rowOfAction(a).of, kind)
}

// MovesUnits reports whether an action may change where units stand, or what their positions mean.
func MovesUnits(a trail.Action) bool { return rowOfAction(a).moves }

// ClosesUnits reports whether a unit is no longer in progress after an action.
func ClosesUnits(a trail.Action) bool { return rowOfAction(a).closes }

// SigningOf returns the operation as which an action has to be signed where that is demanded, "" for one that nobody signs.
func SigningOf(a trail.Action) SignedOperation { return rowOfAction(a).signed }

// AboutAccounts reports whether an action tells of people, of their accounts, or of what is demanded of them.
func AboutAccounts(a trail.Action) bool {
	row := rowOfAction(a)
	return row.access || row.signed == SignAccounts || TellsOf(a, RecordUser)
}

// CheckAction refuses an action that no noun declares, as the value of a field.
func CheckAction(a trail.Action, field string) error {
	if _, known := actionRows[a]; !known {
		return refusal.RefuseField(refusal.ActionUnknown, field, string(a))
	}
	return nil
}

// AuditActions returns the audit actions but those about access, in the order of nouns: those of units first.
func AuditActions() []trail.Action { return slices.Collect(actionsAboutAccess(false)) }

// AccessActions returns the audit actions that are about who may do what.
func AccessActions() []trail.Action { return slices.Collect(actionsAboutAccess(true)) }

func actionsAboutAccess(access bool) iter.Seq[trail.Action] {
	return func(yield func(trail.Action) bool) {
		for i := range actionTable {
			if actionTable[i].access == access && !yield(actionTable[i].action) {
				return
			}
		}
	}
}
