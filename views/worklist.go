package views

import (
	"cmp"
	"context"
	"iter"
	"slices"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/workorder"
)

// WorkQueueJob is the work that waits at one step: the serials in progress there.
type WorkQueueJob struct {
	JobID            string   `json:"jobId"`
	JobName          string   `json:"jobName"`
	PathID           string   `json:"pathId"`
	PathName         string   `json:"pathName"`
	StepID           string   `json:"stepId"`
	StepName         string   `json:"stepName"`
	StepOrder        int      `json:"stepOrder"`
	StepLocation     string   `json:"stepLocation,omitempty"`
	TotalSteps       int      `json:"totalSteps"`
	SerialIDs        []string `json:"serialIds"` // oldest first
	PartCount        int      `json:"partCount"`
	PreviousStepID   string   `json:"previousStepId,omitempty"`
	PreviousStepName string   `json:"previousStepName,omitempty"`
	NextStepID       string   `json:"nextStepId,omitempty"`
	NextStepName     string   `json:"nextStepName,omitempty"`
	NextStepLocation string   `json:"nextStepLocation,omitempty"`
	IsFinalStep      bool     `json:"isFinalStep"`
	WorkOrder
	Held int `json:"-"` // number of PartCount on hold, set only by WorkOverview
}

// Urgency returns the urgency of the work.
func (w *WorkQueueJob) Urgency() workorder.Urgency {
	return workorder.Urgency{Late: w.Late, Priority: w.Priority, DueDate: w.DueDate, JobID: w.JobID}
}

// WorkSort is an order of waiting work; "" for the order of paths and steps.
type WorkSort string

// SortUrgency puts the most urgent work first; see workorder.Urgency.
const SortUrgency WorkSort = "urgency"

func (s WorkSort) check() error {
	if s != "" && s != SortUrgency {
		return input.NotOneOf("sort", []WorkSort{SortUrgency})
	}
	return nil
}

// apply sorts work.
func (s WorkSort) apply(waiting []work) {
	if s == SortUrgency {
		slices.SortStableFunc(waiting, func(a, b work) int { return a.at.Urgency().Compare(b.at.Urgency()) })
	}
}

// Free returns the number of units that can be worked on.
func (w *WorkQueueJob) Free() int { return w.PartCount - w.Held }

// WorkQueueGroup is the work of one operator, or unassigned work.
type WorkQueueGroup struct {
	OperatorID   *string        `json:"operatorId"` // nil: unassigned
	OperatorName string         `json:"operatorName"`
	Jobs         []WorkQueueJob `json:"jobs"`
	TotalParts   int            `json:"totalParts"`
	Held         int            `json:"-"` // number of TotalParts on hold, set only by WorkOverview
}

// Free returns the number of units that can be worked on.
func (g *WorkQueueGroup) Free() int { return g.TotalParts - g.Held }

// WorkQueue is the waiting work of the whole shop: operators by name, then unassigned work.
type WorkQueue struct {
	Groups     []WorkQueueGroup `json:"groups"`
	TotalParts int              `json:"totalParts"`
}

// OperatorQueue is the waiting work of one operator.
type OperatorQueue struct {
	OperatorID   string         `json:"operatorId"`
	OperatorName string         `json:"operatorName"`
	Jobs         []WorkQueueJob `json:"jobs"`
	TotalParts   int            `json:"totalParts"`
}

// StepQueue is the waiting work at one step, without the notes (see NotesOfStep) and without the serials, which may be too many for memory
// (see SerialsWaiting).
type StepQueue struct {
	Job                  WorkQueueJob
	PreviousStepWIPCount *int64 // nil at a first step
}

