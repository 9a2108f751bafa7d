package main

import (
	"fmt"
	"net"
	"net/netip"
	"net/url"
	"os"
	"slices"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/remote"
)

// hostSettings are the flags that say by which names the service is known.
type hostSettings struct {
	Host []string `help:"Additional public host names, as a proxy passes them on."`
	// What stands between the service and its callers.
	TrustedProxy []string `help:"Trusted proxies: addresses or networks such as 10.1.0.0/16, whose X-Forwarded-For and Forwarded headers are believed." placeholder:"NETWORK,..."`
	CORSOrigin   []string `name:"cors-origin" help:"Origins whose pages may call the API with a token, such as https://dashboard.example.com." placeholder:"ORIGIN,..."`
	PublicURL    string   `help:"Public address of the service, such as https://routecard.example.com."`
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

// checkOrigins validates the origins of other pages that may call the interface.
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

// shopNames are the names of the shop in its addresses, and that of the program, which attackers would try in a password.
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

// localNames are the names under which no public zone exists, so that no page from the Internet can have one.
const localNames = ".localhost .local .internal .lan .home.arpa .test"

// known returns a function that reports whether a Host header has a known name. A page of another site can point its own
// public name at this machine (DNS rebinding), and then its visitors' browsers send requests here. It cannot do so with an
// address, with a name without a dot or with a local name.
func (s hostSettings) known() (func(host string) bool, error) {
	names, err := s.names()
	if err != nil {
		return nil, err
	}
	for _, name := range machineNames() {
		names[name] = true
	}
	return func(host string) bool {
		name := hostName(host)
		if _, err := netip.ParseAddr(name); err == nil || names[name] || isLabel(name) {
			return true
		}
		for local := range strings.FieldsSeq(localNames) {
			if strings.HasSuffix(name, local) {
				return true
			}
		}
		return false
	}, nil
}

// machineNames returns the names of this machine: its hostname, and the names that /etc/hosts has in a line with it.
func machineNames() []string {
	own, err := os.Hostname()
	if err != nil {
		return nil
	}
	hosts, err := os.ReadFile("/etc/hosts")
	if err != nil {
		hosts = nil // there is no such file on this system
	}
	return namesOf(own, string(hosts))
}

// namesOf returns a machine's hostname, and the names that a file like /etc/hosts has in a line with it.
func namesOf(own, hosts string) []string {
	own = hostName(own)
	names := []string{own}
	for line := range strings.Lines(hosts) {
		line, _, _ = strings.Cut(strings.ToLower(line), "#")
		if fields := strings.Fields(line); len(fields) > 1 && slices.Contains(fields[1:], own) {
			names = append(names, fields[1:]...)
		}
	}
	return names
}

// isLabel reports whether a name is a single label without a dot, like the name of a Compose service.
func isLabel(name string) bool {
	return name != "" && strings.Trim(name, "abcdefghijklmnopqrstuvwxyz0123456789-_") == ""
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
