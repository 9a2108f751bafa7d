package httpapi

import (
	"maps"
	"net/http"
	"net/http/httptest"
	"strings"
	"testing"
)

// docs/running.md, "The first start": under an unknown name, only requests that no browser can send are accepted.
func TestUnknownName(t *testing.T) {
	t.Parallel()
	store, _ := openStore(t)
	face := newFace(store, func(c *Config) {
		c.KnownHost = func(host string) bool { return host == "known.example" }
		c.Pages = http.NotFoundHandler()
	})
	const firefox, site, mode = "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0", "Sec-Fetch-Site", "Sec-Fetch-Mode"
	node := http.Header{
		"User-Agent": {"node"}, "Accept": {"*/*"}, "Accept-Language": {"*"}, mode: {"cors"}, "Accept-Encoding": {"gzip, deflate"},
	}
	plus := func(base http.Header, name string, values ...string) http.Header {
		header := maps.Clone(base)
		header[name] = values
		return header
	}
	programs := map[string]http.Header{
		"nothing": {}, "Go": {"User-Agent": {"Go-http-client/1.1"}}, "curl": {"User-Agent": {"curl/8.5.0"}, "Accept": {"*/*"}},
		"Python":  {"User-Agent": {"Python-urllib/3.12"}, "Accept-Encoding": {"identity"}, "Connection": {"close"}},
		"Node":    node,
		"a token": {"Authorization": {"Bearer x"}}, "not Mozilla": {"User-Agent": {"MozillaBot", "mozilla/5.0", "x Mozilla/5.0"}},
		"a proxy": {"X-Forwarded-For": {"10.0.0.1"}, "X-Forwarded-Host": {"evil.example"}},
	}
	browsers := map[string]http.Header{
		"a page's navigation": {"User-Agent": {firefox}}, "two agents": {"User-Agent": {"x", firefox}},
		"an origin": {"Origin": {"http://evil.example"}}, "the null origin": {"Origin": {"null"}}, "an empty origin": {"Origin": {""}},
		"a referrer": {"Referer": {"http://evil.example/"}}, "an empty referrer": {"Referer": {""}}, "a cookie": {"Cookie": {"a=b"}},
		"a site": plus(node, site, "same-origin"), "an empty site": plus(node, site, ""),
		"a language": {"Accept-Language": {"en-GB,en;q=0.5"}}, "a second language": plus(node, "Accept-Language", "*", "en"),
		"an empty language": plus(node, "Accept-Language", ""), "languages": plus(node, "Accept-Language", "*, en"),
		// A script that replaces all headers that it can, from a page without a referrer.
		"a disguised script": {"User-Agent": {"node"}, "Accept": {"*/*"}, "Accept-Language": {"*"}, "Accept-Encoding": {"gzip, deflate"}},
	}
	for who, header := range browsers {
		for _, request := range []string{"GET /api/jobs", "POST /api/jobs", "GET /api/events", "GET /", "GET /readyz", "GET /metrics", "OPTIONS /api/jobs"} {
			if status := askUnder(t, face, "evil.example", request, header); status != http.StatusMisdirectedRequest {
				t.Errorf("%s under an unknown name: %s %d", who, request, status)
			}
		}
		if status := askUnder(t, face, "known.example", "GET /api/jobs", header); status != http.StatusOK {
			t.Errorf("%s under a known name: %d", who, status)
		}
	}
	for who, header := range programs {
		for _, name := range []string{"known.example", "evil.example"} {
			for request, want := range map[string]int{"GET /api/jobs": http.StatusOK, "POST /api/jobs": http.StatusCreated} {
				if status := askUnder(t, face, name, request, header); status != want {
					t.Errorf("%s under %s: %s %d", who, name, request, status)
				}
			}
		}
	}
}

// askUnder sends a request such as GET /api/jobs under a name, and returns the status.
func askUnder(t *testing.T, face http.Handler, name, request string, header http.Header) int {
	t.Helper()
	method, path, _ := strings.Cut(request, " ")
	r := httptest.NewRequestWithContext(t.Context(), method, path, strings.NewReader(`{"name":"A","goalQuantity":1}`))
	r.Header, r.Host = header.Clone(), name
	w := httptest.NewRecorder()
	face.ServeHTTP(w, r)
	return w.Code
}
