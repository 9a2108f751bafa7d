package ident

// RecordKind is a kind of record, in a word of the shop's. Each noun names its kinds in its own file.
type RecordKind string
