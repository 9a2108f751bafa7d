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

// New makes the pages.
func New(config site.Config) http.Handler {
	return site.New(config, site.Contents{
		Templates: templateFiles, Assets: staticFiles, Menu: office.Menu(), Routes: routesWith(config.Access != nil),
	})
}

// routesWith are the routes of all pages, with those by which people sign in and administrators say who may, or without them.
func routesWith(access bool) []site.Route {
	if access {
		return slices.Concat(everyRoutes(), account.Routes())
	}
	return everyRoutes()
}

// everyRoutes are those that are there in every mode. Most forms post to the page they stand on; those of the layout to /operator and
// /sign-out.
func everyRoutes() []site.Route {
	return slices.Concat(site.SharedRoutes(), account.UserRoutes(), unitcard.Routes(), scanpages.Routes(), office.Routes())
}
