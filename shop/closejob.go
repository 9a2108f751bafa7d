package shop

import (
	"cmp"
	"context"
	"fmt"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
)

// JobClosing has the time, user and reason of closing a job. It is zero for an open job.
type JobClosing struct {
	ClosedAt    ident.Timestamp `json:"closedAt,omitzero"`
	ClosedBy    string          `json:"closedBy,omitempty"`
	CloseReason string          `json:"closeReason,omitempty"`
}

// Closed reports whether the job is closed. A closed job requires no work: it is never late, its paths cannot be changed, and
// none of its units can be in progress.
func (c JobClosing) Closed() bool { return c.ClosedAt != 0 }

// refuseClosed refuses to change a closed job.
func (j *Job) refuseClosed() error {
	if j.Closed() {
		return refusal.Refuse(card.JobIsClosed, j.Name)
	}
	return nil
}

// FindOpenJob returns an open job. It refuses a job that does not exist or is closed.
func FindOpenJob(tx JobStore, id string) (Job, error) {
	job, err := FindJob(tx, id)
	if err != nil {
		return job, err
	}
	err = job.refuseClosed()
	return job, err
}

// JobClosingInput is the body of Close Job and of Reopen Job.
type JobClosingInput struct {
	Reason input.TextInput `field:"reason"`
	UserID input.TextInput `field:"userId"`
}

func (in JobClosingInput) check(caller Caller) (reason, userID string, err error) {
	if reason, err = input.RequiredWithin("reason", in.Reason, input.TextLimit, refusal.Required); err != nil {
		return reason, userID, err
	}
	userID, err = requiredUser(caller, in.UserID)
	return reason, userID, err
}

// CloseJob closes a job, such as one that the customer canceled. It is refused while a unit of the job is in progress.
func (s *Service) CloseJob(ctx context.Context, id string, in JobClosingInput) (Job, error) {
	return s.changeClosing(ctx, id, in, ActionJobClosed, func(tx Tx, job *Job, reason, userID string) (any, error) {
		counts, err := countAtClose(tx, job)
		job.JobClosing = JobClosing{ClosedAt: job.UpdatedAt, ClosedBy: userID, CloseReason: reason}
		return jobClosedMetadata{reason, job.GoalQuantity, counts.Completed, counts.Scrapped}, err
	})
}

// ReopenJob reopens a closed job.
func (s *Service) ReopenJob(ctx context.Context, id string, in JobClosingInput) (Job, error) {
	return s.changeClosing(ctx, id, in, ActionJobReopened, func(_ Tx, job *Job, reason, _ string) (any, error) {
		job.JobClosing = JobClosing{}
		return jobReopenedMetadata{reason}, nil
	})
}

// jobClosedMetadata is the metadata of the audit entry of closing a job. The quantities record the job's progress at that time.
type jobClosedMetadata struct {
	Reason           string `json:"reason"`
	GoalQuantity     int64  `json:"goalQuantity"`
	CompletedSerials int64  `json:"completedSerials"`
	ScrappedSerials  int64  `json:"scrappedSerials"`
}

type jobReopenedMetadata struct {
	Reason string `json:"reason"`
}

// changeClosing closes or reopens a job. change sets the fields of the job and returns the metadata of the audit entry.
func (s *Service) changeClosing(ctx context.Context, id string, in JobClosingInput, action trail.Action,
	change func(tx Tx, job *Job, reason, userID string) (told any, err error),
) (Job, error) {
	var job Job
	err := s.Commit(ctx, &job, func(tx Tx) (err error) {
		if job, err = FindJob(tx, id); err != nil {
			return err
		}
		if err := s.refuseUnreadJob(ctx, tx, job); err != nil {
			return err
		}
		switch closes := action == ActionJobClosed; {
		case closes && job.Closed():
			return refusal.Refuse(JobClosedBefore, job.Name)
		case !closes && !job.Closed():
			return refusal.Refuse(JobNotClosed, job.Name)
		}
		reason, userID, err := in.check(CallerOf(ctx))
		if err != nil {
			return err
		}
		if err := tx.LockUnitsOfJob(id); err != nil {
			return err
		}
		job.UpdatedAt = s.Now()
		told, err := change(tx, &job, reason, userID)
		if err != nil {
			return err
		}
		if err := tx.UpdateJob(job); err != nil {
			return err
		}
		return tx.AppendAudit(trail.Entry{
			Action: action, UserID: userID, Timestamp: job.UpdatedAt, JobID: id, Metadata: trail.Metadata(told),
		})
	})
	return job, err
}

// placesNamed is the number of steps that the refusal to close a job lists.
const placesNamed = 3

// countAtClose counts the units of a job. It refuses to close the job while units are in progress, and lists their steps. Units
// on hold and units with deferred steps are in progress too.
func countAtClose(tx Tx, job *Job) (counts SerialCounts, err error) {
	paths, err := tx.PathsOfJob(job.ID)
	if err != nil || len(paths) == 0 {
		return counts, err
	}
	byID, ids := make(map[string]*card.Path, len(paths)), make([]string, len(paths))
	for i := range paths {
		byID[paths[i].ID], ids[i] = &paths[i], paths[i].ID
	}
	standing, err := tx.CountStanding(ids)
	if err != nil {
		return counts, err
	}
	var working []PathStandingCount
	for _, count := range standing {
		counts.Add(count.Status, count.Count)
		if count.Status == card.InProgress {
			working = append(working, count)
		}
	}
	if len(working) == 0 {
		return counts, nil
	}
	slices.SortFunc(working, func(a, b PathStandingCount) int {
		return cmp.Or(strings.Compare(a.PathID, b.PathID), a.Position-b.Position)
	})
	var named []string
	for _, at := range working[:min(len(working), placesNamed)] {
		path, step := byID[at.PathID], "no step"
		if at.Position < len(path.Steps) {
			step = path.Steps[at.Position].Name
		}
		named = append(named, fmt.Sprintf("%d at %s (%s)", at.Count, step, path.Name))
	}
	if more := len(working) - placesNamed; more > 0 {
		named = append(named, fmt.Sprintf("others at %d more", more))
	}
	return counts, refusal.Refuse(UnitsInProgress, job.Name, counts.InProgress, strings.Join(named, ", "))
}

// Names of closing jobs in the tables of nouns.go.
const (
	OpCloseJob  Operation = "close-job"
	OpReopenJob Operation = "reopen-job"

	ActionJobClosed   trail.Action = "job_closed"
	ActionJobReopened trail.Action = "job_reopened"
)

// Reasons for refusing to close or reopen jobs.
var (
	JobClosedBefore = refusal.NewReason(refusal.Invalid, "job_closed", "Job {job} is already closed")
	JobNotClosed    = refusal.NewReason(refusal.Invalid, "job_not_closed", "Job {job} is not closed")
	ClosedByFile    = refusal.NewReason(refusal.Invalid, "closed_by_file", "{field} cannot be changed by a file: close or reopen the job")
	UnitsInProgress = refusal.NewReason(refusal.Invalid, "units_in_progress", "Job {job} cannot be closed while units are in progress: {count} in all, {places}")
)
