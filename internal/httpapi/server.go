package httpapi

import (
	"compress/gzip"
	"context"
	"crypto/rand"
	"errors"
	"log/slog"
	"net/http"
	"net/url"
	"path"
	"runtime/debug"
	"slices"
	"strings"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/klauspost/compress/gzhttp"

	"github.com/routecard/routecard/api"
	"github.com/routecard/routecard/docs"
	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/internal/files"
	"github.com/routecard/routecard/internal/handbook"
	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/notify"
	"github.com/routecard/routecard/internal/patience"
	"github.com/routecard/routecard/internal/remote"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/tail"
	"github.com/routecard/routecard/internal/tracker"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// Config has the dependencies and settings of a Server.
type Config struct {
	Service *shop.Service
	// Views reads the lists.
	Views *views.Views
	// Tracker connects the service to an issue tracker. If it is nil, operations on tickets are refused.
	Tracker *tracker.Link
	// Access authenticates callers. If it is nil, no caller has to sign in.
	Access *access.Service
	// Ready returns the reason why the service cannot work at the moment, or nil. It is the Ready of the service's store, which also checks
	// the clock.
	Ready func(context.Context) error
	// Proxies are trusted to report the address of a client.
	Proxies remote.Proxies
	// KnownHost reports whether a Host header has a name of the service. Requests with other names are refused if a browser could have sent
	// them. Nil: every name is known.
	KnownHost func(host string) bool
	// Origins are the other origins whose pages may call the interface with a token, such as https://dashboard.example.com.
	Origins []string
	// Degraded describes in a sentence what the service has to do without at the moment, or returns "". Nil: nothing is ever missing.
	Degraded func() string
	Logger   *slog.Logger
	Metrics  *Metrics
	// MaxBody is the largest request body in bytes. Routes with largeBody allow 16 MiB if that is more.
	MaxBody int64
	// Memory is the number of bytes of memory that all requests and their responses may use at a time. 0: no limit.
	Memory int64
	// Tail reports new audit entries. Nil: the stream of events ends immediately.
	Tail *tail.Tail
	// Stopping is closed when the service begins to stop, which ends the streams of events. Nil: never.
	Stopping <-chan struct{}
	// Ledger seals the audit trail. It is nil without a ledger.
	Ledger *sealer.Sealer
	// Files stores the bytes of files. It is nil if files are not enabled.
	Files *files.Keeper
	// Backups makes backups while the service runs. Nil: backups are off.
	Backups *backup.Keeper
	// Dossiers reads dossiers. If it is nil, New makes one.
	Dossiers *dossier.Maker
	// Notices delivers notices. Nil: nothing is delivered.
	Notices *notify.Notifier
	// Pages serves all paths outside the interface and the service routes. Nil: no pages.
	Pages http.Handler
}

// Server is the HTTP layer of the service. It is safe for concurrent use.
type Server struct {
	memory  *memory // nil without a limit
	streams streams
	service *shop.Service
	views   *views.Views
	tracker *tracker.Link
	entries entryTexts
	config  Config
	mux     *http.ServeMux
	handler http.Handler
	// document and document30 are the contract in JSON, in OpenAPI 3.1 and 3.0. Each is created at its first request.
	document, document30 func() ([]byte, error)
	// searchIndex is the search index of the page /docs. It is created at its first request.
	searchIndex func() ([]byte, error)
	handbook    *handbook.Handbook
	dossiers    *dossier.Maker
}

// compressFrom is the size in bytes from which a response is compressed if the client accepts it.
const compressFrom = 16 << 10

// New makes a Server.
func New(config Config) *Server {
	s := &Server{
		memory:  newMemory(config.Memory),
		service: config.Service, views: config.Views, tracker: config.Tracker,
		config:   config,
		mux:      http.NewServeMux(),
		document: sync.OnceValues(api.JSON), document30: sync.OnceValues(api.JSON30), handbook: handbook.New(docs.Files),
		dossiers: config.Dossiers,
	}
	if s.dossiers == nil {
		s.dossiers = dossier.NewMaker(config.Service.Zone(), config.Ledger != nil)
	}
	s.searchIndex = sync.OnceValues(func() ([]byte, error) {
		document, err := s.document()
		if err != nil {
			return nil, err
		}
		return searchIndex(document)
	})
	if config.Notices == nil {
		s.config.Notices = notify.New(notify.Options{Service: config.Service, Logger: config.Logger})
	}
	if config.Access != nil {
		s.memory.divide()
	}
	if s.tracker == nil {
		s.tracker = tracker.NewLink(config.Service, nil, nil)
	}
	compress, err := gzhttp.NewWrapper(gzhttp.MinSize(compressFrom), gzhttp.CompressionLevel(gzip.BestSpeed),
		gzhttp.ContentTypes([]string{jsonType, yamlType, linesType, csvType}))
	if err != nil { // the settings are constants
		panic(err)
	}
	operations := routes()
	if config.Access != nil {
		operations = append(operations, strictly(accessRoutes())...)
	}
	for _, route := range operations {
		handler := s.operation(route)
		if strings.HasPrefix(route.pattern, http.MethodGet) && route.pattern != eventsPattern {
			handler = compress(handler)
		}
		s.mux.Handle(segmented(route.pattern), handler)
	}
	for _, route := range s.serviceRoutes() {
		s.mux.Handle(route.pattern, compress(s.admitted(route.needs, route.handler)))
	}
	dispatch := http.HandlerFunc(s.dispatch)
	s.handler = s.observe(s.recoverPanic(s.addressed(s.shared(s.crossOrigin(dispatch, config.Origins), s.crossOrigin(dispatch, nil)))))
	return s
}

// crossOrigin refuses changing requests that a browser sends for a page of another origin, unless the origin is trusted.
func (s *Server) crossOrigin(next http.Handler, trusted []string) http.Handler {
	protection := http.NewCrossOriginProtection()
	for _, origin := range trusted {
		if err := protection.AddTrustedOrigin(origin); err != nil { // the list was validated when it was read
			panic(err)
		}
	}
	protection.SetDenyHandler(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		writeError(w, r, s.config.Logger, refuse(fromElsewhere))
	}))
	return protection.Handler(next)
}

