package ident

// RecordKind is a kind of record, in the shop's vocabulary. Each noun declares its kinds in its own file.
type RecordKind string
