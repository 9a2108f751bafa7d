package web

import (
	"embed"
	"net/http"
	"slices"

	"github.com/routecard/routecard/internal/web/account"
	"github.com/routecard/routecard/internal/web/office"
	"github.com/routecard/routecard/internal/web/scanpages"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/internal/web/unitcard"
)

//go:embed templates
var templateFiles embed.FS

//go:embed static
var staticFiles embed.FS

// New returns the handler of the pages.
func New(config site.Config) http.Handler {
	return site.New(config, site.Contents{
		Templates: templateFiles, Assets: staticFiles, Menu: office.Menu(), Routes: routesWith(config.Access != nil),
	})
}

// routesWith returns the routes of all pages, with or without those for signing in and managing access.
func routesWith(access bool) []site.Route {
	if access {
		return slices.Concat(everyRoutes(), account.Routes())
	}
	return everyRoutes()
}

// everyRoutes returns the routes that exist in every mode. Most forms post to their own page. Those of the layout post to /operator and
// /sign-out.
func everyRoutes() []site.Route {
	return slices.Concat(site.SharedRoutes(), account.UserRoutes(), unitcard.Routes(), scanpages.Routes(), office.Routes())
}
