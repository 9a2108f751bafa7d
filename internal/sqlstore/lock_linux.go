package sqlstore

import (
	"errors"
	"os"
	"syscall"
)

// lockInode locks a file itself, and reports false when another process has it. On Linux such a lock and those that
// SQLite takes on the same file know nothing of each other.
func lockInode(file *os.File) (bool, error) {
	err := syscall.Flock(int(file.Fd()), syscall.LOCK_EX|syscall.LOCK_NB)
	if errors.Is(err, syscall.EWOULDBLOCK) {
		return false, nil
	}
	return err == nil, err
}

// unlockInode lets go of what lockInode locked, for everybody who has this opening of the file.
func unlockInode(file *os.File) error { return syscall.Flock(int(file.Fd()), syscall.LOCK_UN) }
