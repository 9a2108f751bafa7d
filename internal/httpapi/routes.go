package httpapi

import (
	"log/slog"
	"net/http"
	"slices"

	"github.com/routecard/routecard/internal/dossier"
	"github.com/routecard/routecard/internal/notify"
	"github.com/routecard/routecard/internal/spool"
	"github.com/routecard/routecard/internal/tracker"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// bodyKind is the kind of body that the requests of a route have.
type bodyKind int

// The kinds of bodies.
const (
	noBody     bodyKind = iota // the operation reads no body
	asked                      // no body; the handler validates the query parameters
	smallBody                  // JSON
	largeBody                  // JSON that may list many serials or serial numbers
	secretBody                 // JSON with a secret; see route.keyed
	bytesBody                  // not JSON: the handler reads it piece by piece
	rowsBody                   // the rows of a file, spooled to disk so that they can be read more than once
)

// largeBodyLimit is the limit of a largeBody in bytes, unless Config.MaxBody is higher.
const largeBodyLimit = 16 << 20

// isJSON reports whether the body is decoded as JSON before the handler runs.
func (k bodyKind) isJSON() bool { return k == smallBody || k == largeBody || k == secretBody }

// limit returns the largest body in bytes. configured is Config.MaxBody.
func (k bodyKind) limit(configured int64) int64 {
	if k == largeBody {
		return max(largeBodyLimit, configured)
	}
	return configured
}

// route connects a method and path to an operation.
type route struct {
	pattern   string // method and path in the syntax of http.ServeMux
	operation shop.Operation
	body      bodyKind
	match     matchRule
	handle    handler
}

// needs returns the permission that the operation needs.
func (r route) needs() shop.Permission { return r.operation.Permission() }

// call is one request to an operation.
type call struct {
	w    http.ResponseWriter
	r    *http.Request
	body body        // empty for requests without one
	sent []byte      // the exact bytes of the body
	file *spool.File // the body of a route with rowsBody

	strict bool     // whether unknown fields and parameters are refused
	named  []string // the names of the identifiers in the path
	logger *slog.Logger

	found  map[reference]string // the identifiers of records that the request gives by external identifiers
	fields []input.Field        // the fields of the input, if its body may have external identifiers; nil otherwise
}

// id returns the first identifier in the path.
func (c *call) id() string { return c.r.PathValue(c.named[0]) }

func (c *call) stepID() string { return c.r.PathValue("stepId") }

// routes lists the operations that exist in every mode. accessRoutes lists those that exist with --auth, and serviceRoutes the endpoints of
// the service itself.
func routes() []route {
	return slices.Concat(interfaceRoutes(), strictly(ownRoutes()), strictly(exportRoutes()), importRoutes())
}

// interfaceRoutes lists the operations of the contract, in its order.
func interfaceRoutes() []route {
	return []route{
		{"POST /api/jobs", shop.OpCreateJob, smallBody, unmatched, create(http.StatusCreated, (*shop.Service).CreateJob)},
		{"GET /api/jobs", shop.OpRead, noBody, unmatched, list(views.ListJobs)},
		{"GET /api/jobs/{id}", shop.OpRead, noBody, unmatched, record((*shop.Service).Job)},
		{"PUT /api/jobs/{id}", shop.OpUpdateJob, smallBody, matchRecord,
			put(shop.RecordJob, (*shop.Service).CreateJob, (*shop.Service).UpdateJob)},

		{"POST /api/paths", shop.OpCreatePath, smallBody, unmatched, create(http.StatusCreated, (*shop.Service).CreatePath)},
		{"GET /api/paths/{id}", shop.OpRead, noBody, unmatched, record((*shop.Service).Path)},
		{"PUT /api/paths/{id}", shop.OpUpdatePath, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).UpdatePath)},
		{"DELETE /api/paths/{id}", shop.OpDeletePath, smallBody, matchRecord, remove((*shop.Service).DeletePath)},
		{"PATCH /api/paths/{id}/advancement-mode", shop.OpChangeMode, smallBody, matchRecord, with(updateAdvancementMode)},

		{"POST /api/serials", shop.OpCreateSerials, largeBody, unmatched, with(createSerials)},
		{"GET /api/serials", shop.OpRead, noBody, unmatched, list(views.ListSerials)},
		{"GET /api/serials/{id}", shop.OpRead, noBody, unmatched, record((*shop.Service).Serial)},
		{"GET /api/serials/{id}/step-statuses", shop.OpRead, noBody, unmatched, list(views.ListStepStatuses)},
		{"GET /api/serials/{id}/cert-attachments", shop.OpRead, noBody, unmatched, list(views.ListAttachmentsOfSerial)},
		{"POST /api/serials/{id}/advance", shop.OpAdvance, smallBody, matchUnit, change(http.StatusOK, (*shop.Service).AdvanceSerial)},
		{"POST /api/serials/{id}/advance-to", shop.OpAdvanceTo, smallBody, matchUnit, change(http.StatusOK, (*shop.Service).AdvanceToStep)},
		{"POST /api/serials/{id}/scrap", shop.OpScrap, smallBody, matchUnit, change(http.StatusOK, (*shop.Service).ScrapSerial)},
		{"POST /api/serials/{id}/force-complete", shop.OpForceComplete, smallBody, matchUnit,
			change(http.StatusOK, (*shop.Service).ForceComplete)},
		{"POST /api/serials/{id}/complete-deferred/{stepId}", shop.OpCompleteDeferred, smallBody, matchUnit, with(completeDeferredStep)},
		{"POST /api/serials/{id}/waive-step/{stepId}", shop.OpWaive, smallBody, matchUnit, with(waiveStep)},
		{"GET /api/serials/{id}/overrides", shop.OpRead, noBody, unmatched, list(views.ListOverrides)},
		{"POST /api/serials/{id}/overrides", shop.OpOverride, largeBody, matchUnit,
			changeMany(http.StatusOK, (*shop.Service).CreateOverrides)},
		{"DELETE /api/serials/{id}/overrides/{stepId}", shop.OpReverseOverride, smallBody, matchUnit, with(deleteOverride)},
		{"POST /api/serials/{id}/attach-cert", shop.OpAttach, smallBody, matchUnit,
			change(http.StatusOK, (*shop.Service).AttachCertificate)},

		{"POST /api/certs", shop.OpCreateCertificate, smallBody, unmatched, create(http.StatusCreated, (*shop.Service).CreateCertificate)},
		{"GET /api/certs", shop.OpRead, noBody, unmatched, list(views.ListCertificates)},
		{"GET /api/certs/{id}", shop.OpRead, noBody, unmatched, record((*shop.Service).Certificate)},
		{"POST /api/certs/batch-attach", shop.OpAttach, largeBody, matchMany, with(batchAttachCertificate)},

		{"POST /api/notes", shop.OpNote, largeBody, matchRecord, create(http.StatusOK, (*shop.Service).CreateNote)},
		{"GET /api/notes/serial/{id}", shop.OpRead, noBody, unmatched, list(views.ListNotesOfSerial)},
		{"GET /api/notes/step/{id}", shop.OpRead, noBody, unmatched, list(views.ListNotesOfStep)},

		{"POST /api/bom", shop.OpCreateBOM, smallBody, unmatched, create(http.StatusCreated, (*shop.Service).CreateBOM)},
		{"GET /api/bom", shop.OpRead, noBody, unmatched, list(views.ListBOMs)},
		{"GET /api/bom/{id}", shop.OpRead, noBody, unmatched, record((*shop.Service).BOM)},
		{"PUT /api/bom/{id}", shop.OpUpdateBOM, smallBody, matchRecord,
			put(shop.RecordBOM, (*shop.Service).CreateBOM, (*shop.Service).UpdateBOM)},
		{"POST /api/bom/{id}/edit", shop.OpEditBOM, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).EditBOM)},

		{"GET /api/library/processes", shop.OpRead, noBody, unmatched, list(views.ListProcesses)},
		{"POST /api/library/processes", shop.OpAddToLibrary, smallBody, unmatched, createLibraryEntry(shop.Processes)},
		{"DELETE /api/library/processes/{id}", shop.OpRemoveFromLibrary, noBody, matchRecord, deleteLibraryEntry(shop.Processes)},
		{"GET /api/library/locations", shop.OpRead, noBody, unmatched, list(views.ListLocations)},
		{"POST /api/library/locations", shop.OpAddToLibrary, smallBody, unmatched, createLibraryEntry(shop.Locations)},
		{"DELETE /api/library/locations/{id}", shop.OpRemoveFromLibrary, noBody, matchRecord, deleteLibraryEntry(shop.Locations)},

		{"POST /api/tracker/link", shop.OpLinkTicket, smallBody, unmatched, create(http.StatusOK, (*tracker.Link).LinkTicket)},
		{"POST /api/tracker/comment", shop.OpPostComment, smallBody, unmatched, create(http.StatusOK, (*tracker.Link).PostComment)},

		{"GET /api/audit", shop.OpRead, noBody, unmatched, listHandler(auditListing())},
		{"GET /api/audit/serial/{id}", shop.OpRead, noBody, unmatched, listHandler(serialAuditListing())},
	}
}

