// Code generated from api/openapi.yaml by go test ./client/internal/generate -args -write. DO NOT EDIT.

package client

import (
	"context"
	"encoding/json"
	"io"
	"net/http"
	"net/url"
)

// AddToNonconformance is POST /api/nonconformances/{id}/serials: put more serials on a nonconformance. It needs the permission work.
func (c *Client) AddToNonconformance(ctx context.Context, id string, body AddToNonconformanceRequest, options ...Option) (answer Nonconformance, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/nonconformances/" + url.PathEscape(id) + "/serials", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AdjustLot is POST /api/lots/{id}/adjust: record a count of a lot. It needs the permission plan.
func (c *Client) AdjustLot(ctx context.Context, id string, body AdjustLotRequest, options ...Option) (answer Lot, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/lots/" + url.PathEscape(id) + "/adjust", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AdvanceSerial is POST /api/serials/{id}/advance: advance a serial by one step. It needs the permission work.
func (c *Client) AdvanceSerial(ctx context.Context, id string, body AdvanceSerialRequest, options ...Option) (answer SerialNumber, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/advance", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AdvanceToStep is POST /api/serials/{id}/advance-to: advance a serial to a step further on. It needs the permission work.
func (c *Client) AdvanceToStep(ctx context.Context, id string, body AdvanceToStepRequest, options ...Option) (answer AdvancedSerial, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/advance-to", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ApplyTemplate is POST /api/templates/{id}/apply: make a path from a route template. It needs the permission plan.
func (c *Client) ApplyTemplate(ctx context.Context, id string, body ApplyTemplateRequest, options ...Option) (answer Path, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/templates/" + url.PathEscape(id) + "/apply", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ApproveFirstArticle is POST /api/first-articles/{id}/approve: approve a first article. It needs the permission decide.
func (c *Client) ApproveFirstArticle(ctx context.Context, id string, body ActOnFirstArticleRequest, options ...Option) (answer FirstArticle, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/first-articles/" + url.PathEscape(id) + "/approve", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AskSecondFactor is POST /api/sign-in/second/options: begin to give a passkey as second factor. It needs the permission entering.
func (c *Client) AskSecondFactor(ctx context.Context, body json.RawMessage, options ...Option) (answer PasskeyOptions, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/sign-in/second/options", body: body}, &answer, options)
	return answer, err
}

// AssignStep is PATCH /api/steps/{id}/assign: assign a step to an operator. It needs the permission plan.
func (c *Client) AssignStep(ctx context.Context, id string, body AssignStepRequest, options ...Option) (answer ProcessStep, err error) {
	err = c.call(ctx, request{method: http.MethodPatch, path: "/api/steps/" + url.PathEscape(id) + "/assign", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AttachCertificate is POST /api/serials/{id}/attach-cert: attach a certificate to a serial. It needs the permission work.
func (c *Client) AttachCertificate(ctx context.Context, id string, body AttachCertificateRequest, options ...Option) (answer CertAttachment, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/attach-cert", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AttachCertificateToLot is POST /api/lots/{id}/certs: attach a certificate to a lot. It needs the permission work.
func (c *Client) AttachCertificateToLot(ctx context.Context, id string, body AttachLotCertificateRequest, options ...Option) (answer LotCertificate, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/lots/" + url.PathEscape(id) + "/certs", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AttachCertificateToReceipt is POST /api/shipments/{id}/receipts/{receiptId}/certs: attach a certificate to a receipt. It needs the permission work.
func (c *Client) AttachCertificateToReceipt(ctx context.Context, id string, receiptID string, body AttachReceiptCertificateRequest, options ...Option) (answer ReceiptCertificate, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/shipments/" + url.PathEscape(id) + "/receipts/" + url.PathEscape(receiptID) + "/certs", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AttachFileToCert is POST /api/certs/{id}/files: attach a file to a certificate. It needs the permission work.
func (c *Client) AttachFileToCert(ctx context.Context, id string, body AttachFileRequest, options ...Option) (answer FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/certs/" + url.PathEscape(id) + "/files", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AttachFileToInstrument is POST /api/instruments/{id}/files: attach a file to an instrument. It needs the permission work.
func (c *Client) AttachFileToInstrument(ctx context.Context, id string, body AttachFileRequest, options ...Option) (answer FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/instruments/" + url.PathEscape(id) + "/files", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AttachFileToJob is POST /api/jobs/{id}/files: attach a file to a job. It needs the permission work.
func (c *Client) AttachFileToJob(ctx context.Context, id string, body AttachFileRequest, options ...Option) (answer FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/jobs/" + url.PathEscape(id) + "/files", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AttachFileToLot is POST /api/lots/{id}/files: attach a file to a lot. It needs the permission work.
func (c *Client) AttachFileToLot(ctx context.Context, id string, body AttachFileRequest, options ...Option) (answer FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/lots/" + url.PathEscape(id) + "/files", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AttachFileToNonconformance is POST /api/nonconformances/{id}/files: attach a file to a report. It needs the permission work.
func (c *Client) AttachFileToNonconformance(ctx context.Context, id string, body AttachFileRequest, options ...Option) (answer FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/nonconformances/" + url.PathEscape(id) + "/files", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AttachFileToSerial is POST /api/serials/{id}/files: attach a file to a serial. It needs the permission work.
func (c *Client) AttachFileToSerial(ctx context.Context, id string, body AttachFileRequest, options ...Option) (answer FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/files", body: body, keyed: true}, &answer, options)
	return answer, err
}

// AttachFileToStep is POST /api/steps/{id}/files: attach a file to a step. It needs the permission work.
func (c *Client) AttachFileToStep(ctx context.Context, id string, body AttachFileRequest, options ...Option) (answer FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/steps/" + url.PathEscape(id) + "/files", body: body, keyed: true}, &answer, options)
	return answer, err
}

// BatchAdvance is POST /api/serials/batch-advance: advance many serials. It needs the permission work.
func (c *Client) BatchAdvance(ctx context.Context, body BatchAdvanceRequest, options ...Option) (answer BatchResult, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/batch-advance", body: body, keyed: true}, &answer, options)
	return answer, err
}

// BatchAdvanceTo is POST /api/serials/batch-advance-to: advance many serials to a step. It needs the permission work.
func (c *Client) BatchAdvanceTo(ctx context.Context, body BatchAdvanceToRequest, options ...Option) (answer BatchResult, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/batch-advance-to", body: body, keyed: true}, &answer, options)
	return answer, err
}

// BatchAttachCertificate is POST /api/certs/batch-attach: attach a certificate to many serials. It needs the permission work.
func (c *Client) BatchAttachCertificate(ctx context.Context, body BatchAttachCertificateRequest, options ...Option) (answer []CertAttachment, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/certs/batch-attach", body: body, keyed: true}, &answer, options)
	return answer, err
}

// BatchAttachFile is POST /api/serials/batch-attach-file: attach a file to many serials. It needs the permission work.
func (c *Client) BatchAttachFile(ctx context.Context, body BatchAttachFileRequest, options ...Option) (answer BatchResult, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/batch-attach-file", body: body, keyed: true}, &answer, options)
	return answer, err
}

// BatchBom is POST /api/serials/batch-bom: change the bill of many serials. It needs the permission plan.
func (c *Client) BatchBom(ctx context.Context, body BatchBomRequest, options ...Option) (answer BatchResult, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/batch-bom", body: body, keyed: true}, &answer, options)
	return answer, err
}

// BatchCreateSerials is POST /api/serials: create a batch of serials. It needs the permission plan.
func (c *Client) BatchCreateSerials(ctx context.Context, body BatchCreateSerialsRequest, options ...Option) (answer []SerialNumber, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials", body: body, keyed: true}, &answer, options)
	return answer, err
}

// BatchForceComplete is POST /api/serials/batch-force-complete: force-complete many serials. It needs the permission decide.
func (c *Client) BatchForceComplete(ctx context.Context, body BatchForceCompleteRequest, options ...Option) (answer BatchResult, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/batch-force-complete", body: body, keyed: true}, &answer, options)
	return answer, err
}

// BatchHold is POST /api/serials/batch-hold: put many serials on hold. It needs the permission work.
func (c *Client) BatchHold(ctx context.Context, body BatchHoldRequest, options ...Option) (answer BatchResult, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/batch-hold", body: body, keyed: true}, &answer, options)
	return answer, err
}

// BatchInstallComponents is POST /api/serials/batch-components: install an amount of a lot in many serials. It needs the permission work.
func (c *Client) BatchInstallComponents(ctx context.Context, body BatchInstallComponentsRequest, options ...Option) (answer BatchResult, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/batch-components", body: body, keyed: true}, &answer, options)
	return answer, err
}

// BatchRelease is POST /api/serials/batch-release: release the holds of many serials. It needs the permission decide.
func (c *Client) BatchRelease(ctx context.Context, body BatchReleaseRequest, options ...Option) (answer BatchResult, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/batch-release", body: body, keyed: true}, &answer, options)
	return answer, err
}

// BatchScrap is POST /api/serials/batch-scrap: scrap many serials. It needs the permission decide.
func (c *Client) BatchScrap(ctx context.Context, body BatchScrapRequest, options ...Option) (answer BatchResult, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/batch-scrap", body: body, keyed: true}, &answer, options)
	return answer, err
}

// BeginPasskey is POST /api/me/passkeys/options: begin to register a passkey. It needs the permission entering.
func (c *Client) BeginPasskey(ctx context.Context, body Confirmation, options ...Option) (answer PasskeyOptions, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/me/passkeys/options", body: body}, &answer, options)
	return answer, err
}

// BeginPasskeySignIn is POST /api/sign-in/passkey/options: begin a sign-in with a passkey. It needs the permission anyone.
func (c *Client) BeginPasskeySignIn(ctx context.Context, body json.RawMessage, options ...Option) (answer PasskeyOptions, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/sign-in/passkey/options", body: body}, &answer, options)
	return answer, err
}

// BeginPasskeySignature is POST /api/signatures/options: begin to sign with a passkey. It needs the permission signed-in.
func (c *Client) BeginPasskeySignature(ctx context.Context, body SigningOptionsRequest, options ...Option) (answer PasskeyOptions, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/signatures/options", body: body}, &answer, options)
	return answer, err
}

// CalibrateInstrument is POST /api/instruments/{id}/calibrations: record a calibration. It needs the permission decide.
func (c *Client) CalibrateInstrument(ctx context.Context, id string, body CalibrateInstrumentRequest, options ...Option) (answer Calibration, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/instruments/" + url.PathEscape(id) + "/calibrations", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ChangeAccount is PUT /api/users/{id}/account: give a user a login and roles. It needs the permission admin.
func (c *Client) ChangeAccount(ctx context.Context, id string, body ChangeAccountRequest, options ...Option) (answer User, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/users/" + url.PathEscape(id) + "/account", body: body}, &answer, options)
	return answer, err
}

// ChangePassword is PUT /api/users/{id}/password: set a password. It needs the permission arrived.
func (c *Client) ChangePassword(ctx context.Context, id string, body ChangePasswordRequest, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/users/" + url.PathEscape(id) + "/password", body: body}, &answer, options)
	return answer, err
}

// ChangePIN is PUT /api/users/{id}/pin: set a PIN. It needs the permission arrived.
func (c *Client) ChangePIN(ctx context.Context, id string, body ChangePINRequest, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/users/" + url.PathEscape(id) + "/pin", body: body}, &answer, options)
	return answer, err
}

// CloseJob is POST /api/jobs/{id}/close: close a job. It needs the permission plan.
func (c *Client) CloseJob(ctx context.Context, id string, body JobClosingRequest, options ...Option) (answer Job, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/jobs/" + url.PathEscape(id) + "/close", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CloseNonconformance is POST /api/nonconformances/{id}/close: close a nonconformance. It needs the permission decide.
func (c *Client) CloseNonconformance(ctx context.Context, id string, body CloseNonconformanceRequest, options ...Option) (answer Nonconformance, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/nonconformances/" + url.PathEscape(id) + "/close", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CompleteDeferredStep is POST /api/serials/{id}/complete-deferred/{stepId}: complete a step that was deferred. It needs the permission work.
func (c *Client) CompleteDeferredStep(ctx context.Context, id string, stepID string, body CompleteDeferredStepRequest, options ...Option) (answer SnStepStatus, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/complete-deferred/" + url.PathEscape(stepID), body: body, keyed: true}, &answer, options)
	return answer, err
}

// ConfigureStep is PATCH /api/steps/{id}/config: configure a step. It needs the permission plan.
func (c *Client) ConfigureStep(ctx context.Context, id string, body ConfigureStepRequest, options ...Option) (answer ProcessStep, err error) {
	err = c.call(ctx, request{method: http.MethodPatch, path: "/api/steps/" + url.PathEscape(id) + "/config", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ConfirmAccount is POST /api/users/{id}/confirm: confirm whose an account is. It needs the permission signed-in.
func (c *Client) ConfirmAccount(ctx context.Context, id string, options ...Option) (answer User, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/users/" + url.PathEscape(id) + "/confirm"}, &answer, options)
	return answer, err
}

// ConfirmOneTimeCodes is POST /api/me/one-time-codes/confirm: confirm the one-time codes. It needs the permission entering.
func (c *Client) ConfirmOneTimeCodes(ctx context.Context, body CodeRequest, options ...Option) (answer RecoveryCodes, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/me/one-time-codes/confirm", body: body}, &answer, options)
	return answer, err
}

// ConfirmSelf is POST /api/me/confirm: confirm that it is you. It needs the permission signed-in.
func (c *Client) ConfirmSelf(ctx context.Context, body ConfirmSelfRequest, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/me/confirm", body: body}, &answer, options)
	return answer, err
}

// CreateBom is POST /api/bom: create a bill of materials. It needs the permission plan.
func (c *Client) CreateBom(ctx context.Context, body CreateBomRequest, options ...Option) (answer Bom, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/bom", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreateCertificate is POST /api/certs: create a certificate. It needs the permission plan.
func (c *Client) CreateCertificate(ctx context.Context, body CreateCertificateRequest, options ...Option) (answer Certificate, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/certs", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreateFirstArticle is POST /api/paths/{id}/first-articles: begin a first article inspection. It needs the permission work.
func (c *Client) CreateFirstArticle(ctx context.Context, id string, body CreateFirstArticleRequest, options ...Option) (answer FirstArticle, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/paths/" + url.PathEscape(id) + "/first-articles", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreateInstrument is POST /api/instruments: create an instrument. It needs the permission plan.
func (c *Client) CreateInstrument(ctx context.Context, body CreateInstrumentRequest, options ...Option) (answer Instrument, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/instruments", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreateJob is POST /api/jobs: create a job. It needs the permission plan.
func (c *Client) CreateJob(ctx context.Context, body CreateJobRequest, options ...Option) (answer Job, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/jobs", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreateLocation is POST /api/library/locations: add the name of a location. It needs the permission plan.
func (c *Client) CreateLocation(ctx context.Context, body CreateLibraryEntryRequest, options ...Option) (answer LocationLibraryEntry, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/library/locations", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreateLot is POST /api/lots: record a lot. It needs the permission work.
func (c *Client) CreateLot(ctx context.Context, body CreateLotRequest, options ...Option) (answer Lot, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/lots", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreateNote is POST /api/notes: record a note. It needs the permission work.
func (c *Client) CreateNote(ctx context.Context, body CreateNoteRequest, options ...Option) (answer StepNote, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/notes", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreateOverrides is POST /api/serials/{id}/overrides: override a step for one or more serials. It needs the permission decide.
func (c *Client) CreateOverrides(ctx context.Context, id string, body CreateOverridesRequest, options ...Option) (answer []Override, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/overrides", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreatePath is POST /api/paths: create a path. It needs the permission plan.
func (c *Client) CreatePath(ctx context.Context, body CreatePathRequest, options ...Option) (answer Path, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/paths", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreateProcess is POST /api/library/processes: add the name of a process. It needs the permission plan.
func (c *Client) CreateProcess(ctx context.Context, body CreateLibraryEntryRequest, options ...Option) (answer ProcessLibraryEntry, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/library/processes", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreateShipment is POST /api/shipments: send units to a supplier or a customer. It needs the permission work.
func (c *Client) CreateShipment(ctx context.Context, body CreateShipmentRequest, options ...Option) (answer Shipment, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/shipments", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreateTemplate is POST /api/templates: create a route template. It needs the permission plan.
func (c *Client) CreateTemplate(ctx context.Context, body CreateTemplateRequest, options ...Option) (answer TemplateRoute, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/templates", body: body, keyed: true}, &answer, options)
	return answer, err
}

// CreateToken is POST /api/users/{id}/tokens: make a token. It needs the permission signed-in.
func (c *Client) CreateToken(ctx context.Context, id string, body CreateTokenRequest, options ...Option) (answer NewToken, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/users/" + url.PathEscape(id) + "/tokens", body: body}, &answer, options)
	return answer, err
}

// CreateUser is POST /api/users: add an operator. It needs the permission admin.
func (c *Client) CreateUser(ctx context.Context, body CreateUserRequest, options ...Option) (answer User, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/users", body: body, keyed: true}, &answer, options)
	return answer, err
}

// DeleteLocation is DELETE /api/library/locations/{id}: remove the name of a location. It needs the permission plan.
func (c *Client) DeleteLocation(ctx context.Context, id string, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodDelete, path: "/api/library/locations/" + url.PathEscape(id), keyed: true}, &answer, options)
	return answer, err
}

// DeleteOverride is DELETE /api/serials/{id}/overrides/{stepId}: reverse a step override. It needs the permission decide.
func (c *Client) DeleteOverride(ctx context.Context, id string, stepID string, body DeleteOverrideRequest, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodDelete, path: "/api/serials/" + url.PathEscape(id) + "/overrides/" + url.PathEscape(stepID), body: body, keyed: true}, &answer, options)
	return answer, err
}

// DeletePath is DELETE /api/paths/{id}: delete a path. It needs the permission plan.
func (c *Client) DeletePath(ctx context.Context, id string, body DeletePathRequest, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodDelete, path: "/api/paths/" + url.PathEscape(id), body: body, keyed: true}, &answer, options)
	return answer, err
}

// DeleteProcess is DELETE /api/library/processes/{id}: remove the name of a process. It needs the permission plan.
func (c *Client) DeleteProcess(ctx context.Context, id string, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodDelete, path: "/api/library/processes/" + url.PathEscape(id), keyed: true}, &answer, options)
	return answer, err
}

// DeleteTemplate is DELETE /api/templates/{id}: delete a route template. It needs the permission plan.
func (c *Client) DeleteTemplate(ctx context.Context, id string, body DeleteTemplateRequest, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodDelete, path: "/api/templates/" + url.PathEscape(id), body: body, keyed: true}, &answer, options)
	return answer, err
}

// DisposeNonconformance is POST /api/nonconformances/{id}/dispositions: decide about units of a nonconformance. It needs the permission decide.
func (c *Client) DisposeNonconformance(ctx context.Context, id string, body DisposeNonconformanceRequest, options ...Option) (answer Nonconformance, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/nonconformances/" + url.PathEscape(id) + "/dispositions", body: body, keyed: true}, &answer, options)
	return answer, err
}

// EditBom is POST /api/bom/{id}/edit: edit a bill of materials and keep a version. It needs the permission plan.
func (c *Client) EditBom(ctx context.Context, id string, body EditBomRequest, options ...Option) (answer Bom, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/bom/" + url.PathEscape(id) + "/edit", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ExportAuditCsvParams are the parameters of the operation exportAuditCsv. What is empty or 0 is left out.
type ExportAuditCsvParams struct {
	// Only entries with this action. `serial_completed` also finds the `serial_advanced` entries that tell of a
	// completion by Advance to Step.
	Action string
	// Only entries of this acting user.
	UserID string
	// Only entries that name this serial.
	SerialID string
	// Only entries that name this job.
	JobID string
	// Only entries of this time or later.
	From string
	// Only entries before this time.
	Until string
	// Whether the file begins with a UTF-8 byte order mark, which Excel needs to read the file as UTF-8. Imports
	// ignore the mark.
	Bom bool
}

func (p ExportAuditCsvParams) values() url.Values {
	values := url.Values{}
	setParam(values, "action", p.Action)
	setParam(values, "userId", p.UserID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "jobId", p.JobID)
	setParam(values, "from", p.From)
	setParam(values, "until", p.Until)
	setParam(values, "bom", p.Bom)
	return values
}

// ExportAuditCsv is GET /api/export/audit.csv: export the audit trail as CSV. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportAuditCsv(ctx context.Context, params ExportAuditCsvParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/audit.csv", query: params.values()}, options)
}

// ExportAuditLinesParams are the parameters of the operation exportAuditLines. What is empty or 0 is left out.
type ExportAuditLinesParams struct {
	// Only entries with this action. `serial_completed` also finds the `serial_advanced` entries that tell of a
	// completion by Advance to Step.
	Action string
	// Only entries of this acting user.
	UserID string
	// Only entries that name this serial.
	SerialID string
	// Only entries that name this job.
	JobID string
	// Only entries of this time or later.
	From string
	// Only entries before this time.
	Until string
}

func (p ExportAuditLinesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "action", p.Action)
	setParam(values, "userId", p.UserID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "jobId", p.JobID)
	setParam(values, "from", p.From)
	setParam(values, "until", p.Until)
	return values
}

// ExportAuditLines is GET /api/export/audit.ndjson: export the audit trail as lines of JSON. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportAuditLines(ctx context.Context, params ExportAuditLinesParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/audit.ndjson", query: params.values()}, options)
}

// ExportAuditWorkbookParams are the parameters of the operation exportAuditWorkbook. What is empty or 0 is left out.
type ExportAuditWorkbookParams struct {
	// Only entries with this action. `serial_completed` also finds the `serial_advanced` entries that tell of a
	// completion by Advance to Step.
	Action string
	// Only entries of this acting user.
	UserID string
	// Only entries that name this serial.
	SerialID string
	// Only entries that name this job.
	JobID string
	// Only entries of this time or later.
	From string
	// Only entries before this time.
	Until string
}

func (p ExportAuditWorkbookParams) values() url.Values {
	values := url.Values{}
	setParam(values, "action", p.Action)
	setParam(values, "userId", p.UserID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "jobId", p.JobID)
	setParam(values, "from", p.From)
	setParam(values, "until", p.Until)
	return values
}

// ExportAuditWorkbook is GET /api/export/audit.xlsx: export the audit trail as a workbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportAuditWorkbook(ctx context.Context, params ExportAuditWorkbookParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/audit.xlsx", query: params.values()}, options)
}

// ExportCertsCsvParams are the parameters of the operation exportCertsCsv. What is empty or 0 is left out.
type ExportCertsCsvParams struct {
	// A part of the name, the id or the metadata, in any case.
	Q string
	// Whether the file begins with a UTF-8 byte order mark, which Excel needs to read the file as UTF-8. Imports
	// ignore the mark.
	Bom bool
}

func (p ExportCertsCsvParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "bom", p.Bom)
	return values
}

// ExportCertsCsv is GET /api/export/certs.csv: export certificates as CSV. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportCertsCsv(ctx context.Context, params ExportCertsCsvParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/certs.csv", query: params.values()}, options)
}

// ExportCertsLinesParams are the parameters of the operation exportCertsLines. What is empty or 0 is left out.
type ExportCertsLinesParams struct {
	// A part of the name, the id or the metadata, in any case.
	Q string
}

func (p ExportCertsLinesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	return values
}

// ExportCertsLines is GET /api/export/certs.ndjson: export certificates as lines of JSON. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportCertsLines(ctx context.Context, params ExportCertsLinesParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/certs.ndjson", query: params.values()}, options)
}

// ExportCertsWorkbookParams are the parameters of the operation exportCertsWorkbook. What is empty or 0 is left out.
type ExportCertsWorkbookParams struct {
	// A part of the name, the id or the metadata, in any case.
	Q string
}

func (p ExportCertsWorkbookParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	return values
}

// ExportCertsWorkbook is GET /api/export/certs.xlsx: export certificates as a workbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportCertsWorkbook(ctx context.Context, params ExportCertsWorkbookParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/certs.xlsx", query: params.values()}, options)
}

// ExportComponentsCsvParams are the parameters of the operation exportComponentsCsv. What is empty or 0 is left out.
type ExportComponentsCsvParams struct {
	// Only components of this unit.
	SerialID string
	// Only components from this lot.
	LotID string
	// true for only components that were neither removed nor voided.
	Installed bool
	// Whether the file begins with a UTF-8 byte order mark, which Excel needs to read the file as UTF-8. Imports
	// ignore the mark.
	Bom bool
}

func (p ExportComponentsCsvParams) values() url.Values {
	values := url.Values{}
	setParam(values, "serialId", p.SerialID)
	setParam(values, "lotId", p.LotID)
	setParam(values, "installed", p.Installed)
	setParam(values, "bom", p.Bom)
	return values
}

// ExportComponentsCsv is GET /api/export/components.csv: export components as CSV. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportComponentsCsv(ctx context.Context, params ExportComponentsCsvParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/components.csv", query: params.values()}, options)
}

// ExportComponentsLinesParams are the parameters of the operation exportComponentsLines. What is empty or 0 is left out.
type ExportComponentsLinesParams struct {
	// Only components of this unit.
	SerialID string
	// Only components from this lot.
	LotID string
	// true for only components that were neither removed nor voided.
	Installed bool
}

func (p ExportComponentsLinesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "serialId", p.SerialID)
	setParam(values, "lotId", p.LotID)
	setParam(values, "installed", p.Installed)
	return values
}

// ExportComponentsLines is GET /api/export/components.ndjson: export components as lines of JSON. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportComponentsLines(ctx context.Context, params ExportComponentsLinesParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/components.ndjson", query: params.values()}, options)
}

// ExportComponentsWorkbookParams are the parameters of the operation exportComponentsWorkbook. What is empty or 0 is left out.
type ExportComponentsWorkbookParams struct {
	// Only components of this unit.
	SerialID string
	// Only components from this lot.
	LotID string
	// true for only components that were neither removed nor voided.
	Installed bool
}

func (p ExportComponentsWorkbookParams) values() url.Values {
	values := url.Values{}
	setParam(values, "serialId", p.SerialID)
	setParam(values, "lotId", p.LotID)
	setParam(values, "installed", p.Installed)
	return values
}

// ExportComponentsWorkbook is GET /api/export/components.xlsx: export components as a workbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportComponentsWorkbook(ctx context.Context, params ExportComponentsWorkbookParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/components.xlsx", query: params.values()}, options)
}

// ExportJobsCsvParams are the parameters of the operation exportJobsCsv. What is empty or 0 is left out.
type ExportJobsCsvParams struct {
	// A part of the name, the part number, the order, the customer or the ticket, in any case.
	Q string
	// Some of `open` (fewer units than the goal are completed, and the job is not closed), `done` and `late`, with
	// commas between them. Jobs that have one of them are found.
	Status string
	// Only jobs with this part number, whatever the case of its letters A to Z; that of the tracker counts where a
	// job has no other.
	PartNumber string
	// Only jobs with this GTIN of 8, 12, 13 or 14 digits, however the job has it; a GTIN in the part number counts
	// where a job has no other.
	Gtin string
	// Only jobs for this customer, whatever the case of the letters A to Z.
	Customer string
	// Only jobs with this order, whatever the case of its letters A to Z.
	OrderNumber string
	// Only jobs that are due before this day.
	DueBefore string
	// Only jobs that are due after this day.
	DueAfter string
	// `true` for closed jobs only, `false` for open ones only; all when it is left out.
	Closed string
	// Whether the file begins with a UTF-8 byte order mark, which Excel needs to read the file as UTF-8. Imports
	// ignore the mark.
	Bom bool
}

func (p ExportJobsCsvParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "status", p.Status)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "gtin", p.Gtin)
	setParam(values, "customer", p.Customer)
	setParam(values, "orderNumber", p.OrderNumber)
	setParam(values, "dueBefore", p.DueBefore)
	setParam(values, "dueAfter", p.DueAfter)
	setParam(values, "closed", p.Closed)
	setParam(values, "bom", p.Bom)
	return values
}

// ExportJobsCsv is GET /api/export/jobs.csv: export jobs as CSV. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportJobsCsv(ctx context.Context, params ExportJobsCsvParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/jobs.csv", query: params.values()}, options)
}

// ExportJobsLinesParams are the parameters of the operation exportJobsLines. What is empty or 0 is left out.
type ExportJobsLinesParams struct {
	// A part of the name, the part number, the order, the customer or the ticket, in any case.
	Q string
	// Some of `open` (fewer units than the goal are completed, and the job is not closed), `done` and `late`, with
	// commas between them. Jobs that have one of them are found.
	Status string
	// Only jobs with this part number, whatever the case of its letters A to Z; that of the tracker counts where a
	// job has no other.
	PartNumber string
	// Only jobs with this GTIN of 8, 12, 13 or 14 digits, however the job has it; a GTIN in the part number counts
	// where a job has no other.
	Gtin string
	// Only jobs for this customer, whatever the case of the letters A to Z.
	Customer string
	// Only jobs with this order, whatever the case of its letters A to Z.
	OrderNumber string
	// Only jobs that are due before this day.
	DueBefore string
	// Only jobs that are due after this day.
	DueAfter string
	// `true` for closed jobs only, `false` for open ones only; all when it is left out.
	Closed string
}

func (p ExportJobsLinesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "status", p.Status)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "gtin", p.Gtin)
	setParam(values, "customer", p.Customer)
	setParam(values, "orderNumber", p.OrderNumber)
	setParam(values, "dueBefore", p.DueBefore)
	setParam(values, "dueAfter", p.DueAfter)
	setParam(values, "closed", p.Closed)
	return values
}

// ExportJobsLines is GET /api/export/jobs.ndjson: export jobs as lines of JSON. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportJobsLines(ctx context.Context, params ExportJobsLinesParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/jobs.ndjson", query: params.values()}, options)
}

// ExportJobsWorkbookParams are the parameters of the operation exportJobsWorkbook. What is empty or 0 is left out.
type ExportJobsWorkbookParams struct {
	// A part of the name, the part number, the order, the customer or the ticket, in any case.
	Q string
	// Some of `open` (fewer units than the goal are completed, and the job is not closed), `done` and `late`, with
	// commas between them. Jobs that have one of them are found.
	Status string
	// Only jobs with this part number, whatever the case of its letters A to Z; that of the tracker counts where a
	// job has no other.
	PartNumber string
	// Only jobs with this GTIN of 8, 12, 13 or 14 digits, however the job has it; a GTIN in the part number counts
	// where a job has no other.
	Gtin string
	// Only jobs for this customer, whatever the case of the letters A to Z.
	Customer string
	// Only jobs with this order, whatever the case of its letters A to Z.
	OrderNumber string
	// Only jobs that are due before this day.
	DueBefore string
	// Only jobs that are due after this day.
	DueAfter string
	// `true` for closed jobs only, `false` for open ones only; all when it is left out.
	Closed string
}

func (p ExportJobsWorkbookParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "status", p.Status)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "gtin", p.Gtin)
	setParam(values, "customer", p.Customer)
	setParam(values, "orderNumber", p.OrderNumber)
	setParam(values, "dueBefore", p.DueBefore)
	setParam(values, "dueAfter", p.DueAfter)
	setParam(values, "closed", p.Closed)
	return values
}

// ExportJobsWorkbook is GET /api/export/jobs.xlsx: export jobs as a workbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportJobsWorkbook(ctx context.Context, params ExportJobsWorkbookParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/jobs.xlsx", query: params.values()}, options)
}

// ExportLotsCsvParams are the parameters of the operation exportLotsCsv. What is empty or 0 is left out.
type ExportLotsCsvParams struct {
	// A text in the number, material, part number, heat number, supplier lot, supplier or order number, in upper or
	// lower case.
	Q string
	// Only lots of this part.
	PartNumber string
	// Only lots of this heat, in upper or lower case.
	HeatNumber string
	// Only lots from this supplier.
	Supplier string
	// true for only lots on hold, themselves or through a lot that they were split from.
	Held bool
	// Whether the file begins with a UTF-8 byte order mark, which Excel needs to read the file as UTF-8. Imports
	// ignore the mark.
	Bom bool
}

func (p ExportLotsCsvParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "heatNumber", p.HeatNumber)
	setParam(values, "supplier", p.Supplier)
	setParam(values, "held", p.Held)
	setParam(values, "bom", p.Bom)
	return values
}

// ExportLotsCsv is GET /api/export/lots.csv: export lots as CSV. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportLotsCsv(ctx context.Context, params ExportLotsCsvParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/lots.csv", query: params.values()}, options)
}

// ExportLotsLinesParams are the parameters of the operation exportLotsLines. What is empty or 0 is left out.
type ExportLotsLinesParams struct {
	// A text in the number, material, part number, heat number, supplier lot, supplier or order number, in upper or
	// lower case.
	Q string
	// Only lots of this part.
	PartNumber string
	// Only lots of this heat, in upper or lower case.
	HeatNumber string
	// Only lots from this supplier.
	Supplier string
	// true for only lots on hold, themselves or through a lot that they were split from.
	Held bool
}

func (p ExportLotsLinesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "heatNumber", p.HeatNumber)
	setParam(values, "supplier", p.Supplier)
	setParam(values, "held", p.Held)
	return values
}

// ExportLotsLines is GET /api/export/lots.ndjson: export lots as lines of JSON. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportLotsLines(ctx context.Context, params ExportLotsLinesParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/lots.ndjson", query: params.values()}, options)
}

// ExportLotsWorkbookParams are the parameters of the operation exportLotsWorkbook. What is empty or 0 is left out.
type ExportLotsWorkbookParams struct {
	// A text in the number, material, part number, heat number, supplier lot, supplier or order number, in upper or
	// lower case.
	Q string
	// Only lots of this part.
	PartNumber string
	// Only lots of this heat, in upper or lower case.
	HeatNumber string
	// Only lots from this supplier.
	Supplier string
	// true for only lots on hold, themselves or through a lot that they were split from.
	Held bool
}

func (p ExportLotsWorkbookParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "heatNumber", p.HeatNumber)
	setParam(values, "supplier", p.Supplier)
	setParam(values, "held", p.Held)
	return values
}

