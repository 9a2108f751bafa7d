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

// refusal is an error of the HTTP face itself: a body that is no JSON, a route that does not exist.
type refusal struct {
	status  int
	message string
}

func (r *refusal) Error() string { return r.message }

// statusOf is what the client is told of an error: its own refusals, and for all others what every face tells.
func statusOf(err error) (status int, message string) {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r.status, r.message
	}
	return httpstatus.Of(err)
}

// writeError answers an error, and logs the ones that the client is told nothing about.
func writeError(w http.ResponseWriter, r *http.Request, logger *slog.Logger, err error) {
	status, message := statusOf(err)
	if status == http.StatusInternalServerError {
		level := slog.LevelError
		if errors.Is(err, context.Canceled) && r.Context().Err() != nil {
			level = slog.LevelInfo // the client went away
		}
		logger.Log(r.Context(), level, "request failed", "error", err, "method", r.Method, "path", r.URL.Path,
			"request", requestID(r.Context()))
	}
	if running, ok := errors.AsType[*shop.Error](err); status == http.StatusServiceUnavailable ||
		ok && running.Code == shop.Running {
		w.Header().Set("Retry-After", "1")
	}
	if refused, ok := errors.AsType[*access.RefusalError](err); ok {
		refused.Tell(w.Header())
	}
	body, err := json.Marshal(struct {
		StatusCode int    `json:"statusCode"`
		Message    string `json:"message"`
	}{status, message})
	if err != nil { // two plain fields always encode
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
