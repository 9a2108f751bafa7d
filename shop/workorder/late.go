package workorder

import (
	"time"

	"github.com/routecard/routecard/shop/input"
)

// DaysLate returns the number of days since the due date, if that day has ended and fewer units than the goal are completed. It returns 0
// if the job is not late or has no due date. Lateness is never stored.
func DaysLate(dueDate, today string, goal, completed int64) int {
	if dueDate == "" || today <= dueDate || completed >= goal {
		return 0
	}
	due, err := time.Parse(input.DateLayout, dueDate)
	if err != nil {
		return 0
	}
	now, err := time.Parse(input.DateLayout, today)
	if err != nil {
		return 0
	}
	const day = 24 * 60 * 60 // of UTC, in seconds; a Duration overflows after 292 years
	return int((now.Unix() - due.Unix()) / day)
}
