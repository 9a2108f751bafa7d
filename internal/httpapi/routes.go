package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/shop"
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
	needs   shop.Permission
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
		{"POST /api/jobs", shop.Plan, smallBody, createJob},
		{"GET /api/jobs", shop.Read, noBody, listJobs},
		{"GET /api/jobs/{id}", shop.Read, noBody, getJob},
		{"PUT /api/jobs/{id}", shop.Plan, smallBody, updateJob},

		{"POST /api/paths", shop.Plan, smallBody, createPath},
		{"GET /api/paths/{id}", shop.Read, noBody, getPath},
		{"PUT /api/paths/{id}", shop.Plan, smallBody, updatePath},
		{"DELETE /api/paths/{id}", shop.Plan, smallBody, deletePath},
		{"PATCH /api/paths/{id}/advancement-mode", shop.Plan, smallBody, updateAdvancementMode},

		{"POST /api/serials", shop.Plan, smallBody, createSerials},
		{"GET /api/serials", shop.Read, noBody, listSerials},
		{"GET /api/serials/search", shop.Read, noBody, searchSerials},
		{"GET /api/serials/{id}", shop.Read, noBody, getSerial},
		{"GET /api/serials/{id}/step-statuses", shop.Read, noBody, getStepStatuses},
		{"GET /api/serials/{id}/cert-attachments", shop.Read, noBody, getSerialAttachments},
		{"POST /api/serials/{id}/advance", shop.Work, smallBody, advanceSerial},
		{"POST /api/serials/{id}/advance-to", shop.Work, smallBody, advanceToStep},
		{"POST /api/serials/{id}/scrap", shop.Decide, smallBody, scrapSerial},
		{"POST /api/serials/{id}/force-complete", shop.Decide, smallBody, forceComplete},
		{"POST /api/serials/{id}/complete-deferred/{stepId}", shop.Work, smallBody, completeDeferredStep},
		{"POST /api/serials/{id}/waive-step/{stepId}", shop.Decide, smallBody, waiveStep},
		{"GET /api/serials/{id}/overrides", shop.Read, noBody, listOverrides},
		{"POST /api/serials/{id}/overrides", shop.Decide, largeBody, createOverrides},
		{"DELETE /api/serials/{id}/overrides/{stepId}", shop.Decide, smallBody, deleteOverride},
		{"POST /api/serials/{id}/attach-cert", shop.Work, smallBody, attachCertificate},
		{"POST /api/serials/batch-advance", shop.Work, largeBody, batchAdvance},
		{"POST /api/serials/batch-advance-to", shop.Work, largeBody, batchAdvanceTo},
		{"POST /api/serials/batch-scrap", shop.Decide, largeBody, batchScrap},
		{"POST /api/serials/batch-force-complete", shop.Decide, largeBody, batchForceComplete},
		{"POST /api/serials/batch-hold", shop.Work, largeBody, batchHold},
		{"POST /api/serials/batch-release", shop.Decide, largeBody, batchRelease},

		{"POST /api/serials/{id}/hold", shop.Work, smallBody, holdSerial},
		{"POST /api/serials/{id}/release", shop.Decide, smallBody, releaseSerial},
		{"POST /api/serials/{id}/undo", shop.Work, smallBody, undo},
		{"POST /api/serials/{id}/rework", shop.Decide, smallBody, reworkSerial},
		{"GET /api/serials/{id}/holds", shop.Read, noBody, getHoldsOfSerial},
		{"GET /api/holds", shop.Read, noBody, listHolds},

		{"POST /api/nonconformances", shop.Work, largeBody, openNonconformance},
		{"GET /api/nonconformances", shop.Read, noBody, listNonconformances},
		{"GET /api/nonconformances/{id}", shop.Read, noBody, getNonconformance},
		{"POST /api/nonconformances/{id}/serials", shop.Work, largeBody, addToNonconformance},
		{"POST /api/nonconformances/{id}/dispositions", shop.Decide, largeBody, disposeNonconformance},
		{"POST /api/nonconformances/{id}/close", shop.Decide, smallBody, closeNonconformance},

		{"GET /api/settings/signatures", shop.Admin, noBody, getSignaturePolicy},
		{"PUT /api/settings/signatures", shop.Admin, smallBody, setSignaturePolicy},
		{"POST /api/signatures", access.SignedIn, secretBody, sign},
		{"GET /api/serials/{id}/signatures", shop.Read, noBody, getSignaturesOfSerial},

		{"POST /api/certs", shop.Plan, smallBody, createCertificate},
		{"GET /api/certs", shop.Read, noBody, listCertificates},
		{"GET /api/certs/{id}", shop.Read, noBody, getCertificate},
		{"GET /api/certs/{id}/attachments", shop.Read, noBody, getCertificateAttachments},
		{"POST /api/certs/attachments/{id}/void", shop.Work, smallBody, voidAttachment},
		{"POST /api/certs/batch-attach", shop.Work, largeBody, batchAttachCertificate},

		{"POST /api/notes", shop.Work, largeBody, createNote},
		{"POST /api/notes/{id}/void", shop.Work, smallBody, voidNote},
		{"GET /api/notes/serial/{id}", shop.Read, noBody, getNotesOfSerial},
		{"GET /api/notes/step/{id}", shop.Read, noBody, getNotesOfStep},

		{"POST /api/bom", shop.Plan, smallBody, createBOM},
		{"GET /api/bom", shop.Read, noBody, listBOMs},
		{"GET /api/bom/{id}", shop.Read, noBody, getBOM},
		{"PUT /api/bom/{id}", shop.Plan, smallBody, updateBOM},
		{"POST /api/bom/{id}/edit", shop.Plan, smallBody, editBOM},
		{"GET /api/bom/{id}/versions", shop.Read, noBody, listBOMVersions},

		{"GET /api/library/processes", shop.Read, noBody, listLibrary(shop.Processes)},
		{"POST /api/library/processes", shop.Plan, smallBody, createLibraryEntry(shop.Processes)},
		{"DELETE /api/library/processes/{id}", shop.Plan, noBody, deleteLibraryEntry(shop.Processes)},
		{"GET /api/library/locations", shop.Read, noBody, listLibrary(shop.Locations)},
		{"POST /api/library/locations", shop.Plan, smallBody, createLibraryEntry(shop.Locations)},
		{"DELETE /api/library/locations/{id}", shop.Plan, noBody, deleteLibraryEntry(shop.Locations)},

		{"GET /api/users", shop.Read, noBody, listUsers},
		{"POST /api/users", shop.Admin, smallBody, createUser},
		{"GET /api/users/{id}", shop.Read, noBody, getUser},
		{"PUT /api/users/{id}", shop.Admin, smallBody, updateUser},
		{"PATCH /api/steps/{id}/assign", shop.Plan, smallBody, assignStep},
		{"PATCH /api/steps/{id}/config", shop.Plan, smallBody, configureStep},

		{"GET /api/templates", shop.Read, noBody, listTemplates},
		{"POST /api/templates", shop.Plan, smallBody, createTemplate},
		{"GET /api/templates/{id}", shop.Read, noBody, getTemplate},
		{"PUT /api/templates/{id}", shop.Plan, smallBody, updateTemplate},
		{"DELETE /api/templates/{id}", shop.Plan, smallBody, deleteTemplate},
		{"POST /api/templates/{id}/apply", shop.Plan, smallBody, applyTemplate},

		{"GET /api/operator/work-queue", shop.Read, noBody, getWorkQueue},
		{"GET /api/operator/queue/{userId}", shop.Read, noBody, getOperatorQueue},
		{"GET /api/operator/step/{stepId}", shop.Read, noBody, getStepQueue},

		{"POST /api/tracker/link", shop.Plan, smallBody, linkTicket},
		{"POST /api/tracker/comment", shop.Plan, smallBody, postComment},
		{"GET /api/tracker/tickets", shop.Read, noBody, listTickets},
		{"GET /api/tracker/tickets/{key}", shop.Read, noBody, getTicket},

		{"GET /api/audit", shop.Read, noBody, listAudit},
		{"GET /api/audit/search", shop.Read, noBody, searchAudit},
		{"GET /api/audit/serial/{id}", shop.Read, noBody, getAuditOfSerial},
		{"GET /api/audit/job/{id}", shop.Read, noBody, getAuditOfJob},

		{"GET /api/ledger", shop.Read, noBody, withLedger(getLedger)},
		{"GET /api/ledger/proof/{auditId}", shop.Read, noBody, withLedger(getProof)},
		{"GET /ledger/checkpoint", shop.Read, noBody, withLedger(getCheckpoint)},
		{"GET /ledger/cosigned", shop.Read, noBody, withLedger(getCosigned)},
		{"GET /ledger/tile/{place...}", shop.Read, noBody, withLedger(getTile)},
		{"GET /api/backups", shop.Admin, noBody, withBackups(listBackups)},
		{"POST /api/backups", shop.Admin, noBody, withBackups(startBackup)},

		{eventsPattern, shop.Read, noBody, streamEvents},
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
