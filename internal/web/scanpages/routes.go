package scanpages

import (
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// Routes lists the pages of the scan station.
func Routes() []site.Route {
	return []site.Route{
		site.Get("/scan", site.Always(shop.OpRead), showScan),
		site.Post("/scan", site.Always(shop.OpAdvance), scan),
		site.Get("/scan/codes", site.Always(shop.OpRead), showCodes),
	}
}