// waitingAt describes a step as a place where work waits.
func waitingAt(r *shop.Route, index int) WorkQueueJob {
	steps := r.Path.Steps
	step := &steps[index]
	place := WorkQueueJob{
		JobID: r.Path.JobID, JobName: r.JobName, PathID: r.Path.ID, PathName: r.Path.Name,
		StepID: step.ID, StepName: step.Name, StepOrder: index, StepLocation: step.Location,
		TotalSteps: len(steps), SerialIDs: []string{}, IsFinalStep: index == len(steps)-1,
	}
	if index > 0 {
		place.PreviousStepID, place.PreviousStepName = steps[index-1].ID, steps[index-1].Name
	}
	if !place.IsFinalStep {
		next := &steps[index+1]
		place.NextStepID, place.NextStepName, place.NextStepLocation = next.ID, next.Name, next.Location
	}
	return place
}

// work is the work at one step, with the operator it is assigned to: "" if unassigned.
type work struct {
	operator string
	at       WorkQueueJob
}

// workOf describes the steps at which serials wait, in the order of the counts. The serials are counted and not listed. It leaves out
// serials on a path or at a step that no longer exists. Unless operatorID is "", it also leaves out the steps of other operators.
func workOf(routes []shop.Route, waiting []shop.PositionCount, operatorID string, order func(*shop.Route) WorkOrder) []work {
	byPath := make(map[string]*shop.Route, len(routes))
	for i := range routes {
		byPath[routes[i].Path.ID] = &routes[i]
	}
	var found []work
	for _, at := range waiting {
		route := byPath[at.PathID]
		if route == nil || at.Position >= len(route.Path.Steps) {
			continue
		}
		operator := route.Path.Steps[at.Position].AssignedTo
		if operatorID != "" && operator != operatorID {
			continue
		}
		place := waitingAt(route, at.Position)
		place.PartCount, place.WorkOrder = int(at.Count), order(route)
		found = append(found, work{operator, place})
	}
	return found
}

// groupWork groups work by operator: operators by name, operators with the same name by identifier, and unassigned work last. Within a
// group the order of the work does not change.
func groupWork(waiting []work, names map[string]string) WorkQueue {
	queue := WorkQueue{Groups: []WorkQueueGroup{}}
	place := map[string]int{}
	for _, w := range waiting {
		i, ok := place[w.operator]
		if !ok {
			i = len(queue.Groups)
			place[w.operator] = i
			group := WorkQueueGroup{OperatorID: shop.OrNull(w.operator), OperatorName: names[w.operator]}
			if w.operator == "" {
				group.OperatorName = unassigned
			}
			queue.Groups = append(queue.Groups, group)
		}
		group := &queue.Groups[i]
		group.Jobs = append(group.Jobs, w.at)
		group.TotalParts += w.at.PartCount
		group.Held += w.at.Held
		queue.TotalParts += w.at.PartCount
	}
	slices.SortFunc(queue.Groups, func(a, b WorkQueueGroup) int {
		switch {
		case a.OperatorID == nil:
			return 1
		case b.OperatorID == nil:
			return -1
		}
		return cmp.Or(cmp.Compare(a.OperatorName, b.OperatorName), cmp.Compare(*a.OperatorID, *b.OperatorID))
	})
	return queue
}

// unassigned is the name of the group of unassigned work (docs/api/operators.md, "Work queue").
const unassigned = "Unassigned"

// WorkQueue returns a snapshot of the waiting work by operator. The serials are counted; SerialsWaiting lists them.
func (v *Views) WorkQueue(ctx context.Context, sort WorkSort) (WorkQueue, error) {
	var queue WorkQueue
	if err := sort.check(); err != nil {
		return queue, err
	}
	err := v.store.Look(ctx, func(tx Reader) error {
		waiting, err := v.workAt(tx, "")
		if err != nil {
			return err
		}
		sort.apply(waiting)
		names, err := shop.UserNames(tx)
		queue = groupWork(waiting, names)
		return err
	})
	return queue, err
}