// ServeHTTP handles every request of the service.
func (s *Server) ServeHTTP(w http.ResponseWriter, r *http.Request) { s.handler.ServeHTTP(w, r) }

// operation makes the HTTP handler of a route: it checks the permission, reads the body, runs the route's handler and responds with its
// error if it fails.
func (s *Server) operation(route route) http.Handler {
	limit, needs := route.body.limit(s.config.MaxBody), route.needs()
	identifiers, named := wildcards(route.pattern), addressees(route.pattern)
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		r, err := s.admit(r, needs)
		admitted := err == nil
		c := &call{w: w, r: r, named: identifiers, logger: s.config.Logger, strict: route.strict()}
		if route.body.isJSON() && len(r.Header["Prefer"]) > 0 && prefersStrict(r) {
			c.strict = true
			w.Header().Set("Preference-Applied", strictHandling)
		}
		if err == nil && s.config.Access != nil && r.Method == http.MethodGet && route.pattern != eventsPattern {
			c.w = s.config.Access.Watched(w, r, needs)
		}
		if err == nil {
			err = checkAddress(r, identifiers)
		}
		if err == nil {
			err = s.identify(c, named)
		}
		if err == nil && route.body.isJSON() {
			c.body, c.sent, err = readBody(w, r, s.bodyLimit(r, limit))
		}
		if err == nil && route.body == rowsBody {
			c.file, err = spoolBody(c)
			defer c.file.Close()
		}
		if err == nil {
			err = s.arrived(c, needs)
			admitted = err == nil
		}
		if err == nil {
			c.r, err = matching(c.r, route.match)
		}
		if err == nil {
			err = s.signed(c, route)
		}
		switch {
		case err != nil:
		case route.keyed() && len(r.Header[onceHeader]) > 0:
			err = s.once(c, route, limit)
		default:
			err = route.handle(s, c)
		}
		if err != nil {
			err = c.withField(err)
			if admitted { // Access logs refusals before that itself
				s.config.Access.TurnedAway(r, err)
			}
			s.fail(w, r, err)
		}
	})
}

// anonymousBody is the largest body in bytes of a caller who has not signed in, if Access is set.
const anonymousBody = 16 << 10

// bodyLimit returns the largest body, in bytes, of a request that was admitted.
func (s *Server) bodyLimit(r *http.Request, limit int64) int64 {
	if s.config.Access != nil && access.IdentityOf(r.Context()) == nil {
		return min(limit, anonymousBody)
	}
	return limit
}

// strictly makes the routes without query parameters refuse every parameter.
func strictly(routes []route) []route {
	for i, route := range routes {
		if route.body == asked {
			continue
		}
		routes[i].handle = asking(struct{}{}, func(s *Server, c *call, _ struct{}) error { return route.handle(s, c) })
	}
	return routes
}

// wildcards returns the names of the identifiers in the path of a pattern.
func wildcards(pattern string) (names []string) {
	for piece := range strings.SplitSeq(pattern, "/") {
		if name, ok := strings.CutPrefix(piece, "{"); ok {
			name, _, _ = strings.Cut(name, "}")
			names = append(names, strings.TrimSuffix(name, "..."))
		}
	}
	return names
}

