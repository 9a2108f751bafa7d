package httpapi

import (
	"net/http"

	"github.com/routecard/routecard"
)

// Body limits. Where a request may list many serials it may be large.
const (
	largeBody = 16 << 20
	smallBody = 0 // the configured limit
)

// route is one operation: its pattern, and what answers it.
type route struct {
	pattern string // method and path, as http.ServeMux reads them
	limit   int64  // largest body; smallBody for the usual limit
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
		{"GET /api/jobs", smallBody, listJobs},
		{"GET /api/jobs/{id}", smallBody, getJob},
		{"PUT /api/jobs/{id}", smallBody, updateJob},

		{"POST /api/paths", smallBody, createPath},
		{"GET /api/paths/{id}", smallBody, getPath},
		{"PUT /api/paths/{id}", smallBody, updatePath},
		{"DELETE /api/paths/{id}", smallBody, deletePath},
		{"PATCH /api/paths/{id}/advancement-mode", smallBody, updateAdvancementMode},

		{"POST /api/serials", smallBody, createSerials},
		{"GET /api/serials", smallBody, listSerials},
		{"GET /api/serials/{id}", smallBody, getSerial},
		{"GET /api/serials/{id}/step-statuses", smallBody, getStepStatuses},
		{"GET /api/serials/{id}/cert-attachments", smallBody, getSerialAttachments},
		{"POST /api/serials/{id}/advance", smallBody, advanceSerial},
		{"POST /api/serials/{id}/advance-to", smallBody, advanceToStep},
		{"POST /api/serials/{id}/scrap", smallBody, scrapSerial},
		{"POST /api/serials/{id}/force-complete", smallBody, forceComplete},
		{"POST /api/serials/{id}/complete-deferred/{stepId}", smallBody, completeDeferredStep},
		{"POST /api/serials/{id}/waive-step/{stepId}", smallBody, waiveStep},
		{"GET /api/serials/{id}/overrides", smallBody, listOverrides},
		{"POST /api/serials/{id}/overrides", largeBody, createOverrides},
		{"DELETE /api/serials/{id}/overrides/{stepId}", smallBody, deleteOverride},
		{"POST /api/serials/{id}/attach-cert", smallBody, attachCertificate},

		{"POST /api/certs", smallBody, createCertificate},
		{"GET /api/certs", smallBody, listCertificates},
		{"GET /api/certs/{id}", smallBody, getCertificate},
		{"GET /api/certs/{id}/attachments", smallBody, getCertificateAttachments},
		{"POST /api/certs/batch-attach", largeBody, batchAttachCertificate},

		{"POST /api/notes", largeBody, createNote},
		{"GET /api/notes/serial/{id}", smallBody, getNotesOfSerial},
		{"GET /api/notes/step/{id}", smallBody, getNotesOfStep},

		{"POST /api/bom", smallBody, createBOM},
		{"GET /api/bom", smallBody, listBOMs},
		{"GET /api/bom/{id}", smallBody, getBOM},
		{"PUT /api/bom/{id}", smallBody, updateBOM},
		{"POST /api/bom/{id}/edit", smallBody, editBOM},
		{"GET /api/bom/{id}/versions", smallBody, listBOMVersions},

		{"GET /api/library/processes", smallBody, listLibrary(routecard.Processes)},
		{"POST /api/library/processes", smallBody, createLibraryEntry(routecard.Processes)},
		{"DELETE /api/library/processes/{id}", smallBody, deleteLibraryEntry(routecard.Processes)},
		{"GET /api/library/locations", smallBody, listLibrary(routecard.Locations)},
		{"POST /api/library/locations", smallBody, createLibraryEntry(routecard.Locations)},
		{"DELETE /api/library/locations/{id}", smallBody, deleteLibraryEntry(routecard.Locations)},

		{"GET /api/users", smallBody, listUsers},
		{"POST /api/users", smallBody, createUser},
		{"PUT /api/users/{id}", smallBody, updateUser},
		{"PATCH /api/steps/{id}/assign", smallBody, assignStep},
		{"PATCH /api/steps/{id}/config", smallBody, configureStep},

		{"GET /api/templates", smallBody, listTemplates},
		{"POST /api/templates", smallBody, createTemplate},
		{"GET /api/templates/{id}", smallBody, getTemplate},
		{"PUT /api/templates/{id}", smallBody, updateTemplate},
		{"DELETE /api/templates/{id}", smallBody, deleteTemplate},
		{"POST /api/templates/{id}/apply", smallBody, applyTemplate},

		{"GET /api/operator/work-queue", smallBody, getWorkQueue},
		{"GET /api/operator/queue/{userId}", smallBody, getOperatorQueue},
		{"GET /api/operator/step/{stepId}", smallBody, getStepQueue},

		{"GET /api/audit", smallBody, listAudit},
		{"GET /api/audit/serial/{id}", smallBody, getAuditOfSerial},
		{"GET /api/audit/job/{id}", smallBody, getAuditOfJob},
	}
}

// answer writes a value unless the operation failed.
func answer[T any](c *call, status int, value T, err error) error {
	if err != nil {
		return err
	}
	return writeJSON(c.w, status, value)
}

// done answers the operations that have nothing to show.
func done(c *call, err error) error {
	return answer(c, http.StatusOK, struct {
		Success bool `json:"success"`
	}{true}, err)
}