// ownRoutes lists the operations that exist in every mode in addition to those of the contract. They refuse unknown query parameters; the
// operations of the contract ignore them.
func ownRoutes() []route {
	return []route{
		{"GET /api/resolve", shop.OpRead, asked, unmatched, fromStandbys(ask((*views.Views).Resolve))},
		{"GET /api/jobs/search", shop.OpRead, asked, unmatched, list(views.ListJobsFound)},
		{"GET /api/serials/search", shop.OpRead, asked, unmatched, list(views.ListUnits)},
		{"POST /api/serials/batch-advance", shop.OpAdvance, largeBody, matchMany, batch((*shop.Service).BatchAdvance)},
		{"POST /api/serials/batch-advance-to", shop.OpAdvanceTo, largeBody, matchMany, batch((*shop.Service).BatchAdvanceTo)},
		{"POST /api/serials/batch-scrap", shop.OpScrap, largeBody, matchMany, batch((*shop.Service).BatchScrap)},
		{"POST /api/serials/batch-force-complete", shop.OpForceComplete, largeBody, matchMany, batch((*shop.Service).BatchForceComplete)},
		{"POST /api/serials/batch-hold", shop.OpHold, largeBody, matchMany, batch((*shop.Service).BatchHold)},
		{"POST /api/serials/batch-release", shop.OpRelease, largeBody, matchMany, batch((*shop.Service).BatchRelease)},
		{"POST /api/serials/batch-components", shop.OpInstall, largeBody, matchMany, batch((*shop.Service).BatchInstallComponents)},
		{"POST /api/serials/batch-bom", shop.OpBatchBOM, largeBody, matchMany, batch((*shop.Service).BatchBOM)},

		{"POST /api/jobs/{id}/close", shop.OpCloseJob, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).CloseJob)},
		{"POST /api/jobs/{id}/reopen", shop.OpReopenJob, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).ReopenJob)},
		{"PUT /api/paths/{id}/steps", shop.OpReplaceSteps, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).ReplaceSteps)},
		{"PUT /api/serials/{id}", shop.OpUpdateSerial, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).UpdateSerial)},
		{"GET /api/serials/{id}/steps", shop.OpRead, asked, unmatched, list(views.ListVisits)},

		{"PUT /api/serials/{id}/serial-number", shop.OpSetSerialNumber, smallBody, matchUnit,
			change(http.StatusOK, (*shop.Service).SetSerialNumber)},
		{"POST /api/serials/{id}/hold", shop.OpHold, smallBody, matchUnit, change(http.StatusOK, (*shop.Service).HoldSerial)},
		{"POST /api/serials/{id}/release", shop.OpRelease, smallBody, matchUnit, change(http.StatusOK, (*shop.Service).ReleaseSerial)},
		{"POST /api/serials/{id}/undo", shop.OpUndo, smallBody, matchUnit, change(http.StatusOK, (*shop.Service).Undo)},
		{"POST /api/serials/{id}/rework", shop.OpRework, smallBody, matchUnit, change(http.StatusOK, (*shop.Service).ReworkSerial)},
		{"GET /api/serials/{id}/holds", shop.OpRead, asked, unmatched, list(views.ListHoldsOfSerial)},
		{"GET /api/holds", shop.OpRead, asked, unmatched, list(views.ListHolds)},

		{"POST /api/nonconformances", shop.OpReport, largeBody, unmatched, create(http.StatusCreated, (*shop.Service).OpenNonconformance)},
		{"GET /api/nonconformances", shop.OpRead, asked, unmatched, list(views.ListReports)},
		{"GET /api/nonconformances/{id}", shop.OpRead, noBody, unmatched, read((*shop.Service).Nonconformance)},
		{"POST /api/nonconformances/{id}/serials", shop.OpAddToReport, largeBody, unmatched,
			change(http.StatusOK, (*shop.Service).AddToNonconformance)},
		{"POST /api/nonconformances/{id}/dispositions", shop.OpDispose, largeBody, unmatched,
			change(http.StatusOK, (*shop.Service).DisposeNonconformance)},
		{"POST /api/nonconformances/{id}/close", shop.OpCloseReport, smallBody, unmatched,
			change(http.StatusOK, (*shop.Service).CloseNonconformance)},

		{"GET /api/settings/signatures", shop.OpSetPolicy, noBody, unmatched, singleton((*shop.Service).SignaturePolicy)},
		{"PUT /api/settings/signatures", shop.OpSetPolicy, smallBody, matchRecord, setSignaturePolicy},
		{"GET /api/settings/organization", shop.OpRead, noBody, unmatched, singleton((*shop.Service).Organization)},
		{"PUT /api/settings/organization", shop.OpSetOrganization, smallBody, matchRecord,
			create(http.StatusOK, (*shop.Service).SetOrganization)},
		{"GET /api/settings/notices", shop.OpSetNotices, noBody, unmatched, singleton((*shop.Service).NoticeSettings)},
		{"PUT /api/settings/notices", shop.OpSetNotices, smallBody, matchRecord, create(http.StatusOK, (*shop.Service).SetNotices)},
		{"POST /api/settings/notices/test", shop.OpSetNotices, smallBody, unmatched, create(http.StatusOK, (*notify.Notifier).Try)},
		{"POST /api/signatures", shop.OpSign, secretBody, unmatched, with(sign)},
		{"GET /api/serials/{id}/signatures", shop.OpRead, asked, unmatched, list(views.ListSignatures)},

		{"PUT /api/certs/{id}", shop.OpUpdateCertificate, smallBody, matchRecord,
			put(shop.RecordCertificate, (*shop.Service).CreateCertificate, (*shop.Service).UpdateCertificate)},
		{"GET /api/certs/{id}/attachments", shop.OpRead, asked, unmatched, list(views.ListAttachmentsOfCertificate)},
		{"POST /api/certs/attachments/{id}/void", shop.OpVoid, smallBody, unmatched, change(http.StatusOK, (*shop.Service).VoidAttachment)},

		{"POST /api/notes/{id}/void", shop.OpVoid, smallBody, unmatched, change(http.StatusOK, (*shop.Service).VoidNote)},

		{"POST /api/files", shop.OpAttachFile, bytesBody, unmatched, uploadFile},
		{"GET /api/files/{sha256}", shop.OpRead, asked, unmatched, asking(fileQuery{}, getFile)},
		{"POST /api/files/links/{id}/void", shop.OpVoid, smallBody, unmatched, change(http.StatusOK, (*shop.Service).VoidFileLink)},
		{"POST /api/serials/batch-attach-file", shop.OpAttachFile, largeBody, matchMany, batch((*shop.Service).BatchAttachFile)},
		{"POST /api/serials/{id}/files", shop.OpAttachFile, smallBody, matchUnit, attachFile(shop.RecordSerial)},
		{"GET /api/serials/{id}/files", shop.OpRead, asked, unmatched, list(views.FilesOn(shop.RecordSerial))},
		{"POST /api/jobs/{id}/files", shop.OpAttachFile, smallBody, unmatched, attachFile(shop.RecordJob)},
		{"GET /api/jobs/{id}/files", shop.OpRead, asked, unmatched, list(views.FilesOn(shop.RecordJob))},
		{"POST /api/steps/{id}/files", shop.OpAttachFile, smallBody, unmatched, attachFile(shop.RecordStep)},
		{"GET /api/steps/{id}/files", shop.OpRead, asked, unmatched, list(views.FilesOn(shop.RecordStep))},
		{"POST /api/certs/{id}/files", shop.OpAttachFile, smallBody, unmatched, attachFile(shop.RecordCertificate)},
		{"GET /api/certs/{id}/files", shop.OpRead, asked, unmatched, list(views.FilesOn(shop.RecordCertificate))},
		{"POST /api/nonconformances/{id}/files", shop.OpAttachFile, smallBody, unmatched, attachFile(shop.RecordNonconformance)},
		{"GET /api/nonconformances/{id}/files", shop.OpRead, asked, unmatched, list(views.FilesOn(shop.RecordNonconformance))},
		{"POST /api/instruments/{id}/files", shop.OpAttachFile, smallBody, unmatched, attachFile(shop.RecordInstrument)},
		{"GET /api/instruments/{id}/files", shop.OpRead, asked, unmatched, list(views.FilesOn(shop.RecordInstrument))},

		{"POST /api/lots", shop.OpCreateLot, smallBody, unmatched, create(http.StatusCreated, (*shop.Service).CreateLot)},
		{"GET /api/lots", shop.OpRead, asked, unmatched, list(views.ListLots)},
		{"GET /api/lots/{id}", shop.OpRead, noBody, unmatched, record((*shop.Service).Lot)},
		{"PUT /api/lots/{id}", shop.OpUpdateLot, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).UpdateLot)},
		{"POST /api/lots/{id}/void", shop.OpVoidLot, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).VoidLot)},
		{"POST /api/lots/{id}/receive", shop.OpReceiveLot, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).ReceiveLot)},
		{"POST /api/lots/{id}/adjust", shop.OpAdjustLot, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).AdjustLot)},
		{"POST /api/lots/{id}/split", shop.OpSplitLot, smallBody, matchRecord, change(http.StatusCreated, (*shop.Service).SplitLot)},
		{"POST /api/lots/{id}/expiry", shop.OpSetLotExpiry, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).SetLotExpiry)},
		{"POST /api/lots/{id}/hold", shop.OpHoldLot, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).HoldLot)},
		{"POST /api/lots/{id}/release", shop.OpReleaseLot, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).ReleaseLot)},
		{"GET /api/lots/{id}/where-used", shop.OpRead, asked, unmatched, list(views.ListUsesOfLot)},
		{"GET /api/lots/{id}/holds", shop.OpRead, asked, unmatched, list(views.ListHoldsOfLot)},
		{"POST /api/lots/{id}/certs", shop.OpAttachLotCertificate, smallBody, matchRecord,
			change(http.StatusOK, (*shop.Service).AttachLotCertificate)},
		{"POST /api/lots/{id}/files", shop.OpAttachFile, smallBody, unmatched, attachFile(shop.RecordLot)},
		{"GET /api/lots/{id}/files", shop.OpRead, asked, unmatched, list(views.FilesOn(shop.RecordLot))},

		{"POST /api/shipments", shop.OpCreateShipment, largeBody, unmatched, create(http.StatusCreated, (*shop.Service).CreateShipment)},
		{"GET /api/shipments", shop.OpRead, asked, unmatched, list(views.ListShipments)},
		{"GET /api/shipments/{id}", shop.OpRead, noBody, unmatched, record((*shop.Service).Shipment)},
		{"GET /api/shipments/{id}/lines", shop.OpRead, asked, unmatched, list(views.ListLinesOfShipment)},
		{"POST /api/shipments/{id}/receive", shop.OpReceiveShipment, largeBody, matchRecord,
			change(http.StatusCreated, (*shop.Service).ReceiveShipment)},
		{"POST /api/shipments/{id}/receipts/{receiptId}/certs", shop.OpAttachReceiptCertificate, smallBody, matchRecord,
			with(attachReceiptCertificate)},
		{"POST /api/shipments/{id}/receipts/{receiptId}/void", shop.OpVoidReceipt, smallBody, matchRecord, with(voidReceipt)},

		{"POST /api/conformances", shop.OpIssueConformance, largeBody, unmatched,
			create(http.StatusCreated, (*shop.Service).IssueConformance)},
		{"GET /api/conformances", shop.OpRead, asked, unmatched, list(views.ListConformances)},
		{"GET /api/conformances/{id}", shop.OpRead, noBody, unmatched, record((*shop.Service).Conformance)},
		{"GET /api/conformances/{id}.pdf", shop.OpRead, asked, unmatched, asking(revisionQuery{}, getConformanceDocument)},
		{"GET /api/conformances/{id}/units", shop.OpRead, asked, unmatched, list(views.ListUnitsOfConformance)},
		{"POST /api/conformances/{id}/reissue", shop.OpReissueConformance, largeBody, matchRecord,
			change(http.StatusCreated, (*shop.Service).ReissueConformance)},
		{"POST /api/conformances/{id}/withdraw", shop.OpWithdrawConformance, smallBody, matchRecord,
			change(http.StatusOK, (*shop.Service).WithdrawConformance)},
		{"POST /api/paths/{id}/first-articles", shop.OpCreateFirstArticle, smallBody, unmatched,
			change(http.StatusCreated, (*shop.Service).CreateFirstArticle)},
		{"GET /api/first-articles", shop.OpRead, asked, unmatched, list(views.ListFirstArticles)},
		{"GET /api/first-articles/{id}", shop.OpRead, noBody, unmatched, record((*shop.Service).FirstArticle)},
		{"GET /api/first-articles/{id}.xlsx", shop.OpRead, noBody, unmatched, getFirstArticleWorkbook},
		{"PUT /api/first-articles/{id}", shop.OpUpdateFirstArticle, smallBody, matchRecord,
			change(http.StatusOK, (*shop.Service).UpdateFirstArticle)},
		{"POST /api/first-articles/{id}/verify", shop.OpVerifyFirstArticle, smallBody, matchRecord,
			change(http.StatusOK, (*shop.Service).VerifyFirstArticle)},
		{"POST /api/first-articles/{id}/approve", shop.OpApproveFirstArticle, smallBody, matchRecord,
			change(http.StatusOK, (*shop.Service).ApproveFirstArticle)},
		{"POST /api/first-articles/{id}/reopen", shop.OpReopenFirstArticle, smallBody, matchRecord,
			change(http.StatusOK, (*shop.Service).ReopenFirstArticle)},
		{"POST /api/first-articles/{id}/customer-approval", shop.OpRecordCustomerApproval, smallBody, matchRecord,
			change(http.StatusOK, (*shop.Service).RecordCustomerApproval)},
		{"POST /api/first-articles/{id}/void", shop.OpVoidFirstArticle, smallBody, matchRecord,
			change(http.StatusOK, (*shop.Service).VoidFirstArticle)},

		{"GET /api/bom/{id}/versions", shop.OpRead, asked, unmatched, list(views.ListBOMVersions)},

		{"POST /api/instruments", shop.OpCreateInstrument, smallBody, unmatched,
			create(http.StatusCreated, (*shop.Service).CreateInstrument)},
		{"GET /api/instruments", shop.OpRead, asked, unmatched, list(views.ListInstruments)},
		{"GET /api/instruments/{id}", shop.OpRead, noBody, unmatched, record((*shop.Service).Instrument)},
		{"PUT /api/instruments/{id}", shop.OpUpdateInstrument, smallBody, matchRecord,
			change(http.StatusOK, (*shop.Service).UpdateInstrument)},
		{"POST /api/instruments/{id}/calibrations", shop.OpCalibrate, smallBody, matchRecord,
			change(http.StatusCreated, (*shop.Service).CalibrateInstrument)},
		{"GET /api/instruments/{id}/calibrations", shop.OpRead, asked, unmatched, list(views.ListCalibrations)},

		{"GET /api/instruments/{id}/readings", shop.OpRead, asked, unmatched, list(views.ListReadings)},
		{"GET /api/instruments/{id}/in-doubt", shop.OpRead, asked, unmatched, fromStandbys(asking(shop.DoubtQuery{}, getDoubt))},

		{"GET /api/steps/{id}/characteristics", shop.OpRead, noBody, unmatched, record((*shop.Service).Characteristics)},
		{"PUT /api/steps/{id}/characteristics", shop.OpSetCharacteristics, smallBody, matchRecord,
			change(http.StatusOK, (*shop.Service).SetCharacteristics)},
		{"GET /api/steps/{id}/requirements", shop.OpRead, noBody, unmatched, record((*shop.Service).Requirements)},
		{"PUT /api/steps/{id}/requirements", shop.OpSetRequirements, smallBody, matchRecord,
			change(http.StatusOK, (*shop.Service).SetRequirements)},
		{"PUT /api/paths/{id}/bom", shop.OpSetPathBOM, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).SetPathBOM)},
		{"POST /api/serials/{id}/measurements", shop.OpMeasure, smallBody, matchUnit,
			changeMany(http.StatusCreated, (*shop.Service).RecordMeasurements)},
		{"GET /api/serials/{id}/measurements", shop.OpRead, asked, unmatched, list(views.ListMeasurementsOfSerial)},
		{"GET /api/measurements", shop.OpRead, asked, unmatched, list(views.ListMeasurements)},
		{"POST /api/measurements/{id}/void", shop.OpVoid, smallBody, unmatched, change(http.StatusOK, (*shop.Service).VoidMeasurement)},

		{"POST /api/serials/{id}/components", shop.OpInstall, smallBody, matchUnit,
			change(http.StatusCreated, (*shop.Service).InstallComponent)},
		{"GET /api/serials/{id}/dossier.zip", shop.OpRead, asked, unmatched, dossierOf((*dossier.Maker).Read)},
		{"GET /api/serials/{id}/dossier", shop.OpRead, asked, unmatched, dossierPreviewOf((*dossier.Maker).Read)},
		{"GET /api/first-articles/{id}/dossier", shop.OpRead, asked, unmatched, dossierPreviewOf((*dossier.Maker).ReadFirstArticle)},
		{"GET /api/first-articles/{id}/dossier.zip", shop.OpRead, asked, unmatched, dossierOf((*dossier.Maker).ReadFirstArticle)},
		{"GET /api/conformances/{id}/dossier", shop.OpRead, asked, unmatched, dossierPreviewOf((*dossier.Maker).ReadConformance)},
		{"GET /api/conformances/{id}/dossier.zip", shop.OpRead, asked, unmatched, dossierOf((*dossier.Maker).ReadConformance)},
		{"GET /api/jobs/{id}/dossier", shop.OpRead, asked, unmatched, dossierPreviewOf((*dossier.Maker).ReadJob)},
		{"GET /api/jobs/{id}/dossier.zip", shop.OpRead, asked, unmatched, dossierOf((*dossier.Maker).ReadJob)},
		{"GET /api/serials/{id}/bom", shop.OpRead, noBody, unmatched, record((*shop.Service).SerialBOM)},
		{"GET /api/serials/{id}/components", shop.OpRead, asked, unmatched, list(views.ListComponents)},
		{"GET /api/recall", shop.OpRead, asked, unmatched, listHandler(recallListing())},
		{"GET /api/serials/{id}/as-built", shop.OpRead, asked, unmatched, fromStandbys(askOf((*views.Views).AsBuilt))},
		{"GET /api/serials/{id}/where-used", shop.OpRead, asked, unmatched, list(views.ListUsesOfSerial)},
		{"POST /api/serials/{id}/components/{componentId}/remove", shop.OpRemoveComponent, smallBody, matchUnit, with(removeComponent)},
		{"POST /api/components/{id}/void", shop.OpVoid, smallBody, unmatched, change(http.StatusOK, (*shop.Service).VoidComponent)},

		{"GET /api/characteristics/{id}/chart", shop.OpRead, asked, unmatched, fromStandbys(askOf((*views.Views).Chart))},
		{"POST /api/characteristics/{id}/baseline", shop.OpFreezeLimits, smallBody, unmatched,
			change(http.StatusCreated, (*shop.Service).FreezeLimits)},
		{"GET /api/characteristics/{id}/baseline", shop.OpRead, asked, unmatched, list(views.ListBaselines)},

		{"GET /api/users", shop.OpRead, asked, unmatched, list(views.ListUsers)},
		{"POST /api/users", shop.OpCreateUser, smallBody, unmatched, create(http.StatusCreated, (*shop.Service).CreateUser)},
		{"GET /api/users/{id}", shop.OpRead, noBody, unmatched, record((*shop.Service).User)},
		{"PUT /api/users/{id}", shop.OpUpdateUser, smallBody, matchRecord,
			put(shop.RecordUser, (*shop.Service).CreateUser, (*shop.Service).UpdateUser)},
		{"PATCH /api/steps/{id}/assign", shop.OpAssignStep, smallBody, matchRecord, change(http.StatusOK, (*shop.Service).AssignStep)},
		{"PATCH /api/steps/{id}/config", shop.OpConfigureStep, smallBody, matchRecord,
			change(http.StatusOK, (*shop.Service).ConfigureStep)},

		{"GET /api/templates", shop.OpRead, asked, unmatched, list(views.ListTemplates)},
		{"POST /api/templates", shop.OpCreateTemplate, smallBody, unmatched, create(http.StatusCreated, (*shop.Service).CreateTemplate)},
		{"GET /api/templates/{id}", shop.OpRead, noBody, unmatched, record((*shop.Service).Template)},
		{"PUT /api/templates/{id}", shop.OpUpdateTemplate, smallBody, matchRecord,
			put(shop.RecordTemplate, (*shop.Service).CreateTemplate, (*shop.Service).UpdateTemplate)},
		{"DELETE /api/templates/{id}", shop.OpDeleteTemplate, smallBody, matchRecord, remove((*shop.Service).DeleteTemplate)},
		{"POST /api/templates/{id}/apply", shop.OpApplyTemplate, smallBody, unmatched,
			change(http.StatusCreated, (*shop.Service).ApplyTemplate)},

		{"GET /api/operator/work-queue", shop.OpRead, asked, unmatched, fromStandbys(asking(sorted{}, getWorkQueue))},
		{"GET /api/operator/queue/{userId}", shop.OpRead, asked, unmatched, fromStandbys(asking(sorted{}, getOperatorQueue))},
		{"GET /api/operator/step/{stepId}", shop.OpRead, noBody, unmatched, fromStandbys(getStepQueue)},

		{"GET /api/tracker/tickets", shop.OpRead, asked, unmatched, listHandler(ticketListing())},
		{"GET /api/tracker/tickets/{key}", shop.OpRead, noBody, unmatched, read((*tracker.Link).Ticket)},

		{"GET /api/audit/search", shop.OpRead, asked, unmatched, list(views.ListAuditFound)},
		{"GET /api/audit/job/{id}", shop.OpRead, asked, unmatched, list(views.ListAuditOfJob)},

		{"GET /api/ledger", shop.OpRead, noBody, unmatched, withLedger(getLedger)},
		{"GET /api/ledger/proof/{auditId}", shop.OpRead, noBody, unmatched, withLedger(getProof)},
		{"GET /ledger/checkpoint", shop.OpRead, noBody, unmatched, withLedger(getCheckpoint)},
		{"GET /ledger/cosigned", shop.OpRead, noBody, unmatched, withLedger(getCosigned)},
		{"GET /ledger/tile/{place...}", shop.OpRead, noBody, unmatched, withLedger(getTile)},
		{"GET /api/backups", shop.OpBackUp, asked, unmatched, listHandler(backupListing())},
		{"POST /api/backups", shop.OpBackUp, noBody, unmatched, withBackups(startBackup)},

		{eventsPattern, shop.OpRead, asked, unmatched, asking(eventQuery{}, streamEvents)},
	}
}

