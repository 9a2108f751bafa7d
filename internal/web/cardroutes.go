package web

import (
	"net/url"

	"github.com/routecard/routecard/shop"
)

// unitRoutes lists the card of a unit, and what is posted to it.
func unitRoutes() []route {
	return []route{
		get("/serials/{id}", always(shop.OpRead), showCard),
		post("/serials/{id}", byForm(shop.OpScrap, cardForms()), changeCard),
		get("/serials/{id}/print", always(shop.OpRead), printCard),
		get("/serials/{id}/measurements", always(shop.OpRead), leadTo(cardAddress)),
		post("/serials/{id}/measurements", always(shop.OpMeasure), measureCard),
	}
}

// cardForms are the forms on the card of a unit: they are called like the operations on one. Reports and decisions have
// pages of their own.
func cardForms() map[string]shop.Operation {
	forms := make(map[string]shop.Operation)
	for _, operation := range shop.Operations() {
		if operation.Subject() == shop.AboutUnit && operation != shop.OpReport && operation != shop.OpDispose {
			forms[string(operation)] = operation
		}
	}
	return forms
}

// cardAddress is the address of the card of a unit.
func cardAddress(id string) string { return "/serials/" + url.PathEscape(id) }
