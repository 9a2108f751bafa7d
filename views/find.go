package views

import (
	"cmp"
	"context"
	"errors"
	"iter"
	"math"
	"slices"
	"strings"

	"github.com/routecard/routecard/internal/scancode"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/card"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
	"github.com/routecard/routecard/shop/workorder"
)

// SerialQuery narrows a search for serials. Empty fields do not narrow.
type SerialQuery struct {
	// Text is the beginning of a serial's identifier (SN-0041, or the digits of its number), or otherwise a part of the name of its job or
	// path.
	Text   string            `query:"q"`
	JobID  string            `query:"jobId"`
	PathID string            `query:"pathId"`
	StepID string            `query:"stepId"` // the step where the unit is in progress
	Step   string            `query:"step"`   // the exact name of that step, on any path
	Status card.SerialStatus `query:"status"`
	// The complete part number, customer or order of the job, ignoring the case of the letters A to Z. If the job has no part number, the
	// tracker's part number counts.
	PartNumber  string `query:"partNumber"`
	GTIN        string `query:"gtin"` // see JobQuery
	Customer    string `query:"customer"`
	OrderNumber string `query:"orderNumber"`
	// The complete own number of the unit, ignoring the case of the letters A to Z; earlier numbers count too.
	SerialNumber string `query:"serialNumber"`
	Before       string `query:"before"` // the identifier of the last serial of the previous page; "" for the first page
	Limit        int    `query:"limit"`  // 1 to SearchLimit; 0 for SearchDefault
}

// SerialPage is one page of a search, newest first. Next is the value of Before for the next page.
type SerialPage = shop.Page[shop.SerialListItem]

// SerialSearch is a query in the form that a store runs.
type SerialSearch struct {
	Places  []Place             // the places of the serials; nil for everywhere, and empty for nowhere
	Numbers []ident.NumberRange // the ranges of their numbers; nil for every number
	Status  card.SerialStatus
	Before  int64 // only numbers below this one
	After   int64 // only numbers above this one
	Oldest  bool  // oldest first instead of newest first
	Limit   int
	// OwnNumber is a number that a serial has or had, ignoring the case of the letters A to Z; "" does not narrow.
	OwnNumber string
	// Fields that only lists for people set: see UnitQuery.
	Hold   HoldFilter
	Closed Span
	Reason card.ScrapReason
	Within ident.NumberRange // the zero NumberRange does not narrow
	// For serials on hold.
	HeldFor, HeldBy string
}

// Place is a path, or one position on it.
type Place struct {
	PathID   string
	Position int // AnyPosition for the complete path
}

// AnyPosition is the position of a Place that is a complete path.
const AnyPosition = -1

// PlaceFilter narrows paths by their properties. Empty fields do not narrow.
type PlaceFilter struct {
	JobID, PathID, StepID, Step string
	Name                        string // part of the name of the job or the path, ignoring case
	Job                         JobFilter
}

// placeLimit is the maximum number of paths that a search reads: the newest matching paths.
const placeLimit = 500

// SearchSerials finds serials newest first, a page at a time. A page costs the same wherever it begins.
func (v *Views) SearchSerials(ctx context.Context, query SerialQuery) (SerialPage, error) {
	search, filter, err := query.check(v.SerialPrefix())
	if err != nil {
		return SerialPage{Items: []shop.SerialListItem{}}, err
	}
	return v.searchSerials(ctx, search, filter, "")
}

// searchSerials finds serials. It also finds the units with the own number own, unless own is "".
func (v *Views) searchSerials(ctx context.Context, search SerialSearch, filter PlaceFilter, own string) (page SerialPage, err error) {
	page.Items = []shop.SerialListItem{}
	err = v.store.Look(ctx, func(tx Reader) error {
		if err := nameOwn(tx, own, &search, &filter); err != nil {
			return err
		}
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
			page.Next = tx.SerialPrefix().SerialID(found[len(found)-1].Number)
		}
		page.Items, err = nameSerials(tx, found)
		return err
	})
	return page, err
}

