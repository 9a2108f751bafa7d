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
		get("/{$}", always(shop.OpRead), floorHandler()),
		get("/jobs", always(shop.OpRead), showJobs),
		post("/jobs", always(shop.OpCreateJob), createJob),
		get("/jobs/{id}", always(shop.OpRead), showJob),
		post("/jobs/{id}", byForm(shop.OpUpdateJob, jobForms()), changeJob),
		get("/jobs/{id}/take-back", always(shop.OpRead), showTakeBack),
		post("/jobs/{id}/take-back", always(shop.OpUndo), takeManyBack),
		get("/jobs/{id}/route", always(shop.OpRead), showRoute),
		post("/jobs/{id}/route", always(shop.OpCreatePath), editRoute),
		get("/jobs/{id}/paths/{path}", always(shop.OpRead), showRoute),
		post("/jobs/{id}/paths/{path}", always(shop.OpReplaceSteps), editRoute),
		get("/serials", always(shop.OpRead), showSerials),
		get("/nonconformances", always(shop.OpRead), showReports),
		post("/nonconformances", always(shop.OpReport), openReport),
		get("/nonconformances/new", always(shop.OpRead), newReport),
		get("/nonconformances/{id}", always(shop.OpRead), showReport),
		post("/nonconformances/{id}", byForm(shop.OpDispose, reportForms()), changeReport),
		get("/nonconformances/{id}/print", always(shop.OpRead), printReport),
		get("/holds", always(shop.OpRead), showHolds),
		get("/certs", always(shop.OpRead), showCertificates),
		post("/certs", always(shop.OpCreateCertificate), createCertificate),
		get("/certs/{id}", always(shop.OpRead), showCertificate),
		get("/library", always(shop.OpRead), showLibrary),
		post("/library", askedBy(libraryForm), changeLibrary),
		get("/bom", always(shop.OpRead), showBOMs),
		post("/bom", always(shop.OpCreateBOM), createBOM),
		get("/bom/{id}", always(shop.OpRead), showBOM),
		post("/bom/{id}", byForm(shop.OpEditBOM, map[string]shop.Operation{"rename": shop.OpUpdateBOM}), changeBOM),
		get("/audit", always(shop.OpRead), showAudit),
		get("/audit/ledger", always(shop.OpRead), showLedger),
		get("/audit/proof/{id}", always(shop.OpRead), showProof),
		get("/audit/entries.csv", always(shop.OpRead), downloadAudit),
		get("/audit/entries.json", always(shop.OpRead), downloadAudit),
		get("/queue", always(shop.OpRead), showQueue),
		post("/queue", always(shop.OpAssignStep), assignSteps),
		get("/templates", always(shop.OpRead), showTemplates),
		post("/templates", always(shop.OpCreateTemplate), createTemplate),
		get("/templates/{id}", always(shop.OpRead), showTemplate),
		post("/templates/{id}", byForm(shop.OpUpdateTemplate, map[string]shop.Operation{
			"apply": shop.OpApplyTemplate, "delete": shop.OpDeleteTemplate,
		}), changeTemplate),
		get("/labels", always(shop.OpRead), showLabels),
		get("/search", always(shop.OpRead), showSearch),
	}
}
