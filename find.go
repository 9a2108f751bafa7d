package routecard

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"
)

// SerialQuery says which serials to find. Empty fields do not narrow.
type SerialQuery struct {
	// Text is the beginning of a serial's identifier (SN-0041, or the digits of its number), or else a part of the
	// name of its job or path.
	Text   string
	JobID  string
	PathID string
	StepID string // the step it stands on, in progress
	Step   string // the exact name of that step, on any path
	Status SerialStatus
	Before string // the identifier of the last serial of the page before; "" for the first page
	Limit  int    // 1 to SearchLimit; 0 for SearchDefault
}

// Bounds of a page of a search.
const (
	SearchDefault = 50
	SearchLimit   = 500
)

// SerialPage is one page of a search, newest first.
type SerialPage struct {
	Items []SerialListItem `json:"items"`
	Next  string           `json:"next,omitempty"` // what Before has to be for the next page; "" when there is none
}

// SerialSearch is a query as a store answers it.
type SerialSearch struct {
	Places  []Place       // where the serials are; nil for everywhere, and empty for nowhere
	Numbers []NumberRange // which numbers they have; nil for every number
	Status  SerialStatus
	Before  int64 // below this number
	Limit   int
}

// Place is a path, or one position on it.
type Place struct {
	PathID   string
	Position int // AnyPosition for the whole path
}

// AnyPosition is a Place's position when it is a whole path.
const AnyPosition = -1

// NumberRange is a range of serial numbers, both ends included.
type NumberRange struct{ First, Last int64 }

// PlaceFilter narrows paths by what is known of them. Empty fields do not narrow.
type PlaceFilter struct {
	JobID, PathID, StepID, Step string
	Name                        string // part of the name of the job or the path, whatever its case
}

// placeLimit bounds how many paths a search looks at: the newest ones that match.
const placeLimit = 500

// SearchSerials finds serials newest first, a page at a time. A page costs the same wherever it begins.
func (s *Service) SearchSerials(ctx context.Context, query SerialQuery) (SerialPage, error) {
	page := SerialPage{Items: []SerialListItem{}}
	search, filter, err := query.check()
	if err != nil {
		return page, err
	}
	err = s.store.View(ctx, func(tx Reader) error {
		if filter != (PlaceFilter{}) {
			if search.Places, err = tx.Places(filter, placeLimit); err != nil || len(search.Places) == 0 {
				return err
			}
		}
		found, err := tx.SearchSerials(search)
		if err != nil {
			return err
		}
		if len(found) == search.Limit {
			found = found[:search.Limit-1]
			page.Next = SerialID(found[len(found)-1].Number)
		}
		page.Items, err = nameSerials(tx, found)
		return err
	})
	return page, err
}

func (q SerialQuery) check() (search SerialSearch, filter PlaceFilter, err error) {
	search.Before, search.Limit = math.MaxInt64, q.Limit
	if q.Before != "" {
		number, ok := ParseSerialID(q.Before)
		if !ok {
			return search, filter, invalid("before must be the id of a serial")
		}
		search.Before = number
	}
	if search.Limit <= 0 {
		search.Limit = SearchDefault
	}
	search.Limit = min(search.Limit, SearchLimit) + 1 // one more tells whether there is a next page
	statuses := []SerialStatus{InProgress, Completed, Scrapped}
	if search.Status = SerialStatus(strings.ReplaceAll(string(q.Status), "-", "_")); search.Status != "" &&
		!slices.Contains(statuses, search.Status) {
		return search, filter, notOneOf("status", statuses)
	}
	filter = PlaceFilter{JobID: q.JobID, PathID: q.PathID, StepID: q.StepID, Step: q.Step}
	if filter.StepID != "" || filter.Step != "" {
		if search.Status != "" && search.Status != InProgress {
			search.Limit, search.Numbers = 1, []NumberRange{} // nothing stands at a step any more
		}
		search.Status = InProgress
	}
	if text := strings.TrimSpace(q.Text); text != "" {
		if ranges, ok := numbersBeginning(text); ok {
			search.Numbers = ranges
		} else {
			filter.Name = text
		}
	}
	return search, filter, nil
}

// numbersBeginning returns the numbers of the serials whose identifier begins with a text, or, for digits alone, whose
// number or padded number does. It is false for a text that no identifier begins with.
func numbersBeginning(text string) (ranges []NumberRange, ok bool) {
	upper := strings.ToUpper(text)
	digits, prefixed := strings.CutPrefix(upper, prefixSerial)
	if !prefixed && strings.HasPrefix(prefixSerial, upper) {
		return nil, true // S, SN and SN-: every serial
	}
	if digits == "" {
		return nil, prefixed
	}
	if len(digits) > 18 || strings.Trim(digits, "0123456789") != "" {
		return nil, false
	}
	number := int64(0)
	for _, c := range []byte(digits) {
		number = number*10 + int64(c-'0')
	}
	// The identifier has five digits, padded with zeros, or more. More do not begin with a zero.
	first, width := number, int64(1)
	for have := len(digits); have <= 18; have++ {
		if have >= 5 || !prefixed && digits[0] != '0' {
			ranges = append(ranges, NumberRange{first, first + width - 1})
		}
		if have >= 5 && digits[0] == '0' || first > math.MaxInt64/10-1 {
			break
		}
		first, width = first*10, width*10
	}
	return ranges, true
}

