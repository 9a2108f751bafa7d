// Package migrations has the tables of the database and their history. The migrations of both engines are in the folders both, sqlite and
// postgres. Run executes them, and Tables describes the contents of each table. The package also decides whether a program may open a
// database with older or newer tables, and detects missing triggers.
package migrations
