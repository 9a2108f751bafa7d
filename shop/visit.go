package shop

import (
	"context"
	"iter"
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

// Visits answers the visits of a serial in the order in which they began.
func (s *Service) Visits(ctx context.Context, serialID string) (visits []Visit, err error) {
	err = s.store.View(ctx, func(tx Reader) error {
		card, err := tx.RouteCard(serialID)
		if err != nil {
			return OrNotFound(err, NameSerial, serialID)
		}
		history, err := ReadHistory(tx, card.Path)
		if err == nil {
			visits, err = visitsOf(tx, &history, card.Serial)
		}
		return err
	})
	return visits, err
}

// VisitQuery says of which serials to tell. Empty fields do not narrow.
type VisitQuery struct {
	JobID string `query:"jobId"`
}

// AllVisits yields the visits of serials, oldest serial first.
func (s *Service) AllVisits(ctx context.Context, query VisitQuery) iter.Seq2[Visit, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[Visit, error] {
		return func(yield func(Visit, error) bool) {
			paths := map[string]PathHistory{}
			for listed, err := range tx.Serials(0) {
				var visits []Visit
				if err == nil {
					visits, err = visitsOfListed(tx, &listed, query, paths)
				}
				if err != nil {
					yield(Visit{}, err)
					return
				}
				for _, visit := range visits {
					if !yield(visit, nil) {
						return
					}
				}
			}
		}
	})
}

func visitsOfListed(tx Reader, listed *ListedSerial, query VisitQuery, paths map[string]PathHistory) ([]Visit, error) {
	history, known := paths[listed.PathID]
	if !known {
		path, err := tx.Path(listed.PathID)
		if err != nil {
			return nil, OrNotFound(err, card.NamePath, listed.PathID)
		}
		if history, err = ReadHistory(tx, path); err != nil {
			return nil, err
		}
		paths[listed.PathID] = history
	}
	path := &history.Path
	if query.JobID != "" && path.JobID != query.JobID {
		return nil, nil
	}
	serial := card.Serial{ID: ident.SerialID(listed.Number), JobID: path.JobID, PathID: path.ID, CreatedAt: listed.CreatedAt}
	return visitsOf(tx, &history, serial)
}

func visitsOf(tx Reader, history *PathHistory, serial card.Serial) ([]Visit, error) {
	trail, err := TrailOf(tx, serial)
	if err != nil {
		return nil, err
	}
	replayed, err := history.Replay(serial, trail)
	if err != nil { // a trail that somebody edited costs its own serial, not the list
		path := &history.Path
		return []Visit{{SerialID: serial.ID, JobID: path.JobID, PathID: path.ID, Pass: 1, Status: VisitUnknown}}, nil
	}
	return replayed.Visits(), nil
}

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
		v.missed(i, change.before.Reworks+1)
		entry, pass := &change.entries[0], change.before.Reworks+1
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
		case ActionDeferredStepCompleted:
			v.leave(VisitDeferred, VisitCompleted, entry.StepID, entry)
		case ActionStepWaived:
			v.leave(VisitDeferred, VisitWaived, entry.StepID, entry)
		default: // no other change moves it, or settles a step
		}
		for j := range change.entries[1:] {
			passed := &change.entries[1+j]
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
