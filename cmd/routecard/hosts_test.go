package main

import (
	"net"
	"net/http"
	"testing"
)

// D24: The service answers to the names that it was given, and to addresses that nobody else can make mean it.
func TestKnownHosts(t *testing.T) {
	t.Parallel()
	loopback := &net.TCPAddr{IP: net.IPv4(127, 0, 0, 1), Port: 8080}
	known, err := hostSettings{Host: []string{"Routecard.Example.COM"}, PublicURL: "https://cards.example.com:8443/"}.known()
	if err != nil {
		t.Fatal(err)
	}
	for _, host := range []string{
		"localhost", "LOCALHOST:8080", "localhost.:80", "127.0.0.1:8080", "127.1.2.3", "[::1]:8080", "[::1]", "::1", "shop.localhost:1",
		"routecard.example.com", "routecard.example.com:443", "cards.example.com", "[::ffff:127.0.0.1]",
	} {
		if !known(host, loopback) {
			t.Errorf("%s is not known", host)
		}
	}
	for _, host := range []string{
		"", "evil.example", "evil.example:8080", "localhost.evil.example", "127.0.0.1.evil.example", "192.168.0.1", "[::2]", "0.0.0.0", "x@localhost",
	} {
		if known(host, loopback) {
			t.Errorf("%s is known", host)
		}
	}
	// Beyond loopback names are asked for too. Only the address that a connection was made to needs no setting.
	lan := &net.TCPAddr{IP: net.ParseIP("192.168.0.1"), Port: 8080}
	for host, want := range map[string]bool{
		"192.168.0.1:8080": true, "[::ffff:192.168.0.1]": true, "192.168.0.2": false, "evil.example": false, "shop-server": false,
		"cards.example.com": true, "localhost:8080": true, "": false,
	} {
		if known(host, lan) != want {
			t.Errorf("at 192.168.0.1 %q is known: %t", host, !want)
		}
	}
	six := &net.TCPAddr{IP: net.ParseIP("fe80::1"), Zone: "eth0", Port: 8080}
	if !known("[fe80::1]:8080", six) || known("[fe80::2]:8080", six) || known("[fe80::1]", nil) {
		t.Error("an IPv6 address is known wrongly")
	}
	for _, wrong := range []hostSettings{{Host: []string{"https://x"}}, {Host: []string{""}}, {PublicURL: "routecard.example.com"}, {PublicURL: "ftp://x"}} {
		if _, err := wrong.known(); err == nil {
			t.Errorf("%+v was taken", wrong)
		}
	}
}

// TestRebinding asks a service on loopback under a name that somebody made to mean this machine.
func TestRebinding(t *testing.T) {
	t.Parallel()
	s := serveFile(t, "--host", "routecard.example.com")
	for host, want := range map[string]int{
		"evil.example": http.StatusMisdirectedRequest, "routecard.example.com": http.StatusCreated, "": http.StatusCreated,
	} {
		request, err := http.NewRequestWithContext(t.Context(), http.MethodPost, s.URL+"/api/library/processes", nil)
		if err != nil {
			t.Fatal(err)
		}
		if host != "" {
			request.Host = host
		}
		if want == http.StatusCreated {
			request.Method, request.URL.Path, want = http.MethodGet, "/api/jobs", http.StatusOK
		}
		response, err := http.DefaultClient.Do(request)
		if err != nil {
			t.Fatal(err)
		}
		response.Body.Close()
		if response.StatusCode != want {
			t.Errorf("under the name %q it answers %s", host, response.Status)
		}
	}
	_ = s.Stop()
}
