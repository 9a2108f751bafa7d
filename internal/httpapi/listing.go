package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"reflect"
	"slices"

	"github.com/routecard/routecard/views"
)

// listing makes a handler of a list that is answered whole, as whole does, and page by page when a parameter asks for that. Other
// parameters are disregarded.
func listing(name views.ListName, whole handler) handler {
	return byPage(views.ListQuery{Limit: views.ListPageLimit}, whole,
		func(s *Server, ctx context.Context, c *call, query views.ListQuery) (views.ListPage, error) {
			of := ""
			if len(c.named) > 0 {
				of = c.id()
			}
			return s.views.List(ctx, name, of, query)
		})
}

// listingSerials is listing for the list of all units.
func listingSerials(whole handler) handler {
	return byPage(views.SerialListQuery{Limit: views.ListPageLimit}, whole,
		func(s *Server, ctx context.Context, _ *call, query views.SerialListQuery) (views.ListPage, error) {
			return s.views.SerialList(ctx, query)
		})
}

// listingJobs is listing for the list of all jobs.
func listingJobs(whole handler) handler {
	return byPage(views.JobListQuery{ListQuery: views.ListQuery{Limit: views.ListPageLimit}}, whole,
		func(s *Server, ctx context.Context, _ *call, query views.JobListQuery) (views.ListPage, error) {
			return s.views.JobList(ctx, query)
		})
}

// ownListing is listing for a list that refuses parameters that it does not have.
func ownListing(name views.ListName, whole handler) handler {
	paged, parameters := listing(name, whole), newParameters[views.ListQuery]()
	return func(s *Server, c *call) error {
		if err := parameters.only(c.r.URL.Query()); err != nil {
			return err
		}
		return paged(s, c)
	}
}

// wholeListing makes a handler of a list that is read whole, as operation does. It is answered as whole does, and page by page when a
// parameter asks for that. Other parameters are refused.
func wholeListing[S, T any](list views.WholeList[T], operation func(S, context.Context, string) ([]T, error), whole handler) handler {
	of, cut := ownerOf[S](), newCutter(list)
	return func(s *Server, c *call) error {
		query, cutting, err := cut.asked(c)
		if err != nil {
			return err
		}
		if !cutting {
			return whole(s, c)
		}
		rows, err := operation(of(s), c.r.Context(), c.id())
		if err != nil {
			return err
		}
		page, err := cut.page(c, rows, c.id(), query)
		if err != nil {
			return err
		}
		return answerPage(c, page)
	}
}

// cutter cuts pages out of a list that was read whole.
type cutter[T any] struct {
	list       views.WholeList[T]
	parameters parameters[views.ListQuery]
}

func newCutter[T any](list views.WholeList[T]) cutter[T] {
	all := newParameters[views.ListQuery]()
	if !list.Dated() {
		all = slices.DeleteFunc(all, func(p parameter) bool { return p.name == "updatedSince" })
	}
	return cutter[T]{list, all}
}

// asked reads what page a request asks for; cutting is false when it asks for the whole list.
func (p cutter[T]) asked(c *call) (query views.ListQuery, cutting bool, err error) {
	query = views.ListQuery{Limit: views.ListPageLimit}
	given := c.r.URL.Query()
	err = p.parameters.readFrom(given, &query)
	for _, values := range given {
		cutting = cutting || values[0] != ""
	}
	return query, cutting, err
}

// page cuts a page out of the rows of the list of a record, and leads to the next one.
func (p cutter[T]) page(c *call, rows []T, of string, query views.ListQuery) ([]any, error) {
	page, err := p.list.Page(rows, of, query)
	if page.Next != "" {
		c.w.Header().Set("Link", nextLink(c.r.URL.Path, c.r.URL.Query(), page.Next))
	}
	return page.Rows, err
}

// byPage answers what whole does, unless a parameter of the query is there.
func byPage[Query any](usual Query, whole handler, read func(*Server, context.Context, *call, Query) (views.ListPage, error)) handler {
	parameters := newParameters[Query]()
	return func(s *Server, c *call) error {
		given := c.r.URL.Query()
		for name, values := range given {
			if !parameters.has(name) || slices.Equal(values, []string{""}) {
				delete(given, name)
			}
		}
		if len(given) == 0 {
			return whole(s, c)
		}
		query := usual
		if err := parameters.readFrom(given, &query); err != nil {
			return err
		}
		page, err := read(s, c.r.Context(), c, query)
		if err != nil {
			return err
		}
		if page.Next != "" {
			c.w.Header().Set("Link", nextLink(c.r.URL.Path, given, page.Next))
		}
		return answerPage(c, page.Rows)
	}
}

