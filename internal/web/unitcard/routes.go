package unitcard

import (
	"net/url"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// Routes lists the pages and forms of a unit's card.
func Routes() []site.Route {
	return []site.Route{
		site.Get("/serials/{id}", site.Always(shop.OpRead), showCard),
		site.Post("/serials/{id}", site.ByForm(shop.OpScrap, cardForms()), changeCard),
		site.GetReading("/serials/{id}/print", site.Always(shop.OpRead), printCard),
		site.Get("/serials/{id}/measurements", site.Always(shop.OpRead), site.LeadTo(cardAddress)),
		site.Post("/serials/{id}/measurements", site.Always(shop.OpMeasure), measureCard),
		site.Get("/serials/{id}/components", site.Always(shop.OpRead), site.LeadTo(cardAddress)),
		site.Post("/serials/{id}/components", site.ByForm(shop.OpInstall, componentForms()), changeComponents),
	}
}

// cardForms lists the forms on the card of a unit by operation. Reports and decisions have separate pages.
func cardForms() map[string]shop.Operation {
	forms := make(map[string]shop.Operation)
	for _, operation := range shop.Operations() {
		if operation.Subject() == shop.AboutUnit && operation != shop.OpReport && operation != shop.OpDispose {
			forms[string(operation)] = operation
		}
	}
	return forms
}

// cardAddress returns the address of a unit's card.
func cardAddress(id string) string { return "/serials/" + url.PathEscape(id) }
