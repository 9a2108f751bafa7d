package web

import "github.com/routecard/routecard/shop"

// measurementPages are the page with what is measured at a step, and the charts of a job.
func measurementPages() noun {
	return noun{
		routes: []route{
			get("/steps/{id}/characteristics", always(shop.OpRead), showCharacteristics),
			post("/steps/{id}/characteristics", always(shop.OpSetCharacteristics), editCharacteristics),
			get("/jobs/{id}/charts", always(shop.OpRead), showCharts),
			post("/jobs/{id}/charts", always(shop.OpFreezeLimits), freezeLimits),
		},
		views: map[string]any{"characteristics": &characteristicsPage{}, "charts": &chartsPage{}},
	}
}
