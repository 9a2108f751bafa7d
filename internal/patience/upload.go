package patience

import (
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	// Upload is the time within which a client must begin to send the body of a request.
	Upload = 10 * time.Second
	// UploadRate is the minimum number of bytes of a body that must arrive each second after that.
	UploadRate = 4 << 10
)

// Received enforces a minimum rate for the body of a request: reading a slower body fails. After the whole body has arrived, the server's
// own limit for the whole request applies again.
func Received(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	body := &upload{ReadCloser: r.Body, controller: http.NewResponseController(w)}
	if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.ReadTimeout > 0 {
		body.whole = time.Now().Add(server.ReadTimeout)
	}
	body.expect(time.Now()) // if the handler never reads the body, the server does
	r.Body = body
}

type upload struct {
	io.ReadCloser

	controller *http.ResponseController
	whole      time.Time // the deadline for the whole body; the zero Time for none
	set        time.Time // the deadline for the next piece
	begun      time.Time
	bytes      int64
}

// tolerance is the minimum difference at which a deadline is set again, because setting it takes as long as reading a small body.
const tolerance = 100 * time.Millisecond

// expect sets the time by which more bytes must arrive. Not every writer has deadlines; without one the server's limits apply.
func (u *upload) expect(begun time.Time) {
	deadline := begun.Add(Upload + time.Duration(u.bytes)*time.Second/UploadRate)
	if !u.whole.IsZero() && u.whole.Before(deadline) {
		deadline = u.whole
	}
	if deadline.Sub(u.set) < tolerance {
		return
	}
	u.set = deadline
	_ = u.controller.SetReadDeadline(deadline)
}

func (u *upload) Read(piece []byte) (int, error) {
	if u.begun.IsZero() {
		u.begun = time.Now()
	}
	u.expect(u.begun)
	n, err := u.ReadCloser.Read(piece)
	u.bytes += int64(n)
	if errors.Is(err, io.EOF) {
		_ = u.controller.SetReadDeadline(u.whole)
	}
	return n, err
}
