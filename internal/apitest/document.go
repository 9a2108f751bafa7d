// Package apitest compares responses of the service with the OpenAPI document, in tests.
package apitest

import (
	"context"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/getkin/kin-openapi/openapi3filter"
	"github.com/getkin/kin-openapi/routers"

	"github.com/routecard/routecard/api"
)

// Document is api/openapi.yaml, ready to validate requests and responses. It is stricter with responses than the document, which says that
// clients must expect new fields and statuses: here only documented ones are allowed. It is safe for concurrent use.
type Document struct {
	*openapi3.T

	answers *schemas
}

// Load reads the document, once for all tests of a process, which leave it as it is.
func Load(tb testing.TB) *Document {
	tb.Helper()
	document, err := loaded()
	if err != nil {
		tb.Fatal(err)
	}
	return document
}

var loaded = sync.OnceValues(func() (*Document, error) { //nolint:gochecknoglobals // once for all tests of a process
	loaded, err := openapi3.NewLoader().LoadFromData(api.YAML)
	if err != nil {
		return nil, err
	}
	for _, item := range loaded.Paths.Map() {
		for _, operation := range item.Operations() {
			operation.Responses.Delete("default")
			for _, response := range operation.Responses.Map() {
				for _, content := range response.Value.Content {
					closeObjects(loaded, content.Schema)
				}
			}
		}
	}
	answers, err := newSchemas(loaded)
	return &Document{loaded, answers}, err
})

// closeObjects forbids members without a schema in the objects of a response. An object schema without members still allows any. If a
// reference has its own description, its target is a copy, and the copied schema is closed too.
func closeObjects(document *openapi3.T, ref *openapi3.SchemaRef) {
	if ref == nil || ref.Value == nil {
		return
	}
	named := document.Components.Schemas[strings.TrimPrefix(ref.Ref, "#/components/schemas/")]
	if named != nil && named.Value != ref.Value {
		closeObjects(document, named)
	}
	schema := ref.Value
	if len(schema.Properties) > 0 && schema.AdditionalProperties.Has == nil && schema.AdditionalProperties.Schema == nil {
		no := false
		schema.AdditionalProperties.Has = &no
	} else if len(schema.Properties) > 0 {
		return // visited before
	}
	closeObjects(document, schema.Items)
	for _, member := range schema.Properties {
		closeObjects(document, member)
	}
}

// Exchange is one request with its response.
type Exchange struct {
	Method, Target, Body string
	Header               [][2]string
	Valid                bool // whether the request must be valid by the document too
	Status               int
	AnswerHeader         http.Header
	Answer               string
}

// Check compares an exchange with the document. A response outside all operations must be an error in the documented format.
func (d *Document) Check(ctx context.Context, e *Exchange) error {
	address, err := url.Parse(e.Target)
	if err != nil {
		return err
	}
	template, parameters := d.find(address)
	item := d.Paths.Value(template)
	var operation *openapi3.Operation
	if item != nil {
		operation = item.GetOperation(e.Method)
	}
	if operation == nil {
		if e.Method == http.MethodHead || e.Status == http.StatusNotFound || e.Status == http.StatusMethodNotAllowed {
			return nil
		}
		return fmt.Errorf("the document has no %s %s", e.Method, e.Target)
	}
	request, err := http.NewRequestWithContext(ctx, e.Method, "http://routecard.test"+e.Target, strings.NewReader(e.Body))
	if err != nil {
		return err
	}
	if e.Body == "" {
		request.Body = http.NoBody
	} else {
		request.Header.Set("Content-Type", jsonType)
	}
	for _, field := range e.Header {
		request.Header.Set(field[0], field[1])
	}
	input := &openapi3filter.RequestValidationInput{
		Request: request, PathParams: parameters, QueryParams: address.Query(),
		Route: &routers.Route{Spec: d.T, Path: template, PathItem: item, Method: e.Method, Operation: operation},
		Options: &openapi3filter.Options{
			IncludeResponseStatus: true, MultiError: true, SkipSettingDefaults: true, ExcludeRequestBody: isFile(request),
			AuthenticationFunc: openapi3filter.NoopAuthenticationFunc,
		},
	}
	if e.Valid {
		if err := openapi3filter.ValidateRequest(ctx, input); err != nil {
			return fmt.Errorf("the request: %w", err)
		}
	}
	if operation.Responses.Status(e.Status) == nil {
		return fmt.Errorf("the document has no %d at %s %s", e.Status, e.Method, template)
	}
	content, kind := operation.Responses.Status(e.Status).Value.Content, e.AnswerHeader.Get("Content-Type")
	if media := content[linesType]; media != nil && kind == linesType {
		return d.checkLines(media, e.Answer)
	}
	place, judgedHere := placeOfAnswer(template, e, operation)
	// The document describes only the type of a file of measurements, and there is no decoder for this type.
	isAQDEF := strings.HasPrefix(kind, "application/x-aqdef") && content.Get(kind) != nil
	input.Options.ExcludeResponseBody = judgedHere || isAQDEF
	if err := openapi3filter.ValidateResponse(ctx, &openapi3filter.ResponseValidationInput{
		RequestValidationInput: input, Status: e.Status, Header: e.AnswerHeader,
		Body: io.NopCloser(strings.NewReader(e.Answer)), Options: input.Options,
	}); err != nil || !judgedHere {
		return err
	}
	return d.answers.judge(place, e.Answer)
}

