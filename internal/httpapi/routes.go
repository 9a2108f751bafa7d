package httpapi

import (
	"net/http"

	"github.com/routecard/routecard"
	"github.com/routecard/routecard/internal/access"
)

// Body limits. Where a request may list many serials it may be large.
const (
	largeBody  = 16 << 20
	smallBody  = 0  // the configured limit
	noBody     = -1 // not looked at
	secretBody = -2 // as smallBody, with a secret in it; see route.keyed
)

// route is one operation: its pattern, what the caller has to be allowed, and what answers it.
type route struct {
	pattern string // method and path, as http.ServeMux reads them
	needs   routecard.Permission
	limit   int64 // largest body
	handle  func(s *Server, c *call) error
}

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
		{"POST /api/jobs", routecard.Plan, smallBody, createJob},
		{"GET /api/jobs", routecard.Read, noBody, listJobs},
		{"GET /api/jobs/{id}", routecard.Read, noBody, getJob},
		{"PUT /api/jobs/{id}", routecard.Plan, smallBody, updateJob},

		{"POST /api/paths", routecard.Plan, smallBody, createPath},
		{"GET /api/paths/{id}", routecard.Read, noBody, getPath},
		{"PUT /api/paths/{id}", routecard.Plan, smallBody, updatePath},
		{"DELETE /api/paths/{id}", routecard.Plan, smallBody, deletePath},
		{"PATCH /api/paths/{id}/advancement-mode", routecard.Plan, smallBody, updateAdvancementMode},

		{"POST /api/serials", routecard.Plan, smallBody, createSerials},
		{"GET /api/serials", routecard.Read, noBody, listSerials},
		{"GET /api/serials/search", routecard.Read, noBody, searchSerials},
		{"GET /api/serials/{id}", routecard.Read, noBody, getSerial},
		{"GET /api/serials/{id}/step-statuses", routecard.Read, noBody, getStepStatuses},
		{"GET /api/serials/{id}/cert-attachments", routecard.Read, noBody, getSerialAttachments},
		{"POST /api/serials/{id}/advance", routecard.Work, smallBody, advanceSerial},
		{"POST /api/serials/{id}/advance-to", routecard.Work, smallBody, advanceToStep},
		{"POST /api/serials/{id}/scrap", routecard.Decide, smallBody, scrapSerial},
		{"POST /api/serials/{id}/force-complete", routecard.Decide, smallBody, forceComplete},
		{"POST /api/serials/{id}/complete-deferred/{stepId}", routecard.Work, smallBody, completeDeferredStep},
		{"POST /api/serials/{id}/waive-step/{stepId}", routecard.Decide, smallBody, waiveStep},
		{"GET /api/serials/{id}/overrides", routecard.Read, noBody, listOverrides},
		{"POST /api/serials/{id}/overrides", routecard.Decide, largeBody, createOverrides},
		{"DELETE /api/serials/{id}/overrides/{stepId}", routecard.Decide, smallBody, deleteOverride},
		{"POST /api/serials/{id}/attach-cert", routecard.Work, smallBody, attachCertificate},
		{"POST /api/serials/batch-advance", routecard.Work, largeBody, batchAdvance},
		{"POST /api/serials/batch-advance-to", routecard.Work, largeBody, batchAdvanceTo},
		{"POST /api/serials/batch-scrap", routecard.Decide, largeBody, batchScrap},
		{"POST /api/serials/batch-force-complete", routecard.Decide, largeBody, batchForceComplete},
		{"POST /api/serials/batch-hold", routecard.Work, largeBody, batchHold},
		{"POST /api/serials/batch-release", routecard.Decide, largeBody, batchRelease},

		{"POST /api/serials/{id}/hold", routecard.Work, smallBody, holdSerial},
		{"POST /api/serials/{id}/release", routecard.Decide, smallBody, releaseSerial},
		{"POST /api/serials/{id}/undo", routecard.Work, smallBody, undo},
		{"POST /api/serials/{id}/rework", routecard.Decide, smallBody, reworkSerial},
		{"GET /api/serials/{id}/holds", routecard.Read, noBody, getHoldsOfSerial},
		{"GET /api/holds", routecard.Read, noBody, listHolds},

		{"POST /api/nonconformances", routecard.Work, largeBody, openNonconformance},
		{"GET /api/nonconformances", routecard.Read, noBody, listNonconformances},
		{"GET /api/nonconformances/{id}", routecard.Read, noBody, getNonconformance},
		{"POST /api/nonconformances/{id}/serials", routecard.Work, largeBody, addToNonconformance},
		{"POST /api/nonconformances/{id}/dispositions", routecard.Decide, largeBody, disposeNonconformance},
		{"POST /api/nonconformances/{id}/close", routecard.Decide, smallBody, closeNonconformance},

		{"GET /api/settings/signatures", routecard.Admin, noBody, getSignaturePolicy},
		{"PUT /api/settings/signatures", routecard.Admin, smallBody, setSignaturePolicy},
		{"POST /api/signatures", access.SignedIn, secretBody, sign},
		{"GET /api/serials/{id}/signatures", routecard.Read, noBody, getSignaturesOfSerial},

		{"POST /api/certs", routecard.Plan, smallBody, createCertificate},
		{"GET /api/certs", routecard.Read, noBody, listCertificates},
		{"GET /api/certs/{id}", routecard.Read, noBody, getCertificate},
		{"GET /api/certs/{id}/attachments", routecard.Read, noBody, getCertificateAttachments},
		{"POST /api/certs/attachments/{id}/void", routecard.Work, smallBody, voidAttachment},
		{"POST /api/certs/batch-attach", routecard.Work, largeBody, batchAttachCertificate},

		{"POST /api/notes", routecard.Work, largeBody, createNote},
		{"POST /api/notes/{id}/void", routecard.Work, smallBody, voidNote},
		{"GET /api/notes/serial/{id}", routecard.Read, noBody, getNotesOfSerial},
		{"GET /api/notes/step/{id}", routecard.Read, noBody, getNotesOfStep},

		{"POST /api/bom", routecard.Plan, smallBody, createBOM},
		{"GET /api/bom", routecard.Read, noBody, listBOMs},
		{"GET /api/bom/{id}", routecard.Read, noBody, getBOM},
		{"PUT /api/bom/{id}", routecard.Plan, smallBody, updateBOM},
		{"POST /api/bom/{id}/edit", routecard.Plan, smallBody, editBOM},
		{"GET /api/bom/{id}/versions", routecard.Read, noBody, listBOMVersions},

		{"GET /api/library/processes", routecard.Read, noBody, listLibrary(routecard.Processes)},
		{"POST /api/library/processes", routecard.Plan, smallBody, createLibraryEntry(routecard.Processes)},
		{"DELETE /api/library/processes/{id}", routecard.Plan, noBody, deleteLibraryEntry(routecard.Processes)},
		{"GET /api/library/locations", routecard.Read, noBody, listLibrary(routecard.Locations)},
		{"POST /api/library/locations", routecard.Plan, smallBody, createLibraryEntry(routecard.Locations)},
		{"DELETE /api/library/locations/{id}", routecard.Plan, noBody, deleteLibraryEntry(routecard.Locations)},

		{"GET /api/users", routecard.Read, noBody, listUsers},
		{"POST /api/users", routecard.Admin, smallBody, createUser},
		{"GET /api/users/{id}", routecard.Read, noBody, getUser},
		{"PUT /api/users/{id}", routecard.Admin, smallBody, updateUser},
		{"PATCH /api/steps/{id}/assign", routecard.Plan, smallBody, assignStep},
		{"PATCH /api/steps/{id}/config", routecard.Plan, smallBody, configureStep},

		{"GET /api/templates", routecard.Read, noBody, listTemplates},
		{"POST /api/templates", routecard.Plan, smallBody, createTemplate},
		{"GET /api/templates/{id}", routecard.Read, noBody, getTemplate},
		{"PUT /api/templates/{id}", routecard.Plan, smallBody, updateTemplate},
		{"DELETE /api/templates/{id}", routecard.Plan, smallBody, deleteTemplate},
		{"POST /api/templates/{id}/apply", routecard.Plan, smallBody, applyTemplate},

		{"GET /api/operator/work-queue", routecard.Read, noBody, getWorkQueue},
		{"GET /api/operator/queue/{userId}", routecard.Read, noBody, getOperatorQueue},
		{"GET /api/operator/step/{stepId}", routecard.Read, noBody, getStepQueue},

		{"POST /api/tracker/link", routecard.Plan, smallBody, linkTicket},
		{"POST /api/tracker/comment", routecard.Plan, smallBody, postComment},
		{"GET /api/tracker/tickets", routecard.Read, noBody, listTickets},
		{"GET /api/tracker/tickets/{key}", routecard.Read, noBody, getTicket},

		{"GET /api/audit", routecard.Read, noBody, listAudit},
		{"GET /api/audit/search", routecard.Read, noBody, searchAudit},
		{"GET /api/audit/serial/{id}", routecard.Read, noBody, getAuditOfSerial},
		{"GET /api/audit/job/{id}", routecard.Read, noBody, getAuditOfJob},

		{"GET /api/ledger", routecard.Read, noBody, withLedger(getLedger)},
		{"GET /api/ledger/proof/{auditId}", routecard.Read, noBody, withLedger(getProof)},
		{"GET /ledger/checkpoint", routecard.Read, noBody, withLedger(getCheckpoint)},
		{"GET /ledger/cosigned", routecard.Read, noBody, withLedger(getCosigned)},
		{"GET /ledger/tile/{place...}", routecard.Read, noBody, withLedger(getTile)},
		{"GET /api/backups", routecard.Admin, noBody, withBackups(listBackups)},
		{"POST /api/backups", routecard.Admin, noBody, withBackups(startBackup)},

		{eventsPattern, routecard.Read, noBody, streamEvents},
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
