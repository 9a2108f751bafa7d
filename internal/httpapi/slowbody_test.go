package httpapi

import (
	"io"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// TestSlowBodiesKeepNobodyWaiting sends half a body to every operation that reads one. Meanwhile another caller can write. The request
// whose body ends too early is refused and changes nothing.
func TestSlowBodiesKeepNobodyWaiting(t *testing.T) {
	t.Parallel()
	s := openFilled(t)
	door := s.backDoor(t)
	for _, route := range routes() {
		if !route.changes() {
			continue
		}
		half := sendHalf(t, s.face, route)
		if reads := route.body != noBody && route.body != asked; reads != half.read && half.Code != http.StatusNotFound {
			t.Errorf("%s reads its body: %t, status %d", route.pattern, half.read, half.Code)
		}
		s.must(t, http.StatusOK, http.MethodPost, "/api/library/processes", `{"name": "`+route.pattern+`"}`)
		before := contents(t, door)
		half.end(io.ErrUnexpectedEOF)
		if half.read && half.Code < http.StatusBadRequest || contents(t, door) != before {
			t.Errorf("%s with half a body: status %d", route.pattern, half.Code)
		}
	}
}

// halfSent is the response to a request whose body was half sent.
type halfSent struct {
	*httptest.ResponseRecorder
	read bool // whether the service reads the body; otherwise it has already responded
	more string
	rest *io.PipeWriter
	over chan struct{}
}

// sendHalf sends half a body to the operation of a route.
func sendHalf(t *testing.T, face *Server, route route, header ...[2]string) *halfSent {
	t.Helper()
	method, path, _ := strings.Cut(route.pattern, " ")
	for _, name := range wildcards(route.pattern) {
		path = strings.ReplaceAll(strings.ReplaceAll(path, "{"+name+"}", "SN-00001"), "{"+name+"...}", "x")
	}
	begin, more, kind := `{"name": "a`, `"}`, jsonType
	switch route.body { //nolint:exhaustive // the others are JSON
	case rowsBody:
		begin, more, kind = "name\nSl", "ot\n", "text/csv"
	case bytesBody:
		kind = "application/octet-stream"
	}
	body, rest := io.Pipe()
	request := httptest.NewRequestWithContext(t.Context(), method, path, body)
	request.Header.Set("Content-Type", kind)
	for _, field := range header {
		request.Header.Set(field[0], field[1])
	}
	half := &halfSent{ResponseRecorder: httptest.NewRecorder(), more: more, rest: rest, over: make(chan struct{})}
	go func() {
		defer close(half.over)
		face.ServeHTTP(half, request)
		body.Close() // unblocks a write that is never read
	}()
	_, err := rest.Write([]byte(begin)) // returns when the service has read it
	if half.read = err == nil; !half.read {
		<-half.over
	}
	return half
}

// end ends the body with an error, or with the rest of it if the error is nil, and waits for the response.
func (h *halfSent) end(with error) {
	if with == nil {
		_, _ = h.rest.Write([]byte(h.more)) // the service may have responded before
	}
	h.rest.CloseWithError(with)
	<-h.over
}
