package routecard

import (
	"context"
	"slices"
	"strings"
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

// groupWork sorts waiting serials, which come ordered by path and position, by the operator of the step they stand at.
func groupWork(routes map[string]*Route, waiting []WaitingSerial) map[string][]WorkQueueJob {
	groups := map[string][]WorkQueueJob{}
	for len(waiting) > 0 {
		at := waiting[0]
		count := slices.IndexFunc(waiting, func(w WaitingSerial) bool {
			return w.PathID != at.PathID || w.Position != at.Position
		})
		if count < 0 {
			count = len(waiting)
		}
		if route := routes[at.PathID]; route != nil && at.Position < len(route.Path.Steps) {
			place := route.place(at.Position)
			place.PartCount = count
			place.SerialIDs = make([]string, count)
			for i := range place.SerialIDs {
				place.SerialIDs[i] = SerialID(waiting[i].Number)
			}
			operator := route.Path.Steps[at.Position].AssignedTo
			groups[operator] = append(groups[operator], place)
		}
		waiting = waiting[count:]
	}
	return groups
}

func countParts(jobs []WorkQueueJob) int {
	total := 0
	for i := range jobs {
		total += jobs[i].PartCount
	}
	return total
}

// WorkQueue answers what waits where and for whom, as of one moment, with a constant number of set queries.
func (s *Service) WorkQueue(ctx context.Context) (WorkQueue, error) {
	queue := WorkQueue{Groups: []WorkQueueGroup{}}
	err := s.store.View(ctx, func(tx Tx) error {
		work, err := loadWork(tx, "")
		if err != nil {
			return err
		}
		names, err := userNames(tx)
		if err != nil {
			return err
		}
		for operatorID, jobs := range work {
			group := WorkQueueGroup{
				OperatorID: orNull(operatorID), OperatorName: names[operatorID], Jobs: jobs, TotalParts: countParts(jobs),
			}
			if operatorID == "" {
				group.OperatorName = "Unassigned"
			}
			queue.Groups = append(queue.Groups, group)
			queue.TotalParts += group.TotalParts
		}
		return nil
	})
	slices.SortFunc(queue.Groups, func(a, b WorkQueueGroup) int {
		switch {
		case a.OperatorID == nil:
			return 1
		case b.OperatorID == nil:
			return -1
		case a.OperatorName != b.OperatorName:
			return strings.Compare(a.OperatorName, b.OperatorName)
		}
		return strings.Compare(*a.OperatorID, *b.OperatorID)
	})
	return queue, err
}

// loadWork loads what waits at the steps of one operator, or at every step for "".
func loadWork(tx Tx, operatorID string) (map[string][]WorkQueueJob, error) {
	routes, err := tx.RoutesWithWork(operatorID)
	if err != nil {
		return nil, err
	}
	waiting, err := tx.WaitingSerials(operatorID)
	if err != nil {
		return nil, err
	}
	byPath := make(map[string]*Route, len(routes))
	for i := range routes {
		byPath[routes[i].Path.ID] = &routes[i]
	}
	return groupWork(byPath, waiting), nil
}

// OperatorQueue answers what waits at the steps that an operator, active or not, is assigned to.
func (s *Service) OperatorQueue(ctx context.Context, userID string) (OperatorQueue, error) {
	queue := OperatorQueue{OperatorID: userID, Jobs: []WorkQueueJob{}}
	err := s.store.View(ctx, func(tx Tx) error {
		user, err := findUser(tx, userID)
		if err != nil {
			return err
		}
		queue.OperatorName = user.Name
		work, err := loadWork(tx, userID)
		if err != nil {
			return err
		}
		if jobs := work[userID]; jobs != nil {
			queue.Jobs, queue.TotalParts = jobs, countParts(jobs)
		}
		return nil
	})
	return queue, err
}

// StepQueue answers what waits at one step, what was noted there, and how many are one step behind.
func (s *Service) StepQueue(ctx context.Context, stepID string) (StepQueue, error) {
	queue := StepQueue{Notes: []Note{}}
	err := s.store.View(ctx, func(tx Tx) error {
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
