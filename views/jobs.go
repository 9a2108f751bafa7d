package views

import (
	"cmp"
	"context"
	"encoding/base64"
	"iter"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/workorder"
)

// JobOverview is a job with its progress.
type JobOverview struct {
	shop.Job
	Progress shop.JobProgress `json:"progress"`
	Late     bool             `json:"late,omitempty"`
	DaysLate int              `json:"-"` // see shop.DaysLate
	Held     int64            `json:"-"` // number of units in progress that are on hold
	After    string           `json:"-"` // cursor of a page that begins after the job; see JobQuery
}

// Urgency returns the urgency of the job.
func (o *JobOverview) Urgency() workorder.Urgency {
	return workorder.Urgency{Closed: o.Closed(), Late: o.Late, Priority: o.Priority, DueDate: o.DueDate, JobID: o.ID}
}

// JobStatus is the progress of a job.
type JobStatus string

// The statuses of a job. A late job is also open. A closed job is not open, and is done only when its goal is completed.
const (
	JobOpen JobStatus = "open" // fewer units than its goal are completed
	JobDone JobStatus = "done"
	JobLate JobStatus = "late"
)

// JobStatuses returns all statuses.
func JobStatuses() []JobStatus { return []JobStatus{JobOpen, JobDone, JobLate} }

// is reports whether a job has the status.
func (s JobStatus) is(job *JobOverview) bool {
	done := job.Progress.CompletedSerials >= job.GoalQuantity
	return s == JobOpen && !done && !job.Closed() || s == JobDone && done || s == JobLate && job.Late
}

// JobSort is an order of jobs.
type JobSort string

// The orders of jobs.
const (
	JobsByUrgency JobSort = "urgency" // see workorder.Urgency
	JobsByCreated JobSort = "created" // newest first
	JobsByName    JobSort = "name"    // ignoring case
)

// JobsByChange is the order of jobs that changed since a time; see JobsQuery.
const JobsByChange JobSort = "updated"

var jobSorts = []JobSort{JobsByUrgency, JobsByCreated, JobsByName}

// key returns the sort key of a job, which is also its cursor. In the order of creation the key is the identifier, because jobs are read in
// that order already.
func (s JobSort) key(job *JobOverview) string {
	switch s {
	case JobsByUrgency:
		urgency := job.Urgency()
		return urgency.Key()
	case JobsByName:
		return strings.ToLower(job.Name) + "\n" + job.ID
	default:
		return job.ID
	}
}

// JobQuery narrows a search for jobs. Empty fields do not narrow. Texts match regardless of case: the case of all letters in q, and the
// case of the letters A to Z in other fields.
type JobQuery struct {
	Text        string  `query:"q"`          // part of a name that people use for the job: name, part number, order, customer, ticket
	Status      string  `query:"status"`     // comma-separated JobStatuses; a job needs one of these statuses
	PartNumber  string  `query:"partNumber"` // the complete part number; the tracker's number counts if the job has no other
	GTIN        string  `query:"gtin"`       // 8, 12, 13 or 14 digits, in any spelling; the part number of a job without a GTIN counts
	Customer    string  `query:"customer"`
	OrderNumber string  `query:"orderNumber"`
	DueBefore   string  `query:"dueBefore"` // due before this day
	DueAfter    string  `query:"dueAfter"`  // due after this day
	Closed      string  `query:"closed"`    // "true" for closed jobs, "false" for open ones
	Sort        JobSort `query:"sort"`      // "" for JobsByCreated
	After       string  `query:"after"`     // Next of the previous page; "" for the first page
	Limit       int     `query:"limit"`     // 1 to SearchLimit; 0 for SearchDefault
	InWork      bool    `query:"-"`         // only jobs with units in progress
}

// JobPage is one page of jobs. Next is the value of After for the next page.
type JobPage = shop.Page[JobOverview]

// JobFilter narrows jobs by their stored fields. Empty fields do not narrow. The GTIN has 14 digits.
type JobFilter struct{ PartNumber, Customer, OrderNumber, DueBefore, DueAfter, Closed, GTIN string }

// checkClosed refuses a text other than "true", "false" and "".
func checkClosed(closed string) error {
	if closed == "" || closed == yes || closed == no {
		return nil
	}
	return input.NotOneOf("closed", []string{yes, no})
}

// Values of a parameter that is true, false or omitted.
const (
	yes = "true"
	no  = "false"
)

// JobListQuery selects a part of the list of jobs.
type JobListQuery struct {
	ListQuery
	Closed string `query:"closed"` // as in JobQuery
}

// readJobs reads a page of the list of jobs.
func readJobs(ctx context.Context, v *Views, list *List, _ string, query JobListQuery) (page ListPage, err error) {
	if err := cmp.Or(checkLimit(query.Limit), checkClosed(query.Closed)); err != nil {
		return page, err
	}
	if query.Closed == "" {
		return v.listPage(ctx, list, "", "after", query.ListQuery)
	}
	return v.listPage(ctx, list, "", "after", query.ListQuery, JobFilter{Closed: query.Closed})
}

