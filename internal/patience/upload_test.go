package patience_test

import (
	"fmt"
	"io"
	"net"
	"net/http"
	"os"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/routecard/routecard/internal/patience"
)

// oneConnection is a listener with one connection.
type oneConnection chan net.Conn

func (l oneConnection) Accept() (net.Conn, error) {
	connection, ok := <-l
	if !ok {
		return nil, net.ErrClosed
	}
	return connection, nil
}
func (l oneConnection) Close() error {
	close(l)
	return nil
}
func (l oneConnection) Addr() net.Addr { return &net.TCPAddr{} }

// A body that arrives at exactly the minimum rate is accepted. A slower or stalled body is not.
func TestLeastRate(t *testing.T) {
	t.Parallel()
	for name, c := range map[string]struct {
		first, each, pieces int
		want                bool
	}{
		"at the least rate":        {patience.UploadRate, patience.UploadRate, 40, true},
		"a little slower":          {0, patience.UploadRate - 200, 400, false},
		"faster":                   {0, patience.UploadRate * 8, 2, true},
		"a byte each second":       {0, 1, 40, false},
		"much, and then very slow": {patience.UploadRate * 100, 1, 40, true},
	} {
		t.Run(name, func(t *testing.T) {
			t.Parallel()
			synctest.Test(t, func(t *testing.T) {
				read := make(chan error, 1)
				server := &http.Server{ReadTimeout: time.Hour, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
					patience.Received(w, r)
					_, err := io.Copy(io.Discard, r.Body)
					read <- err
				})}
				client, other := net.Pipe()
				listener := make(oneConnection, 1)
				listener <- other
				go func() { _ = server.Serve(listener) }()
				go func() { _, _ = io.Copy(io.Discard, client) }()
				fmt.Fprintf(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: %d\r\n\r\n", c.first+c.each*c.pieces)
				_, err := client.Write([]byte(strings.Repeat("x", c.first)))
				for range c.pieces {
					if err != nil {
						break
					}
					time.Sleep(time.Second) //nolint:forbidigo // on the fake clock
					_, err = client.Write([]byte(strings.Repeat("x", c.each)))
				}
				if err := <-read; (err == nil) != c.want || err != nil && !os.IsTimeout(err) {
					t.Errorf("reading ends with %v", err)
				}
				_, _ = client.Close(), server.Close()
			})
		})
	}
}

// An unread body does not keep its connection open for the time limit of a whole request.
func TestUnreadBody(t *testing.T) {
	t.Parallel()
	synctest.Test(t, func(t *testing.T) {
		server := &http.Server{ReadTimeout: time.Hour, Handler: http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
			patience.Received(w, r)
			w.WriteHeader(http.StatusUnauthorized)
		})}
		client, other := net.Pipe()
		listener := make(oneConnection, 1)
		listener <- other
		go func() { _ = server.Serve(listener) }()
		began := time.Now()
		fmt.Fprint(client, "POST / HTTP/1.1\r\nHost: x\r\nContent-Length: 1000\r\n\r\nx")
		answer, _ := io.ReadAll(client)
		if !strings.HasPrefix(string(answer), "HTTP/1.1 401") || time.Since(began) > patience.Upload {
			t.Errorf("after %v: %s", time.Since(began), answer)
		}
		_, _ = client.Close(), server.Close()
	})
}
