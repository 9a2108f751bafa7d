// Package views answers what pages and lists show. It reads and changes nothing; the rules are in package shop.
//
// The file of a view holds what the page or the list shows, how it is made, and what it needs of a database beside what the
// operations need (a part of Reader):
//
//	floor.go       the whole shop
//	attention.go   what needs somebody now, on the floor
//	board.go       one job
//	card.go        everything about one unit; internal/web/unitcard and its template make the page of it
//	worklist.go    what waits for whom
//	lists.go       the lists of the interface, in one table: a row declares how a list is read whole, page by page, and as a table.
//	               list.go says what a row has, reading.go what reads it; listpage.go reads a page, and serialpage.go one of the
//	               list of units, and what was changed in it
//	units.go       the list of units for people, and how many there are
//	find.go        searches for units and jobs, and names of steps to choose from
//	search.go      what a text may mean, of every kind of record that declares what it is called
//	export.go      everything that a search finds, as a table: its columns are the fields of the JSON
//	trail.go       searches of the audit trail
//	names.go       earlier names of people, steps, jobs and certificates
//	signatures.go  who signed what about a unit or a report
//	quality.go     reports, why units are on hold
//	longest.go     the units that have not moved for longest
//	views.go       Views, and Store: what a database has to do for them
//
// internal/sqlstore implements Store. internal/httpapi and internal/web call Views.
package views
