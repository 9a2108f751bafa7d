// Package generate writes the part of the Go client that follows from the OpenAPI document: a type for each schema, and a method
// for each operation. Its test compares what it writes with what is checked in.
package generate

import (
	"bytes"
	"fmt"
	"go/format"
	"maps"
	"net/http"
	"slices"
	"strconv"
	"strings"

	"github.com/getkin/kin-openapi/openapi3"
)

// Source returns the types and the operations of a document of OpenAPI 3.0, as two files of package client. The same document
// always gives the same files. It refuses a document that has something it has no Go for.
func Source(document []byte) (types, operations []byte, err error) {
	doc, err := openapi3.NewLoader().LoadFromData(document)
	if err != nil {
		return nil, nil, err
	}
	w := &writer{doc: doc, sent: map[string]bool{}}
	defer func() {
		switch failed := recover().(type) {
		case nil:
		case unknownError:
			err = failed
		default:
			panic(failed)
		}
	}()
	w.findSent()
	w.schemas()
	if types, err = w.file(`"encoding/json"`, `"time"`); err != nil {
		return nil, nil, err
	}
	w.operations()
	operations, err = w.file(`"context"`, `"encoding/json"`, `"io"`, `"net/http"`, `"net/url"`)
	return types, operations, err
}

// unknownError is a part of the document that the generator cannot translate to Go.
type unknownError string

func (e unknownError) Error() string { return string(e) }

type writer struct {
	doc  *openapi3.T
	sent map[string]bool // the names of schemas that requests have
	out  bytes.Buffer
	next []func() // types of fields, which are written after the type that has them
}

func (w *writer) printf(format string, args ...any) { fmt.Fprintf(&w.out, format, args...) }

// file returns what was written since the last one, as a file with those of the imports that it needs.
func (w *writer) file(imports ...string) ([]byte, error) {
	var file bytes.Buffer
	file.WriteString("// Code generated from api/openapi.yaml by go test ./client/internal/generate -args -write. DO NOT EDIT.\n\n")
	file.WriteString("package client\n\nimport (\n")
	for _, path := range imports {
		name := strings.Trim(path[strings.LastIndex(path, "/")+1:], `"`)
		if bytes.Contains(w.out.Bytes(), []byte(name+".")) {
			fmt.Fprintln(&file, path)
		}
	}
	file.WriteString(")\n\n")
	file.Write(w.out.Bytes())
	w.out.Reset()
	return format.Source(file.Bytes())
}

// findSent finds the schemas that requests have, in which a field that is left out is another thing than one that is empty.
func (w *writer) findSent() {
	var find func(schema *openapi3.SchemaRef)
	find = func(schema *openapi3.SchemaRef) {
		if schema == nil {
			return
		}
		if name := nameOf(schema); name != "" {
			if w.sent[name] {
				return
			}
			w.sent[name] = true
		}
		find(schema.Value.Items)
		for _, part := range schema.Value.AllOf {
			find(part)
		}
		for _, field := range schema.Value.Properties {
			find(field)
		}
	}
	for _, item := range w.doc.Paths.Map() {
		for _, operation := range item.Operations() {
			if operation.RequestBody == nil {
				continue
			}
			for _, content := range operation.RequestBody.Value.Content {
				find(content.Schema)
			}
		}
	}
}

// nameOf returns the name of a schema in the document, or "".
func nameOf(schema *openapi3.SchemaRef) string {
	return schema.Ref[strings.LastIndex(schema.Ref, "/")+1:]
}

// schemas writes a type for each schema that is an object or an enumeration.
func (w *writer) schemas() {
	for _, name := range slices.Sorted(maps.Keys(w.doc.Components.Schemas)) {
		schema := w.doc.Components.Schemas[name].Value
		if name == "Error" { // client.Error, by hand
			continue
		}
		w.declare(goName(name), schema, w.sent[name])
		for len(w.next) > 0 {
			write := w.next[0]
			w.next = w.next[1:]
			write()
		}
	}
}

