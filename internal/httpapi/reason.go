package httpapi

import (
	"net/http"

	"github.com/routecard/routecard/shop/refusal"
)

// faceError is an error of the HTTP layer itself, such as a body that is not JSON or a route that does not exist. It is not a
// *refusal.Error, and only this package handles it.
type faceError struct {
	status int
	told   *refusal.Error
}

func (r *faceError) Error() string { return r.told.Error() }

// faceReason is a reason of this package, with its status.
type faceReason struct {
	*refusal.Reason
	status int
}

func newReason(status int, code, sentence string) faceReason {
	return faceReason{refusal.NewReason(0, code, sentence), status}
}

func refuse(reason faceReason, args ...any) *faceError {
	return &faceError{reason.status, refusal.Refuse(reason.Reason, args...)}
}

// The reasons that only this package uses, one a line.
var (
	methodUnknown   = newReason(http.StatusMethodNotAllowed, "method_not_allowed", "Method not allowed: {method} {path}")
	hostUnknown     = newReason(http.StatusMisdirectedRequest, "host_unknown", "This service is not known by that name")
	fromElsewhere   = newReason(http.StatusForbidden, "cross_origin", "Cross-origin request refused")
	bodyNoObject    = newReason(http.StatusBadRequest, "body_not_object", "Request body must be a valid JSON object")
	bodyTooLarge    = newReason(http.StatusRequestEntityTooLarge, "body_too_large", "Request body is too large")
	rangeBeyond     = newReason(http.StatusRequestedRangeNotSatisfiable, "range_not_satisfiable", "The file has no such range")
	bodyUnread      = newReason(http.StatusBadRequest, "body_unread", "Request body could not be read")
	bodyNoJSON      = newReason(http.StatusUnsupportedMediaType, "content_type", "Content-Type must be application/json")
	keyForm         = newReason(http.StatusBadRequest, "idempotency_key_form", "Idempotency-Key must be 1 to 255 visible ASCII characters")
	manyStreams     = newReason(http.StatusTooManyRequests, "too_many_streams", "Too many streams are open")
	noLedger        = newReason(http.StatusNotFound, "ledger_not_enabled", "The ledger is not enabled")
	noBackups       = newReason(http.StatusNotFound, "backups_not_enabled", "Backups are not enabled")
	noWitnesses     = newReason(http.StatusNotFound, "no_witnesses", "No witnesses are configured")
	sealedLater     = newReason(http.StatusServiceUnavailable, "not_sealed", "Not sealed yet")
	entryUnlike     = newReason(http.StatusServiceUnavailable, "entry_not_as_sealed", "The entry is not what was sealed")
	databaseUnready = newReason(http.StatusServiceUnavailable, "database_not_ready", "The database cannot be read or written")
)

// Reasons to refuse query parameters and field names, one a line.
var (
	fieldUnknown     = refusal.NewReason(refusal.Invalid, "unknown_field", "Unknown field: {path}")
	parameterUnknown = refusal.NewReason(refusal.Invalid, "unknown_parameter", "Unknown parameter: {parameter}")
	parameterTwice   = refusal.NewReason(refusal.Invalid, "parameter_repeated", "{field} must be given once")
	parameterNoFlag  = refusal.NewReason(refusal.Invalid, "must_be_true_or_false", "{field} must be true or false")
	parameterNoWhole = refusal.NewReason(refusal.Invalid, "must_be_whole_number", "{field} must be a whole number")
	eventIDForm      = refusal.NewReason(refusal.Invalid, "last_event_id_form", "{field} must be the id of an audit entry")
)

// Reasons to refuse an imported file, one a line.
var (
	importType    = newReason(http.StatusUnsupportedMediaType, "content_type", "Content-Type must be text/csv, in UTF-8 or windows-1252, or application/x-ndjson")
	measuredType  = newReason(http.StatusUnsupportedMediaType, "content_type", "Content-Type must be text/csv or text/plain, in UTF-8 or windows-1252, application/x-ndjson or application/x-aqdef")
	importColumns = refusal.NewReason(refusal.Invalid, "must_be_columns", "{field} must be a JSON object of names of columns of a CSV file")
	importTexts   = refusal.NewReason(refusal.Invalid, "must_be_texts", "{field} must be a JSON object of texts, for a file that is not of JSON")
	importDays    = refusal.NewReason(refusal.Invalid, "must_be_days", "{field} must be day-first or month-first")
	lineNoObject  = refusal.NewReason(refusal.Invalid, "line_not_object", "The line must be a valid JSON object")
)
