package remote

import (
	"fmt"
	"net/http"
	"net/netip"
	"regexp"
	"slices"
	"strings"
)

// Proxies are the networks of the proxies whose statements about the origin of a request are trusted.
type Proxies []netip.Prefix

// ParseProxies parses networks such as 10.1.0.0/16, and single addresses.
func ParseProxies(networks []string) (Proxies, error) {
	var proxies Proxies
	for _, text := range networks {
		network, err := netip.ParsePrefix(text)
		if address, addressErr := netip.ParseAddr(text); err != nil && addressErr == nil {
			address = address.Unmap().WithZone("")
			network, err = netip.PrefixFrom(address, address.BitLen()), nil
		}
		if err != nil {
			return nil, fmt.Errorf("%q is no network like 10.1.0.0/16 and no address", text)
		}
		proxies = append(proxies, network.Masked())
	}
	return proxies, nil
}

// Trusted reports whether an address is that of a proxy.
func (p Proxies) Trusted(address netip.Addr) bool {
	return slices.ContainsFunc(p, func(network netip.Prefix) bool { return network.Contains(address) })
}

// caller returns the address that a request comes from. A trusted proxy appends the address of its client to the header that it received.
// So the header is read from its end while the addresses are trusted, and the first address that is not trusted is the caller. An
// unreadable address ends the search too; then the caller is the last address read before it.
//
// A proxy writes one of the two headers and passes the other one on unchanged. So if both exist and differ, neither is believed.
func (p Proxies) caller(r *http.Request) string {
	peer, ok := parseAddress(withoutPort(r.RemoteAddr))
	if !ok {
		return withoutPort(r.RemoteAddr)
	}
	if !p.Trusted(peer) {
		return peer.String()
	}
	plain, standard := r.Header["X-Forwarded-For"], r.Header["Forwarded"]
	switch {
	case len(standard) == 0:
		return p.follow(peer, plain, parseHop).String()
	case len(plain) == 0:
		return p.follow(peer, standard, forwardedFor).String()
	}
	one, other := p.follow(peer, plain, parseHop), p.follow(peer, standard, forwardedFor)
	if one != other {
		return peer.String()
	}
	return one.String()
}

// follow reads the addresses of a header from its end, starting from a trusted address.
func (p Proxies) follow(from netip.Addr, lines []string, read func(hop string) (netip.Addr, bool)) netip.Addr {
	for _, line := range slices.Backward(lines) {
		for more := true; more; {
			at := strings.LastIndexByte(line, ',')
			hop, ok := read(strings.Trim(line[at+1:], " \t"))
			if !ok {
				return from
			}
			if from = hop; !p.Trusted(hop) {
				return hop
			}
			line, more = line[:max(at, 0)], at >= 0
		}
	}
	return from
}

// parseHop parses an address in a header: with or without a port, IPv6 with or without brackets.
func parseHop(text string) (netip.Addr, bool) {
	if with, err := netip.ParseAddrPort(text); err == nil {
		return plainAddress(with.Addr()), true
	}
	if inside, ok := strings.CutPrefix(text, "["); ok {
		if inside, ok = strings.CutSuffix(inside, "]"); !ok || !strings.Contains(inside, ":") {
			return netip.Addr{}, false
		}
		text = inside
	}
	return parseAddress(text)
}

func parseAddress(text string) (netip.Addr, bool) {
	address, err := netip.ParseAddr(text)
	return plainAddress(address), err == nil
}

// plainAddress normalizes an address: IPv4 in IPv6 becomes IPv4, and the zone is removed, because it is local to this machine.
func plainAddress(address netip.Addr) netip.Addr { return address.Unmap().WithZone("") }

// pair matches one pair of an element of Forwarded, as RFC 7239 defines it.
//
//nolint:gochecknoglobals // an expression that is compiled once
var pair = regexp.MustCompile(`^([!#$%&'*+.^_|~0-9A-Za-z` + "`" + `-]+)=(?:([!#$%&'*+.^_|~0-9A-Za-z` + "`" + `-]+)|"([^"\\]*)")(?:;|$)`)

// forwardedFor reads the address in an element of Forwarded. It refuses an element that does not fully conform to RFC 7239, which may be a
// part of a quoted text with a comma.
func forwardedFor(element string) (address netip.Addr, ok bool) {
	for element != "" {
		found := pair.FindStringSubmatch(element)
		if found == nil {
			return netip.Addr{}, false
		}
		if strings.EqualFold(found[1], "for") {
			if ok { // twice
				return netip.Addr{}, false
			}
			if address, ok = parseHop(found[2] + found[3]); !ok {
				return netip.Addr{}, false
			}
		}
		element = strings.TrimLeft(element[len(found[0]):], " \t")
	}
	return address, ok
}
