package workorder

import (
	"cmp"
	"fmt"
)

// Urgency ranks work: late work comes first, then higher priority, earlier due date, and older job. Work without a due date comes after
// work with a due date.
type Urgency struct {
	Closed   bool // closed jobs come after all other jobs
	Late     bool
	Priority Priority
	DueDate  string // "" for none
	JobID    string // identifiers sort by creation time
}

// Compare returns a negative number if u is more urgent than other.
func (u Urgency) Compare(other Urgency) int {
	late, due := u.ranks()
	otherLate, otherDue := other.ranks()
	return cmp.Or(cmp.Compare(late, otherLate), cmp.Compare(u.Priority.Number(), other.Priority.Number()),
		cmp.Compare(due, otherDue), cmp.Compare(u.JobID, other.JobID))
}

// Key returns a string that sorts in the order of Compare.
func (u Urgency) Key() string {
	late, due := u.ranks()
	return fmt.Sprintf("%d %d %s %s", late, u.Priority.Number(), due, u.JobID)
}

// ranks returns the parts of the order that depend on lateness and on the due date.
func (u Urgency) ranks() (late int, due string) {
	switch {
	case u.Closed:
		late = 2
	case !u.Late:
		late = 1
	}
	return late, cmp.Or(u.DueDate, "none") // sorts after every digit
}
