package apitest

import (
	"bytes"
	"fmt"
	"net/http"
	"strconv"
	"strings"
	"sync"

	"github.com/getkin/kin-openapi/openapi3"
	"github.com/santhosh-tekuri/jsonschema/v6"
)

const jsonType = "application/json"

// schemas validates responses in JSON. It compiles the schema of a response once, at its first use. openapi3filter compiles it for every
// response, which takes longer than the request. It is safe for concurrent use.
type schemas struct {
	mu       sync.Mutex
	compiler *jsonschema.Compiler
	compiled map[string]*jsonschema.Schema // by their places in the document
}

// documentURL is the name of the document in schemas; it is not served anywhere.
const documentURL = "https://routecard.test/openapi.json"

func newSchemas(document *openapi3.T) (*schemas, error) {
	text, err := document.MarshalJSON()
	if err != nil {
		return nil, err
	}
	value, err := jsonschema.UnmarshalJSON(bytes.NewReader(text))
	if err != nil {
		return nil, err
	}
	compiler := jsonschema.NewCompiler()
	compiler.DefaultDraft(jsonschema.Draft2020)
	compiler.AssertFormat()
	if err := compiler.AddResource(documentURL, value); err != nil {
		return nil, err
	}
	return &schemas{compiler: compiler, compiled: map[string]*jsonschema.Schema{}}, nil
}

// judge compares a response with the schema at a place of the document.
func (s *schemas) judge(place, answer string) error {
	schema, err := s.at(place)
	if err != nil {
		return err
	}
	value, err := jsonschema.UnmarshalJSON(strings.NewReader(answer))
	if err != nil {
		return fmt.Errorf("the answer is no JSON: %w", err)
	}
	return schema.Validate(value)
}

func (s *schemas) at(place string) (*jsonschema.Schema, error) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if schema := s.compiled[place]; schema != nil {
		return schema, nil
	}
	schema, err := s.compiler.Compile(documentURL + place)
	if err != nil {
		return nil, fmt.Errorf("the schema at %s: %w", place, err)
	}
	s.compiled[place] = schema
	return schema, nil
}

// placeOfAnswer is the place of the schema of a response in JSON; found is false if it has none.
func placeOfAnswer(template string, e *Exchange, operation *openapi3.Operation) (place string, found bool) {
	if e.Method == http.MethodHead || e.AnswerHeader.Get("Content-Type") != jsonType {
		return "", false
	}
	status := strconv.Itoa(e.Status)
	response := operation.Responses.Value(status)
	if response == nil || response.Value.Content[jsonType] == nil || response.Value.Content[jsonType].Schema == nil {
		return "", false
	}
	if name := response.Value.Content[jsonType].Schema.Ref; name != "" {
		return name, true
	}
	place = response.Ref
	if place == "" {
		place = "#/paths/" + pointed(template) + "/" + strings.ToLower(e.Method) + "/responses/" + status
	}
	return place + "/content/" + pointed(jsonType) + "/schema", true
}

// pointed writes a name as a part of a JSON pointer in an address.
func pointed(name string) string {
	return strings.NewReplacer("~", "~0", "/", "~1", "{", "%7B", "}", "%7D").Replace(name)
}
