package files

import (
	"errors"
	"os"
)

// along syncs a file while more is written to it, so that the disk works from the start on, and not only when everything is there. It is
// for one goroutine.
type along struct {
	file  *os.File
	begun int        // how many bytes were written since the last sync began
	ended chan error // has one element when no sync is under way
	err   error      // of those before: the system reports an error once
}

// syncEvery is how many bytes are written before the next sync begins.
const syncEvery = 8 << 20

func syncAlong(file *os.File) *along {
	a := &along{file: file, ended: make(chan error, 1)}
	a.ended <- nil
	return a
}

// wrote counts bytes that were written, and begins a sync when there are enough of them and none is under way.
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
	default: // the disk is slower than the bytes come
	}
}

// wait returns when no sync is running any more, with the errors of all of them. It may be called again.
func (a *along) wait() error {
	err := <-a.ended
	a.ended <- nil
	a.err = errors.Join(a.err, err)
	return a.err
}
