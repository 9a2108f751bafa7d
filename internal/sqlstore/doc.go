// Package sqlstore keeps a shop in a SQL database: it implements routecard.Store.
//
// Each noun has a file with its statements. Both engines use the same SQL, with one exception: writing the positions of
// serials and the audit entries. SQLite writes single rows, or runs of consecutive serial numbers (audit.go, batch.go).
// PostgreSQL writes arrays, those of an Update at its end, so that one prepared statement serves any number of rows.
// internal/storetest runs the same tests on both engines. The tables are in migrations.
//
// SQLite opens its file in sqlite.go and sqlite_readers.go, groups commits in group.go and grouped_cards.go, folds its log
// back in checkpoint.go, and keeps cards in memory in card_cache.go. On PostgreSQL, where several processes share a database:
//
//	postgres.go         opens, limits connections, and begins transactions
//	postgres_session.go collects what an Update writes until its end
//	postgres_group.go   groups the changes of cards into one transaction; takes the turn of the audit trail and writes entries
//	postgres_detail.go  Get Serial with one statement
//	postgres_expected.go changes of cards that the instance remembers, in one round trip
//	postgres_error.go   which failures are tried again, and what the caller hears of others
//	transaction.go      row locks (transaction.lock)
//	once.go             keys of requests, which other instances may be using
//	ledger.go           which instance seals the trail
//	triggers.go         the triggers that have to be there
//	copy_ends.go        copying a database from one engine to the other
//	reading.go          reading a database without a service
//
// Facts are stored once. A step's status follows from the serial's position, so only bypassed steps have rows
// (step_exception); a serial's identifier is its number; an audit entry's identifier is its sequence number.
//
// No column is NULL: absent text is empty and an absent time is 0. Times are milliseconds. JSON is opaque text to SQL.
package sqlstore
