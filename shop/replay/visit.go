package replay

import (
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// Visit is a period in which a serial was at a step, or the moment at which it passed the step, according to the audit trail. Undone
// changes have no visits. Steps have their current names.
type Visit struct {
	SerialID  string          `json:"serialId"`
	JobID     string          `json:"jobId"`
	PathID    string          `json:"pathId"`
	StepID    string          `json:"stepId"`
	StepName  string          `json:"stepName"`
	StepOrder int             `json:"stepOrder"`
	Pass      int             `json:"pass"` // 1, and one more for each rework
	Status    VisitStatus     `json:"status"`
	EnteredAt ident.Timestamp `json:"enteredAt,omitzero"` // when the serial came to the step or passed it; 0 if the trail does not say
	LeftAt    ident.Timestamp `json:"leftAt,omitzero"`    // 0 while the serial is at the step, or the step is deferred
	LeftBy    string          `json:"leftBy,omitempty"`   // the user who moved or closed the serial, or resolved the step
}

// VisitStatus is the way in which a visit ended.
type VisitStatus string

// The visit statuses. VisitInProgress has not ended.
const (
	VisitInProgress     VisitStatus = "in_progress"
	VisitCompleted      VisitStatus = "completed"
	VisitSkipped        VisitStatus = "skipped"
	VisitDeferred       VisitStatus = "deferred" // the step must still be done
	VisitWaived         VisitStatus = "waived"
	VisitScrapped       VisitStatus = "scrapped"
	VisitForceCompleted VisitStatus = "force_completed"
	VisitSentBack       VisitStatus = "sent_back" // by a rework
	VisitUnknown        VisitStatus = "unknown"   // the serial's trail cannot be replayed; this is its only visit, without a step
)

// visiting collects the visits of a replayed serial.
type visiting struct {
	of     *Replayed
	visits []Visit
	late   []lateStep // late steps without a visit yet
}

// arrive adds a visit of the step at an index.
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

// leave ends the latest visit that has a status: a visit of one step, or of any step if stepID is "".
func (v *visiting) leave(status, as VisitStatus, stepID string, entry *trail.Entry) {
	for i := len(v.visits) - 1; i >= 0; i-- {
		if visit := &v.visits[i]; visit.Status == status && (stepID == "" || visit.StepID == stepID) {
			visit.Status, visit.LeftAt, visit.LeftBy = as, entry.Timestamp, entry.UserID
			return
		}
	}
}

// sendBack ends the visits of the deferred steps that a rework made pending again. The order of the steps may have changed since, so the
// change says which steps these are.
func (v *visiting) sendBack(change *Change) {
	for _, visit := range v.visits {
		if _, pending := change.replaced[visit.StepID]; pending && visit.Status == VisitDeferred {
			v.leave(VisitDeferred, VisitSentBack, visit.StepID, &change.Entries[0])
		}
	}
}

// missed adds visits for the late steps that came into the path after at most this many changes.
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

// passAfter returns the pass of the unit after a change.
func (r *Replayed) passAfter(change int) int {
	if next := change + 1; next < len(r.changes) {
		return r.changes[next].Before.Pass()
	}
	return r.Card.Serial.Pass()
}

// Visits returns the visits of steps according to the replayed entries, in order.
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
			v.sendBack(change)
			pass = r.passAfter(i)
		case card.ActionDeferredStepCompleted:
			v.leave(VisitDeferred, VisitCompleted, entry.StepID, entry)
		case card.ActionStepWaived:
			v.leave(VisitDeferred, VisitWaived, entry.StepID, entry)
		default: // no other change moves the serial or resolves a step
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
