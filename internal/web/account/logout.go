package account

import (
	"encoding/json"
	"errors"
	"net/http"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/httpstatus"
	"github.com/routecard/routecard/internal/web/site"
	"github.com/routecard/routecard/shop/refusal"
)

// providerLogout receives a logout token from an OpenID Connect provider. As Back-Channel Logout 1.0 requires, it responds with 200 and no
// body, with 400 for every kind of failure, or with 429 after too many invalid tokens.
func providerLogout(v *site.Visit) error {
	from, err := v.Access.Visitor(v.R)
	if err == nil {
		err = v.Access.EndedAtProvider(v.R.Context(), from, v.Form.Get("logout_token"))
	}
	header := v.W.Header()
	header.Set("Cache-Control", "no-store")
	if err == nil {
		v.W.WriteHeader(http.StatusOK)
		return nil
	}
	status, refused := httpstatus.Of(err)
	if status == http.StatusInternalServerError {
		v.Logger.ErrorContext(v.R.Context(), "sessions that ended at the provider were not ended here", // not a text: a log message
			"error", err)
	}
	header.Set("Content-Type", "application/json")
	if refused.Kind != refusal.Throttled {
		status = http.StatusBadRequest
	}
	if wait, ok := errors.AsType[*access.RefusalError](err); ok {
		wait.Tell(header)
	}
	v.W.WriteHeader(status)
	return json.NewEncoder(v.W).Encode(struct {
		Error       string `json:"error"`
		Description string `json:"error_description"` //nolint:tagliatelle // the name in the standard
	}{"invalid_request", refused.Error()})
}
