package site

import (
	"net/http"
	"net/url"

	"github.com/routecard/routecard/shop"
)

// Route is a page, or a form posted to one: its pattern, its operation, and its handler.
type Route struct {
	Pattern   string
	Operation Asked
	Answer    func(*Visit) error
	secret    bool // the form always contains secrets, so its result is not stored; see carriesSecret
	// Standby is set for a page that may be read from a standby of the database.
	Standby bool
}

// Get returns the route of a page.
func Get(path string, operation Asked, answer func(*Visit) error) Route {
	return Route{Pattern: "GET " + path, Operation: operation, Answer: answer}
}

// GetReading returns the route of a page that only shows records: a list, a search, an export, a print. It may be read from a standby of
// the database. It has no form with the digest of a record: such a form is the basis of a change.
func GetReading(path string, operation Asked, answer func(*Visit) error) Route {
	return Route{Pattern: "GET " + path, Operation: operation, Answer: answer, Standby: true}
}

// Post returns the route of a form.
func Post(path string, operation Asked, answer func(*Visit) error) Route {
	return Route{Pattern: "POST " + path, Operation: operation, Answer: answer}
}

// PostSecret returns the route of a form that always contains secrets.
func PostSecret(path string, operation Asked, answer func(*Visit) error) Route {
	return Route{Pattern: "POST " + path, Operation: operation, Answer: answer, secret: true}
}

// Asked determines the operation of a route: a fixed one, or one that depends on the form.
type Asked struct {
	Always shop.Operation
	ByForm func(form url.Values) shop.Operation // nil for a fixed operation
}

// In returns the operation that a form asks for.
func (a Asked) In(form url.Values) shop.Operation {
	if a.ByForm != nil {
		return a.ByForm(form)
	}
	return a.Always
}

// Always returns the Asked of a route with a fixed operation.
func Always(operation shop.Operation) Asked { return Asked{Always: operation} }

// AskedBy returns the Asked of a route where a function derives the operation from the form.
func AskedBy(form func(url.Values) shop.Operation) Asked { return Asked{ByForm: form} }

// ByForm returns the Asked of a route with several forms, which the field "do" distinguishes. For any value that is not in forms, the
// operation is otherwise, which must need at least the permissions of all others.
func ByForm(otherwise shop.Operation, forms map[string]shop.Operation) Asked {
	return Asked{ByForm: func(form url.Values) shop.Operation {
		if operation, listed := forms[form.Get("do")]; listed {
			return operation
		}
		return otherwise
	}}
}

// LeadTo redirects to the page of a form that is posted to another address. If a form is refused, it is shown at the address to which it
// was posted. The browser reloads that address, and the page fetches its updated parts there.
func LeadTo(page func(id string) string) func(*Visit) error {
	return func(v *Visit) error {
		http.Redirect(v.W, v.R, page(v.R.PathValue("id")), http.StatusSeeOther)
		return nil
	}
}

// SharedRoutes returns the routes that every page needs: choosing the operator, the result and progress of a form, and suggestions.
func SharedRoutes() []Route {
	return []Route{
		Post("/operator", Always(shop.OpEnter), chooseOperator),
		Post("/language", Always(shop.OpEnter), chooseLanguage),
		Get("/progress/{key}", Always(shop.OpRead), showProgress),
		PostSecret("/acts", Always(shop.OpEnter), settleAct), // the route of the form checks the permission
		GetReading("/pick/{kind}", Always(shop.OpRead), showPicks),
	}
}
