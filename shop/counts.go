package shop

import (
	"cmp"
	"context"
	"iter"
	"maps"
	"slices"
	"sync"
	"time"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
)

// standing counts the serials of each path by status and position, as of one entry of the audit trail. It is immutable.
type standing struct {
	sequence int64 // sequence number of the newest entry that is included
	paths    map[string][]StandingCount
}

// counter caches the counts of serials, so that a page only processes the changes since the last page: counting ten million
// serials takes seconds. Every change of a serial has an entry in the trail with its path, so earlier counts and the later
// entries give the current counts. If an entry does not contain enough, its path is counted again. It is safe for concurrent use.
type counter struct {
	clock ident.Clock
	mu    sync.Mutex // held while newest is updated: all waiting callers need the same result
	// newest is the last result. older is an earlier result, for a transaction whose snapshot precedes newest.
	newest, older *standing
	turned        ident.Timestamp // the time when the value of newest was moved to older
}

const (
	// keepOlder is the time in milliseconds after which older is replaced.
	keepOlder = ident.Timestamp(2 * time.Second / time.Millisecond)
	// countAnew is the number of entries above which all serials are counted again.
	countAnew = 1_000_000
)

// Move sums up the entries of one kind between two entries of the trail.
type Move struct {
	PathID     string
	Action     trail.Action
	StepID     string
	FromStepID string
	ToStepID   string
	Count      int64 // number of entries
	Quantity   int64 // the sum of their batch quantities
}

// PathStandingCount is a StandingCount of one path.
type PathStandingCount struct {
	PathID string
	StandingCount
}

// at returns the counts in the snapshot of a transaction.
func (c *counter) at(tx interface {
	AuditStore
	CountReader
	Counting
}) (*standing, error) { //nolint:revive // for the views, which only ask it
	last, err := tx.LastAuditSequence()
	if err != nil {
		return nil, err
	}
	c.mu.Lock()
	newest, older := c.newest, c.older
	if newest == nil || newest.sequence <= last {
		defer c.mu.Unlock()
		next, err := newest.follow(tx, last)
		if err == nil {
			c.keep(next)
		}
		return next, err
	}
	c.mu.Unlock()
	if older != nil && older.sequence <= last {
		return older.follow(tx, last)
	}
	return countAll(tx, last)
}

func (c *counter) keep(next *standing) {
	if now := ident.TimestampOf(c.clock()); c.older == nil || now-c.turned >= keepOlder || now < c.turned {
		c.older, c.turned = c.newest, now
	}
	c.newest = next
}

// follow returns the counts as of a later entry. If s is nil, it counts all serials.
func (s *standing) follow(tx interface {
	CountReader
	Counting
}, last int64) (*standing, error) {
	switch {
	case s == nil || last-s.sequence > countAnew:
		return countAll(tx, last)
	case s.sequence == last:
		return s, nil
	}
	moves, err := tx.MovesBetween(s.sequence, last)
	if err != nil {
		return nil, err
	}
	moves = slices.DeleteFunc(moves, func(m Move) bool { return !rowOfAction(m.Action).moves })
	byPath := map[string][]Move{}
	for _, m := range moves {
		byPath[m.PathID] = append(byPath[m.PathID], m)
	}
	routes, err := tx.Routes(slices.Collect(maps.Keys(byPath)))
	if err != nil {
		return nil, err
	}
	next := &standing{sequence: last, paths: maps.Clone(s.paths)}
	for _, route := range routes {
		id := route.Path.ID
		if after, known := applyMoves(route.Path, s.paths[id], byPath[id]); known {
			next.paths[id] = after
			delete(byPath, id)
		}
	}
	if err := next.count(tx, slices.Collect(maps.Keys(byPath))); err != nil {
		return nil, err
	}
	return next, nil
}

// applyMoves applies the moves of a path's serials to its counts. It returns false if a move does not contain enough, or a count
// becomes negative: then the path must be counted.
func applyMoves(path card.Path, before []StandingCount, moves []Move) (after []StandingCount, known bool) {
	type place struct {
		status   card.SerialStatus
		position int
	}
	counts := map[place]int64{}
	for _, c := range before {
		counts[place{c.Status, c.Position}] = c.Count
	}
	places := path.Places()
	index := func(stepID string) int {
		if i, known := places[stepID]; known {
			return i
		}
		return -1
	}
	for _, m := range moves {
		from, to := index(m.FromStepID), index(m.ToStepID)
		switch m.Action {
		case card.ActionSerialCreated:
			counts[place{card.InProgress, 0}] += m.Quantity
			continue
		case card.ActionSerialScrapped:
			at := index(m.StepID)
			if at < 0 {
				return nil, false
			}
			counts[place{card.InProgress, at}] -= m.Count
			counts[place{card.Scrapped, at}] += m.Count
			continue
		case card.ActionSerialAdvanced, card.ActionSerialCompleted:
			if from < 0 || to < 0 && m.ToStepID != "" {
				return nil, false
			}
		default:
			return nil, false
		}
		counts[place{card.InProgress, from}] -= m.Count
		if m.ToStepID == "" {
			counts[place{card.Completed, len(path.Steps)}] += m.Count
		} else {
			counts[place{card.InProgress, to}] += m.Count
		}
	}
	after = make([]StandingCount, 0, len(counts))
	for at, count := range counts {
		switch {
		case count < 0:
			return nil, false // something else moved serials of this path
		case count > 0:
			after = append(after, StandingCount{at.status, at.position, count})
		}
	}
	slices.SortFunc(after, func(a, b StandingCount) int {
		return cmp.Or(cmp.Compare(a.Status, b.Status), cmp.Compare(a.Position, b.Position))
	})
	return after, true
}

