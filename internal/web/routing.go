package web

import (
	"net/http"
	"net/url"

	"github.com/routecard/routecard/shop"
)

// route is a page, or what is posted to one: its pattern, the operation that it asks for, and what answers.
type route struct {
	pattern   string
	operation asked
	answer    func(*visit) error
	secret    bool // what is posted always has secrets in it, and is not remembered; see carriesSecret
}

// get is the route of a page.
func get(path string, operation asked, answer func(*visit) error) route {
	return route{pattern: "GET " + path, operation: operation, answer: answer}
}

// post is the route of what is posted to a page.
func post(path string, operation asked, answer func(*visit) error) route {
	return route{pattern: "POST " + path, operation: operation, answer: answer}
}

// postSecret is post for what always has secrets in it.
func postSecret(path string, operation asked, answer func(*visit) error) route {
	return route{pattern: "POST " + path, operation: operation, answer: answer, secret: true}
}

// needs is the permission of the operation that a form asks for.
func (r route) needs(form url.Values) shop.Permission { return r.operation.in(form).Permission() }

// needsFirst is what a visitor needs before the form is read: all of it, or an identity where the form decides.
func (r route) needsFirst() shop.Permission {
	if r.operation.byForm != nil {
		return shop.Arrived
	}
	return r.operation.always.Permission()
}

// asked is the operation that a route asks for: always the same, or one that the form names.
type asked struct {
	always shop.Operation
	byForm func(form url.Values) shop.Operation // nil for always the same
}

func (a asked) in(form url.Values) shop.Operation {
	if a.byForm != nil {
		return a.byForm(form)
	}
	return a.always
}

// always is for routes that ask for the same operation, whatever the form says.
func always(operation shop.Operation) asked { return asked{always: operation} }

// askedBy is for routes whose form says otherwise what it asks for.
func askedBy(form func(url.Values) shop.Operation) asked { return asked{byForm: form} }

// byForm is for routes with several forms, told apart by the field do. What the list does not name is the operation
// otherwise, which needs as much as any of the others.
func byForm(otherwise shop.Operation, forms map[string]shop.Operation) asked {
	return asked{byForm: func(form url.Values) shop.Operation {
		if operation, listed := forms[form.Get("do")]; listed {
			return operation
		}
		return otherwise
	}}
}

// leadTo leads to the page on which a form stands that is posted to another address. A refused form is shown at the address that it
// was posted to, where the browser loads the page again, and the page its fresh parts.
func leadTo(page func(id string) string) func(*visit) error {
	return func(v *visit) error {
		http.Redirect(v.w, v.r, page(v.r.PathValue("id")), http.StatusSeeOther)
		return nil
	}
}

// sharedRoutes are what every page needs: who works here, what a form did, how far it is, and what there is to choose.
func sharedRoutes() []route {
	return []route{
		post("/operator", always(shop.OpEnter), chooseOperator),
		get("/progress/{key}", always(shop.OpRead), showProgress),
		postSecret("/acts", always(shop.OpEnter), settleAct), // the form is that of another route, which decides who may ask
		get("/pick/{kind}", always(shop.OpRead), showPicks),
	}
}