// ExportLotsWorkbook is GET /api/export/lots.xlsx: export lots as a workbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportLotsWorkbook(ctx context.Context, params ExportLotsWorkbookParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/lots.xlsx", query: params.values()}, options)
}

// ExportMeasurementsAqdefParams are the parameters of the operation exportMeasurementsAqdef. What is empty or 0 is left out.
type ExportMeasurementsAqdefParams struct {
	// Only readings of this characteristic.
	CharacteristicID string
	// Only readings at this step.
	StepID string
	// The job whose readings are exported.
	JobID string
	// Only readings of this serial.
	SerialID string
	// Only readings with this instrument.
	InstrumentID string
	// Only readings with this verdict, which is pass, fail or recorded.
	Verdict string
	// Only readings of this moment and later.
	From string
	// Only readings until this moment.
	To string
	// Whether the file begins with a UTF-8 byte order mark, which Excel needs to read the file as UTF-8. Imports
	// ignore the mark.
	Bom bool
}

func (p ExportMeasurementsAqdefParams) values() url.Values {
	values := url.Values{}
	setParam(values, "characteristicId", p.CharacteristicID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "jobId", p.JobID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "instrumentId", p.InstrumentID)
	setParam(values, "verdict", p.Verdict)
	setParam(values, "from", p.From)
	setParam(values, "to", p.To)
	setParam(values, "bom", p.Bom)
	return values
}

// ExportMeasurementsAqdef is GET /api/export/measurements.dfq: export the readings of a job in the Q-DAS transfer format. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportMeasurementsAqdef(ctx context.Context, params ExportMeasurementsAqdefParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/measurements.dfq", query: params.values()}, options)
}

// ExportMeasurementsCsvParams are the parameters of the operation exportMeasurementsCsv. What is empty or 0 is left out.
type ExportMeasurementsCsvParams struct {
	// Only readings of this characteristic.
	CharacteristicID string
	// Only readings at this step.
	StepID string
	// Only readings of units of this job.
	JobID string
	// Only readings of this serial.
	SerialID string
	// Only readings with this instrument.
	InstrumentID string
	// Only readings with this verdict, which is pass, fail or recorded.
	Verdict string
	// Only readings of this moment and later.
	From string
	// Only readings until this moment.
	To string
	// Whether the file begins with a UTF-8 byte order mark, which Excel needs to read the file as UTF-8. Imports
	// ignore the mark.
	Bom bool
}

func (p ExportMeasurementsCsvParams) values() url.Values {
	values := url.Values{}
	setParam(values, "characteristicId", p.CharacteristicID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "jobId", p.JobID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "instrumentId", p.InstrumentID)
	setParam(values, "verdict", p.Verdict)
	setParam(values, "from", p.From)
	setParam(values, "to", p.To)
	setParam(values, "bom", p.Bom)
	return values
}

// ExportMeasurementsCsv is GET /api/export/measurements.csv: export readings as CSV. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportMeasurementsCsv(ctx context.Context, params ExportMeasurementsCsvParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/measurements.csv", query: params.values()}, options)
}

// ExportMeasurementsLinesParams are the parameters of the operation exportMeasurementsLines. What is empty or 0 is left out.
type ExportMeasurementsLinesParams struct {
	// Only readings of this characteristic.
	CharacteristicID string
	// Only readings at this step.
	StepID string
	// Only readings of units of this job.
	JobID string
	// Only readings of this serial.
	SerialID string
	// Only readings with this instrument.
	InstrumentID string
	// Only readings with this verdict, which is pass, fail or recorded.
	Verdict string
	// Only readings of this moment and later.
	From string
	// Only readings until this moment.
	To string
}

func (p ExportMeasurementsLinesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "characteristicId", p.CharacteristicID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "jobId", p.JobID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "instrumentId", p.InstrumentID)
	setParam(values, "verdict", p.Verdict)
	setParam(values, "from", p.From)
	setParam(values, "to", p.To)
	return values
}

// ExportMeasurementsLines is GET /api/export/measurements.ndjson: export readings as lines of JSON. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportMeasurementsLines(ctx context.Context, params ExportMeasurementsLinesParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/measurements.ndjson", query: params.values()}, options)
}

// ExportMeasurementsWorkbookParams are the parameters of the operation exportMeasurementsWorkbook. What is empty or 0 is left out.
type ExportMeasurementsWorkbookParams struct {
	// Only readings of this characteristic.
	CharacteristicID string
	// Only readings at this step.
	StepID string
	// Only readings of units of this job.
	JobID string
	// Only readings of this serial.
	SerialID string
	// Only readings with this instrument.
	InstrumentID string
	// Only readings with this verdict, which is pass, fail or recorded.
	Verdict string
	// Only readings of this moment and later.
	From string
	// Only readings until this moment.
	To string
}

func (p ExportMeasurementsWorkbookParams) values() url.Values {
	values := url.Values{}
	setParam(values, "characteristicId", p.CharacteristicID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "jobId", p.JobID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "instrumentId", p.InstrumentID)
	setParam(values, "verdict", p.Verdict)
	setParam(values, "from", p.From)
	setParam(values, "to", p.To)
	return values
}