// isFile reports whether the body of a request is a file of rows, of which the document describes only the type.
func isFile(request *http.Request) bool {
	kind := request.Header.Get("Content-Type")
	return strings.HasPrefix(kind, "text/csv") || kind == linesType
}

// linesType is the media type of JSON values that each end in a line feed. The extension x-lines has the name of the schema of a line, or
// the schema itself.
const linesType = "application/x-ndjson"

func (d *Document) checkLines(media *openapi3.MediaType, text string) error {
	schema, err := d.schemaOfLine(media.Extensions["x-lines"])
	if err != nil {
		return err
	}
	for line := range strings.Lines(text) {
		var value any
		if err := json.Unmarshal([]byte(line), &value); err != nil {
			return fmt.Errorf("the line %q: %w", line, err)
		}
		if err := schema.VisitJSON(value); err != nil {
			return fmt.Errorf("the line %q: %w", line, err)
		}
	}
	return nil
}

func (d *Document) schemaOfLine(said any) (*openapi3.Schema, error) {
	if name, named := said.(string); named && d.Components.Schemas[name] != nil {
		return d.Components.Schemas[name].Value, nil
	}
	text, err := json.Marshal(said)
	if err != nil {
		return nil, err
	}
	schema := openapi3.NewSchema()
	if err := json.Unmarshal(text, schema); err != nil || len(schema.Properties) == 0 {
		return nil, fmt.Errorf("the document has no schema of a line: %s", text)
	}
	closeObjects(d.T, openapi3.NewSchemaRef("", schema))
	return schema, nil
}

// find returns the path of the document that an address belongs to. Fixed segments, and then fixed ends of segments, take precedence over
// parameters.
func (d *Document) find(address *url.URL) (template string, parameters map[string]string) {
	segments := strings.Split(address.EscapedPath(), "/")
	best := -1
	for _, candidate := range slices.Sorted(maps.Keys(d.Paths.Map())) {
		found, ok := MatchPath(candidate, segments)
		fixed := 2*(strings.Count(candidate, "/")-len(found)) + strings.Count(candidate, "}.")
		if ok && fixed > best {
			template, parameters, best = candidate, found, fixed
		}
	}
	return template, parameters
}

// MatchPath compares the segments of an address with a path that has parameters. A parameter may have an end: {id}.pdf.
func MatchPath(template string, segments []string) (parameters map[string]string, ok bool) {
	parts := strings.Split(template, "/")
	if len(parts) != len(segments) {
		return nil, false
	}
	parameters = map[string]string{}
	for i, part := range parts {
		switch {
		case strings.HasPrefix(part, "{"):
			name, end, _ := strings.Cut(part[1:], "}")
			value, err := url.PathUnescape(segments[i])
			if err != nil || !strings.HasSuffix(value, end) {
				return nil, false
			}
			parameters[name] = strings.TrimSuffix(value, end)
		case part != segments[i]:
			return nil, false
		}
	}
	return parameters, true
}
