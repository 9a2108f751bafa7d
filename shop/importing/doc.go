// Package importing imports the rows of files: each row creates a record, changes a record, or leaves it unchanged. The operations of
// shop.Service validate and apply a row as they do a single request; internal/importcsv reads the files.
//
//	import.go       Import; the order in which rows are imported, and the result when a row is refused
//	each.go         committing rows in parts, without the refused rows
//	trial.go        trying rows in parts, each of which is rolled back
//	stored.go       the result that is stored for repeats under an idempotency key
//	keys.go         the keys of records in a file, and refusing a key in two different rows
//	kinds.go        the kinds of records that a file can import, with their columns
//	job.go          rows of jobs, with their paths and units
//	serial.go       rows of units
//	user.go         rows of users
//	certificate.go  rows of certificates
//	reading.go      rows of readings
//	lot.go          rows of lots
//	component.go    rows of components
//	shipment.go     rows of shipments, one for each unit
//	group.go        importing several rows that describe one record
//	plan.go         comparing a reading's row with the plan: part, step, characteristic, unit, limits and tolerances
package importing
