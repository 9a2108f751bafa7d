package remote_test

import (
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"

	"github.com/routecard/routecard/internal/remote"
)

// docs/access.md, "Wrong attempts": The caller's address is read from the right, and only from trusted proxies.
func TestWhoseAddressItIs(t *testing.T) {
	t.Parallel()
	hops := strings.Repeat("198.51.100.9, ", 100)
	for name, c := range map[string]struct {
		peer, plain, standard, want string
	}{
		"nobody is between":              {"203.0.113.7:1", "", "", "203.0.113.7"},
		"a caller tells of itself":       {"203.0.113.7:1", "10.0.0.9", "for=10.0.0.9", "203.0.113.7"},
		"a proxy":                        {"10.0.0.1:1", "203.0.113.7", "", "203.0.113.7"},
		"a proxy that says nothing":      {"10.0.0.1:1", "", "", "10.0.0.1"},
		"two proxies":                    {"10.0.0.1:1", "203.0.113.7, 10.0.0.2", "", "203.0.113.7"},
		"what the caller made up":        {"10.0.0.1:1", "192.0.2.66, 203.0.113.7, 10.0.0.2", "", "203.0.113.7"},
		"made up to be a proxy":          {"10.0.0.1:1", "10.0.0.2, 203.0.113.7", "", "203.0.113.7"},
		"a hundred hops":                 {"10.0.0.1:1", hops + "203.0.113.7", "", "203.0.113.7"},
		"a hundred proxies":              {"10.0.0.1:1", "203.0.113.7" + strings.Repeat(",10.0.0.2", 100), "", "203.0.113.7"},
		"only proxies":                   {"10.0.0.1:1", "10.0.0.3, 10.0.0.2", "", "10.0.0.3"},
		"with a port":                    {"10.0.0.1:1", "203.0.113.7:4711", "", "203.0.113.7"},
		"IPv6":                           {"10.0.0.1:1", "2001:db8::7", "", "2001:db8::7"},
		"IPv6 in brackets":               {"10.0.0.1:1", "[2001:db8::7]", "", "2001:db8::7"},
		"IPv6 with a port":               {"10.0.0.1:1", "[2001:db8::7]:4711", "", "2001:db8::7"},
		"IPv6 with a zone":               {"10.0.0.1:1", "fe80::1%eth0", "", "fe80::1"},
		"IPv4 in brackets":               {"10.0.0.1:1", "[203.0.113.7]", "", "10.0.0.1"},
		"IPv4 as IPv6":                   {"[::ffff:10.0.0.1]:1", "::ffff:203.0.113.7", "", "203.0.113.7"},
		"a proxy by IPv6":                {"[fd00::1]:1", "203.0.113.7", "", "203.0.113.7"},
		"no address":                     {"10.0.0.1:1", "203.0.113.7, unknown", "", "10.0.0.1"},
		"no address before a proxy":      {"10.0.0.1:1", "203.0.113.7, _hidden, 10.0.0.2", "", "10.0.0.2"},
		"an empty place":                 {"10.0.0.1:1", "203.0.113.7,", "", "10.0.0.1"},
		"the standard's header":          {"10.0.0.1:1", "", "for=203.0.113.7", "203.0.113.7"},
		"with everything":                {"10.0.0.1:1", "", `For="[2001:db8::7]:4711"; proto=https;by=10.0.0.1;host="a.example:8080"`, "2001:db8::7"},
		"two elements":                   {"10.0.0.1:1", "", "for=192.0.2.66, for=203.0.113.7;proto=http, for=10.0.0.2", "203.0.113.7"},
		"IPv6 without quotes":            {"10.0.0.1:1", "", "for=[2001:db8::7]", "10.0.0.1"},
		"hidden":                         {"10.0.0.1:1", "", "for=203.0.113.7, for=_SEVKISEK", "10.0.0.1"},
		"not known":                      {"10.0.0.1:1", "", "for=203.0.113.7, for=unknown", "10.0.0.1"},
		"without for":                    {"10.0.0.1:1", "", "for=192.0.2.66, proto=https", "10.0.0.1"},
		"for twice":                      {"10.0.0.1:1", "", "for=203.0.113.7;for=192.0.2.66", "10.0.0.1"},
		"a quote that does not end":      {"10.0.0.1:1", "", `for="192.0.2.66, for=203.0.113.7`, "203.0.113.7"},
		"a comma in quotes":              {"10.0.0.1:1", "", `for=203.0.113.7;host="x,for=192.0.2.66"`, "10.0.0.1"},
		"a comma in quotes, and more":    {"10.0.0.1:1", "", `for=203.0.113.7;host="x,for=192.0.2.66;y=";proto="https"`, "10.0.0.1"},
		"both, which agree":              {"10.0.0.1:1", "192.0.2.66, 203.0.113.7", "for=203.0.113.7", "203.0.113.7"},
		"both, and one the caller wrote": {"10.0.0.1:1", "203.0.113.7", "for=192.0.2.66", "10.0.0.1"},
		"no address at all":              {"@", "203.0.113.7", "", "@"},
	} {
		proxies, err := remote.ParseProxies([]string{"10.0.0.0/24", "fd00::1"})
		if err != nil {
			t.Fatal(err)
		}
		r := httptest.NewRequest(http.MethodGet, "/", nil)
		r.RemoteAddr = c.peer
		if c.plain != "" {
			r.Header.Set("X-Forwarded-For", c.plain)
		}
		if c.standard != "" {
			r.Header.Set("Forwarded", c.standard)
		}
		ctx, party := remote.Arrive(r, proxies)
		if party.Address != c.want || remote.From(ctx) != party {
			t.Errorf("%s: %s, want %s", name, party.Address, c.want)
		}
	}
}

// Several headers with the same name form one list.
func TestHeadersInSeveralLines(t *testing.T) {
	t.Parallel()
	proxies, err := remote.ParseProxies([]string{"10.0.0.0/24"})
	if err != nil {
		t.Fatal(err)
	}
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr = "10.0.0.1:1"
	for _, line := range []string{"192.0.2.66", "203.0.113.7", "10.0.0.3, 10.0.0.2"} {
		r.Header.Add("X-Forwarded-For", line)
	}
	if _, party := remote.Arrive(r, proxies); party.Address != "203.0.113.7" {
		t.Error(party.Address)
	}
}

func TestNetworks(t *testing.T) {
	t.Parallel()
	for address, want := range map[string]string{
		"203.0.113.7": "203.0.113.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::/64", "2001:db8:1:2::1": "2001:db8:1:2::/64", "@": "@",
	} {
		if got := remote.Network(address); got != want {
			t.Errorf("%s counts as %s, want %s", address, got, want)
		}
	}
	for _, wrong := range []string{"", "10.0.0.0/33", "proxy.example.com", "10.0.0.1:80"} {
		if _, err := remote.ParseProxies([]string{wrong}); err == nil {
			t.Errorf("%q was taken for a network", wrong)
		}
	}
}

// The account of a request is known once the caller is identified.
func TestOwner(t *testing.T) {
	t.Parallel()
	r := httptest.NewRequest(http.MethodGet, "/", nil)
	r.RemoteAddr = "[2001:db8::7]:1"
	_, party := remote.Arrive(r, nil)
	if party.Owner() != "address:2001:db8::/64" || party.Login() != "" {
		t.Error(party.Owner(), party.Login())
	}
	party.Identify("user_1", "anna")
	if party.Owner() != "user:user_1" || party.Login() != "anna" {
		t.Error(party.Owner(), party.Login())
	}
}
