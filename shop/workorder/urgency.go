package workorder

import (
	"cmp"
	"fmt"
)

// Urgency is how urgent some work is: what is late comes first, then what has a higher priority, an earlier due date, and an older
// job. What has no due date comes behind what has one.
type Urgency struct {
	Closed   bool // a closed job comes behind all others
	Late     bool
	Priority Priority
	DueDate  string // "" for none
	JobID    string // identifiers sort by when jobs were made
}

// Compare compares two pieces of work: it is negative when u is more urgent.
func (u Urgency) Compare(other Urgency) int {
	late, due := u.ranks()
	otherLate, otherDue := other.ranks()
	return cmp.Or(cmp.Compare(late, otherLate), cmp.Compare(u.Priority.Number(), other.Priority.Number()),
		cmp.Compare(due, otherDue), cmp.Compare(u.JobID, other.JobID))
}

// Key is a text that sorts as Compare does.
func (u Urgency) Key() string {
	late, due := u.ranks()
	return fmt.Sprintf("%d %d %s %s", late, u.Priority.Number(), due, u.JobID)
}

// ranks are what is compared of lateness and of the due date.
func (u Urgency) ranks() (late int, due string) {
	switch {
	case u.Closed:
		late = 2
	case !u.Late:
		late = 1
	}
	return late, cmp.Or(u.DueDate, "none") // which is behind every digit
}
