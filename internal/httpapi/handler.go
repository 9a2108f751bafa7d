package httpapi

import (
	"context"
	"fmt"
	"net/http"
	"reflect"

	"github.com/routecard/routecard/internal/access"
	"github.com/routecard/routecard/internal/notify"
	"github.com/routecard/routecard/internal/tracker"
	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/views"
)

// handler handles the calls of a route. The functions below make handlers from operations, which are method expressions such as
// (*shop.Service).HoldSerial: the handler decodes the input, passes the first identifier of the path, calls the operation and writes the
// response. Those with an input panic at the start of the program if its type cannot be decoded.
type handler func(s *Server, c *call) error

// fromStandbys lets a handler that only reads use the standbys of the database. Requests for single records read from the primary, because
// their ETags are for changes.
func fromStandbys(handle handler) handler {
	return func(s *Server, c *call) error {
		c.r = c.r.WithContext(shop.FromStandbys(c.r.Context()))
		return handle(s, c)
	}
}

// ownerOf returns a function that returns the receiver of an operation, which has type S. It panics if Out is a list: lists have a row in
// views.Lists and use the handler list.
func ownerOf[S, Out any]() func(*Server) S {
	out := reflect.TypeFor[Out]()
	paged := false
	if out.Kind() == reflect.Struct {
		_, paged = out.FieldByName("Items")
	}
	if paged || out.Kind() == reflect.Slice || out.Kind() == reflect.Func {
		panic(fmt.Sprintf("%v is a list, which the handler list answers", out))
	}
	for _, owner := range []any{
		func(s *Server) *shop.Service { return s.service },
		func(s *Server) *views.Views { return s.views },
		func(s *Server) *tracker.Link { return s.tracker },
		func(s *Server) *access.Service { return s.config.Access },
		func(s *Server) *notify.Notifier { return s.config.Notices },
	} {
		if of, ok := owner.(func(*Server) S); ok {
			return of
		}
	}
	panic(fmt.Sprintf("no operation is a method of %v", reflect.TypeFor[S]()))
}

// with makes a handler from a function that takes the decoded input and may call more than one operation.
func with[In any](handle func(s *Server, c *call, in In) error) handler {
	decoder := newDecoder[In]()
	return func(s *Server, c *call) error {
		if c.strict {
			if err := onlyFields(c.body, decoder.fields, ""); err != nil {
				return err
			}
		}
		in := decoder.decode(c.body)
		if err := identifyInput(s, c, &in, decoder.fields); err != nil {
			return err
		}
		return handle(s, c, in)
	}
}

// create makes a handler from an operation that creates a record.
func create[S, In, Out any](status int, operation func(S, context.Context, In) (Out, error)) handler {
	of := ownerOf[S, Out]()
	return with(func(s *Server, c *call, in In) error {
		made, err := operation(of(s), c.r.Context(), in)
		return answer(c, status, made, err)
	})
}

// change makes a handler from an operation on the record that the path identifies.
func change[S, In, Out any](status int, operation func(S, context.Context, string, In) (Out, error)) handler {
	of := ownerOf[S, Out]()
	return with(func(s *Server, c *call, in In) error {
		changed, err := operation(of(s), c.r.Context(), c.id(), in)
		return answer(c, status, changed, err)
	})
}

// changeMany is change for an operation that returns many records. Each is written as in a list.
func changeMany[In, Out any](status int, operation func(*shop.Service, context.Context, string, In) ([]Out, error)) handler {
	return with(func(s *Server, c *call, in In) error {
		changed, err := operation(s.service, c.r.Context(), c.id(), in)
		return writeList(c, status, formOf(views.PlainArray), views.Found{Rows: views.RowsIn(changed, err)})
	})
}

// byInput is the input of operations that take only the name of the operator.
type byInput struct {
	ChangedBy input.TextInput `field:"changedBy"`
}

// remove deletes the record that the path identifies.
func remove[S any](operation func(S, context.Context, string, input.TextInput) error) handler {
	of := ownerOf[S, struct{}]()
	return with(func(s *Server, c *call, in byInput) error {
		return done(c, operation(of(s), c.r.Context(), c.id(), in.ChangedBy))
	})
}

// show returns a handler for a singleton resource.
func show[S, Out any](operation func(S, context.Context) (Out, error)) handler {
	of := ownerOf[S, Out]()
	return func(s *Server, c *call) error {
		shown, err := operation(of(s), c.r.Context())
		return answer(c, http.StatusOK, shown, err)
	}
}

// read returns a handler for data of the record that the path identifies.
func read[S, Out any](operation func(S, context.Context, string) (Out, error)) handler {
	of := ownerOf[S, Out]()
	return func(s *Server, c *call) error {
		found, err := operation(of(s), c.r.Context(), c.id())
		return answer(c, http.StatusOK, found, err)
	}
}

// record returns a handler for the record that the path identifies, with its ETag.
func record[S, Out any](operation func(S, context.Context, string) (Out, error)) handler {
	of := ownerOf[S, Out]()
	return func(s *Server, c *call) error {
		found, err := operation(of(s), c.r.Context(), c.id())
		return answerTagged(c, found, err)
	}
}

// singleton is show with an ETag.
func singleton[S, Out any](operation func(S, context.Context) (Out, error)) handler {
	of := ownerOf[S, Out]()
	return func(s *Server, c *call) error {
		found, err := operation(of(s), c.r.Context())
		return answerTagged(c, found, err)
	}
}

// asking makes a handler from a function that takes the query parameters. Omitted parameters keep their value in defaults.
func asking[Query any](defaults Query, handle func(s *Server, c *call, query Query) error) handler {
	known := parametersOf(&defaults)
	return func(s *Server, c *call) error {
		query, given := defaults, c.r.URL.Query()
		if err := known.read(given, &query); err != nil {
			return err
		}
		return known.asked(given, handle(s, c, query))
	}
}

// ask makes a handler from an operation that takes the query parameters.
func ask[S, Query, Out any](operation func(S, context.Context, Query) (Out, error)) handler {
	of := ownerOf[S, Out]()
	return asking(*new(Query), func(s *Server, c *call, query Query) error {
		found, err := operation(of(s), c.r.Context(), query)
		return answer(c, http.StatusOK, found, err)
	})
}

// askOf is ask for an operation that also takes the identifier in the path.
func askOf[S, Query, Out any](operation func(S, context.Context, string, Query) (Out, error)) handler {
	of := ownerOf[S, Out]()
	return asking(*new(Query), func(s *Server, c *call, query Query) error {
		found, err := operation(of(s), c.r.Context(), c.id(), query)
		return answer(c, http.StatusOK, found, err)
	})
}
