package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop"
)

// Body limits. Where a request may list many serials it may be large.
const (
	largeBody  = 16 << 20
	smallBody  = 0  // the configured limit
	noBody     = -1 // not looked at
	secretBody = -2 // as smallBody, with a secret in it; see route.keyed
)

// route is one way to ask for an operation: its pattern, the operation, and what answers it.
type route struct {
	pattern   string // method and path, as http.ServeMux reads them
	operation shop.Operation
	limit     int64 // largest body
	handle    func(s *Server, c *call) error
}

// needs is the permission that the caller needs.
func (r route) needs() shop.Permission { return r.operation.Permission() }

// call is one request on its way through an operation.
type call struct {
	w    http.ResponseWriter
	r    *http.Request
	body body   // empty for requests without one
	sent []byte // the body to the byte
}

func (c *call) id() string { return c.r.PathValue("id") }

// routes lists every operation of the interface, in its order.
func routes() []route {
	return []route{
		{"POST /api/jobs", shop.OpCreateJob, smallBody, createJob},
		{"GET /api/jobs", shop.OpRead, noBody, listJobs},
		{"GET /api/jobs/{id}", shop.OpRead, noBody, getJob},
		{"PUT /api/jobs/{id}", shop.OpUpdateJob, smallBody, updateJob},

		{"POST /api/paths", shop.OpCreatePath, smallBody, createPath},
		{"GET /api/paths/{id}", shop.OpRead, noBody, getPath},
		{"PUT /api/paths/{id}", shop.OpUpdatePath, smallBody, updatePath},
		{"DELETE /api/paths/{id}", shop.OpDeletePath, smallBody, deletePath},
		{"PATCH /api/paths/{id}/advancement-mode", shop.OpChangeMode, smallBody, updateAdvancementMode},

		{"POST /api/serials", shop.OpCreateSerials, smallBody, createSerials},
		{"GET /api/serials", shop.OpRead, noBody, listSerials},
		{"GET /api/serials/search", shop.OpRead, noBody, searchSerials},
		{"GET /api/serials/{id}", shop.OpRead, noBody, getSerial},
		{"GET /api/serials/{id}/step-statuses", shop.OpRead, noBody, getStepStatuses},
		{"GET /api/serials/{id}/cert-attachments", shop.OpRead, noBody, getSerialAttachments},
		{"POST /api/serials/{id}/advance", shop.OpAdvance, smallBody, advanceSerial},
		{"POST /api/serials/{id}/advance-to", shop.OpAdvanceTo, smallBody, advanceToStep},
		{"POST /api/serials/{id}/scrap", shop.OpScrap, smallBody, scrapSerial},
		{"POST /api/serials/{id}/force-complete", shop.OpForceComplete, smallBody, forceComplete},
		{"POST /api/serials/{id}/complete-deferred/{stepId}", shop.OpCompleteDeferred, smallBody, completeDeferredStep},
		{"POST /api/serials/{id}/waive-step/{stepId}", shop.OpWaive, smallBody, waiveStep},
		{"GET /api/serials/{id}/overrides", shop.OpRead, noBody, listOverrides},
		{"POST /api/serials/{id}/overrides", shop.OpOverride, largeBody, createOverrides},
		{"DELETE /api/serials/{id}/overrides/{stepId}", shop.OpReverseOverride, smallBody, deleteOverride},
		{"POST /api/serials/{id}/attach-cert", shop.OpAttach, smallBody, attachCertificate},
		{"POST /api/serials/batch-advance", shop.OpAdvance, largeBody, batchAdvance},
		{"POST /api/serials/batch-advance-to", shop.OpAdvanceTo, largeBody, batchAdvanceTo},
		{"POST /api/serials/batch-scrap", shop.OpScrap, largeBody, batchScrap},
		{"POST /api/serials/batch-force-complete", shop.OpForceComplete, largeBody, batchForceComplete},
		{"POST /api/serials/batch-hold", shop.OpHold, largeBody, batchHold},
		{"POST /api/serials/batch-release", shop.OpRelease, largeBody, batchRelease},

		{"POST /api/serials/{id}/hold", shop.OpHold, smallBody, holdSerial},
		{"POST /api/serials/{id}/release", shop.OpRelease, smallBody, releaseSerial},
		{"POST /api/serials/{id}/undo", shop.OpUndo, smallBody, undo},
		{"POST /api/serials/{id}/rework", shop.OpRework, smallBody, reworkSerial},
		{"GET /api/serials/{id}/holds", shop.OpRead, noBody, getHoldsOfSerial},
		{"GET /api/holds", shop.OpRead, noBody, listHolds},

		{"POST /api/nonconformances", shop.OpReport, largeBody, openNonconformance},
		{"GET /api/nonconformances", shop.OpRead, noBody, listNonconformances},
		{"GET /api/nonconformances/{id}", shop.OpRead, noBody, getNonconformance},
		{"POST /api/nonconformances/{id}/serials", shop.OpAddToReport, largeBody, addToNonconformance},
		{"POST /api/nonconformances/{id}/dispositions", shop.OpDispose, largeBody, disposeNonconformance},
		{"POST /api/nonconformances/{id}/close", shop.OpCloseReport, smallBody, closeNonconformance},

		{"GET /api/settings/signatures", shop.OpSetPolicy, noBody, getSignaturePolicy},
		{"PUT /api/settings/signatures", shop.OpSetPolicy, smallBody, setSignaturePolicy},
		{"POST /api/signatures", shop.OpSign, secretBody, sign},
		{"GET /api/serials/{id}/signatures", shop.OpRead, noBody, getSignaturesOfSerial},

		{"POST /api/certs", shop.OpCreateCertificate, smallBody, createCertificate},
		{"GET /api/certs", shop.OpRead, noBody, listCertificates},
		{"GET /api/certs/{id}", shop.OpRead, noBody, getCertificate},
		{"GET /api/certs/{id}/attachments", shop.OpRead, noBody, getCertificateAttachments},
		{"POST /api/certs/attachments/{id}/void", shop.OpVoid, smallBody, voidAttachment},
		{"POST /api/certs/batch-attach", shop.OpAttach, largeBody, batchAttachCertificate},

		{"POST /api/notes", shop.OpNote, largeBody, createNote},
		{"POST /api/notes/{id}/void", shop.OpVoid, smallBody, voidNote},
		{"GET /api/notes/serial/{id}", shop.OpRead, noBody, getNotesOfSerial},
		{"GET /api/notes/step/{id}", shop.OpRead, noBody, getNotesOfStep},

		{"POST /api/bom", shop.OpCreateBOM, smallBody, createBOM},
		{"GET /api/bom", shop.OpRead, noBody, listBOMs},
		{"GET /api/bom/{id}", shop.OpRead, noBody, getBOM},
		{"PUT /api/bom/{id}", shop.OpUpdateBOM, smallBody, updateBOM},
		{"POST /api/bom/{id}/edit", shop.OpEditBOM, smallBody, editBOM},
		{"GET /api/bom/{id}/versions", shop.OpRead, noBody, listBOMVersions},

		{"GET /api/library/processes", shop.OpRead, noBody, listLibrary(shop.Processes)},
		{"POST /api/library/processes", shop.OpAddToLibrary, smallBody, createLibraryEntry(shop.Processes)},
		{"DELETE /api/library/processes/{id}", shop.OpRemoveFromLibrary, noBody, deleteLibraryEntry(shop.Processes)},
		{"GET /api/library/locations", shop.OpRead, noBody, listLibrary(shop.Locations)},
		{"POST /api/library/locations", shop.OpAddToLibrary, smallBody, createLibraryEntry(shop.Locations)},
		{"DELETE /api/library/locations/{id}", shop.OpRemoveFromLibrary, noBody, deleteLibraryEntry(shop.Locations)},

		{"GET /api/users", shop.OpRead, noBody, listUsers},
		{"POST /api/users", shop.OpCreateUser, smallBody, createUser},
		{"GET /api/users/{id}", shop.OpRead, noBody, getUser},
		{"PUT /api/users/{id}", shop.OpUpdateUser, smallBody, updateUser},
		{"PATCH /api/steps/{id}/assign", shop.OpAssignStep, smallBody, assignStep},
		{"PATCH /api/steps/{id}/config", shop.OpConfigureStep, smallBody, configureStep},

		{"GET /api/templates", shop.OpRead, noBody, listTemplates},
		{"POST /api/templates", shop.OpCreateTemplate, smallBody, createTemplate},
		{"GET /api/templates/{id}", shop.OpRead, noBody, getTemplate},
		{"PUT /api/templates/{id}", shop.OpUpdateTemplate, smallBody, updateTemplate},
		{"DELETE /api/templates/{id}", shop.OpDeleteTemplate, smallBody, deleteTemplate},
		{"POST /api/templates/{id}/apply", shop.OpApplyTemplate, smallBody, applyTemplate},

		{"GET /api/operator/work-queue", shop.OpRead, noBody, getWorkQueue},
		{"GET /api/operator/queue/{userId}", shop.OpRead, noBody, getOperatorQueue},
		{"GET /api/operator/step/{stepId}", shop.OpRead, noBody, getStepQueue},

		{"POST /api/tracker/link", shop.OpLinkTicket, smallBody, linkTicket},
		{"POST /api/tracker/comment", shop.OpPostComment, smallBody, postComment},
		{"GET /api/tracker/tickets", shop.OpRead, noBody, listTickets},
		{"GET /api/tracker/tickets/{key}", shop.OpRead, noBody, getTicket},

		{"GET /api/audit", shop.OpRead, noBody, listAudit},
		{"GET /api/audit/search", shop.OpRead, noBody, searchAudit},
		{"GET /api/audit/serial/{id}", shop.OpRead, noBody, getAuditOfSerial},
		{"GET /api/audit/job/{id}", shop.OpRead, noBody, getAuditOfJob},

		{"GET /api/ledger", shop.OpRead, noBody, withLedger(getLedger)},
		{"GET /api/ledger/proof/{auditId}", shop.OpRead, noBody, withLedger(getProof)},
		{"GET /ledger/checkpoint", shop.OpRead, noBody, withLedger(getCheckpoint)},
		{"GET /ledger/cosigned", shop.OpRead, noBody, withLedger(getCosigned)},
		{"GET /ledger/tile/{place...}", shop.OpRead, noBody, withLedger(getTile)},
		{"GET /api/backups", shop.OpBackUp, noBody, withBackups(listBackups)},
		{"POST /api/backups", shop.OpBackUp, noBody, withBackups(startBackup)},

		{eventsPattern, shop.OpRead, noBody, streamEvents},
	}
}

// answer writes a value unless the operation failed.
func answer[T any](c *call, status int, value T, err error) error {
	if err != nil {
		return err
	}
	return c.write(status, value)
}

// answerList writes a list that may be as long as the request was, unless the operation failed.
func answerList[T any](c *call, values []T, err error) error {
	if err != nil {
		return err
	}
	return writeList(c, http.StatusOK, func(yield func(T, error) bool) {
		for i := range values {
			if !yield(values[i], nil) {
				return
			}
		}
	})
}

// done answers the operations that have nothing to show.
func done(c *call, err error) error {
	return answer(c, http.StatusOK, struct {
		Success bool `json:"success"`
	}{true}, err)
}
