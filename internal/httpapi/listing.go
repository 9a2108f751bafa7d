package httpapi

import (
	"bytes"
	"context"
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
			c.w.Header().Set("Link", nextLink(c.r.URL.Path, given, "after", page.Next))
		}
		return answerPage(c, page.Rows)
	}
}

// nextLink leads to the next page of what was asked for, as RFC 8288 writes it; parameter says where that page begins.
func nextLink(path string, given url.Values, parameter, begins string) string {
	given.Set(parameter, begins)
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

// linkNext returns what leads to the page behind one: a page names in its field Next where that begins, and the parameter for it is
// after where the query has that, and before otherwise. Behind a page without that field there is none.
func linkNext[Query, Page any]() func(c *call, page Page) {
	next, paged := reflect.TypeFor[Page]().FieldByName("Next")
	if !paged {
		return func(*call, Page) {}
	}
	parameter := "before"
	if newParameters[Query]().has("after") {
		parameter = "after"
	}
	return func(c *call, page Page) {
		if begins := reflect.ValueOf(page).FieldByIndex(next.Index).String(); begins != "" {
			c.w.Header().Set("Link", nextLink(c.r.URL.Path, c.r.URL.Query(), parameter, begins))
		}
	}
}
