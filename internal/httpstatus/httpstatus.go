// Package httpstatus is the one map from an error to what a caller over HTTP is told of it. Both faces, internal/httpapi
// and internal/web, answer by it.
package httpstatus

import (
	"errors"
	"net/http"

	"github.com/routecard/routecard/shop"
)

// InternalMessage is all that a caller hears of an error that is not a refusal.
const InternalMessage = "Internal Server Error"

// Of returns the status and the message of an error. Unknown errors are internal: their text stays in the process.
func Of(err error) (status int, message string) {
	refusal, ok := errors.AsType[*shop.Error](err)
	if !ok {
		return http.StatusInternalServerError, InternalMessage
	}
	switch refusal.Code {
	case shop.Invalid:
		status = http.StatusBadRequest
	case shop.NotFound:
		status = http.StatusNotFound
	case shop.Conflict, shop.Running:
		status = http.StatusConflict
	case shop.Unauthenticated:
		status = http.StatusUnauthorized
	case shop.Throttled:
		status = http.StatusTooManyRequests
	case shop.Forbidden:
		status = http.StatusForbidden
	case shop.Upstream:
		status = http.StatusBadGateway
	case shop.Changed:
		status = http.StatusPreconditionFailed
	case shop.KeyReused:
		status = http.StatusUnprocessableEntity
	case shop.Unavailable, shop.Uncertain:
		status = http.StatusServiceUnavailable
	default: // a kind that nobody has given a status yet
		return http.StatusInternalServerError, InternalMessage
	}
	return status, refusal.Message
}