// SearchJobs finds jobs, a page at a time. A page in the order of creation without a status reads only what it shows; any other page reads
// all jobs that match the filters, but holds no more than two pages in memory.
func (v *Views) SearchJobs(ctx context.Context, query JobQuery) (JobPage, error) {
	query.Limit = input.PageLimit(query.Limit)
	page := JobPage{Items: []JobOverview{}}
	found, more, err := v.JobsFound(ctx, query)
	if err != nil {
		return page, err
	}
	page.Items = found
	if more {
		page.Next = found[len(found)-1].After
	}
	return page, nil
}

// JobsFound returns at most Limit of the matching jobs. more reports whether more jobs follow.
func (v *Views) JobsFound(ctx context.Context, query JobQuery) (found []JobOverview, more bool, err error) {
	search, err := query.check()
	if err != nil {
		return nil, false, err
	}
	err = v.store.Look(ctx, func(tx Reader) error {
		found, more, err = v.jobsFound(tx, search)
		return err
	})
	return found, more, err
}

// filter returns the part of a query that concerns the stored fields of a job.
func (q *JobQuery) filter() JobFilter {
	gtin, _ := workorder.GTIN14(strings.TrimSpace(q.GTIN))
	return JobFilter{q.PartNumber, q.Customer, q.OrderNumber, q.DueBefore, q.DueAfter, q.Closed, gtin}
}

// jobSearch is a validated query.
type jobSearch struct {
	JobQuery
	after    string // the key of the last job of the previous page
	statuses []JobStatus
}

func (q *JobQuery) check() (search jobSearch, err error) {
	search.JobQuery = *q
	search.Text = strings.ToLower(strings.TrimSpace(q.Text))
	if q.Status != "" {
		for word := range strings.SplitSeq(q.Status, ",") {
			if !slices.Contains(JobStatuses(), JobStatus(word)) {
				return search, input.NotOneOf("status", JobStatuses())
			}
			search.statuses = append(search.statuses, JobStatus(word))
		}
	}
	if err := workorder.CheckGTIN("gtin", strings.TrimSpace(q.GTIN)); err != nil {
		return search, err
	}
	for _, day := range []struct{ field, value string }{{"dueBefore", q.DueBefore}, {"dueAfter", q.DueAfter}} {
		if err := input.CheckDate(day.field, day.value); err != nil {
			return search, err
		}
	}
	if err := checkClosed(q.Closed); err != nil {
		return search, err
	}
	if search.Sort == "" {
		search.Sort = JobsByCreated
	}
	if !slices.Contains(jobSorts, search.Sort) {
		return search, input.NotOneOf("sort", jobSorts)
	}
	if q.After != "" {
		place, err := base64.RawURLEncoding.DecodeString(q.After)
		key, ours := strings.CutPrefix(string(place), string(search.Sort)+"\n")
		if err != nil || !ours {
			return search, refusal.RefuseField(NotNext, "after")
		}
		search.after = key
	}
	return search, nil
}

// place returns the value of After for the jobs that follow a job with this key.
func (s JobSort) place(key string) string {
	return base64.RawURLEncoding.EncodeToString([]byte(string(s) + "\n" + key))
}

// jobsFound returns at most Limit of the matching jobs, in their order.
func (v *Views) jobsFound(tx Reader, search jobSearch) (found []JobOverview, more bool, err error) {
	best := bestJobs{search: search}
	size := shop.ChunkSize
	if search.Sort == JobsByCreated && !search.counts() {
		size = min(search.Limit+1, size)
	}
	if err := v.eachFound(tx, search, size, search.counts(), func(job *JobOverview) bool {
		best.add(job)
		return search.Sort != JobsByCreated || len(best.found) <= search.Limit // later jobs are older
	}); err != nil {
		return nil, false, err
	}
	found, more = best.page()
	return found, more, v.addProgress(tx, found)
}

// eachFound yields the jobs that a search finds, until yield returns false. It counts units for size jobs at a time. If counted is false,
// it counts only the units of jobs that may be late.
func (v *Views) eachFound(tx Reader, search jobSearch, size int, counted bool, yield func(*JobOverview) bool) error {
	jobs, err := v.jobsToSearch(tx, search)
	if err != nil {
		return err
	}
	var chunk []JobOverview
	goOn := true
	take := func() error {
		if err := v.addCounts(tx, chunk, counted); err != nil {
			return err
		}
		for i := range chunk {
			goOn = goOn && (!search.has(&chunk[i]) || yield(&chunk[i]))
		}
		chunk = chunk[:0]
		return nil
	}
	for job, err := range jobs {
		if err != nil {
			return err
		}
		if !search.names(&job) {
			continue
		}
		if chunk = append(chunk, JobOverview{Job: job}); len(chunk) < size {
			continue
		}
		if err := take(); err != nil || !goOn {
			return err
		}
	}
	return take()
}

