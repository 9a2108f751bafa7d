package main

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/remote"
)

// hostSettings are the flags that say by which names the service is known.
type hostSettings struct {
	Host []string `help:"Further names and addresses that people reach it by, as a proxy passes them on."`
	// What stands between the service and its callers.
	TrustedProxy []string `help:"Networks and addresses of the proxies in front, such as 10.1.0.0/16. They are believed when they say in X-Forwarded-For or Forwarded where a request comes from." placeholder:"NETWORK,..."`
	CORSOrigin   []string `name:"cors-origin" help:"Origins whose pages may call the interface with a token, such as https://dashboard.example.com." placeholder:"ORIGIN,..."`
	PublicURL    string   `help:"Address that people reach the service by, such as https://routecard.example.com."`
}

// names are the names that the settings give the service.
func (s hostSettings) names() (map[string]bool, error) {
	names := map[string]bool{"localhost": true}
	for _, host := range s.Host {
		name := hostName(host)
		if name == "" || strings.ContainsAny(host, "/ ") {
			return nil, fmt.Errorf("--host must be the name of a host, not %q", host)
		}
		names[name] = true
	}
	if s.PublicURL != "" {
		address, err := url.Parse(s.PublicURL)
		if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" {
			return nil, fmt.Errorf("--public-url must be an address like https://routecard.example.com, not %q",
				withoutPassword(s.PublicURL))
		}
		names[hostName(address.Host)] = true
	}
	return names, nil
}

// checkOrigins judges the origins of other pages that may call the interface.
func (s hostSettings) checkOrigins() error {
	for _, origin := range s.CORSOrigin {
		address, err := url.Parse(origin)
		if err != nil || address.Scheme != "http" && address.Scheme != "https" || address.Hostname() == "" ||
			origin != address.Scheme+"://"+strings.ToLower(address.Host) {
			return fmt.Errorf("--cors-origin must be an origin like https://dashboard.example.com, not %q", origin)
		}
	}
	return nil
}

// origin is the address at which people reach the service: the public one, or on loopback the one that this machine calls
// itself by; "" when that is not known.
func (s hostSettings) origin(listening net.Addr, encrypted bool) string {
	if s.PublicURL != "" {
		return s.PublicURL
	}
	tcp, ok := listening.(*net.TCPAddr)
	if !ok || !tcp.IP.Equal(net.IPv4(127, 0, 0, 1)) && !tcp.IP.Equal(net.IPv6loopback) {
		return ""
	}
	scheme := "http://"
	if encrypted {
		scheme = "https://"
	}
	return scheme + net.JoinHostPort("localhost", strconv.Itoa(tcp.Port))
}

// shopNames are the names of the shop that its addresses tell, and that of the program: what everybody would try in a password.
func (s hostSettings) shopNames() []string {
	known := []string{"routecard"}
	names, err := s.names()
	if err != nil {
		return known
	}
	for name := range names {
		if labels := strings.Split(name, "."); len(labels) > 1 {
			known = append(known, labels[:len(labels)-1]...)
		}
	}
	return known
}

// proxies are the proxies in front of the service.
func (s hostSettings) proxies() (remote.Proxies, error) {
	proxies, err := remote.ParseProxies(s.TrustedProxy)
	if err != nil {
		return nil, fmt.Errorf("--trusted-proxy: %w", err)
	}
	return proxies, nil
}

// known returns which values of a request's Host header the service answers to, on a connection to an address. A page of
// another site can make its own name mean this machine, and its visitors' browsers send here what it likes: so nobody is
// served who asks for a name that the settings do not have. An address is no name that anybody could make mean another: on
// loopback those of loopback are known, and everywhere the one that the connection was made to.
func (s hostSettings) known() (func(host string, at net.Addr) bool, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	return func(host string, at net.Addr) bool {
		name := hostName(host)
		if names[name] || strings.HasSuffix(name, ".localhost") {
			return true
		}
		address, err := netip.ParseAddr(name)
		if err != nil {
			return false
		}
		if address.Unmap().IsLoopback() {
			return true
		}
		tcp, ok := at.(*net.TCPAddr)
		return ok && tcp.AddrPort().Addr().Unmap().WithZone("") == address.Unmap().WithZone("")
	}, nil
}

// hostName is the name in a Host header: without the port, the brackets of an address, the dot at its end, in lower case.
func hostName(host string) string {
	name := host
	if before, port, ok := strings.Cut(host, ":"); ok && !strings.Contains(port, ":") {
		name = before
	}
	if inside, _, ok := strings.Cut(strings.TrimPrefix(host, "["), "]"); ok && strings.HasPrefix(host, "[") {
		name = inside
	}
	return strings.ToLower(strings.TrimSuffix(name, "."))
}
