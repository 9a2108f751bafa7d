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

// hostSettings are the flags for the names of the service, and for the proxies in front of it.
type hostSettings struct {
	Host []string `help:"Additional public host names, as a proxy passes them on."`
	// Proxies between the service and its callers.
	TrustedProxy []string `help:"Trusted proxies: addresses or networks such as 10.1.0.0/16, whose X-Forwarded-For and Forwarded headers are believed." placeholder:"NETWORK,..."`
	CORSOrigin   []string `name:"cors-origin" help:"Origins whose pages may call the API with a token, such as https://dashboard.example.com." placeholder:"ORIGIN,..."`
	PublicURL    string   `help:"Public address of the service, such as https://routecard.example.com."`
}

// names returns the host names of the service in the settings.
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
				withoutSecrets(s.PublicURL))
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

// origin returns the origin at which browsers reach the service: the public URL or, on loopback, localhost; "" when it is unknown.
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

// shopNames returns the names of the shop in its addresses, and the name of the program: attackers would guess passwords with these words.
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

// proxies returns the proxies in front of the service.
func (s hostSettings) proxies() (remote.Proxies, error) {
	proxies, err := remote.ParseProxies(s.TrustedProxy)
	if err != nil {
		return nil, fmt.Errorf("--trusted-proxy: %w", err)
	}
	return proxies, nil
}

// localNames are the top-level names under which no public zone exists, so that no page from the Internet can have such a name.
const localNames = ".localhost .local .internal .lan .home.arpa .test"

// known returns a function that reports whether a Host header has a known name. A page of another site can point its own public name at
// this machine (DNS rebinding), and then its visitors' browsers send requests here. It cannot do so with an IP address, a name without a
// dot or a local name, so these are known too.
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

// machineNames returns the names of this machine: its hostname, and the other names in the lines of /etc/hosts that have the hostname.
func machineNames() []string {
	own, err := os.Hostname()
	if err != nil {
		return nil
	}
	hosts, err := os.ReadFile("/etc/hosts")
	if err != nil {
		hosts = nil // this system has no such file
	}
	return namesOf(own, string(hosts))
}

// namesOf returns a machine's hostname, and the other names in the lines of a file like /etc/hosts that have the hostname.
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

// hostName returns the name in a Host header in lower case, without the port, the brackets of an address and a final dot.
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
