package sqlstore

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
)

// inspect refuses a file that cannot be a database of Routecard. It runs before SQLite opens the file, because SQLite would immediately
// switch the file to a write-ahead log and so modify another program's file. prepareSQLite checks the files that inspect accepts.
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
		return nil // a new database
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

// Writable returns an error with the name of the file if a database exists and cannot be written. It must not be called while this process
// has the database open: closing a file releases SQLite's locks on it.
func Writable(database string) error {
	place := target(database)
	for _, name := range []string{place, place + "-wal", place + "-shm"} {
		file, err := os.OpenFile(name, os.O_RDWR, 0)
		if errors.Is(err, fs.ErrNotExist) {
			continue
		}
		if failure, ok := errors.AsType[*fs.PathError](err); ok {
			return fmt.Errorf("%s cannot be written: %w. Make it writable for the user of the service", name, failure.Err)
		}
		if err := errors.Join(err, file.Close()); err != nil {
			return err
		}
	}
	return nil
}

// Offsets in the first hundred bytes of SQLite's file format. While a write-ahead log exists, these bytes may be outdated, except for the
// write version, which shows that a log exists.
const (
	sqliteHeader        = 100
	sqliteMagic         = "SQLite format 3\x00"
	sqliteWriteVersion  = 18
	sqlitePages         = 28
	sqliteApplicationID = 68
)

// readHeader reads the beginning of a file. The missing bytes of a short file are zero.
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