func (q SerialQuery) check(prefix ident.Prefix) (search SerialSearch, filter PlaceFilter, err error) {
	search.Before, search.OwnNumber = math.MaxInt64, strings.TrimSpace(q.SerialNumber)
	if q.Before != "" {
		number, ok := prefix.ParseSerialID(q.Before)
		if !ok {
			return search, filter, refusal.RefuseField(refusal.NotSerialID, "before")
		}
		search.Before = number
	}
	search.Limit = input.PageLimit(q.Limit) + 1 // one more serial shows whether there is a next page
	statuses := []card.SerialStatus{card.InProgress, card.Completed, card.Scrapped}
	if search.Status = card.SerialStatus(strings.ReplaceAll(string(q.Status), "-", "_")); search.Status != "" &&
		!slices.Contains(statuses, search.Status) {
		return search, filter, input.NotOneOf("status", statuses)
	}
	gtin := strings.TrimSpace(q.GTIN)
	if err := workorder.CheckGTIN("gtin", gtin); err != nil {
		return search, filter, err
	}
	gtin, _ = workorder.GTIN14(gtin)
	filter = PlaceFilter{JobID: q.JobID, PathID: q.PathID, StepID: q.StepID, Step: q.Step,
		Job: JobFilter{PartNumber: q.PartNumber, Customer: q.Customer, OrderNumber: q.OrderNumber, GTIN: gtin}}
	if filter.StepID != "" || filter.Step != "" {
		if search.Status != "" && search.Status != card.InProgress {
			search.Limit, search.Numbers = 1, []ident.NumberRange{} // no unit is at a step any more
		}
		search.Status = card.InProgress
	}
	if text := strings.TrimSpace(q.Text); text != "" {
		if ranges, ok := numbersBeginning(prefix, text); ok {
			search.Numbers = ranges
		} else if id, ok := scancode.Unit(prefix, text); ok {
			number, _ := prefix.ParseSerialID(id)
			search.Numbers = []ident.NumberRange{{First: number, Last: number}}
		} else {
			filter.Name = text
		}
	}
	return search, filter, nil
}