// checkAddress refuses identifiers in the path and values in the query that are not UTF-8, and values in the query that are too long,
// including those of unknown parameters.
func checkAddress(r *http.Request, identifiers []string) error {
	for _, name := range identifiers {
		if value := r.PathValue(name); !utf8.ValidString(value) {
			return input.CheckParameter(name, value)
		}
	}
	if r.URL.RawQuery == "" {
		return nil
	}
	return input.CheckParameters(r.URL.Query())
}

func (s *Server) fail(w http.ResponseWriter, r *http.Request, err error) {
	if cut, ok := errors.AsType[*cutOffError](err); ok {
		level := slog.LevelError
		if cut.gone || r.Context().Err() != nil {
			level = slog.LevelInfo
		}
		s.config.Logger.Log(r.Context(), level, "answer cut off", "error", cut.err, "path", r.URL.Path,
			"request", requestID(r.Context()))
		panic(http.ErrAbortHandler)
	}
	writeError(w, r, s.config.Logger, err)
}

// dispatch finds the route. Other requests go to the pages, or get an error of the contract.
func (s *Server) dispatch(w http.ResponseWriter, r *http.Request) {
	name := r.URL.Path
	if strings.IndexByte(name, 0) >= 0 || path.Clean(name) != name {
		if tidy := withoutSlash(r); tidy != "" {
			http.Redirect(w, r, tidy, http.StatusPermanentRedirect) //nolint:gosec // the address has no host, and begins with one slash
			return
		}
		s.fail(w, r, routeNotFound(r)) // the mux would redirect to the cleaned path, and no identifier has such characters
		return
	}
	given := r.URL
	r.URL = segmentedURL(given)
	unmatched, pattern := s.mux.Handler(r)
	if pattern != "" {
		s.mux.ServeHTTP(w, r)
		r.URL, r.Pattern = given, unsegmented(r.Pattern)
		return
	}
	r.URL = given
	if allow := allowed(unmatched, r); allow != "" {
		w.Header().Set("Allow", allow)
		s.fail(w, r, refuse(methodUnknown, r.Method, name))
		return
	}
	if s.config.Pages != nil && name != "/api" && !strings.HasPrefix(name, "/api/") {
		s.config.Pages.ServeHTTP(w, r)
		return
	}
	s.fail(w, r, routeNotFound(r))
}

// documents are the ends of addresses of documents, after the identifiers of their records, by collection:
// /api/first-articles/FAI-00001.xlsx. A wildcard of http.ServeMux cannot be a part of a segment, so the mux knows the end as a segment of
// its own.
var documents = []struct{ collection, end string }{
	{"/api/first-articles/", ".xlsx"}, {"/api/conformances/", ".pdf"},
}

// segmented returns a pattern of the table of routes as the mux has it, and unsegmented the reverse.
func segmented(pattern string) string   { return strings.Replace(pattern, "}.", "}/.", 1) }
func unsegmented(pattern string) string { return strings.Replace(pattern, "}/.", "}.", 1) }

// segmentedURL returns the address of a document as the mux has it, and other addresses unchanged.
func segmentedURL(given *url.URL) *url.URL {
	for _, document := range documents {
		name, is := strings.CutSuffix(given.Path, document.end)
		if !is || !strings.HasPrefix(name, document.collection) || strings.HasSuffix(name, "/") {
			continue
		}
		changed := *given
		changed.Path = name + "/" + document.end
		if given.RawPath != "" {
			changed.RawPath = strings.TrimSuffix(given.RawPath, document.end) + "/" + document.end
		}
		return &changed
	}
	return given
}

// withoutSlash returns the URL of a page or a document without the slash at its end. For paths of the interface it returns "".
func withoutSlash(r *http.Request) string {
	name := strings.TrimSuffix(r.URL.Path, "/")
	reads := r.Method == http.MethodGet || r.Method == http.MethodHead
	if !reads || strings.HasPrefix(r.URL.Path, "/api/") || strings.IndexByte(name, 0) >= 0 || path.Clean(name) != name {
		return ""
	}
	return (&url.URL{Path: name, RawQuery: r.URL.RawQuery}).String()
}

func routeNotFound(r *http.Request) error {
	return refusal.Refuse(httpstatus.NoRoute, r.Method, strings.ToValidUTF8(r.URL.Path, "\uFFFD"))
}

