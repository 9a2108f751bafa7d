// Package httpstatus is the one map from an error to what a caller over HTTP is told of it. Both faces, internal/httpapi
// and internal/web, answer by it.
package httpstatus

import (
	"errors"
	"net/http"

	"github.com/routecard/routecard"
)

// InternalMessage is all that a caller hears of an error that is not a refusal.
const InternalMessage = "Internal Server Error"

// Of returns the status and the message of an error. Unknown errors are internal: their text stays in the process.
func Of(err error) (status int, message string) {
	refusal, ok := errors.AsType[*routecard.Error](err)
	if !ok {
		return http.StatusInternalServerError, InternalMessage
	}
	switch refusal.Code {
	case routecard.Invalid:
		status = http.StatusBadRequest
	case routecard.NotFound:
		status = http.StatusNotFound
	case routecard.Conflict, routecard.Running:
		status = http.StatusConflict
	case routecard.Unauthenticated:
		status = http.StatusUnauthorized
	case routecard.Throttled:
		status = http.StatusTooManyRequests
	case routecard.Forbidden:
		status = http.StatusForbidden
	case routecard.Upstream:
		status = http.StatusBadGateway
	case routecard.Changed:
		status = http.StatusPreconditionFailed
	case routecard.KeyReused:
		status = http.StatusUnprocessableEntity
	case routecard.Unavailable, routecard.Uncertain:
		status = http.StatusServiceUnavailable
	default: // a kind that nobody has given a status yet
		return http.StatusInternalServerError, InternalMessage
	}
	return status, refusal.Message
}
