package httpapi

import (
	"bytes"
	"context"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/routecard/routecard/shop"
)

// Wherever a request has the identifier of a record, it may have the external one: ext:4711. What follows puts identifiers in their
// place before an operation sees them. An external identifier that no record has stays, and the operation answers that there is no
// such record.

// collections says whose identifier follows a name in the pattern of a route.
var collections = map[string]shop.RecordKind{
	"jobs": shop.RecordJob, "job": shop.RecordJob, "paths": shop.RecordPath, "serials": shop.RecordSerial, "serial": shop.RecordSerial,
	"certs": shop.RecordCertificate, "bom": shop.RecordBOM, "users": shop.RecordUser, "queue": shop.RecordUser,
	"templates": shop.RecordTemplate, "instruments": shop.RecordInstrument,
}

// addressee is the identifier of a record in the pattern of a route.
type addressee struct {
	name string
	kind shop.RecordKind
}

// addressees are the identifiers in the pattern of a route that can be external ones.
func addressees(pattern string) (found []addressee) {
	before := ""
	for piece := range strings.SplitSeq(pattern, "/") {
		name, ok := strings.CutPrefix(piece, "{")
		if kind, known := collections[before]; ok && known {
			found = append(found, addressee{strings.TrimSuffix(name, "}"), kind})
		}
		before = piece
	}
	return found
}

// identify puts identifiers in the place of external ones in the address of a request.
func (s *Server) identify(r *http.Request, named []addressee) error {
	for _, in := range named {
		text := r.PathValue(in.name)
		if !strings.HasPrefix(text, shop.ExternalMark) {
			continue
		}
		id, err := s.service.IDOf(r.Context(), in.kind, text)
		if err != nil {
			return err
		}
		r.SetPathValue(in.name, id)
	}
	if !strings.Contains(r.URL.RawQuery, "ext") {
		return nil
	}
	return s.identifyQuery(r.Context(), r.URL)
}

// identifyQuery puts identifiers in the place of external ones in the parameters of an address.
func (s *Server) identifyQuery(ctx context.Context, address *url.URL) error {
	query, changed := address.Query(), false
	for name, values := range query {
		kind, identifies := shop.Identifies(name)
		if !identifies {
			continue
		}
		for i, value := range values {
			id, err := s.service.IDOf(ctx, kind, value)
			if err != nil {
				return err
			}
			changed = changed || id != value
			values[i] = id
		}
	}
	if changed {
		address.RawQuery = query.Encode()
	}
	return nil
}

// mayName reports whether a body may have an external identifier, also when it is escaped.
func mayName(b body) bool {
	return bytes.Contains(b, []byte(shop.ExternalMark)) || bytes.Contains(b, []byte(`\u`))
}

// identifyInput puts identifiers in the place of external ones in an input.
func identifyInput[In any](s *Server, c *call, in *In, fields []shop.Field) error {
	if !mayName(c.body) {
		return nil
	}
	return s.service.IdentifyFields(c.r.Context(), reflect.ValueOf(in).Elem(), fields)
}

// namedInPath is what a path that ends with an identifier has there, as it was sent.
func namedInPath(c *call) string {
	address := c.r.URL.EscapedPath()
	named, err := url.PathUnescape(address[strings.LastIndexByte(address, '/')+1:])
	if err != nil {
		return c.id()
	}
	return named
}

// put changes what the path names, or creates it when the path names it by an external identifier that nothing has yet.
func put[Make, Change, Out any](
	kind shop.RecordKind,
	create func(*shop.Service, context.Context, Make) (Out, error),
	update func(*shop.Service, context.Context, string, Change) (Out, error),
) handler {
	making, changing := newDecoder[Make](), newDecoder[Change]()
	return func(s *Server, c *call) error {
		named := namedInPath(c)
		externalID, outside := strings.CutPrefix(named, shop.ExternalMark)
		if c.strict {
			fields := changing.fields
			if outside {
				fields = making.fields
			}
			if err := onlyFields(c.body, fields, ""); err != nil {
				return err
			}
		}
		change := changing.decode(c.body)
		if err := identifyInput(s, c, &change, changing.fields); err != nil {
			return err
		}
		made, created, err := shop.Put(c.r.Context(), s.service, kind, named, func() (Out, error) {
			in := making.decode(c.body)
			if err := identifyInput(s, c, &in, making.fields); err != nil {
				return *new(Out), err
			}
			if named, ok := any(&in).(interface{ NameOutside(externalID string) error }); ok {
				if err := named.NameOutside(strings.TrimSpace(externalID)); err != nil {
					return *new(Out), err
				}
			}
			return create(s.service, c.r.Context(), in)
		}, func(id string) (Out, error) { return update(s.service, c.r.Context(), id, change) })
		if created {
			return answer(c, http.StatusCreated, made, err)
		}
		return answer(c, http.StatusOK, made, err)
	}
}
