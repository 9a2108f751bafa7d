// Package sqlstore keeps a shop in a SQL database: it implements routecard.Store.
//
// There is one SQL text for both engines, with one exception: where cards stand and every audit entry is written row by row
// or by runs of neighbours on SQLite (audit.go, batch.go), and on PostgreSQL as arrays at the end of a transaction
// (postgres_session.go, postgres_group.go), which is one prepared statement whatever their number. That the two write the
// same is for internal/storetest to say.
//
// Each noun has a file with its statements. What is one engine's own is how
// connections are opened and how commits are grouped: sqlite.go, group.go and checkpoint.go for SQLite, and the files
// named postgres for PostgreSQL, where several processes share a database. The tables are in migrations. What a store
// has to promise is in internal/storetest, which every engine runs.
//
// Facts are stored once. A step's status follows from the serial's position, so only bypassed steps have rows
// (step_exception); a serial's identifier is its number; an audit entry's identifier is its sequence number.
//
// No column is NULL: absent text is empty and an absent time is 0. Times are milliseconds. JSON is opaque text to SQL.
package sqlstore
