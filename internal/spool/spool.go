// Package spool stores a body that is read several times: in memory if it is small, and otherwise in a file.
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
	// inMemory is the number of bytes of a body that stay in memory. The rest is in an unnamed file.
	inMemory = 256 << 10
	// Patience is the time limit for a client to send a piece of a file, and afterwards to read the response.
	Patience = time.Minute
	// BodyWeight is the memory that one byte of a body counts as: the buffer is copied while it grows, and the parsed input needs memory
	// too.
	BodyWeight = 3
)

// Reader reads a long body. Each piece extends the client's deadline, and its memory is released when the next piece is read.
type Reader struct {
	body       io.Reader
	memory     shop.MemoryBudget
	controller *http.ResponseController
	taken      int       // bytes of the budget in use for the last piece
	until      time.Time // the deadline that was set last
}

// NewReader returns a Reader of a request's body. It charges the memory budget with BodyWeight for each byte.
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

// File is a stored body. A small body is in memory, a larger one in an unlinked file, which the system removes when the program ends.
type File struct {
	io.ReaderAt

	Size int64
	file *os.File // nil if the body is in memory
}

// Take stores a body. An error of the disk is an *os.PathError; other errors come from reading the body.
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
	_ = os.Remove(file.Name()) // on systems that cannot remove an open file, Close removes it
	if f.Size, err = io.Copy(file, io.MultiReader(begin, body)); err != nil {
		f.Close()
		return nil, err
	}
	return f, nil
}

// Close releases the stored body. Closing nil does nothing.
func (f *File) Close() {
	if f == nil || f.file == nil {
		return
	}
	_ = f.file.Close()
	_ = os.Remove(f.file.Name())
}
