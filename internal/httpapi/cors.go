package httpapi

import (
	"net/http"
	"slices"
	"strings"
)

// Methods and headers that a page of another origin may send, and headers that it may read. Cookies are not included.
const (
	corsMethods = "GET, HEAD, POST, PUT, PATCH, DELETE"
	corsHeaders = "Authorization, Content-Type, Idempotency-Key, If-Match, If-None-Match, Last-Event-ID, Prefer, " +
		"Signature-Ticket, X-Request-ID"
	corsExposed = "ETag, Idempotency-Replayed, Link, Location, Preference-Applied, Retry-After, WWW-Authenticate, X-Request-ID"
	// corsMaxAge is the number of seconds for which a browser may cache the permission.
	corsMaxAge = "600"
)

// shared lets pages of the origins in Config.Origins call the interface, as the Fetch standard defines (CORS). They must authenticate with
// a token: a cookie in their requests is dropped before any handler reads it. trusting handles these requests, and own all
// other requests.
func (s *Server) shared(trusting, own http.Handler) http.Handler {
	if len(s.config.Origins) == 0 {
		return own
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if !strings.HasPrefix(r.URL.Path, "/api/") && !strings.HasPrefix(r.URL.Path, "/ledger/") {
			own.ServeHTTP(w, r)
			return
		}
		header := w.Header()
		header.Add("Vary", "Origin")
		origin := r.Header.Get("Origin")
		if !slices.Contains(s.config.Origins, origin) {
			own.ServeHTTP(w, r)
			return
		}
		header.Set("Access-Control-Allow-Origin", origin)
		if r.Method == http.MethodOptions && r.Header.Get("Access-Control-Request-Method") != "" {
			header.Set("Access-Control-Allow-Methods", corsMethods)
			header.Set("Access-Control-Allow-Headers", corsHeaders)
			header.Set("Access-Control-Max-Age", corsMaxAge)
			w.WriteHeader(http.StatusNoContent)
			return
		}
		header.Set("Access-Control-Expose-Headers", corsExposed)
		r.Header.Del("Cookie")
		trusting.ServeHTTP(w, r)
	})
}