// ExportMeasurementsWorkbook is GET /api/export/measurements.xlsx: export readings as a workbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportMeasurementsWorkbook(ctx context.Context, params ExportMeasurementsWorkbookParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/measurements.xlsx", query: params.values()}, options)
}

// ExportRecallCsvParams are the parameters of the operation exportRecallCsv. What is empty or 0 is left out.
type ExportRecallCsvParams struct {
	// A lot, with the lots that were split from it.
	LotID string
	// The heat number of lots, in any case.
	HeatNumber string
	// A certificate that is attached to units, to lots or to receipts.
	CertID string
	// A unit.
	SerialID string
	// A shipment; the units on it.
	ShipmentID string
	// An instrument; units that it measured in the period, by readings that are not voided.
	InstrumentID string
	// A step; units that were there in the period, without those that bypassed it.
	StepID string
	// A user; units with an entry of the user in the period, other than their creation.
	By string
	// The beginning of the period; required with `instrumentId`, `stepId` and `by`.
	From string
	// The end of the period; now when it is left out.
	To string
	// `ever` (the default): a unit stays affected after what affected it was removed. `now`: only what is inside now.
	Contains string
	// Whether the file begins with a UTF-8 byte order mark, which Excel needs to read the file as UTF-8. Imports
	// ignore the mark.
	Bom bool
}

func (p ExportRecallCsvParams) values() url.Values {
	values := url.Values{}
	setParam(values, "lotId", p.LotID)
	setParam(values, "heatNumber", p.HeatNumber)
	setParam(values, "certId", p.CertID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "shipmentId", p.ShipmentID)
	setParam(values, "instrumentId", p.InstrumentID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "by", p.By)
	setParam(values, "from", p.From)
	setParam(values, "to", p.To)
	setParam(values, "contains", p.Contains)
	setParam(values, "bom", p.Bom)
	return values
}

// ExportRecallCsv is GET /api/export/recall.csv: export what a cause affects as CSV. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportRecallCsv(ctx context.Context, params ExportRecallCsvParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/recall.csv", query: params.values()}, options)
}

// ExportRecallLinesParams are the parameters of the operation exportRecallLines. What is empty or 0 is left out.
type ExportRecallLinesParams struct {
	// A lot, with the lots that were split from it.
	LotID string
	// The heat number of lots, in any case.
	HeatNumber string
	// A certificate that is attached to units, to lots or to receipts.
	CertID string
	// A unit.
	SerialID string
	// A shipment; the units on it.
	ShipmentID string
	// An instrument; units that it measured in the period, by readings that are not voided.
	InstrumentID string
	// A step; units that were there in the period, without those that bypassed it.
	StepID string
	// A user; units with an entry of the user in the period, other than their creation.
	By string
	// The beginning of the period; required with `instrumentId`, `stepId` and `by`.
	From string
	// The end of the period; now when it is left out.
	To string
	// `ever` (the default): a unit stays affected after what affected it was removed. `now`: only what is inside now.
	Contains string
}

func (p ExportRecallLinesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "lotId", p.LotID)
	setParam(values, "heatNumber", p.HeatNumber)
	setParam(values, "certId", p.CertID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "shipmentId", p.ShipmentID)
	setParam(values, "instrumentId", p.InstrumentID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "by", p.By)
	setParam(values, "from", p.From)
	setParam(values, "to", p.To)
	setParam(values, "contains", p.Contains)
	return values
}

// ExportRecallLines is GET /api/export/recall.ndjson: export what a cause affects as lines of JSON. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportRecallLines(ctx context.Context, params ExportRecallLinesParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/recall.ndjson", query: params.values()}, options)
}

// ExportRecallWorkbookParams are the parameters of the operation exportRecallWorkbook. What is empty or 0 is left out.
type ExportRecallWorkbookParams struct {
	// A lot, with the lots that were split from it.
	LotID string
	// The heat number of lots, in any case.
	HeatNumber string
	// A certificate that is attached to units, to lots or to receipts.
	CertID string
	// A unit.
	SerialID string
	// A shipment; the units on it.
	ShipmentID string
	// An instrument; units that it measured in the period, by readings that are not voided.
	InstrumentID string
	// A step; units that were there in the period, without those that bypassed it.
	StepID string
	// A user; units with an entry of the user in the period, other than their creation.
	By string
	// The beginning of the period; required with `instrumentId`, `stepId` and `by`.
	From string
	// The end of the period; now when it is left out.
	To string
	// `ever` (the default): a unit stays affected after what affected it was removed. `now`: only what is inside now.
	Contains string
}

func (p ExportRecallWorkbookParams) values() url.Values {
	values := url.Values{}
	setParam(values, "lotId", p.LotID)
	setParam(values, "heatNumber", p.HeatNumber)
	setParam(values, "certId", p.CertID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "shipmentId", p.ShipmentID)
	setParam(values, "instrumentId", p.InstrumentID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "by", p.By)
	setParam(values, "from", p.From)
	setParam(values, "to", p.To)
	setParam(values, "contains", p.Contains)
	return values
}

// ExportRecallWorkbook is GET /api/export/recall.xlsx: export what a cause affects as a workbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportRecallWorkbook(ctx context.Context, params ExportRecallWorkbookParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/recall.xlsx", query: params.values()}, options)
}

// ExportSerialsCsvParams are the parameters of the operation exportSerialsCsv. What is empty or 0 is left out.
type ExportSerialsCsvParams struct {
	// The beginning of the serial's id (`SN-0041`), the first digits of its number (`417`), any other code that names
	// one serial, as resolveCode reads it, or else a part of the name of its job or path, in any case.
	Q string
	// Only serials of this job.
	JobID string
	// Only serials of this path.
	PathID string
	// Only serials in progress that stand at this step.
	StepID string
	// Only serials in progress that stand at a step of exactly this name, on any path.
	Step string
	// Only serials with this status. `in-progress`, as lists write it, is understood too.
	Status SerialStatus
	// Only serials of jobs with this part number, whatever the case of its letters A to Z; that of the tracker counts
	// where a job has no other.
	PartNumber string
	// Only serials of jobs with this GTIN of 8, 12, 13 or 14 digits, however the job has it; a GTIN in the part
	// number counts where a job has no other.
	Gtin string
	// Only serials of jobs for this customer, whatever the case of the letters A to Z.
	Customer string
	// Only serials of jobs with this order, whatever the case of its letters A to Z.
	OrderNumber string
	// Only serials that have this own number or had it earlier, whatever the case of its letters A to Z.
	SerialNumber string
	// Whether the file begins with a UTF-8 byte order mark, which Excel needs to read the file as UTF-8. Imports
	// ignore the mark.
	Bom bool
}

func (p ExportSerialsCsvParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "jobId", p.JobID)
	setParam(values, "pathId", p.PathID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "step", p.Step)
	setParam(values, "status", p.Status)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "gtin", p.Gtin)
	setParam(values, "customer", p.Customer)
	setParam(values, "orderNumber", p.OrderNumber)
	setParam(values, "serialNumber", p.SerialNumber)
	setParam(values, "bom", p.Bom)
	return values
}

// ExportSerialsCsv is GET /api/export/serials.csv: export serials as CSV. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportSerialsCsv(ctx context.Context, params ExportSerialsCsvParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/serials.csv", query: params.values()}, options)
}

// ExportSerialsLinesParams are the parameters of the operation exportSerialsLines. What is empty or 0 is left out.
type ExportSerialsLinesParams struct {
	// The beginning of the serial's id (`SN-0041`), the first digits of its number (`417`), any other code that names
	// one serial, as resolveCode reads it, or else a part of the name of its job or path, in any case.
	Q string
	// Only serials of this job.
	JobID string
	// Only serials of this path.
	PathID string
	// Only serials in progress that stand at this step.
	StepID string
	// Only serials in progress that stand at a step of exactly this name, on any path.
	Step string
	// Only serials with this status. `in-progress`, as lists write it, is understood too.
	Status SerialStatus
	// Only serials of jobs with this part number, whatever the case of its letters A to Z; that of the tracker counts
	// where a job has no other.
	PartNumber string
	// Only serials of jobs with this GTIN of 8, 12, 13 or 14 digits, however the job has it; a GTIN in the part
	// number counts where a job has no other.
	Gtin string
	// Only serials of jobs for this customer, whatever the case of the letters A to Z.
	Customer string
	// Only serials of jobs with this order, whatever the case of its letters A to Z.
	OrderNumber string
	// Only serials that have this own number or had it earlier, whatever the case of its letters A to Z.
	SerialNumber string
}

func (p ExportSerialsLinesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "jobId", p.JobID)
	setParam(values, "pathId", p.PathID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "step", p.Step)
	setParam(values, "status", p.Status)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "gtin", p.Gtin)
	setParam(values, "customer", p.Customer)
	setParam(values, "orderNumber", p.OrderNumber)
	setParam(values, "serialNumber", p.SerialNumber)
	return values
}

// ExportSerialsLines is GET /api/export/serials.ndjson: export serials as lines of JSON. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportSerialsLines(ctx context.Context, params ExportSerialsLinesParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/serials.ndjson", query: params.values()}, options)
}

// ExportSerialsWorkbookParams are the parameters of the operation exportSerialsWorkbook. What is empty or 0 is left out.
type ExportSerialsWorkbookParams struct {
	// The beginning of the serial's id (`SN-0041`), the first digits of its number (`417`), any other code that names
	// one serial, as resolveCode reads it, or else a part of the name of its job or path, in any case.
	Q string
	// Only serials of this job.
	JobID string
	// Only serials of this path.
	PathID string
	// Only serials in progress that stand at this step.
	StepID string
	// Only serials in progress that stand at a step of exactly this name, on any path.
	Step string
	// Only serials with this status. `in-progress`, as lists write it, is understood too.
	Status SerialStatus
	// Only serials of jobs with this part number, whatever the case of its letters A to Z; that of the tracker counts
	// where a job has no other.
	PartNumber string
	// Only serials of jobs with this GTIN of 8, 12, 13 or 14 digits, however the job has it; a GTIN in the part
	// number counts where a job has no other.
	Gtin string
	// Only serials of jobs for this customer, whatever the case of the letters A to Z.
	Customer string
	// Only serials of jobs with this order, whatever the case of its letters A to Z.
	OrderNumber string
	// Only serials that have this own number or had it earlier, whatever the case of its letters A to Z.
	SerialNumber string
}

func (p ExportSerialsWorkbookParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "jobId", p.JobID)
	setParam(values, "pathId", p.PathID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "step", p.Step)
	setParam(values, "status", p.Status)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "gtin", p.Gtin)
	setParam(values, "customer", p.Customer)
	setParam(values, "orderNumber", p.OrderNumber)
	setParam(values, "serialNumber", p.SerialNumber)
	return values
}

// ExportSerialsWorkbook is GET /api/export/serials.xlsx: export serials as a workbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportSerialsWorkbook(ctx context.Context, params ExportSerialsWorkbookParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/serials.xlsx", query: params.values()}, options)
}

// ExportShipmentsCsvParams are the parameters of the operation exportShipmentsCsv. What is empty or 0 is left out.
type ExportShipmentsCsvParams struct {
	// A text in the supplier, customer, order number or id, in upper or lower case.
	Q string
	// Only shipments of this kind.
	Kind string
	// Only shipments with this status.
	Status string
	// Only shipments to this supplier.
	Supplier string
	// Only shipments to this customer.
	Customer string
	// Only shipments of this serial.
	SerialID string
	// Whether the file begins with a UTF-8 byte order mark, which Excel needs to read the file as UTF-8. Imports
	// ignore the mark.
	Bom bool
}

func (p ExportShipmentsCsvParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "kind", p.Kind)
	setParam(values, "status", p.Status)
	setParam(values, "supplier", p.Supplier)
	setParam(values, "customer", p.Customer)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "bom", p.Bom)
	return values
}

// ExportShipmentsCsv is GET /api/export/shipments.csv: export units of shipments as CSV. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportShipmentsCsv(ctx context.Context, params ExportShipmentsCsvParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/shipments.csv", query: params.values()}, options)
}

// ExportShipmentsLinesParams are the parameters of the operation exportShipmentsLines. What is empty or 0 is left out.
type ExportShipmentsLinesParams struct {
	// A text in the supplier, customer, order number or id, in upper or lower case.
	Q string
	// Only shipments of this kind.
	Kind string
	// Only shipments with this status.
	Status string
	// Only shipments to this supplier.
	Supplier string
	// Only shipments to this customer.
	Customer string
	// Only shipments of this serial.
	SerialID string
}

func (p ExportShipmentsLinesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "kind", p.Kind)
	setParam(values, "status", p.Status)
	setParam(values, "supplier", p.Supplier)
	setParam(values, "customer", p.Customer)
	setParam(values, "serialId", p.SerialID)
	return values
}

// ExportShipmentsLines is GET /api/export/shipments.ndjson: export units of shipments as lines of JSON. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportShipmentsLines(ctx context.Context, params ExportShipmentsLinesParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/shipments.ndjson", query: params.values()}, options)
}

// ExportShipmentsWorkbookParams are the parameters of the operation exportShipmentsWorkbook. What is empty or 0 is left out.
type ExportShipmentsWorkbookParams struct {
	// A text in the supplier, customer, order number or id, in upper or lower case.
	Q string
	// Only shipments of this kind.
	Kind string
	// Only shipments with this status.
	Status string
	// Only shipments to this supplier.
	Supplier string
	// Only shipments to this customer.
	Customer string
	// Only shipments of this serial.
	SerialID string
}

func (p ExportShipmentsWorkbookParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "kind", p.Kind)
	setParam(values, "status", p.Status)
	setParam(values, "supplier", p.Supplier)
	setParam(values, "customer", p.Customer)
	setParam(values, "serialId", p.SerialID)
	return values
}

// ExportShipmentsWorkbook is GET /api/export/shipments.xlsx: export units of shipments as a workbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportShipmentsWorkbook(ctx context.Context, params ExportShipmentsWorkbookParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/shipments.xlsx", query: params.values()}, options)
}

// ExportStepsCsvParams are the parameters of the operation exportStepsCsv. What is empty or 0 is left out.
type ExportStepsCsvParams struct {
	// Only serials of this job.
	JobID string
	// Whether the file begins with a UTF-8 byte order mark, which Excel needs to read the file as UTF-8. Imports
	// ignore the mark.
	Bom bool
}

func (p ExportStepsCsvParams) values() url.Values {
	values := url.Values{}
	setParam(values, "jobId", p.JobID)
	setParam(values, "bom", p.Bom)
	return values
}

// ExportStepsCsv is GET /api/export/steps.csv: export when every serial came to each step and left it as CSV. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportStepsCsv(ctx context.Context, params ExportStepsCsvParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/steps.csv", query: params.values()}, options)
}

// ExportStepsWorkbookParams are the parameters of the operation exportStepsWorkbook. What is empty or 0 is left out.
type ExportStepsWorkbookParams struct {
	// Only serials of this job.
	JobID string
}

func (p ExportStepsWorkbookParams) values() url.Values {
	values := url.Values{}
	setParam(values, "jobId", p.JobID)
	return values
}

// ExportStepsWorkbook is GET /api/export/steps.xlsx: export when every serial came to each step and left it as a workbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportStepsWorkbook(ctx context.Context, params ExportStepsWorkbookParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/steps.xlsx", query: params.values()}, options)
}

// ExportUsersCsvParams are the parameters of the operation exportUsersCsv. What is empty or 0 is left out.
type ExportUsersCsvParams struct {
	// `true` for the active users only.
	Active bool
	// Whether the file begins with a UTF-8 byte order mark, which Excel needs to read the file as UTF-8. Imports
	// ignore the mark.
	Bom bool
}

func (p ExportUsersCsvParams) values() url.Values {
	values := url.Values{}
	setParam(values, "active", p.Active)
	setParam(values, "bom", p.Bom)
	return values
}

// ExportUsersCsv is GET /api/export/users.csv: export users as CSV. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportUsersCsv(ctx context.Context, params ExportUsersCsvParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/users.csv", query: params.values()}, options)
}

// ExportUsersLinesParams are the parameters of the operation exportUsersLines. What is empty or 0 is left out.
type ExportUsersLinesParams struct {
	// `true` for the active users only.
	Active bool
}

func (p ExportUsersLinesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "active", p.Active)
	return values
}

// ExportUsersLines is GET /api/export/users.ndjson: export users as lines of JSON. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportUsersLines(ctx context.Context, params ExportUsersLinesParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/users.ndjson", query: params.values()}, options)
}

// ExportUsersWorkbookParams are the parameters of the operation exportUsersWorkbook. What is empty or 0 is left out.
type ExportUsersWorkbookParams struct {
	// `true` for the active users only.
	Active bool
}

func (p ExportUsersWorkbookParams) values() url.Values {
	values := url.Values{}
	setParam(values, "active", p.Active)
	return values
}

// ExportUsersWorkbook is GET /api/export/users.xlsx: export users as a workbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportUsersWorkbook(ctx context.Context, params ExportUsersWorkbookParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/users.xlsx", query: params.values()}, options)
}

// ExportVisitsParams are the parameters of the operation exportVisits. What is empty or 0 is left out.
type ExportVisitsParams struct {
	// Only serials of this job.
	JobID string
}

func (p ExportVisitsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "jobId", p.JobID)
	return values
}

// ExportVisits is GET /api/export/steps.ndjson: export when every serial came to each step and left it. It needs the permission read.
// The caller closes the answer.
func (c *Client) ExportVisits(ctx context.Context, params ExportVisitsParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/export/steps.ndjson", query: params.values()}, options)
}

// ForceCompleteSerial is POST /api/serials/{id}/force-complete: complete a serial with required steps left undone. It needs the permission decide.
func (c *Client) ForceCompleteSerial(ctx context.Context, id string, body ForceCompleteSerialRequest, options ...Option) (answer SerialNumber, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/force-complete", body: body, keyed: true}, &answer, options)
	return answer, err
}

// FreezeLimits is POST /api/characteristics/{id}/baseline: freeze the control limits of a characteristic. It needs the permission plan.
func (c *Client) FreezeLimits(ctx context.Context, id string, body FreezeLimitsRequest, options ...Option) (answer Baseline, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/characteristics/" + url.PathEscape(id) + "/baseline", body: body, keyed: true}, &answer, options)
	return answer, err
}

// GetAccessPolicy is GET /api/settings/access: get who needs a second factor. It needs the permission admin.
func (c *Client) GetAccessPolicy(ctx context.Context, options ...Option) (answer AccessPolicy, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/settings/access"}, &answer, options)
	return answer, err
}

// GetAsBuiltParams are the parameters of the operation getAsBuilt. What is empty or 0 is left out.
type GetAsBuiltParams struct {
	// The moment; now when it is left out. An installation counts from `installedAt` until before `removedAt`, a
	// voided one never.
	At string
}

func (p GetAsBuiltParams) values() url.Values {
	values := url.Values{}
	setParam(values, "at", p.At)
	return values
}

// GetAsBuilt is GET /api/serials/{id}/as-built: get what a serial contains. It needs the permission read.
func (c *Client) GetAsBuilt(ctx context.Context, id string, params GetAsBuiltParams, options ...Option) (answer AsBuilt, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/as-built", query: params.values()}, &answer, options)
	return answer, err
}

