package httpapi

import (
	"encoding/json"
	"net/http"
	"net/url"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/genealogy"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/views"
)

// listing describes a list. views.Lists declares the lists of the shop.
type listing struct {
	// whole reads all rows, for requests without a parameter that asks for a page; nil if every request reads a page.
	whole func(s *Server, c *call) (views.Found, error)
	// query and page are the functions of a views.Reading; nil for a list without parameters.
	query func() any
	page  func(s *Server, c *call, query any) (views.Found, error)
	// pageBy lists the parameters that ask for a page; nil if all of them do.
	pageBy []string
	// without lists the parameters of the query that this list does not have.
	without []string
	// form is the form of a page, and wholeForm the form of all rows.
	form, wholeForm form
	// versioned is the kind of records whose shop.Service.Version is the ETag of the whole list; "" for a list without an ETag.
	versioned ident.RecordKind
}

// list makes the handler of a list that views.Lists declares.
func list(name views.ListName) handler { return listHandler(listingOf(views.ListNamed(name))) }

// listHandler returns the handler of a list; no other handler writes lists. It responds with all rows, or with those that the parameters
// select, and a Link to the next page. The contract's own operations ignore unknown parameters, and the others refuse them. Lists are read
// from standbys.
func listHandler(l listing) handler {
	var known parameters
	if l.query != nil {
		known = parametersOf(l.query())
		known = slices.DeleteFunc(known, func(p parameter) bool { return slices.Contains(l.without, p.name) })
	}
	return fromStandbys(func(s *Server, c *call) error {
		given := c.r.URL.Query()
		if c.strict {
			if err := known.only(given); err != nil {
				return err
			}
		} else {
			for name, values := range given {
				if !known.has(name) || slices.Equal(values, []string{""}) {
					delete(given, name)
				}
			}
		}
		if l.whole != nil && !l.asksForPage(given) {
			return l.answerWhole(s, c)
		}
		query := l.query()
		if err := known.read(given, query); err != nil {
			return err
		}
		found, err := l.page(s, c, query)
		if err != nil {
			return known.asked(given, err)
		}
		if found.Next != "" {
			given.Del(beforeName)
			c.w.Header().Set("Link", nextLink(c.r.URL.Path, given, found.Next))
		}
		return known.asked(given, writeList(c, http.StatusOK, l.form, found))
	})
}

// asksForPage reports whether a parameter asks for a page.
func (l *listing) asksForPage(given url.Values) bool {
	for name, values := range given {
		if !slices.Equal(values, []string{""}) && (l.pageBy == nil || slices.Contains(l.pageBy, name)) {
			return true
		}
	}
	return false
}

// answerWhole responds with all rows, or with 304 if the list has a version and the caller has the current one.
func (l *listing) answerWhole(s *Server, c *call) error {
	if l.versioned != "" {
		version, err := s.service.Version(c.r.Context(), l.versioned)
		if err != nil {
			return err
		}
		tag := `W/"` + version + `"`
		header := c.w.Header()
		header.Set("ETag", tag)
		header.Set("Cache-Control", "no-cache") // may be stored, but must be revalidated
		if slices.Contains(strings.FieldsFunc(c.r.Header.Get("If-None-Match"), func(r rune) bool { return r == ',' || r == ' ' }), tag) {
			c.w.WriteHeader(http.StatusNotModified)
			return nil
		}
	}
	found, err := l.whole(s, c)
	if err != nil {
		return err
	}
	return writeList(c, http.StatusOK, l.wholeForm, found)
}

// nextLink returns the Link header of the next page, as RFC 8288 defines it. begins is the cursor of that page.
func nextLink(path string, given url.Values, begins string) string {
	given.Set(afterName, begins)
	return "<" + (&url.URL{Path: path, RawQuery: given.Encode()}).String() + `>; rel="next"`
}

// listingOf converts a list of package views.
func listingOf(of *views.List) listing {
	l := listing{form: formOf(of.Page), wholeForm: formOf(views.PlainArray)}
	if of.Tagged {
		l.wholeForm = formOf(views.TaggedArray)
	}
	if of.Whole != nil {
		l.whole = func(s *Server, c *call) (views.Found, error) {
			return views.Found{Rows: of.Whole(c.r.Context(), s.views, c.owner())}, nil
		}
	}
	if of.Versioned {
		l.versioned = of.Of
	}
	if of.Undated {
		l.without = []string{"updatedSince"}
	}
	if of.Pages != nil {
		l.query, l.page = of.Pages.Query, func(s *Server, c *call, query any) (views.Found, error) {
			return of.Pages.Read(c.r.Context(), s.views, of, c.owner(), query)
		}
	}
	return l
}

// shortListing makes a list of items that are not records of the shop. All items are read even for a page. head is the text of the response
// before the rows.
func shortListing[T any](cut views.WholeList[T], read func(s *Server, c *call) (rows []T, head string, err error)) listing {
	l := listing{
		form: formOf(views.TaggedArray), wholeForm: formOf(views.PlainArray),
		query: func() any { return &views.ListQuery{Limit: views.ListPageLimit} },
		whole: func(s *Server, c *call) (views.Found, error) {
			rows, head, err := read(s, c)
			return views.Found{Head: head, Rows: views.RowsIn(rows, nil)}, err
		},
		page: func(s *Server, c *call, query any) (found views.Found, err error) {
			rows, head, err := read(s, c)
			if err != nil {
				return found, err
			}
			found, err = views.FoundIn(cut.Page(rows, c.owner(), *query.(*views.ListQuery))) //nolint:errcheck,forcetypeassert // made above
			found.Head = head
			return found, err
		},
	}
	if !cut.Dated() {
		l.without = []string{"updatedSince"}
	}
	return l
}

// owner returns the identifier of the record in the path; "" if the path has none.
func (c *call) owner() string {
	if len(c.named) == 0 {
		return ""
	}
	return c.id()
}

// ticketListing lists the tickets that jobs can be linked to.
func ticketListing() listing {
	return listing{wholeForm: formOf(views.PlainArray), whole: func(s *Server, c *call) (views.Found, error) {
		return views.Found{Rows: views.RowsIn(s.tracker.Tickets(c.r.Context()))}, nil
	}}
}

// getDoubt responds with a page of the units whose readings are in doubt, and a Link to the next page. It does not use a listing, because
// it returns the units as ranges, which operations on many units accept.
func getDoubt(s *Server, c *call, query shop.DoubtQuery) error {
	found, err := s.service.UnitsInDoubt(c.r.Context(), c.id(), query)
	if err == nil && found.Next != "" {
		c.w.Header().Set("Link", nextLink(c.r.URL.Path, c.r.URL.Query(), found.Next))
	}
	return answer(c, http.StatusOK, found, err)
}

// recallListing lists what the cause of a recall affects, after a summary.
func recallListing() listing {
	return listing{
		form:  form{mediaType: jsonType, begin: jsonRows("", func(*views.Found) string { return "]}" })},
		query: func() any { return &genealogy.Query{} },
		page: func(s *Server, c *call, query any) (found views.Found, err error) {
			recall, err := s.views.Recall(c.r.Context(), *query.(*genealogy.Query)) //nolint:errcheck,forcetypeassert // made above
			if err != nil {
				return found, err
			}
			summary, err := json.Marshal(recall.Summary)
			found.Head = `{"summary":` + string(summary) + `,"items":[`
			found.Rows = views.RowsIn(recall.Items, nil)
			return found, err
		},
	}
}
