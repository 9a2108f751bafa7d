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

// A reroute changes the order of the steps of a path that may have units. Units keep their current step, and their positions follow from
// the new order. The status of other steps follows from the position. So a reroute is refused if a step would move from before a unit to
// after it, or the reverse (docs/api/paths.md, "Changing the steps of a path").

// UnitPlace counts the units at one position of a path. Done units have left their last step: they stand after the step before their
// position. Other units stand at the step at their position.
type UnitPlace struct {
	Position int
	Done     bool
	Count    int64
}

// UnitMove moves the units at positions First to Last by a number of steps towards the end.
type UnitMove struct {
	First, Last int
	Done        bool // as in UnitPlace
	By          int
}

// NewStepPassed is a new step before the position of some units. It has the given status for units in progress, and StepSkipped for closed
// units.
type NewStepPassed struct {
	StepID string
	Place  int
	Status card.StepStatus
}

// Rerouting has the changes of a reroute for the units of a path.
type Rerouting struct {
	PathID string
	Moves  []UnitMove      // the moves nearest to the end of the path first, so that no unit is moved twice
	Passed []NewStepPassed // in the order of the path
	Places []int           // the new index of a step by its old index
	At     ident.Timestamp
}

// StepOrder has the index of each step by its identifier.
type StepOrder map[string]int

// OrderOf returns the indexes of steps.
func OrderOf(steps []card.ProcessStep) StepOrder {
	order := make(StepOrder, len(steps))
	for i := range steps {
		order[steps[i].ID] = i
	}
	return order
}

// Reorder is a change from one list of steps to another that includes all of them.
type Reorder struct {
	before, after []card.ProcessStep
	places        []int // new index by old index; the end of the path maps to the new end
	farthest      []int // by old index: the greatest new index of the steps before it, or -1
	nearest       []int // by old index: the smallest new index of the steps from it on
}

// NewReorder compares the steps of a path before and after a change.
func NewReorder(before, after []card.ProcessStep) *Reorder {
	now, n := OrderOf(after), len(before)
	r := &Reorder{before: before, after: after, places: make([]int, n+1), farthest: make([]int, n+1), nearest: make([]int, n+1)}
	r.farthest[0] = -1
	for i := range before {
		place, stays := now[before[i].ID]
		if !stays { // possible only for a path without units
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

// common returns the number of steps that are the same at the beginning of both lists.
func (r *Reorder) common() int {
	for i := range r.before {
		if r.places[i] != i {
			return i
		}
	}
	return len(r.before)
}

// placeNow returns the position of units after the reroute, even if the reroute is refused for them.
func (r *Reorder) placeNow(at UnitPlace) int {
	if at.Done {
		return r.farthest[at.Position] + 1
	}
	return r.places[at.Position]
}

// position returns the position of units after the reroute. It refuses the reroute if a step would move to the other side of the units.
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

// crossing returns the name of a step that moves to the other side of a position. Such a step must exist. limit is the new index that
// divides the sides.
func (r *Reorder) crossing(position, limit int) string {
	for i := range r.before {
		if i < position && r.places[i] > limit || i >= position && r.places[i] < limit {
			return r.before[i].Name
		}
	}
	return ""
}

// passed returns the new steps before a position after the reroute.
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

// Follow returns the changes of a reroute for these units, or the refusal.
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

// passedLimit is the maximum number of statuses that one reroute writes: one for each new step and each unit past that step.
const passedLimit = 40_000

// movedLimit is the maximum number of units whose positions one reroute changes.
const movedLimit = 100_000

// Reroutes reports whether the order of the existing steps changes, or a new step is inserted before one of them.
func Reroutes(before, after []card.ProcessStep) bool {
	for i := range before {
		if i >= len(after) || before[i].ID != after[i].ID {
			return true
		}
	}
	return false
}

// PathHistory is a path with its reroutes. Replaying the entries of its units needs the reroutes, because the index of a step depends on
// the time of the entry.
type PathHistory struct {
	Path    card.Path
	changes []pathReroute // oldest first
}

type pathReroute struct {
	sequence int64
	entry    trail.Entry // without its metadata
	*Reorder
}

// PathTrail reads the audit entries of paths.
type PathTrail interface {
	ChangesOfPath(pathID string) iter.Seq2[trail.Entry, error] // the path_updated and path_deleted entries, oldest first
}

// ReadHistory reads the reroutes of a path from the audit trail.
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

// add adds the reroute in an entry about the path. It ignores an entry with unreadable metadata, which verification reports.
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

// steps returns the steps in their order before the reroute with this index.
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

// since returns the index of the first reroute after an entry.
func (h *PathHistory) since(sequence int64) int {
	return len(h.changes) - len(h.after(func(c *pathReroute) bool { return c.sequence > sequence }))
}

// sinceTime is like since, for a serial whose creation is missing in the trail.
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

// PlaceNow returns the current index of a step from the index that was stored with an entry.
func (h *PathHistory) PlaceNow(place int, sequence int64) int {
	for i := h.since(sequence); i < len(h.changes); i++ {
		if places := h.changes[i].places; place >= 0 && place < len(places) {
			place = places[place]
		}
	}
	return place
}

// Reasons for refusing to replace steps.
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