// declare writes a type, if the schema is one that has one.
func (w *writer) declare(name string, schema *openapi3.Schema, sent bool) {
	switch {
	case isEnum(schema):
		w.comment(name, schema.Description)
		w.printf("type %s string\n\n// What a %s may be. Later releases may add some.\nconst (\n", name, name)
		names, _ := schema.Extensions["x-enum-varnames"].([]any)
		for i, value := range schema.Enum {
			constant := name + goName(fmt.Sprint(value))
			if i < len(names) {
				constant = fmt.Sprint(names[i])
			}
			w.printf("%s %s = %q\n", constant, name, value)
		}
		w.printf(")\n\n")
	case isStruct(schema):
		w.comment(name, schema.Description)
		w.printf("type %s struct {\n", name)
		for _, field := range slices.Sorted(maps.Keys(schema.Properties)) {
			w.field(name, field, schema.Properties[field], slices.Contains(schema.Required, field), sent)
		}
		w.printf("}\n\n")
	}
}

func isEnum(schema *openapi3.Schema) bool { return schema.Type.Is("string") && len(schema.Enum) > 0 }

// isStruct reports whether a schema has fields and nothing but fields.
func isStruct(schema *openapi3.Schema) bool {
	return schema.Type.Is("object") && (schema.AdditionalProperties.Has == nil || !*schema.AdditionalProperties.Has) &&
		schema.AdditionalProperties.Schema == nil
}

// field writes one field of a struct.
func (w *writer) field(parent, name string, schema *openapi3.SchemaRef, required, sent bool) {
	kind := w.goType(parent+goName(name), schema, sent)
	tag := name
	switch {
	case sent && kind == "string" && !schema.Value.Nullable && slices.Contains(acting, name):
		tag += ",omitempty"
	case required && !schema.Value.Nullable:
	case required:
		kind = "*" + kind
	case kind == "time.Time", strings.HasPrefix(kind, "[]"), strings.HasPrefix(kind, "map["), kind == "json.RawMessage":
		tag += ",omitzero"
	case !sent && (kind == "string" || kind == "bool" || isEnum(resolved(schema))):
		tag += ",omitempty"
	default:
		kind, tag = "*"+kind, tag+",omitempty"
	}
	for line := range strings.Lines(wrapped(describe(schema))) {
		w.printf("// %s\n", strings.TrimRight(line, "\n"))
	}
	w.printf("%s %s `json:%q`\n", goName(name), kind, tag)
}

// acting are the fields that say who acts. Empty is the same as left out for them, and with authentication they are left out
// also where the document requires them.
var acting = []string{"userId", "changedBy", "approverId"}

// resolved returns the schema that defines the type of a value. The given schema may only add a description to a reference.
func resolved(schema *openapi3.SchemaRef) *openapi3.Schema {
	if len(schema.Value.AllOf) == 1 {
		return resolved(schema.Value.AllOf[0])
	}
	return schema.Value
}

// describe returns the document's description of a field, or of its type.
func describe(schema *openapi3.SchemaRef) string {
	if schema.Value.Description != "" {
		return schema.Value.Description
	}
	return resolved(schema).Description
}

// goType returns the Go type of a value. If a schema without a name needs a type, the type gets the given name.
func (w *writer) goType(name string, schema *openapi3.SchemaRef, sent bool) string {
	if len(schema.Value.AllOf) == 1 {
		return w.goType(name, schema.Value.AllOf[0], sent)
	}
	value := schema.Value
	if isEnum(value) || isStruct(value) && len(value.Properties) > 0 {
		if known := nameOf(schema); known != "" {
			return goName(known)
		}
		w.next = append(w.next, func() { w.declare(name, value, sent) })
		return name
	}
	switch {
	case value.Type.Is("string") && value.Format == "date-time":
		return "time.Time"
	case value.Type.Is("string"):
		return "string"
	case value.Type.Is("integer"):
		return "int64"
	case value.Type.Is("number"):
		return "float64"
	case value.Type.Is("boolean"):
		return "bool"
	case value.Type.Is("array"):
		return "[]" + w.goType(name+"Item", value.Items, sent)
	case value.AdditionalProperties.Schema != nil:
		return "map[string]" + w.goType(name+"Value", value.AdditionalProperties.Schema, sent)
	case value.Type.Is("object"):
		return "json.RawMessage"
	}
	panic(unknownError(fmt.Sprintf("%s has the type %v", name, value.Type)))
}

