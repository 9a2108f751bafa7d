package api_test

import (
	"cmp"
	"fmt"
	"strconv"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/routecard/routecard/api"
)

// TestEverythingIsDescribed finds fields and parameters whose description says no more than their name.
func TestEverythingIsDescribed(t *testing.T) {
	doc := load(t, api.YAML)
	fields := 0
	var check func(place string, schema *openapi3.SchemaRef)
	check = func(place string, schema *openapi3.SchemaRef) {
		if schema == nil || schema.Ref != "" {
			return // a named schema is checked under its name
		}
		if schema.Value.Items != nil {
			check(place+"[]", schema.Value.Items)
		}
		for name, field := range schema.Value.Properties {
			fields++
			if says(field.Value.Description, name) || field.Ref != "" && strings.TrimSpace(field.Value.Description) != "" {
				check(place+"."+name, field)
				continue
			}
			t.Errorf("%s.%s is not described", place, name)
		}
	}
	for name, schema := range doc.Components.Schemas {
		check(name, schema)
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			place := method + " " + path
			for _, parameter := range operation.Parameters {
				if !says(parameter.Value.Description, parameter.Value.Name) {
					t.Errorf("%s: parameter %s is not described", place, parameter.Value.Name)
				}
			}
			for content := range contents(operation) {
				check(place, content.Schema)
			}
		}
	}
	if fields < 500 {
		t.Errorf("only %d fields were looked at", fields)
	}
}

// says reports whether a description says more than the name.
func says(description, name string) bool {
	plain := func(text string) string {
		return strings.ToLower(strings.NewReplacer(" ", "", ".", "", "The", "", "the", "").Replace(text))
	}
	return plain(description) != "" && plain(description) != plain(name)
}

// contents yields the contents of an operation's request and successful responses.
func contents(operation *openapi3.Operation) func(yield func(*openapi3.MediaType, string) bool) {
	return func(yield func(*openapi3.MediaType, string) bool) {
		if operation.RequestBody != nil {
			for kind, content := range operation.RequestBody.Value.Content {
				if !yield(content, "takes "+kind) {
					return
				}
			}
		}
		for status, response := range operation.Responses.Map() {
			for kind, content := range response.Value.Content {
				if strings.HasPrefix(status, "2") && !yield(content, status+" "+kind) {
					return
				}
			}
		}
	}
}

// TestOperationsHaveExamples checks that every body of a request or response has an example.
func TestOperationsHaveExamples(t *testing.T) {
	doc := load(t, api.YAML)
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			for content, place := range contents(operation) {
				if content.Example == nil && len(content.Examples) == 0 {
					t.Errorf("%s %s: %s has no example", method, path, place)
				}
			}
		}
	}
	if doc.Info.Contact == nil || doc.Info.Contact.URL == "" {
		t.Error("the document says nowhere whom to ask")
	}
}

// TestNamesOfConstants checks that generators can create one constant for each enumerated value, with a unique name.
func TestNamesOfConstants(t *testing.T) {
	doc := load(t, api.YAML)
	seen := map[string]string{}
	for name := range doc.Components.Schemas {
		seen[name] = "a schema"
	}
	var check func(place string, schema *openapi3.SchemaRef)
	check = func(place string, schema *openapi3.SchemaRef) {
		if schema == nil || schema.Value == nil || schema.Ref != "" {
			return
		}
		if len(schema.Value.Enum) > 0 {
			names, _ := schema.Value.Extensions["x-enum-varnames"].([]any)
			if len(names) != len(schema.Value.Enum) {
				t.Errorf("%s: %d values and %d names in x-enum-varnames", place, len(schema.Value.Enum), len(names))
			}
			for i, name := range names {
				if other := seen[fmt.Sprint(name)]; other != "" && other != place+" "+strconv.Itoa(i) {
					t.Errorf("%s: %v is the name of %s too", place, name, other)
				}
				seen[fmt.Sprint(name)] = place + " " + strconv.Itoa(i)
			}
		}
		check(place+"[]", schema.Value.Items)
		for name, field := range schema.Value.Properties {
			check(place+"."+name, field)
		}
	}
	for name, schema := range doc.Components.Schemas {
		check(name, schema)
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			for _, parameter := range operation.Parameters {
				check(cmp.Or(parameter.Ref, method+" "+path+" "+parameter.Value.Name), parameter.Value.Schema) // shared ones have one name
			}
			for content, place := range contents(operation) {
				check(method+" "+path+" "+place, content.Schema)
			}
		}
	}
}
