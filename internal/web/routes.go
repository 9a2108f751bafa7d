package web

import (
	"net/url"
	"slices"

	"github.com/routecard/routecard/shop"
)

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

// officeRoutes lists the pages for the office and what is posted to them, with those of nouns.go.
func officeRoutes() []route { return slices.Concat(routesOfNouns(), officeTable()) }

// officeTable lists the pages that have no noun of their own, and what is posted to them.
func officeTable() []route {
	return []route{
		{"GET /{$}", always(shop.OpRead), floorHandler(), false},
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
		{"GET /nonconformances", always(shop.OpRead), showReports, false},
		{"POST /nonconformances", always(shop.OpReport), openReport, false},
		{"GET /nonconformances/new", always(shop.OpRead), newReport, false},
		{"GET /nonconformances/{id}", always(shop.OpRead), showReport, false},
		{"POST /nonconformances/{id}", byForm(shop.OpDispose, reportForms()), changeReport, false},
		{"GET /nonconformances/{id}/print", always(shop.OpRead), printReport, false},
		{"GET /holds", always(shop.OpRead), showHolds, false},
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
		{"GET /templates", always(shop.OpRead), showTemplates, false},
		{"POST /templates", always(shop.OpCreateTemplate), createTemplate, false},
		{"GET /templates/{id}", always(shop.OpRead), showTemplate, false},
		{"POST /templates/{id}", byForm(shop.OpUpdateTemplate, map[string]shop.Operation{
			"apply": shop.OpApplyTemplate, "delete": shop.OpDeleteTemplate,
		}), changeTemplate, false},
		{"GET /labels", always(shop.OpRead), showLabels, false},
		{"GET /search", always(shop.OpRead), showSearch, false},
	}
}
