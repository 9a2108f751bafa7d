// Package convert converts the YAML of the contract to JSON. It keeps the order of keys and the notation of numbers, so that the same YAML
// always gives the same bytes.
package convert

import (
	"bytes"
	"encoding/json"
	"errors"
	"fmt"

	"go.yaml.in/yaml/v4"
)

// JSON returns the YAML document as indented JSON with a newline at the end.
//
// Anything that JSON cannot express is an error with its line: keys that are not strings or appear twice, anchors and aliases, and scalars
// that YAML reads as a type that JSON does not have, such as a timestamp without quotes.
func JSON(document []byte) ([]byte, error) {
	root, err := parse(document)
	if err != nil {
		return nil, err
	}
	return encode(root)
}

// parse parses a document of one value.
func parse(document []byte) (*yaml.Node, error) {
	var root yaml.Node
	if err := yaml.Unmarshal(document, &root); err != nil {
		return nil, err
	}
	if root.Kind != yaml.DocumentNode || len(root.Content) != 1 {
		return nil, errors.New("there is no document")
	}
	return root.Content[0], nil
}

// encode writes a value as indented JSON with a newline at the end.
func encode(value *yaml.Node) ([]byte, error) {
	var compact bytes.Buffer
	if err := write(&compact, value); err != nil {
		return nil, err
	}
	var indented bytes.Buffer
	if err := json.Indent(&indented, compact.Bytes(), "", "  "); err != nil {
		return nil, err
	}
	indented.WriteByte('\n')
	return indented.Bytes(), nil
}

func write(out *bytes.Buffer, node *yaml.Node) error {
	if node.Anchor != "" {
		return fmt.Errorf("line %d: anchors are not supported", node.Line)
	}
	switch node.Kind {
	case yaml.MappingNode:
		return writeObject(out, node)
	case yaml.SequenceNode:
		return writeArray(out, node)
	case yaml.ScalarNode:
		return writeScalar(out, node)
	default:
		return fmt.Errorf("line %d: only mappings, sequences and scalars are supported", node.Line)
	}
}

// writeObject writes a mapping. Its content alternates between keys and values.
func writeObject(out *bytes.Buffer, node *yaml.Node) error {
	seen := make(map[string]bool, len(node.Content)/2)
	out.WriteByte('{')
	for i := 0; i < len(node.Content); i += 2 {
		key, value := node.Content[i], node.Content[i+1]
		if key.Kind != yaml.ScalarNode || key.ShortTag() != "!!str" {
			return fmt.Errorf("line %d: key %q is not a string, put it in quotes", key.Line, key.Value)
		}
		if seen[key.Value] {
			return fmt.Errorf("line %d: key %q appears twice", key.Line, key.Value)
		}
		seen[key.Value] = true
		if i > 0 {
			out.WriteByte(',')
		}
		if err := writeScalar(out, key); err != nil {
			return err
		}
		out.WriteByte(':')
		if err := write(out, value); err != nil {
			return err
		}
	}
	out.WriteByte('}')
	return nil
}

func writeArray(out *bytes.Buffer, node *yaml.Node) error {
	out.WriteByte('[')
	for i, element := range node.Content {
		if i > 0 {
			out.WriteByte(',')
		}
		if err := write(out, element); err != nil {
			return err
		}
	}
	out.WriteByte(']')
	return nil
}

func writeScalar(out *bytes.Buffer, node *yaml.Node) error {
	switch tag := node.ShortTag(); tag {
	case "!!str":
		encoder := json.NewEncoder(out) // appends a newline, which Indent removes
		encoder.SetEscapeHTML(false)
		return encoder.Encode(node.Value)
	case "!!int", "!!float", "!!bool", "!!null":
		if !json.Valid([]byte(node.Value)) {
			return fmt.Errorf("line %d: write %q the way JSON does", node.Line, node.Value)
		}
		out.WriteString(node.Value)
		return nil
	default:
		return fmt.Errorf("line %d: %q is read as %s, put it in quotes", node.Line, node.Value, tag)
	}
}