// nextLink leads to the next page of what was asked for, as RFC 8288 writes it; begins says where that page begins.
func nextLink(path string, given url.Values, begins string) string {
	given.Set(afterName, begins)
	return "<" + (&url.URL{Path: path, RawQuery: given.Encode()}).String() + `>; rel="next"`
}

// answerPage answers the rows of a page with a tag of them, and 304 to a caller who has them as they are.
func answerPage(c *call, rows []any) error {
	var buffer bytes.Buffer
	buffer.WriteByte('[')
	for i, row := range rows {
		if i > 0 {
			buffer.WriteByte(',')
		}
		if err := encode(&buffer, row); err != nil {
			return err
		}
	}
	buffer.WriteByte(']')
	shareOf(c.r).TakeNow(buffer.Cap())
	return writeTagged(c, buffer.Bytes())
}

// orderedQuery are the parameters of a search that also has other orders.
type orderedQuery[Query any] struct {
	Query    Query
	Ordering views.Ordering
}

// orderedPage is a page of a list in an order that is asked for.
type orderedPage struct {
	Items []any  `json:"items"`
	Next  string `json:"next,omitempty"`
}

// inOrder makes a handler of a list that is answered newest first, as newest does, and by ordered when a parameter asks for an order or
// for what was changed since a time.
func inOrder[Query, Page any](
	newest func(s *Server, c *call, query Query) (Page, error),
	ordered func(s *Server, c *call, query Query, ordering views.Ordering) (views.ListPage, error),
) handler {
	link := linkNext[Page]()
	return asking(orderedQuery[Query]{}, func(s *Server, c *call, asked orderedQuery[Query]) error {
		if asked.Ordering == (views.Ordering{}) {
			page, err := newest(s, c, asked.Query)
			if err == nil {
				link(c, page)
			}
			return answer(c, http.StatusOK, page, err)
		}
		page, err := ordered(s, c, asked.Query, asked.Ordering)
		if err == nil && page.Next != "" {
			leadOn(c, page.Next)
		}
		return answer(c, http.StatusOK, orderedPage{page.Rows, page.Next}, err)
	})
}

// orderedSearch is search for a list that inOrder answers.
func orderedSearch[S, Query, Page any](
	newest func(S, context.Context, Query) (Page, error),
	ordered func(*views.Views, context.Context, Query, views.Ordering) (views.ListPage, error),
) handler {
	of := ownerOf[S]()
	return inOrder(func(s *Server, c *call, query Query) (Page, error) {
		return newest(of(s), c.r.Context(), query)
	}, func(s *Server, c *call, query Query, ordering views.Ordering) (views.ListPage, error) {
		return ordered(s.views, c.r.Context(), query, ordering)
	})
}

// orderedSearchOf is orderedSearch for a list that belongs to the record in the address.
func orderedSearchOf[S, Query, Page any](
	newest func(S, context.Context, string, Query) (Page, error),
	ordered func(*views.Views, context.Context, string, Query, views.Ordering) (views.ListPage, error),
) handler {
	of := ownerOf[S]()
	return inOrder(func(s *Server, c *call, query Query) (Page, error) {
		return newest(of(s), c.r.Context(), c.id(), query)
	}, func(s *Server, c *call, query Query, ordering views.Ordering) (views.ListPage, error) {
		return ordered(s.views, c.r.Context(), c.id(), query, ordering)
	})
}

// linkNext returns what leads to the page behind one: a page names in its field Next where that begins. Behind a page without
// that field there is none.
func linkNext[Page any]() func(c *call, page Page) {
	next, paged := reflect.TypeFor[Page]().FieldByName("Next")
	if !paged {
		return func(*call, Page) {}
	}
	return func(c *call, page Page) {
		if begins := reflect.ValueOf(page).FieldByIndex(next.Index).String(); begins != "" {
			leadOn(c, begins)
		}
	}
}

// leadOn leads to the page that begins after a record, or after what a cursor says.
func leadOn(c *call, begins string) {
	given := c.r.URL.Query()
	given.Del(beforeName)
	c.w.Header().Set("Link", nextLink(c.r.URL.Path, given, begins))
}