// nameSerials puts names to serials, looking each path up once.
func nameSerials(tx Tx, found []ListedSerial) ([]SerialListItem, error) {
	names := routeNames{}
	items := make([]SerialListItem, len(found))
	for i := range found {
		var err error
		if items[i], err = names.item(tx, &found[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// JobOverview is a job with how far it has come.
type JobOverview struct {
	Job      Job
	Progress JobProgress
}

// JobOverviews answers jobs newest first with their progress, at most limit of them behind the job before ("" for the
// newest), whose name or ticket contains text, whatever its case. more says whether there are others.
func (s *Service) JobOverviews(ctx context.Context, text, before string, limit int) (overviews []JobOverview, more bool, err error) {
	text = strings.ToLower(strings.TrimSpace(text))
	err = s.store.View(ctx, func(tx Reader) error {
		overviews, more = []JobOverview{}, false
		for job, err := range tx.JobsBefore(before) {
			switch {
			case err != nil:
				return err
			case text != "" && !strings.Contains(strings.ToLower(job.Name+"\n"+job.TicketKey+"\n"+job.PartNumber), text):
				continue
			case len(overviews) == limit:
				more = true
			default:
				overviews = append(overviews, JobOverview{Job: job})
				continue
			}
			break
		}
		return s.addProgress(tx, overviews)
	})
	return overviews, more, err
}

// FindJobs answers the newest jobs, at most limit of them, whose name, ticket, part number or identifier contain text,
// whatever its case.
func (s *Service) FindJobs(ctx context.Context, text string, limit int) ([]Job, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	jobs := []Job{}
	err := s.store.View(ctx, func(tx Reader) error {
		for job, err := range tx.Jobs() {
			if err != nil || len(jobs) == limit {
				return err
			}
			if strings.Contains(strings.ToLower(strings.Join([]string{job.Name, job.TicketKey, job.PartNumber, job.ID}, "\n")), text) {
				jobs = append(jobs, job)
			}
		}
		return nil
	})
	return jobs, err
}

// JobNames answers the names of jobs by identifier; those that do not exist are left out.
func (s *Service) JobNames(ctx context.Context, ids []string) (map[string]string, error) {
	return s.ofJobs(ctx, ids, func(job *Job) string { return job.Name })
}

// PartNumbers answers the part numbers of jobs by identifier; jobs without one, or that do not exist, have "".
func (s *Service) PartNumbers(ctx context.Context, ids []string) (map[string]string, error) {
	return s.ofJobs(ctx, ids, func(job *Job) string { return job.PartNumber })
}

func (s *Service) ofJobs(ctx context.Context, ids []string, what func(*Job) string) (map[string]string, error) {
	found := map[string]string{}
	err := s.store.View(ctx, func(tx Reader) error {
		for _, id := range ids {
			if _, known := found[id]; known {
				continue
			}
			job, err := tx.Job(id)
			switch {
			case err == nil:
				found[id] = what(&job)
			case !errors.Is(err, ErrNoRecord):
				return err
			}
		}
		return nil
	})
	return found, err
}

func (s *Service) addProgress(tx Reader, overviews []JobOverview) error {
	if len(overviews) == 0 {
		return nil
	}
	ids := make([]string, len(overviews))
	for i := range overviews {
		ids[i] = overviews[i].Job.ID
	}
	counts, err := s.countJobs(tx, ids)
	if err != nil {
		return err
	}
	for i := range overviews {
		overviews[i].Progress = progressOf(overviews[i].Job, counts[overviews[i].Job.ID])
	}
	return nil
}

// StepNames answers the names that steps have, for pick-lists: those of the library and those in use, at most limit.
func (s *Service) StepNames(ctx context.Context, limit int) ([]string, error) {
	var names []string
	err := s.store.View(ctx, func(tx Reader) (err error) {
		names, err = tx.StepNames(limit)
		return err
	})
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) })
	return names, err
}

// SerialsBetween answers the serials from one identifier to another, both included, oldest first, at most limit.
func (s *Service) SerialsBetween(ctx context.Context, first, last string, limit int) ([]SerialListItem, error) {
	from, ok := ParseSerialID(first)
	if !ok {
		return nil, notFound("SerialNumber not found: %s", first)
	}
	until, ok := ParseSerialID(last)
	if !ok {
		return nil, notFound("SerialNumber not found: %s", last)
	}
	items := []SerialListItem{}
	err := s.store.View(ctx, func(tx Reader) error {
		found, err := tx.SearchSerials(SerialSearch{
			Numbers: []NumberRange{{from, min(until, from+int64(limit)-1)}}, Before: math.MaxInt64, Limit: limit,
		})
		if err != nil {
			return err
		}
		slices.Reverse(found)
		items, err = nameSerials(tx, found)
		return err
	})
	return items, err
}

// Finder is what searches and pick-lists need of a database.
type Finder interface {
	// Places returns the paths that match a filter, or the positions on them when it names a step, newest first.
	Places(filter PlaceFilter, limit int) ([]Place, error)
	// SearchSerials returns the newest serials that match, newest first.
	SearchSerials(search SerialSearch) ([]ListedSerial, error)
	JobsBefore(id string) iter.Seq2[Job, error]                 // older than a job, newest first; all for ""
	CertificatesBefore(id string) iter.Seq2[Certificate, error] // older than a certificate, newest first; all for ""
	StepNames(limit int) ([]string, error)                      // of the library and of paths, each once
}
