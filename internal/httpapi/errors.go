package httpapi

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"mime"
	"net/http"
	"strconv"
	"strings"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/shop/refusal"
)

// statusOf returns the status and the message for an error. It handles the errors of this package, and asks internal/httpstatus for all
// others.
func statusOf(err error) (status int, told *refusal.Error) {
	if r, ok := errors.AsType[*faceError](err); ok {
		return r.status, r.told
	}
	return httpstatus.Of(err)
}

// writeError responds with an error. It logs internal errors, whose cause the client does not see.
func writeError(w http.ResponseWriter, r *http.Request, logger *slog.Logger, err error) {
	status, refused := statusOf(err)
	if status == http.StatusInternalServerError {
		level := slog.LevelError
		if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
			level = slog.LevelInfo // the client went away
		}
		logger.Log(r.Context(), level, "request failed", "error", err, "method", r.Method, "path", r.URL.Path,
			"request", requestID(r.Context()))
	}
	if running, ok := errors.AsType[*refusal.Error](err); status == http.StatusServiceUnavailable ||
		ok && running.Kind == refusal.Running {
		w.Header().Set("Retry-After", "1")
	}
	if refused, ok := errors.AsType[*access.RefusalError](err); ok {
		refused.Tell(w.Header())
	}
	header := w.Header()
	plain := httpstatus.BodyOf(status, refused)
	kind, told := jsonType, any(plain)
	if asksForProblem(r) {
		kind, told = problemType, httpstatus.ProblemOf(plain, r.URL.EscapedPath())
	}
	body, err := json.Marshal(told)
	if err != nil { // plain fields can always be encoded
		panic(err)
	}
	header.Add("Vary", "Accept")
	header.Del("ETag") // the handler may have set it, but an error is not a version of the resource
	header.Del("Cache-Control")
	header.Set("Content-Type", kind)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// problemType is the media type of errors in the form of RFC 9457.
const problemType = "application/problem+json"

// asksForProblem reports whether the Accept header of a request lists problemType with a quality above zero.
func asksForProblem(r *http.Request) bool {
	for _, field := range r.Header["Accept"] {
		for accepted := range strings.SplitSeq(field, ",") {
			if kind, parameters, err := mime.ParseMediaType(accepted); err == nil && kind == problemType {
				quality, err := strconv.ParseFloat(cmp.Or(parameters["q"], "1"), 64)
				return err == nil && quality > 0
			}
		}
	}
	return false
}