// allowed returns the methods that the mux lists in its response to an unmatched request; "" if the path has none.
func allowed(handler http.Handler, r *http.Request) string {
	probe := &headerOnly{header: http.Header{}}
	handler.ServeHTTP(probe, r)
	return probe.header.Get("Allow")
}

type headerOnly struct{ header http.Header }

func (h *headerOnly) Header() http.Header         { return h.header }
func (h *headerOnly) Write(b []byte) (int, error) { return len(b), nil }
func (h *headerOnly) WriteHeader(int)             {}

type requestIDKey struct{}

func requestID(ctx context.Context) string {
	id, _ := ctx.Value(requestIDKey{}).(string)
	return id
}

// acceptedRequestID returns the caller's request id if it is short and printable, and a new one otherwise.
func acceptedRequestID(given string) string {
	if given == "" || len(given) > 128 || slices.ContainsFunc([]byte(given), func(c byte) bool { return c <= ' ' || c > '~' }) {
		return rand.Text()
	}
	return given
}

// observe gives a request its id, logs it and counts it in the metrics.
func (s *Server) observe(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		started := time.Now()
		id := acceptedRequestID(r.Header.Get("X-Request-ID"))
		w.Header().Set("X-Request-ID", id)
		w.Header().Set("X-Content-Type-Options", "nosniff")
		if r.TLS != nil { // a browser that has used https once uses only https from then on
			w.Header().Set("Strict-Transport-Security", "max-age=31536000")
		}
		ctx, party := remote.Arrive(r, s.config.Proxies)
		ctx, memory := s.memory.share(ctx)
		defer memory.end()
		memory.belongs(party.Owner)
		r = r.WithContext(context.WithValue(ctx, requestIDKey{}, id))
		patience.Received(w, r)
		memory.count(r)
		s.config.Metrics.inFlight.Inc()
		defer s.config.Metrics.inFlight.Dec()
		recorder := &recorder{ResponseWriter: w, status: http.StatusOK, party: party}
		defer func() {
			took := time.Since(started)
			pattern := r.Pattern
			if pattern == "" {
				pattern = "unmatched"
			}
			s.config.Metrics.observe(pattern, recorder.status, took)
			line := []slog.Attr{
				slog.String("method", r.Method), slog.String("route", pattern), slog.Int("status", recorder.status),
				slog.Float64("duration_ms", float64(took.Microseconds())/1000),
				slog.Int64("bytes", recorder.bytes), slog.String("request", id),
				slog.String("client", party.Address), slog.String("path", r.URL.Path),
			}
			if login := party.Login(); login != "" {
				line = append(line, slog.String("login", login))
			}
			s.config.Logger.LogAttrs(r.Context(), slog.LevelInfo, "request", line...)
		}()
		next.ServeHTTP(recorder, r)
	})
}

// recoverPanic responds with 500 to a panic and logs where it happened.
func (s *Server) recoverPanic(next http.Handler) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		defer func() {
			switch p := recover(); p {
			case nil:
			case http.ErrAbortHandler:
				panic(p)
			default:
				s.config.Logger.ErrorContext(r.Context(), "panic", "panic", p, "stack", string(debug.Stack()), "method", r.Method,
					"path", r.URL.Path, "request", requestID(r.Context()))
				if recorder, ok := w.(*recorder); ok && recorder.begun {
					panic(http.ErrAbortHandler)
				}
				writeError(w, r, slog.New(slog.DiscardHandler), errors.New("panic"))
			}
		}()
		next.ServeHTTP(w, r)
	})
}

// recorder records the status of a response.
type recorder struct {
	http.ResponseWriter
	status int
	bytes  int64
	begun  bool
	party  *remote.Party
}

func (r *recorder) WriteHeader(status int) {
	if !r.begun {
		r.status, r.begun = status, true
		r.restrictCaching()
	}
	r.ResponseWriter.WriteHeader(status)
}

// restrictCaching sets Cache-Control in the response to a request that needed an identity. A cache may store such a response only for its
// caller, and must revalidate it before each use, so that it cannot be read after the caller signs out. If a handler has set no-store, it
// stays.
func (r *recorder) restrictCaching() {
	if header := r.Header(); r.party.Guarded() && header.Get("Cache-Control") != "no-store" {
		header.Set("Cache-Control", "private, no-cache")
	}
}

func (r *recorder) Write(b []byte) (int, error) {
	if !r.begun {
		r.begun = true
		r.restrictCaching()
	}
	n, err := r.ResponseWriter.Write(b)
	r.bytes += int64(n)
	return n, err
}

// Unwrap lets http.ResponseController reach the connection.
func (r *recorder) Unwrap() http.ResponseWriter { return r.ResponseWriter }
