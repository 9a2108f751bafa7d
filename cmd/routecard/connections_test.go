package main

import (
	"bufio"
	"bytes"
	"context"
	"crypto/tls"
	"encoding/binary"
	"fmt"
	"io"
	"log/slog"
	"net"
	"net/http"
	"net/netip"
	"path/filepath"
	"runtime"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/routecard/routecard/internal/remote"
)

// connect opens a connection to a listener from one of the addresses of the loopback network.
func connect(t *testing.T, to net.Addr, from string) net.Conn {
	t.Helper()
	dialer := net.Dialer{LocalAddr: &net.TCPAddr{IP: net.ParseIP(from)}}
	conn, err := dialer.DialContext(t.Context(), "tcp", to.String())
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { _ = conn.Close() })
	return conn
}

// answeredOn reports whether a connection gets a response.
func answeredOn(conn net.Conn) bool {
	if _, err := io.WriteString(conn, "GET / HTTP/1.1\r\nHost: x\r\n\r\n"); err != nil {
		return false
	}
	answer, err := http.ReadResponse(bufio.NewReader(conn), nil)
	if err != nil {
		return false
	}
	_, err = io.Copy(io.Discard, answer.Body)
	return err == nil && answer.Body.Close() == nil
}

// An address that opens as many connections as it can leaves room for others, and for programs on the machine itself.
func TestConnectionsAreShared(t *testing.T) {
	t.Parallel()
	inner, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	limited := limitConnections(inner, 0, connectionMemory, remote.Proxies{netip.MustParsePrefix("127.0.0.9/32")})
	limited.most, limited.each = 8, 4
	limited.exempt = func(address netip.Addr) bool { return address == netip.MustParseAddr("127.0.0.9") }
	server := &http.Server{
		Handler:   http.HandlerFunc(func(w http.ResponseWriter, _ *http.Request) { fmt.Fprint(w, "ok") }),
		ConnState: limited.changed, ReadHeaderTimeout: headerTimeout,
	}
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.Serve(limited)
	}()
	defer func() {
		_ = server.Shutdown(context.WithoutCancel(t.Context()))
		<-done
	}()
	crowd := func(from string, wanted, want int) (open []net.Conn) {
		t.Helper()
		for range wanted {
			if conn := connect(t, inner.Addr(), from); answeredOn(conn) {
				open = append(open, conn)
			}
		}
		if len(open) != want {
			t.Errorf("%s: %d connections are served, want %d", from, len(open), want)
		}
		return open
	}
	open := crowd("127.0.0.2", 6, 4)
	open = append(open, crowd("127.0.0.3", 6, 4)...) // the overall limit is reached
	crowd("127.0.0.4", 3, 2)                         // they displace idle connections of other networks
	left := 0
	for i, conn := range open {
		if answeredOn(conn) {
			left++
		} else if i%4 == 0 {
			t.Error("the oldest connection of an address was displaced")
		}
	}
	if left != 6 {
		t.Errorf("%d of the first connections are left, want 6", left)
	}
	crowd("127.0.0.9", 5, 5) // a proxy
	limited.mu.Lock()
	defer limited.mu.Unlock()
	if limited.count > limited.most {
		t.Errorf("%d connections are open, and may be %d", limited.count, limited.most)
	}
}

// In every order of opening and closing, the count is the number of open connections, and a network with fewer connections than others can
// connect.
func TestConnectionsAreCounted(t *testing.T) {
	t.Parallel()
	rapid.Check(t, func(r *rapid.T) {
		l := limitConnections(nil, 0, connectionMemory, nil)
		l.most, l.each = 6, 3
		l.exempt = func(address netip.Addr) bool { return address == netip.MustParseAddr("10.0.0.9") }
		var held []net.Conn
		for range rapid.IntRange(1, 60).Draw(r, "steps") {
			if len(held) > 0 && rapid.Bool().Draw(r, "close") {
				_ = held[0].Close()
				held = held[1:]
				continue
			}
			from := rapid.SampledFrom([]string{"10.0.0.1", "10.0.0.2", "10.0.0.3", "10.0.0.9"}).Draw(r, "from")
			one, other := net.Pipe()
			_ = other.Close()
			c := l.admit(&addressed{one, from})
			if c != nil {
				held = append(held, c)
			}
			if c == nil && len(l.open[from]) < 1 && from != "10.0.0.9" && len(l.open[""]) < l.most-3 {
				r.Fatalf("%s has no connection and gets none: %d open", from, l.count)
			}
			count := 0
			for network, open := range l.open {
				count += len(open)
				if network != "" && len(open) > l.each {
					r.Fatalf("%s has %d", network, len(open))
				}
			}
			if count != l.count || count > l.most {
				r.Fatalf("%d are counted, %d are open", l.count, count)
			}
		}
	})
}

