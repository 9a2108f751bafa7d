package shop

import (
	"cmp"
	"context"
	"fmt"
	"iter"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/shop/workorder"
)

// Job is a production order with a name and a goal. Its paths contain the routing.
type Job struct {
	ID           string `json:"id"`
	Name         string `json:"name"`
	GoalQuantity int64  `json:"goalQuantity"`
	workorder.OrderFields
	TicketFields
	ExternalID string          `json:"externalId,omitempty"`
	CreatedAt  ident.Timestamp `json:"createdAt"`
	UpdatedAt  ident.Timestamp `json:"updatedAt"`
	JobClosing
}

// TicketFields are copied from an issue tracker when the job is created. They never change.
type TicketFields struct {
	TicketKey      string    `json:"trackerTicketKey,omitempty"`
	TicketSummary  string    `json:"trackerTicketSummary,omitempty"`
	TicketPart     string    `json:"trackerPartNumber,omitempty"`
	TicketPriority string    `json:"trackerPriority,omitempty"`
	EpicLink       string    `json:"trackerEpicLink,omitempty"`
	Labels         *[]string `json:"trackerLabels,omitempty"` // nil if the request had none
}

// JobProgress is the progress of a job (docs/api/jobs.md, "Progress").
type JobProgress struct {
	JobID             string  `json:"jobId"`
	JobName           string  `json:"jobName"`
	GoalQuantity      int64   `json:"goalQuantity"`
	TotalSerials      int64   `json:"totalSerials"`
	CompletedSerials  int64   `json:"completedSerials"`
	InProgressSerials int64   `json:"inProgressSerials"`
	ScrappedSerials   int64   `json:"scrappedSerials"`
	ProducedQuantity  int64   `json:"producedQuantity"`
	OrderedQuantity   int64   `json:"orderedQuantity"`
	ProgressPercent   float64 `json:"progressPercent"`
}

// askedAbove is the number of new units above which pages ask for confirmation.
const askedAbove = 100

// Unusual reports whether creating this many units requires confirmation: a scanner may have typed the number, or the goal can be
// reached without them.
func (p JobProgress) Unusual(units int64) bool {
	return units > askedAbove || units > p.GoalQuantity-(p.TotalSerials-p.ScrappedSerials)
}

// Short is the number of units missing from the goal even if all units in progress are completed. More units must be created.
func (p JobProgress) Short() int64 {
	return max(0, p.GoalQuantity-p.CompletedSerials-p.InProgressSerials)
}

// JobDetail is a job with its paths, oldest first, its progress, and whether it is late.
type JobDetail struct {
	Job
	Paths    []card.Path `json:"paths"`
	Progress JobProgress `json:"progress"`
	Late     bool        `json:"late,omitempty"`
	DaysLate int         `json:"-"` // see Job.DaysLate
}

// SerialCounts counts the serials of a job or a path by status.
type SerialCounts struct {
	InProgress, Completed, Scrapped int64
}

// ProgressOf computes progress by the formula of the interface: scrapped serials reduce the denominator, and progress can exceed
// 100. If the denominator is not positive, progress is 100 if any serial is completed and 0 otherwise.
func ProgressOf(job Job, counts SerialCounts) JobProgress {
	total := counts.InProgress + counts.Completed + counts.Scrapped
	percent := 0.0
	if wanted := job.GoalQuantity - counts.Scrapped; wanted > 0 {
		percent = float64(counts.Completed) / float64(wanted) * 100
	} else if counts.Completed > 0 {
		percent = 100
	}
	return JobProgress{
		JobID: job.ID, JobName: job.Name, GoalQuantity: job.GoalQuantity,
		TotalSerials: total, CompletedSerials: counts.Completed,
		InProgressSerials: counts.InProgress, ScrappedSerials: counts.Scrapped,
		ProducedQuantity: total, OrderedQuantity: job.GoalQuantity, ProgressPercent: percent,
	}
}

// CreateJobInput is the body of Create Job.
type CreateJobInput struct {
	Name         input.TextInput   `field:"name"`
	GoalQuantity input.NumberInput `field:"goalQuantity"`
	workorder.OrderInput
	TicketKey      input.TextInput  `field:"trackerTicketKey"`
	TicketSummary  input.TextInput  `field:"trackerTicketSummary"`
	TicketPart     input.TextInput  `field:"trackerPartNumber"`
	TicketPriority input.TextInput  `field:"trackerPriority"`
	EpicLink       input.TextInput  `field:"trackerEpicLink"`
	Labels         input.TextsInput `field:"trackerLabels" form:"-"`
	ExternalInput
	ChangedBy input.TextInput `field:"changedBy"` // only for the audit trail
}

