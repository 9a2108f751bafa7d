package site

import (
	"bytes"
	"encoding/json"
	"strings"
)

// Details converts a JSON object to names and values, in the order of the object. Values other than texts are shown as JSON.
func Details(object json.RawMessage) []Detail {
	decoder := json.NewDecoder(bytes.NewReader(object))
	if token, err := decoder.Token(); err != nil || token != json.Delim('{') {
		return nil
	}
	var read []Detail
	for decoder.More() {
		name, err := decoder.Token()
		if err != nil {
			break
		}
		var value json.RawMessage
		if decoder.Decode(&value) != nil {
			break
		}
		var text string
		if json.Unmarshal(value, &text) != nil {
			text = plain(value)
		}
		label, _ := name.(string)
		read = append(read, Detail{spaced(label), text})
	}
	return read
}

// plain joins a list of texts with commas, and returns everything else unchanged.
func plain(value json.RawMessage) string {
	var list []string
	if json.Unmarshal(value, &list) == nil {
		return strings.Join(list, ", ")
	}
	return string(value)
}

// spaced converts a name such as heatNumber to "Heat number".
func spaced(name string) string {
	var b strings.Builder
	previous := ' '
	for i, c := range name {
		switch {
		case i == 0:
			b.WriteString(strings.ToUpper(string(c)))
		case c >= 'A' && c <= 'Z' && previous >= 'a' && previous <= 'z':
			b.WriteString(" " + strings.ToLower(string(c)))
		default:
			b.WriteRune(c)
		}
		previous = c
	}
	return strings.ReplaceAll(b.String(), "_", " ")
}

// Detail is a field of a record, with its label.
type Detail struct{ Name, Value string }
