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

// jobForms are the forms on the board of a job. What is done with many units is called like the operation on one, and
// what leads to its page has ask- before that.
func jobForms() map[string]shop.Operation {
	forms := map[string]shop.Operation{
		"close": shop.OpCloseJob, "reopen": shop.OpReopenJob,
		"edit": shop.OpUpdateJob, "create-serials": shop.OpCreateSerials, "delete-path": shop.OpDeletePath,
		"": shop.OpAdvance, // all units of a step, with a form for each thing to do with them
	}
	for _, operation := range shop.Operations() {
		if operation.Many() {
			forms["ask-"+string(operation)] = operation
			if operation != shop.OpReport { // which has a page of its own
				forms[string(operation)] = operation
			}
		}
	}
	return forms
}

// reportForms are the forms on the sheet of a nonconformance.
func reportForms() map[string]shop.Operation {
	return map[string]shop.Operation{
		"add": shop.OpAddToReport, "dispose": shop.OpDispose, "close": shop.OpCloseReport,
	}
}

// libraryForm is what a form of the library asks for.
func libraryForm(form url.Values) shop.Operation {
	if form.Has("delete") {
		return shop.OpRemoveFromLibrary
	}
	return shop.OpAddToLibrary
}

// userForm is what a form on the page of operators asks for.
func userForm(form url.Values) shop.Operation {
	if form.Get("do") == "confirm" {
		return shop.OpConfirmAccount
	}
	if form.Get("id") != "" {
		return shop.OpUpdateUser
	}
	return shop.OpCreateUser
}

// routes lists the pages that are there in every mode, and what is posted to them, with those of nouns.go; accessRoutes in
// access.go lists those that are there with --auth. Most forms post to the page they stand on; those of the layout to
// /operator and /sign-out.
func (p *pages) routes() []route {
	return append(routesOfNouns(), []route{
		{"GET /{$}", always(shop.OpRead), showFloor, false},
		{"POST /operator", always(shop.OpEnter), chooseOperator, false},
		{"GET /jobs", always(shop.OpRead), showJobs, false},
		{"POST /jobs", always(shop.OpCreateJob), createJob, false},
		{"GET /jobs/{id}", always(shop.OpRead), showJob, false},
		{"POST /jobs/{id}", byForm(shop.OpUpdateJob, jobForms()), changeJob, false},
		{"GET /jobs/{id}/take-back", always(shop.OpRead), showTakeBack, false},
		{"POST /jobs/{id}/take-back", always(shop.OpUndo), takeManyBack, false},
		{"GET /jobs/{id}/route", always(shop.OpRead), showRoute, false},
		{"POST /jobs/{id}/route", always(shop.OpCreatePath), editRoute, false},
		{"GET /jobs/{id}/paths/{path}", always(shop.OpRead), showRoute, false},
		{"POST /jobs/{id}/paths/{path}", always(shop.OpReplaceSteps), editRoute, false},
		{"GET /serials", always(shop.OpRead), showSerials, false},
		{"GET /serials/{id}", always(shop.OpRead), showCard, false},
		{"POST /serials/{id}", byForm(shop.OpScrap, cardForms()), changeCard, false},
		{"GET /serials/{id}/print", always(shop.OpRead), printCard, false},
		{"GET /nonconformances", always(shop.OpRead), showReports, false},
		{"POST /nonconformances", always(shop.OpReport), openReport, false},
		{"GET /nonconformances/new", always(shop.OpRead), newReport, false},
		{"GET /nonconformances/{id}", always(shop.OpRead), showReport, false},
		{"POST /nonconformances/{id}", byForm(shop.OpDispose, reportForms()), changeReport, false},
		{"GET /nonconformances/{id}/print", always(shop.OpRead), printReport, false},
		{"GET /holds", always(shop.OpRead), showHolds, false},
		{"GET /scan", always(shop.OpRead), showScan, false},
		{"POST /scan", always(shop.OpAdvance), scan, false},
		{"GET /scan/codes", always(shop.OpRead), showCodes, false},
		{"GET /certs", always(shop.OpRead), showCertificates, false},
		{"POST /certs", always(shop.OpCreateCertificate), createCertificate, false},
		{"GET /certs/{id}", always(shop.OpRead), showCertificate, false},
		{"GET /library", always(shop.OpRead), showLibrary, false},
		{"POST /library", asked{byForm: libraryForm}, changeLibrary, false},
		{"GET /bom", always(shop.OpRead), showBOMs, false},
		{"POST /bom", always(shop.OpCreateBOM), createBOM, false},
		{"GET /bom/{id}", always(shop.OpRead), showBOM, false},
		{"POST /bom/{id}", byForm(shop.OpEditBOM, map[string]shop.Operation{"rename": shop.OpUpdateBOM}), changeBOM, false},
		{"GET /audit", always(shop.OpRead), showAudit, false},
		{"GET /audit/ledger", always(shop.OpRead), showLedger, false},
		{"GET /audit/proof/{id}", always(shop.OpRead), showProof, false},
		{"GET /audit/entries.csv", always(shop.OpRead), downloadAudit, false},
		{"GET /audit/entries.json", always(shop.OpRead), downloadAudit, false},
		{"GET /queue", always(shop.OpRead), showQueue, false},
		{"POST /queue", always(shop.OpAssignStep), assignSteps, false},
		{"GET /users", always(shop.OpRead), showUsers, false},
		{"POST /users", asked{byForm: userForm}, changeUser, false},
		{"GET /templates", always(shop.OpRead), showTemplates, false},
		{"POST /templates", always(shop.OpCreateTemplate), createTemplate, false},
		{"GET /templates/{id}", always(shop.OpRead), showTemplate, false},
		{"POST /templates/{id}", byForm(shop.OpUpdateTemplate, map[string]shop.Operation{
			"apply": shop.OpApplyTemplate, "delete": shop.OpDeleteTemplate,
		}), changeTemplate, false},
		{"GET /progress/{key}", always(shop.OpRead), showProgress, false},
		{"POST /acts", always(shop.OpEnter), settleAct, true}, // the form is that of another route, which decides who may ask
		{"GET /labels", always(shop.OpRead), showLabels, false},
		{"GET /pick/{kind}", always(shop.OpRead), showPicks, false},
		{"GET /search", always(shop.OpRead), showSearch, false},
	}...)
}

// leadTo leads to the page on which a form stands that is posted to another address. A refused form is shown at the address that it
// was posted to, where the browser loads the page again, and the page its fresh parts.
func leadTo(page func(id string) string) func(*visit) error {
	return func(v *visit) error {
		http.Redirect(v.w, v.r, page(v.r.PathValue("id")), http.StatusSeeOther)
		return nil
	}
}
