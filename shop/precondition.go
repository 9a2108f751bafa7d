package shop

import "context"

// A caller can make a change depend on what it read: the operation is refused when the record has changed since. A face
// knows how its callers name a state of a record, so it puts a function into the context that compares an answer with
// what the caller read.

// The comparison stays in the context: it comes with the request, from a header or a form, and applies to whichever
// operation the request leads to.
type matchKey struct{}

// WithMatch returns a context whose operation is refused unless same reports that the record is what the caller read. same
// is given the answer about the record as it is in the transaction of the change.
func WithMatch(ctx context.Context, same func(answer any) (bool, error)) context.Context {
	return context.WithValue(ctx, matchKey{}, same)
}

// RefuseUnread refuses to change a record that is not what the caller read. answer is what the caller would read now.
func RefuseUnread(ctx context.Context, name RecordName, id string, answer func() (any, error)) error {
	same, _ := ctx.Value(matchKey{}).(func(any) (bool, error))
	if same == nil {
		return nil
	}
	value, err := answer()
	if err != nil {
		return err
	}
	unchanged, err := same(value)
	if err == nil && !unchanged {
		err = Refuse(RecordChanged, string(name), id)
	}
	return err
}

// countJobsNow is countJobs for a transaction that changes something: it counts what is there, this very moment, and
// keeps nothing of it, since the transaction may come to nothing.
func countJobsNow(tx Counting, jobIDs []string) (map[string]SerialCounts, error) {
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

// Counting is what an operation needs to know how many serials stand where.
type Counting interface {
	// CountStanding counts the serials of paths, or of all of them for nil, by path, status and position.
	CountStanding(pathIDs []string) ([]PathStandingCount, error)
	// CountExceptions counts the exceptions at the steps of a path.
	CountExceptions(pathID string) ([]ExceptionCount, error)
	// CountAhead counts those that are not behind their serial: a waiver can be ahead of one that was sent back.
	CountAhead(pathID string) ([]ExceptionCount, error)
	// PathsOfJobs returns the paths of jobs.
	PathsOfJobs(jobIDs []string) ([]PathOfJob, error)
}
