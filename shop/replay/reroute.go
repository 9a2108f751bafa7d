package replay

import (
	"encoding/json"
	"iter"
	"slices"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// A reroute changes the order of the steps of a path that may have units. Units keep the step at which they stand, so that their
// positions follow from the new order. A reroute is refused when a step would come to the other side of a unit, because the
// status of that step follows from the position of the unit (docs/api/paths.md, "Changing the steps of a path").

// UnitPlace counts the units that stand at one position of a path. Done are those that left their last step: they stand after the
// step before their position. All others stand at the step at their position.
type UnitPlace struct {
	Position int
	Done     bool
	Count    int64
}

// UnitMove moves the units at positions from First to Last by a number of steps towards the end.
type UnitMove struct {
	First, Last int
	Done        bool // as in UnitPlace
	By          int
}

// NewStepPassed is a new step, at a place that some units have passed. Those in progress get the status Status for it, closed
// units StepSkipped.
type NewStepPassed struct {
	StepID string
	Place  int
	Status card.StepStatus
}

// Rerouting is what a reroute changes for the units of a path.
type Rerouting struct {
	PathID string
	Moves  []UnitMove      // the ones nearest to the end first, so that no unit is moved twice
	Passed []NewStepPassed // in the order of the path
	Places []int           // by the place of a step before, its place now; only where a place differs
	At     ident.Timestamp
}

// StepOrder has the places of steps by identifier.
type StepOrder map[string]int

// OrderOf returns the places of steps.
func OrderOf(steps []card.ProcessStep) StepOrder {
	order := make(StepOrder, len(steps))
	for i := range steps {
		order[steps[i].ID] = i
	}
	return order
}

// Reorder is a change from one list of steps to another one that has all of them.
type Reorder struct {
	before, after []card.ProcessStep
	places        []int // by the place before, the place after; after the last step comes the end
	farthest      []int // by place before: the greatest place after of the steps in front of it, -1 for none
	nearest       []int // by place before: the smallest place after of the steps from it on
}

// NewReorder compares the steps of a path before and after a change.
func NewReorder(before, after []card.ProcessStep) *Reorder {
	now, n := OrderOf(after), len(before)
	r := &Reorder{before: before, after: after, places: make([]int, n+1), farthest: make([]int, n+1), nearest: make([]int, n+1)}
	r.farthest[0] = -1
	for i := range before {
		place, stays := now[before[i].ID]
		if !stays { // which only a path without units has
			place = len(after)
		}
		r.places[i] = place
		r.farthest[i+1] = max(r.farthest[i], place)
	}
	r.places[n], r.nearest[n] = len(after), len(after)
	for i := n - 1; i >= 0; i-- {
		r.nearest[i] = min(r.nearest[i+1], r.places[i])
	}
	return r
}

// common returns how many steps at the beginning are the same before and after.
func (r *Reorder) common() int {
	for i := range r.before {
		if r.places[i] != i {
			return i
		}
	}
	return len(r.before)
}

// placeNow returns the position after the reroute of units that stand at a place, whether or not the reroute is refused for them.
func (r *Reorder) placeNow(at UnitPlace) int {
	if at.Done {
		return r.farthest[at.Position] + 1
	}
	return r.places[at.Position]
}

// position returns where units stand after the reroute. It refuses a reroute that moves a step to the other side of them.
func (r *Reorder) position(at UnitPlace) (int, error) {
	position := r.placeNow(at)
	if at.Done {
		if position <= r.nearest[at.Position] {
			return position, nil
		}
		return 0, refusal.Refuse(StepsPassDone, r.crossing(at.Position, r.farthest[at.Position]), at.Count)
	}
	if r.farthest[at.Position] < position && position < r.nearest[at.Position+1] {
		return position, nil
	}
	return 0, refusal.Refuse(StepsPassUnits, r.crossing(at.Position, position), r.before[at.Position].Name, at.Count)
}

// crossing returns the name of a step that is on the other side of a position afterwards, which is known to exist. limit is the
// place after the reroute that divides the sides.
func (r *Reorder) crossing(position, limit int) string {
	for i := range r.before {
		if i < position && r.places[i] > limit || i >= position && r.places[i] < limit {
			return r.before[i].Name
		}
	}
	return ""
}

// passed lists the new steps in front of a position after the reroute.
func (r *Reorder) passed(position int) (steps []NewStepPassed) {
	old := OrderOf(r.before)
	for i := range r.after[:min(position, len(r.after))] {
		step := &r.after[i]
		if _, existed := old[step.ID]; existed {
			continue
		}
		status := card.StepDeferred
		if step.Optional {
			status = card.StepSkipped
		}
		steps = append(steps, NewStepPassed{step.ID, i, status})
	}
	return steps
}

// Follow returns what a reroute changes for units that stand at these places.
func (r *Reorder) Follow(units []UnitPlace) (change Rerouting, err error) {
	end := 0
	for _, done := range []bool{false, true} {
		var moves []UnitMove
		for _, at := range units {
			if at.Done != done {
				continue
			}
			position, err := r.position(at)
			if err != nil {
				return Rerouting{}, err
			}
			end = max(end, position)
			by := position - at.Position
			if last := len(moves) - 1; last >= 0 && moves[last].By == by {
				moves[last].Last = at.Position
				continue
			}
			moves = append(moves, UnitMove{at.Position, at.Position, done, by})
		}
		slices.Reverse(moves)
		change.Moves = append(change.Moves, slices.DeleteFunc(moves, func(m UnitMove) bool { return m.By == 0 })...)
	}
	change.Passed = r.passed(end)
	var added, moved int64
	for _, at := range units {
		if position, _ := r.position(at); position != at.Position {
			moved += at.Count
		}
	}
	if moved > movedLimit {
		return Rerouting{}, refusal.Refuse(TooManyMoved, moved, int64(movedLimit))
	}
	for _, step := range change.Passed {
		for _, at := range units {
			if position, _ := r.position(at); position > step.Place {
				added += at.Count
			}
		}
	}
	if added > passedLimit {
		return Rerouting{}, refusal.Refuse(TooManyPassed, added, int64(passedLimit))
	}
	change.Places = r.places
	return change, nil
}

// passedLimit is how many statuses of new steps one reroute writes at most, one for each step and each unit that is past it.
const passedLimit = 40_000

// movedLimit is how many units one reroute gives other positions at most.
const movedLimit = 100_000

// Reroutes reports whether the order of steps that stay changes, or a new step comes in front of one of them.
func Reroutes(before, after []card.ProcessStep) bool {
	for i := range before {
		if i >= len(after) || before[i].ID != after[i].ID {
			return true
		}
	}
	return false
}

// PathHistory is a path with its reroutes, which replaying the trail of its units needs: an entry names steps, and their places
// are those of its time.
type PathHistory struct {
	Path    card.Path
	changes []pathReroute // oldest first
}

type pathReroute struct {
	sequence int64
	entry    trail.Entry // without its metadata
	*Reorder
}

// PathTrail reads the entries about paths.
type PathTrail interface {
	ChangesOfPath(pathID string) iter.Seq2[trail.Entry, error] // the path_updated and path_deleted entries of a path, oldest first
}

// ReadHistory reads the reroutes of a path from the trail.
func ReadHistory(tx PathTrail, path card.Path) (PathHistory, error) {
	history := PathHistory{Path: path}
	for entry, err := range tx.ChangesOfPath(path.ID) {
		if err != nil {
			return PathHistory{}, err
		}
		history.add(&entry)
	}
	return history, nil
}

// Rerouted reports whether the order of the steps has changed.
func (h *PathHistory) Rerouted() bool { return len(h.changes) > 0 }

// add takes an entry about the path. An entry whose metadata cannot be read is left for verification to find.
func (h *PathHistory) add(entry *trail.Entry) {
	type route struct {
		Steps []card.ProcessStep `json:"steps"`
	}
	var told struct {
		Before route `json:"before"`
		After  route `json:"after"`
	}
	if entry.Action != card.ActionPathUpdated || json.Unmarshal(entry.Metadata, &told) != nil || told.Before.Steps == nil ||
		!Reroutes(told.Before.Steps, told.After.Steps) {
		return
	}
	sequence, _ := ident.AuditSequence(entry.ID)
	change := pathReroute{sequence, *entry, NewReorder(told.Before.Steps, told.After.Steps)}
	change.entry.Metadata = nil
	h.changes = append(h.changes, change)
}

// steps returns the steps in the order that they had before the reroute with this index.
func (h *PathHistory) steps(i int) []card.ProcessStep {
	if i == len(h.changes) {
		return h.Path.Steps
	}
	now := OrderOf(h.Path.Steps)
	steps := slices.Clone(h.changes[i].before)
	for j := range steps {
		if place, stays := now[steps[j].ID]; stays {
			steps[j] = h.Path.Steps[place]
		}
	}
	return steps
}

// since returns the index of the first reroute that the trail has after an entry.
func (h *PathHistory) since(sequence int64) int {
	return len(h.changes) - len(h.after(func(c *pathReroute) bool { return c.sequence > sequence }))
}

// sinceTime is since for a serial whose creation the trail does not tell.
func (h *PathHistory) sinceTime(at ident.Timestamp) int {
	return len(h.changes) - len(h.after(func(c *pathReroute) bool { return c.entry.Timestamp > at }))
}

func (h *PathHistory) after(is func(*pathReroute) bool) []pathReroute {
	for i := range h.changes {
		if is(&h.changes[i]) {
			return h.changes[i:]
		}
	}
	return nil
}

// PlaceNow returns the place that a place of the path has now which was stored with an entry.
func (h *PathHistory) PlaceNow(place int, sequence int64) int {
	for i := h.since(sequence); i < len(h.changes); i++ {
		if places := h.changes[i].places; place >= 0 && place < len(places) {
			place = places[place]
		}
	}
	return place
}

// Why steps are not replaced.
var (
	StepsPassUnits = refusal.NewReason(refusal.Invalid, "step_passes_units",
		"Step {step} cannot come to the other side of step {at}: {count} units stand there. "+
			"Move these units first, or keep the order of these steps")
	StepsPassDone = refusal.NewReason(refusal.Invalid, "step_passes_units",
		"Step {step} cannot come before the end of the route that {count} completed units have left. "+
			"Put it after the steps that they completed")
	TooManyPassed = refusal.NewReason(refusal.Invalid, "too_many_units",
		"Units are past the new steps {count} times, and at most {limit} are recorded at once. "+
			"Insert fewer steps at a time, or insert them after the units")
	TooManyMoved = refusal.NewReason(refusal.Invalid, "too_many_units",
		"{count} units stand at or after the first step that gets another place, and at most {limit} can be moved at once. "+
			"Keep the order of the steps up to where most units stand")
)
