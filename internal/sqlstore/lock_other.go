//go:build !linux

package sqlstore

import "os"

// lockInode locks nothing, because on other systems its lock would conflict with SQLite's own. The lock on the name
// remains.
func lockInode(*os.File) (bool, error) { return true, nil }

func unlockInode(*os.File) error { return nil }
