// Package remote says where a request comes from, also through proxies, and which account made it.
package remote

import (
	"context"
	"net"
	"net/http"
	"net/netip"
	"sync/atomic"
)

// Party is the other side of a request. It is safe for concurrent use.
type Party struct {
	// Address is the address of the caller, without its port: that of the connection, or the one reported by trusted proxies.
	Address string

	account atomic.Pointer[account]
	guarded atomic.Bool
}

type account struct{ userID, login string }

// Identify notes the account of a request, for logs and counts after the response.
func (p *Party) Identify(userID, login string) { p.account.Store(&account{userID, login}) }

// Login is the login of the account of the request, "" for none.
func (p *Party) Login() string {
	if found := p.account.Load(); found != nil {
		return found.login
	}
	return ""
}

// Owner is the party to which limits count a request: the account, or without one the network of the address.
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

// Arrive finds out where a request comes from, and returns its context with its party in it.
func Arrive(r *http.Request, proxies Proxies) (context.Context, *Party) {
	party := &Party{Address: proxies.caller(r)}
	return context.WithValue(r.Context(), partyKey{}, party), party
}

// Of returns the party of a request. One that did not arrive by Arrive has a party of its own, with the address of its
// connection.
func Of(r *http.Request) *Party {
	if party, ok := r.Context().Value(partyKey{}).(*Party); ok {
		return party
	}
	return &Party{Address: Proxies(nil).caller(r)}
}

// From returns the party of the request that a context belongs to, and one without an address for every other context.
func From(ctx context.Context) *Party {
	if party, ok := ctx.Value(partyKey{}).(*Party); ok {
		return party
	}
	return &Party{}
}

// Network is the unit by which addresses are counted: the network of 64 bits of an IPv6 address, which a subscriber has, and every other
// address itself.
func Network(address string) string {
	parsed, err := netip.ParseAddr(address)
	if err != nil || parsed.Is4() || parsed.Is4In6() {
		return address
	}
	return netip.PrefixFrom(parsed.WithZone(""), 64).Masked().String()
}

// withoutPort is the address in a host and port; what is none stays as it is.
func withoutPort(address string) string {
	host, _, err := net.SplitHostPort(address)
	if err != nil {
		return address
	}
	return host
}
