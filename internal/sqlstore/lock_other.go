//go:build !linux

package sqlstore

import "os"

// lockInode locks nothing, because on other systems its lock would conflict with SQLite's own locks. The lock on the name remains.
func lockInode(*os.File) (bool, error) { return true, nil }

func unlockInode(*os.File) error { return nil }

// sync does nothing, because some systems, such as Windows, cannot sync a file that is open only for reading. SQLite syncs the file at the
// end of a fold.
func (l *fileLock) sync() error { return nil }
