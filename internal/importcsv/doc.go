// Package importcsv reads files of comma-separated values, as people save them, as rows of an import. It matches the columns of a file with
// the fields of a kind of records, converts each cell into its field, and writes the file again with a column for the reasons why rows were
// refused. The operations, not this package, check the values.
//
//	file.go     the header, and the rows as inputs of operations: which column becomes which field
//	cell.go     the conversion of a cell into a field
//	nearest.go  the column that is closest to a misspelled name
//	machine.go  tables of measuring machines; dim.go reads PC-DMIS blocks, aqdef.go the Q-DAS transfer format
package importcsv
