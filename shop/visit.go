package shop

import (
	"context"
	"iter"
	"slices"
)

// Visit is one time that a serial was at a step, or passed over it, as the trail tells. Changes that were taken back did not
// happen. Names of steps are those of today.
type Visit struct {
	SerialID  string      `json:"serialId"`
	JobID     string      `json:"jobId"`
	PathID    string      `json:"pathId"`
	StepID    string      `json:"stepId"`
	StepName  string      `json:"stepName"`
	StepOrder int         `json:"stepOrder"`
	Pass      int         `json:"pass"` // 1, and one more each time that the serial was sent back
	Status    VisitStatus `json:"status"`
	EnteredAt Timestamp   `json:"enteredAt,omitzero"` // when the serial came, or passed over the step; 0 where the trail does not say
	LeftAt    Timestamp   `json:"leftAt,omitzero"`    // 0 while it is there, and while the step is open
	LeftBy    string      `json:"leftBy,omitempty"`   // who moved it on, closed it, or settled the step
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
			return nil, OrNotFound(err, NamePath, listed.PathID)
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
	serial := Serial{ID: SerialID(listed.Number), JobID: path.JobID, PathID: path.ID, CreatedAt: listed.CreatedAt}
	return visitsOf(tx, &history, serial)
}

func visitsOf(tx Reader, history *PathHistory, serial Serial) ([]Visit, error) {
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

// Visits tells of what was replayed.
func (r *Replayed) Visits() []Visit {
	visits := []Visit{}
	arrive := func(place, pass int, status VisitStatus, entered Timestamp) {
		visit := Visit{
			SerialID: r.Card.Serial.ID, JobID: r.Card.Path.JobID, PathID: r.Card.Path.ID, Pass: pass, Status: status, EnteredAt: entered,
		}
		if place >= 0 && place < len(r.Card.Path.Steps) {
			step := r.Card.Path.Steps[place]
			visit.StepID, visit.StepName, visit.StepOrder = step.ID, step.Name, place
		}
		visits = append(visits, visit)
	}
	// leave ends the last visit with a status.
	leave := func(status, as VisitStatus, stepID string, entry *AuditEntry) {
		for i := len(visits) - 1; i >= 0; i-- {
			if v := &visits[i]; v.Status == status && (stepID == "" || v.StepID == stepID) {
				v.Status, v.LeftAt, v.LeftBy = as, entry.Timestamp, entry.UserID
				return
			}
		}
	}
	late := r.late
	missed := func(changes, pass int) { // the late steps that came into the path after so many changes
		for len(late) > 0 && late[0].changes <= changes {
			status := VisitDeferred
			if late[0].status == StepSkipped {
				status = VisitInProgress
			}
			arrive(r.place(late[0].stepID), pass, status, late[0].at)
			leave(VisitInProgress, VisitSkipped, late[0].stepID, &AuditEntry{Timestamp: late[0].at, UserID: late[0].by})
			late = late[1:]
		}
	}
	arrive(r.place(r.begun), 1, VisitInProgress, r.Card.Serial.CreatedAt)
	for i := range r.changes {
		change := &r.changes[i]
		missed(i, change.before.Reworks+1)
		entry, pass := &change.entries[0], change.before.Reworks+1
		switch entry.Action {
		case ActionSerialAdvanced, ActionSerialCompleted:
			leave(VisitInProgress, VisitCompleted, "", entry)
		case ActionSerialScrapped:
			leave(VisitInProgress, VisitScrapped, "", entry)
		case ActionSerialForceCompleted:
			leave(VisitInProgress, VisitForceCompleted, "", entry)
		case ActionSerialReworked:
			leave(VisitInProgress, VisitSentBack, "", entry)
			for _, visit := range visits { // what was open from there on is done anew
				if visit.Status == VisitDeferred && visit.StepOrder >= r.place(entry.ToStepID) {
					leave(VisitDeferred, VisitSentBack, visit.StepID, entry)
				}
			}
			pass++
		case ActionDeferredStepCompleted:
			leave(VisitDeferred, VisitCompleted, entry.StepID, entry)
		case ActionStepWaived:
			leave(VisitDeferred, VisitWaived, entry.StepID, entry)
		default: // no other change moves it, or settles a step
		}
		for j := range change.entries[1:] {
			passed := &change.entries[1+j]
			if passed.Action == ActionStepDeferred {
				arrive(r.place(passed.StepID), pass, VisitDeferred, passed.Timestamp)
				continue
			}
			arrive(r.place(passed.StepID), pass, VisitInProgress, passed.Timestamp)
			leave(VisitInProgress, VisitSkipped, passed.StepID, passed)
		}
		if entry.ToStepID != "" {
			arrive(r.place(entry.ToStepID), pass, VisitInProgress, entry.Timestamp)
		}
	}
	missed(len(r.changes), r.Card.Serial.Pass())
	return slices.Clip(visits)
}
