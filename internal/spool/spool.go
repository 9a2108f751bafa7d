// Package spool keeps a body that is read several times: in memory when it is small, and otherwise in a file.
package spool

import (
	"bytes"
	"errors"
	"io"
	"net/http"
	"os"
	"time"

	"github.com/routecard/routecard/shop"
)

const (
	// Limit is the largest body with the rows of a file.
	Limit = 64 << 20
	// inMemory is how much of a body is kept in memory. The rest is in a file without a name.
	inMemory = 256 << 10
	// Patience is how long a client may take to send a piece of a file, and afterwards to read the response.
	Patience = time.Minute
	// BodyWeight is how many bytes a byte of a body counts: the buffer is copied while it grows, and the parsed input adds to it.
	BodyWeight = 3
)

// Reader reads a long body. Each piece gives the client more time, and needs no memory any more when the next one is read.
type Reader struct {
	body       io.Reader
	memory     shop.MemoryBudget
	controller *http.ResponseController
	taken      int       // of the memory, for the piece that was read last
	until      time.Time // the deadline that was set last
}

// NewReader reads the body of a request whose memory is counted by its budget, BodyWeight for each byte.
func NewReader(w http.ResponseWriter, body io.Reader, memory shop.MemoryBudget) *Reader {
	return &Reader{body: body, memory: memory, controller: http.NewResponseController(w)}
}

// Read reads a piece.
func (r *Reader) Read(piece []byte) (int, error) {
	r.memory.Release(r.taken)
	r.taken = 0
	if now := time.Now(); r.until.Sub(now) < Patience/2 {
		r.until = now.Add(Patience)
		// Not every connection has deadlines; without one the server's own limits apply.
		_ = r.controller.SetReadDeadline(r.until)
		_ = r.controller.SetWriteDeadline(r.until.Add(Patience))
	}
	n, err := r.body.Read(piece)
	r.taken = BodyWeight * n
	return n, err
}

// File is a stored body. It is in memory when it is small, and otherwise in an unlinked file that is gone when the program ends.
type File struct {
	io.ReaderAt

	Size int64
	file *os.File // nil for one in memory
}

// Take puts a body aside. An error of the disk is an *os.PathError; others are those of the body.
func Take(body io.Reader, memory shop.MemoryBudget) (*File, error) {
	begin := new(bytes.Buffer)
	_, err := io.CopyN(begin, body, inMemory)
	switch {
	case errors.Is(err, io.EOF):
		memory.TakeNow(begin.Cap())
		return &File{ReaderAt: bytes.NewReader(begin.Bytes()), Size: int64(begin.Len())}, nil
	case err != nil:
		return nil, err
	}
	file, err := os.CreateTemp("", "routecard-import-*")
	if err != nil {
		return nil, err
	}
	f := &File{ReaderAt: file, file: file}
	_ = os.Remove(file.Name()) // where an open file cannot be removed, Close does it
	if f.Size, err = io.Copy(file, io.MultiReader(begin, body)); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close gives up what was put aside. Closing nil does nothing.
func (f *File) Close() {
	if f == nil || f.file == nil {
		return
	}
	_ = f.file.Close()
	_ = os.Remove(f.file.Name())
}
