package shop

import "fmt"

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
