// Package lists has the statements that only views need: lists and their pages, searches, counts, work lists. A Reader is the transaction
// of a View: it has these statements and those of all nouns.
//
// list.go reads any list that views declares, find.go searches units, called.go finds records by the beginning of a name. On SQLite, where
// a statement needs no round trip (Local of db.Core), work lists are several small queries.
package lists
