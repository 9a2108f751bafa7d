package api_test

import (
	"fmt"
	"maps"
	"net/http"
	"slices"
	"strings"
	"testing"

	"github.com/getkin/kin-openapi/openapi3"

	"github.com/routecard/routecard/api"
)

// load parses a document.
func load(t *testing.T, document []byte) *openapi3.T {
	t.Helper()
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		t.Fatal(err)
	}
	return doc
}

// valid checks that the document is OpenAPI 3.1, with every example and default against its schema.
func valid(t *testing.T, document []byte) {
	t.Helper()
	if err := load(t, document).Validate(t.Context(), openapi3.EnableExamplesValidation(),
		openapi3.EnableSchemaDefaultsValidation(), openapi3.EnableMultiError()); err != nil {
		t.Fatal(err)
	}
}

func TestDocumentIsValid(t *testing.T) {
	t.Run("yaml", func(t *testing.T) { valid(t, api.YAML) })
	t.Run("json", func(t *testing.T) {
		document, err := api.JSON()
		if err != nil {
			t.Fatal(err)
		}
		valid(t, document)
	})
	t.Run("3.0", func(t *testing.T) { // its examples are those of the other document
		document, err := api.JSON30()
		if err != nil {
			t.Fatal(err)
		}
		doc := load(t, document)
		if doc.OpenAPI != "3.0.3" || len(doc.Paths.Map()) != len(load(t, api.YAML).Paths.Map()) {
			t.Errorf("got OpenAPI %s with %d paths", doc.OpenAPI, len(doc.Paths.Map()))
		}
		if err := doc.Validate(t.Context(), openapi3.DisableExamplesValidation(), openapi3.EnableMultiError()); err != nil {
			t.Fatal(err)
		}
	})
}

// TestOperations checks requirements beyond OpenAPI: every operation has the information that an integrator needs.
func TestOperations(t *testing.T) {
	doc := load(t, api.YAML)
	tags := map[string]bool{}
	for _, tag := range doc.Tags {
		tags[tag.Name] = false
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			t.Run(method+" "+path, func(t *testing.T) {
				if operation.OperationID == "" || operation.Summary == "" || operation.Description == "" {
					t.Error("operationId, summary or description is missing")
				}
				if len(operation.Tags) != 1 {
					t.Errorf("got tags %v, want one", operation.Tags)
				}
				for _, tag := range operation.Tags {
					if _, ok := tags[tag]; !ok {
						t.Errorf("tag %q is not described", tag)
					}
					tags[tag] = true
				}
				want := []string{"405", "default"}
				if strings.HasPrefix(path, "/api/") && !strings.HasPrefix(path, "/api/openapi") {
					want = append(want, "500")
				}
				switch needs, _ := operation.Extensions["x-permission"].(string); needs {
				case "read", "work", "decide", "plan", "admin", "signed-in", "entering", "arrived":
					want = append(want, "401", "403")
				case "anyone":
					if method != http.MethodGet {
						want = append(want, "403")
					}
				default:
					t.Errorf("x-permission is %q", needs)
				}
				if operation.RequestBody != nil {
					want = append(want, "400", "413")
					if operation.RequestBody.Value.Content.Get("application/json") != nil {
						want = append(want, "415")
					}
				}
				for _, status := range want {
					if operation.Responses.Value(status) == nil {
						t.Errorf("there is no response %s", status)
					}
				}
				checkErrors(t, operation.Responses)
			})
		}
	}
	for tag, used := range tags {
		if !used {
			t.Errorf("tag %q is not used", tag)
		}
	}
}

// checkErrors checks that every error has examples, and that each has the status of its response.
func checkErrors(t *testing.T, responses *openapi3.Responses) {
	t.Helper()
	for status, response := range responses.Map() {
		if status < "400" {
			continue
		}
		if status == "default" {
			status = "503" // the one it shows
		}
		content := response.Value.Content["application/json"]
		if content == nil || content.Schema.Ref != "#/components/schemas/Error" || len(content.Examples) == 0 {
			t.Errorf("%s: there is no error body with examples", status)
			continue
		}
		for name, example := range content.Examples {
			value, ok := example.Value.Value.(map[string]any)
			if !ok || fmt.Sprint(value["statusCode"]) != status {
				t.Errorf("%s: example %s has statusCode %v", status, name, value["statusCode"])
			}
		}
	}
}

