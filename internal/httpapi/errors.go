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

// statusOf returns the status and the message for an error. It knows the refusals of this face, and asks
// internal/httpstatus for all others.
func statusOf(err error) (status int, told *refusal.Error) {
	if r, ok := errors.AsType[*faceError](err); ok {
		return r.status, r.told
	}
	return httpstatus.Of(err)
}

// writeError answers an error, and logs the ones that the client is told nothing about.
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
	if err != nil { // plain fields always encode
		panic(err)
	}
	header.Add("Vary", "Accept")
	header.Del("ETag") // whatever the answer was to be, an error is not a state of it
	header.Del("Cache-Control")
	header.Set("Content-Type", kind)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}

// problemType is how RFC 9457 writes errors.
const problemType = "application/problem+json"

// asksForProblem reports whether a request names problemType among what it accepts, and does not refuse it.
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
