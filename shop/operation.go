package shop

import (
	"slices"

	"github.com/routecard/routecard/shop/ident"
)

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
