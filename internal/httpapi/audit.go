package httpapi

import (
	"iter"
	"net/http"
	"net/url"
	"strconv"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/trail"
	"github.com/routecard/routecard/views"
)

// auditListing answers the interface's own list, unless a parameter asks for a page as the other lists have them: after, sort or
// updatedSince.
func auditListing() handler {
	paged := listing(views.ListAudit, nil) // always asked for a page
	return func(s *Server, c *call) error {
		for _, name := range []string{"after", "sort", "updatedSince"} {
			if c.r.URL.Query().Get(name) != "" {
				return paged(s, c)
			}
		}
		return listAudit(s, c)
	}
}

// listAudit is the interface's own list: a limit or an offset that is no whole number counts as left out there. Behind a limit, Link
// leads on, from the last entry of the answer and not by an offset, which new entries push back.
func listAudit(s *Server, c *call) error {
	offset := int64(0)
	query := c.r.URL.Query()
	if whole, ok := parseWhole(query.Get("offset")); ok {
		offset = whole
	}
	limit, limited := parseWhole(query.Get("limit"))
	if !limited {
		return writeList(c, http.StatusOK, s.service.AuditEntries(c.r.Context(), shop.NoLimit, offset))
	}
	newest, err := s.views.LastAuditSequence(c.r.Context())
	if err != nil {
		return err
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
		return writeList(c, http.StatusOK, read(limit))
	}
	sequences := make([]int64, count)
	for i := range sequences {
		sequences[i] = first - int64(i)
	}
	return s.writeEntries(c, sequences, func(count int) iter.Seq2[trail.Entry, error] { return read(int64(count)) })
}

// auditOfSerial answers the history of one unit.
func auditOfSerial(s *Server, c *call) error {
	whole := s.service.AuditOfSerial(c.r.Context(), c.id())
	sequences, err := s.views.SequencesOfSerial(c.r.Context(), c.id(), entryTextsPage+1)
	if err != nil {
		return err
	}
	if len(sequences) > entryTextsPage {
		return writeList(c, http.StatusOK, whole)
	}
	return s.writeEntries(c, sequences, func(int) iter.Seq2[trail.Entry, error] { return whole })
}

// searchAudit answers what a search finds, and leads on from the last entry where there may be more. An answer of more than
// shop.SearchLimit entries leads nowhere: it is sent while it is read.
func searchAudit(s *Server, c *call, query views.AuditQuery) error {
	listed := s.views.SearchAudit(c.r.Context(), query)
	if query.Limit > input.SearchLimit {
		return writeList(c, http.StatusOK, listed)
	}
	found, memory := []trail.Entry{}, shareOf(c.r)
	for entry, err := range listed {
		if err == nil {
			err = memory.Take(len(entry.Metadata))
		}
		if err != nil {
			return err
		}
		found = append(found, entry)
	}
	if count := len(found); count > 0 && int64(count) == query.Limit {
		leadOn(c, found[count-1].ID)
	}
	return writeList(c, http.StatusOK, func(yield func(trail.Entry, error) bool) {
		for i := range found {
			if !yield(found[i], nil) {
				return
			}
		}
	})
}
