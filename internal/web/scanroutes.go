package web

import (
	"github.com/routecard/routecard/shop"
)

// stationRoutes lists the pages of the scan station.
func stationRoutes() []route {
	return []route{
		get("/scan", always(shop.OpRead), showScan),
		post("/scan", always(shop.OpAdvance), scan),
		get("/scan/codes", always(shop.OpRead), showCodes),
	}
}
