// Package importing takes the rows of files: each row creates a record, changes one, or leaves it as it is. The operations of
// shop.Service decide what becomes of a row, as they do for one record; internal/importcsv reads the files.
//
//	import.go       Import; the order in which rows are taken, and what becomes of all when one is refused
//	each.go         committing rows in parts, without those that are refused
//	trial.go        trying rows in parts, each of which is rolled back
//	stored.go       the result that is stored for repeats under an idempotency key
//	keys.go         the keys of records in a file, and refusing a key in two rows
//	kinds.go        which kinds of records a file can import, with their columns
//	job.go          rows of jobs, with their paths and units
//	serial.go       rows of units
//	user.go         rows of users
//	certificate.go  rows of certificates
//	reading.go      rows of readings
//	plan.go         comparing a row of a reading with its plan: part, step, characteristic, unit, limits and tolerances
package importing
