package site

import (
	"net/http"
	"net/url"

	"github.com/routecard/routecard/shop"
)

// Route is a page, or what is posted to one: its pattern, the operation that it asks for, and what answers.
type Route struct {
	Pattern   string
	Operation Asked
	Answer    func(*Visit) error
	secret    bool // what is posted always has secrets in it, and is not remembered; see carriesSecret
}

// Get is the route of a page.
func Get(path string, operation Asked, answer func(*Visit) error) Route {
	return Route{Pattern: "GET " + path, Operation: operation, Answer: answer}
}

// Post is the route of what is posted to a page.
func Post(path string, operation Asked, answer func(*Visit) error) Route {
	return Route{Pattern: "POST " + path, Operation: operation, Answer: answer}
}

// PostSecret is Post for what always has secrets in it.
func PostSecret(path string, operation Asked, answer func(*Visit) error) Route {
	return Route{Pattern: "POST " + path, Operation: operation, Answer: answer, secret: true}
}

// Needs is the permission of the operation that a form asks for.
func (r Route) Needs(form url.Values) shop.Permission { return r.Operation.In(form).Permission() }

// needsFirst is what a visitor needs before the form is read: all of it, or an identity where the form decides.
func (r Route) needsFirst() shop.Permission {
	if r.Operation.ByForm != nil {
		return shop.Arrived
	}
	return r.Operation.Always.Permission()
}

// Asked is the operation that a route asks for: always the same, or one that the form names.
type Asked struct {
	Always shop.Operation
	ByForm func(form url.Values) shop.Operation // nil for always the same
}

// In is the operation that a form asks for.
func (a Asked) In(form url.Values) shop.Operation {
	if a.ByForm != nil {
		return a.ByForm(form)
	}
	return a.Always
}

// Always is for routes that ask for the same operation, whatever the form says.
func Always(operation shop.Operation) Asked { return Asked{Always: operation} }

// AskedBy is for routes whose form says otherwise what it asks for.
func AskedBy(form func(url.Values) shop.Operation) Asked { return Asked{ByForm: form} }

// ByForm is for routes with several forms, told apart by the field do. What the list does not name is the operation
// otherwise, which needs as much as any of the others.
func ByForm(otherwise shop.Operation, forms map[string]shop.Operation) Asked {
	return Asked{ByForm: func(form url.Values) shop.Operation {
		if operation, listed := forms[form.Get("do")]; listed {
			return operation
		}
		return otherwise
	}}
}

// LeadTo leads to the page on which a form stands that is posted to another address. A refused form is shown at the address that it
// was posted to, where the browser loads the page again, and the page its fresh parts.
func LeadTo(page func(id string) string) func(*Visit) error {
	return func(v *Visit) error {
		http.Redirect(v.W, v.R, page(v.R.PathValue("id")), http.StatusSeeOther)
		return nil
	}
}

// SharedRoutes are what every page needs: who works here, what a form did, how far it is, and what there is to choose.
func SharedRoutes() []Route {
	return []Route{
		Post("/operator", Always(shop.OpEnter), chooseOperator),
		Get("/progress/{key}", Always(shop.OpRead), showProgress),
		PostSecret("/acts", Always(shop.OpEnter), settleAct), // the form is that of another route, which decides who may ask
		Get("/pick/{kind}", Always(shop.OpRead), showPicks),
	}
}
