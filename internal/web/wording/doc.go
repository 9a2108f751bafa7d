// Package wording is the catalogue of page texts: sentences for refusals, names of fields, records and actions, and the formats of numbers
// and names. The texts of one noun are in its own file and apply to that noun only (nounWords).
//
// It imports no other package of the pages and reads no data: its results depend only on the arguments.
package wording
