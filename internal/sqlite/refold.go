package sqlite

import (
	"errors"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	sqlitelib "modernc.org/sqlite/lib"
)

const (
	// indexRegion is how many bytes of the index of the log one region has.
	indexRegion = 32 << 10
	// foldedAt is where the index says how many frames of the log are in the file, as the format of SQLite's log has it.
	foldedAt = 96
)

var errNoIndex = errors.New("the log has no index in memory")

// FoldAgain makes the next fold of the log write all of its frames to the file. It is for a fold that failed: SQLite considers frames
// folded that an earlier fold wrote without syncing the file, and when a sync of the file fails, the system may drop earlier writes. The
// log has them still, and begins again only after a fold of all frames whose sync succeeded. No other connection may be folding.
func (c *Conn) FoldAgain() error {
	if err := c.control(sqlitelib.SQLITE_FCNTL_FILE_POINTER); err != nil {
		return err
	}
	file := *(*uintptr)(at(c.value))
	methods := (*sqlitelib.Tsqlite3_io_methods)(at((*sqlitelib.Tsqlite3_file)(at(file)).FpMethods))
	if methods.FiVersion < 2 || methods.FxShmMap == 0 {
		return errNoIndex
	}
	shmMap := *(*func(*libc.TLS, uintptr, int32, int32, int32, uintptr) int32)(unsafe.Pointer(&struct{ uintptr }{methods.FxShmMap}))
	*(*uintptr)(at(c.value)) = 0
	if code := shmMap(c.tls, file, 0, indexRegion, 0, c.value); code != sqlitelib.SQLITE_OK {
		return c.failure(code)
	}
	region := *(*uintptr)(at(c.value))
	if region == 0 {
		return errNoIndex
	}
	atomic.StoreUint32((*uint32)(at(region+foldedAt)), 0)
	return nil
}
