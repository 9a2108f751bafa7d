package sqlstore

import (
	"crypto/rand"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"os"
	"slices"
	"sync"

	"github.com/routecard/routecard/internal/sqlstore/db"
)

// fileMark detects that another program has overwritten the database file, as cp does. The file is then still the same file, but it has
// other contents, to which the log does not belong.
//
// The mark is a number in the file's header, in the field user_version, which has no other use. Only this process folds the log, and
// nothing else writes to the file. The first commit after a fold writes a new random mark to the page with the header, and the next fold
// writes that mark to the file. So neither another database nor an earlier copy of this one has the mark of the file. The cost is one page
// per fold.
//
// fileMark does not detect a program that begins to write during a fold and does not write the first page.
//
// After a failed sync, a disk may return to the contents of its last successful sync. So all marks since that sync are accepted, and older
// ones are not.
type fileMark struct {
	file io.ReaderAt

	mu       sync.Mutex
	known    []uint32 // marks that the file may have; the last one is in the log or not written yet
	inLog    bool
	overrode bool // an unknown mark was found. overrode stays true, because later reads may have returned the other contents
}

const (
	sqliteUserVersion = 60 // the offset of the mark in the header
	mostMarks         = 64 // maximum number of known marks; at this number, no new mark is created before the next sync
)

// errWrittenOver is an errReplaced with its cause.
var errWrittenOver = fmt.Errorf("another program has written into it: %w", errReplaced)

// markOf reads the mark of a file that is being opened. A file that was never written to has the mark 0.
func markOf(file *os.File, conn *sqliteConnection) (*fileMark, error) {
	m := &fileMark{file: file}
	_ = file.Sync() // the next failure may lose unsynced writes of an earlier process
	found, err := m.read()
	if err != nil {
		return nil, err
	}
	logged, err := db.One(conn, db.Scalar[int64], `PRAGMA user_version`)
	if err != nil {
		return nil, err
	}
	if left := uint32(logged); left != found { //nolint:gosec // user_version has 32 bits
		// A killed process left this mark in the log. The next fold writes it to the file.
		m.known, m.inLog = []uint32{found, left}, true
		return m, nil
	}
	m.known = []uint32{found, newMark()}
	if found == 0 && conn.mark(m.known[1]) == nil {
		m.inLog = true
		if state, err := checkpoint(conn); err == nil && state.complete() {
			m.through(m.folded())
		}
	}
	return m, nil
}

// mark sets the mark in the current transaction.
func (c *sqliteConnection) mark(mark uint32) error {
	return c.conn.Set(fmt.Sprintf("user_version = %d", mark))
}

// newMark returns a random mark. SQLite treats it as a signed number.
func newMark() uint32 {
	var drawn [4]byte
	_, _ = rand.Read(drawn[:]) // never fails
	return binary.BigEndian.Uint32(drawn[:]) >> 1
}

func (m *fileMark) read() (uint32, error) {
	var text [4]byte
	if _, err := m.file.ReadAt(text[:], sqliteUserVersion); err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint32(text[:]), nil
}

// check returns errWrittenOver if the mark of the file is not among the known ones.
func (m *fileMark) check() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	const looks = 3 // a read of the four bytes while a fold writes them may return neither mark, so check reads again
	for look := 1; !m.overrode; look++ {
		found, err := m.read()
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return nil //nolint:nilerr // SQLite will report the read error
		case err == nil && slices.Contains(m.known, found):
			if found == m.known[len(m.known)-1] && len(m.known) < mostMarks {
				m.known, m.inLog = append(m.known, newMark()), false
			}
			return nil
		}
		m.overrode = look >= looks
	}
	return errWrittenOver
}

// folded returns the mark of the file after the whole log was copied into it. It does not read the mark from the file, because another
// program may have overwritten the file since.
func (m *fileMark) folded() uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	has := len(m.known) - 1
	if !m.inLog {
		has-- // the last mark is not written yet
	}
	return m.known[max(0, has)]
}

// through records that the file was synced with a mark. Earlier marks can then not come back.
func (m *fileMark) through(mark uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known = slices.Delete(m.known, 0, max(0, slices.Index(m.known, mark)))
}

// due returns the mark that the next commit has to write. It returns false if the log already has that mark.
func (m *fileMark) due() (uint32, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[len(m.known)-1], !m.inLog
}

// committed records that a due mark is in the log. If a fold has already written it to the file, another mark is due.
func (m *fileMark) committed(mark uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inLog = m.inLog || mark == m.known[len(m.known)-1]
}

// wrong reports whether the file was found to have unexpected contents.
func (m *fileMark) wrong() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.overrode
}
