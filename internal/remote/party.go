// Package remote determines the client address of a request, with or without proxies in between, and records the account of the request.
package remote

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
)

// Party is the client of a request. It is safe for concurrent use.
type Party struct {
	// Address is the client's IP address without the port: the peer of the connection, or the address that trusted proxies report.
	Address string

	account atomic.Pointer[account]
	guarded atomic.Bool
}

type account struct{ userID, login string }

// Identify records the account of a request, for logs and counts after the response.
func (p *Party) Identify(userID, login string) { p.account.Store(&account{userID, login}) }

// Login returns the login of the account of the request, "" for none.
func (p *Party) Login() string {
	if found := p.account.Load(); found != nil {
		return found.login
	}
	return ""
}

// Owner returns the key under which limits count a request: the account or, without an account, the network of the address.
func (p *Party) Owner() string {
	if found := p.account.Load(); found != nil {
		return "user:" + found.userID
	}
	return "address:" + Network(p.Address)
}

// Guard records that the request needs an identity: its response must not be reused for another caller.
func (p *Party) Guard() { p.guarded.Store(true) }

// Guarded reports whether Guard was called.
func (p *Party) Guarded() bool { return p.guarded.Load() }

type partyKey struct{}

// Arrive determines the Party of a request, and returns a context that contains it.
func Arrive(r *http.Request, proxies Proxies) (context.Context, *Party) {
	party := &Party{Address: proxies.caller(r)}
	return context.WithValue(r.Context(), partyKey{}, party), party
}

// Of returns the Party of a request. If Arrive was not called for the request, the Party has the address of the connection.
func Of(r *http.Request) *Party {
	if party, ok := r.Context().Value(partyKey{}).(*Party); ok {
		return party
	}
	return &Party{Address: Proxies(nil).caller(r)}
}

// From returns the Party of the request of a context. For any other context it returns a Party without an address.
func From(ctx context.Context) *Party {
	if party, ok := ctx.Value(partyKey{}).(*Party); ok {
		return party
	}
	return &Party{}
}

// Network returns the key under which addresses are counted: for an IPv6 address its /64 network, because one subscriber has all of it,
// otherwise the address itself.
func Network(address string) string {
	parsed, err := netip.ParseAddr(address)
	if err != nil || parsed.Is4() || parsed.Is4In6() {
		return address
	}
	return netip.PrefixFrom(parsed.WithZone(""), 64).Masked().String()
}

// withoutPort returns the address in a host and port. Any other text is returned unchanged.
func withoutPort(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}