// WorkOverview is WorkQueue with the number of units on hold and, for each step, the oldest serial that can be worked on.
func (v *Views) WorkOverview(ctx context.Context) (WorkQueue, error) {
	var queue WorkQueue
	err := v.store.Look(ctx, func(tx Reader) error {
		waiting, err := v.workAt(tx, "")
		if err != nil {
			return err
		}
		if err := nameOldest(tx, waiting); err != nil {
			return err
		}
		counted, err := tx.HeldWaiting()
		if err != nil {
			return err
		}
		for i := range waiting {
			waiting[i].at.Held = int(heldUnits(counted).at(waiting[i].at.PathID, waiting[i].at.StepOrder))
		}
		names, err := shop.UserNames(tx)
		queue = groupWork(waiting, names)
		return err
	})
	return queue, err
}

func nameOldest(tx Reader, waiting []work) error {
	places := make([]Place, len(waiting))
	for i, w := range waiting {
		places[i] = Place{w.at.PathID, w.at.StepOrder}
	}
	oldest, err := tx.OldestWaiting(places)
	if err != nil {
		return err
	}
	for i := range waiting {
		if number, ok := oldest[places[i]]; ok {
			waiting[i].at.SerialIDs = []string{tx.SerialPrefix().SerialID(number)}
		}
	}
	return nil
}

// workAt describes the steps at which serials wait, by path and position: the steps of one operator, or all steps if operatorID is "".
func (v *Views) workAt(tx Reader, operatorID string) ([]work, error) {
	standing, err := v.shop.Standing(tx)
	if err != nil {
		return nil, err
	}
	waiting := standing.Waiting()
	var routes []shop.Route
	if operatorID == "" {
		routes, err = tx.Routes(pathsOf(waiting))
	} else {
		routes, err = tx.RoutesOfOperator(operatorID)
	}
	today := v.shop.Today()
	return workOf(routes, waiting, operatorID, func(route *shop.Route) WorkOrder {
		return orderOfRoute(route, today, standing.Completed(route.Path.ID))
	}), err
}

// pathsOf returns the paths in counts, each once. The counts are sorted by path.
func pathsOf(counts []shop.PositionCount) []string {
	var ids []string
	for _, c := range counts {
		if len(ids) == 0 || ids[len(ids)-1] != c.PathID {
			ids = append(ids, c.PathID)
		}
	}
	return ids
}

// everybody is the parameter for all operators, including unassigned work.
const everybody = "_all"

// OperatorQueue returns the waiting work at the steps that are assigned to an operator, active or not, or at every step for "_all". The
// serials are counted; SerialsWaiting lists them.
func (v *Views) OperatorQueue(ctx context.Context, userID string, sort WorkSort) (OperatorQueue, error) {
	var queue OperatorQueue
	if err := sort.check(); err != nil {
		return queue, err
	}
	err := v.store.Look(ctx, func(tx Reader) error {
		queue = OperatorQueue{OperatorID: userID, Jobs: []WorkQueueJob{}}
		operatorID := userID
		if userID == everybody {
			operatorID, queue.OperatorName = "", "Everybody"
		} else {
			user, err := shop.FindUser(tx, userID)
			if err != nil {
				return err
			}
			queue.OperatorName = user.Name
		}
		waiting, err := v.workAt(tx, operatorID)
		if err != nil {
			return err
		}
		sort.apply(waiting)
		for _, w := range waiting {
			queue.Jobs = append(queue.Jobs, w.at)
			queue.TotalParts += w.at.PartCount
		}
		return nil
	})
	return queue, err
}

// Limits of one transaction of SerialsWaiting.
const (
	waitingSerials = 5000
	waitingPlaces  = 50
)

