//go:build !linux

package sqlstore

import "os"

// lockInode locks nothing: on other systems SQLite's own locks would be in its way. The lock on the name remains.
func lockInode(*os.File) (bool, error) { return true, nil }

func unlockInode(*os.File) error { return nil }
