package site

import (
	"encoding/json"
	"io/fs"
	"log/slog"
	"net/http"
	"strings"
	"time"
	_ "time/tzdata" // so that the viewer's zone is known on systems without a zone database

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/backup"
	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/notify"
	"github.com/routecard/routecard/internal/sealer"
	"github.com/routecard/routecard/internal/web/lang"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/views"
)

// Config is the configuration of the pages.
type Config struct {
	Service *shop.Service
	Views   *views.Views
	// Access authenticates callers. It is nil if no sign-in is required.
	Access  *access.Service
	Logger  *slog.Logger
	Clock   ident.Clock    // the system clock if nil
	Ledger  *sealer.Sealer // nil if the trail is not sealed
	Backups *backup.Keeper // nil if the service makes no backups
	Notices *notify.Notifier
	// MaxFileSize is the maximum size of an attached file in bytes. Pages check the size before they upload a file.
	MaxFileSize int64
	// KeyRetention is the time for which the service remembers operations by their key. 0 means forever.
	KeyRetention time.Duration
	// DefaultLanguage is the tag of the language for browsers that prefer no offered language. "" means English.
	DefaultLanguage string
	// Dossiers reads dossiers, in the same languages. If it is nil, New makes one.
	Dossiers *dossier.Maker
	// Languages are the languages that users may choose. If it is nil, these are the languages of the catalogue. Tests pass the
	// pseudo-language.
	Languages []*lang.Language
}

// Pages is the handler of all pages. It is safe for concurrent use.
type Pages struct {
	Config
	assets    *Assets
	views     map[string]map[string]View // page templates, by language and name
	All       []Route
	Mux       *http.ServeMux
	batches   progresses
	languages []*lang.Language // that users may choose
}

// SerialPrefix returns the prefix of the shop's units.
func (p *Pages) SerialPrefix() ident.Prefix { return p.Views.SerialPrefix() }

// MenuEntry is a link of the menu: the section of its pages, its address, and its label.
type MenuEntry struct {
	Section, To string
	Label       lang.Text
}

// Contents are the parts of a site: the folders of its templates and assets, additional menu entries, and its routes.
type Contents struct {
	Templates, Assets fs.FS
	Menu              []MenuEntry
	Routes            []Route
}

// New creates the handler of all pages.
func New(config Config, of Contents) *Pages {
	p := &Pages{
		Config: config,
		All:    of.Routes,
		Mux:    http.NewServeMux(),
		views:  map[string]map[string]View{},
	}
	if p.Notices == nil {
		p.Notices = notify.New(notify.Options{Service: p.Service, Logger: p.Logger})
	}
	if p.Clock == nil {
		p.Clock = time.Now
	}
	if p.languages = p.Languages; p.languages == nil {
		p.languages = lang.Languages()
	}
	if p.Dossiers == nil && p.Service != nil {
		p.Dossiers = dossier.NewMaker(p.Service.Zone(), p.Ledger != nil, p.languages...)
	}
	p.assets = LoadAssets(of.Assets, p.languages)
	for _, l := range p.languages {
		p.views[l.Tag()] = LoadViews(of.Templates, p.assets, of.Menu, l)
	}
	p.Mux.Handle("GET /assets/{file}", p.assets.compressed())
	for _, route := range p.All {
		p.Mux.Handle(route.Pattern, p.page(route))
	}
	return p
}

// policy allows a page to load only what this program serves.
const policy = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self'; font-src 'self'; " +
	"object-src 'self'; frame-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'"

// These are the device features that a page may use: none, except the camera on pages that scan codes.
const (
	nothingOfDevice = "camera=(), microphone=(), geolocation=()"
	cameraOfDevice  = "camera=(self), microphone=(), geolocation=()"
)

// hasCamera reports whether the page of a route may open the device's camera.
func hasCamera(pattern string) bool { return pattern == "GET /scan" || pattern == "GET /search" }

func (p *Pages) ServeHTTP(w http.ResponseWriter, r *http.Request) {
	header := w.Header()
	header.Set("Content-Security-Policy", policy)
	header.Set("Referrer-Policy", "same-origin")
	header.Set("Permissions-Policy", nothingOfDevice)
	header.Set("Cache-Control", "no-store") // responses with assets replace it
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

// nowhere responds to an unknown path. People get a page, and programs get an API error.
func (p *Pages) nowhere(w http.ResponseWriter, r *http.Request) {
	if strings.Contains(r.Header.Get("Accept"), "text/html") {
		p.page(Route{Operation: Always(shop.OpRead), Answer: func(v *Visit) error {
			return v.Show(http.StatusNotFound, "failure", &FailurePage{Frame: v.Frame("Not found", ""), Status: http.StatusNotFound,
				Message: v.T("There is no page at this address.")})
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
		v := &Visit{Pages: p, Language: p.languageOf(r), W: w, R: r, visitor: visitor{
			Operator: ReadCookie(r, operatorCookie), recent: strings.Fields(ReadCookie(r, recentCookie)), Zone: p.zoneOf(r),
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
