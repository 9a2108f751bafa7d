package webhook

import (
	"context"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"slices"
	"strings"
	"syscall"
)

// Policy says where requests may go. Without exceptions only https to public addresses is allowed.
type Policy struct {
	networks []netip.Prefix
	names    []string
}

// ParsePolicy reads exceptions: networks such as 10.1.0.0/16, addresses, and host names. Requests to these may also be unencrypted, and
// their addresses may be private.
func ParsePolicy(exceptions []string) (Policy, error) {
	var p Policy
	for _, text := range exceptions {
		if prefix, err := netip.ParsePrefix(text); err == nil {
			p.networks = append(p.networks, prefix.Masked())
			continue
		}
		if address, err := netip.ParseAddr(text); err == nil {
			address = address.Unmap().WithZone("")
			p.networks = append(p.networks, netip.PrefixFrom(address, address.BitLen()))
			continue
		}
		if text == "" || strings.ContainsAny(text, "/:@ *") {
			return p, fmt.Errorf("%q is neither a network, an address nor a host name", text)
		}
		p.names = append(p.names, hostName(text))
	}
	return p, nil
}

func hostName(text string) string { return strings.ToLower(strings.TrimSuffix(text, ".")) }

// Allows reports whether a request may be sent to an address of the web, as far as the address itself shows. A host name is checked again
// when it is resolved.
func (p Policy) Allows(target *url.URL) bool {
	host := target.Hostname()
	if host == "" || target.Scheme != "https" && target.Scheme != "http" {
		return false
	}
	if slices.Contains(p.names, hostName(host)) {
		return true
	}
	if address, err := netip.ParseAddr(host); err == nil {
		return p.listed(address) || target.Scheme == "https" && public(address)
	}
	// An unencrypted request to a name is only refused later if the name is not in a listed network.
	return target.Scheme == "https" || len(p.networks) > 0
}

func (p Policy) listed(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	return slices.ContainsFunc(p.networks, func(network netip.Prefix) bool { return network.Contains(address) })
}

// reserved are the networks that are not public although netip has no method for them: shared and documentation addresses, benchmarks,
// protocols, and translations to IPv4, which could reach a private address.
func reserved() []netip.Prefix {
	var networks []netip.Prefix
	for _, text := range []string{
		"0.0.0.0/8", "100.64.0.0/10", "192.0.0.0/24", "192.0.2.0/24", "192.88.99.0/24", "198.18.0.0/15", "198.51.100.0/24",
		"203.0.113.0/24", "240.0.0.0/4", "::/96", "64:ff9b::/96", "64:ff9b:1::/48", "100::/64", "2001::/23", "2001:db8::/32", "2002::/16",
		"3fff::/20", "5f00::/16", "fec0::/10",
	} {
		networks = append(networks, netip.MustParsePrefix(text))
	}
	return networks
}

// public reports whether an address belongs to the internet: it is not loopback, link-local (which has the metadata services of clouds),
// private, multicast or reserved.
func public(address netip.Addr) bool {
	address = address.Unmap().WithZone("")
	return address.IsGlobalUnicast() && !address.IsPrivate() &&
		!slices.ContainsFunc(reserved(), func(network netip.Prefix) bool { return network.Contains(address) })
}

// ErrNotAllowed is the error of a request to an address that the policy does not allow.
var ErrNotAllowed = errors.New("the address is not allowed: it is private, or not encrypted; --webhook-allow lists exceptions")

// dial connects to the host of a target. The check is made for the address that the connection is opened to, after the name is resolved.
func (p Policy) dial(ctx context.Context, target *url.URL, network, hostPort string) (net.Conn, error) {
	named := slices.Contains(p.names, hostName(target.Hostname()))
	dialer := &net.Dialer{ControlContext: func(_ context.Context, _, dialed string, _ syscall.RawConn) error {
		at, err := netip.ParseAddrPort(dialed)
		if err != nil {
			return err
		}
		if named || p.listed(at.Addr()) || target.Scheme == "https" && public(at.Addr()) {
			return nil
		}
		return ErrNotAllowed
	}}
	return dialer.DialContext(ctx, network, hostPort)
}
