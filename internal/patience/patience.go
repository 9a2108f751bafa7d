// Package patience limits how long a client may take to read a long response, the same for every list, stream and download.
package patience

import (
	"net/http"
	"time"
)

const (
	// Piece is how long a client may take to read one piece of a response before it is cut off.
	Piece = 30 * time.Second
	// Answer is how long it may take for a whole list or download.
	Answer = 10 * time.Minute
)

// Writer writes a response piece by piece.
type Writer struct {
	to         http.ResponseWriter
	controller *http.ResponseController
	until      time.Time // the zero Time for a response without an end
}

// Limited is for a response that has an end.
func Limited(w http.ResponseWriter) *Writer {
	return &Writer{w, http.NewResponseController(w), time.Now().Add(Answer)}
}

// Endless is for a response that lasts as long as the client wants it.
func Endless(w http.ResponseWriter) *Writer {
	return &Writer{to: w, controller: http.NewResponseController(w)}
}

// Write writes one piece. It fails when the client does not read.
func (w *Writer) Write(piece []byte) (int, error) {
	deadline := time.Now().Add(Piece)
	if !w.until.IsZero() && deadline.After(w.until) {
		deadline = w.until
	}
	// Not every writer has deadlines; without one the server's own limits apply.
	_ = w.controller.SetWriteDeadline(deadline)
	return w.to.Write(piece)
}

// Flush sends what was written on its way.
func (w *Writer) Flush() error { return w.controller.Flush() }

// More gives a client that waits for a response the full time again, from now on. Its request must have been read: during the work the
// server reads on to notice that the client has gone, and takes an expired deadline for that.
func More(w http.ResponseWriter) {
	// Not every writer has deadlines; without one the server's own limits apply.
	controller, until := http.NewResponseController(w), time.Now().Add(Answer)
	_ = controller.SetReadDeadline(until)
	_ = controller.SetWriteDeadline(until)
}
