package client

import (
	"context"
	"encoding/json"
	"errors"
	"io"
	"iter"
)

// largestPage is the most that one page of a search may have.
const largestPage = 500

// EachSerial yields the serials that a search finds, newest first, and reads them page by page. An error ends it. Limit is the
// length of a page, 500 when it is 0.
func (c *Client) EachSerial(ctx context.Context, params SearchSerialsParams) iter.Seq2[SerialListItem, error] {
	params.Limit = pageLength(params.Limit)
	return each(params, func(params *SearchSerialsParams) ([]SerialListItem, bool, error) {
		page, err := c.SearchSerials(ctx, *params)
		params.Before = page.Next
		return page.Items, page.Next != "", err
	})
}

// EachHold yields holds, newest first, and reads them page by page. An error ends it.
func (c *Client) EachHold(ctx context.Context, params ListHoldsParams) iter.Seq2[Hold, error] {
	params.Limit = pageLength(params.Limit)
	return each(params, func(params *ListHoldsParams) ([]Hold, bool, error) {
		page, err := c.ListHolds(ctx, *params)
		params.Before = page.Next
		return page.Items, page.Next != "", err
	})
}

// EachNonconformance yields reports, newest first, and reads them page by page. An error ends it.
func (c *Client) EachNonconformance(ctx context.Context, params ListNonconformancesParams) iter.Seq2[Nonconformance, error] {
	params.Limit = pageLength(params.Limit)
	return each(params, func(params *ListNonconformancesParams) ([]Nonconformance, bool, error) {
		page, err := c.ListNonconformances(ctx, *params)
		params.Before = page.Next
		return page.Items, page.Next != "", err
	})
}

// EachInstrument yields instruments and reads them page by page. An error ends it.
func (c *Client) EachInstrument(ctx context.Context, params ListInstrumentsParams) iter.Seq2[Instrument, error] {
	params.Limit = pageLength(params.Limit)
	return each(params, func(params *ListInstrumentsParams) ([]Instrument, bool, error) {
		page, err := c.ListInstruments(ctx, *params)
		params.Before = page.Next
		return page.Items, page.Next != "", err
	})
}

// EachAuditEntry yields the entries of the audit trail that a search finds, newest first, and reads them page by page. An error
// ends it.
func (c *Client) EachAuditEntry(ctx context.Context, params SearchAuditEntriesParams) iter.Seq2[AuditEntry, error] {
	params.Limit = pageLength(params.Limit)
	return each(params, func(params *SearchAuditEntriesParams) ([]AuditEntry, bool, error) {
		page, err := c.SearchAuditEntries(ctx, *params)
		if len(page) > 0 {
			params.Before = page[len(page)-1].ID
		}
		return page, int64(len(page)) == params.Limit, err
	})
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

// each yields the elements of pages, until one is the last. Ranging over it again begins anew.
func each[P, T any](first P, next func(params *P) (page []T, more bool, err error)) iter.Seq2[T, error] {
	return func(yield func(T, error) bool) {
		params := first
		for more := true; more; {
			var page []T
			var err error
			if page, more, err = next(&params); err != nil {
				var none T
				yield(none, err)
				return
			}
			for _, element := range page {
				if !yield(element, nil) {
					return
				}
			}
		}
	}
}
