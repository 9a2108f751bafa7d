// Package sheet writes tables in common forms, comma-separated values and workbooks (.xlsx), and reads comma-separated values (Reader). It
// works row by row and stores none, so that a table may have any length. It does not know the meaning of columns, or where rows come from
// or go to.
//
// Harmless changes a text that a spreadsheet would interpret as a formula, and Original reverses that, so that a table is the same after it
// is written and read again.
package sheet
