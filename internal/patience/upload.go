package patience

import (
	"errors"
	"io"
	"net/http"
	"time"
)

const (
	// Upload is how long a client may take to begin with the body of a request.
	Upload = 10 * time.Second
	// UploadRate is how many bytes of a body have to arrive each second after that.
	UploadRate = 4 << 10
)

// Received makes the body of a request one that has to arrive at a least rate: reading one that is slower fails. When it
// has arrived, the server's own limit for the whole request applies again.
func Received(w http.ResponseWriter, r *http.Request) {
	if r.Body == nil || r.Body == http.NoBody {
		return
	}
	body := &upload{ReadCloser: r.Body, controller: http.NewResponseController(w)}
	if server, ok := r.Context().Value(http.ServerContextKey).(*http.Server); ok && server.ReadTimeout > 0 {
		body.whole = time.Now().Add(server.ReadTimeout)
	}
	body.expect(time.Now()) // the handler may never read it, and then the server does
	r.Body = body
}

type upload struct {
	io.ReadCloser

	controller *http.ResponseController
	whole      time.Time // by when all of it has to be there; the zero Time for never
	set        time.Time // by when more has to arrive
	begun      time.Time
	bytes      int64
}

// tolerance is by how much a deadline has to move to be set again, which takes as long as reading a small body does.
const tolerance = 100 * time.Millisecond

// expect sets the time by which more has to arrive. Not every writer has deadlines; without one the server's limits apply.
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
