package office

import (
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// measurementPages declares the editor for a step's characteristics, and the charts of a job.
func measurementPages() Noun {
	return Noun{
		routes: []site.Route{
			site.Get("/steps/{id}/characteristics", site.Always(shop.OpRead), showCharacteristics),
			site.Post("/steps/{id}/characteristics", site.Always(shop.OpSetCharacteristics), editCharacteristics),
			site.Get("/jobs/{id}/charts", site.Always(shop.OpRead), showCharts),
			site.Post("/jobs/{id}/charts", site.Always(shop.OpFreezeLimits), freezeLimits),
		},
		Views: map[string]any{"characteristics": &characteristicsPage{}, "charts": &chartsPage{}},
	}
}
