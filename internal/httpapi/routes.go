package httpapi

import (
	"net/http"

	"github.com/routecard/routecard"
)

// Body limits. Where a request may list many serials it may be large.
const (
	largeBody = 16 << 20
	smallBody = 0  // the configured limit
	noBody    = -1 // not read at all
)

// route is one operation: its pattern, and what answers it.
type route struct {
	pattern string // method and path, as http.ServeMux reads them
	limit   int64  // largest body
	handle  func(s *Server, c *call) error
}

// call is one request on its way through an operation.
type call struct {
	w    http.ResponseWriter
	r    *http.Request
	body body // empty for requests without one
}

func (c *call) id() string { return c.r.PathValue("id") }

// routes lists every operation of the interface, in its order.
func routes() []route {
	return []route{
		{"POST /api/jobs", smallBody, createJob},
		{"GET /api/jobs", noBody, listJobs},
		{"GET /api/jobs/{id}", noBody, getJob},
		{"PUT /api/jobs/{id}", smallBody, updateJob},

		{"POST /api/paths", smallBody, createPath},
		{"GET /api/paths/{id}", noBody, getPath},
		{"PUT /api/paths/{id}", smallBody, updatePath},
		{"DELETE /api/paths/{id}", smallBody, deletePath},
		{"PATCH /api/paths/{id}/advancement-mode", smallBody, updateAdvancementMode},

		{"POST /api/serials", smallBody, createSerials},
		{"GET /api/serials", noBody, listSerials},
		{"GET /api/serials/search", noBody, searchSerials},
		{"GET /api/serials/{id}", noBody, getSerial},
		{"GET /api/serials/{id}/step-statuses", noBody, getStepStatuses},
		{"GET /api/serials/{id}/cert-attachments", noBody, getSerialAttachments},
		{"POST /api/serials/{id}/advance", smallBody, advanceSerial},
		{"POST /api/serials/{id}/advance-to", smallBody, advanceToStep},
		{"POST /api/serials/{id}/scrap", smallBody, scrapSerial},
		{"POST /api/serials/{id}/force-complete", smallBody, forceComplete},
		{"POST /api/serials/{id}/complete-deferred/{stepId}", smallBody, completeDeferredStep},
		{"POST /api/serials/{id}/waive-step/{stepId}", smallBody, waiveStep},
		{"GET /api/serials/{id}/overrides", noBody, listOverrides},
		{"POST /api/serials/{id}/overrides", largeBody, createOverrides},
		{"DELETE /api/serials/{id}/overrides/{stepId}", smallBody, deleteOverride},
		{"POST /api/serials/{id}/attach-cert", smallBody, attachCertificate},

		{"POST /api/certs", smallBody, createCertificate},
		{"GET /api/certs", noBody, listCertificates},
		{"GET /api/certs/{id}", noBody, getCertificate},
		{"GET /api/certs/{id}/attachments", noBody, getCertificateAttachments},
		{"POST /api/certs/batch-attach", largeBody, batchAttachCertificate},

		{"POST /api/notes", largeBody, createNote},
		{"GET /api/notes/serial/{id}", noBody, getNotesOfSerial},
		{"GET /api/notes/step/{id}", noBody, getNotesOfStep},

		{"POST /api/bom", smallBody, createBOM},
		{"GET /api/bom", noBody, listBOMs},
		{"GET /api/bom/{id}", noBody, getBOM},
		{"PUT /api/bom/{id}", smallBody, updateBOM},
		{"POST /api/bom/{id}/edit", smallBody, editBOM},
		{"GET /api/bom/{id}/versions", noBody, listBOMVersions},

		{"GET /api/library/processes", noBody, listLibrary(routecard.Processes)},
		{"POST /api/library/processes", smallBody, createLibraryEntry(routecard.Processes)},
		{"DELETE /api/library/processes/{id}", noBody, deleteLibraryEntry(routecard.Processes)},
		{"GET /api/library/locations", noBody, listLibrary(routecard.Locations)},
		{"POST /api/library/locations", smallBody, createLibraryEntry(routecard.Locations)},
		{"DELETE /api/library/locations/{id}", noBody, deleteLibraryEntry(routecard.Locations)},

		{"GET /api/users", noBody, listUsers},
		{"POST /api/users", smallBody, createUser},
		{"PUT /api/users/{id}", smallBody, updateUser},
		{"PATCH /api/steps/{id}/assign", smallBody, assignStep},
		{"PATCH /api/steps/{id}/config", smallBody, configureStep},

		{"GET /api/templates", noBody, listTemplates},
		{"POST /api/templates", smallBody, createTemplate},
		{"GET /api/templates/{id}", noBody, getTemplate},
		{"PUT /api/templates/{id}", smallBody, updateTemplate},
		{"DELETE /api/templates/{id}", noBody, deleteTemplate},
		{"POST /api/templates/{id}/apply", smallBody, applyTemplate},

		{"GET /api/operator/work-queue", noBody, getWorkQueue},
		{"GET /api/operator/queue/{userId}", noBody, getOperatorQueue},
		{"GET /api/operator/step/{stepId}", noBody, getStepQueue},

		{"POST /api/tracker/link", smallBody, linkTicket},
		{"POST /api/tracker/comment", smallBody, postComment},
		{"GET /api/tracker/tickets", noBody, listTickets},
		{"GET /api/tracker/tickets/{key}", noBody, getTicket},

		{"GET /api/audit", noBody, listAudit},
		{"GET /api/audit/search", noBody, searchAudit},
		{"GET /api/audit/serial/{id}", noBody, getAuditOfSerial},
		{"GET /api/audit/job/{id}", noBody, getAuditOfJob},
		{eventsPattern, noBody, streamEvents},
	}
}

// answer writes a value unless the operation failed.
func answer[T any](c *call, status int, value T, err error) error {
	if err != nil {
		return err
	}
	return writeJSON(c.w, status, value)
}

// answerList writes a list that may be as long as the request was, unless the operation failed.
func answerList[T any](c *call, values []T, err error) error {
	if err != nil {
		return err
	}
	return writeList(c.w, http.StatusOK, func(yield func(T, error) bool) {
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
