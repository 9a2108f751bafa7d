package httpapi

import (
	"iter"
	"net/url"
	"strconv"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// auditListing returns the contract's own list of the audit trail. With a parameter that asks for a page, it is a paged list like the
// others.
func auditListing() listing {
	trail := listingOf(views.ListNamed(views.ListAudit))
	trail.whole, trail.pageBy = listAudit, []string{"after", "sort", "updatedSince"}
	return trail
}

// listAudit reads the contract's own list. It ignores a limit or an offset that is not a whole number. With a limit, the Link header leads
// to the entries after the last one of the response. It does not use an offset, because new entries would shift it.
func listAudit(s *Server, c *call) (views.Found, error) {
	offset := int64(0)
	query := c.r.URL.Query()
	if whole, ok := parseWhole(query.Get("offset")); ok {
		offset = whole
	}
	limit, limited := parseWhole(query.Get("limit"))
	if !limited {
		return views.Found{Rows: views.RowsOf(s.service.AuditEntries(c.r.Context(), shop.NoLimit, offset))}, nil
	}
	newest, err := s.views.LastAuditSequence(c.r.Context())
	if err != nil {
		return views.Found{}, err
	}
	first := newest - min(offset, newest) // the numbers of entries have no gaps
	if last := first - limit + 1; limit > 0 && last > 1 {
		next := url.Values{"limit": {strconv.FormatInt(min(limit, views.ListPageLimit), 10)}}
		c.w.Header().Set("Link", nextLink(c.r.URL.Path, next, views.EntryCursor(last)))
	}
	read := func(limit int64) iter.Seq2[trail.Entry, error] {
		return s.views.SearchAudit(c.r.Context(), views.AuditQuery{Before: ident.AuditID(first + 1), Limit: limit})
	}
	count := min(limit, first)
	if count > entryTextsPage {
		return views.Found{Rows: views.RowsOf(read(limit))}, nil
	}
	sequences := make([]int64, count)
	for i := range sequences {
		sequences[i] = first - int64(i)
	}
	return s.entriesFound(c, sequences, func(count int) iter.Seq2[trail.Entry, error] { return read(int64(count)) })
}

// serialAuditListing returns the history of one unit.
func serialAuditListing() listing {
	history := listingOf(views.ListNamed(views.ListAuditOfSerial))
	whole := history.whole
	history.whole = func(s *Server, c *call) (views.Found, error) {
		sequences, err := s.views.SequencesOfSerial(c.r.Context(), c.id(), entryTextsPage+1)
		if err != nil {
			return views.Found{}, err
		}
		if len(sequences) > entryTextsPage {
			return whole(s, c)
		}
		return s.entriesFound(c, sequences, func(int) iter.Seq2[trail.Entry, error] {
			return s.service.AuditOfSerial(c.r.Context(), c.id())
		})
	}
	return history
}