func (in CreateJobInput) check(prefix ident.Prefix) (job Job, err error) {
	if job.Name, err = input.RequiredTrimmed(in.Name); err != nil {
		return job, err
	}
	if job.GoalQuantity, err = input.RequiredQuantity("goalQuantity", in.GoalQuantity); err != nil {
		return job, err
	}
	for _, field := range []struct {
		name string
		in   input.TextInput
		to   *string
	}{
		{"trackerTicketKey", in.TicketKey, &job.TicketFields.TicketKey},
		{"trackerTicketSummary", in.TicketSummary, &job.TicketFields.TicketSummary},
		{"trackerPartNumber", in.TicketPart, &job.TicketPart},
		{"trackerPriority", in.TicketPriority, &job.TicketPriority},
		{"trackerEpicLink", in.EpicLink, &job.TicketFields.EpicLink},
	} {
		if *field.to, err = input.OptionalWithin(field.name, field.in, input.NameLimit); err != nil {
			return job, err
		}
	}
	if !in.Labels.Missing() {
		if err := in.Labels.Typed("trackerLabels"); err != nil {
			return job, err
		}
		labels, err := input.ItemsOf("trackerLabels", in.Labels.Value)
		if err != nil {
			return job, err
		}
		job.TicketFields.Labels = &labels
	}
	if err := in.OrderInput.Apply(&job.OrderFields); err != nil {
		return job, err
	}
	return job, in.ExternalInput.Change(prefix, job.ID, &job.ExternalID)
}

// CreateJob creates a job without paths or serials.
func (s *Service) CreateJob(ctx context.Context, in CreateJobInput) (Job, error) {
	job, err := in.check(s.SerialPrefix())
	if err != nil {
		return Job{}, err
	}
	userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
	if err != nil {
		return Job{}, err
	}
	err = s.Commit(ctx, &job, func(tx Tx) error { return s.AddJob(tx, &job, userID) })
	return job, err
}

// AddJob assigns the id and times of a new job, stores it and appends its audit entry.
func (s *Service) AddJob(tx interface {
	AuditStore
	ExternalStore
	JobStore
}, job *Job, userID string) error {
	job.ID = s.NewID(prefixJob)
	job.CreatedAt = s.Now()
	job.UpdatedAt = job.CreatedAt
	if err := tx.InsertJob(*job); err != nil {
		return err
	}
	if err := tx.AppendAudit(trail.Entry{
		Action: ActionJobCreated, UserID: userID, Timestamp: job.CreatedAt, JobID: job.ID,
		Metadata: trail.BeforeAndAfter(nil, struct {
			JobFacts
			TicketFields
		}{job.facts(), job.TicketFields}),
	}); err != nil {
		return err
	}
	return job.recordExternal(tx, "", userID)
}

// recordExternal records a new or changed external id of a job in the trail.
func (j *Job) recordExternal(tx interface {
	AuditStore
	ExternalStore
}, before, userID string) error {
	return recordExternal(tx, ExternalID{RecordJob, j.ID, j.ExternalID}, before,
		trail.Entry{UserID: userID, Timestamp: j.UpdatedAt, JobID: j.ID})
}

// JobFacts has the fields of a job that can change, as the audit trail records them. Nil fields are left out.
type JobFacts struct {
	Name         *string `json:"name,omitempty"`
	GoalQuantity *int64  `json:"goalQuantity,omitempty"`
	workorder.OrderFacts
}

// facts returns the fields that the audit entry of a job's creation records.
func (j *Job) facts() JobFacts {
	_, told := workorder.OrderChange(workorder.OrderFields{}, j.OrderFields)
	return JobFacts{&j.Name, &j.GoalQuantity, told}
}

// jobChange returns the fields that differ between two states of a job, with the old and the new values.
func jobChange(before, after Job) (was, is JobFacts) {
	if before.Name != after.Name {
		was.Name, is.Name = &before.Name, &after.Name
	}
	if before.GoalQuantity != after.GoalQuantity {
		was.GoalQuantity, is.GoalQuantity = &before.GoalQuantity, &after.GoalQuantity
	}
	was.OrderFacts, is.OrderFacts = workorder.OrderChange(before.OrderFields, after.OrderFields)
	return was, is
}

