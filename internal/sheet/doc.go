// Package sheet writes tables in the forms in which people keep them, comma-separated values and workbooks (.xlsx), and reads
// comma-separated values (Reader). It goes row by row and keeps none, so that a table may have any length. What the columns are, and
// where the rows come from or go to, others know.
//
// A text that a spreadsheet would take for a formula is made harmless (Harmless), and Original takes that back, so that a table that is
// written and read again has what it had.
package sheet
