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
)

// fileMark notices that another program has written into the database file, as cp does over it: the file stays the same one,
// with other contents, and what the log has does not belong to them.
//
// The mark is a number in the header of the file, user_version, which is nobody else's. Only folding the log changes the file,
// and only this process folds it. The first commit after a fold puts a new mark, drawn at random, on the page that has the
// header; the next fold takes it to the file. So the file has a mark of this process, and neither another database nor an
// earlier copy of this one has it. It costs one page a fold.
//
// It does not notice a program that begins to write while a fold is under way and leaves the first page to it.
//
// A disk that fails to write through may have again what it had at the last time that it did. So all marks since then are
// known; an older one is not.
type fileMark struct {
	file io.ReaderAt

	mu       sync.Mutex
	known    []uint32 // that the file may have; the last is the one to be, or in the log
	inLog    bool
	overrode bool // another one was found. What was read since may be of the other contents, so that is for good
}

const (
	sqliteUserVersion = 60 // where the header has the mark
	mostMarks         = 64 // that are known at once; there is no new one while nothing is written through
)

// errWrittenOver says more than errReplaced.
var errWrittenOver = fmt.Errorf("another program has written into it: %w", errReplaced)

// markOf begins with the mark that a file has, which is 0 in all that were never written to.
func markOf(file *os.File, conn *sqliteConnection) (*fileMark, error) {
	m := &fileMark{file: file}
	_ = file.Sync() // what a process before this one left to the system may be lost with the next failure
	found, err := m.read()
	if err != nil {
		return nil, err
	}
	logged, err := one(conn, scalar[int64], `PRAGMA user_version`)
	if err != nil {
		return nil, err
	}
	if left := uint32(logged); left != found { //nolint:gosec // it has as many bits
		// A process that was killed left it in the log, and the next fold takes it to the file.
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

// mark writes a mark in the transaction that there is.
func (c *sqliteConnection) mark(mark uint32) error {
	return c.conn.Set(fmt.Sprintf("user_version = %d", mark))
}

// newMark draws a mark. SQLite takes it for a signed number.
func newMark() uint32 {
	var drawn [4]byte
	_, _ = rand.Read(drawn[:]) // which never fails
	return binary.BigEndian.Uint32(drawn[:]) >> 1
}

func (m *fileMark) read() (uint32, error) {
	var text [4]byte
	if _, err := m.file.ReadAt(text[:], sqliteUserVersion); err != nil {
		return 0, err
	}
	return binary.BigEndian.Uint32(text[:]), nil
}

// check returns errWrittenOver when the file has no mark that it can have.
func (m *fileMark) check() error {
	m.mu.Lock()
	defer m.mu.Unlock()
	const looks = 3 // one may meet a fold in the middle of these four bytes
	for look := 1; !m.overrode; look++ {
		found, err := m.read()
		switch {
		case err != nil && !errors.Is(err, io.EOF):
			return nil //nolint:nilerr // what the disk cannot read, SQLite will hear of
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

// folded is the mark that the file has while all of the log is in it. It is not read, because the file may have been written
// over since.
func (m *fileMark) folded() uint32 {
	m.mu.Lock()
	defer m.mu.Unlock()
	has := len(m.known) - 1
	if !m.inLog {
		has-- // the last one is still to be written
	}
	return m.known[max(0, has)]
}

// through says that a mark was written through to the disk with the file, so that those before it cannot come back.
func (m *fileMark) through(mark uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.known = slices.Delete(m.known, 0, max(0, slices.Index(m.known, mark)))
}

// due is the mark that the next commit puts into the log, and false when it is there.
func (m *fileMark) due() (uint32, bool) {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.known[len(m.known)-1], !m.inLog
}

// committed says that a mark that was due is in the log. A fold may have taken it to the file since, so that another one is due.
func (m *fileMark) committed(mark uint32) {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.inLog = m.inLog || mark == m.known[len(m.known)-1]
}

// wrong reports whether the file was found to have other contents.
func (m *fileMark) wrong() bool {
	m.mu.Lock()
	defer m.mu.Unlock()
	return m.overrode
}
