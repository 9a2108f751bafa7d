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
	secret    bool // whether the form always contains secrets, and so is not stored; see carriesSecret
}

// Get returns the route of a page.
func Get(path string, operation Asked, answer func(*Visit) error) Route {
	return Route{Pattern: "GET " + path, Operation: operation, Answer: answer}
}

// Post returns the route of a form.
func Post(path string, operation Asked, answer func(*Visit) error) Route {
	return Route{Pattern: "POST " + path, Operation: operation, Answer: answer}
}

// PostSecret returns the route of a form that always contains secrets.
func PostSecret(path string, operation Asked, answer func(*Visit) error) Route {
	return Route{Pattern: "POST " + path, Operation: operation, Answer: answer, secret: true}
}

// Needs returns the permission of the operation that a form asks for.
func (r Route) Needs(form url.Values) shop.Permission { return r.Operation.In(form).Permission() }

// needsFirst returns the permission to check before the form is read. If the operation depends on the form, only an identity is required.
func (r Route) needsFirst() shop.Permission {
	if r.Operation.ByForm != nil {
		return shop.Arrived
	}
	return r.Operation.Always.Permission()
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

// Always is for routes with a fixed operation.
func Always(operation shop.Operation) Asked { return Asked{Always: operation} }

// AskedBy is for routes where a function derives the operation from the form.
func AskedBy(form func(url.Values) shop.Operation) Asked { return Asked{ByForm: form} }

// ByForm is for routes with several forms, distinguished by the field "do". Values that are not in forms mean the operation otherwise,
// which must need at least the permissions of the others.
func ByForm(otherwise shop.Operation, forms map[string]shop.Operation) Asked {
	return Asked{ByForm: func(form url.Values) shop.Operation {
		if operation, listed := forms[form.Get("do")]; listed {
			return operation
		}
		return otherwise
	}}
}

// LeadTo redirects to the page of a form that is posted to another address. A refused form is shown at the address it was posted to; the
// browser reloads that address, and the page fetches its fresh parts there.
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
		Get("/progress/{key}", Always(shop.OpRead), showProgress),
		PostSecret("/acts", Always(shop.OpEnter), settleAct), // the form belongs to another route, which checks the permission
		Get("/pick/{kind}", Always(shop.OpRead), showPicks),
	}
}
