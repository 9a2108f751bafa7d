package shop

import (
	"iter"
	"slices"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

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
