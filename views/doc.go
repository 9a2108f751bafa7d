// Package views reads the data of pages and lists. It changes nothing; the rules are in package shop.
//
// The file of a view defines the data that the page or the list shows, how it is read, and the database access that it needs in
// addition to that of the operations (a part of Reader):
//
//	floor.go       the whole shop
//	attention.go   problems that need a decision or an action, on the floor
//	board.go       one job
//	card.go        everything about one unit; internal/web/unitcard and its template render the page
//	worklist.go    waiting work, by operator
//	lists.go       the lists of the interface, in one table: a row declares how a list is read whole, page by page, and as a table.
//	               list.go defines a row, reading.go its functions; listpage.go reads a page, and serialpage.go a page of the
//	               list of units and the units that changed
//	units.go       the list of units for people, and their number
//	find.go        searches for units and jobs, and names of steps to choose from
//	search.go      a text search over every kind of record that declares names
//	export.go      all results of a search as a table: its columns are the fields of the JSON
//	trail.go       searches of the audit trail
//	names.go       earlier names of people, steps, jobs and certificates
//	signatures.go  the signatures on a unit or a report
//	quality.go     reports, and the reasons why units are on hold
//	longest.go     the units that have not moved for longest
//	held.go        how many units are on hold, by job, step and route
//	jobs.go        the lists of jobs, with their progress
//	order.go       the order that work is done for, as pages and labels show it
//	resolve.go     the records that a code identifies; ownnumber.go by the number on a unit, gtin.go by the GTIN of its part
//	changes.go     the records that changed since a time; ordered.go the requested order of a list, wholelist.go pages of a short list
//	chart.go       the control chart of a characteristic
//	lot.go         all lots of a search as a table; shipment.go the same with the units of shipments
//	exportaqdef.go the readings of a job in the Q-DAS transfer format
//	views.go       Views, and Store: the database access that they need
//
// internal/sqlstore implements Store. internal/httpapi and internal/web call Views.
package views
