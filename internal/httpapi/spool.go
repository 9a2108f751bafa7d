package httpapi

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
)

const (
	// importBytes is the largest body with the rows of a file.
	importBytes = 64 << 20
	// spoolMemory is how much of such a body is kept in memory. The rest is in a file without a name.
	spoolMemory = 256 << 10
)

// spool is a body that is read several times. It is in memory when it is small, and otherwise in a file that nobody else finds and that
// is gone when the program ends.
type spool struct {
	io.ReaderAt

	size int64
	file *os.File // nil for one in memory
}

// spoolBody takes the body of a request. A piece of it that was put aside needs no memory any more.
func spoolBody(c *call) (*spool, error) {
	limit := int64(importBytes)
	if c.r.ContentLength > limit {
		return nil, errTooLarge
	}
	body := &upload{
		body: http.MaxBytesReader(c.w, c.r.Body, limit), memory: shareOf(c.r), controller: http.NewResponseController(c.w),
	}
	begin := new(bytes.Buffer)
	_, err := io.CopyN(begin, body, spoolMemory)
	switch {
	case errors.Is(err, io.EOF):
		shareOf(c.r).TakeNow(begin.Cap())
		return &spool{ReaderAt: bytes.NewReader(begin.Bytes()), size: int64(begin.Len())}, nil
	case err != nil:
		return nil, unread(err)
	}
	file, err := os.CreateTemp("", "routecard-import-*")
	if err != nil {
		return nil, err
	}
	s := &spool{ReaderAt: file, file: file}
	_ = os.Remove(file.Name()) // where an open file cannot be removed, close does it
	if s.size, err = io.Copy(file, io.MultiReader(begin, body)); err != nil {
		s.close()
		if _, ok := errors.AsType[*os.PathError](err); ok {
			return nil, err
		}
		return nil, unread(err)
	}
	return s, nil
}

// close gives up what was put aside.
func (s *spool) close() {
	if s == nil || s.file == nil {
		return
	}
	_ = s.file.Close()
	_ = os.Remove(s.file.Name())
}