// answer responds with a value unless the operation failed.
func answer[T any](c *call, status int, value T, err error) error {
	if err != nil {
		return err
	}
	if status == http.StatusCreated {
		if address := addressOf(value); address != "" {
			c.w.Header().Set("Location", address)
		}
	}
	return c.write(status, value)
}

// addressOf returns the URL of a created record; "" if it has no URL of its own.
func addressOf(made any) string {
	var collection, id string
	switch v := made.(type) {
	case shop.Job:
		collection, id = "jobs", v.ID
	case card.Path:
		collection, id = "paths", v.ID
	case shop.Certificate:
		collection, id = "certs", v.ID
	case shop.BOM:
		collection, id = "bom", v.ID
	case shop.Nonconformance:
		collection, id = "nonconformances", v.ID
	case shop.Instrument:
		collection, id = "instruments", v.ID
	case shop.Lot:
		collection, id = "lots", v.ID
	case shop.Shipment:
		collection, id = "shipments", v.ID
	case shop.Conformance:
		collection, id = "conformances", v.ID
	case shop.FirstArticle:
		collection, id = "first-articles", v.ID
	case shop.User:
		collection, id = "users", v.ID
	case shop.Template:
		collection, id = "templates", v.ID
	case shop.File:
		collection, id = "files", v.SHA256
	default:
		return ""
	}
	return "/api/" + collection + "/" + id
}

// done responds to operations that return no value.
func done(c *call, err error) error {
	return answer(c, http.StatusOK, struct {
		Success bool `json:"success"`
	}{true}, err)
}
