package web

import (
	"net/url"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
)

// route is a page, or what is posted to one: its pattern, what the visitor has to be allowed, and what answers.
type route struct {
	pattern string
	needs   func(form url.Values) shop.Permission
	answer  func(*visit) error
	secret  bool // what is posted always has secrets in it, and is not remembered; see carriesSecret
}

// needs is for routes that always need the same permission.
func needs(permission shop.Permission) func(url.Values) shop.Permission {
	return func(url.Values) shop.Permission { return permission }
}

// byForm is for routes with several forms, told apart by the field do. What the list does not name needs the most.
func byForm(most shop.Permission, less map[string]shop.Permission) func(url.Values) shop.Permission {
	return func(form url.Values) shop.Permission {
		if permission, listed := less[form.Get("do")]; listed {
			return permission
		}
		return most
	}
}

// cardForms are the forms on the card of a unit that need less than deciding.
var cardForms = map[string]shop.Permission{
	string(shop.OpAdvance): shop.Work, string(shop.OpAdvanceTo): shop.Work,
	string(shop.OpAttach): shop.Work, string(shop.OpCompleteDeferred): shop.Work,
	"note": shop.Work, "hold": shop.Work, "undo": shop.Work,
	"void": shop.Work,
}

// jobForms are the forms on the board of a job that need something else than planning.
var jobForms = map[string]shop.Permission{
	manyAdvance: shop.Work, manyAttach: shop.Work, manyNote: shop.Work,
	manyScrap: shop.Decide, manyClose: shop.Decide,
	"ask-" + manyAdvance: shop.Work, "ask-" + manyAttach: shop.Work, "ask-" + manyNote: shop.Work,
	"ask-" + manyScrap: shop.Decide, "ask-" + manyClose: shop.Decide,
	"ask-report": shop.Work,
	"":           shop.Work, // all units of a step, with a form for each thing to do with them
}

// reportForms are the forms on the sheet of a nonconformance that need less than deciding.
var reportForms = map[string]shop.Permission{"add": shop.Work}

// routes lists every page and what is posted to it. Forms post to the page they stand on.
func (p *pages) routes() []route {
	return []route{
		{"GET /{$}", needs(shop.Read), showFloor, false},
		{"POST /operator", needs(access.Anyone), (*visit).chooseOperator, false},
		{"GET /jobs", needs(shop.Read), showJobs, false},
		{"POST /jobs", needs(shop.Plan), createJob, false},
		{"GET /jobs/{id}", needs(shop.Read), showJob, false},
		{"POST /jobs/{id}", byForm(shop.Plan, jobForms), changeJob, false},
		{"GET /jobs/{id}/route", needs(shop.Read), showRoute, false},
		{"POST /jobs/{id}/route", needs(shop.Plan), editRoute, false},
		{"GET /jobs/{id}/paths/{path}", needs(shop.Read), showRoute, false},
		{"POST /jobs/{id}/paths/{path}", needs(shop.Plan), editRoute, false},
		{"GET /serials", needs(shop.Read), showSerials, false},
		{"GET /serials/{id}", needs(shop.Read), showCard, false},
		{"POST /serials/{id}", byForm(shop.Decide, cardForms), changeCard, false},
		{"GET /serials/{id}/print", needs(shop.Read), printCard, false},
		{"GET /nonconformances", needs(shop.Read), showReports, false},
		{"POST /nonconformances", needs(shop.Work), openReport, false},
		{"GET /nonconformances/new", needs(shop.Read), newReport, false},
		{"GET /nonconformances/{id}", needs(shop.Read), showReport, false},
		{"POST /nonconformances/{id}", byForm(shop.Decide, reportForms), changeReport, false},
		{"GET /nonconformances/{id}/print", needs(shop.Read), printReport, false},
		{"GET /holds", needs(shop.Read), showHolds, false},
		{"GET /scan", needs(shop.Read), showScan, false},
		{"POST /scan", needs(shop.Work), scan, false},
		{"GET /scan/codes", needs(shop.Read), showCodes, false},
		{"GET /certs", needs(shop.Read), showCertificates, false},
		{"POST /certs", needs(shop.Plan), createCertificate, false},
		{"GET /certs/{id}", needs(shop.Read), showCertificate, false},
		{"GET /library", needs(shop.Read), showLibrary, false},
		{"POST /library", needs(shop.Plan), changeLibrary, false},
		{"GET /bom", needs(shop.Read), showBOMs, false},
		{"POST /bom", needs(shop.Plan), createBOM, false},
		{"GET /bom/{id}", needs(shop.Read), showBOM, false},
		{"POST /bom/{id}", needs(shop.Plan), changeBOM, false},
		{"GET /audit", needs(shop.Read), showAudit, false},
		{"GET /audit/ledger", needs(shop.Read), showLedger, false},
		{"GET /audit/entries.csv", needs(shop.Read), downloadAudit, false},
		{"GET /audit/entries.json", needs(shop.Read), downloadAudit, false},
		{"GET /queue", needs(shop.Read), showQueue, false},
		{"POST /queue", needs(shop.Plan), assignSteps, false},
		{"GET /users", needs(shop.Read), showUsers, false},
		{"POST /users", needs(shop.Admin), changeUser, false},
		{"GET /templates", needs(shop.Read), showTemplates, false},
		{"POST /templates", needs(shop.Plan), createTemplate, false},
		{"GET /templates/{id}", needs(shop.Read), showTemplate, false},
		{"POST /templates/{id}", needs(shop.Plan), changeTemplate, false},
		{"GET /progress/{key}", needs(shop.Read), showProgress, false},
		{"GET /labels", needs(shop.Read), showLabels, false},
		{"GET /pick/{kind}", needs(shop.Read), showPicks, false},
	}
}
