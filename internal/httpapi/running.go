package httpapi

import (
	"bytes"
	"crypto/sha256"
	"embed"
	"encoding/hex"
	"errors"
	"io/fs"
	"net/http"
	"path"
	"strconv"
	"time"

	"github.com/routecard/routecard/api"
	"github.com/routecard/routecard/internal/handbook"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/refusal"
)

//go:embed docs
var docsFiles embed.FS

// docsPolicy lets the viewer of the reference load only files that this program serves. The viewer uses inline styles.
const docsPolicy = "default-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; frame-ancestors 'none'"

type healthAnswer struct {
	Status  string `json:"status"`
	Message string `json:"message,omitempty"`
}

// serviceRoute is an endpoint outside the interface.
type serviceRoute struct {
	pattern string
	needs   shop.Permission
	handler http.Handler
}

// serviceRoutes lists the endpoints and documents for those who run the service.
func (s *Server) serviceRoutes() []serviceRoute {
	return []serviceRoute{
		{"GET /healthz", shop.Anyone, s.plain(func(w http.ResponseWriter, _ *http.Request) error {
			return writeJSON(w, http.StatusOK, healthAnswer{Status: "ok"})
		})},
		{"GET /readyz", shop.Anyone, s.plain(s.ready)},
		{"GET /metrics", shop.Read, s.config.Metrics.handler()},
		{"GET /api/openapi.yaml", shop.Read, s.plain(func(w http.ResponseWriter, r *http.Request) error {
			return serveBytes(w, r, "openapi.yaml", yamlType, api.YAML)
		})},
		{"GET /api/openapi.json", shop.Read, s.plain(serveDocument("openapi.json", s.document))},
		{"GET /api/openapi-3.0.json", shop.Read, s.plain(serveDocument("openapi-3.0.json", s.document30))},
		{"GET /docs", shop.Read, s.plain(func(w http.ResponseWriter, r *http.Request) error {
			return serveDocs(w, r, "index.html")
		})},
		{"GET /docs/search.json", shop.Read, s.plain(serveDocument("search.json", s.searchIndex))},
		{"GET /docs/handbook", shop.Read, s.plain(func(w http.ResponseWriter, r *http.Request) error {
			return s.serveHandbook(w, r, func() (handbook.Answer, error) { return s.handbook.Contents(r.URL.Query().Get("q")) })
		})},
		{"GET /docs/handbook/{page...}", shop.Read, s.plain(func(w http.ResponseWriter, r *http.Request) error {
			return s.serveHandbook(w, r, func() (handbook.Answer, error) { return s.handbook.Page(r.PathValue("page")) })
		})},
		{"GET /docs/{file}", shop.Read, s.plain(func(w http.ResponseWriter, r *http.Request) error {
			return serveDocs(w, r, r.PathValue("file"))
		})},
	}
}

// plain makes an http.Handler from a function that returns an error.
func (s *Server) plain(handle func(http.ResponseWriter, *http.Request) error) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if err := handle(w, r); err != nil {
			s.fail(w, r, err)
		}
	})
}

// ready reports whether the database can be read and written. The cause of a failure is only logged. If something that the service can do
// without is missing, the response is degraded, which still counts as ready.
func (s *Server) ready(w http.ResponseWriter, r *http.Request) error {
	if err := s.config.Ready(r.Context()); err != nil {
		s.config.Logger.ErrorContext(r.Context(), "not ready", "error", err)
		if failure, ok := errors.AsType[*refusal.Error](err); ok { // its message is more specific
			return &faceError{http.StatusServiceUnavailable, failure}
		}
		return refuse(databaseUnready)
	}
	if s.config.Degraded != nil {
		if message := s.config.Degraded(); message != "" {
			return writeJSON(w, http.StatusOK, healthAnswer{Status: "degraded", Message: message})
		}
	}
	return writeJSON(w, http.StatusOK, healthAnswer{Status: "ready"})
}

// serveDocument responds with a document that a function creates.
func serveDocument(name string, document func() ([]byte, error)) func(http.ResponseWriter, *http.Request) error {
	return func(w http.ResponseWriter, r *http.Request) error {
		content, err := document()
		if err != nil {
			return err
		}
		return serveBytes(w, r, name, jsonType, content)
	}
}

func serveDocs(w http.ResponseWriter, r *http.Request, name string) error {
	content, err := docsFiles.ReadFile(path.Join("docs", name))
	if err != nil {
		return routeNotFound(r)
	}
	kinds := map[string]string{
		".html": "text/html; charset=utf-8", ".css": "text/css; charset=utf-8", ".js": "text/javascript; charset=utf-8",
		".png": "image/png", ".svg": "image/svg+xml",
	}
	kind, ok := kinds[path.Ext(name)]
	if !ok {
		kind = "text/plain; charset=utf-8"
	}
	w.Header().Set("Content-Security-Policy", docsPolicy)
	return serveBytes(w, r, name, kind, content)
}

// serveHandbook responds with a page or a file of the handbook.
func (s *Server) serveHandbook(w http.ResponseWriter, r *http.Request, page func() (handbook.Answer, error)) error {
	if err := checkAddress(r, []string{"page"}); err != nil {
		return err
	}
	answer, err := page()
	if errors.Is(err, fs.ErrNotExist) {
		return routeNotFound(r)
	}
	if err != nil {
		return err
	}
	w.Header().Set("Content-Security-Policy", handbook.Policy)
	w.Header().Set("Referrer-Policy", "same-origin")
	return serveBytes(w, r, answer.Name, answer.Kind, answer.Body)
}

func serveBytes(w http.ResponseWriter, r *http.Request, name, kind string, content []byte) error {
	if len(content) == 0 {
		return errors.New(name + " is empty")
	}
	w.Header().Set("Content-Type", kind)
	w.Header().Set("Cache-Control", "no-cache")
	digest := sha256.Sum256(content)
	w.Header().Set("ETag", strconv.Quote(hex.EncodeToString(digest[:8])))
	http.ServeContent(w, r, name, time.Time{}, bytes.NewReader(content))
	return nil
}
