package sqlite

import (
	"errors"
	"sync/atomic"
	"unsafe"

	"modernc.org/libc"
	sqlitelib "modernc.org/sqlite/lib"
)

const (
	// indexRegion is the number of bytes in one region of the index of the log.
	indexRegion = 32 << 10
	// foldedAt is the offset in the index at which the format of SQLite's log has the number of frames that are in the file (nBackfill).
	foldedAt = 96
)

var errNoIndex = errors.New("the log has no index in memory")

// FoldAgain makes the next checkpoint (fold) write all frames of the log to the file. Call it after a failed checkpoint: SQLite counts
// frames as written even if an earlier checkpoint wrote them without a sync of the file, and if a later sync fails, the system may drop
// those writes. The log still has the frames. It begins again only after a checkpoint of all frames whose sync succeeded. No other
// connection may run a checkpoint at the same time.
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
