package routecard

import (
	"cmp"
	"context"
	"iter"
	"slices"
)

// WorkQueueJob is the work that waits at one step: the serials in progress that stand there.
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
}

// WorkQueueGroup is the work of one operator, or of nobody.
type WorkQueueGroup struct {
	OperatorID   *string        `json:"operatorId"` // nil: assigned to nobody
	OperatorName string         `json:"operatorName"`
	Jobs         []WorkQueueJob `json:"jobs"`
	TotalParts   int            `json:"totalParts"`
}

// WorkQueue is what waits in the whole shop: operators by name, then what is assigned to nobody.
type WorkQueue struct {
	Groups     []WorkQueueGroup `json:"groups"`
	TotalParts int              `json:"totalParts"`
}

// OperatorQueue is what waits for one operator.
type OperatorQueue struct {
	OperatorID   string         `json:"operatorId"`
	OperatorName string         `json:"operatorName"`
	Jobs         []WorkQueueJob `json:"jobs"`
	TotalParts   int            `json:"totalParts"`
}

// StepQueue is what waits at one step.
type StepQueue struct {
	Job                  WorkQueueJob `json:"job"`
	Notes                []Note       `json:"notes"`
	PreviousStepWIPCount *int64       `json:"previousStepWipCount,omitempty"` // nil at a first step
}

// Route is a path with the name of its job, as the queue shows it.
type Route struct {
	Path    Path
	JobName string
}

// WaitingSerial is a serial in progress and where it stands.
type WaitingSerial struct {
	PathID   string
	Position int
	Number   int64
}