// GetBom is GET /api/bom/{id}: get a bill of materials with its production summary. It needs the permission read.
func (c *Client) GetBom(ctx context.Context, id string, options ...Option) (answer BomDetail, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/bom/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetCertAttachmentsParams are the parameters of the operation getCertAttachments. What is empty or 0 is left out.
type GetCertAttachmentsParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p GetCertAttachmentsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// GetCertAttachments is GET /api/serials/{id}/cert-attachments: list the certificate attachments of a serial. It needs the permission read.
func (c *Client) GetCertAttachments(ctx context.Context, id string, params GetCertAttachmentsParams, options ...Option) (answer []CertAttachment, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/cert-attachments", query: params.values()}, &answer, options)
	return answer, err
}

// GetCertificate is GET /api/certs/{id}: get a certificate. It needs the permission read.
func (c *Client) GetCertificate(ctx context.Context, id string, options ...Option) (answer Certificate, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/certs/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetCharacteristics is GET /api/steps/{id}/characteristics: get the characteristics of a step. It needs the permission read.
func (c *Client) GetCharacteristics(ctx context.Context, id string, options ...Option) (answer CharacteristicSet, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/steps/" + url.PathEscape(id) + "/characteristics"}, &answer, options)
	return answer, err
}

// GetChartParams are the parameters of the operation getChart. What is empty or 0 is left out.
type GetChartParams struct {
	// Only readings of this moment and later.
	From string
	// Only readings until this moment.
	To string
	// How many readings make a point, at most 10; 1 when it is left out.
	Subgroup int64
	// The rules that points are judged by: `western_electric` (1 and 4) or `nelson` (1 to 8); when it is left out
	// those of the baseline, or `western_electric`.
	Rules string
}

func (p GetChartParams) values() url.Values {
	values := url.Values{}
	setParam(values, "from", p.From)
	setParam(values, "to", p.To)
	setParam(values, "subgroup", p.Subgroup)
	setParam(values, "rules", p.Rules)
	return values
}

// GetChart is GET /api/characteristics/{id}/chart: get the control chart of a characteristic. It needs the permission read.
func (c *Client) GetChart(ctx context.Context, id string, params GetChartParams, options ...Option) (answer Chart, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/characteristics/" + url.PathEscape(id) + "/chart", query: params.values()}, &answer, options)
	return answer, err
}

// GetConformance is GET /api/conformances/{id}: get a certificate of conformance. It needs the permission read.
func (c *Client) GetConformance(ctx context.Context, id string, options ...Option) (answer Conformance, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/conformances/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetConformanceDossierParams are the parameters of the operation getConformanceDossier. What is empty or 0 is left out.
type GetConformanceDossierParams struct {
	// The number of entries of the ledger up to which it is proved; all that are sealed when left out.
	Size int64
	// Kinds of files that are left out otherwise, with a comma between them: `instruction`, `program`.
	Include string
	// The language of `card.html` and `verify.html`: `en`, `de`, `es` or `fr`. When left out it is that of the job of
	// the serials (of a certificate of conformance its own), else that of the organization. No other file depends on
	// it.
	Lang string
}

func (p GetConformanceDossierParams) values() url.Values {
	values := url.Values{}
	setParam(values, "size", p.Size)
	setParam(values, "include", p.Include)
	setParam(values, "lang", p.Lang)
	return values
}

// GetConformanceDossier is GET /api/conformances/{id}/dossier.zip: get the dossier of a certificate of conformance. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetConformanceDossier(ctx context.Context, id string, params GetConformanceDossierParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/conformances/" + url.PathEscape(id) + "/dossier.zip", query: params.values()}, options)
}

// GetConformancePdfParams are the parameters of the operation getConformancePdf. What is empty or 0 is left out.
type GetConformancePdfParams struct {
	// The revision; the newest when it is left out or 0.
	Revision int64
}

func (p GetConformancePdfParams) values() url.Values {
	values := url.Values{}
	setParam(values, "revision", p.Revision)
	return values
}

// GetConformancePdf is GET /api/conformances/{id}.pdf: get the PDF of a certificate of conformance. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetConformancePdf(ctx context.Context, id string, params GetConformancePdfParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/conformances/" + url.PathEscape(id) + ".pdf", query: params.values()}, options)
}

// GetCosignedCheckpoint is GET /ledger/cosigned: the newest checkpoint that witnesses have cosigned. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetCosignedCheckpoint(ctx context.Context, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/ledger/cosigned"}, options)
}

// GetDocs is GET /docs: read this document in a browser. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetDocs(ctx context.Context, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/docs"}, options)
}

// GetDocsFile is GET /docs/{file}: get a file of the documentation page. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetDocsFile(ctx context.Context, file string, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/docs/" + url.PathEscape(file)}, options)
}

// GetDocsSearch is GET /docs/search.json: get what the documentation page searches in. It needs the permission read.
func (c *Client) GetDocsSearch(ctx context.Context, options ...Option) (answer map[string]string, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/docs/search.json"}, &answer, options)
	return answer, err
}

// GetFileParams are the parameters of the operation getFile. What is empty or 0 is left out.
type GetFileParams struct {
	// The id of a link to the file, whose name the download gets.
	Link string
}

func (p GetFileParams) values() url.Values {
	values := url.Values{}
	setParam(values, "link", p.Link)
	return values
}

// GetFile is GET /api/files/{sha256}: get the bytes of a file. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetFile(ctx context.Context, sha256 string, params GetFileParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/files/" + url.PathEscape(sha256), query: params.values()}, options)
}

// GetFirstArticle is GET /api/first-articles/{id}: get a first article. It needs the permission read.
func (c *Client) GetFirstArticle(ctx context.Context, id string, options ...Option) (answer FirstArticle, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/first-articles/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetFirstArticleDossierParams are the parameters of the operation getFirstArticleDossier. What is empty or 0 is left out.
type GetFirstArticleDossierParams struct {
	// The number of entries of the ledger up to which it is proved; all that are sealed when left out.
	Size int64
	// Kinds of files that are left out otherwise, with a comma between them: `instruction`, `program`.
	Include string
	// The language of `card.html` and `verify.html`: `en`, `de`, `es` or `fr`. When left out it is that of the job of
	// the serials (of a certificate of conformance its own), else that of the organization. No other file depends on
	// it.
	Lang string
}

func (p GetFirstArticleDossierParams) values() url.Values {
	values := url.Values{}
	setParam(values, "size", p.Size)
	setParam(values, "include", p.Include)
	setParam(values, "lang", p.Lang)
	return values
}

// GetFirstArticleDossier is GET /api/first-articles/{id}/dossier.zip: get the dossier of a first article inspection. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetFirstArticleDossier(ctx context.Context, id string, params GetFirstArticleDossierParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/first-articles/" + url.PathEscape(id) + "/dossier.zip", query: params.values()}, options)
}

// GetFirstArticleWorkbook is GET /api/first-articles/{id}.xlsx: get the forms of a first article as a workbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetFirstArticleWorkbook(ctx context.Context, id string, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/first-articles/" + url.PathEscape(id) + ".xlsx"}, options)
}

// GetHandbookParams are the parameters of the operation getHandbook. What is empty or 0 is left out.
type GetHandbookParams struct {
	// The words to search for, in any order.
	Q string
}

func (p GetHandbookParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	return values
}

// GetHandbook is GET /docs/handbook: read the contents of the handbook, or search it. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetHandbook(ctx context.Context, params GetHandbookParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/docs/handbook", query: params.values()}, options)
}

// GetHandbookPage is GET /docs/handbook/{page}: read a page of the handbook. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetHandbookPage(ctx context.Context, page string, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/docs/handbook/" + url.PathEscape(page)}, options)
}

// GetHealth is GET /healthz: is the process alive. It needs the permission anyone.
func (c *Client) GetHealth(ctx context.Context, options ...Option) (answer Health, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/healthz"}, &answer, options)
	return answer, err
}

// GetInstrument is GET /api/instruments/{id}: get an instrument. It needs the permission read.
func (c *Client) GetInstrument(ctx context.Context, id string, options ...Option) (answer Instrument, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/instruments/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetJob is GET /api/jobs/{id}: get a job with its paths and progress. It needs the permission read.
func (c *Client) GetJob(ctx context.Context, id string, options ...Option) (answer JobDetail, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/jobs/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetJobDossierParams are the parameters of the operation getJobDossier. What is empty or 0 is left out.
type GetJobDossierParams struct {
	// The number of entries of the ledger up to which it is proved; all that are sealed when left out.
	Size int64
	// Kinds of files that are left out otherwise, with a comma between them: `instruction`, `program`.
	Include string
	// The language of `card.html` and `verify.html`: `en`, `de`, `es` or `fr`. When left out it is that of the job of
	// the serials (of a certificate of conformance its own), else that of the organization. No other file depends on
	// it.
	Lang string
}

func (p GetJobDossierParams) values() url.Values {
	values := url.Values{}
	setParam(values, "size", p.Size)
	setParam(values, "include", p.Include)
	setParam(values, "lang", p.Lang)
	return values
}

// GetJobDossier is GET /api/jobs/{id}/dossier.zip: get the dossier of a job. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetJobDossier(ctx context.Context, id string, params GetJobDossierParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/jobs/" + url.PathEscape(id) + "/dossier.zip", query: params.values()}, options)
}

// GetLedger is GET /api/ledger: how the ledger stands. It needs the permission read.
func (c *Client) GetLedger(ctx context.Context, options ...Option) (answer Ledger, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/ledger"}, &answer, options)
	return answer, err
}

// GetLedgerCheckpoint is GET /ledger/checkpoint: the newest checkpoint. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetLedgerCheckpoint(ctx context.Context, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/ledger/checkpoint"}, options)
}

// GetLedgerProof is GET /api/ledger/proof/{auditId}: prove one audit entry. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetLedgerProof(ctx context.Context, auditID string, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/ledger/proof/" + url.PathEscape(auditID)}, options)
}

// GetLedgerTile is GET /ledger/tile/{place}: a part of the log. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetLedgerTile(ctx context.Context, place string, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/ledger/tile/" + place}, options)
}

// GetLot is GET /api/lots/{id}: get a lot. It needs the permission read.
func (c *Client) GetLot(ctx context.Context, id string, options ...Option) (answer Lot, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/lots/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetMe is GET /api/me: get who is asking. It needs the permission entering.
func (c *Client) GetMe(ctx context.Context, options ...Option) (answer SignedIn, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/me"}, &answer, options)
	return answer, err
}

// GetMetrics is GET /metrics: get metrics. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetMetrics(ctx context.Context, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/metrics"}, options)
}

// GetMySecondFactors is GET /api/me/second-factors: get your second factors. It needs the permission entering.
func (c *Client) GetMySecondFactors(ctx context.Context, options ...Option) (answer SecondFactors, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/me/second-factors"}, &answer, options)
	return answer, err
}

// GetNonconformance is GET /api/nonconformances/{id}: get a nonconformance. It needs the permission read.
func (c *Client) GetNonconformance(ctx context.Context, id string, options ...Option) (answer Nonconformance, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/nonconformances/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetNotices is GET /api/settings/notices: get who gets notices. It needs the permission admin.
func (c *Client) GetNotices(ctx context.Context, options ...Option) (answer Notices, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/settings/notices"}, &answer, options)
	return answer, err
}

// GetOpenapi30JSON is GET /api/openapi-3.0.json: get this document as OpenAPI 3.0. It needs the permission read.
func (c *Client) GetOpenapi30JSON(ctx context.Context, options ...Option) (answer json.RawMessage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/openapi-3.0.json"}, &answer, options)
	return answer, err
}

// GetOpenapiJSON is GET /api/openapi.json: get this document as JSON. It needs the permission read.
func (c *Client) GetOpenapiJSON(ctx context.Context, options ...Option) (answer json.RawMessage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/openapi.json"}, &answer, options)
	return answer, err
}

// GetOpenapiYAML is GET /api/openapi.yaml: get this document as YAML. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetOpenapiYAML(ctx context.Context, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/openapi.yaml"}, options)
}

// GetOperatorQueueParams are the parameters of the operation getOperatorQueue. What is empty or 0 is left out.
type GetOperatorQueueParams struct {
	// `urgency` puts what is late first, then what has a higher priority, an earlier due date (none comes last), and
	// an older job. Without it the work is in the order of paths and steps.
	Sort WorkSort
}

func (p GetOperatorQueueParams) values() url.Values {
	values := url.Values{}
	setParam(values, "sort", p.Sort)
	return values
}

// GetOperatorQueue is GET /api/operator/queue/{userId}: get what waits for one operator. It needs the permission read.
func (c *Client) GetOperatorQueue(ctx context.Context, userID string, params GetOperatorQueueParams, options ...Option) (answer OperatorQueue, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/operator/queue/" + url.PathEscape(userID), query: params.values()}, &answer, options)
	return answer, err
}

// GetOrganization is GET /api/settings/organization: get the organization on papers. It needs the permission read.
func (c *Client) GetOrganization(ctx context.Context, options ...Option) (answer Organization, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/settings/organization"}, &answer, options)
	return answer, err
}

// GetPath is GET /api/paths/{id}: get a path with the distribution of its serials. It needs the permission read.
func (c *Client) GetPath(ctx context.Context, id string, options ...Option) (answer PathDetail, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/paths/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetReadiness is GET /readyz: can the process do its work. It needs the permission anyone.
func (c *Client) GetReadiness(ctx context.Context, options ...Option) (answer Readiness, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/readyz"}, &answer, options)
	return answer, err
}

// GetRecallParams are the parameters of the operation getRecall. What is empty or 0 is left out.
type GetRecallParams struct {
	// A lot, with the lots that were split from it.
	LotID string
	// The heat number of lots, in any case.
	HeatNumber string
	// A certificate that is attached to units, to lots or to receipts.
	CertID string
	// A unit.
	SerialID string
	// A shipment; the units on it.
	ShipmentID string
	// An instrument; units that it measured in the period, by readings that are not voided.
	InstrumentID string
	// A step; units that were there in the period, without those that bypassed it.
	StepID string
	// A user; units with an entry of the user in the period, other than their creation.
	By string
	// The beginning of the period; required with `instrumentId`, `stepId` and `by`.
	From string
	// The end of the period; now when it is left out.
	To string
	// `ever` (the default): a unit stays affected after what affected it was removed. `now`: only what is inside now.
	Contains string
}

func (p GetRecallParams) values() url.Values {
	values := url.Values{}
	setParam(values, "lotId", p.LotID)
	setParam(values, "heatNumber", p.HeatNumber)
	setParam(values, "certId", p.CertID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "shipmentId", p.ShipmentID)
	setParam(values, "instrumentId", p.InstrumentID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "by", p.By)
	setParam(values, "from", p.From)
	setParam(values, "to", p.To)
	setParam(values, "contains", p.Contains)
	return values
}

// GetRecall is GET /api/recall: find what a cause affects. It needs the permission read.
func (c *Client) GetRecall(ctx context.Context, params GetRecallParams, options ...Option) (answer Recall, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/recall", query: params.values()}, &answer, options)
	return answer, err
}

// GetRequirements is GET /api/steps/{id}/requirements: get the requirements of a step. It needs the permission read.
func (c *Client) GetRequirements(ctx context.Context, id string, options ...Option) (answer RequirementSet, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/steps/" + url.PathEscape(id) + "/requirements"}, &answer, options)
	return answer, err
}

// GetSecondFactors is GET /api/users/{id}/second-factors: get the second factors of a user. It needs the permission admin.
func (c *Client) GetSecondFactors(ctx context.Context, id string, options ...Option) (answer SecondFactors, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/users/" + url.PathEscape(id) + "/second-factors"}, &answer, options)
	return answer, err
}

// GetSerial is GET /api/serials/{id}: get a serial with its certificates. It needs the permission read.
func (c *Client) GetSerial(ctx context.Context, id string, options ...Option) (answer SerialDetail, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetSerialBom is GET /api/serials/{id}/bom: get the bill of a serial. It needs the permission read.
func (c *Client) GetSerialBom(ctx context.Context, id string, options ...Option) (answer SerialBom, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/bom"}, &answer, options)
	return answer, err
}

// GetSerialDossierParams are the parameters of the operation getSerialDossier. What is empty or 0 is left out.
type GetSerialDossierParams struct {
	// The number of entries of the ledger up to which it is proved; all that are sealed when left out.
	Size int64
	// Kinds of files that are left out otherwise, with a comma between them: `instruction`, `program`.
	Include string
	// The language of `card.html` and `verify.html`: `en`, `de`, `es` or `fr`. When left out it is that of the job of
	// the serials (of a certificate of conformance its own), else that of the organization. No other file depends on
	// it.
	Lang string
}

func (p GetSerialDossierParams) values() url.Values {
	values := url.Values{}
	setParam(values, "size", p.Size)
	setParam(values, "include", p.Include)
	setParam(values, "lang", p.Lang)
	return values
}

// GetSerialDossier is GET /api/serials/{id}/dossier.zip: get the dossier of a serial. It needs the permission read.
// The caller closes the answer.
func (c *Client) GetSerialDossier(ctx context.Context, id string, params GetSerialDossierParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/dossier.zip", query: params.values()}, options)
}

// GetShipment is GET /api/shipments/{id}: get a shipment. It needs the permission read.
func (c *Client) GetShipment(ctx context.Context, id string, options ...Option) (answer Shipment, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/shipments/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetSignaturePolicy is GET /api/settings/signatures: get what has to be signed. It needs the permission admin.
func (c *Client) GetSignaturePolicy(ctx context.Context, options ...Option) (answer SignaturePolicy, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/settings/signatures"}, &answer, options)
	return answer, err
}

// GetSignaturesOfSerialParams are the parameters of the operation getSignaturesOfSerial. What is empty or 0 is left out.
type GetSignaturesOfSerialParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p GetSignaturesOfSerialParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// GetSignaturesOfSerial is GET /api/serials/{id}/signatures: list the signatures about a serial. It needs the permission read.
func (c *Client) GetSignaturesOfSerial(ctx context.Context, id string, params GetSignaturesOfSerialParams, options ...Option) (answer []Signature, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/signatures", query: params.values()}, &answer, options)
	return answer, err
}

// GetStepQueue is GET /api/operator/step/{stepId}: get what waits at one step. It needs the permission read.
func (c *Client) GetStepQueue(ctx context.Context, stepID string, options ...Option) (answer StepQueue, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/operator/step/" + url.PathEscape(stepID)}, &answer, options)
	return answer, err
}

// GetStepStatuses is GET /api/serials/{id}/step-statuses: get the status of every step for a serial. It needs the permission read.
func (c *Client) GetStepStatuses(ctx context.Context, id string, options ...Option) (answer []SerialStepStatus, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/step-statuses"}, &answer, options)
	return answer, err
}

// GetTemplate is GET /api/templates/{id}: get a route template. It needs the permission read.
func (c *Client) GetTemplate(ctx context.Context, id string, options ...Option) (answer TemplateRoute, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/templates/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetTrackerTicket is GET /api/tracker/tickets/{key}: get a ticket. It needs the permission read.
func (c *Client) GetTrackerTicket(ctx context.Context, key string, options ...Option) (answer TrackerTicket, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/tracker/tickets/" + url.PathEscape(key)}, &answer, options)
	return answer, err
}

// GetUnitsInDoubtParams are the parameters of the operation getUnitsInDoubt. What is empty or 0 is left out.
type GetUnitsInDoubtParams struct {
	// The most units to answer; all when it is left out or 0.
	Limit int64
	// Only units with larger numbers than this one. Take it from the `Link` of the page before.
	After string
}

func (p GetUnitsInDoubtParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	return values
}

// GetUnitsInDoubt is GET /api/instruments/{id}/in-doubt: get the units that an instrument puts in doubt. It needs the permission read.
func (c *Client) GetUnitsInDoubt(ctx context.Context, id string, params GetUnitsInDoubtParams, options ...Option) (answer UnitsInDoubt, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/instruments/" + url.PathEscape(id) + "/in-doubt", query: params.values()}, &answer, options)
	return answer, err
}

// GetUser is GET /api/users/{id}: get an operator. It needs the permission read.
func (c *Client) GetUser(ctx context.Context, id string, options ...Option) (answer User, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/users/" + url.PathEscape(id)}, &answer, options)
	return answer, err
}

// GetWorkQueueParams are the parameters of the operation getWorkQueue. What is empty or 0 is left out.
type GetWorkQueueParams struct {
	// `urgency` puts what is late first, then what has a higher priority, an earlier due date (none comes last), and
	// an older job. Without it the work is in the order of paths and steps.
	Sort WorkSort
}

func (p GetWorkQueueParams) values() url.Values {
	values := url.Values{}
	setParam(values, "sort", p.Sort)
	return values
}

// GetWorkQueue is GET /api/operator/work-queue: get what waits where, by operator. It needs the permission read.
func (c *Client) GetWorkQueue(ctx context.Context, params GetWorkQueueParams, options ...Option) (answer WorkQueue, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/operator/work-queue", query: params.values()}, &answer, options)
	return answer, err
}

// GiveSecondFactor is POST /api/sign-in/second: give the second factor. It needs the permission entering.
func (c *Client) GiveSecondFactor(ctx context.Context, body SecondFactorRequest, options ...Option) (answer SignedIn, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/sign-in/second", body: body}, &answer, options)
	return answer, err
}

// HoldLot is POST /api/lots/{id}/hold: place a hold on a lot. It needs the permission work.
func (c *Client) HoldLot(ctx context.Context, id string, body HoldSerialRequest, options ...Option) (answer LotHold, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/lots/" + url.PathEscape(id) + "/hold", body: body, keyed: true}, &answer, options)
	return answer, err
}

// HoldSerial is POST /api/serials/{id}/hold: put a serial on hold. It needs the permission work.
func (c *Client) HoldSerial(ctx context.Context, id string, body HoldSerialRequest, options ...Option) (answer Hold, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/hold", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ImportCertsParams are the parameters of the operation importCerts. What is empty or 0 is left out.
type ImportCertsParams struct {
	// Whether the rows are only judged, and nothing is written.
	DryRun bool
	// What becomes of the file when rows are refused: `none` of its rows is taken, also when this is left out, or
	// `each` that is not.
	OnRefusal string
	// For a CSV file, a JSON object: names of columns of the file, and which column each is; "" for one that is not
	// read.
	Columns string
	// For a CSV file, how days with slashes are written: `day-first` as in 31/12/2026, or `month-first` as in
	// 12/31/2026. When this is left out they are refused, as nobody can tell.
	Days string
	// Who acts, for rows that do not say so in `changedBy` or `userId`. It is the caller where that is known.
	ChangedBy string
}

func (p ImportCertsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "dryRun", p.DryRun)
	setParam(values, "onRefusal", p.OnRefusal)
	setParam(values, "columns", p.Columns)
	setParam(values, "days", p.Days)
	setParam(values, "changedBy", p.ChangedBy)
	return values
}

// ImportCerts is POST /api/import/certs: import certificates from a file. It needs the permission plan.
// The caller closes the answer.
func (c *Client) ImportCerts(ctx context.Context, params ImportCertsParams, content io.ReadSeeker, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodPost, path: "/api/import/certs", query: params.values(), content: content, keyed: true}, options)
}

// ImportComponentsParams are the parameters of the operation importComponents. What is empty or 0 is left out.
type ImportComponentsParams struct {
	// Whether the rows are only judged, and nothing is written.
	DryRun bool
	// What becomes of the file when rows are refused: `none` of its rows is taken, also when this is left out, or
	// `each` that is not.
	OnRefusal string
	// For a CSV file, a JSON object: names of columns of the file, and which column each is; "" for one that is not
	// read.
	Columns string
	// For a CSV file, how days with slashes are written: `day-first` as in 31/12/2026, or `month-first` as in
	// 12/31/2026. When this is left out they are refused, as nobody can tell.
	Days string
	// Who acts, for rows that do not say so in `changedBy` or `userId`. It is the caller where that is known.
	ChangedBy string
}

func (p ImportComponentsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "dryRun", p.DryRun)
	setParam(values, "onRefusal", p.OnRefusal)
	setParam(values, "columns", p.Columns)
	setParam(values, "days", p.Days)
	setParam(values, "changedBy", p.ChangedBy)
	return values
}

// ImportComponents is POST /api/import/components: import components from a file. It needs the permission work.
// The caller closes the answer.
func (c *Client) ImportComponents(ctx context.Context, params ImportComponentsParams, content io.ReadSeeker, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodPost, path: "/api/import/components", query: params.values(), content: content, keyed: true}, options)
}

