package web

import (
	"embed"
	"net/http"
	"slices"
)

//go:embed templates
var templateFiles embed.FS

//go:embed static
var staticFiles embed.FS

// New makes the pages.
func New(config Config) http.Handler {
	return newPages(config, contents{
		templates: templateFiles, assets: staticFiles, menu: menuOfNouns(), routes: routesWith(config.Access != nil),
	})
}

// routesWith are the routes of all pages, with those by which people sign in and administrators say who may, or without them.
func routesWith(access bool) []route {
	if access {
		return slices.Concat(everyRoutes(), accessRoutes())
	}
	return everyRoutes()
}

// everyRoutes are those that are there in every mode. Most forms post to the page they stand on; those of the layout to /operator and
// /sign-out.
func everyRoutes() []route {
	return slices.Concat(sharedRoutes(), userRoutes(), unitRoutes(), stationRoutes(), officeRoutes())
}
