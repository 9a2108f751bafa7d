// Package sheet writes tables in common forms, comma-separated values and workbooks (.xlsx), and reads comma-separated values (Reader). It
// works row by row and stores none, so that a table may have any length. It does not know the meaning of columns, or where rows come from
// or go to.
//
// A text that a spreadsheet would take for a formula is made harmless (Harmless), and Original reverses that, so that a table that is
// written and read again is the same.
package sheet
