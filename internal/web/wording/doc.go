// Package wording has the texts of pages that depend on data: sentences for refusals, names of fields, records and actions, and the formats
// of numbers and names. The texts of one noun are in a separate file and apply only to that noun (nounWords).
//
// It does not import any other package of the pages, and reads no data: its results depend only on the arguments.
package wording
