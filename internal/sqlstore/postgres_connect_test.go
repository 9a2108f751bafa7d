package sqlstore

import (
	"fmt"
	"net"
	"strings"
	"testing"

	"github.com/google/go-cmp/cmp"
)

// Each cause is reported once. An attempt with TLS is reported only if its message differs from that of the attempt without TLS.
func TestDistinctCauses(t *testing.T) {
	t.Parallel()
	const at, refused = "127.0.0.1:1 (db)", ": dial error: dial tcp 127.0.0.1:1: connect: connection refused"
	for name, test := range map[string]struct{ attempts, want []string }{
		"none":                  {nil, nil},
		"one":                   {[]string{at + refused}, []string{at + refused}},
		"nothing listens":       {[]string{at + refused, at + refused}, []string{at + refused}},
		"two addresses":         {[]string{at + refused, "[::1]:1 (db): x", at + refused}, []string{at + refused, "[::1]:1 (db): x"}},
		"no TLS, no database":   {[]string{at + ": tls error: server refused TLS connection", at + ": server error: FATAL: x"}, []string{at + ": server error: FATAL: x"}},
		"another program":       {[]string{at + ": tls error: EOF", at + ": failed to receive message: unexpected EOF"}, []string{at + ": failed to receive message: unexpected EOF"}},
		"closed":                {[]string{at + ": tls error: read: connection reset by peer", at + ": failed to receive message: read: connection reset by peer"}, []string{at + ": failed to receive message: read: connection reset by peer"}},
		"another cause":         {[]string{at + ": tls error: bad certificate", at + ": server error: FATAL: x"}, []string{at + ": tls error: bad certificate", at + ": server error: FATAL: x"}},
		"TLS only":              {[]string{at + ": tls error: server refused TLS connection"}, []string{at + ": tls error: server refused TLS connection"}},
		"TLS at another server": {[]string{"a (a): tls error: server refused TLS connection", at + ": EOF"}, []string{"a (a): tls error: server refused TLS connection", at + ": EOF"}},
	} {
		if diff := cmp.Diff(test.want, distinctCauses(test.attempts)); diff != "" {
			t.Errorf("%s: -want +got:\n%s", name, diff)
		}
	}
}

// A wrong address is refused with one line that states the cause once, whether nothing or another program listens there.
func TestWrongPostgresAddressSaysTheCauseOnce(t *testing.T) {
	t.Parallel()
	listen := func(serve func(net.Conn)) string {
		listener, err := net.Listen("tcp", "127.0.0.1:0")
		if err != nil {
			t.Fatal(err)
		}
		if serve == nil {
			_ = listener.Close()
			return listener.Addr().String()
		}
		t.Cleanup(func() { _ = listener.Close() })
		go func() {
			for {
				conn, err := listener.Accept()
				if err != nil {
					return
				}
				serve(conn)
				_ = conn.Close()
			}
		}()
		return listener.Addr().String()
	}
	read := func(conn net.Conn) { _, _ = conn.Read(make([]byte, 1024)) }
	const encryptionAsked = 8 // bytes
	for name, test := range map[string]struct {
		address, says string
	}{
		"nothing listens": {listen(nil), "connection refused"},
		"it closes":       {listen(read), "EOF"},
		"it has no TLS": {listen(func(conn net.Conn) {
			if n, _ := conn.Read(make([]byte, 1024)); n == encryptionAsked {
				_, _ = conn.Write([]byte("N"))
			}
		}), "EOF"},
	} {
		_, err := OpenPostgres(t.Context(), fmt.Sprintf("postgres://shop@%s/shop", test.address), Pool{}, Options{})
		if err == nil {
			t.Fatalf("%s: it opens", name)
		}
		text := err.Error()
		if strings.Count(text, test.says) != 1 || strings.Contains(text, "\n") || strings.Contains(text, "tls error") {
			t.Errorf("%s: %s", name, text)
		}
	}
}