// place describes a step as a place where work waits.
func (r *Route) place(index int) WorkQueueJob {
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

// work is what waits at one step, and whose step it is: "" for nobody's.
type work struct {
	operator string
	at       WorkQueueJob
}

// workOf names the steps at which serials wait, which come ordered by path and position. What stands on a path or a
// step that is gone is left out.
func workOf(routes []Route, standing iter.Seq[standingAt]) []work {
	byPath := make(map[string]*Route, len(routes))
	for i := range routes {
		byPath[routes[i].Path.ID] = &routes[i]
	}
	var found []work
	for at := range standing {
		route := byPath[at.pathID]
		if route == nil || at.position >= len(route.Path.Steps) {
			continue
		}
		place := route.place(at.position)
		place.PartCount, place.SerialIDs = at.count, at.serials
		found = append(found, work{route.Path.Steps[at.position].AssignedTo, place})
	}
	return found
}

// standingAt is how many serials wait at a position of a path, and those of them that are named.
type standingAt struct {
	pathID   string
	position int
	count    int
	serials  []string
}

// together gathers serials that come ordered by path and position.
func together(waiting []WaitingSerial) iter.Seq[standingAt] {
	return func(yield func(standingAt) bool) {
		for len(waiting) > 0 {
			first := waiting[0]
			count := slices.IndexFunc(waiting, func(w WaitingSerial) bool {
				return w.PathID != first.PathID || w.Position != first.Position
			})
			if count < 0 {
				count = len(waiting)
			}
			serials := make([]string, count)
			for i := range serials {
				serials[i] = SerialID(waiting[i].Number)
			}
			if !yield(standingAt{first.PathID, first.Position, count, serials}) {
				return
			}
			waiting = waiting[count:]
		}
	}
}

// oldest names the oldest serial at each position only.
func oldest(standing []FirstStanding) iter.Seq[standingAt] {
	return func(yield func(standingAt) bool) {
		for _, at := range standing {
			if !yield(standingAt{at.PathID, at.Position, int(at.Count), []string{SerialID(at.Number)}}) {
				return
			}
		}
	}
}

// groupWork sorts work by whose it is: operators by name, those of one name by identifier, and what is assigned to
// nobody last. Within a group work stays in the order it comes in.
func groupWork(waiting []work, names map[string]string) WorkQueue {
	queue := WorkQueue{Groups: []WorkQueueGroup{}}
	place := map[string]int{}
	for _, w := range waiting {
		i, ok := place[w.operator]
		if !ok {
			i = len(queue.Groups)
			place[w.operator] = i
			group := WorkQueueGroup{OperatorID: orNull(w.operator), OperatorName: names[w.operator]}
			if w.operator == "" {
				group.OperatorName = unassigned
			}
			queue.Groups = append(queue.Groups, group)
		}
		group := &queue.Groups[i]
		group.Jobs = append(group.Jobs, w.at)
		group.TotalParts += w.at.PartCount
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

// unassigned is the name of the group whose work is assigned to nobody (decisions, A4).
const unassigned = "Unassigned"

// WorkQueue answers what waits where and for whom, as of one moment, with a constant number of set queries.
func (s *Service) WorkQueue(ctx context.Context) (WorkQueue, error) {
	var queue WorkQueue
	err := s.store.View(ctx, func(tx Reader) error {
		waiting, err := loadWork(tx, "")
		if err != nil {
			return err
		}
		names, err := userNames(tx)
		queue = groupWork(waiting, names)
		return err
	})
	return queue, err
}

// WorkOverview answers what waits where and for whom like WorkQueue, but names only the oldest unit at each step: the
// others are counted. So it costs little with very many units.
func (s *Service) WorkOverview(ctx context.Context) (WorkQueue, error) {
	var queue WorkQueue
	err := s.store.View(ctx, func(tx Reader) error {
		routes, err := tx.RoutesWithWork("")
		if err != nil {
			return err
		}
		standing, err := tx.FirstStanding()
		if err != nil {
			return err
		}
		names, err := userNames(tx)
		queue = groupWork(workOf(routes, oldest(standing)), names)
		return err
	})
	return queue, err
}

// loadWork loads what waits at the steps of one operator, or at every step for "".
func loadWork(tx Reader, operatorID string) ([]work, error) {
	routes, err := tx.RoutesWithWork(operatorID)
	if err != nil {
		return nil, err
	}
	waiting, err := tx.WaitingSerials(operatorID)
	if err != nil {
		return nil, err
	}
	return workOf(routes, together(waiting)), nil
}

// OperatorQueue answers what waits at the steps that an operator, active or not, is assigned to.
func (s *Service) OperatorQueue(ctx context.Context, userID string) (OperatorQueue, error) {
	queue := OperatorQueue{OperatorID: userID, Jobs: []WorkQueueJob{}}
	err := s.store.View(ctx, func(tx Reader) error {
		user, err := findUser(tx, userID)
		if err != nil {
			return err
		}
		queue.OperatorName = user.Name
		waiting, err := loadWork(tx, userID)
		if err != nil {
			return err
		}
		for _, w := range waiting {
			queue.Jobs = append(queue.Jobs, w.at)
			queue.TotalParts += w.at.PartCount
		}
		return nil
	})
	return queue, err
}

// StepQueue answers what waits at one step, what was noted there, and how many are one step behind.
func (s *Service) StepQueue(ctx context.Context, stepID string) (StepQueue, error) {
	queue := StepQueue{Notes: []Note{}}
	err := s.store.View(ctx, func(tx Reader) error {
		path, err := findPathOfStep(tx, stepID)
		if err != nil {
			return err
		}
		job, err := tx.Job(path.JobID)
		if err != nil {
			return err
		}
		route := Route{Path: path, JobName: job.Name}
		index := path.stepIndex(stepID)
		queue.Job = route.place(index)
		numbers, err := tx.WaitingAt(path.ID, index)
		if err != nil {
			return err
		}
		for _, number := range numbers {
			queue.Job.SerialIDs = append(queue.Job.SerialIDs, SerialID(number))
		}
		queue.Job.PartCount = len(numbers)
		if index > 0 {
			behind, err := tx.CountWaitingAt(path.ID, index-1)
			if err != nil {
				return err
			}
			queue.PreviousStepWIPCount = &behind
		}
		for note, err := range tx.NotesOfStep(stepID) {
			if err != nil {
				return err
			}
			queue.Notes = append(queue.Notes, note)
		}
		return nil
	})
	return queue, err
}

// FirstStanding is how many units stand at one position of a path, and the oldest of them.
type FirstStanding struct {
	PositionCount
	Number int64
}

// WorkReader is what the lists of waiting work need of a database.
type WorkReader interface {
	// RoutesWithWork returns the paths at whose steps serials in progress may stand: of one operator's steps, or all
	// for "". Only identifiers, names and steps of the paths are filled in.
	RoutesWithWork(operatorID string) ([]Route, error)
	// WaitingSerials returns the serials in progress at one operator's steps, or all for "", by path, position, number.
	WaitingSerials(operatorID string) ([]WaitingSerial, error)
	WaitingAt(pathID string, position int) (numbers []int64, err error) // oldest first
	CountWaitingAt(pathID string, position int) (int64, error)
	// FirstStanding returns the oldest serial in progress of each path and position, with the number of them all.
	FirstStanding() ([]FirstStanding, error)
}