// Jobs yields every job, newest first.
func (s *Service) Jobs(ctx context.Context) iter.Seq2[Job, error] {
	return Stream(ctx, s.store.View, func(tx Reader) iter.Seq2[Job, error] { return tx.Jobs() })
}

// Job returns a job, its paths and its progress, read in one transaction.
func (s *Service) Job(ctx context.Context, id string) (JobDetail, error) {
	var detail JobDetail
	err := s.store.View(ctx, func(tx Reader) error {
		var err error
		if detail.Job, err = FindJob(tx, id); err != nil {
			return err
		}
		counts, err := s.CountJobs(tx, []string{id})
		if err != nil {
			return err
		}
		detail, err = s.jobDetail(tx, detail.Job, counts)
		return err
	})
	return detail, err
}

// Path returns the path with this id, which must belong to the job.
func (d JobDetail) Path(id string) (card.Path, error) {
	for _, path := range d.Paths {
		if path.ID == id {
			return path, nil
		}
	}
	return card.Path{}, card.NamePath.NotFound(id)
}

func (s *Service) jobDetail(tx PathStore, job Job, counts map[string]SerialCounts) (JobDetail, error) {
	paths, err := tx.PathsOfJob(job.ID)
	late := job.DaysLate(s.Today(), counts[job.ID].Completed)
	return JobDetail{Job: job, Paths: paths, Progress: ProgressOf(job, counts[job.ID]), Late: late > 0, DaysLate: late}, err
}

// UpdateJobInput is the body of Update Job. It has no tracker fields, since they cannot change.
type UpdateJobInput struct {
	Name         input.TextInput   `field:"name"`
	GoalQuantity input.NumberInput `field:"goalQuantity"`
	workorder.OrderInput
	ExternalInput
	ChangedBy input.TextInput `field:"changedBy"` // only for the audit trail
}

// Apply returns a job with the changes of an update.
func (in UpdateJobInput) Apply(prefix ident.Prefix, job Job) (_ Job, err error) {
	if in.Name.Present() {
		if job.Name, err = input.ChangedName(in.Name, refusal.NameEmpty); err != nil {
			return job, err
		}
	}
	if in.GoalQuantity.Present() {
		if job.GoalQuantity, err = input.ChangedQuantity("goalQuantity", in.GoalQuantity); err != nil {
			return job, err
		}
	}
	if err := in.OrderInput.Apply(&job.OrderFields); err != nil {
		return job, err
	}
	return job, in.ExternalInput.Change(prefix, job.ID, &job.ExternalID)
}

// refuseUnreadJob refuses to change a job that has changed since the caller read it.
func (s *Service) refuseUnreadJob(ctx context.Context, tx Tx, job Job) error {
	return RefuseUnread(ctx, NameJob, job.ID, func() (any, error) {
		counts, err := CountJobsNow(tx, []string{job.ID})
		if err != nil {
			return nil, err
		}
		return s.jobDetail(tx, job, counts)
	})
}

// UpdateJob changes the fields that the request contains. Every successful call updates updatedAt. A closed job accepts only its
// current values.
func (s *Service) UpdateJob(ctx context.Context, id string, in UpdateJobInput) (Job, error) {
	var job Job
	err := s.Commit(ctx, &job, func(tx Tx) (err error) {
		before, err := FindJob(tx, id)
		if err != nil {
			return err
		}
		if err := s.refuseUnreadJob(ctx, tx, before); err != nil {
			return err
		}
		if job, err = in.Apply(tx.SerialPrefix(), before); err != nil {
			return err
		}
		if job != before {
			if err := before.refuseClosed(); err != nil {
				return err
			}
		}
		userID, err := ChangedBy(CallerOf(ctx), in.ChangedBy)
		if err != nil {
			return err
		}
		if err := rescopeNumbers(tx, &before, &job); err != nil {
			return err
		}
		job.UpdatedAt = s.Now()
		if err := tx.UpdateJob(job); err != nil {
			return err
		}
		if err := job.recordExternal(tx, before.ExternalID, userID); err != nil {
			return err
		}
		was, is := jobChange(before, job)
		if was == (JobFacts{}) {
			return nil
		}
		return tx.AppendAudit(trail.Entry{
			Action: ActionJobChanged, UserID: userID, Timestamp: job.UpdatedAt, JobID: id, Metadata: trail.BeforeAndAfter(was, is),
		})
	})
	return job, err
}

