package input

import (
	"time"

	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
)

// RequiredTime reads an instant in the format of query parameters.
func RequiredTime(field string, in TextInput) (ident.Timestamp, error) {
	text, err := RequiredWithin(field, in, NameLimit, refusal.Required)
	if err != nil {
		return 0, err
	}
	at, err := time.Parse(time.RFC3339, text)
	if err != nil {
		return 0, refusal.RefuseField(NotTime, field)
	}
	return ident.TimestampOf(at), nil
}

// NotTime refuses a text that is not an instant.
var NotTime = refusal.NewReason(refusal.Invalid, "must_be_time", "{field} must be a time (ISO 8601)")
