package web

import (
	"net/url"

	"github.com/routecard/routecard"
	"github.com/routecard/routecard/internal/access"
)

// route is a page, or what is posted to one: its pattern, what the visitor has to be allowed, and what answers.
type route struct {
	pattern string
	needs   func(form url.Values) routecard.Permission
	answer  func(*visit) error
	secret  bool // what is posted always has secrets in it, and is not remembered; see carriesSecret
}

// needs is for routes that always need the same permission.
func needs(permission routecard.Permission) func(url.Values) routecard.Permission {
	return func(url.Values) routecard.Permission { return permission }
}

// byForm is for routes with several forms, told apart by the field do. What the list does not name needs the most.
func byForm(most routecard.Permission, less map[string]routecard.Permission) func(url.Values) routecard.Permission {
	return func(form url.Values) routecard.Permission {
		if permission, listed := less[form.Get("do")]; listed {
			return permission
		}
		return most
	}
}

// cardForms are the forms on the card of a unit that need less than deciding.
var cardForms = map[string]routecard.Permission{
	string(routecard.OpAdvance): routecard.Work, string(routecard.OpAdvanceTo): routecard.Work,
	string(routecard.OpAttach): routecard.Work, string(routecard.OpCompleteDeferred): routecard.Work,
	"note": routecard.Work, "hold": routecard.Work, "undo": routecard.Work,
	"void": routecard.Work,
}

// jobForms are the forms on the board of a job that need something else than planning.
var jobForms = map[string]routecard.Permission{
	manyAdvance: routecard.Work, manyAttach: routecard.Work, manyNote: routecard.Work,
	manyScrap: routecard.Decide, manyClose: routecard.Decide,
	"ask-" + manyAdvance: routecard.Work, "ask-" + manyAttach: routecard.Work, "ask-" + manyNote: routecard.Work,
	"ask-" + manyScrap: routecard.Decide, "ask-" + manyClose: routecard.Decide,
	"ask-report": routecard.Work,
	"":           routecard.Work, // all units of a step, with a form for each thing to do with them
}

// reportForms are the forms on the sheet of a nonconformance that need less than deciding.
var reportForms = map[string]routecard.Permission{"add": routecard.Work}

// routes lists every page and what is posted to it. Forms post to the page they stand on.
func (p *pages) routes() []route {
	return []route{
		{"GET /{$}", needs(routecard.Read), showFloor, false},
		{"POST /operator", needs(access.Anyone), (*visit).chooseOperator, false},
		{"GET /jobs", needs(routecard.Read), showJobs, false},
		{"POST /jobs", needs(routecard.Plan), createJob, false},
		{"GET /jobs/{id}", needs(routecard.Read), showJob, false},
		{"POST /jobs/{id}", byForm(routecard.Plan, jobForms), changeJob, false},
		{"GET /jobs/{id}/route", needs(routecard.Read), showRoute, false},
		{"POST /jobs/{id}/route", needs(routecard.Plan), editRoute, false},
		{"GET /jobs/{id}/paths/{path}", needs(routecard.Read), showRoute, false},
		{"POST /jobs/{id}/paths/{path}", needs(routecard.Plan), editRoute, false},
		{"GET /serials", needs(routecard.Read), showSerials, false},
		{"GET /serials/{id}", needs(routecard.Read), showCard, false},
		{"POST /serials/{id}", byForm(routecard.Decide, cardForms), changeCard, false},
		{"GET /serials/{id}/print", needs(routecard.Read), printCard, false},
		{"GET /nonconformances", needs(routecard.Read), showReports, false},
		{"POST /nonconformances", needs(routecard.Work), openReport, false},
		{"GET /nonconformances/new", needs(routecard.Read), newReport, false},
		{"GET /nonconformances/{id}", needs(routecard.Read), showReport, false},
		{"POST /nonconformances/{id}", byForm(routecard.Decide, reportForms), changeReport, false},
		{"GET /nonconformances/{id}/print", needs(routecard.Read), printReport, false},
		{"GET /holds", needs(routecard.Read), showHolds, false},
		{"GET /scan", needs(routecard.Read), showScan, false},
		{"POST /scan", needs(routecard.Work), scan, false},
		{"GET /scan/codes", needs(routecard.Read), showCodes, false},
		{"GET /certs", needs(routecard.Read), showCertificates, false},
		{"POST /certs", needs(routecard.Plan), createCertificate, false},
		{"GET /certs/{id}", needs(routecard.Read), showCertificate, false},
		{"GET /library", needs(routecard.Read), showLibrary, false},
		{"POST /library", needs(routecard.Plan), changeLibrary, false},
		{"GET /bom", needs(routecard.Read), showBOMs, false},
		{"POST /bom", needs(routecard.Plan), createBOM, false},
		{"GET /bom/{id}", needs(routecard.Read), showBOM, false},
		{"POST /bom/{id}", needs(routecard.Plan), changeBOM, false},
		{"GET /audit", needs(routecard.Read), showAudit, false},
		{"GET /audit/ledger", needs(routecard.Read), showLedger, false},
		{"GET /audit/entries.csv", needs(routecard.Read), downloadAudit, false},
		{"GET /audit/entries.json", needs(routecard.Read), downloadAudit, false},
		{"GET /queue", needs(routecard.Read), showQueue, false},
		{"POST /queue", needs(routecard.Plan), assignSteps, false},
		{"GET /users", needs(routecard.Read), showUsers, false},
		{"POST /users", needs(routecard.Admin), changeUser, false},
		{"GET /templates", needs(routecard.Read), showTemplates, false},
		{"POST /templates", needs(routecard.Plan), createTemplate, false},
		{"GET /templates/{id}", needs(routecard.Read), showTemplate, false},
		{"POST /templates/{id}", needs(routecard.Plan), changeTemplate, false},
		{"GET /progress/{key}", needs(routecard.Read), showProgress, false},
		{"GET /labels", needs(routecard.Read), showLabels, false},
		{"GET /pick/{kind}", needs(routecard.Read), showPicks, false},
	}
}