// ImportJobsParams are the parameters of the operation importJobs. What is empty or 0 is left out.
type ImportJobsParams struct {
	// Whether the rows are only judged, and nothing is written.
	DryRun bool
	// What becomes of the file when rows are refused: `none` of its rows is taken, also when this is left out, or
	// `each` that is not.
	OnRefusal string
	// For a CSV file, a JSON object: names of columns of the file, and which column each is; "" for one that is not
	// read.
	Columns string
	// For a CSV file, how days with slashes are written: `day-first` as in 31/12/2026, or `month-first` as in
	// 12/31/2026. When this is left out they are refused, as nobody can tell.
	Days string
	// Who acts, for rows that do not say so in `changedBy` or `userId`. It is the caller where that is known.
	ChangedBy string
}

func (p ImportJobsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "dryRun", p.DryRun)
	setParam(values, "onRefusal", p.OnRefusal)
	setParam(values, "columns", p.Columns)
	setParam(values, "days", p.Days)
	setParam(values, "changedBy", p.ChangedBy)
	return values
}

// ImportJobs is POST /api/import/jobs: import jobs from a file. It needs the permission plan.
// The caller closes the answer.
func (c *Client) ImportJobs(ctx context.Context, params ImportJobsParams, content io.ReadSeeker, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodPost, path: "/api/import/jobs", query: params.values(), content: content, keyed: true}, options)
}

// ImportLotsParams are the parameters of the operation importLots. What is empty or 0 is left out.
type ImportLotsParams struct {
	// Whether the rows are only judged, and nothing is written.
	DryRun bool
	// What becomes of the file when rows are refused: `none` of its rows is taken, also when this is left out, or
	// `each` that is not.
	OnRefusal string
	// For a CSV file, a JSON object: names of columns of the file, and which column each is; "" for one that is not
	// read.
	Columns string
	// For a CSV file, how days with slashes are written: `day-first` as in 31/12/2026, or `month-first` as in
	// 12/31/2026. When this is left out they are refused, as nobody can tell.
	Days string
	// Who acts, for rows that do not say so in `changedBy` or `userId`. It is the caller where that is known.
	ChangedBy string
}

func (p ImportLotsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "dryRun", p.DryRun)
	setParam(values, "onRefusal", p.OnRefusal)
	setParam(values, "columns", p.Columns)
	setParam(values, "days", p.Days)
	setParam(values, "changedBy", p.ChangedBy)
	return values
}

// ImportLots is POST /api/import/lots: import lots from a file. It needs the permission work.
// The caller closes the answer.
func (c *Client) ImportLots(ctx context.Context, params ImportLotsParams, content io.ReadSeeker, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodPost, path: "/api/import/lots", query: params.values(), content: content, keyed: true}, options)
}

// ImportMeasurementsParams are the parameters of the operation importMeasurements. What is empty or 0 is left out.
type ImportMeasurementsParams struct {
	// Whether the rows are only judged, and nothing is written.
	DryRun bool
	// What becomes of the file when rows are refused: `none` of its rows is taken, also when this is left out, or
	// `each` that is not.
	OnRefusal string
	// For a CSV file, a JSON object: names of columns of the file, and which column each is; "" for one that is not
	// read.
	Columns string
	// For a CSV file, how days with slashes are written: `day-first` as in 31/12/2026, or `month-first` as in
	// 12/31/2026. When this is left out they are refused, as nobody can tell.
	Days string
	// For a file that is not of JSON, a JSON object: what a machine calls features, each with its axis if it has one,
	// and the number of the characteristic, with its place as in `7 (A)`; "" leaves its rows out. Others are their
	// own number.
	Features string
	// For a file that is not of JSON, a JSON object: what a machine calls features, as in `features`, and in which
	// unit each was measured. It takes the place of the constant `unit`. A row without a unit takes that of its
	// characteristic.
	Units string
	// For a file that is not of JSON, a JSON object: what every row has in columns that the file does not have.
	Constants string
	// Who acts, for rows that do not say so in `changedBy` or `userId`. It is the caller where that is known.
	ChangedBy string
}

func (p ImportMeasurementsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "dryRun", p.DryRun)
	setParam(values, "onRefusal", p.OnRefusal)
	setParam(values, "columns", p.Columns)
	setParam(values, "days", p.Days)
	setParam(values, "features", p.Features)
	setParam(values, "units", p.Units)
	setParam(values, "constants", p.Constants)
	setParam(values, "changedBy", p.ChangedBy)
	return values
}

// ImportMeasurements is POST /api/import/measurements: import readings from a file. It needs the permission work.
// The caller closes the answer.
func (c *Client) ImportMeasurements(ctx context.Context, params ImportMeasurementsParams, content io.ReadSeeker, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodPost, path: "/api/import/measurements", query: params.values(), content: content, keyed: true}, options)
}

// ImportSerialsParams are the parameters of the operation importSerials. What is empty or 0 is left out.
type ImportSerialsParams struct {
	// Whether the rows are only judged, and nothing is written.
	DryRun bool
	// What becomes of the file when rows are refused: `none` of its rows is taken, also when this is left out, or
	// `each` that is not.
	OnRefusal string
	// For a CSV file, a JSON object: names of columns of the file, and which column each is; "" for one that is not
	// read.
	Columns string
	// For a CSV file, how days with slashes are written: `day-first` as in 31/12/2026, or `month-first` as in
	// 12/31/2026. When this is left out they are refused, as nobody can tell.
	Days string
	// Who acts, for rows that do not say so in `changedBy` or `userId`. It is the caller where that is known.
	ChangedBy string
}

func (p ImportSerialsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "dryRun", p.DryRun)
	setParam(values, "onRefusal", p.OnRefusal)
	setParam(values, "columns", p.Columns)
	setParam(values, "days", p.Days)
	setParam(values, "changedBy", p.ChangedBy)
	return values
}

// ImportSerials is POST /api/import/serials: import serials from a file. It needs the permission plan.
// The caller closes the answer.
func (c *Client) ImportSerials(ctx context.Context, params ImportSerialsParams, content io.ReadSeeker, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodPost, path: "/api/import/serials", query: params.values(), content: content, keyed: true}, options)
}

// ImportShipmentsParams are the parameters of the operation importShipments. What is empty or 0 is left out.
type ImportShipmentsParams struct {
	// Whether the rows are only judged, and nothing is written.
	DryRun bool
	// What becomes of the file when rows are refused: `none` of its rows is taken, also when this is left out, or
	// `each` that is not.
	OnRefusal string
	// For a CSV file, a JSON object: names of columns of the file, and which column each is; "" for one that is not
	// read.
	Columns string
	// For a CSV file, how days with slashes are written: `day-first` as in 31/12/2026, or `month-first` as in
	// 12/31/2026. When this is left out they are refused, as nobody can tell.
	Days string
	// Who acts, for rows that do not say so in `changedBy` or `userId`. It is the caller where that is known.
	ChangedBy string
}

func (p ImportShipmentsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "dryRun", p.DryRun)
	setParam(values, "onRefusal", p.OnRefusal)
	setParam(values, "columns", p.Columns)
	setParam(values, "days", p.Days)
	setParam(values, "changedBy", p.ChangedBy)
	return values
}

// ImportShipments is POST /api/import/shipments: import shipments from a file. It needs the permission work.
// The caller closes the answer.
func (c *Client) ImportShipments(ctx context.Context, params ImportShipmentsParams, content io.ReadSeeker, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodPost, path: "/api/import/shipments", query: params.values(), content: content, keyed: true}, options)
}

// ImportUsersParams are the parameters of the operation importUsers. What is empty or 0 is left out.
type ImportUsersParams struct {
	// Whether the rows are only judged, and nothing is written.
	DryRun bool
	// What becomes of the file when rows are refused: `none` of its rows is taken, also when this is left out, or
	// `each` that is not.
	OnRefusal string
	// For a CSV file, a JSON object: names of columns of the file, and which column each is; "" for one that is not
	// read.
	Columns string
	// For a CSV file, how days with slashes are written: `day-first` as in 31/12/2026, or `month-first` as in
	// 12/31/2026. When this is left out they are refused, as nobody can tell.
	Days string
	// Who acts, for rows that do not say so in `changedBy` or `userId`. It is the caller where that is known.
	ChangedBy string
}

func (p ImportUsersParams) values() url.Values {
	values := url.Values{}
	setParam(values, "dryRun", p.DryRun)
	setParam(values, "onRefusal", p.OnRefusal)
	setParam(values, "columns", p.Columns)
	setParam(values, "days", p.Days)
	setParam(values, "changedBy", p.ChangedBy)
	return values
}

// ImportUsers is POST /api/import/users: import users from a file. It needs the permission admin.
// The caller closes the answer.
func (c *Client) ImportUsers(ctx context.Context, params ImportUsersParams, content io.ReadSeeker, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodPost, path: "/api/import/users", query: params.values(), content: content, keyed: true}, options)
}

// InstallComponent is POST /api/serials/{id}/components: install a component. It needs the permission work.
func (c *Client) InstallComponent(ctx context.Context, id string, body InstallComponentRequest, options ...Option) (answer Component, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/components", body: body, keyed: true}, &answer, options)
	return answer, err
}

// IssueConformance is POST /api/conformances: issue a certificate of conformance. It needs the permission decide.
func (c *Client) IssueConformance(ctx context.Context, body IssueConformanceRequest, options ...Option) (answer Conformance, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/conformances", body: body, keyed: true}, &answer, options)
	return answer, err
}

