package shop

import (
	"fmt"
	"iter"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// noun declares the kinds of records, the operations and the audit actions of one noun of the shop, in the noun's own file. The tables of
// records, operations and actions are built from the nouns when the program starts. The file also declares the database operations of the
// noun as an interface, which Tx embeds. A noun that only has operations on the records of other nouns declares no record.
type noun struct {
	records    []Record
	operations []operationRow
	actions    []actionRow
}

// nouns lists all nouns. Their order is the order of the tables, and therefore of the list of operations that can be signed: decisions
// about units come first. A noun with a plain table (internal/sqlstore/migrations/table.go) follows the nouns whose tables it refers to.
var nouns = checked([]noun{
	serialNoun, stepStatusNoun, overrideNoun, certificateNoun, noteNoun, fileNoun, holdNoun, nonconformanceNoun, undoNoun,
	reworkNoun, voidNoun, bomNoun, lotNoun, instrumentNoun, externalNoun, pathNoun, characteristicNoun, requirementNoun,
	measurementNoun, componentNoun, shipmentNoun, conformanceNoun, firstArticleNoun, baselineNoun, jobNoun, ticketNoun, libraryNoun,
	templateNoun, userNoun, accessNoun,
	signatureNoun, organizationNoun, noticesNoun, entryNoun, ledgerNoun,
})

// Tx is one transaction: the database operations of all nouns, declared in the file of each noun. It is not safe for concurrent use.
//
// Methods that look up one record return ErrNoRecord if it does not exist. Within Update, a record that a lookup returned does not change
// until the transaction ends. A sequence occupies the transaction until it ends; meanwhile a View may read further records and an Update
// may not. Slices are empty rather than nil.
type Tx interface {
	Prefixed
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
	LotStore
	InstrumentStore
	ExternalStore
	CharacteristicStore
	RequirementStore
	MeasurementStore
	ComponentStore
	ShipmentStore
	ConformanceStore
	FirstArticleStore
	GenealogyStore
	ChartedStore
	BaselineStore
	SamplingStore
	LibraryStore
	UserStore
	LanguageStore
	SignatureStore
	OrganizationStore
	NoticeStore
	TemplateStore
	AuditStore
	LedgerStore
}

// rowsOf returns the rows of all nouns for one table.
func rowsOf[Row any](of func(noun) []Row) (rows []Row) {
	for _, n := range nouns {
		rows = append(rows, of(n)...)
	}
	return rows
}

// checked panics at program start if two nouns declare the same record, prefix, operation or action, or if a row refers to something that
// no noun declares.
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

// declareIn adds the declarations of the noun, and panics at a duplicate.
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

// refersTo panics if an action of the noun refers to something undeclared.
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

// Record describes a kind of record.
type Record struct {
	Kind ident.RecordKind
	// Names are the names of such a record in messages, the usual name first. It is empty if no message mentions such a record.
	Names []refusal.RecordName
	// Prefix begins the identifiers of such records. It is "" if their identifiers are not created here.
	Prefix string
	// Table is the database table with one row per record. It is "" for records that are part of another record.
	Table string
	// Called are the columns of the table that identify a record to people, its name first. It is empty for records that the search does
	// not find. Each column has an index by lower(column), newest record first. Empty texts may be omitted from the index.
	Called []string
	// Detailed is a column of the table with further text for the search; "" for none.
	Detailed string
	// Tagged reports whether the response with such a record has an ETag.
	Tagged bool
	// Voidable reports whether such a record can be voided. Its table has the columns voided_at, voided_by and void_reason.
	Voidable bool
	// StepColumn is the column of the table with the step of the record; "" if such a record has no step. A step to which a record refers
	// cannot be removed from its path.
	StepColumn string
	// External reports whether such a record can have an external identifier in the table of external identifiers.
	External bool
	// Compared reports whether entries of the trail record the contents of such a record, and verification compares the two. For a record
	// that is only Voidable, verification compares whether it is voided.
	Compared bool
	// Told reads from an entry the identifier of such a record and the hash of its contents at that time. Told and Kept suffice for
	// verification to compare the kind. Both are nil for kinds that internal/verify compares field by field.
	Told func(*trail.Entry) (id string, contents trail.ContentsSHA256, err error)
	// Kept lists the records in a database.
	Kept func(Tx) iter.Seq2[Kept, error]
}

// Kept is a record in a database with the hash of its contents.
type Kept struct {
	ID       string
	Contents trail.ContentsSHA256
}

// keptOf converts a sequence of records to the sequence that Record.Kept returns.
func keptOf[T any](listed iter.Seq2[T, error], of func(T) Kept) iter.Seq2[Kept, error] {
	return func(yield func(Kept, error) bool) {
		for record, err := range listed {
			if !yield(of(record), err) {
				return
			}
		}
	}
}

// each iterates over records that were read together; an error comes last.
func each[T any](together []T, err error) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		for _, record := range together {
			if !yield(record, nil) {
				return
			}
		}
		if err != nil {
			var none T
			yield(none, err)
		}
	}
}

// records has a row for every kind of record, in the order of nouns.
var records = rowsOf(func(n noun) []Record { return n.records })

func named(names ...refusal.RecordName) []refusal.RecordName { return names }

// Records describes all kinds of records. The caller must not change anything that the rows refer to.
func Records() []Record { return slices.Clone(records) }

// ActionsOf returns the audit actions that concern records of a kind, in the order of the table of actions.
func ActionsOf(k ident.RecordKind) (actions []trail.Action) {
	for i := range actionTable {
		if slices.Contains(actionTable[i].of, k) {
			actions = append(actions, actionTable[i].action)
		}
	}
	return actions
}

