package views

import "github.com/routecard/routecard/shop"

// Units on hold wait for somebody to release them and not for the work of a step, so pages count and list them apart from
// those that can be worked on. This file has the counts, for the floor, the boards, the lists of jobs and the work queue.

// HeldCount is how many serials in progress are on hold at one position of a path.
type HeldCount struct {
	JobID    string
	PathID   string
	Position int
	Count    int64
}

// heldUnits is what is on hold, as of one moment.
type heldUnits []HeldCount

// at is how many are on hold at a position of a path.
func (h heldUnits) at(pathID string, position int) (count int64) {
	for _, held := range h {
		if held.PathID == pathID && held.Position == position {
			count += held.Count
		}
	}
	return count
}

// onJob is how many of a job are on hold.
func (h heldUnits) onJob(jobID string) (count int64) {
	for _, held := range h {
		if held.JobID == jobID {
			count += held.Count
		}
	}
	return count
}

// begun reports whether any of a path's units in progress has left the first step. Where all of them stand at the first
// step the path has just begun, and that step holds nothing up, although most units wait there.
func begun(steps []shop.StepDistribution) bool {
	for i := range steps {
		if i > 0 && steps[i].SerialCount > 0 {
			return true
		}
	}
	return false
}

// holdsUp reports whether a step is a bottleneck of its path for those who look for what to do: most units wait there, some of
// them can be worked on, and the path has begun.
func holdsUp(steps []shop.StepDistribution, step int, held int64) bool {
	return steps[step].IsBottleneck && steps[step].SerialCount > held && begun(steps)
}

// HeldReader is what the counts of held units need of a database.
type HeldReader interface {
	// HeldWaiting returns how many serials in progress have an open hold, at each position of a path where there are any, by path
	// and position.
	HeldWaiting() ([]HeldCount, error)
}
