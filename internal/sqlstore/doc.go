// Package sqlstore stores a shop in a SQL database: it implements shop.Store and views.Store with two engines, SQLite and PostgreSQL.
//
// The statements are in separate packages, which both engines use and which depend on neither:
//
//	db          runs statements: the core of a transaction, conditions, pages, limits of memory and of work
//	statement   the statements of the shop's nouns, a file and a type for each; Tx is the transaction of an Update
//	account     the statements for users and their means of signing in
//	lists       the statements of views alone: lists, searches, counts; Reader is the transaction of a View
//	migrations  the tables, and the migrations that create them
//	standby     chooses the standby of a PostgreSQL server for reads
//
// This package has the engines. internal/storetest runs the same tests on both. reading.go reads a database without a service, prefix.go
// stores the prefix of the identifiers of serials, copy.go and copy_ends.go copy a database from one engine to the other.
//
// SQLite opens its file in sqlite.go, connects in sqlite_connection.go, lends connections to Views in sqlite_readers.go, groups commits in
// group.go and grouped_cards.go, folds its log back in checkpoint.go, caches cards in card_cache.go and tokens and sessions in
// identity_cache.go, and detects in lock.go and mark.go that its file was replaced or overwritten. Its statements write one row, several
// rows, or runs of consecutive serials. It reads audit entries in audit_page.go. On PostgreSQL, where several processes share a database:
//
//	postgres.go              opens, limits connections, begins transactions, and has the SQL of locks
//	postgres_transaction.go  one transaction; writes the audit entries and keys of an Update at its end, and takes the turn to seal
//	postgres_group.go        groups the changes of cards into one transaction; takes the turn of the audit trail and writes
//	                         entries
//	postgres_audit.go        the statements that add entries, as arrays, so that one prepared statement serves any number of rows
//	postgres_expected.go     changes of cards that the instance remembers, in one round trip
//	postgres_detail.go       Get Serial for many callers with one statement
//	postgres_error.go        which failures are tried again, and the errors that callers get for others
//	postgres_once.go         stores idempotency keys (rememberStatement), and waits for those that other instances use
//	postgres_standby.go      Views on standbys, and the position of the primary; see package standby
//	replication.go           the settings for synchronous standbys, for diagnostics
//
// Facts are stored once. A step's status follows from the serial's position, so only bypassed steps have rows
// (step_exception); a serial's identifier is its number after the prefix of the database; an audit entry's identifier is its sequence
// number.
//
// No column is NULL: absent text is empty and an absent time is 0. Times are milliseconds. JSON is opaque text to SQL.
package sqlstore