// Operation is something that a caller can request, by its name in forms and page addresses. Its noun declares a row with its
// requirements, which routes, pages, signatures and Actions read. Actions checks the operations on a unit (AboutUnit).
type Operation string

// OpRead reads jobs, units, records and the trail. It requires only Read.
const OpRead Operation = "read"

// Subject is the kind of thing that operations act on.
type Subject string

// operationRow describes one operation.
type operationRow struct {
	operation  Operation
	permission Permission
	subject    Subject
	signed     SignedOperation // its name in the signature policy; "" if it cannot be signed
	many       bool            // whether a page has a form for many units at once
	second     Permission      // the permission required of the second signer; "" if the first signer needs the same
}

// operations is the table of operations, in the order of nouns. The signature policy lists the operations that can be signed in this
// order.
var operations = rowsOf(func(n noun) []operationRow { return n.operations })

// Operations returns all operations, in the order of the table.
func Operations() []Operation {
	all := make([]Operation, len(operations))
	for i := range operations {
		all[i] = operations[i].operation
	}
	return all
}

// row returns the row of an operation. For an unknown operation, it returns a row with a permission that no role grants.
func (o Operation) row() operationRow {
	at := slices.IndexFunc(operations, func(row operationRow) bool { return row.operation == o })
	if at < 0 {
		return operationRow{operation: o}
	}
	return operations[at]
}

// Known reports whether the operation exists.
func (o Operation) Known() bool { return o.row().subject != "" }

// Permission is the permission that the operation requires. It is "" for an unknown operation, which no caller may request.
func (o Operation) Permission() Permission { return o.row().permission }

// Signed is the name of the operation in the signature policy; "" if it cannot be signed.
func (o Operation) Signed() SignedOperation { return o.row().signed }

// Subject is the kind of thing that the operation acts on.
func (o Operation) Subject() Subject { return o.row().subject }

// Noun is the first kind of record of the noun that declares the operation; "" for a noun without records.
func (o Operation) Noun() ident.RecordKind {
	for _, n := range nouns {
		if slices.ContainsFunc(n.operations, func(row operationRow) bool { return row.operation == o }) && len(n.records) > 0 {
			return n.records[0].Kind
		}
	}
	return ""
}

// Many reports whether a page has a form that applies the operation to many units.
func (o Operation) Many() bool { return o.row().many }

// actionRow describes an audit action. All code that depends on the kind of an action reads this table.
type actionRow struct {
	action trail.Action
	// of are the kinds of records that the action concerns. It is empty for actions on the whole database.
	of []ident.RecordKind
	// moves reports whether the action may change the position of units, or the meaning of positions.
	moves bool
	// closes reports whether a unit is no longer in progress after the action.
	closes bool
	// signed is the operation that signs the action; "" if the action is never signed.
	signed SignedOperation
	// whole reports whether a change that has this action and other actions is signed as this action. A disposition, for example, also
	// scraps, releases and reworks.
	whole bool
	// access reports whether the action concerns permissions and accounts.
	access bool
}

// actionTable has a row for every audit action, in the order of nouns. The row of the void action has all kinds of records that can be
// voided.
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

// actionRows indexes the rows by action.
var actionRows = func() map[trail.Action]*actionRow {
	rows := make(map[trail.Action]*actionRow, len(actionTable))
	for i := range actionTable {
		rows[actionTable[i].action] = &actionTable[i]
	}
	return rows
}()

// rowOfAction returns the row of an action. An unknown action, such as one of a later version, concerns no record, does not change cards,
// is not signed, and may have moved anything.
func rowOfAction(a trail.Action) *actionRow {
	if row, known := actionRows[a]; known {
		return row
	}
	return &actionRow{action: a, moves: true}
}

// KindsOf returns the kinds of records that an action concerns; nil for an unknown action. The caller must not change the slice.
func KindsOf(a trail.Action) []ident.RecordKind { return rowOfAction(a).of }

// TellsOf reports whether an action concerns records of a kind.
func TellsOf(a trail.Action, kind ident.RecordKind) bool {
	return slices.Contains(rowOfAction(a).of, kind)
}

// MovesUnits reports whether an action may change the position of units, or the meaning of positions.
func MovesUnits(a trail.Action) bool { return rowOfAction(a).moves }

// ClosesUnits reports whether a unit is no longer in progress after an action.
func ClosesUnits(a trail.Action) bool { return rowOfAction(a).closes }

// SigningOf returns the operation in the signature policy that covers an entry; "" if the entry is never signed. Of the entries about
// installations, only those of substitutes can be signed.
func SigningOf(entry *trail.Entry) SignedOperation {
	signed := rowOfAction(entry.Action).signed
	if signed == SignSubstitute && !card.InstallsSubstitute(entry) {
		return ""
	}
	return signed
}

// AboutAccounts reports whether an action concerns people, accounts, or the policies for them.
func AboutAccounts(a trail.Action) bool {
	row := rowOfAction(a)
	return row.access || row.signed == SignAccounts || TellsOf(a, RecordUser)
}

// CheckAction refuses, as the value of a field, an action that no noun declares.
func CheckAction(a trail.Action, field string) error {
	if _, known := actionRows[a]; !known {
		return refusal.RefuseField(refusal.ActionUnknown, field, string(a))
	}
	return nil
}

// AuditActions returns the audit actions other than AccessActions, in the order of nouns: actions on units first.
func AuditActions() []trail.Action { return slices.Collect(actionsAboutAccess(false)) }

// AccessActions returns the audit actions that concern permissions and accounts.
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
