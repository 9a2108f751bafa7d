package views

import "github.com/routecard/routecard/shop"

// Units on hold wait for a release and not for the work of a step, so pages count and list them apart from the units that can be worked on.
// This file counts them for the floor, the boards, the lists of jobs and the work queue.

// HeldCount is the number of serials in progress that are on hold at one position of a path.
type HeldCount struct {
	JobID    string
	PathID   string
	Position int
	Count    int64
}

// heldUnits is a snapshot of the units on hold.
type heldUnits []HeldCount

// at returns the number of units on hold at a position of a path.
func (h heldUnits) at(pathID string, position int) (count int64) {
	for _, held := range h {
		if held.PathID == pathID && held.Position == position {
			count += held.Count
		}
	}
	return count
}

// onJob returns the number of units of a job on hold.
func (h heldUnits) onJob(jobID string) (count int64) {
	for _, held := range h {
		if held.JobID == jobID {
			count += held.Count
		}
	}
	return count
}

// begun reports whether any of a path's units in progress has left the first step. While all of them are at the first step, the path has
// just begun and that step is no bottleneck, although most units wait there.
func begun(steps []shop.StepDistribution) bool {
	for i := range steps {
		if i > 0 && steps[i].SerialCount > 0 {
			return true
		}
	}
	return false
}

// holdsUp reports whether a step is a bottleneck of its path: most units wait there, some of them can be worked on, and the path has begun.
func holdsUp(steps []shop.StepDistribution, step int, held int64) bool {
	return steps[step].IsBottleneck && steps[step].SerialCount > held && begun(steps)
}

// HeldReader is the database access for counts of units on hold.
type HeldReader interface {
	// HeldWaiting returns the number of serials in progress with an open hold at each position where there are any, by path and position.
	HeldWaiting() ([]HeldCount, error)
}
