// Package migrations has the tables of the database and how they came about: the migrations of both engines in the folders both,
// sqlite and postgres, which Run carries out, and Tables, which says what each table holds. It also decides which program may open a
// database with older or newer tables, and finds triggers that are missing.
package migrations