// names reports whether one of the names of a job contains the text of the search.
func (s *jobSearch) names(job *shop.Job) bool {
	return s.Text == "" || strings.Contains(strings.ToLower(calledBy(job)), s.Text)
}

// has reports whether a job has one of the statuses of the search.
func (s *jobSearch) has(job *JobOverview) bool {
	return len(s.statuses) == 0 || slices.ContainsFunc(s.statuses, func(status JobStatus) bool { return status.is(job) })
}

// counts reports whether the search needs the progress of each job.
func (s *jobSearch) counts() bool { return len(s.statuses) > 0 || s.Sort == JobsByUrgency }

// jobsToSearch returns the jobs to search, newest first.
func (v *Views) jobsToSearch(tx Reader, search jobSearch) (iter.Seq2[shop.Job, error], error) {
	before := ""
	if search.Sort == JobsByCreated {
		before = search.after
	}
	if !search.InWork {
		return tx.JobsMatching(search.filter(), before), nil
	}
	standing, err := v.shop.Standing(tx)
	if err != nil {
		return nil, err
	}
	jobs, err := tx.JobsOfPaths(pathsOf(standing.Waiting()))
	return func(yield func(shop.Job, error) bool) {
		for _, job := range jobs {
			if (before == "" || job.ID < before) && !yield(job, nil) {
				return
			}
		}
	}, err
}

// bestJobs collects the first jobs of an order.
type bestJobs struct {
	search jobSearch
	found  []placedJob // up to two pages
}

// placedJob is a job with the key that sorts it.
type placedJob struct {
	key string
	JobOverview
}

func (b *bestJobs) add(job *JobOverview) {
	key := b.search.Sort.key(job)
	if b.search.Sort != JobsByCreated && b.search.after != "" && key <= b.search.after {
		return
	}
	if b.found = append(b.found, placedJob{key, *job}); len(b.found) > 2*(b.search.Limit+1) && b.search.Sort != JobsByCreated {
		b.sort()
		b.found = b.found[:b.search.Limit+1]
	}
}

// sort sorts the jobs found.
func (b *bestJobs) sort() {
	if b.search.Sort != JobsByCreated {
		slices.SortFunc(b.found, func(x, y placedJob) int { return strings.Compare(x.key, y.key) })
	}
}

// page returns the page, and whether other jobs follow.
func (b *bestJobs) page() (found []JobOverview, more bool) {
	b.sort()
	shown := b.found[:min(len(b.found), b.search.Limit)]
	found = make([]JobOverview, len(shown))
	for i := range shown {
		found[i] = shown[i].JobOverview
		found[i].After = b.search.Sort.place(shown[i].key)
	}
	return found, len(b.found) > len(shown)
}

// addCounts adds the progress of all jobs if needed, and otherwise only of the jobs that may be late.
func (v *Views) addCounts(tx Reader, jobs []JobOverview, needed bool) error {
	if !needed || len(jobs) == 0 {
		return nil
	}
	ids := make([]string, len(jobs))
	for i := range jobs {
		ids[i] = jobs[i].ID
	}
	counts, err := v.shop.CountJobs(tx, ids)
	if err != nil {
		return err
	}
	today := v.shop.Today()
	for i := range jobs {
		job := &jobs[i]
		job.Progress = shop.ProgressOf(job.Job, counts[job.ID])
		job.DaysLate = job.Job.DaysLate(today, job.Progress.CompletedSerials)
		job.Late = job.DaysLate > 0
	}
	return nil
}

// addProgress adds the progress of jobs, and the number of their units on hold.
func (v *Views) addProgress(tx Reader, jobs []JobOverview) error {
	if len(jobs) == 0 {
		return nil
	}
	counted, err := tx.HeldWaiting()
	if err != nil {
		return err
	}
	held := heldUnits(counted)
	for i := range jobs {
		jobs[i].Held = held.onJob(jobs[i].ID)
	}
	return v.addCounts(tx, jobs, true)
}

// calledBy returns all names that people use for a job.
func calledBy(job *shop.Job) string {
	gtin, _ := workorder.GTIN14(job.GTIN) // the form with 14 digits contains every other spelling
	return strings.Join([]string{
		job.Name, job.TicketKey, job.PartNumber, job.TicketPart, job.OrderNumber, job.Customer, job.ExternalID, gtin,
	}, "\n")
}

// JobReader is the database access of searches for jobs.
type JobReader interface {
	// JobsMatching yields the jobs that match a filter and are older than a job, or all matching jobs for "", newest first.
	JobsMatching(filter JobFilter, before string) iter.Seq2[shop.Job, error]
	// JobsAmong returns the jobs in ids that match a filter, each once, in any order.
	JobsAmong(ids []string, filter JobFilter) ([]shop.Job, error)
	// JobsOfPaths returns the jobs of paths, each once, newest first.
	JobsOfPaths(pathIDs []string) ([]shop.Job, error)
}

// NotNext refuses a cursor that no page returned.
var NotNext = refusal.NewReason(refusal.Invalid, "must_be_next", "{field} must be what next was in the answer before")
