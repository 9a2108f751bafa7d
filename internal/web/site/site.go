package site

import (
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"
	_ "time/tzdata" // so that the viewer's zone is known where the system has no list of zones

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// Config is what the pages need.
type Config struct {
	Service *shop.Service
	Views   *views.Views
	// Access knows who is asking. Nil where nobody has to prove who they are.
	Access  *access.Service
	Logger  *slog.Logger
	Clock   ident.Clock    // the system's when nil
	Ledger  *sealer.Sealer // nil when the trail is not sealed
	Backups *backup.Keeper // nil when the service makes none
	// MaxFileSize is how many bytes an attached file may have, for a page to say so before it sends one.
	MaxFileSize int64
	// KeyRetention is how long the service knows what was done under a key; 0 for ever.
	KeyRetention time.Duration
}

// Pages answers every page. It is safe for concurrent use.
type Pages struct {
	Config
	assets  *Assets
	parsed  map[string]View // the templates of pages, by name
	All     []Route
	Mux     *http.ServeMux
	batches progresses
}

// MenuEntry is a link of the menu: the section that a page says it belongs to, its address, and what it is called.
type MenuEntry struct{ Section, To, Label string }

// Contents are what a site is made of: its templates and its assets, each in a folder, further entries of its menu, and its routes.
type Contents struct {
	Templates, Assets fs.FS
	Menu              []MenuEntry
	Routes            []Route
}

// New makes the handler of all pages.
func New(config Config, of Contents) *Pages {
	p := &Pages{
		Config: config,
		assets: LoadAssets(of.Assets),
		All:    of.Routes,
		Mux:    http.NewServeMux(),
	}
	if p.Clock == nil {
		p.Clock = time.Now
	}
	p.parsed = LoadViews(of.Templates, p.assets, of.Menu)
	p.Mux.Handle("GET /assets/{file}", p.assets.compressed())
	for _, route := range p.All {
		p.Mux.Handle(route.Pattern, p.page(route))
	}
	return p
}

// policy lets a page load what this program serves, and nothing else.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"object-src 'self'; frame-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// What a page may use of the device: nothing, but for the camera where codes are read.
const (
	nothingOfDevice = "camera=(), microphone=(), geolocation=()"
	cameraOfDevice  = "camera=(self), microphone=(), geolocation=()"
)

// hasCamera reports whether the page of a route may open the camera of the device.
func hasCamera(pattern string) bool { return pattern == "GET /scan" || pattern == "GET /search" }

// ServeHTTP answers one request.
func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Permissions-Policy", nothingOfDevice)
	header.Set("Cache-Control", "no-store") // assets set another one
	_, pattern := p.Mux.Handler(r)
	if pattern == "" {
		p.nowhere(w, r)
		return
	}
	if hasCamera(pattern) {
		header.Set("Permissions-Policy", cameraOfDevice)
	}
	p.Mux.ServeHTTP(w, r)
}

// nowhere answers a path that no page has: people get a page, programs get the interface's answer.
func (p *Pages) nowhere(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		p.page(Route{Operation: Always(shop.OpRead), Answer: func(v *Visit) error {
			return v.Show(http.StatusNotFound, "failure", &FailurePage{Frame: v.Frame("Not found", ""), Status: http.StatusNotFound,
				Message: "There is no page at this address."})
		}}).ServeHTTP(w, r)
		return
	}
	w.Header().Set("Content-Type", "application/json")
	w.WriteHeader(http.StatusNotFound)
	_ = json.NewEncoder(w).Encode( //nolint:errchkjson // a number and texts
		httpstatus.BodyOf(http.StatusNotFound, refusal.Refuse(httpstatus.NoRoute, r.Method, strings.ToValidUTF8(r.URL.Path, "\uFFFD"))))
}

func (p *Pages) page(route Route) http.Handler {
	return http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		v := &Visit{Pages: p, W: w, R: r, visitor: visitor{
			Operator: ReadCookie(r, operatorCookie), recent: strings.Fields(ReadCookie(r, recentCookie)), Zone: zoneOf(r),
		}}
		if route.Pattern != "GET "+ReturnPath && leadsFromBadge(v) {
			return
		}
		err := v.begin(route)
		if err == nil {
			err = v.carryOut(route)
		}
		if err != nil {
			v.fail(err)
		}
	})
}