// TestGeneratorsUnderstand checks that generators of clients can read the document, and produce the names that their users expect.
func TestGeneratorsUnderstand(t *testing.T) {
	doc := load(t, api.YAML)
	for name := range doc.Components.Parameters {
		if doc.Components.Schemas[name] != nil {
			t.Errorf("%s is the name of a parameter and of a schema: generators make one type of both", name)
		}
	}
	for name, schema := range doc.Components.Schemas {
		checkSchema(t, name, schema)
	}
	for path, item := range doc.Paths.Map() {
		for method, operation := range item.Operations() {
			for _, made := range madeOf(operation.OperationID) {
				if doc.Components.Schemas[made] != nil {
					t.Errorf("%s is the name of a schema, and of a type that generators make of the operation %s", made, operation.OperationID)
				}
			}
			checkLines(t, method+" "+path, operation)
			for _, parameter := range operation.Parameters {
				checkSchema(t, method+" "+path+" "+parameter.Value.Name, parameter.Value.Schema)
			}
		}
	}
}

// madeOf returns the names of the types that orval, openapi-typescript-codegen, openapi-fetch and oapi-codegen generate for an operation.
func madeOf(operationID string) (names []string) {
	name := strings.ToUpper(operationID[:1]) + operationID[1:]
	for _, ending := range strings.Fields("Result Response Responses Params Body Headers Error Errors Data QueryResult QueryError " +
		"MutationResult MutationBody MutationError JSONBody JSONRequestBody") {
		names = append(names, name+ending)
	}
	return names
}

// checkLines checks the schemas of lines in the extension x-lines.
func checkLines(t *testing.T, name string, operation *openapi3.Operation) {
	t.Helper()
	for _, response := range operation.Responses.Map() {
		for _, media := range response.Value.Content {
			if text := fmt.Sprint(media.Extensions["x-lines"]); strings.Contains(text, "additionalProperties:false") {
				t.Errorf("%s: a line allows no other members, and new ones may come", name)
			}
		}
	}
}

func checkSchema(t *testing.T, name string, ref *openapi3.SchemaRef) {
	t.Helper()
	if ref == nil || ref.Value == nil {
		return
	}
	schema := ref.Value
	switch {
	case schema.Default != nil:
		t.Errorf("%s has a default: some generators then demand the field", name)
	case schema.AdditionalProperties.Has != nil && !*schema.AdditionalProperties.Has:
		t.Errorf("%s allows no other members, and new ones may come", name)
	case schema.ExclusiveMin.Value != nil || schema.ExclusiveMax.Value != nil:
		t.Errorf("%s has an exclusive bound as a number, which generators for OpenAPI 3.0 refuse", name)
	case schema.Type.Includes("integer") && schema.Format == "":
		t.Errorf("%s is an integer without a format: some generators take 32 bits", name)
	}
	words := map[string]bool{}
	for _, word := range schema.Enum {
		plain := strings.ReplaceAll(fmt.Sprint(word), "-", "_")
		if words[plain] {
			t.Errorf("%s has %q twice: generators make one name of both", name, word)
		}
		words[plain] = true
	}
	if ref.Ref == "" || strings.HasSuffix(ref.Ref, "/"+name) {
		checkSchema(t, name+"[]", schema.Items)
		for member, property := range schema.Properties {
			if property.Ref == "" {
				checkSchema(t, name+"."+member, property)
			}
		}
	}
}

// TestComponentsAreUsed finds components that no operation uses.
func TestComponentsAreUsed(t *testing.T) {
	doc := load(t, api.YAML)
	document := string(api.YAML)
	for kind, names := range map[string][]string{
		"schemas":    slices.Sorted(maps.Keys(doc.Components.Schemas)),
		"parameters": slices.Sorted(maps.Keys(doc.Components.Parameters)),
		"responses":  slices.Sorted(maps.Keys(doc.Components.Responses)),
		"examples":   slices.Sorted(maps.Keys(doc.Components.Examples)),
	} {
		for _, name := range names {
			if !strings.Contains(document, "'#/components/"+kind+"/"+name+"'") {
				t.Errorf("components/%s/%s is not used", kind, name)
			}
		}
	}
}
