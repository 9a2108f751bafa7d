package sqlstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// inspect refuses what cannot be a database of Routecard before anything is opened, so that somebody else's file is not
// changed: SQLite would turn the file to a write-ahead log at once. What it lets through is judged by prepareSQLite.
func inspect(file string) error {
	info, err := os.Stat(file)
	switch {
	case errors.Is(err, fs.ErrNotExist):
		return nil
	case err != nil:
		return fmt.Errorf("open %w", err)
	case info.IsDir():
		return fmt.Errorf("%s is a folder, not a database file", file)
	case !info.Mode().IsRegular():
		return fmt.Errorf("%s is not a regular file", file)
	case info.Size() == 0:
		return nil // a new one
	}
	header, err := readHeader(file)
	switch {
	case err != nil:
		return err
	case string(header[:len(sqliteMagic)]) != sqliteMagic:
		return notDatabase(file)
	case header[sqliteWriteVersion] == 1 && binary.BigEndian.Uint32(header[sqliteApplicationID:]) != applicationID &&
		binary.BigEndian.Uint32(header[sqlitePages:]) > 1:
		return foreignDatabase(file)
	}
	return nil
}

// Where SQLite's file format has what, in the first hundred bytes. While there is a write-ahead log they may be out of
// date, but not the write version, which says so.
const (
	sqliteHeader        = 100
	sqliteMagic         = "SQLite format 3\x00"
	sqliteWriteVersion  = 18
	sqlitePages         = 28
	sqliteApplicationID = 68
)

// readHeader reads the beginning of a file; what a short one lacks is zero.
func readHeader(file string) (header [sqliteHeader]byte, err error) {
	f, err := os.Open(file)
	if err != nil {
		return header, err
	}
	defer f.Close()
	if _, err := io.ReadFull(f, header[:]); err != nil && !errors.Is(err, io.ErrUnexpectedEOF) {
		return header, err
	}
	return header, nil
}

func notDatabase(file string) error { return fmt.Errorf("%s is not a database", file) }

func foreignDatabase(file string) error {
	return fmt.Errorf("%s is a database of another program, not of Routecard", file)
}
