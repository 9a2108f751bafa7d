package convert

import (
	"errors"
	"fmt"
	"slices"
	"strings"

	"go.yaml.in/yaml/v4"
)

// OpenAPI30 converts an OpenAPI 3.1 document, written in YAML, to OpenAPI 3.0.3 in JSON. It keeps the order of keys, so that the same
// document always gives the same bytes.
//
// It converts the differences of 3.0: 'null' among the types of a value becomes nullable, a constant becomes an enumeration of one value,
// and the siblings of a reference become siblings of an allOf with that reference. Only the first of several examples of a schema stays.
// The identifier of the licence becomes a URL, and the summary of the document is omitted. An unknown keyword of a schema is an error with
// its line, because 3.0 may not have it.
func OpenAPI30(document []byte) ([]byte, error) {
	root, err := parse(document)
	if err != nil {
		return nil, err
	}
	version := member(root, "openapi")
	if version == nil || !strings.HasPrefix(version.Value, "3.1.") {
		return nil, errors.New("it is not a document of OpenAPI 3.1")
	}
	version.Value = "3.0.3"
	if info := member(root, "info"); info != nil {
		remove(info, "summary")
		if license := member(info, "license"); license != nil {
			if identifier := member(license, "identifier"); identifier != nil {
				remove(license, "identifier")
				license.Content = append(license.Content, word("url"), word("https://spdx.org/licenses/"+identifier.Value+".html"))
			}
		}
	}
	for i := 0; i < len(root.Content); i += 2 {
		switch key, value := root.Content[i].Value, root.Content[i+1]; key {
		case "webhooks", "jsonSchemaDialect":
			return nil, fmt.Errorf("line %d: OpenAPI 3.0 has no %s", root.Content[i].Line, key)
		case "components":
			err = components30(value)
		default:
			err = holder30(value)
		}
		if err != nil {
			return nil, err
		}
	}
	return encode(root)
}

// components30 rewrites the parts that operations share.
func components30(components *yaml.Node) error {
	for i := 0; i < len(components.Content); i += 2 {
		kind, parts := components.Content[i], components.Content[i+1]
		rewrite := holder30
		switch kind.Value {
		case "pathItems":
			return fmt.Errorf("line %d: OpenAPI 3.0 has no shared pathItems", kind.Line)
		case "examples":
			continue
		case "schemas":
			rewrite = schema30
		}
		for j := 1; j < len(parts.Content); j += 2 {
			if err := rewrite(parts.Content[j]); err != nil {
				return err
			}
		}
	}
	return nil
}

// holder30 rewrites the schemas in a node that is not a schema, such as an operation.
func holder30(node *yaml.Node) error {
	if node.Kind == yaml.SequenceNode {
		for _, element := range node.Content {
			if err := holder30(element); err != nil {
				return err
			}
		}
	}
	if node.Kind != yaml.MappingNode {
		return nil
	}
	if member(node, "$ref") != nil && len(node.Content) > 2 {
		return fmt.Errorf("line %d: in OpenAPI 3.0 nothing stands beside a reference", node.Line)
	}
	for i := 0; i < len(node.Content); i += 2 {
		var err error
		switch key, value := node.Content[i].Value, node.Content[i+1]; key {
		case "example", "examples": // they are values, not schemas
		case "schema":
			err = schema30(value)
		default:
			err = holder30(value)
		}
		if err != nil {
			return err
		}
	}
	return nil
}

// sameIn30 are the keywords of a schema that have the same meaning in OpenAPI 3.0 and 3.1.
var sameIn30 = []string{
	"$ref", "description", "type", "format", "enum", "minimum", "maximum", "minLength", "maxLength", "pattern", "minItems", "maxItems",
	"uniqueItems", "minProperties", "maxProperties", "required", "title", "default", "deprecated", "readOnly", "writeOnly", "example",
	"nullable",
}

