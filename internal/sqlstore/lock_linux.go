package sqlstore

import (
	"errors"
	"os"
	"syscall"
)

// lockInode locks a file itself, and returns false if another process has locked it. On Linux such a lock does not conflict with the locks
// that SQLite takes on the same file.
func lockInode(file *os.File) (bool, error) {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// unlockInode releases the lock of lockInode, for every process that shares this open file.
func unlockInode(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }

// sync waits until the writes to the file are on disk.
func (l *fileLock) sync() error { return l.file.Sync() }
