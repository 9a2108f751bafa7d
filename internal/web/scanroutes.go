package web

import (
	"github.com/routecard/routecard/shop"
)

// stationRoutes lists the pages of the scan station.
func stationRoutes() []route {
	return []route{
		{"GET /scan", always(shop.OpRead), showScan, false},
		{"POST /scan", always(shop.OpAdvance), scan, false},
		{"GET /scan/codes", always(shop.OpRead), showCodes, false},
	}
}