// countAll counts all serials.
func countAll(tx Counting, last int64) (*standing, error) {
	s := &standing{sequence: last, paths: map[string][]StandingCount{}}
	found, err := tx.CountStanding(nil)
	for _, c := range found {
		s.paths[c.PathID] = append(s.paths[c.PathID], c.StandingCount)
	}
	return s, err
}

// count counts the serials of some paths again, before other goroutines see s.
func (s *standing) count(tx Counting, pathIDs []string) error {
	if len(pathIDs) == 0 {
		return nil
	}
	for _, id := range pathIDs {
		delete(s.paths, id)
	}
	found, err := tx.CountStanding(pathIDs)
	for _, c := range found {
		s.paths[c.PathID] = append(s.paths[c.PathID], c.StandingCount)
	}
	return err
}

// Waiting returns the number of serials in progress at each position, sorted by path and position.
func (s *standing) Waiting() []PositionCount {
	var found []PositionCount
	for id, counts := range s.paths {
		for _, c := range counts {
			if c.Status == card.InProgress {
				found = append(found, PositionCount{id, c.Position, c.Count})
			}
		}
	}
	slices.SortFunc(found, func(a, b PositionCount) int {
		return cmp.Or(cmp.Compare(a.PathID, b.PathID), cmp.Compare(a.Position, b.Position))
	})
	return found
}

// At returns the number of serials in progress at a position of a path.
func (s *standing) At(pathID string, position int) int64 {
	for _, c := range s.paths[pathID] {
		if c.Status == card.InProgress && c.Position == position {
			return c.Count
		}
	}
	return 0
}

// Completed returns the number of completed serials of a path.
func (s *standing) Completed(pathID string) (count int64) {
	for _, c := range s.paths[pathID] {
		if c.Status == card.Completed {
			count += c.Count
		}
	}
	return count
}

// All yields the counts of all paths with serials, in no particular order. Callers must not modify them.
func (s *standing) All() iter.Seq2[string, []StandingCount] { return maps.All(s.paths) }

// Standing returns the counts in the snapshot of a transaction.
func (s *Service) Standing(tx interface {
	AuditStore
	CountReader
	Counting
}) (*standing, error) { //nolint:revive // for the views, which only ask it
	return s.counter.at(tx)
}

// CountEverything counts all serials when the service starts, so that the first page need not. The counts are cached in memory
// only.
func (s *Service) CountEverything(ctx context.Context) error {
	return s.store.View(ctx, func(tx Reader) error {
		_, err := s.counter.at(tx)
		return err
	})
}

// CountJobs counts the serials of jobs. The result omits jobs without serials and unknown jobs.
func (s *Service) CountJobs(tx interface {
	AuditStore
	CountReader
	Counting
}, jobIDs []string) (map[string]SerialCounts, error) {
	standing, err := s.counter.at(tx)
	if err != nil {
		return nil, err
	}
	paths, err := tx.PathsOfJobs(jobIDs)
	if err != nil {
		return nil, err
	}
	counts := map[string]SerialCounts{}
	for _, path := range paths {
		of := counts[path.JobID]
		for _, c := range standing.paths[path.PathID] {
			of.Add(c.Status, c.Count)
		}
		if of != (SerialCounts{}) {
			counts[path.JobID] = of
		}
	}
	return counts, nil
}

// CountPath counts the serials of a path, and their exceptions.
func (s *Service) CountPath(tx interface {
	AuditStore
	CountReader
	Counting
}, id string) (PathCounts, error) {
	standing, err := s.counter.at(tx)
	if err != nil {
		return PathCounts{}, err
	}
	return withExceptions(tx, id, standing.paths[id])
}

// withExceptions adds the exceptions of a path's serials to its counts.
func withExceptions(tx Counting, id string, standing []StandingCount) (PathCounts, error) {
	exceptions, err := tx.CountExceptions(id)
	if err != nil {
		return PathCounts{}, err
	}
	ahead, err := tx.CountAhead(id)
	return PathCounts{Standing: standing, Exceptions: exceptions, Ahead: ahead}, err
}

// Add adds a number of serials with a status.
func (c *SerialCounts) Add(status card.SerialStatus, count int64) {
	switch status {
	case card.InProgress:
		c.InProgress += count
	case card.Completed:
		c.Completed += count
	case card.Scrapped:
		c.Scrapped += count
	}
}

// PathOfJob has the ids of a path and its job.
type PathOfJob struct{ PathID, JobID string }