// LinkTrackerTicket is POST /api/tracker/link: make a job from a ticket. It needs the permission plan.
func (c *Client) LinkTrackerTicket(ctx context.Context, body LinkTrackerTicketRequest, options ...Option) (answer LinkedTicket, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/tracker/link", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ListAuditEntriesParams are the parameters of the operation listAuditEntries. What is empty or 0 is left out.
type ListAuditEntriesParams struct {
	// The most entries to answer; all when it is left out. 0 answers an empty array. Anything that is not a whole
	// number of zero or more is ignored.
	Limit int64
	// How many of the newest entries to pass over; none when it is left out. Anything that is not a whole number of
	// zero or more is ignored.
	Offset int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`; the first when it is left out. With `updatedSince` it is
	// `createdAt`.
	Sort string
}

func (p ListAuditEntriesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "offset", p.Offset)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListAuditEntries is GET /api/audit: list the audit trail. It needs the permission read.
func (c *Client) ListAuditEntries(ctx context.Context, params ListAuditEntriesParams, options ...Option) (answer []AuditEntry, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/audit", query: params.values()}, &answer, options)
	return answer, err
}

// ListAuditEntriesByJobParams are the parameters of the operation listAuditEntriesByJob. What is empty or 0 is left out.
type ListAuditEntriesByJobParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`; the first when it is left out. With `updatedSince` it is
	// `createdAt`.
	Sort string
}

func (p ListAuditEntriesByJobParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListAuditEntriesByJob is GET /api/audit/job/{id}: list the audit trail of a job. It needs the permission read.
func (c *Client) ListAuditEntriesByJob(ctx context.Context, id string, params ListAuditEntriesByJobParams, options ...Option) (answer []AuditEntry, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/audit/job/" + url.PathEscape(id), query: params.values()}, &answer, options)
	return answer, err
}

// ListAuditEntriesBySerialParams are the parameters of the operation listAuditEntriesBySerial. What is empty or 0 is left out.
type ListAuditEntriesBySerialParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`; the first when it is left out. With `updatedSince` it is
	// `createdAt`.
	Sort string
}

func (p ListAuditEntriesBySerialParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListAuditEntriesBySerial is GET /api/audit/serial/{id}: list the audit trail of a serial. It needs the permission read.
func (c *Client) ListAuditEntriesBySerial(ctx context.Context, id string, params ListAuditEntriesBySerialParams, options ...Option) (answer []AuditEntry, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/audit/serial/" + url.PathEscape(id), query: params.values()}, &answer, options)
	return answer, err
}

// ListBackupsParams are the parameters of the operation listBackups. What is empty or 0 is left out.
type ListBackupsParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// The order, one of `-createdAt`, `createdAt`; the first when it is left out.
	Sort string
}

func (p ListBackupsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "sort", p.Sort)
	return values
}

// ListBackups is GET /api/backups: list the backups. It needs the permission admin.
func (c *Client) ListBackups(ctx context.Context, params ListBackupsParams, options ...Option) (answer Backups, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/backups", query: params.values()}, &answer, options)
	return answer, err
}

// ListBaselinesParams are the parameters of the operation listBaselines. What is empty or 0 is left out.
type ListBaselinesParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListBaselinesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListBaselines is GET /api/characteristics/{id}/baseline: list the frozen control limits of a characteristic. It needs the permission read.
func (c *Client) ListBaselines(ctx context.Context, id string, params ListBaselinesParams, options ...Option) (answer []Baseline, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/characteristics/" + url.PathEscape(id) + "/baseline", query: params.values()}, &answer, options)
	return answer, err
}

// ListBomVersionsParams are the parameters of the operation listBomVersions. What is empty or 0 is left out.
type ListBomVersionsParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListBomVersionsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListBomVersions is GET /api/bom/{id}/versions: list the versions of a bill of materials. It needs the permission read.
func (c *Client) ListBomVersions(ctx context.Context, id string, params ListBomVersionsParams, options ...Option) (answer []BomVersion, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/bom/" + url.PathEscape(id) + "/versions", query: params.values()}, &answer, options)
	return answer, err
}

// ListBomsParams are the parameters of the operation listBoms. What is empty or 0 is left out.
type ListBomsParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListBomsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListBoms is GET /api/bom: list bills of materials. It needs the permission read.
func (c *Client) ListBoms(ctx context.Context, params ListBomsParams, options ...Option) (answer []Bom, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/bom", query: params.values()}, &answer, options)
	return answer, err
}

// ListCalibrationsParams are the parameters of the operation listCalibrations. What is empty or 0 is left out.
type ListCalibrationsParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListCalibrationsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListCalibrations is GET /api/instruments/{id}/calibrations: list the calibrations of an instrument. It needs the permission read.
func (c *Client) ListCalibrations(ctx context.Context, id string, params ListCalibrationsParams, options ...Option) (answer []Calibration, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/instruments/" + url.PathEscape(id) + "/calibrations", query: params.values()}, &answer, options)
	return answer, err
}

// ListCertificateAttachmentsParams are the parameters of the operation listCertificateAttachments. What is empty or 0 is left out.
type ListCertificateAttachmentsParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListCertificateAttachmentsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListCertificateAttachments is GET /api/certs/{id}/attachments: list where a certificate is attached. It needs the permission read.
func (c *Client) ListCertificateAttachments(ctx context.Context, id string, params ListCertificateAttachmentsParams, options ...Option) (answer []CertAttachment, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/certs/" + url.PathEscape(id) + "/attachments", query: params.values()}, &answer, options)
	return answer, err
}

// ListCertificatesParams are the parameters of the operation listCertificates. What is empty or 0 is left out.
type ListCertificatesParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListCertificatesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListCertificates is GET /api/certs: list certificates. It needs the permission read.
func (c *Client) ListCertificates(ctx context.Context, params ListCertificatesParams, options ...Option) (answer []Certificate, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/certs", query: params.values()}, &answer, options)
	return answer, err
}

// ListComponentsParams are the parameters of the operation listComponents. What is empty or 0 is left out.
type ListComponentsParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListComponentsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListComponents is GET /api/serials/{id}/components: list the components of a serial. It needs the permission read.
func (c *Client) ListComponents(ctx context.Context, id string, params ListComponentsParams, options ...Option) (answer []Component, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/components", query: params.values()}, &answer, options)
	return answer, err
}

// ListConformancesParams are the parameters of the operation listConformances. What is empty or 0 is left out.
type ListConformancesParams struct {
	// A text in the customer, order number or id, in upper or lower case.
	Q string
	// Only certificates whose newest revision has this status.
	Status string
	// Only certificates for this customer.
	Customer string
	// Only certificates whose newest revision has units of this job.
	JobID string
	// Only certificates whose newest revision has this serial.
	SerialID string
	// The id of the last record of the page in front of this one; with `sort` or `updatedSince` what `next` was in
	// its answer. `Link` in it has either.
	After string
	// Another name of `after`, of which one may be given.
	Before string
	// The most certificates to respond with; 50 when it is left out or 0. A number above 500 counts as 500.
	Limit int64
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListConformancesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "status", p.Status)
	setParam(values, "customer", p.Customer)
	setParam(values, "jobId", p.JobID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "after", p.After)
	setParam(values, "before", p.Before)
	setParam(values, "limit", p.Limit)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListConformances is GET /api/conformances: list certificates of conformance. It needs the permission read.
func (c *Client) ListConformances(ctx context.Context, params ListConformancesParams, options ...Option) (answer ConformancePage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/conformances", query: params.values()}, &answer, options)
	return answer, err
}

// ListFilesOfCertParams are the parameters of the operation listFilesOfCert. What is empty or 0 is left out.
type ListFilesOfCertParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListFilesOfCertParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListFilesOfCert is GET /api/certs/{id}/files: list the files of a certificate. It needs the permission read.
func (c *Client) ListFilesOfCert(ctx context.Context, id string, params ListFilesOfCertParams, options ...Option) (answer []FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/certs/" + url.PathEscape(id) + "/files", query: params.values()}, &answer, options)
	return answer, err
}

// ListFilesOfInstrumentParams are the parameters of the operation listFilesOfInstrument. What is empty or 0 is left out.
type ListFilesOfInstrumentParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListFilesOfInstrumentParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListFilesOfInstrument is GET /api/instruments/{id}/files: list the files of an instrument. It needs the permission read.
func (c *Client) ListFilesOfInstrument(ctx context.Context, id string, params ListFilesOfInstrumentParams, options ...Option) (answer []FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/instruments/" + url.PathEscape(id) + "/files", query: params.values()}, &answer, options)
	return answer, err
}

// ListFilesOfJobParams are the parameters of the operation listFilesOfJob. What is empty or 0 is left out.
type ListFilesOfJobParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListFilesOfJobParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListFilesOfJob is GET /api/jobs/{id}/files: list the files of a job. It needs the permission read.
func (c *Client) ListFilesOfJob(ctx context.Context, id string, params ListFilesOfJobParams, options ...Option) (answer []FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/jobs/" + url.PathEscape(id) + "/files", query: params.values()}, &answer, options)
	return answer, err
}

// ListFilesOfLotParams are the parameters of the operation listFilesOfLot. What is empty or 0 is left out.
type ListFilesOfLotParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListFilesOfLotParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListFilesOfLot is GET /api/lots/{id}/files: list the files of a lot. It needs the permission read.
func (c *Client) ListFilesOfLot(ctx context.Context, id string, params ListFilesOfLotParams, options ...Option) (answer []FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/lots/" + url.PathEscape(id) + "/files", query: params.values()}, &answer, options)
	return answer, err
}

// ListFilesOfNonconformanceParams are the parameters of the operation listFilesOfNonconformance. What is empty or 0 is left out.
type ListFilesOfNonconformanceParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListFilesOfNonconformanceParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListFilesOfNonconformance is GET /api/nonconformances/{id}/files: list the files of a report. It needs the permission read.
func (c *Client) ListFilesOfNonconformance(ctx context.Context, id string, params ListFilesOfNonconformanceParams, options ...Option) (answer []FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/nonconformances/" + url.PathEscape(id) + "/files", query: params.values()}, &answer, options)
	return answer, err
}

// ListFilesOfSerialParams are the parameters of the operation listFilesOfSerial. What is empty or 0 is left out.
type ListFilesOfSerialParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListFilesOfSerialParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListFilesOfSerial is GET /api/serials/{id}/files: list the files of a serial. It needs the permission read.
func (c *Client) ListFilesOfSerial(ctx context.Context, id string, params ListFilesOfSerialParams, options ...Option) (answer []FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/files", query: params.values()}, &answer, options)
	return answer, err
}

// ListFilesOfStepParams are the parameters of the operation listFilesOfStep. What is empty or 0 is left out.
type ListFilesOfStepParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListFilesOfStepParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListFilesOfStep is GET /api/steps/{id}/files: list the files of a step. It needs the permission read.
func (c *Client) ListFilesOfStep(ctx context.Context, id string, params ListFilesOfStepParams, options ...Option) (answer []FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/steps/" + url.PathEscape(id) + "/files", query: params.values()}, &answer, options)
	return answer, err
}

// ListFirstArticlesParams are the parameters of the operation listFirstArticles. What is empty or 0 is left out.
type ListFirstArticlesParams struct {
	// A text in the id, the identifier or the part number, in upper or lower case.
	Q string
	// Only those of this part.
	PartNumber string
	// Only those of this job.
	JobID string
	// Only those of this path.
	PathID string
	// Only those of this serial.
	SerialID string
	// Only those with this status.
	Status string
	// The id of the last record of the page in front of this one; with `sort` or `updatedSince` what `next` was in
	// its answer. `Link` in it has either.
	After string
	// Another name of `after`, of which one may be given.
	Before string
	// The most first articles to respond with; 50 when it is left out or 0. A number above 500 counts as 500.
	Limit int64
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListFirstArticlesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "jobId", p.JobID)
	setParam(values, "pathId", p.PathID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "status", p.Status)
	setParam(values, "after", p.After)
	setParam(values, "before", p.Before)
	setParam(values, "limit", p.Limit)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListFirstArticles is GET /api/first-articles: list first articles. It needs the permission read.
func (c *Client) ListFirstArticles(ctx context.Context, params ListFirstArticlesParams, options ...Option) (answer FirstArticlePage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/first-articles", query: params.values()}, &answer, options)
	return answer, err
}

// ListHoldsParams are the parameters of the operation listHolds. What is empty or 0 is left out.
type ListHoldsParams struct {
	// With `true` only holds that are not released.
	Open string
	// The id of the last record of the page in front of this one; with `sort` or `updatedSince` what `next` was in
	// its answer. `Link` in it has either.
	After string
	// Another name of `after`, of which one may be given.
	Before string
	// The most holds to answer; 50 when it is left out or 0. A number above 500 counts as 500.
	Limit int64
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListHoldsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "open", p.Open)
	setParam(values, "after", p.After)
	setParam(values, "before", p.Before)
	setParam(values, "limit", p.Limit)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListHolds is GET /api/holds: list holds. It needs the permission read.
func (c *Client) ListHolds(ctx context.Context, params ListHoldsParams, options ...Option) (answer HoldPage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/holds", query: params.values()}, &answer, options)
	return answer, err
}

// ListHoldsOfLot is GET /api/lots/{id}/holds: list the holds of a lot. It needs the permission read.
func (c *Client) ListHoldsOfLot(ctx context.Context, id string, options ...Option) (answer []LotHold, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/lots/" + url.PathEscape(id) + "/holds"}, &answer, options)
	return answer, err
}

// ListHoldsOfSerialParams are the parameters of the operation listHoldsOfSerial. What is empty or 0 is left out.
type ListHoldsOfSerialParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListHoldsOfSerialParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListHoldsOfSerial is GET /api/serials/{id}/holds: list the holds of a serial. It needs the permission read.
func (c *Client) ListHoldsOfSerial(ctx context.Context, id string, params ListHoldsOfSerialParams, options ...Option) (answer []Hold, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/holds", query: params.values()}, &answer, options)
	return answer, err
}

// ListInstrumentsParams are the parameters of the operation listInstruments. What is empty or 0 is left out.
type ListInstrumentsParams struct {
	// A text in the number, the name or the external identifier, in upper or lower case.
	Q string
	// Only instruments in this state.
	State string
	// The id of the last record of the page in front of this one; with `sort` or `updatedSince` what `next` was in
	// its answer. `Link` in it has either.
	After string
	// Another name of `after`, of which one may be given.
	Before string
	// The most instruments to answer; 50 when it is left out or 0. A number above 500 counts as 500.
	Limit int64
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListInstrumentsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "state", p.State)
	setParam(values, "after", p.After)
	setParam(values, "before", p.Before)
	setParam(values, "limit", p.Limit)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListInstruments is GET /api/instruments: list instruments. It needs the permission read.
func (c *Client) ListInstruments(ctx context.Context, params ListInstrumentsParams, options ...Option) (answer InstrumentPage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/instruments", query: params.values()}, &answer, options)
	return answer, err
}

// ListJobsParams are the parameters of the operation listJobs. What is empty or 0 is left out.
type ListJobsParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
	// `true` for closed jobs only, `false` for open ones only; all when it is left out.
	Closed string
}

func (p ListJobsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	setParam(values, "closed", p.Closed)
	return values
}

// ListJobs is GET /api/jobs: list jobs. It needs the permission read.
func (c *Client) ListJobs(ctx context.Context, params ListJobsParams, options ...Option) (answer []Job, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/jobs", query: params.values()}, &answer, options)
	return answer, err
}

// ListLinesOfShipmentParams are the parameters of the operation listLinesOfShipment. What is empty or 0 is left out.
type ListLinesOfShipmentParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// The order, one of `createdAt`, `-createdAt`, by the number of the unit; the first when it is left out.
	Sort string
}

func (p ListLinesOfShipmentParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "sort", p.Sort)
	return values
}

// ListLinesOfShipment is GET /api/shipments/{id}/lines: list the units of a shipment. It needs the permission read.
func (c *Client) ListLinesOfShipment(ctx context.Context, id string, params ListLinesOfShipmentParams, options ...Option) (answer []ShipmentLine, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/shipments/" + url.PathEscape(id) + "/lines", query: params.values()}, &answer, options)
	return answer, err
}

// ListLocationsParams are the parameters of the operation listLocations. What is empty or 0 is left out.
type ListLocationsParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `name`, `-name`, `updatedAt`, `-updatedAt`; the first when it is left out, or `updatedAt`
	// with `updatedSince`.
	Sort string
}

func (p ListLocationsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListLocations is GET /api/library/locations: list the names of locations. It needs the permission read.
func (c *Client) ListLocations(ctx context.Context, params ListLocationsParams, options ...Option) (answer []LocationLibraryEntry, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/library/locations", query: params.values()}, &answer, options)
	return answer, err
}

// ListLotsParams are the parameters of the operation listLots. What is empty or 0 is left out.
type ListLotsParams struct {
	// A text in the number, material, part number, heat number, supplier lot, supplier, order number or code, in
	// upper or lower case.
	Q string
	// Only lots of this part.
	PartNumber string
	// Only lots of this heat, in upper or lower case.
	HeatNumber string
	// Only lots from this supplier.
	Supplier string
	// true for only lots on hold, themselves or through a lot that they were split from.
	Held bool
	// The id of the last record of the page in front of this one; with `sort` or `updatedSince` what `next` was in
	// its answer. `Link` in it has either.
	After string
	// Another name of `after`, of which one may be given.
	Before string
	// The most lots to respond with; 50 when it is left out or 0. A number above 500 counts as 500.
	Limit int64
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListLotsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "heatNumber", p.HeatNumber)
	setParam(values, "supplier", p.Supplier)
	setParam(values, "held", p.Held)
	setParam(values, "after", p.After)
	setParam(values, "before", p.Before)
	setParam(values, "limit", p.Limit)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListLots is GET /api/lots: list lots. It needs the permission read.
func (c *Client) ListLots(ctx context.Context, params ListLotsParams, options ...Option) (answer LotPage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/lots", query: params.values()}, &answer, options)
	return answer, err
}

// ListMeasurementsParams are the parameters of the operation listMeasurements. What is empty or 0 is left out.
type ListMeasurementsParams struct {
	// Only readings of this characteristic.
	CharacteristicID string
	// Only readings at this step.
	StepID string
	// Only readings of units of this job.
	JobID string
	// Only readings of this serial.
	SerialID string
	// Only readings with this instrument.
	InstrumentID string
	// Only readings with this verdict, which is pass, fail or recorded.
	Verdict string
	// Only readings of this moment and later.
	From string
	// Only readings until this moment.
	To string
	// The id of the last record of the page in front of this one; with `sort` or `updatedSince` what `next` was in
	// its answer. `Link` in it has either.
	After string
	// Another name of `after`, of which one may be given.
	Before string
	// The most readings to answer; 50 when it is left out or 0. A number above 500 counts as 500.
	Limit int64
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListMeasurementsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "characteristicId", p.CharacteristicID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "jobId", p.JobID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "instrumentId", p.InstrumentID)
	setParam(values, "verdict", p.Verdict)
	setParam(values, "from", p.From)
	setParam(values, "to", p.To)
	setParam(values, "after", p.After)
	setParam(values, "before", p.Before)
	setParam(values, "limit", p.Limit)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListMeasurements is GET /api/measurements: list readings. It needs the permission read.
func (c *Client) ListMeasurements(ctx context.Context, params ListMeasurementsParams, options ...Option) (answer MeasurementPage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/measurements", query: params.values()}, &answer, options)
	return answer, err
}

// ListMeasurementsOfSerialParams are the parameters of the operation listMeasurementsOfSerial. What is empty or 0 is left out.
type ListMeasurementsOfSerialParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListMeasurementsOfSerialParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListMeasurementsOfSerial is GET /api/serials/{id}/measurements: list the readings of a serial. It needs the permission read.
func (c *Client) ListMeasurementsOfSerial(ctx context.Context, id string, params ListMeasurementsOfSerialParams, options ...Option) (answer []Measurement, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/measurements", query: params.values()}, &answer, options)
	return answer, err
}

// ListNonconformancesParams are the parameters of the operation listNonconformances. What is empty or 0 is left out.
type ListNonconformancesParams struct {
	// Only reports with this status; anything else finds none.
	Status NonconformanceStatus
	// Only reports with this serial on them.
	SerialID string
	// Only reports with a serial of this job on them.
	JobID string
	// The id of the last record of the page in front of this one; with `sort` or `updatedSince` what `next` was in
	// its answer. `Link` in it has either.
	After string
	// Another name of `after`, of which one may be given.
	Before string
	// The most reports to answer; 50 when it is left out or 0. A number above 500 counts as 500.
	Limit int64
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`; the first when it is left out. With `updatedSince` it is
	// `updatedAt`.
	Sort string
}

func (p ListNonconformancesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "status", p.Status)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "jobId", p.JobID)
	setParam(values, "after", p.After)
	setParam(values, "before", p.Before)
	setParam(values, "limit", p.Limit)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListNonconformances is GET /api/nonconformances: list nonconformances. It needs the permission read.
func (c *Client) ListNonconformances(ctx context.Context, params ListNonconformancesParams, options ...Option) (answer NonconformancePage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/nonconformances", query: params.values()}, &answer, options)
	return answer, err
}

// ListNotesBySerialParams are the parameters of the operation listNotesBySerial. What is empty or 0 is left out.
type ListNotesBySerialParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListNotesBySerialParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListNotesBySerial is GET /api/notes/serial/{id}: list the notes on a serial. It needs the permission read.
func (c *Client) ListNotesBySerial(ctx context.Context, id string, params ListNotesBySerialParams, options ...Option) (answer []StepNote, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/notes/serial/" + url.PathEscape(id), query: params.values()}, &answer, options)
	return answer, err
}

// ListNotesByStepParams are the parameters of the operation listNotesByStep. What is empty or 0 is left out.
type ListNotesByStepParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListNotesByStepParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListNotesByStep is GET /api/notes/step/{id}: list the notes at a step. It needs the permission read.
func (c *Client) ListNotesByStep(ctx context.Context, id string, params ListNotesByStepParams, options ...Option) (answer []StepNote, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/notes/step/" + url.PathEscape(id), query: params.values()}, &answer, options)
	return answer, err
}

// ListOverridesParams are the parameters of the operation listOverrides. What is empty or 0 is left out.
type ListOverridesParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListOverridesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListOverrides is GET /api/serials/{id}/overrides: list the step overrides of a serial. It needs the permission read.
func (c *Client) ListOverrides(ctx context.Context, id string, params ListOverridesParams, options ...Option) (answer []Override, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/overrides", query: params.values()}, &answer, options)
	return answer, err
}

// ListProcessesParams are the parameters of the operation listProcesses. What is empty or 0 is left out.
type ListProcessesParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `name`, `-name`, `updatedAt`, `-updatedAt`; the first when it is left out, or `updatedAt`
	// with `updatedSince`.
	Sort string
}

func (p ListProcessesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListProcesses is GET /api/library/processes: list the names of processes. It needs the permission read.
func (c *Client) ListProcesses(ctx context.Context, params ListProcessesParams, options ...Option) (answer []ProcessLibraryEntry, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/library/processes", query: params.values()}, &answer, options)
	return answer, err
}

// ListReadingsOfInstrumentParams are the parameters of the operation listReadingsOfInstrument. What is empty or 0 is left out.
type ListReadingsOfInstrumentParams struct {
	// Only readings of this moment and later.
	Since string
	// The id of the last record of the page in front of this one; with `sort` or `updatedSince` what `next` was in
	// its answer. `Link` in it has either.
	After string
	// Another name of `after`, of which one may be given.
	Before string
	// The most readings to answer; 50 when it is left out or 0. A number above 500 counts as 500.
	Limit int64
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListReadingsOfInstrumentParams) values() url.Values {
	values := url.Values{}
	setParam(values, "since", p.Since)
	setParam(values, "after", p.After)
	setParam(values, "before", p.Before)
	setParam(values, "limit", p.Limit)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListReadingsOfInstrument is GET /api/instruments/{id}/readings: list what was measured with an instrument. It needs the permission read.
func (c *Client) ListReadingsOfInstrument(ctx context.Context, id string, params ListReadingsOfInstrumentParams, options ...Option) (answer MeasurementPage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/instruments/" + url.PathEscape(id) + "/readings", query: params.values()}, &answer, options)
	return answer, err
}

// ListSerialsParams are the parameters of the operation listSerials. What is empty or 0 is left out.
type ListSerialsParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `updatedAt`; the first when it is left out, or `updatedAt` with `updatedSince`.
	Sort string
	// Only the units of a job.
	JobID string
	// Only the units of a path.
	PathID string
	// Only the units with a status: in_progress, completed or scrapped.
	Status string
}

func (p ListSerialsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	setParam(values, "jobId", p.JobID)
	setParam(values, "pathId", p.PathID)
	setParam(values, "status", p.Status)
	return values
}

// ListSerials is GET /api/serials: list serials. It needs the permission read.
func (c *Client) ListSerials(ctx context.Context, params ListSerialsParams, options ...Option) (answer []SerialListItem, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials", query: params.values()}, &answer, options)
	return answer, err
}

// ListShipmentsParams are the parameters of the operation listShipments. What is empty or 0 is left out.
type ListShipmentsParams struct {
	// A text in the supplier, customer, order number or id, in upper or lower case.
	Q string
	// Only shipments of this kind.
	Kind string
	// Only shipments with this status.
	Status string
	// Only shipments to this supplier.
	Supplier string
	// Only shipments to this customer.
	Customer string
	// Only shipments of this serial.
	SerialID string
	// The id of the last record of the page in front of this one; with `sort` or `updatedSince` what `next` was in
	// its answer. `Link` in it has either.
	After string
	// Another name of `after`, of which one may be given.
	Before string
	// The most shipments to respond with; 50 when it is left out or 0. A number above 500 counts as 500.
	Limit int64
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListShipmentsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "kind", p.Kind)
	setParam(values, "status", p.Status)
	setParam(values, "supplier", p.Supplier)
	setParam(values, "customer", p.Customer)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "after", p.After)
	setParam(values, "before", p.Before)
	setParam(values, "limit", p.Limit)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListShipments is GET /api/shipments: list shipments. It needs the permission read.