// SerialsWaiting yields the serials that wait at each of the places in turn, oldest first. It yields them in parts, each with the index of
// its place, and skips empty places. It reads in parts and holds no snapshot while the caller works, so a serial that moves meanwhile may
// be missing or come at two places. A place with up to a few thousand serials is a consistent snapshot.
func (v *Views) SerialsWaiting(ctx context.Context, places []WorkQueueJob) iter.Seq2[WaitingPart, error] {
	return func(yield func(WaitingPart, error) bool) {
		for next := 0; next < len(places); {
			first, total := next, 0
			var chunk []Place
			for next < len(places) && len(chunk) < waitingPlaces &&
				(len(chunk) == 0 || total+places[next].PartCount <= waitingSerials) {
				total += places[next].PartCount
				chunk = append(chunk, Place{places[next].PathID, places[next].StepOrder})
				next++
			}
			for after, more := int64(0), true; more; {
				var found []WaitingSerial
				part, done := shop.Passing(ctx)
				err := v.store.Look(part, func(tx Reader) (err error) {
					found, err = tx.Waiting(chunk, after, waitingSerials)
					return err
				})
				if err != nil {
					done()
					yield(WaitingPart{}, err)
					return
				}
				for part := range partsOf(found) {
					part.Place += first
					if !yield(part, nil) {
						done()
						return
					}
				}
				done()
				if more = len(found) == waitingSerials; more {
					// More serials may follow at the place of the last serial, and at later places.
					last := found[len(found)-1]
					chunk, first, after = chunk[last.Place:], first+last.Place, last.Number
				}
			}
		}
	}
}

// WaitingSerial is a serial in progress with the index of its place among the requested places.
type WaitingSerial struct {
	Place  int
	Number int64
}

// WaitingPart is a part of the serials that wait at a place.
type WaitingPart struct {
	Place   int // index of the place
	Numbers []int64
}

func partsOf(found []WaitingSerial) iter.Seq[WaitingPart] {
	return func(yield func(WaitingPart) bool) {
		for len(found) > 0 {
			n := slices.IndexFunc(found, func(w WaitingSerial) bool { return w.Place != found[0].Place })
			if n < 0 {
				n = len(found)
			}
			part := WaitingPart{Place: found[0].Place, Numbers: make([]int64, n)}
			for i := range part.Numbers {
				part.Numbers[i] = found[i].Number
			}
			if !yield(part) {
				return
			}
			found = found[n:]
		}
	}
}

// StepQueue returns the number of serials that wait at one step, and the number at the step before.
func (v *Views) StepQueue(ctx context.Context, stepID string) (StepQueue, error) {
	var queue StepQueue
	err := v.store.Look(ctx, func(tx Reader) error {
		path, err := shop.FindPathOfStep(tx, stepID)
		if err != nil {
			return err
		}
		job, err := tx.Job(path.JobID)
		if err != nil {
			return err
		}
		route := shop.Route{
			Path: path, JobName: job.Name, Order: job.OrderFields, Ticket: job.TicketFields, Closed: job.Closed(),
		}
		index := path.StepIndex(stepID)
		queue.Job = waitingAt(&route, index)
		if queue.Job.WorkOrder, err = v.orderOfPath(tx, path, &job); err != nil {
			return err
		}
		if index > 0 {
			standing, err := v.shop.Standing(tx)
			if err != nil {
				return err
			}
			behind := standing.At(path.ID, index-1)
			queue.PreviousStepWIPCount = &behind
		}
		return nil
	})
	return queue, err
}

// WorkReader is the database access of the lists of waiting work.
type WorkReader interface {
	// RoutesOfOperator returns the paths with a step that is assigned to an operator, as Routes does.
	RoutesOfOperator(operatorID string) ([]shop.Route, error)
	// Waiting returns the serials in progress at up to fifty places, in the order of the places and oldest first, at most limit. At the
	// first place it returns only serials with a number above after.
	Waiting(places []Place, after int64, limit int) ([]WaitingSerial, error)
	// OldestWaiting returns the oldest serial in progress without an open hold at each place; places without such a serial are left out.
	OldestWaiting(places []Place) (map[Place]int64, error)
}
