package httpapi

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/routecard/routecard/shop/refusal"
)

// withField completes the refusal for a record that does not exist: its field is the query parameter, or the place in the body, with the
// record's identifier. If the path has that identifier, the refusal gets no field.
func (c *call) withField(err error) error {
	refused, ok := errors.AsType[*refusal.Error](err)
	if !ok || refused.Reason != refusal.NoRecord || refused.Field != "" || len(refused.Args) == 0 {
		return err
	}
	id := refused.Args[len(refused.Args)-1]
	if id == "" || slices.ContainsFunc(c.named, func(name string) bool { return c.r.PathValue(name) == id }) {
		return err
	}
	for named, found := range c.found {
		if found == id { // the record was deleted after its external identifier was looked up
			id = named.named
		}
	}
	located := *refused
	if located.Field = c.parameterWith(id); located.Field == "" {
		located.Field = memberWith(c.body, id, "")
	}
	return &located
}

// parameterWith returns the query parameter that has an identifier; "" for none.
func (c *call) parameterWith(id string) string {
	query := c.r.URL.Query()
	for _, name := range slices.Sorted(maps.Keys(query)) {
		if slices.Contains(query[name], id) {
			return name
		}
	}
	return ""
}

// memberWith returns the place in an object that has an identifier, such as entries[0].jobId; "" for none.
func memberWith(object body, id, place string) string {
	for name, value := range object.members() {
		if at := placeWith(value, id, place+memberName(name)); at != "" {
			return at
		}
	}
	return ""
}

func placeWith(value []byte, id, place string) string {
	switch value[0] {
	case '{':
		return memberWith(body(value), id, place+".")
	case '[':
		i := 0
		for item := range items(value) {
			if at := placeWith(item, id, fmt.Sprintf("%s[%d]", place, i)); at != "" {
				return at
			}
			i++
		}
	case '"':
		if text, ok := parseText(value); ok && strings.TrimSpace(text) == id {
			return place
		}
	}
	return ""
}
