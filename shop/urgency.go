package shop

import (
	"cmp"
	"fmt"
)

// Urgency is how urgent some work is: what is late comes first, then what has a higher priority, an earlier due date, and an older
// job. What has no due date comes behind what has one.
type Urgency struct {
	Late     bool
	Priority Priority
	DueDate  string // "" for none
	JobID    string // identifiers sort by when jobs were made
}

// Compare compares two pieces of work: it is negative when u is more urgent.
func (u Urgency) Compare(other Urgency) int { return cmp.Compare(u.Key(), other.Key()) }

// Key is a text that sorts as the urgency does.
func (u Urgency) Key() string {
	late, due := 1, u.DueDate
	if u.Late {
		late = 0
	}
	if due == "" {
		due = "none" // behind every digit
	}
	return fmt.Sprintf("%d %d %s %s", late, u.Priority.Number(), due, u.JobID)
}
