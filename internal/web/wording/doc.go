// Package wording is the catalogue of what the pages say: sentences for refusals, names of fields, of records and of actions, and how
// numbers and names are written. Words that belong to one noun stand in its own file, and hold for that noun only (nounWords).
//
// It imports no other package of the pages, and reads nothing: what it says follows from its arguments.
package wording
