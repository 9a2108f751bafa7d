// Package sqlstore keeps a shop in a SQL database: it implements shop.Store.
//
// A noun has a file with its statements; overrides stand with the cards, in serial.go, batch.go and postgres_group.go.
// Both engines use the same SQL, except for changes of cards, audit entries, keys of requests, Get Serial, the version of
// the data, lists inside a condition (elements in note.go), triggers, and work lists, which are several queries on SQLite.
// Row locks exist only on PostgreSQL. SQLite writes one or several rows, or runs of consecutive serials (serial.go,
// audit.go, batch.go). PostgreSQL writes arrays, so that one prepared statement serves any number of rows.
// audit_columns.go has the columns of an audit entry, and the statements of both engines that insert and read entries.
// internal/storetest runs the same tests on both engines. The tables are in migrations. transaction.go is the Tx of both,
// triggers.go finds missing triggers, reading.go reads a database without a service, copy.go and copy_ends.go copy a
// database from one engine to the other.
//
// SQLite opens its file in sqlite.go, connects in sqlite_connection.go, lends connections to Views in
// sqlite_readers.go, groups commits in group.go and grouped_cards.go, folds its log back in checkpoint.go, keeps cards
// in memory in card_cache.go and tokens and sessions in identity_cache.go, and notices in lock.go and mark.go that its
// file was replaced or overwritten. On PostgreSQL, where several processes share a database:
//
//	postgres.go              opens, limits connections, begins transactions, and has the texts of locks
//	postgres_transaction.go  one transaction; keeps the audit entries and keys of an Update to its end
//	postgres_group.go        groups the changes of cards into one transaction; takes the turn of the audit trail and writes
//	                         entries
//	postgres_expected.go     changes of cards that the instance remembers, in one round trip
//	postgres_detail.go       Get Serial for many callers with one statement
//	postgres_error.go        which failures are tried again, and what the caller hears of others
//	once.go                  keyLock and orKey, for keys of requests that other instances may be using
//	ledger.go                TakeLedgerTurn, which decides which instance seals the trail
//
// Facts are stored once. A step's status follows from the serial's position, so only bypassed steps have rows
// (step_exception); a serial's identifier is its number; an audit entry's identifier is its sequence number.
//
// No column is NULL: absent text is empty and an absent time is 0. Times are milliseconds. JSON is opaque text to SQL.
package sqlstore
