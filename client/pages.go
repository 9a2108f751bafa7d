package client

import (
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"iter"
	"net/http"
	"net/url"
	"strings"
)

// largestPage is the maximum number of rows in one page of a search.
const largestPage = 500

// EachSerial yields the serials that a search finds, newest first or in the order that is asked for, and reads them page by page. An error
// ends it. Limit is the length of a page, 500 when it is 0.
func (c *Client) EachSerial(ctx context.Context, params SearchSerialsParams) iter.Seq2[SerialListItem, error] {
	params.Limit = pageLength(params.Limit)
	return follow(ctx, c, func(options ...Option) (SerialPage, error) { return c.SearchSerials(ctx, params, options...) },
		func(page SerialPage) []SerialListItem { return page.Items })
}

// EachHold yields holds, newest first or in the order that is asked for, and reads them page by page. An error ends it.
func (c *Client) EachHold(ctx context.Context, params ListHoldsParams) iter.Seq2[Hold, error] {
	params.Limit = pageLength(params.Limit)
	return follow(ctx, c, func(options ...Option) (HoldPage, error) { return c.ListHolds(ctx, params, options...) },
		func(page HoldPage) []Hold { return page.Items })
}

// EachNonconformance yields reports, newest first or in the order that is asked for, and reads them page by page. An error ends it.
func (c *Client) EachNonconformance(ctx context.Context, params ListNonconformancesParams) iter.Seq2[Nonconformance, error] {
	params.Limit = pageLength(params.Limit)
	return follow(ctx, c, func(options ...Option) (NonconformancePage, error) {
		return c.ListNonconformances(ctx, params, options...)
	},
		func(page NonconformancePage) []Nonconformance { return page.Items })
}

// EachInstrument yields instruments and reads them page by page. An error ends it.
func (c *Client) EachInstrument(ctx context.Context, params ListInstrumentsParams) iter.Seq2[Instrument, error] {
	params.Limit = pageLength(params.Limit)
	return follow(ctx, c, func(options ...Option) (InstrumentPage, error) { return c.ListInstruments(ctx, params, options...) },
		func(page InstrumentPage) []Instrument { return page.Items })
}

// EachJob yields jobs, newest first, or the jobs that changed since a time. It reads them page by page, and stops after an error.
func (c *Client) EachJob(ctx context.Context, params ListJobsParams) iter.Seq2[Job, error] {
	params.Limit = pageLength(params.Limit)
	return follow(ctx, c, func(options ...Option) ([]Job, error) { return c.ListJobs(ctx, params, options...) }, itself)
}

// EachListedSerial yields all serials, oldest first, or the serials that changed since a time. A serial that changes meanwhile may come
// again in its new state. It reads them page by page, and stops after an error.
func (c *Client) EachListedSerial(ctx context.Context, params ListSerialsParams) iter.Seq2[SerialListItem, error] {
	params.Limit = pageLength(params.Limit)
	return follow(ctx, c, func(options ...Option) ([]SerialListItem, error) { return c.ListSerials(ctx, params, options...) }, itself)
}

// EachMeasurement yields readings, newest first or in the order that is asked for, and reads them page by page. An error ends it.
func (c *Client) EachMeasurement(ctx context.Context, params ListMeasurementsParams) iter.Seq2[Measurement, error] {
	params.Limit = pageLength(params.Limit)
	return follow(ctx, c, func(options ...Option) (MeasurementPage, error) { return c.ListMeasurements(ctx, params, options...) },
		func(page MeasurementPage) []Measurement { return page.Items })
}

// EachFoundJob yields the jobs that a search finds, in the requested order. It reads them page by page, and stops after an error.
func (c *Client) EachFoundJob(ctx context.Context, params SearchJobsParams) iter.Seq2[JobOverview, error] {
	params.Limit = pageLength(params.Limit)
	return follow(ctx, c, func(options ...Option) (JobPage, error) { return c.SearchJobs(ctx, params, options...) },
		func(page JobPage) []JobOverview { return page.Items })
}

// itself returns the rows of a page whose JSON is an array of rows.
func itself[T any](page []T) []T { return page }

// EachAuditEntry yields the entries of the audit trail that a search finds, newest first. It reads them page by page, and stops after an
// error. A response of more than 500 entries has no next page, so a page has no more.
func (c *Client) EachAuditEntry(ctx context.Context, params SearchAuditEntriesParams) iter.Seq2[AuditEntry, error] {
	params.Limit = min(pageLength(params.Limit), largestPage)
	return follow(ctx, c, func(options ...Option) ([]AuditEntry, error) { return c.SearchAuditEntries(ctx, params, options...) }, itself)
}

// EachVisit yields when units came to their steps and left them. An error ends it, also when the service could not send all.
func (c *Client) EachVisit(ctx context.Context, params ExportVisitsParams) iter.Seq2[Visit, error] {
	return func(yield func(Visit, error) bool) {
		lines, err := c.ExportVisits(ctx, params)
		if err != nil {
			yield(Visit{}, err)
			return
		}
		defer lines.Close()
		decoder := json.NewDecoder(lines)
		for {
			var visit Visit
			err := decoder.Decode(&visit)
			if errors.Is(err, io.EOF) || !yield(visit, err) || err != nil {
				return
			}
		}
	}
}

func pageLength(given int64) int64 {
	if given == 0 {
		return largestPage
	}
	return given
}

// follow yields the rows of a list from its first page on, by the Link of each response, until one has none. Ranging over it again begins
// again.
func follow[Page, T any](
	ctx context.Context, c *Client, first func(...Option) (Page, error), rows func(Page) []T,
) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		var header http.Header
		page, err := first(Answered(&header))
		for {
			var next *url.URL
			if err == nil {
				next, err = nextPage(header)
			}
			if err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, row := range rows(page) {
				if !yield(row, nil) {
					return
				}
			}
			if next == nil {
				return
			}
			page = *new(Page)
			err = c.call(ctx, request{method: http.MethodGet, path: next.Path, query: next.Query()}, &page, []Option{Answered(&header)})
		}
	}
}

// nextPage returns the address of the next page, nil after the last page. Only a path of the service itself is followed, since the token is
// sent there.
func nextPage(header http.Header) (*url.URL, error) {
	link := header.Get("Link")
	if link == "" {
		return nil, nil //nolint:nilnil // there is no next page
	}
	target, found := strings.CutSuffix(strings.TrimPrefix(link, "<"), `>; rel="next"`)
	next, err := url.Parse(target)
	if err != nil || !found || next.Scheme != "" || next.Host != "" || !strings.HasPrefix(next.Path, "/api/") {
		return nil, fmt.Errorf("the answer leads to no page of the service: Link is %q", link)
	}
	return next, nil
}