type addressed struct {
	net.Conn

	from string
}

func (a *addressed) RemoteAddr() net.Addr { return &net.TCPAddr{IP: net.ParseIP(a.from), Port: 1} }

// The headers of one request cost less than connectionMemory, however small their fields are.
func TestHeadersFitIntoTheMemoryOfAConnection(t *testing.T) {
	var request bytes.Buffer
	request.WriteString("GET / HTTP/1.1\r\nHost: x\r\n")
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	for i := 0; request.Len() < headerLimit+4096; i++ { // net/http allows 4096 bytes above the limit
		fmt.Fprintf(&request, "%c%c%c:x\r\n", letters[i/36/36%36], letters[i/36%36], letters[i%36])
	}
	request.WriteString("\r\n")
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	read, err := http.ReadRequest(bufio.NewReader(&request))
	runtime.GC()
	runtime.ReadMemStats(&after)
	if err != nil || len(read.Header) < 1000 {
		t.Fatalf("%d fields, %v", len(read.Header), err)
	}
	if took := int64(after.HeapAlloc) - int64(before.HeapAlloc); took > connectionMemory {
		t.Errorf("%d fields take %d bytes, more than %d", len(read.Header), took, connectionMemory)
	}
	runtime.KeepAlive(read)
}

// One encrypted connection can have only as many requests, with headers of such a size, as memoryOfConnection counts.
func TestStreamsOfAConnectionAreLimited(t *testing.T) {
	t.Parallel()
	certFile, keyFile := filepath.Join(t.TempDir(), "cert.pem"), filepath.Join(t.TempDir(), "key.pem")
	writeCertificate(t, certFile, keyFile, 1)
	logger := slog.New(slog.DiscardHandler)
	encryption, err := tlsSettings{TLSCertFile: certFile, TLSKeyFile: keyFile}.config(logger)
	if err != nil {
		t.Fatal(err)
	}
	inner, err := (&net.ListenConfig{}).Listen(t.Context(), "tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	server := newServer(http.NotFoundHandler(), encryption, func(net.Conn, http.ConnState) {}, logger)
	done := make(chan struct{})
	go func() {
		defer close(done)
		_ = server.ServeTLS(inner, "", "")
	}()
	defer func() {
		_ = server.Close()
		<-done
	}()
	trusting := &tls.Config{InsecureSkipVerify: true, NextProtos: []string{"h2"}} //nolint:gosec // the test made the certificate
	conn, err := (&tls.Dialer{Config: trusting}).DialContext(t.Context(), "tcp", inner.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	// The client's part of the beginning of HTTP/2, with no settings; the server responds with its own.
	if _, err := io.WriteString(conn, "PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\x00\x00\x00\x04\x00\x00\x00\x00\x00"); err != nil {
		t.Fatal(err)
	}
	var frame [9]byte
	if _, err := io.ReadFull(conn, frame[:]); err != nil || frame[3] != 4 {
		t.Fatalf("%x, %v", frame, err)
	}
	said := make([]byte, binary.BigEndian.Uint32(append([]byte{0}, frame[:3]...)))
	if _, err := io.ReadFull(conn, said); err != nil {
		t.Fatal(err)
	}
	settings := map[uint16]uint32{}
	for setting := range slices.Chunk(said, 6) {
		settings[binary.BigEndian.Uint16(setting)] = binary.BigEndian.Uint32(setting[2:])
	}
	const streams, headerList = 3, 6
	if settings[streams] != encryptedStreams || settings[headerList] == 0 || settings[headerList] > headerLimit+1024 {
		t.Errorf("the server allows %d requests at once, with %d bytes of headers", settings[streams], settings[headerList])
	}
}

// The fields of one request of HTTP/2, each counted with 32 bytes in addition to its text, take no more than streamMemory.
func TestHeadersFitIntoTheMemoryOfAStream(t *testing.T) {
	const most = (headerLimit + 1024) / (32 + len("abc") + len("x"))
	header := http.Header{}
	const letters = "abcdefghijklmnopqrstuvwxyz0123456789"
	var before, after runtime.MemStats
	runtime.GC()
	runtime.ReadMemStats(&before)
	for i := range most {
		header.Set(string([]byte{letters[i/36/36%36], letters[i/36%36], letters[i%36]}), "x")
	}
	runtime.GC()
	runtime.ReadMemStats(&after)
	if took := int64(after.HeapAlloc) - int64(before.HeapAlloc); took > streamMemory {
		t.Errorf("%d fields take %d bytes, more than %d", most, took, streamMemory)
	}
	runtime.KeepAlive(header)
}
