package workorder

import (
	"time"

	"github.com/routecard/routecard/shop/input"
)

// DaysLate is by how many days something is late: how many days ago its due date was, when that day has ended and fewer units
// than its goal are completed. It is 0 for what is not late, and for what has no due date. Lateness is never stored.
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
	const day = 24 * 60 * 60 // of UTC, in seconds; a Duration ends at 292 years
	return int((now.Unix() - due.Unix()) / day)
}
