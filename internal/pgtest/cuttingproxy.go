package pgtest

import (
	"io"
	"net"
	"sync"
	"testing"
)

// cuttingProxy forwards connections to a server, and can cut them all. It is safe for concurrent use.
type cuttingProxy struct {
	listener net.Listener
	server   string
	mu       sync.Mutex
	open     map[net.Conn]bool
	wait     sync.WaitGroup
}

func newCuttingProxy(t *testing.T, server string) *cuttingProxy {
	t.Helper()
	listener, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	p := &cuttingProxy{listener: listener, server: server, open: map[net.Conn]bool{}}
	p.wait.Go(func() {
		for {
			client, err := listener.Accept()
			if err != nil {
				return
			}
			p.wait.Go(func() { p.forward(client) })
		}
	})
	t.Cleanup(func() {
		_ = listener.Close()
		p.Cut()
		p.wait.Wait()
	})
	return p
}

func (p *cuttingProxy) address() string { return p.listener.Addr().String() }

func (p *cuttingProxy) forward(client net.Conn) {
	server, err := net.Dial("tcp", p.server)
	if err != nil {
		_ = client.Close()
		return
	}
	p.mu.Lock()
	p.open[client], p.open[server] = true, true
	p.mu.Unlock()
	var both sync.WaitGroup
	for _, way := range [][2]net.Conn{{client, server}, {server, client}} {
		both.Go(func() {
			_, _ = io.Copy(way[0], way[1])
			_ = way[0].Close()
			_ = way[1].Close()
		})
	}
	both.Wait()
	p.mu.Lock()
	delete(p.open, client)
	delete(p.open, server)
	p.mu.Unlock()
}

// Cut closes all open connections. New ones are forwarded.
func (p *cuttingProxy) Cut() {
	p.mu.Lock()
	defer p.mu.Unlock()
	for conn := range p.open {
		_ = conn.Close()
	}
}
