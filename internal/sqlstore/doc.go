// Package sqlstore keeps a shop in a SQL database: it implements routecard.Store.
//
// There is one SQL text for both engines. Each noun has a file with its statements; sqlite.go holds only what is
// SQLite's own: how connections are opened, how commits are grouped, and how the log is folded back. The tables are
// in migrations. What a store has to promise is in internal/storetest, which every engine runs.
//
// Facts are stored once. A step's status follows from the serial's position, so only bypassed steps have rows
// (step_exception); a serial's identifier is its number; an audit entry's identifier is its sequence number.
//
// No column is NULL: absent text is empty and an absent time is 0. Times are milliseconds. JSON is opaque text to SQL.
package sqlstore