// numbersBeginning returns the numbers of the serials whose identifier begins with a text, or, if the text has only digits, whose number or
// padded number begins with the text. It returns false if no identifier begins with the text.
func numbersBeginning(prefix ident.Prefix, text string) (ranges []ident.NumberRange, ok bool) {
	upper := strings.ToUpper(text)
	mark := prefix.Mark()
	digits, prefixed := strings.CutPrefix(upper, mark)
	if !prefixed && strings.HasPrefix(mark, upper) {
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
	// The identifier has five digits, padded with zeros, or more. An identifier with more than five digits does not begin with a zero.
	first, width := number, int64(1)
	for have := len(digits); have <= 18; have++ {
		if have >= 5 || !prefixed && digits[0] != '0' {
			ranges = append(ranges, ident.NumberRange{First: first, Last: first + width - 1})
		}
		if have >= 5 && digits[0] == '0' || first > math.MaxInt64/10-1 {
			break
		}
		first, width = first*10, width*10
	}
	return ranges, true
}

// nameSerials adds the names of job and path to serials, and looks up each path once.
func nameSerials(tx interface {
	shop.JobStore
	shop.PathStore
}, found []shop.ListedSerial) ([]shop.SerialListItem, error) {
	names := shop.RouteNames{}
	items := make([]shop.SerialListItem, len(found))
	for i := range found {
		var err error
		if items[i], err = names.Item(tx, &found[i]); err != nil {
			return nil, err
		}
	}
	return items, nil
}

// FindJobs returns the newest jobs, at most limit, that contain text in their identifier or in one of the names that people use for them,
// ignoring case.
func (v *Views) FindJobs(ctx context.Context, text string, limit int) ([]shop.Job, error) {
	text = strings.ToLower(strings.TrimSpace(text))
	var jobs []shop.Job
	err := v.store.Look(ctx, func(tx Reader) error {
		jobs = []shop.Job{}
		for job, err := range tx.Jobs() {
			if err != nil || len(jobs) == limit {
				return err
			}
			if strings.Contains(strings.ToLower(calledBy(&job)+"\n"+job.ID), text) {
				jobs = append(jobs, job)
			}
		}
		return nil
	})
	return jobs, err
}

// JobNames returns the names of jobs by identifier; jobs that do not exist are left out.
func (v *Views) JobNames(ctx context.Context, ids []string) (map[string]string, error) {
	return ofJobs(ctx, v, ids, func(job *shop.Job) string { return job.Name })
}

// JobOrders returns the orders of jobs by identifier; jobs that do not exist are left out. It does not set Late.
func (v *Views) JobOrders(ctx context.Context, ids []string) (map[string]WorkOrder, error) {
	return ofJobs(ctx, v, ids, func(job *shop.Job) WorkOrder { return orderOfJob(job, 0) })
}

func ofJobs[T any](ctx context.Context, v *Views, ids []string, what func(*shop.Job) T) (map[string]T, error) {
	var found map[string]T
	err := v.store.Look(ctx, func(tx Reader) error {
		found = map[string]T{}
		for _, id := range ids {
			if _, known := found[id]; known {
				continue
			}
			job, err := tx.Job(id)
			switch {
			case err == nil:
				found[id] = what(&job)
			case !errors.Is(err, shop.ErrNoRecord):
				return err
			}
		}
		return nil
	})
	return found, err
}

// StepNames returns names of steps for pick-lists, from the library and from paths, at most limit.
func (v *Views) StepNames(ctx context.Context, limit int) ([]string, error) {
	var names []string
	err := v.store.Look(ctx, func(tx Reader) (err error) {
		names, err = tx.StepNames(limit)
		return err
	})
	slices.SortFunc(names, func(a, b string) int { return cmp.Compare(strings.ToLower(a), strings.ToLower(b)) })
	return names, err
}

// SerialsBetween returns the serials from one identifier to another, both included, oldest first, at most limit.
func (v *Views) SerialsBetween(ctx context.Context, first, last string, limit int) ([]shop.SerialListItem, error) {
	from, ok := v.SerialPrefix().ParseSerialID(first)
	if !ok {
		return nil, shop.NameSerialNumber.NotFound(first)
	}
	until, ok := v.SerialPrefix().ParseSerialID(last)
	if !ok {
		return nil, shop.NameSerialNumber.NotFound(last)
	}
	items := []shop.SerialListItem{}
	err := v.store.Look(ctx, func(tx Reader) error {
		found, err := tx.SearchSerials(SerialSearch{
			Numbers: []ident.NumberRange{{First: from, Last: min(until, from+int64(limit)-1)}}, Before: math.MaxInt64, Limit: limit,
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

// Finder is the database access of searches and pick-lists.
type Finder interface {
	// Places returns the paths that match a filter, or positions on them if the filter has the name of a step, newest first.
	Places(filter PlaceFilter, limit int) ([]Place, error)
	// SearchSerials returns the matching serials, newest first or, with Oldest, oldest first.
	SearchSerials(search SerialSearch) ([]shop.ListedSerial, error)
	CertificatesBefore(id string) iter.Seq2[shop.Certificate, error] // older than a certificate (all for ""), newest first
	StepNames(limit int) ([]string, error)                           // the step names of the library and of paths, each once
}

// FindCertificates returns at most limit certificates, newest first. They contain text in their name, details or identifier, ignoring case,
// and are older than the certificate before ("" for all). more reports whether more certificates follow.
func (v *Views) FindCertificates(ctx context.Context, text, before string, limit int) (found []shop.Certificate, more bool, err error) {
	text = strings.ToLower(strings.TrimSpace(text))
	err = v.store.Look(ctx, func(tx Reader) error {
		found, more = []shop.Certificate{}, false
		for certificate, err := range tx.CertificatesBefore(before) {
			if err != nil {
				return err
			}
			if !certificateHas(&certificate, text) {
				continue
			}
			if len(found) == limit {
				more = true
				break
			}
			found = append(found, certificate)
		}
		return nil
	})
	return found, more, err
}

// certificateHas reports whether the name, the identifier or the metadata of a certificate contain a text in lower case.
func certificateHas(certificate *shop.Certificate, text string) bool {
	return strings.Contains(strings.ToLower(certificate.Name+"\n"+certificate.ID+"\n"+string(certificate.Metadata)), text)
}
