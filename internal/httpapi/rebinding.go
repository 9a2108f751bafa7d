package httpapi

import (
	"net/http"
	"slices"
	"strings"
)

// addressed refuses a request with an unknown host name if a browser could have sent it: a page of another site can point its own name at
// this machine (DNS rebinding). Programs choose the address of their requests themselves, so they may use any name.
func (s *Server) addressed(next http.Handler) http.Handler {
	if s.config.KnownHost == nil {
		return next
	}
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if maybeBrowser(r.Header) && !s.config.KnownHost(r.Host) {
			s.fail(w, r, refuse(hostUnknown))
			return
		}
		next.ServeHTTP(w, r)
	})
}

// maybeBrowser reports whether a browser could have sent a request with these headers. A script can replace User-Agent and Accept-Language
// but cannot remove them, and it cannot add Sec-Fetch-Mode. A browser that sends Sec-Fetch-Mode also sends Sec-Fetch-Site. Node sends
// Accept-Language: * and Sec-Fetch-Mode without Sec-Fetch-Site.
func maybeBrowser(header http.Header) bool {
	for _, name := range []string{"Origin", "Referer", "Cookie", "Sec-Fetch-Site"} {
		if header[name] != nil {
			return true
		}
	}
	if slices.ContainsFunc(header["User-Agent"], func(agent string) bool { return strings.HasPrefix(agent, "Mozilla/") }) {
		return true
	}
	languages := header["Accept-Language"]
	return languages != nil && (header["Sec-Fetch-Mode"] == nil || !slices.Equal(languages, []string{"*"}))
}