func (c *Client) ListShipments(ctx context.Context, params ListShipmentsParams, options ...Option) (answer ShipmentPage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/shipments", query: params.values()}, &answer, options)
	return answer, err
}

// ListTemplatesParams are the parameters of the operation listTemplates. What is empty or 0 is left out.
type ListTemplatesParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListTemplatesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListTemplates is GET /api/templates: list route templates. It needs the permission read.
func (c *Client) ListTemplates(ctx context.Context, params ListTemplatesParams, options ...Option) (answer []TemplateRoute, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/templates", query: params.values()}, &answer, options)
	return answer, err
}

// ListTokensParams are the parameters of the operation listTokens. What is empty or 0 is left out.
type ListTokensParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `createdAt`, `-createdAt`, `updatedAt`, `-updatedAt`; the first when it is left out, or
	// `updatedAt` with `updatedSince`.
	Sort string
}

func (p ListTokensParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListTokens is GET /api/users/{id}/tokens: list tokens. It needs the permission signed-in.
func (c *Client) ListTokens(ctx context.Context, id string, params ListTokensParams, options ...Option) (answer []Token, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/users/" + url.PathEscape(id) + "/tokens", query: params.values()}, &answer, options)
	return answer, err
}

// ListTrackerTickets is GET /api/tracker/tickets: list tickets. It needs the permission read.
func (c *Client) ListTrackerTickets(ctx context.Context, options ...Option) (answer []TrackerTicket, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/tracker/tickets"}, &answer, options)
	return answer, err
}

// ListUnitsOfConformanceParams are the parameters of the operation listUnitsOfConformance. What is empty or 0 is left out.
type ListUnitsOfConformanceParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// The order, one of `createdAt`, `-createdAt`, by the number of the unit; the first when it is left out.
	Sort string
}

func (p ListUnitsOfConformanceParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "sort", p.Sort)
	return values
}

// ListUnitsOfConformance is GET /api/conformances/{id}/units: list the units of a certificate of conformance. It needs the permission read.
func (c *Client) ListUnitsOfConformance(ctx context.Context, id string, params ListUnitsOfConformanceParams, options ...Option) (answer []ConformanceUnit, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/conformances/" + url.PathEscape(id) + "/units", query: params.values()}, &answer, options)
	return answer, err
}

// ListUsersParams are the parameters of the operation listUsers. What is empty or 0 is left out.
type ListUsersParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `name`, `-name`, `updatedAt`, `-updatedAt`; the first when it is left out, or `updatedAt`
	// with `updatedSince`.
	Sort string
}

func (p ListUsersParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// ListUsers is GET /api/users: list the active operators. It needs the permission read.
func (c *Client) ListUsers(ctx context.Context, params ListUsersParams, options ...Option) (answer []User, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/users", query: params.values()}, &answer, options)
	return answer, err
}

// ListUsesOfLotParams are the parameters of the operation listUsesOfLot. What is empty or 0 is left out.
type ListUsesOfLotParams struct {
	// The moment; now when it is left out. An installation counts from `installedAt` until before `removedAt`, a
	// voided one never.
	At string
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// The order: `createdAt`, by number, which is that of the whole list; or `-createdAt`, backwards.
	Sort string
}

func (p ListUsesOfLotParams) values() url.Values {
	values := url.Values{}
	setParam(values, "at", p.At)
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "sort", p.Sort)
	return values
}

// ListUsesOfLot is GET /api/lots/{id}/where-used: list what contains a lot. It needs the permission read.
func (c *Client) ListUsesOfLot(ctx context.Context, id string, params ListUsesOfLotParams, options ...Option) (answer []Use, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/lots/" + url.PathEscape(id) + "/where-used", query: params.values()}, &answer, options)
	return answer, err
}

// ListUsesOfSerialParams are the parameters of the operation listUsesOfSerial. What is empty or 0 is left out.
type ListUsesOfSerialParams struct {
	// The moment; now when it is left out. An installation counts from `installedAt` until before `removedAt`, a
	// voided one never.
	At string
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// The order: `createdAt`, by number, which is that of the whole list; or `-createdAt`, backwards.
	Sort string
}

func (p ListUsesOfSerialParams) values() url.Values {
	values := url.Values{}
	setParam(values, "at", p.At)
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "sort", p.Sort)
	return values
}

// ListUsesOfSerial is GET /api/serials/{id}/where-used: list what contains a serial. It needs the permission read.
func (c *Client) ListUsesOfSerial(ctx context.Context, id string, params ListUsesOfSerialParams, options ...Option) (answer []Use, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/where-used", query: params.values()}, &answer, options)
	return answer, err
}

// ListVisitsParams are the parameters of the operation listVisits. What is empty or 0 is left out.
type ListVisitsParams struct {
	// How many rows a page has at most, 1 to 1,000. With any parameter of pages and without this one it is 1,000;
	// without all of them the whole list answers.
	Limit int64
	// Where the page begins; take it from the `Link` of the page before. It belongs to one list, its order and its
	// filters.
	After string
	// The order, one of `createdAt`, `-createdAt`; the first when it is left out.
	Sort string
}

func (p ListVisitsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "limit", p.Limit)
	setParam(values, "after", p.After)
	setParam(values, "sort", p.Sort)
	return values
}

// ListVisits is GET /api/serials/{id}/steps: list when a serial came to each step and left it. It needs the permission read.
func (c *Client) ListVisits(ctx context.Context, id string, params ListVisitsParams, options ...Option) (answer []Visit, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/steps", query: params.values()}, &answer, options)
	return answer, err
}

// NewBadge is PUT /api/users/{id}/badge: make a new badge. It needs the permission signed-in.
func (c *Client) NewBadge(ctx context.Context, id string, body json.RawMessage, options ...Option) (answer Badge, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/users/" + url.PathEscape(id) + "/badge", body: body}, &answer, options)
	return answer, err
}

// NewRecoveryCodes is POST /api/me/recovery-codes: make new recovery codes. It needs the permission signed-in.
func (c *Client) NewRecoveryCodes(ctx context.Context, body Confirmation, options ...Option) (answer RecoveryCodes, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/me/recovery-codes", body: body}, &answer, options)
	return answer, err
}

// OpenNonconformance is POST /api/nonconformances: open a nonconformance. It needs the permission work.
func (c *Client) OpenNonconformance(ctx context.Context, body OpenNonconformanceRequest, options ...Option) (answer Nonconformance, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/nonconformances", body: body, keyed: true}, &answer, options)
	return answer, err
}

// PreviewConformanceDossierParams are the parameters of the operation previewConformanceDossier. What is empty or 0 is left out.
type PreviewConformanceDossierParams struct {
	// As for the dossier.
	Size int64
	// As for the dossier.
	Include string
	// As for the dossier.
	Lang string
}

func (p PreviewConformanceDossierParams) values() url.Values {
	values := url.Values{}
	setParam(values, "size", p.Size)
	setParam(values, "include", p.Include)
	setParam(values, "lang", p.Lang)
	return values
}

// PreviewConformanceDossier is GET /api/conformances/{id}/dossier: preview the dossier of a certificate of conformance. It needs the permission read.
func (c *Client) PreviewConformanceDossier(ctx context.Context, id string, params PreviewConformanceDossierParams, options ...Option) (answer DossierPreview, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/conformances/" + url.PathEscape(id) + "/dossier", query: params.values()}, &answer, options)
	return answer, err
}

// PreviewFirstArticleDossierParams are the parameters of the operation previewFirstArticleDossier. What is empty or 0 is left out.
type PreviewFirstArticleDossierParams struct {
	// As for the dossier.
	Size int64
	// As for the dossier.
	Include string
	// As for the dossier.
	Lang string
}

func (p PreviewFirstArticleDossierParams) values() url.Values {
	values := url.Values{}
	setParam(values, "size", p.Size)
	setParam(values, "include", p.Include)
	setParam(values, "lang", p.Lang)
	return values
}

// PreviewFirstArticleDossier is GET /api/first-articles/{id}/dossier: preview the dossier of a first article inspection. It needs the permission read.
func (c *Client) PreviewFirstArticleDossier(ctx context.Context, id string, params PreviewFirstArticleDossierParams, options ...Option) (answer DossierPreview, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/first-articles/" + url.PathEscape(id) + "/dossier", query: params.values()}, &answer, options)
	return answer, err
}

// PreviewJobDossierParams are the parameters of the operation previewJobDossier. What is empty or 0 is left out.
type PreviewJobDossierParams struct {
	// As for the dossier.
	Size int64
	// As for the dossier.
	Include string
	// As for the dossier.
	Lang string
}

func (p PreviewJobDossierParams) values() url.Values {
	values := url.Values{}
	setParam(values, "size", p.Size)
	setParam(values, "include", p.Include)
	setParam(values, "lang", p.Lang)
	return values
}

// PreviewJobDossier is GET /api/jobs/{id}/dossier: preview the dossier of a job. It needs the permission read.
func (c *Client) PreviewJobDossier(ctx context.Context, id string, params PreviewJobDossierParams, options ...Option) (answer DossierPreview, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/jobs/" + url.PathEscape(id) + "/dossier", query: params.values()}, &answer, options)
	return answer, err
}

// PreviewSerialDossierParams are the parameters of the operation previewSerialDossier. What is empty or 0 is left out.
type PreviewSerialDossierParams struct {
	// As for the dossier.
	Size int64
	// As for the dossier.
	Include string
	// As for the dossier.
	Lang string
}

func (p PreviewSerialDossierParams) values() url.Values {
	values := url.Values{}
	setParam(values, "size", p.Size)
	setParam(values, "include", p.Include)
	setParam(values, "lang", p.Lang)
	return values
}

// PreviewSerialDossier is GET /api/serials/{id}/dossier: preview the dossier of a serial. It needs the permission read.
func (c *Client) PreviewSerialDossier(ctx context.Context, id string, params PreviewSerialDossierParams, options ...Option) (answer DossierPreview, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/" + url.PathEscape(id) + "/dossier", query: params.values()}, &answer, options)
	return answer, err
}

// PushTrackerComment is POST /api/tracker/comment: push a comment to a ticket. It needs the permission plan.
func (c *Client) PushTrackerComment(ctx context.Context, body PushTrackerCommentRequest, options ...Option) (answer PushedComment, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/tracker/comment", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ReceiveLot is POST /api/lots/{id}/receive: receive more of a lot. It needs the permission work.
func (c *Client) ReceiveLot(ctx context.Context, id string, body ReceiveLotRequest, options ...Option) (answer Lot, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/lots/" + url.PathEscape(id) + "/receive", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ReceiveShipment is POST /api/shipments/{id}/receive: receive units of a shipment. It needs the permission work.
func (c *Client) ReceiveShipment(ctx context.Context, id string, body ReceiveShipmentRequest, options ...Option) (answer Receipt, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/shipments/" + url.PathEscape(id) + "/receive", body: body, keyed: true}, &answer, options)
	return answer, err
}

// RecordCustomerApproval is POST /api/first-articles/{id}/customer-approval: record the approval by the customer. It needs the permission decide.
func (c *Client) RecordCustomerApproval(ctx context.Context, id string, body CustomerApprovalRequest, options ...Option) (answer FirstArticle, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/first-articles/" + url.PathEscape(id) + "/customer-approval", body: body, keyed: true}, &answer, options)
	return answer, err
}

// RecordMeasurements is POST /api/serials/{id}/measurements: record readings of a serial. It needs the permission work.
func (c *Client) RecordMeasurements(ctx context.Context, id string, body RecordMeasurementsRequest, options ...Option) (answer []Measurement, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/measurements", body: body, keyed: true}, &answer, options)
	return answer, err
}

// RegisterPasskey is POST /api/me/passkeys: register a passkey. It needs the permission entering.
func (c *Client) RegisterPasskey(ctx context.Context, body RegisterPasskeyRequest, options ...Option) (answer Passkey, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/me/passkeys", body: body}, &answer, options)
	return answer, err
}

// ReissueConformance is POST /api/conformances/{id}/reissue: issue the next revision of a certificate of conformance. It needs the permission decide.
func (c *Client) ReissueConformance(ctx context.Context, id string, body ReissueConformanceRequest, options ...Option) (answer Conformance, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/conformances/" + url.PathEscape(id) + "/reissue", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ReleaseLot is POST /api/lots/{id}/release: release a hold of a lot. It needs the permission decide.
func (c *Client) ReleaseLot(ctx context.Context, id string, body ReleaseSerialRequest, options ...Option) (answer LotHold, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/lots/" + url.PathEscape(id) + "/release", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ReleaseSerial is POST /api/serials/{id}/release: release a hold. It needs the permission decide.
func (c *Client) ReleaseSerial(ctx context.Context, id string, body ReleaseSerialRequest, options ...Option) (answer Hold, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/release", body: body, keyed: true}, &answer, options)
	return answer, err
}

// RemoveComponent is POST /api/serials/{id}/components/{componentId}/remove: remove a component. It needs the permission work.
func (c *Client) RemoveComponent(ctx context.Context, id string, componentID string, body RemoveComponentRequest, options ...Option) (answer Component, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/components/" + url.PathEscape(componentID) + "/remove", body: body, keyed: true}, &answer, options)
	return answer, err
}

// RemoveOneTimeCodes is DELETE /api/me/one-time-codes: remove the one-time codes. It needs the permission signed-in.
func (c *Client) RemoveOneTimeCodes(ctx context.Context, body Confirmation, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodDelete, path: "/api/me/one-time-codes", body: body}, &answer, options)
	return answer, err
}

// RemovePasskey is DELETE /api/me/passkeys/{passkeyId}: remove a passkey. It needs the permission signed-in.
func (c *Client) RemovePasskey(ctx context.Context, passkeyID string, body Confirmation, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodDelete, path: "/api/me/passkeys/" + url.PathEscape(passkeyID), body: body}, &answer, options)
	return answer, err
}

// RemoveSecondFactors is DELETE /api/users/{id}/second-factors: remove the second factors of somebody else. It needs the permission admin.
func (c *Client) RemoveSecondFactors(ctx context.Context, id string, body Confirmation, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodDelete, path: "/api/users/" + url.PathEscape(id) + "/second-factors", body: body}, &answer, options)
	return answer, err
}

// ReopenFirstArticle is POST /api/first-articles/{id}/reopen: reopen a verified first article. It needs the permission decide.
func (c *Client) ReopenFirstArticle(ctx context.Context, id string, body VoidRequest, options ...Option) (answer FirstArticle, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/first-articles/" + url.PathEscape(id) + "/reopen", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ReopenJob is POST /api/jobs/{id}/reopen: reopen a job. It needs the permission plan.
func (c *Client) ReopenJob(ctx context.Context, id string, body JobClosingRequest, options ...Option) (answer Job, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/jobs/" + url.PathEscape(id) + "/reopen", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ReplaceSteps is PUT /api/paths/{id}/steps: replace the steps of a path, matched by id. It needs the permission plan.
func (c *Client) ReplaceSteps(ctx context.Context, id string, body ReplaceStepsRequest, options ...Option) (answer Path, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/paths/" + url.PathEscape(id) + "/steps", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ResolveCodeParams are the parameters of the operation resolveCode. What is empty or 0 is left out.
type ResolveCodeParams struct {
	// The code as the scanner typed it, with or without a symbology identifier such as `]C1` in front.
	Code string
}

func (p ResolveCodeParams) values() url.Values {
	values := url.Values{}
	setParam(values, "code", p.Code)
	return values
}

// ResolveCode is GET /api/resolve: find what a code names. It needs the permission read.
func (c *Client) ResolveCode(ctx context.Context, params ResolveCodeParams, options ...Option) (answer Resolution, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/resolve", query: params.values()}, &answer, options)
	return answer, err
}

// RevokeToken is DELETE /api/users/{id}/tokens/{tokenId}: revoke a token. It needs the permission signed-in.
func (c *Client) RevokeToken(ctx context.Context, id string, tokenID string, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodDelete, path: "/api/users/" + url.PathEscape(id) + "/tokens/" + url.PathEscape(tokenID)}, &answer, options)
	return answer, err
}

// ReworkSerial is POST /api/serials/{id}/rework: send a serial back for rework. It needs the permission decide.
func (c *Client) ReworkSerial(ctx context.Context, id string, body ReworkSerialRequest, options ...Option) (answer SerialNumber, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/rework", body: body, keyed: true}, &answer, options)
	return answer, err
}

// ScrapSerial is POST /api/serials/{id}/scrap: scrap a serial. It needs the permission decide.
func (c *Client) ScrapSerial(ctx context.Context, id string, body ScrapSerialRequest, options ...Option) (answer SerialNumber, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/scrap", body: body, keyed: true}, &answer, options)
	return answer, err
}

// SearchAuditEntriesParams are the parameters of the operation searchAuditEntries. What is empty or 0 is left out.
type SearchAuditEntriesParams struct {
	// Only entries with this action. `serial_completed` also finds the `serial_advanced` entries that tell of a
	// completion by Advance to Step.
	Action string
	// Only entries of this acting user.
	UserID string
	// Only entries that name this serial.
	SerialID string
	// Only entries that name this job.
	JobID string
	// Only entries of this time or later.
	From string
	// Only entries before this time.
	Until string
	// The id of the last entry of the page in front of this one. `Link` in its answer has it.
	After string
	// Another name of `after`, of which one may be given.
	Before string
	// The most entries to answer; 50 when it is left out.
	Limit int64
}

func (p SearchAuditEntriesParams) values() url.Values {
	values := url.Values{}
	setParam(values, "action", p.Action)
	setParam(values, "userId", p.UserID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "jobId", p.JobID)
	setParam(values, "from", p.From)
	setParam(values, "until", p.Until)
	setParam(values, "after", p.After)
	setParam(values, "before", p.Before)
	setParam(values, "limit", p.Limit)
	return values
}

// SearchAuditEntries is GET /api/audit/search: search the audit trail. It needs the permission read.
func (c *Client) SearchAuditEntries(ctx context.Context, params SearchAuditEntriesParams, options ...Option) (answer []AuditEntry, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/audit/search", query: params.values()}, &answer, options)
	return answer, err
}

// SearchJobsParams are the parameters of the operation searchJobs. What is empty or 0 is left out.
type SearchJobsParams struct {
	// A part of the name, the part number, the order, the customer or the ticket, in any case.
	Q string
	// Some of `open` (fewer units than the goal are completed, and the job is not closed), `done` and `late`, with
	// commas between them. Jobs that have one of them are found.
	Status string
	// Only jobs with this part number, whatever the case of its letters A to Z; that of the tracker counts where a
	// job has no other.
	PartNumber string
	// Only jobs with this GTIN of 8, 12, 13 or 14 digits, however the job has it; a GTIN in the part number counts
	// where a job has no other.
	Gtin string
	// Only jobs for this customer, whatever the case of the letters A to Z.
	Customer string
	// Only jobs with this order, whatever the case of its letters A to Z.
	OrderNumber string
	// Only jobs that are due before this day.
	DueBefore string
	// Only jobs that are due after this day.
	DueAfter string
	// `true` for closed jobs only, `false` for open ones only; all when it is left out.
	Closed string
	// The order; `created`, newest first, when it is left out. With `updatedSince` it is `updated`, which only that
	// has. `urgency` and `name` read all jobs that the filters leave.
	Sort JobSort
	// What `next` was in the answer before, for the page behind it. The order must be the same.
	After string
	// The most jobs to answer; 50 when it is left out or 0. A number above 500 counts as 500.
	Limit int64
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
}

func (p SearchJobsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "status", p.Status)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "gtin", p.Gtin)
	setParam(values, "customer", p.Customer)
	setParam(values, "orderNumber", p.OrderNumber)
	setParam(values, "dueBefore", p.DueBefore)
	setParam(values, "dueAfter", p.DueAfter)
	setParam(values, "closed", p.Closed)
	setParam(values, "sort", p.Sort)
	setParam(values, "after", p.After)
	setParam(values, "limit", p.Limit)
	setParam(values, "updatedSince", p.UpdatedSince)
	return values
}

