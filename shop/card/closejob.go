package card

import "github.com/routecard/routecard/shop/refusal"

// RefuseClosed refuses to change a path whose job is closed, and to put a unit of it in progress.
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

// Why these rules refuse.
var (
	JobIsClosed = refusal.NewReason(refusal.Invalid, "job_closed", "Job {job} is closed: reopen it first")
)
