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
		method, path, _ := strings.Cut(route.pattern, " ")
		for _, name := range wildcards(route.pattern) {
			path = strings.ReplaceAll(strings.ReplaceAll(path, "{"+name+"}", "SN-00001"), "{"+name+"...}", "x")
		}
		body, rest := io.Pipe()
		request := httptest.NewRequestWithContext(t.Context(), method, path, body)
		request.Header.Set("Content-Type", jsonType)
		begin := `{"name": "a`
		if route.body == rowsBody {
			request.Header.Set("Content-Type", "text/csv")
			begin = "name\nSl"
		}
		answer, over := httptest.NewRecorder(), make(chan struct{})
		go func() {
			defer close(over)
			s.face.ServeHTTP(answer, request)
			body.Close() // which ends a write that nobody reads
		}()
		_, err := rest.Write([]byte(begin)) // returns when the service has read it
		if reads := route.body != noBody && route.body != asked; reads != (err == nil) && answer.Code != http.StatusNotFound {
			t.Errorf("%s reads its body: %t, status %d", route.pattern, err == nil, answer.Code)
		}
		s.must(t, http.StatusOK, http.MethodPost, "/api/library/processes", `{"name": "`+route.pattern+`"}`)
		before := contents(t, door)
		rest.CloseWithError(io.ErrUnexpectedEOF)
		<-over
		if err == nil && answer.Code < http.StatusBadRequest || contents(t, door) != before {
			t.Errorf("%s with half a body: status %d", route.pattern, answer.Code)
		}
	}
}
