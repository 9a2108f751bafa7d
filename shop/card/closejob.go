package card

import "github.com/routecard/routecard/shop/refusal"

// RefuseClosed refuses to change a path of a closed job, and to put one of its units in progress.
func (p *Path) RefuseClosed() error {
	if p.ClosedJob != "" {
		return refusal.Refuse(JobIsClosed, p.ClosedJob)
	}
	return nil
}

// RefuseRestart refuses a change that puts a unit of a closed job in progress.
func RefuseRestart(card Card, after SerialStatus) error {
	if after != InProgress || card.Serial.Status == InProgress {
		return nil
	}
	return card.Path.RefuseClosed()
}

// Reasons for refusing because of a closed job.
var (
	JobIsClosed = refusal.NewReason(refusal.Invalid, "job_closed", "Job {job} is closed: reopen it first")
)
