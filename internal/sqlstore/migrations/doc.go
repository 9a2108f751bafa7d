// Package migrations has the tables of the database and their history: the migrations of both engines in the folders both, sqlite and
// postgres, which Run executes, and Tables, which describes the contents of each table. It also decides which program may open a database
// with older or newer tables, and detects missing triggers.
package migrations
