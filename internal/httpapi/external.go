package httpapi

import (
	"bytes"
	"context"
	"encoding/json"
	"net/http"
	"net/url"
	"reflect"
	"strings"

	"github.com/routecard/routecard/shop"
	"github.com/routecard/routecard/shop/ident"
	"github.com/routecard/routecard/shop/input"
)

// A request may give an external identifier, ext:4711, wherever it may give the identifier of a record. The functions below replace it by
// the identifier before an operation sees it. If no record has the external identifier, they leave it unchanged, and the operation responds
// that the record does not exist.

// collections maps the name in the pattern of a route to the kind of record whose identifier follows it.
var collections = map[string]ident.RecordKind{
	"jobs": shop.RecordJob, "job": shop.RecordJob, "paths": shop.RecordPath, "serials": shop.RecordSerial, "serial": shop.RecordSerial,
	"certs": shop.RecordCertificate, "bom": shop.RecordBOM, "users": shop.RecordUser, "queue": shop.RecordUser,
	"templates": shop.RecordTemplate, "instruments": shop.RecordInstrument,
	"lots": shop.RecordLot, "shipments": shop.RecordShipment, "first-articles": shop.RecordFirstArticle,
}

// addressee is a wildcard in the pattern of a route that stands for the identifier of a record.
type addressee struct {
	name string
	kind ident.RecordKind
}

// addressees returns the wildcards of a pattern that may be external identifiers.
func addressees(pattern string) (found []addressee) {
	before := ""
	for piece := range strings.SplitSeq(pattern, "/") {
		name, ok := strings.CutPrefix(piece, "{")
		if kind, known := collections[before]; ok && known {
			name, _, _ = strings.Cut(name, "}")
			found = append(found, addressee{name, kind})
		}
		before = piece
	}
	return found
}

// reference is an identifier in a request, with the kind of its record.
type reference struct {
	kind  ident.RecordKind
	named string
}

// idOf returns the identifier of the record that a request refers to. It looks up each external identifier once, so that the operation
// changes the same record for which the signatures of the request are checked.
func (c *call) idOf(s *Server, kind ident.RecordKind, named string) (string, error) {
	if !strings.HasPrefix(named, shop.ExternalMark) {
		return named, nil
	}
	if id, ok := c.found[reference{kind, named}]; ok {
		return id, nil
	}
	id, err := s.service.IDOf(c.r.Context(), kind, named)
	if err != nil {
		return "", err
	}
	if c.found == nil {
		c.found = make(map[reference]string)
	}
	c.found[reference{kind, named}] = id
	return id, nil
}

// identify replaces external identifiers in the path of a request.
func (s *Server) identify(c *call, named []addressee) error {
	for _, in := range named {
		text := c.r.PathValue(in.name)
		id, err := c.idOf(s, in.kind, text)
		if err != nil {
			return err
		}
		if id != text {
			c.r.SetPathValue(in.name, id)
		}
	}
	if !strings.Contains(c.r.URL.RawQuery, "ext") {
		return nil
	}
	return s.identifyQuery(c)
}

// identifyQuery replaces external identifiers in the query parameters of a request.
func (s *Server) identifyQuery(c *call) error {
	query, changed := c.r.URL.Query(), false
	for name, values := range query {
		kind, identifies := shop.Identifies(name)
		if !identifies {
			continue
		}
		for i, value := range values {
			id, err := c.idOf(s, kind, value)
			if err != nil {
				return err
			}
			changed = changed || id != value
			values[i] = id
		}
	}
	if changed {
		c.r.URL.RawQuery = query.Encode()
	}
	return nil
}

// identifiedPath replaces external identifiers in a path and returns it decoded. path is escaped, as it was sent.
func identifiedPath(path string, find func(kind ident.RecordKind, named string) (string, error)) (string, error) {
	pieces := strings.Split(path, "/")
	for i, piece := range pieces {
		if decoded, err := url.PathUnescape(piece); err == nil {
			pieces[i] = decoded
		}
		if i == 0 {
			continue
		}
		if kind, known := collections[pieces[i-1]]; known {
			id, err := find(kind, pieces[i])
			if err != nil {
				return "", err
			}
			pieces[i] = id
		}
	}
	return strings.Join(pieces, "/"), nil
}

// mayName reports whether a body may contain an external identifier, including an escaped one.
func mayName(b body) bool {
	return bytes.Contains(b, []byte(shop.ExternalMark)) || bytes.Contains(b, []byte(`\u`))
}

// identifyInput replaces external identifiers in an input.
func identifyInput[In any](s *Server, c *call, in *In, fields []input.Field) error {
	if !mayName(c.body) {
		return nil
	}
	c.fields = fields
	return input.IdentifyFields(reflect.ValueOf(in).Elem(), fields, func(kind ident.RecordKind, named string) (string, error) {
		return c.idOf(s, kind, named)
	})
}

// identified returns the body in which identifiers replace the external identifiers that identifyInput looked up.
func (c *call) identified() []byte {
	if c.fields == nil || len(c.found) == 0 {
		return c.sent
	}
	return c.identifiedObject(nil, c.body, c.fields)
}

func (c *call) identifiedObject(to []byte, object body, fields []input.Field) []byte {
	to = append(to, '{')
	for name, value := range object.members() {
		if to[len(to)-1] != '{' {
			to = append(to, ',')
		}
		to = append(append(to, name...), ':')
		if i := named(fields, name); i >= 0 {
			to = c.identifiedValue(to, value, fields[i].Identifies, &fields[i].Shape)
		} else {
			to = append(to, value...)
		}
	}
	return append(to, '}')
}

func (c *call) identifiedValue(to []byte, value json.RawMessage, kind ident.RecordKind, shape *input.Shape) []byte {
	switch {
	case value[0] == '{' && shape.Kind == input.ObjectKind:
		return c.identifiedObject(to, body(value), shape.Fields)
	case value[0] == '[' && shape.Kind == input.ListKind:
		to = append(to, '[')
		for item := range items(value) {
			if to[len(to)-1] != '[' {
				to = append(to, ',')
			}
			to = c.identifiedValue(to, item, kind, shape.Item)
		}
		return append(to, ']')
	case value[0] == '"' && kind != "":
		if text, ok := parseText(value); ok {
			if id, ok := c.found[reference{kind, text}]; ok {
				quoted, _ := json.Marshal(id) //nolint:errchkjson // a text always has a form
				return append(to, quoted...)
			}
		}
	}
	return append(to, value...)
}

// namedInPath returns the last segment of the path, an identifier, as it was sent.
func namedInPath(c *call) string {
	address := c.r.URL.EscapedPath()
	named, err := url.PathUnescape(address[strings.LastIndexByte(address, '/')+1:])
	if err != nil {
		return c.id()
	}
	return named
}

// put updates the record that the path identifies, or creates it if the path has an external identifier that no record has yet.
func put[Make, Change, Out any](
	kind ident.RecordKind,
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
