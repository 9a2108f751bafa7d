package httpapi

import (
	"encoding/json"
	"fmt"
	"net/http"
	"strings"

	"github.com/routecard/routecard/shop/input"
	"github.com/routecard/routecard/shop/refusal"
)

// strictHandling is the preference of RFC 7240 with which a client asks that unknown fields are refused instead of ignored.
const strictHandling = "handling=strict"

// prefersStrict reports whether a request asks for strict handling. If it has two preferences for handling, the first counts.
func prefersStrict(r *http.Request) bool {
	for _, field := range r.Header["Prefer"] {
		for preference := range strings.SplitSeq(field, ",") {
			preference, _, _ = strings.Cut(preference, ";")
			name, value, _ := strings.Cut(preference, "=")
			if strings.EqualFold(strings.TrimSpace(name), "handling") {
				return strings.EqualFold(strings.Trim(strings.TrimSpace(value), `"`), "strict")
			}
		}
	}
	return false
}

// settings reports whether a route changes settings. Such a route always refuses unknown fields: if it ignored one, the shop would believe
// that the setting is on.
func (r route) settings() bool { return r.changes() && strings.Contains(r.pattern, " /api/settings/") }

// strict reports whether a route always refuses unknown fields and parameters, even if the client does not ask for it.
func (r route) strict() bool { return r.settings() || r.body == asked }

// onlyFields refuses the first unknown member of an object, including nested objects. The refusal has its place, such as steps[2].colour.
func onlyFields(object body, fields []input.Field, place string) error {
	for name, value := range object.members() {
		i := named(fields, name)
		if i < 0 {
			path := place + memberName(name)
			return refusal.RefuseField(fieldUnknown, path, path)
		}
		if err := onlyKnown(value, &fields[i].Shape, place+fields[i].Name); err != nil {
			return err
		}
	}
	return nil
}

// onlyKnown checks a value of this shape. If the value has another shape, the operation refuses it later.
func onlyKnown(value json.RawMessage, shape *input.Shape, place string) error {
	switch {
	case shape.Kind == input.ObjectKind && shape.Fields != nil && value[0] == '{':
		return onlyFields(body(value), shape.Fields, place+".")
	case shape.Kind == input.ListKind && shape.Item != nil && value[0] == '[':
		i := 0
		for item := range items(value) {
			if err := onlyKnown(item, shape.Item, fmt.Sprintf("%s[%d]", place, i)); err != nil {
				return err
			}
			i++
		}
	}
	return nil
}

// memberName returns a name that was sent, for a message.
func memberName(quoted []byte) string {
	return shownName(unescape(quoted[1 : len(quoted)-1]))
}