// schema30 rewrites a schema and those in it.
func schema30(schema *yaml.Node) error {
	if schema.Kind != yaml.MappingNode {
		return fmt.Errorf("line %d: in OpenAPI 3.0 a schema is an object", schema.Line)
	}
	if err := nullable(schema); err != nil {
		return err
	}
	for i := 0; i < len(schema.Content); i += 2 {
		var err error
		switch key, value := schema.Content[i], schema.Content[i+1]; key.Value {
		case "examples":
			if len(value.Content) == 0 {
				return fmt.Errorf("line %d: there is no example", key.Line)
			}
			key.Value, schema.Content[i+1] = "example", value.Content[0]
		case "const":
			key.Value, schema.Content[i+1] = "enum", list(value)
			if member(schema, "type") == nil {
				kind := map[string]string{"!!str": "string", "!!bool": "boolean", "!!int": "integer", "!!float": "number"}[value.ShortTag()]
				schema.Content = append(schema.Content, word("type"), word(kind))
			}
		case "properties":
			err = schemas30(value.Content, 1, 2)
		case "items", "not":
			err = schema30(value)
		case "additionalProperties":
			if value.Kind == yaml.MappingNode {
				err = schema30(value)
			}
		case "allOf", "anyOf", "oneOf":
			err = schemas30(value.Content, 0, 1)
		default:
			if !slices.Contains(sameIn30, key.Value) && !strings.HasPrefix(key.Value, "x-") {
				return fmt.Errorf("line %d: %s is not known in OpenAPI 3.0", key.Line, key.Value)
			}
		}
		if err != nil {
			return err
		}
	}
	if reference := member(schema, "$ref"); reference != nil && len(schema.Content) > 2 {
		remove(schema, "$ref")
		schema.Content = append(schema.Content, word("allOf"), list(object("$ref", reference)))
	}
	return nil
}

// schemas30 rewrites the schemas among some nodes: the first one, and every distance-th node after it.
func schemas30(nodes []*yaml.Node, first, distance int) error {
	for i := first; i < len(nodes); i += distance {
		if err := schema30(nodes[i]); err != nil {
			return err
		}
	}
	return nil
}

// nullable replaces 'null' among the types of a schema by nullable.
func nullable(schema *yaml.Node) error {
	types := member(schema, "type")
	if types == nil || types.Kind != yaml.SequenceNode {
		if types != nil && isNull(types) {
			return fmt.Errorf("line %d: OpenAPI 3.0 has no type null; write it beside another type", types.Line)
		}
		return nil
	}
	kept := slices.DeleteFunc(slices.Clone(types.Content), isNull)
	null := len(kept) < len(types.Content)
	if len(kept) != 1 {
		return fmt.Errorf("line %d: in OpenAPI 3.0 a value has one type", types.Line)
	}
	*types = *kept[0]
	if !null {
		return nil
	}
	if words := member(schema, "enum"); words != nil && !slices.ContainsFunc(words.Content, isNull) {
		return fmt.Errorf("line %d: null is a type of the value and not among the enumerated", words.Line)
	}
	schema.Content = append(schema.Content, word("nullable"), &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!bool", Value: "true"})
	return nil
}

func isNull(node *yaml.Node) bool { return node.Kind == yaml.ScalarNode && node.Value == "null" }

// member returns a member of a mapping, or nil.
func member(mapping *yaml.Node, key string) *yaml.Node {
	if mapping.Kind != yaml.MappingNode {
		return nil
	}
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			return mapping.Content[i+1]
		}
	}
	return nil
}

func remove(mapping *yaml.Node, key string) {
	for i := 0; i < len(mapping.Content); i += 2 {
		if mapping.Content[i].Value == key {
			mapping.Content = slices.Delete(mapping.Content, i, i+2)
			return
		}
	}
}

func word(text string) *yaml.Node {
	return &yaml.Node{Kind: yaml.ScalarNode, Tag: "!!str", Value: text}
}

func list(elements ...*yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.SequenceNode, Content: elements}
}

func object(key string, value *yaml.Node) *yaml.Node {
	return &yaml.Node{Kind: yaml.MappingNode, Content: []*yaml.Node{word(key), value}}
}
