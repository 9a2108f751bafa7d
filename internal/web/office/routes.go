package office

import (
	"net/url"
	"slices"

	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop"
)

// jobForms are the forms on the board of a job. The form for an action on many units has the name of the operation on one unit. The button
// that opens its page adds the prefix "ask-".
func jobForms() map[string]shop.Operation {
	forms := map[string]shop.Operation{
		"close": shop.OpCloseJob, "reopen": shop.OpReopenJob,
		"edit": shop.OpUpdateJob, "create-serials": shop.OpCreateSerials, "delete-path": shop.OpDeletePath,
		askHold: shop.OpHold, askRelease: shop.OpRelease,
		"": shop.OpAdvance, // all units at a step, with a form for each action
	}
	for _, operation := range shop.Operations() {
		if operation.Many() {
			forms["ask-"+string(operation)] = operation
			if operation != shop.OpReport { // reports have a separate page
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

// libraryForm returns the operation of a form of the library.
func libraryForm(form url.Values) shop.Operation {
	if form.Has("delete") {
		return shop.OpRemoveFromLibrary
	}
	return shop.OpAddToLibrary
}

// Routes returns the pages for the office and their forms, including those in nouns.go.
func Routes() []site.Route { return slices.Concat(routesOfNouns(), officeTable()) }

// officeTable lists the pages that do not belong to a noun, and their forms.
func officeTable() []site.Route {
	shared := &floors{}
	return []site.Route{
		site.GetReading("/{$}", site.Always(shop.OpRead), floorHandler(shared)),
		site.GetReading("/wall", site.Always(shop.OpRead), wallHandler(shared)),
		site.GetReading("/jobs", site.Always(shop.OpRead), showJobs),
		site.Post("/jobs", site.Always(shop.OpCreateJob), createJob),
		site.Get("/jobs/{id}", site.Always(shop.OpRead), showJob),
		site.Post("/jobs/{id}", site.ByForm(shop.OpUpdateJob, jobForms()), changeJob),
		site.Get("/jobs/{id}/take-back", site.Always(shop.OpRead), showTakeBack),
		site.Post("/jobs/{id}/take-back", site.Always(shop.OpUndo), takeManyBack),
		site.Get("/jobs/{id}/route", site.Always(shop.OpRead), showRoute),
		site.Post("/jobs/{id}/route", site.Always(shop.OpCreatePath), editRoute),
		site.Get("/jobs/{id}/paths/{path}", site.Always(shop.OpRead), showRoute),
		site.Post("/jobs/{id}/paths/{path}", site.Always(shop.OpReplaceSteps), editRoute),
		site.GetReading("/serials", site.Always(shop.OpRead), showSerials),
		site.Post("/serials", site.ByForm(shop.OpHold, holdingForms()), holdUnits),
		site.GetReading("/nonconformances", site.Always(shop.OpRead), showReports),
		site.Post("/nonconformances", site.Always(shop.OpReport), openReport),
		site.Get("/nonconformances/new", site.Always(shop.OpRead), newReport),
		site.Get("/nonconformances/{id}", site.Always(shop.OpRead), showReport),
		site.Post("/nonconformances/{id}", site.ByForm(shop.OpDispose, reportForms()), changeReport),
		site.GetReading("/nonconformances/{id}/print", site.Always(shop.OpRead), printReport),
		site.GetReading("/holds", site.Always(shop.OpRead), showHolds),
		site.Post("/holds", site.Always(shop.OpRelease), releaseHolds),
		site.GetReading("/certs", site.Always(shop.OpRead), showCertificates),
		site.Post("/certs", site.Always(shop.OpCreateCertificate), createCertificate),
		site.GetReading("/certs/{id}", site.Always(shop.OpRead), showCertificate),
		site.Get("/library", site.Always(shop.OpRead), showLibrary),
		site.Post("/library", site.AskedBy(libraryForm), changeLibrary),
		site.GetReading("/bom", site.Always(shop.OpRead), showBOMs),
		site.Post("/bom", site.Always(shop.OpCreateBOM), createBOM),
		site.Get("/bom/{id}", site.Always(shop.OpRead), showBOM),
		site.Post("/bom/{id}", site.ByForm(shop.OpEditBOM, map[string]shop.Operation{"rename": shop.OpUpdateBOM}), changeBOM),
		site.GetReading("/audit", site.Always(shop.OpRead), showAudit),
		site.Get("/audit/ledger", site.Always(shop.OpRead), showLedger),
		site.Get("/audit/proof/{id}", site.Always(shop.OpRead), showProof),
		site.GetReading("/audit/entries.csv", site.Always(shop.OpRead), downloadAudit),
		site.GetReading("/audit/entries.json", site.Always(shop.OpRead), downloadAudit),
		site.GetReading("/queue", site.Always(shop.OpRead), showQueue),
		site.Post("/queue", site.Always(shop.OpAssignStep), assignSteps),
		site.GetReading("/templates", site.Always(shop.OpRead), showTemplates),
		site.Post("/templates", site.Always(shop.OpCreateTemplate), createTemplate),
		site.Get("/templates/{id}", site.Always(shop.OpRead), showTemplate),
		site.Post("/templates/{id}", site.ByForm(shop.OpUpdateTemplate, map[string]shop.Operation{
			"apply": shop.OpApplyTemplate, "delete": shop.OpDeleteTemplate,
		}), changeTemplate),
		site.GetReading("/labels", site.Always(shop.OpRead), showLabels),
		site.GetReading("/search", site.Always(shop.OpRead), showSearch),
	}
}