// SearchJobs is GET /api/jobs/search: search jobs. It needs the permission read.
func (c *Client) SearchJobs(ctx context.Context, params SearchJobsParams, options ...Option) (answer JobPage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/jobs/search", query: params.values()}, &answer, options)
	return answer, err
}

// SearchSerialsParams are the parameters of the operation searchSerials. What is empty or 0 is left out.
type SearchSerialsParams struct {
	// The beginning of the serial's id (`SN-0041`), the first digits of its number (`417`), any other code that names
	// one serial, as resolveCode reads it, or else a part of the name of its job or path, in any case.
	Q string
	// Only serials of this job.
	JobID string
	// Only serials of this path.
	PathID string
	// Only serials in progress that stand at this step.
	StepID string
	// Only serials in progress that stand at a step of exactly this name, on any path.
	Step string
	// Only serials with this status. `in-progress`, as lists write it, is understood too.
	Status SerialStatus
	// Only serials of jobs with this part number, whatever the case of its letters A to Z; that of the tracker counts
	// where a job has no other.
	PartNumber string
	// Only serials of jobs with this GTIN of 8, 12, 13 or 14 digits, however the job has it; a GTIN in the part
	// number counts where a job has no other.
	Gtin string
	// Only serials of jobs for this customer, whatever the case of the letters A to Z.
	Customer string
	// Only serials of jobs with this order, whatever the case of its letters A to Z.
	OrderNumber string
	// Only serials that have this own number or had it earlier, whatever the case of its letters A to Z.
	SerialNumber string
	// The id of the last record of the page in front of this one; with `sort` or `updatedSince` what `next` was in
	// its answer. `Link` in it has either.
	After string
	// Another name of `after`, of which one may be given.
	Before string
	// The most serials to answer; 50 when it is left out or 0. A number above 500 counts as 500.
	Limit int64
	// Only what was changed at this time or later, in the order of the changes. Send the time at which your last
	// reading began, such as the `Date` of its first answer, or the newest `updatedAt` that it had if it took less
	// than five minutes (of audit entries the newest `timestamp`): every change since is among the answers, and the
	// changes of the five minutes before come once more. Take a row over as it is. Deletions are not listed: read the
	// whole list from time to time, and delete the records that it no longer has.
	UpdatedSince string
	// The order, one of `-createdAt`, `createdAt`; the first when it is left out. With `updatedSince` it is
	// `updatedAt`.
	Sort string
}

func (p SearchSerialsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "q", p.Q)
	setParam(values, "jobId", p.JobID)
	setParam(values, "pathId", p.PathID)
	setParam(values, "stepId", p.StepID)
	setParam(values, "step", p.Step)
	setParam(values, "status", p.Status)
	setParam(values, "partNumber", p.PartNumber)
	setParam(values, "gtin", p.Gtin)
	setParam(values, "customer", p.Customer)
	setParam(values, "orderNumber", p.OrderNumber)
	setParam(values, "serialNumber", p.SerialNumber)
	setParam(values, "after", p.After)
	setParam(values, "before", p.Before)
	setParam(values, "limit", p.Limit)
	setParam(values, "updatedSince", p.UpdatedSince)
	setParam(values, "sort", p.Sort)
	return values
}

// SearchSerials is GET /api/serials/search: search serials. It needs the permission read.
func (c *Client) SearchSerials(ctx context.Context, params SearchSerialsParams, options ...Option) (answer SerialPage, err error) {
	err = c.call(ctx, request{method: http.MethodGet, path: "/api/serials/search", query: params.values()}, &answer, options)
	return answer, err
}

// SetAccessPolicy is PUT /api/settings/access: say who needs a second factor. It needs the permission admin.
func (c *Client) SetAccessPolicy(ctx context.Context, body AccessPolicyRequest, options ...Option) (answer AccessPolicy, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/settings/access", body: body}, &answer, options)
	return answer, err
}

// SetCharacteristics is PUT /api/steps/{id}/characteristics: set the characteristics of a step. It needs the permission plan.
func (c *Client) SetCharacteristics(ctx context.Context, id string, body SetCharacteristicsRequest, options ...Option) (answer CharacteristicSet, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/steps/" + url.PathEscape(id) + "/characteristics", body: body, keyed: true}, &answer, options)
	return answer, err
}

// SetLotExpiry is POST /api/lots/{id}/expiry: set the expiry of a lot. It needs the permission decide.
func (c *Client) SetLotExpiry(ctx context.Context, id string, body SetLotExpiryRequest, options ...Option) (answer Lot, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/lots/" + url.PathEscape(id) + "/expiry", body: body, keyed: true}, &answer, options)
	return answer, err
}

// SetNotices is PUT /api/settings/notices: set who gets notices. It needs the permission admin.
func (c *Client) SetNotices(ctx context.Context, body NoticesRequest, options ...Option) (answer Notices, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/settings/notices", body: body, keyed: true}, &answer, options)
	return answer, err
}

// SetOrganization is PUT /api/settings/organization: set the organization on papers. It needs the permission admin.
func (c *Client) SetOrganization(ctx context.Context, body OrganizationRequest, options ...Option) (answer Organization, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/settings/organization", body: body, keyed: true}, &answer, options)
	return answer, err
}

// SetPathBom is PUT /api/paths/{id}/bom: set the bill of materials of a path. It needs the permission plan.
func (c *Client) SetPathBom(ctx context.Context, id string, body SetPathBomRequest, options ...Option) (answer Path, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/paths/" + url.PathEscape(id) + "/bom", body: body, keyed: true}, &answer, options)
	return answer, err
}

// SetRequirements is PUT /api/steps/{id}/requirements: set the requirements of a step. It needs the permission plan.
func (c *Client) SetRequirements(ctx context.Context, id string, body SetRequirementsRequest, options ...Option) (answer RequirementSet, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/steps/" + url.PathEscape(id) + "/requirements", body: body, keyed: true}, &answer, options)
	return answer, err
}

// SetSerialNumber is PUT /api/serials/{id}/serial-number: give a serial its own number. It needs the permission work.
func (c *Client) SetSerialNumber(ctx context.Context, id string, body SetSerialNumberRequest, options ...Option) (answer SerialNumber, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/serials/" + url.PathEscape(id) + "/serial-number", body: body, keyed: true}, &answer, options)
	return answer, err
}

// SetSignaturePolicy is PUT /api/settings/signatures: say what has to be signed. It needs the permission admin.
func (c *Client) SetSignaturePolicy(ctx context.Context, body SignaturePolicyRequest, options ...Option) (answer SignaturePolicy, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/settings/signatures", body: body, keyed: true}, &answer, options)
	return answer, err
}

// SetUp is POST /api/setup: make the first administrator. It needs the permission anyone.
func (c *Client) SetUp(ctx context.Context, body SetUpRequest, options ...Option) (answer User, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/setup", body: body}, &answer, options)
	return answer, err
}

// SetUpOneTimeCodes is POST /api/me/one-time-codes: set up one-time codes. It needs the permission entering.
func (c *Client) SetUpOneTimeCodes(ctx context.Context, body Confirmation, options ...Option) (answer NewOneTimeCodes, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/me/one-time-codes", body: body}, &answer, options)
	return answer, err
}

// Sign is POST /api/signatures: sign. It needs the permission signed-in.
func (c *Client) Sign(ctx context.Context, body SignRequest, options ...Option) (answer IssuedSignature, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/signatures", body: body}, &answer, options)
	return answer, err
}

// SignIn is POST /api/sign-in: sign in. It needs the permission anyone.
func (c *Client) SignIn(ctx context.Context, body SignInRequest, options ...Option) (answer SignedIn, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/sign-in", body: body}, &answer, options)
	return answer, err
}

// SignInWithPasskey is POST /api/sign-in/passkey: sign in with a passkey. It needs the permission anyone.
func (c *Client) SignInWithPasskey(ctx context.Context, body PasskeyRequest, options ...Option) (answer SignedIn, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/sign-in/passkey", body: body}, &answer, options)
	return answer, err
}

// SignOut is POST /api/sign-out: sign out. It needs the permission arrived.
func (c *Client) SignOut(ctx context.Context, options ...Option) (answer Done, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/sign-out"}, &answer, options)
	return answer, err
}

// SplitLot is POST /api/lots/{id}/split: split a lot. It needs the permission work.
func (c *Client) SplitLot(ctx context.Context, id string, body SplitLotRequest, options ...Option) (answer Lot, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/lots/" + url.PathEscape(id) + "/split", body: body, keyed: true}, &answer, options)
	return answer, err
}

// StartBackup is POST /api/backups: make a backup now. It needs the permission admin.
func (c *Client) StartBackup(ctx context.Context, options ...Option) (answer StartBackupAnswer, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/backups", keyed: true}, &answer, options)
	return answer, err
}

// StartBackupAnswer is an answer of the interface.
type StartBackupAnswer struct {
	// Always true; List Backups says when it is there.
	Started bool `json:"started"`
}

// StreamEventsParams are the parameters of the operation streamEvents. What is empty or 0 is left out.
type StreamEventsParams struct {
	// Only entries with one of these actions, separated by commas.
	Types string
	// Only entries that name this job.
	JobID string
	// Only entries that name this serial. The entry of its creation names none.
	SerialID string
	// The id of the last audit entry that is known.
	After string
}

func (p StreamEventsParams) values() url.Values {
	values := url.Values{}
	setParam(values, "types", p.Types)
	setParam(values, "jobId", p.JobID)
	setParam(values, "serialId", p.SerialID)
	setParam(values, "after", p.After)
	return values
}

// StreamEvents is GET /api/events: follow the audit trail. It needs the permission read.
// The caller closes the answer.
func (c *Client) StreamEvents(ctx context.Context, params StreamEventsParams, options ...Option) (io.ReadCloser, error) {
	return c.open(ctx, request{method: http.MethodGet, path: "/api/events", query: params.values()}, options)
}

// TestNotices is POST /api/settings/notices/test: send a test notice. It needs the permission admin.
func (c *Client) TestNotices(ctx context.Context, body TestNoticesRequest, options ...Option) (answer NoticeTests, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/settings/notices/test", body: body, keyed: true}, &answer, options)
	return answer, err
}

// Undo is POST /api/serials/{id}/undo: take the last change back. It needs the permission work.
func (c *Client) Undo(ctx context.Context, id string, body UndoRequest, options ...Option) (answer SerialNumber, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/undo", body: body, keyed: true}, &answer, options)
	return answer, err
}

// UpdateAdvancementMode is PATCH /api/paths/{id}/advancement-mode: change how serials may move along a path. It needs the permission plan.
func (c *Client) UpdateAdvancementMode(ctx context.Context, id string, body UpdateAdvancementModeRequest, options ...Option) (answer Path, err error) {
	err = c.call(ctx, request{method: http.MethodPatch, path: "/api/paths/" + url.PathEscape(id) + "/advancement-mode", body: body, keyed: true}, &answer, options)
	return answer, err
}

// UpdateBom is PUT /api/bom/{id}: update a bill of materials. It needs the permission plan.
func (c *Client) UpdateBom(ctx context.Context, id string, body UpdateBomRequest, options ...Option) (answer Bom, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/bom/" + url.PathEscape(id), body: body, keyed: true}, &answer, options)
	return answer, err
}

// UpdateCertificate is PUT /api/certs/{id}: give a certificate an external identifier. It needs the permission plan.
func (c *Client) UpdateCertificate(ctx context.Context, id string, body UpdateCertificateRequest, options ...Option) (answer Certificate, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/certs/" + url.PathEscape(id), body: body, keyed: true}, &answer, options)
	return answer, err
}

// UpdateFirstArticle is PUT /api/first-articles/{id}: type fields of a first article. It needs the permission work.
func (c *Client) UpdateFirstArticle(ctx context.Context, id string, body UpdateFirstArticleRequest, options ...Option) (answer FirstArticle, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/first-articles/" + url.PathEscape(id), body: body, keyed: true}, &answer, options)
	return answer, err
}

// UpdateInstrument is PUT /api/instruments/{id}: update an instrument. It needs the permission plan.
func (c *Client) UpdateInstrument(ctx context.Context, id string, body UpdateInstrumentRequest, options ...Option) (answer Instrument, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/instruments/" + url.PathEscape(id), body: body, keyed: true}, &answer, options)
	return answer, err
}

// UpdateJob is PUT /api/jobs/{id}: update a job. It needs the permission plan.
func (c *Client) UpdateJob(ctx context.Context, id string, body UpdateJobRequest, options ...Option) (answer Job, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/jobs/" + url.PathEscape(id), body: body, keyed: true}, &answer, options)
	return answer, err
}

// UpdateLot is PUT /api/lots/{id}: update a lot. It needs the permission plan.
func (c *Client) UpdateLot(ctx context.Context, id string, body UpdateLotRequest, options ...Option) (answer Lot, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/lots/" + url.PathEscape(id), body: body, keyed: true}, &answer, options)
	return answer, err
}

// UpdatePath is PUT /api/paths/{id}: update a path. It needs the permission plan.
func (c *Client) UpdatePath(ctx context.Context, id string, body UpdatePathRequest, options ...Option) (answer Path, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/paths/" + url.PathEscape(id), body: body, keyed: true}, &answer, options)
	return answer, err
}

// UpdateSerial is PUT /api/serials/{id}: give a serial an external identifier. It needs the permission plan.
func (c *Client) UpdateSerial(ctx context.Context, id string, body UpdateSerialRequest, options ...Option) (answer SerialNumber, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/serials/" + url.PathEscape(id), body: body, keyed: true}, &answer, options)
	return answer, err
}

// UpdateTemplate is PUT /api/templates/{id}: update a route template. It needs the permission plan.
func (c *Client) UpdateTemplate(ctx context.Context, id string, body UpdateTemplateRequest, options ...Option) (answer TemplateRoute, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/templates/" + url.PathEscape(id), body: body, keyed: true}, &answer, options)
	return answer, err
}

// UpdateUser is PUT /api/users/{id}: update an operator. It needs the permission admin.
func (c *Client) UpdateUser(ctx context.Context, id string, body UpdateUserRequest, options ...Option) (answer User, err error) {
	err = c.call(ctx, request{method: http.MethodPut, path: "/api/users/" + url.PathEscape(id), body: body, keyed: true}, &answer, options)
	return answer, err
}

// UploadFile is POST /api/files: upload a file. It needs the permission work.
func (c *Client) UploadFile(ctx context.Context, content io.ReadSeeker, options ...Option) (answer File, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/files", content: content}, &answer, options)
	return answer, err
}

// VerifyFirstArticle is POST /api/first-articles/{id}/verify: verify a first article. It needs the permission decide.
func (c *Client) VerifyFirstArticle(ctx context.Context, id string, body ActOnFirstArticleRequest, options ...Option) (answer FirstArticle, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/first-articles/" + url.PathEscape(id) + "/verify", body: body, keyed: true}, &answer, options)
	return answer, err
}

// VoidCertAttachment is POST /api/certs/attachments/{id}/void: void a certificate attachment. It needs the permission work.
func (c *Client) VoidCertAttachment(ctx context.Context, id string, body VoidRequest, options ...Option) (answer CertAttachment, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/certs/attachments/" + url.PathEscape(id) + "/void", body: body, keyed: true}, &answer, options)
	return answer, err
}

// VoidComponent is POST /api/components/{id}/void: void a component. It needs the permission work.
func (c *Client) VoidComponent(ctx context.Context, id string, body VoidRequest, options ...Option) (answer Component, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/components/" + url.PathEscape(id) + "/void", body: body, keyed: true}, &answer, options)
	return answer, err
}

// VoidFileLink is POST /api/files/links/{id}/void: void a file that is attached. It needs the permission work.
func (c *Client) VoidFileLink(ctx context.Context, id string, body VoidRequest, options ...Option) (answer FileLink, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/files/links/" + url.PathEscape(id) + "/void", body: body, keyed: true}, &answer, options)
	return answer, err
}

// VoidFirstArticle is POST /api/first-articles/{id}/void: void a first article. It needs the permission work.
func (c *Client) VoidFirstArticle(ctx context.Context, id string, body VoidRequest, options ...Option) (answer FirstArticle, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/first-articles/" + url.PathEscape(id) + "/void", body: body, keyed: true}, &answer, options)
	return answer, err
}

// VoidLot is POST /api/lots/{id}/void: void a lot. It needs the permission work.
func (c *Client) VoidLot(ctx context.Context, id string, body VoidRequest, options ...Option) (answer Lot, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/lots/" + url.PathEscape(id) + "/void", body: body, keyed: true}, &answer, options)
	return answer, err
}

// VoidMeasurement is POST /api/measurements/{id}/void: void a reading. It needs the permission work.
func (c *Client) VoidMeasurement(ctx context.Context, id string, body VoidRequest, options ...Option) (answer Measurement, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/measurements/" + url.PathEscape(id) + "/void", body: body, keyed: true}, &answer, options)
	return answer, err
}

// VoidNote is POST /api/notes/{id}/void: void a note. It needs the permission work.
func (c *Client) VoidNote(ctx context.Context, id string, body VoidRequest, options ...Option) (answer StepNote, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/notes/" + url.PathEscape(id) + "/void", body: body, keyed: true}, &answer, options)
	return answer, err
}

// VoidReceipt is POST /api/shipments/{id}/receipts/{receiptId}/void: void a receipt. It needs the permission work.
func (c *Client) VoidReceipt(ctx context.Context, id string, receiptID string, body VoidRequest, options ...Option) (answer Receipt, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/shipments/" + url.PathEscape(id) + "/receipts/" + url.PathEscape(receiptID) + "/void", body: body, keyed: true}, &answer, options)
	return answer, err
}

// WaiveStep is POST /api/serials/{id}/waive-step/{stepId}: waive a step that was deferred. It needs the permission decide.
func (c *Client) WaiveStep(ctx context.Context, id string, stepID string, body WaiveStepRequest, options ...Option) (answer SnStepStatus, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/serials/" + url.PathEscape(id) + "/waive-step/" + url.PathEscape(stepID), body: body, keyed: true}, &answer, options)
	return answer, err
}

// WithdrawConformance is POST /api/conformances/{id}/withdraw: withdraw a certificate of conformance. It needs the permission decide.
func (c *Client) WithdrawConformance(ctx context.Context, id string, body WithdrawConformanceRequest, options ...Option) (answer Conformance, err error) {
	err = c.call(ctx, request{method: http.MethodPost, path: "/api/conformances/" + url.PathEscape(id) + "/withdraw", body: body, keyed: true}, &answer, options)
	return answer, err
}
