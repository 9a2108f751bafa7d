package input

import (
	"time"

	"github.com/routecard/routecard/shop/refusal"
)

// DateLayout is how days are written. They sort as texts.
const DateLayout = "2006-01-02"

// CheckDate judges a day; an empty one passes.
func CheckDate(field, value string) error {
	if day, err := time.Parse(DateLayout, value); value != "" && (err != nil || day.Format(DateLayout) != value) {
		return refusal.RefuseField(NotDate, field)
	}
	return nil
}

// NotDate is why a text that is not a day is refused.
var NotDate = refusal.NewReason(refusal.Invalid, "must_be_date", "{field} must be a date (YYYY-MM-DD)")
