package files

import (
	"errors"
	"os"
)

// along syncs a file while more is written to it, so that the disk begins to work before all bytes have arrived. Only one goroutine may use
// it.
type along struct {
	file  *os.File
	begun int        // the number of bytes written since the last sync began
	ended chan error // has one element while no sync is running
	err   error      // the error of earlier syncs: the system reports an error once
}

// syncEvery is the number of bytes after which the next sync begins.
const syncEvery = 8 << 20

func syncAlong(file *os.File) *along {
	a := &along{file: file, ended: make(chan error, 1)}
	a.ended <- nil
	return a
}

// wrote counts written bytes. It begins a sync if there are enough of them and no sync is running.
func (a *along) wrote(n int) {
	a.begun += n
	if a.begun < syncEvery {
		return
	}
	select {
	case err := <-a.ended:
		a.err = errors.Join(a.err, err)
		a.begun = 0
		go func() { a.ended <- a.file.Sync() }()
	default: // the disk is slower than the upload
	}
}

// wait waits until no sync is running, and returns the errors of all syncs. It may be called again.
func (a *along) wait() error {
	err := <-a.ended
	a.ended <- nil
	a.err = errors.Join(a.err, err)
	return a.err
}
