package shop

import "time"

// WithTimeZone sets the time zone of the shop, which decides when a day ends. Without it that is UTC.
func WithTimeZone(zone *time.Location) Option {
	return func(s *Service) { s.zone = zone }
}

// Zone is the time zone of the shop.
func (s *Service) Zone() *time.Location { return s.zone }

// Today is the day in the time zone of the shop, as due dates are written.
func (s *Service) Today() string { return s.Now().Time().In(s.zone).Format(dateLayout) }

// DaysLate is by how many days something is late: how many days ago its due date was, when that day has ended and fewer units
// than its goal are completed. It is 0 for what is not late, and for what has no due date. Lateness is never stored.
func DaysLate(dueDate, today string, goal, completed int64) int {
	if dueDate == "" || today <= dueDate || completed >= goal {
		return 0
	}
	due, err := time.Parse(dateLayout, dueDate)
	if err != nil {
		return 0
	}
	now, err := time.Parse(dateLayout, today)
	if err != nil {
		return 0
	}
	const day = 24 * 60 * 60 // of UTC, in seconds; a Duration ends at 292 years
	return int((now.Unix() - due.Unix()) / day)
}

// DaysLate is by how many days the job is late of which so many units are completed. A closed job is not late.
func (j *Job) DaysLate(today string, completed int64) int {
	if j.Closed() {
		return 0
	}
	return DaysLate(j.DueDate, today, j.GoalQuantity, completed)
}
