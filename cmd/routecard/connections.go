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

// connectionMemory is the maximum memory of one connection while its request is read: parsed headers of the size headerLimit.
const connectionMemory = 512 << 10

// With encryption, browsers and programs send many requests at once over one connection (HTTP/2).
const (
	// encryptedStreams is the number of requests that one connection may have at a time. Each open page holds one of them, for events.
	encryptedStreams = 32
	// streamMemory is the maximum memory of the headers of one stream. HTTP/2 counts 32 bytes for each field in addition to its text, which
	// limits the number of fields.
	streamMemory = 64 << 10
)

// memoryOfConnection returns the maximum memory of one connection.
func memoryOfConnection(encrypted bool) int64 {
	if encrypted {
		return encryptedStreams * streamMemory
	}
	return connectionMemory
}

// leastConnections is the number of connections that are accepted on the smallest machine.
const leastConnections = 512

// connections is a listener that limits the number of open connections: of all, and of each network, as remote.Network defines networks. A
// connection above the limit of its network is closed. At the overall limit, a connection from a network with fewer connections displaces a
// connection of the network with the most: the newest idle one, or else the newest. So no network can keep others from connecting. It is
// safe for concurrent use.
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
	idle    bool // the lock of the connections guards it
	once    sync.Once
}

// limitConnections limits a listener to as many connections as fit into half of the memory. one is the memory of one connection.
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
		_ = accepted.Close() // the peer notices that the connection is closed
	}
}

// admit returns the connection if it is within the limits, and nil otherwise.
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
		go func() { _ = displaced.Conn.Close() }() // in a goroutine, because closing may wait for a write
	}
	l.count++
	l.open[c.network] = append(l.open[c.network], c)
	return c
}

// displaceable returns the connection to close in favor of a network with that many connections, or nil if no network has at least two
// more.
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

// ReadFrom lets the system send a file without copying it through the program.
func (c *connection) ReadFrom(from io.Reader) (int64, error) { return io.Copy(c.Conn, from) }

// CloseWrite lets the server end a connection without losing the last bytes that it wrote.
func (c *connection) CloseWrite() error {
	if half, ok := c.Conn.(interface{ CloseWrite() error }); ok {
		return half.CloseWrite()
	}
	return nil
}
