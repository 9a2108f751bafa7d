package views

import (
	"context"
	"encoding/json"
	"errors"
	"iter"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// When is a place in the trail. The zero When is now.
type When struct {
	sequence int64
	at       ident.Timestamp
}

// WhenOf returns the place of an entry.
func WhenOf(e trail.Entry) When {
	sequence, _ := ident.AuditSequence(e.ID)
	return When{sequence: sequence, at: e.Timestamp}
}

// WhenAt returns the place of a record that does not refer to an entry: the time of its creation.
func WhenAt(at ident.Timestamp) When { return When{at: at} }

// Names finds the name that a person, a step, or the place of a step had when something was recorded. Only the present name is stored; an
// earlier name comes from the first later entry about a change, which records the name before it.
type Names struct {
	now    map[string]string
	before map[string][]formerName // by identifier, in the order of the trail
}

// formerName is a name that was in use until an entry.
type formerName struct {
	until When
	name  string
}

// Of returns the name at a place in the trail. It returns false if the name is not known.
func (n Names) Of(id string, when When) (string, bool) {
	if when != (When{}) {
		for _, former := range n.before[id] {
			if former.until.after(when) {
				return former.name, true
			}
		}
	}
	name, ok := n.now[id]
	return name, ok
}

// after compares by the order of commit if both places have one, and by the clock otherwise.
func (w When) after(other When) bool {
	if w.sequence != 0 && other.sequence != 0 {
		return w.sequence > other.sequence
	}
	return w.at > other.at
}

func newNames() Names { return Names{now: map[string]string{}, before: map[string][]formerName{}} }

func (n Names) was(id, name string, until When) {
	n.before[id] = append(n.before[id], formerName{until, name})
}

// PastNames are the names for showing entries and records of the past.
type PastNames struct {
	People Names
	Steps  StepNames
	// The present names of jobs, and the names of certificates, which never change, by identifier.
	Jobs, Certificates map[string]string
}

func people(tx Reader) (Names, error) {
	names, logins := newNames(), map[string]string{}
	for user, err := range tx.Users() {
		if err != nil {
			return names, err
		}
		names.now[user.ID] = user.Name
		if user.Login != "" { // a sign-in is recorded by login
			names.now[user.Login], logins[user.ID] = user.Name, user.Login
		}
	}
	for change, err := range tx.ChangesOfUsers() {
		if err != nil {
			return names, err
		}
		var event shop.UserEvent
		if json.Unmarshal(change.Metadata, &event) == nil && event.Before != nil && event.Before.Name != nil {
			names.was(event.UserID, *event.Before.Name, WhenOf(change))
			if login := logins[event.UserID]; login != "" {
				names.was(login, *event.Before.Name, WhenOf(change))
			}
		}
	}
	return names, nil
}

// StepNames are the present and past names and places of steps.
type StepNames struct {
	Names, Places Names
}

func newStepNames() StepNames { return StepNames{newNames(), newNames()} }

// At returns a step with the name and the place that it had at a place in the trail. Unknown values stay as they are.
func (n StepNames) At(step card.ProcessStep, when When) card.ProcessStep {
	if name, ok := n.Names.Of(step.ID, when); ok {
		step.Name = name
	}
	if place, ok := n.Places.Of(step.ID, when); ok {
		step.Location = place
	}
	return step
}

// learn adds the current names of a path, and the earlier names that the trail records.
func (n StepNames) learn(path card.Path, changes iter.Seq2[trail.Entry, error]) error {
	for change, err := range changes {
		if err != nil {
			return err
		}
		var event struct {
			Before *shop.Routing `json:"before"`
		}
		if json.Unmarshal(change.Metadata, &event) != nil || event.Before == nil || event.Before.Steps == nil {
			continue
		}
		for _, step := range *event.Before.Steps {
			n.Names.was(step.ID, step.Name, WhenOf(change))
			n.Places.was(step.ID, step.Location, WhenOf(change))
		}
	}
	for _, step := range path.Steps {
		n.Names.now[step.ID], n.Places.now[step.ID] = step.Name, step.Location
	}
	return nil
}

// addSteps adds the steps of a path. If the path is gone, the trail has the last names of its steps.
func addSteps(tx Reader, pathID string, names StepNames) error {
	path, err := tx.Path(pathID)
	if err != nil && !errors.Is(err, shop.ErrNoRecord) {
		return err
	}
	return names.learn(path, tx.ChangesOfPath(pathID))
}

// PastNames returns the names of all users, and of the steps in entries.
func (v *Views) PastNames(ctx context.Context, entries []trail.Entry) (PastNames, error) {
	var names PastNames
	err := v.store.Look(ctx, func(tx Reader) (err error) {
		names = PastNames{newNames(), newStepNames(), map[string]string{}, map[string]string{}}
		if names.People, err = people(tx); err != nil {
			return err
		}
		known := map[string]bool{}
		add := func(pathID string) error {
			if pathID == "" || known[pathID] {
				return nil
			}
			known[pathID] = true
			return addSteps(tx, pathID, names.Steps)
		}
		for i := range entries {
			if err := errors.Join(add(entries[i].PathID), names.addRecords(tx, &entries[i])); err != nil {
				return err
			}
		}
		for i := range entries { // an attachment to many units at once has no path
			step := entries[i].StepID
			if _, found := names.Steps.Names.Of(step, When{}); step == "" || found {
				continue
			}
			path, err := tx.PathOfStep(step)
			if errors.Is(err, shop.ErrNoRecord) {
				continue
			}
			if err == nil {
				err = add(path.ID)
			}
			if err != nil {
				return err
			}
		}
		return nil
	})
	return names, err
}

// addRecords adds the names of the job and of the certificate of an entry.
func (n PastNames) addRecords(tx Reader, entry *trail.Entry) error {
	if _, known := n.Jobs[entry.JobID]; entry.JobID != "" && !known {
		job, err := tx.Job(entry.JobID)
		if err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return err
		}
		n.Jobs[entry.JobID] = job.Name
	}
	if _, known := n.Certificates[entry.CertID]; entry.CertID != "" && !known {
		certificate, err := tx.Certificate(entry.CertID)
		if err != nil && !errors.Is(err, shop.ErrNoRecord) {
			return err
		}
		n.Certificates[entry.CertID] = certificate.Name
	}
	return nil
}
