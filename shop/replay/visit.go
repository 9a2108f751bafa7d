package replay

import (
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Visit is one time that a serial was at a step, or passed over it, as the trail tells. Changes that were taken back did not
// happen. Names of steps are those of today.
type Visit struct {
	SerialID  string          `json:"serialId"`
	JobID     string          `json:"jobId"`
	PathID    string          `json:"pathId"`
	StepID    string          `json:"stepId"`
	StepName  string          `json:"stepName"`
	StepOrder int             `json:"stepOrder"`
	Pass      int             `json:"pass"` // 1, and one more each time that the serial was sent back
	Status    VisitStatus     `json:"status"`
	EnteredAt ident.Timestamp `json:"enteredAt,omitzero"` // when the serial came, or passed over the step; 0 where the trail does not say
	LeftAt    ident.Timestamp `json:"leftAt,omitzero"`    // 0 while it is there, and while the step is open
	LeftBy    string          `json:"leftBy,omitempty"`   // who moved it on, closed it, or settled the step
}

// VisitStatus is how a visit ended.
type VisitStatus string

// The ways in which a visit ends, one of which is that it has not.
const (
	VisitInProgress     VisitStatus = "in_progress"
	VisitCompleted      VisitStatus = "completed"
	VisitSkipped        VisitStatus = "skipped"
	VisitDeferred       VisitStatus = "deferred" // the step is still to be done
	VisitWaived         VisitStatus = "waived"
	VisitScrapped       VisitStatus = "scrapped"
	VisitForceCompleted VisitStatus = "force_completed"
	VisitSentBack       VisitStatus = "sent_back" // by a rework
	VisitUnknown        VisitStatus = "unknown"   // the trail of the serial cannot be followed; there is one row, without a step
)

// visiting collects the visits of a replayed serial.
type visiting struct {
	of     *Replayed
	visits []Visit
	late   []lateStep // those that have no visit yet
}

// arrive begins a visit of the step at a place.
func (v *visiting) arrive(place, pass int, status VisitStatus, entered ident.Timestamp) {
	card := &v.of.Card
	visit := Visit{
		SerialID: card.Serial.ID, JobID: card.Path.JobID, PathID: card.Path.ID, Pass: pass, Status: status, EnteredAt: entered,
	}
	if place >= 0 && place < len(card.Path.Steps) {
		step := card.Path.Steps[place]
		visit.StepID, visit.StepName, visit.StepOrder = step.ID, step.Name, place
	}
	v.visits = append(v.visits, visit)
}

// leave ends the last visit with a status, of one step or of any.
func (v *visiting) leave(status, as VisitStatus, stepID string, entry *trail.Entry) {
	for i := len(v.visits) - 1; i >= 0; i-- {
		if visit := &v.visits[i]; visit.Status == status && (stepID == "" || visit.StepID == stepID) {
			visit.Status, visit.LeftAt, visit.LeftBy = as, entry.Timestamp, entry.UserID
			return
		}
	}
}

// sendBack ends the visits of deferred steps from a place on: they are done again.
func (v *visiting) sendBack(place int, entry *trail.Entry) {
	for _, visit := range v.visits {
		if visit.Status == VisitDeferred && visit.StepOrder >= place {
			v.leave(VisitDeferred, VisitSentBack, visit.StepID, entry)
		}
	}
}

// missed adds the late steps that came into the path after so many changes.
func (v *visiting) missed(changes, pass int) {
	for len(v.late) > 0 && v.late[0].changes <= changes {
		late := v.late[0]
		v.late = v.late[1:]
		status := VisitDeferred
		if late.status == card.StepSkipped {
			status = VisitInProgress
		}
		v.arrive(v.of.place(late.stepID), pass, status, late.at)
		v.leave(VisitInProgress, VisitSkipped, late.stepID, &trail.Entry{Timestamp: late.at, UserID: late.by})
	}
}

// Visits returns the visits of steps that follow from what was replayed, in their order.
func (r *Replayed) Visits() []Visit {
	v := visiting{of: r, visits: []Visit{}, late: r.late}
	v.arrive(r.place(r.begun), 1, VisitInProgress, r.Card.Serial.CreatedAt)
	for i := range r.changes {
		change := &r.changes[i]
		v.missed(i, change.Before.Reworks+1)
		entry, pass := &change.Entries[0], change.Before.Reworks+1
		switch entry.Action {
		case card.ActionSerialAdvanced, card.ActionSerialCompleted:
			v.leave(VisitInProgress, VisitCompleted, "", entry)
		case card.ActionSerialScrapped:
			v.leave(VisitInProgress, VisitScrapped, "", entry)
		case card.ActionSerialForceCompleted:
			v.leave(VisitInProgress, VisitForceCompleted, "", entry)
		case card.ActionSerialReworked:
			v.leave(VisitInProgress, VisitSentBack, "", entry)
			v.sendBack(r.place(entry.ToStepID), entry)
			pass++
		case card.ActionDeferredStepCompleted:
			v.leave(VisitDeferred, VisitCompleted, entry.StepID, entry)
		case card.ActionStepWaived:
			v.leave(VisitDeferred, VisitWaived, entry.StepID, entry)
		default: // no other change moves it, or settles a step
		}
		for j := range change.Entries[1:] {
			passed := &change.Entries[1+j]
			if passed.Action == card.ActionStepDeferred {
				v.arrive(r.place(passed.StepID), pass, VisitDeferred, passed.Timestamp)
				continue
			}
			v.arrive(r.place(passed.StepID), pass, VisitInProgress, passed.Timestamp)
			v.leave(VisitInProgress, VisitSkipped, passed.StepID, passed)
		}
		if entry.ToStepID != "" {
			v.arrive(r.place(entry.ToStepID), pass, VisitInProgress, entry.Timestamp)
		}
	}
	v.missed(len(r.changes), r.Card.Serial.Pass())
	return slices.Clip(v.visits)
}
