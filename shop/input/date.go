package input

import (
	"time"

	"github.com/routecard/routecard/shop/refusal"
)

// DateLayout is the format of days. Days in this format sort as strings.
const DateLayout = "2006-01-02"

// CheckDate checks the format of a day. It accepts "".
func CheckDate(field, value string) error {
	if day, err := time.Parse(DateLayout, value); value != "" && (err != nil || day.Format(DateLayout) != value) {
		return refusal.RefuseField(NotDate, field)
	}
	return nil
}

// NotDate refuses a text that is not a day.
var NotDate = refusal.NewReason(refusal.Invalid, "must_be_date", "{field} must be a date (YYYY-MM-DD)")
