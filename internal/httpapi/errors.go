package httpapi

import (
	"context"
	"encoding/json"
	"errors"
	"log/slog"
	"net/http"
	"strconv"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/shop"
)

// statusOf returns the status and the message for an error. It knows the refusals of this face, and asks
// internal/httpstatus for all others.
func statusOf(err error) (status int, told *shop.Error) {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r.status, r.told
	}
	return httpstatus.Of(err)
}

// writeError answers an error, and logs the ones that the client is told nothing about.
func writeError(w http.ResponseWriter, r *http.Request, logger *slog.Logger, err error) {
	status, told := statusOf(err)
	if status == http.StatusInternalServerError {
		level := slog.LevelError
		if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
			level = slog.LevelInfo // the client went away
		}
		logger.Log(r.Context(), level, "request failed", "error", err, "method", r.Method, "path", r.URL.Path,
			"request", requestID(r.Context()))
	}
	if running, ok := errors.AsType[*shop.Error](err); status == http.StatusServiceUnavailable ||
		ok && running.Kind == shop.Running {
		w.Header().Set("Retry-After", "1")
	}
	if refused, ok := errors.AsType[*access.RefusalError](err); ok {
		refused.Tell(w.Header())
	}
	body, err := json.Marshal(httpstatus.BodyOf(status, told))
	if err != nil { // plain fields always encode
		panic(err)
	}
	header := w.Header()
	header.Del("ETag") // whatever the answer was to be, an error is not a state of it
	header.Del("Cache-Control")
	header.Set("Content-Type", jsonType)
	header.Set("Content-Length", strconv.Itoa(len(body)))
	w.WriteHeader(status)
	_, _ = w.Write(body)
}
