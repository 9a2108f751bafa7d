package card

import "github.com/routecard/routecard/shop/refusal"

// RefuseClosed refuses to change a path of a closed job, and to put one of its units in progress.
func (p *Path) RefuseClosed() error {
	if p.ClosedJob != "" {
		return refusal.Refuse(JobIsClosed, p.ClosedJob)
	}
	return nil
}

// RefuseRestart refuses a change that puts a unit in progress again if the unit's job is closed or the unit is inside another unit.
func RefuseRestart(card Card, after SerialStatus) error {
	if after != InProgress || card.Serial.Status == InProgress {
		return nil
	}
	if err := card.Path.RefuseClosed(); err != nil {
		return err
	}
	return RefuseReopening(card, after)
}

// Reasons for refusing because of a closed job.
var (
	JobIsClosed = refusal.NewReason(refusal.Invalid, "job_closed", "Job {job} is closed: reopen it first")
)
