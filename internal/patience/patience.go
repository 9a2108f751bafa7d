// Package patience limits how long a client may take to read a long response, the same for every list, stream and download.
package patience

import (
	"net/http"
	"time"
)

const (
	// Piece is the time limit for reading one piece of a response. A slower client is disconnected.
	Piece = 30 * time.Second
	// Answer is the time limit for a whole list or download.
	Answer = 10 * time.Minute
)

// Writer writes a response piece by piece.
type Writer struct {
	to         http.ResponseWriter
	controller *http.ResponseController
	until      time.Time // the zero Time for a response without an end
}

// Limited returns a Writer for a response that ends. The whole response has a time limit.
func Limited(w http.ResponseWriter) *Writer {
	return &Writer{w, http.NewResponseController(w), time.Now().Add(Answer)}
}

// Endless returns a Writer for a response without an end, such as a stream of events.
func Endless(w http.ResponseWriter) *Writer {
	return &Writer{to: w, controller: http.NewResponseController(w)}
}

// Write writes one piece. It fails if the client does not read.
func (w *Writer) Write(piece []byte) (int, error) {
	deadline := time.Now().Add(Piece)
	if !w.until.IsZero() && deadline.After(w.until) {
		deadline = w.until
	}
	// Not every writer has deadlines; without one the server's own limits apply.
	_ = w.controller.SetWriteDeadline(deadline)
	return w.to.Write(piece)
}

// Flush sends the buffered bytes.
func (w *Writer) Flush() error { return w.controller.Flush() }

// More restarts the time limit of a client that waits for a response. Its request must have been read completely: while the handler works,
// the server reads on to notice a disconnect, and treats an expired deadline as one.
func More(w http.ResponseWriter) {
	// Not every writer has deadlines; without one the server's own limits apply.
	controller, until := http.NewResponseController(w), time.Now().Add(Answer)
	_ = controller.SetReadDeadline(until)
	_ = controller.SetWriteDeadline(until)
}