// FindJob returns a job, or a refusal if it does not exist.
func FindJob(tx JobStore, id string) (Job, error) {
	job, err := tx.Job(id)
	return job, OrNotFound(err, NameJob, id)
}

// JobStore has the database functions for jobs.
type JobStore interface {
	InsertJob(job Job) error
	UpdateJob(job Job) error
	Job(id string) (Job, error)
	Jobs() iter.Seq2[Job, error] // newest first
	// LockUnitsOfJob prevents other transactions from creating units and paths of a job, and from changing its units, until this
	// transaction ends. The transaction must have read the job. Changes that other transactions decided from the paths of the job
	// are decided again afterwards.
	LockUnitsOfJob(id string) error
}

// DaysLate returns the number of days by which a job with this many completed units is late. A closed job is not late.
func (j *Job) DaysLate(today string, completed int64) int {
	if j.Closed() {
		return 0
	}
	return workorder.DaysLate(j.DueDate, today, j.GoalQuantity, completed)
}

// Part is the part number that pages show: the shop's own number, or else the tracker's.
func (j *Job) Part() string { return partNumberOf(j.OrderFields, j.TicketFields) }

func partNumberOf(order workorder.OrderFields, ticket TicketFields) string {
	return cmp.Or(order.PartNumber, ticket.TicketPart)
}

// Names of jobs in the tables of nouns.go.
const (
	RecordJob ident.RecordKind = "job"

	NameJob refusal.RecordName = "Job"

	prefixJob = "job_"

	OpCreateJob Operation = "create-job"
	OpUpdateJob Operation = "update-job"

	AboutJob Subject = "job"

	ActionJobCreated trail.Action = "job_created"
	ActionJobChanged trail.Action = "job_changed"
)

var jobNoun = noun{
	records: []Record{
		{
			Kind: RecordJob, Names: named(NameJob), Prefix: prefixJob, Table: "job",
			Called: []string{"name", "own_part_number", "part_number", "order_number", "customer", "ticket_key"},
			Tagged: true, External: true, Compared: true,
		},
	},
	operations: []operationRow{
		{operation: OpCreateJob, permission: Plan, subject: AboutJob},
		{operation: OpUpdateJob, permission: Plan, subject: AboutJob},
		{operation: OpCloseJob, permission: Plan, subject: AboutJob},
		{operation: OpReopenJob, permission: Plan, subject: AboutJob},
	},
	actions: []actionRow{
		{action: ActionJobCreated, of: only(RecordJob)},
		{action: ActionJobChanged, of: only(RecordJob)},
		{action: ActionJobClosed, of: only(RecordJob)},
		{action: ActionJobReopened, of: only(RecordJob)},
	},
}

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

// CloseJob closes a job, such as a job that the customer canceled. It is refused while a unit of the job is in progress.
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

// TicketStore has the database functions for linking tickets of the issue tracker.
type TicketStore interface {
	// JobOfTicket returns the id of the oldest job with a ticket's key.
	JobOfTicket(key string) (jobID string, err error)
	// JobOfIssue returns the id of the job that was created from a ticket. The ticket's key may have changed since.
	JobOfIssue(issue string) (jobID string, err error)
	// InsertTicketLink records the job that was created from a ticket with a key and an issue; the issue is "" if unknown. It
	// returns ErrDuplicate if the ticket has a job.
	InsertTicketLink(key, issue, jobID string) error
}

// NotePost is a note that is to be posted to the tracker.
type NotePost struct {
	NoteID       string
	Claimant     string          // who is posting it; "" after an attempt with unknown result
	ClaimedUntil ident.Timestamp // end of the claim
}

// CommentStore has the database functions for posting notes to the issue tracker.
type CommentStore interface {
	NotePost(noteID string) (NotePost, error)
	PutNotePost(post NotePost) error // replaces an earlier post
	DeleteNotePost(noteID string) error
}

// Names of tickets in the tables of nouns.go.
const (
	OpLinkTicket  Operation = "link-ticket"
	OpPostComment Operation = "post-comment"
)

var ticketNoun = noun{
	operations: []operationRow{
		{operation: OpLinkTicket, permission: Plan, subject: AboutJob},
		{operation: OpPostComment, permission: Plan, subject: AboutJob},
	},
}
