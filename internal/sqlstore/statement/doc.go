// Package statement has the statements of the shop's nouns, for both engines: one file for each noun, with a type that implements the
// interface that the noun declares in shop. Each type is a db.Core; Tx combines all of them over one.
//
// Statements that several nouns use are functions of a Core: lockStep and keepRoute in path.go, lockUnits in reroute.go, writeHolds in
// hold.go, countArrivals and addMeasured in sampling.go. card.go reads and writes route cards one by one, batch.go in large numbers.
// audit_columns.go defines the columns of an audit entry, and audit.go writes entries on SQLite; postgres_group.go of sqlstore writes them
// on PostgreSQL. listing.go declares how the records of a kind are read for lists.
//
// Both engines use the same SQL, except where a package of an engine has its own: changes of cards, audit entries and keys of requests on
// PostgreSQL. Lists inside a condition differ too (elements in note.go). Row locks exist only on PostgreSQL: see Lock and NameLock of
// db.Core.
package statement
