package web

import "github.com/routecard/routecard/shop"

// measurementPages are the page with what is measured at a step, and the charts of a job.
func measurementPages() noun {
	return noun{
		routes: []route{
			{"GET /steps/{id}/characteristics", always(shop.OpRead), showCharacteristics, false},
			{"POST /steps/{id}/characteristics", always(shop.OpSetCharacteristics), editCharacteristics, false},
			{"GET /jobs/{id}/charts", always(shop.OpRead), showCharts, false},
			{"POST /jobs/{id}/charts", always(shop.OpFreezeLimits), freezeLimits, false},
		},
		views: map[string]any{"characteristics": &characteristicsPage{}, "charts": &chartsPage{}},
	}
}