// operations writes a method for each operation, in the order of their names.
func (w *writer) operations() {
	type one struct {
		method, path string
		operation    *openapi3.Operation
	}
	all := map[string]one{}
	for path, item := range w.doc.Paths.Map() {
		for method, operation := range item.Operations() {
			all[operation.OperationID] = one{method, path, operation}
		}
	}
	for _, id := range slices.Sorted(maps.Keys(all)) {
		w.operation(all[id].method, all[id].path, all[id].operation)
	}
}

func (w *writer) operation(method, path string, operation *openapi3.Operation) {
	name := goName(operation.OperationID)
	args, query, keyed := []string{"ctx context.Context"}, []*openapi3.Parameter{}, false
	place := strconv.Quote(path)
	for _, ref := range operation.Parameters {
		switch parameter := ref.Value; {
		case parameter.In == openapi3.ParameterInPath:
			arg := strings.TrimSuffix(parameter.Name, "Id") + map[bool]string{true: "ID"}[strings.HasSuffix(parameter.Name, "Id")]
			args = append(args, arg+" string")
			escape := "url.PathEscape(" + arg + ")"
			if parameter.Name == "place" { // the rest of a path, with its slashes
				escape = arg
			}
			place = strings.Replace(place, "{"+parameter.Name+"}", `"+`+escape+`+"`, 1)
		case parameter.In == openapi3.ParameterInQuery:
			query = append(query, parameter)
		case parameter.Name == "Idempotency-Key":
			keyed = true
		}
	}
	place = strings.TrimSuffix(place, `+""`)
	w.parameters(name, operation.OperationID, query)
	request := fmt.Sprintf("method: %s, path: %s", methods[method], place)
	if len(query) > 0 {
		args = append(args, "params "+name+"Params")
		request += ", query: params.values()"
	}
	if body := operation.RequestBody; body != nil {
		if content := body.Value.Content["application/json"]; content != nil {
			args = append(args, "body "+w.goType(name+"Body", content.Schema, true))
			request += ", body: body"
		} else {
			args = append(args, "content io.ReadSeeker")
			request += ", content: content"
		}
	}
	if keyed {
		request += ", keyed: true"
	}
	args = append(args, "options ...Option")
	result := w.result(name, operation)
	w.printf("// %s is %s %s: %s. It needs the permission %s.\n", name, method, path,
		strings.ToLower(operation.Summary[:1])+operation.Summary[1:], operation.Extensions["x-permission"])
	switch result {
	case "io.ReadCloser":
		w.printf("// The caller closes the answer.\n")
		w.printf("func (c *Client) %s(%s) (io.ReadCloser, error) {\n", name, strings.Join(args, ", "))
		w.printf("return c.open(ctx, request{%s}, options)\n}\n\n", request)
	default:
		w.printf("func (c *Client) %s(%s) (answer %s, err error) {\n", name, strings.Join(args, ", "), result)
		w.printf("err = c.call(ctx, request{%s}, &answer, options)\nreturn answer, err\n}\n\n", request)
	}
	for len(w.next) > 0 {
		write := w.next[0]
		w.next = w.next[1:]
		write()
	}
}

var methods = map[string]string{
	http.MethodGet: "http.MethodGet", http.MethodPost: "http.MethodPost", http.MethodPut: "http.MethodPut",
	http.MethodPatch: "http.MethodPatch", http.MethodDelete: "http.MethodDelete",
}

