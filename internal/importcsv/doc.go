// Package importcsv reads files of comma-separated values, as people save them, as rows of an import. It matches the columns of a file
// with the fields of a kind of records, makes of each cell what its field is to have, and writes the file once more with a column that
// says why rows were refused. It judges nothing that the operations judge.
package importcsv
