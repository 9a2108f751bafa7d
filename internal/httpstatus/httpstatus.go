// Package httpstatus maps errors to a status and a body. Both internal/httpapi and internal/web use it.
package httpstatus

import (
	"errors"
	"net/http"

	"github.com/routecard/routecard/shop/refusal"
)

// Internal is the reason in the response to an error that is not a refusal.
var Internal = refusal.NewReason(0, "internal_error", "Internal Server Error")

// NoRoute is the reason for an unknown path, in the responses of both packages to programs.
var NoRoute = refusal.NewReason(refusal.NotFound, "route_not_found", "Route not found: {method} {path}")

// Body is the contract's Error.
type Body struct {
	StatusCode int    `json:"statusCode"`
	Message    string `json:"message"`
	Code       string `json:"code"`
	Field      string `json:"field,omitempty"`
}

// BodyOf returns the body of a refusal.
func BodyOf(status int, refusal *refusal.Error) Body {
	return Body{status, refusal.Error(), refusal.Reason.Code(), refusal.Field}
}

// Problem is a refusal in the form of RFC 9457, with the additional members of Body.
type Problem struct {
	Type     string `json:"type"`  // about:blank: the code identifies the error
	Title    string `json:"title"` // the standard text of the status
	Status   int    `json:"status"`
	Detail   string `json:"detail"`
	Instance string `json:"instance"` // the path of the request
	Body
}

// ProblemOf returns the problem for the body of a refusal. path is the path of the request.
func ProblemOf(body Body, path string) Problem {
	return Problem{
		Type: "about:blank", Title: http.StatusText(body.StatusCode), Status: body.StatusCode, Detail: body.Message, Instance: path,
		Body: body,
	}
}

// Of returns the status of an error and its refusal. Unknown errors become Internal, so that their text does not reach clients. The caller
// must not change the refusal.
func Of(err error) (status int, refused *refusal.Error) {
	refused, ok := errors.AsType[*refusal.Error](err)
	if !ok {
		return http.StatusInternalServerError, refusal.Refuse(Internal)
	}
	switch refused.Kind {
	case refusal.Invalid:
		status = http.StatusBadRequest
	case refusal.NotFound:
		status = http.StatusNotFound
	case refusal.Conflict, refusal.Running:
		status = http.StatusConflict
	case refusal.Unauthenticated:
		status = http.StatusUnauthorized
	case refusal.Throttled:
		status = http.StatusTooManyRequests
	case refusal.Forbidden:
		status = http.StatusForbidden
	case refusal.Upstream:
		status = http.StatusBadGateway
	case refusal.Changed:
		status = http.StatusPreconditionFailed
	case refusal.KeyReused:
		status = http.StatusUnprocessableEntity
	case refusal.Unavailable, refusal.Uncertain:
		status = http.StatusServiceUnavailable
	default: // a kind without a status
		return http.StatusInternalServerError, refusal.Refuse(Internal)
	}
	return status, refused
}
