// Package patience bounds how long a client may take to read a long answer, the same for every list, stream and download.
package patience

import (
	"net/http"
	"time"
)

const (
	// Piece is how long a client may take to read one piece of an answer before it is cut off.
	Piece = 30 * time.Second
	// Answer is how long it may take for a whole list or download.
	Answer = 10 * time.Minute
)

// Writer writes an answer piece by piece.
type Writer struct {
	to         http.ResponseWriter
	controller *http.ResponseController
	until      time.Time // the zero Time for an answer without an end
}

// Limited is for an answer that has an end.
func Limited(w http.ResponseWriter) *Writer {
	return &Writer{w, http.NewResponseController(w), time.Now().Add(Answer)}
}

// Endless is for an answer that goes on as long as the client wants it.
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

// More gives a client that waits for an answer as long as one may take, from now on. Its request must have been read: while it is
// worked on, the server reads on to notice that the client has gone, and takes a deadline that has passed for that.
func More(w http.ResponseWriter) {
	// Not every writer has deadlines; without one the server's own limits apply.
	controller, until := http.NewResponseController(w), time.Now().Add(Answer)
	_ = controller.SetReadDeadline(until)
	_ = controller.SetWriteDeadline(until)
}
