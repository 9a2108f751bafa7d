// Package importcsv reads files of comma-separated values, as people save them, as rows of an import. It matches the columns of a file with
// the fields of a kind of records, converts each cell into its field, and writes the file again with a column that says why rows were
// refused. It leaves all checks of values to the operations.
package importcsv
