package main

import (
	"crypto/tls"
	"io"
	"net"
	"net/http"
	"net/netip"
	"slices"
	"sync"

	"github.com/routecard/routecard/internal/remote"
)

// connectionMemory is the most that one connection takes while its request is read: headerLimit of headers, parsed.
const connectionMemory = 512 << 10

// With encryption, browsers and programs send many requests at once over one connection (HTTP/2).
const (
	// encryptedStreams is how many requests one connection may have at a time. Each open page holds one, for events.
	encryptedStreams = 32
	// streamMemory is the most that the headers of one stream take. HTTP/2 counts 32 bytes for each field in addition to its text, so that
	// they are few.
	streamMemory = 64 << 10
)

// memoryOfConnection is the most that one connection takes.
func memoryOfConnection(encrypted bool) int64 {
	if encrypted {
		return encryptedStreams * streamMemory
	}
	return connectionMemory
}

// leastConnections is how many connections are accepted on the smallest machine.
const leastConnections = 512

// connections is a listener that limits how many connections are open: in all, and from one network, as remote.Network has it. A connection
// above the limit of its network is closed. At the overall limit, a connection from a network with fewer of them displaces the newest one
// of the network with the most, an idle one first, so that no network can keep others from connecting. It is safe for concurrent use.
type connections struct {
	net.Listener

	most, each int
	exempt     func(netip.Addr) bool // addresses without a limit of their own, such as proxies

	mu    sync.Mutex
	count int
	open  map[string][]*connection // by network, oldest first
}

type connection struct {
	net.Conn

	of      *connections
	network string
	idle    bool // under the lock of of
	once    sync.Once
}

// limitConnections has a listener accept as many connections as fit into half of the memory, when one takes so much.
func limitConnections(listener net.Listener, memory, one int64, proxies remote.Proxies) *connections {
	most := max(leastConnections, int(memory/2/one))
	return &connections{
		Listener: listener, most: most, each: most / 4, open: map[string][]*connection{},
		exempt: func(address netip.Addr) bool { return address.IsLoopback() || proxies.Trusted(address) },
	}
}

// Accept waits for the next connection within the limits.
func (l *connections) Accept() (net.Conn, error) {
	for {
		accepted, err := l.Listener.Accept()
		if err != nil {
			return nil, err
		}
		if c := l.admit(accepted); c != nil {
			return c, nil
		}
		_ = accepted.Close() // its peer sees that
	}
}

// admit returns the connection when it is within the limits, else nil.
func (l *connections) admit(accepted net.Conn) net.Conn {
	c := &connection{Conn: accepted, of: l}
	if from, err := netip.ParseAddrPort(accepted.RemoteAddr().String()); err == nil && !l.exempt(from.Addr().Unmap()) {
		c.network = remote.Network(from.Addr().Unmap().WithZone("").String())
	}
	l.mu.Lock()
	defer l.mu.Unlock()
	if c.network != "" && len(l.open[c.network]) >= l.each {
		return nil
	}
	if l.count >= l.most {
		has := len(l.open[c.network])
		if c.network == "" {
			has = 0
		}
		displaced := l.displaceable(has)
		if displaced == nil {
			return nil
		}
		l.remove(displaced)
		go func() { _ = displaced.Conn.Close() }() // ends by itself; closing may wait for a write
	}
	l.count++
	l.open[c.network] = append(l.open[c.network], c)
	return c
}

// displaceable is the connection that makes room for one of a network that has so many: nil when no network has clearly more.
func (l *connections) displaceable(has int) *connection {
	var open []*connection
	for network, others := range l.open {
		if network != "" && len(others) > len(open) {
			open = others
		}
	}
	if len(open) <= has+1 {
		return nil
	}
	for _, c := range slices.Backward(open) {
		if c.idle {
			return c
		}
	}
	return open[len(open)-1]
}

func (l *connections) remove(c *connection) {
	open := l.open[c.network]
	if i := slices.Index(open, c); i >= 0 {
		l.count--
		l.open[c.network] = slices.Delete(open, i, i+1)
	}
	if len(l.open[c.network]) == 0 {
		delete(l.open, c.network)
	}
}

// changed notes which connections are idle; it is for http.Server.ConnState.
func (l *connections) changed(conn net.Conn, state http.ConnState) {
	if encrypted, ok := conn.(*tls.Conn); ok {
		conn = encrypted.NetConn()
	}
	if c, ok := conn.(*connection); ok {
		l.mu.Lock()
		defer l.mu.Unlock()
		c.idle = state == http.StateIdle
	}
}

// Close closes the connection and makes room for another one.
func (c *connection) Close() error {
	c.once.Do(func() {
		c.of.mu.Lock()
		defer c.of.mu.Unlock()
		c.of.remove(c)
	})
	return c.Conn.Close()
}

// ReadFrom lets a file be sent without copying it through the program.
func (c *connection) ReadFrom(from io.Reader) (int64, error) { return io.Copy(c.Conn, from) }

// CloseWrite lets the server end a connection without losing what it wrote last.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