// result returns the type of the successful response.
func (w *writer) result(name string, operation *openapi3.Operation) string {
	for _, status := range slices.Sorted(maps.Keys(operation.Responses.Map())) {
		if !strings.HasPrefix(status, "2") {
			continue
		}
		contents := operation.Responses.Value(status).Value.Content
		if content := contents["application/json"]; content != nil && len(contents) == 1 {
			return w.goType(name+"Answer", content.Schema, false)
		}
		return "io.ReadCloser"
	}
	panic(unknownError(name + " never succeeds"))
}

// parameters writes the type of the parameters of a query.
func (w *writer) parameters(name, id string, query []*openapi3.Parameter) {
	if len(query) == 0 {
		return
	}
	w.printf("// %sParams are the parameters of the operation %s. What is empty or 0 is left out.\n", name, id)
	w.printf("type %sParams struct {\n", name)
	for _, parameter := range query {
		for line := range strings.Lines(wrapped(parameter.Description)) {
			w.printf("// %s\n", strings.TrimRight(line, "\n"))
		}
		kind := w.goType(name+goName(parameter.Name), parameter.Schema, true)
		w.printf("%s %s\n", goName(parameter.Name), kind)
	}
	w.printf("}\n\nfunc (p %sParams) values() url.Values {\nvalues := url.Values{}\n", name)
	for _, parameter := range query {
		w.printf("setParam(values, %q, p.%s)\n", parameter.Name, goName(parameter.Name))
	}
	w.printf("return values\n}\n\n")
}

// comment writes the comment of a type.
func (w *writer) comment(name, description string) {
	text := wrapped(name + ": " + description)
	if description == "" {
		text = name + " is " + article(name)
	}
	for line := range strings.Lines(text) {
		w.printf("// %s\n", strings.TrimRight(line, "\n"))
	}
}

func article(name string) string {
	if body, ok := strings.CutSuffix(name, "Request"); ok {
		return "the body of the operation " + strings.ToLower(body[:1]) + body[1:] + "."
	}
	return "an answer of the interface."
}

// wrapped breaks text into lines of about a hundred characters. Tables and lists keep their lines.
func wrapped(text string) string {
	var all strings.Builder
	column := 0
	for line := range strings.Lines(strings.TrimSpace(text)) {
		line = strings.TrimSpace(line)
		if line == "" || strings.HasPrefix(line, "|") || strings.HasPrefix(line, "- ") {
			if column > 0 {
				all.WriteString("\n")
			}
			all.WriteString(line + "\n")
			column = 0
			continue
		}
		for word := range strings.FieldsSeq(line) {
			switch {
			case column == 0:
			case column+len(word) > 110:
				all.WriteString("\n")
				column = 0
			default:
				all.WriteString(" ")
				column++
			}
			all.WriteString(word)
			column += len(word)
		}
	}
	return strings.TrimRight(all.String(), "\n")
}

// goName makes an exported name of one of the document: serialIds becomes SerialIDs.
func goName(name string) string {
	var all strings.Builder
	for word := range strings.FieldsFuncSeq(split(name), func(r rune) bool { return r == ' ' || r == '-' || r == '_' }) {
		switch lower := strings.ToLower(word); lower {
		case "id", "url", "uri", "json", "yaml", "pin":
			all.WriteString(strings.ToUpper(word))
		case "ids":
			all.WriteString("IDs")
		case "sha256":
			all.WriteString("SHA256")
		default:
			all.WriteString(strings.ToUpper(word[:1]) + word[1:])
		}
	}
	return all.String()
}

// split puts a space in front of every capital letter that follows a small one or a digit.
func split(name string) string {
	var all strings.Builder
	for i, r := range name {
		if i > 0 && r >= 'A' && r <= 'Z' && (name[i-1] < 'A' || name[i-1] > 'Z') {
			all.WriteByte(' ')
		}
		all.WriteRune(r)
	}
	return all.String()
}