// CountReader has the database functions for counting, in addition to Counting.
type CountReader interface {
	// MovesBetween sums up the entries that have a path and a sequence number above after and up to until, by path.
	MovesBetween(after, until int64) ([]Move, error)
	// Routes returns paths with their jobs, by id. Of the paths it reads only ids, names, goals, due dates and steps, and of
	// tickets the part number and the priority.
	Routes(pathIDs []string) ([]Route, error)
}

// PositionCount is the number of units in progress at one position of a path.
type PositionCount struct {
	PathID   string
	Position int
	Count    int64
}

// StepDistribution has the counts of a path's serials at one step (docs/api/paths.md, "Operations on paths").
type StepDistribution struct {
	StepID         string `json:"stepId"`
	StepName       string `json:"stepName"`
	StepOrder      int    `json:"stepOrder"`
	Location       string `json:"location,omitempty"`
	SerialCount    int64  `json:"serialCount"`
	CompletedCount int64  `json:"completedCount"`
	IsBottleneck   bool   `json:"isBottleneck"`
}

// PathCounts has the counts of one path's serials that a store returns.
type PathCounts struct {
	Standing   []StandingCount
	Exceptions []ExceptionCount
	Ahead      []ExceptionCount // the exceptions at or after the position of their serial: waivers that remain after a rework
}

// StandingCount is the number of serials with a status and position.
type StandingCount struct {
	Status   card.SerialStatus
	Position int
	Count    int64
}

// ExceptionCount is the number of serials with an exception at a step.
type ExceptionCount struct {
	StepID string
	Status card.StepStatus
	Count  int64
}

// DistributionOf computes the distribution from positions and exceptions: a serial has completed every step before its position, except the
// steps with an exception that was not completed later.
func DistributionOf(path card.Path, counts PathCounts) []StepDistribution {
	distribution := make([]StepDistribution, len(path.Steps))
	for i, step := range path.Steps {
		d := &distribution[i]
		d.StepID, d.StepName, d.StepOrder, d.Location = step.ID, step.Name, i, step.Location
	}
	last := len(path.Steps) - 1
	for _, standing := range counts.Standing {
		if standing.Status == card.InProgress && standing.Position <= last {
			distribution[standing.Position].SerialCount += standing.Count
		}
		if behind := min(standing.Position-1, last); behind >= 0 { // the loop below adds the count to all steps before that step
			distribution[behind].CompletedCount += standing.Count
		}
	}
	var most int64
	for i := last; i >= 0; i-- {
		if i < last {
			distribution[i].CompletedCount += distribution[i+1].CompletedCount
		}
		most = max(most, distribution[i].SerialCount)
	}
	places := path.Places()
	except := func(exceptions []ExceptionCount, sign int64) {
		for _, exception := range exceptions {
			if i, known := places[exception.StepID]; known && exception.Status != card.StepCompleted {
				distribution[i].CompletedCount += sign * exception.Count
			}
		}
	}
	except(counts.Exceptions, -1)
	except(counts.Ahead, 1) // serials at or before the step were not counted as having completed it
	for i := range distribution {
		distribution[i].IsBottleneck = most > 0 && distribution[i].SerialCount == most
	}
	return distribution
}

// CountJobsNow is countJobs for a transaction that changes something. It counts directly and caches nothing, since the transaction may be
// rolled back.
func CountJobsNow(tx Counting, jobIDs []string) (map[string]SerialCounts, error) {
	paths, err := tx.PathsOfJobs(jobIDs)
	if err != nil || len(paths) == 0 {
		return nil, err
	}
	ids, jobOf := make([]string, len(paths)), map[string]string{}
	for i, path := range paths {
		ids[i], jobOf[path.PathID] = path.PathID, path.JobID
	}
	standing, err := tx.CountStanding(ids)
	if err != nil {
		return nil, err
	}
	counts := map[string]SerialCounts{}
	for _, count := range standing {
		of := counts[jobOf[count.PathID]]
		of.Add(count.Status, count.Count)
		counts[jobOf[count.PathID]] = of
	}
	return counts, nil
}

// countPathNow is countPath for a transaction that changes something.
func countPathNow(tx Counting, id string) (PathCounts, error) {
	counted, err := tx.CountStanding([]string{id})
	if err != nil {
		return PathCounts{}, err
	}
	standing := make([]StandingCount, len(counted))
	for i, count := range counted {
		standing[i] = count.StandingCount
	}
	return withExceptions(tx, id, standing)
}

// Counting lists the database operations that count serials by position.
type Counting interface {
	// CountStanding counts the serials of paths by path, status and position. nil means all paths.
	CountStanding(pathIDs []string) ([]PathStandingCount, error)
	// CountExceptions counts the exceptions at the steps of a path.
	CountExceptions(pathID string) ([]ExceptionCount, error)
	// CountAhead counts the exceptions at steps that their serial has not passed: after a rework, a waiver may be ahead of its unit.
	CountAhead(pathID string) ([]ExceptionCount, error)
	// PathsOfJobs returns the paths of jobs.
	PathsOfJobs(jobIDs []string) ([]PathOfJob, error)
}
